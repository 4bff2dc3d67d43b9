/* plot.c: a plot from its birth to its end, and what others may know of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <math.h>

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
  plot->text_scale = memlane_figure_text_scale (pango);
  plot->style = memlane_figure_scale_style (style, plot->width, plot->height);
  plot->em = plot->style.text_size * plot->text_scale;
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
