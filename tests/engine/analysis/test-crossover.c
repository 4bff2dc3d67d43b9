/* test-crossover.c: where one mode overtakes another, from made times with a known answer, and how often the intervals hold it
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/crossover.h"
#include "engine/made-run.h"

#define SIZES 11

/* Two lines of latency and bandwidth: A starts sooner, B is faster; they cross at (9000 - 3000) ns / (1/10e9 - 1/40e9) = 80000 bytes. */
static double
law_a (double elements)
{
  return 3000 + 4 * elements / 10;
}

static double
law_b (double elements)
{
  return 9000 + 4 * elements / 40;
}

#define CROSSING 20000.0 /* elements */

static MemlaneEstimate
around (double ns, double half)
{
  return (MemlaneEstimate) { ns, ns * (1 - half), ns * (1 + half) };
}

static void
make_points (MemlaneCrossoverPoint *points, double half)
{
  for (guint i = 0; i < SIZES; i++)
    points[i] = (MemlaneCrossoverPoint) { 10 + i, around (law_a (exp2 (10 + i)), half), around (law_b (exp2 (10 + i)), half) };
}

static const MemlaneCrossing *
get (const MemlaneCrossover *crossover, guint i)
{
  g_assert_cmpuint (i, <, crossover->crossings->len);
  return &g_array_index (crossover->crossings, MemlaneCrossing, i);
}

static void
test_one (void)
{
  MemlaneCrossoverPoint points[SIZES];
  g_autoptr (MemlaneCrossover) crossover = NULL;
  const MemlaneCrossing *crossing;

  make_points (points, 0.01);
  crossover = memlane_crossover_new (points, SIZES);
  g_assert_cmpint (crossover->verdict, ==, MEMLANE_CROSSOVER_CROSSES);
  g_assert_cmpuint (crossover->crossings->len, ==, 1);
  g_assert_cmpuint (count_turns (crossover), ==, 1);
  crossing = get (crossover, 0);
  g_assert_cmpfloat (fabs (crossing->elements / CROSSING - 1), <, 0.01);
  g_assert_cmpfloat (crossing->low, <, CROSSING);
  g_assert_cmpfloat (crossing->high, >, CROSSING);
  g_assert_cmpfloat (crossing->high / crossing->low, <, 1.1);
  g_assert_true (crossing->before == -1 && crossing->after == 1);
  g_assert_false (crossing->open_low || crossing->open_high);
  g_assert_cmpuint (crossover->first_log2, ==, 10);
  g_assert_cmpuint (crossover->last_log2, ==, 20);
}

static void
test_never (void)
{
  MemlaneCrossoverPoint points[SIZES];

  for (guint way = 0; way < 2; way++)
    {
      g_autoptr (MemlaneCrossover) crossover = NULL;

      make_points (points, 0.01);
      for (guint i = 0; i < SIZES; i++)
        points[i].a = around (points[i].b.value * (way == 0 ? 0.5 + 0.04 * i : 2 - 0.05 * i), 0.01);
      crossover = memlane_crossover_new (points, SIZES);
      g_assert_cmpint (crossover->verdict, ==, way == 0 ? MEMLANE_CROSSOVER_A : MEMLANE_CROSSOVER_B);
      g_assert_cmpuint (crossover->crossings->len, ==, 0);
      g_assert_cmpuint (crossover->least_log2, ==, 20);
      g_assert_cmpfloat (fabs (crossover->least_ratio - (way == 0 ? 1 / 0.9 : 1.5)), <, 1e-9);
    }
}

static void
test_untold (void)
{
  MemlaneCrossoverPoint points[SIZES];
  g_autoptr (MemlaneCrossover) crossover = NULL, nothing = NULL;

  make_points (points, 0.01);
  for (guint i = 0; i < SIZES; i++)
    points[i].a = around (points[i].b.value * (i % 2 ? 1.002 : 0.998), 0.01);
  crossover = memlane_crossover_new (points, SIZES);
  g_assert_cmpint (crossover->verdict, ==, MEMLANE_CROSSOVER_UNTOLD);
  g_assert_cmpuint (count_turns (crossover), ==, 0);
  for (guint i = 0; i < SIZES; i++)
    points[i].a = MEMLANE_ESTIMATE_UNKNOWN;
  nothing = memlane_crossover_new (points, SIZES);
  g_assert_cmpint (nothing->verdict, ==, MEMLANE_CROSSOVER_NO_DATA);
  g_assert_cmpuint (nothing->n_sizes, ==, 0);
}

/* A ahead, B ahead from 2^12.5 to 2^16.5, A ahead again; then alike at the large end. */
static void
test_several (void)
{
  MemlaneCrossoverPoint points[SIZES];
  g_autoptr (MemlaneCrossover) crossover = NULL;

  make_points (points, 0.005);
  for (guint i = 0; i < SIZES; i++)
    points[i].a = around (points[i].b.value * (i <= 2 ? 0.9 : i <= 6 ? 1.1 : i <= 8 ? 0.9 : 1), 0.005);
  crossover = memlane_crossover_new (points, SIZES);
  g_assert_cmpint (crossover->verdict, ==, MEMLANE_CROSSOVER_CROSSES);
  g_assert_cmpuint (crossover->crossings->len, ==, 3);
  g_assert_cmpuint (count_turns (crossover), ==, 2);
  g_assert_cmpfloat (fabs (log2 (get (crossover, 0)->elements) - 12.5), <, 0.1);
  g_assert_cmpfloat (fabs (log2 (get (crossover, 1)->elements) - 16.5), <, 0.1);
  g_assert_true (get (crossover, 0)->before == -1 && get (crossover, 0)->after == 1);
  g_assert_true (get (crossover, 1)->before == 1 && get (crossover, 1)->after == -1);
  g_assert_true (get (crossover, 2)->before == -1 && get (crossover, 2)->after == 0 && get (crossover, 2)->open_high);
  g_assert_cmpfloat (get (crossover, 2)->high, ==, exp2 (20));
}

/* What touches and parts again is no crossing. */
static void
test_touch (void)
{
  MemlaneCrossoverPoint points[SIZES];
  g_autoptr (MemlaneCrossover) crossover = NULL;

  make_points (points, 0.005);
  for (guint i = 0; i < SIZES; i++)
    points[i].a = around (points[i].b.value * (i == 5 ? 0.999 : 0.8), 0.005);
  crossover = memlane_crossover_new (points, SIZES);
  g_assert_cmpuint (crossover->crossings->len, ==, 1);
  g_assert_cmpuint (count_turns (crossover), ==, 0);
  g_assert_true (get (crossover, 0)->before == -1 && get (crossover, 0)->after == -1);
  g_assert_true (isnan (get (crossover, 0)->elements));
}

static void
test_one_size (void)
{
  const MemlaneCrossoverPoint told = { 14, { 10, 9.9, 10.1 }, { 12, 11.9, 12.1 } }, untold = { 14, { 10, 9, 11 }, { 10.5, 9, 12 } };
  g_autoptr (MemlaneCrossover) a = memlane_crossover_new (&told, 1), b = memlane_crossover_new (&untold, 1);

  g_assert_cmpint (a->verdict, ==, MEMLANE_CROSSOVER_A);
  g_assert_cmpint (b->verdict, ==, MEMLANE_CROSSOVER_UNTOLD);
  g_assert_true (get (b, 0)->open_low && get (b, 0)->open_high);
}

/* The 95 % interval holds the true crossing in 92 to 98 of 100 made runs. */
static void
check_coverage (guint32 seed, double noise)
{
  const guint trials = 2000;
  GRand *random = g_rand_new_with_seed (seed);
  guint held = 0, found = 0;

  for (guint trial = 0; trial < trials; trial++)
    {
      MemlaneCrossoverPoint points[SIZES];
      g_autoptr (MemlaneCrossover) crossover = NULL;
      gboolean here = FALSE;

      for (guint i = 0; i < SIZES; i++)
        {
          guint n_a = (guint) g_rand_int_range (random, 15, 60), n_b = (guint) g_rand_int_range (random, 15, 60);
          MemlaneFigure a = { .statistics = draw_statistics (random, law_a (exp2 (10 + i)), noise, n_a) };
          MemlaneFigure b = { .statistics = draw_statistics (random, law_b (exp2 (10 + i)), noise, n_b) };

          points[i] = (MemlaneCrossoverPoint) { 10 + i, memlane_estimate_from_figure (&a), memlane_estimate_from_figure (&b) };
        }
      crossover = memlane_crossover_new (points, SIZES);
      for (guint i = 0; i < crossover->crossings->len; i++)
        here = here || (get (crossover, i)->low <= CROSSING && get (crossover, i)->high >= CROSSING);
      held += here;
      found += count_turns (crossover) == 1;
    }
  g_rand_free (random);
  g_test_message ("noise %g: the interval holds the crossing in %.1f %%, one crossing found in %.1f %%", noise, 100.0 * held / trials,
                  100.0 * found / trials);
  g_assert_cmpfloat (held, >=, 0.92 * trials);
  g_assert_cmpfloat (held, <=, 0.98 * trials);
  g_assert_cmpfloat (found, >=, 0.98 * trials);
}

static void
test_coverage (void)
{
  check_coverage (11, 0.02);
  check_coverage (12, 0.05);
  check_coverage (13, 0.15);
}

static void
test_run (void)
{
  g_autoptr (MemlaneRun) run = made_run ("r", "M");
  g_autoptr (MemlaneCrossover) crossover = NULL, missing = NULL;

  for (guint p = 20; p >= 10; p--)
    {
      add_time (add_cell (run, "pinned", p, 1), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, law_b (exp2 (p)));
      if (p != 13) /* a gap */
        add_time (add_cell (run, "pageable", p, 1), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, law_a (exp2 (p)));
      add_time (add_cell (run, "pageable", p, 8), MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 0, 1); /* another reuse takes no part */
    }
  crossover = memlane_crossover_run (run, "vector-add", "pageable", "pinned", MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_assert_cmpint (crossover->verdict, ==, MEMLANE_CROSSOVER_CROSSES);
  g_assert_cmpuint (crossover->n_sizes, ==, 10);
  g_assert_cmpfloat (fabs (get (crossover, 0)->elements / CROSSING - 1), <, 0.02);
  missing = memlane_crossover_run (run, "vector-add", "pageable", "managed", MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  g_assert_cmpint (missing->verdict, ==, MEMLANE_CROSSOVER_NO_DATA);
}

static void
test_any_numbers (void)
{
  GRand *random = g_rand_new_with_seed (17);

  for (guint trial = 0; trial < 1000; trial++)
    {
      MemlaneCrossoverPoint points[30];
      guint n = (guint) g_rand_int_range (random, 0, 30);
      g_autoptr (MemlaneCrossover) crossover = NULL;
      double last = 0;

      for (guint i = 0; i < n; i++)
        {
          MemlaneEstimate *both[] = { &points[i].a, &points[i].b };

          points[i].log2_elements = (guint) g_rand_int_range (random, 0, 30);
          for (guint j = 0; j < 2; j++)
            {
              double ns = exp (g_rand_double_range (random, -30, 60));

              *both[j] = around (ns, g_rand_double_range (random, 0, 1.2));
              if (g_rand_int_range (random, 0, 10) == 0)
                *both[j] = (MemlaneEstimate) { ns, -INFINITY, INFINITY };
              if (g_rand_int_range (random, 0, 10) == 0)
                *both[j] = MEMLANE_ESTIMATE_UNKNOWN;
            }
        }
      crossover = memlane_crossover_new (points, n);
      g_assert_cmpint (crossover->verdict, <, MEMLANE_N_CROSSOVER_VERDICTS);
      for (guint i = 0; i < crossover->crossings->len; i++)
        {
          g_assert_cmpfloat (get (crossover, i)->low, >=, last);
          g_assert_cmpfloat (get (crossover, i)->high, >=, get (crossover, i)->low);
          last = get (crossover, i)->high;
        }
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crossover/one", test_one);
  g_test_add_func ("/crossover/never", test_never);
  g_test_add_func ("/crossover/untold", test_untold);
  g_test_add_func ("/crossover/several", test_several);
  g_test_add_func ("/crossover/touch", test_touch);
  g_test_add_func ("/crossover/one-size", test_one_size);
  g_test_add_func ("/crossover/coverage", test_coverage);
  g_test_add_func ("/crossover/run", test_run);
  g_test_add_func ("/crossover/any-numbers", test_any_numbers);
  return g_test_run ();
}
