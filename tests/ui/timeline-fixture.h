/* timeline-fixture.h: a timeline view in a window of 800x480, its keys, its pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * Keys and pointer come through the view's own controllers, as GTK would call them: where an event lies is asked of the layout, never
 * written down.
 */
#pragma once

#include "sample-trace.h"
#include "timeline/timeline-view.h"
#include "ui/figure-test.h"
#include "ui-test.h"

typedef struct
{
  GtkWindow *window;
  MemlaneTimelineView *view;
  MemlaneTrace *trace;
} Fixture;

#include "figure-fixture.h"

G_GNUC_UNUSED static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->trace = sample_trace_new ("streams-depth-first", SAMPLE_CHUNKS);
  fixture->view = g_object_new (MEMLANE_TYPE_TIMELINE_VIEW, NULL);
  memlane_timeline_view_set_traces (fixture->view, fixture->trace, NULL, NULL, NULL);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->view), 800, 480);
}

G_GNUC_UNUSED static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  g_clear_pointer (&fixture->trace, memlane_trace_unref);
}

G_GNUC_UNUSED static MemlaneRectangle
area_of (Fixture *fixture)
{
  return *memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).area;
}

/* The middle of an event, where it is hit. */
G_GNUC_UNUSED static void
find_place (Fixture *fixture, guint track, guint32 event, double *x, double *y)
{
  MemlaneTimeline *timeline = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view));
  MemlaneRectangle area;
  MemlaneTimelineHit hit;

  g_assert_true (memlane_timeline_place_event (timeline, (MemlaneTimelineEvent) { track, event }, &area));
  *x = area.x + area.width / 2;
  *y = area.y + area.height / 2;
  hit = memlane_timeline_hit (timeline, *x, *y);
  g_assert_cmpint (hit.kind, ==, MEMLANE_TIMELINE_HIT_EVENT);
  g_assert_cmpuint (hit.track, ==, track);
  g_assert_cmpuint (hit.event, ==, event);
}

/* A click on an event that is in sight selects it. */
G_GNUC_UNUSED static void
choose (Fixture *fixture, guint track, guint32 event)
{
  double x, y;

  find_place (fixture, track, event, &x, &y);
  click (fixture, 1, x, y);
}

G_GNUC_UNUSED static void
hover (Fixture *fixture, guint32 event)
{
  double x, y;

  find_place (fixture, 0, event, &x, &y);
  move (fixture, x, y);
}

G_GNUC_UNUSED static void
get_range (Fixture *fixture, double *from, double *to)
{
  double first, last;

  first = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).seen.from;
  last = memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).seen.to;
  if (from != NULL)
    *from = first;
  if (to != NULL)
    *to = last;
}

G_GNUC_UNUSED static double
get_width (Fixture *fixture)
{
  double from, to;

  get_range (fixture, &from, &to);
  return to - from;
}

G_GNUC_UNUSED static gboolean
get_flag (Fixture *fixture, const char *property)
{
  gboolean flag;

  g_object_get (fixture->view, property, &flag, NULL);
  return flag;
}

/* px of the lanes above what is seen */
G_GNUC_UNUSED static double
get_scroll (Fixture *fixture)
{
  return memlane_timeline_get_sight (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).scroll;
}

G_GNUC_UNUSED static double
get_cursor (Fixture *fixture)
{
  return ui_test_get (double, fixture->view, "cursor");
}

G_GNUC_UNUSED static guint
count_marked (MemlaneTimelineView *view)
{
  return ui_test_get (guint, view, "marked");
}

/* FALSE: no span is measured. */
G_GNUC_UNUSED static gboolean
get_span (MemlaneTimelineView *view, double *from, double *to)
{
  if (from != NULL)
    *from = view->span.from;
  if (to != NULL)
    *to = view->span.to;
  return !isnan (view->span.from);
}

G_GNUC_UNUSED static guint32
selected_of (Fixture *fixture)
{
  guint32 event;
  guint track;

  memlane_timeline_view_get_read (fixture->view, &track, &event);
  return event;
}

/* What is read is this event; by assistive technology too. */
G_GNUC_UNUSED static void
assert_reading (Fixture *fixture, guint32 event)
{
  g_autofree char *expected = event == MEMLANE_TRACE_NONE ? g_strdup ("") : memlane_timeline_tell_event (fixture->trace, event, ", ");
  g_autofree char *property = NULL;

  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, expected);
  g_object_get (fixture->view, "reading", &property, NULL);
  g_assert_cmpstr (property, ==, expected);
  if (event != MEMLANE_TRACE_NONE)
    gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, expected);
}

#define TIMELINE_TEST(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
