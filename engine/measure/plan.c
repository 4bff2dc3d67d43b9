/* plan.c: what a sweep measures, and in which order its rounds visit it
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/owns.h"
#include "base/size.h"
#include "base/words.h"
#include "result/statistics.h"

static const MemlaneMode **
all_modes (const MemlaneWorkload *workload)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  const MemlaneMode **list = g_new0 (const MemlaneMode *, n + 1);
  guint used = 0;

  for (guint i = 0; i < n; i++)
    if (workload->of_pieces || !memlane_mode_is_of_pieces (&modes[i]))
      list[used++] = &modes[i];
  return list;
}

guint
memlane_plan_count_modes (const MemlanePlan *plan)
{
  guint n = 0;

  while (plan->modes != NULL && plan->modes[n] != NULL)
    n++;
  return n;
}

MemlaneMethod
memlane_method_usual (void)
{
  return (MemlaneMethod) {
    .workload = memlane_workload_find ("vector-add"), .reuse = 1, .streams = 8, .chunks = 8,
    .seed = 20180501, /* the day of the article that started this */
    .precision = 0.20, .cell_seconds = 0.25, .rounds = 12,
  };
}

MemlanePlan *
memlane_plan_new (void)
{
  MemlanePlan *plan = g_new0 (MemlanePlan, 1);

  plan->method = memlane_method_usual ();
  plan->modes = all_modes (plan->method.workload);
  plan->first_log2 = 10;
  plan->last_log2 = 20;
  return plan;
}

MemlanePlan *
memlane_plan_of_sample (const MemlaneMethod *method, const MemlaneMode *mode, double log2_elements)
{
  const MemlaneMethod none = { NULL };
  const MemlaneMethod *asked = method != NULL ? method : &none;
  MemlanePlan *plan = memlane_plan_new ();
  MemlaneMethod *filled = &plan->method;

  filled->workload = asked->workload != NULL ? asked->workload : filled->workload;
  filled->reuse = asked->reuse > 0 ? asked->reuse : filled->reuse;
  filled->streams = asked->streams > 0 ? asked->streams : filled->streams;
  filled->chunks = asked->chunks > 0 ? asked->chunks : filled->chunks;
  filled->seed = asked->seed > 0 ? asked->seed : filled->seed;
  plan->modes[0] = mode;
  plan->modes[1] = NULL;
  plan->first_log2 = plan->last_log2 = log2_elements;
  return plan;
}

MEMLANE_DEFINE_FREE (MemlanePlan, void memlane_plan_free (MemlanePlan *data),
                     OWNS (modes, g_free) OWNS (sizes, g_free))

MemlanePlan *
memlane_plan_copy (const MemlanePlan *plan)
{
  MemlanePlan *copy = g_memdup2 (plan, sizeof *plan);

  copy->modes = g_memdup2 (plan->modes,
                           (memlane_plan_count_modes (plan) + 1) * sizeof *plan->modes);
  copy->sizes = g_memdup2 (plan->sizes, plan->n_sizes * sizeof *plan->sizes);
  return copy;
}

gboolean
memlane_plan_set_modes (MemlanePlan *plan, const char *list, GError **error)
{
  g_auto (GStrv) ids = NULL;
  g_autofree const MemlaneMode **chosen = NULL;
  guint n;

  g_return_val_if_fail (plan != NULL && list != NULL, FALSE);
  if (strcmp (list, "all") == 0)
    {
      g_free (plan->modes);
      plan->modes = all_modes (plan->method.workload);
      return TRUE;
    }

  ids = g_strsplit (list, ",", -1);
  n = g_strv_length (ids);
  chosen = g_new0 (const MemlaneMode *, n + 1);
  for (guint k = 0; k < n; k++)
    {
      const char *id = g_strstrip (ids[k]);

      chosen[k] = memlane_mode_find (id);
      if (chosen[k] == NULL)
        {
          guint n_known;
          const MemlaneMode *modes = memlane_mode_list (&n_known);
          g_autofree char *known = MEMLANE_LIST (n_known, modes[i].id);

          return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                               "unknown mode \"%s\": expected all, or some of %s", id, known);
        }
      for (guint j = 0; j < k; j++)
        if (chosen[j] == chosen[k])
          return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                               "mode \"%s\" is named twice", id);
    }
  if (n == 0)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "no modes: expected all, or a comma-separated list");
  g_free (plan->modes);
  plan->modes = g_steal_pointer (&chosen);
  return TRUE;
}

static gboolean
parse_log2 (const char *text, double *value)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2, &number,
                                   NULL))
    return FALSE;
  *value = (double) number;
  return TRUE;
}

gboolean
memlane_plan_set_sizes (MemlanePlan *plan, const char *range, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (range != NULL ? range : "", ":", -1);
  guint n = g_strv_length (ends);
  double first, last;

  g_return_val_if_fail (plan != NULL && range != NULL, FALSE);
  if (n < 1 || n > 2 || !parse_log2 (ends[0], &first) || !parse_log2 (ends[n - 1], &last))
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "sizes \"%s\": expected FIRST:LAST or one size, as powers of two from %d "
                         "to %d, such as 10:20",
                         range, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
  if (first > last)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "sizes \"%s\": the first is the larger one; expected %.0f:%.0f", range,
                         last, first);
  plan->first_log2 = first;
  plan->last_log2 = last;
  g_clear_pointer (&plan->sizes, g_free);
  plan->n_sizes = 0;
  return TRUE;
}

/* The elements that @text stands for; 0: it is no size. */
static double
read_elements (const char *text)
{
  static const struct { const char *suffix; double elements;
  } units[] = {
    { "", 1 },       { "k", 1e3 },    { "K", 1e3 },      { "M", 1e6 },         { "G", 1e9 },
    { "B", 1 / 4. }, { "KiB", 256 },  { "MiB", 262144 }, { "GiB", 268435456 }, { "KB", 250 },
    { "kB", 250 },   { "MB", 250e3 }, { "GB", 250e6 },
  };
  gboolean is_power = g_str_has_prefix (text, "2^");
  char *end;
  double number = g_ascii_strtod (is_power ? text + 2 : text, &end);

  if (!g_ascii_isdigit (is_power ? text[2] : text[0]) || !(number > 0))
    return 0;
  if (*end == '\0' && (is_power || number <= MEMLANE_LARGEST_LOG2))
    return exp2 (number);
  if (*end == '\0' && number < 100)
    return 0; /* more likely an exponent that is too large; 99 floats are 396B */
  for (guint i = 0; i < G_N_ELEMENTS (units) && !is_power; i++)
    if (strcmp (end, units[i].suffix) == 0)
      return number * units[i].elements;
  return 0;
}

gboolean
memlane_plan_read_size (const char *text, double *log2_elements, GError **error)
{
  const double elements = read_elements (text);

  if (!(elements >= exp2 (MEMLANE_SMALLEST_LOG2)) || !(elements <= exp2 (MEMLANE_LARGEST_LOG2))
      || elements != floor (elements))
    return memlane_fail (
        error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "found \"%s\", expected a vector of 2^%d to 2^%d floats: 20, 2^20, 100000, 1M or 4MiB",
        text, MEMLANE_SMALLEST_LOG2, MEMLANE_LARGEST_LOG2);
  *log2_elements = memlane_size_of ((guint64) elements);
  return TRUE;
}

gboolean
memlane_plan_set_size_list (MemlanePlan *plan, const char *list, guint per_octave, GError **error)
{
  g_auto (GStrv) items = g_strsplit (list != NULL ? list : "", ",", -1);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (MemlanePlan) range = memlane_plan_new ();
  gboolean are_powers = TRUE;
  guint n = 0;

  g_return_val_if_fail (plan != NULL && list != NULL, FALSE);
  for (char **item = items; *item != NULL; item++)
    {
      const guint steps = MAX (per_octave, 1);
      double size;

      if (strchr (g_strstrip (*item), ':') == NULL)
        {
          if (!memlane_plan_read_size (*item, &size, error))
            {
              g_prefix_error (error, "sizes \"%s\": ", list);
              return FALSE;
            }
          g_array_append_val (sizes, size);
          continue;
        }
      if (!memlane_plan_set_sizes (range, *item, error))
        return FALSE;
      for (guint i = 0; i <= steps * (guint) (range->last_log2 - range->first_log2); i++)
        {
          size = memlane_size_of (memlane_size_elements (range->first_log2 + (double) i / steps));
          g_array_append_val (sizes, size);
        }
    }
  g_array_sort (sizes, memlane_compare_doubles);
  MEMLANE_FOR_EACH_IN (const double, size, sizes)
    if (n == 0 || *size != g_array_index (sizes, double, n - 1))
      g_array_index (sizes, double, n++) = *size;
  if (n == 0 || n > MEMLANE_MOST_SIZES)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "sizes \"%s\": found %u sizes, expected 1 to %d", list, n,
                         MEMLANE_MOST_SIZES);
  plan->first_log2 = g_array_index (sizes, double, 0);
  plan->last_log2 = g_array_index (sizes, double, n - 1);
  for (guint i = 0; i < n; i++)
    are_powers = are_powers && g_array_index (sizes, double, i) == plan->first_log2 + i;
  g_free (plan->sizes);
  plan->n_sizes = are_powers && memlane_size_is_power (plan->first_log2) ? 0 : n;
  plan->sizes = g_memdup2 (sizes->data, plan->n_sizes * sizeof (double));
  return TRUE;
}

guint
memlane_plan_count_sizes (const MemlanePlan *plan)
{
  return plan->sizes != NULL ? plan->n_sizes : (guint) (plan->last_log2 - plan->first_log2) + 1;
}

double
memlane_plan_get_size (const MemlanePlan *plan, guint index)
{
  return plan->sizes != NULL ? plan->sizes[index] : plan->first_log2 + index;
}

guint
memlane_plan_count_cells (const MemlanePlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);
  return memlane_plan_count_modes (plan) * memlane_plan_count_sizes (plan);
}

guint
memlane_plan_get_size_index (const MemlanePlan *plan, guint number)
{
  return number / memlane_plan_count_modes (plan);
}

const MemlaneMode *
memlane_plan_get_cell (const MemlanePlan *plan, guint number, double *log2_elements)
{
  *log2_elements = memlane_plan_get_size (plan, memlane_plan_get_size_index (plan, number));
  return plan->modes[number % memlane_plan_count_modes (plan)];
}

/* --- the schedule of the rounds --------------------------------------------------------------- */

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
  self->seen = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_rounds_free);
  self->merged = g_new0 (MemlaneCell *, self->n_cells);
  for (guint i = 0; i < self->n_cells; i++)
    g_ptr_array_add (self->seen, memlane_rounds_new ());
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneSchedule, void memlane_schedule_free (MemlaneSchedule *data),
                     OWNS (seen, g_ptr_array_unref) OWNS (merged, g_free)
                     OWNS (order, g_array_unref) OWNS (visits, g_array_unref)
                     OWNS (run, memlane_run_unref) OWNS (plan, memlane_plan_free))

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
    self->rule = (MemlaneRoundRule){ .rounds = self->rounds,
                                     .visits = 1,
                                     .precision = self->plan->method.precision };
  if (self->rule.is_exact)
    self->rounds = 1;
  while (first_pass < self->order->len
         && g_array_index (self->visits, guint, first_pass) < self->rule.visits)
    first_pass++;
  forget_places (self, first_pass);
  self->n_ordered = MIN (self->n_ordered, first_pass);
}

/* --- the order -------------------------------------------------------------------------------- */

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
  const guint32 seeds[] = { (guint32) self->plan->method.seed,
                            (guint32) (self->plan->method.seed >> 32), self->round + 1 };
  g_autofree gboolean *due = g_new (gboolean, self->n_cells);
  /* the Mersenne twister */
  g_autoptr (GRand) random = g_rand_new_with_seed_array (seeds, G_N_ELEMENTS (seeds));

  forget_places (self, 0);
  if (self->round >= self->rounds)
    return FALSE;
  for (guint i = 0; i < self->n_cells; i++)
    due[i] = !memlane_rounds_is_settled (self->seen->pdata[i]);
  for (guint visit = 0; visit < self->rule.visits; visit++)
    add_pass (self, due, visit, random);
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
    if (memlane_rounds_is_settled (self->seen->pdata[g_array_index (self->order, guint, i)]))
      forget_place (self, i);
}

guint
memlane_schedule_count_cells (MemlaneSchedule *self)
{
  return MEMLANE_FIND_FIRST (self->visits->len, i, g_array_index (self->visits, guint, i) == 0);
}

guint
memlane_schedule_get_pass (MemlaneSchedule *self, guint place)
{
  return (self->round - 1) * self->rule.visits + g_array_index (self->visits, guint, place) + 1;
}

/* --- what came of it -------------------------------------------------------------------------- */

/* Notes the measured effect of a flag that promises one: write-combined memory must be slower to
 * read than pinned, or the flag did nothing.
 * @cell has just been merged. */
static void
compare_host_access (const MemlaneRun *run, MemlaneCell *cell)
{
  const MemlaneMode *mode = memlane_mode_find (cell->mode);
  const MemlaneCell *other
      = mode->host_access_like != NULL
            ? memlane_run_find (run, cell->workload, mode->host_access_like, cell->log2_elements)
            : NULL;
  const MemlanePhase phases[] = { MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_HOST_READ };

  for (guint i = 0; other != NULL && i < G_N_ELEMENTS (phases); i++)
    {
      MemlaneFigure *here
          = (MemlaneFigure *) memlane_cell_find (cell, phases[i], MEMLANE_CLOCK_HOST);
      const MemlaneFigure *there = memlane_cell_find (other, phases[i], MEMLANE_CLOCK_HOST);

      if (here != NULL && there != NULL && there->statistics.median > 0)
        {
          g_autofree char *before = here->detail;

          here->detail = g_strdup_printf (
              "%.2f times the time of %s%s%s", here->statistics.median / there->statistics.median,
              mode->host_access_like, before != NULL ? "; " : "", before != NULL ? before : "");
        }
    }
}

/* The cell @number as its rounds now have it, in the place that the plan gives it in the run. */
static void
renew (MemlaneSchedule *self, guint number, GPtrArray *changed)
{
  MemlaneCell *cell = memlane_rounds_merge (self->seen->pdata[number], &self->rule);
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

  memlane_rounds_take (self->seen->pdata[number], memlane_schedule_get_pass (self, place),
                       place + 1, cell);
  renew (self, number, changed);
  /* Cells that are told beside this one (mode.h). */
  for (guint i = 0; i < self->n_cells; i++)
    {
      double size;

      other = memlane_plan_get_cell (self->plan, i, &size);
      if (self->merged[i] != NULL && size == log2_elements
          && g_strcmp0 (other->host_access_like, mode->id) == 0)
        renew (self, i, changed);
    }
}

void
memlane_schedule_retry (MemlaneSchedule *self, guint place)
{
  guint number = g_array_index (self->order, guint, place), last = self->rule.visits - 1;
  gboolean may_retry
      = place < self->n_ordered && memlane_rounds_count_measured (self->seen->pdata[number]) > 0;

  for (guint i = self->order->len; i-- > place + 1;)
    if (g_array_index (self->order, guint, i) == number)
      forget_place (self, i);
  if (!may_retry)
    return;
  g_array_append_val (self->order, number);
  g_array_append_val (self->visits, last);
}
