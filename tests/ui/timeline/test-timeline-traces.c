/* test-timeline-traces.c: a timeline in the window: playing, and traces that come and go
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/timeline-fixture.h"

/* --- playing ---------------------------------------------------------------------------------------------- */

static gboolean
has_moved (Fixture *fixture)
{
  double from, to;

  get_range (fixture, &from, &to);
  return get_cursor (fixture) > MAX (from, 0) + (to - from) / 20;
}

static void
test_play (Fixture *fixture, gconstpointer data)
{
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (fixture->view));
  guint notified = 0, figure, figure_after;
  double from, to, cursor, end = memlane_trace_get_end (fixture->trace);

  g_object_set (settings, "gtk-enable-animations", TRUE, NULL);
  g_signal_connect_swapped (fixture->view, "notify::playing", G_CALLBACK (count_cb), &notified);
  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  figure_test_count_paints (fixture->view, &figure, NULL);
  g_assert_true (press (fixture, GDK_KEY_space, 0));
  g_assert_true (get_flag (fixture, "playing"));
  get_range (fixture, &from, &to);
  g_assert_cmpfloat (get_cursor (fixture), ==, from);
  ui_test_wait (has_moved (fixture));
  g_assert_true (press (fixture, GDK_KEY_space, 0)); /* rests */
  g_assert_false (get_flag (fixture, "playing"));
  g_assert_cmpuint (notified, ==, 2);
  cursor = get_cursor (fixture);
  ui_test_spin (50);
  g_assert_cmpfloat (get_cursor (fixture), ==, cursor);
  figure_test_count_paints (fixture->view, &figure_after, NULL);
  g_assert_cmpuint (figure_after, ==, figure); /* the cursor is of the overlay */

  act (fixture, "timeline.play"); /* and goes on from there */
  g_assert_cmpfloat (get_cursor (fixture), ==, cursor);
  g_object_set (fixture->view, "cursor", to - (to - from) / 1000, NULL);
  ui_test_wait (!get_flag (fixture, "playing"));
  g_assert_cmpfloat (get_cursor (fixture), ==, to);
  g_assert_cmpuint (notified, ==, 4);
  act (fixture, "timeline.play"); /* from the beginning */
  g_assert_cmpfloat (get_cursor (fixture), ==, from);
  memlane_timeline_view_set_range (fixture->view, NAN, NAN); /* what is seen changes under it */
  ui_test_wait (has_moved (fixture));
  g_object_set (fixture->view, "cursor", end - 100, NULL);
  ui_test_wait (!get_flag (fixture, "playing")); /* not where nothing is measured any more */
  g_assert_cmpfloat (get_cursor (fixture), ==, end);
  act (fixture, "timeline.play");
  g_assert_cmpfloat (get_cursor (fixture), ==, 0);
  memlane_timeline_view_set_range (fixture->view, 90000, 95000);
  ui_test_wait (has_moved (fixture));

  gtk_widget_set_visible (GTK_WIDGET (fixture->view), FALSE); /* who does not see it misses nothing */
  g_assert_false (get_flag (fixture, "playing"));
  act (fixture, "timeline.play");
  g_assert_false (get_flag (fixture, "playing"));
  gtk_widget_set_visible (GTK_WIDGET (fixture->view), TRUE);
  g_object_set (settings, "gtk-enable-animations", FALSE, NULL);
}

/* Without animations: event by event. */
static void
test_play_in_steps (Fixture *fixture, gconstpointer data)
{
  guint n;
  const MemlaneTraceEvent *events = memlane_trace_get_events (fixture->trace, &n);
  guint changed = 0;

  memlane_timeline_view_set_range (fixture->view, events[3].start - 100, events[5].start + 100);
  g_object_set (fixture->view, "playing", TRUE, NULL);
  g_signal_connect_swapped (fixture->view, "notify::reading", G_CALLBACK (count_cb), &changed);
  while (!!get_flag (fixture, "playing"))
    {
      gboolean stands = isnan (get_cursor (fixture));

      for (guint i = 0; i < n; i++)
        stands |= get_cursor (fixture) == events[i].start || fabs (get_cursor (fixture) - (events[3].start - 100)) < 1
                  || fabs (get_cursor (fixture) - (events[5].start + 100)) < 1;
      g_assert_true (stands);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (changed, >=, 3); /* each event was read in its turn */
}

/* --- traces that come and go --------------------------------------------------------------------------------- */

static void
test_second_trace (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneTrace) longer = sample_trace_new ("pinned", 2 * SAMPLE_CHUNKS);
  g_autofree char *reading = memlane_timeline_tell_event (fixture->trace, 15, ", ");
  double from, to, full_to, x, y;

  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  choose (fixture, 0, 15);
  memlane_timeline_view_set_traces (fixture->view, fixture->trace, longer, NULL, NULL);
  g_assert_true (fixture->view->tracks[1].trace == longer);
  get_range (fixture, &from, &to);
  g_assert_cmpfloat_with_epsilon (from, 40000, 1);
  g_assert_cmpfloat_with_epsilon (to, 80000, 1);
  g_assert_cmpuint (selected_of (fixture), ==, 15);
  /* after the title: it is one of two now */
  g_assert_true (g_str_has_suffix (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, reading));

  memlane_timeline_view_set_range (fixture->view, 250000, 290000); /* where only the second one is */
  gtk_widget_allocate (GTK_WIDGET (fixture->view), 800, 1200, -1, NULL);
  choose (fixture, 1, 80);
  find_place (fixture, 1, 80, &x, &y);
  move (fixture, x, y);
  memlane_timeline_view_set_traces (fixture->view, fixture->trace, NULL, NULL, NULL);
  g_assert_null (fixture->view->tracks[1].trace);
  g_assert_cmpuint (selected_of (fixture), ==, MEMLANE_TRACE_NONE);
  full_to = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).full.to;
  get_range (fixture, &from, &to);
  g_assert_cmpfloat (to, <=, full_to + 1); /* not where nothing is any more */
  g_assert_true (get_flag (fixture, "zoomed"));

  leave (fixture); /* what would lie under the pointer is not the point here */
  memlane_timeline_view_set_range (fixture->view, 40000, 80000);
  choose (fixture, 0, 15);
  memlane_timeline_view_set_traces (fixture->view, longer, NULL, NULL, NULL); /* something else */
  g_assert_false (get_flag (fixture, "zoomed"));
  g_assert_cmpuint (selected_of (fixture), ==, MEMLANE_TRACE_NONE);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");
}

/* In the middle of everything that a person can be doing. */
static void
test_replaced (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneTrace) small = sample_trace_new ("pinned", 1), empty = sample_trace_new ("pinned", 0);
  MemlaneTrace *const traces[] = { fixture->trace, small, empty, NULL };
  const MemlaneRectangle area = area_of (fixture);
  double y = area.y + area.height - 2;

  g_object_set (gtk_widget_get_settings (GTK_WIDGET (fixture->view)), "gtk-enable-animations", TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    for (guint j = 0; j < G_N_ELEMENTS (traces); j++)
      for (guint second = 0; second < (traces[j] != NULL ? 3 : 1); second++)
        {
          GtkEventController *first_button = find_controller (fixture, GTK_TYPE_GESTURE_DRAG, GDK_BUTTON_PRIMARY);
          GtkEventController *middle_button = find_controller (fixture, GTK_TYPE_GESTURE_DRAG, GDK_BUTTON_MIDDLE);

          memlane_timeline_view_set_traces (fixture->view, traces[i], traces[i], NULL, NULL);
          memlane_timeline_view_set_range (fixture->view, 2000, 15000);
          if (traces[i] == fixture->trace)
            hover (fixture, 3);
          act (fixture, "timeline.next-event");
          memlane_timeline_view_mark (fixture->view, 1, (guint32[]) { 2, 3 }, 2);
          g_object_set (fixture->view, "playing", TRUE, NULL);
          drag (fixture, GDK_BUTTON_PRIMARY, area.x + 30, y, 200, 0);
          drag (fixture, GDK_BUTTON_MIDDLE, area.x + 30, y, -40, 10);
          ui_test_next_frame (GTK_WIDGET (fixture->view));
          memlane_timeline_view_set_traces (fixture->view, traces[j],
                                           second == 1 ? fixture->trace : second == 2 ? empty : NULL, NULL, NULL);
          g_signal_emit_by_name (first_button, "drag-update", 250.0, 0.0);
          g_signal_emit_by_name (middle_button, "drag-update", 250.0, 0.0);
          ui_test_next_frame (GTK_WIDGET (fixture->view));
          g_signal_emit_by_name (first_button, "drag-end", 250.0, 0.0);
          g_signal_emit_by_name (middle_button, "drag-end", 250.0, 0.0);
          act (fixture, "timeline.next-event");
          act (fixture, "timeline.next-in-lane");
          act (fixture, "timeline.centre");
          leave (fixture);
          ui_test_next_frame (GTK_WIDGET (fixture->view));
        }
  memlane_timeline_view_set_traces (fixture->view, NULL, NULL, NULL, NULL);
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (fixture->view)), "gtk-enable-animations", FALSE, NULL);
}

static void
test_nothing (void)
{
  MemlaneTimelineView *view = g_object_new (MEMLANE_TYPE_TIMELINE_VIEW, NULL);
  g_autoptr(MemlaneTrace) trace = sample_trace_new ("pinned", 2), empty = sample_trace_new ("pinned", 0);
  static const char *const actions[] = {
    "timeline.fit", "timeline.zoom-in", "timeline.zoom-out", "timeline.pan-left", "timeline.pan-right", "timeline.next-event",
    "timeline.previous-event", "timeline.next-in-lane", "timeline.previous-in-lane", "timeline.centre", "timeline.copy-event",
    "timeline.play", "timeline.let-go",
  };
  MemlaneTrace *const traces[] = { NULL, trace, NULL, empty };
  Fixture fixture = { .view = view };

  for (guint shown = 0; shown < 2; shown++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
        {
          memlane_timeline_view_set_traces (view, traces[i], NULL, NULL, NULL);
          for (guint j = 0; j < G_N_ELEMENTS (actions); j++)
            gtk_widget_activate_action (GTK_WIDGET (view), actions[j], NULL);
          memlane_timeline_view_set_range (view, 5, 50);
          move (&fixture, 100, 100);
          click (&fixture, 2, 100, 100);
          drag (&fixture, GDK_BUTTON_PRIMARY, 100, 100, 80, 80);
          drop (&fixture, GDK_BUTTON_PRIMARY);
          drag (&fixture, GDK_BUTTON_MIDDLE, 100, 100, 80, 80);
          drop (&fixture, GDK_BUTTON_MIDDLE);
          leave (&fixture);
          if (traces[i] != trace)
            {
              g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (view)->reading, ==, "");
              g_assert_false (get_flag (&fixture, "zoomed"));
              g_assert_false (get_flag (&fixture, "playing"));
            }
          if (shown)
            ui_test_next_frame (GTK_WIDGET (view));
        }
      if (!shown)
        fixture.window = ui_test_window_for (GTK_WIDGET (view), 400, 300);
    }
  gtk_window_destroy (fixture.window);
}

static void
test_finalize (void)
{
  MemlaneTrace *trace = sample_trace_new ("pinned", 2);
  MemlaneTimelineView *view = g_object_ref_sink (g_object_new (MEMLANE_TYPE_TIMELINE_VIEW, NULL));
  GtkWindow *window = ui_test_window_for (GTK_WIDGET (view), 400, 300);

  g_object_set (gtk_widget_get_settings (GTK_WIDGET (view)), "gtk-enable-animations", TRUE, NULL);
  memlane_timeline_view_set_traces (view, trace, NULL, NULL, NULL);
  memlane_trace_unref (trace); /* the view has its own */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "timeline.next-event", NULL));
  memlane_timeline_view_mark (view, 0, (guint32[]) { 3 }, 1);
  g_object_set (view, "playing", TRUE, NULL);
  ui_test_next_frame (GTK_WIDGET (view));
  gtk_window_destroy (window);
  g_assert_finalize_object (view);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  /* the style manager lives on and must not call what is gone */
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  TIMELINE_TEST ("/timeline-traces/play", test_play);
  TIMELINE_TEST ("/timeline-traces/play-in-steps", test_play_in_steps);
  TIMELINE_TEST ("/timeline-traces/second-trace", test_second_trace);
  TIMELINE_TEST ("/timeline-traces/replaced", test_replaced);
  g_test_add_func ("/timeline-traces/nothing", test_nothing);
  g_test_add_func ("/timeline-traces/finalize", test_finalize);
  return ui_test_run ();
}
