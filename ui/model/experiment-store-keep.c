/* experiment-store-keep.c: what an experiment measured, in the lists of runs and traces
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "experiment-store-private.h"
#include "trace-item.h"

/* What is on a list of the window because of @item, of this type. (transfer full) */
static GPtrArray *
list_kept (MemlaneExperimentItem *item, GType type)
{
  GPtrArray *kept = memlane_experiment_item_get_kept (item), *found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < kept->len; i++)
    if (g_type_is_a (G_OBJECT_TYPE (kept->pdata[i]), type))
      g_ptr_array_add (found, g_object_ref (kept->pdata[i]));
  return found;
}

static gboolean
has_item (GListModel *list, gpointer item)
{
  guint n = g_list_model_get_n_items (list);
  gboolean found = FALSE;

  for (guint i = 0; i < n && !found; i++)
    {
      gpointer each = g_list_model_get_item (list, i);

      found = each == item;
      g_object_unref (each);
    }
  return found;
}

/* "Experiment 5"; of a file without a number its name. */
static char *
name_experiment (const MemlaneExperiment *experiment)
{
  return experiment->number > 0 ? g_strdup_printf (_("Experiment %u"), experiment->number) : g_strdup (experiment->name);
}

/* --- runs ----------------------------------------------------------------------------------------------------------------- */

/* The charts show the modes and the workload of the plan. */
static void
choose (MemlaneSession *session, const MemlaneRun *run)
{
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if (i == 0)
        g_object_set (session, "workload", cell->workload, NULL);
      memlane_session_set_mode (session, cell->mode, TRUE);
    }
}

/* "Experiment 5 · NVIDIA H200"; a second one of that name is "... (2)". */
static char *
make_name (MemlaneRunStore *store, const MemlaneExperimentResult *result)
{
  g_autofree char *experiment = name_experiment (result->experiment);
  g_autofree char *base = g_strdup_printf ("%s · %s", experiment, result->device_name);
  g_autofree char *name = g_strdup (base);

  for (guint n = 2; memlane_run_store_find (store, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s (%u)", base, n);
    }
  return g_steal_pointer (&name);
}

/* A run's count of references is one thread's, and the result may be released by another: the list gets a run of its own. */
static MemlaneRun *
copy_run (const MemlaneRun *run)
{
  MemlaneRun *copy = memlane_run_new (run->id, run->device, run->device_kind);

  copy->environment = g_strdup (run->environment);
  for (guint i = 0; i < run->cells->len; i++)
    g_ptr_array_add (copy->cells, memlane_cell_ref (run->cells->pdata[i]));
  return copy;
}

static void
keep_run (MemlaneRunStore *store, MemlaneExperimentItem *item, const MemlaneRun *run)
{
  g_autofree char *name = make_name (store, memlane_experiment_item_get_result (item));
  g_autoptr (MemlaneRun) copy = copy_run (run);
  MemlaneRunItem *kept = memlane_run_store_begin (store, run->device, run->device_kind, name);

  g_ptr_array_add (memlane_experiment_item_get_kept (item), g_object_ref (kept));
  memlane_run_store_end (store, kept, copy, NULL);
}

gboolean
memlane_experiment_store_keep_runs (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  MemlaneExperimentResult *result = memlane_experiment_item_get_result (item);
  g_autoptr (GPtrArray) kept = list_kept (item, MEMLANE_TYPE_RUN_ITEM);
  MemlaneRunStore *store;
  gboolean there = FALSE, any = FALSE;

  if (self->session == NULL || result == NULL || result->runs->len == 0)
    return FALSE;
  store = memlane_session_get_store (self->session);
  for (guint i = 0; i < kept->len; i++)
    if (has_item (G_LIST_MODEL (store), kept->pdata[i]))
      {
        memlane_run_item_set_shown (kept->pdata[i], TRUE);
        there = TRUE;
      }
  for (guint i = result->runs->len; i > 0; i--) /* the first one is the newest, and so on top */
    {
      const MemlaneRun *run = result->runs->pdata[i - 1];

      if (run->cells->len == 0)
        continue;
      choose (self->session, run);
      if (!there)
        keep_run (store, item, run);
      any = TRUE;
    }
  return any;
}

/* --- traces ---------------------------------------------------------------------------------------------------------------- */

gboolean
memlane_experiment_store_show_traces (MemlaneExperimentStore *self, MemlaneExperimentItem *item)
{
  static const char *const purposes[] = { "alone", "second", "more" };
  MemlaneExperimentResult *result = memlane_experiment_item_get_result (item);
  g_autoptr (GPtrArray) kept = list_kept (item, MEMLANE_TYPE_TRACE_ITEM);
  g_autofree char *experiment = NULL;

  if (self->traces == NULL || result == NULL || result->traces->len == 0)
    return FALSE;
  for (guint i = 0; i < kept->len; i++)
    {
      memlane_trace_store_remove (self->traces, kept->pdata[i]);
      g_ptr_array_remove (memlane_experiment_item_get_kept (item), kept->pdata[i]);
    }
  experiment = name_experiment (result->experiment);
  for (guint i = 0; i < result->traces->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s · %s", experiment, (const char *) result->trace_steps->pdata[i]);
      MemlaneTraceItem *trace = memlane_trace_store_add (self->traces, result->traces->pdata[i], name,
                                                         purposes[MIN (i, G_N_ELEMENTS (purposes) - 1)]);

      g_ptr_array_add (memlane_experiment_item_get_kept (item), g_object_ref (trace));
    }
  return TRUE;
}
