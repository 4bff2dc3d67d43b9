/* experiment-runner.h: an experiment measured by workers, and judged here
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "experiment/experiment.h"

#define MEMLANE_TYPE_EXPERIMENT_RUNNER (memlane_experiment_runner_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentRunner, memlane_experiment_runner, MEMLANE,
                      EXPERIMENT_RUNNER, GObject)

/**
 * MemlaneExperimentRunner: one experiment on one device, once.
 *
 * Its steps are run by workers (README.md beside this file), here or on a host: steps that count
 * pages and steps that time their moving in processes of their own, and each round of a sweep
 * (sweep.h). A worker that dies or hangs costs the step that it was in; the next one goes on behind
 * it.
 *
 * Belongs to one thread: that of run_async's caller, on whose thread-default main context all is
 * told.
 * Signal "progress" (MemlaneExperimentRunner *): memlane_experiment_runner_get_progress() has news.
 */

/* @device_id: "cuda:0", "gpu1/cuda:0"; NULL: this machine's default. */
MemlaneExperimentRunner *memlane_experiment_runner_new (const char *device_id,
                                                        MemlaneExperiment *experiment);
/* Cancelling takes effect within one sample; the result holds what was found until then.
 * g_task_propagate_pointer() gives the MemlaneExperimentResult, (transfer full), or NULL with an
 * error when the device could not be opened. All other trouble is in the result. */
void memlane_experiment_runner_run_async (MemlaneExperimentRunner *self, GCancellable *cancellable,
                                          GAsyncReadyCallback callback, gpointer user_data);

typedef struct
{
  guint steps_done, steps_total;     /* once it is over: steps that were begun */
  double fraction;                   /* 0 to 1, over all steps; cells of a sweep count */
  /* the step in work; NULL before the first and after the last */
  const MemlaneExperimentStep *step;
  /* what the host says while it has not answered yet; NULL: it has */
  const char *waiting;
} MemlaneExperimentProgress;

MemlaneExperimentProgress memlane_experiment_runner_get_progress (MemlaneExperimentRunner *self);
