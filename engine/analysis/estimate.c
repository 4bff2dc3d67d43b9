/* estimate.c: values with intervals, added, subtracted and compared
 *
 * SPDX-License-Identifier: MIT
 */
#include "estimate.h"

#include "result/statistics.h"

gboolean
memlane_estimate_is_known (const MemlaneEstimate *estimate)
{
  return isfinite (estimate->value) && !isnan (estimate->low) && !isnan (estimate->high);
}

MemlaneEstimate
memlane_estimate_from_figure (const MemlaneFigure *figure)
{
  const MemlaneStatistics *s = figure != NULL ? &figure->statistics : NULL;

  if (s == NULL || s->count < 2 || figure->status > MEMLANE_STATUS_NOISY || !isfinite (s->median) || s->median <= 0
      || !isfinite (s->ci95_low) || !isfinite (s->ci95_high))
    return MEMLANE_ESTIMATE_UNKNOWN;
  /* A file may say what it likes: the value lies in its interval, and no time is below 0. */
  return (MemlaneEstimate) { s->median, CLAMP (s->ci95_low, 0, s->median), MAX (s->ci95_high, s->median) };
}

MemlaneEstimate
memlane_estimate_of (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  return memlane_estimate_from_figure (cell != NULL ? memlane_cell_find (cell, phase, clock) : NULL);
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
memlane_estimate_from_pairs (const double *values, guint n)
{
  MemlaneMiddle middle;

  memlane_find_middle (values, n, MEMLANE_LEVEL_OF_PAIRS, &middle);
  return (MemlaneEstimate) { middle.value, middle.low, middle.high };
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
    return memlane_estimate_from_pairs (ratios, n);
  half = hypot (memlane_estimate_half_log (&x), memlane_estimate_half_log (&y));
  return (MemlaneEstimate) { value, value / exp (half), value * exp (half) };
}

double
memlane_student_quantile (guint freedom)
{
  static const double quantiles[] = {
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139, 2.200985, 2.178813, 2.160369,
    2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529,
    2.051831, 2.048407, 2.045230, 2.042272,
  };
  const double z = 1.959963985;

  if (freedom == 0)
    return INFINITY;
  if (freedom <= G_N_ELEMENTS (quantiles))
    return quantiles[freedom - 1];
  /* Cornish & Fisher's expansion (Abramowitz & Stegun 26.7.5), beyond 30 right to 5 digits */
  return z + (z * z * z + z) / (4.0 * freedom) + (5 * pow (z, 5) + 16 * pow (z, 3) + 3 * z) / (96 * pow (freedom, 2))
         + (3 * pow (z, 7) + 19 * pow (z, 5) + 17 * pow (z, 3) - 15 * z) / (384 * pow (freedom, 3));
}
