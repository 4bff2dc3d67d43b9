/* run-store.h: the Runs list: every run the person has, newest first, on disk while it grows
 *
 * SPDX-License-Identifier: MIT
 *
 * Kept runs are RUN-ID.csv + RUN-ID.environment.json in $XDG_DATA_HOME/memlane/runs; names, shown
 * flags and the paths of opened files stand in index.ini beside them. Growing runs are journals of
 * the engine (job/journal.h). The files of a deleted run go when undo is no longer offered. A
 * GListModel of MemlaneRunItem. Main thread; files are read on worker threads.
 *
 * Signals: "changed" (what is to be drawn has changed: a run shown, hidden, read, renamed, removed
 * or grown; merged, at most 10 a second),
 *          "notice" (const char *sentence, gboolean trouble: something that went wrong and what to
 *          do),
 *          "opened" (const char *name, GPtrArray *items (element-type MemlaneRunItem), const char
 *          *problem): open() has ended. NULL @items: @problem says why, maybe with a second line of
 *          path and column. It does not come if the items were removed meanwhile.
 */
#pragma once

#include "run-item.h"

#define MEMLANE_TYPE_RUN_STORE (memlane_run_store_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneRunStore, memlane_run_store, MEMLANE, RUN_STORE, GObject)

/* @folder: NULL for $XDG_DATA_HOME/memlane/runs. Nothing is read before load(). */
MemlaneRunStore *memlane_run_store_new (const char *folder);

/* Lists the folder and adopts journals that a dead process left (they become kept runs). Adds the
 * recorded run and the files opened last time, and starts reading those that are shown. On the very
 * first start (no index) the recorded H200 run is shown. Never fails: trouble is a "notice". */
void memlane_run_store_load (MemlaneRunStore *self);

/* Opens a CSV: reads it on a worker thread. A file with several runs gives several items, of which
 * the first ten are shown. A file that cannot be read leaves the list as it was. Opening a file
 * twice gives the items there are. "opened" follows, perhaps at once. */
void memlane_run_store_open (MemlaneRunStore *self, GFile *file);

/* A sweep's life in the list. begin adds a LIVE item (shown). introduce says what the device told
 * once it was open
 * (@run_id, @environment: the curves look while they grow as they will in the end). grow appends
 * cells (they are referenced). end gives it the complete @run, writes it into the folder and only
 * then discards @journal. When writing fails the journal stays, "notice" says so, and the item
 * remains with all it has. end with @run NULL or without cells removes the item. */
MemlaneRunItem *memlane_run_store_begin (MemlaneRunStore *self, const char *device,
                                         const char *device_kind, const char *name);
void memlane_run_store_introduce (MemlaneRunStore *self, MemlaneRunItem *item, const char *run_id,
                                  MemlaneEnvironment *environment);
/* A cell that an earlier round has brought is replaced. */
void memlane_run_store_grow (MemlaneRunStore *self, MemlaneRunItem *item, GPtrArray *cells);
void memlane_run_store_end (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRun *run,
                            const char *journal);
/* @item only adds cells to what the other runs say: replace() hides none for it. */
void memlane_run_store_put_beside (MemlaneRunStore *self, MemlaneRunItem *item);
/* Hides the last run of the person, and stopped ones after it, but for pinned ones: @item takes
 * their place in the picture. Older ones were ticked by hand, so they stay. */
void memlane_run_store_replace (MemlaneRunStore *self, MemlaneRunItem *item);

/* Takes it off the list, with the others of its file where that is KEPT. Not for LIVE and RECORDED:
 * FALSE. */
gboolean memlane_run_store_remove (MemlaneRunStore *self, MemlaneRunItem *item, GError **error);
/* Brings the item removed last back to where it was, if there is one. */
void memlane_run_store_undo_remove (MemlaneRunStore *self);
/* Undo is no longer offered: the files of what was removed go. */
void memlane_run_store_forget_removed (MemlaneRunStore *self);

/* (transfer full) (element-type MemlaneRunItem): the shown and read ones, in list order, LIVE or
 * newest first. */
GPtrArray *memlane_run_store_get_shown (MemlaneRunStore *self);
/* (nullable) (transfer none) */
MemlaneRunItem *memlane_run_store_find (MemlaneRunStore *self, const char *name_or_id);
/* @base, or with a number where a run has that name: "10:14 Simulated H200 (2)". (transfer full) */
char *memlane_run_store_make_name (MemlaneRunStore *self, const char *base);
const char *memlane_run_store_get_folder (MemlaneRunStore *self);
/* Whether the kept runs are not known yet, or a shown run is being read. */
gboolean memlane_run_store_is_reading (MemlaneRunStore *self);
/* Writes the index now (at exit); else it is written a second after the last change. */
void memlane_run_store_flush (MemlaneRunStore *self);
