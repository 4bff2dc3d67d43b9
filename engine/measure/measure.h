/* measure.h: one cell, and one round of a plan, in the calling thread: samples, verification
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "mode/recipe.h"
#include "plan.h"
#include "result/run.h"

/* More samples of one visit tell little more of the next one: that is what visits and rounds are
 * for (result/rounds.h). */
/* A visit has so many at least, the first not counted, whatever they take. It has one more where
 * ways have every second one. */
#define MEMLANE_LEAST_SAMPLES 1
/* of a visit at most, with the usual cell_seconds; in proportion with others */
#define MEMLANE_SET_SAMPLES 5
#define MEMLANE_USUAL_SECONDS 0.25
#define MEMLANE_EXACT_SETS 3    /* of a device without noise, which has one visit */
#define MEMLANE_EXACT_SAMPLES 2 /* of each set of a device without noise, whatever the time */

/* (transfer full): as memlane_cell_new(), for what @method asks of @mode. */
MemlaneCell *memlane_cell_new_for (const MemlaneMethod *method, const MemlaneMode *mode,
                                   double log2_elements);
/* Measures @method's workload in @mode over 2^@log2_elements floats, for the share of cell_seconds
 * that a visit has, and returns the finished cell, whatever happened: unsupported, failed,
 * cancelled and mismatching cells say so in status and detail and keep what was measured before.
 * Its figures are those of one process, with the intervals of their samples and without rounds.
 * Nothing of the cell is left on the device. Blocks; on the thread that owns the device;
 * @cancellable takes effect within one sample. Returns: (transfer full). */
MemlaneCell *memlane_measure_cell (MemlaneDevice *device, const MemlaneMethod *method,
                                   const MemlaneMode *mode, double log2_elements,
                                   const MemlaneReference *reference, GCancellable *cancellable);

#define MEMLANE_WARM_UP_NS 500e6
#define MEMLANE_WARM_UP_STEP_NS 40e6

/* The row's status for a failed call. */
MemlaneStatus memlane_status_from_error (const GError *error);

/* Called in the calling thread. With neither @mode nor @finished: once at the beginning, when the
 * run has its id and environment. With @mode alone: a cell begins. With both: the cell has
 * ended. */
typedef void (*MemlaneMeasureFunc) (const MemlaneRun *run, const MemlaneMode *mode,
                                    double log2_elements, MemlaneCell *finished,
                                    gpointer user_data);

/* Measures one round, or the rest of one: the cells that @order numbers (plan.h), in this order.
 * Each has the figures of this process. Blocks; the thread owns the device, and stays on the
 * processors near it meanwhile. A cell that cannot be measured says why. A lost device or a
 * cancellation ends the round; it takes effect within one sample. Returns: (transfer full). */
MemlaneRun *memlane_measure_round (MemlaneDevice *device, const MemlanePlan *plan,
                                   const GArray *order, MemlaneMeasureFunc tell, gpointer user_data,
                                   GCancellable *cancellable);
