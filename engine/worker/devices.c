/* devices.c: which devices there are, and what one can do
 *
 * SPDX-License-Identifier: MIT
 */
#include "devices.h"

#include <string.h>

#include "command.h"
#include "hosts.h"

typedef struct
{
  char *host;                 /* (nullable) */
  GPtrArray *listings;        /* of a list */
  MemlaneDeviceInfo *info;    /* of a description */
} Answer;

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_free (answer->host);
  g_clear_pointer (&answer->listings, g_ptr_array_unref);
  memlane_device_info_free (answer->info);
  g_free (answer);
}

static GTask *
new_task (const char *host, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Answer *answer = g_new0 (Answer, 1);

  answer->host = g_strdup (host);
  g_task_set_task_data (task, answer, answer_free);
  return task;
}

static char *
name_on_host (const Answer *answer, const char *id)
{
  return answer->host != NULL ? g_strdup_printf ("%s/%s", answer->host, id) : g_strdup (id);
}

static gboolean
refuse (JsonObject *message, GError **error)
{
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "\"%s\" is no answer to that", memlane_message_get_type (message));
  return FALSE;
}

static void
unref_listings (gpointer data)
{
  g_ptr_array_unref (data);
}

/* --- the list ------------------------------------------------------------------------------------------------------------------ */

static gboolean
hear_device (JsonObject *message, gpointer user_data, GError **error)
{
  Answer *answer = user_data;
  const char *id, *kind, *name, *reason;
  MemlaneDeviceListing *listing;

  if (strcmp (memlane_message_get_type (message), "waiting") == 0)
    return TRUE;
  if (strcmp (memlane_message_get_type (message), "device") != 0)
    return refuse (message, error);
  if (!memlane_message_get_text (message, "id", MEMLANE_WORKER_LONGEST_SENTENCE, &id, error)
      || !memlane_message_get_text (message, "kind", MEMLANE_WORKER_LONGEST_NAME, &kind, error)
      || !memlane_message_get_text (message, "name", MEMLANE_WORKER_LONGEST_NAME, &name, error)
      || !memlane_message_get_optional_text (message, "reason", MEMLANE_WORKER_LONGEST_SENTENCE, &reason, error))
    return FALSE;
  if (answer->listings->len == MEMLANE_WORKER_MOST_DEVICES)
    return refuse (message, error);
  listing = g_new0 (MemlaneDeviceListing, 1);
  listing->id = name_on_host (answer, id);
  listing->kind = g_strdup (kind);
  listing->name = g_strdup (name);
  listing->reason = g_strdup (reason);
  g_ptr_array_add (answer->listings, listing);
  return TRUE;
}

/* What there is without a worker, and why there is no more. */
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

  if (memlane_worker_ask_finish (result, &error))
    g_task_return_pointer (task, g_steal_pointer (&answer->listings), unref_listings);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, explain (answer, error), unref_listings);
}

void
memlane_devices_list_async (const char *host, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *task = new_task (host, cancellable, callback, user_data);
  Answer *answer = g_task_get_task_data (task);

  answer->listings = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
  memlane_worker_ask_async (host, memlane_message_new ("devices"),
                            host != NULL ? MEMLANE_DEVICES_HOST_SECONDS : MEMLANE_DEVICES_SECONDS, hear_device, answer, cancellable,
                            listed_cb, task);
}

GPtrArray *
memlane_devices_list_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- a description ---------------------------------------------------------------------------------------------------------------- */

static gboolean
hear_capabilities (JsonObject *message, gpointer user_data, GError **error)
{
  Answer *answer = user_data;
  char *id;

  if (strcmp (memlane_message_get_type (message), "waiting") == 0)
    return TRUE;
  if (strcmp (memlane_message_get_type (message), "capabilities") != 0 || answer->info != NULL)
    return refuse (message, error);
  answer->info = memlane_message_get_info (message, error);
  if (answer->info == NULL)
    return FALSE;
  id = name_on_host (answer, answer->info->id);
  g_free (answer->info->id);
  answer->info->id = id;
  return TRUE;
}

static void
free_info (gpointer info)
{
  memlane_device_info_free (info);
}

static void
described_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Answer *answer = g_task_get_task_data (task);
  GError *error = NULL;

  if (!memlane_worker_ask_finish (result, &error))
    g_task_return_error (task, error);
  else if (answer->info == NULL)
    g_task_return_new_error (task, MEMLANE_WORKER_ERROR, MEMLANE_WORKER_ERROR_PROTOCOL, "the worker did not say what the device can do");
  else
    g_task_return_pointer (task, g_steal_pointer (&answer->info), free_info);
}

void
memlane_devices_describe_async (const char *device, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *host = NULL;
  const char *id = memlane_host_split (device, &host);
  GTask *task = new_task (host, cancellable, callback, user_data);
  JsonObject *request;

  if (host == NULL && g_str_has_prefix (id, "simulated:"))
    {
      GError *error = NULL;
      MemlaneDeviceInfo *info = memlane_device_describe (id, &error);

      if (info != NULL)
        g_task_return_pointer (task, info, free_info);
      else
        g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  request = memlane_message_new ("capabilities");
  memlane_message_set_text (request, "device", id);
  memlane_worker_ask_async (host, request, 0, hear_capabilities, g_task_get_task_data (task), cancellable, described_cb, task);
}

MemlaneDeviceInfo *
memlane_devices_describe_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
