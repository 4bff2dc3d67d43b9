/* decide-private.h: a decision as it is made: for decide*.c alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "decide.h"
#include "result/floors.h"

G_BEGIN_DECLS

#define MEMLANE_DECIDE_SIZES 64 /* log2; a run's are 4 to 28 */

/* What others see, and the cells it rests on. */
typedef struct
{
  MemlaneDecision public;
  GPtrArray **cells;   /* [mode * SIZES + log2] -> (element-type MemlaneCell, borrowed) with a time, ascending reuse; or NULL */
  GHashTable *origins; /* MemlaneCell -> number of its run, from 1 */
  guint n_unlike;      /* cells of other streams or chunks, left out */
  guint vectors;       /* of a workload whose reuse repeats the kernel, inputs and result; else 0 */
  MemlaneFloors floors; /* of the first run; all zeros where it has none: what a pair of events holds, and a kernel in a row */
  double launch_ns;     /* one kernel launch in a row of them, on the host; 0: cannot be told */
} MemlaneDecisionParts;

/* (nullable): those of a mode and size that have a time, ascending reuse. */
const GPtrArray *memlane_decision_get_cells (const MemlaneDecision *self, guint mode, guint log2_elements);
/* From the cells, once they are indexed, and the floors: launch_ns. */
void memlane_decision_find_terms (MemlaneDecisionParts *self);

/* What @terms come to, with the interval of what was sampled alone. */
MemlaneEstimate memlane_terms_sum (const MemlaneTerms *terms);

/* What @a takes beyond @b, as a share of @b, of the same size and reuse (decide-compare.c). */
MemlaneEstimate memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b);

/* As memlane_decision_break_even(), of two given modes. */
void memlane_decision_compare_uses (const MemlaneDecision *self, guint in_place, guint copying, guint log2_elements,
                                    MemlaneBreakEven *result);

G_END_DECLS
