/* sweep.h: a plan measured on a worker thread; memlane_measure() without waiting for it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "base/api.h"
#include "plan.h"
#include "result/run.h"

MEMLANE_BEGIN_PUBLIC

#define MEMLANE_TYPE_SWEEP (memlane_sweep_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneSweep, memlane_sweep, MEMLANE, SWEEP, GObject)

/**
 * MemlaneSweep: one run of one plan on one device.
 *
 * Signal "cells" (MemlaneSweep *, GPtrArray *cells): cells that have finished since the last one, at most 10 times a second, on the main
 *   context that was the thread default of run_async's caller. The array is (transfer none).
 * Signal "progress" (MemlaneSweep *): memlane_sweep_get_progress() has news; same context, same rate.
 */

/* Opens @device_id (NULL: the default) and measures @plan (copied) on a worker thread. When @journal is TRUE, every cell is on disk before
 * it is announced (result/journal.h). Ends by calling @callback on the caller's thread-default main context, always after the worker has
 * cleaned up. Cancelling takes effect within one sample: the cell in work becomes "cancelled", the run holds what was measured. */
MemlaneSweep *memlane_sweep_new (const char *device_id, const MemlanePlan *plan, gboolean journal);
void memlane_sweep_run_async (MemlaneSweep *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* Returns: (transfer full): the run, complete or cut short by cancellation (then memlane_sweep_was_cancelled()), or NULL with @error
 * when the device could not be opened. Failed cells are rows of the run, not errors. */
MemlaneRun *memlane_sweep_run_finish (MemlaneSweep *self, GAsyncResult *result, GError **error);
gboolean memlane_sweep_was_cancelled (MemlaneSweep *self);

typedef struct
{
  guint cells_done, cells_total;
  double seconds_left;  /* wall time; < 0: not known yet */
  const char *mode;     /* the cell in work: its mode's id, static; NULL: none yet */
  guint log2_elements;
} MemlaneSweepProgress;

/* What follows is for the main context's side alone. */

/* (transfer none): the sweep's own, renewed before each signal. */
const MemlaneSweepProgress *memlane_sweep_get_progress (MemlaneSweep *self);
/* The run's id and environment (measure/environment.h), so that a growing run can be drawn as a finished one; NULL until the device is
 * open, which is before the first cell is announced. */
const char *memlane_sweep_get_run_id (MemlaneSweep *self);
const char *memlane_sweep_get_environment (MemlaneSweep *self);
/* After the end: the journal's path, or NULL where there is none or no cell in it. The caller removes it once the run is safe elsewhere:
 * memlane_journal_discard(). */
const char *memlane_sweep_get_journal (MemlaneSweep *self);
/* After the end: why a journal that was asked for holds no cell (its path is NULL) or not all of them; NULL: it holds the run. */
const char *memlane_sweep_get_journal_problem (MemlaneSweep *self);

MEMLANE_END_PUBLIC
