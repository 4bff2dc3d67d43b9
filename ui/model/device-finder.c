/* device-finder.c: which devices there are: simulated ones at once, this machine's, those of every host
 *
 * SPDX-License-Identifier: MIT
 *
 * The list is in sections, this machine's first. Each has a row at least: while it is asked, one that says so.
 */
#include "device-finder.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "memlane.h"
#include "run-item.h"
#include "fields.h"
#include "base/device-id.h"
#include "base/each.h"

#define HERE ""           /* the host's name of this machine */
#define MOST_AT_ONCE 8    /* hosts that are asked */

struct _MemlaneDeviceFinder
{
  GObject parent_instance;

  GListStore *devices;
  GCancellable *cancellable; /* of all that is asked; NULL: nothing was */
  GHashTable *asking;        /* (element-type utf8): hosts that have not answered */
  GQueue queue;              /* (element-type utf8): hosts that wait for their turn */
  guint n_asked;             /* hosts that are being asked */
  gboolean known, stopped;
};

G_DEFINE_FINAL_TYPE (MemlaneDeviceFinder, memlane_device_finder, G_TYPE_OBJECT)

/* A question to one host. */
typedef struct
{
  MemlaneDeviceFinder *finder; /* (owned) */
  GCancellable *cancellable;
  char *host;
} Question;

static void ask_hosts (MemlaneDeviceFinder *self);

/* --- the list ------------------------------------------------------------------------------------------------------------- */

static GPtrArray *
new_items (void)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

/* Returns the first row of the section of @host and counts its rows; the end of the list if there is none. */
static guint
find_section (MemlaneDeviceFinder *self, const char *host, guint *n_rows)
{
  MemlaneDeviceItem *item;
  guint i, first = 0;

  *n_rows = 0;
  for (i = 0; (item = memlane_list_peek (self->devices, i)) != NULL; i++)
    {
      gboolean is_in = strcmp (item->host, host) == 0;

      if (is_in && *n_rows == 0)
        first = i;
      *n_rows += is_in;
    }
  return *n_rows > 0 ? first : i;
}

static void
set_section (MemlaneDeviceFinder *self, const char *host, GPtrArray *items)
{
  guint n_rows, first = find_section (self, host, &n_rows);

  g_list_store_splice (self->devices, first, n_rows, items->pdata, items->len);
}

/* (transfer full): what the section of @host has, but for the row that says that it is asked. */
static GPtrArray *
get_section (MemlaneDeviceFinder *self, const char *host)
{
  guint n_rows, first = find_section (self, host, &n_rows);
  GPtrArray *items = new_items ();

  for (guint i = first; i < first + n_rows; i++)
    {
      MemlaneDeviceItem *item = memlane_list_peek (self->devices, i);

      if (!item->asking)
        g_ptr_array_add (items, g_object_ref (item));
    }
  return items;
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
  for (guint i = 0; i < listings->len; i++)
    if (listings->pdata[i] != listing && is_cuda (listings->pdata[i])
        && strcmp (((MemlaneDeviceListing *) listings->pdata[i])->name, listing->name) == 0)
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

static GPtrArray *
make_items (GPtrArray *listings, const char *host)
{
  GPtrArray *items = new_items ();

  MEMLANE_FOR_EACH (const MemlaneDeviceListing, listing, listings)
    {
      g_autofree char *title = make_title (listings, listing, host);

      g_ptr_array_add (items, memlane_device_item_new (host, listing->id, title, listing->reason,
                                                       memlane_device_kind_is_simulated (listing->kind)));
    }
  if (items->len == 0)
    g_ptr_array_add (items, memlane_device_item_new (host, *host != '\0' ? host : "cuda", host, _("No devices there"), FALSE));
  return items;
}

/* --- asking --------------------------------------------------------------------------------------------------------------- */

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (MemlaneDeviceFinder) self = question->finder;
  g_autoptr (GCancellable) cancellable = question->cancellable;
  g_autofree char *host = question->host;
  g_autoptr (GPtrArray) listings = memlane_devices_list_finish (result, NULL), items = NULL;

  g_free (question);
  if (cancellable != self->cancellable || self->stopped)
    return; /* it was asked anew since */
  if (*host != '\0')
    self->n_asked--;
  g_hash_table_remove (self->asking, host);
  if (listings != NULL)
    {
      items = make_items (listings, host);
      set_section (self, host, items);
      self->known |= *host == '\0';
      g_signal_emit_by_name (self, "found");
    }
  ask_hosts (self);
}

static void
ask (MemlaneDeviceFinder *self, const char *host)
{
  Question *question = g_new (Question, 1);

  *question = (Question) { g_object_ref (self), g_object_ref (self->cancellable), g_strdup (host) };
  memlane_devices_list_async (*host != '\0' ? host : NULL, self->cancellable, listed_cb, question);
}

static void
ask_hosts (MemlaneDeviceFinder *self)
{
  while (self->n_asked < MOST_AT_ONCE && self->queue.length > 0)
    {
      g_autofree char *host = g_queue_pop_head (&self->queue);

      self->n_asked++;
      ask (self, host);
    }
}

static void
remember_to_ask (MemlaneDeviceFinder *self, const char *host)
{
  g_hash_table_add (self->asking, g_strdup (host));
  if (*host != '\0')
    g_queue_push_tail (&self->queue, g_strdup (host));
}

/* The sections as they were, each with a row that says that it is asked; hosts that are gone have none. */
static void
renew_sections (MemlaneDeviceFinder *self, GPtrArray *hosts)
{
  g_autoptr (GPtrArray) items = get_section (self, HERE);

  if (items->len == 0)
    {
      g_autoptr (GPtrArray) simulated = memlane_device_list_simulated ();

      g_clear_pointer (&items, g_ptr_array_unref);
      items = make_items (simulated, HERE);
    }
  g_ptr_array_add (items, memlane_device_item_new_asking (HERE));
  for (guint i = 0; hosts != NULL && i < hosts->len; i++)
    {
      const char *host = ((MemlaneHost *) hosts->pdata[i])->name;
      g_autoptr (GPtrArray) section = get_section (self, host);

      for (guint k = 0; k < section->len; k++)
        if (strcmp (((MemlaneDeviceItem *) section->pdata[k])->id, host) != 0) /* why it could not be reached is old */
          g_ptr_array_add (items, g_object_ref (section->pdata[k]));
      g_ptr_array_add (items, memlane_device_item_new_asking (host));
      remember_to_ask (self, host);
    }
  g_list_store_splice (self->devices, 0, g_list_model_get_n_items (G_LIST_MODEL (self->devices)), items->pdata, items->len);
}

static void
forget_questions (MemlaneDeviceFinder *self)
{
  g_autoptr (GCancellable) cancellable = g_steal_pointer (&self->cancellable);

  if (cancellable != NULL)
    g_cancellable_cancel (cancellable);
  g_queue_clear_full (&self->queue, g_free);
  g_hash_table_remove_all (self->asking);
  self->n_asked = 0;
}

void
memlane_device_finder_look (MemlaneDeviceFinder *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) hosts = NULL;

  if (self->stopped)
    return;
  forget_questions (self);
  self->cancellable = g_cancellable_new ();
  hosts = memlane_hosts_read (&error);
  remember_to_ask (self, HERE);
  renew_sections (self, hosts);
  if (hosts == NULL)
    {
      g_autofree char *sentence = g_strdup_printf (_("Hosts are not used: %s"), error->message);

      g_signal_emit_by_name (self, "notice", sentence);
    }
  g_signal_emit_by_name (self, "found");
  ask (self, HERE);
  ask_hosts (self);
}

void
memlane_device_finder_stop (MemlaneDeviceFinder *self)
{
  self->stopped = TRUE;
  forget_questions (self);
}

/* --- what there is -------------------------------------------------------------------------------------------------------- */

GListModel *
memlane_device_finder_get_devices (MemlaneDeviceFinder *self)
{
  return G_LIST_MODEL (self->devices);
}

gboolean
memlane_device_finder_is_known (MemlaneDeviceFinder *self)
{
  return self->known;
}

gboolean
memlane_device_finder_is_asking (MemlaneDeviceFinder *self, const char *host)
{
  return g_hash_table_contains (self->asking, host);
}

MemlaneDeviceItem *
memlane_device_finder_find (MemlaneDeviceFinder *self, const char *id)
{
  MemlaneDeviceItem *item;

  for (guint i = 0; (item = memlane_list_peek (self->devices, i)) != NULL; i++)
    if (strcmp (item->id, id) == 0)
      break;
  return item;
}

void
memlane_device_finder_add (MemlaneDeviceFinder *self, const char *id)
{
  g_autofree char *host = NULL;
  const char *title = memlane_host_split (id, &host);
  g_autoptr (MemlaneDeviceItem) item = memlane_device_item_new (host != NULL ? host : HERE, id, title, NULL,
                                                                g_str_has_prefix (title, "simulated:"));
  guint n_rows, first = find_section (self, host != NULL ? host : HERE, &n_rows);

  g_list_store_insert (self->devices, first + n_rows, item);
}

/* --- life ----------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneDeviceFinder, memlane_device_finder, finalize, forget_questions (self); OWNS (devices, g_object_unref)
                        OWNS (asking, g_hash_table_unref))

static void
memlane_device_finder_class_init (MemlaneDeviceFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  memlane_signal_add (klass, "found", 0);
  memlane_signal_add (klass, "notice", 1, G_TYPE_STRING);
}

static void
memlane_device_finder_init (MemlaneDeviceFinder *self)
{
  self->devices = g_list_store_new (MEMLANE_TYPE_DEVICE_ITEM);
  self->asking = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_queue_init (&self->queue);
}

MemlaneDeviceFinder *
memlane_device_finder_new (void)
{
  return g_object_new (MEMLANE_TYPE_DEVICE_FINDER, NULL);
}
