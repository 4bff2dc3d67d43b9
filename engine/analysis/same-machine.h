/* same-machine.h: may two runs be compared, and how fast was the host in each? From their recorded
 * environments
 *
 * SPDX-License-Identifier: MIT
 *
 * A host has states that last from 0.1 s to minutes: its clock, launches and copies change
 * together. A run probes them at each visit (MemlaneHostProbe), and its environment has the fastest
 * tenth and the middle of each round.
 */
#pragma once

#include "answer.h"
#include "result/environment.h"

#define MEMLANE_HOST_STEADY 0.1 /* smaller changes are not worth a word */

/* Adds one sentence to @answers, or none: unknown. */
void memlane_host_state_describe (const MemlaneEnvironment *environment, GPtrArray *answers);
/* How slow the host was in two runs of one machine: times the best of both. FALSE: unknown for one
 * of them. */
gboolean memlane_host_state_compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b,
                                     double *slow_a, double *slow_b);

/* How many times as slow the host was in @b, by two readings of its clock; 1: unknown. */
double memlane_host_state_divide (const MemlaneEnvironment *a, const MemlaneEnvironment *b);

/* Total times of one workload in two runs of one machine, whose hosts may have been in different
 * states. */
typedef struct
{
  /* cells that both have, with the same reuse; 0: before and after are meaningless */
  guint n;
  /* times that the host was as slow in the second run, by two readings of its clock; 1: unknown,
   * too */
  double speed;
  /* median of what the total times differ by, and once corrected: 0.1 is 10 % */
  double before, after;
} MemlaneHostCorrection;

/* Corrects by memlane_host_slope(). Runs without probes have the pair of readings of their first
 * process. */
void memlane_host_state_correct (const MemlaneRun *a, const MemlaneRun *b, const char *workload,
                                 MemlaneHostCorrection *correction);
/* One sentence, or none where the host was as fast in both runs: (transfer full) (element-type
 * MemlaneAnswer). */
GPtrArray *memlane_host_state_explain (const MemlaneRun *a, const MemlaneRun *b,
                                       const char *workload);

typedef enum
{
  /* device and its UUID, driver, runtime, link, CPU and kernel agree; it may have been started anew
   * between */
  MEMLANE_MACHINE_SAME,
  MEMLANE_MACHINE_DIFFERENT, /* at least one differs: @differences says which */
  MEMLANE_MACHINE_UNKNOWN,   /* a run has no environment, or one that cannot be read */
} MemlaneMachineVerdict;

typedef struct
{
  MemlaneMachineVerdict verdict;
  /* (element-type GStrv): "driver", "580.159.04", "570.86.15", or "not recorded". Those of the
   * method (reuse, streams, chunks, cold cache, rounds, precision, version, commit) and of the boot
   * come first, for they change figures most. Alone they do not make the machine another */
  GPtrArray *differences;
  guint n_method;         /* of @differences: the first ones are of the method */
  char *sentence;         /* the verdict in one sentence */
} MemlaneMachineComparison;

MemlaneMachineComparison *memlane_machine_compare (const MemlaneRun *a, const MemlaneRun *b);
void memlane_machine_comparison_free (MemlaneMachineComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneMachineComparison, memlane_machine_comparison_free)
