/* chart-view.h: a chart in the window: crosshair, zoom, isolation, keyboard, projector
 *
 * SPDX-License-Identifier: MIT
 *
 * Layers: the figure as cached pixels at device scale (redrawn when chart, view, style, size or scale change), and the overlay
 * (crosshair, ring, rubber band: the only thing that a moving pointer redraws, a child widget of its own). Style: dark by
 * AdwStyleManager, high contrast by it too, projector styles when "projector" is set. Text direction and text scaling follow GTK.
 *
 * Pointer: motion shows the crosshair, a click leaves it there; click on a legend entry isolates it (again: all); drag zooms; double-click
 * on a point emits "point-activated"; wheel with Ctrl and pinching zoom at the pointer (beside an axis that axis alone); Shift and wheel
 * move what is zoomed.
 * Keys: Left, Right walk over sizes, Up, Down over curves at a size, Home, End to the ends; Return activates the point; 0 fits; Escape
 * takes back zoom, isolation and crosshair one by one and is the window's then; + and - zoom. In projector mode Right and Left reveal and
 * hide one curve, and with Shift walk.
 * Accessible: role img, label = title, description = memlane_chart_describe() (the reading once a key has moved the crosshair: screen
 * readers speak changes of a description), value text = the reading under the crosshair.
 *
 * Properties: "projector" boolean, "reading" string (what the crosshair reads, "" without one), "zoomed" boolean.
 * Signal: "point-activated" (const MemlaneChartPoint *point, const char *series_id).
 * Actions on the widget: chart.fit, chart.zoom-in, chart.zoom-out, chart.previous-size, chart.next-size, chart.first-size, chart.last-size,
 * chart.previous-curve, chart.next-curve, chart.activate-point, chart.reveal, chart.conceal,
 * chart.isolate (s: as MemlaneView says, "" for none), chart.stop-isolating.
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/plot/plot.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_CHART_VIEW (memlane_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneChartView, memlane_chart_view, MEMLANE, CHART_VIEW, GtkWidget)

GtkWidget *memlane_chart_view_new (void);
/* Keeps zoom and isolation when @chart shows the same quantity and phase of the same workload. */
void memlane_chart_view_set_chart (MemlaneChartView *self, MemlaneChart *chart);
MemlaneChart *memlane_chart_view_get_chart (MemlaneChartView *self);      /* (nullable) (transfer none) */
const MemlaneView *memlane_chart_view_get_view (MemlaneChartView *self);  /* what is seen, for exports */
const MemlaneStyle *memlane_chart_view_get_style (MemlaneChartView *self);
void memlane_chart_view_set_projector (MemlaneChartView *self, gboolean projector);
const char *memlane_chart_view_get_reading (MemlaneChartView *self);
/* How often the figure layer and the overlay were painted: for tests that prove that motion repaints the overlay only. */
void memlane_chart_view_get_paint_counts (MemlaneChartView *self, guint *figure, guint *overlay);

G_END_DECLS
