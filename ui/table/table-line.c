/* table-line.c: one row of the table while it is looked at
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-line.h"

struct _MemlaneTableLine
{
  GObject parent_instance;
  MemlaneTableEntry entry;
  MemlaneCell *cell; /* the entry's, held */
  char *run;
  GHashTable *cache;
  guint place;
};

G_DEFINE_FINAL_TYPE (MemlaneTableLine, memlane_table_line, G_TYPE_OBJECT)

MemlaneTableLine *
memlane_table_line_new (const MemlaneTableRows *rows, guint place, GHashTable *cache)
{
  MemlaneTableLine *self = g_object_new (MEMLANE_TYPE_TABLE_LINE, NULL);

  self->entry = *memlane_table_rows_get (rows, place);
  self->cell = memlane_cell_ref ((MemlaneCell *) self->entry.cell);
  self->run = g_strdup (memlane_table_rows_get_run (rows, place)->name);
  self->place = place;
  self->cache = g_hash_table_ref (cache);
  g_hash_table_insert (cache, GUINT_TO_POINTER (place), self);
  return self;
}

const MemlaneTableEntry *
memlane_table_line_get_entry (MemlaneTableLine *self)
{
  return &self->entry;
}

const char *
memlane_table_line_get_run (MemlaneTableLine *self)
{
  return self->run;
}

static void
finalize (GObject *object)
{
  MemlaneTableLine *self = MEMLANE_TABLE_LINE (object);

  g_hash_table_remove (self->cache, GUINT_TO_POINTER (self->place));
  g_hash_table_unref (self->cache);
  memlane_cell_unref (self->cell);
  g_free (self->run);
  G_OBJECT_CLASS (memlane_table_line_parent_class)->finalize (object);
}

static void
memlane_table_line_class_init (MemlaneTableLineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
memlane_table_line_init (MemlaneTableLine *self)
{
}
