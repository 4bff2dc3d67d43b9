/* chart.c: a chart as a whole; its curves are made in chart-runs.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-private.h"

#include <string.h>

/* --- records ----------------------------------------------------------------------------------------------------------------- */

static void
clear_point (gpointer data)
{
  MemlaneChartPoint *point = data;

  if (point->cell != NULL)
    memlane_cell_unref ((MemlaneCell *) point->cell);
}

MemlaneSeries *
memlane_series_new (const char *mode, MemlaneSeriesRole role)
{
  MemlaneSeries *series = g_new0 (MemlaneSeries, 1);

  series->mode = g_strdup (mode);
  series->role = role;
  series->points = g_array_new (FALSE, TRUE, sizeof (MemlaneChartPoint));
  g_array_set_clear_func (series->points, clear_point);
  return series;
}

void
memlane_series_free (gpointer data)
{
  MemlaneSeries *series = data;

  g_free (series->id);
  g_free (series->mode);
  g_free (series->label);
  g_free (series->source);
  g_array_unref (series->points);
  g_free (series);
}

static void
free_ceiling (gpointer data)
{
  MemlaneCeiling *ceiling = data;

  g_free (ceiling->label);
  g_free (ceiling);
}

MemlaneChart *
memlane_chart_ref (MemlaneChart *chart)
{
  chart->ref_count++;
  return chart;
}

void
memlane_chart_unref (MemlaneChart *chart)
{
  if (--chart->ref_count > 0)
    return;
  g_free (chart->workload);
  g_free (chart->title);
  g_free (chart->subtitle);
  g_free (chart->trouble);
  g_ptr_array_unref (chart->series);
  g_ptr_array_unref (chart->ceilings);
  g_free (chart);
}

void
memlane_chart_take_series (MemlaneChart *chart, MemlaneSeries *series, const char *id)
{
  const char *slash = strrchr (id, '/');
  gsize family = slash != NULL ? (gsize) (slash - id) : 0;
  guint n = 1;

  series->id = g_strdup (id);
  for (guint i = 0; i < chart->series->len; i++)
    if (strcmp (((MemlaneSeries *) chart->series->pdata[i])->id, series->id) == 0)
      {
        g_free (series->id);
        /* The same run twice: all of its series change alike, so that they still have one run in common. */
        series->id = g_strdup_printf ("%.*s~%u%s", (int) family, id, ++n, id + family);
        i = G_MAXUINT; /* from the start: the loop adds one */
      }
  g_ptr_array_add (chart->series, series);
}

/* --- building ---------------------------------------------------------------------------------------------------------------- */

static const char *
choose_workload (const MemlaneChartRun *runs, guint n_runs, const MemlaneChartOptions *options)
{
  if (options->workload != NULL)
    return options->workload;
  for (guint i = 0; i < n_runs; i++)
    if (runs[i].run->cells->len > 0)
      return ((MemlaneCell *) runs[i].run->cells->pdata[0])->workload;
  return "";
}

static void
set_range (MemlaneBuild *build)
{
  const MemlaneChartOptions *options = build->options;
  MemlaneChart *chart = build->chart;
  gboolean planned = options->first_log2 != 0 || options->last_log2 != 0;

  if (build->least_log2 > build->most_log2) /* no cells: what the published figures have, else the default plan */
    {
      for (guint i = 0; i < chart->series->len; i++)
        {
          const GArray *points = ((MemlaneSeries *) chart->series->pdata[i])->points;

          build->least_log2 = MIN (build->least_log2, g_array_index (points, MemlaneChartPoint, 0).log2_elements);
          build->most_log2 = MAX (build->most_log2, g_array_index (points, MemlaneChartPoint, points->len - 1).log2_elements);
        }
      if (chart->series->len == 0)
        {
          build->least_log2 = planned ? options->first_log2 : 10;
          build->most_log2 = planned ? options->last_log2 : 20;
        }
    }
  chart->first_log2 = planned ? MIN (build->least_log2, options->first_log2) : build->least_log2;
  chart->last_log2 = planned ? MAX (build->most_log2, options->last_log2) : build->most_log2;
}

MemlaneChart *
memlane_chart_build (const MemlaneChartRun *runs, guint n_runs, const MemlaneChartOptions *options)
{
  static const MemlaneChartOptions defaults = MEMLANE_CHART_OPTIONS_DEFAULT;
  static const MemlaneUnit units[] = { MEMLANE_UNIT_BANDWIDTH, MEMLANE_UNIT_TIME, MEMLANE_UNIT_RATIO };
  MemlaneChart *chart = g_new0 (MemlaneChart, 1);
  MemlaneBuild build = { .chart = chart, .options = options != NULL ? options : &defaults, .least_log2 = G_MAXUINT };
  guint n_shown;
  g_autofree MemlaneFacts *facts = NULL;

  options = build.options;
  chart->ref_count = 1;
  chart->quantity = options->quantity;
  chart->unit = units[options->quantity];
  chart->phase = options->phase;
  chart->value_scale = options->log_values || options->quantity == MEMLANE_QUANTITY_RATIO ? MEMLANE_SCALE_LOG10 : MEMLANE_SCALE_LINEAR;
  chart->workload = g_strdup (choose_workload (runs, n_runs, options));
  chart->series = g_ptr_array_new_with_free_func (memlane_series_free);
  chart->ceilings = g_ptr_array_new_with_free_func (free_ceiling);
  n_shown = chart->quantity == MEMLANE_QUANTITY_RATIO ? MIN (n_runs, 2) : n_runs;
  build.findings.runs = n_shown;

  facts = g_new0 (MemlaneFacts, n_shown + 1);
  for (guint i = 0; i < n_shown; i++)
    {
      memlane_facts_read (runs[i].run, &facts[i]);
      chart->simulated = chart->simulated || facts[i].simulated;
    }
  chart->title = memlane_chart_make_title (chart, runs, n_shown);
  chart->subtitle = memlane_chart_make_subtitle (facts, n_shown);
  if (chart->quantity == MEMLANE_QUANTITY_RATIO)
    memlane_build_ratio (&build, runs, n_shown);
  else
    {
      memlane_build_runs (&build, runs, n_shown);
      if (options->published != NULL)
        memlane_chart_add_published (chart, options->published, runs, n_shown, options->modes);
    }
  if (chart->quantity == MEMLANE_QUANTITY_BANDWIDTH && options->ceilings && n_shown > 0 && chart->series->len > 0)
    memlane_chart_add_ceilings (chart, &facts[0]);
  set_range (&build);
  if (chart->series->len == 0)
    chart->trouble = memlane_chart_explain (chart, &build.findings);
  for (guint i = 0; i < n_shown; i++)
    memlane_facts_clear (&facts[i]);
  return chart;
}

/* --- what the person does with a chart ------------------------------------------------------------------------------- */

/* Series of one run (of one source) share what stands before the last slash of their id, and the slash. */
static gsize
get_family_length (const char *id)
{
  const char *slash = strrchr (id, '/');

  return slash != NULL ? (gsize) (slash - id) + 1 : strlen (id);
}

char *
memlane_view_family (const char *id)
{
  return g_strndup (id, get_family_length (id));
}

char *
memlane_view_mode (const char *id)
{
  const char *slash = strrchr (id, '/');

  return g_strdup (slash != NULL ? slash : id);
}

gboolean
memlane_view_isolates (const MemlaneView *view, const char *id)
{
  gsize length;

  if (view->isolated == NULL)
    return FALSE;
  if (view->isolated[0] == '/')
    return g_str_has_suffix (id, view->isolated);
  length = get_family_length (id);
  return strcmp (id, view->isolated) == 0 || (strncmp (id, view->isolated, length) == 0 && view->isolated[length] == '\0');
}
