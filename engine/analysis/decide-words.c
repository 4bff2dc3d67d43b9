/* decide-words.c: a decision in sentences: the answer for one size and reuse, crossovers, the price
 * of page-locking
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "base/size.h"
#include "measure/plan.h"
#include "mode/need.h"

#define ENOUGH_ROUNDS 24 /* what is not settled in them is a tie */

/* The facts of a size and of a count. */
#define SIZE(log2_elements) MEMLANE_FACT_SIZE, MEMLANE_FACT_IS (exp2 (log2_elements))
#define COUNT(n) MEMLANE_FACT_COUNT, MEMLANE_FACT_IS (n)
/* Bytes of a vector, or of a piece of it. */
#define PIECE(self, log2_elements) \
  MEMLANE_FACT_BYTES, \
  MEMLANE_FACT_IS (sizeof (float) * exp2 (log2_elements) / MAX ((self)->pieces, 1))

/* --- crossovers ------------------------------------------------------------------------------- */

/* The comparison of two modes at one size. */
typedef struct
{
  double log2_elements;
  double beyond; /* what the first takes beyond the second */
  int sign;      /* -1: the first is faster, 1: the second, 0: by MEMLANE_DECIDE_LOSS at most */
} Order;

static guint
list_orders (const MemlaneDecision *self, guint a, guint b, Order *orders)
{
  guint n = 0;

  for (guint i = 0; i < self->n_sizes; i++)
    {
      const double log2 = self->sizes[i];
      const GPtrArray *of_a = memlane_decision_get_points (self, a, log2),
                      *of_b = memlane_decision_get_points (self, b, log2);
      MemlaneForecast one, other;
      double beyond;
      guint reuse;

      if (of_a == NULL || of_b == NULL)
        continue;
      reuse = MAX (((const MemlanePoint *) of_a->pdata[0])->cell->reuse,
                   ((const MemlanePoint *) of_b->pdata[0])->cell->reuse);
      if (!memlane_decision_forecast (self, a, log2, reuse, &one)
          || !memlane_decision_forecast (self, b, log2, reuse, &other))
        continue;
      beyond = memlane_decision_compare (&one, &other).value;
      orders[n++] = (Order) { log2, beyond,
                              beyond > MEMLANE_DECIDE_LOSS                   ? 1
                              : 1 / (1 + beyond) - 1 > MEMLANE_DECIDE_LOSS ? -1
                                                                             : 0 };
    }
  return n;
}

/* The sentence of a pair, its names first. */
#define say_pair(answers, format, quick, slow, ...)                                                \
  memlane_answer_say ((answers), MEMLANE_ANSWER_CROSSOVER, (format),                               \
                      { "faster", MEMLANE_FACT_MODE, (quick) },                                    \
                      { "slower", MEMLANE_FACT_MODE, (slow) }, __VA_ARGS__)

/* One order at all sizes. */
static void
say_throughout (GPtrArray *answers, const char *a, const char *b, const Order *orders, guint n)
{
  const Order *closest = &orders[0];
  gboolean a_first = orders[0].sign <= 0;
  guint n_alike = 0;

  for (guint i = 0; i < n; i++)
    {
      n_alike += orders[i].sign == 0;
      if (orders[i].sign != 0 && fabs (log1p (orders[i].beyond)) < fabs (log1p (closest->beyond)))
        closest = &orders[i];
    }
  say_pair (
      answers,
      orders[0].sign == 0
          ? N_("{faster} and {slower} differ by at most 5 % from {first} to {last} floats.")
      : n_alike > 0 ? N_("{slower} is slower than {faster} from {first} to {last} floats, but for "
                          "{count} sizes at which they "
                          "differ by at most 5 %.")
                    : N_("{slower} takes at least {factor} times as long as {faster} from {first} "
                          "to {last} floats (smallest gap at {closest})."),
      a_first ? a : b, a_first ? b : a, { "first", SIZE (orders[0].log2_elements) },
      { "last", SIZE (orders[n - 1].log2_elements) }, { "closest", SIZE (closest->log2_elements) },
      { "count", COUNT (n_alike) },
      { "factor", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (exp (fabs (log1p (closest->beyond)))) });
}

/* The order turns between places @from and @to, of different signs. */
static void
say_turn (GPtrArray *answers, const char *a, const char *b, const Order *orders, guint from,
          guint to)
{
  MemlaneEstimate at = { NAN, exp2 (orders[from].log2_elements), exp2 (orders[to].log2_elements) };
  /* a is the faster one of the sentence */
  gboolean a_first = orders[orders[to].sign == 0 ? from : to].sign < 0;

  for (guint i = from; i < to;
       i++) /* the line between the two sizes next to the turn, in logarithms */
    if (isnan (at.value) && (orders[i].beyond > 0) != (orders[i + 1].beyond > 0))
      {
        double first = log1p (orders[i].beyond), next = log1p (orders[i + 1].beyond),
               x = orders[i].log2_elements;

        at.value = exp2 (x + (orders[i + 1].log2_elements - x) * first / (first - next));
      }
  say_pair (answers,
            orders[from].sign == 0 ? N_("{faster} is faster than {slower} from {high} floats on. "
                                         "Below, they differ by at most 5 %.")
            : orders[to].sign == 0 ? N_("{faster} is faster than {slower} up to {low} floats. "
                                         "Above, they differ by at most 5 %.")
                                   : N_("{faster} is faster than {slower} above {size} floats."),
            a_first ? a : b, a_first ? b : a, { "size", MEMLANE_FACT_SIZE, .number = at },
            { "low", MEMLANE_FACT_SIZE, MEMLANE_FACT_IS (at.low) },
            { "high", MEMLANE_FACT_SIZE, MEMLANE_FACT_IS (at.high) });
}

static void
say_orders (GPtrArray *answers, const char *a, const char *b, const Order *orders, guint n)
{
  gboolean turned = FALSE;
  int last = -1; /* the place of the last size with an order */

  if (n == 0)
    {
      say_pair (answers,
                N_("{faster} and {slower} cannot be compared: no size has times of both."), a, b,
                { NULL });
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      guint from = last < 0 ? 0 : (guint) last;

      if (orders[i].sign == 0)
        continue;
      if (orders[from].sign != orders[i].sign)
        {
          say_turn (answers, a, b, orders, last < 0 ? i - 1 : from, i);
          turned = TRUE;
        }
      last = (int) i;
    }
  if (last >= 0 && (guint) last + 1 < n)
    say_turn (answers, a, b, orders, (guint) last, (guint) last + 1);
  else if (!turned)
    say_throughout (answers, a, b, orders, n);
}

/* The first mode of @way that has a time, by simplicity; -1: none. */
static int
find_first (const MemlaneDecision *self, MemlaneWay way)
{
  const MemlaneMode *modes = self->modes;
  int found = -1;

  for (guint i = 0; i < self->n_modes; i++)
    if ((self->present >> i & 1) != 0 && modes[i].way == way
        && (found < 0 || modes[i].effort < modes[found].effort))
      found = (int) i;
  return found;
}

/* Says which way is best from one size of a piece to another, for the number of pieces that @self
 * is for. */
static void
say_pieces (GPtrArray *answers, const MemlaneDecision *self)
{
  for (guint first = 0, end = 0; first < self->n_sizes; first = end)
    {
      const int choice = memlane_decision_get (self, first, 0)->choice;
      MemlaneForecast from, to;

      while (end < self->n_sizes && memlane_decision_get (self, end, 0)->choice == choice)
        end++;
      if (choice < 0
          || !memlane_decision_forecast (self, (guint) choice, self->sizes[first], 1, &from)
          || !memlane_decision_forecast (self, (guint) choice, self->sizes[end - 1], 1, &to))
        continue;
#define BYTES(i) (exp2 (self->sizes[i]) * sizeof (float))
      memlane_answer_say (
          answers, MEMLANE_ANSWER_CROSSOVER,
          end - first > 1 ? N_("{count} pieces, {first} to {last} each: {mode}, {slow} to {fast}.")
                          : N_("{count} pieces, {first} each: {mode}, {slow}."),
          { "count", COUNT (self->pieces) }, { "mode", MEMLANE_FACT_MODE, self->modes[choice].id },
          { "first", PIECE (self, self->sizes[first]) },
          { "last", PIECE (self, self->sizes[end - 1]) },
          { "slow", MEMLANE_FACT_BANDWIDTH, MEMLANE_FACT_IS (BYTES (first) / from.ns.value * 1e9) },
          { "fast", MEMLANE_FACT_BANDWIDTH,
            MEMLANE_FACT_IS (BYTES (end - 1) / to.ns.value * 1e9) });
#undef BYTES
    }
}

/* Says which mode is the answer of @other, of another background, where @mode is that of @self.
 * With @last it speaks of this size and those above, unless it would return the same again.
 * Returns both answers in one number. */
static guint
say_there (GPtrArray *answers, const MemlaneDecision *self, const MemlaneDecision *other, int mode,
           double log2_elements, guint reuse, const guint *last)
{
  MemlaneChoice there;
  MemlaneForecast best, same;
  const char *what;
  guint both;

  if (mode < 0 || !memlane_decision_judge (other, log2_elements, reuse, &there))
    return 0;
  if ((there.ties >> mode & 1) != 0)
    there.choice = mode;
  both = MEMLANE_MOST_MODES * ((guint) mode + 1) + (guint) there.choice;
  if (last != NULL && *last == both)
    return both;
  memlane_decision_forecast (other, (guint) there.choice, log2_elements, reuse, &best);
  memlane_decision_forecast (other, (guint) mode, log2_elements, reuse, &same);
  what = there.choice == mode ? N_("{mode} {background}, too: {time}.")
         : there.open || same.basis == MEMLANE_BASIS_NONE
           ? N_("perhaps {other} {background}: {time}.")
         : N_("{other} {background}: {time}. {mode} takes {factor} times as long.");
  memlane_answer_say (answers, last != NULL ? MEMLANE_ANSWER_CROSSOVER : MEMLANE_ANSWER_NEXT,
                      last != NULL ? N_("From {place} on: {what}") : what,
                      { "what", MEMLANE_FACT_WORD, what },
                      { "place", MEMLANE_FACT_WORD,
                        self->pieces == 0 ? N_("{size} floats")
                                          : N_("{count} pieces of {bytes}") },
                      { "count", COUNT (self->pieces) }, { "size", SIZE (log2_elements) },
                      { "bytes", PIECE (self, log2_elements) },
                      { "background", MEMLANE_FACTS_OF_BACKGROUND (other) },
                      { "mode", MEMLANE_FACT_MODE, self->modes[mode].id },
                      { "other", MEMLANE_FACT_MODE, self->modes[there.choice].id },
                      { "time", MEMLANE_FACT_NS, .number = best.ns },
                      { "factor", MEMLANE_FACT_FACTOR,
                        MEMLANE_FACT_IS (same.ns.value / best.ns.value) });
  return both;
}

/* Says from which sizes on other backgrounds have which answers. */
static void
say_backgrounds (GPtrArray *answers, const MemlaneDecision *self)
{
  if (self->by_background == NULL)
    return;
  MEMLANE_FOR_EACH (const MemlaneDecision, there, self->by_background)
    for (guint size = 0, last = 0; size < self->n_sizes; size++)
      last = say_there (answers, self, there,
                        memlane_decision_get (self, size, 0)->choice, self->sizes[size], 1, &last);
}

GPtrArray *
memlane_decision_describe_crossovers (const MemlaneDecision *self)
{
  GPtrArray *answers = memlane_answers_new ();
  const MemlaneMode *modes = self->modes;

  if (self->by_pieces != NULL)
    MEMLANE_FOR_EACH (const MemlaneDecision, pieces, self->by_pieces)
      {
        say_pieces (answers, pieces);
        say_backgrounds (answers, pieces);
      }
  for (int one = 0; one < MEMLANE_WAY_RESIDENT; one++)
    for (int other = one + 1; other < MEMLANE_WAY_RESIDENT; other++)
      {
        int a = find_first (self, (MemlaneWay) one), b = find_first (self, (MemlaneWay) other);
        Order orders[MEMLANE_DECIDE_SIZES];

        if (a >= 0 && b >= 0)
          say_orders (answers, modes[a].id, modes[b].id, orders,
                      list_orders (self, (guint) a, (guint) b, orders));
      }
  if (self->by_pieces == NULL)
    say_backgrounds (answers, self);
  return answers;
}

/* --- the price of page-locking ---------------------------------------------------------------- */

static void
say_price (GPtrArray *answers, const char *pageable, const char *pinned, double log2_elements,
           MemlanePinning pinning, const MemlaneBreakEven *result)
{
  static const char *const formats[] = {
    [MEMLANE_BREAK_EVEN_AT_ONCE] = N_("{size} floats, {case}: {dear} pays off with the first "
                                       "transfer. Each transfer saves {gain} "
                                       "against {cheap}."),
    [MEMLANE_BREAK_EVEN_AFTER] = N_("{size} floats, {case}: {dear} costs {price} more than "
                                     "{cheap} and saves {gain} per transfer. "
                                     "It pays off after about {count} transfers."),
    [MEMLANE_BREAK_EVEN_UNTIL] = N_ (
        "{size} floats, {case}: {dear} is cheaper than {cheap} only for up to {count} transfers."),
    [MEMLANE_BREAK_EVEN_NEVER] = N_("{size} floats, {case}: {dear} never pays off against "
                                     "{cheap}. It costs {price} more and saves "
                                     "nothing."),
    [MEMLANE_BREAK_EVEN_UNTOLD] = N_("{size} floats, {case}: whether {dear} pays off against "
                                      "{cheap} cannot be determined. Extra "
                                      "cost {price}, saving of a transfer {gain}."),
    [MEMLANE_BREAK_EVEN_NO_DATA] = N_ (
        "{size} floats, {case}: the cost of {dear} was not measured."),
  };
  MemlaneBreakEvenVerdict verdict = result->verdict;

  /* Samples come whole: what is earned by a part of one is earned by the first, what is lost by
   * then was never ahead. */
  if (verdict == MEMLANE_BREAK_EVEN_AFTER && result->count.high <= 1)
    verdict = MEMLANE_BREAK_EVEN_AT_ONCE;
  else if (verdict == MEMLANE_BREAK_EVEN_UNTIL && result->count.value < 1)
    verdict = result->count.high < 1 ? MEMLANE_BREAK_EVEN_NEVER : MEMLANE_BREAK_EVEN_UNTOLD;
  memlane_answer_say (answers, MEMLANE_ANSWER_BREAK_EVEN, formats[verdict],
                      { "cheap", MEMLANE_FACT_MODE, pageable },
                      { "dear", MEMLANE_FACT_MODE, pinned }, { "size", SIZE (log2_elements) },
                      { "count", MEMLANE_FACT_COUNT, .number = result->count },
                      { "price", MEMLANE_FACT_NS, .number = result->price_ns },
                      { "gain", MEMLANE_FACT_NS, .number = result->gain_ns },
                      { "case", MEMLANE_FACT_WORD, memlane_pinning_title (pinning) });
}

/* The time that a mode's buffers take at the largest size; NAN: not measured. */
static double
get_allocation (const MemlaneDecision *self, const char *mode)
{
  const MemlaneCell *cell = memlane_run_find (self->run, self->workload, mode,
                                              self->sizes[self->n_sizes - 1]);
  const MemlaneFigure *figure = cell != NULL ? memlane_cell_find (cell, MEMLANE_PHASE_ALLOC,
                                                                  MEMLANE_CLOCK_HOST)
                                             : NULL;

  return figure != NULL ? figure->statistics.median : NAN;
}

/* The price of page-locking by each way that was measured: what it takes beyond pageable memory,
 * which is there before it is touched. */
GPtrArray *
memlane_decision_describe_locking (const MemlaneDecision *self)
{
  GPtrArray *answers = memlane_answers_new ();
  const MemlaneMethod method = { .workload = memlane_workload_find (self->workload), .chunks = 1 };
  const int usual = find_first (self, MEMLANE_WAY_PAGEABLE);
  const MemlaneMode *modes = self->modes;
  guint seen = 0;

  for (guint i = 0; i < self->n_modes && usual >= 0 && self->n_sizes > 0 && method.workload != NULL;
       i++)
    if ((self->present >> i & 1) != 0 && modes[i].way == MEMLANE_WAY_PINNED
        && (seen >> modes[i].input_memory & 1) == 0)
      {
        const double ns = get_allocation (self, modes[i].id)
                          - get_allocation (self, modes[usual].id);
        const double size = self->sizes[self->n_sizes - 1];
        MemlaneBreakEven anew;
        MemlaneNeed need;

        memlane_method_find_need (&method, &modes[i], memlane_size_elements (size), &need);
        memlane_break_even_pinning (self->run, self->workload, modes[usual].id, modes[i].id, size,
                                    MEMLANE_PINNING_NEW, &anew);
        /* or the driver had kept it */
        if (!(ns > 0) || need.locked == 0 || anew.verdict == MEMLANE_BREAK_EVEN_NO_DATA)
          continue;
        seen |= 1u << modes[i].input_memory;
        memlane_answer_say (
            answers, MEMLANE_ANSWER_BREAK_EVEN,
            N_("Page-locking as in {mode} takes {price} for each GiB: {ns} for {bytes}."),
            { "mode", MEMLANE_FACT_MODE, modes[i].id },
            { "ns", MEMLANE_FACT_NS, MEMLANE_FACT_IS (ns) },
            { "price", MEMLANE_FACT_NS, MEMLANE_FACT_IS (ns * 0x1p30 / (double) need.locked) },
            { "bytes", MEMLANE_FACT_BYTES, MEMLANE_FACT_IS ((double) need.locked) });
      }
  if (answers->len > 0)
    memlane_answer_say (
        answers, MEMLANE_ANSWER_TROUBLE,
        N_("A sweep does not show what the first page-locked memory of a process costs."));
  return answers;
}

/* --- the answer ------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneDecision *self;
  const MemlaneMode *modes;
  guint reuse;
  double log2;
  MemlaneChoice choice;
  guint n_candidates, candidates[MEMLANE_N_FAMILIES];
  GPtrArray *answers;
} Case;

static MemlaneForecast
predict (Case *c, int mode)
{
  MemlaneForecast prediction = { .basis = MEMLANE_BASIS_NONE };

  if (mode >= 0)
    memlane_decision_forecast (c->self, (guint) mode, c->log2, c->reuse, &prediction);
  return prediction;
}

/* The modes of @set, but @but, with @separator between them. (transfer full) */
static char *
list_modes (const MemlaneMode *modes, guint64 set, int but, const char *separator)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < MEMLANE_MOST_MODES; i++)
    if ((set >> i & 1) != 0 && (int) i != but)
      g_string_append_printf (names, "%s%s", names->len > 0 ? separator : "", modes[i].id);
  return g_string_free (names, FALSE);
}

/* Says why there is no answer, and names the sweep that gives one. */
static void
say_nothing (Case *c)
{
  g_autoptr (GString) sizes = g_string_new (NULL);
  MemlaneSweepAdvice advice;
  gboolean advised = memlane_decision_advise (c->self, c->log2, c->reuse, &advice),
           measured = FALSE;
  g_autofree char *command = memlane_sweep_advice_to_command (c->self, &advice);

  for (guint i = 0; i < c->self->n_sizes; i++)
    {
      g_autofree char *size = memlane_size_format (c->self->sizes[i]);

      g_string_append_printf (sizes, "%s%s", i > 0 ? ", " : "", size);
      measured = measured || c->self->sizes[i] == c->log2;
    }
  if (c->self->n_sizes > 0) /* else the notes have said why */
    memlane_answer_say (
        c->answers, MEMLANE_ANSWER_TROUBLE,
        c->reuse > MEMLANE_DECIDE_MOST_REUSE
            ? N_("A reuse of {reuse} is beyond the limit of {most}.")
        : measured ? N_("Not enough data for {size} floats at a reuse of {reuse}. It was not "
                         "measured, and it cannot be "
                         "computed from what was.")
                   : N_("Not enough data for {size} floats. The runs hold {sizes}."),
        { "size", SIZE (c->log2) }, { "reuse", COUNT (c->reuse) },
        { "most", COUNT (MEMLANE_DECIDE_MOST_REUSE) }, { "sizes", MEMLANE_FACT_TEXT, sizes->str });
  if (advised)
    memlane_answer_say (c->answers, MEMLANE_ANSWER_ADVICE,
                        advice.cause == MEMLANE_SWEEP_FOR_SIZE
                            ? N_("Measure this size: {command}")
                            : N_("Measure this reuse: {command}"),
                        { "command", MEMLANE_FACT_TEXT, command });
}

/* The candidates that tie, the choice first. (transfer full) */
static char *
list_tied (const Case *c)
{
  GString *names = g_string_new (c->modes[c->choice.choice].id);

  for (guint i = 0; i < c->n_candidates; i++)
    if ((int) c->candidates[i] != c->choice.choice && (c->choice.ties >> c->candidates[i] & 1) != 0)
      g_string_append_printf (names, ", %s", c->modes[c->candidates[i]].id);
  return g_string_free (names, FALSE);
}

static void
say_choice (Case *c)
{
  static const char *const formats[][3] = {
    { N_("{size} floats ({bytes} a vector), reuse {reuse}, {direction}, {count}: use "
          "{mode}{where}, {time}."),
      N_("{size} floats ({bytes} a vector), reuse {reuse}, {direction}, {count}: probably "
          "{mode}{where}, {time}."),
      N_("{size} floats ({bytes} a vector), reuse {reuse}, {direction}, {count}: {tied} tie "
          "within 3 %. Take {mode}{where}, {time}.") },
    { N_("{pieces} pieces of {bytes}, {count}: use {mode}{where}, {time}."),
      N_("{pieces} pieces of {bytes}, {count}: probably {mode}{where}, {time}."),
      N_("{pieces} pieces of {bytes}, {count}: {tied} tie within 3 %. Take {mode}{where}, "
          "{time}.") },
  };
  const gboolean idle = c->self->background->beside == MEMLANE_BESIDE_NONE;
  g_autofree char *tied = list_tied (c);
  const char *where = c->self->simulated
                        /* Translators: after a mode: "use Pinned on the simulated device" */
                        ? idle ? N_(" on the simulated device")
                               : N_(" on the simulated device {background}")
                        /* Translators: after a mode: "use Pinned while copies go to the device" */
                        : idle ? "" : N_(" {background}");

  memlane_answer_say (
      c->answers, MEMLANE_ANSWER_BEST,
      formats[c->self->pieces > 0][c->choice.open    ? 1
                                   : c->choice.alike ? 2
                                                     : 0],
      { "size", SIZE (c->log2) }, { "pieces", COUNT (c->self->pieces) },
      { "bytes", MEMLANE_FACT_BYTES,
        MEMLANE_FACT_IS (4 * exp2 (c->log2) / MAX (c->self->pieces, 1)) },
      { "reuse", COUNT (c->reuse) }, { "tied", MEMLANE_FACT_MODES, tied },
      { "direction", MEMLANE_FACT_WORD, memlane_direction_title (c->self->direction) },
      { "count", MEMLANE_FACT_WORD, memlane_count_title (c->self->count) },
      { "mode", MEMLANE_FACT_MODE, c->modes[c->choice.choice].id },
      { "where", MEMLANE_FACT_WORD, where },
      { "background", MEMLANE_FACTS_OF_BACKGROUND (c->self) },
      { "time", MEMLANE_FACT_NS, .number = predict (c, c->choice.choice).ns });
}

/* @other against the choice, where it is not among the ties. */
static void
say_slower (Case *c, MemlaneAnswerKind kind, int other, const char *format)
{
  MemlaneForecast best = predict (c, c->choice.choice), next = predict (c, other);

  if (other < 0 || next.basis == MEMLANE_BASIS_NONE || (c->choice.ties >> other & 1) != 0)
    return;
  memlane_answer_say (
      c->answers, kind, format, { "other", MEMLANE_FACT_MODE, c->modes[other].id },
      { "family", MEMLANE_FACT_WORD, memlane_family_title (c->modes[other].family) },
      { "time", MEMLANE_FACT_NS, .number = next.ns },
      { "percent", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (next.ns.value / best.ns.value - 1) },
      { "factor", MEMLANE_FACT_FACTOR, MEMLANE_FACT_IS (next.ns.value / best.ns.value) });
}

/* Rounds of the measurement that @p starts from; 0: it comes from one process. */
static guint
count_rounds (const MemlaneForecast *p)
{
  const MemlanePoint *point = p->from[0];
  guint n = 0;

  for (guint i = 0; i < point->cost.n_rounds; i++)
    n += !isnan (point->cost.rounds[i]);
  return n;
}

/* Returns the sentence on what the answer rests on, where no sweep would settle it. */
static const char *
find_basis (const Case *c, const MemlaneForecast *p)
{
  if (p->basis == MEMLANE_BASIS_BETWEEN)
    return N_("Estimated between the measured reuse values {r0} and {r1}: a wrong choice costs "
               "{regret} on average.");
  if (p->basis == MEMLANE_BASIS_COMPUTED)
    return N_("Estimated: the time at a reuse of {r0}, plus {kernels} further kernels. A wrong "
               "choice costs {regret} on average.");
  if (p->basis == MEMLANE_BASIS_BOUNDED)
    return N_("Estimated: upload, kernel and download overlap in this mode. A wrong choice costs "
               "{regret} on average.");
  if (c->self->simulated)
    return N_("Simulated: a wrong choice costs {regret} on average.");
  if (c->choice.open)
    return N_("Measured in {rounds} rounds, and they tie within the noise: a wrong choice costs "
               "{regret} on average.");
  if (c->self->one_process)
    return N_("Measured in one process: another one may differ by more than the intervals say.");
  return p->noisy ? N_("Measured, with noise: a wrong choice costs {regret} on average.")
                  : N_("Measured: a wrong choice costs {regret} on average.");
}

/* The one line of doubt: what the answer rests on, and what would settle it. */
static void
say_doubt (Case *c)
{
  MemlaneForecast p = predict (c, c->choice.choice);
  MemlaneSweepAdvice advice;
  gboolean advised = memlane_decision_advise (c->self, c->log2, c->reuse, &advice);
  g_autofree char *command = memlane_sweep_advice_to_command (c->self, &advice);

  memlane_answer_say (
      c->answers, advised ? MEMLANE_ANSWER_ADVICE : MEMLANE_ANSWER_BASIS,
      !advised ? find_basis (c, &p)
      : advice.cause == MEMLANE_SWEEP_FOR_REUSE
          ? N_("Estimated: a wrong choice costs {regret} on average. Measure this reuse: "
                "{command}")
          : N_("Measured, but a wrong choice costs {regret} on average. Measure again: {command}"),
      { "command", MEMLANE_FACT_TEXT, command }, { "r0", COUNT (p.r0) }, { "r1", COUNT (p.r1) },
      { "kernels", COUNT ((double) c->reuse - p.r0) }, { "rounds", COUNT (count_rounds (&p)) },
      { "regret", MEMLANE_FACT_PERCENT, MEMLANE_FACT_IS (c->choice.regret) });
}

/* The condition and the price of write-combined memory. */
static void
say_write_combined (Case *c)
{
  const MemlaneMode *mode = &c->modes[c->choice.choice];
  const MemlaneCell *cell = memlane_run_find (c->self->run, c->self->workload, mode->id, c->log2);
  const MemlaneCell *plain = NULL;
  const MemlaneFigure *write, *plain_write;

  if (mode->input_memory != MEMLANE_HOST_WRITE_COMBINED
      && mode->input_memory != MEMLANE_HOST_MAPPED_WRITE_COMBINED)
    return;
  for (guint i = 0; i < c->self->n_modes && plain == NULL;
       i++) /* the first of a family is its simplest */
    if (c->modes[i].family == mode->family)
      plain = memlane_run_find (c->self->run, c->self->workload, c->modes[i].id, c->log2);
  write = cell != NULL ? memlane_cell_find (cell, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST)
                       : NULL;
  plain_write = plain != NULL
                    ? memlane_cell_find (plain, MEMLANE_PHASE_HOST_WRITE, MEMLANE_CLOCK_HOST)
                    : NULL;
  if (write == NULL || plain_write == NULL)
    memlane_answer_say (c->answers, MEMLANE_ANSWER_TIED,
                        N_("Only if the host writes this memory in order and never reads it."));
  else
    memlane_answer_say (
        c->answers, MEMLANE_ANSWER_TIED,
        N_("Only if the host writes this memory in order and never reads it. Writing takes "
            "{factor} times as long as in "
            "{plain}."),
        { "factor", MEMLANE_FACT_FACTOR, .number = memlane_estimate_ratio (write, plain_write) },
        { "plain", MEMLANE_FACT_MODE, plain->mode });
}

/* How the price of page-locked memory is earned back, where the chosen mode has it. The gain is
 * that of this reuse and direction. */
static void
say_pinning (Case *c)
{
  int usual = find_first (c->self, MEMLANE_WAY_PAGEABLE), mode = c->choice.choice;
  MemlaneWay way = c->modes[mode].way;
  MemlaneForecast fast = predict (c, mode), slow = predict (c, usual);
  MemlaneEstimate gain, beyond;

  if (usual < 0 || slow.basis == MEMLANE_BASIS_NONE || way == MEMLANE_WAY_PAGEABLE
      || way == MEMLANE_WAY_MANAGED || c->self->count == MEMLANE_COUNT_ALLOCATION)
    return;
  beyond = memlane_decision_compare (&slow, &fast);
  gain.value = slow.ns.value - fast.ns.value;
  gain.low = MIN (gain.value, fast.ns.value * beyond.low);
  gain.high = MAX (gain.value, fast.ns.value * beyond.high);
  for (MemlanePinning pinning = MEMLANE_PINNING_FIRST; pinning < MEMLANE_N_PINNING_CASES; pinning++)
    {
      MemlaneBreakEven result;

      memlane_break_even_pinning (c->self->run, c->self->workload, c->modes[usual].id,
                                  c->modes[mode].id, c->log2, pinning, &result);
      if (result.verdict == MEMLANE_BREAK_EVEN_NO_DATA)
        continue;
      memlane_break_even_compute (&result.price_ns, &gain, &result);
      say_price (c->answers, c->modes[usual].id, c->modes[mode].id, c->log2, pinning, &result);
    }
}

GPtrArray *
memlane_decision_recommend (const MemlaneDecision *self, double log2_elements, guint reuse)
{
  Case c = { .self = self,
             .modes = self->modes,
             .log2 = log2_elements,
             .reuse = reuse,
             .answers = memlane_answers_new () };

  if (!memlane_decision_judge (self, log2_elements, reuse, &c.choice))
    say_nothing (&c);
  else
    {
      const int usual = find_first (self, MEMLANE_WAY_PAGEABLE);
      int slowest;
      guint n_said;

      c.n_candidates = memlane_decision_list_candidates (self, log2_elements, reuse, &c.choice,
                                                         c.candidates);
      slowest = (int) c.candidates[c.n_candidates - 1];
      say_choice (&c);
      say_slower (&c, MEMLANE_ANSWER_NEXT, slowest, N_("{other} takes {factor} times as long."));
      if (c.choice.rival != slowest)
        say_slower (&c, MEMLANE_ANSWER_NEXT, c.choice.rival,
                    N_("Next is {other} ({family}): {time}, {percent} slower."));
      if (c.choice.rival < 0)
        memlane_answer_say (c.answers, MEMLANE_ANSWER_NEXT,
                            N_("The runs have no other family of modes at this place."));
      if (self->by_background != NULL)
        MEMLANE_FOR_EACH (const MemlaneDecision, there, self->by_background)
          say_there (c.answers, self, there, c.choice.choice, log2_elements, reuse, NULL);
      say_write_combined (&c);
      say_doubt (&c);
      n_said = c.answers->len;
      say_pinning (&c);
      if (c.answers->len == n_said && usual != slowest && usual != c.choice.rival)
        say_slower (&c, MEMLANE_ANSWER_TIED, usual,
                    N_("Baseline: {other} takes {time}, {factor} times as long."));
    }
  if (c.answers->len == 0)
    memlane_answer_say (c.answers, MEMLANE_ANSWER_TROUBLE,
                        N_("Not enough data: there are no total times of {workload}."),
                        { "workload", MEMLANE_FACT_TEXT, self->workload });
  return c.answers;
}

/* --- advice ----------------------------------------------------------------------------------- */

/* Those that may be as good as the choice, and the choice. *@rounds: what each of them was measured
 * in at least. */
static guint64
find_contenders (const MemlaneDecision *self, double log2_elements, guint reuse,
                 const MemlaneChoice *choice, gboolean *computed, guint *rounds)
{
  MemlaneForecast best, p;
  guint64 set = 0;

  memlane_decision_forecast (self, (guint) choice->choice, log2_elements, reuse, &best);
  *computed = FALSE;
  *rounds = G_MAXUINT;
  for (guint i = 0; i < self->n_modes; i++)
    {
      if ((choice->contest >> i & 1) == 0
          || !memlane_decision_forecast (self, i, log2_elements, reuse, &p)
          || ((int) i != choice->choice
              && memlane_decision_compare (&best, &p).high <= MEMLANE_DECIDE_LOSS))
        continue;
      set |= G_GUINT64_CONSTANT (1) << i;
      *computed = *computed || p.basis != MEMLANE_BASIS_MEASURED;
      *rounds = MIN (*rounds, count_rounds (&p));
    }
  return set;
}

gboolean
memlane_decision_advise (const MemlaneDecision *self, double log2_elements, guint reuse,
                         MemlaneSweepAdvice *advice)
{
  MemlaneChoice choice;
  gboolean computed, measured = FALSE;
  guint rounds;

  *advice = (MemlaneSweepAdvice) { MEMLANE_SWEEP_FOR_NOTHING, self->present, log2_elements, reuse };
  if (self->n_sizes == 0 || reuse == 0 || reuse > MEMLANE_MOST_REUSE
      || log2_elements < MEMLANE_SMALLEST_LOG2 || log2_elements > MEMLANE_LARGEST_LOG2)
    return FALSE;
  for (guint i = 0; i < self->n_sizes; i++)
    measured = measured || self->sizes[i] == log2_elements;
  if (!memlane_decision_judge (self, log2_elements, reuse, &choice))
    advice->cause = measured ? MEMLANE_SWEEP_FOR_REUSE : MEMLANE_SWEEP_FOR_SIZE;
  else if (choice.open)
    {
      advice->modes = find_contenders (self, log2_elements, reuse, &choice, &computed, &rounds);
      if (computed && self->has_reuse)
        advice->cause = MEMLANE_SWEEP_FOR_REUSE;
      else if (rounds < ENOUGH_ROUNDS
               && (rounds > 0
                   || !self->simulated)) /* another sample of a simulation tells nothing new */
        advice->cause = MEMLANE_SWEEP_FOR_AGAIN;
    }
  return advice->cause != MEMLANE_SWEEP_FOR_NOTHING;
}

char *
memlane_sweep_advice_to_command (const MemlaneDecision *self, const MemlaneSweepAdvice *advice)
{
  g_autofree char *list = list_modes (self->modes, advice->modes, -1, ",");
  GString *command = g_string_new ("memlane-cli sweep");

  if (self->run->device != NULL && *self->run->device != '\0')
    g_string_append_printf (command, " --device %s", self->run->device);
  if (strcmp (self->workload, memlane_method_usual ().workload->id) != 0)
    g_string_append_printf (command, " --workload %s", self->workload);
  if (memlane_size_is_power (advice->log2_elements))
    g_string_append_printf (command, " --modes %s --sizes %.0f:%.0f", list, advice->log2_elements,
                            advice->log2_elements);
  else
    g_string_append_printf (command, " --modes %s --sizes %" G_GUINT64_FORMAT, list,
                            memlane_size_elements (advice->log2_elements));
  if (self->pieces > 0)
    g_string_append_printf (command, " --chunks %u", self->pieces);
  if (self->background->beside != MEMLANE_BESIDE_NONE)
    g_string_append_printf (command, " --beside %s",
                            memlane_beside_name (self->background->beside));
  if (self->background->busy > 0)
    g_string_append_printf (command, " --busy %u", self->background->busy);
  if (advice->reuse != 1)
    g_string_append_printf (command, " --reuse %u", advice->reuse);
  g_string_append (command, " --csv more.csv");
  return g_string_free (command, FALSE);
}
