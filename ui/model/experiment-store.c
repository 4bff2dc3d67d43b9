/* experiment-store.c: the experiments that the window offers, and the one that runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-store-private.h"

#include <glib/gi18n-lib.h>

#include "sentence.h"

#define WAIT_SECONDS 30 /* for a worker that is to stop: the engine gives up a stuck call long before */

static void memlane_experiment_store_list_model_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneExperimentStore, memlane_experiment_store, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, memlane_experiment_store_list_model_init))

enum { PROP_0, PROP_LOADING, PROP_RUNNING, PROP_STOPPING, PROP_FRACTION, PROP_STATUS, PROP_SKIP, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

enum { SIGNAL_NOTICE, SIGNAL_REFUSED, SIGNAL_OPENED, SIGNAL_FINISHED, SIGNAL_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
notify (MemlaneExperimentStore *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
say_changed (MemlaneExperimentStore *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
tell (MemlaneExperimentStore *self, gboolean trouble, const char *message)
{
  g_autofree char *sentence = memlane_sentence_new (message);

  g_signal_emit (self, signals[SIGNAL_NOTICE], 0, sentence, trouble);
}

static void
set_status (MemlaneExperimentStore *self, const char *status)
{
  if (g_strcmp0 (self->status, status) == 0)
    return;
  g_free (self->status);
  self->status = g_strdup (status);
  notify (self, PROP_STATUS);
}

static void
set_fraction (MemlaneExperimentStore *self, double fraction)
{
  if (self->fraction == fraction)
    return;
  self->fraction = fraction;
  notify (self, PROP_FRACTION);
}

/* --- the list --------------------------------------------------------------------------------------------------------- */

const char *
memlane_experiment_store_get_name (MemlaneExperimentItem *item)
{
  const MemlaneExperiment *experiment = memlane_experiment_item_get_experiment (item);

  return memlane_experiment_item_is_opened (item) ? experiment->path : experiment->name;
}

MemlaneExperimentItem *
memlane_experiment_store_find (MemlaneExperimentStore *self, const char *name_or_path)
{
  for (guint i = 0; i < self->items->len; i++)
    if (g_strcmp0 (memlane_experiment_store_get_name (self->items->pdata[i]), name_or_path) == 0)
      return self->items->pdata[i];
  return NULL;
}

gboolean
memlane_experiment_store_is_experiment (const char *path)
{
  return g_str_has_suffix (path, ".experiment");
}

/* Takes @item. */
static void
insert (MemlaneExperimentStore *self, guint position, MemlaneExperimentItem *item)
{
  g_ptr_array_insert (self->items, (int) position, item);
  g_signal_connect_object (item, "changed", G_CALLBACK (say_changed), self, G_CONNECT_SWAPPED);
}

void
memlane_experiment_store_take_listed (MemlaneExperimentStore *self, GPtrArray *experiments, GPtrArray *problems)
{
  for (guint i = 0; i < experiments->len; i++) /* those that were opened meanwhile stay behind them */
    insert (self, i, memlane_experiment_item_new (experiments->pdata[i]));
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, experiments->len);
  self->loading = FALSE;
  notify (self, PROP_LOADING);
  for (guint i = 0; i < problems->len; i++)
    g_signal_emit (self, signals[SIGNAL_REFUSED], 0, problems->pdata[i]);
}

void
memlane_experiment_store_take_opened (MemlaneExperimentStore *self, MemlaneExperiment *experiment)
{
  MemlaneExperimentItem *before = memlane_experiment_store_find (self, experiment->path), *item = NULL;
  guint position = self->items->len;

  if (before != NULL && before == self->running)
    {
      tell (self, TRUE, _("That experiment is running: open its file again when it has ended"));
      return;
    }
  item = memlane_experiment_item_new (experiment);
  memlane_experiment_item_set_opened (item);
  if (before != NULL && g_ptr_array_find (self->items, before, &position))
    {
      g_ptr_array_remove_index (self->items, position);
      g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
    }
  insert (self, position, item);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 0, 1);
  g_signal_emit (self, signals[SIGNAL_OPENED], 0, item);
}

void
memlane_experiment_store_say_refused (MemlaneExperimentStore *self, const char *message)
{
  g_signal_emit (self, signals[SIGNAL_REFUSED], 0, message);
}

void
memlane_experiment_store_load (MemlaneExperimentStore *self)
{
  if (self->loaded)
    return;
  self->loaded = self->loading = TRUE;
  notify (self, PROP_LOADING);
  memlane_experiment_store_read_list (self);
}

/* --- running ------------------------------------------------------------------------------------------------------------ */

gboolean
memlane_experiment_store_is_running (MemlaneExperimentStore *self)
{
  return self->running != NULL;
}

MemlaneExperimentItem *
memlane_experiment_store_get_running (MemlaneExperimentStore *self)
{
  return self->running;
}

const char *
memlane_experiment_store_get_objection (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  const char *objection;

  if (self->running != NULL)
    return self->running == item ? _("It is running") : _("Another experiment is running: wait for its end, or stop it");
  if (self->session == NULL || self->traces == NULL || self->shut)
    return _("The window is closing");
  if (memlane_trace_store_is_recording (self->traces))
    return _("A trace is being recorded: wait until it is there, or stop it");
  objection = memlane_session_get_device_objection (self->session);
  if (objection == NULL && !self->skip && !memlane_experiment_item_is_predicted (item))
    return _("Predict the answer first, or skip the prediction");
  return objection;
}

static void
progress_cb (MemlaneExperimentStore *self, MemlaneExperimentRunner *runner)
{
  const MemlaneExperimentStep *step = memlane_experiment_runner_get_step (runner);
  guint done = memlane_experiment_runner_get_steps_done (runner), total = memlane_experiment_runner_get_steps_total (runner);
  g_autofree char *status = NULL;

  set_fraction (self, CLAMP (memlane_experiment_runner_get_fraction (runner), 0, 1));
  if (self->stopping || step == NULL)
    return;
  /* Translators: "2 of 3 · measuring · vector-add: pageable, mapped" */
  status = g_strdup_printf (_("%u of %u · %s · %s"), done + 1, total,
                            g_dgettext (GETTEXT_PACKAGE, memlane_step_kind_title (step->kind)), step->summary);
  set_status (self, status);
}

/* Others keep out of its way. */
static void
block (MemlaneExperimentStore *self, const char *reason)
{
  if (self->session != NULL)
    memlane_session_block (self->session, reason);
  if (self->traces != NULL)
    memlane_trace_store_block (self->traces, reason);
}

static void
finished_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (MemlaneExperimentStore) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperimentResult) result = NULL;
  g_autoptr (MemlaneExperimentItem) item = g_steal_pointer (&self->running);

  result = memlane_experiment_runner_run_finish (MEMLANE_EXPERIMENT_RUNNER (source), async, &error);
  g_signal_handlers_disconnect_by_data (source, self);
  g_clear_object (&self->cancellable);
  self->stopping = FALSE;
  set_fraction (self, 0);
  set_status (self, "");
  block (self, NULL);
  if (result != NULL)
    memlane_experiment_item_set_result (item, result);
  notify (self, PROP_STOPPING);
  notify (self, PROP_RUNNING);
  say_changed (self);
  if (error != NULL)
    tell (self, TRUE, error->message);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0, item);
}

void
memlane_experiment_store_run (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  const char *objection = memlane_experiment_store_get_objection (self, item);
  g_autoptr (MemlaneExperimentRunner) runner = NULL;
  g_autofree char *device = NULL;

  if (objection != NULL)
    {
      tell (self, TRUE, objection);
      return;
    }
  g_object_get (self->session, "device", &device, NULL);
  self->running = g_object_ref (item);
  self->cancellable = g_cancellable_new ();
  block (self, _("An experiment is running: wait for its end, or stop it"));
  runner = memlane_experiment_runner_new (device, memlane_experiment_item_get_experiment (item));
  g_signal_connect_swapped (runner, "progress", G_CALLBACK (progress_cb), self);
  memlane_experiment_runner_run_async (runner, self->cancellable, finished_cb, g_object_ref (self));
  set_status (self, _("Opening the device"));
  notify (self, PROP_RUNNING);
  say_changed (self);
}

void
memlane_experiment_store_stop (MemlaneExperimentStore *self)
{
  if (self->running == NULL || self->stopping)
    return;
  self->stopping = TRUE;
  set_status (self, _("Stopping"));
  g_cancellable_cancel (self->cancellable);
  notify (self, PROP_STOPPING);
}

static gboolean
give_up_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

void
memlane_experiment_store_shut_down (MemlaneExperimentStore *self)
{
  gboolean gives_up = FALSE;
  guint timer;

  self->shut = TRUE;
  memlane_experiment_store_stop (self);
  if (self->running == NULL)
    return;
  timer = g_timeout_add_seconds (WAIT_SECONDS, give_up_cb, &gives_up);
  while (self->running != NULL && !gives_up)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
}

/* --- life ------------------------------------------------------------------------------------------------------------------ */

static GType
get_item_type (GListModel *list)
{
  return MEMLANE_TYPE_EXPERIMENT_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return MEMLANE_EXPERIMENT_STORE (list)->items->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  MemlaneExperimentStore *self = MEMLANE_EXPERIMENT_STORE (list);

  return position < self->items->len ? g_object_ref (self->items->pdata[position]) : NULL;
}

static void
memlane_experiment_store_list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  MemlaneExperimentStore *self = MEMLANE_EXPERIMENT_STORE (object);

  switch (id)
    {
    case PROP_LOADING:
      g_value_set_boolean (value, self->loading);
      break;
    case PROP_RUNNING:
      g_value_set_boolean (value, self->running != NULL);
      break;
    case PROP_STOPPING:
      g_value_set_boolean (value, self->stopping);
      break;
    case PROP_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    case PROP_STATUS:
      g_value_set_string (value, self->status);
      break;
    case PROP_SKIP:
      g_value_set_boolean (value, self->skip);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  MemlaneExperimentStore *self = MEMLANE_EXPERIMENT_STORE (object);

  if (id != PROP_SKIP)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  if (self->skip == g_value_get_boolean (value))
    return;
  self->skip = !self->skip;
  notify (self, PROP_SKIP);
  say_changed (self);
}

static void
finalize (GObject *object)
{
  MemlaneExperimentStore *self = MEMLANE_EXPERIMENT_STORE (object);

  /* A run that goes on holds a reference, so there is none. */
  g_clear_weak_pointer (&self->session);
  g_clear_weak_pointer (&self->traces);
  g_ptr_array_unref (self->items);
  g_free (self->status);
  G_OBJECT_CLASS (memlane_experiment_store_parent_class)->finalize (object);
}

static void
memlane_experiment_store_class_init (MemlaneExperimentStoreClass *klass)
{
  const GParamFlags read = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = get_property;
  object_class->set_property = set_property;
  object_class->finalize = finalize;
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, read);
  properties[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, read);
  properties[PROP_STOPPING] = g_param_spec_boolean ("stopping", NULL, NULL, FALSE, read);
  properties[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0, read);
  properties[PROP_STATUS] = g_param_spec_string ("status", NULL, NULL, "", read);
  properties[PROP_SKIP] = g_param_spec_boolean ("skip", NULL, NULL, FALSE, read | G_PARAM_WRITABLE);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[SIGNAL_NOTICE] =
    g_signal_new ("notice", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  signals[SIGNAL_REFUSED] = g_signal_new ("refused", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_OPENED] =
    g_signal_new ("opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, MEMLANE_TYPE_EXPERIMENT_ITEM);
  signals[SIGNAL_FINISHED] =
    g_signal_new ("finished", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, MEMLANE_TYPE_EXPERIMENT_ITEM);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_experiment_store_init (MemlaneExperimentStore *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->status = g_strdup ("");
}

MemlaneExperimentStore *
memlane_experiment_store_new (MemlaneSession *session, MemlaneTraceStore *traces)
{
  MemlaneExperimentStore *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_STORE, NULL);
  static const char *const news[] = { "modes-changed", "notify::running", "notify::device" };

  g_set_weak_pointer (&self->session, session);
  g_set_weak_pointer (&self->traces, traces);
  for (guint i = 0; i < G_N_ELEMENTS (news); i++)
    g_signal_connect_object (session, news[i], G_CALLBACK (say_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (traces, "notify::recording", G_CALLBACK (say_changed), self, G_CONNECT_SWAPPED);
  return self;
}
