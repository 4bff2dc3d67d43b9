/* statistics.h: order statistics of a set of samples
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "base/each.h"
#include "run.h"

/* Median, quartiles, extremes and the 95 % confidence interval of the median of @n samples (ns); *@statistics with count 0 when n is 0.
 *
 * Quantiles are type 7 of Hyndman & Fan (1996): linear between order statistics. The interval is the narrowest symmetric pair of order
 * statistics x(k), x(n+1-k) that covers the median with at least 95 %. That is by the binomial distribution (Hollander & Wolfe 1999, 3.6).
 * Below 6 samples no pair does; then it is [min, max]. */
void memlane_statistics_compute (const double *samples, guint n, MemlaneStatistics *statistics);

/* Sorts @values, of which there is at least one, and returns their median. */
double memlane_median (double *values, guint n);

/* The middle of values that scatter about it, with an interval. */
typedef struct
{
  double value, low, high;
} MemlaneMiddle;

/* Nominal levels. What all rounds of a sweep have in common cancels in the ratio of two measurements of one round. */
#define MEMLANE_LEVEL_OF_ROUNDS 0.98
#define MEMLANE_LEVEL_OF_PAIRS 0.95

/* Computes Hodges and Lehmann's estimate of @n >= 1 @values, the median of the averages of all pairs. Computes the interval of Wilcoxon's
 * signed ranks for it (Hollander & Wolfe 1999, 3.2 and 3.3). It holds at least @level if the values are independent and symmetric. Six
 * values reach 96.9 % at most, fewer less than 95 %: then the interval goes from the smallest to the largest. */
void memlane_find_middle (const double *values, guint n, double level, MemlaneMiddle *middle);
