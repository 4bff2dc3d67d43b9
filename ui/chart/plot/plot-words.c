/* plot-words.c: words inside the axes: beside the ceilings and the curves that run out at the top
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MOST_LEAVING 3 /* more would hide what they are about */
#define MOST_ROWS 8    /* half lines that the words go down for a free place */

static gboolean
overlaps (const MemlaneRectangle *a, const MemlaneRectangle *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static gboolean
is_free (const MemlanePlot *plot, const MemlaneRectangle *wanted)
{
  if (wanted->y < plot->area.y || wanted->y + wanted->height > plot->area.y + plot->area.height)
    return FALSE;
  for (guint i = 0; i < plot->texts->len; i++)
    {
      const MemlanePlacedText *text = &g_array_index (plot->texts, MemlanePlacedText, i);

      if ((text->role == MEMLANE_TEXT_CEILING || text->role == MEMLANE_TEXT_LEAVING) && overlaps (&text->area, wanted))
        return FALSE;
    }
  return TRUE;
}

void
memlane_plot_place_ceilings (MemlanePlot *plot)
{
  for (guint i = 0; i < plot->chart->ceilings->len; i++)
    {
      const MemlaneCeiling *ceiling = plot->chart->ceilings->pdata[i];
      MemlanePlacedCeiling placed = { i, memlane_plot_y (plot, ceiling->value) };
      MemlaneRectangle wanted = { plot->area.x + 0.5 * plot->em };
      PangoLayout *layout;

      if (!plot->has_values || !isfinite (placed.y) || placed.y < plot->area.y || placed.y > plot->area.y + plot->area.height)
        continue;
      g_array_append_val (plot->ceilings, placed);
      /* Bandwidth rises to the right: the left end is where nothing is in the way. */
      layout = memlane_plot_make_text (plot, plot->style.text_size * 0.9, FALSE, ceiling->label);
      memlane_plot_measure_text (layout, &wanted.width, &wanted.height);
      wanted.y = placed.y - wanted.height - 1;
      if (!is_free (plot, &wanted))
        wanted.y = placed.y + 2;
      /* In a small figure the line must do: words across all of it would hide the curves. */
      if (plot->has_axis_text && wanted.width < 0.6 * plot->area.width && is_free (plot, &wanted))
        memlane_plot_place_text (plot, MEMLANE_TEXT_CEILING, layout, wanted.x, wanted.y, &plot->style.ceiling);
      else
        g_object_unref (layout);
    }
}

/* Where the curve first crosses the top, px; NAN when it does not. */
static double
find_exit (const MemlanePlot *plot, guint series)
{
  const GArray *coordinates = memlane_plot_series (plot, series)->coordinates;

  for (guint i = 1; i < coordinates->len; i++)
    {
      const MemlaneCoordinate *before = &g_array_index (coordinates, MemlaneCoordinate, i - 1);
      const MemlaneCoordinate *here = &g_array_index (coordinates, MemlaneCoordinate, i);

      if (here->joined && before->y >= plot->area.y && here->y < plot->area.y)
        return before->x + (here->x - before->x) * (before->y - plot->area.y) / (before->y - here->y);
    }
  return NAN;
}

void
memlane_plot_place_leaving (MemlanePlot *plot)
{
  guint placed = 0;

  for (guint i = 0; plot->has_axis_text && i < plot->series->len; i++)
    {
      const MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      double exit = plotted->leaves && plotted->shown && !plotted->faded ? find_exit (plot, i) : NAN, reach = 0, room;
      g_autofree char *value = NULL, *text = NULL;
      MemlaneRectangle wanted;
      PangoLayout *layout;

      for (guint j = 0; j < series->points->len; j++)
        reach = MAX (reach, memlane_plot_chart_point (plot, i, j)->value);
      room = exit - plot->area.x - 1.5 * plot->em;
      if (!(room > 6 * plot->em))
        continue;
      value = memlane_unit_format (plot->chart->unit, reach, TRUE);
      /* Translators: beside a curve that runs out at the top of the figure: "Device-resident: up to 1.17 TB/s" */
      text = g_strdup_printf (_("%s: up to %s"), series->label, value);
      layout = memlane_plot_make_text (plot, plot->style.text_size * 0.9, FALSE, text);
      memlane_plot_limit_text (layout, room);
      memlane_plot_measure_text (layout, &wanted.width, &wanted.height);
      wanted.x = exit - plot->em - wanted.width;
      wanted.y = plot->area.y + 0.3 * plot->em;
      /* Below what stands there already: a ceiling's words, another curve's. */
      for (guint row = 0; row < MOST_ROWS && !is_free (plot, &wanted); row++)
        wanted.y += 0.5 * plot->line;
      if (placed < MOST_LEAVING && is_free (plot, &wanted))
        {
          memlane_plot_place_text (plot, MEMLANE_TEXT_LEAVING, layout, wanted.x, wanted.y, &plot->style.text);
          placed++;
        }
      else
        g_object_unref (layout);
    }
}
