/* chart-fixture.h: a chart view in a window of 640x400, its keys, its pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * Keys and pointer come through the view's own controllers, as GTK would call them: where a point lies is asked of the layout, never
 * written down.
 */
#pragma once

#include "curves/chart-view.h"
#include "chart/plot/plot-layout.h"
#include "ui/figure-test.h"
#include "sample-chart.h"
#include "ui-test.h"

typedef struct
{
  GtkWindow *window;
  MemlaneChartView *view;
} Fixture;

#include "figure-fixture.h"

G_GNUC_UNUSED static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneChart) chart = sample_chart_new (MEMLANE_QUANTITY_BANDWIDTH, MEMLANE_PHASE_ELAPSED, FALSE);

  fixture->view = g_object_new (MEMLANE_TYPE_CHART_VIEW, NULL);
  memlane_chart_view_set_chart (fixture->view, chart);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->view), 640, 400);
}

G_GNUC_UNUSED static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
}

G_GNUC_UNUSED static MemlaneRectangle
area_of (Fixture *fixture)
{
  return *memlane_plot_get_axes (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view))).area;
}

/* Where a point was placed. */
G_GNUC_UNUSED static MemlanePlacedPoint
find_placed (Fixture *fixture, const char *mode, guint log2)
{
  const GArray *points = ((const MemlanePlot *) memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view)))->points;
  MemlaneChart *chart = fixture->view->chart;

  for (guint i = 0; i < points->len; i++)
    {
      const MemlanePlacedPoint *placed = &g_array_index (points, MemlanePlacedPoint, i);
      const MemlaneSeries *series = chart->series->pdata[placed->series];

      if (g_str_equal (series->mode, mode) && g_array_index (series->points, MemlaneChartPoint, placed->point).log2_elements == log2)
        return *placed;
    }
  g_assert_not_reached ();
}

G_GNUC_UNUSED static const char *
id_of (Fixture *fixture, const char *mode)
{
  MemlaneChart *chart = fixture->view->chart;

  for (guint i = 0; i < chart->series->len; i++)
    if (g_str_equal (((MemlaneSeries *) chart->series->pdata[i])->mode, mode))
      return ((MemlaneSeries *) chart->series->pdata[i])->id;
  g_assert_not_reached ();
}

/* The reading is of this size, and of this curve where one is named. */
G_GNUC_UNUSED static void
assert_reading (Fixture *fixture, guint log2, const char *mode)
{
  g_autofree char *power = memlane_unit_format_power (log2), *all = NULL, *property = NULL;
  const char *reading = MEMLANE_FIGURE_WIDGET (fixture->view)->reading;

  g_assert_nonnull (strstr (reading, power));
  all = memlane_plot_format_reading (memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (fixture->view)), log2);
  g_assert_true (g_str_has_suffix (reading, all)); /* of this size and of no other */
  g_assert_cmpint (strlen (reading) > strlen (all), ==, mode != NULL);
  if (mode != NULL)
    {
      MemlaneChart *chart = fixture->view->chart;

      for (guint i = 0; i < chart->series->len; i++)
        {
          const MemlaneSeries *series = chart->series->pdata[i];
          g_autofree char *start = g_strconcat (series->label, ": ", NULL);

          g_assert_cmpint (g_str_has_prefix (reading, start), ==, g_str_equal (series->id, id_of (fixture, mode)));
        }
    }
  g_object_get (fixture->view, "reading", &property, NULL);
  g_assert_cmpstr (property, ==, reading);
  gtk_test_accessible_assert_property (fixture->view, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, reading);
}

G_GNUC_UNUSED static gboolean
is_zoomed (Fixture *fixture)
{
  return ui_test_get (gboolean, fixture->view, "zoomed");
}

#define CHART_TEST(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
