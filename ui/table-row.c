/* table-row.c: one row of the table while it is looked at
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-row.h"

struct _MemlaneTableRow
{
  GObject parent_instance;
  MemlaneTableEntry entry;
  MemlaneCell *cell; /* the entry's, held */
  char *run;
  GHashTable *cache;
  guint place;
};

G_DEFINE_FINAL_TYPE (MemlaneTableRow, memlane_table_row, G_TYPE_OBJECT)

MemlaneTableRow *
memlane_table_row_new (const MemlaneTableRows *rows, guint place, GHashTable *cache)
{
  MemlaneTableRow *self = g_object_new (MEMLANE_TYPE_TABLE_ROW, NULL);

  self->entry = *memlane_table_rows_get (rows, place);
  self->cell = memlane_cell_ref ((MemlaneCell *) self->entry.cell);
  self->run = g_strdup (memlane_table_rows_get_run (rows, place)->name);
  self->place = place;
  self->cache = g_hash_table_ref (cache);
  g_hash_table_insert (cache, GUINT_TO_POINTER (place), self);
  return self;
}

const MemlaneTableEntry *
memlane_table_row_get_entry (MemlaneTableRow *self)
{
  return &self->entry;
}

const char *
memlane_table_row_get_run (MemlaneTableRow *self)
{
  return self->run;
}

static void
finalize (GObject *object)
{
  MemlaneTableRow *self = MEMLANE_TABLE_ROW (object);

  g_hash_table_remove (self->cache, GUINT_TO_POINTER (self->place));
  g_hash_table_unref (self->cache);
  memlane_cell_unref (self->cell);
  g_free (self->run);
  G_OBJECT_CLASS (memlane_table_row_parent_class)->finalize (object);
}

static void
memlane_table_row_class_init (MemlaneTableRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
memlane_table_row_init (MemlaneTableRow *self)
{
}
