/* plot-layout.h: what a laid-out plot keeps
 *
 * SPDX-License-Identifier: MIT
 *
 * Made by memlane_plot_layout() alone; read by whoever draws it, finds what lies under the pointer, or prints it.
 */
#pragma once

#include "chart/figure-private.h"
#include "plot.h"

G_BEGIN_DECLS

/* What a piece of text is; also its word where a layout is printed. */
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
  MemlaneCurveStyle curve;
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

/* Where a size and a value are, px; not finite for what the scale has no place for. */
static inline double
memlane_plot_x (const MemlanePlot *plot, double elements)
{
  return plot->area.x + memlane_scale_map (&plot->x, elements) * plot->area.width;
}

static inline double
memlane_plot_y (const MemlanePlot *plot, double value)
{
  return plot->area.y + (1 - memlane_scale_map (&plot->y, value)) * plot->area.height;
}

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
