/* timeline-view-select.c: what is chosen in a timeline view: hover, selection, stepping, findings, the span
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "timeline-view-private.h"

static const MemlaneTimelineEvent no_event = MEMLANE_TIMELINE_NO_EVENT;

/* --- hover -------------------------------------------------------------------------------------------------- */

void
memlane_timeline_view_hover (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  if (memlane_timeline_event_equal (event, self->hovered))
    {
      if (event.event != MEMLANE_TRACE_NONE)
        memlane_timeline_view_redraw_overlay (self); /* the tooltip follows */
      return;
    }
  self->hovered = event;
  memlane_timeline_view_redraw_overlay (self);
  memlane_timeline_view_update_reading (self);
}

void
memlane_timeline_view_hover_again (MemlaneTimelineView *self)
{
  MemlaneTimelineHit hit;

  if (!self->hovering || self->measuring || self->panning || isnan (self->pointer_x))
    return;
  hit = memlane_timeline_hit (memlane_timeline_view_ensure (self), self->pointer_x, self->pointer_y);
  if (hit.kind == MEMLANE_TIMELINE_HIT_EVENT)
    memlane_timeline_view_hover (self, (MemlaneTimelineEvent) { hit.track, hit.event });
  else
    memlane_timeline_view_hover (self, no_event);
}

/* --- selection ------------------------------------------------------------------------------------------------ */

void
memlane_timeline_view_choose (MemlaneTimelineView *self, MemlaneTimelineEvent event, guint lane)
{
  const MemlaneTraceEvent *found = memlane_timeline_view_find (self, event.track, event.event);
  gboolean changed;

  if (found == NULL)
    event = no_event;
  changed = !memlane_timeline_event_equal (event, self->selected);
  self->selected_lane = found != NULL && lane == MEMLANE_TRACE_NONE ? found->lane : lane;
  self->span_is_last = found == NULL && !isnan (self->span_from);
  self->selected = event;
  if (changed)
    memlane_timeline_view_redraw_chosen (self);
  memlane_timeline_view_update_reading (self);
  memlane_timeline_view_update_actions (self);
  if (changed)
    g_signal_emit (self, memlane_timeline_view_selected_signal, 0, event.track, event.event);
}

void
memlane_timeline_view_select (MemlaneTimelineView *self, guint track, guint32 event)
{
  MemlaneTimelineEvent wanted = { track, event };

  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  if (memlane_timeline_view_find (self, track, event) == NULL)
    wanted = no_event;
  memlane_timeline_view_show_event (self, wanted);
  memlane_timeline_view_choose (self, wanted, MEMLANE_TRACE_NONE);
}

void
memlane_timeline_view_get_selected (MemlaneTimelineView *self, guint *track, guint32 *event)
{
  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  if (track != NULL)
    *track = self->selected.track;
  if (event != NULL)
    *event = self->selected.event;
}

/* --- stepping --------------------------------------------------------------------------------------------------- */

guint
memlane_timeline_view_count_before (const MemlaneTrace *trace, double time)
{
  guint low = 0, high;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &high);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (events[middle].start < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* With nothing selected: the first (or the last) that begins in what is seen. */
static guint32
find_first (MemlaneTimelineView *self, int step)
{
  const MemlaneTrace *trace = self->tracks[0].trace;
  guint n, before;

  memlane_trace_get_events (trace, &n);
  if (n == 0)
    return MEMLANE_TRACE_NONE;
  if (!memlane_timeline_view_is_zoomed (self))
    return step > 0 ? 0 : n - 1;
  if (step > 0)
    {
      before = memlane_timeline_view_count_before (trace, self->range.from);
      return MIN (before, n - 1);
    }
  before = memlane_timeline_view_count_before (trace, self->range.to);
  return before > 0 ? before - 1 : 0;
}

static guint32
step_in_lane (const MemlaneTraceLane *lane, guint32 event, int step)
{
  guint low = 0, high = lane->n_events;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (lane->events[middle] < event)
        low = middle + 1;
      else
        high = middle;
    }
  if (step > 0 && low + 1 < lane->n_events)
    return lane->events[low + 1];
  return step < 0 && low > 0 ? lane->events[low - 1] : MEMLANE_TRACE_NONE;
}

void
memlane_timeline_view_step (MemlaneTimelineView *self, int step, gboolean in_lane)
{
  MemlaneTimelineEvent next = { self->selected.track, MEMLANE_TRACE_NONE };
  guint lane = MEMLANE_TRACE_NONE, n;

  if (memlane_timeline_view_is_empty (self))
    return;
  if (self->selected.event == MEMLANE_TRACE_NONE)
    next = (MemlaneTimelineEvent) { 0, find_first (self, step) };
  else if (in_lane)
    {
      const MemlaneTraceLane *lanes = memlane_trace_get_lanes (self->tracks[next.track].trace, &n);

      lane = self->selected_lane;
      if (lane < n)
        next.event = step_in_lane (&lanes[lane], self->selected.event, step);
    }
  else
    {
      memlane_trace_get_events (self->tracks[next.track].trace, &n);
      if (step > 0 ? self->selected.event + 1 < n : self->selected.event > 0)
        next.event = self->selected.event + step;
    }
  self->spoken = TRUE;
  if (next.event == MEMLANE_TRACE_NONE)
    next = self->selected; /* there is nothing beyond: it is shown again */
  if (next.event == MEMLANE_TRACE_NONE)
    return; /* the first trace is empty */
  self->hovering = FALSE;
  memlane_timeline_view_hover (self, no_event);
  memlane_timeline_view_show_event (self, next);
  memlane_timeline_view_choose (self, next, lane);
}

/* --- findings --------------------------------------------------------------------------------------------------- */

void
memlane_timeline_view_unmark (MemlaneTimelineView *self)
{
  if (self->n_marked == 0)
    return;
  g_clear_pointer (&self->marked, g_free);
  self->n_marked = 0;
  memlane_timeline_view_redraw_chosen (self);
  memlane_timeline_view_update_actions (self);
}

void
memlane_timeline_view_mark (MemlaneTimelineView *self, guint track, const guint32 *events, guint n)
{
  double from = INFINITY, to = -INFINITY;
  g_autofree guint32 *marked = NULL;
  guint n_marked = 0;

  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  g_return_if_fail (n == 0 || events != NULL);
  marked = g_new (guint32, n);
  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceEvent *event = memlane_timeline_view_find (self, track, events[i]);

      if (event == NULL)
        continue;
      marked[n_marked++] = events[i];
      from = MIN (from, event->start);
      to = MAX (to, (double) event->start + event->duration);
    }
  memlane_timeline_view_unmark (self);
  if (n_marked == 0)
    return;
  self->marked = g_steal_pointer (&marked);
  self->n_marked = n_marked;
  self->marked_track = track;
  memlane_timeline_view_show_range (self, from, to);
  memlane_timeline_view_show_event (self, (MemlaneTimelineEvent) { track, self->marked[0] });
  memlane_timeline_view_redraw_chosen (self);
  memlane_timeline_view_update_actions (self);
}

/* --- span ------------------------------------------------------------------------------------------------------- */

void
memlane_timeline_view_set_span (MemlaneTimelineView *self, double from, double to)
{
  g_clear_pointer (&self->span_reading, g_free);
  self->span_from = MIN (from, to);
  self->span_to = MAX (from, to);
  self->span_is_last = !isnan (from);
  memlane_timeline_view_redraw_chosen (self);
  memlane_timeline_view_update_reading (self);
  memlane_timeline_view_update_actions (self);
}

gboolean
memlane_timeline_view_get_span (MemlaneTimelineView *self, double *from, double *to)
{
  g_return_val_if_fail (MEMLANE_IS_TIMELINE_VIEW (self), FALSE);
  if (isnan (self->span_from))
    return FALSE;
  if (from != NULL)
    *from = self->span_from;
  if (to != NULL)
    *to = self->span_to;
  return TRUE;
}
