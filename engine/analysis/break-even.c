/* break-even.c: a price paid once against a gain each time
 *
 * SPDX-License-Identifier: MIT
 */
#include "break-even.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "base/words.h"
#include "mode/buffers.h"
#include "result/environment.h"
#include "result/statistics.h"

/* The ends of {N: price - N gain cannot be told from 0} for price and gain that are both positive by their values: where the upper and the
 * lower end of price - N gain cross 0. (P - N G)^2 = p^2 + N^2 g^2 has the roots (P G +- sqrt (P^2 G^2 - (G^2 - g^2) (P^2 - p^2))) /
 * (G^2 - g^2); the smaller one is written without the difference that would cancel. */
static double
get_root (double P, double G, double p, double g)
{
  return sqrt (MAX (P * P * G * G - (G * G - g * g) * (P * P - p * p), 0));
}

/* @price and @gain have the same sign; both are turned when it is negative. */
static MemlaneEstimate
divide (MemlaneEstimate price, MemlaneEstimate gain)
{
  double P, G, p, g, first;

  if (price.value < 0)
    {
      price = (MemlaneEstimate) { -price.value, -price.high, -price.low };
      gain = (MemlaneEstimate) { -gain.value, -gain.high, -gain.low };
    }
  P = price.value;
  G = gain.value;
  p = price.value - price.low;
  g = gain.high - gain.value;
  first = p >= P ? 0 : (P * P - p * p) / (P * G + get_root (P, G, p, g)); /* the price may be 0 */
  p = price.high - price.value;
  g = gain.value - gain.low;
  return (MemlaneEstimate) { P / G, first, g >= G ? INFINITY : (P * G + get_root (P, G, p, g)) / (G * G - g * g) };
}

void
memlane_break_even_compute (const MemlaneEstimate *price, const MemlaneEstimate *gain, MemlaneBreakEven *result)
{
  gboolean costs = price->low > 0, saves = price->high < 0;
  gboolean wins = gain->low > 0, loses = gain->high < 0;

  *result = (MemlaneBreakEven) { .verdict = MEMLANE_BREAK_EVEN_UNTOLD, .price_ns = *price, .gain_ns = *gain,
                                 .count = MEMLANE_ESTIMATE_UNKNOWN };
  if (!memlane_estimate_is_known (price) || !memlane_estimate_is_known (gain))
    result->verdict = MEMLANE_BREAK_EVEN_NO_DATA;
  else if (wins && price->value <= 0)
    /* If the price is above 0 after all, it is so little above that a part of a sample earns it, unless the interval says more. */
    result->verdict = price->high <= gain->low ? MEMLANE_BREAK_EVEN_AT_ONCE : MEMLANE_BREAK_EVEN_UNTOLD;
  else if (wins)
    {
      result->verdict = MEMLANE_BREAK_EVEN_AFTER;
      result->count = divide (*price, *gain);
    }
  else if (loses && price->value >= 0)
    result->verdict = price->low >= gain->high ? MEMLANE_BREAK_EVEN_NEVER : MEMLANE_BREAK_EVEN_UNTOLD;
  else if (loses)
    {
      result->verdict = MEMLANE_BREAK_EVEN_UNTIL;
      result->count = divide (*price, *gain);
    }
  else if (saves && gain->value >= 0)
    result->verdict = MEMLANE_BREAK_EVEN_AT_ONCE;
  else if (costs && gain->value == 0 && gain->high == 0)
    result->verdict = MEMLANE_BREAK_EVEN_NEVER;
}

/* --- of a run ---------------------------------------------------------------------------------------------------------- */

/* The cell with the smallest reuse. */
static const MemlaneCell *
find_cell (const MemlaneRun *run, const char *workload, const char *mode, double log2_elements)
{
  const MemlaneCell *found = NULL;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (cell->log2_elements == log2_elements && strcmp (cell->mode, mode) == 0 && strcmp (cell->workload, workload) == 0
        && (found == NULL || cell->reuse < found->reuse))
      found = cell;
  return found;
}

MEMLANE_DEFINE_NAMES (memlane_pinning_title, MemlanePinning, MEMLANE_N_PINNING_CASES, N_ ("first allocation in the process"),
                      N_ ("newly page-locked"), N_ ("reused by the driver"))

static MemlaneEstimate
get_phase (const MemlaneCell *cell, MemlanePhase phase)
{
  MemlaneEstimate ns = memlane_estimate_of (cell, phase, MEMLANE_CLOCK_HOST);

  if (memlane_estimate_is_known (&ns) && memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST)->n_rounds == 0)
    {
      ns.low = ns.value - MEMLANE_ONE_PROCESS * (ns.value - ns.low);
      ns.high = ns.value + MEMLANE_ONE_PROCESS * (ns.high - ns.value);
    }
  return ns;
}

/* Returns how much longer the @n @phases of @dear take than those of @cheap, by the rounds that have all. Unknown: a phase is missing. */
static MemlaneEstimate
get_beyond (const MemlaneCell *dear, const MemlaneCell *cheap, const MemlanePhase *phases, guint n)
{
  double rounds[MEMLANE_MOST_ROUNDS];
  MemlaneEstimate sum = { 0, 0, 0 };
  guint n_rounds = 0;

  for (guint i = 0; i < n; i++)
    {
      MemlaneEstimate more = get_phase (dear, phases[i]), less = get_phase (cheap, phases[i]), beyond;

      beyond = memlane_estimate_subtract (&more, &less);
      sum = memlane_estimate_add (&sum, &beyond);
    }
  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS && memlane_estimate_is_known (&sum); round++)
    {
      rounds[n_rounds] = 0;
      for (guint i = 0; i < n; i++)
        rounds[n_rounds] += memlane_estimate_get_round (memlane_cell_find (dear, phases[i], MEMLANE_CLOCK_HOST), round)
                            - memlane_estimate_get_round (memlane_cell_find (cheap, phases[i], MEMLANE_CLOCK_HOST), round);
      n_rounds += !isnan (rounds[n_rounds]);
    }
  return n_rounds >= 2 ? memlane_estimate_from_pairs (rounds, n_rounds) : sum;
}

/* Allocation and release; NAN: unknown. */
static double
get_allocation (const MemlaneCell *cell)
{
  return memlane_estimate_of (cell, MEMLANE_PHASE_ALLOC, MEMLANE_CLOCK_HOST).value
         + memlane_estimate_of (cell, MEMLANE_PHASE_FREE, MEMLANE_CLOCK_HOST).value;
}

/* Which case a sweep's figures of @pinned show; N_PINNING_CASES: nothing tells. */
static MemlanePinning
find_case (const MemlaneRun *run, const char *workload, const char *pageable, const char *pinned, double log2_elements)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n), *mode = memlane_mode_find (pinned);
  double usual = get_allocation (find_cell (run, workload, pageable, log2_elements));
  double price = get_allocation (find_cell (run, workload, pinned, log2_elements)) - usual;

  if (mode != NULL && memlane_host_memory_is_registered (mode->input_memory))
    return MEMLANE_PINNING_NEW; /* nothing is kept of what was locked in place */
  for (guint i = 0; i < n; i++)
    {
      double anew;

      if (modes[i].input_memory != MEMLANE_HOST_REGISTERED)
        continue;
      anew = get_allocation (find_cell (run, workload, modes[i].id, log2_elements)) - usual;
      if (!isnan (anew) && !isnan (price))
        return price < anew / 2 ? MEMLANE_PINNING_POOLED : MEMLANE_PINNING_NEW;
    }
  return MEMLANE_N_PINNING_CASES;
}

/* Estimates the time of a process's first page-locked memory, from the processes of @run's rounds. Unknown for fewer than two. */
static MemlaneEstimate
get_first (const MemlaneRun *run)
{
  double times[MEMLANE_MOST_ROUNDS];
  MemlaneMiddle middle;
  guint n_rounds, n = 0;
  const MemlaneEnvironmentRound *rounds = memlane_environment_get_rounds (run->environment, &n_rounds);

  for (guint i = 0; i < n_rounds && n < MEMLANE_MOST_ROUNDS; i++)
    if (rounds[i].first_pinned_ns > 0)
      times[n++] = rounds[i].first_pinned_ns;
  if (n < 2)
    return MEMLANE_ESTIMATE_UNKNOWN;
  memlane_find_middle (times, n, MEMLANE_LEVEL_OF_ROUNDS, &middle);
  return (MemlaneEstimate) { middle.value, middle.low, middle.high };
}

void
memlane_break_even_pinning (const MemlaneRun *run, const char *workload, const char *pageable, const char *pinned, double log2_elements,
                            MemlanePinning pinning, MemlaneBreakEven *result)
{
  static const MemlanePhase memory[] = { MEMLANE_PHASE_ALLOC, MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_HOST_READ, MEMLANE_PHASE_FREE };
  static const MemlanePhase elapsed[] = { MEMLANE_PHASE_ELAPSED };
  const MemlaneCell *a = find_cell (run, workload, pageable, log2_elements), *b = find_cell (run, workload, pinned, log2_elements);
  MemlaneEstimate first = { 0, 0, 0 }, price = get_beyond (b, a, memory, G_N_ELEMENTS (memory)), gain = get_beyond (a, b, elapsed, 1);
  const MemlaneMode *mode = memlane_mode_find (pinned);
  gboolean allocates = mode != NULL && !memlane_host_memory_is_registered (mode->input_memory);

  if (pinning == MEMLANE_PINNING_FIRST)
    first = allocates ? get_first (run) : MEMLANE_ESTIMATE_UNKNOWN;
  else if (find_case (run, workload, pageable, pinned, log2_elements) != pinning)
    first = MEMLANE_ESTIMATE_UNKNOWN;
  price = memlane_estimate_add (&price, &first);
  memlane_break_even_compute (&price, &gain, result);
}
