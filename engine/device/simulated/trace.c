/* trace.c: what the simulated device tells a tracer: every operation of the queue, every wait, every page that moves
 *
 * SPDX-License-Identifier: MIT
 *
 * Telling takes no virtual time and changes nothing: a traced sample lasts as long as an untraced one.
 */
#include "simulated.h"

static guint8
memory_of (MemlaneSimKind kind)
{
  static const guint8 memories[] = {
    [SIM_UNKNOWN] = MEMLANE_TRACE_MEMORY_UNKNOWN,
    [SIM_PAGEABLE] = MEMLANE_TRACE_MEMORY_PAGEABLE,
    [SIM_PINNED] = MEMLANE_TRACE_MEMORY_PINNED,
    [SIM_DEVICE] = MEMLANE_TRACE_MEMORY_DEVICE,
    [SIM_MANAGED] = MEMLANE_TRACE_MEMORY_MANAGED,
    [SIM_PEER] = MEMLANE_TRACE_MEMORY_PEER,
    [SIM_REGISTERED] = MEMLANE_TRACE_MEMORY_PINNED,
    [SIM_ALIAS] = MEMLANE_TRACE_MEMORY_PINNED,
  };

  return memories[kind];
}

static void
tell_stream (MemlaneSim *self, MemlaneTracer *tracer, const MemlaneStream *stream)
{
  const MemlaneTraceStream told = {
    .number = stream->number,
    .is_default = stream == self->legacy,
    .non_blocking = stream->non_blocking,
    .priority = stream->priority,
  };

  memlane_tracer_add_stream (tracer, &told);
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

/* --- operations ---------------------------------------------------------------------------------------------------- */

/* Tells of pages that were missed and have moved between @start and @end; @event has all else. */
static void
tell_pages (MemlaneTracer *tracer, MemlaneTraceEvent *event, const MemlaneSimMoved *moved, double start, double end)
{
  if (moved->blocks == 0)
    return;
  event->kind = MEMLANE_TRACE_FAULT;
  event->count = moved->blocks;
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
    .source = memory_of (op->destination), /* one memory for both sides: managed, or pageable that the device can reach */
    .destination = memory_of (op->destination),
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
  [SIM_OP_EVENT] = { FALSE, 0, 0, NULL },
  [SIM_OP_WAIT] = { TRUE, MEMLANE_TRACE_SYNCHRONISATION, MEMLANE_TRACE_ON_DEVICE, "wait for event" },
  [SIM_OP_BARRIER]
    = { TRUE, MEMLANE_TRACE_SYNCHRONISATION, MEMLANE_TRACE_ON_DEVICE | MEMLANE_TRACE_IMPLICIT, "implicit synchronisation" },
  [SIM_OP_HOST_FUNCTION] = { TRUE, MEMLANE_TRACE_HOST_FUNCTION, 0, NULL },
  [SIM_OP_LATCH] = { TRUE, MEMLANE_TRACE_KERNEL, 0, "latch" },
  [SIM_OP_ALLOC] = { FALSE, 0, 0, NULL },
  [SIM_OP_FREE] = { FALSE, 0, 0, NULL },
  [SIM_OP_FAULT] = { TRUE, MEMLANE_TRACE_KERNEL, MEMLANE_TRACE_FAILED, NULL },
};

void
memlane_sim_trace_op (MemlaneSim *self, const MemlaneSimOp *op)
{
  MemlaneTracer *tracer = self->parent.tracer;
  MemlaneTraceEvent event = {
    .kind = (guint8) shapes[op->kind].kind,
    .bytes = op->bytes,
    .correlation = op->correlation,
    .stream = op->stream->number,
    .way = (guint8) op->way,
    .source = memory_of (op->source),
    .destination = memory_of (op->destination),
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
    name = op->kernel == MEMLANE_KERNEL_ADD ? "add" : "copy";
  if (op->kind == SIM_OP_KERNEL || op->kind == SIM_OP_FILL)
    tell_faults (tracer, op);
  if (op->kind == SIM_OP_PREFETCH)
    {
      if (op->moved.migrated <= 0)
        return; /* all of it was there */
      event.bytes = (guint64) op->moved.migrated;
      event.way = op->location == MEMLANE_LOCATION_DEVICE ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
      event.source = event.destination = MEMLANE_TRACE_MEMORY_MANAGED;
    }
  if (op->kind == SIM_OP_WAIT)
    {
      start = MAX (op->ready, op->stream->last_end);
      if (op->wait_seq == 0 || op->end <= start) /* a marker of a wait of the host's, or nothing to wait for */
        return;
    }
  if (op->kind == SIM_OP_BARRIER)
    start = op->ready;
  tell_stream (self, tracer, op->stream);
  memlane_tracer_add (tracer, &event, name, start, op->end);
}

/* --- the host's side -------------------------------------------------------------------------------------------------- */

void
memlane_sim_trace_wait (MemlaneSim *self, const MemlaneStream *stream, double begin)
{
  MemlaneTracer *tracer = self->parent.tracer;
  const char *call = memlane_tracer_get_call (tracer);
  gboolean is_asked = call != NULL && g_str_has_suffix (call, "Synchronize");
  const MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_SYNCHRONISATION,
    .correlation = memlane_tracer_get_correlation (tracer),
    .stream = stream != NULL ? stream->number : MEMLANE_TRACE_NO_STREAM,
    .flags = is_asked ? 0 : MEMLANE_TRACE_IMPLICIT,
  };

  memlane_tracer_add (tracer, &event, stream == NULL ? "wait for device" : "wait for stream", begin, self->now);
}

void
memlane_sim_trace_host_copy (MemlaneSim *self, MemlaneTraceKind kind, const MemlaneStream *stream, MemlaneSimKind to, MemlaneSimKind from,
                             gsize bytes, double begin)
{
  MemlaneTracer *tracer = self->parent.tracer;
  const MemlaneTraceEvent event = {
    .kind = (guint8) kind,
    .bytes = bytes,
    .correlation = memlane_tracer_get_correlation (tracer),
    .stream = stream->number,
    .way = kind == MEMLANE_TRACE_STAGING ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_ON_HOST,
    .source = memory_of (from),
    .destination = memory_of (to),
  };

  memlane_tracer_add (tracer, &event, NULL, begin, self->now);
}

void
memlane_sim_trace_host_faults (MemlaneSim *self, MemlaneSimKind kind, const MemlaneSimMoved *moved, double ns)
{
  MemlaneTracer *tracer = self->parent.tracer;
  MemlaneTraceEvent event = {
    .correlation = memlane_tracer_get_correlation (tracer),
    .stream = MEMLANE_TRACE_NO_STREAM,
    .way = MEMLANE_TRACE_WAY_TO_HOST,
    .source = memory_of (kind),
    .destination = memory_of (kind),
  };

  tell_pages (tracer, &event, moved, self->now, self->now + ns);
}

/* --- driver ------------------------------------------------------------------------------------------------------------ */

static gboolean
trace_begin (MemlaneDevice *device, GError **error)
{
  return memlane_sim_admit (SIM (device), "tracing", error);
}

static gboolean
trace_end (MemlaneDevice *device, MemlaneTracer *tracer, GError **error)
{
  if (tracer == NULL)
    return TRUE;
  memlane_tracer_set_source (tracer, "simulated device");
  memlane_tracer_add_note (tracer, "simulated: the schedule is the model's, its times come from the profile");
  return TRUE;
}

static double
trace_clock (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);

  return self->in_host_function ? self->device_time : self->now;
}

const MemlaneTraceCalls memlane_sim_trace_calls = {
  .begin = trace_begin,
  .end = trace_end,
  .clock = trace_clock,
  .stream = trace_stream,
};
