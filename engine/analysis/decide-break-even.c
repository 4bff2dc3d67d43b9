/* decide-break-even.c: the reuse from which on copying beats zero-copy, by the same times as the map's
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

/* What is known at one reuse of two modes: -1 the first is faster, 1 the second, 0 not told. */
typedef struct
{
  gboolean known;   /* both have a time */
  gboolean second;  /* the second's time is the smaller one */
  int sign;
} Order;

static Order
get_order (const MemlaneDecision *self, guint first, guint second, guint log2_elements, guint reuse)
{
  MemlaneForecast a, b;
  MemlaneEstimate beyond;
  Order order = { .known = memlane_decision_forecast (self, first, log2_elements, reuse, &a)
                           && memlane_decision_forecast (self, second, log2_elements, reuse, &b) };

  if (!order.known)
    return order;
  beyond = memlane_decision_compare (&a, &b);
  order.second = a.ns.value > b.ns.value; /* by the times that are shown: where both were measured, as they were */
  order.sign = beyond.low > 0 ? 1 : beyond.high < 0 ? -1 : 0;
  return order;
}

/* Each one up to 64, then in steps of 5 %, and those that were measured: no measured reuse is stepped over. */
static guint
next_reuse (const MemlaneDecision *self, guint first, guint second, guint log2_elements, guint reuse)
{
  const guint modes[] = { first, second };
  guint next = reuse < 64 ? reuse + 1 : reuse + reuse / 20;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      const GPtrArray *cells = memlane_decision_get_cells (self, modes[i], log2_elements);

      for (guint j = 0; cells != NULL && j < cells->len; j++)
        {
          guint measured = ((const MemlaneCell *) cells->pdata[j])->reuse;

          if (measured > reuse)
            next = MIN (next, measured);
        }
    }
  return next;
}

static guint
get_least_reuse (const MemlaneDecision *self, guint mode, guint log2_elements)
{
  const GPtrArray *cells = memlane_decision_get_cells (self, mode, log2_elements);

  return cells != NULL && cells->len > 0 ? ((const MemlaneCell *) cells->pdata[0])->reuse : 0;
}

void
memlane_decision_compare_uses (const MemlaneDecision *self, guint in_place, guint copying, guint log2_elements, MemlaneBreakEven *result)
{
  guint begin = MAX (get_least_reuse (self, in_place, log2_elements), get_least_reuse (self, copying, log2_elements));
  guint last_ahead = 0, root = 0, certain = 0, last = 0;
  int first_sign = 0, sign = 0;

  *result = (MemlaneBreakEven) { .verdict = MEMLANE_BREAK_EVEN_NO_DATA, .price_ns = MEMLANE_ESTIMATE_UNKNOWN,
                                 .gain_ns = MEMLANE_ESTIMATE_UNKNOWN, .count = MEMLANE_ESTIMATE_UNKNOWN, .missing = MEMLANE_N_PHASES };
  for (guint reuse = begin; reuse > 0 && reuse <= MEMLANE_DECIDE_MOST_REUSE;
       reuse = next_reuse (self, in_place, copying, log2_elements, reuse))
    {
      Order order = get_order (self, in_place, copying, log2_elements, reuse);

      if (!order.known)
        continue;
      sign = order.sign;
      if (last == 0)
        first_sign = sign;
      last = reuse;
      if (sign < 0)
        last_ahead = reuse;
      if (!order.second)
        root = certain = 0; /* what was before was no break-even */
      else if (root == 0)
        root = reuse;
      if (sign > 0 && certain == 0)
        certain = reuse;
    }
  if (last == 0 || last == begin)
    return; /* nothing to compare, or one reuse alone */
  if (first_sign > 0 && last_ahead == 0)
    result->verdict = MEMLANE_BREAK_EVEN_AT_ONCE;
  else if (root == 0)
    {
      result->verdict = sign < 0 ? MEMLANE_BREAK_EVEN_NEVER : MEMLANE_BREAK_EVEN_UNTOLD;
      if (sign >= 0 && first_sign < 0)
        result->count.low = last_ahead + 1;
    }
  else
    {
      result->verdict = MEMLANE_BREAK_EVEN_AFTER;
      result->count = (MemlaneEstimate) { root, MAX (last_ahead + 1, begin), certain > 0 ? MAX (certain, root) : INFINITY };
      result->count.low = MIN (result->count.low, result->count.value);
    }
}

gboolean
memlane_decision_break_even (const MemlaneDecision *self, guint log2_elements, int *in_place, int *copying, MemlaneBreakEven *result)
{
  *in_place = memlane_decision_find_first (self, MEMLANE_WAY_ZERO_COPY);
  *copying = memlane_decision_find_copying (self, log2_elements);
  if (*in_place < 0 || *copying < 0 || !self->has_reuse || self->direction != MEMLANE_DIRECTION_BOTH)
    return FALSE;
  memlane_decision_compare_uses (self, (guint) *in_place, (guint) *copying, log2_elements, result);
  return result->verdict != MEMLANE_BREAK_EVEN_NO_DATA;
}
