/* export-dialog.h: the figure, the rows and the trace to a file, the clipboard or a printer
 *
 * SPDX-License-Identifier: MIT
 *
 * All are asynchronous and tell how it went by @done on the main thread: a sentence, whether it is
 * trouble, and the file that was written (NULL where there is none); the sentence is NULL when the
 * person cancelled. Style and size of figures: the preferences'. @view is a MemlaneFigureWidget.
 */
#pragma once

#include <gtk/gtk.h>

#include "memlane.h"

typedef void (*MemlaneExportDone) (const char *sentence, gboolean trouble, GFile *file,
                                   gpointer user_data);

/* Asks how (figure-export.h) and where, and writes what @view shows. The ending of the file's name
 * decides on the format. */
void memlane_export_figure (GtkWindow *parent, GtkWidget *view, MemlaneExportDone done,
                            gpointer user_data);
/* The rows of @run with its environment beside it. */
void memlane_export_csv (GtkWindow *parent, MemlaneRun *run, const char *suggested_name,
                         MemlaneExportDone done, gpointer user_data);
/* Chrome trace JSON, which Perfetto opens, too. */
void memlane_export_trace (GtkWindow *parent, MemlaneTrace *trace, MemlaneExportDone done,
                           gpointer user_data);
/* Asks for a file, @ending where the name has none, and calls @write on a worker thread. @data is
 * released with @release in the end, on any thread. */
typedef gboolean (*MemlaneExportWrite) (gpointer data, const char *path, GError **error);
void memlane_export_written (GtkWindow *parent, const char *title, const char *suggested_name,
                             const char *const *kinds, const char *ending, MemlaneExportWrite write,
                             gpointer data, GDestroyNotify release, MemlaneExportDone done,
                             gpointer user_data);
/* Copies the figure to the clipboard (texture, and SVG as image/svg+xml). */
void memlane_export_copy_figure (GtkWidget *view, MemlaneExportDone done, gpointer user_data);
/* One page, in the print style. */
void memlane_export_print (GtkWindow *parent, GtkWidget *view, MemlaneExportDone done,
                           gpointer user_data);

/* Returns what copying gives to the clipboard. (transfer full) */
GdkContentProvider *memlane_export_create_content (GtkWidget *view, GError **error);
