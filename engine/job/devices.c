/* devices.c: which devices there are, what one can do, and how fast several copy
 *
 * SPDX-License-Identifier: MIT
 */
#include "devices.h"

#include <string.h>

#include "base/fail.h"
#include "base/owns.h"
#include "hosts.h"
#include "job.h"

/* What the worker has said so far. */
typedef struct
{
  char *host;                 /* (nullable) */
  GPtrArray *listings;        /* of a list */
  MemlaneDeviceInfo *info;    /* of a description */
  guint n;                    /* devices that copy */
  GArray *links;              /* what they copied */
} Answer;

MEMLANE_DEFINE_FREE (Answer, static void answer_free (gpointer data), OWNS (host, g_free) OWNS (listings, g_ptr_array_unref)
                     OWNS (info, memlane_device_info_free) OWNS (links, g_array_unref))

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

static gboolean
take_capabilities (gpointer data, MemlaneMessage *message, GError **error)
{
  Answer *answer = data;

  answer->info = g_steal_pointer (&message->info);
  name_on_host (answer, &answer->info->id);
  return TRUE;
}

static gboolean
take_links (gpointer data, MemlaneMessage *message, GError **error)
{
  Answer *answer = data;

  for (guint i = 0; i < message->n_links; i++)
    if (message->links[i].device >= answer->n || message->links[i].peer >= answer->n)
      return memlane_fail (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "links: expected places of devices, 0 to %u", answer->n - 1);
  answer->links = g_array_append_vals (g_array_new (FALSE, FALSE, sizeof (MemlaneLink)), message->links, message->n_links);
  return TRUE;
}

static const MemlaneJobHandler handlers[] = {
  { MEMLANE_MESSAGE_DEVICE, take_device }, { MEMLANE_MESSAGE_CAPABILITIES, take_capabilities }, { MEMLANE_MESSAGE_LINKS, take_links },
  { 0, NULL }
};

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
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Answer *answer = g_task_get_task_data (task);
  GError *error = NULL;
  const gboolean done = memlane_job_run_finish (result, &error);

  if (!done && (answer->listings == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)))
    g_task_return_error (task, error);
  else if (answer->listings != NULL)
    {
      g_task_return_pointer (task, done ? g_steal_pointer (&answer->listings) : explain (answer, error),
                             (GDestroyNotify) g_ptr_array_unref);
      g_clear_error (&error);
    }
  else if (answer->info != NULL)
    g_task_return_pointer (task, g_steal_pointer (&answer->info), (GDestroyNotify) memlane_device_info_free);
  else if (answer->links != NULL)
    g_task_return_pointer (task, g_steal_pointer (&answer->links), (GDestroyNotify) g_array_unref);
  else
    g_task_return_new_error (task, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL, "the worker did not say what it was asked for");
}

/* --- what is asked ---------------------------------------------------------------------------------------------------------------- */

void
memlane_devices_list_async (const char *host, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = new_task (host, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_DEVICES };
  g_autofree char *device = host != NULL ? g_strconcat (host, "/", NULL) : NULL;

  answer->listings = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
  memlane_job_run_async (device, &request, host != NULL ? MEMLANE_DEVICES_HOST_SECONDS : MEMLANE_DEVICES_SECONDS, handlers, answer,
                         cancellable, answered_cb, task);
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
  memlane_job_run_async (device, &request, 0, handlers, g_task_get_task_data (task), cancellable, answered_cb, task);
}

void
memlane_devices_copy_async (const char *devices, guint seconds, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = new_task (NULL, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);
  const MemlaneMessage request = { .type = MEMLANE_MESSAGE_COPY };
  g_auto (GStrv) ids = g_strsplit (devices, ",", -1);

  answer->n = g_strv_length (ids);
  memlane_job_run_async (devices, &request, seconds, handlers, answer, cancellable, answered_cb, task);
}
