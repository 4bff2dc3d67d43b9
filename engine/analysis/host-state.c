/* host-state.c: how fast the host was while a run was measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "host-state.h"

#include <math.h>
#include <string.h>

#include "base/i18n.h"
#include "mode/mode.h"
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

MemlaneAnswer *
memlane_host_state_describe (const MemlaneEnvironment *environment)
{
  MemlaneHostState state;
  MemlaneAnswer *answer;

  if (!memlane_host_state_read (environment, &state))
    return NULL;
  answer = memlane_answer_new (MEMLANE_ANSWER_BASIS,
                               state.most <= 1 + MEMLANE_HOST_STEADY
                                 ? N_ ("The host kept its best speed to {slack}.")
                                 : N_ ("The host was {usual} times slower than at its best, {least} to {most} times from round to round."));
  memlane_answer_add_number (answer, "slack", MEMLANE_FACT_PERCENT, state.most - 1);
  memlane_answer_add_number (answer, "usual", MEMLANE_FACT_FACTOR, state.usual);
  memlane_answer_add_number (answer, "least", MEMLANE_FACT_FACTOR, state.least);
  memlane_answer_add_number (answer, "most", MEMLANE_FACT_FACTOR, state.most);
  return answer;
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

/* By how much a total time follows the host's times, in logarithms. Fitted to the rounds of h200-vector-add-reuse16 and -reuse256
 * (data/recordings), each against the middle of its own cell. By them the total times of h200-vector-add and -cold differ by 5.5 % in the
 * median instead of 10.5 %. */
static const double slopes[MEMLANE_N_FAMILIES] = {
  [MEMLANE_FAMILY_PAGEABLE] = 0.33, [MEMLANE_FAMILY_PINNED] = 0.27, [MEMLANE_FAMILY_ZERO_COPY] = 0.13,
  [MEMLANE_FAMILY_MANAGED] = 0.28, [MEMLANE_FAMILY_STREAMS] = 0.39, [MEMLANE_FAMILY_STREAM_ORDERED] = 0.50,
};

/* The logarithm of b's median by a's. FALSE: one of them lacks it. */
static gboolean
divide_figures (const MemlaneCell *a, const MemlaneCell *b, MemlanePhase phase, double *log_ratio)
{
  const MemlaneFigure *x = memlane_cell_find (a, phase, MEMLANE_CLOCK_HOST), *y = memlane_cell_find (b, phase, MEMLANE_CLOCK_HOST);

  if (x == NULL || y == NULL || !(x->statistics.median > 0) || !(y->statistics.median > 0))
    return FALSE;
  *log_ratio = log (y->statistics.median / x->statistics.median);
  return TRUE;
}

/* The mean of the logarithms by which the host's own times differ. */
static gboolean
divide_hosts (const MemlaneCell *a, const MemlaneCell *b, double *log_ratio)
{
  static const MemlanePhase phases[] = { MEMLANE_PHASE_ALLOC, MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_HOST_READ, MEMLANE_PHASE_FREE };
  double sum = 0, one;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    if (divide_figures (a, b, phases[i], &one))
      {
        sum += one;
        n++;
      }
  *log_ratio = sum / MAX (n, 1);
  return n > 0;
}

static double
median_of (GArray *values)
{
  return memlane_median ((double *) (gpointer) values->data, values->len);
}

void
memlane_host_state_correct (const MemlaneRun *a, const MemlaneRun *b, const char *workload, MemlaneHostCorrection *correction)
{
  g_autoptr (GArray) hosts = g_array_new (FALSE, FALSE, sizeof (double)), before = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) after = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < a->cells->len; i++)
    {
      const MemlaneCell *x = a->cells->pdata[i], *y = memlane_run_find (b, workload, x->mode, x->log2_elements);
      const MemlaneMode *mode = memlane_mode_find (x->mode);
      double host, total, differs, remains;

      if (strcmp (x->workload, workload) != 0 || y == NULL || mode == NULL || x->reuse != y->reuse || !divide_hosts (x, y, &host)
          || !divide_figures (x, y, MEMLANE_PHASE_ELAPSED, &total))
        continue;
      differs = expm1 (fabs (total));
      remains = expm1 (fabs (total - slopes[mode->family] * host));
      g_array_append_val (hosts, host);
      g_array_append_val (before, differs);
      g_array_append_val (after, remains);
    }
  *correction = (MemlaneHostCorrection) { .n = hosts->len };
  if (hosts->len == 0)
    return;
  correction->speed = exp (median_of (hosts));
  correction->before = median_of (before);
  correction->after = median_of (after);
}

GPtrArray *
memlane_host_state_explain (const MemlaneRun *a, const MemlaneRun *b, const char *workload)
{
  GPtrArray *answers = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_answer_free);
  MemlaneHostCorrection correction;
  MemlaneAnswer *answer;

  memlane_host_state_correct (a, b, workload, &correction);
  if (correction.n == 0 || fabs (log (correction.speed)) <= log (1 + MEMLANE_HOST_STEADY))
    return answers;
  answer = memlane_answer_new (MEMLANE_ANSWER_BASIS,
                               correction.speed > 1
                                 ? N_ ("The host was {factor} times slower in the second run. Total times differ by {before}, and by "
                                       "{after} after a correction for that, with slopes from other sweeps.")
                                 : N_ ("The host was {factor} times slower in the first run. Total times differ by {before}, and by "
                                       "{after} after a correction for that, with slopes from other sweeps."));
  memlane_answer_add_number (answer, "factor", MEMLANE_FACT_FACTOR, MAX (correction.speed, 1 / correction.speed));
  memlane_answer_add_number (answer, "before", MEMLANE_FACT_PERCENT, correction.before);
  memlane_answer_add_number (answer, "after", MEMLANE_FACT_PERCENT, correction.after);
  g_ptr_array_add (answers, answer);
  return answers;
}
