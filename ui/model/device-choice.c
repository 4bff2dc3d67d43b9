/* device-choice.c: on which device is measured, and what it cannot do
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-choice.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/owns.h"
#include "device-finder.h"
#include "fields.h"

#define SIMULATED "simulated:h200" /* where there is no GPU */

/* The modes that one device cannot run. */
typedef struct
{
  char *error;         /* it cannot be used: the reason for every mode */
  GHashTable *reasons; /* (element-type utf8 utf8): "WORKLOAD/MODE" to a sentence */
} Objections;

struct _MemlaneDeviceChoice
{
  GObject parent_instance;

  MemlaneBench *bench;
  GSettings *settings;    /* NULL: no schema is installed */
  MemlaneDeviceFinder *finder;
  GListModel *devices;    /* the finder's */
  gboolean looked, stopped;
  gboolean look_waits;    /* until nothing is measured */
  gboolean was_running;   /* the bench */
  char *device, *wanted;
  GHashTable *objections; /* (element-type utf8 Objections): by device id */
  char *asking;           /* the device that is asked what it can do */
};

G_DEFINE_FINAL_TYPE (MemlaneDeviceChoice, memlane_device_choice, G_TYPE_OBJECT)

enum { PROP_0, PROP_DEVICE, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void choose (MemlaneDeviceChoice *self, const char *id);

/* --- what a device cannot do ------------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_FREE (Objections, static void objections_free (gpointer data), OWNS (error, g_free) OWNS (reasons, g_hash_table_unref))

/* @info NULL: @error says why. */
static Objections *
objections_new (const MemlaneDeviceInfo *info, const GError *error)
{
  Objections *objections = g_new0 (Objections, 1);
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
  return objections;
}

static void ask (MemlaneDeviceChoice *self);

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneDeviceChoice) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDeviceInfo) info = memlane_devices_describe_finish (result, &error);

  g_hash_table_insert (self->objections, g_steal_pointer (&self->asking), objections_new (info, error));
  memlane_say_changed (self);
  g_signal_emit_by_name (self, "known");
  ask (self); /* another one may have been chosen in the meantime */
}

static void
ask (MemlaneDeviceChoice *self)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self);

  if (memlane_bench_is_running (self->bench) || self->stopped || self->asking != NULL || item == NULL
      || item->reason != NULL || g_hash_table_contains (self->objections, self->device))
    return;
  self->asking = g_strdup (self->device);
  memlane_devices_describe_async (self->device, NULL, asked_cb, g_object_ref (self));
}

static gboolean
has_error (gpointer key, gpointer value, gpointer user_data)
{
  return ((Objections *) value)->error != NULL;
}

static void
forget_trouble (MemlaneDeviceChoice *self)
{
  g_hash_table_foreach_remove (self->objections, has_error, NULL);
}

const char *
memlane_device_choice_get_mode_objection (MemlaneDeviceChoice *self, const MemlaneWorkload *workload, const char *mode)
{
  const Objections *objections = g_hash_table_lookup (self->objections, self->device);
  g_autofree char *key = g_strconcat (workload->id, "/", mode, NULL);
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self);

  if (item != NULL && item->reason != NULL)
    return item->reason;
  if (objections == NULL)
    return NULL;
  return objections->error != NULL ? objections->error : g_hash_table_lookup (objections->reasons, key);
}

const char *
memlane_device_choice_get_obstacle (MemlaneDeviceChoice *self)
{
  MemlaneDeviceItem *item = memlane_device_choice_get_item (self);
  const Objections *objections = g_hash_table_lookup (self->objections, self->device);

  if (self->stopped)
    return _("The window is closing");
  if (item == NULL && !memlane_device_finder_is_known (self->finder))
    return _("Looking for devices");
  if (item == NULL || item->reason != NULL)
    return _("Choose a device that can be used");
  return objections != NULL ? objections->error : NULL;
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

/* --- which devices there are ------------------------------------------------------------------------------------------ */

static gboolean
is_usable_gpu (MemlaneDeviceItem *item)
{
  return item->reason == NULL && !item->simulated;
}

/* The first usable GPU of this machine, else the simulated H200, else whatever can be used. */
static const char *
get_default (MemlaneDeviceChoice *self)
{
  MemlaneDeviceItem *item;
  const char *chosen = NULL;

  /* a host is chosen by the person */
  for (guint i = 0; (item = memlane_list_peek (self->devices, i)) != NULL && *item->host == '\0'; i++)
    {
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
  MemlaneDeviceItem *item = memlane_device_finder_find (self->finder, id);

  return item != NULL && item->reason == NULL;
}

/* Returns whether its machine has not answered, so that it may be listed yet. */
static gboolean
may_come (MemlaneDeviceChoice *self, const char *id)
{
  g_autofree char *host = NULL;
  const char *of_host = memlane_host_split (id, &host);

  if (!self->looked)
    return TRUE;
  if (host == NULL && g_str_has_prefix (of_host, "simulated:"))
    return FALSE;
  return memlane_device_finder_is_asking (self->finder, host != NULL ? host : "");
}

static void
choose (MemlaneDeviceChoice *self, const char *id)
{
  if (!is_usable (self, id) && may_come (self, id))
    return; /* it is looked for when the list is there */
  if (*id != '\0' && memlane_device_finder_find (self->finder, id) == NULL)
    memlane_device_finder_add (self->finder, id); /* opening it will tell */
  if (g_strcmp0 (self->device, id) == 0)
    return;
  g_free (self->device);
  self->device = g_strdup (id);
  forget_trouble (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DEVICE]);
  memlane_say_changed (self);
  ask (self);
}

static void
found_cb (MemlaneDeviceChoice *self)
{
  const char *wanted = self->wanted;
  g_autofree char *host = NULL;

  (void) memlane_host_split (wanted, &host);
  if (is_usable (self, wanted))
    choose (self, wanted);
  else if (memlane_device_finder_is_known (self->finder) && !is_usable (self, self->device))
    {
      gboolean by_path = host == NULL && strchr (wanted, '/') != NULL && memlane_device_finder_find (self->finder, wanted) == NULL;

      choose (self, by_path ? wanted : get_default (self));
    }
  else
    ask (self);
  memlane_say_changed (self);
}

static void
finder_notice_cb (MemlaneDeviceFinder *finder, const char *sentence, MemlaneDeviceChoice *self)
{
  memlane_say_notice (self, TRUE, sentence);
}

void
memlane_device_choice_look (MemlaneDeviceChoice *self)
{
  self->look_waits = memlane_bench_is_running (self->bench);
  if (self->look_waits || self->stopped)
    return;
  self->looked = TRUE;
  forget_trouble (self);
  memlane_device_finder_look (self->finder);
}

void
memlane_device_choice_stop (MemlaneDeviceChoice *self)
{
  self->stopped = TRUE;
  memlane_device_finder_stop (self->finder);
}

GListModel *
memlane_device_choice_get_devices (MemlaneDeviceChoice *self)
{
  return self->devices;
}

MemlaneDeviceItem *
memlane_device_choice_get_item (MemlaneDeviceChoice *self)
{
  return *self->device != '\0' ? memlane_device_finder_find (self->finder, self->device) : NULL;
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
  MemlaneDeviceItem *item;

  for (guint i = 0; (item = memlane_list_peek (self->devices, i)) != NULL; i++)
    if (is_usable_gpu (item))
      return FALSE;
  return memlane_device_finder_is_known (self->finder);
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

/* A measurement may have mended a device that could not be used. */
static void
bench_changed_cb (MemlaneDeviceChoice *self)
{
  gboolean running = memlane_bench_is_running (self->bench);

  if (self->was_running && !running)
    forget_trouble (self);
  self->was_running = running;
  if (self->look_waits)
    memlane_device_choice_look (self);
  ask (self); /* another one may have been chosen in the meantime */
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, MEMLANE_DEVICE_CHOICE (object)->device);
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
      g_free (self->wanted);
      self->wanted = g_strdup (device);
      if (self->settings != NULL)
        g_settings_set_string (self->settings, "device", device);
    }
  choose (self, device);
}

MEMLANE_DEFINE_RELEASE (MemlaneDeviceChoice, memlane_device_choice, dispose, memlane_device_choice_stop (self);)

MEMLANE_DEFINE_RELEASE (MemlaneDeviceChoice, memlane_device_choice, finalize, OWNS (bench, g_object_unref) OWNS (finder, g_object_unref)
                        OWNS (settings, g_object_unref) OWNS (objections, g_hash_table_unref) OWNS (device, g_free) OWNS (wanted, g_free)
                        OWNS (asking, g_free))

static void
memlane_device_choice_class_init (MemlaneDeviceChoiceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  object_class->dispose = dispose;
  object_class->finalize = finalize;
  properties[PROP_DEVICE] =
    g_param_spec_string ("device", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  memlane_signal_add (klass, "changed", 0);
  memlane_signal_add (klass, "known", 0);
  memlane_signal_add (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
}

static void
memlane_device_choice_init (MemlaneDeviceChoice *self)
{
  self->finder = memlane_device_finder_new ();
  self->devices = memlane_device_finder_get_devices (self->finder);
  g_signal_connect_object (self->finder, "found", G_CALLBACK (found_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->finder, "notice", G_CALLBACK (finder_notice_cb), self, 0);
  self->objections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, objections_free);
  self->device = g_strdup ("");
  self->wanted = g_strdup ("");
}

MemlaneDeviceChoice *
memlane_device_choice_new (MemlaneBench *bench)
{
  MemlaneDeviceChoice *self = g_object_new (MEMLANE_TYPE_DEVICE_CHOICE, NULL);

  self->bench = g_object_ref (bench);
  g_signal_connect_object (bench, "changed", G_CALLBACK (bench_changed_cb), self, G_CONNECT_SWAPPED);
  self->settings = memlane_fields_keep (self, (const char *const[]) { "device", NULL });
  if (self->settings != NULL)
    {
      g_free (self->wanted);
      self->wanted = g_settings_get_string (self->settings, "device");
    }
  return self;
}
