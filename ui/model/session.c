/* session.c: the session's signals and its life
 *
 * SPDX-License-Identifier: MIT
 */
#include "session-private.h"

G_DEFINE_FINAL_TYPE (MemlaneSession, memlane_session, G_TYPE_OBJECT)

static GParamSpec *properties[N_SESSION_PROPERTIES];

enum { SIGNAL_MODES_CHANGED, SIGNAL_CHARTS_CHANGED, SIGNAL_NOTICE, SIGNAL_SWEPT, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- signals ------------------------------------------------------------------------------------------------------ */

void
memlane_session_notify (MemlaneSession *self, MemlaneSessionProperty property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

void
memlane_session_tell (MemlaneSession *self, gboolean trouble, const char *format, ...)
{
  g_autofree char *sentence = NULL;
  va_list arguments;

  va_start (arguments, format);
  sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, sentence, trouble);
}

void
memlane_session_say_modes_changed (MemlaneSession *self)
{
  g_signal_emit (self, signals[SIGNAL_MODES_CHANGED], 0);
}

void
memlane_session_say_charts_changed (MemlaneSession *self)
{
  memlane_merger_poke (&self->charts);
}

void
memlane_session_say_swept (MemlaneSession *self, MemlaneRunItem *item, gboolean stopped)
{
  g_signal_emit (self, signals[SIGNAL_SWEPT], 0, item, stopped);
}

static gboolean
tell_charts_changed (gpointer user_data)
{
  g_signal_emit (user_data, signals[SIGNAL_CHARTS_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

static void
store_problem_cb (MemlaneRunStore *store, const char *sentence, MemlaneSession *self)
{
  memlane_session_tell (self, TRUE, "%s", sentence);
}

/* --- life ---------------------------------------------------------------------------------------------------------- */

static void
memlane_session_dispose (GObject *object)
{
  MemlaneSession *self = MEMLANE_SESSION (object);

  memlane_merger_clear (&self->charts);
  memlane_session_abandon_sweep (self);
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

  g_object_unref (self->devices);
  g_hash_table_unref (self->objections);
  g_hash_table_unref (self->modes);
  g_free (self->device);
  g_free (self->wanted_device);
  g_free (self->asking);
  g_free (self->blocked);
  g_free (self->status);
  g_clear_pointer (&self->published, memlane_published_free);
  G_OBJECT_CLASS (memlane_session_parent_class)->finalize (object);
}

static void
memlane_session_class_init (MemlaneSessionClass *klass)
{
  const GParamFlags read = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY, both = read | G_PARAM_WRITABLE;
  const int most = MEMLANE_N_PHASES - 1, elapsed = MEMLANE_PHASE_ELAPSED;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = memlane_session_read_property;
  object_class->set_property = memlane_session_write_property;
  object_class->dispose = memlane_session_dispose;
  object_class->finalize = memlane_session_finalize;

  /* The ranges are those of the settings' schema. */
  properties[SESSION_STORE] = g_param_spec_object ("store", NULL, NULL, MEMLANE_TYPE_RUN_STORE, read);
  properties[SESSION_DEVICES] = g_param_spec_object ("devices", NULL, NULL, G_TYPE_LIST_MODEL, read);
  properties[SESSION_DEVICE] = g_param_spec_string ("device", NULL, NULL, "", both);
  properties[SESSION_WORKLOAD] = g_param_spec_string ("workload", NULL, NULL, "vector-add", both);
  properties[SESSION_FIRST_LOG2] = g_param_spec_uint ("first-log2", NULL, NULL, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, 10, both);
  properties[SESSION_LAST_LOG2] = g_param_spec_uint ("last-log2", NULL, NULL, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, 20, both);
  properties[SESSION_PRECISION] = g_param_spec_double ("precision", NULL, NULL, 0.0001, 1, 0.02, both);
  properties[SESSION_CELL_SECONDS] = g_param_spec_double ("cell-seconds", NULL, NULL, 0.001, 3600, 0.25, both);
  properties[SESSION_REUSE] = g_param_spec_uint ("reuse", NULL, NULL, 1, 100000, 1, both);
  properties[SESSION_STREAMS] = g_param_spec_uint ("streams", NULL, NULL, 1, MEMLANE_MOST_STREAMS, 8, both);
  properties[SESSION_CHUNKS] = g_param_spec_uint ("chunks", NULL, NULL, 1, MEMLANE_MOST_CHUNKS, 8, both);
  properties[SESSION_PHASE] = g_param_spec_int ("phase", NULL, NULL, 0, most, elapsed, both);
  properties[SESSION_TIME_PHASE] = g_param_spec_int ("time-phase", NULL, NULL, 0, most, elapsed, both);
  properties[SESSION_LOG_BANDWIDTH] = g_param_spec_boolean ("log-bandwidth", NULL, NULL, FALSE, both);
  properties[SESSION_LOG_TIME] = g_param_spec_boolean ("log-time", NULL, NULL, TRUE, both);
  properties[SESSION_SHOW_PUBLISHED] = g_param_spec_boolean ("show-published", NULL, NULL, FALSE, both);
  properties[SESSION_SHOW_CEILINGS] = g_param_spec_boolean ("show-ceilings", NULL, NULL, TRUE, both);
  properties[SESSION_COMPARING] = g_param_spec_boolean ("comparing", NULL, NULL, FALSE, both);
  properties[SESSION_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, read);
  properties[SESSION_STOPPING] = g_param_spec_boolean ("stopping", NULL, NULL, FALSE, read);
  properties[SESSION_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0, read);
  properties[SESSION_STATUS] = g_param_spec_string ("status", NULL, NULL, "", read);
  g_object_class_install_properties (object_class, N_SESSION_PROPERTIES, properties);

  signals[SIGNAL_MODES_CHANGED] = g_signal_new ("modes-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CHARTS_CHANGED] = g_signal_new ("charts-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_NOTICE] =
    g_signal_new ("notice", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  signals[SIGNAL_SWEPT] =
    g_signal_new ("swept", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, MEMLANE_TYPE_RUN_ITEM, G_TYPE_BOOLEAN);
}

static void
objections_free (gpointer data)
{
  memlane_objections_free (data);
}

static void
memlane_session_init (MemlaneSession *self)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  self->charts = (MemlaneMerger) { .tell = tell_charts_changed, .data = self };
  self->devices = g_list_store_new (MEMLANE_TYPE_DEVICE_ITEM);
  self->objections = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, objections_free);
  self->modes = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++)
    g_hash_table_add (self->modes, (gpointer) &modes[i]);
  self->workload = memlane_workload_find ("vector-add");
  self->device = g_strdup ("");
  self->status = g_strdup ("");
  for (guint id = SESSION_FIRST_LOG2; id <= SESSION_COMPARING; id++)
    g_object_set_property (G_OBJECT (self), properties[id]->name, g_param_spec_get_default_value (properties[id]));
}

MemlaneSession *
memlane_session_new (const char *run_folder)
{
  MemlaneSession *self = g_object_new (MEMLANE_TYPE_SESSION, NULL);

  self->store = memlane_run_store_new (run_folder);
  g_signal_connect_object (self->store, "changed", G_CALLBACK (memlane_session_say_charts_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->store, "problem", G_CALLBACK (store_problem_cb), self, 0);
  memlane_session_restore (self);
  return self;
}

void
memlane_session_start (MemlaneSession *self)
{
  if (self->started)
    return;
  self->started = TRUE;
  memlane_run_store_load (self->store);
  memlane_session_list_devices (self);
}

MemlaneRunStore *
memlane_session_get_store (MemlaneSession *self)
{
  return self->store;
}

GListModel *
memlane_session_get_devices (MemlaneSession *self)
{
  return G_LIST_MODEL (self->devices);
}

const MemlaneWorkload *
memlane_session_get_workload (MemlaneSession *self)
{
  return self->workload;
}
