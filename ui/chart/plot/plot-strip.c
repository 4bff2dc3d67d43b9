/* plot-strip.c: a family in focus, its modes relative to its first: what they differ by where their curves lie on each other
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define LEAST 0.9 /* the ratios that the strip has room for */
#define MOST 1.1

static gboolean
takes_part (const MemlanePlot *plot, MemlaneFamily family, guint i)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
  const MemlaneSeries *series = memlane_plot_chart_series (plot, i);

  return plotted->shown && plotted->drawn && series->role == MEMLANE_SERIES_MEASURED && series->family == family;
}

/* The ratio at @point of @series; NAN: the first has no point of that size. */
static double
get_ratio (const MemlanePlot *plot, guint series, guint point)
{
  const MemlaneChartPoint *here = memlane_plot_chart_point (plot, series, point);
  const MemlaneSeries *first = memlane_plot_chart_series (plot, plot->strip_first);

  for (guint i = 0; i < first->points->len; i++)
    {
      const MemlaneChartPoint *there = memlane_plot_chart_point (plot, plot->strip_first, i);

      if (there->elements == here->elements)
        return here->value / there->value;
    }
  return NAN;
}

/* At half of the sizes and more it lies within the strip. */
static gboolean
lies_near (const MemlanePlot *plot, guint series)
{
  guint n = memlane_plot_chart_series (plot, series)->points->len, near = 0;

  for (guint i = 0; i < n; i++)
    {
      double ratio = get_ratio (plot, series, i);

      near += ratio >= LEAST && ratio <= MOST;
    }
  return near > 0 && 2 * near >= n;
}

gboolean
memlane_plot_find_strip (MemlanePlot *plot, const MemlaneView *view)
{
  gboolean found = FALSE;

  plot->strip_first = G_MAXUINT;
  if (plot->form != MEMLANE_FORM_OVERVIEW || plot->panel != MEMLANE_N_FAMILIES || plot->chart->quantity == MEMLANE_QUANTITY_RATIO
      || view->focus == MEMLANE_N_FAMILIES)
    return FALSE;
  for (guint i = 0; i < plot->series->len && !found; i++)
    if (takes_part (plot, view->focus, i))
      {
        if (plot->strip_first == G_MAXUINT)
          plot->strip_first = i;
        else
          found = lies_near (plot, i);
      }
  return found;
}

double
memlane_plot_measure_strip (const MemlanePlot *plot)
{
  double bars = MAX (3.2 * plot->line, 0.13 * plot->height);

  /* The words, the bars, and half a number above and below them. */
  return ceil (0.4 * plot->em + plot->line + bars + plot->line);
}

static PangoLayout *
make_text (const MemlanePlot *plot, const char *text)
{
  return memlane_figure_make_text (plot->pango, plot->small, FALSE, text);
}

void
memlane_plot_place_strip (MemlanePlot *plot, double y, double height)
{
  static const struct { const char *text; double value; } ticks[] = { { "1.1", MOST }, { "1", 1 }, { "0.9", LEAST } };
  g_autofree char *words = g_strdup_printf (_("Relative to %s"), memlane_plot_chart_series (plot, plot->strip_first)->label);
  PangoLayout *layout = make_text (plot, words);
  double text_height;

  memlane_figure_limit_text (layout, plot->area.width);
  memlane_plot_place_text (plot, MEMLANE_TEXT_STRIP, layout, plot->area.x, y + 0.4 * plot->em, &plot->style.faint);
  plot->strip = (MemlaneRectangle){ plot->area.x, y + 0.4 * plot->em + 1.5 * plot->line, plot->area.width,
                                    height - 0.4 * plot->em - 2 * plot->line };
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    {
      double width, middle = plot->strip.y + (MOST - ticks[i].value) / (MOST - LEAST) * plot->strip.height;

      layout = make_text (plot, ticks[i].text);
      memlane_figure_measure_text (layout, &width, &text_height);
      memlane_plot_place_text (plot, MEMLANE_TEXT_STRIP, layout, MAX (plot->area.x - 0.5 * plot->em - width, 0), middle - text_height / 2,
                               &plot->style.faint);
    }
}

/* --- drawing -------------------------------------------------------------------------------------------------------------- */

static void
draw_member (const MemlanePlot *plot, cairo_t *cr, guint series)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, series);
  double lengths[G_N_ELEMENTS (plotted->curve.dashes)];

  for (int i = 0; i < plotted->curve.n_dashes; i++)
    lengths[i] = plotted->curve.dashes[i] * plot->style.line_width;
  cairo_new_path (cr);
  for (guint i = 0; i < memlane_plot_chart_series (plot, series)->points->len; i++)
    {
      double ratio = get_ratio (plot, series, i);

      if (isnan (ratio))
        cairo_new_sub_path (cr);
      else
        cairo_line_to (cr, memlane_plot_x (plot, memlane_plot_chart_point (plot, series, i)->elements),
                       plot->strip.y + (MOST - ratio) / (MOST - LEAST) * plot->strip.height);
    }
  cairo_set_dash (cr, lengths, plotted->curve.n_dashes, 0);
  cairo_set_line_width (cr, plot->style.line_width);
  memlane_color_set (cr, &plotted->curve.color);
  cairo_stroke (cr);
}

void
memlane_plot_draw_strip (const MemlanePlot *plot, cairo_t *cr)
{
  const MemlaneRectangle *strip = &plot->strip;

  if (strip->height <= 0)
    return;
  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, plot->style.axis_width);
  memlane_color_set (cr, &plot->style.grid);
  for (guint i = 0; i <= 2; i++)
    {
      cairo_move_to (cr, strip->x, strip->y + i * strip->height / 2);
      cairo_line_to (cr, strip->x + strip->width, strip->y + i * strip->height / 2);
    }
  cairo_stroke (cr);
  cairo_rectangle (cr, strip->x, strip->y, strip->width, strip->height);
  cairo_clip (cr);
  for (guint i = plot->series->len; i-- > 0;)
    if (takes_part (plot, memlane_plot_chart_series (plot, plot->strip_first)->family, i))
      draw_member (plot, cr, i);
  cairo_restore (cr);
}
