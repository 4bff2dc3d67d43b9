/* plot-private.h: what a layout decided, shared by the files plot-*.c
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/figure-private.h"
#include "plot.h"

G_BEGIN_DECLS

/* What a piece of text is; also its word in the dump. */
typedef enum
{
  MEMLANE_TEXT_TITLE,
  MEMLANE_TEXT_SUBTITLE,
  MEMLANE_TEXT_BADGE,
  MEMLANE_TEXT_UNIT,     /* what the y axis counts */
  MEMLANE_TEXT_Y_TICK,
  MEMLANE_TEXT_X_TICK,   /* powers of two */
  MEMLANE_TEXT_X_BYTES,
  MEMLANE_TEXT_CAPTION,  /* what the x axis counts */
  MEMLANE_TEXT_LEGEND,
  MEMLANE_TEXT_MORE,     /* how many legend entries found no room */
  MEMLANE_TEXT_CEILING,
  MEMLANE_TEXT_LEAVING,  /* what a curve that runs out at the top reaches */
  MEMLANE_TEXT_TROUBLE,
} MemlaneTextRole;

typedef struct
{
  MemlaneTextRole role;
  PangoLayout *layout;   /* owned */
  MemlaneRectangle area; /* its logical rectangle */
  MemlaneColor color;
  guint series;          /* LEGEND: whose it is */
} MemlanePlacedText;

/* A point in px, wherever it lies. */
typedef struct
{
  double x, y, y_low, y_high;
  guint point;           /* index in the series */
  gboolean joined;       /* a line leads here from the coordinate before */
  gboolean inside;       /* within the axes */
  gboolean hollow;
} MemlaneCoordinate;

typedef struct
{
  gboolean hidden;       /* switched off: takes no room in the legend and no part in the range */
  gboolean shown;        /* neither hidden nor yet to be revealed */
  gboolean faded;        /* another one is isolated */
  gboolean leaves;       /* the y axis is fitted to the others: this one runs out at the top */
  MemlaneCurveStyle look;
  GArray *coordinates;   /* (element-type MemlaneCoordinate), rising x */
} MemlanePlottedSeries;

typedef struct
{
  guint ceiling;         /* index in the chart */
  double y;
} MemlanePlacedCeiling;

struct _MemlanePlot
{
  MemlaneChart *chart;   /* owned reference */
  MemlaneStyle style;    /* sizes as they are drawn here: projector styles grow with the figure */
  double width, height;
  PangoContext *pango;   /* owned reference */
  double text_scale;     /* of the context's resolution: 2 for text of 200 % */
  double em, line;       /* px: size of the body text and the height of its line */
  gboolean right_to_left;
  gboolean has_isolated; /* one series is isolated, all others are faded */
  gboolean x_is_fitted;  /* no zoom: the ends keep clear of the frame */

  MemlaneRectangle area;
  MemlaneScale x, y;     /* x over elements */
  gboolean has_values;   /* there is something that the y axis can measure */
  gboolean has_axis_text;
  double bytes_per_element;
  GArray *x_ticks, *y_ticks; /* (element-type MemlaneTick) */
  GArray *texts;         /* (element-type MemlanePlacedText) */
  MemlaneRectangle badge;
  PangoLayout *watermark; /* SIMULATED inside the axes, or NULL */
  double watermark_angle;
  double sample_width, sample_height; /* of a legend's line sample */
  GArray *legend;        /* (element-type MemlaneLegendEntry) */
  GArray *ceilings;      /* (element-type MemlanePlacedCeiling) */
  GArray *series;        /* (element-type MemlanePlottedSeries), as in the chart */
  GArray *points;        /* (element-type MemlanePlacedPoint) */
};

/* --- plot.c --------------------------------------------------------------------------------------------------- */

/* With everything that does not depend on what else is in the figure. */
MemlanePlot *memlane_plot_new (const MemlaneChart *chart, const MemlaneStyle *style, double width, double height, PangoContext *pango);

/* --- plot-text.c: pieces of text -------------------------------------------------------------------------- */

/* A layout in the plot's font, @size px at text of 100 %. (transfer full) */
PangoLayout *memlane_plot_make_text (const MemlanePlot *plot, double size, gboolean bold, const char *text);
void memlane_plot_measure_text (PangoLayout *layout, double *width, double *height);
/* Cuts what is longer than @width with an ellipsis. */
void memlane_plot_limit_text (PangoLayout *layout, double width);
/* Takes @layout over. */
void memlane_plot_place_text (MemlanePlot *plot, MemlaneTextRole role, PangoLayout *layout, double x, double y, const MemlaneColor *color);
const char *memlane_plot_text_word (MemlaneTextRole role);

/* --- plot-legend.c: where the legend goes ------------------------------------------------------------------ */

typedef enum
{
  MEMLANE_LEGEND_NONE,
  MEMLANE_LEGEND_RIGHT,
  MEMLANE_LEGEND_BELOW,
} MemlaneLegendSide;

typedef struct
{
  MemlaneLegendSide side;
  guint columns, rows;     /* places; BELOW fills row by row */
  double cell_width, pitch;
  double width, height;    /* taken from the figure, with the gap to the axes */
  guint entries;           /* that have room; the last place is for "N more" if there are more series */
} MemlaneLegendPlan;

/* @height: what a column at the right may take. */
MemlaneLegendPlan memlane_plot_plan_legend (MemlanePlot *plot, double height);
void memlane_plot_place_legend (MemlanePlot *plot, const MemlaneLegendPlan *plan, double x, double y);

/* --- plot-axis.c: ticks and the words beside them ------------------------------------------------------------ */

/* Makes y_ticks for an area of @height px and returns the width of the widest label. */
double memlane_plot_make_y_ticks (MemlanePlot *plot, double height);
void memlane_plot_place_y_ticks (MemlanePlot *plot);
void memlane_plot_place_x_ticks (MemlanePlot *plot, gboolean with_bytes);

/* --- plot-words.c: words inside the axes ------------------------------------------------------------------------ */

void memlane_plot_place_ceilings (MemlanePlot *plot);
/* Beside each curve that runs out at the top; once its coordinates stand. */
void memlane_plot_place_leaving (MemlanePlot *plot);

/* --- plot-data.c: which series are seen, in which range, where ------------------------------------------------- */

void memlane_plot_choose_series (MemlanePlot *plot, const MemlaneView *view);
/* Fits y to what is visible in the range of x; sets has_values. */
void memlane_plot_choose_y (MemlanePlot *plot, const MemlaneView *view);
/* The range of x for an area of @width px. */
void memlane_plot_choose_x (MemlanePlot *plot, const MemlaneView *view, double width);
/* Once area and scales stand. */
void memlane_plot_place_points (MemlanePlot *plot);
double memlane_plot_x (const MemlanePlot *plot, double elements);
double memlane_plot_y (const MemlanePlot *plot, double value);

static inline MemlanePlottedSeries *
memlane_plot_series (const MemlanePlot *plot, guint i)
{
  return &g_array_index (plot->series, MemlanePlottedSeries, i);
}

static inline const MemlaneSeries *
memlane_plot_chart_series (const MemlanePlot *plot, guint i)
{
  return plot->chart->series->pdata[i];
}

static inline const MemlaneChartPoint *
memlane_plot_chart_point (const MemlanePlot *plot, guint series, guint point)
{
  return &g_array_index (memlane_plot_chart_series (plot, series)->points, MemlaneChartPoint, point);
}

G_END_DECLS
