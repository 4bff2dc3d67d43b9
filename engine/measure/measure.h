/* measure.h: a plan, cell by cell, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "base/api.h"
#include "plan.h"
#include "result/run.h"

MEMLANE_BEGIN_PUBLIC

/* Told in the calling thread. With neither @mode nor @finished: once at the beginning, when the run has its id and environment. With @mode
 * alone: a cell is begun. With both: it has ended. Then @finished is the cell as all rounds so far have it. It stands in @run in the place
 * that the plan gives it. Each further round tells of it again. */
typedef void (*MemlaneMeasureFunc) (const MemlaneRun *run, const MemlaneMode *mode, guint log2_elements, MemlaneCell *finished,
                                    gpointer user_data);

/* Measures @plan on @device, round by round, each in an order of its own. All rounds are in this process: what differs from one process to
 * the next is not in their intervals, so whoever can has a MemlaneSweep (worker/sweep.h) do it. Blocks; on the thread that owns the device,
 * which stays on the processors near it meanwhile. A cell that cannot be measured is a cell that says why, and the others are measured.
 * When the device is lost to this process nothing further is measured. Cancelling takes effect within one sample: the run holds what was
 * measured, and a cell that nothing was measured of is "cancelled". @tell may be NULL. Returns: (transfer full). */
MemlaneRun *memlane_measure (MemlaneDevice *device, const MemlanePlan *plan, MemlaneMeasureFunc tell, gpointer user_data,
                             GCancellable *cancellable);

MEMLANE_END_PUBLIC

#ifdef MEMLANE_COMPILATION /* for the engine and its tests; the shared library does not export it */

G_BEGIN_DECLS

/* One round, or what is left of it: the cells that @order numbers (schedule.h), each with the figures of this process. They are the run's,
 * in this order. */
MemlaneRun *memlane_measure_round (MemlaneDevice *device, const MemlanePlan *plan, const GArray *order, MemlaneMeasureFunc tell,
                                   gpointer user_data, GCancellable *cancellable);
/* A mode's flag may promise an effect on the host's accesses. Then the rows of @cell say what is seen, beside the other mode's cell in
 * @run. A second call changes nothing. */
void memlane_measure_compare_host_access (const MemlaneRun *run, MemlaneCell *cell);

G_END_DECLS

#endif
