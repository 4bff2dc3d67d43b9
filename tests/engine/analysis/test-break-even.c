/* test-break-even.c: after how many samples a price has been earned, with its interval
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/cost.h"
#include "engine/made-run.h"
#include "engine/set-environment.h"

static MemlaneEstimate
of (double value, double half)
{
  return (MemlaneEstimate) { value, value - half, value + half };
}

static MemlaneBreakEven
compute (MemlaneEstimate price, MemlaneEstimate gain)
{
  MemlaneBreakEven result;

  memlane_break_even_compute (&price, &gain, &result);
  return result;
}

static void
test_verdicts (void)
{
  MemlaneBreakEven result = compute (of (1000, 0), of (100, 0));

  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_AFTER);
  g_assert_cmpfloat (result.count.value, ==, 10);
  g_assert_cmpfloat (fabs (result.count.low - 10), <, 1e-9);
  g_assert_cmpfloat (fabs (result.count.high - 10), <, 1e-9);

  result = compute (of (1000, 100), of (100, 10)); /* Fieller's ends satisfy (1000 - 100 N)^2 = 100^2 + 100 N^2 */
  for (guint i = 0; i < 2; i++)
    {
      double n = i == 0 ? result.count.low : result.count.high;

      g_assert_cmpfloat (fabs (pow (1000 - 100 * n, 2) - 1e4 - 100 * n * n), <, 1e-3);
    }
  g_assert_cmpfloat (result.count.low, <, 10);
  g_assert_cmpfloat (result.count.high, >, 10);

  g_assert_cmpint (compute (of (-50, 1), of (100, 1)).verdict, ==, MEMLANE_BREAK_EVEN_AT_ONCE);
  g_assert_cmpint (compute (of (-50, 1), of (0.5, 1)).verdict, ==, MEMLANE_BREAK_EVEN_AT_ONCE);
  g_assert_cmpint (compute (of (50, 1), of (-100, 1)).verdict, ==, MEMLANE_BREAK_EVEN_NEVER);
  g_assert_cmpint (compute (of (50, 1), of (1, 2)).verdict, ==, MEMLANE_BREAK_EVEN_UNTOLD);
  g_assert_cmpint (compute (of (-50, 200), of (100, 1)).verdict, ==, MEMLANE_BREAK_EVEN_UNTOLD);
  g_assert_cmpint (compute (MEMLANE_ESTIMATE_UNKNOWN, of (1, 0)).verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA);

  /* Cheaper once and slower each time: ahead up to a count. */
  result = compute (of (-1000, 100), of (-100, 10));
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_UNTIL);
  g_assert_cmpfloat (result.count.value, ==, 10);
  g_assert_cmpfloat (fabs (result.count.low - compute (of (1000, 100), of (100, 10)).count.low), <, 1e-9);
  g_assert_cmpfloat (fabs (result.count.high - compute (of (1000, 100), of (100, 10)).count.high), <, 1e-9);

  /* A price that may be nothing begins at 0; a gain that may be infinite or very small leaves the end open. */
  g_assert_cmpfloat (compute (of (10, 20), of (100, 1)).count.low, ==, 0);
  g_assert_cmpfloat (compute (of (1000, 1), (MemlaneEstimate) { 10, 0.001, INFINITY }).count.high, >, 1e3);
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

static MemlaneRun *
make_run (void)
{
  MemlaneRun *run = made_run ("r", "M");
  static const struct { const char *mode; double alloc, write, elapsed, read, free; } modes[] = {
    { "pageable", 100, 900, 800, 40, 50 }, { "pinned", 1000, 200, 300, 40, 650 }, { "registered", 1200, 200, 300, 40, 650 },
    { "portable", 110, 200, 300, 40, 60 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      MemlaneCell *cell = add_cell (run, modes[i].mode, 20, 1);

      add_time (cell, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, 0, modes[i].alloc);
      add_time (cell, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST, 0, modes[i].write);
      add_time (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, modes[i].elapsed);
      add_time (cell, MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST, 0, modes[i].read);
      add_time (cell, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, 0, modes[i].free);
    }
  add_time (add_cell (run, "mapped", 20, 1), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, 200);
  return run;
}

static void
test_run (void)
{
  g_autoptr (MemlaneRun) run = make_run ();
  MemlaneBreakEven result;

  /* As dear as registering as much: pages are locked anew. 800 more once, writing and reading included; 500 won each time. */
  memlane_break_even_pinning (run, "vector-add", "pageable", "pinned", 20, MEMLANE_PINNING_NEW, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_AFTER);
  g_assert_cmpfloat (result.count.value, ==, 1.6);
  memlane_break_even_pinning (run, "vector-add", "pageable", "pinned", 20, MEMLANE_PINNING_POOLED, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA);
  memlane_break_even_pinning (run, "vector-add", "pageable", "pinned", 20, MEMLANE_PINNING_FIRST, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA);
  /* What each round's process told of its first page-locked memory comes to it, once. */
  set_environment (run, "{ \"rounds\": [ { \"first_pinned_ns\": 700 } ] }");
  memlane_break_even_pinning (run, "vector-add", "pageable", "pinned", 20, MEMLANE_PINNING_FIRST, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA); /* one process tells nothing of another */
  set_environment (run, "{ \"rounds\": [ { \"first_pinned_ns\": 690 }, { \"round\": 2 }, 3, { \"first_pinned_ns\": \"x\" }, "
                               "{ \"first_pinned_ns\": -5 }, { \"first_pinned_ns\": 710 }, { \"first_pinned_ns\": 700 } ] }");
  memlane_break_even_pinning (run, "vector-add", "pageable", "pinned", 20, MEMLANE_PINNING_FIRST, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_AFTER);
  g_assert_cmpfloat (result.price_ns.value, ==, 800 + 700);
  g_assert_cmpfloat (result.count.value, ==, 3);
  memlane_break_even_pinning (run, "vector-add", "pageable", "registered", 20, MEMLANE_PINNING_FIRST, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA);
  /* Far cheaper than that: the driver had kept it. */
  memlane_break_even_pinning (run, "vector-add", "pageable", "portable", 20, MEMLANE_PINNING_POOLED, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_AT_ONCE);
  memlane_break_even_pinning (run, "vector-add", "pageable", "registered", 20, MEMLANE_PINNING_NEW, &result);
  g_assert_cmpfloat (result.count.value, ==, 2);
  memlane_break_even_pinning (run, "vector-add", "pageable", "write-combined", 20, MEMLANE_PINNING_NEW, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA);
  memlane_break_even_pinning (run, "vector-add", "pageable", "mapped", 20, MEMLANE_PINNING_NEW, &result);
  memlane_break_even_pinning (run, "vector-add", "pageable", "pinned", 19, MEMLANE_PINNING_NEW, &result);
  g_assert_cmpint (result.verdict, ==, MEMLANE_BREAK_EVEN_NO_DATA);
}

/* A price whose sign another process may turn is not told: these intervals are of one process. */
static void
test_one_process (void)
{
  g_autoptr (MemlaneRun) run = made_run ("r", "M");
  static const struct { const char *mode; double alloc, elapsed; } modes[] = { { "pageable", 1000, 300 }, { "registered", 1010, 280 } };
  MemlaneBreakEven result;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      MemlaneCell *cell = add_cell (run, modes[i].mode, 12, 1);

      add_time (cell, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST, 0, modes[i].alloc);
      add_time (cell, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST, 0, 1);
      add_time (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, modes[i].elapsed);
      add_time (cell, MEMLANE_PHASE_HOST_READ, MEMLANE_CLOCK_HOST, 0, 1);
      add_time (cell, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST, 0, 1);
    }
  memlane_break_even_pinning (run, "vector-add", "pageable", "registered", 12, MEMLANE_PINNING_NEW, &result);
  g_assert_cmpfloat (result.price_ns.value, ==, 10); /* +-7 by the samples, +-35 by what processes differ in */
  g_assert_cmpfloat (result.price_ns.low, <, -25);
  g_assert_cmpfloat (result.count.low, ==, 0);
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
  g_test_add_func ("/break-even/verdicts", test_verdicts);
  g_test_add_func ("/break-even/coverage", test_coverage);
  g_test_add_func ("/break-even/run", test_run);
  g_test_add_func ("/break-even/one-process", test_one_process);
  g_test_add_func ("/break-even/any-numbers", test_any_numbers);
  return g_test_run ();
}
