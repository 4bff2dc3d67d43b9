/* plot-strip.c: a family in focus, its modes relative to its first: what they differ by where their curves lie on each other
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define LEAST 0.9 /* the ratios that the strip has room for */
#define MOST 1.1
#define LEAST_FOR_STRIP 22 /* em of the figure's height */

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

/* Whether the modes of the family in focus lie on each other, so that their ratios are worth a strip. */
static gboolean
find_strip (MemlanePlot *plot)
{
  gboolean found = FALSE;

  plot->strip_first = G_MAXUINT;
  if (plot->form != MEMLANE_FORM_OVERVIEW || plot->panel != MEMLANE_N_FAMILIES || plot->chart->quantity == MEMLANE_QUANTITY_RATIO
      || plot->focus == MEMLANE_N_FAMILIES)
    return FALSE;
  for (guint i = 0; i < plot->series->len && !found; i++)
    if (takes_part (plot, plot->focus, i))
      {
        if (plot->strip_first == G_MAXUINT)
          plot->strip_first = i;
        else
          found = lies_near (plot, i);
      }
  return found;
}

double
memlane_plot_measure_strip (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  double bars = MAX (3.2 * frame->line, 0.13 * frame->height);

  /* The words, the bars, and half a number above and below them. */
  return frame->height > LEAST_FOR_STRIP * frame->em && find_strip ((MemlanePlot *) frame)
           ? ceil (0.4 * frame->em + frame->line + bars + frame->line) : 0;
}

void
memlane_plot_place_strip (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  static const struct { const char *text; double value; } ticks[] = { { "1.1", MOST }, { "1", 1 }, { "0.9", LEAST } };
  MemlanePlot *plot = (MemlanePlot *) frame;
  const MemlaneRectangle *area = &frame->area;
  g_autofree char *words = g_strdup_printf (_("Relative to %s"), memlane_plot_chart_series (plot, plot->strip_first)->label);
  PangoLayout *layout = memlane_frame_make_text (frame, frame->small, FALSE, words);
  double y = place->y + 0.4 * frame->em;

  memlane_figure_limit_text (layout, area->width);
  memlane_frame_place_text (frame, MEMLANE_TEXT_STRIP, layout, area->x, y, &frame->style.faint);
  plot->strip = (MemlaneRectangle){ area->x, y + 1.5 * frame->line, area->width, place->height - 0.4 * frame->em - 2 * frame->line };
  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++)
    {
      double width, height, middle = plot->strip.y + (MOST - ticks[i].value) / (MOST - LEAST) * plot->strip.height;

      layout = memlane_frame_make_text (frame, frame->small, FALSE, ticks[i].text);
      memlane_figure_measure_text (layout, &width, &height);
      memlane_frame_place_text (frame, MEMLANE_TEXT_STRIP, layout, MAX (area->x - 0.5 * frame->em - width, 0), middle - height / 2,
                                &frame->style.faint);
    }
}

/* --- drawing -------------------------------------------------------------------------------------------------------------- */

static void
draw_member (const MemlanePlot *plot, cairo_t *cr, guint series)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, series);
  double lengths[G_N_ELEMENTS (plotted->curve.dashes)];

  for (int i = 0; i < plotted->curve.n_dashes; i++)
    lengths[i] = plotted->curve.dashes[i] * plot->frame.style.line_width;
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
  cairo_set_line_width (cr, plot->frame.style.line_width);
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
  cairo_set_line_width (cr, plot->frame.style.axis_width);
  memlane_color_set (cr, &plot->frame.style.grid);
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
