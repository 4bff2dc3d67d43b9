/* schedule.c: which cells each round measures, in which order, and what has come of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedule.h"

#include "measure.h"

struct _MemlaneSchedule
{
  MemlanePlan *plan;
  guint n_cells, round, rounds;
  GArray *order;           /* guint: of the round */
  guint n_ordered;         /* those behind are second tries */
  MemlaneRounds **seen;    /* of each cell */
  MemlaneCell **merged;    /* of each cell; borrowed from @run; NULL: nothing yet */
  MemlaneRun *run;
  MemlaneRoundRule rule;
};

MemlaneSchedule *
memlane_schedule_new (const MemlanePlan *plan)
{
  MemlaneSchedule *self = g_new0 (MemlaneSchedule, 1);

  self->plan = memlane_plan_copy (plan);
  self->n_cells = memlane_plan_count_cells (plan);
  self->rounds = CLAMP (plan->method.rounds, 1, MEMLANE_MOST_ROUNDS);
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->seen = g_new (MemlaneRounds *, self->n_cells);
  self->merged = g_new0 (MemlaneCell *, self->n_cells);
  for (guint i = 0; i < self->n_cells; i++)
    self->seen[i] = memlane_rounds_new ();
  return self;
}

void
memlane_schedule_free (MemlaneSchedule *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_cells; i++)
    memlane_rounds_free (self->seen[i]);
  g_free (self->seen);
  g_free (self->merged);
  g_array_unref (self->order);
  g_clear_pointer (&self->run, memlane_run_unref);
  memlane_plan_free (self->plan);
  g_free (self);
}

void
memlane_schedule_set_run (MemlaneSchedule *self, MemlaneRun *run)
{
  self->run = memlane_run_ref (run);
  if (!memlane_round_rule_read (&self->rule, run))
    self->rule = (MemlaneRoundRule) { .rounds = self->rounds, .precision = self->plan->method.precision };
  if (self->rule.is_exact)
    self->rounds = 1;
}

gboolean
memlane_schedule_is_exact (MemlaneSchedule *self)
{
  return self->rule.is_exact;
}

/* --- the order ------------------------------------------------------------------------------------------------------------ */

/* Fisher and Yates' shuffle by GRand, the Mersenne twister, seeded with the plan's seed and the round. */
static void
shuffle (GArray *order, guint64 seed, guint round)
{
  const guint32 seeds[] = { (guint32) seed, (guint32) (seed >> 32), round };
  GRand *random = g_rand_new_with_seed_array (seeds, G_N_ELEMENTS (seeds));

  for (guint i = order->len; i > 1; i--)
    {
      guint j = (guint) g_rand_int_range (random, 0, (gint32) i), *last = &g_array_index (order, guint, i - 1);
      guint *other = &g_array_index (order, guint, j), kept = *last;

      *last = *other;
      *other = kept;
    }
  g_rand_free (random);
}

static gboolean
is_imprecise (const MemlaneCell *cell)
{
  return cell != NULL && cell->status == MEMLANE_STATUS_NOISY;
}

gboolean
memlane_schedule_next_round (MemlaneSchedule *self, double seconds)
{
  guint asked = self->rule.is_exact ? 1 : CLAMP (self->plan->method.rounds, 1, MEMLANE_MOST_ROUNDS);
  gboolean is_further = self->round >= asked;

  g_array_set_size (self->order, 0);
  if (is_further
      && (self->rule.is_exact || asked < MEMLANE_ROUNDS_FOR_INTERVAL || self->round >= MIN (2 * asked, MEMLANE_MOST_ROUNDS)
          || seconds >= self->n_cells * self->plan->method.cell_seconds))
    return FALSE;
  for (guint i = 0; i < self->n_cells; i++)
    {
      guint measured = memlane_rounds_count_measured (self->seen[i]);

      if (!memlane_rounds_is_settled (self->seen[i])
          && (!is_further || (measured > 0 && (measured < asked || is_imprecise (self->merged[i])))))
        g_array_append_val (self->order, i);
    }
  if (self->order->len == 0)
    return FALSE;
  self->n_ordered = self->order->len;
  self->round++;
  self->rounds = MAX (self->rounds, self->round);
  shuffle (self->order, self->plan->method.seed, self->round);
  return TRUE;
}

void
memlane_schedule_again (MemlaneSchedule *self)
{
  g_array_set_size (self->order, self->n_ordered);
}

guint
memlane_schedule_get_round (MemlaneSchedule *self)
{
  return self->round;
}

guint
memlane_schedule_get_rounds (MemlaneSchedule *self)
{
  return self->rounds;
}

const GArray *
memlane_schedule_get_order (MemlaneSchedule *self)
{
  return self->order;
}

/* --- what came of it ------------------------------------------------------------------------------------------------------- */

/* The cell @number as its rounds now have it, in the place that the plan gives it in the run. */
static void
renew (MemlaneSchedule *self, guint number, GPtrArray *changed)
{
  MemlaneCell *cell = memlane_rounds_merge (self->seen[number], &self->rule);
  GPtrArray *cells = self->run->cells;
  guint place = 0;

  memlane_measure_compare_host_access (self->run, cell);
  for (guint i = 0; i < number; i++)
    place += self->merged[i] != NULL;
  if (self->merged[number] != NULL)
    {
      memlane_cell_unref (cells->pdata[place]);
      cells->pdata[place] = cell;
    }
  else
    g_ptr_array_insert (cells, (int) place, cell);
  self->merged[number] = cell;
  g_ptr_array_add (changed, cell);
}

void
memlane_schedule_take (MemlaneSchedule *self, guint place, MemlaneCell *cell, GPtrArray *changed)
{
  guint number = g_array_index (self->order, guint, place), log2_elements;
  const MemlaneMode *mode = memlane_plan_get_cell (self->plan, number, &log2_elements), *other;

  memlane_rounds_take (self->seen[number], self->round, place + 1, cell);
  renew (self, number, changed);
  /* Cells that are told beside this one (mode.h). */
  for (guint i = 0; i < self->n_cells; i++)
    {
      guint size;

      other = memlane_plan_get_cell (self->plan, i, &size);
      if (self->merged[i] != NULL && size == log2_elements && g_strcmp0 (other->host_access_like, mode->id) == 0)
        renew (self, i, changed);
    }
}

gboolean
memlane_schedule_retry (MemlaneSchedule *self, guint place)
{
  guint number = g_array_index (self->order, guint, place);

  if (place >= self->n_ordered || memlane_rounds_count_measured (self->seen[number]) == 0)
    return FALSE;
  g_array_append_val (self->order, number);
  return TRUE;
}
