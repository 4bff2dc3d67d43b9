/* managed.c: which side holds which pages, what moves them, and what the host's own accesses cost
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <string.h>

#define PLACES (SIM_ON_HOST | SIM_ON_DEVICE)

static void
set_places (guint8 *block, guint places)
{
  *block = (guint8) ((*block & ~(guint) PLACES) | places);
}

/* The blocks that a piece of a range lies in. */
static void
blocks_of (const MemlaneSimRange *range, const char *at, gsize bytes, gsize *first, gsize *last)
{
  gsize offset = (gsize) (at - range->base);

  *first = offset >> MEMLANE_SIM_BLOCK_SHIFT;
  *last = (offset + bytes - 1) >> MEMLANE_SIM_BLOCK_SHIFT;
}

/* The bytes of a block that an access to [@at, @at + @bytes) touches: what is untouched costs nothing, though it moves along. */
static double
touched_bytes (const MemlaneSimRange *range, gsize block, const char *at, gsize bytes)
{
  gsize begin = (gsize) (at - range->base), end = begin + bytes;
  gsize block_begin = block << MEMLANE_SIM_BLOCK_SHIFT, block_end = (block + 1) << MEMLANE_SIM_BLOCK_SHIFT;

  return (double) (MIN (end, block_end) - MAX (begin, block_begin));
}

/* What an access of the device's does to a block: where its pages are afterwards, and what moves for that. */
typedef enum { BLOCK_STAYS, BLOCK_STAYS_REMOTE, BLOCK_MOVES, BLOCK_DUPLICATES } BlockChange;

static BlockChange
touch_block (guint8 *block, gboolean write)
{
  if ((*block & SIM_ON_DEVICE) != 0)
    {
      if (write)
        set_places (block, SIM_ON_DEVICE); /* the host's copy is stale */
      return BLOCK_STAYS;
    }
  if ((*block & SIM_PREFER_HOST) != 0 || ((*block & SIM_ACCESSED_BY_DEVICE) != 0 && (*block & SIM_ON_HOST) != 0))
    {
      set_places (block, SIM_ON_HOST);
      return BLOCK_STAYS_REMOTE;
    }
  if (!write && (*block & SIM_ON_HOST) != 0 && (*block & SIM_READ_MOSTLY) != 0)
    {
      set_places (block, PLACES);
      return BLOCK_DUPLICATES;
    }
  set_places (block, SIM_ON_DEVICE);
  return BLOCK_MOVES;
}

double
memlane_sim_migrate_for_device (MemlaneSim *self, MemlaneSimRange *const *ranges, const char *const *at, guint n, gsize bytes, guint writes,
                                double *remote, MemlaneSimMoved *moved)
{
  double migrated[2] = { 0, 0 }, duplicated = 0, over_link = 0, touched = 0, ns = 0;
  guint blocks = 0;

  for (guint i = 0; i < n; i++)
    {
      gsize first, last;

      if (ranges[i] == NULL || bytes == 0)
        continue;
      blocks_of (ranges[i], at[i], bytes, &first, &last);
      for (gsize k = first; k <= last; k++)
        {
          double size = touched_bytes (ranges[i], k, at[i], bytes);
          BlockChange change = touch_block (&ranges[i]->blocks[k], (writes >> i & 1) != 0);

          touched += size;
          if (change == BLOCK_STAYS_REMOTE)
            over_link += size;
          else if (change == BLOCK_MOVES)
            migrated[ranges[i]->is_static] += size;
          else if (change == BLOCK_DUPLICATES)
            duplicated += size;
          blocks += change == BLOCK_MOVES || change == BLOCK_DUPLICATES;
        }
    }
  /* Read or written, all that a kernel faults in comes in the same batches: one latency, one cost by the bytes. */
  if (migrated[FALSE] > 0)
    ns += memlane_sim_cost (self, MEMLANE_CURVE_MIGRATE_TO_DEVICE, migrated[FALSE]);
  if (migrated[TRUE] > 0)
    ns += memlane_sim_cost (self, MEMLANE_CURVE_MIGRATE_STATIC_TO_DEVICE, migrated[TRUE]);
  if (duplicated > 0)
    ns += memlane_sim_cost (self, MEMLANE_CURVE_DUPLICATE_TO_DEVICE, duplicated);
  *remote = touched > 0 ? over_link / touched : 0;
  *moved = (MemlaneSimMoved) { .migrated = migrated[FALSE] + migrated[TRUE], .duplicated = duplicated, .blocks = blocks };
  return ns;
}

double
memlane_sim_bytes_away (const MemlaneSimRange *range, const char *at, gsize bytes, MemlaneLocation location)
{
  guint there = location == MEMLANE_LOCATION_DEVICE ? SIM_ON_DEVICE : SIM_ON_HOST;
  gsize first, last;
  double away = 0;

  blocks_of (range, at, bytes, &first, &last);
  for (gsize k = first; k <= last; k++)
    if ((range->blocks[k] & there) == 0)
      away += touched_bytes (range, k, at, bytes);
  return away;
}

void
memlane_sim_place (MemlaneSimRange *range, const char *at, gsize bytes, MemlaneLocation location)
{
  guint there = location == MEMLANE_LOCATION_DEVICE ? SIM_ON_DEVICE : SIM_ON_HOST;
  gsize first, last;

  blocks_of (range, at, bytes, &first, &last);
  for (gsize k = first; k <= last; k++)
    set_places (&range->blocks[k], (range->blocks[k] & SIM_READ_MOSTLY) != 0 ? there | (range->blocks[k] & (guint) PLACES) : there);
}

gboolean
memlane_sim_has_blocks (const MemlaneSimRange *range, guint flags)
{
  for (gsize k = 0; k <= (range->bytes - 1) >> MEMLANE_SIM_BLOCK_SHIFT; k++)
    if ((range->blocks[k] & flags) != 0)
      return TRUE;
  return FALSE;
}

/* --- prefetch and advice ---------------------------------------------------------------------------------- */

static const char *
location_name (MemlaneLocation location)
{
  return location == MEMLANE_LOCATION_DEVICE ? "device" : "host";
}

static MemlaneSimRange *
find_managed (MemlaneSim *self, const char *call, const void *pointer, gsize bytes, MemlaneLocation location, GError **error)
{
  MemlaneSimKind kind;
  MemlaneSimRange *range;
  char *host;

  if (!memlane_sim_admit (self, call, error))
    return NULL;
  if (!memlane_sim_can (self, MEMLANE_CAN_CONCURRENT_MANAGED))
    {
      memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorInvalidDevice: concurrentManagedAccess is 0 on this device",
                        "%s (%p, %" G_GSIZE_FORMAT " bytes, %s)", call, pointer, bytes, location_name (location));
      return NULL;
    }
  if (bytes > 0 && memlane_sim_locate (self, pointer, bytes, &kind, &range, &host) && range != NULL
      && (kind == SIM_MANAGED || (kind == SIM_PAGEABLE && memlane_sim_can (self, MEMLANE_CAN_PAGEABLE_ACCESS))))
    return range;
  memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: that is not a stretch of managed memory",
                    "%s (%p, %" G_GSIZE_FORMAT " bytes, %s)", call, pointer, bytes, location_name (location));
  return NULL;
}

static gboolean
sim_mem_prefetch_async (MemlaneDevice *device, const void *pointer, gsize bytes, MemlaneLocation location, MemlaneStream *stream,
                                GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_managed (self, "cudaMemPrefetchAsync", pointer, bytes, location, error);
  gboolean up = location == MEMLANE_LOCATION_DEVICE;
  MemlaneSimOp *op;

  if (range == NULL || !memlane_sim_find_stream (self, &stream, "cudaMemPrefetchAsync", error))
    return FALSE;
  memlane_sim_charge (self, up ? MEMLANE_CURVE_PREFETCH_ISSUE_TO_DEVICE : MEMLANE_CURVE_PREFETCH_ISSUE_TO_HOST, bytes);
  op = memlane_sim_op_new (self, SIM_OP_PREFETCH, stream);
  memlane_sim_op_use_copy_engine (self, op, up ? SIM_ENGINE_UP : SIM_ENGINE_DOWN);
  op->ranges[0] = range;
  op->from = pointer;
  op->bytes = bytes;
  op->location = location;
  memlane_sim_issue (self, op, memlane_sim_host (self, COPY_LATENCY));
  return TRUE;
}

static gboolean
sim_mem_advise (MemlaneDevice *device, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                        GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_managed (self, "cudaMemAdvise", pointer, bytes, location, error);
  guint8 set = 0, clear = 0;
  gsize first, last;

  if (range == NULL)
    return FALSE;
  switch (advice)
    {
    case MEMLANE_ADVICE_READ_MOSTLY:
      set = SIM_READ_MOSTLY;
      break;
    case MEMLANE_ADVICE_PREFERRED_LOCATION:
      set = location == MEMLANE_LOCATION_DEVICE ? SIM_PREFER_DEVICE : SIM_PREFER_HOST;
      clear = location == MEMLANE_LOCATION_DEVICE ? SIM_PREFER_HOST : SIM_PREFER_DEVICE;
      break;
    case MEMLANE_ADVICE_ACCESSED_BY:
    default:
      /* Over PCI Express the host has no way into the device's pages: for the host it changes nothing. */
      set = location == MEMLANE_LOCATION_DEVICE ? SIM_ACCESSED_BY_DEVICE : 0;
      break;
    }
  memlane_sim_spend (self, memlane_sim_host (self, ADVISE));
  blocks_of (range, pointer, bytes, &first, &last);
  for (gsize k = first; k <= last; k++)
    range->blocks[k] = (guint8) ((range->blocks[k] & ~clear) | set);
  return TRUE;
}

/* --- the host's own accesses ---------------------------------------------------------------------------------- */

typedef enum { ACCESS_WRITE, ACCESS_FILL, ACCESS_READ, ACCESS_TOUCH } Access;

/* The time that pages need to come to the host; *@fresh receives the bytes that nobody has touched before. */
static double
migrate_for_host (MemlaneSim *self, MemlaneSimRange *range, const char *at, gsize bytes, gboolean write, double *fresh)
{
  double moved = 0, duplicated = 0, ns = 0;
  guint blocks = 0;
  gsize first, last;

  *fresh = 0;
  blocks_of (range, at, bytes, &first, &last);
  for (gsize k = first; k <= last; k++)
    {
      guint8 *block = &range->blocks[k];

      switch (*block & PLACES)
        {
        case 0:
          *fresh += touched_bytes (range, k, at, bytes);
          set_places (block, SIM_ON_HOST);
          break;
        case SIM_ON_DEVICE:
          if (!write && (*block & SIM_READ_MOSTLY) != 0)
            {
              duplicated += touched_bytes (range, k, at, bytes);
              blocks++;
              set_places (block, PLACES);
              break;
            }
          moved += touched_bytes (range, k, at, bytes);
          blocks++;
          set_places (block, SIM_ON_HOST);
          break;
        default:
          if (write)
            set_places (block, SIM_ON_HOST);
          break;
        }
    }
  *fresh = MIN (*fresh, (double) bytes);
  if (moved > 0)
    ns += memlane_sim_cost (self, range->is_static ? MEMLANE_CURVE_MIGRATE_STATIC_TO_HOST : MEMLANE_CURVE_MIGRATE_TO_HOST, moved);
  if (duplicated > 0)
    ns += memlane_sim_cost (self, MEMLANE_CURVE_DUPLICATE_TO_HOST, duplicated);
  if (G_UNLIKELY (self->parent.tracer != NULL))
    memlane_sim_trace_host_faults (self, range->kind, &(MemlaneSimMoved) { moved, duplicated, blocks }, ns);
  return ns;
}

/* What an access takes; @moving: of that, to move pages; @fresh: bytes that nobody has touched before. @range: NULL is the program's own
 * memory. */
static double
access_cost (MemlaneSim *self, Access access, MemlaneSimKind kind, const MemlaneSimRange *range, double bytes, double fresh, double moving)
{
  static const MemlaneCurve steady[3][4] = {
    { MEMLANE_CURVE_HOST_WRITE_PAGEABLE, MEMLANE_CURVE_HOST_WRITE_PINNED, MEMLANE_CURVE_HOST_WRITE_WRITE_COMBINED,
      MEMLANE_CURVE_HOST_WRITE_MANAGED },
    { MEMLANE_CURVE_HOST_FILL, MEMLANE_CURVE_HOST_FILL, MEMLANE_CURVE_HOST_FILL, MEMLANE_CURVE_HOST_FILL },
    { MEMLANE_CURVE_HOST_READ_PAGEABLE, MEMLANE_CURVE_HOST_READ_PINNED, MEMLANE_CURVE_HOST_READ_WRITE_COMBINED,
      MEMLANE_CURVE_HOST_READ_MANAGED },
  };
  gboolean is_static = range != NULL && range->is_static;
  guint column = kind == SIM_MANAGED ? 3 : range != NULL && range->write_combined ? 2 : kind == SIM_PAGEABLE ? 0 : 1;
  double ns = moving;

  if (fresh > 0 && kind == SIM_MANAGED && !is_static && !self->managed_touched)
    {
      ns += memlane_sim_host (self, MANAGED_FIRST_TOUCH);
      self->managed_touched = TRUE;
    }
  if (fresh > 0)
    ns += memlane_sim_cost (self, kind == SIM_MANAGED ? MEMLANE_CURVE_HOST_WRITE_MANAGED_FIRST : MEMLANE_CURVE_HOST_WRITE_PAGEABLE_FIRST,
                            fresh);
  if (access == ACCESS_TOUCH)
    ns += memlane_sim_cost (self, MEMLANE_CURVE_HOST_TOUCH, bytes);
  else if (bytes > fresh)
    ns += memlane_sim_cost (self, access == ACCESS_READ && is_static ? MEMLANE_CURVE_HOST_READ_STATIC : steady[access][column],
                            bytes - fresh);
  return ns;
}

/* Charges one access and makes sure that it is one the host can make. */
static gboolean
access_memory (MemlaneSim *self, Access access, const char *call, const void *pointer, gsize bytes, GError **error)
{
  gboolean write = access == ACCESS_WRITE || access == ACCESS_FILL;
  MemlaneSimRange *range;
  MemlaneSimKind kind;
  char *host;
  double fresh = 0, moving = 0;

  if (self->in_host_function && !memlane_sim_admit (self, call, error))
    return FALSE;
  if (!memlane_sim_locate (self, pointer, bytes, &kind, &range, &host) || host != (const char *) pointer || kind == SIM_DEVICE
      || kind == SIM_PEER)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "the host cannot reach that memory; a program that tries dies of SIGSEGV",
                             "%s (%p, %" G_GSIZE_FORMAT " bytes)", call, pointer, bytes);
  memlane_sim_catch_up (self); /* what is written by now is there to be read */
  if (kind == SIM_MANAGED && !memlane_sim_can (self, MEMLANE_CAN_CONCURRENT_MANAGED) && memlane_sim_has_work (self, NULL))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "managed memory while the device works and concurrentManagedAccess is 0; "
                             "synchronise first, a program that does not dies of SIGSEGV",
                             "%s (%p, %" G_GSIZE_FORMAT " bytes)", call, pointer, bytes);
  if (bytes == 0)
    return TRUE;

  if (range != NULL && range->blocks != NULL)
    moving = migrate_for_host (self, range, pointer, bytes, write, &fresh);
  if (write)
    self->touched += bytes;
  memlane_sim_spend (self, access_cost (self, access, kind, range, (double) bytes, fresh, moving));
  return TRUE;
}

static gboolean
sim_host_write (MemlaneDevice *device, void *pointer, const void *from, gsize bytes, GError **error)
{
  if (!access_memory (SIM (device), ACCESS_WRITE, "host write", pointer, bytes, error))
    return FALSE;
  memmove (pointer, from, bytes);
  return TRUE;
}

static gboolean
sim_host_fill (MemlaneDevice *device, void *pointer, int byte, gsize bytes, GError **error)
{
  if (!access_memory (SIM (device), ACCESS_FILL, "host fill", pointer, bytes, error))
    return FALSE;
  memset (pointer, byte, bytes);
  return TRUE;
}

static gboolean
sim_host_read (MemlaneDevice *device, void *to, const void *pointer, gsize bytes, GError **error)
{
  if (!access_memory (SIM (device), ACCESS_READ, "host read", pointer, bytes, error))
    return FALSE;
  memmove (to, pointer, bytes);
  return TRUE;
}

static gboolean
sim_host_touch (MemlaneDevice *device, const void *pointer, gsize bytes, GError **error)
{
  return access_memory (SIM (device), ACCESS_TOUCH, "host touch", pointer, bytes, error);
}

#define ROW(name) .name = sim_##name,
const MemlaneAccessCalls memlane_sim_access_calls = { MEMLANE_ACCESS_CALLS (ROW) };
