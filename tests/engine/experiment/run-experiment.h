/* run-experiment.h: an experiment on a device, as the product runs it, its workers being threads of the test
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "job/requests.h"
#include "job/experiment-runner.h"

typedef struct
{
  MemlaneExperimentResult *result;
  GError *error;
} RunEnd;

G_GNUC_UNUSED static void
run_experiment_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  RunEnd *end = user_data;

  end->result = g_task_propagate_pointer (G_TASK (result), &end->error);
}

/* (transfer full), or NULL with @error. */
G_GNUC_UNUSED static MemlaneExperimentResult *
run_experiment (MemlaneExperiment *experiment, const char *device, GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlaneExperimentRunner) runner = memlane_experiment_runner_new (device, experiment);
  RunEnd end = { 0 };

  memlane_experiment_runner_run_async (runner, cancellable, run_experiment_cb, &end);
  while (end.result == NULL && end.error == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (end.error != NULL)
    g_propagate_error (error, end.error);
  return end.result;
}
