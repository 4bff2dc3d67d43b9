/* window-save.c: what the window shows goes out: files, the clipboard, a printer
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "experiment/experiment-page.h"
#include "parts/export-dialog.h"
#include "timeline/timeline-page.h"

/* A MemlaneExportDone; takes a reference to the window. */
static void
tell_exported (const char *sentence, gboolean trouble, GFile *file, gpointer window)
{
  g_autoptr (MemlaneWindow) self = window;

  if (sentence != NULL && file != NULL && !self->closing)
    memlane_toasts_tell_saved (self->toasts, sentence, file);
  else if (sentence != NULL)
    memlane_window_tell (self, sentence, trouble);
}

static void
export_item (MemlaneWindow *self, MemlaneRunItem *item)
{
  MemlaneRun *run = item != NULL ? memlane_run_item_get_run (item) : NULL;

  if (run == NULL)
    memlane_window_tell (self, _("That run has not been read: show it first"), TRUE);
  else
    memlane_export_csv (GTK_WINDOW (self), run, run->id, tell_exported, g_object_ref (self));
}

static void
export_run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;

  export_item (self, memlane_run_store_find (memlane_session_get_store (self->session), g_variant_get_string (parameter, NULL)));
}

static void
export_csv_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlanePage *page = memlane_window_get_current_page (self);
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));

  if (memlane_page_has_own_csv (page))
    memlane_page_export_csv (page, GTK_WINDOW (self), tell_exported, g_object_ref (self));
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

/* (nullable) (transfer none): that is shown, whichever page is seen */
static MemlaneTraceItem *
get_trace (MemlaneWindow *self)
{
  MemlanePage *page = memlane_window_find_page (self, TIMELINE);

  return page != NULL ? memlane_timeline_page_get_item (MEMLANE_TIMELINE_PAGE (page), 0) : NULL;
}

static void
export_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneWindow *self = data;
  MemlaneTraceItem *item = get_trace (self);

  if (item != NULL)
    memlane_export_trace (GTK_WINDOW (self), memlane_trace_item_get_trace (item), tell_exported, g_object_ref (self));
}

/* (nullable): NULL where it has not been seen */
static MemlaneExperimentPage *
find_experiment_page (MemlaneWindow *self)
{
  return (MemlaneExperimentPage *) memlane_window_find_page (self, EXPERIMENTS);
}

static void
save (MemlaneWindow *self, const char *what)
{
  if (find_experiment_page (self) != NULL)
    memlane_experiment_page_save (find_experiment_page (self), what, GTK_WINDOW (self), tell_exported, g_object_ref (self));
}

static void
save_experiment_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data, g_variant_get_string (parameter, NULL));
}

static void
save_cells_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save (data, "cells");
}

/* What of it can be done; all but the figure, which is of the page that is seen. */
void
memlane_window_update_save_actions (MemlaneWindow *self)
{
  MemlaneExperimentPage *experiments = find_experiment_page (self);

  memlane_window_enable (self, "save-experiment", experiments != NULL && memlane_experiment_page_can_save (experiments, "report"));
  memlane_window_enable (self, "save-cells", experiments != NULL && memlane_experiment_page_can_save (experiments, "cells"));
  memlane_window_enable (self, "export-trace", get_trace (self) != NULL);
}

void
memlane_window_add_save_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "export-csv", export_csv_cb, NULL, NULL, NULL, { 0 } },
    { "export-run", export_run_cb, "s", NULL, NULL, { 0 } },
    { "export-figure", export_figure_cb, NULL, NULL, NULL, { 0 } },
    { "copy-figure", copy_figure_cb, NULL, NULL, NULL, { 0 } },
    { "print", print_cb, NULL, NULL, NULL, { 0 } },
    { "export-trace", export_trace_cb, NULL, NULL, NULL, { 0 } },
    { "save-experiment", save_experiment_cb, "s", NULL, NULL, { 0 } },
    { "save-cells", save_cells_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
