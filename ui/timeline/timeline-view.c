/* timeline-view.c: a timeline in the window: what is seen, chosen and read of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "model/trace-item.h"
#include "base/each.h"
#include "model/fields.h"

#define LEAST_SPAN 10.0  /* ns across */
#define FILLS 0.6        /* of the width: an event that is zoomed to */
#define SHOWN_BESIDE 0.1 /* of what is seen: the room around what is brought into sight */
#define KEY_PANS 0.1     /* of what is seen */
#define KEY_SCROLLS 40   /* px */
#define PAGE_SCROLLS 0.8 /* of the height */
#define WHEEL_SCROLLS 48 /* px of lanes by one notch */
#define WHEEL_PANS 0.1   /* of what is seen by one notch */
#define SECONDS 8.0       /* from one side of the stage to the other */
#define LONGEST_FRAME 0.1 /* s: a window that was hidden for a while goes on where it was */
#define STEP_MILLISECONDS 250
#define SNAPS 4          /* px: so near to an event's begin or end a span has its end there */

#define FIGURE(self) MEMLANE_FIGURE_WIDGET (self)

G_DEFINE_FINAL_TYPE (MemlaneTimelineView, memlane_timeline_view, MEMLANE_TYPE_FIGURE_WIDGET)

static const MemlaneField fields[] = {
  { "playing", MEMLANE_FIELD_FLAG, G_STRUCT_OFFSET (MemlaneTimelineView, playing),
    MEMLANE_FIELD_WRITABLE, 0, 1, FALSE },
  { "cursor", MEMLANE_FIELD_NUMBER, G_STRUCT_OFFSET (MemlaneTimelineView, cursor),
    MEMLANE_FIELD_WRITABLE, -G_MAXDOUBLE, G_MAXDOUBLE, 0 },
  { "marked", MEMLANE_FIELD_COUNT, G_STRUCT_OFFSET (MemlaneTimelineView, n_marked), 0, 0,
    G_MAXUINT, 0 },
};
static const MemlaneTimelineEvent no_event = MEMLANE_TIMELINE_NO_EVENT;

static gboolean
is_same_event (MemlaneTimelineEvent a, MemlaneTimelineEvent b)
{
  return a.event == b.event && (a.track == b.track || a.event == MEMLANE_TRACE_NONE);
}

/* No event in any of the traces. */
static gboolean
is_empty (MemlaneTimelineView *self)
{
  guint n;

  for (guint i = 0; i < self->n_tracks; i++)
    if (memlane_trace_get_events (self->tracks[i].trace, &n) != NULL && n > 0)
      return FALSE;
  return TRUE;
}

/* NULL: no such event. */
static const MemlaneTraceEvent *
find (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  const MemlaneTraceEvent *events;
  guint n;

  if (event.track >= self->n_tracks)
    return NULL;
  events = memlane_trace_get_events (self->tracks[event.track].trace, &n);
  return event.event < n ? &events[event.event] : NULL;
}

static gboolean
is_zoomed (MemlaneTimelineView *self)
{
  return !isnan (self->range.seen.from);
}

static void
update_actions (MemlaneTimelineView *self)
{
  gboolean zoomed = is_zoomed (self), selected = self->selected.event != MEMLANE_TRACE_NONE;
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_widget_action_set_enabled (widget, "timeline.fit", zoomed);
  gtk_widget_action_set_enabled (widget, "timeline.centre", selected);
  gtk_widget_action_set_enabled (widget, "timeline.copy-event", selected);
  gtk_widget_action_set_enabled (widget, "timeline.play", !is_empty (self));
  gtk_widget_action_set_enabled (widget, "timeline.let-go",
                                 zoomed || selected || self->n_marked > 0
                                     || !isnan (self->span.from) || !isnan (self->cursor));
}

/* --- what is seen ----------------------------------------------------------------------------- */

typedef struct
{
  MemlaneScale seen, full;
  const MemlaneRectangle *area;
  double least; /* share of full */
} Axis;

static gboolean
get_axis (MemlaneTimelineView *self, Axis *axis)
{
  MemlaneTimelineSight sight;

  if (is_empty (self))
    return FALSE;
  sight = memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self)));
  axis->area = sight.area;
  axis->seen = (MemlaneScale) { MEMLANE_SCALE_LINEAR, sight.seen.from, sight.seen.to };
  axis->full = (MemlaneScale) { MEMLANE_SCALE_LINEAR, sight.full.from, sight.full.to };
  axis->least = LEAST_SPAN / (axis->full.to - axis->full.from);
  return axis->area->width > 0 && axis->seen.to > axis->seen.from
         && axis->full.to > axis->full.from;
}

static gboolean
is_same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

/* NAN, NAN: all. */
static void
apply (MemlaneTimelineView *self, MemlaneRange seen)
{
  if (is_same (seen.from, self->range.seen.from) && is_same (seen.to, self->range.seen.to))
    return;
  self->range.seen = seen;
  memlane_figure_widget_invalidate (FIGURE (self));
  memlane_figure_widget_set_zoomed (FIGURE (self), is_zoomed (self));
}

/* Sees @from to @to, as far as the traces go. */
static void
see (MemlaneTimelineView *self, const Axis *axis, double from, double to)
{
  apply (self, memlane_zoom_to (&axis->full, &axis->full, memlane_scale_map (&axis->full, from),
                                memlane_scale_map (&axis->full, to), axis->least));
}

static void
fit (gpointer self, double by, double further)
{
  apply (self, MEMLANE_RANGE_NAN);
}

void
memlane_timeline_view_set_range (MemlaneTimelineView *self, double from, double to)
{
  Axis axis;

  if (isfinite (from) && isfinite (to) && get_axis (self, &axis))
    see (self, &axis, from, to);
  else
    apply (self, MEMLANE_RANGE_NAN);
}

/* Moves the visible range into the range of these traces. */
static void
check_range (MemlaneTimelineView *self)
{
  if (is_zoomed (self))
    memlane_timeline_view_set_range (self, self->range.seen.from, self->range.seen.to);
}

/* The moment at @x px stays there. */
static void
zoom_at (MemlaneTimelineView *self, double x, double factor)
{
  Axis axis;

  if (get_axis (self, &axis) && factor > 0 && isfinite (factor))
    apply (self, memlane_zoom_around (&axis.seen, &axis.full,
                                      CLAMP ((x - axis.area->x) / axis.area->width, 0, 1), factor,
                                      axis.least));
}

/* Around the selected event, or the middle. */
static void
zoom (gpointer view, double factor, double further)
{
  MemlaneTimelineView *self = view;
  const MemlaneTraceEvent *event = find (self, self->selected);
  double place = 0.5;
  Axis axis;

  if (!get_axis (self, &axis))
    return;
  if (event != NULL)
    place = memlane_scale_map (&axis.seen, event->start + event->duration / 2.0);
  if (!(place >= 0 && place <= 1))
    place = 0.5;
  zoom_at (self, axis.area->x + place * axis.area->width, factor);
}

/* By a share of what is seen. */
static void
pan (gpointer view, double share, double further)
{
  MemlaneTimelineView *self = view;
  Axis axis;

  if (is_zoomed (self) && get_axis (self, &axis))
    apply (self, memlane_zoom_pan (&axis.seen, &axis.full, share));
}

static gboolean
scroll_to (MemlaneTimelineView *self, double scroll)
{
  const MemlaneTimelineSight sight =
      memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self)));

  scroll = CLAMP (scroll, 0, sight.most_scroll);
  if (scroll == sight.scroll)
    return FALSE;
  self->range.scroll = scroll;
  memlane_figure_widget_invalidate (FIGURE (self));
  return TRUE;
}

/* Lanes, px down. FALSE: nothing moved. */
static gboolean
scroll (MemlaneTimelineView *self, double dy)
{
  if (dy == 0 || !isfinite (dy))
    return FALSE;
  return scroll_to (
      self,
      memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self))).scroll + dy);
}

/* Moves the visible range with the finger: by px to the right and down. FALSE: it is at an end. */
static gboolean
drag (MemlaneFigureWidget *widget, double dx, double dy)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  double from = self->range.seen.from;
  gboolean scrolled = scroll (self, -dy);
  Axis axis;

  if (dx != 0 && get_axis (self, &axis))
    pan (self, -dx / axis.area->width, 0);
  return scrolled || !is_same (from, self->range.seen.from);
}

/* Moves to the beginning (-1) or the end (1) of the traces. */
static void
go_to_end (gpointer view, double direction, double further)
{
  MemlaneTimelineView *self = view;
  double span;
  Axis axis;

  if (!is_zoomed (self) || !get_axis (self, &axis))
    return;
  span = axis.seen.to - axis.seen.from;
  if (direction < 0)
    see (self, &axis, axis.full.from, axis.full.from + span);
  else
    see (self, &axis, axis.full.to - span, axis.full.to);
}

static void
show_range (MemlaneTimelineView *self, double from, double to)
{
  double span, middle = (from + to) / 2;
  Axis axis;

  if (!get_axis (self, &axis) || (from >= axis.seen.from && to <= axis.seen.to))
    return;
  span = MAX (axis.seen.to - axis.seen.from, (to - from) / (1 - 2 * SHOWN_BESIDE));
  see (self, &axis, middle - span / 2, middle + span / 2);
}

/* Moments and lane into sight. */
static void
show_event (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  const MemlaneTraceEvent *found = find (self, event);

  if (found == NULL)
    return;
  show_range (self, found->start, (double) found->start + found->duration);
  scroll_to (self,
             memlane_timeline_scroll_to (memlane_figure_widget_get_layout (FIGURE (self)), event));
}

static void
zoom_to_event (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  const MemlaneTraceEvent *found = find (self, event);
  double span, middle;
  Axis axis;

  if (found == NULL || !get_axis (self, &axis))
    return;
  span = MAX (found->duration / FILLS, 10 * LEAST_SPAN);
  middle = found->start + found->duration / 2.0;
  see (self, &axis, middle - span / 2, middle + span / 2);
  scroll_to (self,
             memlane_timeline_scroll_to (memlane_figure_widget_get_layout (FIGURE (self)), event));
}

/* The selected event into the middle; when it is there already, fits it. */
static void
centre (gpointer view, double by, double further)
{
  MemlaneTimelineView *self = view;
  const MemlaneTraceEvent *event = find (self, self->selected);
  MemlaneRange moved;
  double place;
  Axis axis;

  if (event == NULL || !get_axis (self, &axis))
    return;
  place = memlane_scale_map (&axis.seen, event->start + event->duration / 2.0);
  moved = memlane_zoom_pan (&axis.seen, &axis.full, place - 0.5);
  if (isnan (moved.from))
    moved = (MemlaneRange) { axis.full.from, axis.full.to };
  /* beside the middle only where the traces end: there is no nearer */
  if (fabs (moved.from - axis.seen.from) * axis.area->width < axis.seen.to - axis.seen.from)
    zoom_to_event (self, self->selected);
  else
    {
      apply (self, moved);
      scroll_to (self, memlane_timeline_scroll_to (memlane_figure_widget_get_layout (FIGURE (self)),
                                                   self->selected));
    }
}

/* --- the events of the traces, by place, step and time ---------------------------------------- */

/* The number of events that start before @time. */
static guint
count_before (const MemlaneTrace *trace, double time)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (trace, &n);

  return MEMLANE_FIND_FIRST (n, i, events[i].start < time);
}

/* Finds the first event of the first trace in @seen (@step 1), or the last (@step -1). The nearest
 * where there is none. NAN: all. */
static MemlaneTimelineEvent
find_first (MemlaneTimelineView *self, MemlaneRange seen, int step)
{
  const MemlaneTrace *trace = self->tracks[0].trace;
  guint n, before;

  memlane_trace_get_events (trace, &n);
  if (n == 0)
    return no_event;
  if (step > 0)
    before = isnan (seen.from) ? 0 : count_before (trace, seen.from);
  else
    before = isnan (seen.to) ? n : count_before (trace, seen.to);
  if (step < 0 && before > 0)
    before--;
  return (MemlaneTimelineEvent) { 0, MIN (before, n - 1) };
}

/* The event after (@step 1) or before (-1) another of its trace; no event where there is none. */
static MemlaneTimelineEvent
step_in_trace (MemlaneTimelineView *self, MemlaneTimelineEvent event, int step)
{
  guint n;

  memlane_trace_get_events (self->tracks[event.track].trace, &n);
  if (step > 0 ? event.event + 1 >= n : event.event == 0)
    return no_event;
  return (MemlaneTimelineEvent) { event.track, event.event + step };
}

/* The same of lane @lane of its trace. */
static MemlaneTimelineEvent
step_in_lane (MemlaneTimelineView *self, MemlaneTimelineEvent event, guint lane, int step)
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

/* The first event that begins at @time (ns) or later, of either trace. */
static MemlaneTimelineEvent
find_next (MemlaneTimelineView *self, double time)
{
  MemlaneTimelineEvent found = MEMLANE_TIMELINE_NO_EVENT;
  gint64 best = G_MAXINT64;

  for (guint track = 0; track < self->n_tracks; track++)
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

/* The last event of a trace that has begun by @time (ns), phases aside; none: no event. */
static MemlaneTimelineEvent
find_begun_in (MemlaneTimelineView *self, guint track, double time)
{
  guint n, i = count_before (self->tracks[track].trace, time + 1);
  const MemlaneTraceEvent *events = memlane_trace_get_events (self->tracks[track].trace, &n);

  while (i > 0 && events[i - 1].kind == MEMLANE_TRACE_PHASE)
    i--;
  return (MemlaneTimelineEvent) { track, i > 0 ? i - 1 : MEMLANE_TRACE_NONE };
}

/* Likewise of either trace. */
static MemlaneTimelineEvent
find_begun (MemlaneTimelineView *self, double time)
{
  MemlaneTimelineEvent found = MEMLANE_TIMELINE_NO_EVENT;

  for (guint track = 0; track < self->n_tracks; track++)
    {
      MemlaneTimelineEvent begun = find_begun_in (self, track, time);
      const MemlaneTraceEvent *event = find (self, begun), *before = find (self, found);

      if (event != NULL && (before == NULL || event->start > before->start))
        found = begun;
    }
  return found;
}

/* --- what is chosen --------------------------------------------------------------------------- */

static void
hover (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  if (is_same_event (event, self->hovered))
    {
      if (event.event != MEMLANE_TRACE_NONE)
        /* the tooltip follows */
        memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_OVERLAY);
      return;
    }
  self->hovered = event;
  memlane_figure_widget_read_again (FIGURE (self));
}

static MemlaneTimelineEvent
find_event (MemlaneTimelineView *self, double x, double y, guint *lane)
{
  MemlaneTimelineHit hit =
      memlane_timeline_hit (memlane_figure_widget_get_layout (FIGURE (self)), x, y);

  if (hit.kind != MEMLANE_TIMELINE_HIT_EVENT)
    return no_event;
  if (lane != NULL)
    *lane = hit.lane;
  return (MemlaneTimelineEvent) { hit.track, hit.event };
}

/* Returns the event under the pointer, if the pointer is followed. */
static void
hover_again (MemlaneTimelineView *self)
{
  const MemlaneFigureWidget *figure = FIGURE (self);

  if (self->hovering && !figure->banding && !self->panning && !isnan (figure->pointer_x))
    hover (self, find_event (self, figure->pointer_x, figure->pointer_y, NULL));
}

/* @lane: where it was clicked, or MEMLANE_TRACE_NONE: its home. */
static void
choose (MemlaneTimelineView *self, MemlaneTimelineEvent event, guint lane)
{
  const MemlaneTraceEvent *found = find (self, event);

  if (found == NULL)
    event = no_event;
  if (!is_same_event (event, self->selected))
    memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_CHOSEN);
  self->selected_lane = found != NULL && lane == MEMLANE_TRACE_NONE ? found->lane : lane;
  self->span_is_last = found == NULL && !isnan (self->span.from);
  self->selected = event;
  memlane_figure_widget_update_reading (FIGURE (self));
  update_actions (self);
}

void
memlane_timeline_view_get_read (MemlaneTimelineView *self, guint *track, guint32 *event)
{
  const MemlaneTimelineEvent *read =
      self->hovered.event != MEMLANE_TRACE_NONE ? &self->hovered : &self->selected;

  *track = read->track;
  *event = read->event;
}

/* Selects the event before or after the selected one, of the whole trace or of the lane. */
static void
step (gpointer view, double by, double in_lane)
{
  MemlaneTimelineView *self = view;
  int step = (int) by;
  guint lane = in_lane > 0 && self->selected.event != MEMLANE_TRACE_NONE ? self->selected_lane
                                                                         : MEMLANE_TRACE_NONE;
  MemlaneTimelineEvent next;

  if (is_empty (self))
    return;
  if (self->selected.event == MEMLANE_TRACE_NONE)
    next = find_first (self, self->range.seen, step);
  else if (in_lane > 0)
    next = step_in_lane (self, self->selected, lane, step);
  else
    next = step_in_trace (self, self->selected, step);
  FIGURE (self)->spoken = TRUE;
  if (next.event == MEMLANE_TRACE_NONE)
    next = self->selected; /* there is nothing beyond: it is shown again */
  if (next.event == MEMLANE_TRACE_NONE)
    return; /* the first trace is empty */
  self->hovering = FALSE;
  hover (self, no_event);
  show_event (self, next);
  choose (self, next, lane);
}

/* Takes @marked. */
static void
set_marked (MemlaneTimelineView *self, guint track, guint32 *marked, guint n)
{
  g_free (self->marked);
  self->marked = marked;
  self->n_marked = n;
  self->marked_track = track;
  g_object_notify (G_OBJECT (self), "marked");
  memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_CHOSEN);
  update_actions (self);
}

static void
unmark (MemlaneTimelineView *self)
{
  if (self->n_marked > 0)
    set_marked (self, 0, NULL, 0);
}

void
memlane_timeline_view_mark (MemlaneTimelineView *self, guint track, const guint32 *events, guint n)
{
  double from = INFINITY, to = -INFINITY;
  g_autofree guint32 *marked = g_new (guint32, n);
  guint n_marked = 0;

  for (guint i = 0; i < n; i++)
    {
      const MemlaneTraceEvent *event = find (self, (MemlaneTimelineEvent) { track, events[i] });

      if (event == NULL)
        continue;
      marked[n_marked++] = events[i];
      from = MIN (from, event->start);
      to = MAX (to, (double) event->start + event->duration);
    }
  unmark (self);
  if (n_marked == 0)
    return;
  set_marked (self, track, g_steal_pointer (&marked), n_marked);
  show_range (self, from, to);
  show_event (self, (MemlaneTimelineEvent) { track, self->marked[0] });
}

/* NAN: none. */
static void
set_span (MemlaneTimelineView *self, MemlaneRange span)
{
  self->span = span;
  self->span_is_last = !isnan (span.from);
  memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_CHOSEN);
  memlane_figure_widget_update_reading (FIGURE (self));
  update_actions (self);
}

/* --- what moves by itself --------------------------------------------------------------------- */

/* The stage of the cursor: the visible range without the room where nothing is measured (ghost bars
 * may be longer). @pixel: ns of one. */
static void
get_stage (MemlaneTimelineView *self, MemlaneRange *stage, double *pixel)
{
  const MemlaneTimelineSight sight =
      memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self)));
  double end = 0;

  for (guint i = 0; i < self->n_tracks; i++)
    end = MAX (end, (double) memlane_trace_get_end (self->tracks[i].trace));
  *stage = sight.seen;
  if (stage->from < end && stage->to > 0)
    *stage = (MemlaneRange) { MAX (stage->from, 0), MIN (stage->to, end) };
  *pixel = (stage->to - stage->from) / MAX (sight.area->width, 1);
}

/* @to_an_event: whose turn it is now. NAN takes the cursor away. */
static void
set_cursor (MemlaneTimelineView *self, double cursor, gboolean to_an_event)
{
  self->cursor = cursor;
  memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_OVERLAY);
  if (isnan (cursor))
    update_actions (self);
  if (!to_an_event && !self->playing)
    return;
  self->hovering = self->tooltip = FALSE;
  hover (self, to_an_event ? find_next (self, cursor)
                           : find_begun (self, cursor));
}

static void
set_playing (MemlaneTimelineView *self, gboolean playing)
{
  self->playing = playing;
  update_actions (self);
  g_object_notify (G_OBJECT (self), "playing");
}

static void
pause_playing (MemlaneTimelineView *self)
{
  if (!self->playing)
    return;
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  g_clear_handle_id (&self->timer, g_source_remove);
  set_playing (self, FALSE);
}

/* Pauses, and takes the cursor away. */
static void
stop_playing (MemlaneTimelineView *self)
{
  pause_playing (self);
  if (!isnan (self->cursor))
    set_cursor (self, NAN, FALSE);
}

/* The cursor follows what is seen. FALSE: it has come to the end. */
static gboolean
advance (MemlaneTimelineView *self, double time, gboolean to_an_event)
{
  MemlaneRange stage;
  double pixel;

  get_stage (self, &stage, &pixel);
  set_cursor (self, CLAMP (time, stage.from, stage.to), to_an_event && time < stage.to);
  return time < stage.to;
}

static gboolean
tick_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double passed = self->last == 0
                      ? 0
                      : CLAMP ((now - self->last) / (double) G_USEC_PER_SEC, 0, LONGEST_FRAME),
         pixel;
  MemlaneRange stage;

  self->last = now;
  get_stage (self, &stage, &pixel);
  if (advance (self, MAX (self->cursor, stage.from) + passed * (stage.to - stage.from) / SECONDS,
               FALSE))
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  pause_playing (self);
  return G_SOURCE_REMOVE;
}

/* From beginning to beginning, as far as they can be told apart. */
static gboolean
step_cb (gpointer data)
{
  MemlaneTimelineView *self = data;
  MemlaneTimelineEvent next;
  MemlaneRange stage;
  double pixel;

  get_stage (self, &stage, &pixel);
  next =
      find_next (self, self->cursor < stage.from || !self->passed ? MAX (self->cursor, stage.from)
                                                                  : self->cursor + pixel);
  self->passed = TRUE;
  if (next.event != MEMLANE_TRACE_NONE && advance (self, find (self, next)->start, TRUE))
    return G_SOURCE_CONTINUE;
  advance (self, stage.to, FALSE);
  self->timer = 0;
  pause_playing (self);
  return G_SOURCE_REMOVE;
}

/* Plays on from the cursor, or from the beginning where there is none on the stage. */
static void
start_playing (MemlaneTimelineView *self)
{
  MemlaneRange stage;
  double pixel;
  gboolean animated;

  if (self->playing || is_empty (self) || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  FIGURE (self)->spoken = FALSE;
  self->hovering = self->tooltip = FALSE; /* a resting pointer hides nothing of it */
  hover (self, no_event);
  memlane_figure_widget_redraw (FIGURE (self), MEMLANE_FIGURE_OVERLAY);
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animated,
                NULL);
  get_stage (self, &stage, &pixel);
  self->last = 0;
  /* it goes on after the event where it stands */
  self->passed = self->cursor >= stage.from && self->cursor < stage.to;
  if (!self->passed)
    self->cursor = stage.from;
  if (animated)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
  else
    self->timer = g_timeout_add (STEP_MILLISECONDS, step_cb, self);
  set_playing (self, TRUE);
}

/* --- pointer ---------------------------------------------------------------------------------- */

static void
point (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  if (!isnan (x))
    {
      self->hovering = self->tooltip = TRUE;
      FIGURE (self)->spoken = FALSE;
      hover_again (self);
      return;
    }
  if (self->hovering)
    hover (self, no_event);
  self->hovering = FALSE;
}

static void
press (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  MemlaneTimelineEvent event = n_press == 2 ? find_event (self, x, y, NULL) : no_event;

  if (event.event != MEMLANE_TRACE_NONE)
    zoom_to_event (self, event);
}

static void
click (MemlaneFigureWidget *widget, int n_press, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  guint lane = MEMLANE_TRACE_NONE;
  MemlaneTimelineEvent event;

  if (n_press != 1)
    return;
  FIGURE (self)->spoken = FALSE;
  event = find_event (self, x, y, &lane);
  choose (self, event, lane);
}

/* The moment at @x, or the begin or end of the event there when it is near. */
static double
find_moment (MemlaneTimelineView *self, double x, double y)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (FIGURE (self));
  MemlaneTimelineEvent place = find_event (self, x, y, NULL);
  const MemlaneTraceEvent *event = find (self, place);
  double begin, end;

  if (event == NULL)
    return memlane_timeline_time_at (timeline, x);
  begin = event->start;
  end = (double) event->start + event->duration;
  if (fabs (memlane_timeline_x_of (timeline, begin) - x) <= SNAPS)
    return begin;
  return fabs (memlane_timeline_x_of (timeline, end) - x) <= SNAPS
             ? end
             : memlane_timeline_time_at (timeline, x);
}

static gboolean
band_begin (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  const MemlaneRectangle *area =
      memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self))).area;

  if (is_empty (self) || x < area->x || x > area->x + area->width)
    return FALSE;
  self->band_time = find_moment (self, x, y);
  self->span_before = self->span;
  return TRUE;
}

static void
band_move (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  const MemlaneRectangle *area;
  double moment;

  FIGURE (self)->spoken = FALSE;
  hover (self, no_event);
  area = memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self))).area;
  moment = find_moment (self, CLAMP (x, area->x, area->x + area->width), y);
  set_span (self, (MemlaneRange) { MIN (moment, self->band_time), MAX (moment, self->band_time) });
}

static void
band_end (MemlaneFigureWidget *widget, gboolean done)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  if (!done)
    set_span (self, self->span_before);
  else /* a span in which nothing lies is none */
    set_span (self, self->span.to > self->span.from ? self->span : MEMLANE_RANGE_NAN);
}

static void
pan_begin_cb (MemlaneTimelineView *self)
{
  const MemlaneTimelineSight sight =
      memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self)));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->pan_seen = sight.seen;
  self->pan_scroll = sight.scroll;
  self->panning = !is_empty (self);
  if (!self->panning)
    return;
  hover (self, no_event);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
pan_update_cb (MemlaneTimelineView *self, double dx, double dy)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (FIGURE (self));
  double width = memlane_timeline_get_sight (timeline).area->width, moved;

  if (!self->panning || !(width > 0))
    return;
  /* from where it began, so that nothing drifts when the hand comes back from beyond an end */
  moved = dx * (self->pan_seen.to - self->pan_seen.from) / width;
  if (is_zoomed (self))
    memlane_timeline_view_set_range (self, self->pan_seen.from - moved, self->pan_seen.to - moved);
  scroll (
      self,
      self->pan_scroll - dy
          - memlane_timeline_get_sight (memlane_figure_widget_get_layout (FIGURE (self))).scroll);
}

static void
pan_end_cb (MemlaneTimelineView *self)
{
  if (!self->panning)
    return;
  self->panning = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  hover_again (self);
}

/* Ends every drag. */
static void
let_go_of_pointer (MemlaneTimelineView *self)
{
  memlane_figure_widget_cancel_band (FIGURE (self));
  pan_end_cb (self);
}

static gboolean
zoom_by_hand (MemlaneFigureWidget *widget, double x, double y, double factor)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  if (is_empty (self))
    return FALSE;
  if (isnan (x))
    zoom (self, factor, 0);
  else
    zoom_at (self, x, factor);
  return TRUE;
}

/* Over the lanes, and sideways over what is zoomed. */
static gboolean
scroll_by_hand (MemlaneFigureWidget *widget, double dx, double dy, gboolean by_px)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  if (is_empty (self))
    return FALSE;
  if (by_px)
    return drag (widget, -dx, -dy);
  if (dx == 0 || !is_zoomed (self))
    return scroll (self, WHEEL_SCROLLS * dy);
  pan (self, WHEEL_PANS * dx, 0);
  return TRUE;
}

/* --- actions and keys ------------------------------------------------------------------------- */

static void
copy_event (gpointer view, double by, double further)
{
  MemlaneTimelineView *self = view;
  g_autofree char *text = NULL;

  if (find (self, self->selected) == NULL)
    return;
  text = memlane_timeline_tell_event (self->tracks[self->selected.track].trace,
                                      self->selected.event, "\n");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* Takes back one thing after the other. FALSE: there is nothing left. */
static gboolean
let_go (MemlaneTimelineView *self)
{
  if (FIGURE (self)->banding || self->panning)
    let_go_of_pointer (self);
  else if (!isnan (self->span.from))
    set_span (self, MEMLANE_RANGE_NAN);
  else if (self->selected.event != MEMLANE_TRACE_NONE || self->n_marked > 0)
    {
      unmark (self);
      choose (self, no_event, MEMLANE_TRACE_NONE);
    }
  else if (!isnan (self->cursor))
    stop_playing (self);
  else if (is_zoomed (self))
    apply (self, MEMLANE_RANGE_NAN);
  else
    return FALSE;
  return TRUE;
}

static void
let_go_action (gpointer self, double by, double further)
{
  let_go (self);
}

/* The key is the window's where there is nothing left to take back. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return let_go (MEMLANE_TIMELINE_VIEW (widget));
}

static void
scroll_by (gpointer self, double px, double pages)
{
  scroll (self, px + pages * gtk_widget_get_height (self));
}

static const MemlaneFigureAction actions[] = {
  { "timeline.fit", { GDK_KEY_KP_0, GDK_KEY_0 }, 0, fit },
  { "timeline.zoom-in", { GDK_KEY_KP_Add, GDK_KEY_equal /* plus without Shift */, GDK_KEY_plus },
    0, zoom, 1 / MEMLANE_FIGURE_KEY_STEP },
  { "timeline.zoom-out", { GDK_KEY_KP_Subtract, GDK_KEY_minus }, 0, zoom, MEMLANE_FIGURE_KEY_STEP },
  { "timeline.pan-left", { GDK_KEY_KP_Left, GDK_KEY_Left }, 0, pan, -KEY_PANS },
  { "timeline.pan-right", { GDK_KEY_KP_Right, GDK_KEY_Right }, 0, pan, KEY_PANS },
  { "timeline.next-event", { GDK_KEY_period }, 0, step, 1 },
  { "timeline.previous-event", { GDK_KEY_comma }, 0, step, -1 },
  /* the same on many keyboards */
  { "timeline.next-in-lane", { GDK_KEY_greater }, 0, step, 1, TRUE },
  { "timeline.next-in-lane", { GDK_KEY_period }, GDK_SHIFT_MASK, step, 1, TRUE },
  { "timeline.previous-in-lane", { GDK_KEY_less }, 0, step, -1, TRUE },
  { "timeline.previous-in-lane", { GDK_KEY_comma }, GDK_SHIFT_MASK, step, -1, TRUE },
  { "timeline.centre", { GDK_KEY_f }, GDK_SHIFT_MASK, centre },
  { "timeline.centre", { GDK_KEY_f }, 0, centre },
  { "timeline.play", { GDK_KEY_KP_Space, GDK_KEY_space } },
  { "timeline.copy-event", { GDK_KEY_c }, GDK_CONTROL_MASK, copy_event },
  { "timeline.let-go", { 0 }, 0, let_go_action },
  { NULL, { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, scroll_by, -KEY_SCROLLS },
  { NULL, { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, scroll_by, KEY_SCROLLS },
  { NULL, { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up }, 0, scroll_by, 0, -PAGE_SCROLLS },
  { NULL, { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down }, 0, scroll_by, 0, PAGE_SCROLLS },
  { NULL, { GDK_KEY_Home, GDK_KEY_KP_Home }, 0, go_to_end, -1 },
  { NULL, { GDK_KEY_End, GDK_KEY_KP_End }, 0, go_to_end, 1 },
};

/* --- the context menu ------------------------------------------------------------------------- */

/* An action on an event means the one under the pointer. */
static void
menu_at (MemlaneFigureWidget *widget, double x, double y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  guint lane = MEMLANE_TRACE_NONE;
  MemlaneTimelineEvent event = find_event (self, x, y, &lane);

  if (event.event != MEMLANE_TRACE_NONE)
    choose (self, event, lane);
}

/* Opens the menu at the selected event, else in the middle. */
static gboolean
place_menu (MemlaneFigureWidget *widget, double *x, double *y)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (FIGURE (self));
  const MemlaneRectangle *area = memlane_timeline_get_sight (timeline).area;
  MemlaneRectangle place = *area;

  if (self->selected.event == MEMLANE_TRACE_NONE
      || !memlane_timeline_place_event (timeline, self->selected, &place))
    place = *area;
  *x = CLAMP (place.x + place.width / 2, area->x, area->x + area->width);
  *y = place.y + place.height / 2;
  return TRUE;
}

/* --- the figure ------------------------------------------------------------------------------- */

/* On paper all lanes are seen: it does not scroll. */
static MemlaneDrawing *
get_drawing (MemlaneFigureWidget *widget, gboolean paper)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  MemlaneTimelineTrack plain[MEMLANE_TIMELINE_MOST_TRACKS];
  MemlaneTimelineRange range = self->range;

  if (!paper)
    return memlane_timeline_drawing_new (self->tracks, self->n_tracks, &range);
  if (self->n_tracks == 0)
    return NULL;
  for (guint i = 0; i < self->n_tracks; i++)
    plain[i] = (MemlaneTimelineTrack) { self->tracks[i].trace, NULL, self->tracks[i].headline };
  range.scroll = 0;
  return memlane_timeline_drawing_new (plain, self->n_tracks, &range);
}

/* Selection, span, finding. */
static void
draw_chosen (MemlaneFigureWidget *widget, gconstpointer timeline, cairo_t *cr)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  const MemlaneTimelineOverlay overlay = {
    .hovered = no_event,
    .selected = self->selected,
    .span = self->span,
    .marked_track = self->marked_track,
    .marked = self->marked,
    .n_marked = self->n_marked,
    .cursor = NAN,
  };

  memlane_timeline_draw_overlay (timeline, cr, &overlay);
}

/* Draws what follows the pointer or the player. */
static void
draw_overlay (MemlaneFigureWidget *widget, gconstpointer timeline, cairo_t *cr)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  const MemlaneTimelineOverlay overlay = {
    .hovered = self->hovered,
    .selected = no_event,
    .pointer_x = widget->pointer_x,
    .pointer_y = widget->pointer_y,
    .has_tooltip = self->tooltip && !isnan (widget->pointer_x),
    .span = MEMLANE_RANGE_NAN,
    .cursor = self->cursor,
  };

  memlane_timeline_draw_overlay (timeline, cr, &overlay);
}

static void
invalidated (MemlaneFigureWidget *widget)
{
  hover_again (MEMLANE_TIMELINE_VIEW (widget));
  update_actions (MEMLANE_TIMELINE_VIEW (widget));
}

/* --- what is told ----------------------------------------------------------------------------- */

static char *
make_title (const MemlaneTimelineTrack *track)
{
  return track->title != NULL ? g_strdup (track->title) : memlane_timeline_title (track->trace);
}

/* With two traces each reading says of which one it is. */
static char *
add_title (MemlaneTimelineView *self, guint track, char *reading)
{
  g_autofree char *text = reading, *title = NULL;

  if (self->n_tracks < 2)
    return g_steal_pointer (&text);
  title = make_title (&self->tracks[track]);
  /* Translators: the title of a timeline, and what is read of it */
  return g_strdup_printf (_("%s: %s"), title, text);
}

static char *
read_event (MemlaneTimelineView *self, MemlaneTimelineEvent event)
{
  return add_title (
      self, event.track,
      memlane_timeline_tell_event (self->tracks[event.track].trace, event.event, ", "));
}

/* Returns a line for each trace: what happens in it now, or that it is done. */
static char *
narrate (MemlaneTimelineView *self)
{
  GString *text = g_string_new (NULL);

  for (guint track = 0; track < self->n_tracks; track++)
    {
      const MemlaneTrace *trace = self->tracks[track].trace;
      double end = (double) memlane_trace_get_end (trace);
      g_autofree char *total = memlane_unit_format (MEMLANE_UNIT_TIME, end, TRUE), *line = NULL;

      /* Translators: a timeline that is played has come to its end; %s is a time */
      line = add_title (
          self, track,
          self->n_tracks > 1 && self->cursor > end
              ? g_strdup_printf (_("Done after %s."), total)
              : memlane_timeline_narrate (trace, find_begun_in (self, track, self->cursor).event));
      g_string_append_printf (text, "%s%s", track > 0 ? "\n" : "", line);
    }
  return g_string_free (text, FALSE);
}

static char *
sum_up_span (MemlaneTimelineView *self, MemlaneRange span)
{
  g_autofree char *first = NULL, *second = NULL;

  first =
      add_title (self, 0, memlane_timeline_read_span (self->tracks[0].trace, span.from, span.to));
  if (self->n_tracks < 2)
    return g_steal_pointer (&first);
  second =
      add_title (self, 1, memlane_timeline_read_span (self->tracks[1].trace, span.from, span.to));
  /* Translators: what is read of two timelines */
  return g_strdup_printf (_("%s — %s"), first, second);
}

static char *
read_chosen (MemlaneFigureWidget *widget)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  if (self->n_tracks == 0)
    return g_strdup ("");
  if (!isnan (self->span.from) && (FIGURE (self)->banding || self->span_is_last))
    return sum_up_span (self, self->span);
  if (self->hovered.event != MEMLANE_TRACE_NONE && self->playing)
    return narrate (self);
  if (self->hovered.event != MEMLANE_TRACE_NONE)
    return read_event (self, self->hovered);
  if (self->selected.event != MEMLANE_TRACE_NONE)
    return read_event (self, self->selected);
  return isnan (self->span.from) ? g_strdup ("") : sum_up_span (self, self->span);
}

static char *
name (MemlaneFigureWidget *widget)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  g_autofree char *first = self->n_tracks > 0 ? make_title (&self->tracks[0]) : NULL;
  g_autofree char *second = self->n_tracks > 1 ? make_title (&self->tracks[1]) : NULL;

  if (first == NULL)
    return g_strdup (_("Timeline"));
  if (second == NULL)
    return g_steal_pointer (&first);
  /* Translators: the titles of two timelines, one below the other */
  return g_strdup_printf (_("%s, and below it %s"), first, second);
}

static char *
describe (MemlaneFigureWidget *widget)
{
  return g_strdup (MEMLANE_TIMELINE_VIEW (widget)->description);
}

/* After the traces have changed: summing up a long one takes a while. */
static void
renew_description (MemlaneTimelineView *self, const GPtrArray *findings)
{
  g_free (self->description);
  if (self->n_tracks > 0)
    self->tracks[0].headline = memlane_timeline_headline (self->tracks, self->n_tracks, findings);
  self->description = memlane_timeline_describe (self->tracks, self->n_tracks);
}

/* --- widget ----------------------------------------------------------------------------------- */

static void
memlane_timeline_view_unmap (GtkWidget *widget)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);

  pause_playing (self);
  let_go_of_pointer (self);
  GTK_WIDGET_CLASS (memlane_timeline_view_parent_class)->unmap (widget);
}

void
memlane_timeline_view_set_look (MemlaneTimelineView *self, MemlaneTimelineColours colours,
                                gboolean ghosts)
{
  self->range.colours = colours;
  self->range.ghosts = ghosts;
  memlane_figure_widget_invalidate (FIGURE (self));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (object);

  if (g_str_equal (pspec->name, "playing"))
    (g_value_get_boolean (value) ? start_playing : pause_playing) (self);
  else
    set_cursor (self, g_value_get_double (value), FALSE);
}

static void
clear_tracks (MemlaneTimelineView *self)
{
  for (guint i = 0; i < self->n_tracks; i++)
    {
      g_clear_pointer (&self->tracks[i].trace, memlane_trace_unref);
      g_free ((char *) self->tracks[i].title);
      g_free ((char *) self->tracks[i].headline);
    }
  self->n_tracks = 0;
}

static void
memlane_timeline_view_dispose (GObject *object)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (object);

  pause_playing (self);
  G_OBJECT_CLASS (memlane_timeline_view_parent_class)->dispose (object);
  clear_tracks (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneTimelineView, memlane_timeline_view, finalize, OWNS (marked, g_free)
                        OWNS (description, g_free))

static const MemlaneFigureEntry menu[] = {
  { N_("Show _Everything"), "timeline.fit" },
  { N_("Zoom _In"), "timeline.zoom-in" },
  { N_("Zoom _Out"), "timeline.zoom-out" },
  { N_("P_lay"), "timeline.play" },
  { NULL },
};

static const MemlaneFigureEntry menu_of_event[] = {
  { N_("Cen_tre Event"), "timeline.centre" },
  { N_("Copy Event as _Text"), "timeline.copy-event" },
  { NULL },
};

static const MemlaneFigureCalls calls = {
  .get_drawing = get_drawing,
  .draw_chosen = draw_chosen,
  .draw_overlay = draw_overlay,
  .invalidated = invalidated,
  .read = read_chosen,
  .name = name,
  .describe = describe,
  .nothing = N_("There is no timeline yet: record or open a trace"),
  .point = point,
  .press = press,
  .click = click,
  .band_begin = band_begin,
  .band_move = band_move,
  .band_end = band_end,
  .zoom = zoom_by_hand,
  .scroll = scroll_by_hand,
  .drag = drag,
  .menu = { menu, menu_of_event },
  .menu_at = menu_at,
  .place_menu = place_menu,
  .actions = actions,
  .n_actions = G_N_ELEMENTS (actions),
};

static void
memlane_timeline_view_class_init (MemlaneTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = memlane_timeline_view_dispose;
  object_class->finalize = finalize;
  memlane_fields_install (object_class, fields, G_N_ELEMENTS (fields));
  object_class->set_property = set_property; /* they are more than fields */
  widget_class->unmap = memlane_timeline_view_unmap;

  memlane_figure_widget_class_set_calls (klass, &calls);
  gtk_widget_class_install_property_action (widget_class, "timeline.play", "playing");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

static void
memlane_timeline_view_init (MemlaneTimelineView *self)
{
  GtkGesture *pan = gtk_gesture_drag_new ();

  self->range = (MemlaneTimelineRange) MEMLANE_TIMELINE_FIT;
  self->hovered = self->selected = no_event;
  self->span = MEMLANE_RANGE_NAN;
  self->cursor = NAN;
  renew_description (self, NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (pan), GDK_BUTTON_MIDDLE);
  memlane_follow (self, (const MemlaneFollowed[]) {
    { pan, "drag-begin", G_CALLBACK (pan_begin_cb) },
    { pan, "drag-update", G_CALLBACK (pan_update_cb) },
    { pan, "drag-end", G_CALLBACK (pan_end_cb) },
    { pan, "cancel", G_CALLBACK (pan_end_cb) },
    { NULL },
  });
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pan));
}

/* --- traces ----------------------------------------------------------------------------------- */

/* All that points at events or moments of traces that are about to go. @all: of the first one
 * too. */
static void
forget (MemlaneTimelineView *self, gboolean all)
{
  self->hovered = no_event;
  if (all || self->marked_track > 0)
    unmark (self);
  if (!all)
    return;
  let_go_of_pointer (self);
  stop_playing (self);
  self->span = self->range.seen = MEMLANE_RANGE_NAN;
  self->range.scroll = 0;
}

void
memlane_timeline_view_set_traces (MemlaneTimelineView *self, MemlaneTrace *first,
                                  MemlaneTrace *second, const char *const *titles,
                                  const GPtrArray *findings)
{
  MemlaneTrace *const traces[MEMLANE_TIMELINE_MOST_TRACKS] = { first, second };
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS] = { { NULL } };
  gboolean all = first != self->tracks[0].trace;
  guint n;

  FIGURE (self)->spoken = FALSE;
  forget (self, all);
  if (all || self->selected.track > 0)
    self->selected = no_event;

  for (n = 0; n < MEMLANE_TIMELINE_MOST_TRACKS && traces[n] != NULL; n++)
    tracks[n] = (MemlaneTimelineTrack) { memlane_trace_ref (traces[n]),
                                        titles == NULL ? NULL : g_strdup (titles[n]) };
  clear_tracks (self);
  memcpy (self->tracks, tracks, sizeof tracks);
  self->n_tracks = n;
  renew_description (self, findings);
  memlane_figure_widget_describe (FIGURE (self));
  memlane_figure_widget_invalidate (FIGURE (self));
  check_range (self);
  memlane_figure_widget_update_reading (FIGURE (self));
  memlane_figure_widget_set_zoomed (FIGURE (self), is_zoomed (self));
}
