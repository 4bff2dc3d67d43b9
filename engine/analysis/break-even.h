/* break-even.h: after how many samples, or uses, a price paid once has been earned
 *
 * SPDX-License-Identifier: MIT
 *
 * B instead of A costs @price more once and wins @gain each time: it has paid after N = price / gain. Price and gain are measured, so N is
 * a ratio of two estimates; its interval is the set of all N at which price - N gain cannot be told from 0 (Fieller 1954), so it may be
 * open above.
 */
#pragma once

#include "base/api.h"
#include "estimate.h"

MEMLANE_BEGIN_PUBLIC

typedef enum
{
  MEMLANE_BREAK_EVEN_AT_ONCE, /* B costs no more and wins, or costs less and loses nothing */
  MEMLANE_BREAK_EVEN_AFTER,   /* B costs more and wins: from count on it is ahead */
  MEMLANE_BREAK_EVEN_UNTIL,   /* B costs less and loses: up to count it is ahead */
  MEMLANE_BREAK_EVEN_NEVER,   /* B costs no less and wins nothing */
  MEMLANE_BREAK_EVEN_UNTOLD,  /* the intervals allow both */
  MEMLANE_BREAK_EVEN_NO_DATA, /* @missing says which figure is not there */
  MEMLANE_N_BREAK_EVEN_VERDICTS
} MemlaneBreakEvenVerdict;

typedef struct
{
  MemlaneBreakEvenVerdict verdict;
  MemlaneEstimate price_ns;   /* of B beyond A, once */
  MemlaneEstimate gain_ns;    /* of B over A, each time */
  MemlaneEstimate count;      /* AFTER, UNTIL; unknown else */
  const char *missing_mode;   /* NO_DATA: the mode whose figure @missing is not in the run; points to what the caller passed */
  MemlanePhase missing;
} MemlaneBreakEven;

/* How many samples of 2^@log2_elements pay for the memory of @pinned ("pinned", "registered", ...) instead of @pageable ("pageable"):
 * price = alloc + free of a buffer set, gain = elapsed of one sample, on the host clock. A sample of a copy workload is `reuse` copies.
 * @first_write adds host_write to the price of both: malloc hands out pages that the kernel makes when they are first written, which the
 * page-locking calls do at once, so for memory that is written anyway this is the fair price. Any thread. */
void memlane_break_even_pinning (const MemlaneRun *run, const char *workload, const char *pageable, const char *pinned,
                                 guint log2_elements, gboolean first_write, MemlaneBreakEven *result);

/* From how many uses of the same data on it pays to copy it (@copying, "pinned-async") instead of reaching it over the link each time
 * (@mapped): elapsed (r) = elapsed (r0) + (r - r0) kernel, so price = elapsed of copying beyond mapped at r0, gain = the difference of one
 * kernel. A copied kernel after the first finds what device-resident's does (its figure is taken where the run has it). result->count is a
 * reuse, r0 included. */
void memlane_break_even_reuse (const MemlaneRun *run, const char *workload, const char *mapped, const char *copying, guint log2_elements,
                               MemlaneBreakEven *result);

MEMLANE_END_PUBLIC

#ifdef MEMLANE_COMPILATION /* for the engine and its tests; the shared library does not export it */

G_BEGIN_DECLS

void memlane_break_even_compute (const MemlaneEstimate *price_ns, const MemlaneEstimate *gain_ns, MemlaneBreakEven *result);

G_END_DECLS

#endif
