/* chart-build.c: runs and published figures as curves
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"
#include "chart-words.h"
#include "headline.h"
#include "memlane.h"
#include "style.h"

/* from the least to the largest value: on a linear axis the small ones lie on zero */
#define WIDE_SPAN 1000

#define MOST_NAMED 7   /* machines of a fleet: more lines would be one band */
#define ASIDE 0.5      /* powers of two that the machines of one size take up */

/* Counts on the way to the curves, which explain why there is none. */
typedef struct
{
  guint cells, of_workload, of_modes; /* each of those before it */
  guint measured, with_phase, with_bytes;
  guint runs;
  const MemlaneCell *failed; /* the first that has something to say */
} Findings;

/* A chart in work. */
typedef struct
{
  MemlaneChart *chart;
  const MemlaneChartOptions *options;
  Findings findings;
  double least_log2, most_log2; /* of the cells; least > most: none yet */
  GHashTable *ids;             /* of the chart's series, which own them */
} Build;

/* --- records ---------------------------------------------------------------------------------- */

MEMLANE_DEFINE_CLEAR (MemlaneChartPoint, static void clear_point (gpointer data),
                      memlane_cell_unref ((MemlaneCell *) self->cell);)

static MemlaneSeries *
series_new (const char *mode, MemlaneSeriesRole role)
{
  MemlaneSeries *series = g_new (MemlaneSeries, 1);

  *series = (MemlaneSeries) {
    .mode = g_strdup (mode),
    .family = memlane_family_of_mode (mode),
    .role = role,
    .first_planned = 1,
    .points = g_array_new (FALSE, TRUE, sizeof (MemlaneChartPoint)),
  };
  g_array_set_clear_func (series->points, clear_point);
  return series;
}

MEMLANE_DEFINE_FREE (MemlaneSeries, static void series_free (gpointer data),
                     OWNS (run, g_free) OWNS (id, g_free) OWNS (mode, g_free) OWNS (label, g_free)
                         OWNS (source, g_free) OWNS (unlike, g_free)
                             OWNS (points, g_array_unref))

/* Takes @series into the chart. The same run twice: all series of the second have another one in
 * common. */
static void
take_series (Build *build, MemlaneSeries *series)
{
  g_autofree char *run = g_strdup (series->run);

  series->id = g_strdup_printf ("%s/%s", run, series->mode);
  for (guint n = 2; g_hash_table_contains (build->ids, series->id); n++)
    {
      g_free (series->run);
      g_free (series->id);
      series->run = g_strdup_printf ("%s~%u", run, n);
      series->id = g_strdup_printf ("%s/%s", series->run, series->mode);
    }
  g_hash_table_add (build->ids, series->id);
  g_ptr_array_add (build->chart->series, series);
}

/* Measured, and by one process alone: its intervals say nothing of the next one. */
static gboolean
is_one_process (const MemlaneRun *run)
{
  gboolean any = FALSE;

  if (memlane_run_is_simulated (run))
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneFigure *figure = memlane_chart_choose_figure (cell, MEMLANE_PHASE_ELAPSED);

      if (figure != NULL && figure->n_rounds > 0)
        return FALSE;
      any = any || figure != NULL;
    }
  return any;
}

/* --- cells ------------------------------------------------------------------------------------ */

/* The median of @figure and its interval, which holds it. FALSE: no time that can be drawn. */
static gboolean
take_time (const MemlaneFigure *figure, double *value, double *low, double *high)
{
  const MemlaneStatistics *statistics = &figure->statistics;

  *value = statistics->median;
  *low = statistics->low;
  *high = statistics->high;
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
take_point (const MemlaneChart *chart, const MemlaneCell *cell, const MemlaneFigure *figure,
            MemlaneChartPoint *point)
{
  /* nanoseconds become seconds */
  double value, low, high, work = (double) figure->bytes_moved * 1e9;

  if (figure->status > MEMLANE_STATUS_NOISY || !take_time (figure, &value, &low, &high))
    return FALSE;
  *point = (MemlaneChartPoint) {
    .log2_elements = cell->log2_elements,
    .elements = cell->elements,
    .bytes = cell->bytes,
    .value = value,
    .low = low,
    .high = high,
    .noisy = figure->status == MEMLANE_STATUS_NOISY,
    .extrapolated = memlane_cell_is_extrapolated (cell),
    .figure = figure,
  };
  if (chart->quantity == MEMLANE_QUANTITY_BANDWIDTH)
    {
      /* The longest time is the lowest bandwidth. */
      point->value = work / value;
      point->low = work / high;
      point->high = work / low;
    }
  return isfinite (point->value) && isfinite (point->low) && isfinite (point->high)
         && point->elements > 0;
}

/* --- runs ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_ORDER (compare_points, MemlaneChartPoint, RISING (elements))

/* Sorts the points. The first of several cells of one size stays, as with memlane_run_find(). */
static void
order_points (GArray *points)
{
  g_array_sort (points, compare_points); /* stable since GLib 2.32 */
  for (guint i = points->len; i-- > 1;)
    if (g_array_index (points, MemlaneChartPoint, i).log2_elements
        == g_array_index (points, MemlaneChartPoint, i - 1).log2_elements)
      g_array_remove_index (points, i);
}

static int
compare_series (gconstpointer a, gconstpointer b)
{
  return memlane_chart_compare_modes (&(*(MemlaneSeries *const *) a)->mode,
                                      &(*(MemlaneSeries *const *) b)->mode);
}

/* One cell into its mode's series: a point, one more that is missing, or nothing, where the mode
 * has no such phase. */
static void
add_cell (Build *build, MemlaneSeries *series, MemlaneCell *cell)
{
  const MemlaneFigure *figure = memlane_chart_choose_figure (cell, build->chart->phase);
  MemlaneChartPoint point;

  build->least_log2 = MIN (build->least_log2, cell->log2_elements);
  build->most_log2 = MAX (build->most_log2, cell->log2_elements);
  if (cell->status > MEMLANE_STATUS_NOISY)
    {
      series->missing++;
      if (build->findings.failed == NULL
          || (build->findings.failed->detail == NULL && cell->detail != NULL))
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

/* (transfer full) (element-type MemlaneSeries): one for each mode with cells, in order, still
 * without names. */
static GPtrArray *
collect_series (Build *build, const MemlaneRun *run, MemlaneSeriesRole role)
{
  GPtrArray *all = g_ptr_array_new_with_free_func (series_free);
  g_autoptr(GHashTable) by_mode = g_hash_table_new (memlane_hash_text, g_str_equal);

  MEMLANE_FOR_EACH (MemlaneCell, cell, run->cells)
    {
      MemlaneSeries *series;

      build->findings.cells++;
      if (g_strcmp0 (cell->workload, build->chart->workload) != 0)
        continue;
      build->findings.of_workload++;
      if (build->options->modes != NULL && !g_strv_contains (build->options->modes, cell->mode))
        continue;
      build->findings.of_modes++;
      series = g_hash_table_lookup (by_mode, cell->mode);
      if (series == NULL)
        {
          series = series_new (cell->mode, role);
          g_hash_table_insert (by_mode, series->mode, series);
          g_ptr_array_add (all, series);
        }
      add_cell (build, series, cell);
    }
  MEMLANE_FOR_EACH (MemlaneSeries, series, all)
    order_points (series->points);
  g_ptr_array_sort (all, compare_series);
  return all;
}

/* Moves the series of @all that have points into the chart. @whose: NULL where the chart shows one
 * run. */
static void
take_all (Build *build, GPtrArray *all, const MemlaneRun *run, const char *whose)
{
  MEMLANE_FOR_EACH (MemlaneSeries, series, all)
    {
      if (series->points->len == 0)
        {
          if (series->missing > 0)
            build->chart->modes_missing++;
          series_free (series);
        }
      else
        {
          /* The first run is the one that the chart is about: only the others' curves are told
           * apart by name. */
          series->label = memlane_chart_mode_label (
              series->mode, series->role == MEMLANE_SERIES_MEASURED ? series->unlike : whose);
          series->source = g_strdup (whose);
          series->run = g_strdup (run->id);
          take_series (build, series);
        }
    }
  g_ptr_array_set_free_func (all, NULL);
  g_ptr_array_set_size (all, 0);
}

static const MemlaneSeries *
find_mode (const GPtrArray *all, const char *mode)
{
  MEMLANE_FOR_EACH (const MemlaneSeries, series, all)
    if (strcmp (series->mode, mode) == 0)
      return series;
  return NULL;
}

/* How two cells were measured in other ways, second over first; NULL: in the same way. (transfer
 * full) (nullable) */
static char *
describe_ways (const MemlaneCell *first, const MemlaneCell *second)
{
  if (first->reuse != second->reuse)
    return g_strdup_printf (_("reuse %u over %u"), second->reuse, first->reuse);
  if (first->streams != second->streams || first->chunks != second->chunks)
    /* Translators: of streams and chunks: "4 × 16 over 8 × 8" */
    return g_strdup_printf (_("%u × %u over %u × %u"), second->streams, second->chunks,
                            first->streams, first->chunks);
  if (!memlane_cell_has_background_of (first, second))
    {
      g_autofree char *above = memlane_chart_background_title (second->beside, second->busy);
      g_autofree char *below = memlane_chart_background_title (first->beside, first->busy);

      /* Translators: two backgrounds: "while copies go both ways, over: while nothing else runs" */
      return g_strdup_printf (_("%s, over: %s"), above, below);
    }
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
          /* Divides the intervals, too: the quotient's is as wide as the two allow. */
          double low = y->low / x->high, high = y->high / x->low;

          x->value = y->value / x->value;
          x->low = low;
          x->high = high;
          x->noisy = x->noisy || y->noisy;
          x->extrapolated = x->extrapolated || y->extrapolated;
          if (a->unlike == NULL)
            a->unlike = describe_ways (x->cell, y->cell);
        }
      if (y == NULL || !isfinite (x->value) || !(x->low > 0) || !isfinite (x->high))
        g_array_remove_index (a->points, i);
    }
  if (b != NULL)
    a->missing += b->missing;
}

static void
build_ratio (Build *build, const MemlaneChartRun *runs, guint n_runs)
{
  g_autoptr (GPtrArray) first = n_runs > 0
                                    ? collect_series (build, runs[0].run, MEMLANE_SERIES_MEASURED)
                                    : NULL;
  g_autoptr (GPtrArray) second = n_runs > 1
                                     ? collect_series (build, runs[1].run, MEMLANE_SERIES_MEASURED)
                                     : NULL;

  if (second == NULL)
    return;
  MEMLANE_FOR_EACH (MemlaneSeries, series, first)
    divide_points (series, find_mode (second, series->mode));
  take_all (build, first, runs[0].run, NULL);
}

/* "first · second", or two sentences. Takes both; the first may be NULL or "". (transfer full) */
static char *
join (char *first, char *second, gboolean sentences)
{
  g_autofree char *before = first, *after = second;

  if (before == NULL || *before == '\0')
    return g_steal_pointer (&after);
  return sentences ? g_strdup_printf (C_("sentences", "%s %s"), before, after)
                   : g_strconcat (before, " · ", after, NULL);
}

/* Takes @sentence. */
static void
add_left_out (MemlaneChart *chart, char *sentence)
{
  chart->left_out = join (chart->left_out, sentence, TRUE);
}

/* Why a run has no curve beside others that have. */
static void
explain_left_out (MemlaneChart *chart, const char *name, const Findings *before,
                  const Findings *after)
{
  g_autofree char *workload = memlane_chart_workload_title (chart->workload);

  if (after->of_workload == before->of_workload)
    add_left_out (chart, g_strdup_printf (_("“%s” is not drawn: it has no “%s”."), name, workload));
  else if (after->with_phase == before->with_phase)
    add_left_out (chart, g_strdup_printf (_("“%s” is not drawn: it has no phase “%s”."), name,
                                          memlane_chart_phase_title (chart->phase)));
  else
    add_left_out (
        chart,
        g_strdup_printf (_("“%s” is not drawn: none of its measurements can be shown."), name));
}

/* Says of a run beside others that it is not complete. */
static void
tell_stopped (MemlaneChart *chart, const MemlaneChartRun *run)
{
  guint measured;
  guint planned;

  if (!memlane_run_is_whole (run->run, &measured, &planned))
    add_left_out (chart, g_strdup_printf (_("“%s” was stopped after %u of %u measurements."),
                                          memlane_chart_run_name (run), measured, planned));
}

/* Counts what the first run has of its plan, where it lacks measurements or rounds. */
static void
count_measured (MemlaneChart *chart, const MemlaneRun *run)
{
  double rounds = memlane_environment_get_number (run->environment, MEMLANE_ENVIRONMENT_ROUNDS);
  guint measured;
  guint planned;
  guint most = 0;

  if (!memlane_run_is_whole (run, &measured, &planned))
    {
      chart->n_measured = measured;
      chart->n_planned = planned;
      return;
    }
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
      most = MAX (most, figure->n_rounds);
  if (most > 0 && most < rounds)
    {
      chart->n_rounds = most;
      chart->n_rounds_planned = (guint) rounds;
    }
}

static void
build_runs (Build *build, const MemlaneChartRun *runs, guint n_runs)
{
  for (guint i = 0; i < n_runs; i++)
    {
      const Findings before = build->findings;
      g_autoptr (GPtrArray) all = collect_series (
          build, runs[i].run, i == 0 ? MEMLANE_SERIES_MEASURED : MEMLANE_SERIES_OVERLAY);
      gboolean any = FALSE;

      MEMLANE_FOR_EACH (const MemlaneSeries, series, all)
        any = any || series->points->len > 0;
      MEMLANE_FOR_EACH (MemlaneSeries, each, all)
        {
          each->behind = runs[i].behind;
          memlane_environment_count_planned (runs[i].run->environment, &each->first_planned,
                                             &each->last_planned);
        }
      if (!any && n_runs > 1 && !runs[i].behind)
        explain_left_out (build->chart, memlane_chart_run_name (&runs[i]), &before,
                          &build->findings);
      else if (i > 0)
        tell_stopped (build->chart, &runs[i]);
      take_all (build, all, runs[i].run, n_runs > 1 ? memlane_chart_run_name (&runs[i]) : NULL);
    }
}

/* --- published figures ------------------------------------------------------------------------ */

/* Returns the number of vectors that @phase moves, as the runs shown count it; 0: unknown. Only
 * where nothing is reused: the articles reuse nothing. */
static double
count_vectors (const MemlaneChart *chart, const MemlaneChartRun *runs, guint n_runs,
               MemlanePhase phase)
{
  for (guint i = 0; i < n_runs; i++)
    MEMLANE_FOR_EACH (const MemlaneCell, cell, runs[i].run->cells)
      {
        const MemlaneFigure *figure = NULL;

        if (g_strcmp0 (cell->workload, chart->workload) == 0 && cell->reuse == 1 && cell->bytes > 0)
          figure = memlane_chart_choose_figure (cell, phase);
        if (figure != NULL && figure->bytes_moved > 0)
          return (double) figure->bytes_moved / (double) cell->bytes;
      }
  return 0;
}

static gboolean
belongs (const MemlaneChart *chart, const MemlanePublishedFigure *figure, const char *const *modes)
{
  return g_strcmp0 (figure->workload, chart->workload) == 0 && figure->phase == chart->phase
         && isfinite (figure->value_ns) && figure->value_ns > 0
         && (modes == NULL || g_strv_contains (modes, figure->mode));
}

/* Adds the series of @published, one for each source, device and mode; @runs say how many bytes a
 * phase moves. */
static void
add_published (Build *build, const MemlanePublished *published, const MemlaneChartRun *runs,
               guint n_runs)
{
  const MemlaneChart *chart = build->chart;
  gboolean bandwidth = chart->quantity == MEMLANE_QUANTITY_BANDWIDTH;
  double vectors = bandwidth ? count_vectors (chart, runs, n_runs, chart->phase) : 0;
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                        NULL);

  MEMLANE_FOR_EACH (const MemlanePublishedFigure, figure, published->figures)
    {
      g_autofree char *key = g_strjoin ("\n", figure->source, figure->mode, figure->device, NULL);
      double value = bandwidth ? vectors * (double) figure->bytes * 1e9 / figure->value_ns
                               : figure->value_ns;
      const MemlaneChartPoint point = {
        figure->log2_elements, exp2 (figure->log2_elements), figure->bytes, value, value, value
      };
      MemlaneSeries *series = g_hash_table_lookup (known, key);

      if (!belongs (chart, figure, build->options->modes)
          || (bandwidth && !(vectors * (double) figure->bytes > 0)))
        continue;
      if (series == NULL)
        {
          series = series_new (figure->mode, MEMLANE_SERIES_PUBLISHED);
          series->run = g_strconcat ("published/", figure->source, NULL);
          series->source = g_strdup (
              figure->device != NULL && *figure->device != '\0' ? figure->device : figure->source);
          series->label = memlane_chart_mode_label (figure->mode, series->source);
          g_hash_table_insert (known, g_steal_pointer (&key), series);
          g_ptr_array_add (all, series);
        }
      g_array_append_val (series->points, point);
    }
  g_ptr_array_sort (all, compare_series);
  MEMLANE_FOR_EACH (MemlaneSeries, series, all)
    {
      order_points (series->points);
      take_series (build, series);
    }
}

/* --- the ceiling ------------------------------------------------------------------------------ */

/* A number of the environment above 0, or NAN. */
static double
get_positive (const MemlaneRun *run, MemlaneEnvironmentMember member)
{
  double value = memlane_environment_get_number (run->environment, member);

  return isfinite (value) && value > 0 ? value : NAN;
}

static void
add_link (MemlaneChart *chart, const MemlaneRun *run)
{
  double ways = chart->phase == MEMLANE_PHASE_ELAPSED
                    ? memlane_workload_get_ways (memlane_workload_find (chart->workload))
                    : 1;
  double value = get_positive (run, MEMLANE_ENVIRONMENT_LINK_BANDWIDTH) * ways;
  double generation = get_positive (run, MEMLANE_ENVIRONMENT_LINK_GENERATION),
         width = get_positive (run, MEMLANE_ENVIRONMENT_LINK_WIDTH);
  g_autofree char *words = NULL, *link = NULL;

  if (isnan (value))
    return;
  words = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, value, TRUE);
  if (isnan (generation) || isnan (width))
    link = g_strdup (_("link"));
  else
    link = g_strdup_printf ("PCIe %.0f.0 ×%.0f", generation, width);
  /* Translators: a link as "PCIe 5.0 ×16", and the bandwidth of one direction, or of both with
   * their bytes together */
  chart->ceiling_label = g_strdup_printf (
      ways > 1 ? _("%s, both ways: %s") : _("%s, each way: %s"), link, words);
  chart->ceiling = value;
}

static void
add_memory (MemlaneChart *chart, const MemlaneRun *run)
{
  double bandwidth = get_positive (run, MEMLANE_ENVIRONMENT_MEMORY_BANDWIDTH);
  g_autofree char *words = memlane_unit_format (MEMLANE_UNIT_BANDWIDTH, bandwidth, TRUE);

  if (isnan (bandwidth))
    return;
  chart->ceiling_label = g_strdup_printf (_("device memory: %s"), words);
  chart->ceiling = bandwidth;
}

static void
add_ceiling (MemlaneChart *chart, const MemlaneRun *run)
{
  const MemlaneWorkload *workload = memlane_workload_find (chart->workload);
  gboolean crosses_link = workload == NULL || workload->up + workload->down > 0,
           on_device = workload != NULL && workload->on_device;

  if (!crosses_link && !on_device)
    return;
  if (chart->phase == MEMLANE_PHASE_KERNEL || (chart->phase == MEMLANE_PHASE_ELAPSED && on_device))
    add_memory (chart, run);
  else if (chart->phase == MEMLANE_PHASE_UPLOAD || chart->phase == MEMLANE_PHASE_DOWNLOAD
           || chart->phase == MEMLANE_PHASE_ELAPSED)
    add_link (chart, run);
}

/* --- the device's cache ----------------------------------------------------------------------- */

/* The vectors of a workload are what its elapsed time moves once. */
static void
add_cache (MemlaneChart *chart, const MemlaneChartRun *run)
{
  double cache = get_positive (run->run, MEMLANE_ENVIRONMENT_L2_BYTES),
         vectors = count_vectors (chart, run, 1, MEMLANE_PHASE_ELAPSED);
  g_autofree char *bytes = NULL;

  if (isnan (cache) || !(vectors > 0))
    return;
  chart->cache_elements = cache / (vectors * sizeof (float));
  bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, cache, TRUE);
  /* Translators: a mark on the axis of sizes: there the vectors fill the device's L2 cache */
  chart->cache_label = g_strdup_printf (_("L2 full (%s)"), bytes);
}

/* --- the title -------------------------------------------------------------------------------- */

static char *
make_title (const MemlaneChart *chart, const MemlaneChartRun *runs, guint n_runs)
{
  g_autofree char *workload = memlane_chart_workload_title (chart->workload);
  g_autofree char *what = NULL;

  /* the total time is a time */
  if (chart->quantity == MEMLANE_QUANTITY_TIME && chart->phase == MEMLANE_PHASE_ELAPSED)
    return g_strdup_printf ("%s%s%s", workload, *workload != '\0' ? " · " : "",
                            memlane_chart_phase_title (chart->phase));
  if (chart->quantity != MEMLANE_QUANTITY_RATIO || n_runs < 2)
    what = g_strdup (memlane_chart_quantity_title (chart->quantity));
  else /* Translators: a ratio of times: the second run's over the first's. */
    what = g_strdup_printf (_("time of %s over %s"), memlane_chart_run_name (&runs[1]),
                            memlane_chart_run_name (&runs[0]));
  return g_strdup_printf ("%s%s%s · %s", workload, *workload != '\0' ? " · " : "",
                          memlane_chart_phase_title (chart->phase), what);
}

/* --- why there is no curve -------------------------------------------------------------------- */

/* (transfer full) */
static char *
explain (const MemlaneChart *chart, const Findings *findings)
{
  g_autofree char *workload = memlane_chart_workload_title (chart->workload);
  const char *phase = memlane_chart_phase_title (chart->phase);
  const MemlaneCell *failed = findings->failed;

  if (findings->runs == 0)
    return g_strdup (_("No run is selected. Measure one, or open a CSV file."));
  if (chart->quantity == MEMLANE_QUANTITY_RATIO && findings->runs < 2)
    return g_strdup (_("A comparison needs two runs. Show a second one."));
  if (chart->growing && chart->n_planned > 0)
    return g_strdup_printf (_("%u of %u measured. A curve appears with its first measurement."),
                            chart->n_measured, chart->n_planned);
  if (findings->cells == 0)
    return g_strdup (
        _("Nothing has been measured yet. The curves appear with the first measurements."));
  if (findings->of_workload == 0)
    return g_strdup_printf (
        _("The selected runs do not contain “%s”. Choose another workload, or show another run."),
        workload);
  if (findings->of_modes == 0)
    return g_strdup (_("All measured modes are hidden. Show at least one."));
  if (findings->measured == 0 && failed == NULL)
    return g_strdup (_("No measurement succeeded."));
  if (findings->measured == 0)
    return g_strdup_printf (
        _("No measurement succeeded. %s at 2^%.3g: %s."), failed->mode, failed->log2_elements,
        failed->detail != NULL && *failed->detail != '\0' ? failed->detail
                                                          : memlane_status_name (failed->status));
  if (findings->with_phase == 0)
    return g_strdup_printf (_("“%s” has no phase “%s”. Choose another phase, such as “%s”."),
                            workload, phase, memlane_chart_phase_title (MEMLANE_PHASE_ELAPSED));
  if (findings->with_bytes == 0)
    return g_strdup_printf (
        _("The phase “%s” moves no data, so it has no bandwidth. Choose time instead."), phase);
  if (chart->quantity == MEMLANE_QUANTITY_RATIO)
    return g_strdup (_ (
        "The two runs have no measurement in common. Compare runs with the same modes and sizes."));
  return g_strdup (_("No measurement has a valid time. Measure again."));
}

/* --- the axis of values ----------------------------------------------------------------------- */

static gboolean
is_logarithmic (const MemlaneChart *chart, MemlaneAxis axis)
{
  double least = INFINITY, most = 0;

  if (chart->quantity == MEMLANE_QUANTITY_RATIO || axis != MEMLANE_AXIS_AUTOMATIC)
    return chart->quantity == MEMLANE_QUANTITY_RATIO || axis == MEMLANE_AXIS_LOG;
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      if (series->family != MEMLANE_FAMILY_BASELINE)
        {
          least = MIN (least, point->value);
          most = MAX (most, point->value);
        }
  return most >= WIDE_SPAN * least;
}

/* --- building --------------------------------------------------------------------------------- */

static MemlaneChart *
make_bare (MemlaneQuantity quantity, MemlaneUnit unit)
{
  MemlaneChart *chart = g_new0 (MemlaneChart, 1);

  *chart = (MemlaneChart) {
    .ref_count = 1, .quantity = quantity, .unit = unit, .cache_elements = NAN, .ceiling = NAN
  };
  chart->series = g_ptr_array_new_with_free_func (series_free);
  return chart;
}

static const char *
choose_workload (const MemlaneChartRun *runs, guint n_runs, const MemlaneChartOptions *options)
{
  for (guint i = 0; options->workload == NULL && i < n_runs; i++)
    if (runs[i].run->cells->len > 0)
      return ((MemlaneCell *) runs[i].run->cells->pdata[0])->workload;
  return options->workload != NULL ? options->workload : "";
}

static void
set_range (Build *build)
{
  const MemlaneChartOptions *options = build->options;
  MemlaneChart *chart = build->chart;
  gboolean ratio = chart->quantity == MEMLANE_QUANTITY_RATIO,
           planned = !ratio && (options->first_log2 != 0 || options->last_log2 != 0);

  /* The range of a ratio is what both runs have. Without cells it is that of the published figures,
   * else that of the default plan. */
  if (ratio || build->least_log2 > build->most_log2)
    {
      build->least_log2 = chart->series->len > 0 ? G_MAXUINT : planned ? options->first_log2 : 10;
      build->most_log2 = chart->series->len > 0 ? 0 : planned ? options->last_log2 : 20;
      MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
        MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
          {
            build->least_log2 = MIN (build->least_log2, point->log2_elements);
            build->most_log2 = MAX (build->most_log2, point->log2_elements);
          }
    }
  chart->growing = planned;
  chart->first_log2 = planned ? MIN (build->least_log2, options->first_log2) : build->least_log2;
  chart->last_log2 = planned ? MAX (build->most_log2, options->last_log2) : build->most_log2;
}

/* Takes @words. */
static void
add_to_subtitle (MemlaneChart *chart, char *words)
{
  chart->subtitle = join (chart->subtitle, words, FALSE);
}

/* Adds the method, where it is not the usual one: nothing else in a figure says it. Small sizes
 * have room for fewer chunks. */
static void
add_method (MemlaneChart *chart)
{
  g_autoptr (MemlanePlan) usual = memlane_plan_new ();
  const MemlaneCell *streams = NULL, *first = NULL;
  guint least = G_MAXUINT, most = 0;
  gboolean varied = FALSE, backgrounds = FALSE;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    {
      const MemlaneCell *cell =
          g_array_index (series->points, MemlaneChartPoint, series->points->len - 1).cell;

      if (cell == NULL)
        continue;
      least = MIN (least, cell->reuse);
      most = MAX (most, cell->reuse);
      first = first != NULL ? first : cell;
      backgrounds = backgrounds || !memlane_cell_has_background_of (first, cell);
      if (cell->streams == 0)
        continue;
      varied = varied
               || (streams != NULL
                   && (streams->streams != cell->streams || streams->chunks != cell->chunks));
      streams = cell;
    }
  if (most > 1)
    /* Translators: kernels per transfer */
    add_to_subtitle (chart, least == most ? g_strdup_printf (_("reuse %u"), most)
                                          : g_strdup_printf (_("reuse %u to %u"), least, most));
  if (varied)
    add_to_subtitle (chart, g_strdup (_("different streams × chunks")));
  else if (streams != NULL
           && (streams->streams != usual->method.streams
               || streams->chunks != usual->method.chunks))
    add_to_subtitle (
        chart, g_strdup_printf (_("%u streams × %u chunks"), streams->streams, streams->chunks));
  if (backgrounds)
    add_to_subtitle (chart, g_strdup (_("different backgrounds")));
  else if (first != NULL && first->beside != MEMLANE_BESIDE_NONE)
    add_to_subtitle (chart, memlane_chart_background_title (first->beside, first->busy));
}

/* Counts the times of @runs by the options into @counted. Returns the runs that @counted refers to.
 * (transfer full) (element-type MemlaneRun) */
static GPtrArray *
count_runs (Build *build, const MemlaneChartRun *runs, guint n_runs, MemlaneChartRun *counted)
{
  GPtrArray *owned = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  const MemlaneChartOptions *options = build->options;
  guint lacking = 0;

  for (guint i = 0; i < n_runs; i++)
    {
      guint n;
      MemlaneRun *run = memlane_chart_count_run (runs[i].run, options->phase, options->count,
                                                 options->uses, &n);

      g_ptr_array_add (owned, run);
      counted[i] = (MemlaneChartRun) { run, runs[i].name, runs[i].behind };
      lacking += n;
    }
  if (lacking > 0)
    add_left_out (
        build->chart,
        g_strdup_printf (ngettext ("%u measurement lacks the host's times and is not drawn.",
                                   "%u measurements lack the host's times and are not drawn.",
                                   lacking),
                         lacking));
  return owned;
}

static gboolean
has_published (const MemlaneChart *chart)
{
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    if (series->role == MEMLANE_SERIES_PUBLISHED)
      return TRUE;
  return FALSE;
}

/* Gives the points their bands. @of_rounds: what the rounds of their sweep tell. TRUE: at least one
 * band is narrower for it. */
static gboolean
choose_bands (MemlaneChart *chart, gboolean of_rounds)
{
  gboolean any = FALSE;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (MemlaneChartPoint, point, series->points)
      {
        MemlaneEstimate time = of_rounds ? memlane_estimate_of_sampling (point->figure)
                                         : MEMLANE_ESTIMATE_UNKNOWN;

        point->band_low = point->low;
        point->band_high = point->high;
        if (isnan (time.value)
            || point->figure->statistics.interval != MEMLANE_INTERVAL_OTHER_SWEEPS
            || point->figure->rounds == NULL)
          continue;
        any = TRUE;
        point->band_low = chart->quantity == MEMLANE_QUANTITY_TIME
                              ? time.low
                              : point->value * time.value / time.high;
        point->band_high = chart->quantity == MEMLANE_QUANTITY_TIME
                               ? time.high
                               : point->value * time.value / MAX (time.low, 1e-9);
      }
  return any;
}

/* Says what the bands are of, and how many earlier sweeps are known. (transfer full) */
static char *
describe_bands (const MemlaneRun *run)
{
  double n = memlane_environment_get_number (run->environment, MEMLANE_ENVIRONMENT_HISTORY_SWEEPS);

  if (n >= 1)
    /* Translators: %u is a number of earlier runs */
    return g_strdup_printf (ngettext ("Bands: the rounds of this sweep. Another sweep may differ "
                                      "by more; %u earlier one is known.",
                                      "Bands: the rounds of this sweep. Another sweep may differ "
                                      "by more; %u earlier ones are known.",
                                      (guint) n),
                            (guint) n);
  return g_strdup (_("Bands: the rounds of this sweep. Another sweep may differ by more."));
}

MemlaneChart *
memlane_chart_build (const MemlaneChartRun *runs, guint n_runs, const MemlaneChartOptions *options)
{
  static const MemlaneChartOptions defaults = MEMLANE_CHART_OPTIONS_DEFAULT;
  static const MemlaneUnit units[] = { MEMLANE_UNIT_BANDWIDTH, MEMLANE_UNIT_TIME,
                                       MEMLANE_UNIT_RATIO };
  MemlaneQuantity quantity = (options != NULL ? options : &defaults)->quantity;
  gboolean ratio = quantity == MEMLANE_QUANTITY_RATIO, one_process = FALSE, has_bands;
  MemlaneChart *chart = make_bare (quantity, units[quantity]);
  g_autoptr (GHashTable) ids = g_hash_table_new (memlane_hash_text, g_str_equal);
  Build build = { .chart = chart,
                  .options = options != NULL ? options : &defaults,
                  .least_log2 = G_MAXUINT,
                  .ids = ids };
  guint n_shown = ratio ? MIN (n_runs, 2) : n_runs;
  g_autofree const MemlaneRun **shown = g_new (const MemlaneRun *, n_shown + 1);
  g_autofree MemlaneChartRun *counted = g_new (MemlaneChartRun, n_runs + 1);
  g_autoptr (GPtrArray) owned = count_runs (&build, runs, n_runs, counted);
  const char *first = n_shown > 0 ? memlane_chart_run_name (&counted[0]) : NULL;
  const char *second = n_shown > 1 ? memlane_chart_run_name (&counted[1]) : NULL;

  runs = counted;
  options = build.options;
  chart->phase = options->phase;
  chart->workload = g_strdup (choose_workload (runs, n_runs, options));
  build.findings.runs = n_shown;
  for (guint i = 0; i < n_shown; i++)
    {
      shown[i] = runs[i].run;
      chart->simulated = chart->simulated || memlane_run_is_simulated (shown[i]);
      one_process = one_process
                    || (!ratio && !memlane_run_is_simulated (shown[i])
                        && is_one_process (shown[i]));
    }
  chart->title = make_title (chart, runs, n_shown);
  chart->subtitle = memlane_facts_describe (shown, n_shown);
  if (one_process)
    {
      g_autofree char *before = chart->subtitle;

      /* Translators: added to the name of a machine: its figures come from one process, not from
       * several in turn */
      chart->subtitle = g_strdup_printf (
          n_shown == 1 ? _("%s · one process") : _("%s · partly one process"), before);
    }
  if (n_shown > 0)
    add_cache (chart, &runs[0]);
  if (ratio && n_shown > 1)
    /* Translators: two runs; what the axis of a ratio counts: the second run's times divided by the
     * first run's */
    chart->axis = g_strdup_printf (_("Time of %s ÷ time of %s"), second, first);
  if (ratio)
    build_ratio (&build, runs, n_shown);
  else
    build_runs (&build, runs, n_shown);
  if (!ratio && options->published != NULL)
    add_published (&build, options->published, runs, n_shown);
  has_bands = choose_bands (chart, n_shown == 1 && !ratio);
  chart->value_scale = is_logarithmic (chart, options->axis) ? MEMLANE_SCALE_LOG10
                                                             : MEMLANE_SCALE_LINEAR;
  if (quantity == MEMLANE_QUANTITY_BANDWIDTH && options->ceiling && n_shown > 0
      && chart->series->len > 0)
    add_ceiling (chart, runs[0].run);
  set_range (&build);
  if (!ratio && n_shown > 0)
    count_measured (chart, runs[0].run);
  add_method (chart);
  if (options->phase == MEMLANE_PHASE_ELAPSED && options->count != MEMLANE_COUNT_TRANSFER)
    add_to_subtitle (chart, memlane_chart_count_title (options->count, options->uses));
  if (chart->series->len == 0)
    chart->trouble = explain (chart, &build.findings);
  else
    {
      chart->headline = memlane_headline_make (chart, first, second);
      chart->note = memlane_headline_note (chart, n_shown == 1 ? runs[0].run : NULL);
      if (has_bands)
        chart->note = join (chart->note, describe_bands (runs[0].run), TRUE);
      if (options->published != NULL && has_published (chart))
        chart->note = join (
            chart->note,
            g_strdup (
                _("Published results are of other machines and clocks: one run of one process "
                   "each, timed at other places.")),
            TRUE);
      if (chart->left_out != NULL)
        chart->note = join (chart->note, g_strdup (chart->left_out), TRUE);
    }
  return chart;
}
