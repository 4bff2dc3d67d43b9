/* simulated.c: the simulated device: opening and closing, what calls cost; its streams, events and
 * latch: what starts when, how fast, and when it ends
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/host-memory.h"
#include "base/owns.h"

/* A device runs at most so many kernels at once. */
#define MOST_KERNELS 128
#define FIRST_NUMBER 13 /* as profilers number the first stream that a program creates */

/* --- errors and costs ------------------------------------------------------------------------- */

gboolean
memlane_sim_fail (GError **error, MemlaneDeviceError code, const char *reason,
                  const char *call_format, ...)
{
  va_list arguments;
  g_autofree char *call = NULL;

  if (error == NULL)
    return FALSE;
  va_start (arguments, call_format);
  call = g_strdup_vprintf (call_format, arguments);
  va_end (arguments);
  return memlane_fail (error, MEMLANE_DEVICE_ERROR, code, "%s: %s", call, reason);
}

/* --- operations ------------------------------------------------------------------------------- */

MemlaneSimOp *
memlane_sim_op_new (MemlaneSim *self, MemlaneSimOpKind kind, MemlaneStream *stream)
{
  MemlaneSimOp *op = g_new0 (MemlaneSimOp, 1);

  op->kind = kind;
  op->stream = memlane_sim_get_stream (self, stream);
  if (kind == SIM_OP_KERNEL || kind == SIM_OP_FILL || kind == SIM_OP_FAULT)
    op->engine = SIM_ENGINE_COMPUTE;
  return op;
}

static MEMLANE_DEFINE_FREE (MemlaneSimOp, void op_free (MemlaneSimOp *data),
                            OWNS (staged, g_free) OWNS (copies, memlane_copies_free))

guint64
memlane_sim_issue (MemlaneSim *self, MemlaneSimOp *op, double latency)
{
  MemlaneStream *stream = op->stream;

  op->seq = ++self->seq;
  if (op->kind != SIM_OP_BACKGROUND) /* whose calls are no program's */
    {
      self->row = self->row_stream == stream && self->row_kind == op->kind ? self->row + 1 : 1;
      self->row_stream = stream;
      self->row_kind = op->kind;
    }
  op->ready = self->now + memlane_sim_vary (self, latency);
  if (G_UNLIKELY (self->parent.tracer != NULL))
    op->correlation = self->parent.tracer->correlation;
  if (op->engine != SIM_ENGINE_NONE)
    op->engine_switch = memlane_sim_vary (self,
                                          memlane_sim_cost (self, MEMLANE_COST_ENGINE_SWITCH, 0));
  if (stream->tail != NULL)
    stream->tail->next = op;
  else
    stream->head = op;
  stream->tail = op;
  return op->seq;
}

static gboolean
is_idle (MemlaneSim *self)
{
  MEMLANE_FOR_EACH (const MemlaneStream, stream, self->streams)
    if (stream->head != NULL && stream != self->background[0] && stream != self->background[1])
      return FALSE;
  return TRUE;
}

/* The legacy default stream has work as long as a blocking stream has, for which it would wait. */
gboolean
memlane_sim_has_work (MemlaneSim *self, const MemlaneStream *stream)
{
  if (stream->head != NULL)
    return TRUE;
  for (guint i = 1; stream == self->legacy && i < self->streams->len; i++)
    {
      const MemlaneStream *other = self->streams->pdata[i];

      if (!other->non_blocking && other->head != NULL)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_done (MemlaneSim *self, MemlaneStream *stream, guint64 seq)
{
  return stream->head == NULL || stream->head->seq > seq;
}

/* --- what may start --------------------------------------------------------------------------- */

/* Whether a command of a blocking stream need not wait for the legacy default stream. A host
 * function there holds up no other stream: so it was on an H100 and on an H200. */
static gboolean
legacy_allows (MemlaneSim *self, guint64 seq)
{
  const MemlaneSimOp *op = self->legacy->head;

  while (op != NULL && op->seq <= seq && op->kind == SIM_OP_HOST_FUNCTION)
    op = op->next;
  return op == NULL || op->seq > seq;
}

/* The legacy default stream and the blocking streams wait for each other; non-blocking streams for
 * nobody. */
static gboolean
order_allows (MemlaneSim *self, const MemlaneSimOp *op)
{
  if (op->stream->non_blocking)
    return TRUE;
  if (op->stream != self->legacy)
    return legacy_allows (self, op->seq);
  for (guint i = 1; i < self->streams->len; i++)
    {
      MemlaneStream *other = self->streams->pdata[i];
      if (!other->non_blocking && !is_done (self, other, op->seq))
        return FALSE;
    }
  return TRUE;
}

/* Whether nothing that was issued earlier is still to pass the same engine. */
static gboolean
is_next_on_engine (MemlaneSim *self, const MemlaneSimOp *op)
{
  MEMLANE_FOR_EACH (const MemlaneStream, stream, self->streams)
    for (const MemlaneSimOp *other = stream->head; other != NULL && other->seq < op->seq;
         other = other->next)
      if (other->engine == op->engine && other->kind != SIM_OP_BACKGROUND)
        return FALSE;
  return TRUE;
}

static gboolean
engine_allows (MemlaneSim *self, const MemlaneSimOp *op)
{
  guint running = self->engine_running[op->engine];

  if (op->engine == SIM_ENGINE_NONE)
    return TRUE;
  if (op->engine != SIM_ENGINE_COMPUTE)
    return running == 0 && (!self->profile->in_order_engines || is_next_on_engine (self, op));
  return running == 0
         || (running < MOST_KERNELS && memlane_sim_can (self, MEMLANE_CAN_CONCURRENT_KERNELS));
}

/* When the head of a stream may start as far as time alone goes. */
static double
due (MemlaneSim *self, const MemlaneSimOp *op)
{
  double earliest = op->ready;

  if (op->engine != SIM_ENGINE_NONE && op->stream->last_engine != SIM_ENGINE_NONE
      && op->engine != op->stream->last_engine)
    earliest = MAX (earliest, op->stream->last_end + op->engine_switch);
  if (op->kind == SIM_OP_KERNEL || op->kind == SIM_OP_EVENT)
    earliest = MAX (earliest, op->stream->mapped_at);
  if (op->kind == SIM_OP_KERNEL)
    earliest = MAX (earliest, self->kernel_start + memlane_sim_host (self, KERNEL_INTERVAL));
  return earliest;
}

static gboolean
may_start (MemlaneSim *self, const MemlaneSimOp *op)
{
  if (!order_allows (self, op) || !engine_allows (self, op))
    return FALSE;
  if (op->engine == SIM_ENGINE_COMPUTE && op->kind != SIM_OP_LATCH)
    MEMLANE_FOR_EACH (const MemlaneSimOp, other, self->active)
      if (other->share >= 1)
        return FALSE;
  return op->kind != SIM_OP_WAIT || is_done (self, op->wait_stream, op->wait_seq);
}

/* Kernels that wait for the same engine go by priority, those of the background last. Everything
 * else goes by order of issue: so do copies behind queued copies on an H100. */
static gboolean
goes_before (const MemlaneSimOp *a, const MemlaneSimOp *b)
{
  gboolean compute = a->engine == SIM_ENGINE_COMPUTE && b->engine == SIM_ENGINE_COMPUTE;

  if (compute && (a->kind == SIM_OP_BACKGROUND) != (b->kind == SIM_OP_BACKGROUND))
    return b->kind == SIM_OP_BACKGROUND;
  if (compute && a->stream->priority != b->stream->priority)
    return a->stream->priority < b->stream->priority;
  return a->seq < b->seq;
}

/* The delay of each operation per share of a common resource that it wants, so that all of them
 * stay within @room of it. @offset: of that share in an operation. An operation that wants the
 * share d takes 1 + d x the answer as long. @like: those of its priority alone. */
static double
hold_up (MemlaneSim *self, gsize offset, const MemlaneSimOp *like, double room)
{
  double low = 0, high = 0, try = 0;

  for (guint step = 0; step < 60; step++, try = high > 0 ? (low + high) / 2 : 2 * low + 1)
    {
      double used = 0;

      MEMLANE_FOR_EACH (const MemlaneSimOp, other, self->active)
        {
          double want = G_STRUCT_MEMBER (double, other, offset);

          if (like == NULL || other->stream->priority == like->stream->priority)
            used += want / (1 + want * try);
        }
      if (used <= room && (high = try) == 0)
        return 0;
      if (used > room)
        low = try;
    }
  return high;
}

/* How much slower than alone @op runs beside the others. A kernel with priority takes the memory's
 * bandwidth first: its blocks are scheduled before the others' pending ones. */
static double
slowdown (MemlaneSim *self, const MemlaneSimOp *op, double up, double down)
{
  double before = 0, same = 0, other_way = 0, slow = 1;

  MEMLANE_FOR_EACH (const MemlaneSimOp, other, self->active)
    {
      if (other->stream->priority < op->stream->priority)
        before += other->memory_demand;
      else if (other->stream->priority == op->stream->priority)
        same += other->memory_demand;
      if (other != op)
        other_way = MAX (other_way, MAX (op->up_demand > 0 ? other->down_demand : 0,
                                         op->down_demand > 0 ? other->up_demand : 0));
    }
  if (op->memory_demand > 0)
    {
      double left = MAX (0.02, 1 - before);

      if (same > left)
        slow = MAX (slow, 1
                              + op->memory_demand
                                    * hold_up (self, G_STRUCT_OFFSET (MemlaneSimOp, memory_demand),
                                               op, left));
    }
  slow = MAX (slow, 1 + op->up_demand * up);
  slow = MAX (slow, 1 + op->down_demand * down);
  if (other_way > 0)
    slow *= 1
            + MIN (1, other_way) * MAX (op->up_demand, op->down_demand)
                  * (1 / self->profile->both_directions_factor - 1);
  return slow;
}

static void
work_out_rates (MemlaneSim *self)
{
  double up = hold_up (self, G_STRUCT_OFFSET (MemlaneSimOp, up_demand), NULL, 1);
  double down = hold_up (self, G_STRUCT_OFFSET (MemlaneSimOp, down_demand), NULL, 1);

  MEMLANE_FOR_EACH (MemlaneSimOp, op, self->active)
    {
      double rate = op->kind == SIM_OP_LATCH ? 1 : 1 / slowdown (self, op, up, down);

      if (memlane_sim_is_background (self))
        rate /= memlane_sim_background_hold_up (self, op);

      if (rate == op->rate)
        continue; /* its end stands, to the last bit */
      op->remaining -= (self->device_time - op->updated) * op->rate;
      op->remaining = MAX (op->remaining, 0);
      op->updated = self->device_time;
      op->rate = rate;
      op->end = self->device_time + op->remaining / rate;
    }
}

/* @ns as the device's clock tells it. */
static double
read_clock (const MemlaneSim *self, double ns)
{
  double tick = self->profile->tick_ns;

  return tick > 0 ? floor (ns / tick) * tick : ns;
}

/* Takes @op, the head of its stream, out of the queue. Its bytes change before anything behind it
 * can look. */
static void
finish (MemlaneSim *self, MemlaneSimOp *op)
{
  MemlaneStream *stream = op->stream;

  op->end = self->device_time;
  if (op->engine != SIM_ENGINE_NONE)
    {
      self->engine_running[op->engine]--;
      stream->last_engine = op->engine;
      stream->last_end = op->end;
    }
  if (op == self->latch)
    {
      self->latch = NULL;
      self->latch_late |= self->latch_closed; /* nobody has opened it */
    }
  if (op->kind == SIM_OP_EVENT && op->event->seq == op->seq)
    op->event->time = read_clock (self, op->end);
  memlane_sim_perform (self, op);
  self->background_done += stream == self->background[self->beside == MEMLANE_BESIDE_COPIES_DOWN];

  stream->head = op->next;
  if (stream->head == NULL)
    {
      stream->tail = NULL;
      if (stream->destroyed)
        g_ptr_array_remove (self->streams, stream);
    }
  op_free (op);
}

static void
start (MemlaneSim *self, MemlaneSimOp *op)
{
  op->started = TRUE;
  op->start = op->updated = self->device_time;
  if (op->kind == SIM_OP_KERNEL)
    self->kernel_start = op->start;
  if (op->engine != SIM_ENGINE_NONE)
    self->engine_running[op->engine]++;
  op->work = memlane_sim_work_at_start (self, op);
  if (op->kind != SIM_OP_LATCH) /* which gives way after a time that is fixed */
    {
      op->work = memlane_sim_vary (self, op->work);
      op->migration = memlane_sim_vary (self, op->migration);
    }
  if (op->work <= 0)
    {
      finish (self, op);
      return;
    }
  op->remaining = op->work;
  op->rate = 1;
  op->end = op->start + op->work;
  g_ptr_array_add (self->active, op);
  work_out_rates (self);
}

/* Starts whatever can start now. */
static void
settle (MemlaneSim *self)
{
  for (;;)
    {
      MemlaneSimOp *first = NULL;

      MEMLANE_FOR_EACH (const MemlaneStream, stream, self->streams)
        {
          MemlaneSimOp *op = stream->head;

          if (op != NULL && !op->started && due (self, op) <= self->device_time
              && (first == NULL || goes_before (op, first)) && may_start (self, op))
            first = op;
        }
      if (first == NULL)
        return;
      start (self, first);
    }
}

/* Plays events until @until, or until (@stream, @seq) is done, or with @all until nothing is
 * left. */
static void
play (MemlaneSim *self, double until, MemlaneStream *stream, guint64 seq, gboolean all)
{
  for (;;)
    {
      double next = INFINITY;
      gboolean ended = FALSE;

      settle (self);
      if ((stream != NULL && is_done (self, stream, seq)) || (all && is_idle (self)))
        return;
      MEMLANE_FOR_EACH (const MemlaneSimOp, op, self->active)
        next = MIN (next, op->end);
      MEMLANE_FOR_EACH (const MemlaneStream, other, self->streams)
        {
          MemlaneSimOp *op = other->head;

          /* Those that are due already wait for somebody else's end. */
          if (op != NULL && !op->started && due (self, op) > self->device_time)
            next = MIN (next, due (self, op));
        }
      if (next > until || next == INFINITY)
        {
          if (until != INFINITY)
            self->device_time = MAX (self->device_time, until);
          return;
        }
      self->device_time = MAX (self->device_time, next);
      for (guint i = 0; i < self->active->len;)
        {
          MemlaneSimOp *op = self->active->pdata[i];

          if (op->end > self->device_time)
            {
              i++;
              continue;
            }
          g_ptr_array_remove_index (self->active, i);
          finish (self, op);
          ended = TRUE;
        }
      if (ended)
        work_out_rates (self);
    }
}

void
memlane_sim_catch_up (MemlaneSim *self)
{
  if (self->parent.in_host_function)
    return;
  play (self, self->now, NULL, 0, FALSE);
}

/* Tells the tracer that the host has waited since @begin, for @stream or (NULL) for everything. */
static void
tell_wait (MemlaneSim *self, const MemlaneStream *stream, double begin)
{
  MemlaneTracer *tracer = self->parent.tracer;
  const char *call = tracer->call;
  gboolean is_asked = call != NULL && g_str_has_suffix (call, "Synchronize");
  const MemlaneTraceEvent event = {
    .kind = MEMLANE_TRACE_SYNCHRONISATION,
    .correlation = tracer->correlation,
    .stream = stream != NULL ? stream->number : MEMLANE_TRACE_NO_STREAM,
    .flags = is_asked ? 0 : MEMLANE_TRACE_IMPLICIT,
  };

  memlane_tracer_add (tracer, &event, stream == NULL ? "wait for device" : "wait for stream", begin,
                      self->now);
}

void
memlane_sim_wait (MemlaneSim *self, MemlaneStream *stream, guint64 seq)
{
  double before = self->now;

  memlane_sim_catch_up (self);
  self->row = 0;
  if (stream != NULL ? is_done (self, stream, seq) : is_idle (self))
    return;
  play (self, INFINITY, stream, seq, stream == NULL);
  self->now = MAX (before, self->device_time);
  memlane_sim_spend (self, memlane_sim_host (self, WAKE_UP));
  if (G_UNLIKELY (self->parent.tracer != NULL))
    tell_wait (self, stream, before);
}

void
memlane_sim_wait_before (MemlaneSim *self, MemlaneStream *stream)
{
  guint64 seq;

  if (is_idle (self))
    return;
  /* A marker stands where the command would. */
  seq = memlane_sim_issue (self, memlane_sim_op_new (self, SIM_OP_WAIT, stream), 0);
  stream->tail->wait_stream = self->legacy;
  memlane_sim_wait (self, stream, seq);
}

MemlaneStream *
memlane_sim_stream_new (MemlaneSim *self, guint32 number)
{
  MemlaneStream *stream = g_new0 (MemlaneStream, 1);

  stream->number = number;
  g_ptr_array_add (self->all, stream);
  g_ptr_array_add (self->streams, stream);
  return stream;
}

static void
queue_init (MemlaneSim *self)
{
  self->all = g_ptr_array_new_with_free_func (g_free);
  self->streams = g_ptr_array_new ();
  self->events = g_ptr_array_new ();
  self->graphs = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_copies_free);
  self->active = g_ptr_array_new ();
  self->legacy = memlane_sim_stream_new (self, 7);
}

/* Drops what is still queued. */
static void
drop_queued (MemlaneSim *self)
{
  MEMLANE_FOR_EACH (MemlaneStream, stream, self->streams)
    while (stream->head != NULL)
      {
        MemlaneSimOp *op = stream->head;

        stream->head = op->next;
        if (op->kind == SIM_OP_FREE && op->ranges[0] != NULL)
          memlane_sim_range_free (self, op->ranges[0]);
        op_free (op);
      }
}

static MEMLANE_DEFINE_CLEAR (MemlaneSim, void queue_clear (MemlaneSim *data),
                             OWNS (all, g_ptr_array_unref) OWNS (streams, g_ptr_array_unref)
                                 OWNS (events, g_ptr_array_unref) OWNS (graphs, g_ptr_array_unref)
                                     OWNS (active, g_ptr_array_unref))

/* --- the calls on streams, events and the latch ----------------------------------------------- */

/* Charges a wait for what the pool gives back after it. */
static void
spend_trim (MemlaneSim *self)
{
  if (self->freed_async > 0)
    memlane_sim_charge (self, MEMLANE_COST_TRIM, self->freed_async);
  self->freed_async = 0;
}

/* The lowest number that no stream has. */
static guint32
find_free_number (MemlaneSim *self)
{
  guint32 number = FIRST_NUMBER;

  for (guint i = 0; i < self->streams->len; i++)
    if (((const MemlaneStream *) self->streams->pdata[i])->number == number)
      {
        number++;
        i = 0; /* all again, but for the legacy one */
      }
  return number;
}

static gboolean
sim_stream_create (MemlaneDevice *device, gboolean non_blocking, int priority,
                   MemlaneStream **stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  const MemlaneDeviceInfo *info = &self->profile->info;

  memlane_sim_spend (self, memlane_sim_host (self, CREATE));
  *stream = memlane_sim_stream_new (self, find_free_number (self));
  (*stream)->non_blocking = non_blocking;
  /* as CUDA does */
  (*stream)->priority = CLAMP (priority, info->priority_greatest, info->priority_least);
  return TRUE;
}

static gboolean
sim_stream_destroy (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CREATE));
  memlane_sim_catch_up (self);
  /* Returns at once; what is queued still runs, and the last of it takes the stream along. */
  stream->destroyed = TRUE;
  if (stream->head == NULL)
    g_ptr_array_remove (self->streams, stream);
  return TRUE;
}

static gboolean
sim_stream_synchronize (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);

  stream = memlane_sim_get_stream (self, stream);
  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  if (stream == self->legacy)
    memlane_sim_wait_before (self, stream);
  else
    memlane_sim_wait (self, stream, G_MAXUINT64);
  spend_trim (self);
  return TRUE;
}

static gboolean
sim_stream_query (MemlaneDevice *device, MemlaneStream *stream, gboolean *done, GError **error)
{
  MemlaneSim *self = SIM (device);

  stream = memlane_sim_get_stream (self, stream);
  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  memlane_sim_catch_up (self);
  *done = !memlane_sim_has_work (self, stream);
  return TRUE;
}

static gboolean
sim_stream_wait_event (MemlaneDevice *device, MemlaneStream *stream, MemlaneEvent *event,
                       GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  if (event->stream == NULL)
    return TRUE; /* never recorded: nothing to wait for */
  op = memlane_sim_op_new (self, SIM_OP_WAIT, stream);
  op->event = event;
  op->wait_stream = event->stream;
  op->wait_seq = event->seq;
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

static gboolean
sim_synchronize (MemlaneDevice *device, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  memlane_sim_wait (self, NULL, 0);
  spend_trim (self);
  return TRUE;
}

static gboolean
sim_event_create (MemlaneDevice *device, MemlaneEvent **event, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  *event = g_new0 (MemlaneEvent, 1);
  g_ptr_array_add (self->all, *event);
  g_ptr_array_add (self->events, *event);
  return TRUE;
}

static gboolean
sim_event_destroy (MemlaneDevice *device, MemlaneEvent *event, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  g_ptr_array_remove_fast (self->events, event);
  return TRUE;
}

static gboolean
sim_event_record (MemlaneDevice *device, MemlaneEvent *event, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op = memlane_sim_op_new (self, SIM_OP_EVENT, stream);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  op->event = event;
  event->stream = op->stream;
  event->seq = memlane_sim_issue (self, op, memlane_sim_host (self, EVENT_START));
  return TRUE;
}

static gboolean
sim_event_synchronize (MemlaneDevice *device, MemlaneEvent *event, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  if (event->stream != NULL)
    memlane_sim_wait (self, event->stream, event->seq);
  spend_trim (self);
  return TRUE;
}

static gboolean
sim_event_elapsed (MemlaneDevice *device, MemlaneEvent *from, MemlaneEvent *to, double *ns,
                   GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  memlane_sim_catch_up (self);
  if (!is_done (self, from->stream, from->seq) || !is_done (self, to->stream, to->seq))
    return memlane_sim_fail (
        error, MEMLANE_DEVICE_ERROR_FAILED,
        "cudaErrorNotReady: the stream has not come to both events yet; wait for the second one",
        "cudaEventElapsedTime (%p, %p)", (void *) from, (void *) to);
  *ns = to->time - from->time;
  return TRUE;
}

static gboolean
sim_latch_close (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op = memlane_sim_op_new (self, SIM_OP_LATCH, stream);

  if (!memlane_sim_can (self, MEMLANE_CAN_CONCURRENT_KERNELS))
    op->engine = SIM_ENGINE_COMPUTE; /* where kernels take turns, it is one of them */
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  memlane_sim_issue (self, op, 0);
  self->latch = op;
  self->latch_closed = TRUE;
  self->latch_late = FALSE;
  return TRUE;
}

static gboolean
sim_latch_open (MemlaneDevice *device, gboolean *late, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  if (!self->latch_closed)
    return TRUE;
  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  memlane_sim_catch_up (self);
  self->latch_closed = FALSE;
  op = self->latch;
  if (op != NULL)
    op->byte = 1; /* open before it spins: it passes at once */
  if (op != NULL && op->started)
    {
      op->updated = op->end = self->device_time;
      op->remaining = 0;
    }
  *late = self->latch_late || self->profile->late_latch;
  return TRUE;
}

#define ROW(name) .name = sim_##name,
static const MemlaneOrderCalls order_calls = { MEMLANE_ORDER_CALLS (ROW) };

/* --- life ------------------------------------------------------------------------------------- */

void
memlane_sim_fill_info (MemlaneDeviceInfo *info, const MemlaneProfile *profile, const char *id)
{
  *info = profile->info;
  info->capabilities |= MEMLANE_CAN_COPY_ASYNC;
  info->exact = profile->vary == NULL && profile->tick_ns == 0;
  info->id = memlane_device_hide_folders (id);
  info->kind = g_strdup ("simulated");
  info->simulated = TRUE;
  info->name = g_strdup (profile->info.name);
  info->profile = g_strdup (profile->path);
  info->calibrated_from = g_strdup (profile->info.calibrated_from);
  info->driver = info->runtime = info->pci_bus_id = NULL;
}

MemlaneDevice *
memlane_simulated_device_new (const MemlaneProfile *profile, const char *id)
{
  MemlaneSim *self = g_new0 (MemlaneSim, 1);

  self->profile = memlane_profile_copy (profile);
  memlane_sim_fill_info (&self->parent.info, profile, id);
  /* The chunk that memlane_sim_memory_init() has taken. What a driver sets up beside it is not in
   * the model. */
  self->parent.first_pinned_ns = memlane_profile_cost (self->profile, MEMLANE_COST_MALLOC_PINNED,
                                                       4096);

  self->kernel_start = -INFINITY;
  queue_init (self);
  memlane_sim_memory_init (self);
  self->parent.driver = &memlane_simulated_driver;
  if (profile->lose_device_after_calls > 0)
    memlane_device_ask_trouble (&self->parent, MEMLANE_TROUBLE_LOST,
                                profile->lose_device_after_calls + 1);
  return &self->parent;
}

/* Drops queued work, because the memory that it points at may be gone. */
static void
simulated_close (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);

  drop_queued (self);
  queue_clear (self);
  memlane_sim_memory_clear (self);
  memlane_profile_free (self->profile);
  g_free (self);
}

/* --- the small calls -------------------------------------------------------------------------- */

/* Reading takes a moment, so that a loop that polls the clock, or a flag that a host function sets,
 * gets on. */
static double
simulated_clock (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);
  double now = self->now;

  if (self->parent.in_host_function)
    return self->device_time;
  memlane_sim_spend (self, memlane_sim_host (self, CLOCK));
  memlane_sim_catch_up (self);
  return now;
}

static void
simulated_pause (MemlaneDevice *device, double ns)
{
  SIM (device)->now += ns; /* so long as it was asked for, at any pace */
  memlane_sim_catch_up (SIM (device));
}

static guint
simulated_count_out (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);
  guint n = self->ranges->len + self->events->len + self->graphs->len;

  MEMLANE_FOR_EACH (const MemlaneSimRange, range, self->ranges)
    n += range->kind == SIM_REGISTERED;
  MEMLANE_FOR_EACH (const MemlaneStream, stream, self->streams)
    n += stream != self->legacy && !stream->destroyed && stream != self->background[0]
         && stream != self->background[1];
  for (guint i = 0; i < G_N_ELEMENTS (self->statics); i++)
    n -= self->statics[i] != NULL;
  return n;
}

static void
simulated_begin_process (MemlaneDevice *device, guint process)
{
  SIM (device)->process = process;
}

/* "(simulated)" stays at the end of the name. */
static gboolean
simulated_take_noise (MemlaneDevice *device, guint64 seed, GError **error)
{
  static const char simulated[] = " (simulated)";
  MemlaneProfile *profile = SIM (device)->profile;
  MemlaneDeviceInfo *info = &device->info;
  g_autofree char *name = NULL;
  gsize length;

  if (!memlane_profile_load_rounds (profile, error))
    return FALSE;
  profile->draws_rounds = TRUE;
  profile->seed = seed;
  name = info->name;
  length = strlen (name) - (g_str_has_suffix (name, simulated) ? strlen (simulated) : 0);
  info->name = g_strdup_printf ("%.*s, noise as recorded%s", (int) length, name, name + length);
  info->noise = g_strdup_printf ("recorded rounds, seed %" G_GUINT64_FORMAT, seed);
  info->exact = FALSE;
  return TRUE;
}

static void
simulated_get_host_memory (MemlaneDevice *device, guint64 *available, guint64 *lockable)
{
  MemlaneSim *self = SIM (device);
  guint64 limit = self->profile->host_memory_bytes > 0 ? self->profile->host_memory_bytes
                                                       : self->host_available;

  /* The recorded H200's driver keeps the host's pages of what has moved to the device. */
  memlane_sim_catch_up (self);
  *available = limit - MIN (memlane_sim_count_resident (self, SIM_ON_HOST | SIM_ON_DEVICE), limit);
  limit = self->profile->lockable_bytes;
  *lockable = limit == 0 ? G_MAXUINT64 : limit > self->pinned_used ? limit - self->pinned_used : 0;
}

static gboolean
simulated_get_state (MemlaneDevice *device, MemlaneDeviceState *state, GError **error)
{
  const MemlaneProfile *profile = SIM (device)->profile;

  if (profile->throttle == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED,
                             "a simulated device has neither clocks nor a temperature", "state");
  state->sm_mhz = (guint) (device->info.processor_clock / 1e6);
  state->memory_mhz = (guint) (device->info.memory_clock / 1e6);
  state->throttle = profile->throttle;
  return TRUE;
}

static gboolean
simulated_move_pieces (MemlaneDevice *device, gboolean pieces)
{
  SIM (device)->moves_pieces = pieces;
  return pieces;
}

/* Copies to every other one cost the same. */
static gboolean
simulated_set_peer (MemlaneDevice *device, const MemlaneDevice *peer)
{
  return device != peer && memlane_sim_can (SIM (device), MEMLANE_CAN_PEER_COPY);
}

static char *
simulated_get_caveat (MemlaneDevice *device, const MemlaneDeviceUse *use)
{
  const MemlaneProfile *profile = SIM (device)->profile;
  g_autofree char *beyond = profile->residuals != NULL
                                ? memlane_residuals_describe_beyond (profile->residuals, use)
                                : NULL;
  g_autofree char *noise = !device->info.exact
                               ? g_strdup_printf ("simulated noise, seed %" G_GUINT64_FORMAT,
                                                  profile->seed)
                               : NULL;
  const char *busy = use->beside != MEMLANE_BESIDE_NONE
                       ? MEMLANE_EXTRAPOLATED ": a model of a busy device" : NULL;
  const char *parts[] = { beyond != NULL ? beyond : busy, noise };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", parts[i]);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* 0 to 1, the same for the same seed and process: splitmix64. */
static double
draw_round (guint64 seed, guint process)
{
  guint64 z = seed + process * G_GUINT64_CONSTANT (0xd1342543de82ef95);

  z = (z ^ G_GUINT64_CONSTANT (0x2545f4914f6cdd1d)) + G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (double) ((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static double
simulated_correct (MemlaneDevice *device, const MemlaneDeviceUse *use, MemlanePhase phase,
                   MemlaneClock clock, double ns)
{
  const MemlaneSim *self = SIM (device);
  const MemlaneResiduals *residuals = self->profile->residuals;

  if (residuals == NULL)
    return ns;
  ns = memlane_residuals_correct (residuals, use, phase, clock, ns);
  return self->profile->draws_rounds
             ? ns
                   * memlane_residuals_draw (residuals, use, phase, clock,
                                             draw_round (self->profile->seed, self->process))
             : ns;
}

const MemlaneDriver memlane_simulated_driver = {
  .kind = "simulated",
  .list = memlane_sim_list,
  .describe = memlane_sim_describe,
  .open = memlane_sim_open,
  .close = simulated_close,
  .clock = simulated_clock,
  .pause = simulated_pause,
  .get_host_memory = simulated_get_host_memory,
  .get_state = simulated_get_state,
  .begin_process = simulated_begin_process,
  .take_noise = simulated_take_noise,
  .count_out = simulated_count_out,
  .move_pieces = simulated_move_pieces,
  .set_peer = simulated_set_peer,
  .get_caveat = simulated_get_caveat,
  .correct = simulated_correct,
  .memory = &memlane_sim_memory_calls,
  .access = &memlane_sim_access_calls,
  .work = &memlane_sim_work_calls,
  .many = &memlane_sim_many_calls,
  .background = &memlane_sim_background_calls,
  .order = &order_calls,
  .trace = &memlane_sim_trace_calls,
};
