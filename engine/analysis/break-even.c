/* break-even.c: a price paid once against a gain each time
 *
 * SPDX-License-Identifier: MIT
 */
#include "break-even.h"

#include <string.h>

#include "mode/mode.h"

/* The ends of {N: price - N gain cannot be told from 0} for price and gain that are both positive by their values: where the upper and the
 * lower end of price - N gain cross 0. (P - N G)^2 = p^2 + N^2 g^2 has the roots (P G +- sqrt (P^2 G^2 - (G^2 - g^2) (P^2 - p^2))) /
 * (G^2 - g^2); the smaller one is written without the difference that would cancel. */
static double
find_last (double P, double G, double p, double g)
{
  double root = P * P * G * G - (G * G - g * g) * (P * P - p * p);

  if (g >= G)
    return INFINITY;
  return (P * G + sqrt (MAX (root, 0))) / (G * G - g * g);
}

static double
find_first (double P, double G, double p, double g)
{
  double root = P * P * G * G - (G * G - g * g) * (P * P - p * p);

  if (p >= P) /* the price may be 0 */
    return 0;
  return (P * P - p * p) / (P * G + sqrt (MAX (root, 0)));
}

/* @price and @gain have the same sign; both are turned when it is negative. */
static MemlaneEstimate
divide (MemlaneEstimate price, MemlaneEstimate gain)
{
  if (price.value < 0)
    {
      price = (MemlaneEstimate) { -price.value, -price.high, -price.low };
      gain = (MemlaneEstimate) { -gain.value, -gain.high, -gain.low };
    }
  return (MemlaneEstimate) {
    price.value / gain.value,
    find_first (price.value, gain.value, price.value - price.low, gain.high - gain.value),
    find_last (price.value, gain.value, price.high - price.value, gain.value - gain.low),
  };
}

void
memlane_break_even_compute (const MemlaneEstimate *price, const MemlaneEstimate *gain, MemlaneBreakEven *result)
{
  gboolean costs = price->low > 0, saves = price->high < 0;
  gboolean wins = gain->low > 0, loses = gain->high < 0;

  *result = (MemlaneBreakEven) { .verdict = MEMLANE_BREAK_EVEN_UNTOLD, .price_ns = *price, .gain_ns = *gain,
                                 .count = MEMLANE_ESTIMATE_UNKNOWN, .missing = MEMLANE_N_PHASES };
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
find_cell (const MemlaneRun *run, const char *workload, const char *mode, guint log2_elements)
{
  const MemlaneCell *found = NULL;

  for (guint i = 0; i < run->cells->len; i++)
    {
      const MemlaneCell *cell = run->cells->pdata[i];

      if (cell->log2_elements == log2_elements && strcmp (cell->mode, mode) == 0 && strcmp (cell->workload, workload) == 0
          && (found == NULL || cell->reuse < found->reuse))
        found = cell;
    }
  return found;
}

static MemlaneEstimate
get (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  return memlane_estimate_from_figure (cell != NULL ? memlane_cell_find (cell, phase, clock) : NULL);
}

/* Adds a phase on the host clock; FALSE: it is not there, and *@result says so. */
static gboolean
add_phase (const MemlaneCell *cell, const char *mode, MemlanePhase phase, MemlaneEstimate *sum, MemlaneBreakEven *result)
{
  MemlaneEstimate ns = get (cell, phase, MEMLANE_CLOCK_HOST);

  if (!memlane_estimate_is_known (&ns))
    {
      *result = (MemlaneBreakEven) { .verdict = MEMLANE_BREAK_EVEN_NO_DATA, .price_ns = MEMLANE_ESTIMATE_UNKNOWN,
                                     .gain_ns = MEMLANE_ESTIMATE_UNKNOWN, .count = MEMLANE_ESTIMATE_UNKNOWN,
                                     .missing_mode = mode, .missing = phase };
      return FALSE;
    }
  *sum = memlane_estimate_add (sum, &ns);
  return TRUE;
}

static gboolean
add_memory (const MemlaneCell *cell, const char *mode, gboolean first_write, MemlaneEstimate *sum, MemlaneBreakEven *result)
{
  return add_phase (cell, mode, MEMLANE_PHASE_ALLOC, sum, result)
         && (!first_write || add_phase (cell, mode, MEMLANE_PHASE_HOST_WRITE, sum, result))
         && add_phase (cell, mode, MEMLANE_PHASE_FREE, sum, result);
}

void
memlane_break_even_pinning (const MemlaneRun *run, const char *workload, const char *pageable, const char *pinned, guint log2_elements,
                            gboolean first_write, MemlaneBreakEven *result)
{
  const MemlaneCell *a = find_cell (run, workload, pageable, log2_elements), *b = find_cell (run, workload, pinned, log2_elements);
  MemlaneEstimate cheap = { 0 }, dear = { 0 }, slow = { 0 }, fast = { 0 }, price, gain;

  if (!add_phase (a, pageable, MEMLANE_PHASE_ELAPSED, &slow, result) || !add_phase (b, pinned, MEMLANE_PHASE_ELAPSED, &fast, result)
      || !add_memory (a, pageable, first_write, &cheap, result) || !add_memory (b, pinned, first_write, &dear, result))
    return;
  price = memlane_estimate_subtract (&dear, &cheap);
  gain = memlane_estimate_subtract (&slow, &fast);
  memlane_break_even_compute (&price, &gain, result);
}

void
memlane_break_even_reuse (const MemlaneRun *run, const char *workload, const char *mapped, const char *copying, guint log2_elements,
                          MemlaneBreakEven *result)
{
  const MemlaneCell *a = find_cell (run, workload, mapped, log2_elements), *b = find_cell (run, workload, copying, log2_elements);
  const MemlaneCell *resident = find_cell (run, workload, "device-resident", log2_elements), *warm = resident;
  MemlaneEstimate in_place = { 0 }, copied = { 0 }, over_link, on_device, price, gain;

  if (!add_phase (a, mapped, MEMLANE_PHASE_ELAPSED, &in_place, result) || !add_phase (b, copying, MEMLANE_PHASE_ELAPSED, &copied, result))
    return;
  over_link = get (a, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
  on_device = get (resident, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
  if (!memlane_estimate_is_known (&on_device))
    {
      warm = b;
      on_device = get (b, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
    }
  if (!memlane_estimate_is_known (&over_link) || !memlane_estimate_is_known (&on_device) || a->reuse != b->reuse)
    {
      *result = (MemlaneBreakEven) { .verdict = MEMLANE_BREAK_EVEN_NO_DATA, .price_ns = MEMLANE_ESTIMATE_UNKNOWN,
                                     .gain_ns = MEMLANE_ESTIMATE_UNKNOWN, .count = MEMLANE_ESTIMATE_UNKNOWN,
                                     .missing_mode = memlane_estimate_is_known (&over_link) ? copying : mapped,
                                     .missing = MEMLANE_PHASE_KERNEL };
      return;
    }
  over_link = memlane_estimate_scale (&over_link, 1.0 / MAX (a->reuse, 1));
  on_device = memlane_estimate_scale (&on_device, 1.0 / MAX (warm->reuse, 1));
  price = memlane_estimate_subtract (&copied, &in_place);
  gain = memlane_estimate_subtract (&over_link, &on_device);
  memlane_break_even_compute (&price, &gain, result);
  if (memlane_estimate_is_known (&result->count))
    {
      result->count.value += a->reuse;
      result->count.low += a->reuse;
      result->count.high += a->reuse;
    }
}
