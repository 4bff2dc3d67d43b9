/* measure.h: one round of a plan, cell by cell, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "plan.h"
#include "result/run.h"

/* Called in the calling thread. With neither @mode nor @finished: once at the beginning, when the run has its id and environment. With
 * @mode alone: a cell begins. With both: the cell has ended. */
typedef void (*MemlaneMeasureFunc) (const MemlaneRun *run, const MemlaneMode *mode, double log2_elements, MemlaneCell *finished,
                                    gpointer user_data);

/* Measures one round, or the rest of one: the cells that @order numbers (schedule.h), in this order. Each has the figures of this process.
 * Blocks; the thread owns the device, and stays on the processors near it meanwhile. A cell that cannot be measured says why. A lost device
 * or a cancellation ends the round; it takes effect within one sample. Returns: (transfer full). */
MemlaneRun *memlane_measure_round (MemlaneDevice *device, const MemlanePlan *plan, const GArray *order, MemlaneMeasureFunc tell,
                                   gpointer user_data, GCancellable *cancellable);
