/* journal.h: a measurement is on disk as soon as its worker has sent it
 *
 * SPDX-License-Identifier: MIT
 *
 * A journal is a file RUN-ID.journal in $XDG_STATE_HOME/memlane/journals: the messages (message.h)
 * that the run's workers sent, each with one write and one fdatasync. The first line is the run.
 * Each other line is a visit of a cell: its pass and its place (result/rounds.h), a blank, its
 * message. Samples are left out. The rounds that are read become a run by the rule in its
 * environment.
 * A living writer holds a lock (flock) on the file. A journal without a lock belongs to a process
 * that died or to a run whose file could not be written. A torn last line is dropped on reading.
 * Writers: one thread; listing and reading: any.
 */
#pragma once

#include <glib.h>

#include "base/file-error.h"
#include "result/run.h"

typedef struct
{
  char *path;
  char *run;         /* run id */
  guint cells;       /* of the run that can be read */
  char *problem;     /* why the run lacks what was written after these cells; NULL: nothing */
  gint64 modified;   /* seconds since 1970 */
} MemlaneJournalEntry;

/* Returns the journals that nobody writes any more, newest first. Those of Memlane 0.2 are folders,
 * and have that as their problem. Never fails.
 * (transfer full) (element-type MemlaneJournalEntry) */
GPtrArray *memlane_journal_list (void);
/* Returns the run, with the cells before any damage. (transfer full) */
MemlaneRun *memlane_journal_read (const char *path, GError **error);
gboolean memlane_journal_discard (const char *path, GError **error);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* The writer. */
typedef struct _MemlaneJournal MemlaneJournal;

/* Writes @run without its cells. */
MemlaneJournal *memlane_journal_open (const MemlaneRun *run, GError **error);
/* Appends a visit, as memlane_rounds_take() gets it. */
gboolean memlane_journal_append (MemlaneJournal *self, guint pass, guint place,
                                 const MemlaneCell *cell, GError **error);
const char *memlane_journal_get_path (MemlaneJournal *self);
void memlane_journal_close (MemlaneJournal *self); /* leaves the file */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneJournal, memlane_journal_close)

#endif
