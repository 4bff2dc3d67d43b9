/* lab.c: the stream laboratory: one pipeline on several streams, issued as a plan says, and
 * recorded
 *
 * SPDX-License-Identifier: MIT
 */
#include "lab.h"

#include <string.h>

#include "base/fail.h"
#include "base/i18n.h"
#include "device/tracer.h"
#include "environment.h"
#include "mode/buffers.h"
#include "mode/recipe.h"
#include "plan.h"
#include "record.h"

/* --- words, and what may be asked for --------------------------------------------------------- */

static const MemlaneLabWords orders[] = {
  { "depth-first", N_("Depth-first"),
    N_("Issues upload, kernel and download of a chunk before the next chunk. With one copy engine "
        "each download delays the next "
        "upload, so nothing overlaps.") },
  { "breadth-first", N_("Breadth-first"),
    N_("Issues all uploads, then all kernels, then all downloads. With one copy engine copies and "
        "kernels of different chunks "
        "overlap.") },
};

static const MemlaneLabWords betweens[] = {
  { "nothing", N_("None"), N_("The two halves can overlap.") },
  { "pinned-allocation", N_("Page-locked allocation"),
    N_("Inserts cudaMallocHost. According to the CUDA programming guide, commands before and "
        "after it do not overlap. Check whether "
        "that is true here.") },
  { "device-allocation", N_("Device allocation"),
    N_("Inserts cudaMalloc. According to the CUDA programming guide, commands before and after it "
        "do not overlap. Check whether that "
        "is true here.") },
  { "device-memset", N_("Device memory set"),
    N_("Inserts cudaMemset, which runs in the default stream. Blocking streams wait for it, and "
        "it waits for them. Non-blocking "
        "streams do not.") },
  { "device-copy", N_("Copy on the device"),
    N_("Inserts a cudaMemcpy on the device, which runs in the default stream. Blocking streams "
        "wait for it, and it waits for them. "
        "Non-blocking streams do not.") },
  { "default-stream", N_("Kernel in the default stream"),
    N_("Inserts a kernel in the default stream. Blocking streams wait for it, and it waits for "
        "them. Non-blocking streams do not.") },
};

G_STATIC_ASSERT (G_N_ELEMENTS (orders) == MEMLANE_LAB_N_ORDERS);
G_STATIC_ASSERT (G_N_ELEMENTS (betweens) == MEMLANE_LAB_N_BETWEENS);

const MemlaneLabWords *
memlane_lab_order_words (MemlaneLabOrder order)
{
  return &orders[order];
}

const MemlaneLabWords *
memlane_lab_between_words (MemlaneLabBetween between)
{
  return &betweens[between];
}

#define DEFINE_FIND(function, Type, rows) \
  gboolean \
  function (const char *name, Type *value) \
  { \
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++) \
      if (strcmp (rows[i].name, name) == 0) \
        { \
          *value = (Type) i; \
          return TRUE; \
        } \
    return FALSE; \
  }

DEFINE_FIND (memlane_lab_order_find, MemlaneLabOrder, orders)
DEFINE_FIND (memlane_lab_between_find, MemlaneLabBetween, betweens)

gboolean
memlane_lab_plan_check (const MemlaneLabPlan *plan, MemlaneLabPlan *checked, GError **error)
{
  MemlaneLabPlan filled = *plan;
  const struct
  {
    const char *name;
    guint *value, standard, least, most;
  } numbers[] = {
    { "size", &filled.log2_elements, 20, MEMLANE_LAB_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2 },
    { "streams", &filled.streams, 2, 1, MEMLANE_MOST_STREAMS },
    { "chunks", &filled.chunks, 4, 1, MEMLANE_MOST_CHUNKS },
    { "reuse", &filled.reuse, 1, 1, MEMLANE_LAB_MOST_REUSE },
    { "order", (guint *) &filled.order, 0, 0, MEMLANE_LAB_N_ORDERS - 1 },
    { "between", (guint *) &filled.between, 0, 0, MEMLANE_LAB_N_BETWEENS - 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      if (*numbers[i].value == 0)
        *numbers[i].value = numbers[i].standard;
      if (*numbers[i].value >= numbers[i].least && *numbers[i].value <= numbers[i].most)
        continue;
      return memlane_device_refuse (error, INVALID, "%s %u: expected %u to %u", numbers[i].name,
                                    *numbers[i].value, numbers[i].least, numbers[i].most);
    }
  *checked = filled;
  return TRUE;
}

/* --- the pipeline ----------------------------------------------------------------------------- */

/* The size of the inserted commands: more than what small allocations share, so that the driver is
 * really asked. */
#define BETWEEN_BYTES ((gsize) 4 << 20)

typedef struct
{
  MemlaneDevice *device;
  MemlaneLabPlan plan;
  const MemlaneReference *reference;
  gsize elements, bytes;     /* of one vector */
  guint lanes;               /* streams in use: no more than there are chunks */
  void *host[3], *buffer[3]; /* two inputs, the result; on both sides */
  MemlaneStream *streams[MEMLANE_MOST_STREAMS];
  void *spare[2];            /* on the device: for what is done in between */
  void *between;             /* what a sample allocates in between */
  MemlaneHeld held;          /* all of these */
  int counted;               /* host functions that have run; atomic */
} Lab;

/* --- buffers and streams ---------------------------------------------------------------------- */

static gboolean
allocate (Lab *lab, GError **error)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (lab->device);
  const MemlaneTakeKind kind = lab->plan.pageable ? MEMLANE_TAKE_PAGEABLE : MEMLANE_TAKE_PINNED;
  guint64 host = 3 * (guint64) lab->bytes;
  gboolean needs_spare = lab->plan.between == MEMLANE_LAB_DEVICE_MEMSET
                         || lab->plan.between == MEMLANE_LAB_DEVICE_COPY
                         || lab->plan.between == MEMLANE_LAB_DEFAULT_STREAM;

  if (!memlane_check_host_room (lab->device, lab->plan.pageable ? 0 : host,
                                lab->plan.pageable ? host : 0, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (lab->host); i++)
    if (!memlane_held_take (&lab->held, error, { kind, &lab->host[i], lab->bytes },
                            { MEMLANE_TAKE_DEVICE, &lab->buffer[i], lab->bytes })
        || (i < 2
            && !memlane_device_host_write (lab->device, lab->host[i], lab->reference->input[i],
                                           lab->bytes, error)))
      return FALSE;
  for (guint i = 0; needs_spare && i < G_N_ELEMENTS (lab->spare); i++)
    if (!memlane_held_take (
            &lab->held, error,
            { MEMLANE_TAKE_DEVICE, &lab->spare[i], BETWEEN_BYTES, MEMLANE_BYTES (0) }))
      return FALSE;
  for (guint i = 0; i < lab->lanes; i++)
    {
      int priority = 0;

      if (lab->plan.priorities)
        priority = i + 1 == lab->lanes ? info->priority_greatest : info->priority_least;
      if (!memlane_held_take (
              &lab->held, error,
              { lab->plan.non_blocking ? MEMLANE_TAKE_STREAM : MEMLANE_TAKE_BLOCKING_STREAM,
                &lab->streams[i], .priority = priority }))
        return FALSE;
    }
  return TRUE;
}

/* All of it, whatever fails. Of memory the device's goes first: cudaFree waits for all work, so
 * that no host function and no copy is left for what goes after it, even when the wait before has
 * failed. */
static gboolean
release (Lab *lab, GError **error)
{
  gboolean released = memlane_device_synchronize (lab->device, error);

  return memlane_held_give_all (&lab->held, released ? error : NULL) && released;
}

/* --- the commands of a sample ----------------------------------------------------------------- */

/* Chunk borders lie on 16 bytes, as kernels want it. */
static gsize
border (const Lab *lab, guint chunk)
{
  return lab->elements / 4 * chunk / lab->plan.chunks * 4;
}

static gboolean
copy_up (Lab *lab, guint chunk, GError **error)
{
  gsize first = border (lab, chunk), bytes = (border (lab, chunk + 1) - first) * sizeof (float);

  for (guint i = 0; i < 2; i++)
    if (!memlane_device_memcpy_async (lab->device, (float *) lab->buffer[i] + first,
                                      (float *) lab->host[i] + first, bytes, MEMLANE_COPY_TO_DEVICE,
                                      lab->streams[chunk % lab->lanes], error))
      return FALSE;
  return TRUE;
}

static gboolean
launch (Lab *lab, guint chunk, GError **error)
{
  gsize first = border (lab, chunk), elements = border (lab, chunk + 1) - first;

  for (guint i = 0; i < lab->plan.reuse; i++)
    if (!memlane_device_launch (lab->device, MEMLANE_KERNEL_ADD, (float *) lab->buffer[2] + first,
                                (float *) lab->buffer[0] + first, (float *) lab->buffer[1] + first,
                                elements, lab->streams[chunk % lab->lanes], error))
      return FALSE;
  return TRUE;
}

/* It must make no CUDA call, and what it takes holds up its stream. */
static void
count_host_function (gpointer data)
{
  g_atomic_int_inc ((int *) data);
}

static gboolean
copy_down (Lab *lab, guint chunk, GError **error)
{
  gsize first = border (lab, chunk), bytes = (border (lab, chunk + 1) - first) * sizeof (float);
  MemlaneStream *stream = lab->streams[chunk % lab->lanes];
  gboolean is_last = chunk + lab->lanes >= lab->plan.chunks; /* of its stream */

  return memlane_device_memcpy_async (lab->device, (float *) lab->host[2] + first,
                                      (float *) lab->buffer[2] + first, bytes, MEMLANE_COPY_TO_HOST,
                                      stream, error)
         && (!lab->plan.host_functions || !is_last
             || memlane_device_launch_host_function (lab->device, count_host_function,
                                                     &lab->counted, stream, error));
}

static gboolean
put_between (Lab *lab, GError **error)
{
  switch (lab->plan.between)
    {
    case MEMLANE_LAB_PINNED_ALLOCATION:
      return memlane_held_take (&lab->held, error,
                                { MEMLANE_TAKE_PINNED, &lab->between, BETWEEN_BYTES });
    case MEMLANE_LAB_DEVICE_ALLOCATION:
      return memlane_held_take (&lab->held, error,
                                { MEMLANE_TAKE_DEVICE, &lab->between, BETWEEN_BYTES });
    case MEMLANE_LAB_DEVICE_MEMSET:
      /* cudaMemset is this: the default stream, and no wait for memory of the device. */
      return memlane_device_memset_async (lab->device, lab->spare[0], 0, BETWEEN_BYTES, NULL,
                                          error);
    case MEMLANE_LAB_DEVICE_COPY:
      return memlane_device_memcpy (lab->device, lab->spare[1], lab->spare[0], BETWEEN_BYTES,
                                    MEMLANE_COPY_ON_DEVICE, error);
    case MEMLANE_LAB_DEFAULT_STREAM:
      return memlane_device_launch (lab->device, MEMLANE_KERNEL_COPY, lab->spare[1], lab->spare[0],
                                    NULL, BETWEEN_BYTES / sizeof (float), NULL, error);
    case MEMLANE_LAB_NOTHING:
    case MEMLANE_LAB_N_BETWEENS:
    default:
      return TRUE;
    }
}

/* Up, kernel and down of each chunk in the order of the plan; in the middle of it, between two
 * chunks, what is put in between. */
static gboolean
issue (Lab *lab, MemlaneTracer *tracer, GError **error)
{
  gboolean (*const steps[]) (Lab *, guint, GError **) = { copy_up, launch, copy_down };
  guint chunks = lab->plan.chunks, n = chunks * G_N_ELEMENTS (steps);
  gboolean depth_first = lab->plan.order == MEMLANE_LAB_DEPTH_FIRST,
           parts = lab->plan.between != MEMLANE_LAB_NOTHING;
  guint middle = depth_first ? chunks / 2 * G_N_ELEMENTS (steps) : chunks + chunks / 2;

  memlane_tracer_begin_phase (tracer, parts ? "first half" : "issue");
  for (guint i = 0; i < n; i++)
    {
      guint step = depth_first ? i % G_N_ELEMENTS (steps) : i / chunks,
            chunk = depth_first ? i / G_N_ELEMENTS (steps) : i % chunks;

      if (parts && i == middle)
        {
          memlane_tracer_begin_phase (tracer, "in between");
          if (!put_between (lab, error))
            return FALSE;
          memlane_tracer_begin_phase (tracer, "second half");
        }
      if (!steps[step] (lab, chunk, error))
        return FALSE;
    }
  memlane_tracer_begin_phase (tracer, "wait");
  return memlane_device_synchronize (lab->device, error);
}

/* --- a sample --------------------------------------------------------------------------------- */

/* The result is made wrong on both sides, or an earlier sample's could stand in for it. */
static gboolean
prepare (Lab *lab, GError **error)
{
  g_atomic_int_set (&lab->counted, 0);
  return memlane_device_host_fill (lab->device, lab->host[2], MEMLANE_POISON_BYTE, lab->bytes,
                                   error)
         && memlane_device_memset_async (lab->device, lab->buffer[2], MEMLANE_POISON_BYTE,
                                         lab->bytes, NULL, error)
         && memlane_device_synchronize (lab->device, error);
}

static gboolean
verify (Lab *lab, GError **error)
{
  guint expected = lab->plan.host_functions ? lab->lanes : 0,
        counted = (guint) g_atomic_int_get (&lab->counted);
  g_autofree char *wrong = memlane_describe_mismatch (lab->host[2], lab->reference->sum,
                                                      lab->elements);

  if (wrong == NULL && counted != expected)
    wrong = g_strdup_printf ("%u host functions have run, expected %u", counted, expected);
  if (wrong == NULL)
    return TRUE;
  return memlane_fail (error, MEMLANE_TRACE_ERROR, MEMLANE_TRACE_ERROR_WRONG_RESULT,
                       "the sample computed something else: %s", wrong);
}

static gboolean
run_sample (gpointer sample, MemlaneTracer *tracer, double *elapsed, GError **error)
{
  Lab *lab = sample;
  gboolean done;
  double begin;

  if (!prepare (lab, error))
    return FALSE;
  begin = memlane_device_clock (lab->device);
  memlane_tracer_start (tracer);
  done = issue (lab, tracer, error);
  memlane_tracer_stop (tracer);
  *elapsed = memlane_device_clock (lab->device) - begin;
  return done && memlane_held_give (&lab->held, g_steal_pointer (&lab->between), error)
         && verify (lab, error);
}

/* --- the run ---------------------------------------------------------------------------------- */

/* "depth first, 4 chunks on 2 non-blocking streams with priorities, page-locked memory, ...": the
 * plan. */
static char *
describe_plan (const Lab *lab)
{
  static const char *const calls[] = {
    "nothing",
    "cudaMallocHost",
    "cudaMalloc",
    "a memset on the default stream, as cudaMemset is,",
    "cudaMemcpy on the device",
    "a kernel on the default stream",
  };
  const MemlaneLabPlan *plan = &lab->plan;

  G_STATIC_ASSERT (G_N_ELEMENTS (calls) == MEMLANE_LAB_N_BETWEENS);
  return g_strdup_printf (
      "stream laboratory, %s: %u chunk%s on %u %s stream%s%s, %s memory, %u kernel launch%s a "
      "chunk, %s in between%s",
      plan->order == MEMLANE_LAB_DEPTH_FIRST ? "depth first" : "breadth first", plan->chunks,
      plan->chunks == 1 ? "" : "s", lab->lanes, plan->non_blocking ? "non-blocking" : "blocking",
      lab->lanes == 1 ? "" : "s",
      plan->priorities ? ", the last one with the highest priority" : "",
      plan->pageable ? "pageable" : "page-locked", plan->reuse, plan->reuse == 1 ? "" : "es",
      calls[plan->between],
      plan->host_functions ? ", a host function at the end of each stream" : "");
}

static void
describe (MemlaneTraceInfo *info, const Lab *lab)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();

  plan->method.workload = NULL;
  plan->modes[0] = NULL;
  plan->first_log2 = plan->last_log2 = lab->plan.log2_elements;
  plan->method.reuse = lab->plan.reuse;
  plan->method.streams = lab->lanes;
  plan->method.chunks = lab->plan.chunks;
  info->workload = g_strdup ("lab");
  info->mode = g_strdup_printf ("lab-%s", memlane_lab_order_words (lab->plan.order)->name);
  memlane_trace_describe_plan (info, lab->device, plan, lab->elements, lab->lanes,
                               lab->plan.chunks);
}

static MemlaneTrace *
run (Lab *lab, GCancellable *cancellable, GError **error)
{
  g_autofree char *method = describe_plan (lab);
  g_autoptr (MemlaneTracer) tracer = NULL;
  g_autoptr (MemlaneTrace) trace = NULL;

  if (!allocate (lab, error))
    return NULL;
  tracer = memlane_trace_sample (lab->device, run_sample, lab, method, cancellable, error);
  if (tracer == NULL)
    return NULL;
  describe (memlane_tracer_get_info (tracer), lab);
  trace = memlane_tracer_finish (g_steal_pointer (&tracer), error);
  if (trace == NULL || !release (lab, error))
    return NULL;
  return g_steal_pointer (&trace);
}

MemlaneTrace *
memlane_lab_run (MemlaneDevice *device, const MemlaneLabPlan *plan, GCancellable *cancellable,
                 GError **error)
{
  Lab lab = { .device = device, .held = { .device = device } };
  g_autoptr (MemlaneReference) reference = NULL;
  MemlaneTrace *trace;

  if (!memlane_lab_plan_check (plan, &lab.plan, error))
    return NULL;
  lab.elements = (gsize) 1 << lab.plan.log2_elements;
  lab.bytes = lab.elements * sizeof (float);
  lab.lanes = MIN (lab.plan.streams, lab.plan.chunks);
  reference = memlane_reference_new (lab.elements, FALSE, memlane_method_usual ().seed, cancellable,
                                     error);
  if (reference == NULL)
    return NULL;
  lab.reference = reference;
  trace = run (&lab, cancellable, error);
  if (trace == NULL)
    release (&lab, NULL);
  return trace;
}
