/* file-dialog.c: the portable file dialog
 *
 * SPDX-License-Identifier: MIT
 */
#include "file-dialog.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  MemlaneFileChosen chosen;
  gpointer user_data;
} Asked;

static GFile *last_folder;

static void
response_cb (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autofree Asked *asked = data;
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  guint n = response == GTK_RESPONSE_ACCEPT ? g_list_model_get_n_items (files) : 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      g_clear_object (&last_folder);
      last_folder = g_file_get_parent (file);
      asked->chosen (file, asked->user_data);
    }
  if (n == 0
      || gtk_file_chooser_get_action (GTK_FILE_CHOOSER (dialog)) == GTK_FILE_CHOOSER_ACTION_OPEN)
    asked->chosen (NULL, asked->user_data);
  g_object_unref (dialog);
}

/* With its parent's window GTK's dialog goes, too, but says nothing; whoever waits for the answer
 * would hold the parent for ever. */
static void
parent_hidden_cb (GtkNativeDialog *dialog)
{
  gtk_native_dialog_hide (dialog);
  g_signal_emit_by_name (dialog, "response", GTK_RESPONSE_CANCEL);
}

static gboolean
end_complaint_cb (gpointer window)
{
  if (gtk_window_get_transient_for (window) == NULL)
    gtk_window_destroy (window);
  return G_SOURCE_REMOVE;
}

/* GTK's dialog that closes while it reads a folder says "Operation was cancelled" in a window
 * without a parent, seen in 4.8. That window would outlive ours. None of our own is a
 * GtkMessageDialog. */
static void
windows_changed_cb (GListModel *windows, guint at, guint removed, guint added)
{
  for (guint i = at; i < at + added; i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (GTK_IS_MESSAGE_DIALOG (window)) /* it has no parent before it is constructed */
        g_idle_add_full (G_PRIORITY_HIGH, end_complaint_cb, g_object_ref (window), g_object_unref);
    }
}

static void
add_kinds (GtkFileChooser *chooser, const char *const *kinds)
{
  gsize i;

  for (i = 0; kinds != NULL && kinds[i] != NULL && kinds[i + 1] != NULL; i += 2)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
      g_auto (GStrv) patterns = g_strsplit (kinds[i + 1], " ", -1);
      gsize j;

      gtk_file_filter_set_name (filter, kinds[i]);
      for (j = 0; patterns[j] != NULL; j++)
        gtk_file_filter_add_pattern (filter, patterns[j]);
      gtk_file_chooser_add_filter (chooser, filter);
    }
}

static void
ask (GtkWindow *parent, const char *title, GtkFileChooserAction action, const char *accept,
     const char *suggested_name, const char *const *kinds, gboolean several,
     MemlaneFileChosen chosen, gpointer user_data)
{
  static gboolean watches;
  GtkFileChooserNative *dialog;
  Asked *asked;

  if (parent != NULL && !gtk_widget_get_visible (GTK_WIDGET (parent)))
    {
      chosen (NULL, user_data); /* a key that was pressed while it closed */
      return;
    }
  if (!watches)
    g_signal_connect (gtk_window_get_toplevels (), "items-changed", G_CALLBACK (windows_changed_cb),
                      NULL);
  watches = TRUE;
  dialog = gtk_file_chooser_native_new (title, parent, action, accept, NULL);
  asked = g_new (Asked, 1);
  *asked = (Asked) { chosen, user_data };
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), several);
  add_kinds (GTK_FILE_CHOOSER (dialog), kinds);
  if (last_folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), last_folder, NULL);
  if (suggested_name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), suggested_name);
  /* the dialog lives until then */
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), asked);
  if (parent != NULL)
    g_signal_connect_object (parent, "hide", G_CALLBACK (parent_hidden_cb), dialog,
                             G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

void
memlane_file_dialog_open (GtkWindow *parent, const char *title, const char *const *kinds,
                          gboolean several, MemlaneFileChosen chosen, gpointer user_data)
{
  ask (parent, title, GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), NULL, kinds, several, chosen,
       user_data);
}

void
memlane_file_dialog_save (GtkWindow *parent, const char *title, const char *suggested_name,
                          const char *const *kinds, MemlaneFileChosen chosen, gpointer user_data)
{
  ask (parent, title, GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), suggested_name, kinds, FALSE,
       chosen, user_data);
}

typedef struct
{
  MemlaneFileShown shown;
  gpointer user_data;
  GFile *file;
} Shown;

static void
shown_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autofree Shown *shown = data;
  g_autoptr (GFile) file = g_steal_pointer (&shown->file);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL, *sentence = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    {
      name = g_file_get_parse_name (file);
      sentence = g_strdup_printf (_("No program opened %s: %s"), name, error->message);
    }
  shown->shown (sentence, shown->user_data);
}

void
memlane_file_dialog_show (GtkWindow *parent, GFile *file, MemlaneFileShown done, gpointer user_data)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (parent));
  g_autoptr (GAppLaunchContext) context = NULL;
  g_autofree char *uri = g_file_get_uri (file);
  Shown *shown = g_new (Shown, 1);

  *shown = (Shown) { done, user_data, g_object_ref (file) };
  context = G_APP_LAUNCH_CONTEXT (gdk_display_get_app_launch_context (display));
  g_app_info_launch_default_for_uri_async (uri, context, NULL, shown_cb, shown);
}

void
memlane_file_dialog_show_folder (GtkWindow *parent, GFile *file, MemlaneFileShown done,
                                 gpointer user_data)
{
  gboolean is_folder =
      g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
  g_autoptr (GFile) folder = NULL;

  folder = is_folder ? g_object_ref (file) : g_file_get_parent (file);
  memlane_file_dialog_show (parent, folder, done, user_data);
}
