/* plot-legend.c: where the legend goes: a column at the right, columns below, or nowhere
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MOST_SHARE_RIGHT 0.36  /* of the figure's width */
#define MOST_SHARE_OTHERS 0.28 /* that is taken for the longer names of overlays alone */
#define MOST_SHARE_BELOW 0.34  /* of its height */
#define LOOSE_PITCH 1.4        /* lines from one entry to the next, where there is room */
#define TIGHT_PITCH 1.02

static guint
count_entries (const MemlanePlot *plot)
{
  guint n = 0;

  for (guint i = 0; i < plot->series->len; i++)
    n += !memlane_plot_series (plot, i)->hidden;
  return n;
}

/* The widest label without an ellipsis; *@measured: of the first run alone. */
static double
measure_labels (const MemlanePlot *plot, double *measured)
{
  double widest = 0;

  *measured = 0;

  for (guint i = 0; i < plot->series->len; i++)
    if (!memlane_plot_series (plot, i)->hidden)
      {
        g_autoptr (PangoLayout) layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE,
                                                                 memlane_plot_chart_series (plot, i)->label);
        double width;

        memlane_plot_measure_text (layout, &width, NULL);
        widest = MAX (widest, width);
        if (memlane_plot_chart_series (plot, i)->role == MEMLANE_SERIES_MEASURED)
          *measured = MAX (*measured, width);
      }
  return widest;
}

static gboolean
plan_right (const MemlanePlot *plot, double natural, double measured, double height, guint n, gboolean cut, MemlaneLegendPlan *plan)
{
  double most = floor (plot->width * MOST_SHARE_RIGHT), gap = 1.5 * plot->em;
  guint room = (guint) MAX (floor (height / (plot->line * TIGHT_PITCH)), 0);

  if (plot->width < 34 * plot->em || most < plot->sample_width + 6 * plot->em || room == 0 || (!cut && room < n))
    return FALSE;
  plan->side = MEMLANE_LEGEND_RIGHT;
  plan->columns = 1;
  plan->rows = MIN (n, room);
  plan->pitch = floor (CLAMP (height / plan->rows, plot->line * TIGHT_PITCH, plot->line * LOOSE_PITCH));
  plan->cell_width = MIN (natural, MAX (floor (plot->width * MOST_SHARE_OTHERS), MIN (measured, most)));
  plan->width = plan->cell_width + gap;
  plan->height = 0;
  return TRUE;
}

static gboolean
plan_below (const MemlanePlot *plot, double natural, guint n, gboolean cut, MemlaneLegendPlan *plan)
{
  double inner = plot->width - 1.6 * plot->em, gap = 1.2 * plot->em, pitch = ceil (plot->line * 1.15);
  guint room = (guint) MAX (floor (plot->height * MOST_SHARE_BELOW / pitch), 0);
  guint columns = CLAMP ((guint) MAX (floor ((inner + gap) / (natural + gap)), 1), 1, n);
  guint rows = (n + columns - 1) / columns;

  /* Narrower cells, with ellipses, rather than entries that are missing. */
  while (rows > room && inner / (columns + 1) - gap >= plot->sample_width + 5 * plot->em)
    {
      columns++;
      rows = (n + columns - 1) / columns;
    }
  if (room == 0 || (!cut && rows > room) || inner < plot->sample_width + 3 * plot->em)
    return FALSE;
  columns = (n + rows - 1) / rows;
  plan->side = MEMLANE_LEGEND_BELOW;
  plan->columns = columns;
  plan->rows = MIN (rows, room);
  plan->pitch = pitch;
  plan->cell_width = floor (MIN (natural, (inner + gap) / columns - gap));
  plan->width = 0;
  plan->height = plan->rows * pitch + 0.8 * plot->em;
  return TRUE;
}

MemlaneLegendPlan
memlane_plot_plan_legend (MemlanePlot *plot, double height)
{
  MemlaneLegendPlan plan = { MEMLANE_LEGEND_NONE };
  guint n = count_entries (plot);
  double natural, measured;

  if (n == 0)
    return plan;
  natural = ceil (plot->sample_width + 0.6 * plot->em + measure_labels (plot, &measured));
  measured = ceil (plot->sample_width + 0.6 * plot->em + measured);
  /* An upright figure has its room below. */
  if (!(plot->width < plot->height && plan_below (plot, natural, n, FALSE, &plan))
      && !plan_right (plot, natural, measured, height, n, FALSE, &plan)
      && !plan_below (plot, natural, n, FALSE, &plan) && !plan_right (plot, natural, measured, height, n, TRUE, &plan)
      && !plan_below (plot, natural, n, TRUE, &plan))
    return plan;
  plan.entries = MIN (n, plan.columns * plan.rows);
  return plan;
}

static void
place_entry (MemlanePlot *plot, guint series, PangoLayout *layout, const MemlaneRectangle *cell)
{
  double gap = 0.6 * plot->em, width, height, x;
  MemlaneRectangle entry = *cell;
  MemlanePlacedText text = { MEMLANE_TEXT_LEGEND, layout, .color = plot->style.text, .series = series };

  memlane_plot_limit_text (layout, cell->width - plot->sample_width - gap);
  memlane_plot_measure_text (layout, &width, &height);
  entry.width = MIN (cell->width, plot->sample_width + gap + width);
  if (plot->right_to_left)
    entry.x = cell->x + cell->width - entry.width;
  x = plot->right_to_left ? entry.x + entry.width - plot->sample_width - gap - width : entry.x + plot->sample_width + gap;
  text.area = (MemlaneRectangle){ x, cell->y + (cell->height - height) / 2, width, height };
  if (memlane_plot_series (plot, series)->shown)
    {
      MemlaneLegendEntry row = { series, entry };

      if (memlane_plot_series (plot, series)->faded)
        text.color = memlane_color_fade (text.color, 0.45);
      g_array_append_val (plot->legend, row);
      g_array_append_val (plot->texts, text);
    }
  else
    g_object_unref (layout);
}

void
memlane_plot_place_legend (MemlanePlot *plot, const MemlaneLegendPlan *plan, double x, double y)
{
  double step = plan->cell_width + 1.2 * plot->em;
  guint n = count_entries (plot), place = 0;
  guint whole = plan->entries < n ? plan->entries - 1 : plan->entries;

  for (guint i = 0; i < plot->series->len && place < plan->entries; i++)
    {
      MemlaneRectangle cell = { x, y, plan->cell_width, plan->pitch };
      guint column = place % plan->columns;
      PangoLayout *layout;

      if (memlane_plot_series (plot, i)->hidden)
        continue;
      if (plan->side == MEMLANE_LEGEND_BELOW)
        {
          /* Column by column, so that the eye runs down as in the other place. */
          column = place / plan->rows;
          cell.x += (plot->right_to_left ? plan->columns - 1 - column : column) * step;
          cell.y += place % plan->rows * plan->pitch;
        }
      else
        cell.y += place * plan->pitch;
      if (place < whole)
        {
          layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, memlane_plot_chart_series (plot, i)->label);
          place_entry (plot, i, layout, &cell);
        }
      else
        {
          g_autofree char *more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", n - whole), n - whole);
          double height;

          layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, more);
          memlane_plot_limit_text (layout, cell.width);
          memlane_plot_measure_text (layout, NULL, &height);
          memlane_plot_place_text (plot, MEMLANE_TEXT_MORE, layout, cell.x, cell.y + (cell.height - height) / 2, &plot->style.faint);
        }
      place++;
    }
}
