/* runner.c: the steps of an experiment on a device, one after the other
 *
 * SPDX-License-Identifier: MIT
 *
 * A step that cannot be done leaves a note and values that say why; the next one runs all the same.
 */
#include "runner.h"

#include <string.h>

#include "analysis/findings.h"
#include "measure/record.h"
#include "procedure/procedure.h"
#include "result.h"
#include "step-plan.h"
#include "trace/summary.h"

/* One run: what its steps share. The device is opened when a step needs it. */
typedef struct
{
  MemlaneExperimentFunc tell;
  gpointer user_data;
  guint place;           /* of the step in work */
  guint rounds;          /* processes that share the samples */
  const char *device_id;
  MemlaneDevice *device; /* NULL: not open now */
  double open_ns;        /* what opening it took the first time, of real time; 0: it is simulated */
  MemlaneExperimentResult *result;
  GCancellable *cancellable;
} Run;

static void
tell (const Run *run, double fraction)
{
  if (run->tell != NULL)
    run->tell (run->result, run->place, fraction, run->user_data);
}

static void note (Run *run, const MemlaneExperimentStep *step, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
note (Run *run, const MemlaneExperimentStep *step, const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL;

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (run->result->notes, g_strdup_printf ("%s: %s", step->id, said));
}

static MemlaneDoubt
doubt_of (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return MEMLANE_DOUBT_CANCELLED;
  return g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED) ? MEMLANE_DOUBT_UNSUPPORTED : MEMLANE_DOUBT_FAILED;
}

/* The part of @samples that this process takes: fewer than three have no middle. */
static guint
share (const Run *run, guint samples)
{
  return run->rounds > 1 && samples > 0 ? MAX (3, (samples + run->rounds - 1) / run->rounds) : samples;
}

/* --- devices ------------------------------------------------------------------------------------------------------------- */

/* The device of @step; given back by close_device(). */
static MemlaneDevice *
open_device (Run *run, const MemlaneExperimentStep *step, GError **error)
{
  if (step->what_if)
    return memlane_device_open (step->plan->what_if, error);
  if (run->device == NULL)
    run->device = memlane_device_open (run->device_id, error);
  return run->device;
}

static void
close_device (Run *run, MemlaneDevice *device)
{
  if (device != run->device)
    memlane_device_close (device);
}

/* --- traces ------------------------------------------------------------------------------------------------------------------ */

enum
{
  ELAPSED, UP, KERNEL, DOWN, SERIAL, ONE_WAY, FULL, MEASURED, EFFICIENCY, COPIES, KERNELS, FAULTS, MIGRATIONS, STAGED,
  DEFAULT_STREAM, IMPLICIT, SMALL_COPIES, PING_PONG, N_OUTPUTS
};

/* In the order of the places above. */
#define TIMES "elapsed up kernel down serial one-way full measured"
#define NUMBERS "efficiency copies kernels faults migrations staged default-stream implicit small-copies ping-pong"

const MemlaneStepOutputs memlane_trace_outputs = { .times = TIMES, .numbers = NUMBERS };

/* The numbers that one recorded sample gives, and which of them are known: told by whoever recorded @trace. */
static void
read_trace (const MemlaneTrace *trace, double *values, gboolean *known)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  const MemlaneMode *mode = info->mode != NULL ? memlane_mode_find (info->mode) : NULL;
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
  const MemlaneTraceEvent *events;
  MemlaneTraceBounds bounds;
  const MemlaneTraceLane *lanes;
  guint n, n_lanes;

  memset (values, 0, N_OUTPUTS * sizeof *values);
  for (guint i = 0; i < N_OUTPUTS; i++)
    known[i] = TRUE;
  events = memlane_trace_get_events (trace, &n);
  lanes = memlane_trace_get_lanes (trace, &n_lanes);
  for (guint i = 0; i < n_lanes; i++)
    {
      values[UP] += lanes[i].kind == MEMLANE_TRACE_LANE_COPY_UP ? (double) lanes[i].busy : 0;
      values[KERNEL] += lanes[i].kind == MEMLANE_TRACE_LANE_KERNELS ? (double) lanes[i].busy : 0;
      values[DOWN] += lanes[i].kind == MEMLANE_TRACE_LANE_COPY_DOWN ? (double) lanes[i].busy : 0;
    }
  values[ELAPSED] = info->traced_ns > 0 ? info->traced_ns : (double) memlane_trace_get_end (trace);
  known[SERIAL] = memlane_trace_compute_bounds (trace, &bounds);
  if (known[SERIAL])
    {
      values[SERIAL] = bounds.serial;
      values[ONE_WAY] = bounds.one_way;
      values[FULL] = bounds.full;
      values[MEASURED] = bounds.measured;
      values[EFFICIENCY] = bounds.efficiency;
    }
  known[ONE_WAY] = known[FULL] = known[MEASURED] = known[EFFICIENCY] = known[SERIAL];
  for (guint i = 0; i < n; i++)
    {
      values[COPIES] += events[i].kind == MEMLANE_TRACE_COPY;
      values[KERNELS] += events[i].kind == MEMLANE_TRACE_KERNEL;
      values[MIGRATIONS] += events[i].kind == MEMLANE_TRACE_MIGRATION;
      if (events[i].kind == MEMLANE_TRACE_FAULT)
        values[FAULTS] += MAX (1, events[i].count);
      values[STAGED] += (events[i].flags & MEMLANE_TRACE_STAGED) != 0;
    }
  /* A sample of managed memory moves pages one way or the other: one that shows none was not told of them. */
  if (mode != NULL && (mode->needs & MEMLANE_CAN_MANAGED_MEMORY) != 0 && values[MIGRATIONS] + values[FAULTS] == 0)
    known[MIGRATIONS] = known[FAULTS] = FALSE;
  for (guint i = 0; i < findings->len; i++)
    {
      const MemlaneTraceFinding *finding = findings->pdata[i];

      values[DEFAULT_STREAM] += finding->kind == MEMLANE_FINDING_DEFAULT_STREAM ? finding->n_events : 0;
      values[IMPLICIT] += finding->kind == MEMLANE_FINDING_IMPLICIT ? finding->n_events : 0;
      values[SMALL_COPIES] += finding->kind == MEMLANE_FINDING_SMALL_COPIES ? finding->n_events : 0;
      values[PING_PONG] += finding->kind == MEMLANE_FINDING_PING_PONG ? finding->n_events : 0;
    }
}

static MemlaneTrace *
record_once (const MemlaneExperimentStep *step, MemlaneDevice *device, GCancellable *cancellable, GError **error)
{
  const MemlanePlan *plan = step->plan->sweep;

  if (step->kind == MEMLANE_STEP_LAB)
    return memlane_lab_run (device, &step->plan->lab, cancellable, error);
  return memlane_trace_record (device, &plan->method, plan->modes[0], plan->first_log2, cancellable, error);
}

/* The results of several recordings. */
typedef struct
{
  guint most, taken;
  double *samples; /* output by output, @most of each */
  gboolean known[N_OUTPUTS]; /* by all of them */
  MemlaneTrace *last;
} Recordings;

static void
record (Run *run, const MemlaneExperimentStep *step, MemlaneDevice *device, Recordings *to, GError **error)
{
  for (; to->taken < to->most; to->taken++)
    {
      MemlaneTrace *trace = record_once (step, device, run->cancellable, error);
      double values[N_OUTPUTS];
      gboolean known[N_OUTPUTS];

      if (trace == NULL)
        return;
      g_clear_pointer (&to->last, memlane_trace_unref);
      to->last = trace;
      read_trace (trace, values, known);
      for (guint i = 0; i < N_OUTPUTS; i++)
        {
          to->samples[(gsize) i * to->most + to->taken] = values[i];
          to->known[i] &= known[i];
        }
      tell (run, (to->taken + 1.0) / to->most);
    }
}

/* @problem: why there are no more recordings; NULL: these are all. */
static void
add_output (Run *run, const MemlaneExperimentStep *step, const Recordings *from, guint output, const char *name, const GError *problem)
{
  MemlaneValue value;

  if (from->taken == 0)
    memlane_value_set_none (&value, doubt_of (problem), problem->message);
  else if (!from->known[output])
    {
      const GPtrArray *notes = memlane_trace_get_info (from->last)->notes;

      memlane_value_set_none (&value, MEMLANE_DOUBT_UNKNOWN, notes->len > 0 ? notes->pdata[0] : "the trace does not tell");
    }
  else
    {
      MemlaneStatistics statistics;

      memlane_statistics_compute (from->samples + (gsize) output * from->most, from->taken, &statistics);
      memlane_value_set_statistics (&value, output < EFFICIENCY ? MEMLANE_VALUE_TIME : MEMLANE_VALUE_NUMBER, &statistics);
    }
  memlane_result_add (run->result, step->id, name, &value);
  memlane_value_clear (&value);
}

/* Records again and again, so that what a trace tells has an interval; the last trace is kept. */
static void
run_trace (Run *run, const MemlaneExperimentStep *step)
{
  guint repeats = share (run, step->plan->repeats);
  g_autofree double *samples = g_new0 (double, (gsize) repeats * N_OUTPUTS);
  g_auto (GStrv) names = g_strsplit (TIMES " " NUMBERS, " ", -1);
  Recordings recordings = { .most = repeats, .samples = samples };
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = open_device (run, step, &problem);

  for (guint i = 0; i < N_OUTPUTS; i++)
    recordings.known[i] = TRUE;
  if (device != NULL)
    {
      record (run, step, device, &recordings, &problem);
      close_device (run, device);
    }
  if (problem != NULL)
    note (run, step, "%s%s", recordings.taken > 0 ? "recording ended early: " : "nothing was recorded: ", problem->message);
  for (guint i = 0; i < N_OUTPUTS; i++)
    add_output (run, step, &recordings, i, names[i], problem);
  if (recordings.last != NULL)
    {
      g_ptr_array_add (run->result->traces, recordings.last);
      g_ptr_array_add (run->result->trace_steps, g_strdup (step->id));
    }
}

/* --- procedures ---------------------------------------------------------------------------------------------------------------- */

static void
run_procedure (Run *run, const MemlaneExperimentStep *step)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = open_device (run, step, &problem);
  MemlaneProcedureOptions options = step->plan->options;

  if (device == NULL)
    {
      note (run, step, "nothing was tried: %s", problem->message);
      return;
    }
  options.samples = share (run, options.samples);
  memlane_procedure_run (step->plan->procedure, &options, device,
                         device == run->device ? run->open_ns : 0, run->result, step->id, run->cancellable);
  close_device (run, device);
}

static void
run_step (Run *run, const MemlaneExperimentStep *step)
{
  switch (step->kind)
    {
    case MEMLANE_STEP_TRACE:
    case MEMLANE_STEP_LAB:
      run_trace (run, step);
      break;
    case MEMLANE_STEP_PROCEDURE:
      run_procedure (run, step);
      break;
    case MEMLANE_STEP_SWEEP: /* not here: job/experiment-runner.c measures it, each round in a process of its own */
    case MEMLANE_N_STEPS:
    default:
      break;
    }
}

/* --- the work -------------------------------------------------------------------------------------------------------------- */

static char *
describe_machine (const MemlaneDeviceInfo *info)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s [%s]", info->name, info->id);
  if (info->driver != NULL)
    g_string_append_printf (text, ", driver %s", info->driver);
  if (info->runtime != NULL)
    g_string_append_printf (text, ", CUDA %s", info->runtime);
  if (info->link_generation > 0)
    g_string_append_printf (text, ", PCIe %d.0 x%d", info->link_generation, info->link_width);
  if (info->calibrated_from != NULL)
    {
      g_auto (GStrv) runs = g_strsplit (info->calibrated_from, ",", -1);
      guint more = g_strv_length (runs) - 1;

      g_string_append_printf (text, ", simulated: fitted to %s", runs[0]);
      if (more > 0)
        g_string_append_printf (text, " and %u more", more);
    }
  return g_string_free (text, FALSE);
}

static void
describe_device (MemlaneExperimentResult *result, const MemlaneDeviceInfo *info)
{
  result->device = g_strdup (info->id);
  result->device_name = g_strdup (info->name);
  result->device_kind = g_strdup (info->kind);
  result->simulated = g_str_equal (info->kind, "simulated");
  result->machine = describe_machine (info);
}

/* The setting of a whole process that a step needs. CUPTI's page counters slow what times the moving of pages. */
typedef enum { PROCESS_COUNTING, PROCESS_UNDISTURBED, PROCESS_BLOCKING } Process;

static Process
needed_process (const MemlaneExperimentStep *step)
{
  const MemlaneProcedure *procedure = step->plan->procedure;

  return procedure == NULL           ? PROCESS_COUNTING
         : procedure->is_blocking    ? PROCESS_BLOCKING
         : procedure->is_undisturbed ? PROCESS_UNDISTURBED
                                     : PROCESS_COUNTING;
}

/* The first step from @first on that must not run in the same process, or @end. */
static guint
find_end (const MemlaneExperiment *experiment, guint first, guint end)
{
  guint i = first;

  while (i < end && needed_process (experiment->steps->pdata[i]) == needed_process (experiment->steps->pdata[first]))
    i++;
  return i;
}

gboolean
memlane_experiment_is_exact (const MemlaneExperimentResult *result)
{
  return result->simulated && strstr (result->device, "noise=") == NULL;
}

MemlaneExperimentResult *
memlane_experiment_run_steps (MemlaneExperiment *experiment, guint first, guint end, guint rounds, const char *device_id,
                              MemlaneExperimentFunc func, gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autoptr (MemlaneExperimentResult) result = NULL;
  g_autofree char *id = NULL;
  gint64 begun = g_get_monotonic_time ();
  Run run = { .tell = func, .user_data = user_data, .place = first, .rounds = rounds, .cancellable = cancellable };
  Process process;

  end = find_end (experiment, first, end);
  process = first < end ? needed_process (experiment->steps->pdata[first]) : PROCESS_UNDISTURBED;
  if (process == PROCESS_COUNTING)
    memlane_trace_prepare ();
  if (process == PROCESS_BLOCKING) /* CUDA reads it once, when the device is opened */
    g_setenv ("CUDA_LAUNCH_BLOCKING", "1", TRUE);
  run.device = memlane_device_open (device_id, error);
  if (run.device == NULL)
    return NULL;
  if (strcmp (memlane_device_get_info (run.device)->kind, "simulated") != 0)
    run.open_ns = (double) (g_get_monotonic_time () - begun) * 1e3;
  result = run.result = memlane_experiment_result_new (experiment);
  describe_device (result, memlane_device_get_info (run.device));
  run.rounds = memlane_experiment_is_exact (result) ? 1 : rounds;
  run.device_id = id = g_strdup (memlane_device_get_info (run.device)->id);
  for (; run.place < end && !g_cancellable_is_cancelled (cancellable) && !memlane_device_is_lost (run.device); run.place++)
    {
      tell (&run, 0);
      run_step (&run, experiment->steps->pdata[run.place]);
    }
  tell (&run, 0);
  g_clear_pointer (&run.device, memlane_device_close);
  result->cancelled = g_cancellable_is_cancelled (cancellable);
  result->seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
  return g_steal_pointer (&result);
}
