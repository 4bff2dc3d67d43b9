/* rounds.c: one cell from what each visit saw of it
 *
 * SPDX-License-Identifier: MIT
 */
#include "rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/each.h"
#include "base/owns.h"
#include "statistics.h"

#define WORTH_A_WORD 0.1 /* a difference of the first buffers, or of two states */
#define LEAST_FOR_STATES 8 /* rounds */

/* Sweeps of one machine differ by more than their rounds tell: their host is in other states. One
 * reading a sweep of its speed has a standard deviation of 13 and 14.5 %, in logarithms, over 29
 * sweeps of two H200s (tests/gpu/judge --slopes). What does not follow the host still differs by
 * 1.5 %. */
#define HOST_STATES (1.96 * 0.14)
#define BETWEEN_SWEEPS 0.015

typedef struct
{
  guint pass, place;
  MemlaneCell *cell;
} Seen;

struct _MemlaneRounds
{
  GArray *seen; /* Seen, ascending by pass */
};

/* --- the rule --------------------------------------------------------------------------------- */

gboolean
memlane_round_rule_read (MemlaneRoundRule *rule, const MemlaneEnvironment *environment)
{
  const MemlaneFloors *floors = memlane_environment_get_floors (environment);
  double rounds = memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_ROUNDS);
  double visits = memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_VISITS);
  double precision = memlane_environment_get_number (environment, MEMLANE_ENVIRONMENT_PRECISION);

  memset (rule, 0, sizeof *rule);
  if (!(rounds >= 1 && rounds <= MEMLANE_MOST_ROUNDS))
    return FALSE;
  rule->rounds = (guint) rounds;
  rule->visits
      = visits >= 1 && visits <= MEMLANE_MOST_VISITS ? (guint) visits : 1; /* older runs have one */
  rule->precision = isnan (precision) ? 0 : precision;
  rule->is_exact = memlane_environment_get_flag (environment, MEMLANE_ENVIRONMENT_EXACT);
  for (guint clock = 0; floors != NULL && clock < MEMLANE_N_CLOCKS; clock++)
    rule->ticks[clock] = memlane_floors_get_tick (floors, clock);
  return TRUE;
}

double
memlane_host_slope (MemlanePhase phase, MemlaneClock clock)
{
  static const double of_host[MEMLANE_N_PHASES] = {
    [MEMLANE_PHASE_ALLOC] = 1.20,   [MEMLANE_PHASE_HOST_WRITE] = 0.90,
    [MEMLANE_PHASE_UPLOAD] = 0.34,  [MEMLANE_PHASE_DOWNLOAD] = 0.63,
    [MEMLANE_PHASE_ELAPSED] = 0.31, [MEMLANE_PHASE_HOST_READ] = 0.87,
    [MEMLANE_PHASE_FREE] = 1.10,
  };
  static const double of_issue[MEMLANE_N_PHASES] = {
    [MEMLANE_PHASE_UPLOAD] = 0.77, [MEMLANE_PHASE_KERNEL] = 1.11, [MEMLANE_PHASE_DOWNLOAD] = 0.49,
    [MEMLANE_PHASE_ELAPSED] = 0.76,
  };

  return clock == MEMLANE_CLOCK_HOST    ? of_host[phase]
         : clock == MEMLANE_CLOCK_ISSUE ? of_issue[phase]
                                        : 0;
}

/* --- the rounds of a cell --------------------------------------------------------------------- */

MEMLANE_DEFINE_CLEAR (Seen, static void seen_clear (gpointer data), OWNS (cell, memlane_cell_unref))

MemlaneRounds *
memlane_rounds_new (void)
{
  MemlaneRounds *self = g_new0 (MemlaneRounds, 1);

  self->seen = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_array_set_clear_func (self->seen, seen_clear);
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneRounds, void memlane_rounds_free (MemlaneRounds *data),
                     OWNS (seen, g_array_unref))

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
memlane_rounds_take (MemlaneRounds *self, guint pass, guint place, MemlaneCell *cell)
{
  Seen seen = { pass, place, memlane_cell_ref (cell) };
  guint i = self->seen->len;

  while (i > 0 && get_seen (self, i - 1)->pass > pass)
    i--;
  if (i > 0 && get_seen (self, i - 1)->pass == pass)
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

  MEMLANE_FOR_EACH_IN (const Seen, seen, self->seen)
    n += is_measured (seen->cell);
  return n;
}

gboolean
memlane_rounds_is_settled (const MemlaneRounds *self)
{
  MEMLANE_FOR_EACH_IN (const Seen, seen, self->seen)
    if (seen->cell->status == MEMLANE_STATUS_UNSUPPORTED
        || seen->cell->status == MEMLANE_STATUS_MISMATCH)
      return TRUE;
  return memlane_rounds_count_measured (self) == 0 && self->seen->len >= 2;
}

/* --- merging ---------------------------------------------------------------------------------- */

static guint
get_round (const Seen *seen, const MemlaneRoundRule *rule)
{
  return (seen->pass - 1) / rule->visits + 1;
}

/* Visits of a round. The first sample of the first one finds cold what later ones find warm; its
 * buffers are the first of their kind. */
typedef enum { EVERY_ONE, THE_FIRST, THE_LATER } Which;

/* The figures of (phase, clock), visit by visit. */
typedef struct
{
  guint n;
  const Seen **seen;
  const MemlaneFigure **figures;
} Visits;

MEMLANE_DEFINE_CLEAR (Visits, static void visits_clear (Visits *data),
                      OWNS (seen, g_free) OWNS (figures, g_free))

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Visits, visits_clear)

/* The visits that measured a figure for (@phase, @clock), with samples. */
static void
find_visits (const MemlaneRounds *self, MemlanePhase phase, MemlaneClock clock,
             const MemlaneRoundRule *rule, Which which, Visits *visits)
{
  *visits = (Visits){ 0, g_new (const Seen *, self->seen->len),
                      g_new (const MemlaneFigure *, self->seen->len) };
  MEMLANE_FOR_EACH_IN (const Seen, seen, self->seen)
    {
      const MemlaneFigure *figure
          = is_measured (seen->cell) ? memlane_cell_find (seen->cell, phase, clock) : NULL;
      gboolean is_first = (seen->pass - 1) % rule->visits == 0;

      if (figure == NULL || figure->statistics.count == 0 || (which == THE_FIRST && !is_first)
          || (which == THE_LATER && is_first))
        continue;
      visits->seen[visits->n] = seen;
      visits->figures[visits->n++] = figure;
    }
}

/* An interval is one of the clock's ticks wide at least. */
static void
widen (MemlaneStatistics *statistics, double tick)
{
  if (statistics->high - statistics->low >= tick)
    return;
  statistics->low = MAX (MIN (statistics->low, statistics->median - tick / 2), 0);
  statistics->high = MAX (statistics->high, statistics->median + tick / 2);
}

void
memlane_reach_other_sweeps (double value, double slope, double *low, double *high)
{
  double more = MAX (BETWEEN_SWEEPS, HOST_STATES * slope) * value;

  *low = MAX (value - hypot (value - *low, more), 0);
  *high = value + hypot (*high - value, more);
}

static MemlaneStatus
judge (MemlanePhase phase, const MemlaneStatistics *statistics, guint n,
       const MemlaneRoundRule *rule)
{
  double room = rule->precision * statistics->median;

  if (rule->is_exact
      || (phase != MEMLANE_PHASE_ELAPSED && phase != MEMLANE_PHASE_UPLOAD
          && phase != MEMLANE_PHASE_KERNEL && phase != MEMLANE_PHASE_DOWNLOAD))
    return MEMLANE_STATUS_OK;
  return n < MEMLANE_ROUNDS_FOR_INTERVAL || statistics->median - statistics->low > room
                 || statistics->high - statistics->median > room
             ? MEMLANE_STATUS_NOISY
             : MEMLANE_STATUS_OK;
}

/* Gives @merged the samples and the marks of all visits in turn, if every visit kept them. A visit
 * has buffer sets of its own, so these are counted on within its round. */
static void
join_samples (const Visits *visits, const MemlaneRoundRule *rule, MemlaneFigure *merged)
{
  gboolean has_samples = TRUE, has_marks = TRUE;
  gsize count = 0, at = 0;

  for (guint i = 0; i < visits->n; i++)
    {
      has_samples &= visits->figures[i]->samples != NULL;
      has_marks &= visits->figures[i]->marks != NULL;
      count += visits->figures[i]->statistics.count;
    }
  if (!has_samples || count != merged->statistics.count)
    return;
  merged->samples = g_new (double, count);
  merged->marks = has_marks ? g_new (MemlaneSampleMark, count) : NULL;
  for (guint i = 0; i < visits->n; i++)
    for (guint k = 0; k < visits->figures[i]->statistics.count; k++, at++)
      {
        merged->samples[at] = visits->figures[i]->samples[k];
        if (!has_marks)
          continue;
        merged->marks[at] = visits->figures[i]->marks[k];
        merged->marks[at].set += (visits->seen[i]->pass - 1) % rule->visits;
      }
}

/* Each round by the mean of its visits' medians. Returns how many there are. */
static guint
join_rounds (const Visits *visits, const MemlaneRoundRule *rule, MemlaneRound *rounds)
{
  guint n = 0, n_visits = 0, n_probed = 0;

  for (guint i = 0; i < visits->n; i++)
    {
      const MemlaneStatistics *statistics = &visits->figures[i]->statistics;
      const MemlaneHostProbe *host = &visits->seen[i]->cell->host;
      guint round = get_round (visits->seen[i], rule);

      if (n == 0 || rounds[n - 1].round != round)
        {
          rounds[n++] = (MemlaneRound) { .round = round, .place = visits->seen[i]->place };
          n_visits = n_probed = 0;
        }
      if (host->ns[0] > 0)
        {
          n_probed++;
          for (guint k = 0; k < MEMLANE_N_PROBES; k++)
            rounds[n - 1].host.ns[k] += (host->ns[k] - rounds[n - 1].host.ns[k]) / n_probed;
        }
      rounds[n - 1].samples += statistics->count;
      rounds[n - 1].median += (statistics->median - rounds[n - 1].median) / ++n_visits;
    }
  for (guint i = 0; i < n; i++)
    rounds[i].median = memlane_tenths (rounds[i].median);
  return n;
}

static void
locate (const Visits *visits, const MemlaneRound *rounds, guint n, MemlaneStatistics *all)
{
  g_autofree double *values = g_new (double, visits->n), *q1s = g_new (double, visits->n),
                    *q3s = g_new (double, visits->n);
  MemlaneEstimate middle;

  for (guint i = 0; i < visits->n; i++)
    {
      const MemlaneStatistics *statistics = &visits->figures[i]->statistics;

      q1s[i] = statistics->q1;
      q3s[i] = statistics->q3;
      all->min = i > 0 ? MIN (all->min, statistics->min) : statistics->min;
      all->max = MAX (all->max, statistics->max);
      all->count += statistics->count;
    }
  for (guint i = 0; i < n; i++)
    values[i] = rounds[i].median;
  middle = memlane_find_middle (values, n, MEMLANE_LEVEL_OF_ROUNDS);
  all->median = middle.value;
  all->low = middle.low;
  all->high = middle.high;
  all->q1 = MIN (memlane_median (q1s, visits->n), all->median);
  all->q3 = MAX (memlane_median (q3s, visits->n), all->median);
}

/* Adds to @detail what the first buffers of a process took, where it is something else than @median
 * of the later ones. */
static void
describe_first (const Visits *first, double median, GString *detail)
{
  g_autofree double *values = g_new (double, MAX (first->n, 1));
  double ratio;

  for (guint i = 0; i < first->n; i++)
    values[i] = first->figures[i]->statistics.median;
  ratio = first->n > 0 && median > 0 ? memlane_median (values, first->n) / median : 1;
  if (!(fabs (ratio - 1) < WORTH_A_WORD))
    g_string_append_printf (detail, "%sthe first buffers of a process took %.2f times as long",
                            detail->len > 0 ? "; " : "", ratio);
}

/* Adds to @detail that the rounds lie in two states: a tenth apart, and each no wider than the gap
 * between them. */
static void
describe_states (const MemlaneRound *rounds, guint n, GString *detail)
{
  g_autofree double *values = g_new (double, n);
  guint least = MAX (2, n / 6), below = 0;

  if (n < LEAST_FOR_STATES)
    return;
  for (guint i = 0; i < n; i++)
    values[i] = rounds[i].median;
  qsort (values, n, sizeof *values, memlane_compare_doubles);
  for (guint i = least - 1; i + least < n; i++)
    {
      double gap = values[i + 1] - values[i];

      if (gap >= WORTH_A_WORD * values[i / 2] && gap >= values[i] - values[0]
          && gap >= values[n - 1] - values[i + 1])
        below = i + 1;
    }
  if (below > 0)
    g_string_append_printf (
      detail, "%stwo states: %.3g us in %u of %u rounds, %.3g us in the others",
      detail->len > 0 ? "; " : "", values[below / 2] / 1e3, below, n,
      values[below + (n - below) / 2] / 1e3);
}

static void
merge_figure (const MemlaneRounds *self, MemlanePhase phase, MemlaneClock clock,
              const MemlaneRoundRule *rule, MemlaneCell *cell)
{
  g_auto (Visits) visits = { 0 }, first = { 0 };
  g_autofree MemlaneRound *rounds = NULL;
  g_autoptr (GString) detail = g_string_new (NULL);
  MemlaneStatistics all = { 0 };
  MemlaneStatus status;
  MemlaneFigure *merged;
  guint n;

  if (rule->visits > 1
      && (phase == MEMLANE_PHASE_ALLOC || phase == MEMLANE_PHASE_HOST_WRITE
          || phase == MEMLANE_PHASE_HOST_READ
          || phase == MEMLANE_PHASE_FREE)) /* phases of the buffers */
    {
      find_visits (self, phase, clock, rule, THE_FIRST, &first);
      find_visits (self, phase, clock, rule, THE_LATER, &visits);
    }
  if (visits.n == 0)
    {
      visits_clear (&visits);
      find_visits (self, phase, clock, rule, phase == MEMLANE_PHASE_FIRST ? THE_FIRST : EVERY_ONE,
                   &visits);
    }
  if (visits.n == 0)
    return;
  rounds = g_new (MemlaneRound, visits.n);
  n = join_rounds (&visits, rule, rounds);
  if (visits.n == 1)
    all = visits.figures[0]->statistics;
  else
    locate (&visits, rounds, n, &all);
  if (rule->is_exact)
    all.low = all.high = all.median;
  all.interval = rule->is_exact ? MEMLANE_INTERVAL_EXACT
                 : n > 1        ? MEMLANE_INTERVAL_OTHER_SWEEPS
                                : MEMLANE_INTERVAL_SAMPLING;
  widen (&all, rule->ticks[clock]);
  status = judge (phase, &all, n, rule);
  if (!rule->is_exact && n > 1)
    memlane_reach_other_sweeps (all.median, memlane_host_slope (phase, clock), &all.low, &all.high);
  for (guint i = 0; i < visits.n && detail->len == 0; i++)
    if (visits.figures[i]->detail != NULL)
      g_string_assign (detail, visits.figures[i]->detail);
  describe_first (&first, all.median, detail);
  if (phase == MEMLANE_PHASE_ELAPSED && clock == MEMLANE_CLOCK_HOST)
    describe_states (rounds, n, detail);
  merged = memlane_cell_add_figure (cell, phase, clock, &all, visits.figures[0]->bytes_moved,
                                    status, detail->str);
  merged->n_rounds = n;
  merged->rounds = g_steal_pointer (&rounds);
  join_samples (&visits, rule, merged);
}

/* Whether another visit of the round of @seen was measured. */
static gboolean
round_is_measured (const MemlaneRounds *self, const Seen *seen, const MemlaneRoundRule *rule)
{
  MEMLANE_FOR_EACH_IN (const Seen, other, self->seen)
    if (get_round (other, rule) == get_round (seen, rule) && is_measured (other->cell))
      return TRUE;
  return FALSE;
}

/* (nullable): a visit with a wrong result, or the last one of a round that was not measured. One
 * that was stopped says less than one that failed. */
static const Seen *
find_failed (const MemlaneRounds *self, const MemlaneRoundRule *rule)
{
  const Seen *failed = NULL;

  MEMLANE_FOR_EACH_IN (const Seen, seen, self->seen)
    {
      if (seen->cell->status == MEMLANE_STATUS_MISMATCH)
        return seen;
      if (!round_is_measured (self, seen, rule)
          && (failed == NULL || seen->cell->status != MEMLANE_STATUS_CANCELLED
              || failed->cell->status == MEMLANE_STATUS_CANCELLED))
        failed = seen;
    }
  return failed;
}

MemlaneCell *
memlane_rounds_merge (const MemlaneRounds *self, const MemlaneRoundRule *rule)
{
  const Seen *failed = find_failed (self, rule), *measured = NULL;
  MemlaneCell *cell;

  MEMLANE_FOR_EACH_IN (const Seen, seen, self->seen)
    if (measured == NULL && is_measured (seen->cell))
      measured = seen;
  if (failed != NULL && (measured == NULL || failed->cell->status == MEMLANE_STATUS_MISMATCH))
    return memlane_cell_copy (failed->cell);
  if (measured == NULL)
    return NULL;
  cell = memlane_cell_new_like (measured->cell);
  for (guint phase = 0; phase < MEMLANE_N_PHASES; phase++)
    for (guint clock = 0; clock < MEMLANE_N_CLOCKS; clock++)
      merge_figure (self, phase, clock, rule, cell);
  if (failed != NULL && failed->cell->status != MEMLANE_STATUS_CANCELLED)
    cell->detail = g_strdup_printf (
        "round %u: %s: %s", get_round (failed, rule), memlane_status_name (failed->cell->status),
        failed->cell->detail != NULL ? failed->cell->detail : "without a reason");
  return cell;
}
