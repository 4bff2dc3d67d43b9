/* chart-view-private.h: what the files of the chart view share
 *
 * SPDX-License-Identifier: MIT
 *
 * chart-view.c: the widget, its layers, what it tells. chart-crosshair.c: where the crosshair stands, walking, reading.
 * chart-view-zoom.c: what is seen. chart-view-input.c: pointer, keys, actions. chart-view-menu.c: the context menu.
 */
#pragma once

#include "parts/chart-layer.h"
#include "chart-view.h"

G_BEGIN_DECLS

/* A place of the crosshair: a size, and perhaps one curve there. */
typedef struct
{
  gboolean set;
  guint log2;
  char *series; /* id, as indices change while runs come and go; NULL: none */
} MemlaneCrosshair;

struct _MemlaneChartView
{
  GtkWidget parent_instance;

  GtkWidget *figure, *overlay;
  GtkWidget *menu;           /* made when it is first asked for */

  MemlaneChart *chart;       /* or NULL */
  MemlaneView view;          /* its isolated is ours to free */
  const MemlaneStyle *style;
  gboolean projector;
  MemlanePlot *plot;         /* of all the above at this size, or NULL until it is needed */
  int plot_width, plot_height;

  MemlaneCrosshair crosshair; /* where it is */
  MemlaneCrosshair pin;       /* where a key or a click has put it: it goes back there when the pointer leaves */
  gboolean spoken;            /* a key has moved it: it is read aloud */
  gboolean described;         /* the description is the chart's, not what was read aloud */
  char *reading;

  double pointer_x, pointer_y; /* NAN: outside */
  gboolean pressed, banding;   /* a button is held; it has moved far enough to be a rubber band */
  double band[4];              /* x0, y0, x1, y1 */
  double pinch;                /* scale of the gesture so far */
};

enum
{
  MEMLANE_CHART_VIEW_PROJECTOR = 1,
  MEMLANE_CHART_VIEW_READING,
  MEMLANE_CHART_VIEW_ZOOMED,
  MEMLANE_CHART_VIEW_N_PROPERTIES
};
extern GParamSpec *memlane_chart_view_properties[MEMLANE_CHART_VIEW_N_PROPERTIES];

/* chart-view.c */
/* The layout for the present size; NULL without a chart or a size. (transfer none), until the next invalidation. */
MemlanePlot *memlane_chart_view_ensure_plot (MemlaneChartView *self);
/* Chart, view or style changed: all is laid out and painted again. */
void memlane_chart_view_invalidate (MemlaneChartView *self);
void memlane_chart_view_redraw_overlay (MemlaneChartView *self);
/* The width and height that a layout has for the present size. */
void memlane_chart_view_get_plot_size (MemlaneChartView *self, int *width, int *height);
MemlanePlot *memlane_chart_view_lay_out (MemlaneChartView *self, const MemlaneView *view);
/* Tells assistive technology about the chart. */
void memlane_chart_view_describe (MemlaneChartView *self);
/* Emits "point-activated" for the chosen point; FALSE where none is. */
gboolean memlane_chart_view_activate_point (MemlaneChartView *self);

/* chart-crosshair.c */
void memlane_crosshair_clear (MemlaneCrosshair *crosshair);
/* The index of the series @id in the chart, or G_MAXUINT. */
guint memlane_chart_view_find_series (MemlaneChartView *self, const char *id);
/* Measured curves that can be revealed one by one. */
guint memlane_chart_view_count_measured (MemlaneChartView *self);
/* Puts the crosshair; @series is an index or G_MAXUINT. @pin: a key or a click did it. */
void memlane_chart_view_set_crosshair (MemlaneChartView *self, guint log2, guint series, gboolean pin);
void memlane_chart_view_clear_crosshair (MemlaneChartView *self, gboolean unpin);
void memlane_chart_view_restore_pin (MemlaneChartView *self);
/* The point under the crosshair of the chosen curve, or NULL. */
const MemlaneChartPoint *memlane_chart_view_get_point (MemlaneChartView *self);
/* Composes "reading" again and tells assistive technology. */
void memlane_chart_view_update_reading (MemlaneChartView *self);
/* What cannot be seen any more (a series that is gone, a size without points) is let go of. */
void memlane_chart_view_check_crosshair (MemlaneChartView *self);
void memlane_chart_view_walk_size (MemlaneChartView *self, int direction, gboolean to_end);
void memlane_chart_view_walk_curve (MemlaneChartView *self, int direction);

/* chart-view-zoom.c */
gboolean memlane_chart_view_is_zoomed (MemlaneChartView *self);
void memlane_chart_view_fit (MemlaneChartView *self);
/* @x, @y in px; beside an axis only that one is zoomed, in the area the sizes and, once it was chosen, the range of values. */
void memlane_chart_view_zoom_at (MemlaneChartView *self, double x, double y, double factor);
/* Around the crosshair, or the middle. */
void memlane_chart_view_zoom (MemlaneChartView *self, double factor);
void memlane_chart_view_pan (MemlaneChartView *self, double share);
/* To the rubber band. */
void memlane_chart_view_zoom_to_band (MemlaneChartView *self);
/* Brings a size into what is seen. */
void memlane_chart_view_show_size (MemlaneChartView *self, guint log2);

/* chart-view-input.c */
void memlane_chart_view_add_controllers (MemlaneChartView *self);
void memlane_chart_view_install_actions (GtkWidgetClass *widget_class);
void memlane_chart_view_update_actions (MemlaneChartView *self);
/* @what: as MemlaneView's isolated; what the chart does not have isolates nothing. */
void memlane_chart_view_isolate (MemlaneChartView *self, const char *what);
gboolean memlane_chart_view_has_isolated (MemlaneChartView *self, const MemlaneView *view);


/* chart-view-menu.c */
void memlane_chart_view_add_menu (MemlaneChartView *self);
void memlane_chart_view_bind_menu_keys (GtkWidgetClass *widget_class);

G_END_DECLS
