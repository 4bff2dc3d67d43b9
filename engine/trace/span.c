/* span.c: what went on between two moments of a trace
 *
 * SPDX-License-Identifier: MIT
 */
#include "span.h"

#include <math.h>
#include <string.h>

#include "base/each.h"

#define FARTHEST 9.0e18 /* ns that a gint64 holds */

/* Busy times, one counter each; overlapping events count once. */
typedef enum
{
  BUSY_UP = MEMLANE_TRACE_ENGINE_UP,
  BUSY_KERNEL = MEMLANE_TRACE_ENGINE_KERNEL,
  BUSY_DOWN = MEMLANE_TRACE_ENGINE_DOWN,
  BUSY_MIGRATION,
  BUSY_DEVICE,
  BUSY_HOST,
  N_BUSY
} Busy;

typedef struct
{
  const MemlaneTraceEvent *events;
  double from, to;
  guint lane;                          /* that is being walked */
  double until[N_BUSY], busy[N_BUSY];
  double reached, overlapped;
  double up, down, inside;             /* bytes */
  guint n;
} Sum;

/* Up to @time, the start of the next event, the engines go on as they were left. */
static void
advance (Sum *sum, double time)
{
  double a = sum->until[BUSY_UP], b = sum->until[BUSY_DOWN], c = sum->until[BUSY_KERNEL];
  double second = MAX (MIN (a, b), MIN (MAX (a, b), c)); /* two of them are busy until then */

  if (time <= sum->reached)
    return;
  sum->overlapped += MAX (MIN (second, time) - sum->reached, 0);
  sum->reached = time;
}

static void
occupy (Sum *sum, Busy busy, double start, double end)
{
  if (end > sum->until[busy])
    {
      sum->busy[busy] += end - MAX (start, sum->until[busy]);
      sum->until[busy] = end;
    }
}

static void
add_bytes (Sum *sum, const MemlaneTraceEvent *event, double start, double end)
{
  double bytes = (double) event->bytes * (event->duration > 0 ? (end - start) / (double) event->duration : 1);

  if (event->kind != MEMLANE_TRACE_COPY && event->kind != MEMLANE_TRACE_MIGRATION)
    return;
  if (event->way == MEMLANE_TRACE_WAY_TO_DEVICE)
    sum->up += bytes;
  else if (event->way == MEMLANE_TRACE_WAY_TO_HOST)
    sum->down += bytes;
  else if (event->way != MEMLANE_TRACE_WAY_ON_HOST)
    sum->inside += bytes;
}

/* Events come in the order of what is left of them: by MAX (start, from). */
static void
add_event (Sum *sum, guint32 id)
{
  const MemlaneTraceEvent *event = &sum->events[id];
  double start = MAX ((double) event->start, sum->from), end = MIN ((double) (event->start + event->duration), sum->to);
  MemlaneTraceEngine engine = memlane_trace_engine_of (event);

  if (event->kind == MEMLANE_TRACE_PHASE)
    return;
  sum->n++;
  advance (sum, start);
  add_bytes (sum, event, start, end);
  if (engine != MEMLANE_TRACE_ENGINE_NONE)
    occupy (sum, (Busy) engine, start, end);
  if (event->kind == MEMLANE_TRACE_MIGRATION)
    occupy (sum, BUSY_MIGRATION, start, end);
  if (memlane_trace_event_is_operation (event) || event->kind == MEMLANE_TRACE_MIGRATION)
    occupy (sum, BUSY_DEVICE, start, end);
  if (event->kind == MEMLANE_TRACE_CALL || event->kind == MEMLANE_TRACE_HOST)
    occupy (sum, BUSY_HOST, start, end);
}

/* Adds events that began before the span and reach into it; each event once, by its home. */
static gboolean
add_earlier (const MemlaneTraceFold *item, gpointer user_data)
{
  Sum *sum = user_data;

  if ((double) item->start < sum->from && sum->events[item->longest].lane == sum->lane)
    add_event (sum, item->longest);
  return TRUE;
}

void
memlane_trace_measure_span (const MemlaneTrace *trace, double from, double to, MemlaneTraceSpan *span)
{
  guint n, n_lanes;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);
  Sum sum = { .events = memlane_trace_get_events (trace, &n) };

  memset (span, 0, sizeof *span);
  if (isnan (from) || isnan (to))
    return;
  sum.from = CLAMP (MIN (from, to), -FARTHEST, FARTHEST);
  sum.to = CLAMP (MAX (from, to), -FARTHEST, FARTHEST);
  sum.reached = sum.from;
  for (guint i = 0; i < N_BUSY; i++)
    sum.until[i] = -INFINITY;
  for (sum.lane = 0; sum.lane < n_lanes; sum.lane++)
    memlane_trace_lane_walk (trace, &lanes[sum.lane], (gint64) ceil (sum.from), (gint64) ceil (sum.from), 0, add_earlier, &sum);
  for (guint i = MEMLANE_FIND_FIRST (n, k, (double) sum.events[k].start < sum.from); i < n && (double) sum.events[i].start <= sum.to; i++)
    add_event (&sum, i);
  advance (&sum, sum.to);
  span->duration = sum.to - sum.from;
  span->bytes_up = (guint64) (sum.up + 0.5);
  span->bytes_down = (guint64) (sum.down + 0.5);
  span->bytes_inside = (guint64) (sum.inside + 0.5);
  span->host = sum.busy[BUSY_HOST];
  span->up = sum.busy[BUSY_UP];
  span->down = sum.busy[BUSY_DOWN];
  span->kernel = sum.busy[BUSY_KERNEL];
  span->migration = sum.busy[BUSY_MIGRATION];
  span->device = sum.busy[BUSY_DEVICE];
  span->overlapped = sum.overlapped;
  span->n_events = sum.n;
}
