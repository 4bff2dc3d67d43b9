/* figure-test.h: the layers of a figure widget, and how often they were painted
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "parts/chart-layer.h"
#include "parts/figure-widget.h"

/* 0: the figure; -1: the overlay, which is the last one. */
G_GNUC_UNUSED static GtkWidget *
figure_test_layer (gpointer view, int index)
{
  GtkWidget *found = NULL;
  int n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (view); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (MEMLANE_IS_CHART_LAYER (child) && (n++ == index || index < 0))
      found = child;
  g_assert_nonnull (found);
  return found;
}

G_GNUC_UNUSED static void
figure_test_count_paints (gpointer view, guint *figure, guint *overlay)
{
  if (figure != NULL)
    *figure = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (figure_test_layer (view, 0)));
  if (overlay != NULL)
    *overlay = memlane_chart_layer_get_paint_count (MEMLANE_CHART_LAYER (figure_test_layer (view, -1)));
}

/* As the wheel with Ctrl does at a place, for which GTK gives no test a modifier. */
G_GNUC_UNUSED static void
figure_test_zoom (gpointer view, double x, double y, double factor)
{
  MEMLANE_FIGURE_WIDGET_GET_CLASS (view)->zoom (view, x, y, factor);
}
