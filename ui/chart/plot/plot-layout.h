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
  MEMLANE_TEXT_LABEL,    /* a line's name and value at its right end */
  MEMLANE_TEXT_NOTE,     /* at the foot */
  MEMLANE_TEXT_STRIP,    /* what the strip below the axes shows, and its numbers */
} MemlaneTextRole;

typedef struct
{
  MemlaneTextRole role;
  PangoLayout *layout;   /* owned */
  MemlaneRectangle area; /* its logical rectangle */
  MemlaneColor color;
  guint series;          /* LEGEND, LABEL: whose it is */
} MemlanePlacedText;

/* A point in px, wherever it lies. */
typedef struct
{
  double x, y, y_low, y_high;
  guint point;           /* index in the series */
  gboolean joined;       /* a line leads here from the coordinate before */
  gboolean inside;       /* within the axes */
  gboolean hollow;
  gboolean thin; /* the line that leads here */
} MemlaneCoordinate;

typedef struct
{
  gboolean hidden;       /* switched off: takes no room in the legend and no part in the range */
  gboolean shown;        /* neither hidden nor yet to be revealed */
  gboolean faded;        /* another one is isolated */
  gboolean leaves;       /* the y axis is fitted to the others: this one runs out at the top */
  gboolean drawn;        /* shown, and with a line of its own */
  guint band;            /* the series whose band it is part of, itself where it leads one; G_MAXUINT: of none */
  guint run;             /* the first series of its run */
  guint rank;            /* of its run among those of the same kind, measured or simulated; 0: the first */
  gboolean context;      /* grey: another family is in focus */
  gboolean early;        /* revealed before the last one */
  gboolean bare;         /* no marker but at noisy cells */
  PangoLayout *label;    /* (nullable), owned: for its right end */
  MemlaneCurveStyle curve;
  GArray *coordinates;   /* (element-type MemlaneCoordinate), rising x */
} MemlanePlottedSeries;

typedef struct
{
  guint ceiling;         /* index in the chart */
  double y;
} MemlanePlacedCeiling;

/* From a line's end to its label, px. */
typedef struct
{
  double x0, y0, x1, y1;
  guint series;
} MemlaneLeader;

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

struct _MemlanePlot
{
  MemlaneForm form;
  gboolean projector;    /* one of the wall's styles: nothing is smaller than its text */
  MemlaneFamily hover;   /* drawn in full, the others in grey; MEMLANE_N_FAMILIES: all in full */
  double label_width;    /* that the labels at the right take, with their leaders; 0: none */
  GArray *leaders;       /* (element-type MemlaneLeader) */
  GPtrArray *panels;     /* (element-type MemlanePlot), one for each family; NULL: this plot itself has axes */
  MemlaneFamily panel;   /* the family whose panel it is; MEMLANE_N_FAMILIES: it is a whole figure */
  MemlaneRectangle place;/* of a panel in the figure */
  MemlaneChart *chart;   /* owned reference */
  MemlaneStyle style;    /* sizes as they are drawn here: projector styles grow with the figure */
  double width, height;
  PangoContext *pango;   /* owned reference */
  double text_scale;     /* of the context's resolution: 2 for text of 200 % */
  double small;          /* px at text of 100 %: of what matters less */
  double x_gap;          /* px from the x axis to its words */
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
  MemlaneRectangle strip;/* below the axes: a family's modes relative to its first; without height: none */
  guint strip_first;     /* series */
  double cache_x;        /* px of the mark on the axis; NAN: none */
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

/* plot.c: adds a text at a place; takes @layout over. */
void memlane_plot_place_text (MemlanePlot *plot, MemlaneTextRole role, PangoLayout *layout, double x, double y, const MemlaneColor *color);

/* plot-form.c: which series has a line, which is part of a band, and the labels at the right ends. Once it is known what is shown; @from
 * and @to: the exponents seen. */
/* Whether one of its modes is shown. */
gboolean memlane_plot_has_family (const MemlanePlot *plot, MemlaneFamily family);
void memlane_plot_choose_lines (MemlanePlot *plot, const MemlaneView *view, double from, double to);
void memlane_plot_make_labels (MemlanePlot *plot, const MemlaneView *view, double from, double to);
/* A band's leader reaches from the least to the largest value of its members; once the points stand. */
void memlane_plot_widen_bands (MemlanePlot *plot);
void memlane_plot_place_labels (MemlanePlot *plot);
/* The names of a panel's modes inside its axes; where they would hide the curves its title counts them. */
void memlane_plot_place_members (MemlanePlot *plot);

/* plot-legend.c: what room the rows take of @height px, and where; then puts them there. */
MemlaneLegendPlan memlane_plot_plan_legend (MemlanePlot *plot, double height);
void memlane_plot_place_legend (MemlanePlot *plot, const MemlaneLegendPlan *plan, double x, double y);

/* plot-strip.c: whether the modes of the family in focus lie on each other, so that their ratios are worth a strip; once the lines are
 * chosen. Its height, px; and its place, once the area stands. */
gboolean memlane_plot_find_strip (MemlanePlot *plot, const MemlaneView *view);
double memlane_plot_measure_strip (const MemlanePlot *plot);
void memlane_plot_place_strip (MemlanePlot *plot, double y, double height);
void memlane_plot_draw_strip (const MemlanePlot *plot, cairo_t *cr);

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

/* Grey: another family is in focus, or under the pointer. */
static inline gboolean
memlane_plot_is_context (const MemlanePlot *plot, guint series)
{
  return memlane_plot_series (plot, series)->context
         || (plot->hover != MEMLANE_N_FAMILIES && memlane_plot_chart_series (plot, series)->family != plot->hover);
}

G_END_DECLS
