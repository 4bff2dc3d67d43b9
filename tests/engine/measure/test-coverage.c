/* test-coverage.c: how often the interval of a whole run holds what the other processes see, rounds and further rounds included
 *
 * SPDX-License-Identifier: MIT
 *
 * Each trial is a run of one cell on a simulated device with noise, each round a process of its own: the schedule says when it is enough.
 * What is true is the median over many processes. Coverage is asked to be 92 to 98 %; the room beside that is three standard deviations of
 * a binomial of the trials. Fixed seeds.
 */
#include <math.h>
#include <stdlib.h>

#include "device/device-driver.h"
#include "device/simulated/profile.h"
#include "measure/cell.h"
#include "measure/schedule.h"
#include "result/statistics.h"

#define LOG2 4
#define TRIALS 600
#define PROCESSES 1500 /* that tell what is true: of the widest noise, to 0.2 % */

typedef struct
{
  const char *name;
  MemlaneNoise noise;
  MemlaneClock clock;
  gboolean may_exceed; /* a step as wide as the interval is conservative */
} Case;

static const Case cases[] = {
  { "ar-0.3", { .process = 0.02, .ar_relative = 0.05, .ar_phi = 0.3 }, MEMLANE_CLOCK_HOST, FALSE },
  { "ar-0.9", { .process = 0.02, .ar_relative = 0.05, .ar_phi = 0.9 }, MEMLANE_CLOCK_HOST, FALSE },
  { "two-states", { .process = 0.01, .state_ratio = 1.3, .state_dwell_ns = 1e9 }, MEMLANE_CLOCK_HOST, FALSE },
  { "drift", { .process = 0.02, .drift_per_s = 0.1 }, MEMLANE_CLOCK_HOST, FALSE },
  { "process-0.5", { .relative = 0.02, .process = 0.005 }, MEMLANE_CLOCK_HOST, FALSE },
  { "process-5", { .relative = 0.02, .process = 0.05 }, MEMLANE_CLOCK_HOST, FALSE },
  { "ticks", { .process = 0.02, .tick_ns = 32 }, MEMLANE_CLOCK_DEVICE, TRUE },
};

typedef struct
{
  const Case *it;
  MemlaneProfile *profile;
  MemlanePlan *plan;
  MemlaneReference *reference;
  guint processes;
} Trials;

/* The cell as the next process sees it. */
static MemlaneCell *
measure (Trials *self)
{
  MemlaneDevice *device = memlane_simulated_device_new (self->profile, "simulated:noisy");
  MemlaneCell *cell;

  memlane_device_begin_process (device, ++self->processes);
  cell = memlane_measure_cell (device, &self->plan->method, self->plan->modes[0], LOG2, self->reference, NULL);
  memlane_device_close (device);
  g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_OK);
  return cell;
}

static const MemlaneFigure *
get_figure (const Trials *self, const MemlaneCell *cell)
{
  return memlane_cell_find (cell, self->it->clock == MEMLANE_CLOCK_DEVICE ? MEMLANE_PHASE_UPLOAD : MEMLANE_PHASE_ELAPSED, self->it->clock);
}

static double
find_truth (Trials *self)
{
  g_autofree double *medians = g_new (double, PROCESSES);
  MemlaneStatistics statistics;

  for (guint i = 0; i < PROCESSES; i++)
    {
      g_autoptr (MemlaneCell) cell = measure (self);

      medians[i] = get_figure (self, cell)->statistics.median;
    }
  memlane_statistics_compute (medians, PROCESSES, &statistics);
  return statistics.median;
}

/* One run. *@rounds grows by what it took. */
static gboolean
holds (Trials *self, double truth, guint *rounds)
{
  g_autoptr (MemlaneSchedule) schedule = memlane_schedule_new (self->plan);
  g_autoptr (MemlaneRun) run = memlane_run_new ("r", "simulated:noisy", "simulated");
  g_autoptr (GPtrArray) changed = g_ptr_array_new ();
  const MemlaneStatistics *statistics;

  run->environment = g_strdup_printf ("{ \"method\": { \"rounds\": %u, \"precision\": 0.1 }, \"floors\": { \"device_tick_ns\": %g } }",
                                      self->plan->method.rounds, self->it->noise.tick_ns);
  memlane_schedule_set_run (schedule, run);
  while (memlane_schedule_next_round (schedule, 0))
    {
      g_autoptr (MemlaneCell) cell = measure (self);

      memlane_schedule_take (schedule, 0, cell, changed);
      ++*rounds;
    }
  statistics = &get_figure (self, run->cells->pdata[0])->statistics;
  return statistics->ci95_low <= truth && truth <= statistics->ci95_high;
}

static void
test_coverage (gconstpointer data)
{
  Trials self = { .it = data, .profile = memlane_profile_new (), .plan = memlane_plan_new () };
  guint held = 0, rounds = 0;
  double truth, share;

  self.profile->noise = self.it->noise;
  self.profile->noise.seed = 20180501;
  g_assert_true (memlane_plan_set_modes (self.plan, "pinned-async", NULL) && memlane_plan_set_sizes (self.plan, "4", NULL));
  self.plan->method.cell_seconds = 1e-6; /* as few samples as there are */
  self.reference = memlane_reference_new ((gsize) 1 << LOG2, 1, NULL, NULL);
  truth = find_truth (&self);
  for (guint i = 0; i < TRIALS; i++)
    held += holds (&self, truth, &rounds);
  share = (double) held / TRIALS;
  g_test_message ("%s: %.1f %% of %d runs, %.1f rounds each, of %.1f ns", self.it->name, 100 * share, TRIALS, (double) rounds / TRIALS,
                  truth);
  g_assert_cmpfloat (share, >=, 0.92 - 3 * sqrt (0.92 * 0.08 / TRIALS));
  if (!self.it->may_exceed)
    g_assert_cmpfloat (share, <=, 0.98 + 3 * sqrt (0.98 * 0.02 / TRIALS));
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
