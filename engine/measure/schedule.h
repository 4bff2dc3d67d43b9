/* schedule.h: which cells each round measures, in which order, and what has come of them
 *
 * SPDX-License-Identifier: MIT
 *
 * What a sweep by workers and one in this process have in common. Cells are numbers: size by size, mode by mode, as the plan has them.
 * Each round is a permutation of its own, by the plan's seed. First come the rounds that the plan asks for. Then come, up to twice as many,
 * those of the cells that missed the precision or lack a round. They come only while the run has taken no longer than its cells' time. Not
 * thread-safe.
 */
#pragma once

#include "plan.h"
#include "result/rounds.h"

G_BEGIN_DECLS

typedef struct _MemlaneSchedule MemlaneSchedule;

MemlaneSchedule *memlane_schedule_new (const MemlanePlan *plan);
void memlane_schedule_free (MemlaneSchedule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneSchedule, memlane_schedule_free)

/* From now on what is taken becomes cells of @run, in the plan's order. Its environment has the rule (result/rounds.h). */
void memlane_schedule_set_run (MemlaneSchedule *self, MemlaneRun *run);

gboolean memlane_schedule_is_exact (MemlaneSchedule *self);

/* The next round begins. @seconds: what the run has taken so far. FALSE: none is due any more. */
gboolean memlane_schedule_next_round (MemlaneSchedule *self, double seconds);
/* The same round from its beginning. */
void memlane_schedule_again (MemlaneSchedule *self);
guint memlane_schedule_get_round (MemlaneSchedule *self);         /* from 1; 0: none has begun */
guint memlane_schedule_get_rounds (MemlaneSchedule *self);        /* those that are foreseen; grows with the further ones */
const GArray *memlane_schedule_get_order (MemlaneSchedule *self); /* (transfer none) (element-type guint): cells of this round */

/* What came of the cell that is at @place (from 0) of the order. @changed: gets the cells of the run that are new or others now, (transfer
 * none). */
void memlane_schedule_take (MemlaneSchedule *self, guint place, MemlaneCell *cell, GPtrArray *changed);
/* The cell at @place is to be tried once more, behind the others of this round. FALSE: it never worked, or has been tried twice. */
gboolean memlane_schedule_retry (MemlaneSchedule *self, guint place);

G_END_DECLS
