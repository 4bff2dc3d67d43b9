/* memory.c: the simulated device's memory: allocation, registration and their undoing; what an
 * address means to the device and to a copy
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"
#include "base/each.h"
#include "base/host-memory.h"
#include "base/pieces.h"
#include "base/words.h"

#include <string.h>
#include <sys/mman.h>

/* More than this comes from the system, when the machine has it to spare; of large vectors few
 * pages are ever touched. */
#define SYSTEM_ABOVE ((gsize) 32 << 20)

/* --- ranges ----------------------------------------------------------------------------------- */

/* (nullable): the range that @pointer lies in. There are few. */
static MemlaneSimRange *
find_range (const MemlaneSim *self, const void *pointer)
{
  MEMLANE_FOR_EACH (MemlaneSimRange, range, self->ranges)
    if ((guintptr) pointer - (guintptr) range->base < range->bytes)
      return range;
  return NULL;
}

/* A vector of which the pieces alone are there; NULL: @pointer is in none. */
static const MemlaneSimRange *
find_vector (MemlaneSim *self, const void *pointer)
{
  const MemlaneSimRange *range = find_range (self, pointer);

  return range != NULL && range->bytes > MEMLANE_PIECES_ABOVE && !range->is_static ? range : NULL;
}

gboolean
memlane_sim_next_piece (MemlaneSim *self, const void *to, const void *from, gsize bytes,
                        MemlanePiece *piece)
{
  const MemlaneSimRange *there = self->moves_pieces ? find_vector (self, to) : NULL;
  const MemlaneSimRange *here = self->moves_pieces && from != NULL ? find_vector (self, from)
                                                                   : NULL;
  gsize at_to = there != NULL ? (gsize) ((const char *) to - there->base) : 0;
  gsize at_from = here != NULL ? (gsize) ((const char *) from - here->base) : 0;

  /* Bytes that change their place in the vector move as they are. */
  if ((there != NULL || here != NULL) && (there == NULL || here == NULL || at_to == at_from))
    return memlane_piece_next (piece, MAX (at_to, at_from), bytes);
  if (piece->bytes > 0)
    return FALSE;
  piece->bytes = bytes;
  return bytes > 0;
}

/* (nullable): the range that begins at @pointer. */
static MemlaneSimRange *
find_base (const MemlaneSim *self, const void *pointer)
{
  MemlaneSimRange *range = find_range (self, pointer);

  return range != NULL && range->base == (const char *) pointer ? range : NULL;
}

/* Yesterday's right result must not pass for today's: every stretch of it gets a NaN. */
static void
poison (MemlaneSim *self, char *block, gsize bytes)
{
  for (MemlanePiece piece = { 0, 0 }; memlane_sim_next_piece (self, block, NULL, bytes, &piece);)
    for (gsize i = 0; i < piece.bytes; i += 512)
      memset (block + piece.at + i, 0xff, MIN (sizeof (guint64), piece.bytes - i));
  memset (block + bytes - MIN (bytes, 4), 0xff, MIN (bytes, 4));
}

/* NULL: this machine does not have so many bytes to spare. */
static char *
take_bytes (const MemlaneSim *self, gsize bytes)
{
  gboolean whole = !self->moves_pieces || bytes <= MEMLANE_PIECES_ABOVE;
  gsize touched = whole ? bytes : bytes / (MEMLANE_PIECE_STRIDE / MAX (MEMLANE_PIECE_BYTES, 4096));
  guint64 available = touched > SYSTEM_ABOVE ? memlane_host_memory_get_available () : 0;
  char *base;

  if (available > 0 && touched > available / 2)
    return NULL;
  if (bytes <= SYSTEM_ABOVE)
    return g_try_malloc (bytes);
  base = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
               0);
  return base != MAP_FAILED ? base : NULL;
}

/* --- chunks: small allocations share one, as the driver lets them --------------------------------
 *
 * Measured on an H200 (data/recordings): the first small cudaMalloc of a process without chunks
 * costs a whole chunk, the next ones next to nothing, until two mebibytes are full; the release
 * that empties a chunk costs as much as giving back a whole one. The same for page-locked memory,
 * of which one chunk is never given back because the runtime itself keeps a piece of it, and for
 * write-combined memory, which has chunks of its own. So of three vectors of 1 MiB the first and
 * the third pay for a chunk, the second next to nothing.
 *
 * What is counted is a sum of sizes, not a map: what is released makes room whatever lies beside
 * it. */

#define CHUNK_BYTES ((guint64) 2 << 20)
/* The runtime's own piece of the page-locked chunk that stays. */
#define KEPT_BYTES 4096

static guint64
room_for (gsize bytes)
{
  return (bytes + 511) & ~(gsize) 511;
}

/* Adds @range to what shares chunks with it, or (@sign -1) takes it away, and charges @cost when
 * that begins or empties a chunk. The driver locks a chunk whole. */
static void
charge_chunk (MemlaneSim *self, const MemlaneSimRange *range, int sign, MemlaneCostId cost)
{
  guint64 *used = &self->chunk_bytes[range->kind][range->write_combined], before = *used;
  gboolean shares = range->bytes <= CHUNK_BYTES && room_for (range->bytes) < CHUNK_BYTES;
  gboolean locks = memlane_cost_rows[cost].carrier == MEMLANE_CARRIER_PAGES;

  if (shares)
    *used = sign > 0 ? before + room_for (range->bytes) : before - room_for (range->bytes);
  if (shares && (before + CHUNK_BYTES - 1) / CHUNK_BYTES == (*used + CHUNK_BYTES - 1) / CHUNK_BYTES)
    cost = MEMLANE_COST_SHARE;
  memlane_sim_charge (self, cost, locks ? MAX (range->bytes, CHUNK_BYTES) : range->bytes);
}

/* --- making and ending ranges ----------------------------------------------------------------- */

#define NOT_LOCKABLE                                                                               \
  "cudaErrorMemoryAllocation: out of memory; so much may not be page-locked, raise the limit "     \
  "(ulimit -l) or take a smaller size"
#define NO_HOST_MEMORY                                                                             \
  "cudaErrorMemoryAllocation: out of memory; this machine cannot spare so much host memory, take " \
  "a smaller size"
#define NO_PAGEABLE_MEMORY "out of memory; this machine cannot spare so much, take a smaller size"

/* Whether @bytes more than @used are beyond @limit; 0: there is none. */
static gboolean
exceeds (guint64 limit, guint64 used, gsize bytes)
{
  return limit > 0 && (bytes > limit || used > limit - bytes);
}

/* Why @bytes of @kind cannot be had; NULL: nothing stands against it. */
static const char *
find_shortage (MemlaneSim *self, MemlaneSimKind kind, gsize bytes)
{
  const MemlaneProfile *profile = self->profile;
  guint64 device_limit = profile->info.memory_bytes;

  if (profile->trouble_memory_bytes > 0)
    device_limit = MIN (device_limit, profile->trouble_memory_bytes);
  if (kind == SIM_DEVICE && (bytes > device_limit || self->device_used > device_limit - bytes))
    return "cudaErrorMemoryAllocation: out of memory; the device has no such room, free some or "
           "take a smaller size";
  if (kind == SIM_PINNED && exceeds (profile->lockable_bytes, self->pinned_used, bytes))
    return NOT_LOCKABLE;
  if ((kind == SIM_PINNED || kind == SIM_MANAGED)
      && exceeds (profile->host_memory_bytes, self->host_used, bytes))
    return NO_HOST_MEMORY;
  if (kind == SIM_PAGEABLE && exceeds (profile->host_memory_bytes, self->host_used, bytes))
    return NO_PAGEABLE_MEMORY;
  return NULL;
}

/* Counts @range's bytes as used, or (@sign -1) no longer. */
static void
count_range (MemlaneSim *self, const MemlaneSimRange *range, int sign)
{
  guint64 bytes = sign < 0 ? -(guint64) range->bytes : range->bytes; /* unsigned arithmetic wraps */
  MemlaneSimKind kind = range->kind;

  if (kind == SIM_DEVICE)
    self->device_used += bytes;
  if (kind == SIM_PINNED || kind == SIM_REGISTERED)
    self->pinned_used += bytes;
  if (kind != SIM_DEVICE && kind != SIM_PEER)
    self->host_used += bytes;
}

guint64
memlane_sim_count_resident (const MemlaneSim *self, guint flags)
{
  guint64 bytes = 0;

  MEMLANE_FOR_EACH (const MemlaneSimRange, range, self->ranges)
    {
      if (memlane_sim_is_locked (range->kind) && (flags & SIM_ON_HOST) != 0)
        bytes += range->bytes;
      for (gsize k = 0; range->blocks != NULL && k <= (range->bytes - 1) >> MEMLANE_SIM_BLOCK_SHIFT;
           k++)
        bytes += (range->blocks[k] & flags) != 0 ? (guint64) 1 << MEMLANE_SIM_BLOCK_SHIFT : 0;
    }
  return bytes;
}

void
memlane_sim_memory_init (MemlaneSim *self)
{
  self->host_available = memlane_host_memory_get_available ();
  self->ranges = g_ptr_array_new ();
  self->chunk_bytes[SIM_PINNED][FALSE] = KEPT_BYTES;
}

void
memlane_sim_range_free (MemlaneSim *self, MemlaneSimRange *range)
{
  count_range (self, range, -1);
  if (range->bytes > SYSTEM_ABOVE)
    munmap (range->base, range->bytes);
  else
    g_free (range->base);
  g_free (range->blocks);
  g_free (range);
}

void
memlane_sim_memory_clear (MemlaneSim *self)
{
  while (self->ranges->len > 0)
    memlane_sim_range_free (self, g_ptr_array_steal_index (self->ranges, self->ranges->len - 1));
  g_ptr_array_unref (self->ranges);
}

static MEMLANE_DEFINE_NAMES (kind_name, MemlaneSimKind, SIM_N_KINDS, "unknown", "pageable",
                             "page-locked", "device", "managed", "peer", "registered")

static void
add_blocks (MemlaneSimRange *range, guint8 places)
{
  gsize n = (range->bytes >> MEMLANE_SIM_BLOCK_SHIFT) + 1;

  range->blocks = memset (g_malloc (n), places, n);
}

/* Hands out *@pointer; a release costs @free_cost. @call and @flags: as in the message. */
static MemlaneSimRange *
range_new (MemlaneSim *self, MemlaneSimKind kind, MemlaneCostId free_cost, gsize bytes,
           void **pointer, const char *call, const char *flags, GError **error)
{
  MemlaneSimRange *range;
  const char *shortage;
  char *base = NULL;

  if (bytes == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorInvalidValue: nothing to allocate; ask for 1 byte or more",
                             "%s (0 bytes%s)", call, flags),
           NULL;
  shortage = find_shortage (self, kind, bytes);
  if (shortage == NULL && (base = take_bytes (self, bytes)) == NULL)
    shortage = kind == SIM_PAGEABLE ? NO_PAGEABLE_MEMORY : NO_HOST_MEMORY;
  if (shortage != NULL)
    {
      memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY, shortage,
                        "%s (%" G_GSIZE_FORMAT " bytes%s)", call, bytes, flags);
      return NULL;
    }

  range = g_new0 (MemlaneSimRange, 1);
  range->base = base;
  range->bytes = bytes;
  range->kind = kind;
  range->free_cost = free_cost;
  *pointer = base;
  if (kind == SIM_MANAGED || kind == SIM_PAGEABLE)
    add_blocks (range, 0);
  count_range (self, range, 1);
  g_ptr_array_add (self->ranges, range);
  poison (self, base, bytes);
  return range;
}

static gboolean
refuse_release (GError **error, const char *call, const void *pointer)
{
  return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                           "cudaErrorInvalidValue: nothing is allocated there; it was freed "
                           "before, or came from another call",
                           "%s (%p)", call, pointer);
}

/* The whole call that allocates, for @cost, memory that has no chunk of the driver's. */
static gboolean
alloc_range (MemlaneDevice *device, MemlaneSimKind kind, MemlaneCostId cost,
             MemlaneCostId free_cost, gsize bytes, void **pointer, const char *call,
             GError **error)
{
  if (range_new (SIM (device), kind, free_cost, bytes, pointer, call, "", error) == NULL)
    return FALSE;
  memlane_sim_charge (SIM (device), cost, bytes);
  return TRUE;
}

/* --- host memory ------------------------------------------------------------------------------ */

static gboolean
sim_host_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_range (device, SIM_PAGEABLE, MEMLANE_COST_MALLOC_PAGEABLE,
                      MEMLANE_COST_FREE_PAGEABLE, bytes, pointer, "malloc", error);
}

/* free() knows nothing of the device: it works on a lost one too. */
static gboolean
sim_host_free (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (self, pointer);
  gboolean is_registered = range != NULL && range->kind == SIM_REGISTERED;

  if (pointer == NULL)
    return TRUE;
  if (range == NULL || (range->kind != SIM_PAGEABLE && !is_registered))
    return memlane_sim_fail (
        error, MEMLANE_DEVICE_ERROR_INVALID,
        "nothing is allocated there by malloc; it was freed before, or came from another call",
        "free (%p)", pointer);
  /* Only here can queued work still point into it. */
  if (is_registered || memlane_sim_can (self, MEMLANE_CAN_PAGEABLE_ACCESS))
    memlane_sim_wait (self, NULL, 0);
  memlane_sim_charge (self, MEMLANE_COST_FREE_PAGEABLE, range->bytes);
  g_ptr_array_remove (self->ranges, range);
  memlane_sim_range_free (self, range);
  return !is_registered
         || memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                              "the memory was still registered; call cudaHostUnregister first",
                              "free (%p)", pointer);
}

static gboolean
alloc_pinned (MemlaneSim *self, const char *call, gsize bytes, MemlaneHostAllocFlags flags,
              void **pointer, GError **error)
{
  MemlaneSimRange *range;
  const gboolean write_combined = (flags & MEMLANE_HOST_ALLOC_WRITE_COMBINED) != 0;
  g_autofree char *shown = g_strdup_printf (
      "%s%s%s", (flags & MEMLANE_HOST_ALLOC_PORTABLE) != 0 ? ", portable" : "",
      (flags & MEMLANE_HOST_ALLOC_MAPPED) != 0 ? ", mapped" : "",
      write_combined ? ", write-combined" : "");

  range = range_new (self, SIM_PINNED, MEMLANE_COST_FREE_PINNED, bytes, pointer, call, shown,
                     error);
  if (range == NULL)
    return FALSE;
  range->write_combined = write_combined;
  if (self->profile->sync_pinned_alloc)
    memlane_sim_barrier (self);
  charge_chunk (self, range, 1, MEMLANE_COST_MALLOC_PINNED);
  return TRUE;
}

static gboolean
sim_malloc_host (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_pinned (SIM (device), "cudaMallocHost", bytes, MEMLANE_HOST_ALLOC_DEFAULT, pointer,
                       error);
}

static gboolean
sim_host_alloc (MemlaneDevice *device, gsize bytes, MemlaneHostAllocFlags flags, void **pointer,
                GError **error)
{
  return alloc_pinned (SIM (device), "cudaHostAlloc", bytes, flags, pointer, error);
}

/* Frees wait for the whole device, as CUDA's do, so nothing queued can point at what goes. */
static gboolean
release (MemlaneSim *self, MemlaneSimRange *range)
{
  memlane_sim_wait (self, NULL, 0);
  g_ptr_array_remove (self->ranges, range);
  if (range->kind == SIM_MANAGED || range->from_pool_call
      || range->free_cost == MEMLANE_COST_FREE_VIRTUAL)
    memlane_sim_charge (self, range->free_cost, range->bytes); /* no chunk of the driver's */
  else
    charge_chunk (self, range, -1, range->free_cost);
  memlane_sim_range_free (self, range);
  return TRUE;
}

/* Releases what begins at @pointer, if @call, whose price is @cost or @or_cost, is what releases
 * it. */
static gboolean
release_at (MemlaneDevice *device, void *pointer, MemlaneCostId cost, MemlaneCostId or_cost,
            const char *call, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (self, pointer);

  if (pointer == NULL)
    return TRUE;
  if (range == NULL || (range->free_cost != cost && range->free_cost != or_cost)
      || range->is_static)
    return refuse_release (error, call, pointer);
  return release (self, range);
}

static gboolean
sim_free_host (MemlaneDevice *device, void *pointer, GError **error)
{
  return release_at (device, pointer, MEMLANE_COST_FREE_PINNED, MEMLANE_COST_FREE_PINNED,
                     "cudaFreeHost", error);
}

/* Why @range cannot be registered, with the error's code; NULL: it can be. */
static const char *
find_registration_fault (MemlaneSim *self, const MemlaneSimRange *range, gsize bytes,
                         MemlaneDeviceError *code)
{
  *code = MEMLANE_DEVICE_ERROR_INVALID;
  if (range != NULL && range->kind == SIM_REGISTERED)
    return "cudaErrorHostMemoryAlreadyRegistered: part of it is registered; unregister it first";
  if (range == NULL || range->kind != SIM_PAGEABLE || range->bytes != bytes)
    return "cudaErrorInvalidValue: a simulated device registers memory of malloc, all of it";
  *code = MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY;
  return exceeds (self->profile->lockable_bytes, self->pinned_used, bytes) ? NOT_LOCKABLE : NULL;
}

/* Makes pageable memory page-locked, or (@kind PAGEABLE) the reverse. Locking populates: no first
 * touch is left for later. */
static void
change_kind (MemlaneSim *self, MemlaneSimRange *range, MemlaneSimKind kind)
{
  count_range (self, range, -1);
  range->kind = kind;
  count_range (self, range, 1);
  range->unfetched = 0;
  g_clear_pointer (&range->blocks, g_free);
  if (kind == SIM_PAGEABLE)
    add_blocks (range, SIM_ON_HOST);
}

static gboolean
sim_host_register (MemlaneDevice *device, void *pointer, gsize bytes,
                   MemlaneHostRegisterFlags flags, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (self, pointer);
  MemlaneDeviceError code;
  const char *fault = find_registration_fault (self, range, bytes, &code);

  if (fault != NULL)
    return memlane_sim_fail (error, code, fault,
                             "cudaHostRegister (%p, %" G_GSIZE_FORMAT " bytes%s)", pointer, bytes,
                             (flags & MEMLANE_HOST_REGISTER_MAPPED) != 0 ? ", mapped" : "");
  change_kind (self, range, SIM_REGISTERED);
  /* Of pages that are there it takes as long as making them did. */
  if (range->populated)
    memlane_sim_spend (self, memlane_sim_host (self, REGISTER)
                                 + memlane_sim_cost (self,
                                                     range->huge ? MEMLANE_COST_POPULATE_HUGE
                                                                 : MEMLANE_COST_POPULATE,
                                                     (double) bytes));
  else
    memlane_sim_charge (self, MEMLANE_COST_REGISTER, bytes);
  return TRUE;
}

static gboolean
sim_host_unregister (MemlaneDevice *device, void *pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (self, pointer);

  if (range == NULL || range->kind != SIM_REGISTERED)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorHostMemoryNotRegistered: no registration begins there",
                             "cudaHostUnregister (%p)", pointer);
  memlane_sim_wait (self, NULL, 0);
  memlane_sim_charge (self, MEMLANE_COST_UNREGISTER, range->bytes);
  change_kind (self, range, SIM_PAGEABLE);
  return TRUE;
}

/* --- what an address means -------------------------------------------------------------------- */

gboolean
memlane_sim_locate (MemlaneSim *self, const void *pointer, gsize bytes, MemlaneSimKind *kind,
                    MemlaneSimRange **range)
{
  MemlaneSimRange *found = find_range (self, pointer);

  *range = found;
  *kind = found != NULL ? found->kind : SIM_PAGEABLE;
  if (found == NULL)
    return pointer != NULL; /* memory of the program's own */
  return found->bytes - (gsize) ((const char *) pointer - found->base) >= bytes;
}

MemlaneSimRange *
memlane_sim_reach (MemlaneSim *self, const void *pointer, gsize bytes)
{
  MemlaneSimKind kind;
  MemlaneSimRange *range;

  if (pointer == NULL || !memlane_sim_locate (self, pointer, bytes, &kind, &range) || range == NULL
      || kind == SIM_PEER)
    return NULL;
  return kind != SIM_PAGEABLE || memlane_sim_can (self, MEMLANE_CAN_PAGEABLE_ACCESS) ? range : NULL;
}

static gboolean
sim_host_get_device_pointer (MemlaneDevice *device, void *host, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  const MemlaneSimRange *range = find_range (self, host);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  *pointer = range != NULL && memlane_sim_is_locked (range->kind) ? host : NULL;
  return *pointer != NULL
         || memlane_sim_fail (
             error, MEMLANE_DEVICE_ERROR_INVALID,
             "cudaErrorInvalidValue: the memory is not mapped; "
             "allocate it with cudaHostAllocMapped or register it with cudaHostRegisterMapped",
             "cudaHostGetDevicePointer (%p: %s)", host,
             range != NULL ? kind_name (range->kind) : "unknown");
}

static gboolean
sim_pointer_get_type (MemlaneDevice *device, const void *pointer, MemlaneMemoryType *type,
                      GError **error)
{
  static const MemlaneMemoryType types[SIM_N_KINDS] = {
    [SIM_PAGEABLE] = MEMLANE_MEMORY_UNREGISTERED, [SIM_PINNED] = MEMLANE_MEMORY_HOST,
    [SIM_REGISTERED] = MEMLANE_MEMORY_HOST,       [SIM_DEVICE] = MEMLANE_MEMORY_DEVICE,
    [SIM_PEER] = MEMLANE_MEMORY_DEVICE,           [SIM_MANAGED] = MEMLANE_MEMORY_MANAGED,
  };
  MemlaneSim *self = SIM (device);
  const MemlaneSimRange *range = find_range (self, pointer);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  *type = types[range != NULL ? range->kind : SIM_PAGEABLE];
  return TRUE;
}

/* --- device, managed and peer memory ---------------------------------------------------------- */

/* cudaMalloc on this device or (SIM_PEER) the second one. */
static gboolean
alloc_on_device (MemlaneSim *self, MemlaneSimKind kind, gsize bytes, void **pointer, GError **error)
{
  MemlaneSimRange *range = range_new (self, kind, MEMLANE_COST_FREE, bytes, pointer, "cudaMalloc",
                                      kind == SIM_PEER ? ", second device" : "", error);

  if (range == NULL)
    return FALSE;
  if (kind == SIM_DEVICE && self->profile->sync_device_alloc)
    memlane_sim_barrier (self);
  charge_chunk (self, range, 1, MEMLANE_COST_MALLOC);
  return TRUE;
}

static gboolean
sim_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_on_device (SIM (device), SIM_DEVICE, bytes, pointer, error);
}

static gboolean
sim_malloc_managed (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_range (device, SIM_MANAGED, MEMLANE_COST_MALLOC_MANAGED, MEMLANE_COST_FREE_MANAGED,
                      bytes, pointer, "cudaMallocManaged", error);
}

static gboolean
sim_free (MemlaneDevice *device, void *pointer, GError **error)
{
  return release_at (device, pointer, MEMLANE_COST_FREE, MEMLANE_COST_FREE_MANAGED, "cudaFree",
                     error);
}

static gboolean
sim_malloc_virtual (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_range (device, SIM_DEVICE, MEMLANE_COST_MALLOC_VIRTUAL, MEMLANE_COST_FREE_VIRTUAL,
                      bytes, pointer, "cuMemCreate", error);
}

static gboolean
sim_free_virtual (MemlaneDevice *device, void *pointer, GError **error)
{
  return release_at (device, pointer, MEMLANE_COST_FREE_VIRTUAL, MEMLANE_COST_FREE_VIRTUAL,
                     "cuMemUnmap", error);
}

static gboolean
sim_malloc_async (MemlaneDevice *device, gsize bytes, MemlaneStream *stream, void **pointer,
                  GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;
  MemlaneSimOp *op;

  memlane_sim_catch_up (self); /* what the stream has freed by now is free */
  range = range_new (self, SIM_DEVICE, MEMLANE_COST_FREE, bytes, pointer, "cudaMallocAsync", "",
                     error);
  if (range == NULL)
    return FALSE;
  range->from_pool_call = TRUE;
  if (self->pool_free >= bytes)
    {
      self->pool_free -= bytes;
      memlane_sim_charge (self, MEMLANE_COST_MALLOC_KEPT, bytes);
      return TRUE;
    }
  memlane_sim_charge (self, MEMLANE_COST_MALLOC_ASYNC, bytes);
  op = memlane_sim_op_new (self, SIM_OP_ALLOC, stream);
  op->work = memlane_sim_cost (self, MEMLANE_COST_MAP_ASYNC, 0);
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

static gboolean
sim_pool_keep (MemlaneDevice *device, gboolean keep, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  if (!keep && self->pool_free > 0)
    memlane_sim_charge (self, MEMLANE_COST_TRIM, self->pool_free);
  self->pool_keeps = keep;
  self->pool_free = 0;
  return TRUE;
}

static gboolean
sim_free_async (MemlaneDevice *device, void *pointer, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_base (self, pointer);
  MemlaneSimOp *op;

  if (range == NULL || range->kind != SIM_DEVICE || !range->from_pool_call)
    return refuse_release (error, "cudaFreeAsync", pointer);
  memlane_sim_charge (self, MEMLANE_COST_FREE_ASYNC, range->bytes);
  /* From now on no new call may use it; its bytes stay until the stream comes by. */
  g_ptr_array_remove (self->ranges, range);
  op = memlane_sim_op_new (self, SIM_OP_FREE, stream);
  op->ranges[0] = range;
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

static gboolean
sim_managed_static (MemlaneDevice *device, guint index, gsize bytes, void **pointer, GError **error)
{
  MemlaneSim *self = SIM (device);
  guint64 size = self->profile->info.static_managed_bytes;

  if (bytes > size)
    {
      g_autofree char *reason = g_strdup_printf (
          "cudaErrorNotSupported: each __managed__ array has %" G_GUINT64_FORMAT " bytes", size);
      return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, reason,
                               "cudaGetSymbolAddress (array %u, %" G_GSIZE_FORMAT " bytes)", index,
                               bytes);
    }
  if (self->statics[index] == NULL)
    {
      self->statics[index] = range_new (self, SIM_MANAGED, MEMLANE_COST_FREE_MANAGED, size, pointer,
                                        "cudaGetSymbolAddress", ", __managed__ array", error);
      if (self->statics[index] == NULL)
        return FALSE;
      self->statics[index]->is_static = TRUE;
    }
  *pointer = self->statics[index]->base;
  return TRUE;
}

static gboolean
sim_peer_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error)
{
  return alloc_on_device (SIM (device), SIM_PEER, bytes, pointer, error);
}

static gboolean
sim_peer_free (MemlaneDevice *device, void *pointer, GError **error)
{
  return sim_free (device, pointer, error);
}

/* --- limits ----------------------------------------------------------------------------------- */

static gboolean
sim_get_free_memory (MemlaneDevice *device, guint64 *bytes, GError **error)
{
  MemlaneSim *self = SIM (device);
  guint64 limit = self->profile->info.memory_bytes;

  if (self->profile->trouble_memory_bytes > 0)
    limit = MIN (limit, self->profile->trouble_memory_bytes);
  memlane_sim_spend (self, memlane_sim_host (self, CREATE));
  memlane_sim_catch_up (self);
  *bytes = limit
           - MIN (self->device_used + memlane_sim_count_resident (self, SIM_ON_DEVICE), limit);
  return TRUE;
}

#define ROW(name) .name = sim_##name,
const MemlaneMemoryCalls memlane_sim_memory_calls = { MEMLANE_MEMORY_CALLS (ROW) };
