/* timeline-view-play.c: the player of a timeline view: a cursor that runs microseconds in seconds
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "timeline-view-private.h"

#define SECONDS 8.0        /* from one side of what is seen to the other */
#define LONGEST_FRAME 0.1  /* s: a window that was hidden for a while goes on where it was */
#define STEP_MILLISECONDS 250

static void
stop_clock (MemlaneTimelineView *self)
{
  if (self->play_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->play_tick);
  self->play_tick = 0;
  g_clear_handle_id (&self->play_timer, g_source_remove);
}

void
memlane_timeline_view_pause (MemlaneTimelineView *self)
{
  if (!self->playing)
    return;
  stop_clock (self);
  self->playing = FALSE;
  memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_PLAYING);
}

void
memlane_timeline_view_stop (MemlaneTimelineView *self)
{
  memlane_timeline_view_pause (self);
  if (isnan (self->cursor))
    return;
  self->cursor = NAN;
  memlane_timeline_view_redraw_overlay (self);
  memlane_timeline_view_update_actions (self);
}

/* What is seen, without the room where nothing is measured (ghost bars may be longer than that). */
static void
get_stage (MemlaneTimelineView *self, double *from, double *to)
{
  double end = 0;

  memlane_timeline_get_range (memlane_timeline_view_ensure (self), from, to);
  for (guint track = 0; track < self->n_tracks; track++)
    end = MAX (end, (double) memlane_trace_get_end (self->tracks[track].trace));
  if (*from >= end || *to <= 0)
    return;
  *from = MAX (*from, 0);
  *to = MIN (*to, end);
}

/* FALSE: it has come to the end. */
static gboolean
put_cursor (MemlaneTimelineView *self, double time)
{
  double from, to;

  get_stage (self, &from, &to);
  self->cursor = CLAMP (time, from, to); /* it follows what is seen */
  memlane_timeline_view_redraw_overlay (self);
  return time < to;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double passed = self->play_time == 0 ? 0 : CLAMP ((now - self->play_time) / (double) G_USEC_PER_SEC, 0, LONGEST_FRAME), from, to;

  self->play_time = now;
  get_stage (self, &from, &to);
  if (put_cursor (self, MAX (self->cursor, from) + passed * (to - from) / SECONDS))
    return G_SOURCE_CONTINUE;
  self->play_tick = 0;
  memlane_timeline_view_pause (self);
  return G_SOURCE_REMOVE;
}

/* The first event that begins at @time or later, of either trace. */
static MemlaneTimelineEvent
find_next (MemlaneTimelineView *self, double time)
{
  MemlaneTimelineEvent found = MEMLANE_TIMELINE_NO_EVENT;
  gint64 best = G_MAXINT64;

  for (guint track = 0; track < self->n_tracks; track++)
    {
      guint n, first = memlane_timeline_view_count_before (self->tracks[track].trace, time);
      const MemlaneTraceEvent *events = memlane_trace_get_events (self->tracks[track].trace, &n);

      if (first < n && events[first].start < best)
        {
          best = events[first].start;
          found = (MemlaneTimelineEvent) { track, first };
        }
    }
  return found;
}

/* Without animations: from beginning to beginning, as far as they can be told apart. */
static gboolean
step_cb (gpointer user_data)
{
  MemlaneTimelineView *self = user_data;
  const MemlaneRectangle *area = memlane_timeline_get_area (memlane_timeline_view_ensure (self));
  MemlaneTimelineEvent next;
  double from, to;

  get_stage (self, &from, &to);
  next = find_next (self, self->cursor < from || self->play_time == 0 ? MAX (self->cursor, from)
                                                                      : self->cursor + (to - from) / MAX (area->width, 1));
  self->play_time = 1; /* the one under the cursor has had its turn */
  if (next.event != MEMLANE_TRACE_NONE)
    {
      const MemlaneTraceEvent *event = memlane_timeline_view_find (self, next.track, next.event);

      if (put_cursor (self, event->start))
        {
          self->hovering = self->tooltip = FALSE;
          memlane_timeline_view_hover (self, next);
          return G_SOURCE_CONTINUE;
        }
    }
  put_cursor (self, to);
  self->play_timer = 0;
  memlane_timeline_view_pause (self);
  return G_SOURCE_REMOVE;
}

void
memlane_timeline_view_set_playing (MemlaneTimelineView *self, gboolean playing)
{
  gboolean animated;
  double from, to;

  g_return_if_fail (MEMLANE_IS_TIMELINE_VIEW (self));
  if (!playing)
    memlane_timeline_view_pause (self);
  if (!playing || self->playing || memlane_timeline_view_is_empty (self) || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animated, NULL);
  get_stage (self, &from, &to);
  self->play_time = 0;
  if (isnan (self->cursor) || self->cursor >= to || self->cursor < from)
    self->cursor = from;
  else
    self->play_time = animated ? 0 : 1; /* it goes on after the event where it stands */
  self->spoken = self->hovering = self->tooltip = FALSE; /* a resting pointer hides nothing of it */
  self->playing = TRUE;
  memlane_timeline_view_hover (self, (MemlaneTimelineEvent) MEMLANE_TIMELINE_NO_EVENT);
  if (animated)
    self->play_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  else
    self->play_timer = g_timeout_add (STEP_MILLISECONDS, step_cb, self);
  memlane_timeline_view_redraw_overlay (self);
  memlane_timeline_view_update_actions (self);
  memlane_timeline_view_notify (self, MEMLANE_TIMELINE_VIEW_PLAYING);
}
