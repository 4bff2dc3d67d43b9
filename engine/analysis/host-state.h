/* host-state.h: how fast the host was while a run was measured
 *
 * SPDX-License-Identifier: MIT
 *
 * A host has states that last from 0.1 s to minutes: its clock, launches and copies change together. A run probes them at each visit
 * (MemlaneHostProbe), and its environment has the fastest tenth and the middle of each round.
 */
#pragma once

#include "answer.h"
#include "result/environment.h"

G_BEGIN_DECLS

#define MEMLANE_HOST_STEADY 0.1 /* smaller changes are not worth a word */

typedef struct
{
  MemlaneHostProbe best;      /* of the round that was fastest */
  double usual, least, most;  /* the rounds' middle, fastest and slowest: times the best. 1.4: 1.4 times slower */
} MemlaneHostState;

/* FALSE: the environment (nullable) has no probes, as those of older runs. */
gboolean memlane_host_state_read (const MemlaneEnvironment *environment, MemlaneHostState *state);
/* Adds one sentence to @answers, or none: unknown. */
void memlane_host_state_describe (const MemlaneEnvironment *environment, GPtrArray *answers);
/* How slow the host was in two runs of one machine: times the best of both. FALSE: unknown for one of them. */
gboolean memlane_host_state_compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b, double *slow_a, double *slow_b);

/* Total times of one workload in two runs of one machine, whose hosts may have been in different states. */
typedef struct
{
  guint n;              /* cells that both have, with the same reuse; 0: before and after are meaningless */
  double speed;         /* times that the host was as slow in the second run, by two readings of its clock; 1: unknown, too */
  double before, after; /* median of what the total times differ by, and once corrected: 0.1 is 10 % */
} MemlaneHostCorrection;

/* Corrects by memlane_host_slope(). Runs without probes have the pair of readings of their first process. */
void memlane_host_state_correct (const MemlaneRun *a, const MemlaneRun *b, const char *workload, MemlaneHostCorrection *correction);
/* One sentence, or none where the host was as fast in both runs: (transfer full) (element-type MemlaneAnswer). */
GPtrArray *memlane_host_state_explain (const MemlaneRun *a, const MemlaneRun *b, const char *workload);

G_END_DECLS
