/* export-dialog.h: the figure and the rows to a file, the clipboard or a printer
 *
 * SPDX-License-Identifier: MIT
 *
 * All are asynchronous and tell how it went by @done on the main thread: a sentence and whether it is trouble; the sentence is NULL when the person
 * cancelled.
 */
#pragma once

#include <gtk/gtk.h>

#include "chart-view.h"

G_BEGIN_DECLS

typedef void (*MemlaneExportDone) (const char *sentence, gboolean trouble, gpointer user_data);

/* Asks for a file (PNG, SVG, PDF by its ending) and writes what @view shows, at 1280x720 in the screen style, or print where that is chosen. */
void memlane_export_figure (GtkWindow *parent, MemlaneChartView *view, MemlaneExportDone done, gpointer user_data);
/* The same without asking, for tests and scripts. */
gboolean memlane_export_figure_to (MemlaneChartView *view, GFile *file, GError **error);
/* The rows of @run with its environment beside it. */
void memlane_export_csv (GtkWindow *parent, MemlaneRun *run, const char *suggested_name, MemlaneExportDone done, gpointer user_data);
/* What is seen as an image on the clipboard (texture, and SVG as image/svg+xml). */
void memlane_export_copy_figure (MemlaneChartView *view, MemlaneExportDone done, gpointer user_data);
void memlane_export_print (GtkWindow *parent, MemlaneChartView *view, MemlaneExportDone done, gpointer user_data);

G_END_DECLS
