/* window-save.c: what the window shows goes out: files, the clipboard, a printer
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "chart/report/report.h"
#include "parts/export-dialog.h"

/* A MemlaneExportDone; releases the window. */
static void
tell_exported (const char *sentence, gboolean trouble, GFile *file, gpointer window)
{
  memlane_window_tell_exported (window, sentence, trouble, file);
  g_object_unref (window);
}

static void
export_item (MemlaneWindow *self, MemlaneRunItem *item)
{
  MemlaneRun *run = item != NULL ? item->run : NULL;

  if (run == NULL)
    memlane_window_tell (self, _("That run has not been read: show it first"), TRUE);
  else
    memlane_export_csv (GTK_WINDOW (self), run, run->id, tell_exported, g_object_ref (self));
}

static void
export_run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  export_item (self, memlane_run_store_find (self->models->runs, g_variant_get_string (parameter, NULL)));
}

static void
export_csv_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlanePage *page = memlane_window_get_current_page (self);
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (self->models->runs);

  if (memlane_page_has_own_csv (page))
    memlane_page_export_csv (page);
  else if (shown->len > 0)
    export_item (self, g_ptr_array_index (shown, 0));
}

static void
export_figure_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_figure (data, memlane_window_get_figure_view (data), tell_exported, g_object_ref (data));
}

static void
copy_figure_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_copy_figure (memlane_window_get_figure_view (data), tell_exported, g_object_ref (data));
}

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_print (data, memlane_window_get_figure_view (data), tell_exported, g_object_ref (data));
}

/* The runs that are shown, the timelines that are open and the experiments that have a result: as memlane-cli report writes them. */
static void
export_page_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  g_autoptr (MemlaneReportSource) source = memlane_report_source_new ();
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (self->models->runs);
  GListModel *traces = G_LIST_MODEL (self->models->traces), *experiments = G_LIST_MODEL (self->models->experiments);
  const char *const kinds[] = { _("HTML pages"), "*.html", NULL };

  for (guint i = 0; i < shown->len; i++)
    {
      MemlaneRunItem *item = shown->pdata[i];

      if (item->run == NULL)
        continue;
      g_ptr_array_add (source->runs, memlane_run_copy (item->run)); /* a sweep goes on while it is written */
      g_ptr_array_add (source->names, g_strdup (memlane_run_item_get_name (item)));
    }
  for (guint i = 0; i < g_list_model_get_n_items (traces); i++)
    {
      g_autoptr (MemlaneTraceItem) item = g_list_model_get_item (traces, i);

      g_ptr_array_add (source->traces, memlane_trace_ref (item->trace));
    }
  for (guint i = 0; i < g_list_model_get_n_items (experiments); i++)
    {
      g_autoptr (MemlaneExperimentItem) item = g_list_model_get_item (experiments, i);

      if (item->result != NULL)
        g_ptr_array_add (source->results, memlane_experiment_result_ref (item->result));
    }
  if (source->runs->len + source->traces->len + source->results->len == 0)
    memlane_window_tell (self, _("There is nothing to export yet: show a run, record a timeline or run an experiment."), FALSE);
  else
    memlane_export_written (data, _("Export Page"), "memlane.html", kinds, ".html", memlane_report_write, g_steal_pointer (&source),
                            memlane_report_source_free, tell_exported, g_object_ref (data));
}

void
memlane_window_add_save_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "export-csv", export_csv_cb, NULL, NULL, NULL, { 0 } },
    { "export-run", export_run_cb, "s", NULL, NULL, { 0 } },
    { "export-figure", export_figure_cb, NULL, NULL, NULL, { 0 } },
    { "export-page", export_page_cb, NULL, NULL, NULL, { 0 } },
    { "copy-figure", copy_figure_cb, NULL, NULL, NULL, { 0 } },
    { "print", print_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
