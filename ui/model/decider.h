/* decider.h: what the shown runs say on which mode to use, kept up to date on a worker thread
 *
 * SPDX-License-Identifier: MIT
 *
 * One worker at a time. A question that has changed meanwhile (direction, workload, which runs are shown) drops the answer to the former
 * one; a run that has only grown does not, so that a sweep is followed. The workload is the session's where a shown run has it, else one of
 * theirs.
 * GObject without GTK, main thread. Signal: "changed": the result, or whether one is awaited.
 */
#pragma once

#include "decide-job.h"
#include "session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_DECIDER (memlane_decider_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecider, memlane_decider, MEMLANE, DECIDER, GObject)

MemlaneDecider *memlane_decider_new (MemlaneSession *session);
/* Nothing is worked out while nobody looks; it begins so. */
void memlane_decider_set_active (MemlaneDecider *self, gboolean active);
void memlane_decider_set_direction (MemlaneDecider *self, MemlaneDirection direction);
/* (nullable) (transfer none): NULL where no run is shown, or none is read yet. */
MemlaneDecideResult *memlane_decider_get_result (MemlaneDecider *self);
/* A run is being read, or the worker is at it. */
gboolean memlane_decider_is_waiting (MemlaneDecider *self);

G_END_DECLS
