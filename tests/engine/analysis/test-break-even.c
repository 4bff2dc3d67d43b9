/* test-break-even.c: after how many samples a price has been earned: intervals of drawn samples; decide.txt has made-up ones
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/cost.h"
#include "engine/made-run.h"

static MemlaneEstimate
of (double value, double half)
{
  return (MemlaneEstimate) { value, value - half, value + half };
}

/* Made cells: 95 % intervals hold the true count in 92 to 99 of 100 (four order-statistic intervals, each of at least 95 %). */
static void
test_coverage (void)
{
  const guint trials = 4000;
  GRand *random = g_rand_new_with_seed (21);
  guint held = 0;

  for (guint trial = 0; trial < trials; trial++)
    {
      MemlaneFigure figures[] = {
        { .statistics = draw_statistics (random, 4e6, 0.05, 20) }, { .statistics = draw_statistics (random, 1e6, 0.05, 20) },
        { .statistics = draw_statistics (random, 9e5, 0.03, 30) }, { .statistics = draw_statistics (random, 3e5, 0.03, 30) },
      };
      MemlaneEstimate e[4], price, gain;
      MemlaneBreakEven result;

      for (guint i = 0; i < 4; i++)
        e[i] = memlane_estimate_from_figure (&figures[i]);
      price = memlane_estimate_subtract (&e[0], &e[1]);
      gain = memlane_estimate_subtract (&e[2], &e[3]);
      memlane_break_even_compute (&price, &gain, &result);
      g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_AFTER);
      held += result.count.low <= 5 && result.count.high >= 5;
    }
  g_rand_free (random);
  g_test_message ("the interval holds the count in %.1f %%", 100.0 * held / trials);
  g_assert_cmpfloat (held, >=, 0.92 * trials);
  g_assert_cmpfloat (held, <=, 0.98 * trials);
}

static void
test_any_numbers (void)
{
  GRand *random = g_rand_new_with_seed (23);

  for (guint trial = 0; trial < 20000; trial++)
    {
      MemlaneEstimate e[2];
      MemlaneBreakEven result;

      for (guint i = 0; i < 2; i++)
        {
          e[i] = of (exp (g_rand_double_range (random, -30, 30)) * (g_rand_boolean (random) ? 1 : -1), 0);
          e[i].low -= fabs (e[i].value) * g_rand_double_range (random, 0, 2);
          e[i].high += fabs (e[i].value) * g_rand_double_range (random, 0, 2);
          if (g_rand_int_range (random, 0, 10) == 0)
            e[i].high = INFINITY;
        }
      memlane_break_even_compute (&e[0], &e[1], &result);
      g_assert_cmpint (result.verdict, <, MEMLANE_N_BREAK_EVEN_VERDICTS);
      if (!memlane_estimate_is_known (&result.count))
        continue;
      g_assert_cmpfloat (result.count.low, >=, 0);
      g_assert_cmpfloat (result.count.low, <=, result.count.value * (1 + 1e-9));
      g_assert_cmpfloat (result.count.high, >=, result.count.value * (1 - 1e-9));
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/break-even/coverage", test_coverage);
  g_test_add_func ("/break-even/any-numbers", test_any_numbers);
  return g_test_run ();
}
