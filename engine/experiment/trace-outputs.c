/* trace-outputs.c: the numbers that one recorded sample gives to an experiment
 *
 * SPDX-License-Identifier: MIT
 */
#include "trace-outputs.h"

#include <string.h>

#include "mode/mode.h"
#include "trace/findings.h"
#include "trace/summary.h"

enum
{
  ELAPSED, UP, KERNEL, DOWN, SERIAL, ONE_WAY, FULL, MEASURED, EFFICIENCY, COPIES, KERNELS, FAULTS, MIGRATIONS, STAGED,
  DEFAULT_STREAM, IMPLICIT, SMALL_COPIES, PING_PONG, N_OUTPUTS
};

G_STATIC_ASSERT (N_OUTPUTS == MEMLANE_N_TRACE_OUTPUTS);

const MemlaneStepOutput memlane_trace_outputs[N_OUTPUTS + 1] = {
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
