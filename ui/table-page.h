/* table-page.h: every cell of the shown runs in a table: sort, filter, copy as CSV
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TABLE_PAGE (memlane_table_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTablePage, memlane_table_page, MEMLANE, TABLE_PAGE, AdwBin)

/* Follows @session for as long as it lives. */
GtkWidget *memlane_table_page_new (MemlaneSession *session);

G_END_DECLS
