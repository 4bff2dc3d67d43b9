/* experiment-results.h: what an experiment found: verdict, figures beside the published ones,
 * explanation
 *
 * SPDX-License-Identifier: MIT
 *
 * Its buttons activate experiment.show-timeline, experiment.show-run and win.save-findings.
 */
#pragma once

#include <adwaita.h>

#include "memlane.h"

#define MEMLANE_TYPE_EXPERIMENT_RESULTS (memlane_experiment_results_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentResults, memlane_experiment_results, MEMLANE,
                      EXPERIMENT_RESULTS, AdwBin)

/* @result (nullable): nothing is shown. @prediction (nullable): how the person's prediction
 * compares with it. */
void memlane_experiment_results_set (MemlaneExperimentResults *self,
                                     MemlaneExperimentResult *result, const char *prediction);
/* On the wall: the verdict, what decided it, and the picture, which takes the room that is left. */
void memlane_experiment_results_set_wall (MemlaneExperimentResults *self, gboolean wall);
