/* decide-private.h: a decision as it is made: for decide*.c and their tests alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "decide.h"
#include "result/environment.h"

G_BEGIN_DECLS

/* A measured time of one mode, size and reuse. */
typedef struct
{
  const MemlaneCell *cell;
  guint run;        /* its number in the list that the decision was made from, from 1 */
  MemlaneCost cost;
} MemlanePoint;

/* A decision rests on these. */
typedef struct _MemlaneDecisionParts
{
  GPtrArray **points;   /* [mode * MEMLANE_DECIDE_SIZES + place in sizes] -> (element-type MemlanePoint) ascending reuse, owned; or NULL */
  guint n_unlike;       /* cells of other streams or chunks, left out */
  guint vectors;        /* of a workload whose reuse repeats the kernel, inputs and result; else 0 */
  MemlaneFloors floors; /* of the first run; all zeros where it has none: what a pair of events holds, and a kernel in a row */
  double launch_ns;     /* one kernel launch in a row of them, on the host; 0: cannot be told */
} MemlaneDecisionParts;

/* (nullable): those of a mode and size, ascending reuse. */
const GPtrArray *memlane_decision_get_points (const MemlaneDecision *self, guint mode, double log2_elements);
/* Finds launch_ns, from the points and the floors. */
void memlane_decision_find_launch (const MemlaneDecision *self);

/* The excess of @a over @b, as a share of @b, at the same size and reuse. */
MemlaneEstimate memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b);

G_END_DECLS
