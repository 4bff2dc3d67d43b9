/* run-experiment.h: an experiment on a device, as the product runs it, its workers being threads of
 * the test
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "job/requests.h"
#include "job/experiment-runner.h"

typedef struct
{
  double fraction; /* that was told last */
  MemlaneExperimentResult *result;
  GError *error;
} RunEnd;

G_GNUC_UNUSED static void
run_experiment_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  RunEnd *end = user_data;

  end->result = g_task_propagate_pointer (G_TASK (result), &end->error);
}

/* What is done grows. */
G_GNUC_UNUSED static void
run_progress_cb (MemlaneExperimentRunner *runner, RunEnd *end)
{
  const double fraction = memlane_experiment_runner_get_progress (runner).fraction;

  g_assert_cmpfloat (fraction, >=, end->fraction);
  g_assert_cmpfloat (fraction, <=, 1);
  end->fraction = fraction;
}

/* (transfer full), or NULL with @error. */
G_GNUC_UNUSED static MemlaneExperimentResult *
run_experiment (MemlaneExperiment *experiment, const char *device, GCancellable *cancellable,
                GError **error)
{
  g_autoptr (MemlaneExperimentRunner) runner = memlane_experiment_runner_new (device, experiment);
  RunEnd end = { 0 };

  g_signal_connect (runner, "progress", G_CALLBACK (run_progress_cb), &end);
  memlane_experiment_runner_run_async (runner, cancellable, run_experiment_cb, &end);
  while (end.result == NULL && end.error == NULL)
    g_main_context_iteration (NULL, TRUE);
  if (end.error != NULL)
    g_propagate_error (error, end.error);
  else if (!end.result->cancelled)
    g_assert_cmpfloat (end.fraction, ==, 1);
  return end.result;
}
