/* cost.h: what counts as the time of a mode: transfer and kernel, the host's access, allocation;
 * after how many uses a price is earned
 *
 * SPDX-License-Identifier: MIT
 *
 * All times are measured phases, in ns on the host's clock:
 *   transfer    elapsed
 *   host        host_write + elapsed + host_read
 *   allocation  the same + (alloc + free) / uses
 * Host access belongs to the memory, not to the mode: it is the median over all modes of one size
 * that have this memory. Allocation is the median over those that allocate the same. A sweep writes
 * memory from malloc once, so its host_write holds the first touch of the pages. The excess over
 * page-locked memory is part of allocation.
 * Static memory comes with the program: no phase allocates it, and nothing is added.
 * A direction leaves out a phase and the host's access to it. A mode without that phase moves its
 * bytes beside others, or in the kernel. There the rest takes at least its share of the bytes (the
 * link carries one way at a time). At most it takes its share of the longer way (both at once).
 */
#pragma once

#include <glib.h>

#include "result/statistics.h"
#include "mode/mode.h"

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

/* (transfer full): @run with the time by @count in place of each elapsed time on the host's clock.
 * @uses, at least 1: how often what was allocated is used. A cell that lacks a phase has no elapsed
 * time there; *@n_lacking (nullable) receives how many those are. Any thread.
 * */
MemlaneRun *memlane_run_count (const MemlaneRun *run, MemlaneCount count, guint uses,
                               guint *n_lacking);

/* The time of one cell by a count and a direction. */
typedef struct
{
  MemlaneEstimate ns;
  /* by round, from 1 at place 0; NAN: it was not measured in this round */
  double rounds[MEMLANE_MOST_ROUNDS];
  guint n_rounds;                     /* places in use; 0: one process */
  /* by how much it follows the speed of the host (memlane_host_slope) */
  double slope;
  /* ns: what @ns may be off by where the direction has no phase of its own */
  double loose;
  /* what is left there of a time over the link, as a share, give or take @spread; else 1 and 0 */
  double left, spread;
} MemlaneCost;

/* One of the kinds of page-locked memory that move alike; with @allocated, that are allocated
 * alike, too. */
MemlaneHostMemory memlane_cost_get_kind (MemlaneHostMemory memory, gboolean allocated);
/* Makes @cost's value and interval of its rounds, of one sweep or several. FALSE: there are fewer
 * than two. */
gboolean memlane_cost_find_middle (MemlaneCost *cost);
/* @vectors of which one is the result: of a workload that has directions, else 0. FALSE: a phase is
 * missing. */
gboolean memlane_cost_compute (const MemlaneRun *run, const MemlaneCell *cell, MemlaneCount count,
                               guint uses, MemlaneDirection direction, guint vectors,
                               MemlaneCost *cost);

/* --- after how many uses a price is earned -------------------------------------------------------
 *
 * B instead of A costs @price more once and wins @gain each time: it has paid after N = price /
 * gain. Price and gain are measured, so N is a ratio of two estimates. Its interval is the set of
 * all N at which price - N gain cannot be told from 0 (Fieller 1954). So it may be open above. */

typedef enum
{
  MEMLANE_BREAK_EVEN_AT_ONCE, /* B costs no more and wins, or costs less and loses nothing */
  MEMLANE_BREAK_EVEN_AFTER,   /* B costs more and wins: from count on it is ahead */
  MEMLANE_BREAK_EVEN_UNTIL,   /* B costs less and loses: up to count it is ahead */
  MEMLANE_BREAK_EVEN_NEVER,   /* B costs no less and wins nothing */
  MEMLANE_BREAK_EVEN_UNTOLD,  /* the intervals allow both */
  MEMLANE_BREAK_EVEN_NO_DATA, /* a figure is not in the run */
  MEMLANE_N_BREAK_EVEN_VERDICTS
} MemlaneBreakEvenVerdict;

typedef struct
{
  MemlaneBreakEvenVerdict verdict;
  MemlaneEstimate price_ns;   /* of B beyond A, once */
  MemlaneEstimate gain_ns;    /* of B over A, each time */
  /* AFTER, UNTIL; unknown else. UNTOLD: a low end says that A is certainly ahead below it */
  MemlaneEstimate count;
} MemlaneBreakEven;

/* The cost of page-locking depends on where the driver takes the memory from. */
typedef enum
{
  MEMLANE_PINNING_FIRST,  /* the first page-locked memory of a process */
  MEMLANE_PINNING_NEW,    /* beyond what the driver keeps: pages are locked anew */
  MEMLANE_PINNING_POOLED, /* from what the driver keeps, and gives out again */
  MEMLANE_N_PINNING_CASES
} MemlanePinning;

/* "newly page-locked": marked for translation; static. */
const char *memlane_pinning_title (MemlanePinning pinning);

/* How many samples of 2^@log2_elements pay for the memory of @pinned instead of @pageable (ids):
 * price = alloc + first write + first read + free of a buffer set by the host. The gain is the
 * elapsed time of one sample. Both are on the host clock. (malloc hands out pages that the kernel
 * makes when they are first written, which the page-locking calls do at once: without the write the
 * price would be unfair.) A sample of a copy workload is `reuse` copies.
 * A sweep allocates again and again, so its figures are those of MEMLANE_PINNING_NEW or, where the
 * driver kept the memory, of _POOLED: the latter when @pinned's allocation costs less than half of
 * what registering as much costs, which is never kept. The other one is NO_DATA: no sample of a
 * sweep shows it. _FIRST adds what the first page-locked memory of a process took, which
 * each round's process tells in the environment ("first_pinned_ns": a few bytes; the driver sets
 * itself up, and takes a chunk). It is NO_DATA where fewer than two rounds tell, and for what is
 * registered.
 * Price and gain are differences within rounds, where the run has them, and those of the host's
 * state in this run.
 * Figures of one process have intervals that say nothing of another one; they are taken as
 * MEMLANE_ONE_PROCESS times as wide here. Any thread. */
void memlane_break_even_pinning (const MemlaneRun *run, const char *workload, const char *pageable,
                                 const char *pinned, double log2_elements, MemlanePinning pinning,
                                 MemlaneBreakEven *result);

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

/* The factor by which an interval of one process is too narrow: of 893 pairs of modes that are the
 * same, the differences lay within 5.2 such intervals with 95 % (eight recordings of an H200). */
#define MEMLANE_ONE_PROCESS 5.0

void memlane_break_even_compute (const MemlaneEstimate *price_ns, const MemlaneEstimate *gain_ns,
                                 MemlaneBreakEven *result);

#endif
