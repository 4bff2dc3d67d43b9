/* columns.h: the columns of the Table page: cells, headers, and how each column sorts
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "rows.h"

/* Adds all columns to @view, whose list is of MemlaneTableLine. Call it before anything else listens to gtk_column_view_get_sorter():
 * when that one changes, the columns first learn their directions. */
void memlane_table_columns_add (GtkColumnView *view);
/* (transfer none) */
GtkColumnViewColumn *memlane_table_columns_get (GtkColumnView *view, MemlaneColumn column);
/* Returns the column that sorts first and its direction; FALSE: rows stand as measured. */
gboolean memlane_table_columns_get_sort (GtkColumnView *view, MemlaneColumn *column, gboolean *descending);
/* The icons before the words for what became of a cell; NULL for "ok". */
extern const char *const memlane_table_status_icons[MEMLANE_N_STATUSES];
