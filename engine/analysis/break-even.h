/* break-even.h: after how many samples, or uses, a price paid once has been earned
 *
 * SPDX-License-Identifier: MIT
 *
 * B instead of A costs @price more once and wins @gain each time: it has paid after N = price / gain. Price and gain are measured, so N is
 * a ratio of two estimates. Its interval is the set of all N at which price - N gain cannot be told from 0 (Fieller 1954). So it may be
 * open above.
 */
#pragma once

#include <glib.h>

#include "estimate.h"

G_BEGIN_DECLS

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
  MemlaneEstimate count;      /* AFTER, UNTIL; unknown else. UNTOLD: a low end says that A is certainly ahead below it */
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

/* How many samples of 2^@log2_elements pay for the memory of @pinned instead of @pageable (ids): price = alloc + first write + first read +
 * free of a buffer set by the host. The gain is the elapsed time of one sample. Both are on the host clock. (malloc hands out pages that
 * the kernel makes when they are first written, which the page-locking calls do at once: without the write the price would be unfair.) A
 * sample of a copy workload is `reuse` copies.
 * A sweep allocates again and again, so its figures are those of MEMLANE_PINNING_NEW or, where the driver kept the memory, of _POOLED: the
 * latter when @pinned's allocation costs less than half of what registering as much costs, which is never kept. The other one is NO_DATA:
 * no sample of a sweep shows it. _FIRST adds what the first page-locked memory of a process took, which
 * each round's process tells in the environment ("first_pinned_ns": a few bytes; the driver sets itself up, and takes a chunk). It is
 * NO_DATA where fewer than two rounds tell, and for what is registered.
 * Price and gain are differences within rounds, where the run has them, and those of the host's state in this run.
 * Figures of one process have intervals that say nothing of another one; they are taken as MEMLANE_ONE_PROCESS times as wide here. Any
 * thread. */
void memlane_break_even_pinning (const MemlaneRun *run, const char *workload, const char *pageable, const char *pinned,
                                 double log2_elements, MemlanePinning pinning, MemlaneBreakEven *result);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

G_BEGIN_DECLS

/* The factor by which an interval of one process is too narrow: of 893 pairs of modes that are the same, the differences lay within 5.2
 * such intervals with 95 % (eight recordings of an H200). */
#define MEMLANE_ONE_PROCESS 5.0

void memlane_break_even_compute (const MemlaneEstimate *price_ns, const MemlaneEstimate *gain_ns, MemlaneBreakEven *result);

G_END_DECLS

#endif
