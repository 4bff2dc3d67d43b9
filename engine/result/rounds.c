/* rounds.c: one cell from what each round saw of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/json-tree.h"
#include "floors.h"
#include "statistics.h"

typedef struct
{
  guint round, place;
  MemlaneCell *cell;
} Seen;

struct _MemlaneRounds
{
  GArray *seen; /* Seen, ascending by round */
};

/* --- the rule ---------------------------------------------------------------------------------------------------------- */

/* The value of @key in the object @name, or NULL. */
static JsonNode *
find_value (JsonObject *root, const char *name, const char *key)
{
  JsonNode *object = json_object_get_member (root, name), *value = NULL;

  if (object != NULL && JSON_NODE_HOLDS_OBJECT (object))
    value = json_object_get_member (json_node_get_object (object), key);
  return value != NULL && JSON_NODE_HOLDS_VALUE (value) ? value : NULL;
}

static double
find_number (JsonObject *root, const char *name, const char *key)
{
  JsonNode *value = find_value (root, name, key);

  return value != NULL ? json_node_get_double (value) : 0;
}

gboolean
memlane_round_rule_read (MemlaneRoundRule *rule, const MemlaneRun *run)
{
  const char *environment = run->environment;
  g_autoptr (JsonNode) node = environment != NULL ? memlane_json_tree_read (environment, -1, "environment", NULL) : NULL;
  JsonObject *root = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  MemlaneFloors floors = { 0 };
  JsonNode *exact;
  double rounds;

  memset (rule, 0, sizeof *rule);
  if (root == NULL)
    return FALSE;
  rounds = find_number (root, "method", "rounds");
  if (!(rounds >= 1 && rounds <= MEMLANE_MOST_ROUNDS))
    return FALSE;
  exact = find_value (root, "device", "exact");
  rule->rounds = (guint) rounds;
  rule->precision = find_number (root, "method", "precision");
  rule->is_exact = exact != NULL && json_node_get_value_type (exact) == G_TYPE_BOOLEAN && json_node_get_boolean (exact);
  (void) memlane_floors_read (run, &floors);
  for (guint clock = 0; clock < MEMLANE_N_CLOCKS; clock++)
    rule->ticks[clock] = memlane_floors_get_tick (&floors, clock);
  return TRUE;
}

/* --- the rounds of a cell ------------------------------------------------------------------------------------------------ */

static void
seen_clear (gpointer data)
{
  memlane_cell_unref (((Seen *) data)->cell);
}

MemlaneRounds *
memlane_rounds_new (void)
{
  MemlaneRounds *self = g_new0 (MemlaneRounds, 1);

  self->seen = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_array_set_clear_func (self->seen, seen_clear);
  return self;
}

void
memlane_rounds_free (MemlaneRounds *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->seen);
  g_free (self);
}

static gboolean
is_measured (const MemlaneCell *cell)
{
  return cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY;
}

static const Seen *
get_seen (const MemlaneRounds *self, guint i)
{
  return &g_array_index (self->seen, Seen, i);
}

void
memlane_rounds_take (MemlaneRounds *self, guint round, guint place, MemlaneCell *cell)
{
  Seen seen = { round, place, memlane_cell_ref (cell) };
  guint i = self->seen->len;

  while (i > 0 && get_seen (self, i - 1)->round > round)
    i--;
  if (i > 0 && get_seen (self, i - 1)->round == round)
    {
      if (is_measured (get_seen (self, i - 1)->cell) && !is_measured (cell))
        {
          memlane_cell_unref (cell);
          return;
        }
      g_array_remove_index (self->seen, --i);
    }
  g_array_insert_val (self->seen, i, seen);
}

guint
memlane_rounds_count_measured (const MemlaneRounds *self)
{
  guint n = 0;

  for (guint i = 0; i < self->seen->len; i++)
    n += is_measured (get_seen (self, i)->cell);
  return n;
}

guint
memlane_rounds_count_failed (const MemlaneRounds *self)
{
  return self->seen->len - memlane_rounds_count_measured (self);
}

gboolean
memlane_rounds_is_settled (const MemlaneRounds *self)
{
  for (guint i = 0; i < self->seen->len; i++)
    {
      MemlaneStatus status = get_seen (self, i)->cell->status;

      if (status == MEMLANE_STATUS_UNSUPPORTED || status == MEMLANE_STATUS_MISMATCH)
        return TRUE;
    }
  return memlane_rounds_count_measured (self) == 0 && memlane_rounds_count_failed (self) >= 2;
}

/* --- merging ------------------------------------------------------------------------------------------------------------- */

/* Of a round that was measured: the figure for (phase, clock), with samples behind it; or NULL. */
static const MemlaneFigure *
find_figure (const Seen *seen, MemlanePhase phase, MemlaneClock clock)
{
  const MemlaneFigure *figure = is_measured (seen->cell) ? memlane_cell_find (seen->cell, phase, clock) : NULL;

  return figure != NULL && figure->statistics.count > 0 ? figure : NULL;
}

static double
compute_median (const double *values, guint n)
{
  MemlaneStatistics statistics;

  memlane_statistics_compute (values, n, &statistics);
  return statistics.median;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* An interval is one of the clock's ticks wide at least. */
static void
widen (MemlaneStatistics *statistics, double tick)
{
  if (statistics->ci95_high - statistics->ci95_low >= tick)
    return;
  statistics->ci95_low = MAX (MIN (statistics->ci95_low, statistics->median - tick / 2), 0);
  statistics->ci95_high = MAX (statistics->ci95_high, statistics->median + tick / 2);
}

static MemlaneStatus
judge (MemlanePhase phase, const MemlaneStatistics *statistics, guint n, const MemlaneRoundRule *rule)
{
  double room = rule->precision * statistics->median;

  if (rule->is_exact)
    return MEMLANE_STATUS_OK;
  if (n < MEMLANE_ROUNDS_FOR_INTERVAL)
    return MEMLANE_STATUS_NOISY;
  if (phase == MEMLANE_PHASE_FIRST) /* one sample a round: it is told, not waited for */
    return MEMLANE_STATUS_OK;
  if (statistics->median - statistics->ci95_low > room
      || statistics->ci95_high - statistics->median > room)
    return MEMLANE_STATUS_NOISY;
  return MEMLANE_STATUS_OK;
}

/* The samples of all rounds, one round behind the other; NULL: not all were kept. */
static double *
join_samples (const MemlaneRounds *self, MemlanePhase phase, MemlaneClock clock, guint count)
{
  g_autofree double *samples = g_new (double, count);
  guint at = 0;

  for (guint i = 0; i < self->seen->len; i++)
    {
      const MemlaneFigure *figure = find_figure (get_seen (self, i), phase, clock);

      if (figure == NULL)
        continue;
      if (figure->samples == NULL)
        return NULL;
      memcpy (samples + at, figure->samples, figure->statistics.count * sizeof *samples);
      at += figure->statistics.count;
    }
  return g_steal_pointer (&samples);
}

/* Likewise what belongs to each of them. */
static MemlaneSampleMark *
join_marks (const MemlaneRounds *self, MemlanePhase phase, MemlaneClock clock, guint count)
{
  g_autofree MemlaneSampleMark *marks = g_new (MemlaneSampleMark, count);
  guint at = 0;

  for (guint i = 0; i < self->seen->len; i++)
    {
      const MemlaneFigure *figure = find_figure (get_seen (self, i), phase, clock);

      if (figure == NULL)
        continue;
      if (figure->marks == NULL)
        return NULL;
      memcpy (marks + at, figure->marks, figure->statistics.count * sizeof *marks);
      at += figure->statistics.count;
    }
  return g_steal_pointer (&marks);
}

static void
merge_figure (const MemlaneRounds *self, MemlanePhase phase, MemlaneClock clock, const MemlaneRoundRule *rule, MemlaneCell *cell)
{
  guint most = self->seen->len, n = 0;
  g_autofree MemlaneRound *rounds = g_new (MemlaneRound, most);
  g_autofree double *medians = g_new (double, most), *q1s = g_new (double, most), *q3s = g_new (double, most);
  const MemlaneFigure *one = NULL;
  MemlaneStatistics all = { 0 };
  const char *detail = NULL;
  MemlaneFigure *merged;

  for (guint i = 0; i < most; i++)
    {
      const Seen *seen = get_seen (self, i);
      const MemlaneFigure *figure = find_figure (seen, phase, clock);

      if (figure == NULL)
        continue;
      one = figure;
      detail = detail != NULL ? detail : figure->detail;
      medians[n] = figure->statistics.median;
      q1s[n] = figure->statistics.q1;
      q3s[n] = figure->statistics.q3;
      all.min = n > 0 ? MIN (all.min, figure->statistics.min) : figure->statistics.min;
      all.max = MAX (all.max, figure->statistics.max);
      all.count += figure->statistics.count;
      rounds[n++] = (MemlaneRound) { seen->round, seen->place, figure->statistics.count, figure->statistics.median };
    }
  if (n == 0)
    return;
  if (n == 1)
    all = one->statistics;
  else
    {
      qsort (medians, n, sizeof *medians, compare_doubles);
      all.median = compute_median (medians, n);
      all.ci95_low = medians[n / MEMLANE_ROUNDS_PER_OUTLIER];
      all.ci95_high = medians[n - 1 - n / MEMLANE_ROUNDS_PER_OUTLIER];
      all.q1 = compute_median (q1s, n);
      all.q3 = compute_median (q3s, n);
    }
  if (rule->is_exact)
    all.ci95_low = all.ci95_high = all.median;
  widen (&all, rule->ticks[clock]);
  merged = memlane_cell_add_figure (cell, phase, clock, &all, one->bytes_moved, judge (phase, &all, n, rule), detail);
  merged->n_rounds = n;
  merged->rounds = g_memdup2 (rounds, n * sizeof *rounds);
  merged->samples = join_samples (self, phase, clock, all.count);
  merged->marks = join_marks (self, phase, clock, all.count);
}

/* The last round that was not measured; one that was stopped says less than one that failed. */
static const Seen *
find_failed (const MemlaneRounds *self)
{
  const Seen *failed = NULL;

  for (guint i = 0; i < self->seen->len; i++)
    {
      const Seen *seen = get_seen (self, i);

      if (seen->cell->status == MEMLANE_STATUS_MISMATCH)
        return seen;
      if (!is_measured (seen->cell)
          && (failed == NULL || seen->cell->status != MEMLANE_STATUS_CANCELLED || failed->cell->status == MEMLANE_STATUS_CANCELLED))
        failed = seen;
    }
  return failed;
}

/* Figures that a failed round has brought along are its own. */
static MemlaneCell *
copy_cell (const MemlaneCell *cell)
{
  MemlaneCell *copy = memlane_cell_new (cell->workload, cell->mode, cell->log2_elements);

  copy->reuse = cell->reuse;
  copy->streams = cell->streams;
  copy->chunks = cell->chunks;
  copy->status = cell->status;
  copy->detail = g_strdup (cell->detail);
  for (guint i = 0; i < cell->figures->len; i++)
    {
      const MemlaneFigure *figure = cell->figures->pdata[i];
      MemlaneFigure *same = memlane_cell_add_figure (copy, figure->phase, figure->clock, &figure->statistics, figure->bytes_moved,
                                                     figure->status, figure->detail);

      if (figure->samples != NULL)
        same->samples = g_memdup2 (figure->samples, figure->statistics.count * sizeof (double));
    }
  copy->status = cell->status;
  return copy;
}

MemlaneCell *
memlane_rounds_merge (const MemlaneRounds *self, const MemlaneRoundRule *rule)
{
  const Seen *failed = find_failed (self), *measured = NULL;
  MemlaneCell *cell;

  for (guint i = 0; i < self->seen->len && measured == NULL; i++)
    if (is_measured (get_seen (self, i)->cell))
      measured = get_seen (self, i);
  if (failed != NULL && (measured == NULL || failed->cell->status == MEMLANE_STATUS_MISMATCH))
    return copy_cell (failed->cell);
  if (measured == NULL)
    return NULL;
  cell = memlane_cell_new (measured->cell->workload, measured->cell->mode, measured->cell->log2_elements);
  cell->reuse = measured->cell->reuse;
  cell->streams = measured->cell->streams;
  cell->chunks = measured->cell->chunks;
  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    for (guint clock = 0; clock < MEMLANE_N_CLOCKS; clock++)
      merge_figure (self, phase, clock, rule, cell);
  if (failed != NULL && failed->cell->status != MEMLANE_STATUS_CANCELLED)
    cell->detail = g_strdup_printf ("round %u: %s: %s", failed->round, memlane_status_name (failed->cell->status),
                                    failed->cell->detail != NULL ? failed->cell->detail : "without a reason");
  return cell;
}
