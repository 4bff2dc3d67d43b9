/* statistics.c: order statistics of a set of samples, and values with intervals
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

  /* The clamp keeps a rounding error from leaving the two neighbours, so quantiles stay in
   * order. */
  return CLAMP (low + (place - below) * (high - low), low, high);
}

/* The largest k with P (X < k) <= 2.5 % for X ~ binomial (n, 1/2): then x(k) and x(n+1-k), counted
 * from 1, hold the median with at least 95 %. 0: even the extremes do not. */
static guint
confidence_rank (guint n)
{
  /* Ten standard deviations below the mean the tail is below 1e-22, so the sum may begin there:
   * 2^-n itself is 0 in a double from n = 1075 on. */
  double begin = floor (n / 2.0 - 5 * sqrt (n));
  guint k = begin > 0 ? (guint) begin : 0;
  double probability, sum = 0;

  if (k == 0)
    probability = ldexp (1, -(int) n);
  else
    {
      int sign; /* lgamma() itself writes a global */

      probability = exp (lgamma_r (n + 1.0, &sign) - lgamma_r (k + 1.0, &sign)
                         - lgamma_r ((double) n - k + 1.0, &sign) - n * G_LN2);
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
  statistics->low = sorted[k - 1];
  statistics->high = sorted[n - k];
}

double
memlane_median (double *values, guint n)
{
  qsort (values, n, sizeof *values, memlane_compare_doubles);
  return quantile (values, n, 0.5);
}

/* The largest k with P (T < k) <= @tail, where T is the signed-rank sum of @n values without ties,
 * half of them negative. 0: there is none. */
static guint
signed_rank (guint n, double tail)
{
  /* a decision asks for the same thousands of times */
  static _Thread_local struct { guint n, k; double tail; } last;
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

MemlaneEstimate
memlane_find_middle (const double *values, guint n, double level)
{
  guint n_averages = n * (n + 1) / 2, at = 0, k;
  g_autofree double *averages = g_new (double, n_averages);
  double value;

  for (guint i = 0; i < n; i++)
    for (guint j = i; j < n; j++)
      averages[at++] = (values[i] + values[j]) / 2;
  value = memlane_median (averages, n_averages); /* which sorts them */
  k = MAX (signed_rank (n, (1 - level) / 2), 1);
  return (MemlaneEstimate) { value, averages[k - 1], averages[n_averages - k] };
}

/* --- values with intervals -------------------------------------------------------------------- */

gboolean
memlane_estimate_is_known (const MemlaneEstimate *estimate)
{
  return isfinite (estimate->value) && !isnan (estimate->low) && !isnan (estimate->high);
}

MemlaneEstimate
memlane_estimate_from_figure (const MemlaneFigure *figure)
{
  const MemlaneStatistics *s = figure != NULL ? &figure->statistics : NULL;

  if (s == NULL || s->count < 2 || figure->status > MEMLANE_STATUS_NOISY || !isfinite (s->median)
      || s->median <= 0 || !isfinite (s->low) || !isfinite (s->high))
    return MEMLANE_ESTIMATE_UNKNOWN;
  /* A file may say what it likes: the value lies in its interval, and no time is below 0. */
  return (MemlaneEstimate) { s->median, CLAMP (s->low, 0, s->median), MAX (s->high, s->median) };
}

MemlaneEstimate
memlane_estimate_of_sampling (const MemlaneFigure *figure)
{
  MemlaneEstimate estimate = memlane_estimate_from_figure (figure), middle;
  double values[MEMLANE_MOST_ROUNDS];

  if (!memlane_estimate_is_known (&estimate)
      || figure->statistics.interval != MEMLANE_INTERVAL_OTHER_SWEEPS || figure->rounds == NULL)
    return estimate;
  for (guint i = 0; i < figure->n_rounds; i++)
    values[i] = figure->rounds[i].median;
  middle = memlane_find_middle (values, figure->n_rounds, MEMLANE_LEVEL_OF_ROUNDS);
  return (MemlaneEstimate) { estimate.value, MIN (middle.low, estimate.value),
                            MAX (middle.high, estimate.value) };
}

MemlaneEstimate
memlane_estimate_of (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  return memlane_estimate_from_figure (cell != NULL ? memlane_cell_find (cell, phase, clock)
                                                    : NULL);
}

MemlaneEstimate
memlane_estimate_add (const MemlaneEstimate *a, const MemlaneEstimate *b)
{
  double value = a->value + b->value, half = hypot ((a->high - a->low) / 2, (b->high - b->low) / 2);

  if (!memlane_estimate_is_known (a) || !memlane_estimate_is_known (b))
    return MEMLANE_ESTIMATE_UNKNOWN;
  return (MemlaneEstimate) { value, value - half, value + half };
}

MemlaneEstimate
memlane_estimate_subtract (const MemlaneEstimate *a, const MemlaneEstimate *b)
{
  const MemlaneEstimate negative = { -b->value, -b->high, -b->low };

  return memlane_estimate_add (a, &negative);
}

MemlaneEstimate
memlane_estimate_scale (const MemlaneEstimate *a, double factor)
{
  if (!memlane_estimate_is_known (a))
    return MEMLANE_ESTIMATE_UNKNOWN;
  return (MemlaneEstimate) { a->value * factor, a->low * factor, a->high * factor };
}

double
memlane_estimate_half_log (const MemlaneEstimate *estimate)
{
  return log (estimate->high / MAX (estimate->low, estimate->value * 1e-3)) / 2;
}

double
memlane_estimate_get_round (const MemlaneFigure *figure, guint round)
{
  for (guint i = 0; figure != NULL && figure->rounds != NULL && i < figure->n_rounds; i++)
    if (figure->rounds[i].round == round)
      return figure->rounds[i].median;
  return NAN;
}

MemlaneEstimate
memlane_estimate_ratio (const MemlaneFigure *a, const MemlaneFigure *b)
{
  MemlaneEstimate x = memlane_estimate_from_figure (a), y = memlane_estimate_from_figure (b);
  double ratios[MEMLANE_MOST_ROUNDS], value = x.value / y.value, half;
  guint n = 0;

  if (!memlane_estimate_is_known (&x) || !memlane_estimate_is_known (&y))
    return MEMLANE_ESTIMATE_UNKNOWN;
  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS; round++)
    {
      ratios[n] = memlane_estimate_get_round (a, round) / memlane_estimate_get_round (b, round);
      n += ratios[n] > 0 && isfinite (ratios[n]);
    }
  if (n >= 2)
    return memlane_find_middle (ratios, n, MEMLANE_LEVEL_OF_PAIRS);
  half = hypot (memlane_estimate_half_log (&x), memlane_estimate_half_log (&y));
  return (MemlaneEstimate) { value, value / exp (half), value * exp (half) };
}
