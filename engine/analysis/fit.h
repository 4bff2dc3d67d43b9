/* fit.h: latency and bandwidth: the line T = alpha + bytes / beta through the times of one mode and phase
 *
 * SPDX-License-Identifier: MIT
 *
 * The line is that of Hockney & Jesshope (Parallel Computers 2, 1988, 1.3.2): t = (n + n_1/2) / r_inf. Here r_inf = beta is the asymptotic
 * bandwidth, and n_1/2 = alpha beta the size at which half of it is reached.
 *
 * How it is laid:
 *  1. Weighted least squares on relative errors: weights 1 / (s T)^2, T from the line, so that 4 KiB counts as much as 4 MiB. s^2 is the
 *     mean of what the cell's own 95 % interval says and of what is usual in the phase. An interval from a dozen samples is a rough guess,
 *     and no lucky cell shall rule. Repeated until the line rests (iteratively reweighted: Carroll & Ruppert 1988, 2.2). The latency is at
 *     least 0: a line that would cut the axis below is laid through the origin.
 *  2. Intervals from the scatter about the line with Student's t at n - 2 degrees of freedom, whatever the cells claimed. That of 1 / slope
 *     is the reciprocal of the slope's. That of n_1/2, a ratio of two estimates that hang together, is by Fieller's theorem (1954). An end
 *     may be infinite.
 *  3. The line describes the data when no size is further off than MEMLANE_FIT_BAR of its time (or 3.5 of its own standard deviations).
 *     Its bandwidth is at most the link's or the memory's. If not, the longest stretch of at least MEMLANE_FIT_LEAST_PART neighbouring
 *     sizes that one does describe is reported instead; of equal ones that of larger sizes. No size of a stretch is left out. A stretch
 *     that was looked for is no longer a fair sample: its intervals are a little narrow.
 */
#pragma once

#include <glib.h>

#include "result/statistics.h"

#define MEMLANE_FIT_BAR 0.10
#define MEMLANE_FIT_LEAST 3      /* sizes */
#define MEMLANE_FIT_LEAST_PART 5

typedef enum
{
  MEMLANE_FIT_STRAIGHT, /* one line describes all sizes */
  MEMLANE_FIT_PART,     /* one line describes first_log2 .. last_log2, and not the rest */
  MEMLANE_FIT_BENT,     /* no line does; the figures are those of the line through all sizes, and not to be shown */
  MEMLANE_FIT_TOO_FEW,  /* fewer than MEMLANE_FIT_LEAST sizes: no figures */
  MEMLANE_N_FIT_VERDICTS
} MemlaneFitVerdict;

typedef struct
{
  double log2_elements;
  double bytes;
  MemlaneEstimate ns;
} MemlaneFitPoint;

typedef struct
{
  MemlaneFitVerdict verdict;
  MemlaneEstimate latency_ns;   /* alpha, at least 0 */
  MemlaneEstimate bandwidth;    /* beta, bytes per second */
  MemlaneEstimate half_bytes;   /* n_1/2 = alpha beta */
  double first_log2, last_log2;  /* the sizes that the line describes (all of them when BENT) */
  guint n_sizes;                /* in that range with a time */
  guint n_offered;              /* sizes with a time ... */
  double least_log2, most_log2;  /* ... from here to there */
  double worst;                 /* relative distance of a size from the line */
  double worst_log2;
} MemlaneFit;

/* The fit of one @mode, @phase and @clock of @run's cells of @workload that have the smallest reuse. Bytes are the phase's bytes_moved.
 * FALSE: there is no such figure that moves any. */
gboolean memlane_fit_run (const MemlaneRun *run, const char *workload, const char *mode, MemlanePhase phase, MemlaneClock clock,
                          MemlaneFit *fit);
/* The clock on which @phase of @mode is best timed: device, else host; MEMLANE_N_CLOCKS: the run has neither. */
MemlaneClock memlane_fit_clock (const MemlaneRun *run, const char *workload, const char *mode, MemlanePhase phase);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* @points in ascending order of bytes, each size once; unknown and non-positive times are passed over. @ceiling: the largest bandwidth that
 * is possible, in bytes per second; or INFINITY. */
void memlane_fit_points (const MemlaneFitPoint *points, guint n, double ceiling, MemlaneFit *fit);

#endif
