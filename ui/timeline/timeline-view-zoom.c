/* timeline-view-zoom.c: which moments and lanes a timeline view shows
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "curves/chart-zoom.h"
#include "timeline-view-private.h"

#define LEAST_SPAN 10.0  /* ns across */
#define FILLS 0.6        /* of the width: an event that is zoomed to */
#define SHOWN_BESIDE 0.1 /* of what is seen: the room around what is brought into sight */

typedef struct
{
  MemlaneScale seen, full;
  const MemlaneRectangle *area;
  double least; /* share of full */
} Axis;

static gboolean
get_axis (MemlaneTimelineView *self, Axis *axis)
{
  MemlaneTimeline *timeline;

  if (memlane_timeline_view_is_empty (self))
    return FALSE;
  timeline = memlane_timeline_view_ensure (self);
  axis->area = memlane_timeline_get_area (timeline);
  axis->seen.kind = axis->full.kind = MEMLANE_SCALE_LINEAR;
  memlane_timeline_get_range (timeline, &axis->seen.from, &axis->seen.to);
  memlane_timeline_get_full_range (timeline, &axis->full.from, &axis->full.to);
  axis->least = LEAST_SPAN / (axis->full.to - axis->full.from);
  return axis->area->width > 0 && axis->seen.to > axis->seen.from && axis->full.to > axis->full.from;
}

static gboolean
is_same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

/* NAN, NAN: all. */
static void
apply (MemlaneTimelineView *self, double from, double to)
{
  gboolean zoomed = memlane_timeline_view_is_zoomed (self);

  if (is_same (from, self->range.from) && is_same (to, self->range.to))
    return;
  self->range.from = from;
  self->range.to = to;
  memlane_timeline_view_refresh (self);
  if (zoomed != memlane_timeline_view_is_zoomed (self))
    memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_ZOOMED);
}

/* Sees @from to @to, as far as the traces go. */
static void
see (MemlaneTimelineView *self, const Axis *axis, double from, double to)
{
  memlane_zoom_to (&axis->full, &axis->full, memlane_scale_map (&axis->full, from), memlane_scale_map (&axis->full, to), axis->least,
                   &from, &to);
  apply (self, from, to);
}

gboolean
memlane_timeline_view_is_zoomed (MemlaneTimelineView *self)
{
  return !isnan (self->range.from);
}

void
memlane_timeline_view_fit (MemlaneTimelineView *self)
{
  apply (self, NAN, NAN);
}

void
memlane_timeline_view_set_range (MemlaneTimelineView *self, double from, double to)
{
  Axis axis;

  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  if (!isfinite (from) || !isfinite (to))
    memlane_timeline_view_fit (self);
  else if (get_axis (self, &axis))
    see (self, &axis, from, to);
}

void
memlane_timeline_view_check_range (MemlaneTimelineView *self)
{
  Axis axis;

  if (!memlane_timeline_view_is_zoomed (self))
    return;
  if (get_axis (self, &axis))
    see (self, &axis, self->range.from, self->range.to);
  else
    memlane_timeline_view_fit (self);
}

void
memlane_timeline_view_zoom_at (MemlaneTimelineView *self, double x, double factor)
{
  double from, to;
  Axis axis;

  if (!get_axis (self, &axis) || !(factor > 0) || !isfinite (factor))
    return;
  memlane_zoom_around (&axis.seen, &axis.full, CLAMP ((x - axis.area->x) / axis.area->width, 0, 1), factor, axis.least, &from, &to);
  apply (self, from, to);
}

void
memlane_timeline_view_zoom (MemlaneTimelineView *self, double factor)
{
  const MemlaneTraceEvent *event = memlane_timeline_view_find (self, self->selected.track, self->selected.event);
  double place = 0.5;
  Axis axis;

  if (!get_axis (self, &axis))
    return;
  if (event != NULL)
    place = memlane_scale_map (&axis.seen, event->start + event->duration / 2.0);
  if (!(place >= 0 && place <= 1))
    place = 0.5;
  memlane_timeline_view_zoom_at (self, axis.area->x + place * axis.area->width, factor);
}

void
memlane_timeline_view_pan (MemlaneTimelineView *self, double share)
{
  double from, to;
  Axis axis;

  if (!memlane_timeline_view_is_zoomed (self) || !get_axis (self, &axis))
    return;
  memlane_zoom_pan (&axis.seen, &axis.full, share, &from, &to);
  apply (self, from, to);
}

gboolean
memlane_timeline_view_drag (MemlaneTimelineView *self, double dx, double dy)
{
  double from = self->range.from;
  gboolean scrolled = memlane_timeline_view_scroll (self, -dy);
  Axis axis;

  if (dx != 0 && get_axis (self, &axis))
    memlane_timeline_view_pan (self, -dx / axis.area->width);
  return scrolled || !is_same (from, self->range.from);
}

static gboolean
scroll_to (MemlaneTimelineView *self, double scroll)
{
  double most, present = memlane_timeline_get_scroll (memlane_timeline_view_ensure (self), &most);

  scroll = CLAMP (scroll, 0, MAX (most, 0));
  if (scroll == present)
    return FALSE;
  self->range.scroll = scroll;
  memlane_timeline_view_refresh (self);
  return TRUE;
}

gboolean
memlane_timeline_view_scroll (MemlaneTimelineView *self, double dy)
{
  if (dy == 0 || !isfinite (dy))
    return FALSE;
  return scroll_to (self, memlane_timeline_get_scroll (memlane_timeline_view_ensure (self), NULL) + dy);
}

void
memlane_timeline_view_go_to_end (MemlaneTimelineView *self, int direction)
{
  double span;
  Axis axis;

  if (!memlane_timeline_view_is_zoomed (self) || !get_axis (self, &axis))
    return;
  span = axis.seen.to - axis.seen.from;
  if (direction < 0)
    see (self, &axis, axis.full.from, axis.full.from + span);
  else
    see (self, &axis, axis.full.to - span, axis.full.to);
}

void
memlane_timeline_view_show_range (MemlaneTimelineView *self, double from, double to)
{
  double span, middle = (from + to) / 2;
  Axis axis;

  if (!get_axis (self, &axis) || (from >= axis.seen.from && to <= axis.seen.to))
    return;
  span = MAX (axis.seen.to - axis.seen.from, (to - from) / (1 - 2 * SHOWN_BESIDE));
  see (self, &axis, middle - span / 2, middle + span / 2);
}

void
memlane_timeline_view_show_event (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  const MemlaneTraceEvent *found = memlane_timeline_view_find (self, event.track, event.event);

  if (found == NULL)
    return;
  memlane_timeline_view_show_range (self, found->start, (double) found->start + found->duration);
  scroll_to (self, memlane_timeline_scroll_to (memlane_timeline_view_ensure (self), event));
}

void
memlane_timeline_view_zoom_to_event (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  const MemlaneTraceEvent *found = memlane_timeline_view_find (self, event.track, event.event);
  double span, middle;
  Axis axis;

  if (found == NULL || !get_axis (self, &axis))
    return;
  span = MAX (found->duration / FILLS, 10 * LEAST_SPAN);
  middle = found->start + found->duration / 2.0;
  see (self, &axis, middle - span / 2, middle + span / 2);
  scroll_to (self, memlane_timeline_scroll_to (memlane_timeline_view_ensure (self), event));
}

void
memlane_timeline_view_centre (MemlaneTimelineView *self)
{
  const MemlaneTraceEvent *event = memlane_timeline_view_find (self, self->selected.track, self->selected.event);
  double place, from, to;
  Axis axis;

  if (event == NULL || !get_axis (self, &axis))
    return;
  place = memlane_scale_map (&axis.seen, event->start + event->duration / 2.0);
  if (!memlane_zoom_pan (&axis.seen, &axis.full, place - 0.5, &from, &to))
    {
      from = axis.full.from;
      to = axis.full.to;
    }
  /* beside the middle only where the traces end: there is no nearer */
  if (fabs (from - axis.seen.from) * axis.area->width < axis.seen.to - axis.seen.from)
    memlane_timeline_view_zoom_to_event (self, self->selected);
  else
    {
      apply (self, from, to);
      scroll_to (self, memlane_timeline_scroll_to (memlane_timeline_view_ensure (self), self->selected));
    }
}
