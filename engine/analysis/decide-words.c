/* decide-words.c: a decision in sentences: the recommendation for one size and reuse; fits, crossovers and break-evens
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide.h"

#include <string.h>

#include "base/i18n.h"
#include "crossover.h"

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
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: {latency} and then {bandwidth}; half of that bandwidth at "
                                                           "{half}."));
      break;
    case MEMLANE_FIT_PART:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: from {first} to {last} floats {latency} and then {bandwidth}, "
                                                           "half of that bandwidth at {half}; no line describes the other sizes with "
                                                           "these."));
      break;
    case MEMLANE_FIT_BENT:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: no latency and bandwidth describe it; {worst_size} floats are "
                                                           "{worst} off the best line."));
      break;
    case MEMLANE_FIT_TOO_FEW:
    case MEMLANE_N_FIT_VERDICTS:
    default:
      answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: latency and bandwidth cannot be told from {count} sizes; "
                                                           "sweep at least three."));
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
  answer = memlane_answer_new (MEMLANE_ANSWER_FIT, N_ ("{mode}, {phase}: left out of the line, for it lies far off: {sizes}."));
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
    answer = say_pair (N_ ("From {size} floats on {faster} is faster than {slower}."), above, below, crossover);
  else if (stretch->before == 0 && stretch->after != 0)
    answer = say_pair (N_ ("{faster} is faster than {slower} from {high} floats on; from {low} to there the two cannot be told apart."),
                       above, above == a ? b : a, crossover);
  else if (stretch->after == 0 && stretch->before != 0)
    answer = say_pair (N_ ("{faster} is faster than {slower} up to {low} floats; from there to {high} the two cannot be told apart."),
                       below, below == a ? b : a, crossover);
  else
    answer = say_pair (N_ ("Between {low} and {high} floats {faster} and {slower} cannot be told apart."), below, below == a ? b : a,
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
      answer = say_pair (N_ ("{slower} is never faster than {faster} within {first} to {last} floats; it comes closest at {closest}, where "
                             "it takes {percent} longer."), a_wins ? a : b, a_wins ? b : a, crossover);
      add_log2 (answer, "closest", crossover->least_log2);
      memlane_answer_add_number (answer, "percent", MEMLANE_FACT_PERCENT, crossover->least_ratio - 1);
      break;
    case MEMLANE_CROSSOVER_UNTOLD:
      answer = say_pair (N_ ("Which of {faster} and {slower} is faster cannot be told: their intervals overlap at every size from {first} "
                             "to {last} floats."), a, b, crossover);
      break;
    case MEMLANE_CROSSOVER_NO_DATA:
    case MEMLANE_N_CROSSOVER_VERDICTS:
    default:
      answer = say_pair (N_ ("Which of {faster} and {slower} is faster cannot be told: no size has times of both."), a, b, crossover);
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
say_price (const char *pageable, const char *pinned, guint log2_elements, gboolean first_write, const MemlaneBreakEven *result)
{
  static const char *const formats[][2] = {
    [MEMLANE_BREAK_EVEN_AT_ONCE] = {
      N_ ("At {size} floats the memory of {dear} pays with the first sample against {cheap}: making it and giving it back costs {price} "
          "more, each sample wins {gain}."),
      N_ ("At {size} floats, the first write included, the memory of {dear} pays with the first sample against {cheap}: it costs {price} "
          "more, each sample wins {gain}."),
    },
    [MEMLANE_BREAK_EVEN_AFTER] = {
      N_ ("At {size} floats the memory of {dear} pays against {cheap} after {count} samples: making it and giving it back costs {price} "
          "more, each sample wins {gain}."),
      N_ ("At {size} floats, the first write included, the memory of {dear} pays against {cheap} after {count} samples: it costs {price} "
          "more, each sample wins {gain}."),
    },
    [MEMLANE_BREAK_EVEN_UNTIL] = {
      N_ ("At {size} floats the memory of {dear} pays against {cheap} only for up to {count} samples: it saves once and loses each time."),
      N_ ("At {size} floats, the first write included, the memory of {dear} pays against {cheap} only for up to {count} samples: it saves "
          "once and loses each time."),
    },
    [MEMLANE_BREAK_EVEN_NEVER] = {
      N_ ("At {size} floats the memory of {dear} never pays against {cheap}: a sample gains {gain}."),
      N_ ("At {size} floats, the first write included, the memory of {dear} never pays against {cheap}: a sample gains {gain}."),
    },
    [MEMLANE_BREAK_EVEN_UNTOLD] = {
      N_ ("At {size} floats it cannot be told whether the memory of {dear} pays against {cheap}: price {price}, gain of a sample {gain}."),
      N_ ("At {size} floats, the first write included, it cannot be told whether the memory of {dear} pays against {cheap}: price {price}, "
          "gain of a sample {gain}."),
    },
  };

  MemlaneBreakEvenVerdict verdict = result->verdict;

  /* Samples come whole: what is earned by a part of one is earned by the first, what is lost by then was never ahead. */
  if (verdict == MEMLANE_BREAK_EVEN_AFTER && result->count.high <= 1)
    verdict = MEMLANE_BREAK_EVEN_AT_ONCE;
  else if (verdict == MEMLANE_BREAK_EVEN_UNTIL && result->count.high < 1)
    verdict = MEMLANE_BREAK_EVEN_NEVER;
  return finish_break_even (memlane_answer_new (MEMLANE_ANSWER_BREAK_EVEN, formats[verdict][first_write ? 1 : 0]), pageable, pinned,
                            log2_elements, result);
}

static MemlaneAnswer *
say_uses (const char *mapped, const char *copying, guint log2_elements, const MemlaneBreakEven *result)
{
  static const char *const formats[] = {
    [MEMLANE_BREAK_EVEN_AT_ONCE] = N_ ("At {size} floats copying ({dear}) is ahead of {cheap} from the first use on."),
    [MEMLANE_BREAK_EVEN_AFTER] = N_ ("At {size} floats {cheap} is ahead up to a reuse of {count}; beyond it copying ({dear}) is, since "
                                     "each further use over the link costs {gain} more."),
    [MEMLANE_BREAK_EVEN_UNTIL] = N_ ("At {size} floats copying ({dear}) is ahead of {cheap} up to a reuse of {count} only."),
    [MEMLANE_BREAK_EVEN_NEVER] = N_ ("At {size} floats {cheap} is ahead of copying ({dear}) however often the data are used."),
    [MEMLANE_BREAK_EVEN_UNTOLD] = N_ ("At {size} floats the reuse from which copying ({dear}) is ahead of {cheap} cannot be told."),
  };

  return finish_break_even (memlane_answer_new (MEMLANE_ANSWER_BREAK_EVEN, formats[result->verdict]), mapped, copying, log2_elements,
                            result);
}

GPtrArray *
memlane_decision_describe_break_evens (const MemlaneDecision *self)
{
  static const char *const pinning[] = { "pinned", "registered" };
  GPtrArray *answers = answers_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int usual = memlane_decision_find_first (self, MEMLANE_WAY_PAGEABLE), mapped = memlane_decision_find_first (self, MEMLANE_WAY_ZERO_COPY);
  MemlaneBreakEven result;

  for (guint way = 0; way < G_N_ELEMENTS (pinning) && usual >= 0; way++)
    for (guint first_write = 0; first_write < 2; first_write++)
      for (guint i = 0; i < self->n_sizes; i++)
        {
          memlane_break_even_pinning (self->run, self->workload, modes[usual].id, pinning[way], self->sizes[i], first_write, &result);
          if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
            g_ptr_array_add (answers, say_price (modes[usual].id, pinning[way], self->sizes[i], first_write, &result));
        }
  for (guint i = 0; i < self->n_sizes && mapped >= 0 && self->has_reuse; i++)
    {
      int copying = memlane_decision_find_copying (self, self->sizes[i]);

      if (copying < 0)
        continue;
      memlane_break_even_reuse (self->run, self->workload, modes[mapped].id, modes[copying].id, self->sizes[i], &result);
      if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
        g_ptr_array_add (answers, say_uses (modes[mapped].id, modes[copying].id, self->sizes[i], &result));
    }
  if (answers->len == 0)
    {
      MemlaneAnswer *answer = memlane_answer_new (MEMLANE_ANSWER_TROUBLE, N_ ("Break-evens cannot be told: they take cells of {modes}, "
                                                                              "with alloc, elapsed and free."));

      memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, "pageable, pinned, mapped");
      g_ptr_array_add (answers, answer);
    }
  return answers;
}

/* --- the recommendation ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const MemlaneDecision *self;
  const MemlaneMode *modes;
  guint n, log2, reuse;
  MemlaneChoice verdict;
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
add_size (Case *c, MemlaneAnswer *answer)
{
  memlane_answer_add_number (answer, "size", MEMLANE_FACT_SIZE, exp2 (c->log2));
  memlane_answer_add_number (answer, "bytes", MEMLANE_FACT_BYTES, 4 * exp2 (c->log2));
}

static MemlaneForecast
predict (Case *c, int mode)
{
  MemlaneForecast prediction = { .basis = MEMLANE_BASIS_NONE };

  if (mode >= 0)
    memlane_decision_forecast (c->self, (guint) mode, c->log2, c->reuse, &prediction);
  return prediction;
}

/* "a, b": of @set, without @but. */
static char *
list_modes (Case *c, guint32 set, int but)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < c->n; i++)
    if ((set >> i & 1) != 0 && (int) i != but)
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", c->modes[i].id);
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
  if (measured)
    answer = say (c, MEMLANE_ANSWER_TROUBLE, N_ ("For {size} floats at a reuse of {reuse} nothing can be told: it was not measured at this "
                                                 "reuse, and no kernel time tells what more reuse adds."));
  else
    answer = say (c, MEMLANE_ANSWER_TROUBLE, N_ ("For {size} floats nothing can be told: the runs hold {sizes}. Sweep this size too."));
  add_size (c, answer);
  memlane_answer_add_number (answer, "reuse", MEMLANE_FACT_COUNT, c->reuse);
  memlane_answer_add_text (answer, "sizes", MEMLANE_FACT_TEXT, sizes->str);
}

static void
say_best (Case *c)
{
  MemlaneForecast best = predict (c, c->verdict.winner);
  MemlaneAnswer *answer;

  if (c->self->simulated)
    answer = say (c, MEMLANE_ANSWER_BEST, N_ ("For {size} floats ({bytes} a vector), a reuse of {reuse}, {direction}: {mode}, {way}, is "
                                              "fastest on the simulated device, {time}."));
  else
    answer = say (c, MEMLANE_ANSWER_BEST, N_ ("For {size} floats ({bytes} a vector), a reuse of {reuse}, {direction}: {mode}, {way}, is "
                                              "fastest, {time}."));
  add_size (c, answer);
  memlane_answer_add_number (answer, "reuse", MEMLANE_FACT_COUNT, c->reuse);
  memlane_answer_add_text (answer, "direction", MEMLANE_FACT_WORD, memlane_direction_title (c->self->direction));
  add_mode (c, answer, "mode", c->verdict.winner);
  memlane_answer_add_text (answer, "way", MEMLANE_FACT_WORD,
                           memlane_way_title (c->modes[c->verdict.winner].way));
  memlane_answer_add_estimate (answer, "time", MEMLANE_FACT_NS, &best.ns);
}

static void
say_ties (Case *c)
{
  g_autofree char *names = list_modes (c, c->verdict.ties, c->verdict.winner);
  MemlaneAnswer *answer;

  if (names[0] == '\0')
    return;
  if (c->verdict.way_uncertain)
    answer = say (c, MEMLANE_ANSWER_TIED, N_ ("It is not certain: the intervals of {modes} overlap with that of {mode}. Any of them may be "
                                              "the fastest; measure again, with more precision, or take the simplest."));
  else
    answer = say (c, MEMLANE_ANSWER_TIED, N_ ("{modes} cannot be told from {mode}: their intervals overlap. They are of one kind; the "
                                              "simplest is {choice}."));
  memlane_answer_add_text (answer, "modes", MEMLANE_FACT_MODES, names);
  add_mode (c, answer, "mode", c->verdict.winner);
  add_mode (c, answer, "choice", c->verdict.choice);
}

static void
say_versus (Case *c, int other, const char *slower, const char *untold)
{
  MemlaneForecast best = predict (c, c->verdict.winner), next = predict (c, other);
  MemlaneAnswer *answer;

  if (other < 0 || other == c->verdict.winner || next.basis == MEMLANE_BASIS_NONE)
    return;
  answer = say (c, MEMLANE_ANSWER_NEXT, (c->verdict.ties >> other & 1) == 0 ? slower : untold);
  add_mode (c, answer, "other", other);
  add_mode (c, answer, "mode", c->verdict.winner);
  memlane_answer_add_text (answer, "way", MEMLANE_FACT_WORD, memlane_way_title (c->modes[other].way));
  memlane_answer_add_estimate (answer, "time", MEMLANE_FACT_NS, &next.ns);
  memlane_answer_add_number (answer, "percent", MEMLANE_FACT_PERCENT, next.ns.value / best.ns.value - 1);
}

static void
say_next (Case *c)
{
  int usual = memlane_decision_find_first (c->self, MEMLANE_WAY_PAGEABLE);

  say_versus (c, c->verdict.rival, N_ ("The best that is {way} is {other}: {time}, {percent} longer."),
              N_ ("The best that is {way} is {other}: {time}, which cannot be told from {mode}."));
  if (usual != c->verdict.rival)
    say_versus (c, usual, N_ ("The usual way, {other}, takes {time}, {percent} longer."),
                N_ ("The usual way, {other}, takes {time}, which cannot be told from {mode}."));
}

static void
say_basis (Case *c)
{
  MemlaneForecast best = predict (c, c->verdict.winner);
  MemlaneAnswer *answer = NULL;

  switch (best.basis)
    {
    case MEMLANE_BASIS_BETWEEN:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("The time lies on the line between two measured reuse values."));
      break;
    case MEMLANE_BASIS_KERNEL:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("The time is computed: measured at a reuse of {r0}, and {kernels} kernels more, each as "
                                                 "long as {mode}'s own."));
      break;
    case MEMLANE_BASIS_RESIDENT:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("The time is computed: measured at a reuse of {r0}, and {kernels} kernels more on data "
                                                 "that is on the device by then."));
      break;
    case MEMLANE_BASIS_BOUNDED:
      answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("The time is a range: its parts overlap and cannot be told apart from what was "
                                                 "measured."));
      break;
    case MEMLANE_BASIS_MEASURED:
      if (best.noisy)
        answer = say (c, MEMLANE_ANSWER_BASIS, N_ ("The time was measured, and is noisy."));
      break;
    case MEMLANE_BASIS_NONE:
    case MEMLANE_N_BASES:
    default:
      break;
    }
  if (answer == NULL)
    return;
  add_mode (c, answer, "mode", c->verdict.winner);
  memlane_answer_add_number (answer, "r0", MEMLANE_FACT_COUNT, best.r0);
  memlane_answer_add_number (answer, "kernels", MEMLANE_FACT_COUNT, (double) c->reuse - best.r0);
}

/* How the price of page-locked memory is earned back, where the recommended mode has it and the data go both ways. */
static void
say_pinning (Case *c)
{
  int usual = memlane_decision_find_first (c->self, MEMLANE_WAY_PAGEABLE);
  MemlaneWay way = c->modes[c->verdict.winner].way;
  MemlaneForecast fast = predict (c, c->verdict.winner), slow = predict (c, usual);
  MemlaneBreakEven at_r0, with_write;
  MemlaneEstimate gain;

  if (usual < 0 || slow.basis == MEMLANE_BASIS_NONE || way == MEMLANE_WAY_PAGEABLE || way == MEMLANE_WAY_MANAGED)
    return;
  memlane_break_even_pinning (c->self->run, c->self->workload, c->modes[usual].id, c->modes[c->verdict.winner].id, c->log2, FALSE, &at_r0);
  memlane_break_even_pinning (c->self->run, c->self->workload, c->modes[usual].id, c->modes[c->verdict.winner].id, c->log2, TRUE,
                              &with_write);
  /* The gain of one sample is that of this reuse and direction. */
  gain = memlane_estimate_subtract (&slow.ns, &fast.ns);
  if (at_r0.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
    {
      memlane_break_even_compute (&at_r0.price_ns, &gain, &at_r0);
      g_ptr_array_add (c->answers, say_price (c->modes[usual].id, c->modes[c->verdict.winner].id, c->log2, FALSE, &at_r0));
    }
  if (with_write.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
    {
      memlane_break_even_compute (&with_write.price_ns, &gain, &with_write);
      g_ptr_array_add (c->answers, say_price (c->modes[usual].id, c->modes[c->verdict.winner].id, c->log2, TRUE, &with_write));
    }
}

static void
say_reuse (Case *c)
{
  int mapped = memlane_decision_find_first (c->self, MEMLANE_WAY_ZERO_COPY), copying = memlane_decision_find_copying (c->self, c->log2);
  MemlaneBreakEven result;

  if (mapped < 0 || copying < 0 || c->self->direction != MEMLANE_DIRECTION_BOTH || !c->self->has_reuse)
    return;
  memlane_break_even_reuse (c->self->run, c->self->workload, c->modes[mapped].id, c->modes[copying].id, c->log2, &result);
  if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
    g_ptr_array_add (c->answers, say_uses (c->modes[mapped].id, c->modes[copying].id, c->log2, &result));
}

GPtrArray *
memlane_decision_recommend (const MemlaneDecision *self, guint log2_elements, guint reuse)
{
  Case c = { .self = self, .log2 = log2_elements, .reuse = reuse };

  c.answers = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_answer_free);
  c.modes = memlane_mode_list (&c.n);
  if (!memlane_decision_judge (self, log2_elements, reuse, &c.verdict))
    say_nothing (&c);
  else
    {
      say_best (&c);
      say_ties (&c);
      say_next (&c);
      say_basis (&c);
      say_pinning (&c);
      say_reuse (&c);
    }
  if (c.answers->len == 0)
    {
      MemlaneAnswer *answer = say (&c, MEMLANE_ANSWER_TROUBLE, N_ ("Nothing can be told: there are no cells of {workload} with a time."));

      memlane_answer_add_text (answer, "workload", MEMLANE_FACT_TEXT, self->workload);
    }
  return c.answers;
}
