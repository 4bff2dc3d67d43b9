/* chart-runs.c: cells to points, runs to curves
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-private.h"

#include <math.h>
#include <string.h>

#include "mode/mode.h"

/* --- cells ------------------------------------------------------------------------------------------------------------------- */

const MemlaneFigure *
memlane_chart_choose_figure (const MemlaneCell *cell, MemlanePhase phase)
{
  static const MemlaneClock order[] = { MEMLANE_CLOCK_DEVICE, MEMLANE_CLOCK_HOST, MEMLANE_CLOCK_ISSUE };
  gboolean one_way = phase == MEMLANE_PHASE_UPLOAD || phase == MEMLANE_PHASE_KERNEL || phase == MEMLANE_PHASE_DOWNLOAD;

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    if (one_way || order[i] == MEMLANE_CLOCK_HOST)
      {
        const MemlaneFigure *figure = memlane_cell_find (cell, phase, order[i]);

        if (figure != NULL && figure->statistics.count > 0)
          return figure;
      }
  return NULL;
}

gboolean
memlane_chart_has_phase (const MemlaneRun *run, const char *workload, MemlanePhase phase)
{
  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if ((workload == NULL || g_strcmp0 (cell->workload, workload) == 0) && memlane_chart_choose_figure (cell, phase) != NULL)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_measured (MemlaneStatus status)
{
  return status == MEMLANE_STATUS_OK || status == MEMLANE_STATUS_NOISY;
}

static gboolean
is_shown (const char *mode, const char *const *modes)
{
  return modes == NULL || g_strv_contains (modes, mode);
}

/* The median of @figure and its interval, which holds it. FALSE: no time that can be drawn. */
static gboolean
take_time (const MemlaneFigure *figure, double *value, double *low, double *high)
{
  const MemlaneStatistics *statistics = &figure->statistics;

  *value = statistics->median;
  *low = statistics->ci95_low;
  *high = statistics->ci95_high;
  if (!isfinite (*value) || !(*value > 0))
    return FALSE;
  if (!(*low > 0) || *low > *value)
    *low = *value;
  if (!isfinite (*high) || *high < *value)
    *high = *value;
  return TRUE;
}

/* Fills all but the cell's reference. */
static gboolean
take_point (const MemlaneChart *chart, const MemlaneCell *cell, const MemlaneFigure *figure, MemlaneChartPoint *point)
{
  double value, low, high, work = (double) figure->bytes_moved * 1e9; /* nanoseconds become seconds */

  if (!is_measured (figure->status) || !take_time (figure, &value, &low, &high))
    return FALSE;
  *point = (MemlaneChartPoint) {
    .log2_elements = cell->log2_elements,
    .elements = cell->elements,
    .bytes = cell->bytes,
    .value = value,
    .low = low,
    .high = high,
    .noisy = figure->status == MEMLANE_STATUS_NOISY,
    .figure = figure,
  };
  if (chart->quantity == MEMLANE_QUANTITY_BANDWIDTH)
    {
      /* The longest time is the lowest bandwidth. */
      point->value = work / value;
      point->low = work / high;
      point->high = work / low;
    }
  return isfinite (point->value) && isfinite (point->low) && isfinite (point->high) && point->elements > 0;
}

/* --- runs -------------------------------------------------------------------------------------------------------------------- */


static int
compare_points (gconstpointer a, gconstpointer b)
{
  const MemlaneChartPoint *x = a, *y = b;

  return (x->log2_elements > y->log2_elements) - (x->log2_elements < y->log2_elements);
}

/* In rising order; of several cells of one size the first stays, as with memlane_run_find(). */
static void
order_points (GArray *points)
{
  g_array_sort (points, compare_points); /* stable since GLib 2.32 */
  for (guint i = points->len; i-- > 1;)
    if (g_array_index (points, MemlaneChartPoint, i).log2_elements == g_array_index (points, MemlaneChartPoint, i - 1).log2_elements)
      g_array_remove_index (points, i);
}

static int
compare_series (gconstpointer a, gconstpointer b)
{
  const MemlaneSeries *x = *(MemlaneSeries *const *) a, *y = *(MemlaneSeries *const *) b;

  return memlane_chart_compare_modes (x->mode, y->mode);
}

int
memlane_chart_compare_modes (const char *a, const char *b)
{
  const MemlaneMode *x = memlane_mode_find (a), *y = memlane_mode_find (b);

  if (x != NULL && y != NULL)
    return (x > y) - (x < y); /* both in the one registry */
  if (x != NULL || y != NULL)
    return x != NULL ? -1 : 1;
  return strcmp (a, b);
}

/* One cell into its mode's series: a point, one more that is missing, or nothing, where the mode has no such phase. */
static void
add_cell (MemlaneBuild *build, MemlaneSeries *series, MemlaneCell *cell)
{
  const MemlaneFigure *figure = memlane_chart_choose_figure (cell, build->chart->phase);
  MemlaneChartPoint point;

  build->least_log2 = MIN (build->least_log2, cell->log2_elements);
  build->most_log2 = MAX (build->most_log2, cell->log2_elements);
  if (!is_measured (cell->status))
    {
      series->missing++;
      if (build->findings.failed == NULL || (build->findings.failed->detail == NULL && cell->detail != NULL))
        build->findings.failed = cell;
      return;
    }
  build->findings.measured++;
  if (figure == NULL)
    return;
  build->findings.with_phase++;
  if (build->chart->quantity == MEMLANE_QUANTITY_BANDWIDTH && figure->bytes_moved == 0)
    return;
  build->findings.with_bytes++;
  if (!take_point (build->chart, cell, figure, &point))
    {
      series->missing++;
      return;
    }
  point.cell = memlane_cell_ref (cell);
  g_array_append_val (series->points, point);
}

/* (transfer full) (element-type MemlaneSeries): one for each mode with cells, in order, still without names. */
static GPtrArray *
collect_series (MemlaneBuild *build, const MemlaneRun *run, MemlaneSeriesRole role)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (memlane_series_free);
  g_autoptr(GHashTable) by_mode = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < run->cells->len; i++)
    {
      MemlaneCell *cell = run->cells->pdata[i];
      MemlaneSeries *series;

      build->findings.cells++;
      if (g_strcmp0 (cell->workload, build->chart->workload) != 0)
        continue;
      build->findings.of_workload++;
      if (!is_shown (cell->mode, build->options->modes))
        continue;
      build->findings.of_modes++;
      series = g_hash_table_lookup (by_mode, cell->mode);
      if (series == NULL)
        {
          series = memlane_series_new (cell->mode, role);
          g_hash_table_insert (by_mode, series->mode, series);
          g_ptr_array_add (all, series);
        }
      add_cell (build, series, cell);
    }
  for (guint i = 0; i < all->len; i++)
    order_points (((MemlaneSeries *) all->pdata[i])->points);
  g_ptr_array_sort (all, compare_series);
  return all;
}

static const char *
name_of (const MemlaneChartRun *run)
{
  return run->name != NULL && *run->name != '\0' ? run->name : run->run->id;
}

/* Moves the series of @all that have points into the chart. @whose: NULL where the chart shows one run. */
static void
take_all (MemlaneBuild *build, GPtrArray *all, const MemlaneRun *run, const char *whose)
{
  for (guint i = 0; i < all->len; i++)
    {
      MemlaneSeries *series = all->pdata[i];
      g_autofree char *id = g_strdup_printf ("%s/%s", run->id, series->mode);

      if (series->points->len == 0)
        {
          if (series->missing > 0)
            build->chart->modes_missing++;
          memlane_series_free (series);
        }
      else
        {
          /* The first run is the one that the chart is about: only the others' curves are told apart by name. */
          series->label = memlane_chart_make_label (series->mode, series->role == MEMLANE_SERIES_MEASURED ? NULL : whose);
          series->source = g_strdup (whose);
          memlane_chart_take_series (build->chart, series, id);
        }
    }
  g_ptr_array_set_free_func (all, NULL);
  g_ptr_array_set_size (all, 0);
}

static MemlaneSeries *
find_mode (GPtrArray *all, const char *mode)
{
  for (guint i = 0; i < all->len; i++)
    if (strcmp (((MemlaneSeries *) all->pdata[i])->mode, mode) == 0)
      return all->pdata[i];
  return NULL;
}

/* The points of @a become what @b's are in their units; sizes that only one has are dropped. */
static void
divide_points (MemlaneSeries *a, const MemlaneSeries *b)
{
  for (guint i = a->points->len; i-- > 0;)
    {
      MemlaneChartPoint *x = &g_array_index (a->points, MemlaneChartPoint, i);
      const MemlaneChartPoint *y = NULL;

      for (guint j = 0; b != NULL && j < b->points->len && y == NULL; j++)
        if (g_array_index (b->points, MemlaneChartPoint, j).log2_elements == x->log2_elements)
          y = &g_array_index (b->points, MemlaneChartPoint, j);
      if (y != NULL)
        {
          /* As wide as the two intervals allow. */
          double value = y->value / x->value, low = y->low / x->high, high = y->high / x->low;

          x->value = value;
          x->low = low;
          x->high = high;
          x->noisy = x->noisy || y->noisy;
        }
      if (y == NULL || !isfinite (x->value) || !(x->low > 0) || !isfinite (x->high))
        g_array_remove_index (a->points, i);
    }
  if (b != NULL)
    a->missing += b->missing;
}

void
memlane_build_ratio (MemlaneBuild *build, const MemlaneChartRun *runs, guint n_runs)
{
  g_autoptr(GPtrArray) first = n_runs > 0 ? collect_series (build, runs[0].run, MEMLANE_SERIES_MEASURED) : NULL;
  g_autoptr(GPtrArray) second = n_runs > 1 ? collect_series (build, runs[1].run, MEMLANE_SERIES_MEASURED) : NULL;

  if (second == NULL)
    return;
  for (guint i = 0; i < first->len; i++)
    {
      MemlaneSeries *series = first->pdata[i];

      divide_points (series, find_mode (second, series->mode));
    }
  take_all (build, first, runs[0].run, NULL);
}

void
memlane_build_runs (MemlaneBuild *build, const MemlaneChartRun *runs, guint n_runs)
{
  for (guint i = 0; i < n_runs; i++)
    {
      g_autoptr(GPtrArray) all = collect_series (build, runs[i].run, i == 0 ? MEMLANE_SERIES_MEASURED : MEMLANE_SERIES_OVERLAY);

      take_all (build, all, runs[i].run, n_runs > 1 ? name_of (&runs[i]) : NULL);
    }
}
