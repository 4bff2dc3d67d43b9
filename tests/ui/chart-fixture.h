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

G_GNUC_UNUSED static void
act (Fixture *fixture, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), action, NULL);
}

G_GNUC_UNUSED static gboolean
press (Fixture *fixture, guint key, GdkModifierType modifiers)
{
  return ui_test_press (GTK_WIDGET (fixture->view), key, modifiers);
}

G_GNUC_UNUSED static GtkEventController *
find_controller (Fixture *fixture, GType type)
{
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (fixture->view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr(GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_SINGLE (controller)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_SECONDARY)
        continue; /* the menu's */
      if (G_OBJECT_TYPE (controller) == type)
        return controller; /* the widget keeps it */
    }
  g_assert_not_reached ();
}

G_GNUC_UNUSED static void
move (Fixture *fixture, double x, double y)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x, y);
}

G_GNUC_UNUSED static void
leave (Fixture *fixture)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION), "leave");
}

G_GNUC_UNUSED static void
click (Fixture *fixture, int n_press, double x, double y)
{
  GtkEventController *controller = find_controller (fixture, GTK_TYPE_GESTURE_CLICK);

  g_signal_emit_by_name (controller, "pressed", n_press, x, y);
  g_signal_emit_by_name (controller, "released", n_press, x, y);
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
  gboolean zoomed;

  g_object_get (fixture->view, "zoomed", &zoomed, NULL);
  return zoomed;
}

G_GNUC_UNUSED static void
count_cb (guint *count)
{
  (*count)++;
}

G_GNUC_UNUSED static void
drag (Fixture *fixture, double x, double y, double dx, double dy)
{
  GtkEventController *controller = find_controller (fixture, GTK_TYPE_GESTURE_DRAG);

  g_signal_emit_by_name (controller, "drag-begin", x, y);
  g_signal_emit_by_name (controller, "drag-update", dx / 2, dy / 2);
  g_signal_emit_by_name (controller, "drag-update", dx, dy);
}

G_GNUC_UNUSED static void
drop (Fixture *fixture)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_GESTURE_DRAG), "drag-end", 0.0, 0.0);
}

#define CHART_TEST(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)
