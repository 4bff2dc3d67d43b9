/* simulated-order.c: streams, events, waiting, the latch
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

static gboolean
refuse_handle (GError **error, const char *call, const char *what, gconstpointer handle)
{
  return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidResourceHandle: it was destroyed before, or never created",
                           "%s (%s %p)", call, what, handle);
}

gboolean
memlane_sim_find_stream (MemlaneSim *self, MemlaneStream **stream, const char *call, GError **error)
{
  if (*stream == NULL)
    *stream = self->legacy;
  for (guint i = 0; i < self->streams->len; i++)
    if (self->streams->pdata[i] == *stream && !(*stream)->destroyed)
      return TRUE;
  return refuse_handle (error, call, "stream", *stream);
}

static gboolean
find_event (MemlaneSim *self, MemlaneEvent *event, const char *call, GError **error)
{
  return g_ptr_array_find (self->events, event, NULL) || refuse_handle (error, call, "event", event);
}

/* Whether @call may be made, on that stream. */
static gboolean
begin (MemlaneSim *self, MemlaneStream **stream, const char *call, GError **error)
{
  return memlane_sim_admit (self, call, error) && memlane_sim_find_stream (self, stream, call, error);
}

/* A wait is where CUDA reports what went wrong meanwhile. */
static gboolean
report (MemlaneSim *self, const char *call, GError **error)
{
  return !self->lost || memlane_sim_admit (self, call, error);
}

gboolean
memlane_sim_stream_create (MemlaneDevice *device, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  const MemlaneDeviceInfo *info = &self->profile->info;

  if (!memlane_sim_admit (self, "cudaStreamCreateWithPriority", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, STREAM_CREATE));
  *stream = g_new0 (MemlaneStream, 1);
  (*stream)->refs = 1;
  (*stream)->number = memlane_sim_trace_free_number (self);
  (*stream)->non_blocking = non_blocking;
  (*stream)->priority = CLAMP (priority, info->priority_greatest, info->priority_least); /* as CUDA does */
  g_ptr_array_add (self->streams, *stream);
  return TRUE;
}

gboolean
memlane_sim_stream_destroy (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaStreamDestroy", error);
  if (stream == NULL || stream == self->legacy)
    return refuse_handle (error, "cudaStreamDestroy", "stream", stream);
  if (!memlane_sim_find_stream (self, &stream, "cudaStreamDestroy", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, STREAM_DESTROY));
  memlane_sim_catch_up (self);
  /* Returns at once; what is queued still runs, and the last of it takes the stream along. */
  stream->destroyed = TRUE;
  if (stream->head == NULL)
    {
      g_ptr_array_remove (self->streams, stream);
      memlane_sim_stream_unref (stream);
    }
  return report (self, "cudaStreamDestroy", error);
}

gboolean
memlane_sim_stream_synchronize (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!begin (self, &stream, "cudaStreamSynchronize", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, SYNCHRONIZE));
  if (stream == self->legacy)
    memlane_sim_wait_before (self, stream);
  else
    memlane_sim_wait (self, stream, G_MAXUINT64);
  memlane_sim_spend_trim (self);
  return report (self, "cudaStreamSynchronize", error);
}

gboolean
memlane_sim_stream_query (MemlaneDevice *device, MemlaneStream *stream, gboolean *done, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!begin (self, &stream, "cudaStreamQuery", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, STREAM_QUERY));
  memlane_sim_catch_up (self);
  *done = !memlane_sim_has_work (self, stream);
  return report (self, "cudaStreamQuery", error);
}

gboolean
memlane_sim_stream_wait_event (MemlaneDevice *device, MemlaneStream *stream, MemlaneEvent *event, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  if (!begin (self, &stream, "cudaStreamWaitEvent", error) || !find_event (self, event, "cudaStreamWaitEvent", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, STREAM_WAIT_EVENT));
  if (event->stream == NULL)
    return TRUE; /* never recorded: nothing to wait for */
  op = memlane_sim_op_new (self, SIM_OP_WAIT, stream);
  op->wait_stream = event->stream;
  op->wait_stream->refs++;
  op->wait_seq = event->seq;
  memlane_sim_issue (self, op, 0);
  return TRUE;
}

gboolean
memlane_sim_synchronize (MemlaneDevice *device, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!memlane_sim_admit (self, "cudaDeviceSynchronize", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, SYNCHRONIZE));
  memlane_sim_wait (self, NULL, 0);
  memlane_sim_spend_trim (self);
  return report (self, "cudaDeviceSynchronize", error);
}

gboolean
memlane_sim_event_create (MemlaneDevice *device, MemlaneEvent **event, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!memlane_sim_admit (self, "cudaEventCreate", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, EVENT_CREATE));
  *event = g_new0 (MemlaneEvent, 1);
  (*event)->refs = 1;
  g_ptr_array_add (self->events, *event);
  return TRUE;
}

gboolean
memlane_sim_event_destroy (MemlaneDevice *device, MemlaneEvent *event, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (self->in_host_function)
    return memlane_sim_admit (self, "cudaEventDestroy", error);
  if (!find_event (self, event, "cudaEventDestroy", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, EVENT_DESTROY));
  g_ptr_array_remove_fast (self->events, event);
  memlane_sim_event_unref (event);
  return report (self, "cudaEventDestroy", error);
}

gboolean
memlane_sim_event_record (MemlaneDevice *device, MemlaneEvent *event, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  if (!begin (self, &stream, "cudaEventRecord", error) || !find_event (self, event, "cudaEventRecord", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, EVENT_RECORD));
  op = memlane_sim_op_new (self, SIM_OP_EVENT, stream);
  op->event = event;
  event->refs++;
  stream->refs++;
  if (event->stream != NULL)
    memlane_sim_stream_unref (event->stream);
  event->stream = stream;
  event->seq = memlane_sim_issue (self, op, 0);
  return TRUE;
}

gboolean
memlane_sim_event_synchronize (MemlaneDevice *device, MemlaneEvent *event, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!memlane_sim_admit (self, "cudaEventSynchronize", error) || !find_event (self, event, "cudaEventSynchronize", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, SYNCHRONIZE));
  if (event->stream != NULL)
    memlane_sim_wait (self, event->stream, event->seq);
  memlane_sim_spend_trim (self);
  return report (self, "cudaEventSynchronize", error);
}

gboolean
memlane_sim_event_elapsed (MemlaneDevice *device, MemlaneEvent *from, MemlaneEvent *to, double *ns, GError **error)
{
  MemlaneSim *self = SIM (device);

  if (!memlane_sim_admit (self, "cudaEventElapsedTime", error) || !find_event (self, from, "cudaEventElapsedTime", error)
      || !find_event (self, to, "cudaEventElapsedTime", error))
    return FALSE;
  memlane_sim_spend (self, memlane_sim_host (self, EVENT_QUERY));
  memlane_sim_catch_up (self);
  if (from->stream == NULL || to->stream == NULL)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidResourceHandle: one of the events was never recorded",
                             "cudaEventElapsedTime (%p, %p)", (void *) from, (void *) to);
  if (!memlane_sim_is_done (self, from->stream, from->seq) || !memlane_sim_is_done (self, to->stream, to->seq))
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_FAILED,
                             "cudaErrorNotReady: the stream has not come to both events yet; wait for the second one",
                             "cudaEventElapsedTime (%p, %p)", (void *) from, (void *) to);
  *ns = to->time - from->time;
  return report (self, "cudaEventElapsedTime", error);
}

gboolean
memlane_sim_latch_close (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  if (!begin (self, &stream, "latch", error))
    return FALSE;
  if (self->latch_closed)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID, "cudaErrorInvalidValue: a latch is closed already; open it first",
                             "latch (%p)", (void *) stream);
  op = memlane_sim_op_new (self, SIM_OP_LATCH, stream);
  if ((self->profile->info.capabilities & MEMLANE_CAN_CONCURRENT_KERNELS) == 0)
    op->engine = SIM_ENGINE_COMPUTE; /* where kernels take turns, it is one of them */
  memlane_sim_spend (self, memlane_sim_host (self, LATCH_CLOSE));
  memlane_sim_spend_cold (self);
  memlane_sim_issue (self, op, 0);
  self->latch = op;
  self->latch_closed = TRUE;
  self->latch_late = FALSE;
  return TRUE;
}

gboolean
memlane_sim_latch_open (MemlaneDevice *device, gboolean *late, GError **error)
{
  MemlaneSim *self = SIM (device);
  MemlaneSimOp *op;

  if (late != NULL)
    *late = FALSE;
  if (self->in_host_function)
    return memlane_sim_admit (self, "latch", error);
  if (!self->latch_closed)
    return TRUE;
  memlane_sim_spend (self, memlane_sim_host (self, LATCH_OPEN));
  memlane_sim_catch_up (self);
  self->latch_closed = FALSE;
  op = self->latch;
  if (op != NULL)
    op->byte = 1; /* open before it spins: it passes at once */
  if (op != NULL && op->started)
    {
      op->updated = self->device_time;
      op->remaining = memlane_sim_host (self, LATCH_RELEASE);
      op->end = self->device_time + op->remaining;
    }
  if (late != NULL)
    *late = self->latch_late || self->profile->late_latch;
  return report (self, "latch", error);
}
