/* window-files.c: files come in by dialog, drop, menu or command line, and go out again
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "parts/export-dialog.h"
#include "parts/file-dialog.h"
#include "model/recordings.h"
#include "window-private.h"

/* --- in ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneWindow *window; /* (owned) */
  char *name;
} Opening;

static void
tell_opened (MemlaneWindow *self, const char *name, GPtrArray *items)
{
  g_autofree char *sentence = NULL;
  guint i, shown = 0;

  for (i = 0; i < items->len; i++)
    shown += memlane_run_item_get_shown (g_ptr_array_index (items, i));
  if (items->len == 1)
    sentence = g_strdup_printf (_("Opened %s"), name);
  else if (shown == items->len)
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run", "Opened %s: %u runs", items->len), name, items->len);
  else
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run; tick it in the list of runs to see it",
                                          "Opened %s: %u runs; tick those to see in the list of runs", items->len), name, items->len);
  memlane_window_tell (self, sentence, FALSE);
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Opening *opening = data;
  g_autofree char *name = g_steal_pointer (&opening->name), *sentence = NULL;
  g_autoptr (MemlaneWindow) self = g_steal_pointer (&opening->window);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) items = memlane_run_store_open_finish (MEMLANE_RUN_STORE (source), result, &error);

  if (--self->n_reading == 0)
    {
      g_clear_object (&self->reading);
      g_clear_handle_id (&self->reading_timer, g_source_remove);
    }
  if (!self->closing)
    {
      if (items != NULL)
        tell_opened (self, name, items);
      else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          sentence = g_strdup_printf (_("Stopped reading %s"), name);
          memlane_window_tell (self, sentence, FALSE);
        }
      else
        memlane_window_tell (self, error->message, TRUE);
    }
  memlane_window_update_progress (self);
  memlane_window_update_actions (self);
}

static gboolean
reading_cb (gpointer data)
{
  memlane_window_update_progress (data);
  return G_SOURCE_CONTINUE;
}

void
memlane_window_open_file (MemlaneWindow *self, GFile *file)
{
  Opening *opening;

  g_return_if_fail (MEMLANE_IS_WINDOW (self) && G_IS_FILE (file));
  if (self->closing)
    return;
  if (g_file_peek_path (file) != NULL && memlane_experiment_store_is_experiment (g_file_peek_path (file)))
    {
      memlane_window_open_experiment (self, g_file_peek_path (file));
      return;
    }
  if (g_file_peek_path (file) != NULL && memlane_trace_store_is_trace (g_file_peek_path (file)))
    {
      memlane_window_open_trace (self, g_file_peek_path (file));
      return;
    }
  opening = g_new (Opening, 1);
  opening->window = g_object_ref (self);
  opening->name = g_file_get_basename (file);
  if (self->n_reading++ == 0)
    {
      self->reading = g_cancellable_new ();
      self->reading_timer = g_timeout_add (100, reading_cb, self);
    }
  memlane_run_store_open_async (memlane_session_get_store (self->session), file, self->reading, opened_cb, opening);
  memlane_window_update_actions (self); /* the line at the bottom appears with the timer: a small file is read before that */
}

void
memlane_window_stop_reading (MemlaneWindow *self)
{
  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
}

static void
chosen_cb (GFile *file, gpointer data)
{
  g_autoptr (MemlaneWindow) self = data;

  if (file != NULL)
    memlane_window_open_file (self, file);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *const kinds[] = { _("Runs, traces and experiments"), "*.csv *.json *.experiment", _("All files"), "*", NULL };

  memlane_file_dialog_open (data, _("Open Runs, Traces or Experiments"), kinds, chosen_cb, g_object_ref (data));
}

static void
open_path (MemlaneWindow *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  memlane_window_open_file (self, file);
}

static void
open_recording_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  open_path (data, g_variant_get_string (parameter, NULL));
}

static void
open_recorded_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  MemlaneRecording *first = memlane_recordings_find_first ();

  if (first == NULL)
    {
      memlane_window_tell (data,
                           _("No recorded run is installed: install Memlane again, or set MEMLANE_DATA_DIR to the folder that holds it"),
                           TRUE);
      return;
    }
  open_path (data, first->path);
  memlane_recording_free (first);
}

void
memlane_window_fill_recorded_menu (MemlaneWindow *self)
{
  g_autoptr (GPtrArray) recordings = memlane_recordings_list ();
  guint i;

  for (i = 0; i < recordings->len; i++)
    {
      MemlaneRecording *recording = g_ptr_array_index (recordings, i);
      g_autoptr (GMenuItem) item = g_menu_item_new (recording->title, NULL);

      g_menu_item_set_action_and_target (item, "win.open-recording", "s", recording->path);
      g_menu_append_item (self->recorded_menu, item);
    }
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  GSList *file;

  for (file = files; file != NULL; file = file->next)
    memlane_window_open_file (data, file->data);
  return files != NULL;
}

void
memlane_window_add_drop_target (MemlaneWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (drop_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->toasts), GTK_EVENT_CONTROLLER (target));
}

/* --- out ---------------------------------------------------------------------------------------------------- */

void
memlane_window_tell_exported (const char *sentence, gboolean trouble, GFile *file, gpointer window)
{
  g_autoptr (MemlaneWindow) self = window;

  if (sentence == NULL || self->closing)
    return;
  if (file != NULL)
    memlane_window_tell_saved (self, sentence, file);
  else
    memlane_window_tell (self, sentence, trouble);
}

static void
export_item (MemlaneWindow *self, MemlaneRunItem *item)
{
  MemlaneRun *run = item != NULL ? memlane_run_item_get_run (item) : NULL;

  if (run == NULL)
    memlane_window_tell (self, _("That run has not been read: show it first"), TRUE);
  else
    memlane_export_csv (GTK_WINDOW (self), run, run->id, memlane_window_tell_exported, g_object_ref (self));
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
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (memlane_session_get_store (self->session));

  if (memlane_window_shows_decide (self))
    memlane_window_export_map (self);
  else if (shown->len > 0)
    export_item (self, g_ptr_array_index (shown, 0));
}

static void
export_figure_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_figure (data, memlane_window_get_figure_view (data), memlane_window_tell_exported, g_object_ref (data));
}

static void
copy_figure_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_copy_figure (memlane_window_get_figure_view (data), memlane_window_tell_exported, g_object_ref (data));
}

static void
print_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  memlane_export_print (data, memlane_window_get_figure_view (data), memlane_window_tell_exported, g_object_ref (data));
}

void
memlane_window_add_file_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "open", open_cb, NULL, NULL, NULL, { 0 } },
    { "open-recorded", open_recorded_cb, NULL, NULL, NULL, { 0 } },
    { "open-recording", open_recording_cb, "s", NULL, NULL, { 0 } },
    { "export-csv", export_csv_cb, NULL, NULL, NULL, { 0 } },
    { "export-run", export_run_cb, "s", NULL, NULL, { 0 } },
    { "export-figure", export_figure_cb, NULL, NULL, NULL, { 0 } },
    { "copy-figure", copy_figure_cb, NULL, NULL, NULL, { 0 } },
    { "print", print_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
