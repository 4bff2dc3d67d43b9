/* columns.h: the columns of the Table page: cells, headers, and what a click on a header asks for
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "rows.h"

G_BEGIN_DECLS

/* Adds all columns to @view, whose list is of MemlaneTableLine. */
void memlane_table_columns_add (GtkColumnView *view);
/* (transfer none) */
GtkColumnViewColumn *memlane_table_columns_get (GtkColumnView *view, MemlaneColumn column);
/* What the headers say now: fills @sorts and returns how many. gtk_column_view_get_sorter() emits "changed" when it is another. */
guint memlane_table_columns_get_sorts (GtkColumnView *view, MemlaneTableSort sorts[MEMLANE_N_COLUMNS]);

G_END_DECLS
