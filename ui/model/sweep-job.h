/* sweep-job.h: the sweep: what the plan measures on the chosen device, as a job on the bench
 *
 * SPDX-License-Identifier: MIT
 *
 * A sweep that begins shows its own workload. How far it is, the bench tells: "cell 37 of 220 ·
 * managed 2^16 · 12 s left". Stopping the bench takes effect within a sample; what was measured
 * stays. GObject without GTK, main thread only.
 *
 * Property: "running" boolean: a sweep goes on.
 * Signals:
 *   "changed": what run() would measure, or whether it can
 *   "notice" (const char *sentence, gboolean trouble): something to tell the person
 *   "swept" (MemlaneRunItem *item (nullable), gboolean stopped): a sweep ended
 */
#pragma once

#include "device-choice.h"
#include "plan-model.h"
#include "view-model.h"

#define MEMLANE_TYPE_SWEEP_JOB (memlane_sweep_job_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneSweepJob, memlane_sweep_job, MEMLANE, SWEEP_JOB, GObject)

MemlaneSweepJob *memlane_sweep_job_new (MemlaneBench *bench, MemlaneDeviceChoice *devices,
                                        MemlanePlanModel *plan, MemlaneViewModel *view,
                                        MemlaneRunStore *runs);

/* @reason (nullable): "Choose at least one mode"; (transfer none), until the main loop runs
 * again. */
gboolean memlane_sweep_job_can_run (MemlaneSweepJob *self, const char **reason);
/* Does nothing while a sweep goes on. Trouble is a "notice". */
void memlane_sweep_job_run (MemlaneSweepJob *self);
/* Runs the plan until the machine has MEMLANE_HISTORY_LEAST earlier sweeps; the last one counts.
 * Each is a run of its own. */
void memlane_sweep_job_run_again (MemlaneSweepJob *self);
/* At "swept": whether another sweep follows by itself. */
gboolean memlane_sweep_job_goes_on (MemlaneSweepJob *self);
/* Whether the chosen device is no simulated one, so that its machine has a history. */
gboolean memlane_sweep_job_has_history (MemlaneSweepJob *self);
/* Does what run() does for these cells alone, with the chosen method otherwise; what the person
 * chose stays chosen. @pieces: 0: the chosen number. */
void memlane_sweep_job_run_cells (MemlaneSweepJob *self, const char *workload,
                                  const char *const *modes, double log2_elements, guint reuse,
                                  guint pieces);
/* Returns what run() would measure, and how long that takes: modes that can run times sizes, and
 * wall time. The time comes from what the last sweep on this device took, else from the time that a
 * cell may take. */
guint memlane_sweep_job_count_cells (MemlaneSweepJob *self);
double memlane_sweep_job_estimate_seconds (MemlaneSweepJob *self);
/* Returns the estimate in whole seconds, or minutes: "4 s". (transfer full) */
char *memlane_sweep_job_describe_estimate (MemlaneSweepJob *self);
gboolean memlane_sweep_job_is_running (MemlaneSweepJob *self);
