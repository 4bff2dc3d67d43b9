/* work.c: what operations and the host's accesses do: copies, fills, kernels, host functions and
 * pages that move; how long each takes, and what a tracer is told of it
 *
 * SPDX-License-Identifier: MIT
 *
 * Telling takes no virtual time and changes nothing: a traced sample lasts as long as an untraced
 * one.
 */
#include "simulated.h"

#include <string.h>

#include "base/each.h"
#include "base/owns.h"
#include "base/words.h"
#include "kernels/reference.h"

static void
move_bytes (MemlaneSim *self, void *to, const void *from, gsize bytes)
{
  for (MemlanePiece piece = { 0, 0 }; memlane_sim_next_piece (self, to, from, bytes, &piece);)
    {
      char *there = (char *) to + piece.at;
      const char *here = (const char *) from + piece.at;
      gsize apart = there > here ? there - here : here - there;

      /* Few copies overlap, and gcc's address sanitizer makes memmove() a loop over bytes. */
      (apart >= piece.bytes ? memcpy : memmove) (there, here, piece.bytes);
    }
}

static void
fill_bytes (MemlaneSim *self, void *to, int byte, gsize bytes)
{
  for (MemlanePiece piece = { 0, 0 }; memlane_sim_next_piece (self, to, NULL, bytes, &piece);)
    memset ((char *) to + piece.at, byte, piece.bytes);
}

/* --- what a tracer is told -------------------------------------------------------------------- */

static const guint8 memory_of[] = {
  [SIM_UNKNOWN] = MEMLANE_TRACE_MEMORY_UNKNOWN,
  [SIM_PAGEABLE] = MEMLANE_TRACE_MEMORY_PAGEABLE,
  [SIM_PINNED] = MEMLANE_TRACE_MEMORY_PINNED,
  [SIM_DEVICE] = MEMLANE_TRACE_MEMORY_DEVICE,
  [SIM_MANAGED] = MEMLANE_TRACE_MEMORY_MANAGED,
  [SIM_PEER] = MEMLANE_TRACE_MEMORY_PEER,
  [SIM_REGISTERED] = MEMLANE_TRACE_MEMORY_PINNED,
};

static void
tell_stream (MemlaneSim *self, MemlaneTracer *tracer, const MemlaneStream *stream)
{
  const MemlaneTraceStream told = {
    .number = stream->number,
    .is_default = stream == self->legacy,
    .non_blocking = stream->non_blocking,
    .priority = stream->priority,
  };

  memlane_trace_builder_add_stream (tracer->builder, &told);
}

/* Tells of pages that were missed and have moved between @start and @end; @event has all else. */
static void
tell_pages (MemlaneTracer *tracer, MemlaneTraceEvent *event, const MemlaneSimMoved *moved,
            double start, double end)
{
  if (moved->faults == 0)
    return;
  event->kind = MEMLANE_TRACE_FAULT;
  event->count = moved->faults;
  memlane_tracer_add (tracer, event, NULL, start, end);
  event->kind = MEMLANE_TRACE_MIGRATION;
  event->count = 0;
  event->bytes = (guint64) moved->migrated;
  if (event->bytes > 0)
    memlane_tracer_add (tracer, event, NULL, start, end);
  event->bytes = (guint64) moved->duplicated;
  event->flags |= MEMLANE_TRACE_DUPLICATED;
  if (event->bytes > 0)
    memlane_tracer_add (tracer, event, NULL, start, end);
}

/* Pages that a kernel (or memset) missed, and their way up: its work begins with that. */
static void
tell_faults (MemlaneTracer *tracer, const MemlaneSimOp *op)
{
  double share = op->work > 0 ? op->migration / op->work : 0;
  double end = op->start + share * (op->end - op->start);
  MemlaneTraceEvent event = {
    .correlation = op->correlation,
    .stream = op->stream->number,
    .way = MEMLANE_TRACE_WAY_TO_DEVICE,
    /* one memory for both sides: managed, or pageable that the device can reach */
    .source = memory_of[op->destination],
    .destination = memory_of[op->destination],
    .flags = MEMLANE_TRACE_ON_DEVICE,
  };

  tell_pages (tracer, &event, &op->moved, op->start, end);
}

/* The host's part of a pageable copy, as long as the copy itself. */
static void
tell_staging (MemlaneTracer *tracer, const MemlaneSimOp *op, const MemlaneTraceEvent *copy)
{
  MemlaneTraceEvent staging = *copy;

  if (op->staging == 0)
    return;
  staging.kind = MEMLANE_TRACE_STAGING;
  staging.bytes = op->staging;
  if (op->way == MEMLANE_TRACE_WAY_TO_HOST)
    staging.source = MEMLANE_TRACE_MEMORY_PINNED;
  else
    staging.destination = MEMLANE_TRACE_MEMORY_PINNED;
  memlane_tracer_add (tracer, &staging, NULL, op->start, op->end);
}

/* How an operation of a kind appears. */
static const struct
{
  gboolean is_told;
  MemlaneTraceKind kind;
  guint flags;
  const char *name; /* NULL: by its kind */
} shapes[] = {
  [SIM_OP_COPY] = { TRUE, MEMLANE_TRACE_COPY, 0, NULL },
  [SIM_OP_FILL] = { TRUE, MEMLANE_TRACE_MEMSET, 0, NULL },
  [SIM_OP_KERNEL] = { TRUE, MEMLANE_TRACE_KERNEL, 0, NULL },
  [SIM_OP_PREFETCH] = { TRUE, MEMLANE_TRACE_MIGRATION, MEMLANE_TRACE_PREFETCHED, NULL },
  [SIM_OP_WAIT] = { TRUE, MEMLANE_TRACE_SYNCHRONISATION, MEMLANE_TRACE_ON_DEVICE,
                    "wait for event" },
  [SIM_OP_BARRIER] = { TRUE, MEMLANE_TRACE_SYNCHRONISATION,
                       MEMLANE_TRACE_ON_DEVICE | MEMLANE_TRACE_IMPLICIT,
                       "implicit synchronisation" },
  [SIM_OP_HOST_FUNCTION] = { TRUE, MEMLANE_TRACE_HOST_FUNCTION, 0, NULL },
  [SIM_OP_LATCH] = { TRUE, MEMLANE_TRACE_KERNEL, 0, "latch" },
  [SIM_OP_BACKGROUND] = { FALSE, MEMLANE_TRACE_KERNEL, 0, NULL },
  [SIM_OP_FAULT] = { TRUE, MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_FAILED, NULL },
};

static void
tell_op (MemlaneSim *self, const MemlaneSimOp *op)
{
  MemlaneTracer *tracer = self->parent.tracer;
  MemlaneTraceEvent event = {
    .kind = (guint8) shapes[op->kind].kind,
    .bytes = op->bytes,
    .correlation = op->correlation,
    .stream = op->stream->number,
    .way = (guint8) op->way,
    .source = memory_of[op->source],
    .destination = memory_of[op->destination],
    .flags = shapes[op->kind].flags,
  };
  const char *name = shapes[op->kind].name;
  double start = op->start;

  if (!shapes[op->kind].is_told)
    return;
  if (op->kind == SIM_OP_COPY)
    {
      if (op->source == SIM_PAGEABLE || op->destination == SIM_PAGEABLE)
        event.flags |= MEMLANE_TRACE_STAGED;
      tell_staging (tracer, op, &event);
    }
  if (op->kind == SIM_OP_KERNEL)
    name = op->copies != NULL  ? (op->copies->kind == MEMLANE_COPY_TO_HOST ? "scatter" : "gather")
           : op->additions > 0 ? "count"
           : (op->kernel & MEMLANE_KERNEL_COPY) != 0 ? "copy"
                                                     : "add";
  if (op->kind == SIM_OP_KERNEL || op->kind == SIM_OP_FILL)
    tell_faults (tracer, op);
  if (op->kind == SIM_OP_PREFETCH)
    {
      if (op->moved.migrated <= 0)
        return; /* all of it was there */
      event.bytes = (guint64) op->moved.migrated;
      event.way = op->location == MEMLANE_LOCATION_DEVICE ? MEMLANE_TRACE_WAY_TO_DEVICE
                                                          : MEMLANE_TRACE_WAY_TO_HOST;
      event.source = event.destination = MEMLANE_TRACE_MEMORY_MANAGED;
    }
  if (op->kind == SIM_OP_WAIT)
    {
      start = MAX (op->ready, op->stream->last_end);
      /* a marker of a wait of the host's, or nothing to wait for */
      if (op->wait_seq == 0 || op->end <= start)
        return;
    }
  if (op->kind == SIM_OP_BARRIER)
    start = op->ready;
  tell_stream (self, tracer, op->stream);
  memlane_tracer_add (tracer, &event, name, start, op->end);
}

/* The host has staged, or copied from host to host, since @begin. */
static void
tell_host_copy (MemlaneSim *self, MemlaneTraceKind kind, const MemlaneStream *stream,
                MemlaneSimKind to, MemlaneSimKind from, gsize bytes, double begin)
{
  MemlaneTracer *tracer = self->parent.tracer;
  const MemlaneTraceEvent event = {
    .kind = (guint8) kind,
    .bytes = bytes,
    .correlation = tracer->correlation,
    .stream = stream->number,
    .way = kind == MEMLANE_TRACE_STAGING ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_ON_HOST,
    .source = memory_of[from],
    .destination = memory_of[to],
  };

  memlane_tracer_add (tracer, &event, NULL, begin, self->now);
}

/* The host's access, which begins now, brings pages of memory of @kind home for @ns. */
static void
tell_host_faults (MemlaneSim *self, MemlaneSimKind kind, const MemlaneSimMoved *moved, double ns)
{
  MemlaneTracer *tracer = self->parent.tracer;
  MemlaneTraceEvent event = {
    .correlation = tracer->correlation,
    .stream = MEMLANE_TRACE_NO_STREAM,
    .way = MEMLANE_TRACE_WAY_TO_HOST,
    .source = memory_of[kind],
    .destination = memory_of[kind],
  };

  tell_pages (tracer, &event, moved, self->now, self->now + ns);
}

/* --- which side holds which pages ------------------------------------------------------------- */

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

/* The bytes of a block that an access to [@at, @at + @bytes) touches: what is untouched costs
 * nothing, though it moves along. */
static double
touched_bytes (const MemlaneSimRange *range, gsize block, const char *at, gsize bytes)
{
  gsize begin = (gsize) (at - range->base), end = begin + bytes;
  gsize block_begin = block << MEMLANE_SIM_BLOCK_SHIFT, block_end = (block + 1)
                                                                    << MEMLANE_SIM_BLOCK_SHIFT;

  return (double) (MIN (end, block_end) - MAX (begin, block_begin));
}

/* How a device access changes a block: where its pages end up and what moves. */
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
  if ((*block & SIM_PREFER_HOST) != 0
      || ((*block & SIM_ACCESSED_BY_DEVICE) != 0 && (*block & SIM_ON_HOST) != 0))
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

/* Extra device time of a kernel or fill for the pages of its @n pieces [@at, @at + @bytes) that
 * have to move (a NULL range has none); the first is written. *@remote receives the share of the
 * bytes that it reaches over the link instead. */
static double
migrate_for_device (MemlaneSim *self, MemlaneSimRange *const *ranges, const char *const *at,
                    guint n, gsize bytes, double *remote, MemlaneSimMoved *moved)
{
  double over_link = 0, touched = 0, ns = 0;

  *moved = (MemlaneSimMoved) { 0 };
  for (guint i = 0; i < n; i++)
    {
      double migrated = 0, duplicated = 0;
      gsize first, last;
      guint missed = 0;

      if (ranges[i] == NULL || bytes == 0)
        continue;
      blocks_of (ranges[i], at[i], bytes, &first, &last);
      for (gsize k = first; k <= last; k++)
        {
          double size = touched_bytes (ranges[i], k, at[i], bytes);
          BlockChange change = touch_block (&ranges[i]->blocks[k], i == 0);

          touched += size;
          if (change == BLOCK_STAYS_REMOTE)
            over_link += size;
          else if (change == BLOCK_MOVES)
            migrated += size;
          else if (change == BLOCK_DUPLICATES)
            duplicated += size;
          missed += change == BLOCK_MOVES || change == BLOCK_DUPLICATES;
        }
      /* Read or written, each vector comes by itself. */
      if (migrated > 0)
        ns += memlane_sim_cost (self, MEMLANE_COST_MIGRATE_UP, migrated);
      if (duplicated > 0)
        ns += memlane_sim_cost (self, MEMLANE_COST_MIGRATE_UP, duplicated);
      moved->migrated += migrated;
      moved->duplicated += duplicated;
      moved->faults += (missed + MEMLANE_SIM_FAULT_BLOCKS - 1) / MEMLANE_SIM_FAULT_BLOCKS;
    }
  *remote = touched > 0 ? over_link / touched : 0;
  return ns > 0 ? ns + memlane_sim_host (self, FAULT_FIRST) : 0;
}

/* Bytes of the piece that are not (all) at @location. */
static double
bytes_away (const MemlaneSimRange *range, const char *at, gsize bytes, MemlaneLocation location)
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
  range->l2_at = 0; /* it comes from elsewhere */
  for (gsize k = first; k <= last; k++)
    set_places (&range->blocks[k], (range->blocks[k] & SIM_READ_MOSTLY) != 0
                                       ? there | (range->blocks[k] & (guint) PLACES)
                                       : there);
}

/* --- copies ----------------------------------------------------------------------------------- */

void
memlane_sim_use_copy_engine (MemlaneSim *self, MemlaneSimOp *op, MemlaneSimEngine direction)
{
  const int engines = self->profile->info.copy_engines;

  op->engine = direction == SIM_ENGINE_INSIDE && engines < 3 ? SIM_ENGINE_COMPUTE
               : engines == 1                                ? SIM_ENGINE_UP
                                                             : direction;
}

static MEMLANE_DEFINE_NAMES (copy_kind_name, MemlaneCopyKind, MEMLANE_COPY_ON_HOST + 1,
                             "host to device", "device to host", "device to device",
                             "host to host")

/* Sets an operation's work, and how much of it is moving bytes rather than latency: the part that
 * others on the same way slow down. */
static double
set_cost (MemlaneSim *self, MemlaneSimOp *op, MemlaneCostId cost, gsize bytes)
{
  double ns = memlane_profile_cost (self->profile, cost, (double) bytes);

  op->work = memlane_sim_cost (self, cost, (double) bytes);
  return ns > 0 ? CLAMP (1 - memlane_profile_cost (self->profile, cost, 0) / ns, 0, 1) : 0;
}

typedef struct
{
  MemlaneSimKind kind;
  MemlaneSimRange *range;
  char *at;
  gboolean on_device;
} End;

/* One call of cudaMemcpy or cudaMemcpyAsync. */
typedef struct
{
  const char *call;
  MemlaneStream *stream;
  End to, from;
  gsize bytes;
  gboolean is_synchronous;
} Copy;

/* From so many on a vector that the host has just written costs its first copy as much as any
 * larger one. */
#define FETCH_BYTES ((gsize) 128 << 10)
/* A pageable copy up to this size is only staged when the call returns. */
#define STAGING_BYTES ((gsize) 65536)

/* Finds one end of a copy. @device_side: what the copy's kind says it is; NULL or the reason why it
 * is wrong. */
static const char *
find_end (MemlaneSim *self, const void *pointer, gsize bytes, gboolean device_side, End *end)
{
  end->at = (char *) pointer;
  if (!memlane_sim_locate (self, pointer, bytes, &end->kind, &end->range))
    return pointer == NULL ? "a pointer is NULL" : "it runs beyond the end of an allocation";
  end->on_device = end->kind == SIM_DEVICE || end->kind == SIM_PEER
                   || (end->kind == SIM_MANAGED && device_side);
  if (!device_side)
    return end->on_device ? "the host's side of the copy is a device pointer" : NULL;
  /* CUDA sees that it is page-locked host memory and copies there all the same. */
  return end->kind == SIM_PAGEABLE ? "the device's side of the copy is a host pointer" : NULL;
}

/* The operation that copies [@offset, @offset + @bytes) of @copy. */
static MemlaneSimOp *
copy_op_new (MemlaneSim *self, const Copy *copy, gsize offset, gsize bytes,
             MemlaneSimEngine direction)
{
  MemlaneSimOp *op = memlane_sim_op_new (self, SIM_OP_COPY, copy->stream);
  const End *to = &copy->to, *from = &copy->from;

  memlane_sim_use_copy_engine (self, op, direction);
  op->to = to->at + offset;
  op->from = from->at + offset;
  op->bytes = bytes;
  if (to->kind == SIM_MANAGED)
    op->ranges[0] = to->range;
  if (to->on_device && to->range != NULL && !to->range->from_pool_call)
    op->cached[0] = to->range;
  op->location = to->on_device ? MEMLANE_LOCATION_DEVICE : MEMLANE_LOCATION_HOST;
  op->source = from->kind;
  op->destination = to->kind;
  if (to->on_device && from->on_device)
    op->way = to->kind == SIM_PEER && from->kind != SIM_PEER ? MEMLANE_TRACE_WAY_TO_PEER
                                                             : MEMLANE_TRACE_WAY_ON_DEVICE;
  else
    op->way = to->on_device ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
  return op;
}

/* The part of the link that a copy takes which blocks the host for @blocked ns. */
static double
staged_demand (MemlaneSim *self, gsize bytes, double blocked)
{
  return CLAMP (memlane_profile_cost (self->profile, MEMLANE_COST_COPY, (double) bytes) / blocked,
                0, 1);
}

/* Whether anything is queued but marks and small copies that are staged: the next one is staged
 * beside them. */
static gboolean
has_to_wait (const MemlaneSim *self)
{
  MEMLANE_FOR_EACH (const MemlaneStream, stream, self->streams)
    for (const MemlaneSimOp *op = stream->head; op != NULL; op = op->next)
      if (op->kind != SIM_OP_EVENT && op->kind != SIM_OP_BACKGROUND && op->staged == NULL)
        return TRUE;
  return FALSE;
}

/* The call of a copy takes less behind others, by so much. */
static double
save_in_row (MemlaneSim *self, const MemlaneStream *stream)
{
  const double saved = memlane_sim_host (self, MEMCPY) - memlane_sim_host (self, MEMCPY_AGAIN);

  return memlane_sim_is_in_row (self, stream, SIM_OP_COPY) ? MAX (saved, 0) : 0;
}

/* The driver copies pageable memory into a page-locked buffer of its own first, and the host waits
 * while it does. */
static void
copy_staged_up (MemlaneSim *self, const Copy *copy)
{
  gsize bytes = copy->bytes, tail = MIN (bytes, STAGING_BYTES);
  double blocked = MAX (memlane_sim_cost (self, MEMLANE_COST_COPY_PAGEABLE_UP, (double) bytes)
                            - save_in_row (self, copy->stream),
                        0);
  MemlaneSimOp *op;

  if (bytes > tail || has_to_wait (self))
    memlane_sim_wait_before (self, copy->stream);
  if (bytes > tail)
    {
      op = copy_op_new (self, copy, 0, bytes - tail, SIM_ENGINE_UP);
      op->work = MAX (1, blocked - memlane_sim_host (self, WAKE_UP));
      op->up_demand = staged_demand (self, bytes, blocked);
      op->staging = bytes;
      memlane_sim_wait (self, copy->stream, memlane_sim_issue (self, op, 0));
    }
  else
    {
      double begin = self->now;

      memlane_sim_spend (self, blocked);
      if (G_UNLIKELY (self->parent.tracer != NULL))
        tell_host_copy (self, MEMLANE_TRACE_STAGING, copy->stream, SIM_PINNED, copy->from.kind,
                        bytes, begin);
    }
  /* All is staged and the call returns; the last chunk is still on its way. */
  op = copy_op_new (self, copy, bytes - tail, tail, SIM_ENGINE_UP);
  op->up_demand = set_cost (self, op, MEMLANE_COST_COPY, tail);
  op->staged = g_memdup2 (op->from, tail);
  memlane_sim_issue (self, op, 0);
}

/* The same, out of the driver's buffer: the call returns when all has arrived. */
static void
copy_staged_down (MemlaneSim *self, const Copy *copy)
{
  double blocked = memlane_sim_cost (self, MEMLANE_COST_COPY_PAGEABLE_DOWN, (double) copy->bytes);
  MemlaneSimOp *op = copy_op_new (self, copy, 0, copy->bytes, SIM_ENGINE_DOWN);

  op->work = MAX (1, blocked - memlane_sim_host (self, WAKE_UP));
  op->down_demand = staged_demand (self, copy->bytes, blocked);
  op->staging = copy->bytes;
  if (copy->to.range != NULL && copy->to.range->blocks != NULL)
    memlane_sim_place (copy->to.range, copy->to.at, copy->bytes, MEMLANE_LOCATION_HOST);
  memlane_sim_wait (self, copy->stream, memlane_sim_issue (self, op, 0));
}

static void
copy_on_host (MemlaneSim *self, const Copy *copy)
{
  double begin;

  memlane_sim_wait_before (self, copy->stream);
  begin = self->now;
  memlane_sim_spend (
      self, memlane_sim_host (self, MEMCPY)
                + memlane_sim_cost (self, MEMLANE_COST_COPY_ON_HOST, (double) copy->bytes));
  if (G_UNLIKELY (self->parent.tracer != NULL))
    tell_host_copy (self, MEMLANE_TRACE_COPY, copy->stream, copy->to.kind, copy->from.kind,
                    copy->bytes, begin);
  if (self->parent.lost_by == NULL)
    move_bytes (self, copy->to.at, copy->from.at, copy->bytes);
  if (copy->to.range != NULL && copy->to.range->blocks != NULL)
    memlane_sim_place (copy->to.range, copy->to.at, copy->bytes, MEMLANE_LOCATION_HOST);
}

/* Even cudaMemcpy returns before it is done. */
static void
copy_on_device (MemlaneSim *self, const Copy *copy)
{
  MemlaneSimOp *op;

  if (self->profile->sync_copy_on_device)
    memlane_sim_barrier (self);
  memlane_sim_spend (self, memlane_sim_host (self, MEMCPY));
  op = copy_op_new (self, copy, 0, copy->bytes, SIM_ENGINE_INSIDE);
  op->memory_demand = set_cost (self, op, MEMLANE_COST_COPY_ON_DEVICE, copy->bytes);
  memlane_sim_issue (self, op, memlane_sim_host (self, COPY_START));
}

double
memlane_sim_fetch_written (MemlaneSim *self, MemlaneSimRange *range, gsize bytes, gsize whole)
{
  gsize part = MIN (bytes, range->unfetched);

  range->unfetched -= part;
  return memlane_sim_host (self, FETCH) * (double) part / (double) MAX (whole, FETCH_BYTES);
}

/* Over the link, to or from memory that the device reaches by itself. */
static void
copy_over_link (MemlaneSim *self, const Copy *copy)
{
  gboolean up = copy->to.on_device, again = memlane_sim_is_in_row (self, copy->stream, SIM_OP_COPY);
  MemlaneSimOp *op;
  guint64 seq;

  memlane_sim_spend (self, memlane_sim_host (self, MEMCPY) - save_in_row (self, copy->stream));
  op = copy_op_new (self, copy, 0, copy->bytes, up ? SIM_ENGINE_UP : SIM_ENGINE_DOWN);
  *(up ? &op->up_demand : &op->down_demand) = set_cost (self, op, MEMLANE_COST_COPY, copy->bytes);
  if (again)
    op->work = MIN (op->work,
                    memlane_sim_cost (self, MEMLANE_COST_COPY_SMALL, (double) copy->bytes));
  if (up && copy->from.range != NULL)
    op->work += memlane_sim_fetch_written (self, copy->from.range, copy->bytes,
                                           copy->from.range->bytes);
  seq = memlane_sim_issue (self, op,
                           copy->is_synchronous ? 0 : memlane_sim_host (self, COPY_START));
  if (copy->is_synchronous)
    memlane_sim_wait (self, copy->stream, seq);
}

/* Makes the call that @copy begins to say. */
static gboolean
perform_copy (MemlaneSim *self, Copy *copy, void *to, const void *from, MemlaneCopyKind kind,
              GError **error)
{
  const char *wrong;

  if (copy->bytes == 0)
    return TRUE;
  wrong = find_end (self, to, copy->bytes,
                    kind == MEMLANE_COPY_TO_DEVICE || kind == MEMLANE_COPY_ON_DEVICE, &copy->to);
  if (wrong == NULL)
    wrong = find_end (self, from, copy->bytes,
                      kind == MEMLANE_COPY_TO_HOST || kind == MEMLANE_COPY_ON_DEVICE, &copy->from);
  if (wrong != NULL)
    {
      g_autofree char *reason = g_strdup_printf ("cudaErrorInvalidValue: %s", wrong);
      return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, reason,
                               "%s (%p from %p, %" G_GSIZE_FORMAT " bytes, %s)", copy->call, to,
                               from, copy->bytes, copy_kind_name (kind));
    }

  if (copy->to.on_device && copy->from.on_device)
    copy_on_device (self, copy);
  else if (!copy->to.on_device && !copy->from.on_device)
    copy_on_host (self, copy);
  else if (copy->to.on_device && copy->from.kind == SIM_PAGEABLE)
    copy_staged_up (self, copy);
  else if (copy->from.on_device && copy->to.kind == SIM_PAGEABLE)
    copy_staged_down (self, copy);
  else
    copy_over_link (self, copy);
  return TRUE;
}

static gboolean
sim_memcpy (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
            GError **error)
{
  MemlaneSim *self = SIM (device);
  Copy copy = {
    .call = "cudaMemcpy", .stream = self->legacy, .bytes = bytes, .is_synchronous = TRUE
  };

  return perform_copy (self, &copy, to, from, kind, error);
}

static gboolean
sim_memcpy_async (MemlaneDevice *device, void *to, const void *from, gsize bytes,
                  MemlaneCopyKind kind, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  Copy copy = { .call = "cudaMemcpyAsync",
                .stream = memlane_sim_get_stream (self, stream),
                .bytes = bytes };

  return perform_copy (self, &copy, to, from, kind, error);
}

static gboolean
sim_memcpy_peer_async (MemlaneDevice *device, void *to, const void *from, gsize bytes,
                       MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  Copy copy = { .bytes = bytes, .stream = memlane_sim_get_stream (self, stream) };
  MemlaneSimOp *op;

  if (bytes == 0)
    return TRUE;
  if (find_end (self, to, bytes, TRUE, &copy.to) != NULL
      || find_end (self, from, bytes, TRUE, &copy.from) != NULL || copy.to.kind != SIM_PEER
      || copy.from.kind != SIM_DEVICE)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorInvalidValue: it copies from this device's memory into the "
                             "second one's, within their ends",
                             "cudaMemcpyPeerAsync (%p from %p, %" G_GSIZE_FORMAT " bytes)", to,
                             from, bytes);
  memlane_sim_spend (self, memlane_sim_host (self, MEMCPY));
  op = copy_op_new (self, &copy, 0, bytes, SIM_ENGINE_INSIDE);
  op->down_demand = set_cost (self, op, MEMLANE_COST_COPY, bytes);
  memlane_sim_issue (self, op, memlane_sim_host (self, COPY_START));
  return TRUE;
}

/* --- fills and kernels ------------------------------------------------------------------------ */

static gboolean
sim_memset_async (MemlaneDevice *device, void *pointer, int byte, gsize bytes,
                  MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;
  MemlaneSimOp *op;

  if (bytes == 0)
    return TRUE;
  range = memlane_sim_reach (self, pointer, bytes);
  if (range == NULL)
    return memlane_sim_fail (
        error, MEMLANE_DEVICE_ERROR_INVALID,
        "cudaErrorInvalidValue: that is not a stretch of memory that the device can reach",
        "cudaMemsetAsync (%p, %" G_GSIZE_FORMAT " bytes)", pointer, bytes);
  if (range->kind == SIM_DEVICE && self->profile->sync_memset)
    memlane_sim_barrier (self);
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  op = memlane_sim_op_new (self, SIM_OP_FILL, stream);
  op->to = pointer;
  op->byte = byte;
  op->bytes = bytes;
  op->destination = range->kind;
  if (range->blocks != NULL)
    op->ranges[0] = range;
  if (range->kind == SIM_DEVICE && !range->from_pool_call)
    op->cached[0] = range;
  if (memlane_sim_is_locked (range->kind))
    op->down_demand = set_cost (self, op, MEMLANE_COST_KERNEL_LINK, bytes);
  else
    op->memory_demand = set_cost (self, op, MEMLANE_COST_FILL, bytes);
  memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_START));
  return TRUE;
}

static gboolean
overlap (const char *one, const char *other, gsize bytes)
{
  return one < other + bytes && other < one + bytes;
}

/* Whether the last command of @op's stream is the same kernel: then @op writes what is there
 * already. */
static gboolean
is_repeated (const MemlaneSimOp *op)
{
  const MemlaneSimOp *last = op->stream->tail;

  return last != NULL && last->kind == SIM_OP_KERNEL && last->kernel == op->kernel
         && last->bytes == op->bytes && last->to == op->to && last->from == op->from
         && last->from2 == op->from2 && !overlap (op->to, op->from, op->bytes)
         && (op->from2 == NULL || !overlap (op->to, op->from2, op->bytes));
}

/* Sets what a kernel that reaches all of its vectors does, and how long it takes. */
static void
set_kernel (MemlaneSim *self, MemlaneSimOp *op, MemlaneKernel kernel,
            MemlaneSimRange *const *ranges, const void *const *pointers, gsize bytes)
{
  gboolean stores = memlane_sim_is_locked (ranges[0]->kind);
  guint vectors = (kernel & MEMLANE_KERNEL_COPY) != 0 ? 2 : 3, loads = 0;
  double demand, fetch = 0;

  op->kernel = kernel;
  op->to = (char *) pointers[0];
  op->from = pointers[1];
  op->from2 = pointers[2];
  op->bytes = bytes;
  op->repeats = is_repeated (op);
  op->destination = ranges[0]->kind;
  op->source = ranges[1]->kind;
  for (guint i = 0; i < G_N_ELEMENTS (op->ranges) && ranges[i] != NULL; i++)
    {
      if (ranges[i]->blocks != NULL)
        op->ranges[i] = ranges[i];
      if (ranges[i]->kind == SIM_DEVICE || ranges[i]->kind == SIM_MANAGED)
        {
          /* Memory that cudaFreeAsync releases in another stream may be gone before this runs. */
          op->cached[i] = ranges[i]->from_pool_call ? NULL : ranges[i];
          op->inputs += i > 0;
          op->cold_inputs += i > 0 && ranges[i]->from_pool_call;
        }
      if (i > 0 && memlane_sim_is_locked (ranges[i]->kind))
        {
          loads++;
          /* at the same time */
          fetch = MAX (fetch, memlane_sim_fetch_written (self, ranges[i], bytes, ranges[i]->bytes));
        }
    }
  if (loads > 0 || stores)
    {
      /* Its stores use the other direction of the link, at the same time as its loads. */
      demand = set_cost (self, op, MEMLANE_COST_KERNEL_LINK, MAX (loads, 1) * bytes);
      op->up_demand = loads > 0 ? demand : 0;
      op->down_demand = stores ? demand / MAX (loads, 1) : 0;
      op->work += fetch;
      return;
    }
  op->memory_demand = set_cost (self, op, MEMLANE_COST_KERNEL_CACHED, vectors * bytes);
  op->warm = op->work;
  op->cold = memlane_sim_cost (self, MEMLANE_COST_KERNEL, (double) vectors * bytes);
}

/* Takes the time that writing so much takes; nothing is written. What kernels have left in the
 * cache is gone. */
static gboolean
sim_flush_cache (MemlaneDevice *device, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_wait (self, NULL, 0);
  if (device->info.memory_bandwidth > 0)
    memlane_sim_spend (self, 2e9 * (double) device->info.l2_bytes / device->info.memory_bandwidth);
  self->l2_traffic += 2 * device->info.l2_bytes; /* which nothing outlasts in the cache */
  memlane_sim_catch_up (self);
  return TRUE;
}

void
memlane_sim_spend_launch (MemlaneSim *self)
{
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  /* The launch's own data has left the caches of the host's core as far as the host has written
   * others. */
  if (self->touched > 0)
    memlane_sim_spend (self,
                       memlane_sim_host (self, COLD_LAUNCH)
                           * MIN ((double) self->touched / self->profile->core_cache_bytes, 1));
  self->touched = 0;
}

/* @multiply_adds: of each float, beside what @kernel does. */
static gboolean
launch (MemlaneSim *self, MemlaneKernel kernel, float *out, const float *a, const float *b,
        gsize elements, guint multiply_adds, MemlaneStream *stream, GError **error)
{
  const void *const pointers[3] = { out, a, b };
  guint n = (kernel & MEMLANE_KERNEL_COPY) != 0 ? 2 : 3;
  gsize bytes = elements * sizeof (float);
  MemlaneSimRange *ranges[3] = { NULL };
  gboolean reached = TRUE;
  MemlaneSimOp *op;

  for (guint i = 0; i < n; i++)
    {
      ranges[i] = memlane_sim_reach (self, pointers[i], bytes);
      reached &= ranges[i] != NULL;
    }
  memlane_sim_spend_launch (self);

  /* The launch itself knows nothing of addresses; the context dies when the kernel uses them, and
   * the next call that waits says so. */
  op = memlane_sim_op_new (self, reached ? SIM_OP_KERNEL : SIM_OP_FAULT, stream);
  if (reached)
    set_kernel (self, op, kernel, ranges, pointers, bytes);
  else
    op->work = memlane_sim_host (self, KERNEL);
  op->arithmetic = memlane_sim_cost (self, MEMLANE_COST_ARITHMETIC,
                                     (double) elements * multiply_adds);
  memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_START));
  return TRUE;
}

static gboolean
sim_launch (MemlaneDevice *device, MemlaneKernel kernel, float *out, const float *a, const float *b,
            gsize elements, MemlaneStream *stream, GError **error)
{
  return launch (SIM (device), kernel, out, a, b, elements, 0, stream, error);
}

static gboolean
sim_launch_work (MemlaneDevice *device, float *out, const float *a, gsize elements,
                 guint multiply_adds, MemlaneStream *stream, GError **error)
{
  return launch (SIM (device), MEMLANE_KERNEL_COPY, out, a, NULL, elements, multiply_adds, stream,
                 error);
}

static gboolean
sim_launch_count (MemlaneDevice *device, guint32 *counter, guint times, MemlaneStream *stream,
                  GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  if (times == 0)
    return TRUE;
  op = memlane_sim_op_new (
      self,
      memlane_sim_reach (self, counter, sizeof *counter) != NULL ? SIM_OP_KERNEL : SIM_OP_FAULT,
      stream);
  op->to = (char *) counter;
  op->additions = times;
  op->work = times * memlane_sim_host (self, ATOMIC);
  memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_START));
  return TRUE;
}

static gboolean
sim_launch_host_function (MemlaneDevice *device, void (*function) (gpointer data), gpointer data,
                          MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  op = memlane_sim_op_new (self, SIM_OP_HOST_FUNCTION, stream);
  op->work = memlane_sim_host (self, HOST_FUNCTION);
  op->function = function;
  op->data = data;
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

/* --- prefetch and advice ---------------------------------------------------------------------- */

/* The call of one more waits for the oldest. */
#define MOST_PREFETCHES 56

static MemlaneSimRange *
find_managed (MemlaneSim *self, const char *call, const void *pointer, gsize bytes,
              MemlaneLocation location, GError **error)
{
  MemlaneSimRange *range = memlane_sim_reach (self, pointer, bytes);

  if (bytes > 0 && range != NULL && range->blocks != NULL)
    return range;
  memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                    "cudaErrorInvalidValue: that is not a stretch of managed memory",
                    "%s (%p, %" G_GSIZE_FORMAT " bytes, %s)", call, pointer, bytes,
                    location == MEMLANE_LOCATION_DEVICE ? "device" : "host");
  return NULL;
}

static gboolean
sim_mem_prefetch_async (MemlaneDevice *device, const void *pointer, gsize bytes,
                        MemlaneLocation location, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_managed (self, "cudaMemPrefetchAsync", pointer, bytes, location,
                                         error);
  gboolean up = location == MEMLANE_LOCATION_DEVICE, at_once, again;
  MemlaneSimOp *op;
  double away;

  if (range == NULL)
    return FALSE;
  stream = memlane_sim_get_stream (self, stream);
  memlane_sim_catch_up (self);
  away = bytes_away (range, pointer, bytes, location);
  at_once = away > 0 && self->row == 0;
  again = memlane_sim_is_in_row (self, stream, SIM_OP_PREFETCH);
  if (again && stream->head != NULL && self->seq >= stream->head->seq + MOST_PREFETCHES)
    {
      const guint row = self->row;

      memlane_sim_wait (self, stream, stream->head->seq);
      self->row = row;
    }
  if (!at_once)
    memlane_sim_charge (self, again ? MEMLANE_COST_PREFETCH_CALL : MEMLANE_COST_PREFETCH, bytes);
  op = memlane_sim_op_new (self, SIM_OP_PREFETCH, stream);
  memlane_sim_use_copy_engine (self, op, up ? SIM_ENGINE_UP : SIM_ENGINE_DOWN);
  op->ranges[0] = range;
  op->from = pointer;
  op->bytes = bytes;
  op->location = location;
  if (at_once)
    op->work = memlane_sim_cost (self, up ? MEMLANE_COST_PREFETCH_UP : MEMLANE_COST_PREFETCH_DOWN,
                                 away);
  else if (again && up && away > 0)
    op->work = memlane_sim_cost (self, MEMLANE_COST_PREFETCH_AGAIN, away);
  memlane_sim_issue (self, op, at_once ? 0 : memlane_sim_host (self, COPY_START));
  if (at_once)
    {
      memlane_sim_spend (self, op->work);
      memlane_sim_catch_up (self);
    }
  return TRUE;
}

/* An advice sets and clears these flags of a block. */
typedef struct
{
  guint8 set, clear;
} Advised;

/* For the host, and for the device. */
static const Advised advised_blocks[][2] = {
  [MEMLANE_ADVICE_READ_MOSTLY] = { { SIM_READ_MOSTLY, 0 }, { SIM_READ_MOSTLY, 0 } },
  [MEMLANE_ADVICE_PREFERRED_LOCATION]
  = { { SIM_PREFER_HOST, SIM_PREFER_DEVICE }, { SIM_PREFER_DEVICE, SIM_PREFER_HOST } },
  /* over PCI Express the host has no way into the device's pages: it changes nothing for it */
  [MEMLANE_ADVICE_ACCESSED_BY] = { { 0, 0 }, { SIM_ACCESSED_BY_DEVICE, 0 } },
};

static gboolean
sim_mem_advise (MemlaneDevice *device, const void *pointer, gsize bytes, MemlaneMemAdvice advice,
                MemlaneLocation location, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = find_managed (self, "cudaMemAdvise", pointer, bytes, location, error);
  const Advised *advised = &advised_blocks[advice][location == MEMLANE_LOCATION_DEVICE];
  gsize first, last;

  if (range == NULL)
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, PREFETCH));
  blocks_of (range, pointer, bytes, &first, &last);
  for (gsize k = first; k <= last; k++)
    range->blocks[k] = (guint8) ((range->blocks[k] & ~advised->clear) | advised->set);
  return TRUE;
}

/* --- the host's own accesses ------------------------------------------------------------------ */

typedef enum { ACCESS_WRITE, ACCESS_FILL, ACCESS_READ, ACCESS_TOUCH } Access;

/* The time that pages need to come to the host; *@fresh receives the bytes that nobody has touched
 * before. */
static double
migrate_for_host (MemlaneSim *self, MemlaneSimRange *range, const char *at, gsize bytes,
                  gboolean write, double *fresh)
{
  double moved = 0, duplicated = 0, ns = 0;
  guint blocks = 0;
  gsize first, last;

  *fresh = 0;
  blocks_of (range, at, bytes, &first, &last);
  for (gsize k = first; k <= last; k++)
    {
      guint8 *block = &range->blocks[k];
      const guint places = *block & (guint) PLACES;
      const gboolean stays = places == SIM_ON_DEVICE && !write && (*block & SIM_READ_MOSTLY) != 0;
      const double size = touched_bytes (range, k, at, bytes);

      if (places == 0)
        /* the system gives whole pages */
        *fresh += (double) ((gsize) 1 << MEMLANE_SIM_BLOCK_SHIFT);
      else if (places == SIM_ON_DEVICE)
        {
          *(stays ? &duplicated : &moved) += size;
          blocks++;
        }
      if (stays || write || (places & SIM_ON_HOST) == 0)
        set_places (block, stays ? PLACES : SIM_ON_HOST);
    }
  if (moved > 0)
    ns += memlane_sim_cost (self, MEMLANE_COST_MIGRATE_DOWN, moved);
  if (duplicated > 0)
    ns += memlane_sim_cost (self, MEMLANE_COST_MIGRATE_DOWN, duplicated);
  if (G_UNLIKELY (self->parent.tracer != NULL))
    tell_host_faults (
        self, range->kind,
        &(MemlaneSimMoved) { moved, duplicated,
                            (blocks + MEMLANE_SIM_FAULT_BLOCKS - 1) / MEMLANE_SIM_FAULT_BLOCKS },
        ns);
  return ns;
}

/* The time of an access; @moving: the part that moves pages; @fresh: bytes that nobody has touched
 * before. @range: NULL is the program's own memory. */
static double
access_cost (MemlaneSim *self, Access access, MemlaneSimKind kind, MemlaneSimRange *range,
             double bytes, double fresh, double moving)
{
  gboolean writes_combined = access != ACCESS_READ && range != NULL && range->write_combined;
  double ns = moving;

  if (fresh > 0)
    ns += memlane_sim_cost (self, MEMLANE_COST_TOUCH_FIRST, fresh);
  if (fresh > 0 && kind == SIM_MANAGED && !range->is_static && !range->populated)
    {
      ns += memlane_sim_host (self, TOUCH_MANAGED);
      range->populated = TRUE;
    }
  if (access == ACCESS_TOUCH)
    ns += memlane_sim_cost (self, MEMLANE_COST_HOST_TOUCH, bytes);
  else if (bytes > fresh)
    ns += memlane_sim_cost (self, writes_combined          ? MEMLANE_COST_HOST_WRITE_COMBINED
                                  : access == ACCESS_READ ? MEMLANE_COST_HOST_READ
                                                          : MEMLANE_COST_HOST_WRITE,
                            bytes - fresh);
  return ns;
}

/* Charges one access and makes sure that it is one the host can make. */
static gboolean
access_memory (MemlaneSim *self, Access access, const char *call, const void *pointer, gsize bytes,
               GError **error)
{
  gboolean write = access == ACCESS_WRITE || access == ACCESS_FILL;
  MemlaneSimRange *range;
  MemlaneSimKind kind;
  double fresh = 0, moving = 0;

  if (!memlane_sim_locate (self, pointer, bytes, &kind, &range) || kind == SIM_DEVICE
      || kind == SIM_PEER)
    return memlane_sim_fail (
        error, MEMLANE_DEVICE_ERROR_INVALID,
        "the host cannot reach that memory; a program that tries dies of SIGSEGV",
        "%s (%p, %" G_GSIZE_FORMAT " bytes)", call, pointer, bytes);
  memlane_sim_catch_up (self); /* what is written by now is there to be read */
  if (bytes == 0)
    return TRUE;

  if (range != NULL)
    {
      if (range->blocks != NULL)
        moving = migrate_for_host (self, range, pointer, bytes, write, &fresh);
      if (write)
        range->unfetched = MIN (range->unfetched + bytes, range->bytes);
      moving += bytes < range->bytes && !range->is_static ? memlane_sim_host (self, HOST_PIECE) : 0;
    }
  self->touched += write ? bytes : 0;
  memlane_sim_spend (self, access_cost (self, access, kind, range, (double) bytes, fresh, moving));
  return TRUE;
}

static gboolean
sim_host_write (MemlaneDevice *device, void *pointer, const void *from, gsize bytes, GError **error)
{
  if (!access_memory (SIM (device), ACCESS_WRITE, "host write", pointer, bytes, error))
    return FALSE;
  move_bytes (SIM (device), pointer, from, bytes);
  return TRUE;
}

static gboolean
sim_host_fill (MemlaneDevice *device, void *pointer, int byte, gsize bytes, GError **error)
{
  if (!access_memory (SIM (device), ACCESS_FILL, "host fill", pointer, bytes, error))
    return FALSE;
  fill_bytes (SIM (device), pointer, byte, bytes);
  return TRUE;
}

static gboolean
sim_host_read (MemlaneDevice *device, void *to, const void *pointer, gsize bytes, GError **error)
{
  if (!access_memory (SIM (device), ACCESS_READ, "host read", pointer, bytes, error))
    return FALSE;
  move_bytes (SIM (device), to, pointer, bytes);
  return TRUE;
}

static gboolean
sim_host_touch (MemlaneDevice *device, const void *pointer, gsize bytes, GError **error)
{
  return access_memory (SIM (device), ACCESS_TOUCH, "host touch", pointer, bytes, error);
}

/* The calls of a program that has no context, one after the other. */
static gboolean
sim_start_anew (MemlaneDevice *device, gsize bytes, MemlaneFreshTimes *times, GError **error)
{
  const MemlaneMemoryCalls *const memory_calls = &memlane_sim_memory_calls;
  MemlaneSim *self = SIM (device);
  void *host = NULL, *memory = NULL;
  gboolean done;
  double begin;

#define TIMED(member, call)                                                                        \
  (begin = self->now, done = (call), times->member = self->now - begin, done)
  done = memory_calls->host_malloc (device, bytes, &host, error)
         && sim_host_fill (device, host, 1, bytes, error);
  memlane_sim_charge (self, MEMLANE_COST_RESET, 0);
  begin = self->now;
  memlane_sim_charge (self, MEMLANE_COST_CONTEXT, 0);
  times->context = self->now - begin;
  done = done && TIMED (malloc, memory_calls->malloc (device, bytes, &memory, error))
         && TIMED (to_device,
                   sim_memcpy (device, memory, host, bytes, MEMLANE_COPY_TO_DEVICE, error))
         && TIMED (to_host, sim_memcpy (device, host, memory, bytes, MEMLANE_COPY_TO_HOST, error))
         && TIMED (free, memory_calls->free (device, memory, error));
#undef TIMED
  begin = self->now;
  memlane_sim_charge (self, MEMLANE_COST_RESET, 0);
  times->reset = self->now - begin;
  memlane_sim_charge (self, MEMLANE_COST_CONTEXT, 0);
  return memory_calls->host_free (device, host, done ? error : NULL) && done;
}

/* --- at an operation's start and end ---------------------------------------------------------- */

/* Whether what a kernel left of @range in the second-level cache is still there: less than the
 * cache holds has come after it. The recorded H200 is as if only half of it counted; perhaps each
 * half of the chip keeps a copy of its own. */
static gboolean
is_cached (const MemlaneSim *self, const MemlaneSimRange *range)
{
  return range->l2_at > 0
         && self->l2_traffic - range->l2_at + range->bytes <= self->profile->info.l2_bytes / 2;
}

/* The time of a kernel on the device's own memory, by how many of its inputs the cache holds; from
 * now on it holds them all. */
static double
pass_through_cache (MemlaneSim *self, MemlaneSimOp *op)
{
  guint cold = op->cold_inputs;

  for (guint i = 0; i < G_N_ELEMENTS (op->cached); i++)
    if (op->cached[i] != NULL)
      {
        cold += i > 0 && !is_cached (self, op->cached[i]);
        self->l2_traffic += op->bytes;
      }
  for (guint i = 0; i < G_N_ELEMENTS (op->cached); i++)
    if (op->cached[i] != NULL)
      op->cached[i]->l2_at = self->l2_traffic;
  if (op->cold <= op->warm || op->inputs == 0 || self->profile->info.l2_bytes == 0)
    return op->work;
  return op->warm + (op->cold - op->warm) * cold / op->inputs;
}

static double
kernel_work (MemlaneSim *self, MemlaneSimOp *op)
{
  gboolean fill = op->kind == SIM_OP_FILL;
  const char *const at[3] = { op->to, op->from, op->from2 };
  double moving = pass_through_cache (self, op), alone = MAX (moving, op->arithmetic), remote = 0,
         migration;

  if (op->additions > 0)
    op->counted = *(const guint32 *) (gconstpointer) op->to;
  if (op->ranges[0] == NULL && op->ranges[1] == NULL && op->ranges[2] == NULL)
    return alone;
  migration = migrate_for_device (self, op->ranges, at, fill ? 1 : 3, op->bytes, &remote,
                                  &op->moved);
  op->migration = migration;
  if (remote > 0)
    {
      double mapped = memlane_sim_cost (self, MEMLANE_COST_KERNEL_LINK,
                                        (double) op->bytes * MAX (op->inputs, 1));

      op->up_demand = MAX (op->up_demand, remote);
      alone += remote * MAX (0, mapped - alone);
    }
  op->memory_demand *= alone / (alone + migration);
  return alone + migration;
}

/* The time of a prefetch: only pages that are not there yet move. One that the call itself makes
 * brings its time along. */
static double
prefetch_work (MemlaneSim *self, MemlaneSimOp *op)
{
  gboolean up = op->location == MEMLANE_LOCATION_DEVICE;
  double ns, away = bytes_away (op->ranges[0], op->from, op->bytes, op->location);

  if (away <= 0)
    return 0;
  op->moved.migrated = away;
  ns = op->work > 0 ? op->work
                    : memlane_sim_cost (
                          self, up ? MEMLANE_COST_PREFETCH_UP : MEMLANE_COST_PREFETCH_DOWN, away);
  /* Most of a prefetch is the driver's work on page tables; it leaves the link to others as far as
   * it does not move bytes. */
  *(up ? &op->up_demand : &op->down_demand) = staged_demand (self, (gsize) away, ns);
  return ns;
}

double
memlane_sim_work_at_start (MemlaneSim *self, MemlaneSimOp *op)
{
  switch (op->kind)
    {
    case SIM_OP_KERNEL:
    case SIM_OP_FILL:
      return kernel_work (self, op);
    case SIM_OP_PREFETCH:
      return prefetch_work (self, op);
    case SIM_OP_LATCH:
      return op->byte != 0 ? 0 : MEMLANE_LATCH_TIMEOUT_NS;
    case SIM_OP_ALLOC:
      /* It goes on beside the copies that follow. */
      op->stream->mapped_at = MAX (op->stream->mapped_at, self->device_time) + op->work;
      return 0;
    case SIM_OP_WAIT:
      /* Only one that has really waited: an event that has long passed costs nothing, and one that
       * passed while the stream waited for another costs what is left. */
      if (self->device_time <= MAX (op->ready, op->stream->last_end) + 1)
        return 0;
      if (op->event != NULL && op->event->seq == op->wait_seq)
        return CLAMP (op->event->time + memlane_sim_host (self, EVENT_WAIT) - self->device_time, 0,
                      memlane_sim_host (self, EVENT_WAIT));
      return memlane_sim_host (self, EVENT_WAIT);
    case SIM_OP_EVENT:
      return memlane_sim_host (self, EVENT);
    case SIM_OP_COPY:
    case SIM_OP_HOST_FUNCTION:
    case SIM_OP_BACKGROUND:
    case SIM_OP_FAULT:
    case SIM_OP_BARRIER:
    case SIM_OP_FREE:
    default:
      return op->work;
    }
}

/* Its result from @first on, @n elements of it. */
static void
compute (const MemlaneSimOp *op, gsize first, gsize n)
{
  float *out = (float *) (gpointer) op->to + first;
  const float *a = (const float *) (gconstpointer) op->from + first;

  if ((op->kernel & MEMLANE_KERNEL_COPY) == 0)
    memlane_reference_add (out, a, (const float *) (gconstpointer) op->from2 + first, n);
  else
    memlane_reference_copy (out, a, n);
}

static void
run_kernel (MemlaneSim *self, const MemlaneSimOp *op)
{
  float *out = (float *) (gpointer) op->to;
  gsize middle = op->bytes / sizeof (float) / 2;

  if (op->repeats)
    return;
  if (op->additions > 0)
    {
      /* what the host has added meanwhile is lost */
      *(guint32 *) (gpointer) op->to = op->counted + op->additions;
      return;
    }
  for (gsize i = 0; op->copies != NULL && i < op->copies->n; i++)
    move_bytes (self, op->copies->to[i], op->copies->from[i], op->copies->bytes[i]);
  if (op->copies != NULL)
    {
      ((char *) op->copies->to[0])[0] ^= self->profile->corrupt_kernel;
      return;
    }
  for (MemlanePiece piece = { 0, 0 };
       memlane_sim_next_piece (self, op->to, op->from, op->bytes, &piece);)
    {
      compute (op, piece.at / sizeof (float), piece.bytes / sizeof (float));
      if (piece.bytes < op->bytes)
        middle = piece.at / sizeof (float); /* there something can be seen to be wrong */
    }
  if (self->profile->corrupt_kernel)
    out[middle] = out[middle] * 2 + 1;
}

void
memlane_sim_perform (MemlaneSim *self, MemlaneSimOp *op)
{
  if (G_UNLIKELY (self->parent.tracer != NULL))
    tell_op (self, op);
  if (op->kind == SIM_OP_FREE)
    {
      *(self->pool_keeps ? &self->pool_free : &self->freed_async) += op->ranges[0]->bytes;
      memlane_sim_range_free (self, op->ranges[0]);
      op->ranges[0] = NULL;
      return;
    }
  if (self->parent.lost_by != NULL)
    return; /* nothing happens on a dead context */

  switch (op->kind)
    {
    case SIM_OP_COPY:
      if (op->copies != NULL)
        for (gsize i = 0; i < op->copies->n; i++)
          move_bytes (self, op->copies->to[i], op->copies->from[i], op->copies->bytes[i]);
      else
        move_bytes (self, op->to, op->staged != NULL ? op->staged : op->from, op->bytes);
      if (op->cached[0] != NULL)
        op->cached[0]->l2_at = 0; /* a copy engine writes past the cache */
      if (op->ranges[0] != NULL)
        memlane_sim_place (op->ranges[0], op->to, op->bytes, op->location);
      break;
    case SIM_OP_FILL:
      fill_bytes (self, op->to, op->byte, op->bytes);
      break;
    case SIM_OP_KERNEL:
      run_kernel (self, op);
      break;
    case SIM_OP_PREFETCH:
      memlane_sim_place (op->ranges[0], op->from, op->bytes, op->location);
      break;
    case SIM_OP_HOST_FUNCTION:
      self->parent.in_host_function = TRUE;
      op->function (op->data);
      self->parent.in_host_function = FALSE;
      break;
    case SIM_OP_FAULT:
      self->parent.lost_by =
          "cudaErrorIllegalAddress: a kernel used an address that the device cannot reach; "
          "the context is lost until the process ends";
      break;
    case SIM_OP_EVENT:
    case SIM_OP_WAIT:
    case SIM_OP_BARRIER:
    case SIM_OP_LATCH:
    case SIM_OP_ALLOC:
    case SIM_OP_FREE:
    case SIM_OP_BACKGROUND:
    default:
      break;
    }
}

/* --- the tables ------------------------------------------------------------------------------- */

static gboolean
trace_end (MemlaneDevice *device, MemlaneTracer *tracer, GError **error)
{
  if (tracer == NULL)
    return TRUE;
  memlane_text_set (&memlane_tracer_get_info (tracer)->source, "simulated device");
  memlane_tracer_add_note (
      tracer, "simulated: the schedule is the model's, its times come from the profile");
  return TRUE;
}

static double
trace_clock (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);

  return self->parent.in_host_function ? self->device_time : self->now;
}

static guint32
trace_stream (MemlaneDevice *device, MemlaneTracer *tracer, MemlaneStream *stream)
{
  MemlaneSim *self = SIM (device);

  if (stream == NULL)
    stream = self->legacy;
  if (!g_ptr_array_find (self->streams, stream, NULL)) /* a bad handle: the call has failed */
    return MEMLANE_TRACE_NO_STREAM;
  tell_stream (self, tracer, stream);
  return stream->number;
}

const MemlaneTraceCalls memlane_sim_trace_calls = {
  .end = trace_end,
  .clock = trace_clock,
  .stream = trace_stream,
};

#define ROW(name) .name = sim_##name,
const MemlaneWorkCalls memlane_sim_work_calls = { MEMLANE_WORK_CALLS (ROW) };
const MemlaneAccessCalls memlane_sim_access_calls = { MEMLANE_ACCESS_CALLS (ROW) };
