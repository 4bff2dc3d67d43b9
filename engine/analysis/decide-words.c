/* decide-words.c: a decision in sentences: the recommendation for one size and reuse; fits, crossovers and break-evens
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

#include "base/i18n.h"
#include "crossover.h"
#include "measure/plan.h"

static GPtrArray *
answers_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_answer_free);
}

static void
add_log2 (MemlaneAnswer *answer, const char *name, guint log2_elements)
{
  memlane_answer_add_number (answer, name, MEMLANE_FACT_SIZE, exp2 (log2_elements));
}

/* --- fits ------------------------------------------------------------------------------------------------------------------- */

static MemlaneAnswer *
say_fit (const char *mode, MemlanePhase phase, const MemlaneFit *fit)
{
  MemlaneAnswer *answer;

  switch (fit->verdict)
    {
    case MEMLANE_FIT_STRAIGHT:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: latency {latency}, bandwidth {bandwidth}, half of it reached "
                                                           "at {half}."));
      break;
    case MEMLANE_FIT_PART:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}, {first} to {last} floats: latency {latency}, bandwidth "
                                                           "{bandwidth}, half of it reached at {half}. Other sizes do not fit this "
                                                           "model."));
      break;
    case MEMLANE_FIT_BENT:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: a latency-bandwidth model does not fit (error {worst} at "
                                                           "{worst_size} floats)."));
      break;
    case MEMLANE_FIT_TOO_FEW:
    case MEMLANE_N_FIT_VERDICTS:
    default:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: a latency-bandwidth model needs three sizes, and the runs "
                                                           "have {count}."));
      break;
    }
  memlane_answer_add_text (answer, "mode", MEMLANE_FACT_MODE, mode);
  memlane_answer_add_text (answer, "phase", MEMLANE_FACT_TEXT, memlane_phase_name (phase));
  memlane_answer_add_estimate (answer, "latency", MEMLANE_FACT_NS, &fit->latency_ns);
  memlane_answer_add_estimate (answer, "bandwidth", MEMLANE_FACT_BANDWIDTH, &fit->bandwidth);
  memlane_answer_add_estimate (answer, "half", MEMLANE_FACT_BYTES, &fit->half_bytes);
  add_log2 (answer, "first", fit->first_log2);
  add_log2 (answer, "last", fit->last_log2);
  add_log2 (answer, "worst_size", fit->worst_log2);
  memlane_answer_add_number (answer, "worst", MEMLANE_FACT_PERCENT, fit->worst);
  memlane_answer_add_number (answer, "count", MEMLANE_FACT_COUNT, fit->n_offered);
  return answer;
}

static void
add_wild (GPtrArray *answers, const char *mode, MemlanePhase phase, const MemlaneFit *fit)
{
  g_autoptr (GString) sizes = g_string_new (NULL);
  MemlaneAnswer *answer;

  for (guint p = 0; p < 32; p++)
    if ((fit->left_out >> p & 1) != 0)
      g_string_append_printf (sizes, "%s2^%u", sizes->len > 0 ? ", " : "", p);
  if (sizes->len == 0)
    return;
  answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: outliers were left out of the model: {sizes}."));
  memlane_answer_add_text (answer, "mode", MEMLANE_FACT_MODE, mode);
  memlane_answer_add_text (answer, "phase", MEMLANE_FACT_TEXT, memlane_phase_name (phase));
  memlane_answer_add_text (answer, "sizes", MEMLANE_FACT_TEXT, sizes->str);
  g_ptr_array_add (answers, answer);
}

GPtrArray *
memlane_decision_describe_fits (const MemlaneDecision *self)
{
  static const MemlanePhase phases[] = { MEMLANE_PHASE_UPLOAD, MEMLANE_PHASE_KERNEL, MEMLANE_PHASE_DOWNLOAD, MEMLANE_PHASE_ELAPSED };
  GPtrArray *answers = answers_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < G_N_ELEMENTS (phases) && (self->present >> i & 1) != 0; j++)
      {
        MemlaneClock clock = memlane_fit_clock (self->run, self->workload, modes[i].id, phases[j]);
        MemlaneFit fit;

        if (clock == MEMLANE_N_CLOCKS || !memlane_fit_run (self->run, self->workload, modes[i].id, phases[j], clock, &fit))
          continue;
        g_ptr_array_add (answers, say_fit (modes[i].id, phases[j], &fit));
        add_wild (answers, modes[i].id, phases[j], &fit);
      }
  return answers;
}

/* --- crossovers --------------------------------------------------------------------------------------------------------------- */

static MemlaneAnswer *
say_pair (const char *format, const char *a, const char *b, const MemlaneCrossover *crossover)
{
  MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_CROSSOVER, format);

  memlane_answer_add_text (answer, "faster", MEMLANE_FACT_MODE, a);
  memlane_answer_add_text (answer, "slower", MEMLANE_FACT_MODE, b);
  add_log2 (answer, "first", crossover->first_log2);
  add_log2 (answer, "last", crossover->last_log2);
  return answer;
}

static MemlaneAnswer *
say_stretch (const char *a, const char *b, const MemlaneCrossover *crossover, const MemlaneCrossing *stretch)
{
  const MemlaneEstimate at = { isnan (stretch->elements) ? sqrt (stretch->low * stretch->high) : stretch->elements, stretch->low,
                               stretch->high };
  const char *above = stretch->after < 0 ? a : b, *below = stretch->before < 0 ? a : b;
  MemlaneAnswer *answer;

  if (stretch->before * stretch->after < 0)
    answer = say_pair (N_ ("{faster} is faster than {slower} above {size} floats."), above, below, crossover);
  else if (stretch->before == 0 && stretch->after != 0)
    answer = say_pair (N_ ("{faster} is faster than {slower} above {high} floats. Below, from {low} floats, there is no significant "
                           "difference."),
                       above, above == a ? b : a, crossover);
  else if (stretch->after == 0 && stretch->before != 0)
    answer = say_pair (N_ ("{faster} is faster than {slower} below {low} floats. Above, up to {high} floats, there is no significant "
                           "difference."),
                       below, below == a ? b : a, crossover);
  else
    answer = say_pair (N_ ("No significant difference between {faster} and {slower} from {low} to {high} floats."), below,
                       below == a ? b : a,
                       crossover);
  memlane_answer_add_estimate (answer, "size", MEMLANE_FACT_SIZE, &at);
  memlane_answer_add_number (answer, "low", MEMLANE_FACT_SIZE, stretch->low);
  memlane_answer_add_number (answer, "high", MEMLANE_FACT_SIZE, stretch->high);
  return answer;
}

static void
say_crossover (GPtrArray *answers, const char *a, const char *b, const MemlaneCrossover *crossover)
{
  gboolean a_wins = crossover->verdict == MEMLANE_CROSSOVER_A;
  MemlaneAnswer *answer;

  switch (crossover->verdict)
    {
    case MEMLANE_CROSSOVER_CROSSES:
      for (guint i = 0; i < crossover->crossings->len; i++)
        g_ptr_array_add (answers, say_stretch (a, b, crossover, &g_array_index (crossover->crossings, MemlaneCrossing, i)));
      return;
    case MEMLANE_CROSSOVER_A:
    case MEMLANE_CROSSOVER_B:
      answer = say_pair (N_ ("{slower} is slower than {faster} from {first} to {last} floats, by at least {percent} (at {closest})."),
                         a_wins ? a : b, a_wins ? b : a, crossover);
      add_log2 (answer, "closest", crossover->least_log2);
      memlane_answer_add_number (answer, "percent", MEMLANE_FACT_PERCENT, crossover->least_ratio - 1);
      break;
    case MEMLANE_CROSSOVER_UNTOLD:
      answer = say_pair (N_ ("No significant difference between {faster} and {slower} from {first} to {last} floats."), a, b, crossover);
      break;
    case MEMLANE_CROSSOVER_NO_DATA:
    case MEMLANE_N_CROSSOVER_VERDICTS:
    default:
      answer = say_pair (N_ ("{faster} and {slower} cannot be compared: no size has times of both."), a, b, crossover);
      break;
    }
  g_ptr_array_add (answers, answer);
}

GPtrArray *
memlane_decision_describe_crossovers (const MemlaneDecision *self)
{
  GPtrArray *answers = answers_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (int one = 0; one < MEMLANE_WAY_RESIDENT; one++)
    for (int other = one + 1; other < MEMLANE_WAY_RESIDENT; other++)
      {
        int a = memlane_decision_find_first (self, (MemlaneWay) one), b = memlane_decision_find_first (self, (MemlaneWay) other);
        g_autoptr (MemlaneCrossover) crossover = NULL;

        if (a < 0 || b < 0)
          continue;
        crossover = memlane_crossover_run (self->run, self->workload, modes[a].id, modes[b].id, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
        say_crossover (answers, modes[a].id, modes[b].id, crossover);
      }
  return answers;
}

/* --- break-evens -------------------------------------------------------------------------------------------------------------- */

static MemlaneAnswer *
finish_break_even (MemlaneAnswer *answer, const char *cheap, const char *dear, guint log2_elements, const MemlaneBreakEven *result)
{
  memlane_answer_add_text (answer, "cheap", MEMLANE_FACT_MODE, cheap);
  memlane_answer_add_text (answer, "dear", MEMLANE_FACT_MODE, dear);
  add_log2 (answer, "size", log2_elements);
  memlane_answer_add_estimate (answer, "count", MEMLANE_FACT_COUNT, &result->count);
  memlane_answer_add_estimate (answer, "price", MEMLANE_FACT_NS, &result->price_ns);
  memlane_answer_add_estimate (answer, "gain", MEMLANE_FACT_NS, &result->gain_ns);
  return answer;
}

static MemlaneAnswer *
say_price (const char *pageable, const char *pinned, guint log2_elements, MemlanePinning pinning, const MemlaneBreakEven *result)
{
  static const char *const formats[] = {
    [MEMLANE_BREAK_EVEN_AT_ONCE] = N_ ("{size} floats, memory {case}: {dear} pays off with the first transfer. Each transfer saves {gain} "
                                       "against {cheap}."),
    [MEMLANE_BREAK_EVEN_AFTER] = N_ ("{size} floats, memory {case}: {dear} costs {price} more than {cheap}, and each transfer saves "
                                     "{gain}. It pays off after {count} transfers."),
    [MEMLANE_BREAK_EVEN_UNTIL] = N_ ("{size} floats, memory {case}: {dear} is cheaper than {cheap} only for up to {count} transfers."),
    [MEMLANE_BREAK_EVEN_NEVER] = N_ ("{size} floats, memory {case}: {dear} never pays off against {cheap}. It costs {price} more and saves "
                                     "nothing."),
    [MEMLANE_BREAK_EVEN_UNTOLD] = N_ ("{size} floats, memory {case}: whether {dear} pays off against {cheap} cannot be determined. Extra "
                                      "cost {price}, saving of a transfer {gain}."),
    [MEMLANE_BREAK_EVEN_NO_DATA] = N_ ("{size} floats, memory {case}: the cost of {dear} was not measured."),
  };
  MemlaneBreakEvenVerdict verdict = result->verdict;
  MemlaneAnswer *answer;

  /* Samples come whole: what is earned by a part of one is earned by the first, what is lost by then was never ahead. */
  if (verdict == MEMLANE_BREAK_EVEN_AFTER && result->count.high <= 1)
    verdict = MEMLANE_BREAK_EVEN_AT_ONCE;
  else if (verdict == MEMLANE_BREAK_EVEN_UNTIL && result->count.high < 1)
    verdict = MEMLANE_BREAK_EVEN_NEVER;
  answer = finish_break_even (memlane_answer_new (MEMLANE_ANSWER_BREAK_EVEN, formats[verdict]), pageable, pinned, log2_elements, result);
  memlane_answer_add_text (answer, "case", MEMLANE_FACT_WORD, memlane_pinning_title (pinning));
  return answer;
}

static MemlaneAnswer *
say_uses (const char *mapped, const char *copying, guint log2_elements, const MemlaneBreakEven *result)
{
  static const char *const formats[] = {
    [MEMLANE_BREAK_EVEN_AT_ONCE] = N_ ("{size} floats: copying ({dear}) is faster than {cheap} from the first use on."),
    [MEMLANE_BREAK_EVEN_AFTER] = N_ ("{size} floats: {cheap} is faster for data that is used a few times. From a reuse of {count} on, copy "
                                     "the data ({dear})."),
    [MEMLANE_BREAK_EVEN_UNTIL] = N_ ("{size} floats: copying ({dear}) is faster than {cheap} up to a reuse of {count} only."),
    [MEMLANE_BREAK_EVEN_NEVER] = N_ ("{size} floats: {cheap} is faster than copying ({dear}) at every reuse."),
    [MEMLANE_BREAK_EVEN_UNTOLD] = N_ ("{size} floats: no significant difference between {cheap} and copying ({dear}) at any reuse."),
  };

  MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_BREAK_EVEN, formats[result->verdict]);

  if (result->verdict == MEMLANE_BREAK_EVEN_UNTOLD && result->count.low > 1)
    {
      answer->format = N_ ("{size} floats: {cheap} is faster up to a reuse of {last}. Beyond it there is no significant difference to "
                           "copying ({dear}).");
      memlane_answer_add_number (answer, "last", MEMLANE_FACT_COUNT, result->count.low - 1);
    }
  return finish_break_even (answer, mapped, copying, log2_elements, result);
}

/* The modes whose page-locked memory is priced: what allocates it locked, and what locks it afterwards. */
static void
find_pinning (const MemlaneDecision *self, int pinning[2])
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  pinning[0] = pinning[1] = -1;
  for (guint i = 0; i < n; i++)
    {
      int *place = &pinning[modes[i].input_memory == MEMLANE_HOST_REGISTERED];

      if ((self->present >> i & 1) != 0 && modes[i].way == MEMLANE_WAY_PINNED
          && (*place < 0 || modes[i].effort < modes[*place].effort))
        *place = (int) i;
    }
}

static void
describe_pinning (const MemlaneDecision *self, GPtrArray *answers)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int usual = memlane_decision_find_first (self, MEMLANE_WAY_PAGEABLE), pinning[2];
  MemlaneBreakEven result;

  find_pinning (self, pinning);
  for (guint k = 0; k < G_N_ELEMENTS (pinning) && usual >= 0; k++)
    for (MemlanePinning c = MEMLANE_PINNING_FIRST; c < MEMLANE_N_PINNING_CASES && pinning[k] >= 0; c++)
      for (guint i = 0; i < self->n_sizes; i++)
        {
          memlane_break_even_pinning (self->run, self->workload, modes[usual].id, modes[pinning[k]].id, self->sizes[i], c, &result);
          if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
            g_ptr_array_add (answers, say_price (modes[usual].id, modes[pinning[k]].id, self->sizes[i], c, &result));
        }
}

GPtrArray *
memlane_decision_describe_break_evens (const MemlaneDecision *self)
{
  GPtrArray *answers = answers_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  MemlaneBreakEven result;
  int mapped, copying;

  describe_pinning (self, answers);
  if (answers->len > 0)
    g_ptr_array_add (answers, memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("A sweep does not show what the first page-locked memory "
                                                                              "of a process costs.")));
  for (guint i = 0; i < self->n_sizes; i++)
    if (memlane_decision_break_even (self, self->sizes[i], &mapped, &copying, &result))
      g_ptr_array_add (answers, say_uses (modes[mapped].id, modes[copying].id, self->sizes[i], &result));
  if (answers->len == 0)
    g_ptr_array_add (answers, memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("No break-even points: they need a pageable, a page-locked "
                                                                              "and a zero-copy mode with all phases.")));
  return answers;
}

/* --- the recommendation ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const MemlaneDecision *self;
  const MemlaneMode *modes;
  guint n, log2, reuse;
  MemlaneChoice choice;
  GPtrArray *answers;
} Case;

static MemlaneAnswer *
say (Case *c, MemlaneAnswerKind kind, const char *format)
{
  MemlaneAnswer *answer = memlane_answer_new (kind, format);

  g_ptr_array_add (c->answers, answer);
  return answer;
}

static void
add_mode (Case *c, MemlaneAnswer *answer, const char *name, int mode)
{
  memlane_answer_add_text (answer, name, MEMLANE_FACT_MODE, c->modes[mode].id);
}

static void
add_case (Case *c, MemlaneAnswer *answer)
{
  memlane_answer_add_number (answer, "size", MEMLANE_FACT_SIZE, exp2 (c->log2));
  memlane_answer_add_number (answer, "bytes", MEMLANE_FACT_BYTES, 4 * exp2 (c->log2));
  memlane_answer_add_number (answer, "reuse", MEMLANE_FACT_COUNT, c->reuse);
  memlane_answer_add_text (answer, "direction", MEMLANE_FACT_WORD, memlane_direction_title (c->self->direction));
}

static MemlaneForecast
predict (Case *c, int mode)
{
  MemlaneForecast prediction = { .basis = MEMLANE_BASIS_NONE };

  if (mode >= 0)
    memlane_decision_forecast (c->self, (guint) mode, c->log2, c->reuse, &prediction);
  return prediction;
}

/* "a, b": of @set, without @but and @other. */
static char *
list_modes (const MemlaneMode *modes, guint32 set, int but, int other)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < 32; i++)
    if ((set >> i & 1) != 0 && (int) i != but && (int) i != other)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", modes[i].id);
  return g_string_free (names, FALSE);
}

static void
say_nothing (Case *c)
{
  MemlaneAnswer *answer;
  g_autoptr (GString) sizes = g_string_new (NULL);
  gboolean measured = FALSE;

  for (guint i = 0; i < c->self->n_sizes; i++)
    {
      g_string_append_printf (sizes, "%s2^%u", i > 0 ? ", " : "", c->self->sizes[i]);
      measured = measured || c->self->sizes[i] == c->log2;
    }
  if (c->self->n_sizes == 0)
    return; /* the notes have said why */
  if (c->reuse > MEMLANE_DECIDE_MOST_REUSE)
    answer = say (c, MEMLANE_ANSWER_TROUBLE, N_ ("A reuse of {reuse} is beyond the limit of {most}."));
  else if (measured)
    answer = say (c, MEMLANE_ANSWER_TROUBLE, N_ ("Not enough data for {size} floats at a reuse of {reuse}. It was not measured, and it "
                                                 "cannot be computed from what was."));
  else
    answer = say (c, MEMLANE_ANSWER_TROUBLE, N_ ("Not enough data for {size} floats. The runs hold {sizes}."));
  add_case (c, answer);
  memlane_answer_add_number (answer, "most", MEMLANE_FACT_COUNT, MEMLANE_DECIDE_MOST_REUSE);
  memlane_answer_add_text (answer, "sizes", MEMLANE_FACT_TEXT, sizes->str);
}

static void
say_choice (Case *c)
{
  static const char *const formats[][2] = {
    { N_ ("{size} floats ({bytes} a vector), reuse {reuse}, {direction}: use {mode}, {time}."),
      N_ ("{size} floats ({bytes} a vector), reuse {reuse}, {direction}: use {mode} on the simulated device, {time}.") },
    { N_ ("{size} floats ({bytes} a vector), reuse {reuse}, {direction}: probably {mode}, {time}. Another mode may be up to {regret} "
          "faster."),
      N_ ("{size} floats ({bytes} a vector), reuse {reuse}, {direction}: probably {mode} on the simulated device, {time}. Another mode "
          "may be up to {regret} faster.") },
    { N_ ("{size} floats ({bytes} a vector), reuse {reuse}, {direction}: no measurable difference. Take the simplest, {mode}, {time}."),
      N_ ("{size} floats ({bytes} a vector), reuse {reuse}, {direction}: no measurable difference on the simulated device. Take the "
          "simplest, {mode}, {time}.") },
  };
  MemlaneForecast p = predict (c, c->choice.choice);
  guint kind = c->choice.open ? 1 : memlane_choice_is_many (&c->choice) ? 2 : 0;
  MemlaneAnswer *answer = say (c, MEMLANE_ANSWER_BEST, formats[kind][c->self->simulated ? 1 : 0]);

  add_case (c, answer);
  add_mode (c, answer, "mode", c->choice.choice);
  memlane_answer_add_estimate (answer, "time", MEMLANE_FACT_NS, &p.ns);
  /* The other's time as a share of this one's: 1 - 1 / (1 + regret). */
  memlane_answer_add_number (answer, "regret", MEMLANE_FACT_PERCENT, 1 - 1 / (1 + c->choice.regret));
}

static void
say_fastest (Case *c)
{
  MemlaneForecast p = predict (c, c->choice.fastest);
  MemlaneAnswer *answer;

  if (c->choice.fastest == c->choice.choice)
    return;
  answer = say (c, MEMLANE_ANSWER_TIED, N_ ("The smallest time is that of {fastest}, {time}. {mode} is simpler and at most {regret} "
                                            "slower."));
  if (c->choice.open)
    answer->format = N_ ("The smallest time is that of {fastest}, {time}. The difference to {mode} is not significant.");
  add_mode (c, answer, "fastest", c->choice.fastest);
  add_mode (c, answer, "mode", c->choice.choice);
  memlane_answer_add_estimate (answer, "time", MEMLANE_FACT_NS, &p.ns);
  memlane_answer_add_number (answer, "regret", MEMLANE_FACT_PERCENT, c->choice.regret);
}

static void
say_ties (Case *c)
{
  g_autofree char *names = list_modes (c->modes, c->choice.ties, c->choice.choice, -1);
  MemlaneAnswer *answer;

  if (names[0] == '\0')
    return;
  answer = say (c, MEMLANE_ANSWER_TIED, N_ ("Within 5 % of {mode}, or not told apart from it: {modes}."));
  add_mode (c, answer, "mode", c->choice.choice);
  memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, names);
}

static void
say_versus (Case *c, int other, const char *slower, const char *untold)
{
  MemlaneForecast best = predict (c, c->choice.choice), next = predict (c, other);
  MemlaneAnswer *answer;

  if (other < 0 || other == c->choice.choice || next.basis == MEMLANE_BASIS_NONE)
    return;
  answer = say (c, MEMLANE_ANSWER_NEXT, (c->choice.ties >> other & 1) == 0 ? slower : untold);
  add_mode (c, answer, "other", other);
  add_mode (c, answer, "mode", c->choice.choice);
  memlane_answer_add_text (answer, "way", MEMLANE_FACT_WORD, memlane_way_title (c->modes[other].way));
  memlane_answer_add_estimate (answer, "time", MEMLANE_FACT_NS, &next.ns);
  memlane_answer_add_number (answer, "percent", MEMLANE_FACT_PERCENT, next.ns.value / best.ns.value - 1);
  memlane_answer_add_number (answer, "factor", MEMLANE_FACT_FACTOR, next.ns.value / best.ns.value);
}

static void
say_next (Case *c)
{
  int usual = memlane_decision_find_first (c->self, MEMLANE_WAY_PAGEABLE);

  say_versus (c, c->choice.rival, N_ ("Best {way} mode: {other}, {time}, {percent} slower than {mode}."),
              N_ ("Best {way} mode: {other}, {time}. No significant difference from {mode}."));
  if (usual != c->choice.rival)
    say_versus (c, usual, N_ ("Baseline: {other} takes {time}, {factor} times as long."),
                N_ ("Baseline: {other} takes {time}. No significant difference from {mode}."));
}

static void
say_basis (Case *c)
{
  MemlaneForecast p = predict (c, c->choice.choice);
  MemlaneAnswer *answer = NULL;

  switch (p.basis)
    {
    case MEMLANE_BASIS_BETWEEN:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("Estimated between the measured reuse values {r0} and {r1}."));
      break;
    case MEMLANE_BASIS_COMPUTED:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("Estimated: the time measured at a reuse of {r0}, plus {kernels} further kernels."));
      break;
    case MEMLANE_BASIS_BOUNDED:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("Only a range can be given: upload, kernel and download overlap in this mode."));
      break;
    case MEMLANE_BASIS_MEASURED:
      if (p.noisy)
        answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("Measured; the measurement is noisy."));
      break;
    case MEMLANE_BASIS_NONE:
    case MEMLANE_N_BASES:
    default:
      break;
    }
  if (answer == NULL)
    return;
  memlane_answer_add_number (answer, "r0", MEMLANE_FACT_COUNT, p.r0);
  memlane_answer_add_number (answer, "r1", MEMLANE_FACT_COUNT, p.r1);
  memlane_answer_add_number (answer, "kernels", MEMLANE_FACT_COUNT, (double) c->reuse - p.r0);
}

static void
say_advice (Case *c)
{
  static const char *const formats[] = {
    [MEMLANE_SWEEP_FOR_SIZE] = N_ ("Measure this size: {command}"),
    [MEMLANE_SWEEP_FOR_REUSE] = N_ ("The times are estimates. Measure this reuse: {command}"),
    [MEMLANE_SWEEP_FOR_AGAIN] = N_ ("The intervals are too wide. Measure again: {command}"),
  };
  MemlaneSweepAdvice advice;
  g_autofree char *command = NULL;

  if (!memlane_decision_advise (c->self, c->log2, c->reuse, &advice))
    return;
  command = memlane_sweep_advice_to_command (c->self, &advice);
  memlane_answer_add_text (say (c, MEMLANE_ANSWER_ADVICE, formats[advice.cause]), "command", MEMLANE_FACT_TEXT, command);
}

/* How the price of page-locked memory is earned back, where the chosen mode has it. The gain is that of this reuse and direction. */
static void
say_pinning (Case *c)
{
  int usual = memlane_decision_find_first (c->self, MEMLANE_WAY_PAGEABLE), mode = c->choice.choice;
  MemlaneWay way = c->modes[mode].way;
  MemlaneForecast fast = predict (c, mode), slow = predict (c, usual);
  MemlaneEstimate gain, beyond;

  if (usual < 0 || slow.basis == MEMLANE_BASIS_NONE || way == MEMLANE_WAY_PAGEABLE || way == MEMLANE_WAY_MANAGED)
    return;
  beyond = memlane_decision_compare (&slow, &fast);
  gain.value = slow.ns.value - fast.ns.value;
  gain.low = MIN (gain.value, fast.ns.value * beyond.low);
  gain.high = MAX (gain.value, fast.ns.value * beyond.high);
  for (MemlanePinning pinning = MEMLANE_PINNING_FIRST; pinning < MEMLANE_N_PINNING_CASES; pinning++)
    {
      MemlaneBreakEven result;

      memlane_break_even_pinning (c->self->run, c->self->workload, c->modes[usual].id, c->modes[mode].id, c->log2, pinning, &result);
      if (result.verdict == MEMLANE_BREAK_EVEN_NO_DATA)
        continue;
      memlane_break_even_compute (&result.price_ns, &gain, &result);
      g_ptr_array_add (c->answers, say_price (c->modes[usual].id, c->modes[mode].id, c->log2, pinning, &result));
    }
}

static void
say_reuse (Case *c)
{
  MemlaneBreakEven result;
  int mapped, copying;

  if (memlane_decision_break_even (c->self, c->log2, &mapped, &copying, &result))
    g_ptr_array_add (c->answers, say_uses (c->modes[mapped].id, c->modes[copying].id, c->log2, &result));
}

GPtrArray *
memlane_decision_recommend (const MemlaneDecision *self, guint log2_elements, guint reuse)
{
  Case c = { .self = self, .log2 = log2_elements, .reuse = reuse };

  c.answers = answers_new ();
  c.modes = memlane_mode_list (&c.n);
  if (!memlane_decision_judge (self, log2_elements, reuse, &c.choice))
    {
      say_nothing (&c);
      say_advice (&c);
    }
  else
    {
      say_choice (&c);
      say_fastest (&c);
      say_ties (&c);
      say_next (&c);
      say_basis (&c);
      say_advice (&c);
      say_pinning (&c);
      say_reuse (&c);
    }
  if (c.answers->len == 0)
    {
      MemlaneAnswer *answer = say (&c, MEMLANE_ANSWER_TROUBLE, N_ ("Not enough data: there are no total times of {workload}."));

      memlane_answer_add_text (answer, "workload", MEMLANE_FACT_TEXT, self->workload);
    }
  return c.answers;
}

/* --- advice ------------------------------------------------------------------------------------------------------------------- */

/* Those that may be as good as the choice, and the choice. */
static guint32
find_contenders (const MemlaneDecision *self, guint log2_elements, guint reuse, const MemlaneChoice *choice, gboolean *computed)
{
  MemlaneForecast best, p;
  guint32 set = 1u << choice->choice;

  memlane_decision_forecast (self, (guint) choice->choice, log2_elements, reuse, &best);
  *computed = best.basis != MEMLANE_BASIS_MEASURED;
  for (guint i = 0; i < self->n_modes; i++)
    {
      if ((choice->contest >> i & 1) == 0 || !memlane_decision_forecast (self, i, log2_elements, reuse, &p)
          || memlane_decision_compare (&best, &p).high <= MEMLANE_DECIDE_TIE)
        continue;
      set |= 1u << i;
      *computed = *computed || p.basis != MEMLANE_BASIS_MEASURED;
    }
  return set;
}

gboolean
memlane_decision_advise (const MemlaneDecision *self, guint log2_elements, guint reuse, MemlaneSweepAdvice *advice)
{
  MemlaneChoice choice;
  gboolean computed, measured = FALSE;

  *advice = (MemlaneSweepAdvice) { MEMLANE_SWEEP_FOR_NOTHING, self->present, log2_elements, reuse };
  if (self->n_sizes == 0 || reuse == 0 || reuse > MEMLANE_MOST_REUSE || log2_elements < MEMLANE_SMALLEST_LOG2
      || log2_elements > MEMLANE_LARGEST_LOG2)
    return FALSE;
  for (guint i = 0; i < self->n_sizes; i++)
    measured = measured || self->sizes[i] == log2_elements;
  if (!memlane_decision_judge (self, log2_elements, reuse, &choice))
    advice->cause = measured ? MEMLANE_SWEEP_FOR_REUSE : MEMLANE_SWEEP_FOR_SIZE;
  else if (choice.open)
    {
      advice->modes = find_contenders (self, log2_elements, reuse, &choice, &computed);
      advice->cause = computed && self->has_reuse ? MEMLANE_SWEEP_FOR_REUSE : MEMLANE_SWEEP_FOR_AGAIN;
    }
  return advice->cause != MEMLANE_SWEEP_FOR_NOTHING;
}

char *
memlane_sweep_advice_to_command (const MemlaneDecision *self, const MemlaneSweepAdvice *advice)
{
  guint n;
  g_autofree char *names = list_modes (memlane_mode_list (&n), advice->modes, -1, -1);
  g_auto (GStrv) modes = g_strsplit (names, ", ", -1);
  g_autofree char *list = g_strjoinv (",", modes);
  GString *command = g_string_new ("memlane-cli sweep");

  if (self->run->device != NULL && *self->run->device != '\0')
    g_string_append_printf (command, " --device %s", self->run->device);
  if (strcmp (self->workload, "vector-add") != 0)
    g_string_append_printf (command, " --workload %s", self->workload);
  g_string_append_printf (command, " --modes %s --sizes %u:%u", list, advice->log2_elements, advice->log2_elements);
  if (advice->reuse != 1)
    g_string_append_printf (command, " --reuse %u", advice->reuse);
  g_string_append (command, " --csv more.csv");
  return g_string_free (command, FALSE);
}
