/* result.h: how a result is made: the findings of steps go in one by one, then the claims are
 * judged
 *
 * SPDX-License-Identifier: MIT
 *
 * For the runner, the procedures and tests; experiment.h is what others see of a result. One thread
 * at a time until it is handed out.
 */
#pragma once

#include "analysis/published.h"
#include "experiment.h"
#include "result/statistics.h"
#include "mode/mode.h"

/* The names of all that a step finds, with blanks between them; NULL: none of that kind. */
typedef struct
{
  const char *times, *numbers, *words;
} MemlaneStepOutputs;

/* Whether a step finds @name, and of which kind it is. */
gboolean memlane_step_outputs_find (const MemlaneStepOutputs *outputs, const char *name,
                                    MemlaneValueKind *kind);

MemlaneDoubt memlane_doubt_of_failure (MemlaneStatus status);
void memlane_value_clear (MemlaneValue *value);
void memlane_value_set_none (MemlaneValue *value, MemlaneDoubt doubt, const char *why);
void memlane_value_set_statistics (MemlaneValue *value, MemlaneValueKind kind,
                                   const MemlaneStatistics *statistics);

/* Without findings, its verdicts still open. */
MemlaneExperimentResult *memlane_experiment_result_new (MemlaneExperiment *experiment);
/* Where it is found; takes @machine. */
void memlane_experiment_result_set_device (MemlaneExperimentResult *self, const char *id,
                                           const char *name, const char *kind, char *machine);
/* @value is copied. A second finding with the same step and name comes from another process: the
 * value is the middle of all of them. */
void memlane_result_add (MemlaneExperimentResult *result, const char *step, const char *name,
                         const MemlaneValue *value);
/* Adds the figures of a cell, "pinned/upload/device@20" and so on; for a failed one, why it has
 * nothing, under "pinned@20". */
/* Its cells are values of @step; takes @run. */
void memlane_result_add_run (MemlaneExperimentResult *result, const char *step, MemlaneRun *run);
/* Adds notes to a judged result, if it is of a simulated device and not cut short: in how many
 * checks a recorded H200 says the same, and where not, both verdicts. */
void memlane_experiment_note_recorded (MemlaneExperimentResult *result);
/* Whether what @translate gives is drawn: English that stays goes to files and terminals. */
static inline gboolean
memlane_is_drawn (MemlaneTextLookup translate)
{
  return translate != memlane_stay_english;
}
/* Works out checks, figures, tables and the verdict from the findings. @published (nullable): to
 * stand beside. */
void memlane_experiment_judge (MemlaneExperimentResult *result, const MemlanePublished *published);
