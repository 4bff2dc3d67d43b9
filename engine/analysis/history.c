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
 * another. So figures are taken to one state by their slopes, and the states are a part of their
 * own, for which other machines stand in: they count as so many sweeps. The rest has a scale: a
 * part that all figures have, and what its own sweeps differ by (figures.md). */
#define LEVEL 0.93
#define LEAST_SCALE 0.01
#define OTHER_STATES 4 /* sweeps */
#define GREW 1.5      /* times as far as the earlier ones are from each other: worth a word */
#define N_CLASSES (MEMLANE_N_PHASES * MEMLANE_N_CLOCKS)

/* The folder of the GPU of @run; NULL: it has no UUID. (transfer full) */
static char *
get_folder (const MemlaneRun *run)
{
  const char *uuid = memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_UUID);
  g_autofree char *name = uuid != NULL ? g_strcanon (g_strdup (uuid), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-", '-') : NULL;

  return name != NULL ? g_build_filename (g_get_user_state_dir (), "memlane", "history", name, NULL) : NULL;
}

/* Whether both are of one machine, and visited their cells alike. */
static gboolean
is_like (const MemlaneRun *run, const MemlaneRun *earlier)
{
  g_autoptr (MemlaneMachineComparison) machines = memlane_machine_compare (run, earlier);
  const MemlaneEnvironmentMember method[] = { MEMLANE_ENVIRONMENT_VISITS, MEMLANE_ENVIRONMENT_COLD_CACHE };

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
  g_autoptr (GPtrArray) paths = folder != NULL ? memlane_list_files (folder, ".csv", NULL) : g_ptr_array_new ();

  for (guint i = paths->len; i > 0 && i + MEMLANE_HISTORY_MOST > paths->len; i--)
    {
      g_autoptr (GPtrArray) runs = memlane_csv_read (paths->pdata[i - 1], NULL, NULL);

      if (runs != NULL && runs->len == 1 && is_like (run, runs->pdata[0]))
        g_ptr_array_add (earlier, memlane_run_ref (runs->pdata[0]));
    }
  return earlier;
}

/* One figure in all sweeps, this one first. */
typedef struct
{
  guint n;
  double slope; /* by which it follows the host */
  double value[MEMLANE_HISTORY_MOST + 1], host[MEMLANE_HISTORY_MOST + 1];
} Series;

static void
add_sweep (Series *self, const MemlaneFigure *figure, double host)
{
  MemlaneEstimate estimate = memlane_estimate_of_sampling (figure);

  if (!memlane_estimate_is_known (&estimate) || figure->n_rounds < MEMLANE_ROUNDS_FOR_INTERVAL)
    return;
  self->host[self->n] = host;
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

/* Takes @hosts of this sweep, and of each twin's. Returns FALSE where too few twins have the
 * figure. */
static gboolean
read_series (Series *self, const MemlaneFigure *figure, const GPtrArray *twins, const double *hosts)
{
  self->n = 0;
  self->slope = memlane_host_slope (figure->phase, figure->clock);
  add_sweep (self, figure, hosts[0]);
  if (self->n == 0)
    return FALSE;
  for (guint i = 0; i < twins->len; i++)
    if (twins->pdata[i] != NULL)
      add_sweep (self, memlane_cell_find (twins->pdata[i], figure->phase, figure->clock),
                 hosts[i + 1]);
  return self->n > MEMLANE_HISTORY_LEAST;
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
  return sqrt (LEAST_SCALE * LEAST_SCALE + sum / n);
}

/* Returns how far the next sweep's host may reach. Takes *@middle to its usual state. */
static double
reach_hosts (const Series *self, double *middle)
{
  double hosts[MEMLANE_HISTORY_MOST + 1], usual;
  double sum = OTHER_STATES * MEMLANE_HOST_SPREAD * MEMLANE_HOST_SPREAD;

  memcpy (hosts, self->host, self->n * sizeof *hosts);
  usual = memlane_median (hosts, self->n);
  for (guint i = 0; i < self->n; i++)
    sum += pow (hosts[i] - usual, 2);
  *middle += self->slope * usual;
  return 1.96 * self->slope * sqrt (sum / (OTHER_STATES + self->n));
}

static guint
get_class (const MemlaneFigure *figure)
{
  return figure->phase * MEMLANE_N_CLOCKS + figure->clock;
}

/* Returns the distance that the share LEVEL of @scores does not exceed, and more where they are
 * few; 0 without any. */
static double
find_reach (GArray *scores)
{
  if (scores->len == 0)
    return 0;
  g_array_sort (scores, memlane_compare_doubles);
  return g_array_index (scores, double, MIN ((guint) (LEVEL * scores->len), scores->len - 1))
         * (1 + 5.0 / scores->len);
}

typedef struct
{
  GArray *scores[N_CLASSES], *own; /* double: how far a sweep is from the middle of the others, by its scale; own: of this one */
  GArray *theirs;                  /* of the earlier ones: total times, as own */
  double reach[N_CLASSES];
} Learned;

static void
learn (Learned *self, const MemlaneFigure *figure, const Series *series)
{
  gboolean is_total = figure->phase == MEMLANE_PHASE_ELAPSED && figure->clock == MEMLANE_CLOCK_HOST;

  for (guint i = 0; i < series->n; i++)
    {
      double middle, scale = find_scale (series, i, &middle);
      double score = fabs (series->value[i] - middle) / scale;

      g_array_append_val (self->scores[get_class (figure)], score);
      if (is_total)
        g_array_append_val (i == 0 ? self->own : self->theirs, score);
    }
}

/* A copy of @cell whose intervals for other sweeps are learned ones. (transfer full) */
static MemlaneCell *
widen_cell (const Learned *learned, const MemlaneCell *cell, const GPtrArray *twins,
            const double *hosts, const MemlaneFloors *floors)
{
  MemlaneCell *copy = memlane_cell_copy (cell);

  MEMLANE_FOR_EACH (MemlaneFigure, figure, copy->figures)
    {
      MemlaneStatistics statistics = figure->statistics;
      double reach = learned->reach[get_class (figure)], middle, half;
      Series series;

      if (!(reach > 0) || statistics.interval != MEMLANE_INTERVAL_OTHER_SWEEPS
          || !read_series (&series, figure, twins, hosts))
        continue;
      half = reach * find_scale (&series, G_MAXUINT, &middle);
      half = hypot (half, reach_hosts (&series, &middle));
      if (floors != NULL)
        half = MAX (half, memlane_floors_get_tick (floors, figure->clock) / 2 / statistics.median);
      /* The middle of all sweeps tells the next one better than this sweep alone, which may lie at the end. */
      statistics.low = MIN (exp (middle - half), statistics.median);
      statistics.high = MAX (exp (middle + half), statistics.median);
      memlane_figure_set (figure, &statistics);
    }
  return copy;
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
  g_autoptr (GPtrArray) earlier = read_earlier (run), all_twins = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  Learned learned = { .own = g_array_new (FALSE, FALSE, sizeof (double)), .theirs = g_array_new (FALSE, FALSE, sizeof (double)) };
  gboolean is_enough = earlier->len >= MEMLANE_HISTORY_LEAST, grew;
  /* How slow each sweep's was beside this one's, in logarithms. */
  double hosts[MEMLANE_HISTORY_MOST + 1] = { 0 };

  for (guint i = 0; i < earlier->len; i++)
    hosts[i + 1]
      = log (memlane_host_state_divide (run->environment,
                                        ((MemlaneRun *) earlier->pdata[i])->environment));
  for (guint i = 0; i < N_CLASSES; i++)
    learned.scores[i] = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; is_enough && i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];
      GPtrArray *twins = g_ptr_array_new ();
      Series series;

      MEMLANE_FOR_EACH (const MemlaneRun, other, earlier)
        g_ptr_array_add (twins, (gpointer) find_twin (other, cell));
      g_ptr_array_add (all_twins, twins);
      MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
        if (figure->statistics.interval == MEMLANE_INTERVAL_OTHER_SWEEPS
            && read_series (&series, figure, twins, hosts))
          learn (&learned, figure, &series);
    }
  for (guint i = 0; i < N_CLASSES; i++)
    learned.reach[i] = find_reach (learned.scores[i]);
  grew = find_reach (learned.own) > GREW * find_reach (learned.theirs);
  for (guint i = 0; is_enough && i < run->cells->len; i++)
    {
      MemlaneCell *cell = run->cells->pdata[i];

      run->cells->pdata[i]
        = widen_cell (&learned, cell, all_twins->pdata[i], hosts,
                      memlane_environment_get_floors (run->environment));
      memlane_cell_unref (cell);
    }
  say_history (run, earlier->len, is_enough && grew);
  for (guint i = 0; i < N_CLASSES; i++)
    g_array_unref (learned.scores[i]);
  g_array_unref (learned.own);
  g_array_unref (learned.theirs);
  return is_enough;
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
          memlane_cell_add_figure (small, figure->phase, figure->clock, &statistics, figure->bytes_moved, figure->status, NULL)
            ->n_rounds = figure->n_rounds;
        }
      g_ptr_array_add (copy->cells, small);
    }
  return copy;
}

void
memlane_history_keep (const MemlaneRun *run)
{
  g_autofree char *folder = get_folder (run), *name = g_strconcat (run->id, ".csv", NULL), *path = NULL;
  g_autoptr (MemlaneRun) copy = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (GError) error = NULL;

  if (folder == NULL || memlane_check_name (run->id) != NULL || g_mkdir_with_parents (folder, 0700) != 0)
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
