/* recording.c: one sample of a mode, or of the laboratory's pipeline, recorded several times: what
 * its events tell
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/findings.h"
#include "base/each.h"
#include "measure/record.h"
#include "procedure/procedure.h"

static double
get_busy (const MemlaneTrace *trace, MemlaneTraceLaneKind kind)
{
  double busy = 0;

  MEMLANE_FOR_EACH_OF (const MemlaneTraceLane, lane, n, memlane_trace_get_lanes (trace, &n))
    busy += lane->kind == kind ? (double) lane->busy : 0;
  return busy;
}

static double
count_found (const GPtrArray *findings, MemlaneFindingKind kind)
{
  double n = 0;

  MEMLANE_FOR_EACH (const MemlaneTraceFinding, finding, findings)
    n += finding->kind == kind ? finding->n_events : 0;
  return n;
}

/* A sample of managed memory moves pages one way or the other: one that shows none was not told of
 * them. */
static gboolean
knows_pages (const MemlaneTraceInfo *info, double pages)
{
  const MemlaneMode *mode = info->mode != NULL ? memlane_mode_find (info->mode) : NULL;

  return mode == NULL || (mode->needs & MEMLANE_CAN_MANAGED_MEMORY) == 0 || pages > 0;
}

static void
take_trace (MemlaneProcedureContext *context, const MemlaneTrace *trace)
{
  const MemlaneTraceInfo *info = memlane_trace_get_info (trace);
  g_autoptr (GPtrArray) findings = memlane_trace_find (trace);
  double copies = memlane_trace_count_kind (trace, MEMLANE_TRACE_COPY, NULL);
  double kernels = memlane_trace_count_kind (trace, MEMLANE_TRACE_KERNEL, NULL);
  double migrations = memlane_trace_count_kind (trace, MEMLANE_TRACE_MIGRATION, NULL), staged = 0;
  double faults = memlane_trace_sum (trace, MEMLANE_TRACE_FAULT, MEMLANE_TRACE_N_WAYS, "").faults;
  MemlaneTraceBounds bounds;
  gboolean bounded = memlane_trace_compute_bounds (trace, &bounds), paged;

  MEMLANE_FOR_EACH_OF (const MemlaneTraceEvent, event, n, memlane_trace_get_events (trace, &n))
    staged += (event->flags & MEMLANE_TRACE_STAGED) != 0;
  paged = knows_pages (info, migrations + faults);
  const struct
  {
    const char *output;
    gboolean known; /* told by whoever recorded @trace */
    double value;
  } figures[] = {
    { "elapsed", TRUE,
      info->traced_ns > 0 ? info->traced_ns : (double) memlane_trace_get_end (trace) },
    { "up", TRUE, get_busy (trace, MEMLANE_TRACE_LANE_COPY_UP) },
    { "kernel", TRUE, get_busy (trace, MEMLANE_TRACE_LANE_KERNELS) },
    { "down", TRUE, get_busy (trace, MEMLANE_TRACE_LANE_COPY_DOWN) },
    { "serial", bounded, bounds.serial },
    { "one-way", bounded, bounds.one_way },
    { "full", bounded, bounds.full },
    { "measured", bounded, bounds.measured },
    { "efficiency", bounded, bounds.efficiency },
    { "copies", TRUE, copies },
    { "kernels", TRUE, kernels },
    { "faults", paged, faults },
    { "migrations", paged, migrations },
    { "staged", TRUE, staged },
    { "default-stream", TRUE, count_found (findings, MEMLANE_FINDING_DEFAULT_STREAM) },
    { "implicit", TRUE, count_found (findings, MEMLANE_FINDING_IMPLICIT) },
    { "small-copies", TRUE, count_found (findings, MEMLANE_FINDING_SMALL_COPIES) },
    { "ping-pong", TRUE, count_found (findings, MEMLANE_FINDING_PING_PONG) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (figures[i].known)
      memlane_procedure_sample (context, figures[i].output, figures[i].value);
    else
      memlane_procedure_lack (context, figures[i].output, MEMLANE_DOUBT_UNKNOWN,
                              info->notes->len > 0 ? info->notes->pdata[0]
                                                   : "the trace does not tell");
}

/* The last trace is kept. */
static gboolean
run (MemlaneProcedureContext *context, GError **error)
{
  const MemlanePlan *plan = context->plan->sweep;
  g_autoptr (MemlaneTrace) last = NULL;
  guint i;

  for (i = 0; i < context->options.samples; i++)
    {
      MemlaneTrace *trace = plan == NULL ? memlane_lab_run (context->device, &context->plan->lab,
                                                            context->cancellable, error)
                                         : memlane_trace_record (context->device, &plan->method,
                                                                 plan->modes[0], plan->first_log2,
                                                                 context->cancellable, error);

      if (trace == NULL)
        break;
      g_clear_pointer (&last, memlane_trace_unref);
      last = trace;
      take_trace (context, trace);
      context->tell ((i + 1.0) / context->options.samples, context->user_data);
    }
  if (last != NULL)
    memlane_procedure_keep_trace (context, last);
  return i == context->options.samples;
}

const MemlaneProcedure memlane_procedure_recording = {
  .id = "recording",
  .summary = "one sample, event by event",
  .outputs = {
    .times = "elapsed up kernel down serial one-way full measured",
    .numbers = "efficiency copies kernels faults migrations staged default-stream implicit "
               "small-copies ping-pong",
  },
  .run = run,
};
