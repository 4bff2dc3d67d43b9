/* decide-lists.c: fits, crossovers and break-evens of a decision, in sentences
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

#include "base/i18n.h"

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
        int a = decide_first_of_way (self, (MemlaneWay) one), b = decide_first_of_way (self, (MemlaneWay) other);
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

MemlaneAnswer *
decide_say_pinning (const char *pageable, const char *pinned, guint log2_elements, gboolean first_write, const MemlaneBreakEven *result)
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

MemlaneAnswer *
decide_say_reuse (const char *mapped, const char *copying, guint log2_elements, const MemlaneBreakEven *result)
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

int
decide_best_copying (const MemlaneDecision *self, guint log2_elements)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int best = -1;
  double least = INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const GPtrArray *cells = decide_cells (self, i, log2_elements);
      const MemlaneFigure *elapsed;

      if (cells == NULL || memlane_mode_get_way (&modes[i]) != MEMLANE_WAY_PINNED)
        continue;
      elapsed = memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
      if (elapsed->statistics.median < least)
        {
          least = elapsed->statistics.median;
          best = (int) i;
        }
    }
  return best;
}

GPtrArray *
memlane_decision_describe_break_evens (const MemlaneDecision *self)
{
  static const char *const pinning[] = { "pinned", "registered" };
  GPtrArray *answers = answers_new ();
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  int usual = decide_first_of_way (self, MEMLANE_WAY_PAGEABLE), mapped = decide_first_of_way (self, MEMLANE_WAY_ZERO_COPY);
  MemlaneBreakEven result;

  for (guint way = 0; way < G_N_ELEMENTS (pinning) && usual >= 0; way++)
    for (guint first_write = 0; first_write < 2; first_write++)
      for (guint i = 0; i < self->n_sizes; i++)
        {
          memlane_break_even_pinning (self->run, self->workload, modes[usual].id, pinning[way], self->sizes[i], first_write, &result);
          if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
            g_ptr_array_add (answers, decide_say_pinning (modes[usual].id, pinning[way], self->sizes[i], first_write, &result));
        }
  for (guint i = 0; i < self->n_sizes && mapped >= 0 && self->has_reuse; i++)
    {
      int copying = decide_best_copying (self, self->sizes[i]);

      if (copying < 0)
        continue;
      memlane_break_even_reuse (self->run, self->workload, modes[mapped].id, modes[copying].id, self->sizes[i], &result);
      if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
        g_ptr_array_add (answers, decide_say_reuse (modes[mapped].id, modes[copying].id, self->sizes[i], &result));
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
