/* test-coverage.c: how often the interval of a whole run contains what other runs measure: rounds, visits and all
 *
 * SPDX-License-Identifier: MIT
 *
 * Each trial is a run of one cell on a simulated device with noise. Each round is a process of its own, and its visits are a second apart.
 * What is true is the middle of many processes. The interval of the rounds alone contains it; that of the figure contains what sweeps find
 * whose host is in another state, too. Coverage is asked to be 93 % at least; the room below that is three standard deviations of a
 * binomial of the trials. Fixed seeds.
 */
#include <math.h>
#include <stdlib.h>

#include "device/device-driver.h"
#include "device/simulated/profile.h"
#include "engine/noise.h"
#include "engine/set-environment.h"
#include "measure/measure.h"
#include "measure/plan.h"
#include "result/rounds.h"
#include "result/statistics.h"

#define LOG2 4
#define TRIALS 150
#define PROCESSES 500 /* that tell what is true */
#define APART_NS 1e9
#define HOST_STATES 0.14 /* the standard deviation of the host's speed, from sweep to sweep: rounds.c */

typedef struct
{
  const char *name;
  Noise noise;
  MemlaneClock clock;
  gboolean has_states; /* that end between two visits: then three visits tell more than one */
} Case;

static const Case cases[] = {
  { "short-states", { .process = 0.02, .state_ratio = 1.1, .state_dwell_ns = 2e6 }, MEMLANE_CLOCK_HOST, FALSE },
  { "states-0.3-s", { .process = 0.02, .state_ratio = 1.3, .state_dwell_ns = 3e8 }, MEMLANE_CLOCK_HOST, TRUE },
  { "drift", { .process = 0.02, .drift_per_s = 0.1 }, MEMLANE_CLOCK_HOST, FALSE },
  { "process-5", { .relative = 0.02, .process = 0.05 }, MEMLANE_CLOCK_HOST, FALSE },
  { "ticks", { .process = 0.02, .tick_ns = 32 }, MEMLANE_CLOCK_DEVICE, FALSE },
};

typedef struct
{
  const Case *it;
  MemlaneProfile *profile;
  MemlanePlan *plan;
  MemlaneReference *reference;
  guint processes;
} Trials;

static const MemlaneFigure *
get_figure (const Trials *self, const MemlaneCell *cell)
{
  return memlane_cell_find (cell, self->it->clock == MEMLANE_CLOCK_DEVICE ? MEMLANE_PHASE_UPLOAD : MEMLANE_PHASE_ELAPSED, self->it->clock);
}

/* The next process: a round of @schedule. Returns the value of its first visit alone. */
static double
run_round (Trials *self, MemlaneSchedule *schedule)
{
  MemlaneDevice *device = memlane_simulated_device_new (self->profile, "simulated:noisy");
  const GArray *order = schedule->order;
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  double first = 0;

  memlane_device_begin_process (device, ++self->processes);
  g_assert_cmpuint (order->len, ==, MEMLANE_VISITS);
  for (guint place = 0; place < order->len; place++)
    {
      g_autoptr (MemlaneCell) cell = NULL;

      if (place > 0)
        memlane_device_pause (device, APART_NS);
      cell = memlane_measure_cell (device, &self->plan->method, self->plan->modes[0], LOG2, self->reference, NULL);
      g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_OK);
      if (place == 0)
        first = get_figure (self, cell)->statistics.median;
      memlane_schedule_take (schedule, place, cell, changed);
    }
  memlane_device_close (device);
  return first;
}

/* A run of @rounds. *@of_rounds: without other states of the host; *@width: of that; *@single: of the first visits alone. */
static MemlaneStatistics
run_all (Trials *self, guint rounds, MemlaneEstimate *of_rounds, double *width, double *single)
{
  g_autoptr (MemlaneSchedule) schedule = NULL;
  g_autoptr (MemlaneRun) run = memlane_run_new ("r", "simulated:noisy", "simulated");
  g_autofree double *firsts = g_new (double, rounds), *all = g_new (double, rounds);
  const MemlaneFigure *figure;
  MemlaneEstimate middle;

  self->plan->method.rounds = rounds;
  schedule = memlane_schedule_new (self->plan);
  set_environment (run, "{ \"method\": { \"rounds\": %u, \"visits\": %d, \"precision\": 0.1 }, \"floors\": { \"device_tick_ns\": %g } }",
                   rounds,
                   MEMLANE_VISITS, self->it->noise.tick_ns);
  memlane_schedule_set_run (schedule, run);
  for (guint i = 0; memlane_schedule_next_round (schedule); i++)
    firsts[i] = run_round (self, schedule);
  figure = get_figure (self, run->cells->pdata[0]);
  g_assert_cmpuint (figure->n_rounds, ==, rounds);
  for (guint i = 0; i < rounds; i++)
    all[i] = figure->rounds[i].median;
  *of_rounds = memlane_find_middle (all, rounds, MEMLANE_LEVEL_OF_ROUNDS);
  of_rounds->low = MIN (of_rounds->low, figure->statistics.median - self->it->noise.tick_ns / 2);
  of_rounds->high = MAX (of_rounds->high, figure->statistics.median + self->it->noise.tick_ns / 2);
  middle = memlane_find_middle (firsts, rounds, MEMLANE_LEVEL_OF_ROUNDS);
  *width += of_rounds->high - of_rounds->low;
  *single += middle.high - middle.low;
  return figure->statistics;
}

/* The middle of many processes, in runs of as many rounds as there may be. */
static double
find_truth (Trials *self)
{
  double values[PROCESSES / 50], width = 0, single = 0;
  MemlaneEstimate middle, of_rounds;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = run_all (self, 50, &of_rounds, &width, &single).median;
  middle = memlane_find_middle (values, G_N_ELEMENTS (values), 0.95);
  return middle.value;
}

/* Of a normal distribution about 0 with a standard deviation of 1. */
static double
draw (GRand *random)
{
  return sqrt (-2 * log (1 - g_rand_double (random))) * cos (2 * G_PI * g_rand_double (random));
}

static void
test_coverage (gconstpointer data)
{
  Trials self = { .it = data, .profile = memlane_profile_new (), .plan = memlane_plan_new () };
  Noise noise = self.it->noise;
  NoiseState state;
  g_autoptr (GRand) random = g_rand_new_with_seed (28);
  double truth, share, of_others, follows, width = 0, single = 0;
  guint held = 0, held_other = 0;

  noise.seed = 20180501;
  noise_set (self.profile, &noise, &state);
  g_assert_true (memlane_plan_set_modes (self.plan, "pinned-async", NULL) && memlane_plan_set_sizes (self.plan, "4", NULL));
  self.plan->method.cell_seconds = 1e-6; /* as few samples as there are */
  self.reference = memlane_reference_new ((gsize) 1 << LOG2, FALSE, 1, NULL, NULL);
  truth = find_truth (&self);
  follows = memlane_host_slope (self.it->clock == MEMLANE_CLOCK_DEVICE ? MEMLANE_PHASE_UPLOAD : MEMLANE_PHASE_ELAPSED, self.it->clock);
  for (guint i = 0; i < TRIALS; i++)
    {
      MemlaneEstimate of_rounds;
      MemlaneStatistics statistics = run_all (&self, 12, &of_rounds, &width, &single);
      double other = truth * exp (follows * HOST_STATES * draw (random));

      held += of_rounds.low <= truth && truth <= of_rounds.high;
      held_other += statistics.low <= other && other <= statistics.high;
    }
  share = (double) held / TRIALS;
  of_others = (double) held_other / TRIALS;
  g_test_message ("%s: %.1f %% of %d runs, %.1f %% with other states of the host; half-width %.2f %%, of one visit %.2f %%, of %.1f ns",
                  self.it->name, 100 * share, TRIALS, 100 * of_others, 50 * width / TRIALS / truth, 50 * single / TRIALS / truth, truth);
  g_assert_cmpfloat (share, >=, 0.93 - 3 * sqrt (0.93 * 0.07 / TRIALS));
  g_assert_cmpfloat (of_others, >=, 0.93 - 3 * sqrt (0.93 * 0.07 / TRIALS));
  if (self.it->has_states)
    g_assert_cmpfloat (width, <, 0.8 * single);
  memlane_reference_free (self.reference);
  memlane_plan_free (self.plan);
  memlane_profile_free (self.profile);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/coverage/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_coverage);
    }
  return g_test_run ();
}
