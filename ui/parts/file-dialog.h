/* file-dialog.h: asks for a file to open or to write
 *
 * SPDX-License-Identifier: MIT
 *
 * The one place that knows GtkFileChooserNative (GtkFileDialog begins with GTK 4.10). Asynchronous;
 * @chosen is called on the main thread: open() calls it for each file, and last with NULL; save()
 * once, with NULL when the person cancelled. The folder of the last choice is offered first.
 */
#pragma once

#include <gtk/gtk.h>

typedef void (*MemlaneFileChosen) (GFile *file, gpointer user_data);

/* @kinds: what is offered, "*.csv" and the like, each with a name before it, NULL-terminated: {"CSV
 * files", "*.csv", NULL}; NULL: all. */
void memlane_file_dialog_open (GtkWindow *parent, const char *title, const char *const *kinds,
                               gboolean several, MemlaneFileChosen chosen, gpointer user_data);
void memlane_file_dialog_save (GtkWindow *parent, const char *title, const char *suggested_name,
                               const char *const *kinds, MemlaneFileChosen chosen,
                               gpointer user_data);
/* @trouble: a sentence when it did not work; NULL when it did. Called once in any case. */
typedef void (*MemlaneFileShown) (const char *trouble, gpointer user_data);

/* Opens @file in the desktop's program for its type: a CSV in the spreadsheet, a folder in the file
 * manager. */
void memlane_file_dialog_show (GtkWindow *parent, GFile *file, MemlaneFileShown shown,
                               gpointer user_data);
/* Shows @file's folder, or the folder @file itself. */
void memlane_file_dialog_show_folder (GtkWindow *parent, GFile *file, MemlaneFileShown shown,
                                      gpointer user_data);
