/* cost.c: the time of a cell, from its measured phases, by what counts and by direction; after how
 * many uses a price is earned
 *
 * SPDX-License-Identifier: MIT
 */
#include "cost.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "base/words.h"
#include "mode/buffers.h"
#include "mode/mode.h"
#include "mode/workload.h"
#include "result/environment.h"
#include "result/rounds.h"
#include "result/statistics.h"

/* --- words ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_WORDS (MemlaneCount, memlane_count, MEMLANE_N_COUNTS, "transfer", "host",
                      "allocation")
MEMLANE_DEFINE_NAMES (memlane_count_title, MemlaneCount, MEMLANE_N_COUNTS,
                      N_("transfer and kernel"), N_("with host access"),
                      N_("with allocation"))
MEMLANE_DEFINE_WORDS (MemlaneDirection, memlane_direction, MEMLANE_N_DIRECTIONS, "both",
                      "to-device", "to-host")
MEMLANE_DEFINE_NAMES (memlane_direction_title, MemlaneDirection, MEMLANE_N_DIRECTIONS,
                      N_("copies both ways"), N_("copies to the device only"),
                      N_("copies to the host only"))

/* --- parts of a time -------------------------------------------------------------------------- */

#define MOST_ALIKE 32 /* modes with one memory */
#define MOST_PARTS 8

/* @weight x the median of @figures, of modes that have the same memory. */
typedef struct
{
  const MemlaneFigure *figures[MOST_ALIKE];
  guint n;
  double weight;
} Part;

typedef struct
{
  Part parts[MOST_PARTS];
  guint n;
} Sum;

typedef enum
{
  MEMORY_PAGEABLE,
  MEMORY_LOCKED, /* page-locked, and cached by the host */
  MEMORY_OTHER,  /* write-combined, managed: only this mode's own figures tell */
} Memory;

static Memory
get_memory (const MemlaneMode *mode, MemlanePhase phase)
{
  MemlaneHostMemory memory = phase == MEMLANE_PHASE_HOST_WRITE ? mode->input_memory
                                                               : mode->output_memory;

  if (mode->way == MEMLANE_WAY_MANAGED || memory == MEMLANE_HOST_WRITE_COMBINED
      || memory == MEMLANE_HOST_MAPPED_WRITE_COMBINED)
    return MEMORY_OTHER;
  return memory == MEMLANE_HOST_PAGEABLE ? MEMORY_PAGEABLE : MEMORY_LOCKED;
}

MemlaneHostMemory
memlane_cost_get_kind (MemlaneHostMemory memory, gboolean allocated)
{
  if (memory == MEMLANE_HOST_ALLOCATED || memory == MEMLANE_HOST_PORTABLE)
    return MEMLANE_HOST_PINNED;
  if (memory == MEMLANE_HOST_REGISTERED || memory == MEMLANE_HOST_REGISTERED_READ_ONLY)
    return allocated ? MEMLANE_HOST_REGISTERED : MEMLANE_HOST_PINNED;
  return memory == MEMLANE_HOST_REGISTERED_MAPPED && !allocated ? MEMLANE_HOST_MAPPED : memory;
}

/* Whether both allocate the same buffers in the same way. */
static gboolean
allocate_alike (const MemlaneMode *a, const MemlaneMode *b)
{
  return a->family == b->family && a->transfer == b->transfer
         && a->virtual_memory == b->virtual_memory
         && memlane_cost_get_kind (a->input_memory, TRUE)
                == memlane_cost_get_kind (b->input_memory, TRUE)
         && memlane_cost_get_kind (a->output_memory, TRUE)
                == memlane_cost_get_kind (b->output_memory, TRUE);
}

static const MemlaneFigure *
find_known (const MemlaneCell *cell, MemlanePhase phase)
{
  MemlaneEstimate ns = memlane_estimate_of (cell, phase, MEMLANE_CLOCK_HOST);

  return memlane_estimate_is_known (&ns) ? memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST)
                                         : NULL;
}

static gboolean
add (Sum *sum, const MemlaneCell *cell, MemlanePhase phase, double weight)
{
  Part *part = &sum->parts[sum->n++];

  *part = (Part) { .figures = { find_known (cell, phase) }, .n = 1, .weight = weight };
  return part->figures[0] != NULL;
}

/* Adds @phase of all modes of @run's at @cell's size with @memory; of those that allocate alike,
 * where the phase is of allocation. FALSE: there are none. */
static gboolean
add_alike (Sum *sum, const MemlaneRun *run, const MemlaneCell *cell, MemlanePhase phase,
           Memory memory, double weight)
{
  const MemlaneMode *own = memlane_mode_find (cell->mode);
  gboolean allocation = phase == MEMLANE_PHASE_ALLOC || phase == MEMLANE_PHASE_FREE;
  Part *part = &sum->parts[sum->n];

  *part = (Part) { .weight = weight };
  MEMLANE_FOR_EACH (const MemlaneCell, other, run->cells)
    {
      const MemlaneMode *mode = memlane_mode_find (other->mode);
      const MemlaneFigure *figure;

      if (part->n == MOST_ALIKE || mode == NULL || mode->way == MEMLANE_WAY_RESIDENT
          || other->log2_elements != cell->log2_elements || other->reuse != cell->reuse
          || !memlane_cell_has_background_of (other, cell)
          || strcmp (other->workload, cell->workload) != 0
          || (allocation ? !allocate_alike (mode, own) : get_memory (mode, phase) != memory))
        continue;
      figure = find_known (other, phase);
      if (figure != NULL)
        part->figures[part->n++] = figure;
    }
  sum->n += part->n > 0;
  return part->n > 0;
}

/* Adds the host's access by @phase, and to @uses > 0 the first touch of pageable memory. */
static gboolean
add_access (Sum *sum, const MemlaneRun *run, const MemlaneCell *cell, const MemlaneMode *mode,
            MemlanePhase phase, guint uses)
{
  Memory memory = mode != NULL ? get_memory (mode, phase) : MEMORY_OTHER;

  if (memory == MEMORY_OTHER)
    return add (sum, cell, phase, 1);
  if (memory == MEMORY_LOCKED || phase == MEMLANE_PHASE_HOST_READ)
    return add_alike (sum, run, cell, phase, memory, 1);
  if (find_known (cell, phase) == NULL)
    return FALSE;
  if (!add_alike (sum, run, cell, phase, MEMORY_LOCKED, 1))
    return add (sum, cell, phase, 1); /* nothing tells what the first touch took */
  if (uses == 0)
    return TRUE;
  return add (sum, cell, phase, 1.0 / uses)
         && add_alike (sum, run, cell, phase, MEMORY_LOCKED, -1.0 / uses);
}

/* --- sums ------------------------------------------------------------------------------------- */

/* NAN: not every part was measured in @round. */
static double
sum_round (const Sum *sum, guint round)
{
  double total = 0;

  for (guint i = 0; i < sum->n; i++)
    {
      double values[MOST_ALIKE];
      guint n = 0;

      for (guint k = 0; k < sum->parts[i].n; k++)
        {
          double value = memlane_estimate_get_round (sum->parts[i].figures[k], round);

          if (value > 0)
            values[n++] = value;
        }
      total += sum->parts[i].weight * (n > 0 ? memlane_median (values, n) : NAN);
    }
  return total > 0 ? total : NAN;
}

gboolean
memlane_cost_find_middle (MemlaneCost *cost)
{
  double seen[MEMLANE_MOST_ROUNDS];
  guint n = 0;

  for (guint i = 0; i < cost->n_rounds; i++)
    if (!isnan (cost->rounds[i]))
      seen[n++] = cost->rounds[i];
  if (n < 2)
    return FALSE;
  cost->ns = memlane_find_middle (seen, n, MEMLANE_LEVEL_OF_ROUNDS);
  memlane_reach_other_sweeps (cost->ns.value, cost->slope, &cost->ns.low, &cost->ns.high);
  return TRUE;
}

static void
sum_up (const Sum *sum, MemlaneCost *cost)
{
  double follows = 0, all = 0;

  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS; round++)
    {
      cost->rounds[round - 1] = sum_round (sum, round);
      if (!isnan (cost->rounds[round - 1]))
        cost->n_rounds = round;
    }
  cost->ns = (MemlaneEstimate) { 0, 0, 0 };
  for (guint i = 0; i < sum->n; i++)
    {
      const Part *part = &sum->parts[i];
      MemlaneEstimate ns = memlane_estimate_from_figure (part->figures[0]);

      for (guint k = 1; k < part->n;
           k++) /* the same memory: its least time is the least disturbed one */
        if (part->figures[k]->statistics.median < ns.value)
          ns = memlane_estimate_from_figure (part->figures[k]);
      all += part->weight * ns.value;
      follows += part->weight * ns.value
                 * memlane_host_slope (part->figures[0]->phase, part->figures[0]->clock);
      ns = memlane_estimate_scale (&ns, fabs (part->weight));
      if (i == 0)
        cost->ns = ns;
      else
        cost->ns = part->weight > 0 ? memlane_estimate_add (&cost->ns, &ns)
                                    : memlane_estimate_subtract (&cost->ns, &ns);
    }
  cost->slope = all > 0 ? MAX (follows / all, 0) : 0;
  if (sum->n > 1) /* else as it stands in the file */
    memlane_cost_find_middle (cost);
}

/* Takes @phase off the sum. FALSE: the mode has none. */
static gboolean
leave_phase_out (Sum *sum, const MemlaneCell *cell, MemlanePhase phase)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE);
  MemlaneEstimate ns = memlane_estimate_from_figure (figure);

  if (!memlane_estimate_is_known (&ns))
    figure = find_known (cell, phase);
  if (figure == NULL)
    return FALSE;
  sum->parts[sum->n++] = (Part) { .figures = { figure }, .n = 1, .weight = -1 };
  return TRUE;
}

gboolean
memlane_cost_compute (const MemlaneRun *run, const MemlaneCell *cell, MemlaneCount count,
                      guint uses, MemlaneDirection direction, guint vectors, MemlaneCost *cost)
{
  const MemlaneMode *mode = memlane_mode_find (cell->mode);
  const MemlaneWorkload *workload = memlane_workload_find (cell->workload);
  gboolean is_baseline = mode == NULL || mode->way == MEMLANE_WAY_RESIDENT,
           whole = vectors == 0 || direction == MEMLANE_DIRECTION_BOTH;
  MemlanePhase away = direction == MEMLANE_DIRECTION_TO_DEVICE ? MEMLANE_PHASE_DOWNLOAD
                                                               : MEMLANE_PHASE_UPLOAD;
  gboolean writes = whole || direction != MEMLANE_DIRECTION_TO_HOST,
           reads = whole || direction != MEMLANE_DIRECTION_TO_DEVICE;
  double part = 0;
  Sum sum = { 0 };

  /* the host has no access to what stays on the device */
  if (workload != NULL && (workload->up == 0) != (workload->down == 0))
    {
      writes = writes && workload->up > 0;
      reads = reads && workload->down > 0;
    }
  *cost = (MemlaneCost) { .ns = MEMLANE_ESTIMATE_UNKNOWN, .left = 1 };
  if (!add (&sum, cell, MEMLANE_PHASE_ELAPSED, 1))
    return FALSE;
  if (!whole && !is_baseline && !leave_phase_out (&sum, cell, away))
    {
      MemlaneEstimate kernel = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL,
                                                    MEMLANE_CLOCK_DEVICE);
      double all = sum.parts[0].figures[0]->statistics.median;
      double up = vectors - 1.0, rest = direction == MEMLANE_DIRECTION_TO_DEVICE ? up : 1;
      double one_way = rest / vectors, both = MIN (rest / up, 1);

      /* The part of bytes that move beside others: their share where the link carries one way at a
       * time, that of the longer way where it carries both at once. */
      part = memlane_estimate_is_known (&kernel) ? MIN (kernel.value, all) : all;
      cost->left = (one_way + both) / 2;
      cost->spread = (both - one_way) / 2;
    }
  if (count >= MEMLANE_COUNT_HOST && !is_baseline
      && ((writes
           && !add_access (&sum, run, cell, mode, MEMLANE_PHASE_HOST_WRITE,
                           count == MEMLANE_COUNT_ALLOCATION ? uses : 0))
          || (reads && !add_access (&sum, run, cell, mode, MEMLANE_PHASE_HOST_READ, 0))))
    return FALSE;
  if (count == MEMLANE_COUNT_ALLOCATION && !is_baseline
      && mode->input_memory != MEMLANE_HOST_MANAGED_STATIC
      && (!add_alike (&sum, run, cell, MEMLANE_PHASE_ALLOC, MEMORY_OTHER, 1.0 / uses)
          || !add_alike (&sum, run, cell, MEMLANE_PHASE_FREE, MEMORY_OTHER, 1.0 / uses)))
    return FALSE;
  sum_up (&sum, cost);
  if (!memlane_estimate_is_known (&cost->ns) || !(cost->ns.value > 0))
    return FALSE;
  if (part > 0)
    {
      double factor = 1 - (1 - cost->left) * part / cost->ns.value;

      for (guint i = 0; i < cost->n_rounds; i++)
        cost->rounds[i] *= factor;
      cost->ns = memlane_estimate_scale (&cost->ns, factor);
      cost->loose = cost->spread * part;
    }
  return TRUE;
}

/* --- a run by another count ------------------------------------------------------------------- */

/* Its samples are no longer those of one call. */
static void
count_figure (MemlaneFigure *figure, const MemlaneCost *cost)
{
  MemlaneStatistics s = figure->statistics;
  double beyond = cost->ns.value - s.median;

  memlane_figure_set (figure, &(MemlaneStatistics) { s.count, cost->ns.value, cost->ns.low,
                                                    cost->ns.high, s.min + beyond, s.q1 + beyond,
                                                     s.q3 + beyond, s.max + beyond });
  g_clear_pointer (&figure->samples, g_free);
  for (guint i = 0; figure->rounds != NULL && i < figure->n_rounds; i++)
    {
      guint round = figure->rounds[i].round;

      if (round >= 1 && round <= cost->n_rounds && !isnan (cost->rounds[round - 1]))
        figure->rounds[i].median = cost->rounds[round - 1];
    }
}

MemlaneRun *
memlane_run_count (const MemlaneRun *run, MemlaneCount count, guint uses, guint *n_lacking)
{
  MemlaneRun *result = memlane_run_copy (run);
  guint lacking = 0;

  g_ptr_array_set_size (result->cells, 0);
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      MemlaneCell *copy = memlane_cell_copy (cell);
      MemlaneFigure *elapsed = (MemlaneFigure *) memlane_cell_find (copy, MEMLANE_PHASE_ELAPSED,
                                                                    MEMLANE_CLOCK_HOST);
      MemlaneCost cost;

      if (elapsed != NULL && memlane_cost_compute (run, cell, count, MAX (uses, 1),
                                                   MEMLANE_DIRECTION_BOTH, 0, &cost))
        count_figure (elapsed, &cost);
      else if (elapsed != NULL)
        lacking += g_ptr_array_remove (copy->figures, elapsed);
      g_ptr_array_add (result->cells, copy);
    }
  if (n_lacking != NULL)
    *n_lacking = lacking;
  return result;
}

/* --- after how many uses a price is earned ---------------------------------------------------- */

/* The ends of {N: price - N gain cannot be told from 0} for price and gain that are both positive
 * by their values: where the upper and the lower end of price - N gain cross 0. (P - N G)^2 = p^2 +
 * N^2 g^2 has the roots (P G +- sqrt (P^2 G^2 - (G^2 - g^2) (P^2 - p^2))) / (G^2 - g^2); the
 * smaller one is written without the difference that would cancel. */
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
  return (MemlaneEstimate) { P / G, first,
                            g >= G ? INFINITY : (P * G + get_root (P, G, p, g)) / (G * G - g * g) };
}

void
memlane_break_even_compute (const MemlaneEstimate *price, const MemlaneEstimate *gain,
                            MemlaneBreakEven *result)
{
  gboolean costs = price->low > 0, saves = price->high < 0;
  gboolean wins = gain->low > 0, loses = gain->high < 0;

  *result = (MemlaneBreakEven) { .verdict = MEMLANE_BREAK_EVEN_UNTOLD,
                                .price_ns = *price,
                                .gain_ns = *gain,
                                .count = MEMLANE_ESTIMATE_UNKNOWN };
  if (!memlane_estimate_is_known (price) || !memlane_estimate_is_known (gain))
    result->verdict = MEMLANE_BREAK_EVEN_NO_DATA;
  else if (wins && price->value <= 0)
    /* If the price is above 0 after all, it is so little above that a part of a sample earns it,
     * unless the interval says more. */
    result->verdict = price->high <= gain->low ? MEMLANE_BREAK_EVEN_AT_ONCE
                                               : MEMLANE_BREAK_EVEN_UNTOLD;
  else if (wins)
    result->verdict = MEMLANE_BREAK_EVEN_AFTER;
  else if (loses && price->value >= 0)
    result->verdict = price->low >= gain->high ? MEMLANE_BREAK_EVEN_NEVER
                                               : MEMLANE_BREAK_EVEN_UNTOLD;
  else if (loses)
    result->verdict = MEMLANE_BREAK_EVEN_UNTIL;
  else if (saves && gain->value >= 0)
    result->verdict = MEMLANE_BREAK_EVEN_AT_ONCE;
  else if (costs && gain->value == 0 && gain->high == 0)
    result->verdict = MEMLANE_BREAK_EVEN_NEVER;
  if (result->verdict == MEMLANE_BREAK_EVEN_AFTER || result->verdict == MEMLANE_BREAK_EVEN_UNTIL)
    result->count = divide (*price, *gain);
}

/* --- of a run --------------------------------------------------------------------------------- */

/* The cell with the smallest reuse. */
static const MemlaneCell *
find_cell (const MemlaneRun *run, const char *workload, const char *mode, double log2_elements)
{
  const MemlaneCell *found = NULL;

  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    if (cell->log2_elements == log2_elements && strcmp (cell->mode, mode) == 0
        && strcmp (cell->workload, workload) == 0 && (found == NULL || cell->reuse < found->reuse))
      found = cell;
  return found;
}

MEMLANE_DEFINE_NAMES (memlane_pinning_title, MemlanePinning, MEMLANE_N_PINNING_CASES,
                      N_("first allocation in the process"), N_("newly page-locked"),
                      N_("reused by the driver"))

static MemlaneEstimate
get_phase (const MemlaneCell *cell, MemlanePhase phase)
{
  MemlaneEstimate ns = memlane_estimate_of (cell, phase, MEMLANE_CLOCK_HOST);

  if (memlane_estimate_is_known (&ns)
      && memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST)->n_rounds == 0)
    {
      ns.low = ns.value - MEMLANE_ONE_PROCESS * (ns.value - ns.low);
      ns.high = ns.value + MEMLANE_ONE_PROCESS * (ns.high - ns.value);
    }
  return ns;
}

/* Returns how much longer the @n @phases of @dear take than those of @cheap, by the rounds that
 * have all. Unknown: a phase is missing. */
static MemlaneEstimate
get_beyond (const MemlaneCell *dear, const MemlaneCell *cheap, const MemlanePhase *phases, guint n)
{
  double rounds[MEMLANE_MOST_ROUNDS];
  MemlaneEstimate sum = { 0, 0, 0 };
  guint n_rounds = 0;

  for (guint i = 0; i < n; i++)
    {
      MemlaneEstimate more = get_phase (dear, phases[i]), less = get_phase (cheap, phases[i]),
                      beyond;

      beyond = memlane_estimate_subtract (&more, &less);
      sum = memlane_estimate_add (&sum, &beyond);
    }
  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS && memlane_estimate_is_known (&sum); round++)
    {
      rounds[n_rounds] = 0;
      for (guint i = 0; i < n; i++)
        rounds[n_rounds] += memlane_estimate_get_round (
                                memlane_cell_find (dear, phases[i], MEMLANE_CLOCK_HOST), round)
                            - memlane_estimate_get_round (
                                memlane_cell_find (cheap, phases[i], MEMLANE_CLOCK_HOST), round);
      n_rounds += !isnan (rounds[n_rounds]);
    }
  return n_rounds >= 2 ? memlane_find_middle (rounds, n_rounds, MEMLANE_LEVEL_OF_PAIRS) : sum;
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
find_case (const MemlaneRun *run, const char *workload, const char *pageable, const char *pinned,
           double log2_elements)
{
  const MemlaneMode *mode = memlane_mode_find (pinned);
  double usual = get_allocation (find_cell (run, workload, pageable, log2_elements));
  double price = get_allocation (find_cell (run, workload, pinned, log2_elements)) - usual;

  if (mode != NULL && memlane_host_memory_is_registered (mode->input_memory))
    return MEMLANE_PINNING_NEW; /* nothing is kept of what was locked in place */
  MEMLANE_FOR_EACH_OF (const MemlaneMode, other, n, memlane_mode_list (&n))
    {
      double anew;

      if (other->input_memory != MEMLANE_HOST_REGISTERED)
        continue;
      anew = get_allocation (find_cell (run, workload, other->id, log2_elements)) - usual;
      if (!isnan (anew) && !isnan (price))
        return price < anew / 2 ? MEMLANE_PINNING_POOLED : MEMLANE_PINNING_NEW;
    }
  return MEMLANE_N_PINNING_CASES;
}

/* Estimates the time of a process's first page-locked memory, from the processes of @run's rounds.
 * Unknown for fewer than two. */
static MemlaneEstimate
get_first (const MemlaneRun *run)
{
  double times[MEMLANE_MOST_ROUNDS];
  guint n = 0;

  MEMLANE_FOR_EACH_OF (const MemlaneEnvironmentRound, round, n_rounds,
                       memlane_environment_get_rounds (run->environment, &n_rounds))
    if (round->first_pinned_ns > 0 && n < MEMLANE_MOST_ROUNDS)
      times[n++] = round->first_pinned_ns;
  if (n < 2)
    return MEMLANE_ESTIMATE_UNKNOWN;
  return memlane_find_middle (times, n, MEMLANE_LEVEL_OF_ROUNDS);
}

void
memlane_break_even_pinning (const MemlaneRun *run, const char *workload, const char *pageable,
                            const char *pinned, double log2_elements, MemlanePinning pinning,
                            MemlaneBreakEven *result)
{
  static const MemlanePhase memory[] = { MEMLANE_PHASE_ALLOC, MEMLANE_PHASE_HOST_WRITE,
                                         MEMLANE_PHASE_HOST_READ, MEMLANE_PHASE_FREE };
  static const MemlanePhase elapsed[] = { MEMLANE_PHASE_ELAPSED };
  const MemlaneCell *a = find_cell (run, workload, pageable, log2_elements),
                    *b = find_cell (run, workload, pinned, log2_elements);
  MemlaneEstimate first = { 0, 0, 0 }, price = get_beyond (b, a, memory, G_N_ELEMENTS (memory)),
                  gain = get_beyond (a, b, elapsed, 1);
  const MemlaneMode *mode = memlane_mode_find (pinned);
  gboolean allocates = mode != NULL && !memlane_host_memory_is_registered (mode->input_memory);

  if (pinning == MEMLANE_PINNING_FIRST)
    first = allocates ? get_first (run) : MEMLANE_ESTIMATE_UNKNOWN;
  else if (find_case (run, workload, pageable, pinned, log2_elements) != pinning)
    first = MEMLANE_ESTIMATE_UNKNOWN;
  price = memlane_estimate_add (&price, &first);
  memlane_break_even_compute (&price, &gain, result);
}
