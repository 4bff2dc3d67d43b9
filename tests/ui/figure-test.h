/* figure-test.h: the layers of a figure widget, and how often they were painted
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "parts/chart-layer.h"
#include "parts/figure-widget.h"

/* The linker puts __wrap_NAME in the place of NAME (meson.build: counts_paints). */
typedef struct
{
  MemlaneChartLayerPaint paint;
  gpointer user_data;
  guint count;
} FigureTestPaints;

GtkWidget *__real_memlane_chart_layer_new (gboolean kept, MemlaneChartLayerPaint paint, gpointer user_data);
GtkWidget *__wrap_memlane_chart_layer_new (gboolean kept, MemlaneChartLayerPaint paint, gpointer user_data);

static void
figure_test_paint (cairo_t *cr, double width, double height, gpointer user_data)
{
  FigureTestPaints *self = user_data;

  self->count++;
  self->paint (cr, width, height, self->user_data);
}

GtkWidget *
__wrap_memlane_chart_layer_new (gboolean kept, MemlaneChartLayerPaint paint, gpointer user_data)
{
  FigureTestPaints *self = g_new0 (FigureTestPaints, 1);
  GtkWidget *layer = __real_memlane_chart_layer_new (kept, figure_test_paint, self);

  self->paint = paint;
  self->user_data = user_data;
  g_object_set_data_full (G_OBJECT (layer), "paints", self, g_free);
  return layer;
}

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

G_GNUC_UNUSED static guint
figure_test_count (gpointer view, int index)
{
  return ((FigureTestPaints *) g_object_get_data (G_OBJECT (figure_test_layer (view, index)), "paints"))->count;
}

G_GNUC_UNUSED static void
figure_test_count_paints (gpointer view, guint *figure, guint *overlay)
{
  if (figure != NULL)
    *figure = figure_test_count (view, 0);
  if (overlay != NULL)
    *overlay = figure_test_count (view, -1);
}

/* Lays the figure out in sizes from none to a wall of screens. In each the figure does @acts (ends with NULL) and is painted once, if it
 * has any room; @undo brings back what they changed. */
G_GNUC_UNUSED static void
figure_test_sizes (gpointer view, const char *const *acts, const char *undo)
{
  static const struct
  {
    int width, height;
  } sizes[] = { { 0, 0 }, { 1, 1 }, { 30, 20 }, { 160, 120 }, { 320, 60 }, { 60, 320 }, { 3840, 2160 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
      guint before, after, drawn = sizes[i].width > 0;

      figure_test_count_paints (view, &before, NULL);
      gtk_widget_allocate (view, MAX (sizes[i].width, 120), MAX (sizes[i].height, 60), -1, NULL);
      gtk_widget_allocate (figure_test_layer (view, 0), sizes[i].width, sizes[i].height, -1, NULL); /* less than the view asks for */
      gtk_widget_allocate (figure_test_layer (view, -1), sizes[i].width, sizes[i].height, -1, NULL);
      for (const char *const *act = acts; *act != NULL; act++)
        g_assert_true (gtk_widget_activate_action (view, *act, NULL));
      gtk_widget_snapshot_child (view, figure_test_layer (view, 0), snapshot);
      gtk_widget_snapshot_child (view, figure_test_layer (view, -1), snapshot);
      figure_test_count_paints (view, &after, NULL);
      g_assert_cmpuint (after, ==, before + drawn);
      g_assert_true (gtk_widget_activate_action (view, undo, NULL));
    }
}

/* As the wheel with Ctrl does at a place, for which GTK gives no test a modifier. */
G_GNUC_UNUSED static void
figure_test_zoom (gpointer view, double x, double y, double factor)
{
  MEMLANE_FIGURE_WIDGET_GET_CLASS (view)->calls.zoom (view, x, y, factor);
}
