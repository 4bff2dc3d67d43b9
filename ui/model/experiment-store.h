/* experiment-store.h: the experiments that the window offers, and the one that runs
 *
 * SPDX-License-Identifier: MIT
 *
 * Running is done in this process, on a worker thread: a result holds runs, traces and intervals,
 * and nothing hands one from process to process. So memlane_trace_prepare() is not called for it:
 * CUPTI's page counters would stay on and slow what this process measures later. What a GPU's trace
 * therefore does not count, the page and the engine's notes say; memlane-cli experiment run counts
 * it.
 *
 * One experiment at a time, and none beside a sweep or a recording: the bench (bench.h) says why.
 *
 * GObject without GTK, main thread only. GListModel of MemlaneExperimentItem: by number, those
 * without one behind them, opened ones last. Property: "skip" boolean (rw): run without a
 * prediction. How far a run is, the
 * bench tells: "2 of 3: measuring · vector-add: ..."; its Stop takes effect within one sample, and
 * what was found until then is a result. Signals: "notice" (const char *sentence, gboolean
 * trouble); "refused" (const char *sentence: the file, the line and the reason); "opened"
 * (MemlaneExperimentItem *item): a file was read; "finished" (MemlaneExperimentItem *item): a run
 * ended, with its result if there is one; "changed": whether something can run may have changed.
 */
#pragma once

#include "experiment-item.h"
#include "device-choice.h"
#include "plan-model.h"
#include "trace-store.h"
#include "view-model.h"

#define MEMLANE_TYPE_EXPERIMENT_STORE (memlane_experiment_store_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentStore, memlane_experiment_store, MEMLANE, EXPERIMENT_STORE,
                      GObject)

/* Others read the fields, and write by the properties. */
struct _MemlaneExperimentStore
{
  GObject parent_instance;

  MemlaneDeviceChoice *devices;
  MemlanePlanModel *plan;
  MemlaneViewModel *view;
  MemlaneRunStore *runs;
  MemlaneTraceStore *traces;
  GPtrArray *items;               /* (element-type MemlaneExperimentItem) */
  GPtrArray *problems;            /* (element-type utf8) (nullable): why files were refused */
  gboolean skip;

  MemlaneBench *bench;
  /* (owned) (nullable); a run's callback holds a reference to the store, too */
  MemlaneExperimentItem *running;
  GCancellable *cancellable;
};

/* Experiments run on the chosen one of @devices. Their runs and traces go to @runs and @traces, and
 * are chosen in @plan and @view. Reads nothing before load(). */
MemlaneExperimentStore *memlane_experiment_store_new (MemlaneBench *bench,
                                                      MemlaneDeviceChoice *devices,
                                                      MemlanePlanModel *plan,
                                                      MemlaneViewModel *view, MemlaneRunStore *runs,
                                                      MemlaneTraceStore *traces);
/* Reads the list, once. Returns why files were refused. (transfer none) (element-type utf8) */
const GPtrArray * memlane_experiment_store_load (MemlaneExperimentStore *self);
/* Reads a person's own file: "opened" or "refused". Opened again it stands for what it held
 * before. */
void memlane_experiment_store_open (MemlaneExperimentStore *self, const char *path);
/* By name, or by path when it was opened. (nullable) (transfer none) */
MemlaneExperimentItem *memlane_experiment_store_find (MemlaneExperimentStore *self,
                                                      const char *name_or_path);
/* Returns the name that find() takes. (transfer none) */
const char *memlane_experiment_store_get_name (MemlaneExperimentItem *item);
gboolean memlane_experiment_store_is_experiment (const char *path); /* by its ending */

/* Why @item cannot run now; NULL: it can. (transfer none), until the main loop runs again. */
const char *memlane_experiment_store_get_objection (MemlaneExperimentStore *self,
                                                    MemlaneExperimentItem *item);
/* On the chosen device. With an objection it is a "notice". */
void memlane_experiment_store_run (MemlaneExperimentStore *self, MemlaneExperimentItem *item);

/* Puts the measured cells of the result into the list of runs, shown. Chooses their workload and
 * modes in the plan, so that the charts show them. A second time shows what is there. FALSE: the
 * result has no cells. */
gboolean memlane_experiment_store_keep_runs (MemlaneExperimentStore *self,
                                             MemlaneExperimentItem *item);
/* Puts the recorded traces on the store of traces, the first two below each other. FALSE: the
 * result has none. */
gboolean memlane_experiment_store_show_traces (MemlaneExperimentStore *self,
                                               MemlaneExperimentItem *item);
