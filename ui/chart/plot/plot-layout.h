/* plot-layout.h: what a laid-out plot keeps
 *
 * SPDX-License-Identifier: MIT
 *
 * Made by a drawing of a chart alone; read by whoever draws it, finds what lies under the pointer,
 * or prints it.
 */
#pragma once

#include "plot.h"

/* The plot's own pieces of text. */
enum
{
  MEMLANE_TEXT_CEILING = MEMLANE_TEXT_CONTENT,
  MEMLANE_TEXT_LABEL,    /* a line's name and value at its right end */
};

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

typedef struct _MemlanePlottedSeries MemlanePlottedSeries;
struct _MemlanePlottedSeries
{
  const MemlaneSeries *series;
  guint index;           /* in the chart */
  gboolean hidden;       /* switched off: takes no room in the legend and no part in the range */
  gboolean shown;        /* neither hidden nor yet to be revealed */
  gboolean faded;        /* another one is isolated */
  gboolean leaves;       /* the y axis is fitted to the others: this one runs out at the top */
  gboolean drawn;        /* shown, and with a line of its own */
  const MemlanePlottedSeries *band; /* whose band it is in, itself where it leads one; NULL: none */
  MemlanePlottedSeries *run;        /* the first series of its run */
  guint n_of_run;        /* series of the run, of its first one */
  guint nth_run;         /* 0: the series is of the first one */
  gboolean context;      /* grey: another family is in focus */
  gboolean early;        /* revealed before the last one */
  gboolean bare;         /* no marker but at noisy cells */
  PangoLayout *label;    /* (nullable), owned: for its right end */
  MemlaneCurveStyle curve;
  GArray *coordinates;   /* (element-type MemlaneCoordinate), rising x */
};

/* Walks the series of the run of @one; they stand side by side. */
#define MEMLANE_FOR_EACH_OF_RUN(plotted, one) \
  for (MemlanePlottedSeries *plotted = (one)->run, *plotted##_end = plotted + plotted->n_of_run; \
       plotted < plotted##_end; plotted++)

/* The leader from a line's end to its label, in px. */
typedef struct
{
  double x0, y0, x1, y1;
  guint series;
} MemlaneLeader;

struct _MemlanePlot
{
  MemlaneFrame frame;    /* its items are series */
  MemlaneForm form;
  MemlaneFamily hover;   /* drawn in full, the others in grey; MEMLANE_N_FAMILIES: all in full */
  double label_width;    /* that the labels at the right take, with their leaders; 0: none */
  GArray *leaders;       /* (element-type MemlaneLeader) */
  /* (element-type MemlanePlot), one for each family; NULL: this plot itself has axes */
  GPtrArray *panels;
  /* the family whose panel it is; MEMLANE_N_FAMILIES: it is a whole figure */
  MemlaneFamily panel;
  MemlaneRectangle place;/* of a panel in the figure */
  MemlaneChart *chart;   /* owned reference */
  gboolean has_isolated; /* one series is isolated, all others are faded */

  MemlaneScale x, y;     /* x over elements */
  gboolean has_values;   /* there is something that the y axis can measure */
  gboolean has_axis_text;
  double bytes_per_element;
  GArray *x_ticks, *y_ticks; /* (element-type MemlaneTick) */
  double cache_x;        /* px of the mark on the axis; NAN: none */
  double ceiling_y;      /* px of the ceiling; NAN: it is not seen */
  GArray *series;        /* (element-type MemlanePlottedSeries), as in the chart */
  GArray *points;        /* (element-type MemlanePlacedPoint) */
  GPtrArray *sketches;   /* (nullable), owned reference: of the view */
};

/* Return the place of a size and of a value, px; not finite for what the scale has no place for. */
static inline double
memlane_plot_x (const MemlanePlot *plot, double elements)
{
  return plot->frame.area.x + memlane_scale_map (&plot->x, elements) * plot->frame.area.width;
}

static inline double
memlane_plot_y (const MemlanePlot *plot, double value)
{
  return plot->frame.area.y + (1 - memlane_scale_map (&plot->y, value)) * plot->frame.area.height;
}

/* plot-form.c: which series has a line, which is part of a band, and the labels at the right ends.
 * Once it is known what is shown; @from and @to: the exponents seen. */
/* A family's name where the line stands for several modes (@family), else the mode's. */
const char *memlane_plot_get_name (const MemlanePlottedSeries *plotted, gboolean family);
/* Whether other modes lie in the band of @plotted's line. */
gboolean memlane_plot_leads_others (const MemlanePlottedSeries *plotted);
/* Whether one of its modes is shown. */
gboolean memlane_plot_has_family (const MemlanePlot *plot, MemlaneFamily family);
void memlane_plot_choose_lines (MemlanePlot *plot, const MemlaneView *view);
void memlane_plot_make_labels (MemlanePlot *plot, const MemlaneView *view, MemlaneRange exponents);
/* A band's leader reaches from the least to the largest value of its members; once the points
 * stand. */
void memlane_plot_widen_bands (MemlanePlot *plot);
void memlane_plot_place_labels (MemlanePlot *plot);
/* The names of a panel's modes inside its axes; where they would hide the curves its title counts
 * them. */
void memlane_plot_place_members (MemlanePlot *plot);

static inline MemlanePlottedSeries *
memlane_plot_series (const MemlanePlot *plot, guint i)
{
  return &g_array_index (plot->series, MemlanePlottedSeries, i);
}

static inline const MemlaneSeries *
memlane_plot_chart_series (const MemlanePlot *plot, guint i)
{
  return memlane_plot_series (plot, i)->series;
}

static inline const MemlaneChartPoint *
memlane_plot_chart_point (const MemlanePlot *plot, guint series, guint point)
{
  return &g_array_index (memlane_plot_chart_series (plot, series)->points, MemlaneChartPoint,
                         point);
}

/* Whether the point lies between two exponents, or on one of them. */
static inline gboolean
memlane_plot_is_between (const MemlaneChartPoint *point, MemlaneRange exponents)
{
  return point->log2_elements >= exponents.from - 1e-9
         && point->log2_elements <= exponents.to + 1e-9;
}

/* Grey: another family is in focus, or under the pointer. */
static inline gboolean
memlane_plot_is_context (const MemlanePlot *plot, const MemlanePlottedSeries *plotted)
{
  return plotted->context
         || (plot->hover != MEMLANE_N_FAMILIES && plotted->series->family != plot->hover);
}
