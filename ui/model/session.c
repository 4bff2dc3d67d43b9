/* session.c: what the window shows and does, without the window: device, plan, sweep, what is drawn
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "memlane.h"
#include "base/merger.h"
#include "comparison.h"
#include "device-finder.h"
#include "settings-schema.h"

#define ROUND_SECONDS 0.5 /* until a GPU's worker measures: 0.3 s on an H200, and some to spare */
#define SIMULATED "simulated:h200" /* where there is no GPU */

/* What one device cannot do. */
typedef struct
{
  char *error;         /* it cannot be used: the reason for every mode */
  GHashTable *reasons; /* (element-type utf8 utf8): "WORKLOAD/MODE" to a sentence */
} Objections;

struct _MemlaneSession
{
  GObject parent_instance;

  MemlaneRunStore *store;
  MemlaneBench *bench;
  GSettings *settings;      /* NULL: no schema is installed */
  MemlaneMerger charts;
  gboolean started, shut;

  /* devices */
  MemlaneDeviceFinder *finder;
  GListModel *devices;      /* the finder's */
  gboolean look_waits;      /* until nothing is measured */
  char *device, *wanted_device;
  GHashTable *objections;   /* (element-type utf8 Objections): by device id */
  char *asking;             /* the device that is asked what it can do */

  /* what to measure and to show */
  const MemlaneWorkload *workload, *shown_workload;
  GHashTable *modes;        /* (element-type MemlaneMode): the chosen ones */
  GHashTable *shown_modes;  /* (element-type MemlaneMode): those whose curves are shown */
  guint first_log2, last_log2, rounds, reuse, streams, chunks;
  double precision, cell_seconds;
  int phase, time_phase;    /* MemlanePhase */
  gboolean log_bandwidth, log_time, show_published, show_ceilings, comparing;
  MemlanePublished *published;
  gboolean published_tried;

  /* the sweep */
  gboolean was_running, was_blocked; /* when it was told last */
  gboolean start_waits;     /* for the worker that asks the device */
  MemlaneSweep *sweep;
  gboolean has_told_problem; /* of its journal */
  GCancellable *cancellable;
  MemlaneRunItem *live;
  guint plan_first, plan_last;
  MemlanePlan *asked_plan; /* (owned) (nullable): of the next sweep, instead of the chosen one */
  gint64 sweep_began;       /* monotonic time */
  double sweep_cell_seconds;
  guint sweep_rounds;
  double cost;              /* wall time for a cell over the time that it may take, of the last sweep on this device; 0: none */
  guint cost_rounds;        /* of that sweep */
};

G_DEFINE_FINAL_TYPE (MemlaneSession, memlane_session, G_TYPE_OBJECT)

/* --- properties ------------------------------------------------------------------------------------------------------- */

typedef enum { OBJECT, TEXT, COUNT, NUMBER, FLAG, PHASE, WORKLOAD, RUNNING } FieldType;

enum
{
  KEPT = 1 << 0,    /* in the settings, under the same name */
  REDRAWS = 1 << 1, /* the charts change with it */
  READ_ONLY = 1 << 2,
};

/* A property and the field that holds it. The ranges are those of the settings' schema. */
typedef struct
{
  const char *name;
  FieldType type;
  gsize offset;
  guint flags;
  double least, most, initial;
} Field;

enum
{
  SESSION_0, SESSION_STORE, SESSION_DEVICES, SESSION_DEVICE, SESSION_WORKLOAD, SESSION_SHOWN_WORKLOAD, SESSION_FIRST_LOG2,
  SESSION_LAST_LOG2, SESSION_PRECISION,
  SESSION_CELL_SECONDS, SESSION_ROUNDS, SESSION_REUSE, SESSION_STREAMS, SESSION_CHUNKS, SESSION_PHASE, SESSION_TIME_PHASE,
  SESSION_LOG_BANDWIDTH, SESSION_LOG_TIME, SESSION_SHOW_PUBLISHED, SESSION_SHOW_CEILINGS, SESSION_COMPARING, SESSION_RUNNING,
  N_SESSION_PROPERTIES
};

#define AT(field) G_STRUCT_OFFSET (MemlaneSession, field)
#define SIZES MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2
#define PHASES 0, MEMLANE_N_PHASES - 1, MEMLANE_PHASE_ELAPSED

static const Field fields[N_SESSION_PROPERTIES] = {
  [SESSION_STORE] = { "store", OBJECT, AT (store), READ_ONLY, 0, 0, 0 },
  [SESSION_DEVICES] = { "devices", OBJECT, AT (devices), READ_ONLY, 0, 0, 0 },
  [SESSION_DEVICE] = { "device", TEXT, AT (device), 0, 0, 0, 0 }, /* the wanted one is kept by hand */
  [SESSION_WORKLOAD] = { "workload", WORKLOAD, AT (workload), KEPT, 0, 0, 0 },
  [SESSION_SHOWN_WORKLOAD] = { "shown-workload", WORKLOAD, AT (shown_workload), KEPT | REDRAWS, 0, 0, 0 },
  [SESSION_FIRST_LOG2] = { "first-log2", COUNT, AT (first_log2), KEPT, SIZES, 10 },
  [SESSION_LAST_LOG2] = { "last-log2", COUNT, AT (last_log2), KEPT, SIZES, 20 },
  [SESSION_PRECISION] = { "precision", NUMBER, AT (precision), KEPT, 0.0001, 1, 0.2 },
  [SESSION_CELL_SECONDS] = { "cell-seconds", NUMBER, AT (cell_seconds), KEPT, 0.001, 3600, 0.25 },
  [SESSION_ROUNDS] = { "rounds", COUNT, AT (rounds), KEPT, 1, MEMLANE_MOST_ROUNDS, 6 },
  [SESSION_REUSE] = { "reuse", COUNT, AT (reuse), KEPT, 1, MEMLANE_MOST_REUSE, 1 },
  [SESSION_STREAMS] = { "streams", COUNT, AT (streams), KEPT, 1, MEMLANE_MOST_STREAMS, 8 },
  [SESSION_CHUNKS] = { "chunks", COUNT, AT (chunks), KEPT, 1, MEMLANE_MOST_CHUNKS, 8 },
  [SESSION_PHASE] = { "phase", PHASE, AT (phase), KEPT | REDRAWS, PHASES },
  [SESSION_TIME_PHASE] = { "time-phase", PHASE, AT (time_phase), KEPT | REDRAWS, PHASES },
  [SESSION_LOG_BANDWIDTH] = { "log-bandwidth", FLAG, AT (log_bandwidth), KEPT | REDRAWS, 0, 1, FALSE },
  [SESSION_LOG_TIME] = { "log-time", FLAG, AT (log_time), KEPT | REDRAWS, 0, 1, TRUE },
  [SESSION_SHOW_PUBLISHED] = { "show-published", FLAG, AT (show_published), KEPT | REDRAWS, 0, 1, FALSE },
  [SESSION_SHOW_CEILINGS] = { "show-ceilings", FLAG, AT (show_ceilings), KEPT | REDRAWS, 0, 1, TRUE },
  [SESSION_COMPARING] = { "comparing", FLAG, AT (comparing), REDRAWS, 0, 1, FALSE },
  [SESSION_RUNNING] = { "running", RUNNING, 0, READ_ONLY, 0, 1, FALSE },
};

static GParamSpec *properties[N_SESSION_PROPERTIES];

enum { SIGNAL_MODES_CHANGED, SIGNAL_VIEW_CHANGED, SIGNAL_CHARTS_CHANGED, SIGNAL_NOTICE, SIGNAL_SWEPT, N_SIGNALS };
static guint signals[N_SIGNALS];

static void ask_device (MemlaneSession *self);
static void choose_device (MemlaneSession *self, const char *id);
static void start_sweep (MemlaneSession *self);

static void
notify (MemlaneSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

G_GNUC_PRINTF (3, 4) static void
tell (MemlaneSession *self, gboolean trouble, const char *format, ...)
{
  g_autofree char *sentence = NULL;
  va_list arguments;

  va_start (arguments, format);
  sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, sentence, trouble);
}

static void
say_modes_changed (MemlaneSession *self)
{
  g_signal_emit (self, signals[SIGNAL_MODES_CHANGED], 0);
}

static GParamSpec *
new_pspec (guint id)
{
  const Field *field = &fields[id];
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY |
                            ((field->flags & READ_ONLY) != 0 ? 0 : G_PARAM_WRITABLE);

  switch (field->type)
    {
    case OBJECT:
      return g_param_spec_object (field->name, NULL, NULL, id == SESSION_STORE ? MEMLANE_TYPE_RUN_STORE : G_TYPE_LIST_MODEL, flags);
    case COUNT:
      return g_param_spec_uint (field->name, NULL, NULL, (guint) field->least, (guint) field->most, (guint) field->initial, flags);
    case NUMBER:
      return g_param_spec_double (field->name, NULL, NULL, field->least, field->most, field->initial, flags);
    case PHASE:
      return g_param_spec_int (field->name, NULL, NULL, (int) field->least, (int) field->most, (int) field->initial, flags);
    case FLAG:
    case RUNNING:
      return g_param_spec_boolean (field->name, NULL, NULL, field->initial > 0, flags);
    case WORKLOAD:
      return g_param_spec_string (field->name, NULL, NULL, "vector-add", flags);
    case TEXT:
    default:
      return g_param_spec_string (field->name, NULL, NULL, "", flags);
    }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneSession *self = MEMLANE_SESSION (object);
  gconstpointer at = G_STRUCT_MEMBER_P (self, fields[id].offset);

  switch (fields[id].type)
    {
    case OBJECT:
      g_value_set_object (value, *(GObject *const *) at);
      break;
    case TEXT:
      g_value_set_string (value, *(char *const *) at);
      break;
    case COUNT:
      g_value_set_uint (value, *(const guint *) at);
      break;
    case NUMBER:
      g_value_set_double (value, *(const double *) at);
      break;
    case PHASE:
      g_value_set_int (value, *(const int *) at);
      break;
    case FLAG:
      g_value_set_boolean (value, *(const gboolean *) at);
      break;
    case WORKLOAD:
      g_value_set_string (value, (*(const MemlaneWorkload *const *) at)->id);
      break;
    case RUNNING:
    default:
      g_value_set_boolean (value, memlane_session_is_running (self));
      break;
    }
}

static gboolean
set_workload (MemlaneSession *self, const MemlaneWorkload **at, const char *id)
{
  const MemlaneWorkload *workload = id != NULL ? memlane_workload_find (id) : NULL;

  if (workload == NULL || workload == *at)
    return FALSE;
  *at = workload;
  if (at == &self->workload)
    say_modes_changed (self); /* what the device can do */
  return TRUE;
}

static void
set_device (MemlaneSession *self, const char *id)
{
  if (id == NULL)
    return;
  if (g_strcmp0 (self->wanted_device, id) != 0)
    {
      g_free (self->wanted_device);
      self->wanted_device = g_strdup (id);
      if (self->settings != NULL)
        g_settings_set_string (self->settings, "device", id);
    }
  choose_device (self, id);
}

/* FALSE: it is so already. */
static gboolean
set_field (MemlaneSession *self, guint id, const GValue *value)
{
  gpointer at = G_STRUCT_MEMBER_P (self, fields[id].offset);
  double number;

  switch (fields[id].type)
    {
    case NUMBER:
      number = g_value_get_double (value);
      if (*(double *) at == number)
        return FALSE;
      *(double *) at = number;
      return TRUE;
    case COUNT:
    case PHASE:
    case FLAG: /* all are as wide as an int */
      if (*(int *) at == value->data[0].v_int)
        return FALSE;
      *(int *) at = value->data[0].v_int;
      return TRUE;
    case WORKLOAD:
      return set_workload (self, at, g_value_get_string (value));
    case TEXT:
      set_device (self, g_value_get_string (value));
      return FALSE;
    case OBJECT:
    case RUNNING:
    default:
      g_return_val_if_reached (FALSE);
    }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  MemlaneSession *self = MEMLANE_SESSION (object);

  if (!set_field (self, id, value))
    return;
  if (self->first_log2 > self->last_log2 && (id == SESSION_FIRST_LOG2 || id == SESSION_LAST_LOG2))
    {
      /* The other end of the range follows, where it would lie on the wrong side. */
      if (id == SESSION_FIRST_LOG2)
        self->last_log2 = self->first_log2;
      else
        self->first_log2 = self->last_log2;
      notify (self, id == SESSION_FIRST_LOG2 ? SESSION_LAST_LOG2 : SESSION_FIRST_LOG2);
    }
  g_object_notify_by_pspec (object, pspec);
  if ((fields[id].flags & REDRAWS) != 0)
    memlane_merger_poke (&self->charts);
}

/* --- devices: what they cannot do ------------------------------------------------------------------------------------- */

/* Workers list and describe devices, so that no driver wakes, or hangs, in this process. While anything is measured no device is asked:
 * that would disturb it. */
static GWeakRef *
weak_ref_new (MemlaneSession *self)
{
  GWeakRef *ref = g_new0 (GWeakRef, 1);

  g_weak_ref_init (ref, self);
  return ref;
}

/* (transfer full) (nullable); frees @ref. */
static MemlaneSession *
weak_ref_end (GWeakRef *ref)
{
  MemlaneSession *self = g_weak_ref_get (ref);

  g_weak_ref_clear (ref);
  g_free (ref);
  return self;
}

static void
objections_free (gpointer data)
{
  Objections *objections = data;

  g_free (objections->error);
  g_hash_table_unref (objections->reasons);
  g_free (objections);
}

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

static void
asked_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneSession) self = weak_ref_end (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneDeviceInfo) info = memlane_devices_describe_finish (result, &error);

  if (self == NULL)
    return;
  g_hash_table_insert (self->objections, g_steal_pointer (&self->asking), objections_new (info, error));
  say_modes_changed (self);
  if (self->start_waits)
    start_sweep (self);
  else
    ask_device (self); /* another one may have been chosen in the meantime */
}

static void
ask_device (MemlaneSession *self)
{
  MemlaneDeviceItem *item = memlane_session_get_device_item (self);

  if (memlane_bench_is_running (self->bench) || self->shut || self->asking != NULL || item == NULL ||
      memlane_device_item_get_reason (item) != NULL || g_hash_table_contains (self->objections, self->device))
    return;
  self->asking = g_strdup (self->device);
  memlane_devices_describe_async (self->device, NULL, asked_cb, weak_ref_new (self));
}

static gboolean
has_error (gpointer key, gpointer value, gpointer user_data)
{
  return ((Objections *) value)->error != NULL;
}

static void
forget_trouble (MemlaneSession *self)
{
  g_hash_table_foreach_remove (self->objections, has_error, NULL);
}

const char *
memlane_session_get_objection (MemlaneSession *self, const char *mode)
{
  const Objections *objections = self->device != NULL ? g_hash_table_lookup (self->objections, self->device) : NULL;
  g_autofree char *key = g_strconcat (self->workload->id, "/", mode, NULL);
  MemlaneDeviceItem *item = memlane_session_get_device_item (self);

  if (item != NULL && memlane_device_item_get_reason (item) != NULL)
    return memlane_device_item_get_reason (item);
  if (objections == NULL)
    return NULL;
  return objections->error != NULL ? objections->error : g_hash_table_lookup (objections->reasons, key);
}

/* --- devices: which there are ----------------------------------------------------------------------------------------- */

static gboolean
is_usable_gpu (MemlaneDeviceItem *item)
{
  return memlane_device_item_get_reason (item) == NULL && !memlane_device_item_is_simulated (item);
}

/* The first usable GPU of this machine, else the simulated H200, else whatever can be used. */
static const char *
get_default (MemlaneSession *self)
{
  guint n = g_list_model_get_n_items (self->devices);
  const char *chosen = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (self->devices, i);
      const char *id = memlane_device_item_get_id (item);

      if (*memlane_device_item_get_host (item) != '\0') /* a host is chosen by the person */
        break;
      if (is_usable_gpu (item))
        return id;
      if (memlane_device_item_get_reason (item) == NULL && (chosen == NULL || strcmp (id, SIMULATED) == 0))
        chosen = id;
    }
  return chosen != NULL ? chosen : "";
}

static gboolean
is_usable (MemlaneSession *self, const char *id)
{
  MemlaneDeviceItem *item = memlane_device_finder_find (self->finder, id);

  return item != NULL && memlane_device_item_get_reason (item) == NULL;
}

/* Whose machine has not answered, so that it may be listed yet. */
static gboolean
may_come (MemlaneSession *self, const char *id)
{
  g_autofree char *host = NULL;
  const char *of_host = memlane_host_split (id, &host);

  if (!self->started)
    return TRUE;
  if (host == NULL && g_str_has_prefix (of_host, "simulated:"))
    return FALSE;
  return memlane_device_finder_is_asking (self->finder, host != NULL ? host : "");
}

static void
choose_device (MemlaneSession *self, const char *id)
{
  if (!is_usable (self, id) && may_come (self, id))
    return; /* it is looked for when the list is there */
  if (*id != '\0' && memlane_device_finder_find (self->finder, id) == NULL)
    memlane_device_finder_add (self->finder, id); /* opening it will tell */
  if (g_strcmp0 (self->device, id) == 0)
    return;
  g_free (self->device);
  self->device = g_strdup (id);
  self->cost = 0;
  forget_trouble (self);
  notify (self, SESSION_DEVICE);
  say_modes_changed (self);
  ask_device (self);
}

/* What was chosen last time may be gone, or on a host that has not answered yet: then another one is used meanwhile. */
static void
found_cb (MemlaneSession *self)
{
  const char *wanted = self->wanted_device != NULL ? self->wanted_device : "";
  g_autofree char *host = NULL;

  (void) memlane_host_split (wanted, &host);
  if (is_usable (self, wanted))
    choose_device (self, wanted);
  else if (memlane_device_finder_is_known (self->finder) && !is_usable (self, self->device))
    {
      gboolean by_path = host == NULL && strchr (wanted, '/') != NULL && memlane_device_finder_find (self->finder, wanted) == NULL;

      choose_device (self, by_path ? wanted : get_default (self));
    }
  else
    ask_device (self);
  say_modes_changed (self);
}

static void
finder_notice_cb (MemlaneDeviceFinder *finder, const char *sentence, MemlaneSession *self)
{
  tell (self, TRUE, "%s", sentence);
}

void
memlane_session_look_again (MemlaneSession *self)
{
  self->look_waits = memlane_bench_is_running (self->bench);
  if (self->look_waits || !self->started || self->shut)
    return;
  forget_trouble (self);
  memlane_device_finder_look (self->finder);
}

MemlaneDeviceItem *
memlane_session_get_device_item (MemlaneSession *self)
{
  return self->device != NULL && *self->device != '\0' ? memlane_device_finder_find (self->finder, self->device) : NULL;
}

gboolean
memlane_session_lacks_gpu (MemlaneSession *self)
{
  guint n = g_list_model_get_n_items (self->devices);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (MemlaneDeviceItem) item = g_list_model_get_item (self->devices, i);

      if (is_usable_gpu (item))
        return FALSE;
    }
  return memlane_device_finder_is_known (self->finder);
}

/* --- modes: those of the plan, and those of the view ------------------------------------------------------------------ */

static void
fill (GHashTable *set, gboolean all)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_hash_table_remove_all (set);
  for (guint i = 0; i < n && all; i++)
    g_hash_table_add (set, (gpointer) &modes[i]);
}

static void
keep_modes (MemlaneSession *self, GHashTable *set, const char *key)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (self->settings == NULL)
    return;
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (set, &modes[i]))
      g_ptr_array_add (ids, (gpointer) modes[i].id);
  if (ids->len == n) /* a mode that comes later is among them, too */
    {
      g_ptr_array_set_size (ids, 0);
      g_ptr_array_add (ids, (gpointer) "all");
    }
  g_ptr_array_add (ids, NULL);
  g_settings_set_strv (self->settings, key, (const char *const *) ids->pdata);
}

static void
restore_modes (MemlaneSession *self, GHashTable *set, const char *key)
{
  g_auto (GStrv) ids = g_settings_get_strv (self->settings, key);

  if (g_strv_contains ((const char *const *) ids, "all"))
    return;
  g_hash_table_remove_all (set);
  for (char **id = ids; *id != NULL; id++)
    {
      const MemlaneMode *mode = memlane_mode_find (*id);

      if (mode != NULL)
        g_hash_table_add (set, (gpointer) mode);
    }
}

static gboolean
has_mode (GHashTable *set, const char *id)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  return mode != NULL && g_hash_table_contains (set, mode);
}

/* FALSE: it is so already, or there is no such mode. */
static gboolean
put_mode (GHashTable *set, const char *id, gboolean wanted)
{
  const MemlaneMode *mode = memlane_mode_find (id);

  if (mode == NULL)
    return FALSE;
  return wanted ? g_hash_table_add (set, (gpointer) mode) : g_hash_table_remove (set, mode);
}

/* FALSE: it is so already. */
static gboolean
put_all_modes (GHashTable *set, gboolean wanted)
{
  guint n;

  (void) memlane_mode_list (&n);
  if (g_hash_table_size (set) == (wanted ? n : 0))
    return FALSE;
  fill (set, wanted);
  return TRUE;
}

static void
plan_changed (MemlaneSession *self)
{
  keep_modes (self, self->modes, "modes");
  say_modes_changed (self);
}

static void
view_changed (MemlaneSession *self)
{
  keep_modes (self, self->shown_modes, "shown-modes");
  g_signal_emit (self, signals[SIGNAL_VIEW_CHANGED], 0);
  memlane_merger_poke (&self->charts);
}

gboolean
memlane_session_get_mode (MemlaneSession *self, const char *mode)
{
  return has_mode (self->modes, mode);
}

void
memlane_session_set_mode (MemlaneSession *self, const char *mode, gboolean chosen)
{
  if (put_mode (self->modes, mode, chosen))
    plan_changed (self);
}

void
memlane_session_set_all_modes (MemlaneSession *self, gboolean chosen)
{
  if (put_all_modes (self->modes, chosen))
    plan_changed (self);
}

gboolean
memlane_session_is_mode_shown (MemlaneSession *self, const char *mode)
{
  return has_mode (self->shown_modes, mode);
}

void
memlane_session_show_mode (MemlaneSession *self, const char *mode, gboolean shown)
{
  if (put_mode (self->shown_modes, mode, shown))
    view_changed (self);
}

void
memlane_session_show_all_modes (MemlaneSession *self, gboolean shown)
{
  if (put_all_modes (self->shown_modes, shown))
    view_changed (self);
}

/* --- charts ----------------------------------------------------------------------------------------------------------- */

static gboolean
has_workload (MemlaneRunItem *item, const char *workload)
{
  const MemlaneRun *run = memlane_run_item_get_run (item);

  for (guint k = 0; run != NULL && k < run->cells->len; k++)
    if (g_str_equal (((MemlaneCell *) run->cells->pdata[k])->workload, workload))
      return TRUE;
  return FALSE;
}

gboolean
memlane_session_has_curves (MemlaneSession *self, MemlaneRunItem *item)
{
  const MemlaneRun *run = memlane_run_item_get_run (item);

  return run == NULL || run->cells->len == 0 || has_workload (item, self->shown_workload->id);
}

const MemlaneWorkload *
memlane_session_follow_opened (MemlaneSession *self, GPtrArray *items)
{
  const MemlaneWorkload *before = self->shown_workload, *first = NULL;

  for (guint i = 0; i < items->len; i++)
    {
      const MemlaneRun *run = memlane_run_item_get_run (items->pdata[i]);

      if (has_workload (items->pdata[i], self->shown_workload->id))
        return NULL;
      if (first == NULL && run != NULL && run->cells->len > 0)
        first = memlane_workload_find (((const MemlaneCell *) run->cells->pdata[0])->workload);
    }
  if (first == NULL)
    return NULL;
  g_object_set (self, "shown-workload", first->id, NULL);
  return before;
}

/* The shown runs that have curves; all of them where none has. (transfer full) (element-type MemlaneRunItem) */
static GPtrArray *
get_drawn (MemlaneSession *self, gboolean *of_workload)
{
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (self->store);
  g_autoptr (GPtrArray) drawn = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < shown->len; i++)
    if (has_workload (shown->pdata[i], self->shown_workload->id))
      g_ptr_array_add (drawn, g_object_ref (shown->pdata[i]));
  *of_workload = drawn->len > 0;
  return drawn->len > 0 ? g_steal_pointer (&drawn) : g_steal_pointer (&shown);
}

MemlaneChart *
memlane_session_build_chart (MemlaneSession *self, MemlaneQuantity quantity)
{
  gboolean of_workload;
  g_autoptr (GPtrArray) items = get_drawn (self, &of_workload);
  g_autofree MemlaneChartRun *runs = g_new0 (MemlaneChartRun, items->len + 1);
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();
  gboolean time = quantity == MEMLANE_QUANTITY_TIME;
  MemlaneChartOptions options = {
    .workload = self->shown_workload->id,
    .phase = time ? self->time_phase : self->phase,
    .quantity = self->comparing ? MEMLANE_QUANTITY_RATIO : quantity,
    .log_values = time ? self->log_time : self->log_bandwidth,
    .ceilings = self->show_ceilings,
    .published = self->show_published ? memlane_session_get_published (self) : NULL,
  };

  for (guint i = 0; i < items->len; i++)
    runs[i] = (MemlaneChartRun) { memlane_run_item_get_run (items->pdata[i]), memlane_run_item_get_name (items->pdata[i]) };
  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (self->shown_modes, &modes[i]))
      g_ptr_array_add (ids, (gpointer) modes[i].id);
  g_ptr_array_add (ids, NULL);
  options.modes = (const char *const *) ids->pdata;
  if (self->live != NULL)
    {
      /* The axis stands still while the curves grow. */
      options.first_log2 = self->plan_first;
      options.last_log2 = self->plan_last;
    }
  else if (items->len > 0 && !of_workload)
    options.workload = NULL; /* a file of another workload was opened: better that than an empty page */
  return memlane_chart_build (runs, items->len, &options);
}

const MemlanePublished *
memlane_session_get_published (MemlaneSession *self)
{
  g_autoptr (GError) error = NULL;

  if (self->published_tried)
    return self->published;
  self->published_tried = TRUE;
  self->published = memlane_published_read_default (&error);
  if (self->published == NULL)
    tell (self, TRUE, _("The published figures cannot be shown: %s"), error->message);
  return self->published;
}

char *
memlane_session_describe_comparison (MemlaneSession *self, gboolean in_full)
{
  gboolean of_workload;
  g_autoptr (GPtrArray) items = get_drawn (self, &of_workload);

  if (!self->comparing || items->len < 2)
    return NULL;
  return memlane_comparison_describe (memlane_run_item_get_run (items->pdata[0]), memlane_run_item_get_run (items->pdata[1]),
                                      self->shown_workload->id, in_full);
}

static char *
format_seconds_left (double seconds)
{
  int whole = (int) CLAMP (seconds + 0.999, 1, 1e6), minutes = (whole + 30) / 60;

  if (whole < 90)
    return g_strdup_printf (ngettext ("%d s left", "%d s left", (gulong) whole), whole);
  if (minutes < 60)
    return g_strdup_printf (ngettext ("%d min left", "%d min left", (gulong) minutes), minutes);
  return g_strdup_printf (_("%d h %d min left"), minutes / 60, minutes % 60);
}

/* --- a sweep while it runs -------------------------------------------------------------------------------------------- */

static void
introduce (MemlaneSweep *sweep, MemlaneSession *self)
{
  const MemlaneRun *run = memlane_sweep_get_run (sweep);

  if (run != NULL && memlane_run_item_get_run (self->live)->environment == NULL)
    memlane_run_store_introduce (self->store, self->live, run->id, run->environment);
}

static void
cell_cb (MemlaneSweep *sweep, MemlaneCell *cell, MemlaneSession *self)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new ();

  introduce (sweep, self);
  g_ptr_array_add (cells, cell);
  memlane_run_store_grow (self->store, self->live, cells);
}

/* Once, when it begins: room can be made while the sweep goes on. */
static void
tell_journal_problem (MemlaneSweep *sweep, MemlaneSession *self)
{
  const char *problem = memlane_sweep_get_journal_problem (sweep);

  if (problem != NULL && !self->has_told_problem)
    tell (self, TRUE, _("The journal does not hold all of this run: %s"), problem);
  self->has_told_problem |= problem != NULL;
}

static void
progress_cb (MemlaneSweep *sweep, MemlaneSession *self)
{
  const MemlaneSweepProgress *progress = memlane_sweep_get_progress (sweep);
  guint done = progress->cells_done, total = progress->cells_total;
  double left = progress->seconds_left;
  const MemlaneMode *mode = progress->mode != NULL ? memlane_mode_find (progress->mode) : NULL;
  g_autoptr (GString) status = g_string_new (NULL);

  tell_journal_problem (sweep, self);
  if (progress->waiting != NULL)
    {
      g_string_append_printf (status, _("Waiting: %s"), progress->waiting);
      memlane_bench_report (self->bench, memlane_bench_is_stopping (self->bench) ? NULL : status->str, 0);
      return;
    }
  if (progress->rounds > 1)
    {
      g_string_append_printf (status, _("round %u of %u"), progress->round, progress->rounds);
      g_string_append (status, " · ");
    }
  g_string_append_printf (status, _("cell %u of %u"), MIN (done + 1, total), total);
  if (mode != NULL)
    {
      g_autofree char *size = memlane_unit_format_power (progress->log2_elements);

      g_string_append_printf (status, " · %s %s", g_dgettext (GETTEXT_PACKAGE, mode->title), size);
    }
  if (left >= 0 && progress->fraction < 1)
    {
      g_autofree char *words = format_seconds_left (left);

      g_string_append_printf (status, " · %s", words);
    }
  memlane_bench_report (self->bench, memlane_bench_is_stopping (self->bench) ? NULL : status->str, progress->fraction);
}

/* --- its end ---------------------------------------------------------------------------------------------------------- */

static void
tell_failures (MemlaneSession *self, const MemlaneRun *run)
{
  const char *reason = NULL;
  guint failed = 0;

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      switch (cell->status)
        {
        case MEMLANE_STATUS_OUT_OF_MEMORY:
        case MEMLANE_STATUS_MISMATCH:
        case MEMLANE_STATUS_ERROR:
        case MEMLANE_STATUS_TIMEOUT:
          failed++;
          if (reason == NULL)
            reason = cell->detail;
          break;
        case MEMLANE_STATUS_OK:
        case MEMLANE_STATUS_NOISY:
        case MEMLANE_STATUS_UNSUPPORTED:
        case MEMLANE_STATUS_CANCELLED:
        case MEMLANE_N_STATUSES:
        default:
          break;
        }
    }
  if (failed > 0)
    tell (self, TRUE, ngettext ("%u cell failed: %s", "%u cells failed; the first: %s", failed), failed,
                          reason != NULL ? reason : _("no reason was given"));
}

static void
end (MemlaneSession *self, MemlaneRunItem *item, gboolean stopped)
{
  self->start_waits = FALSE;
  g_clear_object (&self->cancellable);
  memlane_bench_end (self->bench);
  memlane_merger_poke (&self->charts);
  g_signal_emit (self, signals[SIGNAL_SWEPT], 0, item, stopped);
  forget_trouble (self);
  ask_device (self);
}

static void
finished_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  MemlaneSweep *sweep = MEMLANE_SWEEP (source);
  g_autoptr (MemlaneSession) self = weak_ref_end (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneRun) run = memlane_sweep_run_finish (sweep, result, &error);
  const char *journal = memlane_sweep_get_journal (sweep), *trouble = memlane_sweep_get_trouble (sweep);
  g_autoptr (MemlaneRunItem) live = NULL;
  g_autofree char *device = NULL;
  gboolean measured = run != NULL && run->cells->len > 0;

  if (self == NULL)
    {
      /* The window is gone: the journal keeps what there is for the next start. */
      if (!measured && journal != NULL)
        (void) memlane_journal_discard (journal, NULL);
      return;
    }
  g_signal_handlers_disconnect_by_data (sweep, self);
  live = g_steal_pointer (&self->live);
  device = g_strdup (memlane_run_item_get_run (live)->device); /* another one may be chosen by now */
  g_clear_object (&self->sweep);
  if (measured && g_strcmp0 (device, self->device) == 0)
    {
      self->cost = (double) (g_get_monotonic_time () - self->sweep_began) / G_USEC_PER_SEC / run->cells->len / self->sweep_cell_seconds;
      self->cost_rounds = self->sweep_rounds;
    }
  memlane_run_store_end (self->store, live, run, journal);
  if (error != NULL && !memlane_sweep_was_cancelled (sweep))
    tell (self, TRUE, _("The device %s cannot be used: %s"), device, error->message);
  if (trouble != NULL && run != NULL)
    tell (self, TRUE, ngettext ("The sweep ended early and keeps %u cell: %s", "The sweep ended early and keeps %u cells: %s",
                                run->cells->len), run->cells->len, trouble);
  else if (measured)
    tell_failures (self, run);
  end (self, measured ? live : NULL, memlane_sweep_was_cancelled (sweep));
}

/* --- its start -------------------------------------------------------------------------------------------------------- */

/* A simulated device says the same in each round, so it takes one. */
static guint
count_rounds (MemlaneSession *self)
{
  MemlaneDeviceItem *item = memlane_session_get_device_item (self);

  return item == NULL || memlane_device_item_is_simulated (item) ? 1 : self->rounds;
}

/* Chosen, and not known to be impossible; in the registry's order. */
static MemlanePlan *
make_plan (MemlaneSession *self)
{
  MemlanePlan *plan = memlane_plan_new ();
  guint n, chosen = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (g_hash_table_contains (self->modes, &modes[i]) && memlane_session_get_objection (self, modes[i].id) == NULL)
      plan->modes[chosen++] = &modes[i];
  plan->modes[chosen] = NULL;
  plan->method.workload = self->workload;
  plan->first_log2 = self->first_log2;
  plan->last_log2 = self->last_log2;
  plan->method.precision = self->precision;
  plan->method.cell_seconds = self->cell_seconds;
  plan->method.rounds = self->rounds;
  plan->method.reuse = self->reuse;
  plan->method.streams = self->streams;
  plan->method.chunks = self->chunks;
  return plan;
}

/* "10:14 Simulated H200"; a second one of that name is "10:14 Simulated H200 (2)". */
static char *
make_name (MemlaneSession *self, MemlaneDeviceItem *device)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%m-%d %H:%M");
  /* Translators: %s and %s are a time of day and a device */
  g_autofree char *base = g_strdup_printf (_("%s %s"), time, memlane_device_item_get_name (device));
  g_autofree char *name = g_strdup (base);

  for (guint n = 2; memlane_run_store_find (self->store, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s (%u)", base, n);
    }
  return g_steal_pointer (&name);
}

static void
start_sweep (MemlaneSession *self)
{
  g_autoptr (MemlanePlan) plan = self->asked_plan != NULL ? g_steal_pointer (&self->asked_plan) : make_plan (self);
  MemlaneDeviceItem *device = memlane_session_get_device_item (self);
  g_autofree char *name = NULL;

  self->start_waits = FALSE;
  if (plan->modes[0] == NULL)
    {
      const char *reason = NULL;

      (void) memlane_session_can_run (self, &reason);
      tell (self, TRUE, _("Nothing was measured: %s"), reason);
      end (self, NULL, FALSE);
      return;
    }
  name = make_name (self, device);
  self->live = g_object_ref (memlane_run_store_begin (self->store, self->device,
                                                      memlane_device_item_is_simulated (device) ? "simulated" : "cuda", name));
  self->plan_first = plan->first_log2;
  self->plan_last = plan->last_log2;
  self->sweep = memlane_sweep_new (self->device, plan, TRUE);
  self->has_told_problem = FALSE;
  self->sweep_began = g_get_monotonic_time ();
  self->sweep_cell_seconds = plan->method.cell_seconds;
  self->sweep_rounds = count_rounds (self);
  g_object_set (self, "shown-workload", plan->method.workload->id, NULL); /* its curves are to be seen */
  g_signal_connect_object (self->sweep, "cell", G_CALLBACK (cell_cb), self, 0);
  g_signal_connect_object (self->sweep, "progress", G_CALLBACK (progress_cb), self, 0);
  memlane_sweep_run_async (self->sweep, self->cancellable, finished_cb, weak_ref_new (self));
}

/* Why nothing can be measured, whatever is chosen; NULL: something can. */
static const char *
get_obstacle (MemlaneSession *self)
{
  MemlaneDeviceItem *device = memlane_session_get_device_item (self);
  const Objections *objections = g_hash_table_lookup (self->objections, self->device);

  if (self->shut)
    return _("The window is closing");
  if (device == NULL && !memlane_device_finder_is_known (self->finder))
    return _("Looking for devices");
  if (device == NULL || memlane_device_item_get_reason (device) != NULL)
    return _("Choose a device that can be used");
  return objections != NULL ? objections->error : NULL;
}

const char *
memlane_session_get_device_objection (MemlaneSession *self)
{
  const char *obstacle = get_obstacle (self);

  if (obstacle != NULL)
    return obstacle;
  if (!memlane_session_is_running (self) && self->asking != NULL)
    return _("Checking the device");
  return memlane_bench_get_objection (self->bench, MEMLANE_BENCH_SWEEP);
}

gboolean
memlane_session_can_run (MemlaneSession *self, const char **reason)
{
  const char *why = get_obstacle (self);
  g_autoptr (GList) modes = g_hash_table_get_keys (self->modes);
  gboolean any = FALSE;

  for (GList *each = modes; each != NULL && !any; each = each->next)
    any = memlane_session_get_objection (self, ((const MemlaneMode *) each->data)->id) == NULL;
  if (why == NULL && modes == NULL)
    why = _("Choose at least one mode");
  else if (why == NULL && !any)
    why = _("None of the chosen modes can run on this device: choose another mode or device");
  else if (why == NULL && !memlane_session_is_running (self))
    why = memlane_bench_get_objection (self->bench, MEMLANE_BENCH_SWEEP);
  if (reason != NULL)
    *reason = why;
  return why == NULL;
}

static void
start_cb (gpointer owner, gpointer data)
{
  MemlaneSession *self = owner;

  self->cancellable = g_cancellable_new ();
  memlane_bench_report (self->bench, _("Opening the device"), 0);
  if (self->asking != NULL)
    self->start_waits = TRUE; /* two at once would disturb each other */
  else
    start_sweep (self);
}

static void
stop_cb (gpointer owner, gpointer data)
{
  MemlaneSession *self = owner;

  memlane_bench_report (self->bench, _("Stopping"), -1);
  g_cancellable_cancel (self->cancellable);
  if (self->start_waits)
    end (self, NULL, TRUE);
}

void
memlane_session_run (MemlaneSession *self)
{
  static const MemlaneBenchJob job = { MEMLANE_BENCH_SWEEP, start_cb, stop_cb, NULL };
  const char *reason;

  if (memlane_session_is_running (self))
    return;
  if (memlane_session_can_run (self, &reason))
    memlane_bench_put (self->bench, &job, self, NULL);
  else
    tell (self, TRUE, "%s", reason);
}

void
memlane_session_run_cells (MemlaneSession *self, const char *workload, const char *const *modes, guint log2_elements, guint reuse)
{
  g_autofree char *list = g_strjoinv (",", (char **) modes);
  g_autoptr (MemlanePlan) plan = NULL;

  if (memlane_session_is_running (self) || memlane_workload_find (workload) == NULL)
    return;
  plan = make_plan (self);
  if (!memlane_plan_set_modes (plan, list, NULL))
    return;
  plan->method.workload = memlane_workload_find (workload);
  plan->method.reuse = reuse;
  plan->first_log2 = plan->last_log2 = log2_elements;
  g_clear_pointer (&self->asked_plan, memlane_plan_free);
  self->asked_plan = g_steal_pointer (&plan);
  memlane_session_run (self);
  if (!memlane_session_is_running (self)) /* the session has said why */
    g_clear_pointer (&self->asked_plan, memlane_plan_free);
}

guint
memlane_session_count_cells (MemlaneSession *self)
{
  g_autoptr (MemlanePlan) plan = make_plan (self);

  return plan->last_log2 >= plan->first_log2 ? memlane_plan_count_cells (plan) : 0;
}

/* What a round took the last time, for each that is asked for. The time of a cell is one for all its rounds, so they take no more than that
 * together, and the start of a process each. */
double
memlane_session_estimate_seconds (MemlaneSession *self)
{
  guint cells = memlane_session_count_cells (self), rounds = count_rounds (self);
  double most = cells * self->cell_seconds;

  if (self->cost <= 0)
    return most + (rounds - 1) * ROUND_SECONDS;
  return most * MIN (self->cost * rounds / self->cost_rounds, MAX (self->cost, 1));
}

gboolean
memlane_session_is_running (MemlaneSession *self)
{
  return memlane_bench_has (self->bench, MEMLANE_BENCH_SWEEP);
}

/* --- settings --------------------------------------------------------------------------------------------------------- */

/* Kept as the person sets them; another window's changes do not reach into this one. */
#define BIND_FLAGS (G_SETTINGS_BIND_DEFAULT | G_SETTINGS_BIND_GET_NO_CHANGES | G_SETTINGS_BIND_NO_SENSITIVITY)

static gboolean
read_phase (GValue *value, GVariant *variant, gpointer user_data)
{
  MemlanePhase phase;

  if (memlane_phase_parse (g_variant_get_string (variant, NULL), &phase))
    g_value_set_int (value, (int) phase);
  else
    g_value_set_int (value, MEMLANE_PHASE_ELAPSED); /* of a newer Memlane, or set by hand */
  return TRUE;
}

static GVariant *
write_phase (const GValue *value, const GVariantType *type, gpointer user_data)
{
  return g_variant_new_string (memlane_phase_name ((MemlanePhase) g_value_get_int (value)));
}

/* An older schema may be installed; asking it for a new key would abort. */
static gboolean
has_keys (GSettingsSchema *schema)
{
  for (guint id = 1; id < N_SESSION_PROPERTIES; id++)
    if ((fields[id].flags & KEPT) != 0 && !g_settings_schema_has_key (schema, fields[id].name))
      return FALSE;
  return g_settings_schema_has_key (schema, "device") && g_settings_schema_has_key (schema, "modes") &&
         g_settings_schema_has_key (schema, "shown-modes");
}

static void
restore (MemlaneSession *self)
{
  g_autoptr (GSettingsSchema) schema = memlane_settings_find_schema ();

  if (schema == NULL || !has_keys (schema))
    return;
  self->settings = g_settings_new_full (schema, NULL, NULL);
  for (guint id = 1; id < N_SESSION_PROPERTIES; id++)
    if ((fields[id].flags & KEPT) != 0)
      {
        gboolean phase = fields[id].type == PHASE;

        g_settings_bind_with_mapping (self->settings, fields[id].name, self, fields[id].name, BIND_FLAGS, phase ? read_phase : NULL,
                                      phase ? write_phase : NULL, NULL, NULL);
      }
  g_free (self->wanted_device);
  self->wanted_device = g_settings_get_string (self->settings, "device");
  restore_modes (self, self->modes, "modes");
  restore_modes (self, self->shown_modes, "shown-modes");
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

static gboolean
is_busy (gpointer data)
{
  MemlaneSession *self = data;

  return self->asking != NULL || memlane_run_store_is_writing (self->store);
}

void
memlane_session_shut_down (MemlaneSession *self)
{
  g_object_ref (self);
  self->shut = TRUE;
  memlane_device_finder_stop (self->finder);
  memlane_bench_shut_down (self->bench);
  memlane_workers_end (); /* the device may be being asked */
  memlane_bench_wait (is_busy, self);
  memlane_run_store_forget_removed (self->store);
  memlane_run_store_flush (self->store);
  if (self->settings != NULL)
    g_settings_sync ();
  g_object_unref (self);
}

static gboolean
tell_charts_changed (gpointer user_data)
{
  g_signal_emit (user_data, signals[SIGNAL_CHARTS_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
store_changed_cb (MemlaneSession *self)
{
  memlane_merger_poke (&self->charts);
}

static void
store_problem_cb (MemlaneRunStore *store, const char *sentence, MemlaneSession *self)
{
  tell (self, TRUE, "%s", sentence);
}

/* Something is measured, or nothing is any more. */
static void
bench_changed_cb (MemlaneSession *self)
{
  gboolean running = memlane_session_is_running (self), blocked = memlane_bench_is_running (self->bench) && !running;

  if (running != self->was_running)
    {
      self->was_running = running;
      notify (self, SESSION_RUNNING);
    }
  if (blocked != self->was_blocked)
    {
      self->was_blocked = blocked;
      say_modes_changed (self);
    }
  if (self->look_waits)
    memlane_session_look_again (self);
  ask_device (self); /* another one may have been chosen in the meantime */
}

static void
memlane_session_dispose (GObject *object)
{
  MemlaneSession *self = MEMLANE_SESSION (object);

  memlane_merger_clear (&self->charts);
  memlane_device_finder_stop (self->finder);
  g_signal_handlers_disconnect_by_data (self->bench, self);
  memlane_bench_leave (self->bench, self);
  if (self->cancellable != NULL) /* nobody waits for the sweep any more */
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->sweep);
  g_clear_object (&self->live);
  if (self->store != NULL)
    g_signal_handlers_disconnect_by_data (self->store, self);
  g_clear_object (&self->store);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (memlane_session_parent_class)->dispose (object);
}

static void
memlane_session_finalize (GObject *object)
{
  MemlaneSession *self = MEMLANE_SESSION (object);

  g_object_unref (self->bench);
  g_object_unref (self->finder);
  g_hash_table_unref (self->objections);
  g_hash_table_unref (self->modes);
  g_hash_table_unref (self->shown_modes);
  g_free (self->device);
  g_free (self->wanted_device);
  g_free (self->asking);
  g_clear_pointer (&self->asked_plan, memlane_plan_free);
  g_clear_pointer (&self->published, memlane_published_free);
  G_OBJECT_CLASS (memlane_session_parent_class)->finalize (object);
}

static void
memlane_session_class_init (MemlaneSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  object_class->dispose = memlane_session_dispose;
  object_class->finalize = memlane_session_finalize;
  for (guint id = 1; id < N_SESSION_PROPERTIES; id++)
    properties[id] = new_pspec (id);
  g_object_class_install_properties (object_class, N_SESSION_PROPERTIES, properties);

  signals[SIGNAL_MODES_CHANGED] = g_signal_new ("modes-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_VIEW_CHANGED] = g_signal_new ("view-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CHARTS_CHANGED] = g_signal_new ("charts-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_NOTICE] =
    g_signal_new ("notice", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  signals[SIGNAL_SWEPT] =
    g_signal_new ("swept", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, MEMLANE_TYPE_RUN_ITEM, G_TYPE_BOOLEAN);
}

static void
memlane_session_init (MemlaneSession *self)
{
  self->charts = (MemlaneMerger) { .tell = tell_charts_changed, .data = self };
  self->bench = memlane_bench_new ();
  g_signal_connect_swapped (self->bench, "changed", G_CALLBACK (bench_changed_cb), self);
  self->finder = memlane_device_finder_new ();
  self->devices = memlane_device_finder_get_devices (self->finder);
  g_signal_connect_object (self->finder, "found", G_CALLBACK (found_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->finder, "notice", G_CALLBACK (finder_notice_cb), self, 0);
  self->objections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, objections_free);
  self->modes = g_hash_table_new (NULL, NULL);
  self->shown_modes = g_hash_table_new (NULL, NULL);
  fill (self->modes, TRUE);
  fill (self->shown_modes, TRUE);
  self->workload = self->shown_workload = memlane_workload_find ("vector-add");
  self->device = g_strdup ("");
  for (guint id = SESSION_FIRST_LOG2; id <= SESSION_COMPARING; id++)
    (void) set_field (self, id, g_param_spec_get_default_value (properties[id]));
}

MemlaneSession *
memlane_session_new (const char *run_folder)
{
  MemlaneSession *self = g_object_new (MEMLANE_TYPE_SESSION, NULL);

  self->store = memlane_run_store_new (run_folder);
  g_signal_connect_object (self->store, "changed", G_CALLBACK (store_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->store, "problem", G_CALLBACK (store_problem_cb), self, 0);
  restore (self);
  return self;
}

void
memlane_session_start (MemlaneSession *self)
{
  if (self->started)
    return;
  self->started = TRUE;
  memlane_run_store_load (self->store);
  memlane_device_finder_look (self->finder);
}

MemlaneBench *
memlane_session_get_bench (MemlaneSession *self)
{
  return self->bench;
}

MemlaneRunStore *
memlane_session_get_store (MemlaneSession *self)
{
  return self->store;
}

GListModel *
memlane_session_get_devices (MemlaneSession *self)
{
  return self->devices;
}

const MemlaneWorkload *
memlane_session_get_workload (MemlaneSession *self)
{
  return self->workload;
}

const MemlaneWorkload *
memlane_session_get_shown_workload (MemlaneSession *self)
{
  return self->shown_workload;
}
