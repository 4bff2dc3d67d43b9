/* test-statistics.c: order statistics against hand-made numbers, the binomial distribution and
 * simulated pairs
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <string.h>

#include <glib.h>

#include "engine/cases.h"
#include "result/statistics.h"

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

/* "samples N ...", "rank N" of the interval of N samples, or "middle LEVEL N ..." of pairs. */
static char *
answer_numbers (const char *asked)
{
  g_auto (GStrv) words = g_strsplit (asked, " ", -1);
  double numbers[16], before[16];
  guint n = 0;
  MemlaneStatistics s;

  for (char **word = words + 1; *word != NULL; word++)
    numbers[n++] = g_ascii_strtod (*word, NULL);
  if (*asked == 'r')
    return g_strdup_printf ("%u", rank_of ((guint) numbers[0]));
  if (*asked == 'm')
    {
      MemlaneEstimate middle = memlane_find_middle (numbers + 1, n - 1, numbers[0]);

      return g_strdup_printf ("%.9g from %.9g to %.9g", middle.value, middle.low, middle.high);
    }
  memcpy (before, numbers, sizeof before);
  memlane_statistics_compute (numbers, n, &s);
  g_assert_cmpmem (numbers, n * sizeof *numbers, before,
                   n * sizeof *before); /* the samples stay as they were */
  return g_strdup_printf ("%u: min %g, quartiles %g %g %g, max %g, interval %g to %g", s.count,
                          s.min, s.q1, s.median, s.q3, s.max, s.low, s.high);
}

static void
test_known (void)
{
  MemlaneStatistics s;

  memlane_statistics_compute (NULL, 0, &s);
  g_assert_cmpuint (s.count, ==, 0);
  check_cases ("result", "statistics.txt", answer_numbers);
}

/* P (X < k) for X ~ binomial (n, 1/2), from Pascal's triangle in long double: another way than the
 * one that is tested. */
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

/* Of normal values in pairs the interval of a level holds the truth as often as it says, at least.
 */
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
      g_assert_cmpfloat (held / 4000.0, >=,
                         levels[k] - 3 * sqrt (levels[k] * (1 - levels[k]) / 4000));
      g_assert_cmpfloat (held / 4000.0, <=, levels[k] + 0.02);
    }
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/result/statistics/known", test_known);
  g_test_add_func ("/result/statistics/ranks-by-triangle", test_ranks_by_triangle);
  g_test_add_func ("/result/statistics/large", test_large);
  g_test_add_func ("/result/statistics/order", test_order);
  g_test_add_func ("/result/statistics/middle-holds", test_middle_holds);
  return g_test_run ();
}
