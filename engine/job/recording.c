/* recording.c: one sample recorded by a worker
 *
 * SPDX-License-Identifier: MIT
 */
#include "recording.h"

#include <string.h>

#include "base/fail.h"
#include "base/owns.h"
#include "job.h"
#include "trace/builder.h"

/* --- a trace in messages ---------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_CLEAR (MemlaneTraceParts, void memlane_trace_parts_clear (MemlaneTraceParts *data),
                      OWNS (builder, memlane_trace_builder_free))

static gboolean
begin (MemlaneTraceParts *parts, MemlaneMessage *message, GError **error)
{
  MemlaneTraceInfo *info;

  memlane_trace_parts_clear (parts);
  parts->builder = memlane_trace_builder_new ();
  parts->n_names = message->names->len;
  parts->n_left = message->n_events;
  info = memlane_trace_builder_get_info (parts->builder);
  g_clear_pointer (&info->notes, g_ptr_array_unref);
  *info = *message->about;
  memset (message->about, 0, sizeof *message->about);
  for (guint i = 0; i < message->names->len; i++) /* so an event's number of a name is the builder's */
    if (memlane_trace_builder_intern (parts->builder, message->names->pdata[i], -1) != i)
      return memlane_refuse (error, "names: expected each of them once");
  for (guint i = 0; i < message->n_streams; i++)
    memlane_trace_builder_add_stream (parts->builder, &message->streams[i]);
  return TRUE;
}

static gboolean
add (MemlaneTraceParts *parts, MemlaneMessage *message, GError **error)
{
  if (parts->builder == NULL || message->n_events > parts->n_left)
    return memlane_refuse (error, "events: expected no more than the trace has");
  for (guint i = 0; i < message->n_events; i++)
    {
      if (message->events[i].name >= parts->n_names)
        return memlane_refuse (error, "name: expected a place in the list of names");
      if (!memlane_trace_builder_add (parts->builder, &message->events[i], error))
        return FALSE;
    }
  parts->n_left -= message->n_events;
  return TRUE;
}

gboolean
memlane_trace_parts_take (MemlaneTraceParts *parts, MemlaneMessage *message, MemlaneTrace **trace, GError **error)
{
  *trace = NULL;
  if (message->type == MEMLANE_MESSAGE_TRACE && parts->builder != NULL)
    return memlane_refuse (error, "a trace came before the events of the last one");
  if (message->type == MEMLANE_MESSAGE_TRACE ? !begin (parts, message, error) : !add (parts, message, error))
    return FALSE;
  if (parts->n_left > 0)
    return TRUE;
  *trace = memlane_trace_builder_finish (g_steal_pointer (&parts->builder), error);
  return *trace != NULL;
}

/* --- one sample ------------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneTraceParts parts;
  MemlaneTrace *trace; /* NULL: it is not whole */
  MemlaneRecordingWaiting waiting; /* (nullable) */
  gpointer waiting_data;
} Recording;

MEMLANE_DEFINE_FREE (Recording, static void recording_free (gpointer data), memlane_trace_parts_clear (&self->parts);
                     OWNS (trace, memlane_trace_unref))

static gboolean
take_waiting (gpointer data, MemlaneMessage *message, GError **error)
{
  Recording *recording = data;

  if (recording->waiting != NULL)
    recording->waiting (message->text, recording->waiting_data);
  return TRUE;
}

static gboolean
take_part (gpointer data, MemlaneMessage *message, GError **error)
{
  Recording *recording = data;

  if (recording->trace != NULL)
    return memlane_refuse (error, "a second trace came, and one was asked for");
  return memlane_trace_parts_take (&recording->parts, message, &recording->trace, error);
}

static const MemlaneJobHandler handlers[] = {
  { MEMLANE_MESSAGE_WAITING, take_waiting }, { MEMLANE_MESSAGE_TRACE, take_part }, { MEMLANE_MESSAGE_EVENTS, take_part }, { 0, NULL },
};

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Recording *recording = g_task_get_task_data (task);
  GError *error = NULL;

  if (!memlane_job_run_finish (result, &error))
    g_task_return_error (task, error);
  else if (recording->trace == NULL)
    g_task_return_new_error (task, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                             "the worker said that it was done, without a trace");
  else
    g_task_return_pointer (task, g_steal_pointer (&recording->trace), (GDestroyNotify) memlane_trace_unref);
}

static void
run (const char *device, const MemlaneMessage *request, GCancellable *cancellable, MemlaneRecordingWaiting waiting,
     GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Recording *recording = g_new0 (Recording, 1);

  recording->waiting = waiting;
  recording->waiting_data = user_data;
  g_task_set_task_data (task, recording, recording_free);
  memlane_job_run_async (device, request, 0, handlers, recording, cancellable, recorded_cb, task);
}

void
memlane_recording_sample_async (const char *device, const MemlaneMethod *method, const MemlaneMode *mode, double log2_elements,
                                GCancellable *cancellable, MemlaneRecordingWaiting waiting, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_of_sample (method, mode, log2_elements);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_SAMPLE, .plan = plan };

  run (device, &request, cancellable, waiting, callback, user_data);
}

void
memlane_recording_lab_async (const char *device, const MemlaneLabPlan *plan, GCancellable *cancellable, MemlaneRecordingWaiting waiting,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_LABORATORY, .lab = *plan };

  run (device, &request, cancellable, waiting, callback, user_data);
}
