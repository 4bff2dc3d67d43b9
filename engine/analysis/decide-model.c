/* decide-model.c: the time of a mode at any size and reuse: measured, between two measured ones, or computed
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <stdlib.h>

#include "result/statistics.h"

/* What a computed time may be off by, as shares; where they come from stands in decide.h. */
typedef struct
{
  double transfers; /* of what is not repeated */
  double kernels;   /* of the kernels that are added, whose time in a row is known */
  double single;    /* of the kernels that are added, known from one alone */
  double between;   /* of the time, halfway between two measured reuse values */
} Shares;

static const Shares shares[] = {
  [MEMLANE_WAY_PAGEABLE] = { 0.15, 0.13, 0.30, 0.12 },
  [MEMLANE_WAY_PINNED] = { 0.15, 0.13, 0.30, 0.12 },
  [MEMLANE_WAY_ZERO_COPY] = { 0.15, 0.06, 0.35, 0.06 },
  [MEMLANE_WAY_MANAGED] = { 0.80, 0.20, 0.50, 0.50 },
  [MEMLANE_WAY_STREAMS] = { 0.30, 0.13, 0.20, 0.15 },
  [MEMLANE_WAY_RESIDENT] = { 0.30, 0.15, 0.35, 0.15 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (shares) == MEMLANE_N_WAYS);

/* Of two modes that run the same kernel in the same way: what they are not off by alike. */
#define OWN_TRANSFERS 0.05
#define OWN_KERNELS 0.03

/* --- measured terms -------------------------------------------------------------------------------------------------------- */

static MemlaneEstimate
get (const MemlaneCell *cell, MemlanePhase phase)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE);

  return memlane_estimate_from_figure (figure != NULL ? figure : memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST));
}

static MemlaneEstimate
elapsed (const MemlaneCell *cell)
{
  return memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST));
}

static int
compare_numbers (const void *a, const void *b)
{
  double one = *(const double *) a, other = *(const double *) b;

  return one < other ? -1 : one > other;
}

#define IN_A_ROW 16 /* kernels; below that what comes before and after the row is too much of it */

/* The median of what a launch takes on the host, at the greatest reuse that was measured: in a row they come at their own pace. Where no
 * row was measured, the run's floor, else the least of single ones. */
static double
find_launch (MemlaneDecisionParts *self)
{
  guint n, most = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);
  g_autoptr (GArray) launches = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n * MEMLANE_DECIDE_SIZES; i++)
    {
      const GPtrArray *cells = self->cells[i];
      MemlaneWay way = modes[i / MEMLANE_DECIDE_SIZES].way;

      if (cells == NULL || way == MEMLANE_WAY_MANAGED || way == MEMLANE_WAY_STREAMS) /* a launch that waits for pages is none in a row */
        continue;
      for (guint j = 0; j < cells->len; j++)
        {
          const MemlaneCell *cell = cells->pdata[j];
          MemlaneEstimate ns = memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE));
          double launch = ns.value / MAX (cell->reuse, 1);

          if (!memlane_estimate_is_known (&ns) || cell->reuse < most)
            continue;
          if (cell->reuse > most)
            g_array_set_size (launches, 0);
          most = cell->reuse;
          g_array_append_val (launches, launch);
        }
    }
  if (most < IN_A_ROW && self->floors.launch_ns > 0)
    return self->floors.launch_ns;
  if (launches->len == 0)
    return 0;
  qsort (launches->data, launches->len, sizeof (double), compare_numbers);
  /* One alone comes after a copy that the host has waited for: the longer the copy, the colder the launch. The least is nearest to a
     row's. */
  return g_array_index (launches, double, most < IN_A_ROW ? 0 : launches->len / 2);
}

void
memlane_decision_find_terms (MemlaneDecisionParts *self)
{
  self->launch_ns = find_launch (self);
}

/* One kernel among others, of the cell with the greatest reuse. FALSE: it has none. *@single: from one alone. */
static gboolean
get_kernel (const MemlaneDecision *self, const GPtrArray *cells, MemlaneEstimate *ns, gboolean *single)
{
  double pair = ((const MemlaneDecisionParts *) self)->floors.event_pair_ns;

  for (guint i = cells != NULL ? cells->len : 0; i-- > 0;)
    {
      const MemlaneCell *cell = cells->pdata[i];
      const MemlaneEstimate empty = { pair, pair, pair };

      *ns = get (cell, MEMLANE_PHASE_KERNEL);
      if (!memlane_estimate_is_known (ns))
        continue;
      *single = cell->reuse <= 1 && pair <= 0;
      if (pair > 0 && pair < ns->low)
        *ns = memlane_estimate_subtract (ns, &empty);
      *ns = memlane_estimate_scale (ns, 1.0 / MAX (cell->reuse, 1));
      return TRUE;
    }
  return FALSE;
}

/* A kernel that was measured alone, by the run's floor of kernels in a row: the addition's. */
static void
use_floor (const MemlaneDecision *self, guint mode, guint log2_elements, MemlaneEstimate *ns, gboolean *single)
{
  const MemlaneDecisionParts *parts = (const MemlaneDecisionParts *) self;
  const GPtrArray *cells = memlane_decision_get_cells (self, mode, log2_elements);
  const MemlaneCell *last = cells->pdata[cells->len - 1];
  double floor = parts->vectors == 3 ? memlane_floors_get_in_a_row (&parts->floors, exp2 (log2_elements)) : 0;

  if (last->reuse >= IN_A_ROW || !(floor > 0))
    return;
  *ns = (MemlaneEstimate) { floor, floor, floor };
  *single = FALSE;
}

/* The kernel on data in device memory: the baseline's, else a copying mode's. FALSE: the runs have none. */
static gboolean
get_warm_kernel (const MemlaneDecision *self, guint log2_elements, MemlaneEstimate *ns, gboolean *single)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < n; i++)
      {
        MemlaneWay way = modes[i].way;
        gboolean wanted = round == 0 ? way == MEMLANE_WAY_RESIDENT : way == MEMLANE_WAY_PINNED || way == MEMLANE_WAY_PAGEABLE;

        if (!wanted || !get_kernel (self, memlane_decision_get_cells (self, i, log2_elements), ns, single))
          continue;
        use_floor (self, i, log2_elements, ns, single);
        return TRUE;
      }
  return FALSE;
}

/* A copy of the result to page-locked memory. */
static gboolean
get_result_copy (const MemlaneDecision *self, guint log2_elements, MemlaneEstimate *ns)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    {
      const GPtrArray *cells = memlane_decision_get_cells (self, i, log2_elements);

      if (cells == NULL || modes[i].way != MEMLANE_WAY_PINNED)
        continue;
      *ns = memlane_estimate_from_figure (memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE));
      if (memlane_estimate_is_known (ns))
        return TRUE;
    }
  return FALSE;
}

/* --- one more use ------------------------------------------------------------------------------------------------------------ */

/* What each further use adds. */
typedef struct
{
  MemlaneBasis basis;     /* COMPUTED or BOUNDED; NONE: cannot be told */
  MemlaneEstimate kernel; /* in a row */
  double launches;        /* of one use, on the host */
  double ahead;           /* what the host may issue while the inputs are still on their way, ns */
  gboolean single;        /* the kernel is known from one alone */
  MemlaneShared shared;
} Use;

static Use
get_use (const MemlaneDecision *self, guint mode, const MemlaneCell *cell)
{
  guint n;
  const MemlaneMode *row = &memlane_mode_list (&n)[mode];
  MemlaneEstimate warm, own, copy, up = get (cell, MEMLANE_PHASE_UPLOAD);
  MemlaneEstimate issue = memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_ISSUE));
  gboolean single = FALSE, own_single = FALSE, has_warm = get_warm_kernel (self, cell->log2_elements, &warm, &single);
  gboolean has_own = get_kernel (self, memlane_decision_get_cells (self, mode, cell->log2_elements), &own, &own_single);
  Use use = { .basis = MEMLANE_BASIS_NONE, .launches = MAX (cell->chunks, 1) * ((const MemlaneDecisionParts *) self)->launch_ns };

  if (row->way == MEMLANE_WAY_ZERO_COPY || row->way == MEMLANE_WAY_RESIDENT || (!has_warm && row->way != MEMLANE_WAY_MANAGED))
    {
      if (!has_own)
        return use;
      use.basis = MEMLANE_BASIS_COMPUTED;
      use.kernel = own;
      use.single = own_single;
      use.shared = row->way == MEMLANE_WAY_ZERO_COPY ? MEMLANE_SHARED_LINK : MEMLANE_SHARED_NOTHING;
      return use;
    }
  if (!has_warm)
    return use;
  use.basis = MEMLANE_BASIS_COMPUTED;
  use.kernel = warm;
  use.single = single;
  if (memlane_estimate_is_known (&up) && memlane_estimate_is_known (&issue))
    use.ahead = MAX (up.value - issue.value, 0);
  if (row->way != MEMLANE_WAY_STREAMS)
    use.shared = MEMLANE_SHARED_DEVICE;
  else /* copies and kernels are issued together: what the whole sample takes beyond its issuing */
    {
      MemlaneEstimate whole = elapsed (cell);

      issue = memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_ISSUE));
      if (memlane_estimate_is_known (&issue))
        use.ahead = MAX (whole.value - issue.value, 0);
    }
  if (row->way == MEMLANE_WAY_MANAGED && (row->input_memory == MEMLANE_HOST_PAGEABLE || row->result_stays_on_host))
    {
      gboolean has_copy = row->result_stays_on_host && get_result_copy (self, cell->log2_elements, &copy);

      use.shared = MEMLANE_SHARED_NOTHING;
      if (has_copy && copy.value > warm.value) /* each kernel writes the result over the link */
        use.kernel = copy;
      if (has_copy && use.kernel.value <= use.launches) /* the host's launches are the limit, as they are of copies */
        use.shared = MEMLANE_SHARED_DEVICE;
      if (!has_copy && has_own && own.value > warm.value) /* pages that have moved, or a link that is reached each time */
        {
          use.basis = MEMLANE_BASIS_BOUNDED;
          use.kernel = (MemlaneEstimate) { (warm.value + own.value) / 2, warm.low, MAX (own.high, warm.high) };
        }
      else if (!has_copy && !has_own)
        use.basis = MEMLANE_BASIS_NONE;
    }
  return use;
}

/* transfers + r x max (launch, kernel in a row), as the difference of two r. Launches that were issued ahead of the inputs' arrival cost
 * nothing. */
static double
add_uses (const Use *use, double kernel, double from, double to)
{
  double excess = use->launches - kernel;

  return (to - from) * kernel + MAX (to * excess - use->ahead, 0) - MAX (from * excess - use->ahead, 0);
}

/* --- reuse ------------------------------------------------------------------------------------------------------------------ */

static void
widen (MemlaneEstimate *estimate, double half)
{
  const MemlaneEstimate error = { 0, -half, half };

  *estimate = memlane_estimate_add (estimate, &error);
}

/* Between two measured reuse values: on the model's line, drawn through both. */
static void
interpolate (const MemlaneCell *below, const MemlaneCell *above, guint reuse, const Use *use, MemlaneWay way, MemlaneForecast *p)
{
  MemlaneEstimate a = elapsed (below), b = elapsed (above);
  double part = (double) (reuse - below->reuse) / (above->reuse - below->reuse), half;
  double place = log ((double) reuse / below->reuse) / log ((double) above->reuse / below->reuse);

  if (use->basis == MEMLANE_BASIS_COMPUTED)
    {
      double whole = add_uses (use, use->kernel.value, below->reuse, above->reuse);

      if (whole > 0)
        part = add_uses (use, use->kernel.value, below->reuse, reuse) / whole;
    }
  a = memlane_estimate_scale (&a, 1 - part);
  b = memlane_estimate_scale (&b, part);
  p->ns = p->own_ns = memlane_estimate_add (&a, &b);
  half = 4 * place * (1 - place) * p->ns.value;
  widen (&p->ns, shares[way].between * half);
  widen (&p->own_ns, OWN_KERNELS * half);
  p->basis = MEMLANE_BASIS_BETWEEN;
  p->r1 = above->reuse;
  /* What bends the line between two points bends it for all that run the same kernel. */
  p->shared = way == MEMLANE_WAY_PAGEABLE || way == MEMLANE_WAY_PINNED ? MEMLANE_SHARED_DEVICE
              : way == MEMLANE_WAY_ZERO_COPY                            ? MEMLANE_SHARED_LINK
                                                                        : MEMLANE_SHARED_NOTHING;
}

static void
extrapolate (const MemlaneCell *last, guint reuse, const Use *use, MemlaneWay way, MemlaneForecast *p)
{
  const MemlaneEstimate measured = elapsed (last);
  const Shares *share = &shares[way];
  double added = add_uses (use, use->kernel.value, last->reuse, reuse);
  double transfers = MAX (measured.value - last->reuse * MAX (use->kernel.value, use->launches), 0);
  double half = hypot (share->transfers * transfers, (use->single ? share->single : share->kernels) * added);
  /* Managed memory's faults differ from mode to mode, and from run to run. */
  double own_transfers = way == MEMLANE_WAY_MANAGED ? share->transfers : OWN_TRANSFERS;

  p->basis = use->basis;
  if (use->basis == MEMLANE_BASIS_NONE)
    return;
  p->shared = use->shared;
  p->ns = p->own_ns = (MemlaneEstimate) { measured.value + added, measured.low + added, measured.high + added };
  if (use->basis == MEMLANE_BASIS_BOUNDED)
    {
      p->ns.low = measured.low + add_uses (use, use->kernel.low, last->reuse, reuse) - half;
      p->ns.high = measured.high + add_uses (use, use->kernel.high, last->reuse, reuse) + half;
      p->own_ns = p->ns;
      return;
    }
  widen (&p->ns, half);
  widen (&p->own_ns, hypot (own_transfers * transfers, OWN_KERNELS * added));
}

/* Both ways, without the direction. */
static void
predict_reuse (const MemlaneDecision *self, guint mode, const GPtrArray *cells, guint reuse, MemlaneForecast *p)
{
  guint n;
  MemlaneWay way = memlane_mode_list (&n)[mode].way;
  const MemlaneCell *below = NULL, *above = NULL;
  const MemlaneFigure *figure;
  Use use;

  for (guint i = 0; i < cells->len; i++)
    {
      const MemlaneCell *cell = cells->pdata[i];

      if (cell->reuse <= reuse)
        below = cell;
      else if (above == NULL)
        above = cell;
    }
  if (below == NULL) /* what less reuse would leave away is more than the model knows */
    return;
  figure = memlane_cell_find (below, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  p->r0 = below->reuse;
  p->noisy = figure->status == MEMLANE_STATUS_NOISY;
  if (below->reuse == reuse)
    {
      p->ns = p->own_ns = elapsed (below);
      p->basis = MEMLANE_BASIS_MEASURED;
      p->figure = figure;
      p->run = GPOINTER_TO_UINT (g_hash_table_lookup (((const MemlaneDecisionParts *) self)->origins, below));
      return;
    }
  if (!self->has_reuse)
    return;
  use = get_use (self, mode, below);
  if (above != NULL)
    interpolate (below, above, reuse, &use, way, p);
  else
    extrapolate (below, reuse, &use, way, p);
}

/* --- direction ---------------------------------------------------------------------------------------------------------------- */

/* The range from @whole less the @share of @part to all of it. */
static MemlaneEstimate
shrink (const MemlaneEstimate *whole, const MemlaneEstimate *part, double share)
{
  double low = whole->low - share * part->low;

  return (MemlaneEstimate) { whole->value - share / 2 * part->value, MIN (low, whole->value - share / 2 * part->value), whole->high };
}

static void
leave_away (const MemlaneDecision *self, guint mode, const MemlaneCell *cell, MemlaneForecast *p)
{
  guint n, vectors = ((const MemlaneDecisionParts *) self)->vectors;
  MemlaneWay way = memlane_mode_list (&n)[mode].way;
  gboolean to_device = self->direction == MEMLANE_DIRECTION_TO_DEVICE, single;
  double share = (to_device ? 1.0 : vectors - 1.0) / vectors;
  MemlaneEstimate part = get (cell, to_device ? MEMLANE_PHASE_DOWNLOAD : MEMLANE_PHASE_UPLOAD), base = elapsed (cell), warm;

  if (way == MEMLANE_WAY_RESIDENT)
    return;
  p->figure = NULL; /* its rounds hold both ways */
  if (memlane_estimate_is_known (&part))
    {
      p->ns = memlane_estimate_subtract (&p->ns, &part);
      p->own_ns = memlane_estimate_subtract (&p->own_ns, &part);
      return;
    }
  p->basis = MEMLANE_BASIS_BOUNDED;
  p->shared = MEMLANE_SHARED_NOTHING;
  if (way == MEMLANE_WAY_MANAGED && !to_device)
    {
      MemlaneEstimate own = get (cell, MEMLANE_PHASE_KERNEL);

      /* The faults of the first kernel are those of the inputs and of the result; only the inputs' stay away. */
      if (memlane_estimate_is_known (&own) && get_warm_kernel (self, cell->log2_elements, &warm, &single) && own.value > warm.value)
        base = memlane_estimate_subtract (&own, &warm);
      share = 1;
    }
  else if (way == MEMLANE_WAY_ZERO_COPY)
    base = p->ns; /* each kernel's accesses, not only the first one's */
  p->ns = p->own_ns = shrink (&p->ns, &base, share);
}

gboolean
memlane_decision_forecast (const MemlaneDecision *self, guint mode, guint log2_elements, guint reuse, MemlaneForecast *prediction)
{
  const GPtrArray *cells = memlane_decision_get_cells (self, mode, log2_elements);

  *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN, .own_ns = MEMLANE_ESTIMATE_UNKNOWN };
  if (cells == NULL || reuse == 0 || reuse > MEMLANE_DECIDE_MOST_REUSE)
    return FALSE;
  predict_reuse (self, mode, cells, reuse, prediction);
  if (prediction->basis != MEMLANE_BASIS_NONE && self->direction != MEMLANE_DIRECTION_BOTH)
    leave_away (self, mode, cells->pdata[0], prediction);
  if (!memlane_estimate_is_known (&prediction->ns) || !(prediction->ns.value > 0))
    {
      *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN, .own_ns = MEMLANE_ESTIMATE_UNKNOWN };
      return FALSE;
    }
  prediction->ns.low = MAX (prediction->ns.low, 0);
  prediction->own_ns.low = MAX (prediction->own_ns.low, 0);
  return TRUE;
}

/* --- comparing ---------------------------------------------------------------------------------------------------------------- */

MemlaneEstimate
memlane_decision_compare (const MemlaneForecast *a, const MemlaneForecast *b)
{
  gboolean alike = a->shared != MEMLANE_SHARED_NOTHING && a->shared == b->shared && a->r0 == b->r0 && a->r1 == b->r1;
  const MemlaneEstimate *x = alike ? &a->own_ns : &a->ns, *y = alike ? &b->own_ns : &b->ns;
  double half = hypot (memlane_estimate_half_log (x), memlane_estimate_half_log (y)), ratio = a->ns.value / b->ns.value;

  if (a->figure != NULL && b->figure != NULL && a->run == b->run && a->figure->rounds != NULL && b->figure->rounds != NULL)
    {
      MemlaneEstimate paired = memlane_estimate_ratio (a->figure, b->figure);

      if (memlane_estimate_is_known (&paired))
        return (MemlaneEstimate) { paired.value - 1, paired.low - 1, paired.high - 1 };
    }
  return (MemlaneEstimate) { ratio - 1, ratio / exp (half) - 1, ratio * exp (half) - 1 };
}
