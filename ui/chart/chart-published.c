/* chart-published.c: figures from the articles as curves
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-private.h"

#include <math.h>
#include <string.h>

/* How many vectors @phase moves, as the runs shown count it; 0: unknown. Only where nothing is reused: the articles reuse nothing. */
static double
count_vectors (const MemlaneChart *chart, const MemlaneChartRun *runs, guint n_runs)
{
  for (guint i = 0; i < n_runs; i++)
    for (guint j = 0; j < runs[i].run->cells->len; j++)
      {
        const MemlaneCell *cell = runs[i].run->cells->pdata[j];
        const MemlaneFigure *figure = NULL;

        if (g_strcmp0 (cell->workload, chart->workload) == 0 && cell->reuse == 1 && cell->bytes > 0)
          figure = memlane_chart_choose_figure (cell, chart->phase);
        if (figure != NULL && figure->bytes_moved > 0)
          return (double) figure->bytes_moved / (double) cell->bytes;
      }
  return 0;
}

static gboolean
belongs (const MemlaneChart *chart, const MemlanePublishedFigure *figure, const char *const *modes)
{
  return g_strcmp0 (figure->workload, chart->workload) == 0 && figure->phase == chart->phase && isfinite (figure->value_ns)
         && figure->value_ns > 0 && (modes == NULL || g_strv_contains (modes, figure->mode));
}

static gboolean
same_curve (const MemlanePublishedFigure *a, const MemlanePublishedFigure *b)
{
  return g_strcmp0 (a->source, b->source) == 0 && g_strcmp0 (a->device, b->device) == 0 && g_strcmp0 (a->mode, b->mode) == 0;
}

static void
add_point (GArray *points, const MemlanePublishedFigure *figure, double value)
{
  MemlaneChartPoint point = {
    .log2_elements = figure->log2_elements,
    .elements = exp2 (figure->log2_elements),
    .bytes = figure->bytes,
    .value = value,
    .low = value,
    .high = value,
  };
  guint place = 0;

  while (place < points->len && g_array_index (points, MemlaneChartPoint, place).log2_elements < point.log2_elements)
    place++;
  if (place == points->len || g_array_index (points, MemlaneChartPoint, place).log2_elements != point.log2_elements)
    g_array_insert_val (points, place, point); /* of several, the first in the file */
}

static int
compare_figures (gconstpointer a, gconstpointer b)
{
  const MemlanePublishedFigure *x = *(MemlanePublishedFigure *const *) a, *y = *(MemlanePublishedFigure *const *) b;

  return memlane_chart_compare_modes (x->mode, y->mode);
}

void
memlane_chart_add_published (MemlaneChart *chart, const MemlanePublished *published, const MemlaneChartRun *runs, guint n_runs,
                             const char *const *modes)
{
  gboolean bandwidth = chart->quantity == MEMLANE_QUANTITY_BANDWIDTH;
  double vectors = bandwidth ? count_vectors (chart, runs, n_runs) : 0;
  g_autoptr(GPtrArray) left = g_ptr_array_new ();

  for (guint i = 0; i < published->figures->len; i++)
    {
      MemlanePublishedFigure *figure = published->figures->pdata[i];

      if (belongs (chart, figure, modes) && (!bandwidth || vectors * (double) figure->bytes > 0))
        g_ptr_array_add (left, figure);
    }
  g_ptr_array_sort (left, compare_figures);
  while (left->len > 0)
    {
      const MemlanePublishedFigure *first = left->pdata[0];
      MemlaneSeries *series = memlane_series_new (first->mode, MEMLANE_SERIES_PUBLISHED);
      g_autofree char *id = g_strdup_printf ("published/%s/%s", first->source, first->mode);
      const char *whose = first->device != NULL && *first->device != '\0' ? first->device : first->source;
      guint n = left->len;

      series->label = memlane_chart_make_label (first->mode, whose);
      series->source = g_strdup (whose);
      for (guint i = 0; i < n; i++)
        {
          const MemlanePublishedFigure *figure = g_ptr_array_remove_index (left, 0);

          if (same_curve (first, figure))
            add_point (series->points, figure, bandwidth ? vectors * (double) figure->bytes * 1e9 / figure->value_ns : figure->value_ns);
          else
            g_ptr_array_add (left, (gpointer) figure);
        }
      memlane_chart_take_series (chart, series, id);
    }
}
