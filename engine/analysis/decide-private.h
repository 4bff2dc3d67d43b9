/* decide-private.h: the cells that a decision rests on, by mode, size and reuse
 *
 * SPDX-License-Identifier: MIT
 *
 * decide-evidence.c: which runs and cells count. decide-predict.c: a mode's time at a size and reuse. decide.c: who wins. decide-words.c
 * and decide-lists.c: sentences.
 */
#pragma once

#include "decide.h"

#define MOST_LOG2 64 /* sizes; a run's are 4 to 28 */

typedef struct
{
  GPtrArray **cells;     /* [mode * MOST_LOG2 + log2] -> (element-type MemlaneCell, borrowed) with a time, ascending reuse; or NULL */
  guint vectors;         /* of a workload whose reuse repeats the kernel, inputs and result */
} Evidence;

/* Fills run, workload, direction, simulated, present, sizes, notes and evidence. */
void decide_gather (MemlaneDecision *self, GPtrArray *runs, const char *workload, MemlaneDirection direction);
void decide_evidence_free (Evidence *evidence, guint n_modes);

/* (nullable): ascending reuse. */
const GPtrArray *decide_cells (const MemlaneDecision *self, guint mode, guint log2_elements);
/* The figure of a kernel on data in device memory, for one launch: device-resident's, else a copying mode's. FALSE: the runs have none. */
gboolean decide_warm_kernel (const MemlaneDecision *self, guint log2_elements, MemlaneEstimate *ns, const MemlaneFigure **figure);
/* Whether two predictions of the same size and reuse cannot be told apart. */
gboolean decide_is_tie (const MemlaneForecast *a, const MemlaneForecast *b);
/* The first mode of @way in the registry that has a time at any size; -1: none. */
int decide_first_of_way (const MemlaneDecision *self, MemlaneWay way);
/* Of the modes that copy from page-locked memory, the one with the smallest elapsed time at this size; -1: none. */
int decide_best_copying (const MemlaneDecision *self, guint log2_elements);
/* Sentences for a break-even that has data. (transfer full) */
MemlaneAnswer *decide_say_pinning (const char *pageable, const char *pinned, guint log2_elements, gboolean first_write,
                                   const MemlaneBreakEven *result);
MemlaneAnswer *decide_say_reuse (const char *mapped, const char *copying, guint log2_elements, const MemlaneBreakEven *result);
