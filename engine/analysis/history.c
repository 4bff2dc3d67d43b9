/* history.c: what the earlier sweeps of a machine say about its next one
 *
 * SPDX-License-Identifier: MIT
 */
#include "history.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/strict-text.h"
#include "result/csv.h"
#include "result/environment.h"
#include "result/rounds.h"
#include "result/statistics.h"
#include "same-machine.h"

/* All in logarithms. Sweeps of one hour may find the host in one state, and the next one in
 * another. So figures are taken to one state by their slopes. The next sweep may find the host as
 * any round of the known sweeps did. The rest has a scale: what its own sweeps differ by, and, as
 * a few sweeps tell little, the geometric mean of 1 % and its rounds' half-width (figures.md). */
#define LEVEL 0.93
#define SHARE_OF_ROUNDS 0.01
#define LEAST_HALF 0.001 /* more, as the rounds may all be one tick */
#define REACH_OF_STATES 2.58 /* standard deviations of the rounds' states: 99 % */
#define GREW 1.5 /* times as far as the earlier ones are from each other: worth a word */

/* The folder of the GPU of @run; NULL: it has no UUID. (transfer full) */
static char *
get_folder (const MemlaneRun *run)
{
  const char *uuid = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_UUID);
  g_autofree char *name = uuid != NULL
                              ? g_strcanon (g_strdup (uuid),
                                            G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-", '-')
                              : NULL;

  return name != NULL ? g_build_filename (g_get_user_state_dir (), "memlane", "history", name, NULL)
                      : NULL;
}

/* Whether both are of one machine, and visited their cells alike. */
static gboolean
is_like (const MemlaneRun *run, const MemlaneRun *earlier)
{
  g_autoptr (MemlaneMachineComparison) machines = memlane_machine_compare (run, earlier);
  const MemlaneEnvironmentMember method[] = { MEMLANE_ENVIRONMENT_VISITS,
                                              MEMLANE_ENVIRONMENT_COLD_CACHE };

  for (guint i = 0; i < G_N_ELEMENTS (method); i++)
    {
      g_autofree char *one = memlane_environment_format (run->environment, method[i]);
      g_autofree char *other = memlane_environment_format (earlier->environment, method[i]);

      if (g_strcmp0 (one, other) != 0)
        return FALSE;
    }
  return machines->verdict == MEMLANE_MACHINE_SAME && strcmp (run->id, earlier->id) != 0;
}

/* Reads the earlier sweeps of the machine of @run among the newest that are kept: their names begin
 * with the date. What cannot be read is left out. (transfer full) */
static GPtrArray *
read_earlier (const MemlaneRun *run)
{
  GPtrArray *earlier = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_unref);
  g_autofree char *folder = get_folder (run);
  g_autoptr (GPtrArray) paths = folder != NULL ? memlane_list_files (folder, ".csv", NULL)
                                               : g_ptr_array_new ();

  for (guint i = paths->len; i > 0 && i + MEMLANE_HISTORY_MOST > paths->len; i--)
    {
      g_autoptr (GPtrArray) runs = memlane_csv_read (paths->pdata[i - 1], NULL, NULL);

      if (runs != NULL && runs->len == 1 && is_like (run, runs->pdata[0]))
        g_ptr_array_add (earlier, memlane_run_ref (runs->pdata[0]));
    }
  return earlier;
}

/* How slow the host was, in logarithms. */
typedef struct
{
  double sweeps[MEMLANE_HISTORY_MOST + 1]; /* in this one, which is 0, and in the earlier ones */
  double usual;                            /* their middle */
  double spread;                           /* the standard deviation of all their rounds */
} Hosts;

static void
read_hosts (Hosts *self, const MemlaneRun *run, const GPtrArray *earlier)
{
  double sorted[MEMLANE_HISTORY_MOST + 1], mean = 0, squares = 0;
  guint n = 0;

  for (guint i = 0; i <= earlier->len; i++)
    {
      const MemlaneRun *sweep = i == 0 ? run : earlier->pdata[i - 1];

      sorted[i] = self->sweeps[i]
        = log (memlane_host_state_divide (run->environment, sweep->environment));
      MEMLANE_FOR_EACH_OF (const MemlaneEnvironmentRound, round, n_rounds,
                           memlane_environment_get_rounds (sweep->environment, &n_rounds))
        if (round->usual.ns[MEMLANE_PROBE_PAIR] > 0)
          {
            double apart = log (round->usual.ns[MEMLANE_PROBE_PAIR]) - mean;

            mean += apart / ++n;
            squares += apart * apart * (n - 1) / n;
          }
    }
  self->usual = memlane_median (sorted, earlier->len + 1);
  self->spread = sqrt (squares / MAX (n, 1));
}

/* A figure of this sweep, and its value in all that have it, this one first. */
typedef struct
{
  MemlaneFigure *figure;
  guint n;
  double slope;  /* by which it follows the host */
  double rounds; /* the half-width of its rounds, summed over the sweeps */
  double value[MEMLANE_HISTORY_MOST + 1];
} Series;

static void
add_sweep (Series *self, const MemlaneFigure *figure, double host)
{
  MemlaneEstimate estimate = memlane_estimate_of_sampling (figure);

  if (!memlane_estimate_is_known (&estimate) || figure->n_rounds < MEMLANE_ROUNDS_FOR_INTERVAL)
    return;
  self->rounds += memlane_estimate_half_log (&estimate);
  self->value[self->n++] = log (estimate.value) - self->slope * host;
}

static const MemlaneCell *
find_twin (const MemlaneRun *run, const MemlaneCell *cell)
{
  MEMLANE_FOR_EACH (const MemlaneCell, twin, run->cells)
    if (twin->elements == cell->elements && twin->reuse == cell->reuse
        && twin->streams == cell->streams && twin->chunks == cell->chunks
        && memlane_cell_has_background_of (twin, cell) && strcmp (twin->mode, cell->mode) == 0
        && strcmp (twin->workload, cell->workload) == 0)
      return twin;
  return NULL;
}

/* Replaces the cells of @run by copies, and reads their figures for other sweeps, where enough of
 * @earlier have them. (transfer full) (element-type Series) */
static GArray *
read_all (MemlaneRun *run, const GPtrArray *earlier, const Hosts *hosts)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Series));

  for (guint i = 0; i < run->cells->len; i++)
    {
      g_autoptr (MemlaneCell) cell = run->cells->pdata[i];
      MemlaneCell *copy = run->cells->pdata[i] = memlane_cell_copy (cell);
      const MemlaneCell *twins[MEMLANE_HISTORY_MOST];

      for (guint k = 0; k < earlier->len; k++)
        twins[k] = find_twin (earlier->pdata[k], cell);
      MEMLANE_FOR_EACH (MemlaneFigure, figure, copy->figures)
        {
          Series series = { figure, .slope = memlane_host_slope (figure->phase, figure->clock) };

          if (figure->statistics.interval != MEMLANE_INTERVAL_OTHER_SWEEPS)
            continue;
          add_sweep (&series, figure, hosts->sweeps[0]);
          for (guint k = 0; series.n > 0 && k < earlier->len; k++)
            if (twins[k] != NULL)
              add_sweep (&series, memlane_cell_find (twins[k], figure->phase, figure->clock),
                         hosts->sweeps[k + 1]);
          if (series.n > MEMLANE_HISTORY_LEAST)
            g_array_append_val (all, series);
        }
    }
  return all;
}

/* The middle of all values but that of @without (G_MAXUINT: of all), and their scale. */
static double
find_scale (const Series *self, guint without, double *middle)
{
  double others[MEMLANE_HISTORY_MOST + 1], sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (i != without)
      others[n++] = self->value[i];
  *middle = memlane_median (others, n);
  for (guint i = 0; i < n; i++)
    sum += pow (others[i] - *middle, 2);
  return sqrt (sum / n + SHARE_OF_ROUNDS * (self->rounds / self->n + LEAST_HALF));
}

static guint
get_class (const MemlaneFigure *figure)
{
  return figure->phase * MEMLANE_N_CLOCKS + figure->clock;
}

/* Returns the distance that the share LEVEL of the sweeps @first to @last of @class are from the
 * middle of their others, by their scale, and more where they are few; 0 without any. */
static double
find_reach (const GArray *all, guint class, guint first, guint last)
{
  g_autoptr (GArray) scores = g_array_new (FALSE, FALSE, sizeof (double));

  MEMLANE_FOR_EACH_IN (const Series, series, all)
    for (guint i = first; get_class (series->figure) == class && i < series->n && i <= last; i++)
      {
        double middle, scale = find_scale (series, i, &middle);
        double score = fabs (series->value[i] - middle) / scale;

        g_array_append_val (scores, score);
      }
  if (scores->len == 0)
    return 0;
  g_array_sort (scores, memlane_compare_doubles);
  return g_array_index (scores, double, MIN ((guint) (LEVEL * scores->len), scores->len - 1))
         * (1 + 5.0 / scores->len);
}

/* Gives the figure of @series the learned interval. */
static void
widen (const Series *series, double reach, const Hosts *hosts, const MemlaneFloors *floors)
{
  MemlaneStatistics statistics = series->figure->statistics;
  double middle, half = reach * find_scale (series, G_MAXUINT, &middle);

  half = hypot (half, REACH_OF_STATES * series->slope * hosts->spread);
  middle += series->slope * hosts->usual;
  if (floors != NULL)
    half = MAX (half,
                memlane_floors_get_tick (floors, series->figure->clock) / 2 / statistics.median);
  /* The middle of all sweeps tells the next one better than this sweep alone, which may lie at the
   * end. */
  statistics.low = MIN (exp (middle - half), statistics.median);
  statistics.high = MAX (exp (middle + half), statistics.median);
  memlane_figure_set (series->figure, &statistics);
}

static void
say_history (MemlaneRun *run, guint n, gboolean grew)
{
  const MemlaneEnvironmentValue values[] = { { MEMLANE_ENVIRONMENT_HISTORY_SWEEPS, .number = n },
                                             { MEMLANE_ENVIRONMENT_HISTORY_GREW, .number = grew } };
  g_autoptr (MemlaneEnvironment) before = run->environment;

  run->environment = memlane_environment_with (before, values, G_N_ELEMENTS (values));
}

gboolean
memlane_history_apply (MemlaneRun *run)
{
  const guint total = MEMLANE_PHASE_ELAPSED * MEMLANE_N_CLOCKS + MEMLANE_CLOCK_HOST;
  g_autoptr (GPtrArray) earlier = read_earlier (run);
  g_autoptr (GArray) all = NULL;
  Hosts hosts;

  if (earlier->len < MEMLANE_HISTORY_LEAST)
    {
      say_history (run, earlier->len, FALSE);
      return FALSE;
    }
  read_hosts (&hosts, run, earlier);
  all = read_all (run, earlier, &hosts);
  for (guint class = 0; class < MEMLANE_N_PHASES * MEMLANE_N_CLOCKS; class++)
    {
      double reach = find_reach (all, class, 0, MEMLANE_HISTORY_MOST);

      MEMLANE_FOR_EACH_IN (const Series, series, all)
        if (reach > 0 && get_class (series->figure) == class)
          widen (series, reach, &hosts, memlane_environment_get_floors (run->environment));
    }
  say_history (run, earlier->len,
               find_reach (all, total, 0, 0)
                   > GREW * find_reach (all, total, 1, MEMLANE_HISTORY_MOST));
  return TRUE;
}

gboolean
memlane_history_is_missing (const MemlaneRun *run, guint wanted, double *known)
{
  double n = memlane_environment_get_number (run->environment, MEMLANE_ENVIRONMENT_HISTORY_SWEEPS);

  if (!(n > *known) || n >= wanted)
    return FALSE;
  *known = n;
  return TRUE;
}

/* Those of the rounds alone, and without the rounds: what the others need. */
static MemlaneRun *
make_copy (const MemlaneRun *run)
{
  MemlaneRun *copy = memlane_run_new (run->id, run->device, run->device_kind);

  copy->environment = memlane_environment_ref (run->environment);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      MemlaneCell *small = memlane_cell_new_like (cell);

      MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
        {
          MemlaneEstimate estimate = memlane_estimate_of_sampling (figure);
          MemlaneStatistics statistics = figure->statistics;

          if (!memlane_estimate_is_known (&estimate))
            continue;
          statistics.low = estimate.low;
          statistics.high = estimate.high;
          statistics.interval = MEMLANE_INTERVAL_SAMPLING;
          memlane_cell_add_figure (small, figure->phase, figure->clock, &statistics,
                                   figure->bytes_moved, figure->status, NULL)
              ->n_rounds = figure->n_rounds;
        }
      g_ptr_array_add (copy->cells, small);
    }
  return copy;
}

void
memlane_history_keep (const MemlaneRun *run)
{
  g_autofree char *folder = get_folder (run), *name = g_strconcat (run->id, ".csv", NULL),
                  *path = NULL;
  g_autoptr (MemlaneRun) copy = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) error = NULL;

  if (folder == NULL || memlane_check_name (run->id) != NULL
      || g_mkdir_with_parents (folder, 0700) != 0)
    return;
  path = g_build_filename (folder, name, NULL);
  copy = make_copy (run);
  if (!memlane_csv_write (copy, path, &error))
    g_debug ("%s", error->message);
  paths = memlane_list_files (folder, ".csv", NULL);
  for (guint i = 0; i + MEMLANE_HISTORY_MOST < paths->len; i++)
    {
      g_autofree char *environment = memlane_csv_environment_path (paths->pdata[i]);

      (void) g_unlink (paths->pdata[i]);
      (void) g_unlink (environment);
    }
}
