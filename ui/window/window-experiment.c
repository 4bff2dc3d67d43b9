/* window-experiment.c: the Experiments page in the window: files come in, reports go out, one experiment runs
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "experiment/experiment-words.h"
#include "parts/export-dialog.h"
#include "window-private.h"

MemlaneExperimentPage *
memlane_window_get_experiment_page (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  memlane_window_ensure_page (self, "experiments");
  return MEMLANE_EXPERIMENT_PAGE (adw_bin_get_child (self->experiments_bin));
}

MemlaneExperimentStore *
memlane_window_get_experiments (MemlaneWindow *self)
{
  g_return_val_if_fail (MEMLANE_IS_WINDOW (self), NULL);
  return self->experiments;
}

gboolean
memlane_window_shows_experiments (MemlaneWindow *self)
{
  return g_strcmp0 (adw_view_stack_get_visible_child_name (self->pages), "experiments") == 0;
}

GtkWidget *
memlane_window_build_experiment_page (MemlaneWindow *self)
{
  GtkWidget *page = memlane_experiment_page_new (self->session, self->experiments);

  g_signal_connect_object (page, "changed", G_CALLBACK (memlane_window_update_actions), self, G_CONNECT_SWAPPED);
  return page;
}

void
memlane_window_open_experiment (MemlaneWindow *self, const char *path)
{
  (void) memlane_window_get_experiment_page (self); /* it hears of what is read */
  adw_view_stack_set_visible_child_name (self->pages, "experiments");
  memlane_experiment_store_open (self->experiments, path);
}

/* --- out ------------------------------------------------------------------------------------------------------------ */

static const char *
translate (const char *text)
{
  return g_dgettext (GETTEXT_PACKAGE, text);
}

static gboolean
write_report (gpointer result, const char *path, GError **error)
{
  return memlane_experiment_result_write_markdown (result, translate, path, error);
}

static gboolean
write_findings (gpointer result, const char *path, GError **error)
{
  return memlane_experiment_result_write_findings (result, path, error);
}

static gboolean
write_cells (gpointer result, const char *path, GError **error)
{
  return memlane_experiment_result_write_csv (result, path, error);
}

static void
release_result (gpointer result)
{
  memlane_experiment_result_unref (result);
}

/* (nullable) (transfer none): of the experiment that is shown */
static MemlaneExperimentResult *
get_result (MemlaneWindow *self)
{
  GtkWidget *page = adw_bin_get_child (self->experiments_bin);
  MemlaneExperimentItem *item = page != NULL ? memlane_experiment_page_get_item (MEMLANE_EXPERIMENT_PAGE (page)) : NULL;

  return item != NULL ? memlane_experiment_item_get_result (item) : NULL;
}

static void
save (MemlaneWindow *self, const char *title, const char *ending, MemlaneExportWrite write)
{
  const char *const markdown[] = { _("Markdown files"), "*.md", NULL }, *const csv[] = { _("CSV files"), "*.csv", NULL };
  MemlaneExperimentResult *result = get_result (self);
  g_autofree char *name = NULL;

  if (result == NULL)
    return;
  name = g_strconcat (result->experiment->name, ending, NULL);
  memlane_export_written (GTK_WINDOW (self), title, name, g_str_equal (ending, ".md") ? markdown : csv, ending, write,
                          memlane_experiment_result_ref (result), release_result, memlane_window_tell_exported, g_object_ref (self));
}

static void
save_experiment_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (g_str_equal (g_variant_get_string (parameter, NULL), "findings"))
    save (data, _("Save Findings"), ".csv", write_findings);
  else
    save (data, _("Save Report"), ".md", write_report);
}

static void
save_cells_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data, _("Save Cells"), ".csv", write_cells);
}

/* --- running ---------------------------------------------------------------------------------------------------------- */

static void
run_experiment_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlaneExperimentItem *item = memlane_experiment_page_get_item (memlane_window_get_experiment_page (self));

  adw_view_stack_set_visible_child_name (self->pages, "experiments");
  if (item != NULL)
    memlane_experiment_store_run (self->experiments, item);
}

static void
notice_cb (MemlaneWindow *self, const char *sentence, gboolean trouble)
{
  if (!self->closing)
    memlane_window_tell (self, sentence, trouble);
}

static void
finished_cb (MemlaneWindow *self, MemlaneExperimentItem *item)
{
  MemlaneExperimentResult *result = memlane_experiment_item_get_result (item);
  g_autofree char *verdict = NULL, *sentence = NULL;

  if (self->closing || result == NULL)
    return;
  if (result->cancelled)
    sentence = g_strdup_printf (_("Stopped “%s”"), result->experiment->title);
  else
    {
      verdict = memlane_experiment_words_verdict (result->verdict);
      /* Translators: the title of an experiment, and the verdict on its claim */
      sentence = g_strdup_printf (_("“%s”: %s"), result->experiment->title, verdict);
    }
  memlane_window_tell (self, sentence, FALSE);
}

static void
running_cb (MemlaneWindow *self)
{
  if (self->session == NULL || self->closing)
    return;
  memlane_window_rest_animations (self, memlane_experiment_store_is_running (self->experiments));
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
}

static void
progress_cb (MemlaneWindow *self)
{
  if (self->session != NULL && !self->closing)
    memlane_window_update_progress (self);
}

void
memlane_window_follow_experiments (MemlaneWindow *self)
{
  self->experiments = memlane_experiment_store_new (self->session, self->store);
  g_signal_connect_object (self->experiments, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "finished", G_CALLBACK (finished_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "notify::running", G_CALLBACK (running_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "notify::stopping", G_CALLBACK (running_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "notify::status", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->experiments, "notify::fraction", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
}

void
memlane_window_update_experiment_actions (MemlaneWindow *self)
{
  MemlaneExperimentResult *result = get_result (self);
  GAction *saving = g_action_map_lookup_action (G_ACTION_MAP (self), "save-experiment");
  GAction *cells = g_action_map_lookup_action (G_ACTION_MAP (self), "save-cells");
  GAction *running = g_action_map_lookup_action (G_ACTION_MAP (self), "run-experiment");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (saving), result != NULL);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (cells), result != NULL && result->runs->len > 0);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (running), !self->closing && !memlane_experiment_store_is_running (self->experiments));
}

void
memlane_window_add_experiment_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "run-experiment", run_experiment_cb, NULL, NULL, NULL, { 0 } },
    { "save-experiment", save_experiment_cb, "s", NULL, NULL, { 0 } },
    { "save-cells", save_cells_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
