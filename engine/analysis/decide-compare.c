/* decide-compare.c: which of two times is the smaller one, and by how much: round by round, and by what both add alike
 *
 * SPDX-License-Identifier: MIT
 *
 * The rounds of a run are processes in which all modes were measured. What disturbs one of them disturbs both modes, so their ratio is
 * formed within each round, and its spread over the rounds is what was sampled. To it comes what the model may be off by. Modes that add
 * the same for each further use are off by that alike: there only their own part counts.
 */
#include "decide-private.h"

#include "result/statistics.h"

MemlaneEstimate
memlane_terms_sum (const MemlaneTerms *terms)
{
  MemlaneEstimate sum = memlane_estimate_from_figure (terms->figures[0]);

  sum = memlane_estimate_scale (&sum, terms->weights[0]);
  if (terms->figures[1] != NULL)
    {
      MemlaneEstimate next = memlane_estimate_from_figure (terms->figures[1]);

      next = memlane_estimate_scale (&next, terms->weights[1]);
      sum = memlane_estimate_add (&sum, &next);
    }
  if (terms->part != NULL)
    {
      MemlaneEstimate part = memlane_estimate_from_figure (terms->part);

      part = memlane_estimate_scale (&part, terms->part_weight);
      sum = memlane_estimate_subtract (&sum, &part);
    }
  return (MemlaneEstimate) { sum.value + terms->added, sum.low + terms->added, sum.high + terms->added };
}

static double
get_round (const MemlaneFigure *figure, guint round)
{
  for (guint i = 0; figure->rounds != NULL && i < figure->n_rounds; i++)
    if (figure->rounds[i].round == round)
      return figure->rounds[i].median;
  return NAN;
}

/* @terms in one round. NAN: one of the figures lacks it. */
static double
sum_round (const MemlaneTerms *terms, guint round)
{
  double sum = terms->weights[0] * get_round (terms->figures[0], round) + terms->added;

  if (terms->figures[1] != NULL)
    sum += terms->weights[1] * get_round (terms->figures[1], round);
  return terms->part != NULL ? sum - terms->part_weight * get_round (terms->part, round) : sum;
}

/* The ratios of the rounds that both have; how many there are. Rounds of different runs are no pairs. */
static guint
pair_rounds (const MemlaneTerms *a, const MemlaneTerms *b, double *ratios)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (a->figures); i++)
    if ((a->figures[i] == NULL) != (b->figures[i] == NULL) || a->runs[i] != b->runs[i])
      return 0;
  for (guint i = 0; a->figures[0]->rounds != NULL && i < a->figures[0]->n_rounds; i++)
    {
      double x = sum_round (a, a->figures[0]->rounds[i].round), y = sum_round (b, a->figures[0]->rounds[i].round);

      if (x > 0 && y > 0 && n < MEMLANE_MOST_ROUNDS)
        ratios[n++] = x / y;
    }
  return n;
}

/* Half the length of an interval in logarithms, towards one end; an end that reaches 0 is taken as a thousandth of the value. */
static double
reach (double value, double end)
{
  return fabs (log (MAX (end, value * 1e-3) / value));
}

/* a / b. @alike: what both are off by alike does not count. */
static MemlaneEstimate
compare_terms (const MemlaneTerms *a, const MemlaneTerms *b, gboolean alike)
{
  MemlaneEstimate x = memlane_terms_sum (a), y = memlane_terms_sum (b);
  double ratios[MEMLANE_MOST_ROUNDS], value = x.value / y.value, down, up;
  MemlaneStatistics statistics;

  if (!memlane_estimate_is_known (&x) || !memlane_estimate_is_known (&y) || !(x.value > 0) || !(y.value > 0))
    return MEMLANE_ESTIMATE_UNKNOWN;
  memlane_statistics_compute (ratios, pair_rounds (a, b, ratios), &statistics);
  if (statistics.count >= 2)
    {
      value = statistics.median;
      down = reach (value, statistics.ci95_low);
      up = reach (value, statistics.ci95_high);
    }
  else
    down = up = hypot (memlane_estimate_half_log (&x), memlane_estimate_half_log (&y));
  down = hypot (down, hypot (reach (x.value, x.value - (alike ? a->own_below : a->below)),
                             reach (y.value, y.value + (alike ? b->own_above : b->above))));
  up = hypot (up, hypot (reach (x.value, x.value + (alike ? a->own_above : a->above)),
                         reach (y.value, y.value - (alike ? b->own_below : b->below))));
  return (MemlaneEstimate) { value, value / exp (down), value * exp (up) };
}

/* Two estimates of one ratio: independent ones each with the weight of its interval, else the narrower one. Where they exclude each other
 * @first stays. */
static MemlaneEstimate
combine (const MemlaneEstimate *first, const MemlaneEstimate *second, gboolean independent)
{
  double a = memlane_estimate_half_log (first), b = memlane_estimate_half_log (second), value, half;

  if (!memlane_estimate_is_known (second) || !memlane_estimate_overlaps (first, second) || !(a > 0))
    return *first;
  if (!independent || !(b > 0))
    return a <= b ? *first : *second;
  value = (log (first->value) / (a * a) + log (second->value) / (b * b)) / (1 / (a * a) + 1 / (b * b));
  half = 1 / sqrt (1 / (a * a) + 1 / (b * b));
  return (MemlaneEstimate) { exp (value), exp (value - half), exp (value + half) };
}

MemlaneEstimate
memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b)
{
  gboolean shared = (a->shared & b->shared) != 0;
  MemlaneEstimate ratio = compare_terms (&a->terms, &b->terms, shared && a->r0 == b->r0 && a->r1 == b->r1);

  if (shared && a->least.figures[0] != NULL && b->least.figures[0] != NULL && a->least_reuse == b->least_reuse)
    {
      MemlaneEstimate least = compare_terms (&a->least, &b->least, TRUE);

      ratio = combine (&ratio, &least, a->r0 != a->least_reuse && b->r0 != b->least_reuse);
    }
  return (MemlaneEstimate) { ratio.value - 1, ratio.low - 1, ratio.high - 1 };
}
