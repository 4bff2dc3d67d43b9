/* control.c: what a run says against its own figures
 *
 * SPDX-License-Identifier: MIT
 */
#include "control.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "mode/mode.h"
#include "same-machine.h"

#define CHANCE 0.05
#define MOST_FALSE_ALARMS 0.02

/* (nullable): the elapsed time of the cell that is @cell's, but of @mode. */
static const MemlaneFigure *
find_twin (const MemlaneRun *run, const MemlaneCell *cell, const char *mode)
{
  MEMLANE_FOR_EACH (const MemlaneCell, other, run->cells)
    if (other->log2_elements == cell->log2_elements && other->reuse == cell->reuse
        && strcmp (other->mode, mode) == 0 && memlane_cell_has_background_of (other, cell)
        && strcmp (other->workload, cell->workload) == 0)
      return memlane_cell_find (other, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  return NULL;
}

static guint
count_throttled (const MemlaneRun *run)
{
  guint n = 0;

  MEMLANE_FOR_EACH_OF (const MemlaneEnvironmentRound, round, n_rounds,
                       memlane_environment_get_rounds (run->environment, &n_rounds))
    n += round->throttled != NULL;
  return n;
}

guint
memlane_control_get_alarm (guint pairs)
{
  double probability = pow (1 - CHANCE, pairs), above = 1;
  guint n = 0;

  /* Here above = P (X >= n), probability = P (X = n), for X ~ binomial (pairs, CHANCE). */
  while (above > MOST_FALSE_ALARMS)
    {
      above -= probability;
      probability *= (double) (pairs - n) / (n + 1.0) * CHANCE / (1 - CHANCE);
      n++;
    }
  return n;
}

void
memlane_control_run (const MemlaneRun *run, MemlaneControl *control)
{
  gboolean one_process = FALSE;

  *control = (MemlaneControl) { .verdict = MEMLANE_CONTROL_NO_PAIRS,
                               .throttled = count_throttled (run),
                               .environment = run->environment };
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneMode *mode = memlane_mode_find (cell->mode);
      const MemlaneFigure *elapsed = memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED,
                                                        MEMLANE_CLOCK_HOST),
                          *twin;
      MemlaneEstimate ratio;

      if (mode == NULL || mode->identical_to == NULL || elapsed == NULL)
        continue;
      twin = find_twin (run, cell, mode->identical_to);
      ratio = memlane_estimate_ratio (elapsed, twin);
      if (!memlane_estimate_is_known (&ratio))
        continue;
      one_process = one_process || elapsed->n_rounds == 0 || twin->n_rounds == 0;
      if (MIN (elapsed->n_rounds, twin->n_rounds) < MEMLANE_CONTROL_LEAST_ROUNDS)
        continue;
      control->pairs++;
      if (ratio.low <= 1 && 1 <= ratio.high)
        continue;
      control->apart++;
      control->largest = MAX (control->largest, fabs (ratio.value - 1));
    }
  if (control->pairs > 0)
    control->verdict = control->apart >= memlane_control_get_alarm (control->pairs)
                           ? MEMLANE_CONTROL_FAILED
                           : MEMLANE_CONTROL_PASSED;
  else if (one_process)
    control->verdict = MEMLANE_CONTROL_ONE_PROCESS;
}

GPtrArray *
memlane_control_describe (const MemlaneControl *control)
{
  static const char *const formats[] = {
    [MEMLANE_CONTROL_PASSED] = N_ (
        "Check passed: {apart} of {pairs} pairs of identical modes differ."),
    [MEMLANE_CONTROL_FAILED] = N_ (
        "Control: {apart} of {pairs} identical pairs were told apart, by up to {largest}. Smaller "
        "differences in this run may be chance. Close other programs and measure again, with more "
        "rounds."),
    [MEMLANE_CONTROL_ONE_PROCESS] = N_("Control: not judged. All figures come from one process."),
    [MEMLANE_CONTROL_NO_PAIRS] = N_ (
        "Control: not judged. The run has no identical pair of modes with enough rounds."),
  };
  const char *format =
      control->verdict == MEMLANE_CONTROL_PASSED && control->apart == 0
          ? N_("Check passed: {pairs} pairs of identical modes show no difference.")
          : formats[control->verdict];
  GPtrArray *answers = memlane_answers_new ();

  memlane_answer_say (answers,
                      control->verdict == MEMLANE_CONTROL_FAILED ? MEMLANE_ANSWER_TROUBLE
                                                                 : MEMLANE_ANSWER_BASIS,
                      format, { "apart", MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (control->apart) },
                      { "pairs", MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (control->pairs) },
                      { "largest", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (control->largest) });
  memlane_host_state_describe (control->environment, answers);
  if (control->throttled > 0)
    memlane_answer_say (answers, MEMLANE_ANSWER_TROUBLE,
                        N_("The device was slowed in {rounds} of the rounds, at each of three "
                            "tries. Let it cool, or lift its power "
                            "limit, and measure again."),
                        { "rounds", MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (control->throttled) });
  return answers;
}

char *
memlane_control_to_text (const MemlaneControl *control)
{
  g_autoptr (GPtrArray) answers = memlane_control_describe (control);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < answers->len; i++)
    {
      g_autofree char *words = memlane_answer_format (answers->pdata[i], NULL, NULL, NULL);

      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", words);
    }
  return g_string_free (text, FALSE);
}
