/* costs.h: what copies and page-locking cost, by bytes; for engine/advise alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "analysis/estimate.h"

typedef enum
{
  MEMLANE_COST_PAGEABLE_UP,
  MEMLANE_COST_PAGEABLE_DOWN,
  MEMLANE_COST_PINNED_UP,
  MEMLANE_COST_PINNED_DOWN,
  MEMLANE_COST_PREFETCH_UP,
  MEMLANE_COST_PREFETCH_DOWN,
  MEMLANE_COST_MAPPED,        /* a kernel reads the host's memory once */
  MEMLANE_COST_LOCK,          /* low: less what the first touch of pageable memory costs, which page-locking includes */
  MEMLANE_N_COSTS
} MemlaneCostCurve;

typedef struct
{
  GArray *points[MEMLANE_N_COSTS]; /* by ascending bytes */
} MemlaneCosts;

/* Gathers what @runs (element-type MemlaneRun) have. */
void memlane_costs_init (MemlaneCosts *self, const GPtrArray *runs);
void memlane_costs_clear (MemlaneCosts *self);
/* The time for @bytes, ns: between two measured sizes along a line in logarithms, below the smallest one as for that, beyond the largest
 * one in proportion. Unknown where nothing was measured. */
MemlaneEstimate memlane_costs_at (const MemlaneCosts *self, MemlaneCostCurve curve, double bytes);
/* Whether they tell what copies from pageable and from page-locked memory cost. */
gboolean memlane_costs_are_known (const MemlaneCosts *self);
/* Whether two names are of one kind of GPU, however they are spelled: "NVIDIA L4" and "NVIDIA L4 (simulated, ESTIMATED)". */
gboolean memlane_costs_fit (const char *name, const char *gpu);
