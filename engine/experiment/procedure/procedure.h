/* procedure.h: the steps of an experiment on a device: what it does by calls of its own, written
 * against device/device.h alone
 *
 * SPDX-License-Identifier: MIT
 *
 * A procedure is a recipe: the same calls on a GPU and on a simulated device. It asks for
 * capabilities, never for a device's name. All procedures with what they find are listed in
 * data/experiments/README.md.
 *
 * Memory, streams and events are taken through the context, which gives all of them back at the
 * end, also after an error. So a procedure leaves the device as it was.
 */
#pragma once

#include "device/held.h"
#include "experiment/experiment.h"
#include "experiment/result.h"
#include "measure/lab.h"
#include "measure/plan.h"
#include "trace/summary.h"

typedef struct _MemlaneProcedureContext MemlaneProcedureContext;

/* 0: the procedure's default. */
typedef struct
{
  /* size of a vector: 2^ so many floats; with last_log2 the first of the sizes */
  guint log2_elements;
  /* run at each size up to this one, outputs named "NAME@SIZE"; 0: at log2_elements alone, without
   * the @ */
  guint last_log2;
  guint64 bytes;
  guint times;         /* repetitions inside one sample */
  guint samples;
} MemlaneProcedureOptions;

typedef struct
{
  const char *id;
  const char *summary;                   /* one sentence, English */
  MemlaneStepOutputs outputs;
  gboolean is_once;                      /* each process finds the same, so one runs it */
  /* no process that counts pages may run it: see needed_process() */
  gboolean is_undisturbed;
  gboolean is_blocking;                  /* it runs in a process whose CUDA_LAUNCH_BLOCKING is 1 */
  MemlaneProcedureOptions defaults;      /* 0: the procedure has no such option */
  MemlaneProcedureOptions most;
  /* FALSE with @error: a call failed; what was found until then counts. */
  gboolean (*run) (MemlaneProcedureContext *context, GError **error);
} MemlaneProcedure;

/* A step of an experiment runs this; its group in the file says so. */
struct _MemlaneStepPlan
{
  MemlanePlan *sweep;                    /* SWEEP; TRACE: one mode, one size */
  MemlaneLabPlan lab;                    /* TRACE without a sweep: the laboratory's pipeline */
  const MemlaneProcedure *procedure;     /* TRACE, PROCEDURE */
  /* likewise; of TRACE the samples: how often it is recorded */
  MemlaneProcedureOptions options;
  /* id of the simulated device that the step runs on; NULL: the experiment's device */
  const char *what_if;
};

/* Records the sample that a step [Trace ID] or [Lab ID] plans. It has no name in files. */
extern const MemlaneProcedure memlane_procedure_recording;
/* All others; constant data, any thread. */
const MemlaneProcedure *const *memlane_procedure_list (guint *n);
/* (nullable) */
const MemlaneProcedure *memlane_procedure_find (const char *id);

struct _MemlaneProcedureContext
{
  MemlaneDevice *device;                 /* NULL: it could not be opened */
  const MemlaneProcedure *procedure;
  const MemlaneStepPlan *plan;           /* of a recording; else NULL */
  MemlaneProcedureOptions options;       /* with defaults filled in */
  /* what opening the device took, of real time; 0: it is not real */
  double open_ns;
  GCancellable *cancellable;             /* (nullable) */
  void (*tell) (double fraction, gpointer user_data); /* how far a recording is */
  gpointer user_data;
  /* by memlane_procedure_run() alone */
  gsize elements, bytes;                 /* of a vector */
  MemlaneExperimentResult *result;
  const char *step;
  GArray *outputs;                       /* what was found of each */
  MemlaneHeld held;                      /* what is to be given back */
};

/* Runs the procedure of @context and adds to @result what it finds under @step. A step that fails
 * says so in each output that it still owes; without a device @trouble says why. */
void memlane_procedure_run (MemlaneProcedureContext *context, MemlaneExperimentResult *result,
                            const char *step, const GError *trouble);

/* --- for procedures --------------------------------------------------------------------------- */

/* by default: the interval of their median is x(2) to x(10), 98.8 % */
#define MEMLANE_PROCEDURE_SAMPLES 11
/* by default, of words: what happens once in seven times shows itself with 95 % */
#define MEMLANE_PROCEDURE_TRIALS 20

/* @output must be one of the procedure's; samples of one name become a median and its interval. */
void memlane_procedure_sample (MemlaneProcedureContext *context, const char *output, double value);
/* The same of output "@group/@what". */
void memlane_procedure_sample_of (MemlaneProcedureContext *context, const char *group,
                                  const char *what, double value);
/* One trial's answer. Trials that answer differently leave no word but MEMLANE_DOUBT_MIXED. */
void memlane_procedure_word (MemlaneProcedureContext *context, const char *output,
                             const char *word);
/* "yes", "no" */
void memlane_procedure_yes (MemlaneProcedureContext *context, const char *output, gboolean yes);
/* The word of "cudaMalloc (8 bytes): cudaErrorMemoryAllocation: out of memory" is
 * "cudaErrorMemoryAllocation". FALSE: the message has no such name, and the word is @otherwise. */
gboolean memlane_procedure_word_of_error (MemlaneProcedureContext *context, const char *output,
                                          const char *message, const char *otherwise);
/* It cannot be had here. */
void memlane_procedure_lack (MemlaneProcedureContext *context, const char *output,
                             MemlaneDoubt doubt, const char *why);
void memlane_procedure_note (MemlaneProcedureContext *context, const char *format, ...)
    G_GNUC_PRINTF (2, 3);
/* (transfer none) */
void memlane_procedure_keep_trace (MemlaneProcedureContext *context, MemlaneTrace *trace);
/* FALSE with @error, MEMLANE_DEVICE_ERROR_UNSUPPORTED, unless the device has all of @needed. */
gboolean memlane_procedure_need (MemlaneProcedureContext *context, MemlaneCapabilities needed,
                                 GError **error);
/* TRUE while nobody has cancelled; else FALSE with @error. */
gboolean memlane_procedure_go_on (MemlaneProcedureContext *context, GError **error);

/* Takes one thing after the other (device/held.h). All is given back at the end, or before by
 * memlane_procedure_free(). */
#define memlane_procedure_take(context, error, ...)                                                \
  memlane_held_take (&(context)->held, error, __VA_ARGS__)
#define memlane_procedure_free(context, pointer, error)                                            \
  memlane_held_give (&(context)->held, pointer, error)

/* Holds @stream by the latch, calls @call, and tells whether it returned while the stream was held:
 * *@waited (nullable). A call that waits does so until the latch gives way by itself, a fifth of a
 * second. The latch is open afterwards and everything done. @queue (nullable) is issued behind the
 * latch before. */
typedef gboolean (*MemlaneHeldCall) (MemlaneProcedureContext *context, gpointer data,
                                     GError **error);
gboolean memlane_procedure_hold (MemlaneProcedureContext *context, MemlaneStream *stream,
                                 MemlaneHeldCall queue, MemlaneHeldCall call, gpointer data,
                                 gboolean *waited, GError **error);
/* Calls @make, and records its calls when it is called again: a profiler's first calls pay for its
 * own setting up. @mode (nullable) and @method stand in the trace. (transfer full), or NULL with
 * @error. */
MemlaneTrace *memlane_procedure_record (MemlaneProcedureContext *context, MemlaneHeldCall make,
                                        gpointer data, const char *workload, const char *mode,
                                        const char *method, GError **error);

/* --- for the worker, which sends what the steps find ---------------------------------------------
 *
 * The other side measures the sweeps and judges (job/experiment-runner.h). */

/* Called whenever there is news, in the calling thread: @steps_done steps are done, and @fraction
 * (0 to 1) of the next one. @result contains what they have found. */
typedef void (*MemlaneExperimentFunc) (const MemlaneExperimentResult *result, guint steps_done,
                                       double fraction, gpointer user_data);

/* Opens @device_id (NULL: the default device) and runs the steps from @first to before @end, as far
 * as one process may. Page counters are on or off for a whole process, and what counts pages must
 * not share it with what times their moving. @rounds such processes share the samples, unless one
 * says all. The last call says how far it came.
 * A lost device ends it, too. Sweeps are left out. Blocks. Nothing is judged.
 * Returns: (transfer full), or NULL with @error: the device cannot be opened. */
MemlaneExperimentResult *memlane_experiment_run_steps (
    MemlaneExperiment *experiment, guint first, guint end, guint rounds, const char *device_id,
    MemlaneExperimentFunc func, gpointer user_data, GCancellable *cancellable, GError **error);
