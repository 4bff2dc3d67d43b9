/* table-page.h: every cell of the shown runs in a table: sort, filter, copy as CSV
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions: table.copy (Ctrl+C), table.sort (s: a column's id, "" for the runs' own order; again: turned round), table.search
 * (Ctrl+F): what the headers and the pointer do, for the keyboard.
 */
#pragma once

#include <adwaita.h>

#include "model/session.h"
#include "table-model.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TABLE_PAGE (memlane_table_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTablePage, memlane_table_page, MEMLANE, TABLE_PAGE, AdwBin)

/* Follows @session for as long as it lives, while it is mapped: a page that is not seen costs nothing. */
GtkWidget *memlane_table_page_new (MemlaneSession *session);

MemlaneTableModel *memlane_table_page_get_model (MemlaneTablePage *self); /* (transfer none) */

G_END_DECLS
