/* bounds.c: how long the device's work took, and how long it could take at best
 *
 * SPDX-License-Identifier: MIT
 */
#include "findings-private.h"

#include <string.h>

#include "trace-private.h"

MemlaneTraceEngine
memlane_trace_engine_of (const MemlaneTraceEvent *event)
{
  if (event->kind == MEMLANE_TRACE_KERNEL || event->kind == MEMLANE_TRACE_MEMSET)
    return MEMLANE_TRACE_ENGINE_KERNEL;
  if (!memlane_trace_event_is_operation (event))
    return MEMLANE_TRACE_ENGINE_NONE;
  if (event->way == MEMLANE_TRACE_WAY_TO_DEVICE)
    return MEMLANE_TRACE_ENGINE_UP;
  return event->way == MEMLANE_TRACE_WAY_TO_HOST ? MEMLANE_TRACE_ENGINE_DOWN : MEMLANE_TRACE_ENGINE_NONE;
}

gboolean
memlane_trace_compute_bounds (const MemlaneTrace *trace, MemlaneTraceBounds *bounds)
{
  *bounds = trace->bounds;
  return trace->has_bounds;
}

void
memlane_trace_measure_bounds (MemlaneTrace *trace)
{
  guint n, engines = 0;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);
  MemlaneTraceBounds *bounds = &trace->bounds;
  gint64 busy_until[MEMLANE_TRACE_ENGINE_NONE] = { G_MININT64, G_MININT64, G_MININT64 };
  double busy[MEMLANE_TRACE_ENGINE_NONE] = { 0 };

  memset (bounds, 0, sizeof *bounds);
  bounds->begin = G_MAXINT64;
  bounds->end = G_MININT64;
  for (guint i = 0; i < n; i++)
    {
      MemlaneTraceEngine engine = memlane_trace_engine_of (&events[i]);
      gint64 end = events[i].start + events[i].duration;

      if (engine == MEMLANE_TRACE_ENGINE_NONE)
        continue;
      if (end > busy_until[engine])
        busy[engine] += (double) (end - MAX (events[i].start, busy_until[engine]));
      busy_until[engine] = MAX (busy_until[engine], end);
      bounds->begin = MIN (bounds->begin, events[i].start);
      bounds->end = MAX (bounds->end, end);
    }
  for (guint i = 0; i < MEMLANE_TRACE_ENGINE_NONE; i++)
    engines += busy[i] > 0;
  trace->has_bounds = engines >= 2;
  if (!trace->has_bounds)
    {
      memset (bounds, 0, sizeof *bounds);
      return;
    }
  bounds->up = busy[MEMLANE_TRACE_ENGINE_UP];
  bounds->kernel = busy[MEMLANE_TRACE_ENGINE_KERNEL];
  bounds->down = busy[MEMLANE_TRACE_ENGINE_DOWN];
  bounds->serial = bounds->up + bounds->kernel + bounds->down;
  bounds->one_way = MAX (bounds->up + bounds->down, bounds->kernel);
  bounds->full = MAX (MAX (bounds->up, bounds->down), bounds->kernel);
  bounds->measured = (double) (bounds->end - bounds->begin);
  bounds->efficiency = (bounds->serial - bounds->measured) / (bounds->serial - bounds->full);
}
