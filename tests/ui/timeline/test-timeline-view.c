/* test-timeline-view.c: a timeline in the window: what is told, stepping, keys, sizes, styles, the menu
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/timeline-fixture.h"

/* --- told ------------------------------------------------------------------------------------------------- */

static void
test_accessible (Fixture *fixture, gconstpointer data)
{
  MemlaneTimelineTrack tracks[] = { { fixture->trace, NULL, NULL } };
  g_autofree char *headline = memlane_timeline_headline (tracks, 1, NULL), *description = NULL;
  g_autofree char *title = memlane_timeline_title (fixture->trace);
  const char *const titles[] = { "one", "two" };

  tracks[0].headline = headline;
  description = memlane_timeline_describe (tracks, 1);
  gtk_test_accessible_assert_role (fixture->view, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_LABEL, title);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);
  act (fixture, "timeline.next-event");
  /* what a key has chosen is spoken: screen readers follow the description */
  assert_reading (fixture, 0);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       MEMLANE_FIGURE_WIDGET (fixture->view)->reading);
  hover (fixture, 5); /* the pointer is not read aloud */
  assert_reading (fixture, 5);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);

  gtk_widget_grab_focus (GTK_WIDGET (fixture->view));
  act (fixture, "timeline.next-event");
  gtk_window_set_focus (fixture->window, NULL); /* who comes back is told what there is */
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);

  memlane_timeline_view_set_traces (fixture->view, fixture->trace, fixture->trace, titles, NULL);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_LABEL, "one, and below it two");
  memlane_timeline_view_set_traces (fixture->view, NULL, NULL, NULL, NULL);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline");
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "");
}

/* --- stepping --------------------------------------------------------------------------------------------- */

static gboolean
is_in_range (Fixture *fixture, guint32 event)
{
  guint n;
  const MemlaneTraceEvent *found = memlane_trace_get_events (fixture->trace, &n) + event;
  double from, to;

  get_range (fixture, &from, &to);
  return found->start >= from && found->start + found->duration <= to;
}

static void
test_step (Fixture *fixture, gconstpointer data)
{
  g_assert_true (press (fixture, GDK_KEY_period, 0));
  g_assert_true (press (fixture, GDK_KEY_period, 0));
  g_assert_true (press (fixture, GDK_KEY_comma, 0));
  assert_reading (fixture, 0);
  g_assert_true (press (fixture, GDK_KEY_comma, 0)); /* there is nothing before */
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  act (fixture, "timeline.previous-event"); /* from the end */
  g_assert_cmpuint (selected_of (fixture), ==, SAMPLE_EVENTS - 1);
  act (fixture, "timeline.next-event");
  g_assert_cmpuint (selected_of (fixture), ==, SAMPLE_EVENTS - 1);

  /* where only a part is seen, it begins there, and what is stepped to comes into sight */
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  memlane_timeline_view_set_range (fixture->view, 79000, 90000);
  act (fixture, "timeline.next-event");
  g_assert_cmpuint (selected_of (fixture), ==, 24);
  for (guint32 event = 25; event < SAMPLE_EVENTS; event++)
    {
      act (fixture, "timeline.next-event");
      assert_reading (fixture, event);
      g_assert_true (is_in_range (fixture, event));
    }
  g_assert_cmpfloat_with_epsilon (get_width (fixture), 11000, 1); /* nothing had to be zoomed out */
}

static void
click_in_lane (Fixture *fixture, guint lane, guint32 event)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  const MemlaneRectangle area = area_of (fixture);
  MemlaneRectangle place;
  MemlaneTimelineHit hit = { 0 };
  double x, y = area.y;

  g_assert_true (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent) { 0, event }, &place));
  x = place.x + place.width / 2;
  do
    hit = memlane_timeline_hit (timeline, x, ++y);
  while (y < area.y + area.height && (hit.kind != MEMLANE_TIMELINE_HIT_EVENT || hit.lane != lane || hit.event != event));
  g_assert_cmpfloat (y, <, area.y + area.height);
  click (fixture, 1, x, y);
  leave (fixture);
}

static void
test_step_in_lane (Fixture *fixture, gconstpointer data)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (fixture->trace, &n);
  MemlaneTraceLaneKind kind;
  const MemlaneTraceLane *lanes;
  guint steps = 0, engine = MEMLANE_TRACE_NONE;

  act (fixture, "timeline.next-event"); /* a call: the host's lane is its home */
  g_assert_cmpint (events[0].kind, ==, MEMLANE_TRACE_CALL);
  for (guint32 before = 0; press (fixture, GDK_KEY_period, GDK_SHIFT_MASK) && selected_of (fixture) != before; steps++)
    {
      before = selected_of (fixture);
      g_assert_cmpint (events[before].kind, ==, MEMLANE_TRACE_CALL);
    }
  g_assert_cmpuint (steps, ==, SAMPLE_EVENTS / 2 - 1);
  g_assert_true (press (fixture, GDK_KEY_comma, GDK_SHIFT_MASK));
  g_assert_cmpint (events[selected_of (fixture)].kind, ==, MEMLANE_TRACE_CALL);

  /* an operation that was clicked in its engine's lane: what is stepped through is that engine, of both streams */
  lanes = memlane_trace_get_lanes (fixture->trace, &n);
  for (guint i = 0; i < n; i++)
    if ((kind = lanes[i].kind) == MEMLANE_TRACE_LANE_COPY_UP)
      engine = i;
  g_assert_cmpuint (engine, !=, MEMLANE_TRACE_NONE);
  click_in_lane (fixture, engine, lanes[engine].events[0]);
  for (guint i = 1; i < lanes[engine].n_events; i++)
    {
      act (fixture, "timeline.next-in-lane");
      g_assert_cmpuint (selected_of (fixture), ==, lanes[engine].events[i]);
    }
  act (fixture, "timeline.next-in-lane");
  act (fixture, "timeline.previous-in-lane");
  g_assert_cmpuint (selected_of (fixture), ==, lanes[engine].events[lanes[engine].n_events - 2]);
}

/* --- keys ------------------------------------------------------------------------------------------------- */

static void
test_keys (Fixture *fixture, gconstpointer data)
{
  double from, to, full_from, full_to, width = get_width (fixture);

  full_from = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).full.from;
  full_to = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).full.to;
  g_assert_true (press (fixture, GDK_KEY_Left, 0)); /* nothing to pan: the key stays here all the same */
  g_assert_true (press (fixture, GDK_KEY_Home, 0));
  g_assert_false (get_flag (fixture, "zoomed"));
  g_assert_true (press (fixture, GDK_KEY_plus, 0));
  g_assert_true (press (fixture, GDK_KEY_equal, 0));
  g_assert_cmpfloat_with_epsilon (get_width (fixture), width / 2.25, width / 1000);
  g_assert_true (press (fixture, GDK_KEY_Home, 0));
  get_range (fixture, &from, &to);
  g_assert_cmpfloat_with_epsilon (from, full_from, width / 1000);
  g_assert_true (press (fixture, GDK_KEY_Right, 0));
  get_range (fixture, &to, NULL);
  g_assert_cmpfloat_with_epsilon (to - from, get_width (fixture) / 10, width / 1000);
  g_assert_true (press (fixture, GDK_KEY_Left, 0));
  g_assert_true (press (fixture, GDK_KEY_Left, 0)); /* not beyond the beginning */
  get_range (fixture, &from, NULL);
  g_assert_cmpfloat_with_epsilon (from, full_from, width / 1000);
  g_assert_true (press (fixture, GDK_KEY_End, 0));
  get_range (fixture, NULL, &to);
  g_assert_cmpfloat_with_epsilon (to, full_to, width / 1000);
  g_assert_true (press (fixture, GDK_KEY_minus, 0));
  g_assert_true (press (fixture, GDK_KEY_0, 0));
  g_assert_false (get_flag (fixture, "zoomed"));
  g_assert_cmpfloat (get_width (fixture), ==, width);
}

static void
test_centre (Fixture *fixture, gconstpointer data)
{
  const MemlaneRectangle area = area_of (fixture);
  double x, y, width;

  g_assert_false (press (fixture, GDK_KEY_f, 0)); /* of nothing */
  choose (fixture, 0, 20);
  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  width = get_width (fixture);
  g_assert_true (press (fixture, GDK_KEY_f, 0));
  find_place (fixture, 0, 20, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, area.x + area.width / 2, 1);
  g_assert_cmpfloat_with_epsilon (get_width (fixture), width, 1);
  g_assert_true (press (fixture, GDK_KEY_f, 0)); /* and again fits it */
  find_place (fixture, 0, 20, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, area.x + area.width / 2, 1);
  g_assert_cmpfloat (get_width (fixture), <, width / 2);
  width = get_width (fixture);
  g_assert_true (press (fixture, GDK_KEY_f, GDK_SHIFT_MASK)); /* nothing more */
  g_assert_cmpfloat_with_epsilon (get_width (fixture), width, 1);

  /* the first event cannot come to the middle: the second time it is fitted anyway */
  memlane_timeline_view_set_range (fixture->view, 0, 60000);
  choose (fixture, 0, 0);
  act (fixture, "timeline.centre");
  act (fixture, "timeline.centre");
  g_assert_cmpfloat (get_width (fixture), <, 5000);

  /* selecting zooms out where that is needed, and only there */
  memlane_timeline_view_set_range (fixture->view, 0, 60000);
  choose (fixture, 0, 3);
  memlane_timeline_view_set_range (fixture->view, 100000, 100100);
  act (fixture, "timeline.previous-event");
  g_assert_true (is_in_range (fixture, 2));
  width = get_width (fixture);
  g_assert_cmpfloat (width, >, 2000);
}

static void
test_mark (Fixture *fixture, gconstpointer data)
{
  memlane_timeline_view_set_range (fixture->view, 0, 10000);
  memlane_timeline_view_mark (fixture->view, 0, (guint32[]) { 13, 25, SAMPLE_EVENTS + 3 }, 3);
  g_assert_cmpuint (count_marked (fixture->view), ==, 2); /* one does not exist */
  g_assert_true (is_in_range (fixture, 13));
  g_assert_true (is_in_range (fixture, 25));
  memlane_timeline_view_mark (fixture->view, 0, NULL, 0);
  g_assert_cmpuint (count_marked (fixture->view), ==, 0);
  memlane_timeline_view_mark (fixture->view, 1, (guint32[]) { 0 }, 1);
  g_assert_cmpuint (count_marked (fixture->view), ==, 0);
}

static void
measure_span (Fixture *fixture, double from, double to)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  const MemlaneRectangle area = area_of (fixture);
  double x = memlane_timeline_x_of (timeline, from);

  drag (fixture, GDK_BUTTON_PRIMARY, x, area.y + 1, memlane_timeline_x_of (timeline, to) - x, 0);
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (get_span (fixture->view, NULL, NULL));
}

/* Escape takes back one thing after the other, and is the window's in the end. */
static void
test_escape (Fixture *fixture, gconstpointer data)
{
  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  choose (fixture, 0, 15);
  g_object_set (fixture->view, "playing", TRUE, NULL);
  memlane_timeline_view_mark (fixture->view, 0, (guint32[]) { 15 }, 1);
  measure_span (fixture, 45000, 50000);
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_false (get_span (fixture->view, NULL, NULL));
  g_assert_cmpuint (selected_of (fixture), ==, 15);
  act (fixture, "timeline.let-go");
  g_assert_cmpuint (selected_of (fixture), ==, MEMLANE_TRACE_NONE);
  g_assert_cmpuint (count_marked (fixture->view), ==, 0);
  g_assert_true (get_flag (fixture, "playing"));
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_false (get_flag (fixture, "playing"));
  g_assert_true (isnan (get_cursor (fixture)));
  g_assert_true (get_flag (fixture, "zoomed"));
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  g_assert_false (get_flag (fixture, "zoomed"));
  g_assert_false (press (fixture, GDK_KEY_Escape, 0));
}

/* --- surroundings ----------------------------------------------------------------------------------------- */

static void
test_menu (Fixture *fixture, gconstpointer data)
{
  GType type = GTK_TYPE_POPOVER_MENU;
  GtkEventController *second_button = find_controller (fixture, GTK_TYPE_GESTURE_CLICK, GDK_BUTTON_SECONDARY);
  GdkContentProvider *content;
  g_auto(GValue) value = G_VALUE_INIT;
  g_autofree char *expected = memlane_timeline_tell_event (fixture->trace, 4, "\n");
  GtkWidget *menu;
  double x, y;

  find_place (fixture, 0, 4, &x, &y);
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), TRUE);
  g_assert_false (press (fixture, GDK_KEY_Menu, 0)); /* not on the wall */
  g_signal_emit_by_name (second_button, "pressed", 1, x, y);
  g_assert_null (ui_test_find_type (GTK_WIDGET (fixture->view), type));
  memlane_figure_widget_set_projector (MEMLANE_FIGURE_WIDGET (fixture->view), FALSE);
  find_place (fixture, 0, 4, &x, &y);
  g_signal_emit_by_name (second_button, "pressed", 1, x, y);
  g_assert_cmpuint (selected_of (fixture), ==, 4); /* what is asked for is meant for it */
  menu = ui_test_find_type (GTK_WIDGET (fixture->view), type);
  g_assert_nonnull (menu);
  g_assert_true (gtk_widget_get_mapped (menu));
  g_assert_nonnull (ui_test_find_text (menu, "Zoom"));
  g_assert_null (ui_test_find_text (menu, "Print")); /* this window has none */
  gtk_widget_activate_action (menu, "timeline.copy-event", NULL);
  content = gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (fixture->view)));
  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (content, &value, NULL));
  g_assert_cmpstr (g_value_get_string (&value), ==, expected);
  gtk_popover_popdown (GTK_POPOVER (menu));
  g_assert_true (press (fixture, GDK_KEY_F10, GDK_SHIFT_MASK));
  g_assert_true (ui_test_find_type (GTK_WIDGET (fixture->view), type) == menu);
  gtk_popover_popdown (GTK_POPOVER (menu));
}

static void
test_sizes (Fixture *fixture, gconstpointer data)
{
  static const char *const acts[] = { "timeline.zoom-in", "timeline.next-event", "timeline.centre", NULL };

  figure_test_sizes (fixture->view, acts, "timeline.fit");
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  TIMELINE_TEST ("/timeline-view/accessible", test_accessible);
  TIMELINE_TEST ("/timeline-view/step", test_step);
  TIMELINE_TEST ("/timeline-view/step-in-lane", test_step_in_lane);
  TIMELINE_TEST ("/timeline-view/keys", test_keys);
  TIMELINE_TEST ("/timeline-view/centre", test_centre);
  TIMELINE_TEST ("/timeline-view/mark", test_mark);
  TIMELINE_TEST ("/timeline-view/escape", test_escape);
  TIMELINE_TEST ("/timeline-view/menu", test_menu);
  TIMELINE_TEST ("/timeline-view/sizes", test_sizes);
  return ui_test_run ();
}
