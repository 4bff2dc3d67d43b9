/* plot-legend.c: the legend of a plot: a column at the right, columns below, or nowhere
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-layout.h"

#include <math.h>
#include <string.h>

#define MOST_SHARE_RIGHT 0.36  /* of the figure's width */
#define MOST_SHARE_OTHERS 0.28 /* that is taken for the longer names of overlays alone */
#define MOST_SHARE_BELOW 0.34  /* of its height */
#define LOOSE_PITCH 1.4        /* lines from one entry to the next, where there is room */
#define TIGHT_PITCH 1.02

/* A row of the legend before it has its place. */
typedef struct
{
  guint series;
  gboolean family; /* the row of its whole run */
  char *label;     /* owned */
} Row;

static void
clear_row (gpointer entry)
{
  g_free (((Row *) entry)->label);
}

static void
add_row (GArray *entries, guint series, gboolean family, char *label)
{
  Row entry = { series, family, label };

  g_array_append_val (entries, entry);
}

static gboolean
has_measured (const MemlanePlot *plot, const char *mode)
{
  for (guint i = 0; i < plot->series->len; i++)
    if (!memlane_plot_series (plot, i)->hidden && memlane_plot_chart_series (plot, i)->role == MEMLANE_SERIES_MEASURED
        && strcmp (memlane_plot_chart_series (plot, i)->mode, mode) == 0)
      return TRUE;
  return FALSE;
}

/* One row for each run whose curves are in the figure, by the first of them that is seen. */
static void
add_families (const MemlanePlot *plot, GArray *entries)
{
  g_autoptr (GHashTable) rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);
      const MemlanePlottedSeries *plotted = memlane_plot_series (plot, i);
      g_autofree char *family = NULL;
      gpointer row;

      if (plotted->hidden || series->source == NULL)
        continue;
      family = memlane_view_family (series->id);
      if (!g_hash_table_lookup_extended (rows, family, NULL, &row))
        {
          g_hash_table_insert (rows, g_steal_pointer (&family), GUINT_TO_POINTER (entries->len));
          add_row (entries, i, TRUE, g_strdup (series->source));
        }
      else if (plotted->shown && !memlane_plot_series (plot, g_array_index (entries, Row, GPOINTER_TO_UINT (row)).series)->shown)
        g_array_index (entries, Row, GPOINTER_TO_UINT (row)).series = i;
    }
}

/* Curves of the same mode share colour and marker, those of the same run the kind of line: twenty modes of three runs are 23 rows. */
static GArray *
collect_rows (const MemlanePlot *plot)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Row));
  gboolean several = FALSE;

  g_array_set_clear_func (entries, clear_row);
  for (guint i = 0; i < plot->series->len; i++)
    {
      const MemlaneSeries *series = memlane_plot_chart_series (plot, i);

      if (memlane_plot_series (plot, i)->hidden)
        continue;
      several = several || series->role != MEMLANE_SERIES_MEASURED;
      if (plot->form != MEMLANE_FORM_MODES)
        continue; /* labels at the right ends name the lines */
      if (series->role == MEMLANE_SERIES_MEASURED || !has_measured (plot, series->mode))
        add_row (entries, i, FALSE, g_strdup (series->label));
    }
  if (several)
    add_families (plot, entries);
  return entries;
}

/* The widest label without an ellipsis; *@measured: of the modes alone. */
static double
measure_labels (const MemlanePlot *plot, const GArray *entries, double *measured)
{
  double widest = 0;

  *measured = 0;
  for (guint i = 0; i < entries->len; i++)
    {
      const Row *entry = &g_array_index (entries, Row, i);
      g_autoptr (PangoLayout) layout = memlane_figure_make_text (plot->pango, plot->style.text_size, FALSE, entry->label);
      double width;

      memlane_figure_measure_text (layout, &width, NULL);
      widest = MAX (widest, width);
      if (!entry->family && memlane_plot_chart_series (plot, entry->series)->role == MEMLANE_SERIES_MEASURED)
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

/* @height: what a column at the right may take. */
MemlaneLegendPlan
memlane_plot_plan_legend (MemlanePlot *plot, double height)
{
  MemlaneLegendPlan plan = { MEMLANE_LEGEND_NONE };
  g_autoptr (GArray) entries = collect_rows (plot);
  guint n = entries->len;
  double natural, measured;

  if (n == 0)
    return plan;
  natural = ceil (plot->sample_width + 0.6 * plot->em + measure_labels (plot, entries, &measured));
  measured = ceil (plot->sample_width + 0.6 * plot->em + measured);
  if (plot->form != MEMLANE_FORM_MODES) /* the labels stand at the right; what is left are the runs */
    {
      if (!plan_below (plot, natural, n, FALSE, &plan) && !plan_below (plot, natural, n, TRUE, &plan))
        return plan;
    }
  /* An upright figure has its room below. */
  else if (!(plot->width < plot->height && plan_below (plot, natural, n, FALSE, &plan))
      && !plan_right (plot, natural, measured, height, n, FALSE, &plan)
      && !plan_below (plot, natural, n, FALSE, &plan) && !plan_right (plot, natural, measured, height, n, TRUE, &plan)
      && !plan_below (plot, natural, n, TRUE, &plan))
    return plan;
  plan.entries = MIN (n, plan.columns * plan.rows);
  return plan;
}

static void
place_row (MemlanePlot *plot, const Row *entry, PangoLayout *layout, const MemlaneRectangle *cell)
{
  guint series = entry->series;
  double gap = 0.6 * plot->em, width, height, x;
  MemlaneRectangle taken = *cell;
  MemlanePlacedText text = { MEMLANE_TEXT_LEGEND, layout, .color = plot->style.text, .series = series };

  memlane_figure_limit_text (layout, cell->width - plot->sample_width - gap);
  memlane_figure_measure_text (layout, &width, &height);
  taken.width = MIN (cell->width, plot->sample_width + gap + width);
  if (plot->right_to_left)
    taken.x = cell->x + cell->width - taken.width;
  x = plot->right_to_left ? taken.x + taken.width - plot->sample_width - gap - width : taken.x + plot->sample_width + gap;
  text.area = (MemlaneRectangle){ x, cell->y + (cell->height - height) / 2, width, height };
  if (memlane_plot_series (plot, series)->shown)
    {
      MemlaneLegendEntry row = { series, entry->family, taken };

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
  g_autoptr (GArray) entries = collect_rows (plot);
  guint n = entries->len;
  guint whole = plan->entries < n ? plan->entries - 1 : plan->entries;

  for (guint place = 0; place < plan->entries; place++)
    {
      const Row *entry = &g_array_index (entries, Row, place);
      MemlaneRectangle cell = { x, y, plan->cell_width, plan->pitch };
      guint column = place % plan->columns;
      PangoLayout *layout;

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
          layout = memlane_figure_make_text (plot->pango, plot->style.text_size, FALSE, entry->label);
          place_row (plot, entry, layout, &cell);
        }
      else
        {
          g_autofree char *more = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "and %u more", "and %u more", n - whole), n - whole);
          double height;

          layout = memlane_figure_make_text (plot->pango, plot->style.text_size, FALSE, more);
          memlane_figure_limit_text (layout, cell.width);
          memlane_figure_measure_text (layout, NULL, &height);
          memlane_plot_place_text (plot, MEMLANE_TEXT_MORE, layout, cell.x, cell.y + (cell.height - height) / 2, &plot->style.faint);
        }
    }
}
