/* decider.h: what the shown runs say on which mode to use, kept up to date on a worker thread
 *
 * SPDX-License-Identifier: MIT
 *
 * One worker at a time. A question that has changed meanwhile (direction, workload, which runs are
 * shown) drops the answer to the former one. A run that has only grown does not, so that a sweep is
 * followed. The workload is the view's where a shown run has it, else one of theirs.
 * GObject without GTK, main thread. Signal: "changed": the result, or whether one is awaited.
 */
#pragma once

#include "memlane.h"
#include "view-model.h"

/* Immutable; every thread. The lists (element-type utf8) are sentences as the person reads them. */
typedef struct
{
  int ref_count; /* atomic */
  MemlaneDecision *decision;
  MemlaneDecision *bare; /* the same runs, of which transfer and kernel alone count */
  GPtrArray *notes; /* what was left out, and what cannot be told */
  GPtrArray *crossovers, *locking;
} MemlaneDecideResult;

MemlaneDecideResult *memlane_decide_result_ref (MemlaneDecideResult *result);
void memlane_decide_result_unref (MemlaneDecideResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDecideResult, memlane_decide_result_unref)

/* The answers of @answers (element-type MemlaneAnswer) (transfer full) in sentences: (transfer
 * full) (element-type utf8). */
GPtrArray *memlane_decide_to_words (GPtrArray *answers);

/* "Both ways", "To the device", "To the host"; marked for translation; static. */
const char *memlane_decide_direction_title (MemlaneDirection direction);
/* The recommendation for that place, as memlane_decision_locate() finds it, and all lists below it.
 * (transfer full) */
char *memlane_decide_result_to_text (const MemlaneDecideResult *result, double log2_elements,
                                     guint row);

#define MEMLANE_TYPE_DECIDER (memlane_decider_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDecider, memlane_decider, MEMLANE, DECIDER, GObject)

/* Follows @view for as long as it lives. */
MemlaneDecider *memlane_decider_new (MemlaneRunStore *runs, MemlaneViewModel *view);
/* Nothing is worked out while nobody looks; it begins so. */
void memlane_decider_set_active (MemlaneDecider *self, gboolean active);
/* The run whose machine is decided for, and whose cells count first. NULL: a measured run rather
 * than a simulated one, one of the person's own rather than the recorded one, and then the larger
 * one. One that is shown no longer is as NULL. */
void memlane_decider_set_base (MemlaneDecider *self, MemlaneRunItem *base);
/* (transfer full) (element-type MemlaneRunItem): the shown runs with the workload, or else all; the
 * base first. */
GPtrArray *memlane_decider_list_runs (MemlaneDecider *self);
void memlane_decider_set_direction (MemlaneDecider *self, MemlaneDirection direction);
/* The default is MEMLANE_COUNT_HOST. @uses: of what is allocated, at least 1. */
void memlane_decider_set_count (MemlaneDecider *self, MemlaneCount count, guint uses);
/* (nullable) (transfer none): NULL where no run is shown, or none is read yet. */
MemlaneDecideResult *memlane_decider_get_result (MemlaneDecider *self);
/* A run is being read, or the worker is at it. */
gboolean memlane_decider_is_waiting (MemlaneDecider *self);
