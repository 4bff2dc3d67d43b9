/* statistics.h: order statistics of a set of samples, and values with their 95 % confidence
 * intervals
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>
#include <math.h>

#include "base/each.h"
#include "run.h"

/* Median, quartiles, extremes and the 95 % confidence interval of the median of @n samples (ns);
 * *@statistics with count 0 when n is 0.
 *
 * Quantiles are type 7 of Hyndman & Fan (1996): linear between order statistics. The interval is
 * the narrowest symmetric pair of order statistics x(k), x(n+1-k) that covers the median with at
 * least 95 %. That is by the binomial distribution (Hollander & Wolfe 1999, 3.6). Below 6 samples
 * no pair does; then it is [min, max]. */
void memlane_statistics_compute (const double *samples, guint n, MemlaneStatistics *statistics);

/* Sorts @values, of which there is at least one, and returns their median. */
double memlane_median (double *values, guint n);

/* low <= value <= high. An end that the data do not bound is -INFINITY or INFINITY; value NAN: it
 * cannot be told. */
typedef struct
{
  double value, low, high;
} MemlaneEstimate;

#define MEMLANE_ESTIMATE_UNKNOWN ((MemlaneEstimate) { NAN, NAN, NAN })

/* Nominal levels. What all rounds of a sweep have in common cancels in the ratio of two
 * measurements of one round. */
#define MEMLANE_LEVEL_OF_ROUNDS 0.98
#define MEMLANE_LEVEL_OF_PAIRS 0.95

/* Returns Hodges and Lehmann's estimate of @n >= 1 @values, the median of the averages of all
 * pairs. Its interval is that of Wilcoxon's signed ranks (Hollander & Wolfe 1999, 3.2 and 3.3). It
 * holds at least @level if the values are independent and symmetric. Six values reach 96.9 % at
 * most, fewer less than 95 %: then the interval goes from the smallest to the largest. */
MemlaneEstimate memlane_find_middle (const double *values, guint n, double level);

/* Returns @a / @b. If both have rounds, it is that of their ratios round by round, as of pairs:
 * what
 * disturbs one round disturbs both. A round that one of them lacks is left out. Else the medians
 * and both intervals together, as of independent figures. Unknown when one of them is. */
MemlaneEstimate memlane_estimate_ratio (const MemlaneFigure *a, const MemlaneFigure *b);

/* Returns the estimate of @figure (nullable) with the interval of its rounds alone, where it has
 * that for other sweeps: what this sweep tells. Else as memlane_estimate_from_figure(). */
MemlaneEstimate memlane_estimate_of_sampling (const MemlaneFigure *figure);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* Returns the part of 1 for the @n-th sample: multiples of the golden ratio spread evenly. */
static inline double
memlane_spread (guint n)
{
  return fmod (0.6180339887498949 * n, 1);
}

gboolean memlane_estimate_is_known (const MemlaneEstimate *estimate);

/* The median of @figure with its interval. Unknown for NULL, for a figure without samples or of a
 * failed cell, and for what is no positive finite time. Unknown too for fewer than 2 samples, which
 * bound nothing. Below 6 samples the interval is [min, max]. */
MemlaneEstimate memlane_estimate_from_figure (const MemlaneFigure *figure);

/* As memlane_estimate_from_figure(), of that figure of @cell (nullable). */
MemlaneEstimate memlane_estimate_of (const MemlaneCell *cell, MemlanePhase phase,
                                     MemlaneClock clock);

/* @figure (nullable) in @round, from 1. NAN: it was not measured there, or has no rounds. */
double memlane_estimate_get_round (const MemlaneFigure *figure, guint round);

/* Half the length of its interval in logarithms; an end that reaches 0 is taken as a thousandth of
 * the value. */
double memlane_estimate_half_log (const MemlaneEstimate *estimate);

/* a + b, a - b and @factor * a (@factor >= 0) of independent estimates: half the lengths of the
 * intervals add like standard deviations. (Not the distances from value to each end by themselves,
 * as the method of variance estimates recovery would have it, Zou & Donner 2008: a median that lies
 * high by chance lies far from its lower order statistic by the same chance. The intervals would
 * hold 99 %.) Unknown when one of them is. */
MemlaneEstimate memlane_estimate_add (const MemlaneEstimate *a, const MemlaneEstimate *b);
MemlaneEstimate memlane_estimate_subtract (const MemlaneEstimate *a, const MemlaneEstimate *b);
MemlaneEstimate memlane_estimate_scale (const MemlaneEstimate *a, double factor);

#endif
