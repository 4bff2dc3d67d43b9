/* crossover.h: the sizes at which one mode becomes faster than another
 *
 * SPDX-License-Identifier: MIT
 *
 * d = ln (time of A / time of B) is known with an interval at each measured size. It comes from rounds in pairs, else from the cells' own
 * intervals, added like standard deviations (estimate.h). Between sizes log d is interpolated over log size through four neighbours
 * (Lagrange; three at the ends). It is kept between its two nearest, so that no crossing comes from the polynomial alone. The interval goes
 * with the weights. Two straight lines in log-log would miss the knee of alpha + bytes / beta by 1.5 %, more than the cells' precision.
 * A crossing's 95 % interval is the set of sizes at which d cannot be told from 0 (as Fieller's theorem does for a ratio): it holds the
 * true crossing with 95 %. It may end at the smallest or largest size measured, and is open there.
 */
#pragma once

#include "estimate.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_CROSSOVER_CROSSES, /* see crossings */
  MEMLANE_CROSSOVER_A,       /* A is faster throughout */
  MEMLANE_CROSSOVER_B,
  MEMLANE_CROSSOVER_UNTOLD,  /* the intervals overlap everywhere */
  MEMLANE_CROSSOVER_NO_DATA, /* no size has times of both */
  MEMLANE_N_CROSSOVER_VERDICTS
} MemlaneCrossoverVerdict;

/* One stretch of sizes in which the order cannot be told; a crossing when the order differs on its two sides. */
typedef struct
{
  double elements;      /* where the medians cross, in elements of one vector; NAN: nowhere in the stretch */
  double low, high;     /* the stretch's ends, in elements */
  gboolean open_low, open_high; /* it reaches the first, the last measured size: it may go on beyond */
  int before, after;    /* who is faster below and above it: -1 A, 1 B, 0 open */
} MemlaneCrossing;

typedef struct
{
  MemlaneCrossoverVerdict verdict;
  guint first_log2, last_log2, n_sizes; /* those with times of both */
  GArray *crossings;    /* (element-type MemlaneCrossing), ascending; never NULL. With before = -after: the order turns there */
  double least_ratio;   /* A and B: slower / faster by the medians, where they come closest; NAN else */
  guint least_log2;
} MemlaneCrossover;

typedef struct
{
  guint log2_elements;
  MemlaneEstimate a, b;  /* ns */
  MemlaneEstimate ratio; /* a / b by their rounds; all zero: of the two as they are */
} MemlaneCrossoverPoint;

/* @points in ascending order of size; those with an unknown time are passed over. Returns: (transfer full). */
MemlaneCrossover *memlane_crossover_new (const MemlaneCrossoverPoint *points, guint n);
/* Compares one @phase of two modes on @clock, over @run's cells of @workload with the smallest reuse. Returns: (transfer full). */
MemlaneCrossover *memlane_crossover_run (const MemlaneRun *run, const char *workload, const char *a, const char *b, MemlanePhase phase,
                                         MemlaneClock clock);
void memlane_crossover_free (MemlaneCrossover *crossover);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneCrossover, memlane_crossover_free)

G_END_DECLS
