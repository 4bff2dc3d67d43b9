/* decide-words.c: the recommendation for one size and reuse, in sentences
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

#include "base/i18n.h"

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

const char *
memlane_direction_title (MemlaneDirection direction)
{
  static const char *const words[] = {
    [MEMLANE_DIRECTION_BOTH] = N_ ("inputs up and the result down"),
    [MEMLANE_DIRECTION_TO_DEVICE] = N_ ("inputs up, the result stays on the device"),
    [MEMLANE_DIRECTION_TO_HOST] = N_ ("the inputs are on the device, the result down"),
  };

  return words[direction];
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
                           memlane_way_title (memlane_mode_get_way (&c->modes[c->verdict.winner])));
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
  memlane_answer_add_text (answer, "way", MEMLANE_FACT_WORD, memlane_way_title (memlane_mode_get_way (&c->modes[other])));
  memlane_answer_add_estimate (answer, "time", MEMLANE_FACT_NS, &next.ns);
  memlane_answer_add_number (answer, "percent", MEMLANE_FACT_PERCENT, next.ns.value / best.ns.value - 1);
}

static void
say_next (Case *c)
{
  int usual = decide_first_of_way (c->self, MEMLANE_WAY_PAGEABLE);

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
  int usual = decide_first_of_way (c->self, MEMLANE_WAY_PAGEABLE);
  MemlaneWay way = memlane_mode_get_way (&c->modes[c->verdict.winner]);
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
      g_ptr_array_add (c->answers, decide_say_pinning (c->modes[usual].id, c->modes[c->verdict.winner].id, c->log2, FALSE, &at_r0));
    }
  if (with_write.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
    {
      memlane_break_even_compute (&with_write.price_ns, &gain, &with_write);
      g_ptr_array_add (c->answers, decide_say_pinning (c->modes[usual].id, c->modes[c->verdict.winner].id, c->log2, TRUE, &with_write));
    }
}

static void
say_reuse (Case *c)
{
  int mapped = decide_first_of_way (c->self, MEMLANE_WAY_ZERO_COPY), copying = decide_best_copying (c->self, c->log2);
  MemlaneBreakEven result;

  if (mapped < 0 || copying < 0 || c->self->direction != MEMLANE_DIRECTION_BOTH || !c->self->has_reuse)
    return;
  memlane_break_even_reuse (c->self->run, c->self->workload, c->modes[mapped].id, c->modes[copying].id, c->log2, &result);
  if (result.verdict != MEMLANE_BREAK_EVEN_NO_DATA)
    g_ptr_array_add (c->answers, decide_say_reuse (c->modes[mapped].id, c->modes[copying].id, c->log2, &result));
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
