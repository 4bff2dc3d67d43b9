/* runner.h: the steps of an experiment on a device, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 *
 * For the worker, which sends what the steps find. The other side measures the sweeps and judges (job/experiment-runner.h).
 */
#pragma once

#include "experiment.h"

/* Called whenever there is news, in the calling thread: @steps_done steps are done, and @fraction (0 to 1) of the next one. @result
 * contains what they have found. */
typedef void (*MemlaneExperimentFunc) (const MemlaneExperimentResult *result, guint steps_done, double fraction, gpointer user_data);

/* Whether one process says all of the device of @result: it is simulated, without noise. */
gboolean memlane_experiment_is_exact (const MemlaneExperimentResult *result);
/* Opens @device_id (NULL: the default device) and runs the steps from @first to before @end, as far as one process may. Page counters are
 * on or off for a whole process, and what counts pages must not share it with what times their moving. @rounds such processes share the
 * samples, unless one says all. The last call says how far it came.
 * A lost device ends it, too. Sweeps are left out. Blocks. Nothing is judged.
 * Returns: (transfer full), or NULL with @error: the device cannot be opened. */
MemlaneExperimentResult *memlane_experiment_run_steps (MemlaneExperiment *experiment, guint first, guint end, guint rounds,
                                                       const char *device_id, MemlaneExperimentFunc func, gpointer user_data,
                                                       GCancellable *cancellable, GError **error);
