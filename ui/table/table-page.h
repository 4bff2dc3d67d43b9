/* table-page.h: the medians of a shown run in a table of modes by sizes
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions: table.copy (Ctrl+C) copies the table, table.spreadsheet opens the run's CSV in the
 * desktop's spreadsheet.
 */
#pragma once

#include <adwaita.h>

#include "model/view-model.h"
#include "parts/page.h"

#define MEMLANE_TYPE_TABLE_PAGE (memlane_table_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTablePage, memlane_table_page, MEMLANE, TABLE_PAGE, AdwBin)

/* A page (parts/page.h). Follows the shown ones of @runs, the workload and the phase of @view for
 * as long as it lives, while it is mapped. */
GtkWidget *memlane_table_page_new (MemlaneRunStore *runs, MemlaneViewModel *view);
