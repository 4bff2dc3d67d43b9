/* memory.c: what an allocation costs as it grows, and where its bytes are
 *
 * SPDX-License-Identifier: MIT
 */
#include "procedure.h"

#include "base/host-memory.h"
#include "mode/buffers.h"

/* --- the price of an allocation --------------------------------------------------------------- */

/* as the article's programs, which allocate two inputs and a result and then free them */
#define AT_ONCE 3

static const struct { const char *name; MemlaneTakeKind memory;
} kinds[] = {
  { "pageable", MEMLANE_TAKE_PAGEABLE }, { "pinned", MEMLANE_TAKE_PINNED },
  { "device", MEMLANE_TAKE_DEVICE },     { "mapped", MEMLANE_TAKE_MAPPED },
  { "managed", MEMLANE_TAKE_MANAGED },
};

#define N_ALLOCATED 3 /* of them: those that the article's programs allocate */

static gboolean
time_allocations (MemlaneProcedureContext *context, guint kind, gboolean warm, GError **error)
{
  double begin = memlane_device_clock (context->device), allocated;
  void *pointers[AT_ONCE];

  for (guint i = 0; i < AT_ONCE; i++)
    if (!memlane_procedure_take (context, error,
                                 { kinds[kind].memory, &pointers[i], context->bytes }))
      return FALSE;
  allocated = memlane_device_clock (context->device);
  for (guint i = 0; i < AT_ONCE; i++)
    if (!memlane_procedure_free (context, pointers[i], error))
      return FALSE;
  if (warm)
    {
      memlane_procedure_sample_of (context, kinds[kind].name, "alloc",
                                   (allocated - begin) / AT_ONCE);
      memlane_procedure_sample_of (context, kinds[kind].name, "free",
                                   (memlane_device_clock (context->device) - allocated) / AT_ONCE);
    }
  return TRUE;
}

static gboolean
run_allocations (MemlaneProcedureContext *context, GError **error)
{
  /* In turn, so that none profits from what the one before has left to the driver. */
  for (guint i = 0; i <= context->options.samples; i++)
    for (guint kind = 0; kind < N_ALLOCATED; kind++)
      if (!memlane_procedure_go_on (context, error)
          || !time_allocations (context, kind, i > 0, error))
        return FALSE;
  return TRUE;
}

const MemlaneProcedure memlane_procedure_allocations = {
  .id = "allocations",
  .summary = "three allocations in a row and their release, of malloc, cudaMallocHost and "
             "cudaMalloc: host time of one",
  .outputs = { .times = "pageable/alloc pageable/free pinned/alloc pinned/free device/alloc "
                        "device/free" },
  .defaults = { .log2_elements = 20, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 26, .samples = 100 },
  .run = run_allocations,
};

/* --- the price of page-locking ---------------------------------------------------------------- */

#define THREADS 8

typedef struct
{
  const char *name;
  MemlaneTakeKind memory;
  guint threads; /* that touch each page first; 0: nobody does */
  gboolean huge;
  MemlaneHostRegisterFlags flags;
} Locking;

static const Locking lockings[] = {
  { "malloc-host", MEMLANE_TAKE_PINNED },
  { "register" },
  { "touched", .threads = 1 },
  { "threads", .threads = THREADS },
  { "huge", .threads = 1, .huge = TRUE },
  { "huge-threads", .threads = THREADS, .huge = TRUE },
  { "read-only", .threads = 1, .flags = MEMLANE_HOST_REGISTER_READ_ONLY },
};

/* Host time of cudaMallocHost, or of malloc, first touch and cudaHostRegister. Locked memory is
 * unlocked whatever happens. */
static gboolean
time_locking (MemlaneProcedureContext *context, const Locking *way, double *took, GError **error)
{
  const gsize bytes = context->bytes;
  MemlaneDevice *device = context->device;
  double begin = memlane_device_clock (device);
  gboolean done, pinned = way->memory == MEMLANE_TAKE_PINNED;
  void *pointer;

  if (!memlane_procedure_take (context, error, { way->memory, &pointer, bytes }))
    return FALSE;
  done =
      pinned
      || ((way->threads == 0
           || memlane_device_host_populate (device, pointer, bytes, way->threads, way->huge, error))
          && memlane_device_host_register (device, pointer, bytes, way->flags, error));
  *took = memlane_device_clock (device) - begin;
  if (done && !pinned)
    done = memlane_device_host_unregister (device, pointer, error);
  return memlane_procedure_free (context, pointer, done ? error : NULL) && done;
}

static gboolean
run_page_locking (MemlaneProcedureContext *context, GError **error)
{
  gboolean lacks[G_N_ELEMENTS (lockings)] = { FALSE };

  if (!memlane_check_host_room (context->device, context->bytes, 0, error))
    return FALSE;
  for (guint i = 0; i < context->options.samples; i++)
    for (guint way = 0; way < G_N_ELEMENTS (lockings); way++)
      {
        g_autoptr (GError) problem = NULL;
        double took;

        if (lacks[way])
          continue;
        if (!memlane_procedure_go_on (context, error))
          return FALSE;
        if (time_locking (context, &lockings[way], &took, &problem))
          memlane_procedure_sample (context, i == 0 && way == 0 ? "first" : lockings[way].name,
                                    took);
        else if (g_error_matches (problem, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED))
          {
            lacks[way] = TRUE;
            memlane_procedure_lack (context, lockings[way].name, MEMLANE_DOUBT_UNSUPPORTED,
                                    problem->message);
          }
        else
          {
            g_propagate_error (error, g_steal_pointer (&problem));
            return FALSE;
          }
      }
  return TRUE;
}

const MemlaneProcedure memlane_procedure_page_locking = {
  .id = "page-locking",
  .summary = "memory that is page-locked by cudaMallocHost, or malloc's by cudaHostRegister after "
             "0, 1 or 8 threads have touched its pages",
  .outputs = { .times = "first malloc-host register touched threads huge huge-threads read-only" },
  .defaults = { .log2_elements = 24, .samples = MEMLANE_PROCEDURE_SAMPLES },
  .most = { .log2_elements = 32, .samples = 100 },
  .run = run_page_locking,
};

/* --- how much may be page-locked ------------------------------------------------------------- */

#define PARTS 16 /* blocks of the sum */
#define STEPS 64 /* of the search, to the largest block */
#define LONGEST 10e9 /* ns for one block: a call that takes longer looks like one that hangs */

static const char *const locked_by[] = { "malloc-host", "register" };
static const char *const limits[] = { "malloc-host/limit", "register/limit" };

/* Page-locks @n blocks of @bytes, by cudaMallocHost or (@way 1) malloc's by cudaHostRegister, and
 * releases them. Returns how many it had. @error says why not all, or what was not released. */
static guint
lock_blocks (MemlaneProcedureContext *context, guint way, gsize bytes, guint n, GError **error)
{
  void *blocks[PARTS];
  guint had = 0;

  while (had < n
         && memlane_procedure_take (context, error,
                                    { way == 0 ? MEMLANE_TAKE_PINNED : MEMLANE_TAKE_PAGEABLE,
                                      &blocks[had], bytes })
         && (way == 0 || memlane_device_host_register (context->device, blocks[had], bytes,
                                                       MEMLANE_HOST_REGISTER_DEFAULT, error)))
    had++;
  if (had < n)
    error = NULL; /* it has its reason */
  for (guint i = 0; way == 1 && i < had; i++)
    if (!memlane_device_host_unregister (context->device, blocks[i], error))
      error = NULL;
  memlane_held_give_all (&context->held, error);
  return had;
}

/* Returns how many of @bytes are locked in LONGEST, by the pace of a small block. */
static gsize
cut_by_time (MemlaneProcedureContext *context, gsize bytes)
{
  double begin = memlane_device_clock (context->device), took;

  if (lock_blocks (context, 0, bytes / STEPS, 1, NULL) == 0)
    return bytes;
  took = (memlane_device_clock (context->device) - begin) * STEPS;
  return took > LONGEST ? (gsize) ((double) bytes * LONGEST / took) & ~(gsize) 0xffff : bytes;
}

/* Names what refused: the driver, or the limit that the block is above. The driver of WSL has a
 * limit of its own (NVIDIA's guide "CUDA on WSL"). */
static const char *
name_refusal (gboolean is_above_lockable)
{
  const char *adapter = g_getenv ("MEMLANE_DXG"); /* for tests */

  if (g_file_test (adapter != NULL ? adapter : "/dev/dxg", G_FILE_TEST_EXISTS))
    return "WSL";
  return is_above_lockable ? "RLIMIT_MEMLOCK" : "driver";
}

/* Searches by halves for the largest block, and takes blocks that are together what is tried: a
 * share of what is free. cudaMallocHost (@way 0, the first) may leave less in *@most_tried. */
static gboolean
find_limit (MemlaneProcedureContext *context, guint way, gsize *most_tried, GError **error)
{
  g_autoptr (GError) refusal = NULL;
  guint64 available, lockable;
  gsize wanted, most, alone = 0, refused;
  guint parts;

  memlane_device_get_host_memory (context->device, &available, &lockable);
  wanted = (available / 100 * context->options.times) & ~(gsize) 0xffff;
  *most_tried = way == 0 ? cut_by_time (context, wanted) : MIN (*most_tried, wanted);
  most = refused = *most_tried;
  for (gsize step = most; step > most / STEPS && alone < most; step /= 2)
    if (!memlane_procedure_go_on (context, error))
      return FALSE;
    else if (lock_blocks (context, way, alone + step, 1, refusal == NULL ? &refusal : NULL) > 0)
      alone += step;
    else
      refused = alone + step;
  parts = lock_blocks (context, way, most / PARTS, PARTS, refusal == NULL ? &refusal : NULL);
  if (refusal != NULL
      && !g_error_matches (refusal, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY))
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }
  if (refusal != NULL)
    memlane_procedure_note (context, "%s", refusal->message);
  if (way == 0)
    memlane_procedure_sample (context, "tried", (double) most / 0x1p30);
  memlane_procedure_sample_of (context, locked_by[way], "alone", (double) alone / 0x1p30);
  memlane_procedure_sample_of (context, locked_by[way], "together",
                               (double) most / PARTS / 0x1p30 * parts);
  memlane_procedure_word (context, limits[way],
                          refusal != NULL ? name_refusal (lockable < refused)
                          : most < wanted ? "time"
                          : memlane_host_memory_limit_by_group (G_MAXUINT64)
                                <= available + available / 8
                              ? "control-group"
                              : "nothing");
  return TRUE;
}

static gboolean
run_pin_limit (MemlaneProcedureContext *context, GError **error)
{
  gsize most = 0;
  gboolean done;

  (void) memlane_device_move_pieces (context->device, TRUE); /* a simulated one moves nothing */
  done = find_limit (context, 0, &most, error)
         && memlane_procedure_need (context, MEMLANE_CAN_HOST_REGISTER, error)
         && find_limit (context, 1, &most, error);
  (void) memlane_device_move_pieces (context->device, FALSE);
  return done;
}

const MemlaneProcedure memlane_procedure_pin_limit = {
  .id = "pin-limit",
  .summary = "how many GiB cudaMallocHost and cudaHostRegister lock, in one block and in 16, up to "
             "so many percent (times) of what is free and ten seconds, and what limits it",
  .outputs = {
    .numbers = "tried malloc-host/alone malloc-host/together register/alone register/together",
    .words = "malloc-host/limit register/limit",
  },
  .defaults = { .times = 50 },
  .most = { .times = 95 },
  .is_once = TRUE,
  .run = run_pin_limit,
};

/* --- where its bytes are ---------------------------------------------------------------------- */

/* Bytes that are taken on either side, as the system and the driver say. */
typedef struct { double host, device; } Taken;

static gboolean
look (MemlaneProcedureContext *context, Taken *taken, GError **error)
{
  guint64 available, lockable, free_bytes;

  memlane_device_get_host_memory (context->device, &available, &lockable);
  if (!memlane_device_get_free_memory (context->device, &free_bytes, error))
    return FALSE;
  taken->host = -(double) available;
  taken->device = -(double) free_bytes;
  return TRUE;
}

/* As it is allocated, as it is written (by the device where it is the device's), and as managed
 * memory is moved to the device then. */
static gboolean
look_at_memory (MemlaneProcedureContext *context, guint kind, GError **error)
{
  const gsize size = context->bytes;
  const double bytes = (double) size;
  MemlaneDevice *device = context->device;
  const char *name = kinds[kind].name;
  const gboolean own = kinds[kind].memory == MEMLANE_TAKE_DEVICE,
                 managed = kinds[kind].memory == MEMLANE_TAKE_MANAGED;
  Taken before, after, written, moved = { 0 };
  void *pointer;

  if (!look (context, &before, error)
      || !memlane_procedure_take (context, error, { kinds[kind].memory, &pointer, size })
      || !look (context, &after, error)
      || !(own ? memlane_device_memset_async (device, pointer, 0, size, NULL, error)
                     && memlane_device_synchronize (device, error)
               : memlane_device_host_fill (device, pointer, 1, size, error))
      || !look (context, &written, error)
      || (managed
          && (!memlane_device_mem_prefetch_async (device, pointer, size, MEMLANE_LOCATION_DEVICE,
                                                  NULL, error)
              || !memlane_device_synchronize (device, error) || !look (context, &moved, error)))
      || !memlane_procedure_free (context, pointer, error))
    return FALSE;
  if (!own && !managed)
    memlane_procedure_sample_of (context, name, "host-untouched",
                                 (after.host - before.host) / bytes);
  memlane_procedure_sample_of (context, name, "host", (written.host - before.host) / bytes);
  if (!managed)
    memlane_procedure_sample_of (context, name, "device", (written.device - before.device) / bytes);
  else
    {
      memlane_procedure_sample_of (context, name, "host-when-moved",
                                   (moved.host - before.host) / bytes);
      memlane_procedure_sample_of (context, name, "device-when-moved",
                                   (moved.device - before.device) / bytes);
    }
  return TRUE;
}

static gboolean
run_memory_use (MemlaneProcedureContext *context, GError **error)
{
  guint samples = memlane_device_get_info (context->device)->exact
                      ? MIN (2, context->options.samples)
                      : context->options.samples;
  guint64 available, lockable, free_bytes;

  memlane_device_get_host_memory (context->device, &available, &lockable);
  if (!memlane_device_get_free_memory (context->device, &free_bytes, error))
    return FALSE;
  memlane_procedure_sample (context, "host-gib", (double) available / (1 << 30));
  memlane_procedure_sample (context, "device-gib", (double) free_bytes / (1 << 30));
  memlane_procedure_word (context, "may-be-locked", lockable >= available ? "all" : "a-part");
  for (guint i = 0; i < samples; i++)
    for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
      if (!memlane_procedure_go_on (context, error) || !look_at_memory (context, kind, error))
        return FALSE;
  return TRUE;
}

const MemlaneProcedure memlane_procedure_memory_use = {
  .id = "memory-use",
  .summary = "of each kind of memory the share of its bytes that host and device have given for "
             "it: when allocated, when written, when "
             "moved",
  .outputs = {
    .numbers = "pageable/host-untouched pageable/host pageable/device pinned/host-untouched "
               "pinned/host pinned/device "
               "mapped/host-untouched mapped/host mapped/device device/host device/device "
               "managed/host managed/host-when-moved "
               "managed/device-when-moved host-gib device-gib",
    .words = "may-be-locked",
  },
  .is_undisturbed = TRUE,
  .defaults = { .log2_elements = 26, .samples = 8 },
  .most = { .log2_elements = 28, .samples = 30 },
  .run = run_memory_use,
};
