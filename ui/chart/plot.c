/* plot.c: a plot from its birth to its end, and what others may know of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <math.h>

/* The size that projector styles are made for; they grow and shrink with the figure, because the wall does not. */
#define PROJECTOR_WIDTH 1280.0
#define PROJECTOR_HEIGHT 720.0

static void
clear_text (gpointer data)
{
  g_clear_object (&((MemlanePlacedText *) data)->layout);
}

static void
clear_series (gpointer data)
{
  g_clear_pointer (&((MemlanePlottedSeries *) data)->coordinates, g_array_unref);
}

void
memlane_plot_free (MemlanePlot *plot)
{
  if (plot == NULL)
    return;
  g_clear_pointer (&plot->x_ticks, g_array_unref);
  g_clear_pointer (&plot->y_ticks, g_array_unref);
  g_array_unref (plot->texts);
  g_array_unref (plot->legend);
  g_array_unref (plot->ceilings);
  g_array_unref (plot->series);
  g_array_unref (plot->points);
  g_clear_object (&plot->watermark);
  g_object_unref (plot->pango);
  memlane_chart_unref (plot->chart);
  g_free (plot);
}

static void
set_up_style (MemlanePlot *plot, const MemlaneStyle *style)
{
  double resolution = pango_cairo_context_get_resolution (plot->pango), zoom = 1;

  if (resolution <= 0)
    resolution = pango_cairo_font_map_get_resolution (PANGO_CAIRO_FONT_MAP (pango_context_get_font_map (plot->pango)));
  plot->text_scale = resolution > 0 ? resolution / 96 : 1;
  plot->style = *style;
  if (style->kind == MEMLANE_STYLE_PROJECTOR || style->kind == MEMLANE_STYLE_PROJECTOR_DARK)
    zoom = CLAMP (MIN (plot->width / PROJECTOR_WIDTH, plot->height / PROJECTOR_HEIGHT), 0.4, 8);
  plot->style.text_size *= zoom;
  /* In a small figure markers as large as ever would run into each other; text stays legible. */
  zoom *= CLAMP (MIN (plot->width / 480, plot->height / 270), 0.55, 1);
  plot->style.line_width *= zoom;
  plot->style.marker_radius *= zoom;
  plot->style.axis_width *= zoom;
  plot->em = plot->style.text_size * plot->text_scale;
}

MemlanePlot *
memlane_plot_new (const MemlaneChart *chart, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  MemlanePlot *plot = g_new0 (MemlanePlot, 1);
  g_autoptr (PangoLayout) probe = NULL;

  plot->chart = memlane_chart_ref ((MemlaneChart *) chart);
  plot->width = MAX (width, 1);
  plot->height = MAX (height, 1);
  plot->pango = g_object_ref (pango);
  plot->right_to_left = pango_context_get_base_dir (pango) == PANGO_DIRECTION_RTL;
  plot->texts = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedText));
  g_array_set_clear_func (plot->texts, clear_text);
  plot->legend = g_array_new (FALSE, TRUE, sizeof (MemlaneLegendEntry));
  plot->ceilings = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedCeiling));
  plot->series = g_array_new (FALSE, TRUE, sizeof (MemlanePlottedSeries));
  g_array_set_clear_func (plot->series, clear_series);
  plot->points = g_array_new (FALSE, TRUE, sizeof (MemlanePlacedPoint));
  set_up_style (plot, style);
  probe = memlane_plot_make_text (plot, plot->style.text_size, FALSE, "Åg");
  memlane_plot_measure_text (probe, NULL, &plot->line);
  plot->line = ceil (plot->line);
  plot->sample_width = round (MAX (3.2 * plot->em, 9 * plot->style.line_width));
  plot->sample_height = round (MAX (plot->em, 2.4 * plot->style.marker_radius));
  return plot;
}

/* --- what others may know ---------------------------------------------------------------------------------------- */

const MemlaneRectangle *
memlane_plot_get_area (const MemlanePlot *plot)
{
  return &plot->area;
}

const MemlaneScale *
memlane_plot_get_x_scale (const MemlanePlot *plot)
{
  return &plot->x;
}

const MemlaneScale *
memlane_plot_get_y_scale (const MemlanePlot *plot)
{
  return &plot->y;
}

const GArray *
memlane_plot_get_legend (const MemlanePlot *plot)
{
  return plot->legend;
}

const GArray *
memlane_plot_get_points (const MemlanePlot *plot)
{
  return plot->points;
}
