/* table-model.h: the rows of the Table page as a list that sorts, filters and selects a million of them
 *
 * SPDX-License-Identifier: MIT
 *
 * A GListModel of MemlaneTableLine and its own GtkSelectionModel: what is selected belongs to rows, not to places, so it outlives
 * sorting, filtering and growth. Small tables are put in order at once, large ones on a worker thread while the old order stays to
 * be seen.
 *
 * GTK's own sort and filter models would make an object of each row and hold it.
 *
 * Signal "news": the counts below or "busy" changed.
 */
#pragma once

#include <gtk/gtk.h>

#include "table-order.h"
#include "table-line.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TABLE_MODEL (memlane_table_model_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTableModel, memlane_table_model, MEMLANE, TABLE_MODEL, GObject)

MemlaneTableModel *memlane_table_model_new (void);
/* @items: (element-type MemlaneRunItem): the runs to show, all of them read. Call it again when one has grown. */
void memlane_table_model_set_runs (MemlaneTableModel *self, GPtrArray *items);
/* Copied. */
void memlane_table_model_set_request (MemlaneTableModel *self, const MemlaneTableRequest *request);

guint memlane_table_model_get_total (MemlaneTableModel *self);    /* rows before the filter */
guint memlane_table_model_get_selected (MemlaneTableModel *self); /* of those that are seen */
gboolean memlane_table_model_is_busy (MemlaneTableModel *self);

/* What "copy" means now: the selected rows that are seen, or all that are seen when none is; in the order that is seen. */
guint memlane_table_model_count_copied (MemlaneTableModel *self);
/* (transfer full): rows of their own, which another thread may read. */
MemlaneTableRows *memlane_table_model_copy_rows (MemlaneTableModel *self);

G_END_DECLS
