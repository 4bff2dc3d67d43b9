/* decide-job.h: which mode to use, and the figures that say so, worked out on a worker thread
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "analysis/decide.h"

G_BEGIN_DECLS

/* Immutable; every thread. The lists (element-type utf8) are sentences as the person reads them. */
typedef struct
{
  MemlaneDecision *decision;
  GPtrArray *notes; /* what was left out, and what cannot be told */
  GPtrArray *crossovers, *break_evens, *fits;
} MemlaneDecideResult;

MemlaneDecideResult *memlane_decide_result_ref (MemlaneDecideResult *result);
void memlane_decide_result_unref (MemlaneDecideResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDecideResult, memlane_decide_result_unref)

/* The answers of @answers (element-type MemlaneAnswer) (transfer full) in sentences: (transfer full) (element-type utf8). */
GPtrArray *memlane_decide_to_words (GPtrArray *answers);

/* @items (element-type MemlaneRunItem), at least one, all of them read; their cells are taken as they are now, while they may grow.
 * @workload NULL: as memlane_decision_new() has it. Main thread. */
void memlane_decide_async (GPtrArray *items, const char *workload, MemlaneDirection direction, GAsyncReadyCallback callback,
                           gpointer user_data);
/* Never fails. (transfer full) */
MemlaneDecideResult *memlane_decide_finish (GAsyncResult *result);

G_END_DECLS
