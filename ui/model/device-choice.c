/* device-choice.c: which devices there are, on which one is measured, and what it cannot do
 *
 * SPDX-License-Identifier: MIT
 *
 * The list has the simulated devices at once. It is in sections, this machine's first. Each has a
 * row at least: while it is asked, one that says so.
 */
#include "device-choice.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/device-id.h"
#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"
#include "fields.h"
#include "run-item.h"

#define SIMULATED "simulated:h200" /* where there is no GPU */
#define HERE ""                    /* the host's name of this machine */
#define MOST_AT_ONCE 8             /* hosts that are asked */

struct _MemlaneDeviceChoice
{
  GObject parent_instance;

  MemlaneBench *bench;
  GSettings *settings;       /* NULL: no schema is installed */
  gboolean stopped;
  gboolean look_waits;       /* until nothing is measured */
  gboolean was_running;      /* the bench */
  char *device, *wanted;

  GListStore *devices;       /* (element-type MemlaneDeviceItem) */
  GCancellable *cancellable; /* of all machines that are asked; NULL: none was */
  GQueue queue;              /* (element-type utf8): hosts that wait for their turn */
  guint n_asked;             /* hosts that are being asked */
  gboolean known;            /* this machine has answered once */

  /* (element-type utf8 MemlaneDeviceInfo): by device id, what it can do */
  GHashTable *infos;
  GHashTable *errors;        /* (element-type utf8 utf8): why it cannot be opened */
  char *asking;              /* the device that is asked what it can do */
};

static const MemlaneField fields[] = {
  { "device", MEMLANE_FIELD_TEXT, G_STRUCT_OFFSET (MemlaneDeviceChoice, device),
    MEMLANE_FIELD_WRITABLE, 0, 0, 0 },
};

/* --- rows ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_OBJECT (MemlaneDeviceItem, memlane_device_item,
                       OWNS (host, g_free) OWNS (id, g_free) OWNS (title, g_free)
                           OWNS (name, g_free) OWNS (reason, g_free), )

/* @reason (nullable). (transfer full) */
static MemlaneDeviceItem *
new_item (const char *host, const char *id, const char *title, const char *reason,
          gboolean simulated)
{
  MemlaneDeviceItem *self = g_object_new (MEMLANE_TYPE_DEVICE_ITEM, NULL);

  self->host = g_strdup (host);
  self->id = g_strdup (id);
  self->title = g_strdup (title);
  if (*host == '\0' || g_str_equal (id, host))
    self->name = g_strdup (title);
  else
    /* Translators: a device and the machine that it is in: "NVIDIA H200 on gpu1" */
    self->name = g_strdup_printf (_("%s on %s"), title, host);
  self->reason = g_strdup (reason);
  self->simulated = simulated;
  return self;
}

/* The row of a machine that has not answered yet. (transfer full) */
static MemlaneDeviceItem *
new_asking (const char *host)
{
  g_autofree char *reason = *host != '\0' ? g_strdup_printf (_("Asking %s…"), host)
                                          : g_strdup (_("Asking this machine's driver…"));
  MemlaneDeviceItem *self = new_item (host, *host != '\0' ? host : "cuda",
                                      *host != '\0' ? host : _("CUDA devices"), reason, FALSE);

  self->asking = TRUE;
  return self;
}

static MemlaneDeviceItem *
find (MemlaneDeviceChoice *self, const char *id)
{
  MEMLANE_FOR_EACH_ITEM (MemlaneDeviceItem, item, self->devices)
    if (strcmp (item->id, id) == 0)
      return item;
  return NULL;
}

/* Returns the first row of the section of @host and counts its rows; the end of the list if there
 * is none. */
static guint
find_section (MemlaneDeviceChoice *self, const char *host, guint *n_rows)
{
  guint before = 0;

  *n_rows = 0;
  MEMLANE_FOR_EACH_ITEM (const MemlaneDeviceItem, item, self->devices)
    if (strcmp (item->host, host) == 0)
      ++*n_rows;
    else
      before += *n_rows == 0;
  return before;
}

static gboolean
is_cuda (const MemlaneDeviceListing *listing)
{
  return !memlane_device_kind_is_simulated (listing->kind) && strchr (listing->id, ':') != NULL;
}

/* Whether another GPU has the same name, so that the place is shown, too. */
static gboolean
has_twin (GPtrArray *listings, const MemlaneDeviceListing *listing)
{
  MEMLANE_FOR_EACH (const MemlaneDeviceListing, other, listings)
    if (other != listing && is_cuda (other) && strcmp (other->name, listing->name) == 0)
      return TRUE;
  return FALSE;
}

/* "NVIDIA H200 (cuda:0)", "Simulated H200"; on a host "NVIDIA H200". (transfer full) */
static char *
make_title (GPtrArray *listings, const MemlaneDeviceListing *listing, const char *host)
{
  if (memlane_device_kind_is_simulated (listing->kind))
    return memlane_describe_device (listing->name, TRUE);
  if (is_cuda (listing) && (*host == '\0' || has_twin (listings, listing)))
    return g_strdup_printf ("%s (%s)", listing->name, memlane_host_split (listing->id, NULL));
  return g_strdup (listing->name);
}

static void
add_items (GPtrArray *items, GPtrArray *listings, const char *host)
{
  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    {
      g_autofree char *title = make_title (listings, listing, host);

      g_ptr_array_add (items, new_item (host, listing->id, title, listing->reason,
                                        memlane_device_kind_is_simulated (listing->kind)));
    }
  if (items->len == 0)
    g_ptr_array_add (
        items, new_item (host, *host != '\0' ? host : "cuda", host, _("No devices there"), FALSE));
}

/* The sections as they were, each with a row that says that it is asked; hosts that are gone have
 * none. */
static void
renew_sections (MemlaneDeviceChoice *self, GPtrArray *hosts)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref),
                        simulated = memlane_device_list_simulated ();
  guint n_hosts = hosts != NULL ? hosts->len : 0,
        n_rows = g_list_model_get_n_items (G_LIST_MODEL (self->devices));

  if (n_rows == 0)
    add_items (items, simulated, HERE);
  for (guint i = 0; i <= n_hosts; i++)
    {
      const char *host = i > 0 ? ((MemlaneHost *) hosts->pdata[i - 1])->name : HERE;

      /* Why it could not be reached is old. */
      MEMLANE_FOR_EACH_ITEM (MemlaneDeviceItem, item, self->devices)
        if (strcmp (item->host, host) == 0 && !item->asking && strcmp (item->id, host) != 0)
          g_ptr_array_add (items, g_object_ref (item));
      g_ptr_array_add (items, new_asking (host));
      if (i > 0)
        g_queue_push_tail (&self->queue, g_strdup (host));
    }
  g_list_store_splice (self->devices, 0, n_rows, items->pdata, items->len);
}

/* --- what a device cannot do ------------------------------------------------------------------ */

static void ask (MemlaneDeviceChoice *self);

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneDeviceChoice) self = user_data;
  g_autoptr (GError) error = NULL;
  MemlaneDeviceInfo *info = g_task_propagate_pointer (G_TASK (result), &error);

  if (info != NULL)
    g_hash_table_insert (self->infos, g_steal_pointer (&self->asking), info);
  else
    g_hash_table_insert (self->errors, g_steal_pointer (&self->asking), g_strdup (error->message));
  memlane_say_changed (self);
  ask (self); /* another one may have been chosen in the meantime */
}

static void
ask (MemlaneDeviceChoice *self)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self);

  if (memlane_bench_is_running (self->bench) || self->stopped || self->asking != NULL
      || item == NULL || item->reason != NULL || g_hash_table_contains (self->infos, self->device)
      || g_hash_table_contains (self->errors, self->device))
    return;
  self->asking = g_strdup (self->device);
  memlane_devices_describe_async (self->device, NULL, asked_cb, g_object_ref (self));
}

const char *
memlane_device_choice_get_mode_objection (MemlaneDeviceChoice *self,
                                          const MemlaneWorkload *workload, const char *mode)
{
  const MemlaneDeviceInfo *info = g_hash_table_lookup (self->infos, self->device);
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self);
  g_autofree char *reason = NULL;

  if (item != NULL && item->reason != NULL)
    return item->reason;
  if (info == NULL)
    return g_hash_table_lookup (self->errors, self->device);
  (void) memlane_workload_is_supported (workload, memlane_mode_find (mode), info, &reason);
  return g_intern_string (reason); /* there are few */
}

const char *
memlane_device_choice_get_obstacle (MemlaneDeviceChoice *self)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self);

  if (self->stopped)
    return _("The window is closing");
  if (item == NULL && !self->known)
    return _("Looking for devices");
  if (item == NULL || item->reason != NULL)
    return _("Choose a device that can be used");
  return g_hash_table_lookup (self->errors, self->device);
}

const char *
memlane_device_choice_get_objection (MemlaneDeviceChoice *self)
{
  const char *obstacle = memlane_device_choice_get_obstacle (self);

  if (obstacle != NULL)
    return obstacle;
  if (!memlane_bench_has (self->bench, MEMLANE_BENCH_SWEEP) && self->asking != NULL)
    return _("Checking the device");
  return memlane_bench_get_objection (self->bench, MEMLANE_BENCH_SWEEP);
}

/* --- which devices there are ------------------------------------------------------------------ */

static gboolean
is_usable_gpu (const MemlaneDeviceItem *item)
{
  return item->reason == NULL && !item->simulated;
}

/* The first usable GPU of this machine, else the simulated H200, else whatever can be used. */
static const char *
get_default (MemlaneDeviceChoice *self)
{
  const char *chosen = NULL;

  MEMLANE_FOR_EACH_ITEM (const MemlaneDeviceItem, item, self->devices)
    {
      if (*item->host != '\0')
        break; /* a host is chosen by the person */
      if (is_usable_gpu (item))
        return item->id;
      if (item->reason == NULL && (chosen == NULL || strcmp (item->id, SIMULATED) == 0))
        chosen = item->id;
    }
  return chosen != NULL ? chosen : "";
}

static gboolean
is_usable (MemlaneDeviceChoice *self, const char *id)
{
  MemlaneDeviceItem *item = find (self, id);

  return item != NULL && item->reason == NULL;
}

/* Returns whether its machine has not answered, so that it may be listed yet. */
static gboolean
may_come (MemlaneDeviceChoice *self, const char *id)
{
  g_autofree char *host = NULL;
  const char *of_host = memlane_host_split (id, &host);

  if (host != NULL || !g_str_has_prefix (of_host, "simulated:"))
    MEMLANE_FOR_EACH_ITEM (const MemlaneDeviceItem, item, self->devices)
      if (item->asking && strcmp (item->host, host != NULL ? host : HERE) == 0)
        return TRUE;
  return memlane_list_peek (self->devices, 0) == NULL;
}

/* One that is not listed: by its profile's path, or gone. Opening it will tell. */
static void
add_unlisted (MemlaneDeviceChoice *self, const char *id)
{
  g_autofree char *host = NULL;
  const char *title = memlane_host_split (id, &host), *section = host != NULL ? host : HERE;
  g_autoptr (MemlaneDeviceItem) item = new_item (section, id, title, NULL,
                                                 g_str_has_prefix (title, "simulated:"));
  guint n_rows, first = find_section (self, section, &n_rows);

  g_list_store_insert (self->devices, first + n_rows, item);
}

static void
choose (MemlaneDeviceChoice *self, const char *id)
{
  const char *noise = strstr (id, "+noise"); /* older settings may name such a device */
  g_autofree char *plain = g_strndup (id, noise != NULL ? (gsize) (noise - id) : strlen (id));

  id = plain;
  if (!is_usable (self, id) && may_come (self, id))
    return; /* it is looked for when the list is there */
  if (*id != '\0' && find (self, id) == NULL)
    add_unlisted (self, id);
  if (!memlane_field_set_text (self, "device", &self->device, id))
    return;
  g_hash_table_remove_all (self->errors);
  memlane_say_changed (self);
  ask (self);
}

/* A part of the list is new. */
static void
choose_found (MemlaneDeviceChoice *self)
{
  const char *wanted = self->wanted;
  g_autofree char *host = NULL;

  (void) memlane_host_split (wanted, &host);
  if (is_usable (self, wanted))
    choose (self, wanted);
  else if (self->known && !is_usable (self, self->device))
    {
      gboolean by_path = host == NULL && strchr (wanted, '/') != NULL
                         && find (self, wanted) == NULL;

      choose (self, by_path ? wanted : get_default (self));
    }
  else
    ask (self);
  memlane_say_changed (self);
}

/* --- asking machines -------------------------------------------------------------------------- */

/* A question to one machine. */
typedef struct
{
  MemlaneDeviceChoice *choice; /* (owned) */
  char *host;
} Question;

static void ask_hosts (MemlaneDeviceChoice *self);

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Question *question = user_data;
  g_autoptr (MemlaneDeviceChoice) self = question->choice;
  g_autofree char *host = question->host;
  g_autoptr (GPtrArray) listings = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  guint n_rows, first = find_section (self, host, &n_rows);

  if (listings == NULL || self->stopped)
    return; /* it was asked anew since */
  add_items (items, listings, host);
  g_list_store_splice (self->devices, first, n_rows, items->pdata, items->len);
  if (*host != '\0')
    self->n_asked--;
  else
    self->known = TRUE;
  choose_found (self);
  ask_hosts (self);
}

/* Takes @host. */
static void
ask_machine (MemlaneDeviceChoice *self, char *host)
{
  Question *question = g_new (Question, 1);

  *question = (Question) { g_object_ref (self), host };
  memlane_devices_list_async (*host != '\0' ? host : NULL, self->cancellable, listed_cb, question);
}

static void
ask_hosts (MemlaneDeviceChoice *self)
{
  for (; self->n_asked < MOST_AT_ONCE && self->queue.length > 0; self->n_asked++)
    ask_machine (self, g_queue_pop_head (&self->queue));
}

static void
forget_questions (MemlaneDeviceChoice *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_queue_clear_full (&self->queue, g_free);
  self->n_asked = 0;
}

void
memlane_device_choice_look (MemlaneDeviceChoice *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hosts = NULL;

  self->look_waits = memlane_bench_is_running (self->bench);
  if (self->look_waits || self->stopped)
    return;
  g_hash_table_remove_all (self->errors);
  forget_questions (self);
  self->cancellable = g_cancellable_new ();
  hosts = memlane_hosts_read (&error);
  renew_sections (self, hosts);
  if (hosts == NULL)
    memlane_say_notice (self, TRUE, _("Hosts are not used: %s"), error->message);
  choose_found (self);
  ask_machine (self, g_strdup (HERE));
  ask_hosts (self);
}

void
memlane_device_choice_stop (MemlaneDeviceChoice *self)
{
  self->stopped = TRUE;
  forget_questions (self);
}

/* --- what there is ---------------------------------------------------------------------------- */

GListModel *
memlane_device_choice_get_devices (MemlaneDeviceChoice *self)
{
  return G_LIST_MODEL (self->devices);
}

MemlaneDeviceItem *
memlane_device_choice_get_item (MemlaneDeviceChoice *self)
{
  return *self->device != '\0' ? find (self, self->device) : NULL;
}

const char *
memlane_device_choice_get_id (MemlaneDeviceChoice *self)
{
  return self->device;
}

gboolean
memlane_device_choice_is_asking (MemlaneDeviceChoice *self)
{
  return self->asking != NULL;
}

gboolean
memlane_device_choice_lacks_gpu (MemlaneDeviceChoice *self)
{
  MEMLANE_FOR_EACH_ITEM (const MemlaneDeviceItem, item, self->devices)
    if (is_usable_gpu (item))
      return FALSE;
  return self->known;
}

/* --- life ------------------------------------------------------------------------------------- */

/* A measurement may have mended a device that could not be used. */
static void
bench_changed_cb (MemlaneDeviceChoice *self)
{
  gboolean running = memlane_bench_is_running (self->bench);

  if (self->was_running && !running)
    g_hash_table_remove_all (self->errors);
  self->was_running = running;
  if (self->look_waits)
    memlane_device_choice_look (self);
  ask (self); /* another one may have been chosen in the meantime */
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  MemlaneDeviceChoice *self = MEMLANE_DEVICE_CHOICE (object);
  const char *device = g_value_get_string (value);

  if (device == NULL)
    return;
  if (g_strcmp0 (self->wanted, device) != 0)
    {
      memlane_text_set (&self->wanted, device);
      if (self->settings != NULL)
        g_settings_set_string (self->settings, "device", device);
    }
  choose (self, device);
}

/* A question on its way holds a reference, so there is none. */
MEMLANE_DEFINE_OBJECT (
    MemlaneDeviceChoice, memlane_device_choice, memlane_device_choice_stop (self);
    OWNS (bench, g_object_unref) OWNS (devices, g_object_unref) OWNS (settings, g_object_unref)
        OWNS (infos, g_hash_table_unref) OWNS (errors, g_hash_table_unref) OWNS (device, g_free)
            OWNS (wanted, g_free) OWNS (asking, g_free),
    memlane_fields_install (G_OBJECT_CLASS (klass), fields, G_N_ELEMENTS (fields));
    /* a choice is more than a field */
    G_OBJECT_CLASS (klass)->set_property = set_property;
    memlane_signal_add (klass, "changed", 0);
    memlane_signal_add (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);)

MemlaneDeviceChoice *
memlane_device_choice_new (MemlaneBench *bench)
{
  MemlaneDeviceChoice *self = g_object_new (MEMLANE_TYPE_DEVICE_CHOICE, NULL);

  self->devices = g_list_store_new (MEMLANE_TYPE_DEVICE_ITEM);
  self->infos = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                       (GDestroyNotify) memlane_device_info_free);
  self->errors = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, g_free);
  self->device = g_strdup ("");
  self->wanted = g_strdup ("");
  self->bench = g_object_ref (bench);
  g_signal_connect_object (bench, "changed", G_CALLBACK (bench_changed_cb), self,
                           G_CONNECT_SWAPPED);
  self->settings = memlane_fields_keep (self, (const char *const[]) { "device", NULL });
  if (self->settings != NULL)
    {
      g_free (self->wanted);
      self->wanted = g_settings_get_string (self->settings, "device");
    }
  return self;
}
