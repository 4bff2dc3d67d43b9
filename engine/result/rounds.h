/* rounds.h: one cell from what each round saw of it
 *
 * SPDX-License-Identifier: MIT
 *
 * A round is a pass over all cells by a process of its own, with new buffers. Samples of one process are alike for reasons of their own, so
 * their interval says nothing of the next process: the interval of a figure goes from the smallest to the largest of its rounds' medians,
 * one in twelve left out at each end. Of six rounds that holds 96.9 %, of twelve 99.4 %, if rounds are independent. They are not quite: the
 * narrowest order statistics of twelve that ought to hold 96 % held other runs' medians in 86.5 % (data/doc/figures.md).
 * Here, and not in measure/, because a journal holds rounds and is read as a run.
 */
#pragma once

#include "run.h"

G_BEGIN_DECLS

#define MEMLANE_ROUNDS_PER_OUTLIER 12 /* so many, and the interval leaves one out at each end */
#define MEMLANE_ROUNDS_FOR_INTERVAL 6 /* the smallest and the largest of so many hold the median with 96.9 % */

typedef struct
{
  guint rounds;                   /* asked for */
  double precision;               /* 0.2: an interval within +-20 % of the median; else the figure is noisy */
  gboolean is_exact;              /* the device has no noise: one round is all there is to know */
  double ticks[MEMLANE_N_CLOCKS]; /* ns: no interval is narrower; 0: unknown */
} MemlaneRoundRule;

/* As the environment of a run tells it: method/rounds, method/precision, device/exact, and the floors (floors.h). FALSE: it is of before
 * there were rounds, or there is none. */
gboolean memlane_round_rule_read (MemlaneRoundRule *rule, const MemlaneRun *run);

/* The rounds of one cell. Not thread-safe. */
typedef struct _MemlaneRounds MemlaneRounds;

MemlaneRounds *memlane_rounds_new (void);
void memlane_rounds_free (MemlaneRounds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneRounds, memlane_rounds_free)

/* What @round saw, at @place (from 1) of its order; @cell: of one process, as memlane_measure_cell() returns it. It replaces what the same
 * round saw before, unless that was measured and this is not. */
void memlane_rounds_take (MemlaneRounds *self, guint round, guint place, MemlaneCell *cell);
guint memlane_rounds_count_measured (const MemlaneRounds *self);
guint memlane_rounds_count_failed (const MemlaneRounds *self); /* unsupported ones too */
/* Whether another round would see the same again: it is unsupported, computed something else, or failed twice and never worked. */
gboolean memlane_rounds_is_settled (const MemlaneRounds *self);

/* (transfer full): a new cell of the rounds that were measured; when some were not, its detail tells of the last of these. Without a
 * measured one, what the last round said. A wrong result in any round is the cell's. NULL: no round was taken.
 *
 * Of one round the interval is that of its samples. Of two to five it is from the smallest to the largest, which holds less than 95 %:
 * these are noisy, but on an exact device. */
MemlaneCell *memlane_rounds_merge (const MemlaneRounds *self, const MemlaneRoundRule *rule);

G_END_DECLS
