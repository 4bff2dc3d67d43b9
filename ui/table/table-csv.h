/* table-csv.h: rows of the table as CSV, and onto the clipboard
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "table-rows.h"

G_BEGIN_DECLS

/* More rows than this (about 50 MB) are for a file, not for the clipboard. */
#define MEMLANE_TABLE_MOST_COPIED 200000

/* Header and rows, with the columns of MEMLANE_CSV_COLUMNS. NULL with G_IO_ERROR_CANCELLED. Any thread. (transfer full) */
GBytes *memlane_table_csv (const MemlaneTableRows *rows, GCancellable *cancellable, GError **error);

/* Writes the rows on a worker thread and then puts them on @clipboard, as text/csv and as text. Takes @rows: (transfer full). */
void memlane_table_copy_async (MemlaneTableRows *rows, GdkClipboard *clipboard, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
/* How many rows were copied; 0 with @error. */
guint memlane_table_copy_finish (GAsyncResult *result, GError **error);

G_END_DECLS
