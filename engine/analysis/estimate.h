/* estimate.h: a value with its 95 % confidence interval
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>

#include <glib.h>

#include "result/run.h"

/* low <= value <= high. An end that the data do not bound is -INFINITY or INFINITY; value NAN: it cannot be told. */
typedef struct
{
  double value, low, high;
} MemlaneEstimate;

#define MEMLANE_ESTIMATE_UNKNOWN ((MemlaneEstimate) { NAN, NAN, NAN })

/* Returns @a / @b. If both have rounds, it is that of their ratios round by round, by memlane_estimate_from_pairs(): what
 * disturbs one round disturbs both. A round that one of them lacks is left out. Else the medians and both intervals together, as of
 * independent figures. Unknown when one of them is. */
MemlaneEstimate memlane_estimate_ratio (const MemlaneFigure *a, const MemlaneFigure *b);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

gboolean memlane_estimate_is_known (const MemlaneEstimate *estimate);

/* The median of @figure with its interval. Unknown for NULL, for a figure without samples or of a failed cell, and for what is no positive
 * finite time. Unknown too for fewer than 2 samples, which bound nothing. Below 6 samples the interval is [min, max]
 * (result/statistics.h). */
MemlaneEstimate memlane_estimate_from_figure (const MemlaneFigure *figure);

/* The same of that figure of @cell (nullable). */
MemlaneEstimate memlane_estimate_of (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock);

/* The middle of @values, of which there are at least two: one a round, such as the ratios or the differences of two figures of one run.
 * In them the state that a round shares cancels (MEMLANE_LEVEL_OF_PAIRS). */
MemlaneEstimate memlane_estimate_from_pairs (const double *values, guint n);
/* @figure (nullable) in @round, from 1. NAN: it was not measured there, or has no rounds. */
double memlane_estimate_get_round (const MemlaneFigure *figure, guint round);

/* Half the length of its interval in logarithms; an end that reaches 0 is taken as a thousandth of the value. */
double memlane_estimate_half_log (const MemlaneEstimate *estimate);

/* a + b, a - b and @factor * a (@factor >= 0) of independent estimates: half the lengths of the intervals add like standard deviations.
 * (Not the distances from value to each end by themselves, as the method of variance estimates recovery would have it, Zou & Donner 2008: a
 * median that lies high by chance lies far from its lower order statistic by the same chance. The intervals would hold 99 %.) Unknown when
 * one of them is. */
MemlaneEstimate memlane_estimate_add (const MemlaneEstimate *a, const MemlaneEstimate *b);
MemlaneEstimate memlane_estimate_subtract (const MemlaneEstimate *a, const MemlaneEstimate *b);
MemlaneEstimate memlane_estimate_scale (const MemlaneEstimate *a, double factor);

/* The 97.5 % quantile of Student's t distribution with @freedom >= 1 degrees of freedom. */
double memlane_student_quantile (guint freedom);

#endif
