/* test-timeline-pointer.c: pointing at a timeline, selecting, measuring, zooming and panning, and what is painted for it
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/timeline-fixture.h"

/* --- pointing --------------------------------------------------------------------------------------------- */

static void
test_hover (Fixture *fixture, gconstpointer data)
{
  guint notified = 0;
  double x, y;

  g_signal_connect_swapped (fixture->view, "notify::reading", G_CALLBACK (count_cb), &notified);
  hover (fixture, 4);
  assert_reading (fixture, 4);
  g_assert_cmpuint (notified, ==, 1);
  find_place (fixture, 0, 4, &x, &y);
  move (fixture, x + 1, y); /* the same event: the tooltip follows, nothing else is told */
  g_assert_cmpuint (notified, ==, 1);
  leave (fixture);
  assert_reading (fixture, MEMLANE_TRACE_NONE);

  click (fixture, 1, x, y); /* selected: it is read again when the pointer has left */
  hover (fixture, 1);
  assert_reading (fixture, 1);
  leave (fixture);
  assert_reading (fixture, 4);

  /* GTK repeats the place of a resting pointer after a layout: what a key did stays */
  hover (fixture, 1);
  act (fixture, "timeline.next-event");
  assert_reading (fixture, 5);
  find_place (fixture, 0, 1, &x, &y);
  move (fixture, x, y);
  assert_reading (fixture, 5);
  move (fixture, x + 1, y);
  assert_reading (fixture, 1);
}

static void
assert_not_read (Fixture *fixture, guint32 event)
{
  g_autofree char *other = memlane_timeline_tell_event (fixture->trace, event, ", ");

  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, !=, other);
}

/* What lies under a resting pointer changes when the figure moves. */
static void
test_hover_follows_the_zoom (Fixture *fixture, gconstpointer data)
{
  double x, y;

  find_place (fixture, 0, 10, &x, &y);
  move (fixture, x, y);
  assert_reading (fixture, 10);
  figure_test_zoom (fixture->view, x, 0, 0.5);
  assert_reading (fixture, 10); /* it stays under the pointer */
  figure_test_zoom (fixture->view, x, 0, 0.01);
  act (fixture, "timeline.pan-right");
  act (fixture, "timeline.pan-right");
  for (guint i = 0; i < 60; i++)
    act (fixture, "timeline.pan-right");
  assert_not_read (fixture, 10);
}

/* --- selecting -------------------------------------------------------------------------------------------- */

static void
test_click (Fixture *fixture, gconstpointer data)
{
  const MemlaneRectangle area = area_of (fixture);
  double x, y, width;

  find_place (fixture, 0, 7, &x, &y);
  click (fixture, 1, x, y);
  click (fixture, 1, x, y);
  g_assert_cmpuint (selected_of (fixture), ==, 7);
  click (fixture, 1, 1, area.y + area.height - 1);
  g_assert_cmpuint (selected_of (fixture), ==, MEMLANE_TRACE_NONE);

  width = get_width (fixture);
  click (fixture, 2, x, y);
  g_assert_cmpfloat (get_width (fixture), <, width / 4);
  g_assert_true (get_flag (fixture, "zoomed"));
  find_place (fixture, 0, 7, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, area.x + area.width / 2, 2);
}

/* --- a span ------------------------------------------------------------------------------------------------- */

static void
test_span (Fixture *fixture, gconstpointer data)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  const MemlaneRectangle area = area_of (fixture);
  double y = area.y + area.height - 1, x0 = memlane_timeline_x_of (timeline, 31000), x1 = memlane_timeline_x_of (timeline, 72000), from, to;
  g_autofree char *first = NULL;
  double hovered_x, hovered_y;
  guint notified = 0;

  g_signal_connect_swapped (fixture->view, "notify::zoomed", G_CALLBACK (count_cb), &notified);
  g_assert_false (get_span (fixture->view, &from, &to));
  find_place (fixture, 0, 4, &hovered_x, &hovered_y);
  drag (fixture, GDK_BUTTON_PRIMARY, x1, y, x0 - x1, 0); /* backwards */
  g_assert_true (get_span (fixture->view, &from, &to));
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (get_span (fixture->view, &from, &to));
  g_assert_cmpfloat_with_epsilon (from, 31000, 300);
  g_assert_cmpfloat_with_epsilon (to, 72000, 300);
  first = memlane_timeline_read_span (fixture->trace, from, to);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, first);
  g_assert_cmpuint (notified, ==, 0); /* it measures, and zooms nothing */
  g_assert_cmpuint (selected_of (fixture), ==, MEMLANE_TRACE_NONE);

  move (fixture, hovered_x, hovered_y); /* on the way to the reading events are passed */
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, first);
  click (fixture, 1, hovered_x, hovered_y); /* but one that is chosen is read */
  assert_reading (fixture, 4);
  g_assert_true (get_span (fixture->view, NULL, NULL));

  drag (fixture, GDK_BUTTON_PRIMARY, x0, y, 2, 1); /* a click with an unsteady hand */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (get_span (fixture->view, &from, NULL));
  g_assert_cmpfloat_with_epsilon (from, 31000, 300);
  drag (fixture, GDK_BUTTON_PRIMARY, x0, y, 1e5, 1e5); /* ends at the edge */
  g_assert_true (press (fixture, GDK_KEY_Escape, 0)); /* and is taken back */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (get_span (fixture->view, &from, &to));
  g_assert_cmpfloat_with_epsilon (to, 72000, 300);
  drag (fixture, GDK_BUTTON_PRIMARY, area.x - 3, y, 200, 0); /* begins at the titles */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (get_span (fixture->view, &from, &to));
  g_assert_cmpfloat_with_epsilon (to, 72000, 300);
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_false (get_span (fixture->view, &from, &to));
}

/* Near an event's begin or end it is that which is meant: zoomed in, the hand is exact to the nanosecond. */
static void
test_span_snaps (Fixture *fixture, gconstpointer data)
{
  guint n;
  const MemlaneTraceEvent *event = memlane_trace_get_events (fixture->trace, &n) + 9;
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  double x0 = memlane_timeline_x_of (timeline, event->start), x1 = memlane_timeline_x_of (timeline, event->start + event->duration);
  double x, y, from, to;

  find_place (fixture, 0, 9, &x, &y);
  drag (fixture, GDK_BUTTON_PRIMARY, x0 + 1, y, x1 - x0 - 2, 0);
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (get_span (fixture->view, &from, &to));
  g_assert_cmpfloat (from, ==, event->start);
  g_assert_cmpfloat (to, ==, event->start + event->duration);
}

/* --- zooming and panning ------------------------------------------------------------------------------------ */

static void
test_zoom_at_the_pointer (Fixture *fixture, gconstpointer data)
{
  const MemlaneRectangle area = area_of (fixture);
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  double x = area.x + area.width * 0.3, time = memlane_timeline_time_at (timeline, x), width = get_width (fixture);

  figure_test_zoom (fixture->view, x, 0, 0.5);
  g_assert_true (get_flag (fixture, "zoomed"));
  g_assert_cmpfloat_with_epsilon (get_width (fixture), width / 2, width / 1000);
  timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  g_assert_cmpfloat_with_epsilon (memlane_timeline_time_at (timeline, x), time, width / 1000);
  for (guint i = 0; i < 200; i++)
    figure_test_zoom (fixture->view, x, 0, 0.5);
  g_assert_cmpfloat_with_epsilon (get_width (fixture), 10, 0.01); /* ns: no nearer */
  timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  g_assert_cmpfloat_with_epsilon (memlane_timeline_time_at (timeline, x), time, 0.1);
  for (guint i = 0; i < 200; i++)
    figure_test_zoom (fixture->view, x, 0, 2);
  g_assert_false (get_flag (fixture, "zoomed"));
  figure_test_zoom (fixture->view, x, 0, NAN);
  figure_test_zoom (fixture->view, x, 0, 0);
  figure_test_zoom (fixture->view, NAN, 0, 1);
  g_assert_false (get_flag (fixture, "zoomed"));
}

static void
test_middle_drag_pans (Fixture *fixture, gconstpointer data)
{
  const MemlaneRectangle area = area_of (fixture);
  double from, to, from_after, to_after, full_from, full_to;
  double x = area.x + area.width / 2, y = area.y + area.height / 2;

  drag (fixture, GDK_BUTTON_MIDDLE, x, y, 50, 0); /* all is seen: there is nowhere to go */
  drop (fixture, GDK_BUTTON_MIDDLE);
  g_assert_false (get_flag (fixture, "zoomed"));
  full_from = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).full.from;
  full_to = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).full.to;
  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  get_range (fixture, &from, &to);
  drag (fixture, GDK_BUTTON_MIDDLE, x, y, area.width / 4, 0); /* the hand takes the figure along */
  get_range (fixture, &from_after, &to_after);
  g_assert_cmpfloat_with_epsilon (from_after, from - 10000, 10);
  g_assert_cmpfloat_with_epsilon (to_after, to - 10000, 10);
  drag (fixture, GDK_BUTTON_MIDDLE, x, y, 1e6, 0);
  get_range (fixture, &from_after, &to_after);
  g_assert_cmpfloat_with_epsilon (from_after, full_from, 1); /* never out of sight */
  g_assert_cmpfloat_with_epsilon (to_after - from_after, 40000, 10);
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_GESTURE_DRAG, GDK_BUTTON_MIDDLE), "drag-update", 0.0, 0.0);
  get_range (fixture, &from_after, NULL);
  drop (fixture, GDK_BUTTON_MIDDLE);
  g_assert_cmpfloat_with_epsilon (from_after, from - 10000, 10); /* back from beyond the end, nothing has drifted */
  drag (fixture, GDK_BUTTON_MIDDLE, x, y, -1e6, 0);
  get_range (fixture, NULL, &to_after);
  g_assert_cmpfloat_with_epsilon (to_after, full_to, 1);
  drop (fixture, GDK_BUTTON_MIDDLE);
}

static void
test_wheel (Fixture *fixture, gconstpointer data)
{
  double from, from_after, most;

  g_assert_false (wheel (fixture, 1, 0)); /* nothing to pan: it is the window's */
  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  get_range (fixture, &from, NULL);
  g_assert_true (wheel (fixture, 1, 0));
  get_range (fixture, &from_after, NULL);
  g_assert_cmpfloat_with_epsilon (from_after, from + 4000, 10);

  gtk_widget_allocate (GTK_WIDGET (fixture->view), 800, 120, -1, NULL); /* too low for all lanes */
  most = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).most_scroll;
  g_assert_cmpfloat (get_scroll (fixture), ==, 0);
  g_assert_cmpfloat (most, >, 0);
  g_assert_true (wheel (fixture, 0, 1));
  g_assert_cmpfloat (get_scroll (fixture), >, 0);
  wheel (fixture, 0, 1000);
  g_assert_cmpfloat_with_epsilon (get_scroll (fixture), most, 0.01);
  g_assert_false (wheel (fixture, 0, 1)); /* at the end it is the window's */
  g_assert_true (press (fixture, GDK_KEY_Up, 0));
  g_assert_cmpfloat (get_scroll (fixture), <, most);
  g_assert_true (press (fixture, GDK_KEY_Page_Up, 0));
  for (guint i = 0; i < 50; i++)
    g_assert_true (press (fixture, GDK_KEY_Up, 0)); /* the key stays here: it must not move the focus */
  g_assert_cmpfloat (get_scroll (fixture), ==, 0);
  g_assert_true (press (fixture, GDK_KEY_Down, 0));
  g_assert_cmpfloat (get_scroll (fixture), >, 0);
  act (fixture, "timeline.previous-event"); /* from the end: its lane comes into sight */
  g_assert_cmpfloat (memlane_timeline_scroll_to (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view)),
                                                 (MemlaneTimelineEvent) { 0, selected_of (fixture) }),
                     ==, get_scroll (fixture));
}

/* --- two traces ------------------------------------------------------------------------------------------------ */

static void
test_locked_axis (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneTrace) second = sample_trace_new ("streams-breadth-first", 2 * SAMPLE_CHUNKS);
  MemlaneRectangle upper, lower;
  double x, y;
  guint track;
  guint32 next;

  memlane_timeline_view_set_traces (fixture->view, fixture->trace, second, NULL, NULL);
  g_assert_cmpfloat (get_width (fixture), >, 300000); /* all of both */
  gtk_widget_allocate (GTK_WIDGET (fixture->view), 800, 1200, -1, NULL);
  memlane_timeline_view_set_range (fixture->view, 38000, 60000);
  figure_test_zoom (fixture->view, 400, 0, 0.7);
  act (fixture, "timeline.pan-left");
  for (guint32 event = 12; event < 15; event++)
    {
      MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));

      g_assert_true (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent) { 0, event }, &upper));
      g_assert_true (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent) { 1, event }, &lower));
      g_assert_cmpfloat (upper.x, ==, lower.x);
      g_assert_cmpfloat (upper.width, ==, lower.width);
      g_assert_cmpfloat (upper.y, <, lower.y);
    }
  memlane_timeline_view_set_range (fixture->view, NAN, NAN);
  choose (fixture, 1, 30);
  find_place (fixture, 1, 30, &x, &y);
  move (fixture, x, y);
  /* it says of which trace */
  g_assert_nonnull (strstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, "readth"));
  act (fixture, "timeline.next-event");
  memlane_timeline_view_get_read (fixture->view, &track, &next);
  g_assert_cmpuint (track, ==, 1);
  g_assert_cmpuint (next, ==, 31);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  TIMELINE_TEST ("/timeline-pointer/hover", test_hover);
  TIMELINE_TEST ("/timeline-pointer/hover-follows-the-zoom", test_hover_follows_the_zoom);
  TIMELINE_TEST ("/timeline-pointer/click", test_click);
  TIMELINE_TEST ("/timeline-pointer/span", test_span);
  TIMELINE_TEST ("/timeline-pointer/span-snaps", test_span_snaps);
  TIMELINE_TEST ("/timeline-pointer/zoom-at-the-pointer", test_zoom_at_the_pointer);
  TIMELINE_TEST ("/timeline-pointer/middle-drag-pans", test_middle_drag_pans);
  TIMELINE_TEST ("/timeline-pointer/wheel", test_wheel);
  TIMELINE_TEST ("/timeline-pointer/locked-axis", test_locked_axis);
  return ui_test_run ();
}
