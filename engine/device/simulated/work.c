/* simulated-work.c: copies, fills, kernels and host functions: what they may touch, how long they take, what they do
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include "kernels/reference.h"

#include <string.h>

static const char *
copy_kind_name (MemlaneCopyKind kind)
{
  static const char *const names[] = { "host to device", "device to host", "device to device", "host to host" };

  return (guint) kind < G_N_ELEMENTS (names) ? names[kind] : "?";
}

static gboolean
can (MemlaneSim *self, MemlaneCapabilities capability)
{
  return (self->profile->info.capabilities & capability) == capability;
}

/* Sets an operation's work, and how much of it is moving bytes rather than latency: the part that others on the same way slow down. */
static double
take_cost (MemlaneSim *self, MemlaneSimOp *op, MemlaneCurve curve, gsize bytes)
{
  double ns = memlane_profile_cost (self->profile, curve, (double) bytes);

  op->work = memlane_sim_noisy (self, ns);
  return ns > 0 ? CLAMP (1 - memlane_profile_cost (self->profile, curve, 1) / ns, 0, 1) : 0;
}

/* --- copies --------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneSimKind kind;
  MemlaneSimRange *range;
  char *host;
  gboolean on_device;
} End;

static gboolean
is_locked (MemlaneSimKind kind)
{
  return kind == SIM_PINNED || kind == SIM_REGISTERED;
}

/* Finds one end of a copy. @device_side: what the copy's kind says it is; NULL or the reason why it is wrong. */
static const char *
find_end (MemlaneSim *self, const void *pointer, gsize bytes, gboolean device_side, End *end)
{
  if (!memlane_sim_locate (self, pointer, bytes, &end->kind, &end->range, &end->host))
    return pointer == NULL ? "a pointer is NULL" : "it runs beyond the end of an allocation";
  end->on_device = end->kind == SIM_DEVICE || end->kind == SIM_PEER || (end->kind == SIM_MANAGED && device_side);
  /* With one address space CUDA finds the second device by the address. */
  if (end->kind == SIM_PEER && !can (self, MEMLANE_CAN_UNIFIED_ADDRESSING))
    return "one pointer is the second device's memory; use the copy between devices";
  if (!device_side)
    return end->kind == SIM_DEVICE || end->kind == SIM_PEER || end->host != (const char *) pointer
      ? "the host's side of the copy is a device pointer" : NULL;
  if (end->kind == SIM_DEVICE || end->kind == SIM_PEER || end->kind == SIM_MANAGED)
    return NULL;
  /* With one address space CUDA sees that it is page-locked host memory and copies there all the same. */
  if (is_locked (end->kind) && (end->host != (const char *) pointer || can (self, MEMLANE_CAN_UNIFIED_ADDRESSING)))
    return NULL;
  return "the device's side of the copy is a host pointer";
}

static MemlaneCurve
copy_curve (const End *to, const End *from, gboolean up)
{
  const End *host = up ? from : to;

  if (to->kind == SIM_MANAGED || from->kind == SIM_MANAGED)
    return up ? MEMLANE_CURVE_COPY_MANAGED_TO_DEVICE : MEMLANE_CURVE_COPY_MANAGED_TO_HOST;
  if (host->kind == SIM_REGISTERED)
    return up ? MEMLANE_CURVE_COPY_REGISTERED_TO_DEVICE : MEMLANE_CURVE_COPY_REGISTERED_TO_HOST;
  if (host->range != NULL && host->range->write_combined)
    return up ? MEMLANE_CURVE_COPY_WRITE_COMBINED_TO_DEVICE : MEMLANE_CURVE_COPY_WRITE_COMBINED_TO_HOST;
  return up ? MEMLANE_CURVE_COPY_PINNED_TO_DEVICE : MEMLANE_CURVE_COPY_PINNED_TO_HOST;
}

static MemlaneSimOp *
copy_op_new (MemlaneSim *self, MemlaneStream *stream, const End *to, const End *from, gsize offset, gsize bytes, MemlaneSimEngine direction)
{
  MemlaneSimOp *op = memlane_sim_op_new (self, SIM_OP_COPY, stream);

  memlane_sim_op_use_copy_engine (self, op, direction);
  op->to = to->host + offset;
  op->from = from->host + offset;
  op->bytes = bytes;
  if (to->kind == SIM_MANAGED)
    op->ranges[0] = to->range;
  op->location = to->on_device ? MEMLANE_LOCATION_DEVICE : MEMLANE_LOCATION_HOST;
  op->source = (guint8) memlane_sim_trace_memory (from->kind);
  op->destination = (guint8) memlane_sim_trace_memory (to->kind);
  if (to->on_device && from->on_device)
    op->way = to->kind == SIM_PEER && from->kind != SIM_PEER ? MEMLANE_TRACE_WAY_TO_PEER : MEMLANE_TRACE_WAY_ON_DEVICE;
  else
    op->way = to->on_device ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
  return op;
}

/* The driver copies pageable memory into a page-locked buffer of its own first, and the host waits while it does. */
static void
copy_staged_up (MemlaneSim *self, MemlaneStream *stream, const End *to, const End *from, gsize bytes, MemlaneCurve curve)
{
  double blocked = memlane_sim_cost (self, curve, (double) bytes);
  gsize tail = MIN (bytes, MEMLANE_SIM_STAGING);
  MemlaneSimOp *op;

  memlane_sim_wait_before (self, stream);
  if (bytes > tail)
    {
      op = copy_op_new (self, stream, to, from, 0, bytes - tail, SIM_ENGINE_UP);
      op->work = MAX (1, blocked - memlane_sim_host (self, WAKE_UP));
      op->up_demand = CLAMP (memlane_profile_cost (self->profile, MEMLANE_CURVE_COPY_PINNED_TO_DEVICE, (double) bytes) / blocked, 0, 1);
      op->staging = bytes;
      memlane_sim_wait (self, stream, memlane_sim_issue (self, op, 0));
    }
  else
    {
      double begin = self->now;

      memlane_sim_spend (self, blocked);
      if (G_UNLIKELY (self->parent.tracer != NULL))
        memlane_sim_trace_host_copy (self, MEMLANE_TRACE_STAGING, stream, SIM_PINNED, from->kind, bytes, begin);
    }
  /* All is staged and the call returns; the last chunk is still on its way. */
  op = copy_op_new (self, stream, to, from, bytes - tail, tail, SIM_ENGINE_UP);
  op->up_demand = take_cost (self, op, MEMLANE_CURVE_COPY_PINNED_TO_DEVICE, tail);
  op->staged = g_memdup2 (op->from, tail);
  memlane_sim_issue (self, op, 0);
}

static gboolean
copy (MemlaneSim *self, const char *call, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, MemlaneStream *stream,
      gboolean synchronous, GError **error)
{
  gboolean to_device = kind == MEMLANE_COPY_TO_DEVICE || kind == MEMLANE_COPY_ON_DEVICE;
  gboolean from_device = kind == MEMLANE_COPY_TO_HOST || kind == MEMLANE_COPY_ON_DEVICE;
  End target, source;
  const char *wrong;
  MemlaneSimOp *op;
  MemlaneCurve curve;
  guint64 seq;
  gboolean up;

  if (!memlane_sim_admit (self, call, error) || !memlane_sim_find_stream (self, &stream, call, error))
    return FALSE;
  if (bytes == 0)
    return TRUE;
  wrong = find_end (self, to, bytes, to_device, &target);
  if (wrong == NULL)
    wrong = find_end (self, from, bytes, from_device, &source);
  if (wrong != NULL)
    {
      g_autofree char *reason = g_strdup_printf ("cudaErrorInvalidValue: %s", wrong);
      return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, reason, "%s (%p from %p, %" G_GSIZE_FORMAT " bytes, %s)", call, to,
                               from, bytes, copy_kind_name (kind));
    }

  if (!target.on_device && !source.on_device)
    {
      gboolean managed = target.kind == SIM_MANAGED || source.kind == SIM_MANAGED;
      double begin;

      memlane_sim_wait_before (self, stream);
      begin = self->now;
      memlane_sim_spend (self,
                         memlane_sim_cost (self, managed ? MEMLANE_CURVE_COPY_MANAGED_ON_HOST : MEMLANE_CURVE_COPY_ON_HOST,
                                           (double) bytes));
      if (G_UNLIKELY (self->parent.tracer != NULL))
        memlane_sim_trace_host_copy (self, MEMLANE_TRACE_COPY, stream, target.kind, source.kind, bytes, begin);
      if (!self->lost)
        memmove (target.host, source.host, bytes);
      if (target.range != NULL && target.range->blocks != NULL)
        memlane_sim_place (target.range, target.host, bytes, MEMLANE_LOCATION_HOST);
      return !self->lost || memlane_sim_admit (self, call, error);
    }

  if (target.on_device && source.on_device)
    {
      if (self->profile->sync_copy_on_device)
        memlane_sim_barrier (self);
      memlane_sim_spend (self, synchronous ? memlane_sim_host (self, MEMCPY) : memlane_sim_host (self, MEMCPY_ASYNC));
      op = copy_op_new (self, stream, &target, &source, 0, bytes, SIM_ENGINE_INSIDE);
      op->memory_demand = take_cost (self, op, MEMLANE_CURVE_COPY_ON_DEVICE, bytes);
      /* Even cudaMemcpy returns before a copy inside the device is done. */
      memlane_sim_issue (self, op, memlane_sim_host (self, COPY_LATENCY));
      return TRUE;
    }

  up = target.on_device;
  if ((up ? source : target).kind == SIM_PAGEABLE)
    {
      if (up)
        {
          curve = synchronous ? MEMLANE_CURVE_COPY_PAGEABLE_TO_DEVICE : MEMLANE_CURVE_COPY_PAGEABLE_ASYNC_TO_DEVICE;
          copy_staged_up (self, stream, &target, &source, bytes, curve);
        }
      else
        {
          double blocked;

          curve = synchronous ? MEMLANE_CURVE_COPY_PAGEABLE_TO_HOST : MEMLANE_CURVE_COPY_PAGEABLE_ASYNC_TO_HOST;
          blocked = memlane_sim_cost (self, curve, (double) bytes);
          op = copy_op_new (self, stream, &target, &source, 0, bytes, SIM_ENGINE_DOWN);
          op->work = MAX (1, blocked - memlane_sim_host (self, WAKE_UP));
          op->down_demand = CLAMP (memlane_profile_cost (self->profile, MEMLANE_CURVE_COPY_PINNED_TO_HOST, (double) bytes) / blocked, 0, 1);
          op->staging = bytes;
          if (target.range != NULL && target.range->blocks != NULL)
            memlane_sim_place (target.range, target.host, bytes, MEMLANE_LOCATION_HOST);
          memlane_sim_wait (self, stream, memlane_sim_issue (self, op, 0));
        }
      return !self->lost || memlane_sim_admit (self, call, error);
    }

  if (synchronous)
    {
      self->touched = 0; /* its own cost was measured with the caches as they are */
      memlane_sim_spend (self, memlane_sim_cost (self, up ? MEMLANE_CURVE_MEMCPY_TO_DEVICE : MEMLANE_CURVE_MEMCPY_TO_HOST, (double) bytes));
      memlane_sim_catch_up (self); /* what is done by now is no work */
      if (memlane_sim_has_work (self, stream))
        memlane_sim_spend (self, memlane_sim_host (self, MEMCPY_BUSY));
    }
  else
    memlane_sim_spend (self, memlane_sim_host (self, MEMCPY_ASYNC));
  op = copy_op_new (self, stream, &target, &source, 0, bytes, up ? SIM_ENGINE_UP : SIM_ENGINE_DOWN);
  *(up ? &op->up_demand : &op->down_demand) = take_cost (self, op, copy_curve (&target, &source, up), bytes);
  seq = memlane_sim_issue (self, op, synchronous ? 0 : memlane_sim_host (self, COPY_LATENCY));
  if (synchronous)
    memlane_sim_wait (self, stream, seq);
  return !synchronous || !self->lost || memlane_sim_admit (self, call, error);
}

gboolean
memlane_sim_memcpy (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error)
{
  return copy (SIM (device), "cudaMemcpy", to, from, bytes, kind, NULL, TRUE, error);
}

gboolean
memlane_sim_memcpy_async (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, MemlaneStream *stream,
                          GError **error)
{
  return copy (SIM (device), "cudaMemcpyAsync", to, from, bytes, kind, stream, FALSE, error);
}

gboolean
memlane_sim_memcpy_peer_async (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  End target, source;
  MemlaneSimOp *op;

  if (!memlane_sim_admit (self, "cudaMemcpyPeerAsync", error) || !memlane_sim_find_stream (self, &stream, "cudaMemcpyPeerAsync", error))
    return FALSE;
  if (!can (self, MEMLANE_CAN_PEER_COPY))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "cudaErrorNotSupported: there is no second device beside this one",
                             "cudaMemcpyPeerAsync (%" G_GSIZE_FORMAT " bytes)", bytes);
  if (bytes == 0)
    return TRUE;
  if (!memlane_sim_locate (self, to, bytes, &target.kind, &target.range, &target.host)
      || !memlane_sim_locate (self, from, bytes, &source.kind, &source.range, &source.host) || target.kind != SIM_PEER
      || source.kind != SIM_DEVICE)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorInvalidValue: it copies from this device's memory into the second one's, within their ends",
                             "cudaMemcpyPeerAsync (%p from %p, %" G_GSIZE_FORMAT " bytes)", to, from, bytes);
  target.on_device = source.on_device = TRUE;
  memlane_sim_spend (self, memlane_sim_host (self, MEMCPY_ASYNC));
  op = copy_op_new (self, stream, &target, &source, 0, bytes, SIM_ENGINE_INSIDE);
  op->down_demand = take_cost (self, op, MEMLANE_CURVE_COPY_PEER, bytes);
  memlane_sim_issue (self, op, memlane_sim_host (self, COPY_LATENCY));
  return TRUE;
}

/* --- fills and kernels -------------------------------------------------------------------------------------- */

gboolean
memlane_sim_memset_async (MemlaneDevice *device, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimRange *range;
  MemlaneSimOp *op;
  char *host;

  if (!memlane_sim_admit (self, "cudaMemsetAsync", error) || !memlane_sim_find_stream (self, &stream, "cudaMemsetAsync", error))
    return FALSE;
  if (bytes == 0)
    return TRUE;
  range = memlane_sim_reach (self, pointer, bytes, &host);
  if (range == NULL)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorInvalidValue: that is not a stretch of memory that the device can reach",
                             "cudaMemsetAsync (%p, %" G_GSIZE_FORMAT " bytes)", pointer, bytes);
  if (range->kind == SIM_DEVICE && self->profile->sync_memset)
    memlane_sim_barrier (self);
  /* The cold call is left to what comes next: in what it was fitted to, a memset poisons the results between the host's writes and the
   * first timed call. */
  memlane_sim_spend (self, memlane_sim_host (self, MEMSET_ASYNC));
  op = memlane_sim_op_new (self, SIM_OP_FILL, stream);
  op->engine = SIM_ENGINE_COMPUTE;
  op->to = host;
  op->byte = byte;
  op->bytes = bytes;
  op->destination = (guint8) memlane_sim_trace_memory (range->kind);
  if (range->blocks != NULL)
    op->ranges[0] = range;
  if (is_locked (range->kind))
    op->down_demand = take_cost (self, op, MEMLANE_CURVE_FILL_MAPPED, bytes);
  else
    op->memory_demand = take_cost (self, op, MEMLANE_CURVE_FILL_DEVICE, bytes);
  memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_LATENCY));
  return TRUE;
}

/* The curves of a kernel: all on the device, then by which side of it is in host memory. */
static const struct
{
  MemlaneCurve device, load, store, both, write_combined;
} kernel_curves[] = {
  [MEMLANE_KERNEL_ADD] = { MEMLANE_CURVE_KERNEL_ADD_DEVICE, MEMLANE_CURVE_KERNEL_ADD_MAPPED_LOAD, MEMLANE_CURVE_KERNEL_ADD_MAPPED_STORE,
                           MEMLANE_CURVE_KERNEL_ADD_MAPPED, MEMLANE_CURVE_KERNEL_ADD_MAPPED_WRITE_COMBINED },
  [MEMLANE_KERNEL_COPY] = { MEMLANE_CURVE_KERNEL_COPY_DEVICE, MEMLANE_CURVE_KERNEL_COPY_MAPPED_LOAD, MEMLANE_CURVE_KERNEL_COPY_MAPPED_STORE,
                            MEMLANE_CURVE_KERNEL_COPY_MAPPED_BOTH, MEMLANE_CURVE_KERNEL_COPY_MAPPED_WRITE_COMBINED },
};

gboolean
memlane_sim_launch (MemlaneDevice *device, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                    MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  const void *const pointers[3] = { out, a, b };
  guint n = kernel == MEMLANE_KERNEL_ADD ? 3 : 2;
  gsize bytes = elements * sizeof (float);
  MemlaneSimRange *ranges[3] = { NULL };
  char *hosts[3] = { NULL };
  gboolean reached = TRUE, loads = FALSE, stores, write_combined = FALSE;
  MemlaneSimOp *op;
  MemlaneCurve curve;
  double demand;

  if (!memlane_sim_admit (self, "kernel launch", error) || !memlane_sim_find_stream (self, &stream, "kernel launch", error))
    return FALSE;
  if (elements == 0 || elements > G_MAXSIZE / sizeof (float))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorInvalidConfiguration: a grid needs at least one block, and not too many",
                             "kernel launch (%" G_GSIZE_FORMAT " elements)", elements);
  for (guint i = 0; i < n; i++)
    {
      ranges[i] = memlane_sim_reach (self, pointers[i], bytes, &hosts[i]);
      reached &= ranges[i] != NULL;
    }
  memlane_sim_spend_cold (self);
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH));
  if (ranges[0] != NULL && ranges[0]->blocks != NULL && memlane_sim_is_advised (ranges[0]))
    memlane_sim_spend (self, memlane_sim_cost (self, MEMLANE_CURVE_LAUNCH_ADVISED, (double) bytes));

  /* The launch itself knows nothing of addresses; the context dies when the kernel uses them, and the next call that waits says so. */
  op = memlane_sim_op_new (self, reached ? SIM_OP_KERNEL : SIM_OP_FAULT, stream);
  op->engine = SIM_ENGINE_COMPUTE;
  if (!reached)
    {
      op->work = memlane_profile_cost (self->profile, kernel_curves[kernel].device, 1);
      memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_LATENCY));
      return TRUE;
    }

  op->kernel = kernel;
  op->to = hosts[0];
  op->from = hosts[1];
  op->from2 = hosts[2];
  op->bytes = bytes;
  op->destination = (guint8) memlane_sim_trace_memory (ranges[0]->kind);
  op->source = (guint8) memlane_sim_trace_memory (ranges[1]->kind);
  stores = is_locked (ranges[0]->kind);
  for (guint i = 0; i < n; i++)
    {
      if (ranges[i]->blocks != NULL)
        op->ranges[i] = ranges[i];
      if (i > 0 && is_locked (ranges[i]->kind))
        {
          loads = TRUE;
          write_combined |= ranges[i]->write_combined;
        }
    }
  if (loads && stores)
    curve = write_combined ? kernel_curves[kernel].write_combined : kernel_curves[kernel].both;
  else
    curve = loads ? kernel_curves[kernel].load : stores ? kernel_curves[kernel].store : kernel_curves[kernel].device;
  demand = take_cost (self, op, curve, bytes);
  op->up_demand = loads ? demand : 0;
  op->down_demand = stores ? demand : 0;
  op->memory_demand = loads || stores ? 0 : demand;
  memlane_sim_issue (self, op, memlane_sim_host (self, KERNEL_LATENCY));
  return TRUE;
}

gboolean
memlane_sim_launch_host_function (MemlaneDevice *device, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                  GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  if (!memlane_sim_admit (self, "cudaLaunchHostFunc", error) || !memlane_sim_find_stream (self, &stream, "cudaLaunchHostFunc", error))
    return FALSE;
  if (function == NULL)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: there is no function to call",
                             "cudaLaunchHostFunc (%p)", (void *) stream);
  memlane_sim_spend (self, memlane_sim_host (self, LAUNCH_HOST_FUNCTION));
  op = memlane_sim_op_new (self, SIM_OP_HOST_FUNCTION, stream);
  op->work = memlane_sim_host (self, HOST_FUNCTION);
  op->function = function;
  op->data = data;
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

/* --- at an operation's start and end ---------------------------------------------------------------------------- */

static double
kernel_work (MemlaneSim *self, MemlaneSimOp *op)
{
  gboolean fill = op->kind == SIM_OP_FILL;
  const char *const at[3] = { op->to, op->from, op->from2 };
  double alone = op->work, remote = 0, migration;
  MemlaneSimMoved moved;

  if (op->ranges[0] == NULL && op->ranges[1] == NULL && op->ranges[2] == NULL)
    return alone;
  migration = memlane_sim_migrate_for_device (self, op->ranges, at, fill ? 1 : 3, op->bytes, 1, &remote, &moved);
  op->migration = migration;
  op->migrated = moved.migrated;
  op->duplicated = moved.duplicated;
  op->faults = moved.blocks;
  if (remote > 0)
    {
      MemlaneCurve there = fill ? MEMLANE_CURVE_FILL_MAPPED : kernel_curves[op->kernel].both;
      double mapped = memlane_sim_cost (self, there, (double) op->bytes);

      op->up_demand = MAX (op->up_demand, remote);
      alone += remote * MAX (0, mapped - alone);
    }
  op->memory_demand *= alone / (alone + migration);
  return alone + migration;
}

double
memlane_sim_work_at_start (MemlaneSim *self, MemlaneSimOp *op)
{
  double away, ns;
  gboolean up;

  switch (op->kind)
    {
    case SIM_OP_KERNEL:
    case SIM_OP_FILL:
      return kernel_work (self, op);
    case SIM_OP_PREFETCH:
      away = memlane_sim_bytes_away (op->ranges[0], op->from, op->bytes, op->location);
      if (away <= 0)
        return 0;
      op->migrated = away;
      up = op->location == MEMLANE_LOCATION_DEVICE;
      ns = memlane_sim_cost (self, up ? MEMLANE_CURVE_PREFETCH_TO_DEVICE : MEMLANE_CURVE_PREFETCH_TO_HOST, away);
      /* Most of a prefetch is the driver's work on page tables; it leaves the link to others as far as it does not move bytes. */
      *(up ? &op->up_demand : &op->down_demand)
        = CLAMP (memlane_profile_cost (self->profile, MEMLANE_CURVE_COPY_PINNED_TO_DEVICE, away) / ns, 0, 1);
      return ns;
    case SIM_OP_EVENT:
      return memlane_sim_host (self, EVENT_DEVICE);
    case SIM_OP_LATCH:
      if (op->byte != 0)
        return memlane_sim_host (self, LATCH_RELEASE);
      return MEMLANE_LATCH_TIMEOUT_NS;
    case SIM_OP_COPY:
    case SIM_OP_HOST_FUNCTION:
    case SIM_OP_FAULT:
      return op->work;
    case SIM_OP_ALLOC:
      /* It goes on beside the copies that follow. */
      op->stream->mapped_at = MAX (op->stream->mapped_at, self->device_time) + op->work;
      return 0;
    case SIM_OP_WAIT:
      /* Only one that has really waited: an event that has long passed costs nothing. */
      return self->device_time > MAX (op->ready, op->stream->last_end) + 1 ? memlane_sim_host (self, EVENT_WAIT) : 0;
    case SIM_OP_BARRIER:
    case SIM_OP_FREE:
    default:
      return 0;
    }
}

void
memlane_sim_perform (MemlaneSim *self, MemlaneSimOp *op)
{
  if (op->kind == SIM_OP_FREE)
    {
      self->freed_async += op->ranges[0]->bytes;
      memlane_sim_range_free (self, op->ranges[0]);
      op->ranges[0] = NULL;
      return;
    }
  if (self->lost)
    return; /* nothing happens on a dead context */

  switch (op->kind)
    {
    case SIM_OP_COPY:
      memmove (op->to, op->staged != NULL ? op->staged : op->from, op->bytes);
      if (op->ranges[0] != NULL)
        memlane_sim_place (op->ranges[0], op->to, op->bytes, op->location);
      break;
    case SIM_OP_FILL:
      memset (op->to, op->byte, op->bytes);
      break;
    case SIM_OP_KERNEL:
      {
        float *out = (float *) (gpointer) op->to;
        gsize n = op->bytes / sizeof (float);

        if (op->kernel == MEMLANE_KERNEL_ADD)
          memlane_reference_add (out, (const float *) (gconstpointer) op->from, (const float *) (gconstpointer) op->from2, n);
        else
          memlane_reference_copy (out, (const float *) (gconstpointer) op->from, n);
        if (self->profile->corrupt_kernel)
          out[n / 2] = out[n / 2] * 2 + 1;
        break;
      }
    case SIM_OP_PREFETCH:
      memlane_sim_place (op->ranges[0], op->from, op->bytes, op->location);
      break;
    case SIM_OP_HOST_FUNCTION:
      self->in_host_function = TRUE;
      op->function (op->data);
      self->in_host_function = FALSE;
      break;
    case SIM_OP_FAULT:
      self->lost = TRUE;
      self->lost_by = "cudaErrorIllegalAddress: a kernel used an address that the device cannot reach; "
                      "the context is lost until the process ends";
      break;
    case SIM_OP_EVENT:
    case SIM_OP_WAIT:
    case SIM_OP_BARRIER:
    case SIM_OP_LATCH:
    case SIM_OP_ALLOC:
    case SIM_OP_FREE:
    default:
      break;
    }
}
