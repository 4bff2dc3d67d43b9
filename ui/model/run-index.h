/* run-index.h: names, shown flags and opened files in index.ini
 *
 * SPDX-License-Identifier: MIT
 *
 * Two processes may keep runs in one folder, so an index is never written as one process knows it: under a lock, the groups that
 * changed here are put into the file as it is now. Reading from any thread.
 */
#pragma once

#include "run-item.h"

/* The fields of a group to write; the rest stays as another process may have written it. */
typedef enum
{
  MEMLANE_ENTRY_NAME = 1 << 0,
  MEMLANE_ENTRY_SHOWN = 1 << 1,
  MEMLANE_ENTRY_CELLS = 1 << 2,
  MEMLANE_ENTRY_ALL = (1 << 3) - 1,
} MemlaneRunEntryFields;

/* The group of a run; NULL: it has none. (transfer full) */
char *memlane_run_index_group (const MemlaneRunItem *item);

/* (transfer full) (element-type MemlaneRunItem): what the index says of each run; of a kept or recorded one the path is the file's name.
 * *@is_new: there is no index yet. An index that cannot be read is put aside, and *@problem (transfer full) (nullable) says so. */
GPtrArray *memlane_run_index_read (const char *folder, gboolean *is_new, char **problem);

/* @dirty: (element-type utf8 MemlaneRunEntryFields): what is to be written of each group; one that is of none of @items goes.
 * G_IO_ERROR_BUSY: another process holds the lock; try later. */
gboolean memlane_run_index_write (const char *folder, GHashTable *dirty, GPtrArray *items, GError **error);

/* The lock of the folder: a file descriptor to close, or -1: G_IO_ERROR_BUSY after @wait_ms. */
int memlane_run_index_lock (const char *folder, guint wait_ms, GError **error);
