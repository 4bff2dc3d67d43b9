/* timeline-hit.c: what lies under the pointer, and where an event lies
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-layout.h"

#include <math.h>

#include "base/each.h"

#define REACH 3.0 /* px */

/* --- an event's place ------------------------------------------------------------------------- */

/* Its home lane; where that is given up, another one that holds it. */
static const MemlaneTimelineLane *
find_home (const MemlaneTimeline *self, MemlaneTimelineEvent event, guint *row)
{
  const MemlaneTimelineLane *found = NULL;
  const MemlaneTimelinePart *part = memlane_timeline_part (self, event.track);

  if (part == NULL || event.event >= part->n_events)
    return NULL;
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, self->lanes)
    {
      const MemlaneTraceLane *of = lane->of;
      gboolean is_home = lane->lane == part->events[event.event].lane;
      guint entry;

      if (lane->track != event.track || (found != NULL && !is_home))
        continue;
      entry = MEMLANE_FIND_FIRST (of->n_events, i, of->events[i] < event.event);
      if (entry == of->n_events || of->events[entry] != event.event)
        continue;
      *row = of->rows[entry];
      found = lane;
      if (is_home)
        break;
    }
  return found;
}

gboolean
memlane_timeline_place_event (const MemlaneTimeline *self, MemlaneTimelineEvent event,
                              MemlaneRectangle *area)
{
  guint row;
  const MemlaneTimelineLane *lane = find_home (self, event, &row);
  const MemlaneTraceEvent *found;
  double left, right;

  if (lane == NULL)
    return FALSE;
  found = &self->parts[event.track].events[event.event];
  left = memlane_timeline_x_of (self, (double) found->start);
  right = memlane_timeline_x_of (self, (double) (found->start + found->duration));
  *area =
      (MemlaneRectangle) { .x = left, .width = MAX (right - left, 1), .height = lane->row_height };
  area->y = memlane_timeline_sheet_y (self, memlane_timeline_row_y (lane, row));
  return memlane_rectangle_overlaps (area, &self->frame.area);
}

double
memlane_timeline_scroll_to (const MemlaneTimeline *self, MemlaneTimelineEvent event)
{
  guint row;
  const MemlaneTimelineLane *lane = find_home (self, event, &row);
  double top, bottom, margin = self->frame.em;

  if (lane == NULL)
    return self->scroll;
  top = memlane_timeline_row_y (lane, row);
  bottom = top + lane->row_height;
  if (top >= self->scroll && bottom <= self->scroll + self->frame.area.height)
    return self->scroll;
  if (top < self->scroll)
    return CLAMP (round (top - margin), 0, self->most_scroll);
  return CLAMP (round (bottom + margin - self->frame.area.height), 0, self->most_scroll);
}

/* --- under the pointer ------------------------------------------------------------------------ */

/* Returns the event of @row at @time. An event around it wins; of several narrow ones that cannot
 * be told apart, the longest. */
static guint32
find_event (const MemlaneTimeline *self, const MemlaneTimelineLane *lane, double time, guint row)
{
  double reach = REACH * (self->seen.to - self->seen.from) / self->frame.area.width;
  const MemlaneTraceEvent *events = self->parts[lane->track].events;
  double best = INFINITY; /* distance of the best one, ns; 0: it holds the time */
  gint64 best_duration = -1;
  guint32 found = MEMLANE_TRACE_NONE;

  for (guint i = 0; i < lane->of->n_events; i++)
    {
      const MemlaneTraceEvent *event = &events[lane->of->events[i]];
      double before = (double) event->start - time;
      double distance = MAX (MAX (before, -before - (double) event->duration), 0);
      gboolean is_wide = (double) event->duration >= reach;

      if (before > reach)
        break;
      if (lane->of->rows[i] != row || distance > reach)
        continue;
      if (is_wide && distance > 0)
        distance = reach;
      else if (!is_wide)
        distance = MAX (distance, 1e-9);
      if (!is_wide && best > 0 && best < reach ? event->duration > best_duration : distance < best)
        {
          best = distance;
          best_duration = event->duration;
          found = lane->of->events[i];
        }
    }
  return found;
}

static const MemlaneTimelineLane *
find_lane (const MemlaneTimeline *self, double y)
{
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, self->lanes)
    if (y >= lane->y && y < lane->y + lane->height)
      return lane;
  return NULL;
}

MemlaneTimelineHit
memlane_timeline_hit (const MemlaneTimeline *self, double x, double y)
{
  MemlaneTimelineHit hit = { MEMLANE_TIMELINE_HIT_NOTHING, G_MAXUINT, G_MAXUINT, MEMLANE_TRACE_NONE,
                             memlane_timeline_time_at (self, x) };
  double on_sheet = y - self->frame.area.y + self->scroll;
  const MemlaneTimelineLane *lane;

  if (self->lanes->len == 0 || x < 0 || x >= self->frame.width)
    return hit;
  if (y >= self->axis.y && y < self->frame.area.y && x >= self->axis.x)
    {
      hit.kind = MEMLANE_TIMELINE_HIT_AXIS;
      return hit;
    }
  if (y < self->frame.area.y || y >= self->frame.area.y + self->frame.area.height)
    return hit;
  for (guint i = 0; i < self->n_parts; i++)
    if (self->parts[i].has_bounds && on_sheet >= self->parts[i].ghosts_y
        && on_sheet < self->parts[i].ghosts_y + self->parts[i].n_ghost_rows * self->ghost_pitch)
      {
        hit.kind = MEMLANE_TIMELINE_HIT_GHOST;
        hit.track = i;
        return hit;
      }
  lane = find_lane (self, on_sheet);
  if (lane == NULL)
    return hit;
  hit.kind = MEMLANE_TIMELINE_HIT_LANE;
  hit.track = lane->track;
  hit.lane = lane->lane;
  if (x >= self->frame.area.x && x < self->frame.area.x + self->frame.area.width)
    {
      guint row = lane->pitch > 0
                      ? (guint) MIN ((on_sheet - lane->y) / lane->pitch, lane->n_rows - 1)
                      : 0;

      hit.event = find_event (self, lane, hit.time, row);
      if (hit.event != MEMLANE_TRACE_NONE)
        hit.kind = MEMLANE_TIMELINE_HIT_EVENT;
    }
  return hit;
}
