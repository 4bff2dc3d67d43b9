/* table-rows.c: every row that the Table page could show, as it stands in the CSV
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-rows.h"

#include "model/run-item.h"

static void
free_run (gpointer data)
{
  MemlaneTableRun *run = data;

  g_object_unref (run->item);
  g_free (run->name);
  memlane_run_unref (run->record);
  memlane_release_cells (run->cells);
  g_free (run);
}

MemlaneTableRows *
memlane_table_rows_new (void)
{
  MemlaneTableRows *self = g_new0 (MemlaneTableRows, 1);

  self->ref_count = 1;
  self->entries = g_array_new (FALSE, FALSE, sizeof (MemlaneTableEntry));
  self->runs = g_ptr_array_new_with_free_func (free_run);
  return self;
}

MemlaneTableRows *
memlane_table_rows_ref (MemlaneTableRows *self)
{
  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
memlane_table_rows_unref (MemlaneTableRows *self)
{
  if (!g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_array_unref (self->entries);
  g_ptr_array_unref (self->runs);
  g_free (self);
}

gboolean
memlane_table_rows_is_shared (MemlaneTableRows *self)
{
  return g_atomic_int_get (&self->ref_count) > 1;
}

/* --- growing ---------------------------------------------------------------------------------------------------------------- */

static gboolean
begins_with (const MemlaneRun *run, GPtrArray *cells)
{
  if (run->cells->len < cells->len)
    return FALSE;
  for (guint i = 0; i < cells->len; i++)
    if (g_ptr_array_index (run->cells, i) != g_ptr_array_index (cells, i))
      return FALSE;
  return TRUE;
}

gboolean
memlane_table_rows_extends_to (const MemlaneTableRows *self, GPtrArray *items)
{
  if (items->len != self->runs->len)
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = g_ptr_array_index (items, i);
      MemlaneTableRun *run = g_ptr_array_index (self->runs, i);

      if (run->item != item || g_strcmp0 (run->name, memlane_run_item_get_name (item)) != 0
          || !begins_with (memlane_run_item_get_run (item), run->cells))
        return FALSE;
    }
  return TRUE;
}

/* As in the CSV: where a cell has no figure, or none that says what became of the cell. */
static gboolean
has_own_word (const MemlaneCell *cell)
{
  const MemlaneFigure *worst = NULL;

  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = g_ptr_array_index (cell->figures, i);

      if (worst == NULL || figure->status > worst->status)
        worst = figure;
    }
  return worst == NULL || cell->status != worst->status
         || (cell->detail != NULL && *cell->detail != '\0' && g_strcmp0 (cell->detail, worst->detail) != 0);
}

static void
append_cell (MemlaneTableRows *self, guint run, const MemlaneCell *cell)
{
  gboolean due = has_own_word (cell);

  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = g_ptr_array_index (cell->figures, i);

      if (due && figure->phase > MEMLANE_PHASE_ELAPSED)
        {
          g_array_append_vals (self->entries, &(MemlaneTableEntry) { cell, NULL, run }, 1);
          due = FALSE;
        }
      g_array_append_vals (self->entries, &(MemlaneTableEntry) { cell, figure, run }, 1);
    }
  if (due)
    g_array_append_vals (self->entries, &(MemlaneTableEntry) { cell, NULL, run }, 1);
}

static MemlaneTableRun *
add_run (MemlaneTableRows *self, MemlaneRunItem *item, const MemlaneRun *record, const char *name)
{
  MemlaneTableRun *run = g_new0 (MemlaneTableRun, 1);

  run->item = g_object_ref (item);
  run->name = g_strdup (name);
  run->record = memlane_run_new (record->id, record->device, record->device_kind);
  run->cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  g_ptr_array_add (self->runs, run);
  return run;
}

void
memlane_table_rows_append (MemlaneTableRows *self, GPtrArray *items)
{
  g_assert (!memlane_table_rows_is_shared (self));
  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = g_ptr_array_index (items, i);
      const MemlaneRun *source = memlane_run_item_get_run (item);
      MemlaneTableRun *run = i < self->runs->len ? g_ptr_array_index (self->runs, i)
                                                 : add_run (self, item, source, memlane_run_item_get_name (item));

      g_assert (run->item == item);
      for (guint j = run->cells->len; j < source->cells->len; j++)
        {
          MemlaneCell *cell = g_ptr_array_index (source->cells, j);

          g_ptr_array_add (run->cells, memlane_cell_ref (cell));
          append_cell (self, i, cell);
        }
    }
}

void
memlane_table_rows_take_from (MemlaneTableRows *self, const MemlaneTableRows *source, guint place)
{
  MemlaneTableEntry entry = *memlane_table_rows_get (source, place);
  MemlaneTableRun *run;

  for (guint i = self->runs->len; i < source->runs->len; i++)
    {
      MemlaneTableRun *from = g_ptr_array_index (source->runs, i);

      add_run (self, from->item, from->record, from->name);
    }
  run = g_ptr_array_index (self->runs, entry.run);
  if (run->cells->len == 0 || g_ptr_array_index (run->cells, run->cells->len - 1) != entry.cell)
    g_ptr_array_add (run->cells, memlane_cell_ref ((MemlaneCell *) entry.cell));
  g_array_append_val (self->entries, entry);
}

/* --- what a row says -------------------------------------------------------------------------------------------------------- */

MemlaneStatus
memlane_table_entry_get_status (const MemlaneTableEntry *entry)
{
  return entry->figure != NULL ? entry->figure->status : entry->cell->status;
}

const char *
memlane_table_entry_get_detail (const MemlaneTableEntry *entry)
{
  return entry->figure != NULL ? entry->figure->detail : entry->cell->detail;
}
