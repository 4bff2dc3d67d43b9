/* runner.h: the steps of an experiment on a device, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 *
 * For the worker, which sends what the steps find; whoever listens judges (result.h). And for tests.
 */
#pragma once

#include "experiment.h"

G_BEGIN_DECLS

/* Told whenever there is news, in the calling thread: @steps_done steps are behind it, @fraction (0 to 1) of the next one; what they have
 * found stands in @result. */
typedef void (*MemlaneExperimentFunc) (const MemlaneExperimentResult *result, guint steps_done, double fraction, gpointer user_data);

/* Opens @device_id (NULL: the default device) and runs the steps from @first to @end, which is left out, as far as one process may: page
 * counters are on or off for a whole process, and what counts pages must not share it with what times their moving. The last telling says
 * how far it came. A lost device ends it, too. Blocks. Nothing is judged. Returns: (transfer full), or NULL with @error: the device cannot
 * be opened. */
MemlaneExperimentResult *memlane_experiment_run_steps (MemlaneExperiment *experiment, guint first, guint end, const char *device_id,
                                                       MemlaneExperimentFunc func, gpointer user_data, GCancellable *cancellable,
                                                       GError **error);
/* All steps in this process, with the rounds of a sweep as well, and the verdict: for tests. */
MemlaneExperimentResult *memlane_experiment_run (MemlaneExperiment *experiment, const char *device_id, GCancellable *cancellable,
                                                 GError **error);

G_END_DECLS
