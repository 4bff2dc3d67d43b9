/* plot.h: a chart on a cairo_t: layout, drawing, crosshair, what lies under the pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * The same code draws the screen, PNG, SVG, PDF and the tests' goldens. One thread at a time for
 * one PangoContext.
 * Order: the drawing is laid out, as a MemlanePlot, for each size and style. draw() paints all but
 * the overlay, draw_overlay() the crosshair and reading on top. A moving pointer repaints nothing
 * else.
 */
#pragma once

#include <pango/pangocairo.h>

#include "chart/chart.h"
#include "chart/drawing.h"
#include "chart/frame.h"

typedef struct
{
  guint series, point;     /* indices */
  double x, y;             /* px */
  double y_low, y_high;    /* px of the interval */
} MemlanePlacedPoint;

typedef struct _MemlanePlot MemlanePlot;

void memlane_plot_free (MemlanePlot *plot);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePlot, memlane_plot_free)

/* The pointers are valid as long as the plot. */
typedef struct
{
  const MemlaneRectangle *area; /* inside the axes */
  const MemlaneScale *x, *y;    /* x: over elements, LOG2 */
  gboolean has_panels;          /* one small plot for each family; the area holds them all */
} MemlanePlotAxes;
MemlanePlotAxes memlane_plot_get_axes (const MemlanePlot *plot);

/* Paints everything but the overlay. */
void memlane_plot_draw (const MemlanePlot *plot, cairo_t *cr);

/* The crosshair at @log2_elements with a dot on each curve and the size on the axis. When @series
 * is not G_MAXUINT, also a ring around that series' point there and what it says. In an overview
 * instead a small table inside the axes: the size, the five best, and that series. Nothing lies
 * over the words around the axes but over the ticks' sizes. Paints no background. Nothing for a
 * size out of sight. */
void memlane_plot_draw_overlay (const MemlanePlot *plot, cairo_t *cr, double log2_elements,
                                guint series);
/* A rubber band from drag to here, px. */
void memlane_plot_draw_band (const MemlanePlot *plot, cairo_t *cr, double x0, double y0, double x1,
                             double y1);

typedef enum
{
  MEMLANE_HIT_NOTHING,
  MEMLANE_HIT_AREA,    /* inside the axes, no point near */
  MEMLANE_HIT_POINT,   /* within 8 px (16 in projector styles) */
  MEMLANE_HIT_LEGEND,
} MemlaneHitKind;

typedef struct
{
  MemlaneHitKind kind;
  guint series, point;   /* G_MAXUINT where they mean nothing */
  /* nearest measured size that is seen, for AREA and POINT; G_MAXUINT where there is none */
  double log2_elements;
  gboolean family;       /* LEGEND: the row of a whole run */
  gboolean band;         /* LEGEND: the line stands for its family's modes */
} MemlaneHit;

MemlaneHit memlane_plot_hit (const MemlanePlot *plot, double x, double y);

/* The family whose label, legend row or line is within that of (x, y); MEMLANE_N_FAMILIES: none, as
 * in small plots. */
MemlaneFamily memlane_plot_find_family (const MemlanePlot *plot, double x, double y);
/* Changes the family under the pointer, as MemlaneView's hover does, without another layout. */
void memlane_plot_set_hover (MemlanePlot *plot, MemlaneFamily family);

/* Every visible curve at one size, best first (bandwidth: high first; time: low first). */
typedef struct
{
  guint series, point;
} MemlaneReadingEntry;
/* (transfer full) (element-type MemlaneReadingEntry) */
GArray *memlane_plot_read (const MemlanePlot *plot, double log2_elements);
/* "at 2¹⁸ (1 MiB): Mapped 51.8 GB/s, Pinned 40.7 GB/s", for screen readers. (transfer full) */
char *memlane_plot_format_reading (const MemlanePlot *plot, double log2_elements);

/* @chart as it is seen in @view (NULL: all of it), for files, pages and widgets. Takes a reference
 * and copies @view; its layout, a MemlanePlot, needs neither. It uses resolution (96: text of 100
 * %), base direction and font options of the PangoContext; fonts by "sans". Sizes from 160x120 on
 * are legible in some way: the frame drops what has no room. Projector styles are meant for
 * 1280x720 and grow and shrink with the figure. A curve is interrupted where its run (source) has a
 * size that it lacks. A ceiling is in the range of y once the values reach a fifth of it. (transfer
 * full) */
MemlaneDrawing *memlane_plot_drawing_new (MemlaneChart *chart, const MemlaneView *view);
