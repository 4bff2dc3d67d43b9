/* experiment-store.c: the experiments that the window offers, and the one that runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "experiment-store.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/each.h"
#include "base/owns.h"
#include "fields.h"

MEMLANE_DEFINE_LIST (MemlaneExperimentStore, memlane_experiment_store, MEMLANE_TYPE_EXPERIMENT_ITEM)

static const MemlaneField fields[] = {
  { "skip", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneExperimentStore, skip),
    MEMLANE_FIELD_WRITABLE, 0, 1, FALSE },
};

/* --- the list --------------------------------------------------------------------------------- */

const char *
memlane_experiment_store_get_name (MemlaneExperimentItem *item)
{
  return item->opened ? item->experiment->path : item->experiment->name;
}

MemlaneExperimentItem *
memlane_experiment_store_find (MemlaneExperimentStore *self, const char *name_or_path)
{
  MEMLANE_FOR_EACH (MemlaneExperimentItem, item, self->items)
    if (g_strcmp0 (memlane_experiment_store_get_name (item), name_or_path) == 0)
      return item;
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
  g_signal_connect_object (item, "changed", G_CALLBACK (memlane_say_changed), self,
                           G_CONNECT_SWAPPED);
}

const GPtrArray *
memlane_experiment_store_load (MemlaneExperimentStore *self)
{
  g_autoptr (GPtrArray) experiments = NULL;

  if (self->problems != NULL)
    return self->problems;
  experiments = memlane_experiment_list (NULL, &self->problems);
  for (guint i = 0; i < experiments->len; i++)
    insert (self, i, memlane_experiment_item_new (experiments->pdata[i]));
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, experiments->len);
  return self->problems;
}

static void
take_opened (MemlaneExperimentStore *self, MemlaneExperiment *experiment)
{
  MemlaneExperimentItem *before = memlane_experiment_store_find (self, experiment->path),
                        *item = NULL;
  guint position = self->items->len;

  if (before != NULL && before == self->running)
    {
      memlane_say_notice (self, TRUE,
                          _("That experiment is running: open its file again when it has ended"));
      return;
    }
  item = memlane_experiment_item_new (experiment);
  item->opened = TRUE;
  if (before != NULL && g_ptr_array_find (self->items, before, &position))
    g_ptr_array_remove_index (self->items, position);
  insert (self, position, item);
  g_list_model_items_changed (G_LIST_MODEL (self), position, before != NULL, 1);
  g_signal_emit_by_name (self, "opened", item);
}

void
memlane_experiment_store_open (MemlaneExperimentStore *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperiment) experiment = NULL;
  GStatBuf info;

  /* Opening a pipe would wait for its writer. */
  if (g_stat (path, &info) == 0 && !S_ISREG (info.st_mode))
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                 _("Cannot open %s: it is not a file. Choose an experiment, a text file."), path);
  else
    experiment = memlane_experiment_read (path, NULL, &error);
  if (experiment != NULL)
    take_opened (self, experiment);
  else
    g_signal_emit_by_name (self, "refused", error->message);
}

/* --- running ---------------------------------------------------------------------------------- */

const char *
memlane_experiment_store_get_objection (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  const char *objection;

  if (self->running != NULL)
    return self->running == item
               ? _("It is running")
               : _("Another experiment is running: wait for its end, or stop it");
  objection = memlane_bench_has (self->bench, MEMLANE_BENCH_TRACE)
                  ? memlane_bench_get_objection (self->bench, MEMLANE_BENCH_EXPERIMENT)
                  : memlane_device_choice_get_objection (self->devices);
  if (objection == NULL && !self->skip && !memlane_experiment_item_is_predicted (item))
    return _("Predict the answer first, or skip the prediction");
  return objection;
}

static void
progress_cb (MemlaneExperimentStore *self, MemlaneExperimentRunner *runner)
{
  const MemlaneExperimentProgress progress = memlane_experiment_runner_get_progress (runner);
  const MemlaneExperimentStep *step = progress.step;
  guint done = progress.steps_done, total = progress.steps_total;
  g_autofree char *status = NULL;

  if (!self->bench->stopping && progress.waiting != NULL)
    status = g_strdup_printf (_("Waiting: %s"), progress.waiting);
  else if (!self->bench->stopping && step != NULL)
    /* Translators: "2 of 3 · measuring · vector-add: pageable, mapped" */
    status = g_strdup_printf (_("%u of %u · %s · %s"), done + 1, total,
                              g_dgettext (GETTEXT_PACKAGE, memlane_step_kind_title (step->kind)),
                              step->summary);
  memlane_bench_report (self->bench, status, CLAMP (progress.fraction, 0, 1));
}

static void
finished_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  g_autoptr (MemlaneExperimentStore) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneExperimentResult) result = g_task_propagate_pointer (G_TASK (async), &error);
  g_autoptr (MemlaneExperimentItem) item = g_steal_pointer (&self->running);

  g_signal_handlers_disconnect_by_data (source, self);
  g_clear_object (&self->cancellable);
  memlane_bench_end (self->bench);
  if (result != NULL)
    memlane_experiment_item_set_result (item, result);
  memlane_say_changed (self);
  if (error != NULL)
    memlane_say_notice (self, TRUE, "%s", error->message);
  g_signal_emit_by_name (self, "finished", item);
}

static void
start_cb (gpointer owner, gpointer data)
{
  MemlaneExperimentStore *self = owner;
  g_autoptr (MemlaneExperimentRunner) runner = NULL;

  self->running = g_object_ref (data);
  self->cancellable = g_cancellable_new ();
  runner = memlane_experiment_runner_new (memlane_device_choice_get_id (self->devices),
                                          ((MemlaneExperimentItem *) data)->experiment);
  g_signal_connect_swapped (runner, "progress", G_CALLBACK (progress_cb), self);
  memlane_experiment_runner_run_async (runner, self->cancellable, finished_cb, g_object_ref (self));
  memlane_bench_report (self->bench, _("Opening the device"), 0);
}

static void
stop_cb (gpointer owner, gpointer data)
{
  MemlaneExperimentStore *self = owner;

  memlane_bench_report (self->bench, _("Stopping"), -1);
  g_cancellable_cancel (self->cancellable);
}

void
memlane_experiment_store_run (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  static const MemlaneBenchJob job = { MEMLANE_BENCH_EXPERIMENT, start_cb, stop_cb, NULL };
  const char *objection = memlane_experiment_store_get_objection (self, item);

  if (objection != NULL)
    memlane_say_notice (self, TRUE, "%s", objection);
  else
    memlane_bench_put (self->bench, &job, self, item);
}

/* --- what was measured, in the lists of runs and traces --------------------------------------- */

/* "Experiment 5"; of a file without a number its name. */
static char *
name_experiment (const MemlaneExperiment *experiment)
{
  return experiment->number > 0 ? g_strdup_printf (_("Experiment %u"), experiment->number)
                                : g_strdup (experiment->name);
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Shows and plans the workload and the modes of @run. */
static void
choose (MemlaneExperimentStore *self, const MemlaneRun *run)
{
  if (run->cells->len > 0)
    {
      const char *workload = ((const MemlaneCell *) run->cells->pdata[0])->workload;

      g_object_set (self->plan, "workload", workload, NULL);
      g_object_set (self->view, "shown-workload", workload, NULL);
    }
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      memlane_mode_set_put (self->plan->modes, cell->mode, TRUE);
      memlane_mode_set_put (self->view->modes, cell->mode, TRUE);
    }
}

/* Adds a copy of @run: "Experiment 5 · NVIDIA H200"; a second one of that name is "... (2)". */
static void
keep_run (MemlaneRunStore *store, MemlaneExperimentItem *item, const MemlaneRun *run)
{
  g_autofree char *experiment = name_experiment (item->experiment);
  g_autofree char *base = g_strdup_printf ("%s · %s", experiment, item->result->device_name);
  g_autofree char *name = memlane_run_store_make_name (store, base);
  g_autoptr (MemlaneRun) copy = memlane_run_copy (run);
  MemlaneRunItem *kept = memlane_run_store_begin (store, run->device, run->device_kind, name);

  g_ptr_array_add (item->kept, g_object_ref (kept));
  memlane_run_store_end (store, kept, copy, NULL);
}

gboolean
memlane_experiment_store_keep_runs (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  MemlaneExperimentResult *result = item->result;
  gboolean there = FALSE, any = FALSE;

  if (result == NULL || result->runs->len == 0)
    return FALSE;
  MEMLANE_FOR_EACH (GObject, kept, item->kept)
    if (MEMLANE_IS_RUN_ITEM (kept) && memlane_list_find (self->runs, kept) >= 0)
      {
        memlane_run_item_set_shown (MEMLANE_RUN_ITEM (kept), TRUE);
        there = TRUE;
      }
  for (guint i = result->runs->len; i > 0; i--) /* the first one is the newest, and so on top */
    {
      const MemlaneRun *run = result->runs->pdata[i - 1];

      if (run->cells->len == 0)
        continue;
      choose (self, run);
      if (!there)
        keep_run (self->runs, item, run);
      any = TRUE;
    }
  return any;
}

/* --- traces ----------------------------------------------------------------------------------- */

gboolean
memlane_experiment_store_show_traces (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  static const char *const purposes[] = { "alone", "second", "more" };
  MemlaneExperimentResult *result = item->result;
  g_autofree char *experiment = NULL;

  if (result == NULL || result->traces->len == 0)
    return FALSE;
  for (guint i = item->kept->len; i > 0; i--)
    if (MEMLANE_IS_TRACE_ITEM (item->kept->pdata[i - 1]))
      {
        memlane_trace_store_remove (self->traces, item->kept->pdata[i - 1]);
        g_ptr_array_remove_index (item->kept, i - 1);
      }
  experiment = name_experiment (result->experiment);
  for (guint i = 0; i < result->traces->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s · %s", experiment,
                                               (const char *) result->trace_steps->pdata[i]);
      MemlaneTraceItem *trace = memlane_trace_store_add (
          self->traces, result->traces->pdata[i], name,
          purposes[MIN (i, G_N_ELEMENTS (purposes) - 1)]);

      g_ptr_array_add (item->kept, g_object_ref (trace));
    }
  return TRUE;
}

/* --- life ------------------------------------------------------------------------------------- */

/* A run that goes on holds a reference, so there is none. */
MEMLANE_DEFINE_CLASS (MemlaneExperimentStore, memlane_experiment_store,
                      OWNS (devices, g_object_unref) OWNS (plan, g_object_unref)
                          OWNS (view, g_object_unref) OWNS (runs, g_object_unref)
                              OWNS (traces, g_object_unref) OWNS (items, g_ptr_array_unref)
                                  OWNS (problems, g_ptr_array_unref) OWNS (bench, g_object_unref),
                      memlane_fields_install (G_OBJECT_CLASS (klass), fields,
                                              G_N_ELEMENTS (fields));
                      memlane_signal_add (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
                      memlane_signal_add (klass, "refused", 1, G_TYPE_STRING);
                      memlane_signal_add (klass, "opened", 1, MEMLANE_TYPE_EXPERIMENT_ITEM);
                      memlane_signal_add (klass, "finished", 1, MEMLANE_TYPE_EXPERIMENT_ITEM);
                      memlane_signal_add (klass, "changed", 0);)

MemlaneExperimentStore *
memlane_experiment_store_new (MemlaneBench *bench, MemlaneDeviceChoice *devices,
                              MemlanePlanModel *plan, MemlaneViewModel *view, MemlaneRunStore *runs,
                              MemlaneTraceStore *traces)
{
  MemlaneExperimentStore *self = g_object_new (MEMLANE_TYPE_EXPERIMENT_STORE, NULL);

  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect (self, "notify::skip", G_CALLBACK (memlane_say_changed), NULL);
  self->bench = g_object_ref (bench);
  self->devices = g_object_ref (devices);
  self->plan = g_object_ref (plan);
  self->view = g_object_ref (view);
  self->runs = g_object_ref (runs);
  self->traces = g_object_ref (traces);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { devices, "changed", G_CALLBACK (memlane_say_changed) },
    { bench, "changed", G_CALLBACK (memlane_say_changed) },
    { NULL },
  });
  return self;
}
