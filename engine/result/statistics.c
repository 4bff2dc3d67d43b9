/* statistics.c: order statistics of a set of samples
 *
 * SPDX-License-Identifier: MIT
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Type 7 of Hyndman & Fan: the value at (n - 1) p, counted from 0, linear in between. */
static double
quantile (const double *sorted, guint n, double p)
{
  double place = (n - 1) * p;
  guint below = (guint) floor (place);
  double low = sorted[below], high = sorted[MIN (below + 1, n - 1)];

  /* The clamp keeps a rounding error from leaving the two neighbours, so quantiles stay in order. */
  return CLAMP (low + (place - below) * (high - low), low, high);
}

/* The largest k with P (X < k) <= 2.5 % for X ~ binomial (n, 1/2): then x(k) and x(n+1-k), counted from 1, hold the median with at least
 * 95 %. 0: even the extremes do not. */
static guint
confidence_rank (guint n)
{
  /* Ten standard deviations below the mean the tail is below 1e-22, so the sum may begin there: 2^-n itself is 0 in a double from
   * n = 1075 on. */
  double begin = floor (n / 2.0 - 5 * sqrt (n));
  guint k = begin > 0 ? (guint) begin : 0;
  double probability, sum = 0;

  if (k == 0)
    probability = ldexp (1, -(int) n);
  else
    {
      int sign; /* lgamma() itself writes a global */

      probability = exp (lgamma_r (n + 1.0, &sign) - lgamma_r (k + 1.0, &sign) - lgamma_r ((double) n - k + 1.0, &sign) - n * G_LN2);
    }

  /* Here sum = P (X < k), probability = P (X = k). */
  while (sum + probability <= 0.025)
    {
      sum += probability;
      probability *= (double) (n - k) / (k + 1.0);
      k++;
    }
  return k;
}

void
memlane_statistics_compute (const double *samples, guint n, MemlaneStatistics *statistics)
{
  g_autofree double *sorted = NULL;
  guint k;

  memset (statistics, 0, sizeof *statistics);
  if (n == 0)
    return;

  sorted = g_new (double, n);
  memcpy (sorted, samples, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, memlane_compare_doubles);

  statistics->count = n;
  statistics->min = sorted[0];
  statistics->q1 = quantile (sorted, n, 0.25);
  statistics->median = quantile (sorted, n, 0.5);
  statistics->q3 = quantile (sorted, n, 0.75);
  statistics->max = sorted[n - 1];

  k = MAX (confidence_rank (n), 1);
  statistics->ci95_low = sorted[k - 1];
  statistics->ci95_high = sorted[n - k];
}

double
memlane_median (double *values, guint n)
{
  qsort (values, n, sizeof *values, memlane_compare_doubles);
  return quantile (values, n, 0.5);
}

/* The largest k with P (T < k) <= @tail, where T is the signed-rank sum of @n values without ties, half of them negative. 0: there is
 * none. */
static guint
signed_rank (guint n, double tail)
{
  static _Thread_local struct { guint n, k; double tail; } last; /* a decision asks for the same thousands of times */
  guint most = n * (n + 1) / 2, k = 0;
  g_autofree double *probability = NULL;
  double sum = 0;

  if (n == last.n && tail == last.tail)
    return last.k;
  probability = g_new0 (double, most + 1);
  probability[0] = 1;
  for (guint rank = 1; rank <= n; rank++)
    for (guint t = rank * (rank + 1) / 2 + 1; t-- > 0;)
      probability[t] = (probability[t] + (t >= rank ? probability[t - rank] : 0)) / 2;
  while (k < most && sum + probability[k] <= tail)
    sum += probability[k++];
  last.n = n;
  last.k = k;
  last.tail = tail;
  return k;
}

void
memlane_find_middle (const double *values, guint n, double level, MemlaneMiddle *middle)
{
  guint n_averages = n * (n + 1) / 2, at = 0, k;
  g_autofree double *averages = g_new (double, n_averages);

  for (guint i = 0; i < n; i++)
    for (guint j = i; j < n; j++)
      averages[at++] = (values[i] + values[j]) / 2;
  middle->value = memlane_median (averages, n_averages);
  k = MAX (signed_rank (n, (1 - level) / 2), 1);
  middle->low = averages[k - 1];
  middle->high = averages[n_averages - k];
}
