/* window-open.c: files come into the window: opened, dropped, from the menu of recorded runs
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

#include <glib/gi18n-lib.h>

#include "model/recordings.h"
#include "parts/file-dialog.h"

/* "colleague.csv: Copy to Device, 15 modes" */
static char *
describe_opened (MemlaneWindow *self, const char *name, MemlaneRunItem *item)
{
  const MemlaneRun *run = item->run;
  const MemlaneWorkload *shown = memlane_view_model_get_workload (self->models->view);
  g_autoptr (GHashTable) modes = g_hash_table_new (g_str_hash, g_str_equal);
  guint n;

  for (guint i = 0; run != NULL && i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if (g_str_equal (cell->workload, shown->id))
        g_hash_table_add (modes, cell->mode);
    }
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
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run", "Opened %s: %u runs", items->len), name, items->len);
  else
    sentence = g_strdup_printf (ngettext ("Opened %s: %u run. Tick it in the list of runs to see it.",
                                          "Opened %s: %u runs. Tick those to see in the list of runs.", items->len), name, items->len);
  if (before == NULL)
    {
      memlane_window_tell (self, sentence, FALSE);
      return;
    }
  /* Translators: a button; %s is a workload: "Vector Addition" */
  back = g_strdup_printf (_("Show %s"), g_dgettext (GETTEXT_PACKAGE, before->title));
  if (!self->closing)
    memlane_toasts_tell_action (self->toasts, sentence, back, "win.workload", g_variant_new_string (before->id));
}

static void
opened_cb (MemlaneWindow *self, const char *name, GPtrArray *items, const char *problem)
{
  g_autofree char *stopped = g_strdup_printf (_("Stopped reading %s"), name);

  if (self->closing)
    return;
  if (items != NULL)
    tell_opened (self, name, items);
  else
    memlane_window_tell (self, problem != NULL ? problem : stopped, problem != NULL);
  memlane_window_update (self);
}

void
memlane_window_open_file (MemlaneWindow *self, GFile *file)
{
  g_return_if_fail (MEMLANE_IS_WINDOW (self) && G_IS_FILE (file));
  if (self->closing || (g_file_peek_path (file) != NULL && memlane_window_open_in_page (self, g_file_peek_path (file))))
    return;
  memlane_run_store_open (self->models->runs, file);
  memlane_window_update (self); /* the line at the bottom appears with the first progress: a small file is read before that */
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
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *const kinds[] = { _("Runs, traces and experiments"), "*.csv *.json *.json.gz *.sqlite *.experiment *.lesson *.answers",
                                _("All files"), "*", NULL };

  memlane_file_dialog_open (data, _("Open Runs, Traces or Experiments"), kinds, TRUE, chosen_cb, g_object_ref (data));
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
  gtk_widget_add_controller (GTK_WIDGET (self->toast_overlay), GTK_EVENT_CONTROLLER (target));
}

void
memlane_window_add_open_actions (MemlaneWindow *self)
{
  static const GActionEntry entries[] = {
    { "open", open_cb, NULL, NULL, NULL, { 0 } },
    { "open-recorded", open_recorded_cb, NULL, NULL, NULL, { 0 } },
    { "open-recording", open_recording_cb, "s", NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->models->runs, "opened", G_CALLBACK (opened_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->models->runs, "progress", G_CALLBACK (memlane_window_update), self, G_CONNECT_SWAPPED);
}
