/* table-line.h: one row of the table while it is looked at
 *
 * SPDX-License-Identifier: MIT
 *
 * Made when the view asks for it, gone when nobody holds it: a million rows are a few hundred objects.
 */
#pragma once

#include "table-rows.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TABLE_LINE (memlane_table_line_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTableLine, memlane_table_line, MEMLANE, TABLE_LINE, GObject)

/* @cache: rows that live, by their place; the row takes itself out. Main thread only. */
MemlaneTableLine *memlane_table_line_new (const MemlaneTableRows *rows, guint place, GHashTable *cache);
const MemlaneTableEntry *memlane_table_line_get_entry (MemlaneTableLine *self);
const char *memlane_table_line_get_run (MemlaneTableLine *self); /* its name */

G_END_DECLS
