/* runner.c: the steps of an experiment on a device, one after the other
 *
 * SPDX-License-Identifier: MIT
 *
 * A step that cannot be done leaves a note and values that say why; the next one runs all the same.
 */
#include "runner.h"

#include <string.h>

#include "measure/record.h"
#include "result.h"
#include "step-plan.h"

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

/* The part of @samples that this process takes: fewer than three have no middle. */
static guint
share (const Run *run, guint samples)
{
  return run->rounds > 1 && samples > 0 ? MAX (3, (samples + run->rounds - 1) / run->rounds) : samples;
}

/* --- devices ------------------------------------------------------------------------------------------------------------- */

/* The device of @step; closed after it, unless it is the run's. */
static MemlaneDevice *
open_device (Run *run, const MemlaneExperimentStep *step, GError **error)
{
  if (step->what_if)
    return memlane_device_open (step->plan->what_if, error);
  if (run->device == NULL)
    run->device = memlane_device_open (run->device_id, error);
  return run->device;
}

/* --- steps --------------------------------------------------------------------------------------------------------------- */

static void
tell_fraction (double fraction, gpointer user_data)
{
  tell (user_data, fraction);
}

/* Sweeps are not run here: job/experiment-runner.c measures them, each round in a process of its own. */
static void
run_step (Run *run, const MemlaneExperimentStep *step)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = step->plan->procedure != NULL ? open_device (run, step, &problem) : NULL;
  MemlaneProcedureContext context = {
    .device = device, .procedure = step->plan->procedure, .plan = step->plan, .options = step->plan->options,
    .open_ns = device == run->device ? run->open_ns : 0, .cancellable = run->cancellable, .tell = tell_fraction, .user_data = run,
  };

  context.options.samples = share (run, context.options.samples);
  if (context.procedure != NULL)
    memlane_procedure_run (&context, run->result, step->id, problem);
  if (device != run->device)
    memlane_device_close (device);
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
