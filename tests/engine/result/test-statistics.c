/* test-statistics.c: order statistics against hand-made numbers, the binomial distribution and simulated coverage
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include <glib.h>

#include "result/statistics.h"

static void
test_known (void)
{
  static const double even[] = { 40, 10, 30, 20 }, odd[] = { 5, 1, 4, 2, 3 }, one[] = { 7.5 }, two[] = { 3, 1 };
  MemlaneStatistics s;

  memlane_statistics_compute (NULL, 0, &s);
  g_assert_cmpuint (s.count, ==, 0);

  /* R: quantile (c (10, 20, 30, 40), type = 7) = 10 17.5 25 32.5 40 */
  memlane_statistics_compute (even, 4, &s);
  g_assert_cmpuint (s.count, ==, 4);
  g_assert_cmpfloat (s.min, ==, 10);
  g_assert_cmpfloat (s.q1, ==, 17.5);
  g_assert_cmpfloat (s.median, ==, 25);
  g_assert_cmpfloat (s.q3, ==, 32.5);
  g_assert_cmpfloat (s.max, ==, 40);
  g_assert_cmpfloat (s.low, ==, 10); /* below 6 samples: the extremes */
  g_assert_cmpfloat (s.high, ==, 40);

  memlane_statistics_compute (odd, 5, &s);
  g_assert_cmpfloat (s.q1, ==, 2);
  g_assert_cmpfloat (s.median, ==, 3);
  g_assert_cmpfloat (s.q3, ==, 4);
  g_assert_cmpfloat (odd[0], ==, 5); /* the samples stay as they were */

  memlane_statistics_compute (one, 1, &s);
  g_assert_true (s.min == 7.5 && s.q1 == 7.5 && s.median == 7.5 && s.q3 == 7.5 && s.max == 7.5 && s.low == 7.5 && s.high == 7.5);
  memlane_statistics_compute (two, 2, &s);
  g_assert_true (s.q1 == 1.5 && s.median == 2 && s.q3 == 2.5);
}

/* The samples 1 .. n: then the interval's ends are the ranks. */
static guint
rank_of (guint n)
{
  g_autofree double *samples = g_new (double, n);
  MemlaneStatistics s;

  for (guint i = 0; i < n; i++)
    samples[i] = n - i;
  memlane_statistics_compute (samples, n, &s);
  g_assert_cmpfloat (s.high, ==, n + 1 - s.low);
  return (guint) s.low;
}

static void
test_ranks (void)
{
  /* Conover, Practical Nonparametric Statistics, sign test at 5 %; also dbinom by hand: n = 20: P (X <= 5) = .0207, P (X <= 6) = .0577. */
  static const guint table[][2] = { { 1, 1 },   { 5, 1 },   { 6, 1 },   { 7, 1 },   { 8, 1 },   { 9, 2 },    { 10, 2 },  { 11, 2 },
                                    { 12, 3 },  { 15, 4 },  { 16, 4 },  { 17, 5 },  { 20, 6 },  { 25, 8 },   { 30, 10 }, { 40, 14 },
                                    { 50, 18 }, { 60, 22 }, { 70, 27 }, { 80, 31 }, { 90, 36 }, { 100, 40 } };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpuint (rank_of (table[i][0]), ==, table[i][1]);
}

/* P (X < k) for X ~ binomial (n, 1/2), from Pascal's triangle in long double: another way than the one that is tested. */
static void
test_ranks_by_triangle (void)
{
  enum { MOST = 1100 }; /* 2^-n leaves the doubles at 1075 */
  g_autofree long double *row = g_new0 (long double, MOST + 2);

  row[0] = 1;
  for (guint n = 1; n <= MOST; n++)
    {
      long double below = 0;
      guint k = 0;

      for (guint i = n; i > 0; i--)
        row[i] = (row[i] + row[i - 1]) / 2;
      row[0] /= 2;
      if (n < 6)
        continue;
      while (below + row[k] <= 0.025L)
        below += row[k++];
      g_assert_cmpuint (rank_of (n), ==, k);
    }
}

static void
test_large (void)
{
  /* The normal approximation n/2 - 0.98 sqrt (n) is within a rank or two here. */
  for (guint n = 1000; n <= 1000000; n *= 10)
    g_assert_cmpfloat_with_epsilon (rank_of (n), n / 2.0 - 0.979982 * sqrt (n), 1.5);
}

static void
test_order (void)
{
  GRand *random = g_rand_new_with_seed (7);

  for (guint round = 0; round < 20000; round++)
    {
      guint n = (guint) g_rand_int_range (random, 1, 60);
      double samples[60];
      MemlaneStatistics s;

      for (guint i = 0; i < n; i++) /* few distinct values: many ties */
        samples[i] = g_rand_int_range (random, 1, 8) / 10.0 * (round % 3 ? 1 : 1e17 / 3);
      memlane_statistics_compute (samples, n, &s);
      g_assert_true (s.min <= s.q1 && s.q1 <= s.median && s.median <= s.q3 && s.q3 <= s.max);
      g_assert_true (s.min <= s.low && s.low <= s.median && s.median <= s.high && s.high <= s.max);
    }
  g_rand_free (random);
}

static void
test_coverage (void)
{
  static const guint sizes[] = { 6, 10, 11, 25, 50, 100, 317 };
  GRand *random = g_rand_new_with_seed (20261121);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint rounds = 20000, held = 0;

      for (guint round = 0; round < rounds; round++)
        {
          double samples[317];
          MemlaneStatistics s;

          for (guint j = 0; j < sizes[i]; j++) /* skewed as times are; the median is ln 2 */
            samples[j] = -log (1 - g_rand_double (random));
          memlane_statistics_compute (samples, sizes[i], &s);
          held += s.low <= G_LN2 && G_LN2 <= s.high;
        }
      g_test_message ("n = %u: %.2f %%", sizes[i], 100.0 * held / rounds);
      g_assert_cmpfloat (100.0 * held / rounds, >, 94.5); /* 95 or more, less the simulation's own noise */
      g_assert_cmpfloat (100.0 * held / rounds, <, 99.9);
    }
  g_rand_free (random);
}

/* Hollander & Wolfe's example 3.1, the depression scale of nine patients: the estimate is -0.46; T of 40 or more of 45 has 2.0 % (table
 * A.4),
 * so the interval of 96.1 % begins with the sixth average. */
static void
test_middle (void)
{
  static const double changes[] = { -0.952, 0.147, -1.022, -0.430, -0.620, -0.590, -0.490, 0.080, -0.010 };
  static const double few[] = { 3, 1, 2 }, six[] = { 1, 2, 3, 4, 5, 6 };
  MemlaneEstimate middle;

  middle = memlane_find_middle (changes, G_N_ELEMENTS (changes), 0.95);
  g_assert_cmpfloat_with_epsilon (middle.value, -0.46, 1e-9);
  g_assert_cmpfloat_with_epsilon (middle.low, -0.786, 1e-9);
  g_assert_cmpfloat_with_epsilon (middle.high, -0.010, 1e-9);
  middle = memlane_find_middle (few, G_N_ELEMENTS (few), 0.95);
  g_assert_true (middle.low == 1 && middle.value == 2 && middle.high == 3);
  middle = memlane_find_middle (six, G_N_ELEMENTS (six), 0.98);
  g_assert_true (middle.low == 1 && middle.value == 3.5 && middle.high == 6);
  middle = memlane_find_middle (six, 1, 0.95);
  g_assert_true (middle.low == 1 && middle.value == 1 && middle.high == 1);
}

/* Of normal values in pairs the interval of a level holds the truth as often as it says, at least. */
static void
test_middle_holds (void)
{
  static const double levels[] = { MEMLANE_LEVEL_OF_PAIRS, MEMLANE_LEVEL_OF_ROUNDS };
  GRand *random = g_rand_new_with_seed (7);

  for (guint k = 0; k < G_N_ELEMENTS (levels); k++)
    {
      guint held = 0;

      for (guint trial = 0; trial < 4000; trial++)
        {
          double values[12];
          MemlaneEstimate middle;

          for (guint i = 0; i < G_N_ELEMENTS (values); i++)
            {
              values[i] = 0;
              for (guint j = 0; j < 12; j++)
                values[i] += g_rand_double (random) - 0.5;
            }
          middle = memlane_find_middle (values, G_N_ELEMENTS (values), levels[k]);
          held += middle.low <= 0 && 0 <= middle.high;
        }
      g_test_message ("%.1f %% held, %g asked", held / 40.0, levels[k]);
      g_assert_cmpfloat (held / 4000.0, >=, levels[k] - 3 * sqrt (levels[k] * (1 - levels[k]) / 4000));
      g_assert_cmpfloat (held / 4000.0, <=, levels[k] + 0.02);
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/statistics/known", test_known);
  g_test_add_func ("/result/statistics/ranks", test_ranks);
  g_test_add_func ("/result/statistics/ranks-by-triangle", test_ranks_by_triangle);
  g_test_add_func ("/result/statistics/large", test_large);
  g_test_add_func ("/result/statistics/order", test_order);
  g_test_add_func ("/result/statistics/coverage", test_coverage);
  g_test_add_func ("/result/statistics/middle", test_middle);
  g_test_add_func ("/result/statistics/middle-holds", test_middle_holds);
  return g_test_run ();
}
