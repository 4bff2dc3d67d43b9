/* host-state.c: how fast the host was while a run was measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "host-state.h"

#include <math.h>

#include "base/i18n.h"
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
