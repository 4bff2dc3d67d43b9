/* devices.c: which devices there are, and what one can do
 *
 * SPDX-License-Identifier: MIT
 */
#include "devices.h"

#include <string.h>

#include "base/owns.h"
#include "hosts.h"
#include "job.h"

typedef struct
{
  char *host;                 /* (nullable) */
  GPtrArray *listings;        /* of a list */
  MemlaneDeviceInfo *info;    /* of a description */
} Answer;

MEMLANE_DEFINE_FREE (Answer, static void answer_free (gpointer data), OWNS (host, g_free) OWNS (listings, g_ptr_array_unref)
                     OWNS (info, memlane_device_info_free))

static GTask *
new_task (const char *host, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Answer *answer = g_new0 (Answer, 1);

  answer->host = g_strdup (host);
  g_task_set_task_data (task, answer, answer_free);
  return task;
}

static void
name_on_host (const Answer *answer, char **id)
{
  char *name = answer->host != NULL ? g_strdup_printf ("%s/%s", answer->host, *id) : g_strdup (*id);

  g_free (*id);
  *id = name;
}

/* --- the list ------------------------------------------------------------------------------------------------------------------ */

static gboolean
take_device (gpointer data, MemlaneMessage *message, GError **error)
{
  Answer *answer = data;
  MemlaneDeviceListing *listing = g_memdup2 (&message->listing, sizeof message->listing);

  memset (&message->listing, 0, sizeof message->listing);
  name_on_host (answer, &listing->id);
  g_ptr_array_add (answer->listings, listing);
  return TRUE;
}

static const MemlaneJobHandler list_handlers[] = { { MEMLANE_MESSAGE_DEVICE, take_device }, { 0, NULL } };

/* Lists the devices that need no worker, and the reason why there are no more. */
static GPtrArray *
explain (const Answer *answer, const GError *error)
{
  GPtrArray *listings = answer->host == NULL ? memlane_device_list_simulated ()
                                             : g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
  MemlaneDeviceListing *listing = g_new0 (MemlaneDeviceListing, 1);

  listing->id = g_strdup (answer->host != NULL ? answer->host : "cuda");
  listing->kind = g_strdup ("cuda");
  listing->name = g_strdup (answer->host != NULL ? answer->host : "CUDA devices");
  listing->reason = g_strdup (error->message);
  g_ptr_array_add (listings, listing);
  return listings;
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Answer *answer = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (memlane_job_run_finish (result, &error))
    g_task_return_pointer (task, g_steal_pointer (&answer->listings), (GDestroyNotify) g_ptr_array_unref);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, explain (answer, error), (GDestroyNotify) g_ptr_array_unref);
}

void
memlane_devices_list_async (const char *host, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = new_task (host, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_DEVICES };
  g_autofree char *device = host != NULL ? g_strconcat (host, "/", NULL) : NULL;

  answer->listings = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
  memlane_job_run_async (device, &request, host != NULL ? MEMLANE_DEVICES_HOST_SECONDS : MEMLANE_DEVICES_SECONDS, list_handlers, answer,
                         cancellable, listed_cb, task);
}

GPtrArray *
memlane_devices_list_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- a description ---------------------------------------------------------------------------------------------------------------- */

static gboolean
take_capabilities (gpointer data, MemlaneMessage *message, GError **error)
{
  Answer *answer = data;

  answer->info = g_steal_pointer (&message->info);
  name_on_host (answer, &answer->info->id);
  return TRUE;
}

static const MemlaneJobHandler describe_handlers[] = { { MEMLANE_MESSAGE_CAPABILITIES, take_capabilities }, { 0, NULL } };

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Answer *answer = g_task_get_task_data (task);
  GError *error = NULL;

  if (!memlane_job_run_finish (result, &error))
    g_task_return_error (task, error);
  else if (answer->info == NULL)
    g_task_return_new_error (task, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL, "the worker did not say what the device can do");
  else
    g_task_return_pointer (task, g_steal_pointer (&answer->info), (GDestroyNotify) memlane_device_info_free);
}

void
memlane_devices_describe_async (const char *device, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *host = NULL;
  const char *id = memlane_host_split (device, &host);
  GTask *task = new_task (host, cancellable, callback, user_data);
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
  memlane_job_run_async (device, &request, 0, describe_handlers, g_task_get_task_data (task), cancellable, described_cb, task);
}

MemlaneDeviceInfo *
memlane_devices_describe_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
