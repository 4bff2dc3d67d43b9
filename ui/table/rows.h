/* table-rows.h: every row that the Table page could show, as it stands in the CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * A row is a figure of a cell, or the word of a cell that no figure tells (why there are none). Rows are only ever appended; their
 * places never change. Reference counted (atomic). Grow it only on the main thread and only while nobody else holds it
 * (memlane_table_rows_is_shared()); then other threads may read what they hold, since cells are immutable.
 */
#pragma once

#include "model/session.h"

G_BEGIN_DECLS

typedef struct
{
  const MemlaneCell *cell;     /* a reference is held by the run below */
  const MemlaneFigure *figure; /* NULL: the cell's own word */
  guint run;                   /* index of its run */
} MemlaneTableEntry;

typedef struct
{
  MemlaneRunItem *item;        /* owned; main thread only */
  char *name;
  MemlaneRun *record;          /* id, device and kind, without cells: what the CSV repeats in each row */
  GPtrArray *cells;            /* (element-type MemlaneCell), owned references, in the run's order */
} MemlaneTableRun;

typedef struct
{
  int ref_count;
  GArray *entries;             /* (element-type MemlaneTableEntry) */
  GPtrArray *runs;             /* (element-type MemlaneTableRun) */
} MemlaneTableRows;

MemlaneTableRows *memlane_table_rows_new (void);
MemlaneTableRows *memlane_table_rows_ref (MemlaneTableRows *self);
/* The last one must go on the main thread: it holds objects. */
void memlane_table_rows_unref (MemlaneTableRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTableRows, memlane_table_rows_unref)
gboolean memlane_table_rows_is_shared (MemlaneTableRows *self);

static inline guint
memlane_table_rows_count (const MemlaneTableRows *self)
{
  return self->entries->len;
}

static inline const MemlaneTableEntry *
memlane_table_rows_get (const MemlaneTableRows *self, guint row)
{
  return &g_array_index (self->entries, MemlaneTableEntry, row);
}

static inline const MemlaneTableRun *
memlane_table_rows_get_run (const MemlaneTableRows *self, guint row)
{
  return (const MemlaneTableRun *) g_ptr_array_index (self->runs, memlane_table_rows_get (self, row)->run);
}

/* TRUE: @items (element-type MemlaneRunItem) are the runs that are here, with the same names, and have what they had and perhaps
 * more: append() is enough. */
gboolean memlane_table_rows_extends_to (const MemlaneTableRows *self, GPtrArray *items);
/* Takes over the cells of @items that are not here yet; runs that are not here yet come behind the others. */
void memlane_table_rows_append (MemlaneTableRows *self, GPtrArray *items);

/* Appends row @place of @source to @self, which has no other rows than such. */
void memlane_table_rows_take_from (MemlaneTableRows *self, const MemlaneTableRows *source, guint place);

/* What the CSV and the page say of a row. */
MemlaneStatus memlane_table_entry_get_status (const MemlaneTableEntry *entry);
const char *memlane_table_entry_get_detail (const MemlaneTableEntry *entry); /* (nullable) */

G_END_DECLS
