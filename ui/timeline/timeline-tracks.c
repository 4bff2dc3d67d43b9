/* timeline-tracks.c: the one or two traces of a timeline: their events by place, step and time, and what is read of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-tracks.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/each.h"

static const MemlaneTimelineEvent no_event = MEMLANE_TIMELINE_NO_EVENT;

void
memlane_timeline_tracks_clear (MemlaneTimelineTracks *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      memlane_trace_unref (self->tracks[i].trace);
      g_free ((char *) self->tracks[i].title);
    }
  *self = (MemlaneTimelineTracks) { .n = 0 };
}

void
memlane_timeline_tracks_set (MemlaneTimelineTracks *self, MemlaneTrace *const *traces, const char *const *titles)
{
  MemlaneTimelineTracks before = *self;

  *self = (MemlaneTimelineTracks) { .n = 0 };
  for (guint i = 0; i < MEMLANE_TIMELINE_MOST_TRACKS && traces[i] != NULL; i++)
    self->tracks[self->n++] = (MemlaneTimelineTrack) { memlane_trace_ref (traces[i]), titles == NULL ? NULL : g_strdup (titles[i]) };
  memlane_timeline_tracks_clear (&before);
}

gboolean
memlane_timeline_tracks_is_empty (const MemlaneTimelineTracks *self)
{
  guint n;

  for (guint i = 0; i < self->n; i++)
    if (memlane_trace_get_events (self->tracks[i].trace, &n) != NULL && n > 0)
      return FALSE;
  return TRUE;
}

double
memlane_timeline_tracks_get_end (const MemlaneTimelineTracks *self)
{
  double end = 0;

  for (guint i = 0; i < self->n; i++)
    end = MAX (end, (double) memlane_trace_get_end (self->tracks[i].trace));
  return end;
}

const MemlaneTraceEvent *
memlane_timeline_tracks_find (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event)
{
  const MemlaneTraceEvent *events;
  guint n;

  if (event.track >= self->n)
    return NULL;
  events = memlane_trace_get_events (self->tracks[event.track].trace, &n);
  return event.event < n ? &events[event.event] : NULL;
}

/* The number of events that start before @time. */
static guint
count_before (const MemlaneTrace *trace, double time)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  return MEMLANE_FIND_FIRST (n, i, events[i].start < time);
}

MemlaneTimelineEvent
memlane_timeline_tracks_find_first (const MemlaneTimelineTracks *self, double from, double to, int step)
{
  const MemlaneTrace *trace = self->tracks[0].trace;
  guint n, before;

  memlane_trace_get_events (trace, &n);
  if (n == 0)
    return no_event;
  if (step > 0)
    before = isnan (from) ? 0 : count_before (trace, from);
  else
    before = isnan (to) ? n : count_before (trace, to);
  if (step < 0 && before > 0)
    before--;
  return (MemlaneTimelineEvent) { 0, MIN (before, n - 1) };
}

MemlaneTimelineEvent
memlane_timeline_tracks_step (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event, int step)
{
  guint n;

  memlane_trace_get_events (self->tracks[event.track].trace, &n);
  if (step > 0 ? event.event + 1 >= n : event.event == 0)
    return no_event;
  return (MemlaneTimelineEvent) { event.track, event.event + step };
}

MemlaneTimelineEvent
memlane_timeline_tracks_step_in_lane (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event, guint lane, int step)
{
  guint n, low;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (self->tracks[event.track].trace, &n);

  if (lane >= n)
    return no_event;
  lanes += lane;
  low = MEMLANE_FIND_FIRST (lanes->n_events, i, lanes->events[i] < event.event);
  if (step > 0 ? low + 1 >= lanes->n_events : low == 0)
    return no_event;
  return (MemlaneTimelineEvent) { event.track, lanes->events[low + step] };
}

MemlaneTimelineEvent
memlane_timeline_tracks_find_next (const MemlaneTimelineTracks *self, double time)
{
  MemlaneTimelineEvent found = MEMLANE_TIMELINE_NO_EVENT;
  gint64 best = G_MAXINT64;

  for (guint track = 0; track < self->n; track++)
    {
      guint n, first = count_before (self->tracks[track].trace, time);
      const MemlaneTraceEvent *events = memlane_trace_get_events (self->tracks[track].trace, &n);

      if (first < n && events[first].start < best)
        {
          best = events[first].start;
          found = (MemlaneTimelineEvent) { track, first };
        }
    }
  return found;
}

MemlaneTimelineEvent
memlane_timeline_tracks_find_begun (const MemlaneTimelineTracks *self, double time)
{
  MemlaneTimelineEvent found = MEMLANE_TIMELINE_NO_EVENT;
  gint64 best = -1;

  for (guint track = 0; track < self->n; track++)
    {
      guint n, i = count_before (self->tracks[track].trace, time + 1);
      const MemlaneTraceEvent *events = memlane_trace_get_events (self->tracks[track].trace, &n);

      while (i > 0 && events[i - 1].kind == MEMLANE_TRACE_PHASE)
        i--;
      if (i > 0 && events[i - 1].start > best)
        {
          best = events[i - 1].start;
          found = (MemlaneTimelineEvent) { track, i - 1 };
        }
    }
  return found;
}

guint
memlane_timeline_tracks_count (const MemlaneTimelineTracks *self, double from, double to)
{
  guint n = 0;

  for (guint track = 0; track < self->n; track++)
    {
      guint n_lanes;
      const MemlaneTrace *trace = self->tracks[track].trace;
      const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);

      for (guint i = 0; i < n_lanes; i++)
        {
          guint first = memlane_trace_lane_first (&lanes[i], (gint64) from);
          guint last = memlane_trace_lane_last (trace, &lanes[i], (gint64) to);

          n += last > first ? last - first : 0;
        }
    }
  return n;
}

/* --- what is told ---------------------------------------------------------------------------------------------------- */

static char *
make_title (const MemlaneTimelineTrack *track)
{
  return track->title != NULL ? g_strdup (track->title) : memlane_timeline_title (track->trace);
}

/* With two traces each reading says of which one it is. */
static char *
add_title (const MemlaneTimelineTracks *self, guint track, char *reading)
{
  g_autofree char *text = reading, *title = NULL;

  if (self->n < 2)
    return g_steal_pointer (&text);
  title = make_title (&self->tracks[track]);
  /* Translators: the title of a timeline, and what is read of it */
  return g_strdup_printf (_("%s: %s"), title, text);
}

char *
memlane_timeline_tracks_read_event (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event)
{
  return add_title (self, event.track, memlane_timeline_read_event (self->tracks[event.track].trace, event.event));
}

char *
memlane_timeline_tracks_narrate (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event)
{
  return add_title (self, event.track, memlane_timeline_narrate (self->tracks[event.track].trace, event.event));
}

char *
memlane_timeline_tracks_read_span (const MemlaneTimelineTracks *self, double from, double to)
{
  g_autofree char *first = NULL, *second = NULL;

  first = add_title (self, 0, memlane_timeline_read_span (self->tracks[0].trace, from, to));
  if (self->n < 2)
    return g_steal_pointer (&first);
  second = add_title (self, 1, memlane_timeline_read_span (self->tracks[1].trace, from, to));
  /* Translators: what is read of two timelines */
  return g_strdup_printf (_("%s — %s"), first, second);
}

char *
memlane_timeline_tracks_name (const MemlaneTimelineTracks *self)
{
  g_autofree char *first = self->n > 0 ? make_title (&self->tracks[0]) : NULL;
  g_autofree char *second = self->n > 1 ? make_title (&self->tracks[1]) : NULL;

  if (first == NULL)
    return g_strdup (_("Timeline"));
  if (second == NULL)
    return g_steal_pointer (&first);
  /* Translators: the titles of two timelines, one below the other */
  return g_strdup_printf (_("%s, and below it %s"), first, second);
}
