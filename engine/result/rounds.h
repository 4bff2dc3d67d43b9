/* rounds.h: one cell from what each visit saw of it
 *
 * SPDX-License-Identifier: MIT
 *
 * A round is a process of its own that visits every cell several times, in as many passes, each
 * visit with new buffers. Samples of one visit are alike, and so are the visits of one process,
 * each for reasons of its own. The mean of a round's visits is one value, and a measurement is the
 * middle of its rounds (statistics.h). Passes are counted on: with three visits in a round, the
 * second round begins with pass 4.
 * Here, and not in measure/, because a journal (job/journal.h) holds passes and is read as a run.
 */
#pragma once

#include "environment.h"

#define MEMLANE_ROUNDS_FOR_INTERVAL 6 /* fewer do not hold 95 % */
#define MEMLANE_MOST_VISITS 8

typedef struct
{
  guint rounds;                   /* asked for */
  guint visits;                   /* in a round, at least 1 */
  /* 0.2: an interval within +-20 % of the median; else the figure is noisy */
  double precision;
  gboolean is_exact;              /* the device has no noise: one round is all there is to know */
  double ticks[MEMLANE_N_CLOCKS]; /* ns: no interval is narrower; 0: unknown */
} MemlaneRoundRule;

/* Reads the rule from @environment (nullable): rounds, visits, precision, exact, floors. FALSE: the
 * run is older than rounds. */
gboolean memlane_round_rule_read (MemlaneRoundRule *rule, const MemlaneEnvironment *environment);

/* The visits of one cell. Not thread-safe. */
typedef struct _MemlaneRounds MemlaneRounds;

/* By how much a time follows the speed of the host, both in logarithms: 1 is in proportion, 0 not
 * at all. Fitted to 15 sweeps of three H200s (tests/gpu/judge --slopes). */
double memlane_host_slope (MemlanePhase phase, MemlaneClock clock);
/* Widens the interval of @value, a time that follows the host by @slope, by what other sweeps of
 * the machine may find. */
void memlane_reach_other_sweeps (double value, double slope, double *low, double *high);

MemlaneRounds *memlane_rounds_new (void);
void memlane_rounds_free (MemlaneRounds *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneRounds, memlane_rounds_free)

/* Takes what the visit of @pass (from 1) saw, at @place (from 1) of its round's order. @cell: as
 * memlane_measure_cell() returns it. It replaces
 * what the same pass saw before, unless that was measured and this is not. */
void memlane_rounds_take (MemlaneRounds *self, guint pass, guint place, MemlaneCell *cell);
guint memlane_rounds_count_measured (const MemlaneRounds *self); /* visits */
/* Whether another visit would see the same again: the cell is unsupported, computed something else,
 * or failed twice and never worked. */
gboolean memlane_rounds_is_settled (const MemlaneRounds *self);

/* (transfer full): a new cell of the rounds that measured it. If some rounds did not, its detail
 * describes the last of these. Without any, it
 * is what the last visit said. A wrong result in any visit is the cell's. NULL: there was no visit.
 *
 * The interval of one round is that of its samples. That of two to five goes from the smallest to
 * the largest, which holds less than 95 %: these are noisy, unless the device is exact. Only
 * elapsed time, upload, kernel and download are judged by the precision.
 * An interval of rounds is then widened by what other sweeps of the machine may find: their host
 * may be in another state.
 * Alloc, host_write, host_read and free are those of a round's later visits, where there are any.
 * The detail says what the first one took, if that differs by 10 %. That of a total time on the
 * host's clock says where its rounds lie in two states. */
MemlaneCell *memlane_rounds_merge (const MemlaneRounds *self, const MemlaneRoundRule *rule);
