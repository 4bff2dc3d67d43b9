/* window-files.c: files come into the window, opened, dropped, or from the menu of recorded runs;
 * what it shows goes out, into files, the clipboard, a printer
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "base/each.h"
#include "base/hash.h"
#include "chart/report/report.h"
#include "model/recordings.h"
#include "parts/export-dialog.h"
#include "parts/file-dialog.h"

/* --- in --------------------------------------------------------------------------------------- */

/* "colleague.csv: Copy to Device, 15 modes" */
static char *
describe_opened (MemlaneWindow *self, const char *name, MemlaneRunItem *item)
{
  const MemlaneRun *run = item->run;
  const MemlaneWorkload *shown = self->models->view->workload;
  g_autoptr (GHashTable) modes = g_hash_table_new (memlane_hash_text, g_str_equal);
  guint n;

  if (run != NULL)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
      if (g_str_equal (cell->workload, shown->id))
        g_hash_table_add (modes, cell->mode);
  n = g_hash_table_size (modes);
  if (n == 0)
    return g_strdup_printf (_("Opened %s"), name);
  /* Translators: a file, the workload that it holds, and of how many modes */
  return g_strdup_printf (ngettext ("Opened %s: %s, %u mode", "Opened %s: %s, %u modes", n), name,
                          g_dgettext (GETTEXT_PACKAGE, shown->title), n);
}

/* Shows the opened file, and offers the way back if that hides another page. */
static void
tell_opened (MemlaneWindow *self, const char *name, GPtrArray *items)
{
  const MemlaneWorkload *before = memlane_view_model_follow_opened (self->models->view, items);
  g_autofree char *sentence = NULL, *back = NULL;
  guint i, shown = 0;

  for (i = 0; i < items->len; i++)
    shown += ((MemlaneRunItem *) g_ptr_array_index (items, i))->shown;
  if (items->len == 1)
    sentence = describe_opened (self, name, g_ptr_array_index (items, 0));
  else if (shown == items->len)
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run", "Opened %s: %u runs", items->len),
                                name, items->len);
  else
    sentence = g_strdup_printf (
        ngettext ("Opened %s: %u run. Tick it in the list of runs to see it.",
                  "Opened %s: %u runs. Tick those to see in the list of runs.", items->len),
        name, items->len);
  if (before == NULL)
    {
      memlane_window_tell (self, sentence, FALSE);
      return;
    }
  /* Translators: a button; %s is a workload: "Vector Addition" */
  back = g_strdup_printf (_("Show %s"), g_dgettext (GETTEXT_PACKAGE, before->title));
  if (!self->closing)
    memlane_toasts_tell_action (self->toasts, sentence, back, "win.workload",
                                g_variant_new_string (before->id));
}

static void
opened_cb (MemlaneWindow *self, const char *name, GPtrArray *items, const char *problem)
{
  g_auto (GStrv) lines = problem != NULL ? g_strsplit (problem, "\n", 2) : NULL;

  if (self->closing)
    return;
  if (items != NULL)
    tell_opened (self, name, items);
  else if (lines[1] != NULL)
    memlane_toasts_tell_details (self->toasts, lines[0], lines[1]);
  else
    memlane_window_tell (self, problem, TRUE);
  memlane_window_update (self);
}

void
memlane_window_open_file (MemlaneWindow *self, GFile *file)
{
  g_return_if_fail (MEMLANE_IS_WINDOW (self) && G_IS_FILE (file));
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY)
    {
      g_autofree char *name = g_file_get_basename (file);
      g_autofree char *words = g_strdup_printf (
          _("“%s” is a folder: memlane-cli compare compares the runs of many machines in one"),
          name);

      memlane_window_tell (self, words, TRUE);
      return;
    }
  if (self->closing
      || (g_file_peek_path (file) != NULL
          && memlane_window_open_in_page (self, g_file_peek_path (file))))
    return;
  memlane_run_store_open (self->models->runs, file);
  memlane_window_update (self);
}

static void
chosen_cb (GFile *file, gpointer data)
{
  if (file != NULL)
    memlane_window_open_file (data, file);
  else
    g_object_unref (data);
}

static void
open_cb (MemlaneWindow *self)
{
  const char *const kinds[] = {
    _("Runs, traces and experiments"),
    "*.csv *.csv.gz *.json *.json.gz *.sqlite *.experiment *.lesson *.answers", _("All files"),
    "*", NULL
  };

  memlane_file_dialog_open (GTK_WINDOW (self), _("Open Runs, Traces or Experiments"), kinds, TRUE,
                            chosen_cb, g_object_ref (self));
}

static void
open_path (MemlaneWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memlane_window_open_file (self, file);
}

static void
open_recording_cb (MemlaneWindow *self, GVariant *parameter)
{
  open_path (self, g_variant_get_string (parameter, NULL));
}

static void
open_recorded_cb (MemlaneWindow *self)
{
  g_autoptr (MemlaneRecording) first = memlane_recordings_find_first ();

  if (first == NULL)
    {
      memlane_window_tell (self,
                           _("No recorded run is installed: install Memlane again, or set "
                             "MEMLANE_DATA_DIR to the folder that holds it"),
                           TRUE);
      return;
    }
  open_path (self, first->path);
}

void
memlane_window_fill_recorded_menu (MemlaneWindow *self)
{
  g_autoptr (GPtrArray) recordings = memlane_recordings_list ();

  MEMLANE_FOR_EACH (const MemlaneRecording, recording, recordings)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new (recording->title, NULL);

      g_menu_item_set_action_and_target (item, "win.open-recording", "s", recording->path);
      g_menu_append_item (self->recorded_menu, item);
    }
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *file = files; file != NULL; file = file->next)
    memlane_window_open_file (data, file->data);
  return files != NULL;
}

/* --- out -------------------------------------------------------------------------------------- */

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
    memlane_export_csv (GTK_WINDOW (self), run, memlane_run_item_get_name (item), tell_exported,
                        g_object_ref (self));
}

static void
export_run_cb (MemlaneWindow *self, GVariant *parameter)
{
  export_item (self,
               memlane_run_store_find (self->models->runs, g_variant_get_string (parameter, NULL)));
}

static void
export_csv_cb (MemlaneWindow *self)
{
  MemlanePage *page = memlane_window_get_current_page (self);
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (self->models->runs);

  if (memlane_page_has_own_csv (page))
    memlane_page_export_csv (page);
  else if (shown->len > 0)
    export_item (self, g_ptr_array_index (shown, 0));
}

static void
export_figure_cb (MemlaneWindow *self)
{
  memlane_export_figure (GTK_WINDOW (self), memlane_window_get_figure_view (self), tell_exported,
                         g_object_ref (self));
}

static void
copy_figure_cb (MemlaneWindow *self)
{
  memlane_export_copy_figure (memlane_window_get_figure_view (self), tell_exported,
                              g_object_ref (self));
}

static void
print_cb (MemlaneWindow *self)
{
  memlane_export_print (GTK_WINDOW (self), memlane_window_get_figure_view (self), tell_exported,
                        g_object_ref (self));
}

/* The runs that are shown, the timelines that are open and the experiments that have a result: as
 * memlane-cli report writes them. */
static void
export_page_cb (MemlaneWindow *self)
{
  g_autoptr (MemlaneReportSource) source = memlane_report_source_new ();
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (self->models->runs);
  GListModel *traces = G_LIST_MODEL (self->models->traces),
             *experiments = G_LIST_MODEL (self->models->experiments);
  const char *const kinds[] = { _("HTML pages"), "*.html", NULL };

  MEMLANE_FOR_EACH (MemlaneRunItem, item, shown)
    {
      /* a sweep goes on while it is written */
      g_ptr_array_add (source->runs, memlane_run_copy (item->run));
      g_ptr_array_add (source->names, g_strdup (memlane_run_item_get_name (item)));
    }
  MEMLANE_FOR_EACH_ITEM (MemlaneTraceItem, item, traces)
    g_ptr_array_add (source->traces, memlane_trace_ref (item->trace));
  MEMLANE_FOR_EACH_ITEM (MemlaneExperimentItem, item, experiments)
    if (item->result != NULL)
      g_ptr_array_add (source->results, memlane_experiment_result_ref (item->result));
  if (source->runs->len + source->traces->len + source->results->len == 0)
    memlane_window_tell (
        self,
        _("There is nothing to export yet: show a run, record a timeline or run an experiment."),
        FALSE);
  else
    memlane_export_written (GTK_WINDOW (self), _("Export Page"), "memlane.html", kinds, ".html",
                            memlane_report_write, g_steal_pointer (&source),
                            memlane_report_source_free, tell_exported, g_object_ref (self));
}

/* --- life ------------------------------------------------------------------------------------- */

void
memlane_window_add_files (MemlaneWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->toast_overlay), GTK_EVENT_CONTROLLER (target));
  memlane_actions_add (self, (const MemlaneAction[]) {
    { "open", self, G_CALLBACK (open_cb) },
    { "open-recorded", self, G_CALLBACK (open_recorded_cb) },
    { "open-recording", self, G_CALLBACK (open_recording_cb), "s" },
    { "export-csv", self, G_CALLBACK (export_csv_cb) },
    { "export-run", self, G_CALLBACK (export_run_cb), "s" },
    { "export-figure", self, G_CALLBACK (export_figure_cb) },
    { "export-page", self, G_CALLBACK (export_page_cb) },
    { "copy-figure", self, G_CALLBACK (copy_figure_cb) },
    { "print", self, G_CALLBACK (print_cb) },
    { NULL },
  });
  g_signal_connect_object (self->models->runs, "opened", G_CALLBACK (opened_cb), self,
                           G_CONNECT_SWAPPED);
}
