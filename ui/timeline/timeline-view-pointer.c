/* timeline-view-pointer.c: pointer, wheel and touch of a timeline view
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "timeline-view-private.h"

#define SNAPS 4            /* px: so near to an event's begin or end a span has its end there */
#define WHEEL_SCROLLS 48   /* px of lanes by one notch */
#define WHEEL_PANS 0.1     /* of what is seen by one notch */
#define GLIDE_DECAY 4.0    /* 1/s */
#define GLIDE_LEAST 20.0   /* px/s: below it stands */

static const MemlaneTimelineEvent no_event = MEMLANE_TIMELINE_NO_EVENT;

static MemlaneTimelineEvent
find_event (MemlaneTimelineView *self, double x, double y, guint *lane)
{
  MemlaneTimelineHit hit = memlane_timeline_hit (memlane_timeline_view_ensure (self), x, y);

  if (hit.kind != MEMLANE_TIMELINE_HIT_EVENT)
    return no_event;
  if (lane != NULL)
    *lane = hit.lane;
  return (MemlaneTimelineEvent) { hit.track, hit.event };
}

/* --- motion --------------------------------------------------------------------------------------------------- */

static void
motion_cb (MemlaneTimelineView *self, double x, double y)
{
  /* GTK says it again when the layout changed under a resting pointer: an event that keys have chosen stays. */
  if (x == self->pointer_x && y == self->pointer_y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  self->hovering = self->tooltip = TRUE;
  self->spoken = FALSE;
  memlane_timeline_view_hover_again (self);
}

static void
leave_cb (MemlaneTimelineView *self)
{
  self->pointer_x = self->pointer_y = NAN;
  if (self->hovering)
    memlane_timeline_view_hover (self, no_event);
  self->hovering = FALSE;
}

/* --- clicks ----------------------------------------------------------------------------------------------------- */

static void
pressed_cb (MemlaneTimelineView *self, int n_press, double x, double y)
{
  MemlaneTimelineEvent event;

  memlane_timeline_view_stop_gliding (self);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n_press != 2)
    return;
  event = find_event (self, x, y, NULL);
  if (event.event != MEMLANE_TRACE_NONE)
    memlane_timeline_view_zoom_to_event (self, event);
}

static void
released_cb (MemlaneTimelineView *self, int n_press, double x, double y)
{
  guint lane = MEMLANE_TRACE_NONE;

  if (self->measuring || n_press != 1)
    return;
  self->spoken = FALSE;
  memlane_timeline_view_choose (self, find_event (self, x, y, &lane), lane);
}

/* --- a span ------------------------------------------------------------------------------------------------------- */

/* The moment at @x, or the begin or end of the event there when it is near. */
static double
find_moment (MemlaneTimelineView *self, double x, double y)
{
  MemlaneTimeline *timeline = memlane_timeline_view_ensure (self);
  MemlaneTimelineEvent place = find_event (self, x, y, NULL);
  const MemlaneTraceEvent *event = memlane_timeline_view_find (self, place.track, place.event);
  double begin, end;

  if (event == NULL)
    return memlane_timeline_time_at (timeline, x);
  begin = event->start;
  end = (double) event->start + event->duration;
  if (fabs (memlane_timeline_x_of (timeline, begin) - x) <= SNAPS)
    return begin;
  return fabs (memlane_timeline_x_of (timeline, end) - x) <= SNAPS ? end : memlane_timeline_time_at (timeline, x);
}

static void
drag_begin_cb (MemlaneTimelineView *self, double x, double y)
{
  const MemlaneRectangle *area = memlane_timeline_get_area (memlane_timeline_view_ensure (self));

  self->measuring = FALSE;
  self->pressed = !memlane_timeline_view_is_empty (self) && x >= area->x && x <= area->x + area->width;
  self->press_x = x;
  self->press_y = y;
  self->press_time = self->pressed ? find_moment (self, x, y) : NAN;
}

static void
drag_update_cb (MemlaneTimelineView *self, double dx, double dy, GtkGesture *gesture)
{
  const MemlaneRectangle *area;
  double x;

  if (!self->pressed || (!self->measuring && hypot (dx, dy) < MEMLANE_FIGURE_DRAG_STARTS))
    return;
  if (!self->measuring)
    {
      gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED); /* no click any more */
      self->span_before[0] = self->span_from;
      self->span_before[1] = self->span_to;
      self->measuring = TRUE;
      self->spoken = FALSE;
      memlane_timeline_view_hover (self, no_event);
    }
  area = memlane_timeline_get_area (memlane_timeline_view_ensure (self));
  x = CLAMP (self->press_x + dx, area->x, area->x + area->width);
  memlane_timeline_view_set_span (self, self->press_time, find_moment (self, x, self->press_y + dy));
}

static void
drag_end_cb (MemlaneTimelineView *self)
{
  gboolean measured = self->pressed && self->measuring;

  self->pressed = self->measuring = FALSE;
  if (!measured)
    return;
  if (self->span_to > self->span_from)
    memlane_timeline_view_set_span (self, self->span_from, self->span_to);
  else
    memlane_timeline_view_set_span (self, NAN, NAN); /* nothing lies in it */
}

static void
drag_cancel_cb (MemlaneTimelineView *self)
{
  gboolean measuring = self->measuring;

  self->pressed = self->measuring = FALSE;
  if (measuring)
    memlane_timeline_view_set_span (self, self->span_before[0], self->span_before[1]);
}

/* --- panning ------------------------------------------------------------------------------------------------------- */

static void
pan_begin_cb (MemlaneTimelineView *self)
{
  MemlaneTimeline *timeline = memlane_timeline_view_ensure (self);

  memlane_timeline_view_stop_gliding (self);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  memlane_timeline_get_range (timeline, &self->pan_from, &self->pan_to);
  self->pan_scroll = memlane_timeline_get_scroll (timeline, NULL);
  self->panning = !memlane_timeline_view_is_empty (self);
  if (!self->panning)
    return;
  memlane_timeline_view_hover (self, no_event);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
}

static void
pan_update_cb (MemlaneTimelineView *self, double dx, double dy)
{
  MemlaneTimeline *timeline = memlane_timeline_view_ensure (self);
  double width = memlane_timeline_get_area (timeline)->width, moved;

  if (!self->panning || !(width > 0))
    return;
  /* from where it began, so that nothing drifts when the hand comes back from beyond an end */
  moved = dx * (self->pan_to - self->pan_from) / width;
  if (memlane_timeline_view_is_zoomed (self))
    memlane_timeline_view_set_range (self, self->pan_from - moved, self->pan_to - moved);
  memlane_timeline_view_scroll (self, self->pan_scroll - dy - memlane_timeline_get_scroll (memlane_timeline_view_ensure (self), NULL));
}

static void
pan_end_cb (MemlaneTimelineView *self)
{
  if (!self->panning)
    return;
  self->panning = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  memlane_timeline_view_hover_again (self);
}

/* --- wheel and touchpad ----------------------------------------------------------------------------------------------- */

static gboolean
scroll_cb (MemlaneTimelineView *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  gboolean by_px = gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (controller)) == GDK_SCROLL_UNIT_SURFACE;

  if (memlane_timeline_view_is_empty (self))
    return FALSE;
  memlane_timeline_view_stop_gliding (self);
  if (state & GDK_CONTROL_MASK)
    {
      double factor = pow (MEMLANE_FIGURE_NOTCH, memlane_figure_count_notches (controller, dy));

      if (isnan (self->pointer_x))
        memlane_timeline_view_zoom (self, factor);
      else
        memlane_timeline_view_zoom_at (self, self->pointer_x, factor);
      return TRUE;
    }
  if (state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  if (by_px)
    return memlane_timeline_view_drag (self, -dx, -dy);
  if (dx != 0 && memlane_timeline_view_is_zoomed (self))
    {
      memlane_timeline_view_pan (self, WHEEL_PANS * dx);
      return TRUE;
    }
  return memlane_timeline_view_scroll (self, WHEEL_SCROLLS * dy);
}

void
memlane_timeline_view_stop_gliding (MemlaneTimelineView *self)
{
  if (self->glide != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->glide);
  self->glide = 0;
}

static gboolean
glide_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  MemlaneTimelineView *self = MEMLANE_TIMELINE_VIEW (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double passed = self->glide_time == 0 ? 0 : CLAMP ((now - self->glide_time) / (double) G_USEC_PER_SEC, 0, 0.1);
  gboolean moved = memlane_timeline_view_drag (self, -self->glide_x * passed, -self->glide_y * passed);

  self->glide_x *= exp (-GLIDE_DECAY * passed);
  self->glide_y *= exp (-GLIDE_DECAY * passed);
  if (hypot (self->glide_x, self->glide_y) >= GLIDE_LEAST && (moved || self->glide_time == 0))
    {
      self->glide_time = now;
      return G_SOURCE_CONTINUE;
    }
  self->glide = 0;
  return G_SOURCE_REMOVE;
}

void
memlane_timeline_view_glide (MemlaneTimelineView *self, double velocity_x, double velocity_y)
{
  gboolean animated;

  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-enable-animations", &animated, NULL);
  memlane_timeline_view_stop_gliding (self);
  if (!animated || !isfinite (velocity_x) || !isfinite (velocity_y))
    return;
  self->glide_x = velocity_x;
  self->glide_y = velocity_y;
  self->glide_time = 0;
  self->glide = gtk_widget_add_tick_callback (GTK_WIDGET (self), glide_cb, NULL, NULL);
}

static void
decelerate_cb (MemlaneTimelineView *self, double velocity_x, double velocity_y, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  /* a wheel has no flick, and a zoom that goes on by itself is nothing that was meant */
  if (!(state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK))
      && gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (controller)) == GDK_SCROLL_UNIT_SURFACE)
    memlane_timeline_view_glide (self, velocity_x, velocity_y);
}

/* --- touch ------------------------------------------------------------------------------------------------------------- */

static void
pinch_begin_cb (MemlaneTimelineView *self, GdkEventSequence *sequence, GtkGesture *gesture)
{
  drag_cancel_cb (self); /* the first finger meant something else */
  memlane_timeline_view_stop_gliding (self);
  self->pinch = gtk_gesture_get_bounding_box_center (gesture, &self->pinch_x, &self->pinch_y) ? 1 : 0;
}

static void
pinch_cb (MemlaneTimelineView *self, double scale, GtkGesture *gesture)
{
  double x, y;

  if (!(scale > 0) || !(self->pinch > 0) || !gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  memlane_timeline_view_zoom_at (self, x, self->pinch / scale);
  memlane_timeline_view_drag (self, x - self->pinch_x, y - self->pinch_y);
  self->pinch = scale;
  self->pinch_x = x;
  self->pinch_y = y;
}

void
memlane_timeline_view_let_go_of_pointer (MemlaneTimelineView *self)
{
  memlane_timeline_view_stop_gliding (self);
  drag_cancel_cb (self);
  pan_end_cb (self);
  self->pinch = 0;
}

void
memlane_timeline_view_add_controllers (MemlaneTimelineView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
    = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new (), *pan = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (pan), GDK_BUTTON_MIDDLE);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (scroll, "scroll-begin", G_CALLBACK (memlane_timeline_view_stop_gliding), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect_swapped (scroll, "decelerate", G_CALLBACK (decelerate_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  g_signal_connect_swapped (pan, "drag-begin", G_CALLBACK (pan_begin_cb), self);
  g_signal_connect_swapped (pan, "drag-update", G_CALLBACK (pan_update_cb), self);
  g_signal_connect_swapped (pan, "drag-end", G_CALLBACK (pan_end_cb), self);
  g_signal_connect_swapped (pan, "cancel", G_CALLBACK (pan_end_cb), self);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pan));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
