/* sweep.h: a plan measured by workers, round by round, while the caller's main loop goes on
 *
 * SPDX-License-Identifier: MIT
 *
 * The measuring is done by processes of their own (README.md beside this file), here or on a host,
 * a fresh one for each round. What is measured is kept on this side: in the journal, cell by cell.
 * A worker that dies, hangs or loses its device costs the round of the cell that it was in. The
 * next one goes on behind it. Two in a row that measure nothing end the sweep, with what it has.
 */
#pragma once

#include <gio/gio.h>

#include "measure/plan.h"
#include "result/run.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_SWEEP (memlane_sweep_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneSweep, memlane_sweep, MEMLANE, SWEEP, GObject)

/**
 * MemlaneSweep: one run of one plan on one device.
 *
 * Belongs to one thread: that of run_async's caller, on whose thread-default main context all is
 * told.
 *
 * Signal "cell" (MemlaneSweep *, MemlaneCell *cell): a round has measured it, and it is in the
 * journal. The cell is (transfer none), and is all that the rounds so far know of it. In the run it
 * has replaced the one that was told before. It may be told without a round of its own, when what
 * it is compared with has changed.
 * Signal "progress" (MemlaneSweep *): memlane_sweep_get_progress() has news.
 */

/* Measures @plan (copied) on @device_id: "cuda:0", "gpu1/cuda:0"; NULL: this machine's default.
 * When @journal is TRUE, every cell is on disk before it is announced (journal.h). Cancelling takes
 * effect within one sample: the run holds what was measured, each cell with the rounds that it has;
 * one in its first round becomes "cancelled". A worker that does not answer to it is ended after
 * five seconds. */
MemlaneSweep *memlane_sweep_new (const char *device_id, const MemlanePlan *plan, gboolean journal);
/* g_task_propagate_pointer() gives the MemlaneRun, (transfer full), complete or cut short (its
 * progress tells: was_cancelled,
 * trouble). NULL with an error: the device could not be opened or its host not be reached. Failed
 * cells are rows of the run, not errors. */
void memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
/* Does both and blocks until the end, for programs without a main loop. */
MemlaneRun *memlane_sweep_run (MemlaneSweep *self, GCancellable *cancellable, GError **error);

typedef struct
{
  guint round, rounds;  /* the one in work, from 1, and how many are foreseen */
  guint cells_done, cells_total; /* of this round */
  double fraction;      /* of all rounds, 0 to 1 */
  double seconds_left;  /* wall time; < 0: not known yet */
  const char *mode;     /* the cell in work: its mode's id, static; NULL: none yet */
  double log2_elements;
  char *waiting;        /* what the host says while it has not answered yet; NULL: it has */
  /* as far as it is, with its id and environment, so that it can be drawn as a finished one. NULL
   * until the device is * open, which is before the first cell is announced. Cells are in the
   * plan's order. With each round "rounds" of * its environment grows. */
  MemlaneRun *run;
  /* the device has no noise, so that one round is all; FALSE until it is open */
  gboolean is_exact;
  /* why a journal that was asked for does not hold all cells that are measured; NULL: it does. Each
   * further cell is * a new try to write what is missing, so what was full may heal. "progress"
   * tells. */
  char *journal_problem;
  /* after the end */
  gboolean was_cancelled;
  /* why the run holds less than the plan, or fewer rounds; NULL: it holds all of it, or was
   * cancelled */
  char *trouble;
  /* its path; NULL: there is none, or no cell is in it. The caller removes it once the run is safe
   * elsewhere: * memlane_journal_discard(). */
  char *journal;
} MemlaneSweepProgress;

/* (transfer none), all of it: the sweep's own, renewed before each signal. */
const MemlaneSweepProgress *memlane_sweep_get_progress (MemlaneSweep *self);

G_END_DECLS
