/* requests.c: what one worker is asked once: which devices there are, what one can do, how fast
 * several copy, one recorded sample
 *
 * SPDX-License-Identifier: MIT
 */
#include "requests.h"

#include <string.h>

#include "base/fail.h"
#include "base/owns.h"
#include "hosts.h"
#include "job.h"

gboolean
memlane_trace_take_piece (GByteArray **pieces, const MemlaneMessage *message, MemlaneTrace **trace,
                          GError **error)
{
  if (*pieces == NULL)
    *pieces = g_byte_array_new ();
  g_byte_array_append (*pieces, (guint8 *) message->text, (guint) strlen (message->text));
  *trace = NULL;
  if (message->more)
    return TRUE;
  *trace = memlane_trace_parse ((char *) (*pieces)->data, (*pieces)->len, "the trace", error);
  g_clear_pointer (pieces, g_byte_array_unref);
  return *trace != NULL;
}

/* --- the answer ------------------------------------------------------------------------------- */

/* The answer of the worker, as far as it has come. */
typedef struct
{
  gpointer value;          /* what was asked for; NULL: it has not come */
  GDestroyNotify release;  /* of value */
  char *host;              /* (nullable) */
  gboolean lists;          /* devices: what does not answer is a row */
  guint n;                 /* devices that copy */
  GByteArray *pieces;      /* of a sample */
  MemlaneRecordingWaiting waiting; /* (nullable) */
  gpointer waiting_data;
} Answer;

MEMLANE_DEFINE_FREE (Answer, static void answer_free (gpointer data),
                     OWNS (value, self->release) OWNS (host, g_free)
                     OWNS (pieces, g_byte_array_unref))

/* Takes @value. */
static gboolean
set_value (Answer *answer, gpointer value)
{
  g_clear_pointer (&answer->value, answer->release);
  answer->value = value;
  return TRUE;
}

static gboolean
take_device (gpointer data, MemlaneMessage *message, GError **error)
{
  Answer *answer = data;
  MemlaneDeviceListing *listing = g_memdup2 (&message->listing, sizeof message->listing);

  memset (&message->listing, 0, sizeof message->listing);
  memlane_host_prefix (answer->host, &listing->id);
  g_ptr_array_add (answer->value, listing);
  return TRUE;
}

static gboolean
take_capabilities (gpointer data, MemlaneMessage *message, GError **error)
{
  memlane_host_prefix (((const Answer *) data)->host, &message->info->id);
  return set_value (data, g_steal_pointer (&message->info));
}

static gboolean
take_links (gpointer data, MemlaneMessage *message, GError **error)
{
  const Answer *answer = data;

  for (guint i = 0; i < message->n_links; i++)
    if (message->links[i].device >= answer->n || message->links[i].peer >= answer->n)
      return memlane_refuse (error, "links: expected places of devices, 0 to %u", answer->n - 1);
  return set_value (data, g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (MemlaneLink)),
                                               message->links, message->n_links));
}

static gboolean
take_waiting (gpointer data, MemlaneMessage *message, GError **error)
{
  const Answer *answer = data;

  if (answer->waiting != NULL)
    answer->waiting (message->text, answer->waiting_data);
  return TRUE;
}

static gboolean
take_piece (gpointer data, MemlaneMessage *message, GError **error)
{
  Answer *answer = data;

  if (answer->value != NULL)
    return memlane_refuse (error, "a second trace came, and one was asked for");
  return memlane_trace_take_piece (&answer->pieces, message, (MemlaneTrace **) &answer->value,
                                   error);
}

/* Each request has its own: what answers another one is ignored. */
static const MemlaneJobHandler list_handlers[]
    = { { MEMLANE_MESSAGE_DEVICE, take_device }, { 0, NULL } };
static const MemlaneJobHandler description_handlers[]
    = { { MEMLANE_MESSAGE_CAPABILITIES, take_capabilities }, { 0, NULL } };
static const MemlaneJobHandler link_handlers[]
    = { { MEMLANE_MESSAGE_LINKS, take_links }, { 0, NULL } };
static const MemlaneJobHandler trace_handlers[] = {
  { MEMLANE_MESSAGE_WAITING, take_waiting }, { MEMLANE_MESSAGE_TRACE, take_piece }, { 0, NULL },
};

/* Lists the devices that need no worker, and the reason why there are no more. */
static void
explain (Answer *answer, const GError *error)
{
  MemlaneDeviceListing *listing = g_new0 (MemlaneDeviceListing, 1);

  set_value (answer, answer->host == NULL ? memlane_device_list_simulated ()
                                          : g_ptr_array_new_with_free_func (
                                                (GDestroyNotify) memlane_device_listing_free));
  listing->id = g_strdup (answer->host != NULL ? answer->host : "cuda");
  listing->kind = g_strdup ("cuda");
  listing->name = g_strdup (answer->host != NULL ? answer->host : "CUDA devices");
  listing->reason = g_strdup (error->message);
  g_ptr_array_add (answer->value, listing);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Answer *answer = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  const gboolean done = memlane_job_run_finish (result, &error);

  if (!done && (!answer->lists || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (!done)
    explain (answer, error);
  if (answer->value != NULL)
    g_task_return_pointer (task, g_steal_pointer (&answer->value), answer->release);
  else
    g_task_return_new_error (task, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL,
                             "the worker did not say what it was asked for");
}

/* --- what is asked ---------------------------------------------------------------------------- */

/* A task whose answer has a value that @release frees. */
static GTask *
new_task (const char *host, gpointer release, GCancellable *cancellable,
          GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Answer *answer = g_new0 (Answer, 1);

  answer->host = g_strdup (host);
  answer->release = release;
  g_task_set_task_data (task, answer, answer_free);
  return task;
}

/* Takes @task. */
static void
ask (GTask *task, const char *device, const MemlaneMessage *request, guint seconds,
     const MemlaneJobHandler *handlers)
{
  memlane_job_run_async (device, request, seconds, handlers, g_task_get_task_data (task),
                         g_task_get_cancellable (task), answered_cb, task);
}

void
memlane_devices_list_async (const char *host, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = new_task (host, g_ptr_array_unref, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_DEVICES };
  g_autofree char *device = host != NULL ? g_strconcat (host, "/", NULL) : NULL;

  answer->lists = TRUE;
  answer->value = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
  ask (task, device, &request,
       host != NULL ? MEMLANE_DEVICES_HOST_SECONDS : MEMLANE_DEVICES_SECONDS, list_handlers);
}

void
memlane_devices_describe_async (const char *device, GCancellable *cancellable,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *host = NULL;
  const char *id = memlane_host_split (device, &host);
  GTask *task = new_task (host, memlane_device_info_free, cancellable, callback, user_data);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_DESCRIBE };

  if (host == NULL && g_str_has_prefix (id, "simulated:"))
    {
      GError *error = NULL;
      MemlaneDeviceInfo *info = memlane_device_describe (id, &error);

      if (info != NULL)
        g_task_return_pointer (task, info, (GDestroyNotify) memlane_device_info_free);
      else
        g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  ask (task, device, &request, 0, description_handlers);
}

void
memlane_devices_copy_async (const char *devices, guint seconds, GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = new_task (NULL, g_array_unref, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_COPY };
  g_auto (GStrv) ids = g_strsplit (devices, ",", -1);

  answer->n = g_strv_length (ids);
  ask (task, devices, &request, seconds, link_handlers);
}

static void
record (const char *device, const MemlaneMessage *request, GCancellable *cancellable,
        MemlaneRecordingWaiting waiting, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = new_task (NULL, memlane_trace_unref, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);

  answer->waiting = waiting;
  answer->waiting_data = user_data;
  ask (task, device, request, 0, trace_handlers);
}

void
memlane_recording_sample_async (const char *device, const MemlaneMethod *method,
                                const MemlaneMode *mode, double log2_elements,
                                GCancellable *cancellable, MemlaneRecordingWaiting waiting,
                                GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (MemlanePlan) plan = memlane_plan_of_sample (method, mode, log2_elements);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_SAMPLE, .plan = plan };

  record (device, &request, cancellable, waiting, callback, user_data);
}

void
memlane_recording_lab_async (const char *device, const MemlaneLabPlan *plan,
                             GCancellable *cancellable, MemlaneRecordingWaiting waiting,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_LABORATORY, .lab = *plan };

  record (device, &request, cancellable, waiting, callback, user_data);
}
