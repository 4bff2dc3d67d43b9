/* schedule.h: which cells each round measures, in which order, and what has come of them
 *
 * SPDX-License-Identifier: MIT
 *
 * Cells are numbers: size by size, mode by mode, as the plan has them.
 * A round visits every cell several times (result/rounds.h), in as many passes. In each pass the sizes are shuffled, and the modes of one
 * size within it, by the plan's seed: modes that are compared are measured next to each other, and the visits of one cell far apart. A
 * device without noise
 * has one round of one pass. Not thread-safe.
 */
#pragma once

#include "plan.h"
#include "result/rounds.h"

/* Read it; the functions below change it. */
typedef struct
{
  guint round;             /* from 1; 0: none has begun */
  guint rounds;            /* those that are foreseen */
  GArray *order;           /* guint: cells of the round, pass by pass */
  MemlaneRoundRule rule;   /* the run's; until there is one, usual visits */

  /* private */
  MemlanePlan *plan;
  guint n_cells;
  GArray *visits;          /* guint, one for each of @order: of its cell in the round, from 0 */
  guint n_ordered;         /* those behind are second tries */
  MemlaneRounds **seen;    /* of each cell */
  MemlaneCell **merged;    /* of each cell; borrowed from @run; NULL: nothing yet */
  MemlaneRun *run;
} MemlaneSchedule;

MemlaneSchedule *memlane_schedule_new (const MemlanePlan *plan);
void memlane_schedule_free (MemlaneSchedule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneSchedule, memlane_schedule_free)

/* From now on what is taken becomes cells of @run, in the plan's order. Its environment has the rule (result/rounds.h). */
void memlane_schedule_set_run (MemlaneSchedule *self, MemlaneRun *run);

/* The next round begins. FALSE: none is due any more. */
gboolean memlane_schedule_next_round (MemlaneSchedule *self);
/* The same round from its beginning. */
void memlane_schedule_again (MemlaneSchedule *self);
guint memlane_schedule_count_cells (MemlaneSchedule *self); /* of this round */
/* The pass of the cell at @place (from 0) of the order, from 1, counted on from round to round. */
guint memlane_schedule_get_pass (MemlaneSchedule *self, guint place);
/* Leaves out of this round what comes from @place on and is of cells that another visit would not change. */
void memlane_schedule_prune (MemlaneSchedule *self, guint place);

/* Takes the result of the cell at @place (from 0) of the order. @changed: gets the cells of the run that are new or others now, (transfer
 * none). */
void memlane_schedule_take (MemlaneSchedule *self, guint place, MemlaneCell *cell, GPtrArray *changed);
/* The process was lost in the cell at @place: its further visits in this round go, and it is tried once more behind the others. FALSE: it
 * is
 * not, for it never worked or has been tried twice. */
gboolean memlane_schedule_retry (MemlaneSchedule *self, guint place);
