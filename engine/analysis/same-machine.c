/* same-machine.c: two environments compared; how fast the host was while a run was measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "same-machine.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "base/owns.h"
#include "result/rounds.h"
#include "result/statistics.h"

/* --- how fast the host was -------------------------------------------------------------------- */

/* The geometric mean of the ratios of two probes. */
static double
divide (const MemlaneHostProbe *a, const MemlaneHostProbe *b)
{
  double product = 1;

  for (guint i = 0; i < MEMLANE_N_PROBES; i++)
    product *= a->ns[i] / b->ns[i];
  return pow (product, 1.0 / MEMLANE_N_PROBES);
}

typedef struct
{
  MemlaneHostProbe best;     /* of the round that was fastest */
  /* the rounds' middle, fastest and slowest: times the best. 1.4: 1.4 times slower */
  double usual, least, most;
} HostState;

/* FALSE: the environment (nullable) has no probes, as those of older runs. */
static gboolean
read_state (const MemlaneEnvironment *environment, HostState *state)
{
  guint n, known = 0;
  const MemlaneEnvironmentRound *rounds = memlane_environment_get_rounds (environment, &n);
  g_autofree double *slow = g_new (double, MAX (n, 1));

  *state = (HostState) { .usual = 1, .least = 1, .most = 1 };
  for (guint i = 0; i < n; i++)
    if (rounds[i].best.ns[0] > 0
        && (state->best.ns[0] <= 0 || divide (&rounds[i].best, &state->best) < 1))
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
  HostState state;

  if (read_state (environment, &state))
    memlane_answer_say (answers, MEMLANE_ANSWER_BASIS,
                        state.most <= 1 + MEMLANE_HOST_STEADY
                            ? N_("The host kept its best speed to {slack}.")
                            : N_("The host was {usual} times slower than at its best, {least} to "
                                  "{most} times from round to round."),
                        { "slack", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (state.most - 1) },
                        { "usual", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (state.usual) },
                        { "least", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (state.least) },
                        { "most", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (state.most) });
}

gboolean
memlane_host_state_compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b,
                            double *slow_a, double *slow_b)
{
  HostState x, y;
  double ratio;

  if (!read_state (a, &x) || !read_state (b, &y))
    return FALSE;
  ratio = divide (&x.best, &y.best);
  *slow_a = x.usual * MAX (ratio, 1);
  *slow_b = y.usual / MIN (ratio, 1);
  return TRUE;
}

/* --- two environments ------------------------------------------------------------------------- */

static void
add (GPtrArray *differences, const char *label, const char *one, const char *other)
{
  const char *parts[] = { label, one, other, NULL };

  g_ptr_array_add (differences, g_strdupv ((char **) parts));
}

/* Adds the differences of @meaning to @differences and returns their number. A member that one run
 * alone recorded differs. */
static guint
compare (const MemlaneEnvironment *a, const MemlaneEnvironment *b,
         MemlaneEnvironmentMeaning meaning, gboolean without_host, GPtrArray *differences)
{
  guint before = differences->len;

  for (guint i = 0; i < MEMLANE_N_ENVIRONMENT_MEMBERS; i++)
    {
      g_autofree char *x = memlane_environment_format (a, i),
                      *y = memlane_environment_format (b, i);
      MemlaneEnvironmentMeaning means;
      const char *label = memlane_environment_get_meaning (i, &means);

      if ((means & meaning) == 0 || (without_host && (means & MEMLANE_ENVIRONMENT_OF_HOST) != 0)
          || ((means & MEMLANE_ENVIRONMENT_IF_BOTH) != 0 && (x == NULL || y == NULL))
          || g_strcmp0 (x, y) == 0)
        continue;
      add (differences, label, x != NULL ? x : "not recorded", y != NULL ? y : "not recorded");
    }
  return differences->len - before;
}

/* The same of the host's speed, which changes within minutes. */
static guint
compare_hosts (const MemlaneEnvironment *a, const MemlaneEnvironment *b, GPtrArray *differences)
{
  g_autofree char *one = NULL, *other = NULL;
  double x, y;

  if (!memlane_host_state_compare (a, b, &x, &y)
      || fabs (log (x / y)) <= log (1 + MEMLANE_HOST_STEADY))
    return 0;
  one = g_strdup_printf ("%.2f", x);
  other = g_strdup_printf ("%.2f", y);
  add (differences, NC_ ("machine", "time of the host, 1 at its best"), one, other);
  return 1;
}

MemlaneMachineComparison *
memlane_machine_compare (const MemlaneRun *a, const MemlaneRun *b)
{
  MemlaneMachineComparison *self = g_new0 (MemlaneMachineComparison, 1);
  const MemlaneEnvironment *x = a->environment, *y = b->environment;
  const char *name = memlane_environment_get_text (x, MEMLANE_ENVIRONMENT_DEVICE_NAME);
  const char *other = memlane_environment_get_text (y, MEMLANE_ENVIRONMENT_DEVICE_NAME);
  g_autofree char *listed = NULL;
  gboolean simulated = memlane_run_is_simulated (a) && memlane_run_is_simulated (b);
  guint differing, ways;

  self->differences = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  if (name == NULL || other == NULL)
    {
      self->verdict = MEMLANE_MACHINE_UNKNOWN;
      if (name == NULL && other == NULL)
        self->sentence = g_strdup ("Nothing tells whether the machine is the same: no run has an "
                                   "environment that can be read.");
      else
        self->sentence = g_strdup_printf ("Nothing tells whether the machine is the same: run %s "
                                          "has no environment that can be read.",
                                          name == NULL ? a->id : b->id);
      return self;
    }
  /* Lists first what changes figures most. */
  ways = self->n_method = compare (x, y, MEMLANE_ENVIRONMENT_OTHER_METHOD, simulated,
                                   self->differences);
  differing = compare (x, y, MEMLANE_ENVIRONMENT_OTHER_MACHINE, simulated, self->differences);
  /* the least important last */
  ways += compare (x, y, MEMLANE_ENVIRONMENT_OTHER_OCCASION, simulated, self->differences);
  ways += compare_hosts (x, y, self->differences);
  listed = memlane_differences_format (self->differences);
  self->verdict = differing > 0 ? MEMLANE_MACHINE_DIFFERENT : MEMLANE_MACHINE_SAME;
  if (differing > 0)
    self->sentence = g_strdup_printf ("Different machines: %s.", listed);
  else if (ways > 0)
    self->sentence = g_strdup_printf ("The same machine, measured in another way: %s.", listed);
  else
    self->sentence = g_strdup_printf ("The same machine: %s.", name);
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneMachineComparison,
                     void memlane_machine_comparison_free (MemlaneMachineComparison *data),
                     OWNS (differences, g_ptr_array_unref) OWNS (sentence, g_free))

/* --- two runs --------------------------------------------------------------------------------- */

/* How long two readings of the clock took: as the visits found it, or else the first process. 0:
 * unknown. */
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

double
memlane_host_state_divide (const MemlaneEnvironment *a, const MemlaneEnvironment *b)
{
  for (guint probed = 2; probed-- > 0;)
    if (get_pair_ns (a, probed) > 0 && get_pair_ns (b, probed) > 0)
      return get_pair_ns (b, probed) / get_pair_ns (a, probed);
  return 1;
}

void
memlane_host_state_correct (const MemlaneRun *a, const MemlaneRun *b, const char *workload,
                            MemlaneHostCorrection *correction)
{
  g_autoptr (GArray) before = g_array_new (FALSE, FALSE, sizeof (double)),
                     after = g_array_new (FALSE, FALSE, sizeof (double));
  double speed = memlane_host_state_divide (a->environment, b->environment);

  MEMLANE_FOR_EACH (const MemlaneCell, x, a->cells)
    {
      const MemlaneCell *y = memlane_run_find (b, workload, x->mode, x->log2_elements);
      const MemlaneFigure *one = memlane_cell_find (x, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      const MemlaneFigure *other = y != NULL ? memlane_cell_find (y, MEMLANE_PHASE_ELAPSED,
                                                                  MEMLANE_CLOCK_HOST)
                                             : NULL;
      double ratio, differs, remains;

      if (strcmp (x->workload, workload) != 0 || one == NULL || other == NULL
          || x->reuse != y->reuse || !memlane_cell_has_background_of (x, y)
          || !(one->statistics.median > 0) || !(other->statistics.median > 0))
        continue;
      ratio = log (other->statistics.median / one->statistics.median);
      differs = expm1 (fabs (ratio));
      remains = expm1 (fabs (
          ratio - memlane_host_slope (MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) * log (speed)));
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
    memlane_answer_say (
        answers, MEMLANE_ANSWER_BASIS,
        c.speed > 1 ? N_("The host was {factor} times slower in the second run. Total times "
                          "differ by {before}, and by "
                          "{after} after a correction for that, with slopes from other sweeps.")
                    : N_("The host was {factor} times slower in the first run. Total times differ "
                          "by {before}, and by "
                          "{after} after a correction for that, with slopes from other sweeps."),
        { "factor", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (MAX (c.speed, 1 / c.speed)) },
        { "before", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (c.before) },
        { "after", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (c.after) });
  return answers;
}
