/* statistics.h: order statistics of a set of samples
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* Median, quartiles, extremes and the 95 % confidence interval of the median of @n samples (ns); *@statistics with count 0 when n is 0.
 *
 * Quantiles are type 7 of Hyndman & Fan (1996): linear between order statistics. The interval is the narrowest symmetric pair of order
 * statistics x(k), x(n+1-k) that covers the median with at least 95 %. That is by the binomial distribution (Hollander & Wolfe 1999, 3.6).
 * Below 6 samples no pair does; then it is [min, max]. */
void memlane_statistics_compute (const double *samples, guint n, MemlaneStatistics *statistics);

G_END_DECLS
