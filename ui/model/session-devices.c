/* session-devices.c: which devices there are, and what they cannot do
 *
 * SPDX-License-Identifier: MIT
 *
 * Listing and describing devices wakes the driver, which may take seconds, so workers do it; none is opened for it. While a sweep
 * or something else runs no device is asked: that would disturb the measurement.
 */
#include "session-private.h"

#include <string.h>

#include "run-item.h"

#define SIMULATED "simulated:h200" /* where there is no GPU */

typedef struct
{
  GWeakRef session;
  char *device;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_weak_ref_clear (&question->session);
  g_free (question->device);
  g_free (question);
}

static GTask *
make_task (MemlaneSession *self, const char *device, GAsyncReadyCallback callback)
{
  GTask *task = g_task_new (NULL, NULL, callback, NULL);
  Question *question = g_new0 (Question, 1);

  g_weak_ref_init (&question->session, self);
  question->device = g_strdup (device);
  g_task_set_task_data (task, question, question_free);
  return task;
}

/* (transfer full) (nullable) */
static MemlaneSession *
get_session (GAsyncResult *result)
{
  Question *question = g_task_get_task_data (G_TASK (result));

  return g_weak_ref_get (&question->session);
}

/* --- what they cannot do ---------------------------------------------------------------------------------------- */

void
memlane_objections_free (MemlaneObjections *objections)
{
  if (objections == NULL)
    return;
  g_free (objections->error);
  g_hash_table_unref (objections->reasons);
  g_free (objections);
}

static void
objections_free (gpointer data)
{
  memlane_objections_free (data);
}

static void
ask (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Question *question = task_data;
  MemlaneObjections *objections = g_new0 (MemlaneObjections, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDeviceInfo) info = memlane_device_describe (question->device, &error);
  guint n_modes, n_workloads;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);
  const MemlaneWorkload *workloads = memlane_workload_list (&n_workloads);

  objections->reasons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (info == NULL)
    objections->error = g_strdup (error->message);
  for (guint i = 0; i < n_workloads && info != NULL; i++)
    for (guint k = 0; k < n_modes; k++)
      {
        char *reason = NULL;

        if (!memlane_workload_is_supported (&workloads[i], &modes[k], info, &reason))
          g_hash_table_insert (objections->reasons, g_strconcat (workloads[i].id, "/", modes[k].id, NULL), reason);
        else
          g_free (reason);
      }
  g_task_return_pointer (task, objections, objections_free);
}

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneSession) self = get_session (result);
  MemlaneObjections *objections = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self == NULL)
    {
      memlane_objections_free (objections);
      return;
    }
  g_hash_table_insert (self->objections, g_steal_pointer (&self->asking), objections);
  memlane_session_say_modes_changed (self);
  if (self->start_waits)
    memlane_session_start_sweep (self);
  else
    memlane_session_ask_device (self); /* another one may have been chosen in the meantime */
}

void
memlane_session_ask_device (MemlaneSession *self)
{
  g_autoptr (GTask) task = NULL;
  MemlaneDeviceItem *item = memlane_session_get_device_item (self);

  if (self->running || self->blocked != NULL || self->shut || self->asking != NULL || item == NULL ||
      memlane_device_item_get_reason (item) != NULL || g_hash_table_contains (self->objections, self->device))
    return;
  self->asking = g_strdup (self->device);
  task = make_task (self, self->device, asked_cb);
  g_task_run_in_thread (task, ask);
}

static gboolean
has_error (gpointer key, gpointer value, gpointer user_data)
{
  return ((MemlaneObjections *) value)->error != NULL;
}

void
memlane_session_forget_trouble (MemlaneSession *self)
{
  g_hash_table_foreach_remove (self->objections, has_error, NULL);
}

const char *
memlane_session_get_objection (MemlaneSession *self, const char *mode)
{
  const MemlaneObjections *objections = self->device != NULL ? g_hash_table_lookup (self->objections, self->device) : NULL;
  g_autofree char *key = g_strconcat (self->workload->id, "/", mode, NULL);
  MemlaneDeviceItem *item = memlane_session_get_device_item (self);

  if (item != NULL && memlane_device_item_get_reason (item) != NULL)
    return memlane_device_item_get_reason (item);
  if (objections == NULL)
    return NULL;
  return objections->error != NULL ? objections->error : g_hash_table_lookup (objections->reasons, key);
}

/* --- which there are ---------------------------------------------------------------------------------------------- */

static MemlaneDeviceItem *
find (MemlaneSession *self, const char *id)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->devices));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (G_LIST_MODEL (self->devices), i);

      if (strcmp (memlane_device_item_get_id (item), id) == 0)
        return item; /* the list holds it */
    }
  return NULL;
}

static gboolean
is_usable_gpu (MemlaneDeviceItem *item)
{
  return memlane_device_item_get_reason (item) == NULL && !memlane_device_item_is_simulated (item);
}

/* The first usable GPU, else the simulated H200, else whatever can be used. */
static const char *
get_default (MemlaneSession *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->devices));
  const char *chosen = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (G_LIST_MODEL (self->devices), i);
      const char *id = memlane_device_item_get_id (item);

      if (is_usable_gpu (item))
        return id;
      if (memlane_device_item_get_reason (item) == NULL && (chosen == NULL || strcmp (id, SIMULATED) == 0))
        chosen = id;
    }
  return chosen != NULL ? chosen : "";
}

void
memlane_session_choose_device (MemlaneSession *self, const char *id)
{
  MemlaneDeviceItem *item;

  if (!self->devices_known)
    return; /* it is looked for when the list is there */
  item = *id != '\0' ? find (self, id) : NULL;
  if (item == NULL && *id != '\0')
    {
      /* By its profile's path, or one that is gone: opening it will tell. */
      g_autoptr (MemlaneDeviceItem) other = memlane_device_item_new (id, id, NULL, g_str_has_prefix (id, "simulated:"));

      g_list_store_append (self->devices, other);
    }
  if (g_strcmp0 (self->device, id) == 0)
    return;
  g_free (self->device);
  self->device = g_strdup (id);
  memlane_session_forget_trouble (self);
  memlane_session_notify (self, SESSION_DEVICE);
  memlane_session_say_modes_changed (self);
  memlane_session_ask_device (self);
}

static void
listings_free (gpointer data)
{
  g_ptr_array_unref (data);
}

static void
list (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_pointer (task, memlane_device_list (), listings_free);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneSession) self = get_session (result);
  g_autoptr (GPtrArray) listings = g_task_propagate_pointer (G_TASK (result), NULL);
  const char *wanted;

  if (self == NULL)
    return;
  for (guint i = 0; i < listings->len; i++)
    {
      const MemlaneDeviceListing *listing = listings->pdata[i];
      gboolean simulated = strcmp (listing->kind, "simulated") == 0;
      g_autofree char *name = simulated ? memlane_describe_device (listing->name, TRUE)
                              : g_str_has_prefix (listing->id, "cuda:") ? g_strdup_printf ("%s (%s)", listing->name, listing->id)
                              : g_strdup (listing->name);
      g_autoptr (MemlaneDeviceItem) item = memlane_device_item_new (listing->id, name, listing->reason, simulated);

      g_list_store_append (self->devices, item);
    }
  self->devices_known = TRUE;
  wanted = self->wanted_device;
  /* What was chosen last time may be gone; it is only left when there is no hope for it. */
  if (wanted == NULL || *wanted == '\0' || (find (self, wanted) == NULL && strchr (wanted, '/') == NULL) ||
      (find (self, wanted) != NULL && memlane_device_item_get_reason (find (self, wanted)) != NULL))
    wanted = get_default (self);
  memlane_session_choose_device (self, wanted);
  memlane_session_say_modes_changed (self);
}

void
memlane_session_list_devices (MemlaneSession *self)
{
  g_autoptr (GTask) task = make_task (self, NULL, listed_cb);

  g_task_run_in_thread (task, list);
}

MemlaneDeviceItem *
memlane_session_get_device_item (MemlaneSession *self)
{
  return self->device != NULL && *self->device != '\0' ? find (self, self->device) : NULL;
}

gboolean
memlane_session_lacks_gpu (MemlaneSession *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->devices));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (G_LIST_MODEL (self->devices), i);

      if (is_usable_gpu (item))
        return FALSE;
    }
  return self->devices_known;
}
