/* schedule.c: which cells each round measures, in which order, and what has come of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "schedule.h"

#include "base/owns.h"
#include "cell.h"

MemlaneSchedule *
memlane_schedule_new (const MemlanePlan *plan)
{
  MemlaneSchedule *self = g_new0 (MemlaneSchedule, 1);

  self->plan = memlane_plan_copy (plan);
  self->n_cells = memlane_plan_count_cells (plan);
  self->rounds = CLAMP (plan->method.rounds, 1, MEMLANE_MOST_ROUNDS);
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->visits = g_array_new (FALSE, FALSE, sizeof (guint));
  self->rule.visits = MEMLANE_VISITS; /* until the device says that it is exact */
  self->seen = g_new (MemlaneRounds *, self->n_cells);
  self->merged = g_new0 (MemlaneCell *, self->n_cells);
  for (guint i = 0; i < self->n_cells; i++)
    self->seen[i] = memlane_rounds_new ();
  return self;
}

static void
free_seen (MemlaneSchedule *self)
{
  for (guint i = 0; i < self->n_cells; i++)
    memlane_rounds_free (self->seen[i]);
  g_free (self->seen);
}

MEMLANE_DEFINE_FREE (MemlaneSchedule, void memlane_schedule_free (MemlaneSchedule *data), free_seen (self); OWNS (merged, g_free)
                     OWNS (order, g_array_unref) OWNS (visits, g_array_unref) OWNS (run, memlane_run_unref)
                     OWNS (plan, memlane_plan_free))

/* Forgets the places after the first @n. */
static void
forget_places (MemlaneSchedule *self, guint n)
{
  g_array_set_size (self->order, n);
  g_array_set_size (self->visits, n);
}

static void
forget_place (MemlaneSchedule *self, guint place)
{
  g_array_remove_index (self->order, place);
  g_array_remove_index (self->visits, place);
  self->n_ordered -= place < self->n_ordered;
}

void
memlane_schedule_set_run (MemlaneSchedule *self, MemlaneRun *run)
{
  guint first_pass = 0;

  self->run = memlane_run_ref (run);
  if (!memlane_round_rule_read (&self->rule, run->environment))
    self->rule = (MemlaneRoundRule) { .rounds = self->rounds, .visits = 1, .precision = self->plan->method.precision };
  if (self->rule.is_exact)
    self->rounds = 1;
  while (first_pass < self->order->len && g_array_index (self->visits, guint, first_pass) < self->rule.visits)
    first_pass++;
  forget_places (self, first_pass);
  self->n_ordered = MIN (self->n_ordered, first_pass);
}

/* --- the order ------------------------------------------------------------------------------------------------------------ */

/* Fisher and Yates' shuffle. */
static void
shuffle (guint *numbers, guint n, GRand *random)
{
  for (guint i = n; i > 1; i--)
    {
      guint j = (guint) g_rand_int_range (random, 0, (gint32) i), kept = numbers[i - 1];

      numbers[i - 1] = numbers[j];
      numbers[j] = kept;
    }
}

/* The visits of a large size lie far apart, too. */
static gboolean
is_visited (double log2_elements, guint visit)
{
  return visit == 0 || MEMLANE_VISITS - visit < memlane_count_visits (log2_elements);
}

/* One more pass over the cells of @due, by size and mode. */
static void
add_pass (MemlaneSchedule *self, const gboolean *due, guint visit, GRand *random)
{
  guint n_sizes = memlane_plan_count_sizes (self->plan), n_modes = self->n_cells / n_sizes;
  g_autofree guint *sizes = g_new (guint, n_sizes), *modes = g_new (guint, n_modes);

  for (guint i = 0; i < n_sizes; i++)
    sizes[i] = i;
  shuffle (sizes, n_sizes, random);
  for (guint i = 0; i < n_sizes; i++)
    {
      for (guint k = 0; k < n_modes; k++)
        modes[k] = k;
      shuffle (modes, n_modes, random);
      for (guint k = 0; k < n_modes; k++)
        {
          guint number = sizes[i] * n_modes + modes[k];

          if (!due[number] || !is_visited (memlane_plan_get_size (self->plan, sizes[i]), visit))
            continue;
          g_array_append_val (self->order, number);
          g_array_append_val (self->visits, visit);
        }
    }
}

gboolean
memlane_schedule_next_round (MemlaneSchedule *self)
{
  const guint32 seeds[] = { (guint32) self->plan->method.seed, (guint32) (self->plan->method.seed >> 32), self->round + 1 };
  g_autofree gboolean *due = g_new (gboolean, self->n_cells);
  GRand *random;

  forget_places (self, 0);
  if (self->round >= self->rounds)
    return FALSE;
  for (guint i = 0; i < self->n_cells; i++)
    due[i] = !memlane_rounds_is_settled (self->seen[i]);
  random = g_rand_new_with_seed_array (seeds, G_N_ELEMENTS (seeds)); /* the Mersenne twister */
  for (guint visit = 0; visit < self->rule.visits; visit++)
    add_pass (self, due, visit, random);
  g_rand_free (random);
  if (self->order->len == 0)
    return FALSE;
  self->n_ordered = self->order->len;
  self->round++;
  return TRUE;
}

void
memlane_schedule_again (MemlaneSchedule *self)
{
  forget_places (self, self->n_ordered);
}

void
memlane_schedule_prune (MemlaneSchedule *self, guint place)
{
  for (guint i = self->order->len; i-- > place;)
    if (memlane_rounds_is_settled (self->seen[g_array_index (self->order, guint, i)]))
      forget_place (self, i);
}

guint
memlane_schedule_count_cells (MemlaneSchedule *self)
{
  guint n = 0;

  while (n < self->order->len && g_array_index (self->visits, guint, n) == 0)
    n++;
  return n;
}

guint
memlane_schedule_get_pass (MemlaneSchedule *self, guint place)
{
  return (self->round - 1) * self->rule.visits + g_array_index (self->visits, guint, place) + 1;
}

/* --- what came of it ------------------------------------------------------------------------------------------------------- */

/* Notes the measured effect of a flag that promises one: write-combined memory must be slower to read than pinned, or the flag did nothing.
 * @cell has just been merged. */
static void
compare_host_access (const MemlaneRun *run, MemlaneCell *cell)
{
  const MemlaneMode *mode = memlane_mode_find (cell->mode);
  const MemlaneCell *other = mode->host_access_like != NULL
                               ? memlane_run_find (run, cell->workload, mode->host_access_like, cell->log2_elements)
                               : NULL;
  const MemlanePhase phases[] = { MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_HOST_READ };

  for (guint i = 0; other != NULL && i < G_N_ELEMENTS (phases); i++)
    {
      MemlaneFigure *here = (MemlaneFigure *) memlane_cell_find (cell, phases[i], MEMLANE_CLOCK_HOST);
      const MemlaneFigure *there = memlane_cell_find (other, phases[i], MEMLANE_CLOCK_HOST);

      if (here != NULL && there != NULL && there->statistics.median > 0)
        {
          g_autofree char *before = here->detail;

          here->detail = g_strdup_printf ("%.2f times the time of %s%s%s", here->statistics.median / there->statistics.median,
                                          mode->host_access_like, before != NULL ? "; " : "", before != NULL ? before : "");
        }
    }
}

/* The cell @number as its rounds now have it, in the place that the plan gives it in the run. */
static void
renew (MemlaneSchedule *self, guint number, GPtrArray *changed)
{
  MemlaneCell *cell = memlane_rounds_merge (self->seen[number], &self->rule);
  GPtrArray *cells = self->run->cells;
  guint place = 0;

  compare_host_access (self->run, cell);
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
  guint number = g_array_index (self->order, guint, place);
  double log2_elements;
  const MemlaneMode *mode = memlane_plan_get_cell (self->plan, number, &log2_elements), *other;

  memlane_rounds_take (self->seen[number], memlane_schedule_get_pass (self, place), place + 1, cell);
  renew (self, number, changed);
  /* Cells that are told beside this one (mode.h). */
  for (guint i = 0; i < self->n_cells; i++)
    {
      double size;

      other = memlane_plan_get_cell (self->plan, i, &size);
      if (self->merged[i] != NULL && size == log2_elements && g_strcmp0 (other->host_access_like, mode->id) == 0)
        renew (self, i, changed);
    }
}

gboolean
memlane_schedule_retry (MemlaneSchedule *self, guint place)
{
  guint number = g_array_index (self->order, guint, place), last = self->rule.visits - 1;
  gboolean may_retry = place < self->n_ordered && memlane_rounds_count_measured (self->seen[number]) > 0;

  for (guint i = self->order->len; i-- > place + 1;)
    if (g_array_index (self->order, guint, i) == number)
      forget_place (self, i);
  if (!may_retry)
    return FALSE;
  g_array_append_val (self->order, number);
  g_array_append_val (self->visits, last);
  return TRUE;
}
