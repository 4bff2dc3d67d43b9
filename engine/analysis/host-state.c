/* host-state.c: how fast the host was while a run was measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "host-state.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "result/rounds.h"
#include "result/statistics.h"

/* The geometric mean of the ratios of two probes. */
static double
divide (const MemlaneHostProbe *a, const MemlaneHostProbe *b)
{
  double product = 1;

  for (guint i = 0; i < MEMLANE_N_PROBES; i++)
    product *= a->ns[i] / b->ns[i];
  return pow (product, 1.0 / MEMLANE_N_PROBES);
}

gboolean
memlane_host_state_read (const MemlaneEnvironment *environment, MemlaneHostState *state)
{
  guint n, known = 0;
  const MemlaneEnvironmentRound *rounds = memlane_environment_get_rounds (environment, &n);
  g_autofree double *slow = g_new (double, MAX (n, 1));

  *state = (MemlaneHostState) { .usual = 1, .least = 1, .most = 1 };
  for (guint i = 0; i < n; i++)
    if (rounds[i].best.ns[0] > 0 && (state->best.ns[0] <= 0 || divide (&rounds[i].best, &state->best) < 1))
      state->best = rounds[i].best;
  for (guint i = 0; i < n; i++)
    if (rounds[i].best.ns[0] > 0 && rounds[i].usual.ns[0] > 0)
      slow[known++] = divide (&rounds[i].usual, &state->best);
  if (known == 0)
    return FALSE;
  state->usual = memlane_median (slow, known);
  state->least = slow[0];
  state->most = slow[known - 1];
  return TRUE;
}

void
memlane_host_state_describe (const MemlaneEnvironment *environment, GPtrArray *answers)
{
  MemlaneHostState state;

  if (memlane_host_state_read (environment, &state))
    memlane_answer_say (answers, MEMLANE_ANSWER_BASIS,
                        state.most <= 1 + MEMLANE_HOST_STEADY
                          ? N_ ("The host kept its best speed to {slack}.")
                          : N_ ("The host was {usual} times slower than at its best, {least} to {most} times from round to round."),
                        { "slack", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (state.most - 1) },
                        { "usual", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (state.usual) },
                        { "least", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (state.least) },
                        { "most", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (state.most) });
}

gboolean
memlane_host_state_compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b, double *slow_a, double *slow_b)
{
  MemlaneHostState x, y;
  double ratio;

  if (!memlane_host_state_read (a, &x) || !memlane_host_state_read (b, &y))
    return FALSE;
  ratio = divide (&x.best, &y.best);
  *slow_a = x.usual * MAX (ratio, 1);
  *slow_b = y.usual / MIN (ratio, 1);
  return TRUE;
}

/* --- two runs ------------------------------------------------------------------------------------------------------------ */

/* How long two readings of the clock took: as the visits found it, or else the first process. 0: unknown. */
static double
get_pair_ns (const MemlaneEnvironment *environment, gboolean probed)
{
  const MemlaneFloors *floors = memlane_environment_get_floors (environment);
  guint n, known = 0;
  const MemlaneEnvironmentRound *rounds = memlane_environment_get_rounds (environment, &n);
  g_autofree double *pairs = g_new (double, MAX (n, 1));

  if (!probed)
    return floors != NULL ? MAX (floors->host_pair_ns, 0) : 0;
  for (guint i = 0; i < n; i++)
    if (rounds[i].usual.ns[MEMLANE_PROBE_PAIR] > 0)
      pairs[known++] = rounds[i].usual.ns[MEMLANE_PROBE_PAIR];
  return known > 0 ? memlane_median (pairs, known) : 0;
}

/* How many times as slow the host was in b; 1 where that is unknown. */
static double
divide_hosts (const MemlaneEnvironment *a, const MemlaneEnvironment *b)
{
  for (guint probed = 2; probed-- > 0;)
    if (get_pair_ns (a, probed) > 0 && get_pair_ns (b, probed) > 0)
      return get_pair_ns (b, probed) / get_pair_ns (a, probed);
  return 1;
}

void
memlane_host_state_correct (const MemlaneRun *a, const MemlaneRun *b, const char *workload, MemlaneHostCorrection *correction)
{
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (double)), after = g_array_new (FALSE, FALSE, sizeof (double));
  double speed = divide_hosts (a->environment, b->environment);

  MEMLANE_FOR_EACH (const MemlaneCell, x, a->cells)
    {
      const MemlaneCell *y = memlane_run_find (b, workload, x->mode, x->log2_elements);
      const MemlaneFigure *one = memlane_cell_find (x, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      const MemlaneFigure *other = y != NULL ? memlane_cell_find (y, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) : NULL;
      double ratio, differs, remains;

      if (strcmp (x->workload, workload) != 0 || one == NULL || other == NULL || x->reuse != y->reuse || !(one->statistics.median > 0)
          || !(other->statistics.median > 0))
        continue;
      ratio = log (other->statistics.median / one->statistics.median);
      differs = expm1 (fabs (ratio));
      remains = expm1 (fabs (ratio - memlane_host_slope (MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) * log (speed)));
      g_array_append_val (before, differs);
      g_array_append_val (after, remains);
    }
  *correction = (MemlaneHostCorrection) { .n = before->len, .speed = speed };
  if (before->len == 0)
    return;
  correction->before = memlane_median ((double *) (gpointer) before->data, before->len);
  correction->after = memlane_median ((double *) (gpointer) after->data, after->len);
}

GPtrArray *
memlane_host_state_explain (const MemlaneRun *a, const MemlaneRun *b, const char *workload)
{
  GPtrArray *answers = memlane_answers_new ();
  MemlaneHostCorrection c;

  memlane_host_state_correct (a, b, workload, &c);
  if (c.n > 0 && fabs (log (c.speed)) > log (1 + MEMLANE_HOST_STEADY))
    memlane_answer_say (answers, MEMLANE_ANSWER_BASIS,
                        c.speed > 1 ? N_ ("The host was {factor} times slower in the second run. Total times differ by {before}, and by "
                                          "{after} after a correction for that, with slopes from other sweeps.")
                                    : N_ ("The host was {factor} times slower in the first run. Total times differ by {before}, and by "
                                          "{after} after a correction for that, with slopes from other sweeps."),
                        { "factor", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (MAX (c.speed, 1 / c.speed)) },
                        { "before", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (c.before) },
                        { "after", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (c.after) });
  return answers;
}
