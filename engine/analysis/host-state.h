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
/* One sentence: (transfer full) (nullable): unknown. */
MemlaneAnswer *memlane_host_state_describe (const MemlaneEnvironment *environment);
/* How slow the host was in two runs of one machine: times the best of both. FALSE: unknown for one of them. */
gboolean memlane_host_state_compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b, double *slow_a, double *slow_b);

G_END_DECLS
