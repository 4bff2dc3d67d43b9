/* test-control.c: identical modes told apart or not: made rounds, rounds that are alike by chance alone, and the recordings
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/control.h"
#include "engine/made-run.h"
#include "result/csv.h"

/* A cell whose elapsed time has the medians of @n rounds, from number @first on; @place is a size and a reuse. */
static void
add_rounds (MemlaneRun *run, const char *mode, guint place, const double *medians, guint n, guint first)
{
  MemlaneCell *cell = add_cell (run, mode, place % 50, 1 + place / 50);
  MemlaneStatistics statistics;
  MemlaneFigure *figure;

  memlane_statistics_compute (medians, n, &statistics);
  figure = memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, 0, MEMLANE_STATUS_OK, NULL);
  figure->n_rounds = n;
  figure->rounds = g_new (MemlaneRound, n);
  for (guint i = 0; i < n; i++)
    figure->rounds[i] = (MemlaneRound) { first + i, 1 + i, 15, medians[i] };
}

/* What disturbs a round disturbs both: the intervals overlap widely, the ratios do not hold 1. */
static void
test_pairs (void)
{
  static const double one[] = { 100, 120, 90, 130, 105, 99 }, other[] = { 101, 122, 91, 133, 106, 100 };
  static const double mixed[] = { 101, 119, 91, 129, 106, 99 };
  g_autoptr (MemlaneRun) run = made_run ("r", "M");
  g_autofree char *text = NULL, *failed = NULL;
  MemlaneControl control;
  MemlaneEstimate ratio;

  add_rounds (run, "pinned", 10, one, 6, 1);
  add_rounds (run, "portable", 10, mixed, 6, 1);
  memlane_control_run (run, &control);
  g_assert_cmpint (control.verdict, ==, MEMLANE_CONTROL_PASSED);
  text = memlane_control_to_text (&control);
  g_assert_cmpstr (text, ==, "Check passed: 1 pairs of identical modes show no difference.");
  add_rounds (run, "mapped", 10, one, 6, 1);
  add_rounds (run, "unified-addressing", 10, other, 6, 1);
  memlane_control_run (run, &control);
  g_assert_cmpuint (control.pairs, ==, 2);
  g_assert_cmpuint (control.apart, ==, 1);
  g_assert_cmpint (control.verdict, ==, MEMLANE_CONTROL_PASSED); /* one of two may be chance */
  add_rounds (run, "mapped", 11, one, 6, 1);
  add_rounds (run, "unified-addressing", 11, other, 6, 1);
  memlane_control_run (run, &control);
  g_assert_cmpint (control.verdict, ==, MEMLANE_CONTROL_FAILED);
  failed = memlane_control_to_text (&control);
  g_assert_nonnull (strstr (failed, "2 of 3 identical pairs were told apart, by up to 1."));
  g_assert_nonnull (strstr (failed, "Close other programs and measure again, with more rounds."));

  /* By number, not by place: a round that one of them lacks is left out. */
  add_rounds (run, "registered", 10, one + 1, 5, 2);
  ratio = memlane_estimate_ratio (memlane_cell_find (memlane_run_find (run, "vector-add", "registered", 10), MEMLANE_PHASE_ELAPSED,
                                                     MEMLANE_CLOCK_HOST),
                                  memlane_cell_find (memlane_run_find (run, "vector-add", "pinned", 10), MEMLANE_PHASE_ELAPSED,
                                                     MEMLANE_CLOCK_HOST));
  g_assert_true (ratio.low == 1 && ratio.value == 1 && ratio.high == 1);
}

/* Without rounds, with too few of them, without a twin, and with what cannot be measured: said, not judged. */
static void
test_not_judged (void)
{
  static const double few[] = { 1, 2, 3, 4 };
  g_autoptr (MemlaneRun) run = made_run ("r", "M");
  g_autofree char *text = NULL;
  MemlaneControl control;

  memlane_control_run (run, &control);
  g_assert_cmpint (control.verdict, ==, MEMLANE_CONTROL_NO_PAIRS);
  add_rounds (run, "pinned", 10, few, 4, 1);
  add_rounds (run, "portable", 10, few, 4, 1);
  add_cell (run, "unified-addressing", 10, 1);
  memlane_control_run (run, &control);
  g_assert_cmpint (control.verdict, ==, MEMLANE_CONTROL_NO_PAIRS);
  add_time (add_cell (run, "pinned", 11, 1), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, 100);
  add_time (add_cell (run, "portable", 11, 1), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, 200);
  memlane_control_run (run, &control);
  g_assert_cmpint (control.verdict, ==, MEMLANE_CONTROL_ONE_PROCESS);
  g_assert_cmpuint (control.pairs, ==, 0);
  text = memlane_control_to_text (&control);
  g_assert_cmpstr (text, ==, "Control: not judged. All figures come from one process.");
}

/* As rare as they are said to be: P (X >= 5) = 0.6 % and P (X >= 4) = 2.2 % for X ~ binomial (22, 5 %). */
static void
test_alarm (void)
{
  for (guint pairs = 1; pairs <= 220; pairs++)
    {
      double chance = 0;

      for (guint k = memlane_control_get_alarm (pairs); k <= pairs; k++)
        chance += exp (lgamma (pairs + 1.0) - lgamma (k + 1.0) - lgamma (pairs - k + 1.0) + k * log (0.05) + (pairs - k) * log (0.95));
      g_assert_cmpfloat (chance, <=, 0.02); /* false alarms of perfect runs */
    }
  g_assert_cmpuint (memlane_control_get_alarm (22), ==, 5);
  g_assert_cmpuint (memlane_control_get_alarm (2), ==, 2);
  g_assert_cmpuint (memlane_control_get_alarm (1), ==, 2);
  g_assert_cmpuint (memlane_control_get_alarm (100), ==, 11);
}

/* Alike but for chance: six rounds in pairs tell 2 of 64 apart. */
static void
test_chance (void)
{
  GRand *random = g_rand_new_with_seed (41);
  g_autoptr (MemlaneRun) run = made_run ("r", "M");
  MemlaneControl control;

  for (guint p = 0; p < 2000; p++)
    {
      double medians[2][6];

      for (guint i = 0; i < 6; i++)
        {
          double round = 100 * (1 + 0.05 * draw_normal (random));

          for (guint k = 0; k < 2; k++)
            medians[k][i] = round * (1 + 0.01 * draw_normal (random));
        }
      add_rounds (run, "pinned", p, medians[0], 6, 1);
      add_rounds (run, "portable", p, medians[1], 6, 1);
    }
  memlane_control_run (run, &control);
  g_test_message ("%u of %u apart", control.apart, control.pairs);
  g_assert_cmpuint (control.pairs, ==, 2000);
  g_assert_cmpuint (control.apart, >=, 30); /* 62.5 expected, 7.8 their standard deviation: four of them */
  g_assert_cmpuint (control.apart, <=, 94);
  g_rand_free (random);
}

/* Every recording that has rounds holds the control; those of one process are named, and not judged. */
static void
test_recordings (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("MEMLANE_SOURCE_ROOT"), "data", "recordings", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint judged = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
      g_autoptr (GPtrArray) runs = NULL;
      g_autoptr (GError) error = NULL;
      MemlaneControl control;

      if (strstr (name, ".csv") == NULL || strstr (name, ".rounds.csv") != NULL)
        continue;
      runs = memlane_csv_read (path, NULL, &error);
      g_assert_no_error (error);
      memlane_control_run (runs->pdata[0], &control);
      text = memlane_control_to_text (&control);
      g_test_message ("%s: %s", name, text);
      judged += control.pairs > 0;
      g_assert_cmpint (control.verdict, !=, MEMLANE_CONTROL_FAILED);
      g_assert_cmpuint (control.throttled, ==, 0);
    }
  g_assert_cmpuint (judged, >=, 12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control/pairs", test_pairs);
  g_test_add_func ("/control/not-judged", test_not_judged);
  g_test_add_func ("/control/alarm", test_alarm);
  g_test_add_func ("/control/chance", test_chance);
  g_test_add_func ("/control/recordings", test_recordings);
  return g_test_run ();
}
