/* timeline-view-reading.c: what a timeline view tells: the reading, and assistive technology
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/scale.h"
#include "timeline-view-private.h"

/* A span over more events than this is summed up when the button is released: every motion of the pointer would wait for it. */
#define SUMMED_UP_AT_ONCE 20000

static char *
make_title (MemlaneTimelineView *self, guint track)
{
  return self->tracks[track].title != NULL ? g_strdup (self->tracks[track].title) : memlane_timeline_title (self->tracks[track].trace);
}

/* With two traces each reading says of which one it is. */
static char *
add_title (MemlaneTimelineView *self, guint track, char *reading)
{
  g_autofree char *text = reading, *title = NULL;

  if (self->n_tracks < 2)
    return g_steal_pointer (&text);
  title = make_title (self, track);
  /* Translators: the title of a timeline, and what is read of it */
  return g_strdup_printf (_("%s: %s"), title, text);
}

static char *
read_event (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  return add_title (self, event.track, memlane_timeline_read_event (self->tracks[event.track].trace, event.event));
}

static guint
count_events_of_span (MemlaneTimelineView *self)
{
  guint n = 0;

  for (guint track = 0; track < self->n_tracks; track++)
    {
      guint n_lanes;
      const MemlaneTrace *trace = self->tracks[track].trace;
      const MemlaneTraceLane *lanes = memlane_trace_get_lanes (trace, &n_lanes);

      for (guint i = 0; i < n_lanes; i++)
        {
          guint first = memlane_trace_lane_first (&lanes[i], (gint64) self->span_from);
          guint last = memlane_trace_lane_last (trace, &lanes[i], (gint64) self->span_to);

          n += last > first ? last - first : 0;
        }
    }
  return n;
}

static char *
sum_up_span (MemlaneTimelineView *self)
{
  g_autofree char *first = NULL, *second = NULL;

  first = add_title (self, 0, memlane_timeline_read_span (self->tracks[0].trace, self->span_from, self->span_to));
  if (self->n_tracks < 2)
    return g_steal_pointer (&first);
  second = add_title (self, 1, memlane_timeline_read_span (self->tracks[1].trace, self->span_from, self->span_to));
  /* Translators: what is read of two timelines */
  return g_strdup_printf (_("%s — %s"), first, second);
}

static char *
read_span (MemlaneTimelineView *self)
{
  if (self->span_reading == NULL && self->measuring && count_events_of_span (self) > SUMMED_UP_AT_ONCE)
    return memlane_unit_format (MEMLANE_UNIT_TIME, self->span_to - self->span_from, TRUE);
  if (self->span_reading == NULL)
    self->span_reading = sum_up_span (self);
  return g_strdup (self->span_reading);
}

static char *
compose (MemlaneTimelineView *self)
{
  if (self->n_tracks == 0)
    return g_strdup ("");
  if (!isnan (self->span_from) && (self->measuring || self->span_is_last))
    return read_span (self);
  if (self->hovered.event != MEMLANE_TRACE_NONE)
    return read_event (self, self->hovered);
  if (self->selected.event != MEMLANE_TRACE_NONE)
    return read_event (self, self->selected);
  return isnan (self->span_from) ? g_strdup ("") : read_span (self);
}

void
memlane_timeline_view_update_reading (MemlaneTimelineView *self)
{
  g_autofree char *reading = compose (self);

  if (g_str_equal (reading, self->reading))
    return;
  g_free (self->reading);
  self->reading = g_steal_pointer (&reading);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, self->reading, -1);
  if (self->spoken && self->reading[0] != '\0')
    {
      /* GTK 4.8 hands no change of a value's text on to screen readers, but every change of the description. */
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->reading, -1);
      self->described = FALSE;
    }
  else if (!self->described)
    memlane_timeline_view_describe (self);
  memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_READING);
}

void
memlane_timeline_view_describe (MemlaneTimelineView *self)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, self->description, -1);
  self->described = TRUE;
}

void
memlane_timeline_view_describe_anew (MemlaneTimelineView *self)
{
  g_autofree char *label = NULL;

  if (self->n_tracks == 0)
    label = g_strdup (_("Timeline"));
  else if (self->n_tracks == 1)
    label = make_title (self, 0);
  else
    {
      g_autofree char *first = make_title (self, 0), *second = make_title (self, 1);

      /* Translators: the titles of two timelines, one below the other */
      label = g_strdup_printf (_("%s, and below it %s"), first, second);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_free (self->description);
  self->description = memlane_timeline_describe (self->tracks, self->n_tracks);
  memlane_timeline_view_describe (self);
}
