/* many.c: many copies at once: batches, graphs, kernels that gather, and the host's own copies
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <string.h>

/* From here on the copies of a batch are made in another way, which is much faster. */
#define LARGE_BYTES ((gsize) 32 << 10)
/* Copies of a batch that are queued before the call has to wait. */
#define QUEUED_COPIES 512
/* The share of a thread by which each further one makes packing faster: eight move 28 GB/s where
 * one moves 6. */
#define FURTHER_THREAD 0.55

/* The ends of copies over the link. Returns copies of its own, by addresses of the host, and the
 * range of the page-locked side. NULL with @error. */
static MemlaneCopies *
find_ends (MemlaneSim *self, const MemlaneCopies *copies, const char *call,
           MemlaneSimRange **locked, GError **error)
{
  const gboolean up = copies->kind == MEMLANE_COPY_TO_DEVICE;
  MemlaneCopies *found = memlane_copies_new (copies->n, copies->kind);

  for (gsize i = 0; i < copies->n; i++)
    {
      MemlaneSimKind to_kind, from_kind;
      MemlaneSimRange *to_range = NULL, *from_range = NULL;
      gboolean known =
          memlane_sim_locate (self, copies->to[i], copies->bytes[i], &to_kind, &to_range)
          && memlane_sim_locate (self, copies->from[i], copies->bytes[i], &from_kind, &from_range);

      if (!known || (up ? to_kind : from_kind) != SIM_DEVICE
          || !memlane_sim_is_locked (up ? from_kind : to_kind))
        {
          memlane_copies_free (found);
          memlane_sim_fail (
              error, MEMLANE_DEVICE_ERROR_INVALID,
              known ? "cudaErrorInvalidValue: a simulated device makes such copies between "
                      "page-locked and device memory"
                    : "cudaErrorInvalidValue: a copy runs beyond the end of an allocation",
              "%s (copy %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT ")", call, i, copies->n);
          return NULL;
        }
      *locked = up ? from_range : to_range;
      memlane_copies_set (found, i, copies->to[i], copies->from[i], copies->bytes[i]);
    }
  return found;
}

/* The host pays for a batch; the engine takes the time of a graph. */
static double
sum_costs (MemlaneSim *self, const MemlaneCopies *copies, gboolean is_batch)
{
  double ns = 0;

  for (gsize i = 0; i < copies->n; i++)
    {
      const double bytes = (double) copies->bytes[i];

      if (is_batch)
        ns += memlane_sim_cost (
            self, copies->bytes[i] < LARGE_BYTES ? MEMLANE_COST_BATCH_SMALL : MEMLANE_COST_BATCH,
            bytes);
      else
        ns += MIN (memlane_sim_cost (self, MEMLANE_COST_COPY, bytes),
                   memlane_sim_cost (self, MEMLANE_COST_COPY_SMALL, bytes));
    }
  return ns;
}

/* The share of the link that bytes take which are on their way for @ns. */
static double
demand (MemlaneSim *self, gsize bytes, double ns)
{
  double moving = memlane_profile_cost (self->profile, MEMLANE_COST_COPY, (double) bytes)
                  - memlane_profile_cost (self->profile, MEMLANE_COST_COPY, 0);

  return ns > 0 ? CLAMP (moving / ns, 0, 1) : 0;
}

/* One operation on a copy engine makes all of @copies, which it takes, in @ns. */
static void
issue_copies (MemlaneSim *self, MemlaneCopies *copies, MemlaneSimRange *locked,
              MemlaneStream *stream, double ns)
{
  const gboolean up = copies->kind == MEMLANE_COPY_TO_DEVICE;
  MemlaneSimOp *op = memlane_sim_op_new (self, SIM_OP_COPY, stream);

  memlane_sim_use_copy_engine (self, op, up ? SIM_ENGINE_UP : SIM_ENGINE_DOWN);
  op->copies = copies;
  op->to = copies->to[0];
  op->from = copies->from[0];
  op->bytes = copies->all_bytes;
  op->way = up ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
  op->source = up ? SIM_PINNED : SIM_DEVICE;
  op->destination = up ? SIM_DEVICE : SIM_PINNED;
  op->work = ns
             + (up ? memlane_sim_fetch_written (self, locked, copies->all_bytes, copies->all_bytes)
                   : 0);
  *(up ? &op->up_demand : &op->down_demand) = demand (self, copies->all_bytes, ns);
  memlane_sim_issue (self, op, memlane_sim_host (self, COPY_START));
}

static gboolean
sim_memcpy_batch_async (MemlaneDevice *device, const MemlaneCopies *copies, MemlaneStream *stream,
                        GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *locked = NULL;
  MemlaneCopies *found;

  found = find_ends (self, copies, "cudaMemcpyBatchAsync", &locked, error);
  if (found == NULL)
    return FALSE;
  /* The call of more than the queue takes waits for what was queued before. */
  if (copies->n > QUEUED_COPIES)
    memlane_sim_wait_before (self, stream);
  memlane_sim_spend (self, memlane_sim_host (self, MEMCPY) + memlane_sim_host (self, LAUNCH)
                               + sum_costs (self, found, TRUE));
  issue_copies (self, found, locked, stream,
                memlane_sim_cost (self, MEMLANE_COST_COPY, (double) copies->all_bytes));
  return TRUE;
}

/* --- the host's own copies -------------------------------------------------------------------- */

static gboolean
sim_host_copies (MemlaneDevice *device, const MemlaneCopies *copies, guint threads, GError **error)
{
  MemlaneSim *self = SIM (device);
  const double ns = memlane_sim_cost (self, MEMLANE_COST_PACK, (double) copies->all_bytes)
                    + (double) copies->n * memlane_sim_host (self, PACK);

  memlane_sim_spend (self, threads > 1 ? memlane_sim_host (self, PACK_THREADS)
                                             + ns / (1 + FURTHER_THREAD * (threads - 1))
                                       : ns);
  for (gsize i = 0; i < copies->n && self->parent.lost_by == NULL; i++)
    memcpy (copies->to[i], copies->from[i], copies->bytes[i]);
  memlane_sim_catch_up (self);
  return TRUE;
}

static gboolean
sim_host_populate (MemlaneDevice *device, void *pointer, gsize bytes, guint threads, gboolean huge,
                   GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range = NULL;
  MemlaneSimKind kind;

  if (!memlane_sim_locate (self, pointer, bytes, &kind, &range) || range == NULL
      || range->blocks == NULL || bytes == 0)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "it is no memory of malloc",
                             "host populate (%p)", pointer);
  memlane_sim_spend (
      self, memlane_sim_cost (self, huge ? MEMLANE_COST_POPULATE_HUGE : MEMLANE_COST_POPULATE,
                              (double) bytes)
                / MAX (threads, 1));
  range->populated = TRUE;
  range->huge = huge;
  memlane_sim_place (range, pointer, bytes, MEMLANE_LOCATION_HOST);
  memlane_sim_catch_up (self);
  return TRUE;
}

/* --- graphs ----------------------------------------------------------------------------------- */

static gboolean
sim_graph_create (MemlaneDevice *device, const MemlaneCopies *copies, MemlaneGraph **graph,
                  GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *locked;
  MemlaneCopies *found;

  found = find_ends (self, copies, "cudaGraphInstantiate", &locked, error);
  if (found == NULL)
    return FALSE;
  memlane_sim_spend (self, 5 * memlane_sim_host (self, CREATE)
                               + (double) copies->n * memlane_sim_host (self, GRAPH_MAKE));
  g_ptr_array_add (self->graphs, found);
  *graph = (MemlaneGraph *) found;
  return TRUE;
}

static gboolean
sim_graph_destroy (MemlaneDevice *device, MemlaneGraph *graph, GError **error)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_spend (self,
                     memlane_sim_host (self, CREATE)
                         + (double) ((MemlaneCopies *) graph)->n * memlane_sim_host (self, CALL));
  return g_ptr_array_remove (self->graphs, graph);
}

static gboolean
sim_graph_launch (MemlaneDevice *device, MemlaneGraph *graph, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  const MemlaneCopies *copies = (const MemlaneCopies *) graph;
  MemlaneSimRange *locked = NULL;
  MemlaneCopies *found;

  found = find_ends (self, copies, "cudaGraphLaunch", &locked, error);
  if (found == NULL)
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  issue_copies (self, found, locked, stream, sum_costs (self, found, FALSE));
  /* while the first ones are made */
  memlane_sim_spend (self, (double) copies->n * memlane_sim_host (self, GRAPH_LAUNCH));
  return TRUE;
}

/* --- kernels that gather or scatter ----------------------------------------------------------- */

static gboolean
sim_launch_gather (MemlaneDevice *device, const MemlaneGather *gather, MemlaneStream *stream,
                   GError **error)
{
  MemlaneSim *self = SIM (device);
  gsize bytes = gather->elements * sizeof (float), piece = gather->piece * sizeof (float), n,
        last = 0;
  const guint32 *places = gather->places;
  char *vector = (char *) gather->vector, *pool = (char *) gather->pool;
  MemlaneSimRange *range = NULL;
  MemlaneSimOp *op;

  n = (gather->elements + gather->piece - 1) / gather->piece;
  memlane_sim_spend_launch (self);
  if (memlane_sim_reach (self, places, n * sizeof *places) != NULL
      && memlane_sim_reach (self, vector, bytes) != NULL)
    {
      for (gsize i = 0; i < n; i++)
        last = MAX (last, places[i] * piece + MIN (piece, bytes - i * piece));
      range = memlane_sim_reach (self, pool, last);
    }
  op = memlane_sim_op_new (self, range != NULL ? SIM_OP_KERNEL : SIM_OP_FAULT, stream);
  op->work = memlane_sim_host (self, KERNEL);
  if (range != NULL)
    {
      gboolean over_link = memlane_sim_is_locked (range->kind);

      op->copies = memlane_copies_new (n, gather->scatters ? MEMLANE_COPY_TO_HOST
                                                           : MEMLANE_COPY_TO_DEVICE);
      for (gsize i = 0; i < n; i++)
        {
          char *here = vector + i * piece, *there = pool + places[i] * piece;

          memlane_copies_set (op->copies, i, gather->scatters ? there : here,
                              gather->scatters ? here : there, MIN (piece, bytes - i * piece));
        }
      op->bytes = bytes;
      op->to = op->copies->to[0];
      op->from = op->copies->from[0];
      op->source = gather->scatters ? SIM_DEVICE : range->kind;
      op->destination = gather->scatters ? range->kind : SIM_DEVICE;
      op->work = memlane_sim_cost (self, over_link ? MEMLANE_COST_KERNEL_LINK : MEMLANE_COST_KERNEL,
                                   (double) bytes * (over_link ? 1 : 2));
      if (over_link)
        *(gather->scatters ? &op->down_demand : &op->up_demand) = demand (self, bytes, op->work);
      if (over_link && !gather->scatters)
        op->work += memlane_sim_fetch_written (self, range, bytes, bytes);
    }
  memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_START));
  return TRUE;
}

#define ROW(name) .name = sim_##name,
const MemlaneManyCalls memlane_sim_many_calls = { MEMLANE_MANY_CALLS (ROW) };
