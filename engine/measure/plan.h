/* plan.h: what a sweep measures: modes x sizes, and how
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "base/size.h"
#include "mode/method.h"

G_BEGIN_DECLS

/* A plan of measurements. */
typedef struct _MemlanePlan
{
  MemlaneMethod method;
  const MemlaneMode **modes;   /* NULL-terminated, owned array of static modes */
  double first_log2, last_log2; /* the least and the greatest size (base/size.h), both included */
  double *sizes; /* owned, rising: n_sizes of them; NULL: each power of two from the least to the
                    greatest */
  guint n_sizes;               /* at most MEMLANE_MOST_SIZES; 0: NULL stands there */
} MemlanePlan;

#define MEMLANE_MOST_SIZES 256
#define MEMLANE_MOST_PER_OCTAVE 8
#define MEMLANE_SMALLEST_LOG2 4

/* The usual method, all modes, 2^10..2^20. */
MemlanePlan *memlane_plan_new (void);
void memlane_plan_free (MemlanePlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlanePlan, memlane_plan_free)
/* "all" or a comma-separated list; FALSE with G_IO_ERROR_INVALID_ARGUMENT and a message that names
 * the wrong one and lists the right ones. */
gboolean memlane_plan_set_modes (MemlanePlan *plan, const char *list, GError **error);
/* "10:20" or "14": powers of two. */
gboolean memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error);
/* A list of such ranges and of sizes as memlane_plan_read_size() reads them, "100000,4MiB,10:20". A
 * range has @per_octave sizes from each power of two to the next, at least 1. */
gboolean
memlane_plan_set_size_list (MemlanePlan *plan, const char *list, guint per_octave, GError **error);
/* A number of floats from 100 on, "100000" or "1M"; a power, "20" or "2^20"; so many bytes, "4MiB"
 * or "400000B". */
gboolean memlane_plan_read_size (const char *text, double *log2_elements, GError **error);
guint memlane_plan_count_modes (const MemlanePlan *plan);
guint memlane_plan_count_sizes (const MemlanePlan *plan);
double memlane_plan_get_size (const MemlanePlan *plan, guint index);
guint memlane_plan_count_cells (const MemlanePlan *plan);

G_END_DECLS

#ifdef MEMLANE_COMPILATION /* for the engine and its tests */

#include "result/rounds.h"

/* vector-add, reuse 1, 8 streams, 8 chunks, twelve rounds, 20 %, 0.25 s. */
MemlaneMethod memlane_method_usual (void);

/* One cell. Of @method (nullable) workload, reuse, streams, chunks and seed count; a zero stands
 * for the usual one's. */
MemlanePlan *
memlane_plan_of_sample (const MemlaneMethod *method, const MemlaneMode *mode, double log2_elements);
MemlanePlan *memlane_plan_copy (const MemlanePlan *plan);

guint memlane_plan_get_size_index (const MemlanePlan *plan, guint number);

/* The cell @number of the plan: cells come size by size, mode by mode, from 0. Returns: its mode.
 */
const MemlaneMode *
memlane_plan_get_cell (const MemlanePlan *plan, guint number, double *log2_elements);

/* --- the schedule: which cells each round measures, in which order, and what has come of them ----
 *
 * Cells are numbers: size by size, mode by mode, as the plan has them. A round visits every cell
 * several times (result/rounds.h), in as many passes. In each pass the sizes are shuffled, and the
 * modes of one size within it, by the plan's seed: modes that are compared are measured next to
 * each other, and the visits of one cell far apart. A device without noise has one round of one
 * pass. Not thread-safe. */

#define MEMLANE_VISITS                                                                             \
  3 /* of a cell in a round, each with one buffer set: samples of alloc, host_write, host_read,    \
       free */
#define MEMLANE_LARGE_LOG2                                                                         \
  18 /* from this size on two visits do: these take half of the time and are the most precise */
#define MEMLANE_LARGE_VISITS 2

/* How often a round visits a cell of this size. */
static inline guint
memlane_count_visits (double log2_elements)
{
  return log2_elements < MEMLANE_LARGE_LOG2 ? MEMLANE_VISITS : MEMLANE_LARGE_VISITS;
}

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
  GPtrArray *seen;         /* MemlaneRounds, of each cell */
  MemlaneCell **merged;    /* of each cell; borrowed from @run; NULL: nothing yet */
  MemlaneRun *run;
} MemlaneSchedule;

MemlaneSchedule *memlane_schedule_new (const MemlanePlan *plan);
void memlane_schedule_free (MemlaneSchedule *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneSchedule, memlane_schedule_free)

/* From now on what is taken becomes cells of @run, in the plan's order. Its environment has the
 * rule (result/rounds.h). */
void memlane_schedule_set_run (MemlaneSchedule *self, MemlaneRun *run);

/* The next round begins. FALSE: none is due any more. */
gboolean memlane_schedule_next_round (MemlaneSchedule *self);
/* The same round from its beginning. */
void memlane_schedule_again (MemlaneSchedule *self);
guint memlane_schedule_count_cells (MemlaneSchedule *self); /* of this round */
/* The pass of the cell at @place (from 0) of the order, from 1, counted on from round to round. */
guint memlane_schedule_get_pass (MemlaneSchedule *self, guint place);
/* Leaves out of this round what comes from @place on and is of cells that another visit would not
 * change. */
void memlane_schedule_prune (MemlaneSchedule *self, guint place);

/* Takes the result of the cell at @place (from 0) of the order. @changed: gets the cells of the run
 * that are new or others now, (transfer none). */
void
memlane_schedule_take (MemlaneSchedule *self, guint place, MemlaneCell *cell, GPtrArray *changed);
/* The process was lost in the cell at @place: its further visits in this round go. It is tried once
 * more after the others, unless it never worked or has been tried twice. */
void memlane_schedule_retry (MemlaneSchedule *self, guint place);

#endif
