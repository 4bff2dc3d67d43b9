/* dialog-fixture.h: answers the dialog that asks for a file
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "ui-test.h"

static GtkFileChooserDialog *
dialog_find (void)
{
  return (GtkFileChooserDialog *) ui_test_find_window (GTK_TYPE_FILE_CHOOSER_DIALOG, NULL);
}

static gboolean
dialog_is_there (gpointer data)
{
  return dialog_find () != NULL;
}

static gboolean
dialog_is_gone (gpointer data)
{
  return dialog_find () == NULL;
}

static gboolean
dialog_is_in (gpointer data)
{
  g_autoptr (GFile) folder = gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (dialog_find ()));

  return folder != NULL && g_file_equal (folder, data);
}

static gboolean
dialog_has_looked (gpointer data)
{
  GtkWidget *view = ui_test_find_type (GTK_WIDGET (dialog_find ()), GTK_TYPE_TREE_VIEW);
  GtkWidget *columns = ui_test_find_type (GTK_WIDGET (dialog_find ()), GTK_TYPE_COLUMN_VIEW); /* from GTK 4.10 on */

  return (view != NULL && gtk_tree_view_get_model (GTK_TREE_VIEW (view)) != NULL)
         || (columns != NULL && gtk_column_view_get_model (GTK_COLUMN_VIEW (columns)) != NULL);
}

/* "A file of that name is there already": NULL where it is not asked. */
static GtkWindow *
dialog_find_question (void)
{
  return (GtkWindow *) ui_test_find_window (GTK_TYPE_MESSAGE_DIALOG, NULL);
}

static gboolean
dialog_has_decided (gpointer data)
{
  return dialog_find () == NULL || dialog_find_question () != NULL;
}

/* The window that asks how a figure is to be written; NULL where there is none. */
static inline GtkWidget *
dialog_find_preview (void)
{
  return ui_test_find_window (GTK_TYPE_WINDOW, "figure-export");
}

/* From 4.10 on GTK's dialog complains of its own path bar when the folder changes, and loses that folder's entries: seen in 4.18. The
 * leaks stand in GIO's threads without a name, so that a test which has answered such a dialog looks for leaks on the floor only. */
static gboolean dialog_has_answered;

static gboolean
dialog_is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  return gtk_get_minor_version () < 10 || !g_str_has_prefix (message, "gtk_box_remove: assertion '");
}

/* GLib's tests count as failed what they print of a critical message, fatal or not. */
static void
dialog_log (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (dialog_is_fatal (domain, level, message, data))
    g_log_default_handler (domain, level, message, data);
  else
    g_test_message ("%s", message);
}

/* The leak sanitizer asks it at the end. */
int __lsan_is_turned_off (void);
int
__lsan_is_turned_off (void)
{
  return dialog_has_answered && gtk_get_minor_version () >= 10;
}

/* NULL @name: as it stands. What is there already is replaced. A figure's own dialog is left as it stands, by Save. */
static void
dialog_answer_in (const char *where, const char *name, int response)
{
  g_autoptr (GFile) folder = g_file_new_for_path (where);
  GtkWidget *preview = dialog_find_preview ();

  if (!dialog_has_answered)
    g_log_set_handler ("Gtk", G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, dialog_log, NULL);
  dialog_has_answered = TRUE;
  g_test_log_set_fatal_handler (dialog_is_fatal, NULL); /* until the test's end */
  if (preview != NULL)
    gtk_widget_activate_action (preview, "export.save", NULL);
  ui_test_wait (dialog_is_there (NULL));
  g_assert_nonnull (gtk_window_get_transient_for (GTK_WINDOW (dialog_find ())));
  /* Cancelled before that, GTK complains in a dialog of its own. */
  ui_test_wait (dialog_has_looked (NULL));
  ui_test_spin (200);
  if (name != NULL)
    {
      g_assert_true (gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog_find ()), folder, NULL));
      ui_test_wait (dialog_is_in (folder)); /* it looks at folders in its own time */
      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog_find ()), name);
    }
  gtk_dialog_response (GTK_DIALOG (dialog_find ()), response);
  ui_test_wait (dialog_has_decided (NULL));
  if (dialog_find_question () != NULL) /* "Replace" has another number in each GTK, and is always the default */
    gtk_widget_activate (gtk_window_get_default_widget (dialog_find_question ()));
  ui_test_wait (dialog_is_gone (NULL));
}

/* In the test's own folder. */
G_GNUC_UNUSED static void
dialog_answer (const char *name, int response)
{
  dialog_answer_in (ui_test_home, name, response);
}
