/* chart-layer.h: one painted layer of a figure: a chart or a timeline
 *
 * SPDX-License-Identifier: MIT
 *
 * A widget that shows what a Cairo function paints. A kept layer holds the pixels at device scale
 * and paints again only after invalidate() or when its size or scale changed. The other kind
 * records what is painted and hands on no more than the rectangle that has ink. So a crosshair
 * costs what a crosshair covers and not the whole window.
 */
#pragma once

#include <gtk/gtk.h>

#define MEMLANE_TYPE_CHART_LAYER (memlane_chart_layer_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneChartLayer, memlane_chart_layer, MEMLANE, CHART_LAYER, GtkWidget)

/* @user_data outlives the layer: it is the parent. Called while drawing, with the layer's size in
 * px. A kept layer paints all of its area: the image may contain an earlier picture. */
typedef void (*MemlaneChartLayerPaint) (cairo_t *cr, double width, double height,
                                        gpointer user_data);

GtkWidget *memlane_chart_layer_new (gboolean kept, MemlaneChartLayerPaint paint,
                                    gpointer user_data);
/* Paints anew before the next frame. */
void memlane_chart_layer_invalidate (MemlaneChartLayer *self);
