/* test-fit.c: latency and bandwidth from made times with a known answer, and how often the intervals hold it
 *
 * SPDX-License-Identifier: MIT
 */
#include "analysis/fit.h"
#include "engine/made-run.h"

#define SIZES 11
#define ALPHA 9000.0 /* ns */
#define BETA 25e9    /* bytes per second */

static double
law (double bytes)
{
  return ALPHA + bytes / BETA * 1e9;
}

static void
make_points (MemlaneFitPoint *points, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      double bytes = 8 * exp2 (10 + i), ns = law (bytes);

      points[i] = (MemlaneFitPoint) { 10 + i, bytes, { ns, ns * 0.99, ns * 1.01 } };
    }
}

static void
assert_near (double value, double expected, double relative)
{
  g_assert_cmpfloat (fabs (value - expected), <=, relative * fabs (expected));
}

static void
test_exact (void)
{
  MemlaneFitPoint points[SIZES];
  MemlaneFit fit;

  make_points (points, SIZES);
  memlane_fit_points (points, SIZES, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_STRAIGHT);
  assert_near (fit.latency_ns.value, ALPHA, 1e-9);
  assert_near (fit.bandwidth.value, BETA, 1e-9);
  assert_near (fit.half_bytes.value, ALPHA * BETA / 1e9, 1e-9);
  /* Hockney & Jesshope: at n_1/2 half of the asymptotic bandwidth is reached. */
  assert_near (fit.half_bytes.value / (fit.latency_ns.value + fit.half_bytes.value / fit.bandwidth.value * 1e9) * 1e9, BETA / 2, 1e-9);
  g_assert_cmpuint (fit.first_log2, ==, 10);
  g_assert_cmpuint (fit.last_log2, ==, 20);
  g_assert_cmpuint (fit.n_sizes, ==, SIZES);
  g_assert_cmpfloat (fit.worst, <, 1e-9);
}

/* Two laws, one below and one above 2^15: the longer stretch is reported, and no more is claimed. */
static void
test_part (void)
{
  MemlaneFitPoint points[SIZES];
  MemlaneFit fit;

  make_points (points, SIZES);
  for (guint i = 0; i < 4; i++)
    points[i].ns = (MemlaneEstimate) { 2500 * exp2 (i * 0.25), 2490 * exp2 (i * 0.25), 2510 * exp2 (i * 0.25) };
  memlane_fit_points (points, SIZES, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_PART);
  g_assert_cmpuint (fit.first_log2, ==, 14);
  g_assert_cmpuint (fit.last_log2, ==, 20);
  assert_near (fit.bandwidth.value, BETA, 1e-6);
  g_assert_cmpuint (fit.least_log2, ==, 10); /* what is left out is told */
  g_assert_cmpuint (fit.most_log2, ==, 20);

  /* Falling and rising by turns: no stretch of five sizes lies on a line. */
  for (guint i = 0; i < SIZES; i++)
    {
      double ns = law (points[i].bytes) * (i % 2 ? 2 : 1);

      points[i].ns = (MemlaneEstimate) { ns, ns * 0.99, ns * 1.01 };
    }
  memlane_fit_points (points, SIZES, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_BENT);
  g_assert_cmpfloat (fit.worst, >, MEMLANE_FIT_BAR);
}

/* No latency is below 0, and no line above the ceiling: neither the value nor an end of an interval. */
static void
test_physics (void)
{
  MemlaneFitPoint points[SIZES];
  MemlaneFit fit;

  make_points (points, SIZES);
  memlane_fit_points (points, SIZES, 0.9 * BETA, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_BENT);
  for (guint i = 0; i < SIZES; i++)
    points[i].ns = (MemlaneEstimate) { law (points[i].bytes), 0.8 * law (points[i].bytes), 1.2 * law (points[i].bytes) };
  points[SIZES - 2].ns.value *= 1.15;
  memlane_fit_points (points, SIZES, 1.02 * BETA, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_STRAIGHT);
  g_assert_cmpfloat (fit.bandwidth.high, <=, 1.02 * BETA);
  /* A line that would begin below the origin goes through it. */
  for (guint i = 0; i < SIZES; i++)
    {
      double ns = (law (points[i].bytes) - ALPHA) * (i < 3 ? 0.95 : 1);

      points[i].ns = (MemlaneEstimate) { ns, ns * 0.99, ns * 1.01 };
    }
  memlane_fit_points (points, SIZES, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_STRAIGHT);
  g_assert_cmpfloat (fit.latency_ns.value, ==, 0);
  g_assert_cmpfloat (fit.latency_ns.low, ==, 0);
  g_assert_cmpfloat (fit.half_bytes.low, ==, 0);
}

static void
test_few (void)
{
  MemlaneFitPoint points[SIZES];
  MemlaneFit fit;

  for (guint n = 0; n < 3; n++)
    {
      make_points (points, n);
      memlane_fit_points (points, n, INFINITY, &fit);
      g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_TOO_FEW);
      g_assert_cmpuint (fit.n_offered, ==, n);
      g_assert_true (isnan (fit.latency_ns.value) && isnan (fit.bandwidth.value) && isnan (fit.half_bytes.value));
    }
  make_points (points, 3);
  memlane_fit_points (points, 3, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_STRAIGHT);

  /* Times that fall with the size have no bandwidth. */
  for (guint i = 0; i < 3; i++)
    points[i].ns = (MemlaneEstimate) { 1000 - 300.0 * i, 999 - 300.0 * i, 1001 - 300.0 * i };
  memlane_fit_points (points, 3, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_BENT);
  g_assert_true (isnan (fit.bandwidth.value) && isnan (fit.half_bytes.value));

  /* What is no time is passed over, as is a size twice. */
  make_points (points, 5);
  points[1].ns.value = NAN;
  points[2].ns = (MemlaneEstimate) { 0, 0, 0 };
  points[4].bytes = points[3].bytes;
  memlane_fit_points (points, 5, INFINITY, &fit);
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_TOO_FEW);
  g_assert_cmpuint (fit.n_offered, ==, 2);
}

static gboolean
holds (const MemlaneEstimate *estimate, double truth)
{
  return estimate->low <= truth && truth <= estimate->high;
}

/* 95 % intervals hold the truth in 92 to 98 of 100 made runs: all of one noise, and cells that differ in noise and count. */
static void
check_coverage (guint32 seed, guint n_sizes, gboolean mixed)
{
  const guint trials = 3000;
  GRand *random = g_rand_new_with_seed (seed);
  guint latency = 0, bandwidth = 0, half = 0, straight = 0;

  for (guint trial = 0; trial < trials; trial++)
    {
      MemlaneFitPoint points[32];
      MemlaneFit fit;

      for (guint i = 0; i < n_sizes; i++)
        {
          double bytes = 8 * exp2 (10 + i);
          guint count = mixed ? (guint) g_rand_int_range (random, 10, 60) : 30;
          MemlaneStatistics s = draw_statistics (random, law (bytes), mixed ? 0.02 + 0.02 * (i % 3) : 0.03, count);
          MemlaneFigure figure = { .statistics = s };

          points[i] = (MemlaneFitPoint) { 10 + i, bytes, memlane_estimate_from_figure (&figure) };
        }
      memlane_fit_points (points, n_sizes, INFINITY, &fit);
      latency += holds (&fit.latency_ns, ALPHA);
      bandwidth += holds (&fit.bandwidth, BETA);
      half += holds (&fit.half_bytes, ALPHA * BETA / 1e9);
      straight += fit.verdict == MEMLANE_FIT_STRAIGHT;
    }
  g_rand_free (random);
  g_test_message ("%u sizes, %s noise: latency %.1f %%, bandwidth %.1f %%, half size %.1f %%, straight %.1f %%", n_sizes,
                  mixed ? "mixed" : "even", 100.0 * latency / trials, 100.0 * bandwidth / trials, 100.0 * half / trials,
                  100.0 * straight / trials);
  g_assert_cmpfloat (latency, >=, 0.92 * trials);
  g_assert_cmpfloat (latency, <=, 0.98 * trials);
  g_assert_cmpfloat (bandwidth, >=, 0.92 * trials);
  g_assert_cmpfloat (bandwidth, <=, 0.98 * trials);
  g_assert_cmpfloat (half, >=, 0.92 * trials);
  g_assert_cmpfloat (half, <=, 0.98 * trials);
  g_assert_cmpfloat (straight, >=, 0.98 * trials);
}

static void
test_coverage (void)
{
  check_coverage (1, 11, FALSE);
  check_coverage (2, 11, TRUE);
  check_coverage (3, 19, TRUE);
  check_coverage (4, 5, FALSE);
}

static void
test_run (void)
{
  g_autoptr (MemlaneRun) run = made_run ("r", "M");
  MemlaneFit fit;

  for (guint log2_elements = 20; log2_elements >= 10; log2_elements--) /* in no order */
    for (guint reuse = 1; reuse <= 4; reuse += 3)
      {
        MemlaneCell *cell = add_cell (run, "pinned-async", log2_elements, reuse);
        double bytes = 8 * exp2 (log2_elements);

        add_time (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, (guint64) bytes, law (bytes) * reuse);
        add_time (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, (guint64) bytes, 2 * law (bytes));
      }
  g_assert_cmpint (memlane_fit_clock (run, "vector-add", "pinned-async", MEMLANE_PHASE_UPLOAD), ==, MEMLANE_CLOCK_DEVICE);
  g_assert_cmpint (memlane_fit_clock (run, "vector-add", "pinned-async", MEMLANE_PHASE_ELAPSED), ==, MEMLANE_CLOCK_HOST);
  g_assert_cmpint (memlane_fit_clock (run, "vector-add", "pinned-async", MEMLANE_PHASE_DOWNLOAD), ==, MEMLANE_N_CLOCKS);
  g_assert_true (memlane_fit_run (run, "vector-add", "pinned-async", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &fit));
  g_assert_cmpuint (fit.n_sizes, ==, 11); /* those of the smallest reuse */
  assert_near (fit.bandwidth.value, BETA, 1e-9);
  g_assert_false (memlane_fit_run (run, "vector-add", "pinned", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &fit));
  g_assert_false (memlane_fit_run (run, "fill", "pinned-async", MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_DEVICE, &fit));
  g_assert_cmpint (fit.verdict, ==, MEMLANE_FIT_TOO_FEW);
}

static void
test_student (void)
{
  assert_near (memlane_student_quantile (1), 12.7062, 1e-5);
  assert_near (memlane_student_quantile (9), 2.262157, 1e-6);
  /* R: qt (0.975, c (31, 60, 1e6)) */
  assert_near (memlane_student_quantile (31), 2.039513, 1e-5);
  assert_near (memlane_student_quantile (60), 2.000298, 1e-5);
  assert_near (memlane_student_quantile (1000000), 1.959966, 1e-6);
}

/* Whatever the numbers are: an answer, in order, and no trap. */
static void
test_any_numbers (void)
{
  GRand *random = g_rand_new_with_seed (7);

  for (guint trial = 0; trial < 200; trial++)
    {
      MemlaneFitPoint points[40];
      guint n = (guint) g_rand_int_range (random, 0, 40);
      double bytes = 1;
      MemlaneFit fit;

      for (guint i = 0; i < n; i++)
        {
          double ns = exp (g_rand_double_range (random, -20, 60)), low = ns * g_rand_double (random);

          bytes *= g_rand_double_range (random, 0.9, 4);
          points[i] = (MemlaneFitPoint) { i % 70, bytes, { ns, low, ns * g_rand_double_range (random, 1, 3) } };
          if (g_rand_int_range (random, 0, 20) == 0)
            points[i].ns.value = g_rand_boolean (random) ? NAN : INFINITY;
        }
      memlane_fit_points (points, n, INFINITY, &fit);
      g_assert_cmpint (fit.verdict, <, MEMLANE_N_FIT_VERDICTS);
      if (memlane_estimate_is_known (&fit.bandwidth))
        {
          g_assert_cmpfloat (fit.bandwidth.low, <=, fit.bandwidth.value);
          g_assert_cmpfloat (fit.bandwidth.value, <=, fit.bandwidth.high);
        }
      if (memlane_estimate_is_known (&fit.half_bytes))
        {
          g_assert_cmpfloat (fit.half_bytes.low, <=, fit.half_bytes.value);
          g_assert_cmpfloat (fit.half_bytes.value, <=, fit.half_bytes.high);
        }
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fit/exact", test_exact);
  g_test_add_func ("/fit/part", test_part);
  g_test_add_func ("/fit/physics", test_physics);
  g_test_add_func ("/fit/few", test_few);
  g_test_add_func ("/fit/coverage", test_coverage);
  g_test_add_func ("/fit/run", test_run);
  g_test_add_func ("/fit/student", test_student);
  g_test_add_func ("/fit/any-numbers", test_any_numbers);
  return g_test_run ();
}
