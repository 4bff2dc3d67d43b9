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

#include "rows.h"

G_BEGIN_DECLS

/* One row while it is looked at: made when the view asks for it, gone when nobody holds it, so a million rows are a few hundred objects. */
#define MEMLANE_TYPE_TABLE_LINE (memlane_table_line_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTableLine, memlane_table_line, MEMLANE, TABLE_LINE, GObject)
struct _MemlaneTableLine
{
  GObject parent_instance;
  MemlaneTableEntry entry;
  char *run;         /* its name */
  MemlaneCell *cell; /* the entry's, held */
  GHashTable *cache; /* lines that live, by their place: it takes itself out */
  guint place;
};

#define MEMLANE_TYPE_TABLE_MODEL (memlane_table_model_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTableModel, memlane_table_model, MEMLANE, TABLE_MODEL, GObject)

/* @items: (element-type MemlaneRunItem): the runs to show, all of them read. Call it again when one has grown. */
void memlane_table_model_set_runs (MemlaneTableModel *self, GPtrArray *items);
/* Copied. */
void memlane_table_model_set_request (MemlaneTableModel *self, const MemlaneTableRequest *request);

typedef struct
{
  guint total, seen; /* rows before and after the filter */
  guint selected;    /* of those that are seen */
  guint copied;      /* what "copy" means now: the selected rows that are seen, or all that are seen when none is */
  gboolean busy;     /* a worker puts them in order */
} MemlaneTableCounts;

MemlaneTableCounts memlane_table_model_count (MemlaneTableModel *self);
/* memlane_table_rows_varies() of all rows. */
gboolean memlane_table_model_varies (MemlaneTableModel *self, MemlaneColumn column);
/* Those that are copied, in the order that is seen. (transfer full): rows of their own, which another thread may read. */
MemlaneTableRows *memlane_table_model_copy_rows (MemlaneTableModel *self);

G_END_DECLS
