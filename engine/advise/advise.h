/* advise.h: what a traced program would gain from another way to use memory
 *
 * SPDX-License-Identifier: MIT
 *
 * The copies, page migrations, allocations and waits of a trace are grouped by the call that makes
 * them. For each group the program is replayed (replay.h) with the times that the same bytes take
 * in another mode, by the curves of runs. Two computations bound each time:
 *   absolute   the curve's time of the new way, with the curve's interval;
 *   relative   the measured time by the ratio of both curves, for a program that is slower or
 *              faster than the curve.
 * Where the curves are of the same GPU the absolute one counts alone. A gain is the range between
 * both replays, minus the price where there is one. In another run all that a change touches takes
 * up to 20 % more or less, not only the part that it saves. data/doc/figures.md says how that was
 * seen. Two changes that page-lock the same memory pay once.
 */
#pragma once

#include "analysis/answer.h"
#include "trace/trace.h"

typedef enum
{
  MEMLANE_CHANGE_PIN,      /* pageable memory of copies becomes page-locked */
  MEMLANE_CHANGE_ONCE,     /* the same bytes are copied again and again */
  MEMLANE_CHANGE_MERGE,    /* many small copies in a row become one */
  MEMLANE_CHANGE_OVERLAP,  /* copies run beside kernels, in chunks */
  /* kernels read the host's memory over the link, instead of a copy that one of them alone uses */
  MEMLANE_CHANGE_MAP,
  MEMLANE_CHANGE_PREFETCH, /* managed pages move ahead of their use */
  MEMLANE_CHANGE_POOL,     /* allocations in a loop leave it */
  MEMLANE_CHANGE_FETCH,    /* small results are fetched later, or together */
  MEMLANE_CHANGE_WAIT,     /* waits in a loop leave it */
  MEMLANE_N_CHANGES
} MemlaneChangeKind;

typedef struct
{
  MemlaneChangeKind kind;
  MemlaneAnswer *headline;    /* owned: what to do, where, and what it saves of the whole */
  MemlaneAnswer *sentence;    /* owned: the same with what the group takes now */
  MemlaneAnswer *price;       /* owned (nullable): what it costs once, and when it pays */
  /* ns saved in one run of the program, price included; 0 <= high; low < 0: it may cost time */
  double low, high;
  const char *before, *after; /* lines of code; static */
  /* ids of the group's copies, migrations or calls, ascending; owned, never none */
  guint32 *events;
  guint n_events;
  /* of the same events as a better change before it: their gains do not add up */
  gboolean is_alternative;
  double price_low, price_high; /* ns; in low and high already */
  GArray *edits;              /* owned: of the replay; for advise.c alone */
} MemlaneChange;

typedef struct
{
  double wall;         /* ns: from the first event to the end of the last */
  double copies;       /* ns in which anything moved between host and device */
  /* ns of copies and allocations in which no kernel ran, and of migrations; no change saves more,
   * but for the 20 % */
  double exposed;
  double low, high;    /* ns that all changes save that can be made together */
  MemlaneAnswer *whole; /* owned: the times above */
  /* owned (nullable): what all changes save; or that there is none; NULL: there is one */
  MemlaneAnswer *together;
  /* owned: whose costs they are; of MEMLANE_ANSWER_TROUBLE where changes are missing for want of
   * them */
  MemlaneAnswer *costs;
  MemlaneAnswer *doubt; /* owned (nullable): they may not be this GPU's */
  /* (element-type MemlaneChange): the largest gain first, alternatives behind what they replace */
  GPtrArray *changes;
} MemlaneAdvice;

/* Returns: (transfer full). @runs (element-type MemlaneRun): of one device, with copies from
 * pageable and page-locked memory. Any thread. */
MemlaneAdvice *memlane_advise (const MemlaneTrace *trace, const GPtrArray *runs);
/* The runs that tell what copies cost on @gpu (nullable; as CUDA calls it): the newest of
 * somebody's own sweeps of it; else those recorded with Memlane of the GPU whose name is nearest,
 * without one the H200's. None where no data are installed. Any thread; takes up to a second.
 * Returns: (transfer full) (element-type MemlaneRun); @are_own (nullable): they are somebody's
 * own. */
GPtrArray *memlane_advise_find_runs (const char *gpu, gboolean *are_own);
void memlane_advice_free (MemlaneAdvice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneAdvice, memlane_advice_free)

/* "pin", "once": words of JSON; static. */
const char *memlane_change_kind_name (MemlaneChangeKind kind);
