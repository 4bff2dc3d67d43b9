/* sweep.h: modes x sizes on a worker thread
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "mode/mode.h"
#include "result/run.h"
#include "mode/workload.h"

G_BEGIN_DECLS

/* What to measure. */
typedef struct
{
  const MemlaneWorkload *workload;
  const MemlaneMode **modes;      /* NULL-terminated, owned array of static modes */
  guint first_log2, last_log2;    /* sizes 2^first .. 2^last elements, both included */
  double precision;               /* 0.02: +-2 % of the median */
  double cell_seconds;            /* time budget of one cell, on the device's clock */
  guint reuse;                    /* kernel launches (or copies) per transfer, >= 1 */
  guint streams, chunks;          /* for the stream modes; 1..MEMLANE_MOST_STREAMS, 1..MEMLANE_MOST_CHUNKS */
  guint64 seed;
  gboolean keep_samples;
} MemlanePlan;

#define MEMLANE_SMALLEST_LOG2 4
#define MEMLANE_LARGEST_LOG2 28

/* The defaults of measurement.md: vector-add, all modes, 2^10..2^20, 2 %, 0.25 s, reuse 1, 8 streams, 8 chunks. */
MemlanePlan *memlane_plan_new (void);
void memlane_plan_free (MemlanePlan *plan);
MemlanePlan *memlane_plan_copy (const MemlanePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePlan, memlane_plan_free)
/* "all" or a comma-separated list; FALSE with G_IO_ERROR_INVALID_ARGUMENT and a message that names the wrong one
 * and lists the right ones. */
gboolean memlane_plan_set_modes (MemlanePlan *plan, const char *list, GError **error);
/* "10:20" or "14". */
gboolean memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error);
guint memlane_plan_count_cells (const MemlanePlan *plan);

#define MEMLANE_TYPE_SWEEP (memlane_sweep_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneSweep, memlane_sweep, MEMLANE, SWEEP, GObject)

/**
 * MemlaneSweep: one run of one plan on one device.
 *
 * Signal "cells" (MemlaneSweep *, GPtrArray *cells): cells that have finished since the last one, at most 10 times a second, on the main
 *   context that was the thread default of run_async's caller. The array is (transfer none).
 * Signal "progress" (MemlaneSweep *): the getters below have news; same context, same rate.
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

/* Runs the plan in the calling thread. For tools and tests; same results. */
MemlaneRun *memlane_sweep_run (MemlaneSweep *self, GCancellable *cancellable, GError **error);

/* Progress. Main-context side only. */
guint memlane_sweep_get_cells_done (MemlaneSweep *self);
guint memlane_sweep_get_cells_total (MemlaneSweep *self);
double memlane_sweep_get_seconds_left (MemlaneSweep *self); /* wall time; < 0: not known yet */
const char *memlane_sweep_get_current_mode (MemlaneSweep *self); /* id, or NULL */
guint memlane_sweep_get_current_log2 (MemlaneSweep *self);
/* The run's id and environment (result/environment.h), so that a growing run can be drawn as a finished one; NULL until the device is open,
 * which is before the first cell is announced. The same until the sweep runs again. */
const char *memlane_sweep_get_run_id (MemlaneSweep *self);
const char *memlane_sweep_get_environment (MemlaneSweep *self);
/* After the end: the journal's path, or NULL where there is none or no cell in it. The caller removes it once the run is safe elsewhere:
 * memlane_journal_discard(). */
const char *memlane_sweep_get_journal (MemlaneSweep *self);
/* After the end: why a journal that was asked for holds no cell (its path is NULL) or not all of them; NULL: it holds the run. */
const char *memlane_sweep_get_journal_problem (MemlaneSweep *self);

G_END_DECLS
