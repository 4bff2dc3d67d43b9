/* runner.c: the steps of an experiment on a device, one after the other
 *
 * SPDX-License-Identifier: MIT
 *
 * A step that cannot be done leaves a note and values that say why; the next one runs all the same.
 */
#include "runner.h"

#include <string.h>

#include "measure/record.h"
#include "procedure/procedure.h"
#include "result.h"

/* One run: what its steps share. */
typedef struct
{
  MemlaneExperimentFunc tell;
  gpointer user_data;
  guint place;           /* of the step in work */
  guint rounds;          /* processes that share the samples */
  MemlaneDevice *device;
  double open_ns;        /* what opening it took, of real time; 0: it is simulated */
  MemlaneExperimentResult *result;
  GCancellable *cancellable;
} Run;

static void
tell (double fraction, gpointer data)
{
  const Run *run = data;

  if (run->tell != NULL)
    run->tell (run->result, run->place, fraction, run->user_data);
}

/* Sweeps are not run here: job/experiment-runner.c measures them, each round in a process of its own. A step may have a simulated device of
 * its own. */
static void
run_step (Run *run, const MemlaneExperimentStep *step)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = step->what_if ? memlane_device_open (step->plan->what_if, &problem) : run->device;
  MemlaneProcedureContext context = {
    .device = device, .procedure = step->plan->procedure, .plan = step->plan, .options = step->plan->options,
    .open_ns = step->what_if ? 0 : run->open_ns, .cancellable = run->cancellable, .tell = tell, .user_data = run,
  };

  /* The part of the samples that this process takes: fewer than three have no middle. */
  if (run->rounds > 1 && context.options.samples > 0)
    context.options.samples = MAX (3, (context.options.samples + run->rounds - 1) / run->rounds);
  if (context.procedure != NULL)
    memlane_procedure_run (&context, run->result, step->id, problem);
  if (step->what_if)
    memlane_device_close (device);
}

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
  const GPtrArray *steps = experiment->steps;
  const Process process = first < end ? needed_process (steps->pdata[first]) : PROCESS_UNDISTURBED;
  const MemlaneDeviceInfo *info;
  gint64 begun = g_get_monotonic_time ();
  Run run = { .tell = func, .user_data = user_data, .place = first, .rounds = rounds, .cancellable = cancellable };

  if (process == PROCESS_COUNTING)
    memlane_trace_prepare ();
  if (process == PROCESS_BLOCKING) /* CUDA reads it once, when the device is opened */
    g_setenv ("CUDA_LAUNCH_BLOCKING", "1", TRUE);
  run.device = memlane_device_open (device_id, error);
  if (run.device == NULL)
    return NULL;
  info = memlane_device_get_info (run.device);
  result = run.result = memlane_experiment_result_new (experiment);
  result->device = g_strdup (info->id);
  result->device_name = g_strdup (info->name);
  result->device_kind = g_strdup (info->kind);
  result->simulated = g_str_equal (info->kind, "simulated");
  result->machine = describe_machine (info);
  run.open_ns = result->simulated ? 0 : (double) (g_get_monotonic_time () - begun) * 1e3;
  run.rounds = memlane_experiment_is_exact (result) ? 1 : rounds;
  for (; run.place < end && needed_process (steps->pdata[run.place]) == process && !g_cancellable_is_cancelled (cancellable)
         && !memlane_device_is_lost (run.device); run.place++)
    {
      tell (0, &run);
      run_step (&run, steps->pdata[run.place]);
    }
  tell (0, &run);
  memlane_device_close (run.device);
  result->cancelled = g_cancellable_is_cancelled (cancellable);
  result->seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
  return g_steal_pointer (&result);
}
