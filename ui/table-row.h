/* table-row.h: one row of the table while it is looked at
 *
 * SPDX-License-Identifier: MIT
 *
 * Made when the view asks for it, gone when nobody holds it: a million rows are a few hundred objects.
 */
#pragma once

#include "table-rows.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TABLE_ROW (memlane_table_row_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTableRow, memlane_table_row, MEMLANE, TABLE_ROW, GObject)

/* @cache: rows that live, by their place; the row takes itself out. Main thread only. */
MemlaneTableRow *memlane_table_row_new (const MemlaneTableRows *rows, guint place, GHashTable *cache);
const MemlaneTableEntry *memlane_table_row_get_entry (MemlaneTableRow *self);
const char *memlane_table_row_get_run (MemlaneTableRow *self); /* its name */

G_END_DECLS
