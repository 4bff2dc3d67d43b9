/* test-chart-pointer.c: pointing at a chart, isolating, zooming, and what is painted for it
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/chart-fixture.h"
#include "chart/plot/plot-layout.h"
#include "base/each.h"

/* --- pointing --------------------------------------------------------------------------------------------- */

static void
test_crosshair (Fixture *fixture, gconstpointer data)
{
  MemlanePlacedPoint placed = find_placed (fixture, "pinned", 12);
  const MemlaneRectangle area = area_of (fixture);

  move (fixture, placed.x, placed.y);
  assert_reading (fixture, 12, "pinned");
  move (fixture, placed.x, area.y + area.height - 1);
  assert_reading (fixture, 12, NULL);
  leave (fixture);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");

  click (fixture, 1, placed.x, placed.y); /* pinned: it is there again when the pointer has left */
  placed = find_placed (fixture, "mapped", 10);
  move (fixture, placed.x, placed.y);
  assert_reading (fixture, 10, "mapped");
  leave (fixture);
  assert_reading (fixture, 12, "pinned");

  /* GTK repeats the place of a resting pointer after a layout: what a key did stays */
  move (fixture, placed.x, placed.y);
  act (fixture, "chart.next-size");
  move (fixture, placed.x, placed.y);
  assert_reading (fixture, 11, "mapped");
}

/* Over a line, also between its points, and over a label: the others are grey, and nothing has moved. */
static void
test_hover (Fixture *fixture, gconstpointer data)
{
  const MemlaneView *view = &fixture->view->view;
  MemlaneFigureWidget *widget = MEMLANE_FIGURE_WIDGET (fixture->view);
  const MemlanePlot *plot = memlane_figure_widget_get_layout (widget);
  MemlanePlacedPoint a = find_placed (fixture, "pinned", 11), b = find_placed (fixture, "pinned", 12);
  MemlanePlacedPoint other = find_placed (fixture, "pageable", 12);
  const MemlaneRectangle area = area_of (fixture);
  MemlaneFamily families[] = { MEMLANE_FAMILY_PAGEABLE, MEMLANE_FAMILY_PINNED, MEMLANE_FAMILY_ZERO_COPY };
  const GArray *legend = plot->frame.targets;
  guint before, after, overlay;

  ui_test_next_frame (GTK_WIDGET (widget));
  figure_test_count_paints (fixture->view, &before, &overlay);
  move (fixture, (a.x + b.x) / 2, (a.y + b.y) / 2);
  g_assert_cmpint (view->hover, ==, MEMLANE_FAMILY_PINNED);
  ui_test_next_frame (GTK_WIDGET (widget));
  figure_test_count_paints (fixture->view, &after, &overlay);
  g_assert_cmpuint (after, ==, before + 1);
  g_assert_true (memlane_figure_widget_get_layout (widget) == plot);
  g_assert_true (memlane_plot_is_context (plot, memlane_plot_series (plot, other.series)));
  g_assert_false (memlane_plot_is_context (plot, memlane_plot_series (plot, a.series)));
  ui_test_screenshot (GTK_WIDGET (fixture->window), "chart-hover.png");
  move (fixture, (a.x + b.x) / 2 + 1, (a.y + b.y) / 2); /* the same one: nothing is painted again */
  ui_test_next_frame (GTK_WIDGET (widget));
  figure_test_count_paints (fixture->view, &after, &overlay);
  g_assert_cmpuint (after, ==, before + 1);
  MEMLANE_FOR_EACH_IN (const MemlaneTarget, entry, legend)
    {
      move (fixture, entry->area.x + entry->area.width / 2, entry->area.y + entry->area.height / 2);
      g_assert_cmpint (view->hover, ==, families[entry->item]);
    }
  move (fixture, area.x + 2, area.y + area.height - 2); /* no line there */
  g_assert_cmpint (view->hover, ==, MEMLANE_N_FAMILIES);
  move (fixture, b.x, b.y);
  g_assert_cmpint (view->hover, ==, MEMLANE_FAMILY_PINNED);
  memlane_figure_widget_set_projector (widget, TRUE); /* the wall likewise */
  ui_test_next_frame (GTK_WIDGET (widget));
  other = find_placed (fixture, "pageable", 12);
  move (fixture, other.x, other.y);
  g_assert_cmpint (view->hover, ==, MEMLANE_FAMILY_PAGEABLE);
  leave (fixture);
  g_assert_cmpint (view->hover, ==, MEMLANE_N_FAMILIES);
  plot = memlane_figure_widget_get_layout (widget);
  g_assert_false (memlane_plot_is_context (plot, memlane_plot_series (plot, a.series)));
}

static void
test_legend (Fixture *fixture, gconstpointer data)
{
  const GArray *legend = ((const MemlanePlot *) memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view)))->frame.targets;
  const MemlaneTarget entry = g_array_index (legend, MemlaneTarget, 1);
  MemlaneChart *chart = fixture->view->chart;
  const char *mode = ((MemlaneSeries *) chart->series->pdata[entry.item])->mode;
  double x = entry.area.x + entry.area.width / 2, y = entry.area.y + entry.area.height / 2;

  g_assert_cmpuint (legend->len, ==, 3);
  click (fixture, 1, x, y);
  g_assert_cmpstr (fixture->view->view.isolated, ==, mode); /* in all runs */
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  click (fixture, 1, x, y);
  g_assert_null (fixture->view->view.isolated);
  click (fixture, 1, x, y);
  act (fixture, "chart.stop-isolating");
  g_assert_null (fixture->view->view.isolated);
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "chart.isolate", "s", "nobody");
  g_assert_null (fixture->view->view.isolated);
}

static void
activated_cb (MemlaneChartView *view, const MemlaneChartPoint *point, const char *id, GString *log)
{
  g_string_append_printf (log, "%s@%g ", id, point->log2_elements);
}

static void
test_activate (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GString) log = g_string_new (NULL);
  g_autofree char *expected = g_strdup_printf ("%s@13 %s@10 ", id_of (fixture, "pinned"), id_of (fixture, "mapped"));
  MemlanePlacedPoint placed = find_placed (fixture, "pinned", 13);

  g_signal_connect (fixture->view, "point-activated", G_CALLBACK (activated_cb), log);
  act (fixture, "chart.activate-point"); /* of nothing */
  g_assert_cmpstr (log->str, ==, "");
  click (fixture, 1, placed.x, placed.y);
  g_assert_cmpstr (log->str, ==, "");
  click (fixture, 2, placed.x, placed.y);
  act (fixture, "chart.first-size");
  act (fixture, "chart.previous-curve");
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  g_assert_cmpstr (log->str, ==, expected);
}

/* --- zoom ------------------------------------------------------------------------------------------------- */

static void
test_drag (Fixture *fixture, gconstpointer data)
{
  const MemlaneRectangle area = area_of (fixture);
  double x0 = find_placed (fixture, "pinned", 11).x, x1 = find_placed (fixture, "pinned", 13).x;
  const MemlaneView *view = &fixture->view->view;
  guint figure, figure_after, notified = 0;

  g_signal_connect_swapped (fixture->view, "notify::zoomed", G_CALLBACK (count_cb), &notified);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  figure_test_count_paints (fixture->view, &figure, NULL);
  drag (fixture, GDK_BUTTON_PRIMARY, x0, area.y + area.height * 0.25, x1 - x0, area.height * 0.5);
  ui_test_next_frame (GTK_WIDGET (fixture->view));
  figure_test_count_paints (fixture->view, &figure_after, NULL);
  g_assert_cmpuint (figure_after, ==, figure); /* the rubber band is of the overlay */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (is_zoomed (fixture));
  g_assert_cmpuint (notified, ==, 1);
  g_assert_cmpfloat_with_epsilon (view->x.from, 11, 0.01);
  g_assert_cmpfloat_with_epsilon (view->x.to, 13, 0.01);
  g_assert_cmpfloat (view->y.from, >, 0);
  g_assert_cmpfloat (view->y.to, >, view->y.from);

  act (fixture, "chart.fit");
  g_assert_cmpuint (notified, ==, 2);
  g_assert_true (isnan (view->x.from) && isnan (view->y.to));
  drag (fixture, GDK_BUTTON_PRIMARY, x0, area.y + 20, x1 - x0, 3); /* flat: the sizes alone */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_cmpfloat_with_epsilon (view->x.from, 11, 0.01);
  g_assert_true (isnan (view->y.from));
  act (fixture, "chart.fit");

  drag (fixture, GDK_BUTTON_PRIMARY, x0, area.y + 20, 2, 1); /* a click with an unsteady hand */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_false (is_zoomed (fixture));
  drag (fixture, GDK_BUTTON_PRIMARY, x0, area.y + 20, 100, 100);
  g_assert_true (press (fixture, GDK_KEY_Escape, 0));
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_false (is_zoomed (fixture));
  drag (fixture, GDK_BUTTON_PRIMARY, 1, 1, 200, 200); /* begins outside the axes */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_false (is_zoomed (fixture));
  drag (fixture, GDK_BUTTON_PRIMARY, x0, area.y + 20, 1e5, 1e5); /* ends beyond them */
  drop (fixture, GDK_BUTTON_PRIMARY);
  g_assert_true (is_zoomed (fixture));
}

static void
test_zoom_is_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneChart) again = sample_chart_new (MEMLANE_QUANTITY_BANDWIDTH, MEMLANE_PHASE_ELAPSED, FALSE);
  g_autoptr(MemlaneChart) logarithmic = sample_chart_new (MEMLANE_QUANTITY_BANDWIDTH, MEMLANE_PHASE_ELAPSED, TRUE);
  g_autoptr(MemlaneChart) upload = sample_chart_new (MEMLANE_QUANTITY_BANDWIDTH, MEMLANE_PHASE_UPLOAD, FALSE);
  const MemlaneRectangle area = area_of (fixture);
  const MemlaneView *view = &fixture->view->view;
  MemlaneView before;

  act (fixture, "chart.first-size");
  act (fixture, "chart.next-size");
  act (fixture, "chart.next-curve");
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "chart.isolate", "s", id_of (fixture, "pinned"));
  drag (fixture, GDK_BUTTON_PRIMARY, area.x, area.y + 20, area.width / 2, area.height / 2);
  drop (fixture, GDK_BUTTON_PRIMARY);
  before = *view;
  memlane_chart_view_set_chart (fixture->view, again); /* as it comes ten times a second during a sweep */
  g_assert_cmpfloat (view->x.to, ==, before.x.to);
  g_assert_cmpfloat (view->y.from, ==, before.y.from);
  g_assert_cmpstr (view->isolated, ==, id_of (fixture, "pinned"));
  assert_reading (fixture, 11, "mapped");

  memlane_chart_view_set_chart (fixture->view, logarithmic);
  g_assert_cmpfloat (view->x.to, ==, before.x.to);
  g_assert_true (isnan (view->y.from) && isnan (view->y.to));
  g_assert_cmpstr (view->isolated, ==, id_of (fixture, "pinned"));

  memlane_chart_view_set_chart (fixture->view, upload); /* something else */
  g_assert_false (is_zoomed (fixture));
  g_assert_null (view->isolated);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (fixture->view)->reading, ==, "");
}

static void
test_zoom_at_the_pointer (Fixture *fixture, gconstpointer data)
{
  const MemlaneRectangle area = area_of (fixture);
  const MemlaneView *view = &fixture->view->view;
  double x = find_placed (fixture, "pinned", 13).x, from, y_from;

  g_assert_false (wheel (fixture, 0, 1)); /* without Ctrl the wheel is the window's */
  g_assert_false (is_zoomed (fixture));
  figure_test_zoom (fixture->view, x, area.y + 10, 0.5);
  g_assert_true (is_zoomed (fixture));
  g_assert_true (isnan (view->y.from)); /* values fit what is seen until somebody chooses */
  g_assert_cmpfloat_with_epsilon (find_placed (fixture, "pinned", 13).x, x, 0.5);
  from = view->x.from;
  g_assert_true (wheel (fixture, -1, 0));
  g_assert_cmpfloat (view->x.from, <, from);
  act (fixture, "chart.fit");

  figure_test_zoom (fixture->view, area.x - 5, area.y + area.height - 1, 0.5); /* beside the axis of values */
  g_assert_true (isnan (view->x.from));
  g_assert_cmpfloat_with_epsilon (view->y.from, 0, 1e9);
  y_from = view->y.from;
  figure_test_zoom (fixture->view, x, area.y + area.height + 5, 0.5); /* below the axis of sizes */
  g_assert_false (isnan (view->x.from));
  g_assert_cmpfloat (view->y.from, ==, y_from);
  figure_test_zoom (fixture->view, x, area.y, 0.5); /* inside both, now that both are chosen */
  g_assert_cmpfloat (view->y.from, >, y_from);
}

static void
test_walk_beyond_the_zoom (Fixture *fixture, gconstpointer data)
{
  const MemlaneView *view = &fixture->view->view;

  act (fixture, "chart.first-size");
  for (guint i = 0; i < 10; i++)
    act (fixture, "chart.zoom-in");
  g_assert_cmpfloat (view->x.to - view->x.from, >, 0.99); /* one octave is the least */
  g_assert_cmpfloat (view->x.to, <, 12);
  for (guint log2 = 11; log2 <= SAMPLE_LAST; log2++)
    {
      act (fixture, "chart.next-size");
      assert_reading (fixture, log2, NULL);
      g_assert_cmpfloat (view->x.from, <=, log2);
      g_assert_cmpfloat (view->x.to, >=, log2);
    }
  for (guint i = 0; i < 10; i++)
    act (fixture, "chart.zoom-out");
  g_assert_false (is_zoomed (fixture));
}

static void
test_zoom_arithmetic (void)
{
  const MemlaneScale linear = { MEMLANE_SCALE_LINEAR, 0, 100 }, half = { MEMLANE_SCALE_LINEAR, 50, 100 };
  const MemlaneScale powers = { MEMLANE_SCALE_LOG2, 1024, 1024 * 1024 };
  MemlaneRange seen;

  seen = memlane_zoom_to (&linear, &linear, 0.75, 0.25, 0); /* in either direction */
  g_assert_cmpfloat_with_epsilon (seen.from, 25, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.to, 75, 1e-9);
  seen = memlane_zoom_to (&half, &linear, 0.5, 0.5, 0.1); /* at least a tenth */
  g_assert_cmpfloat_with_epsilon (seen.from, 70, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.to, 80, 1e-9);
  seen = memlane_zoom_around (&linear, &linear, 0.25, 0.5, 0); /* 25 stays */
  g_assert_cmpfloat_with_epsilon (seen.from, 12.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.to, 62.5, 1e-9);
  seen = memlane_zoom_around (&half, &linear, 0.2, 0.01, 0.5); /* as near as it gets: nothing moves */
  g_assert_cmpfloat_with_epsilon (seen.from, 50, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.to, 100, 1e-9);
  seen = memlane_zoom_around (&half, &linear, 1, 1.5, 0); /* stops at the end of the axis */
  g_assert_cmpfloat_with_epsilon (seen.from, 25, 1e-9);
  g_assert_cmpfloat_with_epsilon (seen.to, 100, 1e-9);
  seen = memlane_zoom_around (&half, &linear, 0.5, 8, 0);
  g_assert_true (isnan (seen.from) && isnan (seen.to));
  seen = memlane_zoom_pan (&half, &linear, -0.2);
  g_assert_cmpfloat_with_epsilon (seen.from, 40, 1e-9);
  seen = memlane_zoom_pan (&half, &linear, 5);
  g_assert_cmpfloat_with_epsilon (seen.to, 100, 1e-9);
  seen = memlane_zoom_to (&powers, &powers, 0.2, 0.4, 0);
  g_assert_cmpfloat_with_epsilon (seen.from, 4096, 1e-6);
  g_assert_cmpfloat_with_epsilon (seen.to, 16384, 1e-6);
  seen = memlane_zoom_to (&powers, &powers, NAN, 0.4, 0);
  g_assert_true (isnan (seen.from) && isnan (seen.to));
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  CHART_TEST ("/chart-pointer/crosshair", test_crosshair);
  CHART_TEST ("/chart-pointer/hover", test_hover);
  CHART_TEST ("/chart-pointer/legend", test_legend);
  CHART_TEST ("/chart-pointer/activate", test_activate);
  CHART_TEST ("/chart-pointer/drag", test_drag);
  CHART_TEST ("/chart-pointer/zoom-is-kept", test_zoom_is_kept);
  CHART_TEST ("/chart-pointer/zoom-at-the-pointer", test_zoom_at_the_pointer);
  CHART_TEST ("/chart-pointer/walk-beyond-the-zoom", test_walk_beyond_the_zoom);
  g_test_add_func ("/chart-pointer/zoom-arithmetic", test_zoom_arithmetic);
  return ui_test_run ();
}
