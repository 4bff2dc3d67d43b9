/* simulated-trace.c: what the model tells a tracer: every operation of the queue, every wait, every page that moves
 *
 * SPDX-License-Identifier: MIT
 *
 * Telling takes no virtual time and changes nothing: a traced sample lasts as long as an untraced one.
 */
#include "simulated.h"

#include <string.h>

#define FIRST_NUMBER 13 /* as profilers number the first stream that a program creates */

MemlaneTraceMemory
memlane_sim_trace_memory (MemlaneSimKind kind)
{
  switch (kind)
    {
    case SIM_PAGEABLE:
      return MEMLANE_TRACE_MEMORY_PAGEABLE;
    case SIM_PINNED:
    case SIM_REGISTERED:
    case SIM_ALIAS:
      return MEMLANE_TRACE_MEMORY_PINNED;
    case SIM_DEVICE:
      return MEMLANE_TRACE_MEMORY_DEVICE;
    case SIM_MANAGED:
      return MEMLANE_TRACE_MEMORY_MANAGED;
    case SIM_PEER:
      return MEMLANE_TRACE_MEMORY_PEER;
    default:
      return MEMLANE_TRACE_MEMORY_UNKNOWN;
    }
}

guint32
memlane_sim_trace_free_number (MemlaneSim *self)
{
  guint32 number = FIRST_NUMBER;
  gboolean taken;

  do
    {
      taken = FALSE;
      for (guint i = 0; i < self->streams->len && !taken; i++)
        taken = ((const MemlaneStream *) self->streams->pdata[i])->number == number;
      number += taken;
    }
  while (taken);
  return number;
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

guint32
memlane_sim_trace_stream (MemlaneDevice *device, MemlaneTracer *tracer, MemlaneStream *stream)
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

/* Pages that a kernel (or memset) missed, and their way up: its work begins with that. */
static void
trace_faults (MemlaneSim *self, const MemlaneSimOp *op)
{
  double share = op->work > 0 ? op->migration / op->work : 0;
  double end = op->start + share * (op->end - op->start);
  MemlaneTraceEvent event = {
    .correlation = op->correlation,
    .stream = op->stream->number,
    .kind = MEMLANE_TRACE_FAULT,
    .way = MEMLANE_TRACE_WAY_TO_DEVICE,
    .source = op->destination, /* one memory for both sides: managed, or pageable that the device can reach */
    .destination = op->destination,
    .count = op->faults,
    .flags = MEMLANE_TRACE_ON_DEVICE,
  };

  if (op->faults == 0)
    return;
  memlane_tracer_add (self->parent.tracer, &event, NULL, op->start, end);
  event.kind = MEMLANE_TRACE_MIGRATION;
  event.count = 0;
  event.bytes = (guint64) op->migrated;
  if (event.bytes > 0)
    memlane_tracer_add (self->parent.tracer, &event, NULL, op->start, end);
  event.bytes = (guint64) op->duplicated;
  event.flags |= MEMLANE_TRACE_DUPLICATED;
  if (event.bytes > 0)
    memlane_tracer_add (self->parent.tracer, &event, NULL, op->start, end);
}

void
memlane_sim_trace_op (MemlaneSim *self, const MemlaneSimOp *op)
{
  MemlaneTracer *tracer = self->parent.tracer;
  MemlaneTraceEvent event = {
    .bytes = op->bytes,
    .correlation = op->correlation,
    .stream = op->stream->number,
    .way = op->way,
    .source = op->source,
    .destination = op->destination,
  };
  const char *name = NULL;
  double start = op->start;

  switch (op->kind)
    {
    case SIM_OP_COPY:
      event.kind = MEMLANE_TRACE_COPY;
      if (op->source == MEMLANE_TRACE_MEMORY_PAGEABLE || op->destination == MEMLANE_TRACE_MEMORY_PAGEABLE)
        event.flags |= MEMLANE_TRACE_STAGED;
      if (op->staging > 0)
        {
          MemlaneTraceEvent staging = event;

          staging.kind = MEMLANE_TRACE_STAGING;
          staging.bytes = op->staging;
          if (op->way == MEMLANE_TRACE_WAY_TO_HOST)
            staging.source = MEMLANE_TRACE_MEMORY_PINNED;
          else
            staging.destination = MEMLANE_TRACE_MEMORY_PINNED;
          memlane_tracer_add (tracer, &staging, NULL, op->start, op->end);
        }
      break;
    case SIM_OP_FILL:
      event.kind = MEMLANE_TRACE_MEMSET;
      trace_faults (self, op);
      break;
    case SIM_OP_KERNEL:
      event.kind = MEMLANE_TRACE_KERNEL;
      name = op->kernel == MEMLANE_KERNEL_ADD ? "add" : "copy";
      trace_faults (self, op);
      break;
    case SIM_OP_FAULT:
      event.kind = MEMLANE_TRACE_KERNEL;
      event.flags |= MEMLANE_TRACE_FAILED;
      break;
    case SIM_OP_LATCH:
      event.kind = MEMLANE_TRACE_KERNEL;
      name = "latch";
      break;
    case SIM_OP_PREFETCH:
      if (op->migrated <= 0)
        return; /* all of it was there */
      event.kind = MEMLANE_TRACE_MIGRATION;
      event.flags |= MEMLANE_TRACE_PREFETCHED;
      event.bytes = (guint64) op->migrated;
      event.way = op->location == MEMLANE_LOCATION_DEVICE ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
      event.source = event.destination = MEMLANE_TRACE_MEMORY_MANAGED;
      break;
    case SIM_OP_HOST_FUNCTION:
      event.kind = MEMLANE_TRACE_HOST_FUNCTION;
      break;
    case SIM_OP_WAIT:
      start = MAX (op->ready, op->stream->last_end);
      if (op->wait_seq == 0 || op->end <= start) /* a marker of a wait of the host's, or nothing to wait for */
        return;
      event.kind = MEMLANE_TRACE_SYNCHRONISATION;
      event.flags |= MEMLANE_TRACE_ON_DEVICE;
      name = "wait for event";
      break;
    case SIM_OP_BARRIER:
      start = op->ready;
      event.kind = MEMLANE_TRACE_SYNCHRONISATION;
      event.flags |= MEMLANE_TRACE_ON_DEVICE | MEMLANE_TRACE_IMPLICIT;
      name = "implicit synchronisation";
      break;
    case SIM_OP_EVENT:
    case SIM_OP_ALLOC:
    case SIM_OP_FREE:
    default:
      return;
    }
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
    .source = (guint8) memlane_sim_trace_memory (from),
    .destination = (guint8) memlane_sim_trace_memory (to),
  };

  memlane_tracer_add (tracer, &event, NULL, begin, self->now);
}

void
memlane_sim_trace_host_faults (MemlaneSim *self, MemlaneSimKind kind, const MemlaneSimMoved *moved, double ns)
{
  MemlaneTracer *tracer = self->parent.tracer;
  MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_FAULT,
    .correlation = memlane_tracer_get_correlation (tracer),
    .stream = MEMLANE_TRACE_NO_STREAM,
    .way = MEMLANE_TRACE_WAY_TO_HOST,
    .source = (guint8) memlane_sim_trace_memory (kind),
    .destination = (guint8) memlane_sim_trace_memory (kind),
    .count = moved->blocks,
  };

  if (moved->blocks == 0)
    return;
  memlane_tracer_add (tracer, &event, NULL, self->now, self->now + ns);
  event.kind = MEMLANE_TRACE_MIGRATION;
  event.count = 0;
  event.bytes = (guint64) moved->migrated;
  if (event.bytes > 0)
    memlane_tracer_add (tracer, &event, NULL, self->now, self->now + ns);
  event.bytes = (guint64) moved->duplicated;
  event.flags |= MEMLANE_TRACE_DUPLICATED;
  if (event.bytes > 0)
    memlane_tracer_add (tracer, &event, NULL, self->now, self->now + ns);
}

/* --- driver ------------------------------------------------------------------------------------------------------------ */

gboolean
memlane_sim_trace_begin (MemlaneDevice *device, GError **error)
{
  return memlane_sim_admit (SIM (device), "tracing", error);
}

gboolean
memlane_sim_trace_end (MemlaneDevice *device, MemlaneTracer *tracer, GError **error)
{
  if (tracer == NULL)
    return TRUE;
  memlane_tracer_set_source (tracer, "simulated device");
  memlane_tracer_add_note (tracer, "simulated: the schedule is the model's, its times come from the profile");
  return TRUE;
}

double
memlane_sim_trace_clock (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);

  return self->in_host_function ? self->device_time : self->now;
}
