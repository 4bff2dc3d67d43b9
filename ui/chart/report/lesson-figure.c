/* lesson-figure.c: what a step of a lesson shows, as a drawing
 *
 * SPDX-License-Identifier: MIT
 */
#include "lesson-figure.h"

#include <string.h>

#include "base/each.h"

#include "chart/bars/bars.h"
#include "chart/chart.h"
#include "chart/map/decide-map.h"
#include "chart/plot/plot.h"
#include "chart/timeline/timeline.h"

#define AIR 1.1 /* between the largest value and the edge of the axes */

/* The axis of values has room for the curves that are hidden. */
static void
keep_room (const MemlaneChart *chart, MemlaneView *view)
{
  double low = G_MAXDOUBLE, high = 0;

  MEMLANE_FOR_EACH (const MemlaneSeries, series, chart->series)
    MEMLANE_FOR_EACH_IN (const MemlaneChartPoint, point, series->points)
      {
        low = MIN (low, point->value);
        high = MAX (high, point->value);
      }
  view->y.from = chart->value_scale == MEMLANE_SCALE_LINEAR ? 0 : low / AIR;
  view->y.to = high * AIR;
}

static MemlaneDrawing *
draw_curves (const MemlaneLessonStep *step, MemlaneRun *run, gboolean revealed,
             const GPtrArray *sketches)
{
  const MemlaneChartRun shown = { run, NULL };
  MemlaneChartOptions options = MEMLANE_CHART_OPTIONS_DEFAULT;
  MemlaneView view = MEMLANE_VIEW_FIT;
  g_autoptr (MemlaneChart) chart = NULL;

  options.quantity = step->is_time ? MEMLANE_QUANTITY_TIME : MEMLANE_QUANTITY_BANDWIDTH;
  options.axis = step->is_time ? MEMLANE_AXIS_LOG : MEMLANE_AXIS_AUTOMATIC;
  options.modes = step->modes[0] != NULL ? (const char *const *) step->modes : NULL;
  chart = memlane_chart_build (&shown, 1, &options);
  view.sketches = sketches;
  view.title = ""; /* a figure's own says the answer, and the lesson has words of its own */
  if (step->hidden[0] != NULL)
    keep_room (chart, &view);
  view.hidden = revealed ? NULL : (const char *const *) step->hidden;
  return memlane_plot_drawing_new (chart, &view);
}

static MemlaneDrawing *
draw_map (GPtrArray *runs)
{
  const MemlaneRun *run = runs->pdata[0];
  const MemlaneCell *cell = run->cells->len > 0 ? run->cells->pdata[0] : NULL;
  const MemlaneQuestion question = { .workload = cell != NULL ? cell->workload : "",
                                     .count = MEMLANE_COUNT_HOST };
  g_autoptr (MemlaneDecision) decision = memlane_decision_new (runs, &question);

  return memlane_decide_map_drawing_new (decision);
}

static MemlaneDrawing *
draw_traces (char **files, GError **error)
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS] = { { NULL } };
  /* without the ideal schedules: two tracks have to fit on a wall */
  const MemlaneTimelineRange range = { .seen = { NAN, NAN } };
  MemlaneDrawing *drawing = NULL;
  guint n;

  for (n = 0; files[n] != NULL && n < MEMLANE_TIMELINE_MOST_TRACKS; n++)
    if ((tracks[n].trace = memlane_trace_read_json (files[n], NULL, NULL, NULL, error)) == NULL)
      break;
  if (files[n] == NULL)
    drawing = memlane_timeline_drawing_new (tracks, n, &range);
  while (n > 0)
    memlane_trace_unref (tracks[--n].trace);
  return drawing;
}

gboolean
memlane_lesson_figure_is_drawn (const MemlaneLessonStep *step)
{
  return step->hidden[0] != NULL;
}

MemlaneDrawing *
memlane_lesson_figure_new (const MemlaneLessonStep *step, MemlaneExperimentResult *result,
                           gboolean revealed, const GPtrArray *sketches, GError **error)
{
  g_autoptr (GPtrArray) runs = NULL;

  if (step->kind == MEMLANE_LESSON_TEXT || (!revealed && !step->before))
    return NULL;
  if (step->kind == MEMLANE_LESSON_EXPERIMENT)
    return result != NULL ? memlane_bars_drawing_new (result, FALSE) : NULL;
  if (step->kind == MEMLANE_LESSON_TIMELINE)
    return draw_traces (step->files, error);
  runs = memlane_csv_read (step->files[0], NULL, error);
  if (runs == NULL)
    return NULL;
  return step->kind == MEMLANE_LESSON_MAP ? draw_map (runs)
                                          : draw_curves (step, runs->pdata[0], revealed, sketches);
}

GPtrArray *
memlane_lesson_figure_collect (const GPtrArray *answers, guint number, double *own)
{
  GPtrArray *sketches = g_ptr_array_new ();

  g_ptr_array_add (sketches, own);
  if (answers != NULL)
    MEMLANE_FOR_EACH (MemlaneLessonAnswers, each, answers)
      g_ptr_array_add (sketches, each->steps[number].curve);
  return sketches;
}

gboolean
memlane_lesson_figure_make_alone (const MemlaneLessonStep *step, MemlaneExperimentResult *result,
                                  gboolean revealed, const GPtrArray *answers, guint number,
                                  MemlaneDrawing **drawing, GError **error)
{
  static double nothing[MEMLANE_LESSON_SIZES];
  g_autoptr (GPtrArray) sketches = memlane_lesson_figure_collect (revealed ? answers : NULL, number,
                                                                  nothing);
  GError *problem = NULL;

  *drawing = revealed && result != NULL && !memlane_lesson_figure_is_drawn (step)
                 ? memlane_bars_drawing_new (result, TRUE)
                 : memlane_lesson_figure_new (step, result, revealed, sketches, &problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return problem == NULL;
}

MemlaneExperimentResult *
memlane_lesson_figure_find_result (const MemlaneLessonStep *step, const GPtrArray *results)
{
  MemlaneExperimentResult *found = NULL;

  MEMLANE_FOR_EACH (MemlaneExperimentResult, result, results)
    if (step->experiment != NULL && strcmp (result->experiment->name, step->experiment->name) == 0)
      found = result;
  return found;
}
