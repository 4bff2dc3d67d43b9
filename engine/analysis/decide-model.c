/* decide-model.c: the time of a mode at any reuse, measured or by one rule, and the comparison of two times
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <stdlib.h>

#include "base/each.h"
#include "result/statistics.h"

#define IN_A_ROW 16 /* kernels; below that what comes before and after the row is too much of it */

/* The error of the added kernel, as a share: known in a row, or from one alone (decide.h). */
static const double kernel_shares[] = { 0.15, 0.30 };
/* The error of parts that are not repeated, as a share: pages that fault differ from process to process. */
#define TRANSFER_SHARE 0.15
#define FAULT_SHARE 0.40
/* A kernel over the link that was measured alone has read what the host had just written. In a row it takes so much of that, give or take.
 * */
#define LINK_IN_A_ROW 0.80
#define LINK_SHARE 0.35

/* --- measured terms --------------------------------------------------------------------------------------------------------- */

/* The median of what a launch takes on the host at the greatest reuse, where launches come at their own pace. Without a row: the run's
 * floor, else the least of single ones, since a launch after a long copy is slow. */
void
memlane_decision_find_launch (const MemlaneDecision *self)
{
  MemlaneDecisionParts *parts = self->parts;
  guint most = 0;
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->n_modes * MEMLANE_DECIDE_SIZES; i++)
    {
      const GPtrArray *points = parts->points[i];
      MemlaneWay way = self->modes[i / MEMLANE_DECIDE_SIZES].way;

      if (points == NULL || way == MEMLANE_WAY_MANAGED || way == MEMLANE_WAY_STREAMS) /* a launch that waits for pages is none in a row */
        continue;
      MEMLANE_FOR_EACH (const MemlanePoint, point, points)
        {
          const MemlaneCell *cell = point->cell;
          MemlaneEstimate ns = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE);
          double launch = ns.value / MAX (cell->reuse, 1);

          if (!memlane_estimate_is_known (&ns) || cell->reuse < most)
            continue;
          if (cell->reuse > most)
            g_array_set_size (launches, 0);
          most = cell->reuse;
          g_array_append_val (launches, launch);
        }
    }
  if (launches->len > 0)
    {
      qsort (launches->data, launches->len, sizeof (double), memlane_compare_doubles);
      parts->launch_ns = g_array_index (launches, double, most < IN_A_ROW ? 0 : launches->len / 2);
    }
  if (most < IN_A_ROW && parts->floors.launch_ns > 0)
    parts->launch_ns = parts->floors.launch_ns;
}

/* One kernel among others, at the greatest reuse. FALSE: the mode has none. *@single: known from one alone. */
static gboolean
get_kernel (const MemlaneDecision *self, guint mode, double log2_elements, double *ns, gboolean *single)
{
  const MemlaneDecisionParts *parts = self->parts;
  const GPtrArray *points = memlane_decision_get_points (self, mode, log2_elements);

  for (guint i = points != NULL ? points->len : 0; i-- > 0;)
    {
      const MemlaneCell *cell = ((const MemlanePoint *) points->pdata[i])->cell;
      MemlaneEstimate kernel = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);

      if (!memlane_estimate_is_known (&kernel))
        kernel = memlane_estimate_of (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_HOST);
      if (!memlane_estimate_is_known (&kernel))
        continue;
      *single = cell->reuse < IN_A_ROW;
      *ns = kernel.value > parts->floors.event_pair_ns ? kernel.value - parts->floors.event_pair_ns : kernel.value;
      *ns /= MAX (cell->reuse, 1);
      return TRUE;
    }
  return FALSE;
}

/* The kernel on data in device memory: the baseline's, else a copying mode's; in a row by the run's floor where it was measured alone.
 * FALSE: the runs have none. */
static gboolean
get_warm_kernel (const MemlaneDecision *self, double log2_elements, double *ns, gboolean *single)
{
  const MemlaneDecisionParts *parts = self->parts;
  gboolean found = FALSE;

  for (guint pass = 0; pass < 2 && !found; pass++)
    for (guint i = 0; i < self->n_modes && !found; i++)
      if (pass == 0 ? self->modes[i].way == MEMLANE_WAY_RESIDENT
                    : self->modes[i].way == MEMLANE_WAY_PINNED || self->modes[i].way == MEMLANE_WAY_PAGEABLE)
        found = get_kernel (self, i, log2_elements, ns, single);
  if (found && *single && parts->vectors == 3)
    {
      double floor = memlane_floors_get_in_a_row (&parts->floors, exp2 (log2_elements));

      *single = !(floor > 0);
      *ns = floor > 0 ? floor : *ns;
    }
  return found;
}

/* --- one more use ----------------------------------------------------------------------------------------------------------- */

typedef struct
{
  double ns;            /* what each further use adds */
  double kernel_ns;     /* the same where the host has issued it before */
  double ahead;         /* ns: for how long the host issues while the inputs are on their way */
  double share;         /* of @ns: what it may be off by */
  double fault_share;   /* of what is not repeated: what this mode alone may be off by */
  gconstpointer kernel; /* whose it is */
  gboolean is_known;
} Use;

/* The device's work that is left when the host has issued it: copies, a kernel that waits for pages, or all of a stream mode's sample. */
static double
get_ahead (const MemlaneCell *cell, MemlaneWay way)
{
  gboolean whole = cell->chunks > 0;
  MemlanePhase phase = whole ? MEMLANE_PHASE_ELAPSED : way == MEMLANE_WAY_MANAGED ? MEMLANE_PHASE_KERNEL : MEMLANE_PHASE_UPLOAD;
  MemlaneEstimate issue = memlane_estimate_of (cell, phase, MEMLANE_CLOCK_ISSUE);
  MemlaneEstimate ns = memlane_estimate_of (cell, phase, whole ? MEMLANE_CLOCK_HOST : MEMLANE_CLOCK_DEVICE);

  return memlane_estimate_is_known (&issue) && memlane_estimate_is_known (&ns) ? MAX (ns.value - issue.value, 0) : 0;
}

static Use
get_use (const MemlaneDecision *self, guint mode, const MemlanePoint *point)
{
  const MemlaneDecisionParts *parts = self->parts;
  const double log2_elements = point->cell->log2_elements;
  const MemlaneMode *row = &self->modes[mode];
  double warm = 0, own = 0, launches = MAX (point->cell->chunks, 1) * parts->launch_ns;
  gboolean single = FALSE, own_single = FALSE, has_warm = get_warm_kernel (self, log2_elements, &warm, &single);
  gboolean has_own = get_kernel (self, mode, log2_elements, &own, &own_single);
  Use use = { .fault_share = row->way == MEMLANE_WAY_MANAGED ? FAULT_SHARE : 0 };

  if (row->way == MEMLANE_WAY_ZERO_COPY || row->way == MEMLANE_WAY_RESIDENT)
    {
      use.is_known = has_own;
      use.ns = own * point->cost.left * (own_single && row->way == MEMLANE_WAY_ZERO_COPY ? LINK_IN_A_ROW : 1);
      use.share = hypot (own_single && row->way == MEMLANE_WAY_ZERO_COPY ? LINK_SHARE : kernel_shares[own_single], point->cost.spread);
      use.kernel = own_single ? (gconstpointer) self->map : point->cell; /* all that go over the link go the same way from alone to a row */
    }
  else
    {
      /* If pages may stay on the host, no kernel tells what the next one takes. */
      use.is_known = has_warm
                     && !(row->way == MEMLANE_WAY_MANAGED && (row->input_memory == MEMLANE_HOST_PAGEABLE || row->result_stays_on_host));
      use.ns = warm;
      use.share = kernel_shares[single];
      use.kernel = self->sizes; /* one for all that have their data in device memory */
    }
  use.kernel_ns = use.ns;
  if (use.ns > launches)
    return use;
  if (self->direction != MEMLANE_DIRECTION_TO_HOST || point->cost.left < 1)
    use.ahead = point->cost.left * get_ahead (point->cell, row->way);
  use.ns = launches; /* each kernel waits for its launch, wherever its data is */
  use.share = kernel_shares[0];
  use.kernel = point->cell->chunks > 1 ? (gconstpointer) point->cell : &parts->launch_ns;
  return use;
}

/* What @n further uses add. Launches that were issued while the inputs are on their way cost nothing. */
static double
add_uses (const Use *use, double n)
{
  return MAX (n * use->kernel_ns, n * use->ns - use->ahead);
}

/* The part of a sample that is neither repeated with each use nor the host's own. */
static double
get_transfers (const MemlanePoint *point, double use_ns)
{
  double elapsed = memlane_cell_find (point->cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->statistics.median;

  return MAX (MIN (elapsed, point->cost.ns.value) - point->cell->reuse * use_ns, 0);
}

/* --- forecasts -------------------------------------------------------------------------------------------------------------- */

/* On the rule's line through both, else on the straight one. Either end foretells what lies between, the nearer one better. */
static void
interpolate (const MemlanePoint *below, const MemlanePoint *above, guint reuse, const Use *use, MemlaneForecast *p)
{
  double n = reuse - below->cell->reuse, all = above->cell->reuse - below->cell->reuse, whole, share;

  share = use->is_known && add_uses (use, all) > 0 ? add_uses (use, n) / add_uses (use, all) : n / all;
  whole = above->cost.ns.value - below->cost.ns.value;
  p->basis = MAX (p->basis, MEMLANE_BASIS_BETWEEN);
  p->r1 = above->cell->reuse;
  p->from[1] = above;
  p->share = share;
  p->ns.value += share * whole;
  p->sampled[0] = hypot ((1 - share) * p->sampled[0], share * (above->cost.ns.value - above->cost.ns.low));
  p->sampled[1] = hypot ((1 - share) * p->sampled[1], share * (above->cost.ns.high - above->cost.ns.value));
  p->error = hypot (p->error, kernel_shares[1] * share * (1 - share) * fabs (whole));
  p->kernel = use->is_known ? use->kernel : NULL;
}

gboolean
memlane_decision_forecast (const MemlaneDecision *self, guint mode, double log2_elements, guint reuse, MemlaneForecast *prediction)
{
  const GPtrArray *points = memlane_decision_get_points (self, mode, log2_elements);
  const MemlanePoint *below = NULL, *above = NULL;
  MemlaneForecast p;
  double error;
  Use use;

  *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN };
  if (points == NULL || reuse == 0 || reuse > MEMLANE_DECIDE_MOST_REUSE)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlanePoint, point, points)
    if (point->cell->reuse <= reuse)
      below = point;
    else if (above == NULL)
      above = point;
  if (below == NULL)
    return FALSE;
  p = (MemlaneForecast) {
    .basis = below->cost.loose > 0 ? MEMLANE_BASIS_BOUNDED : MEMLANE_BASIS_MEASURED, .ns = below->cost.ns, .r0 = below->cell->reuse,
    .noisy = memlane_cell_find (below->cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->status == MEMLANE_STATUS_NOISY,
    .sampled = { below->cost.ns.value - below->cost.ns.low, below->cost.ns.high - below->cost.ns.value }, .error = below->cost.loose,
    .from = { below },
  };
  if (below->cell->reuse < reuse)
    {
      use = get_use (self, mode, below);
      if (!self->has_reuse || (above == NULL && !use.is_known))
        return FALSE;
      if (above != NULL)
        interpolate (below, above, reuse, &use, &p);
      else
        {
          p.basis = MAX (p.basis, MEMLANE_BASIS_COMPUTED);
          p.added = add_uses (&use, reuse - p.r0);
          p.error = hypot (p.error, hypot (use.share * p.added, TRANSFER_SHARE * get_transfers (below, use.ns)));
          p.own = use.fault_share * hypot (get_transfers (below, use.ns), (reuse - p.r0) * use.ns - p.added);
          p.ns.value += p.added;
          p.kernel = use.kernel;
        }
    }
  error = hypot (p.error, p.own);
  p.ns.low = p.ns.value - hypot (p.sampled[0], error);
  p.ns.high = p.ns.value + hypot (p.sampled[1], error);
  if (!memlane_estimate_is_known (&p.ns) || !(p.ns.value > 0))
    return FALSE;
  p.ns.low = MAX (p.ns.low, 0);
  *prediction = p;
  return TRUE;
}

/* The ratio of two modes changes from sweep to sweep by more than its rounds tell, since one follows the host more than the other. How
 * many intervals hold the other sweeps' ratio with it and without: tests/gpu/judge --figures. */
#define RATIO_BETWEEN_SWEEPS 0.05

/* --- comparison ------------------------------------------------------------------------------------------------------------- */

/* @p in one round, from 1. NAN: it was not measured there. */
static double
get_round (const MemlaneForecast *p, guint round)
{
  const MemlanePoint *first = p->from[0], *next = p->from[1];
  double ns = round <= first->cost.n_rounds ? first->cost.rounds[round - 1] : NAN;

  if (next != NULL)
    ns = (1 - p->share) * ns + p->share * (round <= next->cost.n_rounds ? next->cost.rounds[round - 1] : NAN);
  return ns + p->added;
}

/* The ratios of the rounds that both have; how many there are. Rounds of different runs are no pairs. */
static guint
pair_rounds (const MemlaneForecast *a, const MemlaneForecast *b, double *ratios)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (a->from); i++)
    {
      const MemlanePoint *one = a->from[i], *other = b->from[i];

      if ((one == NULL) != (other == NULL) || (one != NULL && one->run != other->run))
        return 0;
    }
  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS; round++)
    {
      double x = get_round (a, round), y = get_round (b, round);

      if (x > 0 && y > 0)
        ratios[n++] = x / y;
    }
  return n;
}

/* The distance of @by from @value in logarithms; an end that reaches 0 is taken as a thousandth of the value. */
static double
reach (double value, double by)
{
  return fabs (log (MAX (value + by, value * 1e-3) / value));
}

MemlaneEstimate
memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b)
{
  double ratios[MEMLANE_MOST_ROUNDS], value = a->ns.value / b->ns.value, down, up, error;
  guint n = pair_rounds (a, b, ratios);

  if (n >= 2)
    {
      MemlaneEstimate ratio = memlane_estimate_from_pairs (ratios, n);

      down = hypot (log (ratio.low / ratio.value), RATIO_BETWEEN_SWEEPS);
      up = hypot (log (ratio.high / ratio.value), RATIO_BETWEEN_SWEEPS);
    }
  else
    {
      down = hypot (reach (a->ns.value, -a->sampled[0]), reach (b->ns.value, b->sampled[1]));
      up = hypot (reach (a->ns.value, a->sampled[1]), reach (b->ns.value, -b->sampled[0]));
    }
  if (a->kernel != NULL && a->kernel == b->kernel) /* both longer, or both shorter */
    error = MAX (fabs (log ((a->ns.value + a->error) / (b->ns.value + b->error) / value)),
                 fabs (log (MAX (a->ns.value - a->error, 1) / MAX (b->ns.value - b->error, 1) / value)));
  else
    error = hypot (MAX (reach (a->ns.value, a->error), reach (a->ns.value, -a->error)),
                   MAX (reach (b->ns.value, b->error), reach (b->ns.value, -b->error)));
  error = hypot (error, hypot (reach (a->ns.value, a->own), reach (b->ns.value, b->own)));
  return (MemlaneEstimate) { value - 1, value / exp (hypot (down, error)) - 1, value * exp (hypot (up, error)) - 1 };
}
