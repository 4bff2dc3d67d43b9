/* journal.h: what has been measured is on disk as soon as its cell ends
 *
 * SPDX-License-Identifier: MIT
 *
 * A journal is a folder RUN-ID under $XDG_STATE_HOME/memlane/journals. It has environment.json and a table for each pass: cells.csv,
 * cells-2.csv and so on (the CSV of csv.h, one write and fdatasync per cell). Each holds what its pass saw, in that pass's order; read,
 * they are one run, by the rule in its environment (result/rounds.h). While its writer lives it holds a lock (flock) on cells.csv. A
 * journal without a lock belongs to a process that died or to a run whose file could not be written. A torn last line is dropped on
 * reading. Writers: one thread; listing and reading: any.
 */
#pragma once

#include <glib.h>

#include "csv.h"

typedef struct
{
  char *path;        /* the folder */
  char *run;         /* run id */
  guint cells;       /* of the run that can be read */
  char *problem;     /* why the run lacks what was written after these cells: damage, or too much; NULL: nothing is wrong */
  gint64 modified;   /* seconds since 1970 */
} MemlaneJournalEntry;

/* Journals that nobody writes any more, newest first; (transfer full) (element-type MemlaneJournalEntry), possibly empty. Never fails. */
GPtrArray *memlane_journal_list (void);
/* The run, with the cells before any damage. (transfer full) */
MemlaneRun *memlane_journal_read (const char *path, GError **error);
gboolean memlane_journal_discard (const char *path, GError **error);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* The writer. */
typedef struct _MemlaneJournal MemlaneJournal;

MemlaneJournal *memlane_journal_open (const MemlaneRun *run, GError **error); /* run: id, device, environment are taken now */
/* Appends from now on to @pass (result/rounds.h), from its beginning on: what was there of it is thrown away. The first pass has
 * begun. */
gboolean memlane_journal_begin_pass (MemlaneJournal *self, guint pass, GError **error);
gboolean memlane_journal_append (MemlaneJournal *self, const MemlaneCell *cell, GError **error);
const char *memlane_journal_get_path (MemlaneJournal *self);                  /* the folder */
void memlane_journal_close (MemlaneJournal *self);                            /* leaves the files */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneJournal, memlane_journal_close)

#endif
