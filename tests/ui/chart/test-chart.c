/* test-chart.c: runs become curves
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "chart/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cases.h"
#include "engine/set-environment.h"
#include "sample-cells.h"

/* The runs and the published figures of a question, and the charts it asks for. */
typedef struct
{
  GArray *shown;  /* (element-type MemlaneChartRun) */
  GPtrArray *charts;
  MemlanePublished published;
} Question;

static double
read_number (const char *text)
{
  return g_ascii_strtod (text, NULL);
}

/* "PHASE/CLOCK": the figure's @value is its median, "none" for one that was never measured. */
static void
add_named_figure (MemlaneCell *cell, const char *name, const char *value)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", 2);
  const double median = read_number (value);
  MemlanePhase phase;
  MemlaneClock clock;
  MemlaneFigure *figure;

  g_assert_true (memlane_phase_parse (parts[0], &phase) && memlane_clock_parse (parts[1], &clock));
  figure = add_figure (cell, phase, clock, median, median, median,
                       phase == MEMLANE_PHASE_ALLOC ? 0 : cell->bytes, MEMLANE_STATUS_OK);
  if (g_str_equal (value, "none"))
    figure->statistics.count = 0;
}

/* "MODE LOG2 MEDIAN[,LOW,HIGH]", a status, and what the cell has besides; without an elapsed time
 * the median is "-". */
static void
read_cell (MemlaneRun *run, char **words)
{
  g_auto (GStrv) times = g_strsplit (words[2], ",", 3);
  MemlaneStatus status = MEMLANE_STATUS_OK;
  MemlaneCell *cell;
  guint first = 3;

  for (guint i = 0; words[3] != NULL && i < MEMLANE_N_STATUSES; i++)
    if (g_str_equal (words[3], memlane_status_name ((MemlaneStatus) i)))
      {
        status = (MemlaneStatus) i;
        first++;
      }
  cell = add_cell (run, words[0], (guint) atoi (words[1]), read_number (times[0]),
                   g_str_equal (words[2], "-") ? MEMLANE_STATUS_TIMEOUT : status);
  cell->status = status;
  MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
    if (times[1] != NULL)
      {
        figure->statistics.low = read_number (times[1]);
        figure->statistics.high = read_number (times[2]);
      }
  for (char **word = words + first; *word != NULL; word++)
    {
      g_auto (GStrv) said = g_strsplit (*word, "=", 2);
      const char *name = said[0], *value = said[1];

      if (g_str_equal (name, "workload"))
        {
          g_free (cell->workload);
          cell->workload = g_strdup (value);
        }
      else if (g_str_equal (name, "detail"))
        cell->detail = g_strdup (value);
      else if (g_str_equal (name, "reuse"))
        cell->reuse = (guint) atoi (value);
      else if (g_str_equal (name, "streams"))
        cell->streams = (guint) atoi (value);
      else if (g_str_equal (name, "chunks"))
        cell->chunks = (guint) atoi (value);
      else if (g_str_equal (name, "rounds"))
        ((MemlaneFigure *) cell->figures->pdata[0])->n_rounds = (guint) atoi (value);
      else
        add_named_figure (cell, name, value);
    }
}

/* "published SOURCE DEVICE WORKLOAD MODE LOG2 PHASE NS"; the device "-" is "". */
static void
read_published (MemlanePublished *published, char **words)
{
  MemlanePublishedFigure *figure = g_new0 (MemlanePublishedFigure, 1);

  figure->source = words[1];
  figure->device = g_str_equal (words[2], "-") ? (char *) "" : words[2];
  figure->workload = words[3];
  figure->mode = words[4];
  figure->log2_elements = (guint) atoi (words[5]);
  g_assert_true (memlane_phase_parse (words[6], &figure->phase));
  figure->clock = MEMLANE_CLOCK_HOST;
  figure->value_ns = read_number (words[7]);
  figure->bytes = 4ull << figure->log2_elements;
  g_ptr_array_add (published->figures, figure);
}

/* "chart", then options; "runs=N": of the first N runs. */
static void
build_chart (Question *question, char **words)
{
  static const char *const quantities[] = { "bandwidth", "time", "ratio" };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  g_auto (GStrv) modes = NULL;
  guint n_runs = question->shown->len;
  MemlaneChart *chart;

  options.published = question->published.figures->len > 0 ? &question->published : NULL;
  for (char **word = words + 1; *word != NULL; word++)
    {
      g_auto (GStrv) said = g_strsplit (*word, "=", 2);

      if (g_str_equal (said[0], "workload"))
        options.workload = *word + strlen ("workload=");
      else if (g_str_equal (said[0], "phase"))
        g_assert_true (memlane_phase_parse (said[1], &options.phase));
      else if (g_str_equal (said[0], "modes"))
        options.modes = (const char *const *) (modes = g_strsplit (said[1], ",", -1));
      else if (g_str_equal (said[0], "runs"))
        n_runs = (guint) atoi (said[1]);
      else if (g_str_equal (said[0], "sizes"))
        g_assert_cmpint (sscanf (said[1], "%lf-%lf", &options.first_log2, &options.last_log2), ==,
                         2);
      else if (g_str_equal (said[0], "no-ceiling"))
        options.ceiling = FALSE;
      else
        for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
          if (g_str_equal (said[0], quantities[i]))
            options.quantity = (MemlaneQuantity) i;
    }
  chart = memlane_chart_build ((MemlaneChartRun *) question->shown->data, n_runs, &options);
  g_ptr_array_add (question->charts, chart);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void
tell_series (GString *text, const MemlaneSeries *series)
{
  static const char *const roles[] = { "measured", "overlay", "published" };

  g_string_append_printf (text, "  %s, %s of %s: %s", series->id, roles[series->role],
                          series->source != NULL ? series->source : "the only run", series->label);
  if (series->missing > 0)
    g_string_append_printf (text, ", %u missing", series->missing);
  if (series->unlike != NULL)
    g_string_append_printf (text, ", unlike: %s", series->unlike);
  if (series->behind)
    g_string_append (text, ", behind");
  if (series->first_planned <= series->last_planned)
    g_string_append_printf (text, ", planned %g to %g", series->first_planned,
                            series->last_planned);
  MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
    g_string_append_printf (text, "\n    %g: %.6g (%.6g to %.6g)%s", point->log2_elements,
                            point->value, point->low,
                            point->high, point->noisy ? ", noisy" : "");
  g_string_append_c (text, '\n');
}

static void
tell_chart (GString *text, const MemlaneChart *chart)
{
  static const char *const units[] = { "elements", "bytes", "bandwidth", "time", "ratio" };
  static const char *const scales[] = { "linear", "log2", "log10" };
  g_autofree char *words = memlane_chart_describe (chart);

  check_chart (chart);
  g_string_append_printf (text, "%s | %s\n", chart->title, chart->subtitle);
  if (chart->trouble != NULL)
    {
      g_string_append_printf (text, "  trouble: %s\n", chart->trouble);
      return;
    }
  if (chart->headline != NULL)
    g_string_append_printf (text, "  %s\n", chart->headline);
  g_string_append_printf (text, "  %s\n", words);
  g_string_append_printf (text, "  %s, %s, %g to %g", units[chart->unit],
                          scales[chart->value_scale], chart->first_log2,
                          chart->last_log2);
  if (chart->modes_missing > 0)
    g_string_append_printf (text, ", %u modes missing", chart->modes_missing);
  if (chart->n_planned > 0)
    g_string_append_printf (text, ", %u of %u measured", chart->n_measured, chart->n_planned);
  if (chart->n_rounds_planned > 0)
    g_string_append_printf (text, ", %u of %u rounds", chart->n_rounds, chart->n_rounds_planned);
  if (chart->ceiling_label != NULL)
    g_string_append_printf (text, ", %s = %.6g", chart->ceiling_label, chart->ceiling);
  g_string_append_printf (text, "%s\n", chart->simulated ? ", simulated" : "");
  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    tell_series (text, series);
}

/* "phases [WORKLOAD]": those that the first run has. */
static void
tell_phases (GString *text, const Question *question, const char *workload)
{
  g_string_append (text, "phases:");
  for (guint i = 0; i < MEMLANE_N_PHASES; i++)
    if (memlane_chart_has_phase (g_array_index (question->shown, MemlaneChartRun, 0).run, workload,
                                 (MemlanePhase) i))
      g_string_append_printf (text, " %s", memlane_phase_name ((MemlanePhase) i));
  g_string_append_c (text, '\n');
}

static void
release_run (gpointer data)
{
  MemlaneChartRun *shown = data;

  memlane_run_unref (shown->run);
}

/* Runs ("run ID [NAME|-] [behind]", or "simulated ID"), their environment and cells, published
 * figures, then charts of them. Charts outlive their runs. */
static char *
answer_charts (const char *asked)
{
  g_auto (GStrv) lines = g_strsplit (asked, "\n", -1);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  Question question = {
    .shown = g_array_new (FALSE, FALSE, sizeof (MemlaneChartRun)),
    .charts = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_chart_unref),
    .published = { .figures = g_ptr_array_new_with_free_func (g_free) },
  };
  GString *text = g_string_new (NULL);
  MemlaneRun *run = NULL;

  g_array_set_clear_func (question.shown, release_run);
  for (char **line = lines; **line != '\0'; line++)
    {
      char **words = g_strsplit (*line, " ", -1);

      g_ptr_array_add (kept, words);
      if (g_str_equal (words[0], "run") || g_str_equal (words[0], "simulated"))
        {
          const gboolean simulated = g_str_equal (words[0], "simulated");
          const gboolean named = words[2] != NULL && !g_str_equal (words[2], "-");
          MemlaneChartRun shown =
              { .name = named ? words[2] : NULL, .behind = words[2] != NULL && words[3] != NULL };

          run = shown.run = memlane_run_new (words[1], simulated ? "simulated:h200" : "cuda:0",
                                             simulated ? "simulated" : "cuda");
          g_array_append_val (question.shown, shown);
        }
      else if (g_str_equal (words[0], "environment"))
        set_environment (run, "%s", *line + strlen ("environment "));
      else if (g_str_equal (words[0], "published"))
        read_published (&question.published, words);
      else if (g_str_equal (words[0], "chart"))
        build_chart (&question, words);
      else if (g_str_equal (words[0], "phases"))
        tell_phases (text, &question, words[1]);
      else
        read_cell (run, words);
    }
  g_array_unref (question.shown);
  g_ptr_array_unref (question.published.figures);
  MEMLANE_FOR_EACH (const MemlaneChart, chart, question.charts)
    tell_chart (text, chart);
  g_ptr_array_unref (question.charts);
  return g_strchomp (g_string_free (text, FALSE));
}

static void
test_charts (void)
{
  check_cases ("golden", "charts.txt", answer_charts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/chart/charts", test_charts);
  return g_test_run ();
}
