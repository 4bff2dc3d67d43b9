/* recording.c: one sample recorded by a worker
 *
 * SPDX-License-Identifier: MIT
 */
#include "recording.h"

#include <string.h>

#include "command.h"
#include "hosts.h"
#include "measure/record.h"
#include "trace/chrome-json.h"

typedef struct
{
  GString *text;     /* the pieces */
  gboolean is_whole;
  char *host;        /* (nullable) */
  MemlaneRecordingWaiting waiting; /* (nullable) */
  gpointer waiting_data;
  gboolean waits;
} Recording;

static void
recording_free (gpointer data)
{
  Recording *recording = data;

  g_string_free (recording->text, TRUE);
  g_free (recording->host);
  g_free (recording);
}

gboolean
memlane_recording_take_piece (GString *text, JsonObject *message, GError **error)
{
  JsonNode *node = json_object_get_member (message, "json");

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_STRING)
    {
      g_set_error_literal (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "json: expected a text");
      return FALSE;
    }
  g_string_append (text, json_node_get_string (node));
  return TRUE;
}

static gboolean
hear (JsonObject *message, gpointer user_data, GError **error)
{
  Recording *recording = user_data;
  const char *type = memlane_message_get_type (message);

  if (strcmp (type, "waiting") == 0)
    {
      const char *text;

      if (!memlane_message_get_text (message, "text", MEMLANE_WORKER_LONGEST_SENTENCE, &text, error))
        return FALSE;
      recording->waits = TRUE;
      if (recording->waiting != NULL)
        recording->waiting (text, recording->waiting_data);
      return TRUE;
    }
  if (recording->waits && recording->waiting != NULL)
    recording->waiting (NULL, recording->waiting_data);
  recording->waits = FALSE;
  if (strcmp (type, "spans") == 0 && !recording->is_whole)
    return memlane_recording_take_piece (recording->text, message, error);
  if (strcmp (type, "trace") == 0 && !recording->is_whole)
    {
      recording->is_whole = TRUE;
      return TRUE;
    }
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "\"%s\" is no answer to that", type);
  return FALSE;
}

static void
free_trace (gpointer trace)
{
  memlane_trace_unref (trace);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Recording *recording = task_data;
  GError *error = NULL;
  MemlaneTrace *trace = memlane_trace_read_json_text (recording->text->str, recording->text->len, "the worker's trace", &error);

  if (trace != NULL)
    g_task_return_pointer (task, trace, free_trace);
  else
    g_task_return_error (task, error);
}

static void
recorded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (memlane_worker_ask_finish (result, &error))
    g_task_run_in_thread (task, read_in_thread);
  else
    g_task_return_error (task, error);
}

static void
ask (const char *device, JsonObject *request, GCancellable *cancellable, MemlaneRecordingWaiting waiting, GAsyncReadyCallback callback,
     gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Recording *recording = g_new0 (Recording, 1);

  recording->text = g_string_new (NULL);
  recording->waiting = waiting;
  recording->waiting_data = user_data;
  g_task_set_task_data (task, recording, recording_free);
  memlane_message_set_text (request, "device", device != NULL ? memlane_host_split (device, &recording->host) : NULL);
  memlane_worker_ask_async (recording->host, request, 0, hear, recording, cancellable, recorded_cb, task);
}

void
memlane_recording_sample_async (const char *device, const MemlaneMethod *method, const MemlaneMode *mode, guint log2_elements,
                                GCancellable *cancellable, MemlaneRecordingWaiting waiting, GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_of_sample (method, mode, log2_elements);
  JsonObject *request = memlane_message_new ("trace");

  memlane_message_set_plan (request, plan);
  ask (device, request, cancellable, waiting, callback, user_data);
}

void
memlane_recording_lab_async (const char *device, const MemlaneLabPlan *plan, GCancellable *cancellable, MemlaneRecordingWaiting waiting,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  JsonObject *request = memlane_message_new ("laboratory");

  memlane_message_set_lab (request, plan);
  ask (device, request, cancellable, waiting, callback, user_data);
}

MemlaneTrace *
memlane_recording_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
