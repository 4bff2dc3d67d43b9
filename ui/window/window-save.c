/* window-save.c: what the window shows goes out: files, the clipboard, a printer
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

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

void
memlane_window_add_save_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "export-csv", export_csv_cb, NULL, NULL, NULL, { 0 } },
    { "export-run", export_run_cb, "s", NULL, NULL, { 0 } },
    { "export-figure", export_figure_cb, NULL, NULL, NULL, { 0 } },
    { "copy-figure", copy_figure_cb, NULL, NULL, NULL, { 0 } },
    { "print", print_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
