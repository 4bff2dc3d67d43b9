/* csv-private.h: what the rooms of engine/result/ share about the CSV
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "csv.h"

G_BEGIN_DECLS

#define MEMLANE_CSV_N_COLUMNS 25
#define MEMLANE_CSV_FIELD_LIMIT (64 * 1024)   /* bytes in one field */
#define MEMLANE_CSV_LINE_LIMIT (1024 * 1024)  /* bytes in one row */

/* Reads a CSV from @fd, which stays open, as memlane_csv_read does but without the environment. @name: for messages. @limit: the file ends
 * after so many bytes. */
GPtrArray *memlane_csv_read_fd (int fd, const char *name, guint64 limit, MemlaneCsvProgress progress, gpointer user_data,
                                GCancellable *cancellable, GError **error);

/* The text of an environment file, or NULL: not there, too large, or no JSON object. @device and @device_kind (each may be NULL) receive
 * what it says of them, or NULL: (transfer full). */
char *memlane_csv_read_environment (const char *path, char **device, char **device_kind);

/* The worst status of the figures of @cell, and the detail of the first that has it. */
void memlane_csv_summarize (const MemlaneCell *cell, MemlaneStatus *status, const char **detail);

G_END_DECLS
