/* background.c: what a simulated device does beside a sample, and what it costs both: a model, not
 * fitted to a recording
 *
 * SPDX-License-Identifier: MIT
 *
 * Copies of the background pass the engines and the link as all copies do, in the order of issue. A
 * kernel that needs multiprocessors finds those that the background leaves: on device memory it is
 * slower by their share, over the link it is not. If the background has all of them, it waits for
 * the end of a launch. A launch of the background that starts beside it has the rest.
 */
#include "simulated.h"

#include "base/each.h"

#define THREADS 2048.0 /* of a multiprocessor */

static MemlaneSimOp *
queue_one (MemlaneSim *self, MemlaneStream *stream, MemlaneSimEngine direction, guint busy)
{
  MemlaneSimOp *op = memlane_sim_op_new (self, SIM_OP_BACKGROUND, stream);

  if (direction == SIM_ENGINE_COMPUTE)
    {
      op->engine = SIM_ENGINE_COMPUTE;
      op->share = busy / 100.0;
      op->work = MEMLANE_BACKGROUND_LAUNCH_NS;
      return op;
    }
  memlane_sim_use_copy_engine (self, op, direction);
  op->work = memlane_sim_cost (self, MEMLANE_COST_COPY, MEMLANE_BACKGROUND_COPY);
  *(direction == SIM_ENGINE_UP ? &op->up_demand : &op->down_demand) = 1;
  op->bytes = MEMLANE_BACKGROUND_COPY;
  return op;
}

/* Queues what takes @ns alone. */
static void
queue_all (MemlaneSim *self, MemlaneSimEngine direction, guint busy, double ns)
{
  MemlaneStream **stream = &self->background[direction == SIM_ENGINE_DOWN];

  if (*stream == NULL)
    {
      /* below those of a program */
      *stream = memlane_sim_stream_new (self, direction == SIM_ENGINE_DOWN ? 9 : 8);
      (*stream)->non_blocking = TRUE;
    }
  for (double queued = 0; queued < MIN (ns, MEMLANE_BACKGROUND_MOST_NS);)
    {
      MemlaneSimOp *op = queue_one (self, *stream, direction, busy);

      queued += op->work;
      memlane_sim_issue (self, op, 0);
    }
}

static gboolean
sim_background_start (MemlaneDevice *device, MemlaneBeside beside, guint busy, double ns,
                      GError **error)
{
  MemlaneSim *self = SIM (device);

  if (memlane_sim_is_background (self))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorInvalidValue: one runs already; end it first", "background");
  self->beside = beside;
  self->background_done = 0;
  memlane_sim_catch_up (self);
  if (beside == MEMLANE_BESIDE_COMPUTE)
    queue_all (self, SIM_ENGINE_COMPUTE, busy, ns);
  if (beside == MEMLANE_BESIDE_COPIES_UP || beside == MEMLANE_BESIDE_BOTH)
    queue_all (self, SIM_ENGINE_UP, 0, ns);
  if (beside == MEMLANE_BESIDE_COPIES_DOWN || beside == MEMLANE_BESIDE_BOTH)
    queue_all (self, SIM_ENGINE_DOWN, 0, ns);
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  memlane_sim_catch_up (self);
  return TRUE;
}

static gboolean
sim_background_read (MemlaneDevice *device, MemlaneBackgroundProgress *progress, GError **error)
{
  MemlaneSim *self = SIM (device);
  const MemlaneSimOp *op;

  if (!memlane_sim_is_background (self))
    return TRUE;
  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  memlane_sim_catch_up (self);
  op = self->background[self->beside == MEMLANE_BESIDE_COPIES_DOWN]->head;
  progress->runs = op != NULL;
  progress->units = self->background_done;
  progress->ns = self->device_time;
  if (op != NULL && op->started)
    progress->units += 1
                       - (op->remaining - (self->device_time - op->updated) * op->rate) / op->work;
  return TRUE;
}

/* Copies go on until they are done, kernels end. */
static gboolean
sim_background_stop (MemlaneDevice *device, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!memlane_sim_is_background (self))
    return TRUE;
  memlane_sim_spend (self, memlane_sim_host (self, CALL));
  memlane_sim_catch_up (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->background); i++)
    {
      MemlaneStream *stream = self->background[i];

      for (MemlaneSimOp *op = stream != NULL ? stream->head : NULL;
           op != NULL && self->beside == MEMLANE_BESIDE_COMPUTE; op = op->next)
        {
          op->work = MIN (op->work, 0);
          op->remaining = 0;
          op->end = op->started ? self->device_time : op->end;
        }
      if (stream != NULL)
        memlane_sim_wait (self, stream, G_MAXUINT64);
    }
  self->beside = MEMLANE_BESIDE_NONE;
  return TRUE;
}

#define ROW(name) .name = sim_##name,
const MemlaneBackgroundCalls memlane_sim_background_calls = { MEMLANE_BACKGROUND_CALLS (ROW) };

double
memlane_sim_background_hold_up (const MemlaneSim *self, const MemlaneSimOp *op)
{
  double slow = 1;

  MEMLANE_FOR_EACH (const MemlaneSimOp, other, self->active)
    {
      if (op->kind == SIM_OP_BACKGROUND && op->share > 0 && other->kind == SIM_OP_KERNEL)
        {
          double taken = MIN ((double) other->bytes / sizeof (float)
                                  / (THREADS * MAX (self->profile->info.multiprocessors, 1)),
                              1);
          double left = MIN (op->share, 1 - taken);

          slow = MAX (slow, op->share / MAX (left, 0.02));
        }
      else if (other->kind == SIM_OP_BACKGROUND && op->engine == SIM_ENGINE_COMPUTE
               && op->memory_demand > 0)
        slow = MAX (slow, 1 / MAX (1 - other->share, 0.02));
    }
  return slow;
}
