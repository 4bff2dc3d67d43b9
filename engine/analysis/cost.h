/* cost.h: what counts as the time of a mode: transfer and kernel, with the host's access, with allocation
 *
 * SPDX-License-Identifier: MIT
 *
 * All times are measured phases, in ns on the host's clock:
 *   transfer    elapsed
 *   host        host_write + elapsed + host_read
 *   allocation  the same + (alloc + free) / uses
 * Host access belongs to the memory, not to the mode: it is the median over all modes of one size that have this memory. Allocation is the
 * median over those that allocate the same. A sweep writes
 * memory from malloc once, so its host_write holds the first touch of the pages. The excess over page-locked memory is part of allocation.
 * Static memory comes with the program: no phase allocates it, and nothing is added.
 * A direction leaves out a phase and the host's access to it. A mode without that phase moves its bytes beside others, or in the kernel.
 * There the rest takes at least its share of the bytes (the link carries one way at a time). At most it takes its share of the longer
 * way (both at once).
 */
#pragma once

#include "estimate.h"
#include "mode/mode.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_COUNT_TRANSFER,
  MEMLANE_COUNT_HOST,
  MEMLANE_COUNT_ALLOCATION,
  MEMLANE_N_COUNTS
} MemlaneCount;

#define MEMLANE_MOST_USES 1000000 /* of what is allocated; asked for by people */

/* "transfer", "host", "allocation": words of the command line; static. */
const char *memlane_count_name (MemlaneCount count);
gboolean memlane_count_parse (const char *name, MemlaneCount *count);
/* "transfer and kernel": marked for translation; static. */
const char *memlane_count_title (MemlaneCount count);

typedef enum
{
  MEMLANE_DIRECTION_BOTH,      /* inputs up, result down */
  MEMLANE_DIRECTION_TO_DEVICE, /* the result stays on the device */
  MEMLANE_DIRECTION_TO_HOST,   /* the inputs are on the device already */
  MEMLANE_N_DIRECTIONS
} MemlaneDirection;

/* "both", "to-device", "to-host": words of the command line; static. */
const char *memlane_direction_name (MemlaneDirection direction);
gboolean memlane_direction_parse (const char *name, MemlaneDirection *direction);
/* "copies both ways": marked for translation; static. */
const char *memlane_direction_title (MemlaneDirection direction);

/* (transfer full): @run with the time by @count in place of each elapsed time on the host's clock. @uses, at least 1: how often what was
 * allocated is used. A cell that lacks a phase has no elapsed time there; *@n_lacking (nullable) receives how many those are. Any thread.
 * */
MemlaneRun *memlane_run_count (const MemlaneRun *run, MemlaneCount count, guint uses, guint *n_lacking);

/* The time of one cell by a count and a direction. */
typedef struct
{
  MemlaneEstimate ns;
  double rounds[MEMLANE_MOST_ROUNDS]; /* by round, from 1 at place 0; NAN: it was not measured in this round */
  guint n_rounds;                     /* places in use; 0: one process */
  double slope;                       /* by how much it follows the speed of the host (memlane_host_slope) */
  double loose;                       /* ns: what @ns may be off by where the direction has no phase of its own */
  double left, spread;                /* what is left there of a time over the link, as a share, give or take @spread; else 1 and 0 */
} MemlaneCost;

/* One of the kinds of page-locked memory that move alike; with @allocated, that are allocated alike, too. */
MemlaneHostMemory memlane_cost_get_kind (MemlaneHostMemory memory, gboolean allocated);
/* Makes @cost's value and interval of its rounds, of one sweep or several. FALSE: there are fewer than two. */
gboolean memlane_cost_find_middle (MemlaneCost *cost);
/* @vectors of which one is the result: of a workload that has directions, else 0. FALSE: a phase is missing. */
gboolean memlane_cost_compute (const MemlaneRun *run, const MemlaneCell *cell, MemlaneCount count, guint uses, MemlaneDirection direction,
                               guint vectors, MemlaneCost *cost);

G_END_DECLS
