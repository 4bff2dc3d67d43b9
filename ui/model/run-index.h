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

/* One group of the index. */
typedef struct
{
  MemlaneRunEntryFields fields; /* for writing */
  MemlaneRunKind kind;
  char *path;       /* KEPT: the file's name; else its path */
  char *part;       /* the run, where the file holds several; or NULL */
  char *name;       /* the person's; or NULL */
  gboolean shown;
  gint64 opened;    /* seconds since 1970 */
  int cells;        /* -1: unknown */
} MemlaneRunEntry;

void memlane_run_entry_free (MemlaneRunEntry *entry);

/* The group's name for a run. */
char *memlane_run_index_group (MemlaneRunKind kind, const char *path, const char *part);

/* (transfer full) (element-type utf8 MemlaneRunEntry): by group. *@is_new: there is no index yet. An index that cannot be read is put
 * aside, and * *@problem (transfer full) (nullable) says so. */
GHashTable *memlane_run_index_read (const char *folder, gboolean *is_new, char **problem);

/* @changes: (element-type utf8 MemlaneRunEntry): what stands in each group from now on; NULL: the group goes. G_IO_ERROR_BUSY: another
 * process holds the lock; try later. */
gboolean memlane_run_index_write (const char *folder, GHashTable *changes, GError **error);

/* The lock of the folder: a file descriptor to close, or -1: G_IO_ERROR_BUSY after @wait_ms. */
int memlane_run_index_lock (const char *folder, guint wait_ms, GError **error);
