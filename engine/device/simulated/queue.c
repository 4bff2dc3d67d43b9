/* simulated-queue.c: the event queue: what starts when, on which engine, how fast, and when it ends
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <math.h>
#include <string.h>

/* A device without concurrent kernels, or with, runs at most so many at once. */
#define MOST_KERNELS 128

MemlaneSimOp *
memlane_sim_op_new (MemlaneSim *self, MemlaneSimOpKind kind, MemlaneStream *stream)
{
  MemlaneSimOp *op = self->recycled;

  if (op != NULL)
    self->recycled = op->next;
  else
    op = g_new (MemlaneSimOp, 1);
  memset (op, 0, sizeof *op);
  op->kind = kind;
  op->stream = stream != NULL ? stream : self->legacy;
  return op;
}

static void
recycle (MemlaneSim *self, MemlaneSimOp *op)
{
  g_free (op->staged);
  if (op->event != NULL)
    memlane_sim_event_unref (op->event);
  if (op->wait_stream != NULL)
    memlane_sim_stream_unref (op->wait_stream);
  op->next = self->recycled;
  self->recycled = op;
}

void
memlane_sim_stream_unref (MemlaneStream *stream)
{
  if (--stream->refs == 0)
    g_free (stream);
}

void
memlane_sim_event_unref (MemlaneEvent *event)
{
  if (--event->refs > 0)
    return;
  if (event->stream != NULL)
    memlane_sim_stream_unref (event->stream);
  g_free (event);
}

guint64
memlane_sim_issue (MemlaneSim *self, MemlaneSimOp *op, double latency)
{
  MemlaneStream *stream = op->stream;

  op->seq = ++self->seq;
  op->ready = self->now + latency;
  if (G_UNLIKELY (self->parent.tracer != NULL))
    op->correlation = memlane_tracer_get_correlation (self->parent.tracer);
  if (op->engine != SIM_ENGINE_NONE)
    op->engine_switch = memlane_sim_cost (self, MEMLANE_CURVE_ENGINE_SWITCH, (double) op->bytes);
  if (stream->tail != NULL)
    stream->tail->next = op;
  else
    stream->head = op;
  stream->tail = op;
  if (op->engine != SIM_ENGINE_NONE)
    {
      if (self->engine_tail[op->engine] != NULL)
        self->engine_tail[op->engine]->next_on_engine = op;
      else
        self->engine_head[op->engine] = op;
      self->engine_tail[op->engine] = op;
    }
  return op->seq;
}

void
memlane_sim_op_use_copy_engine (MemlaneSim *self, MemlaneSimOp *op, MemlaneSimEngine direction)
{
  int engines = self->profile->info.copy_engines;

  if (engines == 0 || (direction == SIM_ENGINE_INSIDE && engines < 3))
    {
      op->engine = SIM_ENGINE_COMPUTE;
      op->exclusive = engines == 0;
    }
  else
    op->engine = engines == 1 ? SIM_ENGINE_UP : direction;
}

gboolean
memlane_sim_is_idle (MemlaneSim *self)
{
  for (guint i = 0; i < self->streams->len; i++)
    if (((MemlaneStream *) self->streams->pdata[i])->head != NULL)
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

void
memlane_sim_barrier (MemlaneSim *self)
{
  /* Nothing before it that it could wait for, nothing to keep apart. */
  if (memlane_sim_has_work (self, self->legacy))
    memlane_sim_issue (self, memlane_sim_op_new (self, SIM_OP_BARRIER, NULL), 0);
}

gboolean
memlane_sim_is_done (MemlaneSim *self, MemlaneStream *stream, guint64 seq)
{
  return stream->head == NULL || stream->head->seq > seq;
}

/* The legacy default stream and the blocking streams wait for each other; non-blocking streams for nobody. */
static gboolean
order_allows (MemlaneSim *self, const MemlaneSimOp *op)
{
  if (op->stream->non_blocking)
    return TRUE;
  if (op->stream != self->legacy)
    return memlane_sim_is_done (self, self->legacy, op->seq);
  for (guint i = 1; i < self->streams->len; i++)
    {
      MemlaneStream *other = self->streams->pdata[i];
      if (!other->non_blocking && !memlane_sim_is_done (self, other, op->seq))
        return FALSE;
    }
  return TRUE;
}

static gboolean
engine_allows (MemlaneSim *self, const MemlaneSimOp *op)
{
  guint running = self->engine_running[op->engine];

  if (op->engine == SIM_ENGINE_NONE)
    return TRUE;
  if (op->engine != SIM_ENGINE_COMPUTE)
    return running == 0 && (!self->profile->in_order_engines || self->engine_head[op->engine] == op);
  if (running == 0)
    return TRUE;
  return !op->exclusive && !self->compute_exclusive && running < MOST_KERNELS
         && (self->profile->info.capabilities & MEMLANE_CAN_CONCURRENT_KERNELS) != 0;
}

/* When the head of a stream may start as far as time alone goes. */
static double
due (MemlaneSim *self, const MemlaneSimOp *op)
{
  double earliest = op->ready;

  if (op->engine != SIM_ENGINE_NONE && op->stream->last_engine != SIM_ENGINE_NONE && op->engine != op->stream->last_engine)
    earliest = MAX (earliest, op->stream->last_end + op->engine_switch);
  if (op->kind == SIM_OP_KERNEL || op->kind == SIM_OP_EVENT)
    earliest = MAX (earliest, op->stream->mapped_at);
  return earliest;
}

static gboolean
may_start (MemlaneSim *self, const MemlaneSimOp *op)
{
  if (!order_allows (self, op) || !engine_allows (self, op))
    return FALSE;
  return op->kind != SIM_OP_WAIT || memlane_sim_is_done (self, op->wait_stream, op->wait_seq);
}

/* Kernels that wait for the same engine go by priority, everything else by order of issue. */
static gboolean
goes_before (const MemlaneSimOp *a, const MemlaneSimOp *b)
{
  if (a->engine == SIM_ENGINE_COMPUTE && b->engine == SIM_ENGINE_COMPUTE && a->stream->priority != b->stream->priority)
    return a->stream->priority < b->stream->priority;
  return a->seq < b->seq;
}

/* How much slower than alone @op runs beside the others. A kernel with priority takes the memory's bandwidth first: its blocks are
 * scheduled before the others' pending ones. */
static double
slowdown (MemlaneSim *self, const MemlaneSimOp *op)
{
  double before = 0, same = 0, up = 0, down = 0, other_way = 0, slow = 1;

  for (guint i = 0; i < self->active->len; i++)
    {
      const MemlaneSimOp *other = self->active->pdata[i];

      if (other->stream->priority < op->stream->priority)
        before += other->memory_demand;
      else if (other->stream->priority == op->stream->priority)
        same += other->memory_demand;
      up += other->up_demand;
      down += other->down_demand;
      if (other != op)
        other_way = MAX (other_way, MAX (op->up_demand > 0 ? other->down_demand : 0, op->down_demand > 0 ? other->up_demand : 0));
    }
  if (op->memory_demand > 0)
    {
      double left = MAX (0.02, 1 - before);
      slow = MAX (slow, 1 + op->memory_demand * (MAX (1, same / left) - 1));
    }
  if (op->up_demand > 0)
    slow = MAX (slow, 1 + op->up_demand * (MAX (1, up) - 1));
  if (op->down_demand > 0)
    slow = MAX (slow, 1 + op->down_demand * (MAX (1, down) - 1));
  if (other_way > 0)
    slow *= 1 + MIN (1, other_way) * MAX (op->up_demand, op->down_demand) * (1 / self->profile->both_directions_factor - 1);
  return slow;
}

static void
work_out_rates (MemlaneSim *self)
{
  for (guint i = 0; i < self->active->len; i++)
    {
      MemlaneSimOp *op = self->active->pdata[i];
      double rate = op->kind == SIM_OP_LATCH ? 1 : 1 / slowdown (self, op);

      if (rate == op->rate)
        continue; /* its end stands, to the last bit */
      op->remaining -= (self->device_time - op->updated) * op->rate;
      op->remaining = MAX (op->remaining, 0);
      op->updated = self->device_time;
      op->rate = rate;
      op->end = self->device_time + op->remaining / rate;
    }
}

static void
leave_engine (MemlaneSim *self, MemlaneSimOp *op)
{
  MemlaneSimOp *before = NULL, *each = self->engine_head[op->engine];

  self->engine_running[op->engine]--;
  if (op->engine == SIM_ENGINE_COMPUTE && op->exclusive)
    self->compute_exclusive = FALSE;
  for (; each != op; each = each->next_on_engine)
    before = each;
  if (before != NULL)
    before->next_on_engine = op->next_on_engine;
  else
    self->engine_head[op->engine] = op->next_on_engine;
  if (self->engine_tail[op->engine] == op)
    self->engine_tail[op->engine] = before;
}

/* Takes @op, the head of its stream, out of the queue. Its bytes change before anything behind it can look. */
static void
finish (MemlaneSim *self, MemlaneSimOp *op)
{
  MemlaneStream *stream = op->stream;

  op->end = self->device_time;
  if (op->engine != SIM_ENGINE_NONE)
    {
      leave_engine (self, op);
      stream->last_engine = op->engine;
      stream->last_end = op->end;
    }
  if (op == self->latch)
    {
      self->latch = NULL;
      self->latch_late |= self->latch_closed; /* nobody has opened it */
    }
  if (op->kind == SIM_OP_EVENT && op->event->seq == op->seq)
    op->event->time = op->end;
  if (G_UNLIKELY (self->parent.tracer != NULL))
    memlane_sim_trace_op (self, op);
  memlane_sim_perform (self, op);

  stream->head = op->next;
  if (stream->head == NULL)
    {
      stream->tail = NULL;
      if (stream->destroyed)
        {
          g_ptr_array_remove (self->streams, stream);
          recycle (self, op);
          memlane_sim_stream_unref (stream);
          return;
        }
    }
  recycle (self, op);
}

static void
start (MemlaneSim *self, MemlaneSimOp *op)
{
  op->started = TRUE;
  op->start = op->updated = self->device_time;
  if (op->engine != SIM_ENGINE_NONE)
    {
      self->engine_running[op->engine]++;
      if (op->engine == SIM_ENGINE_COMPUTE && op->exclusive)
        self->compute_exclusive = TRUE;
    }
  op->work = memlane_sim_work_at_start (self, op);
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

      for (guint i = 0; i < self->streams->len; i++)
        {
          MemlaneSimOp *op = ((MemlaneStream *) self->streams->pdata[i])->head;

          if (op != NULL && !op->started && due (self, op) <= self->device_time && (first == NULL || goes_before (op, first))
              && may_start (self, op))
            first = op;
        }
      if (first == NULL)
        return;
      start (self, first);
    }
}

/* Plays events until @until, or until (@stream, @seq) is done, or with @all until nothing is left. */
static void
play (MemlaneSim *self, double until, MemlaneStream *stream, guint64 seq, gboolean all)
{
  for (;;)
    {
      double next = INFINITY;
      gboolean ended = FALSE;

      settle (self);
      if ((stream != NULL && memlane_sim_is_done (self, stream, seq)) || (all && memlane_sim_is_idle (self)))
        return;
      for (guint i = 0; i < self->active->len; i++)
        next = MIN (next, ((MemlaneSimOp *) self->active->pdata[i])->end);
      for (guint i = 0; i < self->streams->len; i++)
        {
          MemlaneSimOp *op = ((MemlaneStream *) self->streams->pdata[i])->head;

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
  if (self->in_host_function)
    return;
  play (self, self->now, NULL, 0, FALSE);
}

void
memlane_sim_wait (MemlaneSim *self, MemlaneStream *stream, guint64 seq)
{
  double before = self->now;
  gboolean done;

  memlane_sim_catch_up (self);
  done = stream != NULL ? memlane_sim_is_done (self, stream, seq) : memlane_sim_is_idle (self);
  if (!done)
    {
      /* The stream may be on its way out and freed with its last operation. */
      if (stream != NULL)
        stream->refs++;
      play (self, INFINITY, stream, seq, stream == NULL);
      self->now = MAX (before, self->device_time);
      memlane_sim_spend (self, memlane_sim_host (self, WAKE_UP));
      if (G_UNLIKELY (self->parent.tracer != NULL))
        memlane_sim_trace_wait (self, stream, before);
      if (stream != NULL)
        memlane_sim_stream_unref (stream);
    }
}

void
memlane_sim_wait_before (MemlaneSim *self, MemlaneStream *stream)
{
  guint64 seq;

  if (memlane_sim_is_idle (self))
    return;
  /* A marker stands where the command would. */
  seq = memlane_sim_issue (self, memlane_sim_op_new (self, SIM_OP_WAIT, stream), 0);
  (stream != NULL ? stream : self->legacy)->tail->wait_stream = self->legacy;
  self->legacy->refs++;
  memlane_sim_wait (self, stream != NULL ? stream : self->legacy, seq);
}

void
memlane_sim_queue_clear (MemlaneSim *self)
{
  for (guint i = 0; i < self->streams->len; i++)
    {
      MemlaneStream *stream = self->streams->pdata[i];

      while (stream->head != NULL)
        {
          MemlaneSimOp *op = stream->head;
          stream->head = op->next;
          if (op->kind == SIM_OP_FREE && op->ranges[0] != NULL)
            memlane_sim_range_free (self, op->ranges[0]);
          recycle (self, op);
        }
      stream->tail = NULL;
    }
  while (self->events->len > 0)
    memlane_sim_event_unref (g_ptr_array_steal_index (self->events, self->events->len - 1));
  while (self->streams->len > 0)
    memlane_sim_stream_unref (g_ptr_array_steal_index (self->streams, self->streams->len - 1));
  while (self->recycled != NULL)
    {
      MemlaneSimOp *op = self->recycled;
      self->recycled = op->next;
      g_free (op);
    }
  g_ptr_array_unref (self->streams);
  g_ptr_array_unref (self->events);
  g_ptr_array_unref (self->active);
}
