/* trace-oracles.h: what holds for every trace that was read, wherever it came from
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>

#include "advise/advise.h"
#include "analysis/findings.h"
#include "base/data-file.h"
#include "base/strict-text.h"
#include "engine/same-trace.h"
#include "fuzz.h"
#include "result/csv.h"
#include "trace/summary.h"
#include "trace/trace.h"

/* The indices hold: every entry of a lane is an event, in order, and what a view asks for is found. */
static void
check_lanes (const MemlaneTrace *trace)
{
  guint n, n_lanes, sum = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);

  for (guint i = 0; i < n_lanes; i++)
    {
      if (!g_utf8_validate (lanes[i].title, -1, NULL))
        g_error ("a title that is no text");
      for (guint k = 0; k < lanes[i].n_events; k++)
        {
          guint32 id = lanes[i].events[k];

          if (id >= n || (k > 0 && id <= lanes[i].events[k - 1]) || lanes[i].rows[k] >= lanes[i].n_rows)
            g_error ("a broken lane");
          sum += events[id].lane == i;
          if (memlane_trace_lane_last (trace, &lanes[i], events[id].start) > k)
            g_error ("an event that a view would miss");
        }
    }
  if (sum != n)
    g_error ("%u events at home, %u in all", sum, n);
}

static GPtrArray *advice_runs;

/* Reads the run that advice needs, once; before the first input, whose cost is its own then. */
static void
load_advice_runs (void)
{
  g_autofree char *path = NULL;

  if (advice_runs != NULL)
    return;
  path = memlane_data_find ("recordings/h200-vector-add.csv");
  advice_runs = path != NULL ? memlane_csv_read (path, NULL, NULL)
                             : g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
}

/* What is advised is finite, and no share of the time is above 100 %. */
static void
check_advice (const MemlaneTrace *trace)
{
  g_autoptr (MemlaneAdvice) advice = memlane_advise (trace, advice_runs);
  double most;

  most = advice->wall * (1 + 1e-9) + 1; /* a nanosecond for rounding */
  if (!(advice->wall >= 0 && isfinite (advice->wall) && advice->copies <= most && advice->exposed <= most))
    g_error ("of %g ns, copies take %g and exposed ones %g", advice->wall, advice->copies, advice->exposed);
  if (!(advice->high >= advice->low && advice->high <= most))
    g_error ("of %g ns, all changes save %g to %g", advice->wall, advice->low, advice->high);
  for (guint i = 0; i < advice->changes->len; i++)
    {
      const MemlaneChange *change = advice->changes->pdata[i];

      if (!(change->high >= change->low && change->high >= 0 && change->high <= most) || change->n_events == 0)
        g_error ("of %g ns, a change of %u events saves %g to %g", advice->wall, change->n_events, change->low, change->high);
    }
}

/* All of that, and a trip through a file changes nothing. @file: where to write it. */
static void
check_trace (const MemlaneTrace *trace, const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *table = NULL;
  MemlaneTrace *again;

  check_lanes (trace);
  g_ptr_array_unref (memlane_trace_find (trace));
  table = memlane_trace_summary_to_text (trace);
  if (!g_utf8_validate (table, -1, NULL))
    g_error ("a summary that is no text");
  check_advice (trace);
  if (!memlane_trace_write_json (trace, file, &error))
    g_error ("not written: %s", error->message);
  again = memlane_trace_read_json (file, NULL, NULL, NULL, &error);
  if (again == NULL)
    g_error ("what was written is refused: %s", error->message);
  if (!is_same_trace (trace, again))
    g_error ("the trip changed it");
  memlane_trace_unref (again);
}
