/* steps.c: the steps of an experiment, one after the other
 *
 * SPDX-License-Identifier: MIT
 *
 * A step that cannot be done is a note and values that say why; the next one runs all the same.
 */
#include "experiment-private.h"

#include <string.h>

#include "device/simulated/profile.h"
#include "base/data-file.h"
#include "trace/findings.h"
#include "measure/record.h"

static void note (MemlaneStepContext *context, const MemlaneExperimentStep *step, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
note (MemlaneStepContext *context, const MemlaneExperimentStep *step, const char *format, ...)
{
  va_list arguments;
  g_autofree char *said = NULL;

  va_start (arguments, format);
  said = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (context->result->notes, g_strdup_printf ("%s: %s", step->id, said));
}

static MemlaneDoubt
doubt_of (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return MEMLANE_DOUBT_CANCELLED;
  return g_error_matches (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED) ? MEMLANE_DOUBT_UNSUPPORTED : MEMLANE_DOUBT_FAILED;
}

/* --- devices ------------------------------------------------------------------------------------------------------------- */

static MemlaneDevice *
open_what_if (const MemlaneStepPlan *plan, GError **error)
{
  g_autofree char *path = memlane_data_find ("devices/h200.device");
  g_autoptr (MemlaneProfile) profile = path != NULL ? memlane_profile_load (path, error) : NULL;

  if (path == NULL)
    g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                         "devices/h200.device is not among the data files: there is nothing to simulate");
  if (profile == NULL)
    return NULL;
  if (plan->copy_engines >= 0)
    profile->info.copy_engines = plan->copy_engines;
  profile->in_order_engines = plan->in_order_engines;
  return memlane_simulated_device_new (profile, "simulated:what-if");
}

/* The device of @step; given back by close_device(). */
static MemlaneDevice *
open_device (MemlaneStepContext *context, const MemlaneExperimentStep *step, GError **error)
{
  if (step->what_if)
    return open_what_if (step->plan, error);
  if (context->device == NULL)
    context->device = memlane_device_open (context->device_id, error);
  return context->device;
}

static void
close_device (MemlaneStepContext *context, MemlaneDevice *device)
{
  if (device != context->device)
    memlane_device_close (device);
}

/* --- sweeps ---------------------------------------------------------------------------------------------------------------- */

static MemlaneDoubt
doubt_of_status (MemlaneStatus status)
{
  switch (status)
    {
    case MEMLANE_STATUS_UNSUPPORTED:
      return MEMLANE_DOUBT_UNSUPPORTED;
    case MEMLANE_STATUS_CANCELLED:
      return MEMLANE_DOUBT_CANCELLED;
    case MEMLANE_STATUS_OK:
    case MEMLANE_STATUS_NOISY:
    case MEMLANE_STATUS_OUT_OF_MEMORY:
    case MEMLANE_STATUS_MISMATCH:
    case MEMLANE_STATUS_ERROR:
    case MEMLANE_STATUS_TIMEOUT:
    case MEMLANE_N_STATUSES:
    default:
      return MEMLANE_DOUBT_FAILED;
    }
}

static gboolean
is_sound (MemlaneStatus status)
{
  return status == MEMLANE_STATUS_OK || status == MEMLANE_STATUS_NOISY;
}

static void
add_cell (MemlaneStepContext *context, const MemlaneExperimentStep *step, const MemlaneCell *cell)
{
  const MemlaneMode *mode = memlane_mode_find (cell->mode);
  MemlaneValue value;

  /* What a failed cell has measured before proves nothing. */
  for (guint i = 0; is_sound (cell->status) && i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = cell->figures->pdata[i];
      g_autofree char *name = memlane_cell_figure_name (mode, figure->phase, figure->clock, cell->log2_elements);

      if (figure->statistics.count == 0)
        continue;
      memlane_value_set_statistics (&value, MEMLANE_VALUE_TIME, &figure->statistics);
      memlane_result_add (context->result, step->id, name, &value);
    }
  if (!is_sound (cell->status))
    {
      g_autofree char *name = g_strdup_printf ("%s@%u", cell->mode, cell->log2_elements);
      const char *reason = cell->detail != NULL ? cell->detail : memlane_status_name (cell->status);
      g_autofree char *why = g_strdup_printf ("%s: %s", cell->mode, reason);

      memlane_value_set_none (&value, doubt_of_status (cell->status), why);
      memlane_result_add (context->result, step->id, name, &value);
      memlane_value_clear (&value);
    }
}

typedef struct
{
  MemlaneStepContext *context;
  MemlaneRun *run;
  GError *error;
  gboolean done;
} Sweeping;

static void
on_swept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Sweeping *sweeping = user_data;

  sweeping->run = memlane_sweep_run_finish (MEMLANE_SWEEP (source), result, &sweeping->error);
  sweeping->done = TRUE;
}

static void
on_sweep_progress (MemlaneSweep *sweep, gpointer user_data)
{
  Sweeping *sweeping = user_data;
  double total = memlane_sweep_get_cells_total (sweep);

  sweeping->context->progress (total > 0 ? memlane_sweep_get_cells_done (sweep) / total : 0, sweeping->context->progress_data);
}

static void
run_sweep (MemlaneStepContext *context, const MemlaneExperimentStep *step)
{
  g_autoptr (MemlaneSweep) sweep = memlane_sweep_new (context->device_id, step->plan->sweep, FALSE);
  g_autoptr (GMainContext) loop = g_main_context_new ();
  Sweeping sweeping = { .context = context };

  /* A sweep opens the device itself, on a thread of its own. */
  g_clear_pointer (&context->device, memlane_device_close);
  g_main_context_push_thread_default (loop);
  g_signal_connect (sweep, "progress", G_CALLBACK (on_sweep_progress), &sweeping);
  memlane_sweep_run_async (sweep, context->cancellable, on_swept, &sweeping);
  while (!sweeping.done)
    g_main_context_iteration (loop, TRUE);
  g_signal_handlers_disconnect_by_data (sweep, &sweeping);
  g_main_context_pop_thread_default (loop);
  if (sweeping.run == NULL)
    {
      note (context, step, "nothing was measured: %s", sweeping.error->message);
      g_clear_error (&sweeping.error);
      return;
    }
  for (guint i = 0; i < sweeping.run->cells->len; i++)
    add_cell (context, step, sweeping.run->cells->pdata[i]);
  if (context->result->environment == NULL)
    context->result->environment = g_strdup (sweeping.run->environment);
  g_ptr_array_add (context->result->runs, sweeping.run);
}

/* --- traces ------------------------------------------------------------------------------------------------------------------ */

enum
{
  ELAPSED, UP, KERNEL, DOWN, SERIAL, ONE_WAY, FULL, MEASURED, EFFICIENCY, COPIES, KERNELS, FAULTS, MIGRATIONS, STAGED,
  DEFAULT_STREAM, IMPLICIT, SMALL_COPIES, PING_PONG, N_OUTPUTS
};

static const MemlaneTraceOutput outputs[N_OUTPUTS] = {
  [ELAPSED] = { "elapsed", MEMLANE_VALUE_TIME },
  [UP] = { "up", MEMLANE_VALUE_TIME },
  [KERNEL] = { "kernel", MEMLANE_VALUE_TIME },
  [DOWN] = { "down", MEMLANE_VALUE_TIME },
  [SERIAL] = { "serial", MEMLANE_VALUE_TIME },
  [ONE_WAY] = { "one-way", MEMLANE_VALUE_TIME },
  [FULL] = { "full", MEMLANE_VALUE_TIME },
  [MEASURED] = { "measured", MEMLANE_VALUE_TIME },
  [EFFICIENCY] = { "efficiency", MEMLANE_VALUE_NUMBER },
  [COPIES] = { "copies", MEMLANE_VALUE_NUMBER },
  [KERNELS] = { "kernels", MEMLANE_VALUE_NUMBER },
  [FAULTS] = { "faults", MEMLANE_VALUE_NUMBER },
  [MIGRATIONS] = { "migrations", MEMLANE_VALUE_NUMBER },
  [STAGED] = { "staged", MEMLANE_VALUE_NUMBER },
  [DEFAULT_STREAM] = { "default-stream", MEMLANE_VALUE_NUMBER },
  [IMPLICIT] = { "implicit", MEMLANE_VALUE_NUMBER },
  [SMALL_COPIES] = { "small-copies", MEMLANE_VALUE_NUMBER },
  [PING_PONG] = { "ping-pong", MEMLANE_VALUE_NUMBER },
};

const MemlaneTraceOutput *
memlane_trace_output_list (guint *n)
{
  *n = N_OUTPUTS;
  return outputs;
}

void
memlane_trace_outputs_compute (const MemlaneTrace *trace, double *values, gboolean *known)
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
  {
    const MemlaneTraceOptions options = { .reuse = plan->reuse, .streams = plan->streams, .chunks = plan->chunks, .seed = plan->seed };

    return memlane_trace_record (device, plan->workload, plan->modes[0], plan->first_log2, &options, cancellable, error);
  }
}

/* Records again and again, so that what a trace tells has an interval; the last trace is kept. */
static void
run_trace (MemlaneStepContext *context, const MemlaneExperimentStep *step)
{
  guint repeats = step->plan->repeats, taken = 0;
  g_autofree double *samples = g_new0 (double, (gsize) repeats * N_OUTPUTS);
  gboolean known[N_OUTPUTS], all_known[N_OUTPUTS];
  g_autoptr (MemlaneTrace) trace = NULL;
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = open_device (context, step, &problem);
  MemlaneValue value;

  for (guint i = 0; i < N_OUTPUTS; i++)
    all_known[i] = TRUE;
  while (device != NULL && taken < repeats && problem == NULL)
    {
      MemlaneTrace *next = record_once (step, device, context->cancellable, &problem);
      double values[N_OUTPUTS];

      if (next == NULL)
        break;
      g_clear_pointer (&trace, memlane_trace_unref);
      trace = next;
      memlane_trace_outputs_compute (trace, values, known);
      for (guint i = 0; i < N_OUTPUTS; i++)
        {
          samples[(gsize) i * repeats + taken] = values[i];
          all_known[i] &= known[i];
        }
      taken++;
      context->progress ((double) taken / repeats, context->progress_data);
    }
  if (device != NULL)
    close_device (context, device);
  if (problem != NULL)
    note (context, step, "%s%s", taken > 0 ? "recording ended early: " : "nothing was recorded: ", problem->message);
  for (guint i = 0; i < N_OUTPUTS; i++)
    {
      if (taken == 0)
        memlane_value_set_none (&value, doubt_of (problem), problem->message);
      else if (!all_known[i])
        {
          const GPtrArray *notes = memlane_trace_get_info (trace)->notes;

          memlane_value_set_none (&value, MEMLANE_DOUBT_UNKNOWN, notes->len > 0 ? notes->pdata[0] : "the trace does not tell");
        }
      else
        {
          MemlaneStatistics statistics;

          memlane_statistics_compute (samples + (gsize) i * repeats, taken, &statistics);
          memlane_value_set_statistics (&value, outputs[i].kind, &statistics);
        }
      memlane_result_add (context->result, step->id, outputs[i].name, &value);
      memlane_value_clear (&value);
    }
  if (trace != NULL)
    {
      g_ptr_array_add (context->result->traces, g_steal_pointer (&trace));
      g_ptr_array_add (context->result->trace_steps, g_strdup (step->id));
    }
}

/* --- procedures ---------------------------------------------------------------------------------------------------------------- */

static void
run_procedure (MemlaneStepContext *context, const MemlaneExperimentStep *step)
{
  g_autoptr (GError) problem = NULL;
  MemlaneDevice *device = open_device (context, step, &problem);

  if (device == NULL)
    {
      note (context, step, "nothing was tried: %s", problem->message);
      return;
    }
  memlane_procedure_run (step->plan->procedure, &step->plan->options, device,
                         device == context->device ? context->open_ns : 0, context->result, step->id, context->cancellable);
  close_device (context, device);
}

void
memlane_step_run (MemlaneStepContext *context, const MemlaneExperimentStep *step)
{
  switch (step->kind)
    {
    case MEMLANE_STEP_SWEEP:
      run_sweep (context, step);
      break;
    case MEMLANE_STEP_TRACE:
    case MEMLANE_STEP_LAB:
      run_trace (context, step);
      break;
    case MEMLANE_STEP_PROCEDURE:
    case MEMLANE_N_STEPS:
    default:
      run_procedure (context, step);
      break;
    }
}
