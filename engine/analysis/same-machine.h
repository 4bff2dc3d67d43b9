/* same-machine.h: may two runs be compared? From their recorded environments
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "result/run.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_MACHINE_SAME,      /* device and its UUID, driver, runtime, link, CPU and kernel agree; it may have been started anew between */
  MEMLANE_MACHINE_DIFFERENT, /* at least one differs: @differences says which */
  MEMLANE_MACHINE_UNKNOWN,   /* a run has no environment, or one that cannot be read */
} MemlaneMachineVerdict;

typedef struct
{
  MemlaneMachineVerdict verdict;
  GPtrArray *differences; /* (element-type utf8): "driver: 580.159.04 and 570.86.15". Those of the method (reuse, streams, chunks, cold
                             cache, rounds, precision, version, commit) and of the boot come first, for they change figures most. Alone they
                             do not make the machine another */
  char *sentence;         /* the verdict in one sentence */
} MemlaneMachineComparison;

MemlaneMachineComparison *memlane_machine_compare (const MemlaneRun *a, const MemlaneRun *b);
void memlane_machine_comparison_free (MemlaneMachineComparison *comparison);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneMachineComparison, memlane_machine_comparison_free)

G_END_DECLS
