/* chart-view.h: a chart in the window: crosshair, zoom, isolation, keyboard, projector
 *
 * SPDX-License-Identifier: MIT
 *
 * Layers, style, focus, context menu: parts/figure-widget.h.
 *
 * Pointer: motion shows the crosshair, a click leaves it there. Over a family's label or line the
 * other families are grey. Click on the label of a family shows its modes (again: all families), on
 * one of a mode isolates it (again: all). Drag zooms. Double-click on a point emits
 * "point-activated". Wheel with Ctrl and pinching zoom at the pointer (beside an axis that axis
 * alone). Shift and wheel move what is zoomed.
 * Keys: Left, Right walk over sizes, Up, Down over curves at a size, Home, End to the ends. Return
 * activates the point. 0 fits, then shows all families. Escape takes back zoom, isolation, family
 * and crosshair one by one and is the window's then. + and - zoom. 1 to 7 show the modes of a
 * family, whose small plot fills the figure. In projector mode Right and Left reveal and hide one
 * curve, and with Shift walk. Page Down and Page Up reveal and hide a family, Home none, End all.
 * Signal: "point-activated" (const MemlaneChartPoint *point, const char *series_id).
 * Actions on the widget: chart.fit, chart.zoom-in, chart.zoom-out, chart.previous-size,
 * chart.next-size, chart.first-size, chart.last-size, chart.previous-curve, chart.next-curve,
 * chart.activate-point,
 * chart.isolate (s: as MemlaneView says, "" for none), chart.stop-isolating, chart.focus (s: id of
 * a family), chart.stop-focusing; enabled in projector mode alone: wall.none, wall.all, wall.next,
 * wall.previous, wall.next-family, wall.previous-family.
 */
#pragma once

#include "chart/plot/plot.h"
#include "parts/figure-widget.h"

#define MEMLANE_TYPE_CHART_VIEW (memlane_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneChartView, memlane_chart_view, MEMLANE, CHART_VIEW,
                      MemlaneFigureWidget)

/* A place of the crosshair: a size, and perhaps one curve there. */
typedef struct
{
  gboolean set;
  double log2;
  char *series; /* id, as indices change while runs come and go; NULL: none */
} MemlaneCrosshair;

/* Others read chart and view. */
struct _MemlaneChartView
{
  MemlaneFigureWidget parent_instance;

  MemlaneChart *chart;        /* or NULL */
  MemlaneView view;           /* its isolated is ours to free */
  MemlaneCrosshair crosshair; /* where it is */
  /* where a key or a click has put it: it goes back there when the pointer leaves */
  MemlaneCrosshair pin;
  double band[4];             /* px: x0, y0, x1, y1 */
};

/* Keeps zoom and isolation when @chart shows the same quantity and phase of the same workload. */
void memlane_chart_view_set_chart (MemlaneChartView *self, MemlaneChart *chart);
/* an overview at first */
void memlane_chart_view_set_form (MemlaneChartView *self, MemlaneForm form);
