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
  double between;   /* of what is added to the one and missing to the other of two measured times, between them */
} Shares;

static const Shares shares[] = {
  [MEMLANE_WAY_PAGEABLE] = { 0.15, 0.13, 0.25, 0.20 },
  [MEMLANE_WAY_PINNED] = { 0.15, 0.13, 0.25, 0.20 },
  [MEMLANE_WAY_ZERO_COPY] = { 0.15, 0.06, 0.20, 0.10 },
  [MEMLANE_WAY_MANAGED] = { 0.40, 0.20, 0.50, 0.60 },
  [MEMLANE_WAY_STREAMS] = { 0.30, 0.13, 0.20, 0.20 },
  [MEMLANE_WAY_RESIDENT] = { 0.30, 0.15, 0.35, 0.25 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (shares) == MEMLANE_N_WAYS);

/* Of two modes that run the same kernel in the same way: what they are not off by alike. */
#define OWN_TRANSFERS 0.05
#define OWN_KERNELS 0.03
/* A kernel that takes at most so much of a launch waits for it each time. Nearer, now the one is late and now the other. */
#define LAUNCH_BOUND 0.8
/* A kernel in a row over the link takes at the least so much of one alone. */
#define FIRST_OVER_LINK 0.5

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
      *single = cell->reuse < IN_A_ROW;
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
  double ahead;           /* ns: what the host may issue while the inputs are still on their way */
  double ahead_error;     /* ns: by how much more or less */
  gboolean single;        /* the kernel is known from one alone */
  guint shared;           /* of MemlaneShared */
} Use;

/* A kernel over the link that was measured alone has read what the host has just written, which takes up to twice as long. In a row it
 * takes what the least size's does, and the rest at the pace of the greatest. */
static MemlaneEstimate
bound_link_kernel (const MemlaneDecision *self, guint mode, guint log2_elements, const MemlaneEstimate *alone)
{
  MemlaneEstimate least = MEMLANE_ESTIMATE_UNKNOWN, most = MEMLANE_ESTIMATE_UNKNOWN;
  double low = alone->low * FIRST_OVER_LINK, value;
  guint least_log2 = 0, most_log2 = 0;
  gboolean single;

  for (guint i = 0; i < self->n_sizes; i++)
    {
      MemlaneEstimate ns;

      if (!get_kernel (self, memlane_decision_get_cells (self, mode, self->sizes[i]), &ns, &single))
        continue;
      if (!memlane_estimate_is_known (&least))
        {
          least = ns;
          least_log2 = self->sizes[i];
        }
      most = ns;
      most_log2 = self->sizes[i];
    }
  if (most_log2 <= least_log2 || most_log2 == log2_elements)
    return (MemlaneEstimate) { alone->value, low, alone->high };
  value = least.value + (most.value - least.value) * (exp2 (log2_elements) - exp2 (least_log2)) / (exp2 (most_log2) - exp2 (least_log2));
  value = CLAMP (value, low, alone->high);
  return (MemlaneEstimate) { value, MAX (low, value * 0.8), MAX (alone->high, value) };
}

static Use
get_use (const MemlaneDecision *self, guint mode, const MemlaneCell *cell)
{
  guint n;
  const MemlaneMode *row = &memlane_mode_list (&n)[mode];
  MemlaneEstimate warm, own, copy, up = get (cell, MEMLANE_PHASE_UPLOAD);
  MemlaneEstimate issue = memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_ISSUE));
  const GPtrArray *cells = memlane_decision_get_cells (self, mode, cell->log2_elements);
  MemlaneEstimate first = get (cells->pdata[0], MEMLANE_PHASE_KERNEL);
  gboolean has_first = memlane_estimate_is_known (&first) && ((const MemlaneCell *) cells->pdata[0])->reuse == 1;
  gboolean single = FALSE, own_single = FALSE, has_warm = get_warm_kernel (self, cell->log2_elements, &warm, &single);
  gboolean has_own = get_kernel (self, cells, &own, &own_single);
  Use use = { .basis = MEMLANE_BASIS_NONE, .launches = MAX (cell->chunks, 1) * ((const MemlaneDecisionParts *) self)->launch_ns };

  if (row->way == MEMLANE_WAY_ZERO_COPY || row->way == MEMLANE_WAY_RESIDENT || (!has_warm && row->way != MEMLANE_WAY_MANAGED))
    {
      if (!has_own)
        return use;
      use.basis = MEMLANE_BASIS_COMPUTED;
      use.kernel = own_single && row->way == MEMLANE_WAY_ZERO_COPY ? bound_link_kernel (self, mode, cell->log2_elements, &own) : own;
      use.single = own_single;
      if (row->way == MEMLANE_WAY_ZERO_COPY)
        use.shared = MEMLANE_SHARED_LINK
                     | ((own_single ? use.kernel.high : use.kernel.value) <= LAUNCH_BOUND * use.launches ? MEMLANE_SHARED_DEVICE : 0);
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
  if (row->way == MEMLANE_WAY_MANAGED && has_first && first.value > warm.value)
    use.ahead = use.ahead_error = (first.value - warm.value) / 2; /* while the first kernel waits for its pages, or for a part of that */
  if (row->way == MEMLANE_WAY_MANAGED && (row->input_memory == MEMLANE_HOST_PAGEABLE || row->result_stays_on_host))
    {
      gboolean has_copy = row->result_stays_on_host && get_result_copy (self, cell->log2_elements, &copy);

      use.shared = MEMLANE_SHARED_NOTHING;
      if (!has_copy && warm.value <= use.launches) /* each kernel waits for its launch, wherever its pages are */
        use.shared = MEMLANE_SHARED_DEVICE;
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
add_uses_ahead (const Use *use, double kernel, double ahead, double from, double to)
{
  double excess = use->launches - kernel;

  return (to - from) * kernel + MAX (to * excess - ahead, 0) - MAX (from * excess - ahead, 0);
}

static double
add_uses (const Use *use, double kernel, double from, double to)
{
  return add_uses_ahead (use, kernel, use->ahead, from, to);
}

/* --- reuse ------------------------------------------------------------------------------------------------------------------ */

/* The interval of @terms: what was sampled, and what the model may be off by. */
static void
sum_up (MemlaneForecast *p)
{
  p->ns = memlane_terms_sum (&p->terms);
  p->ns.low = p->ns.value - hypot (p->ns.value - p->ns.low, p->terms.below);
  p->ns.high = p->ns.value + hypot (p->ns.high - p->ns.value, p->terms.above);
}

/* Between two measured reuse values: on the model's line, drawn through both. */
static void
interpolate (const MemlaneCell *above, guint reuse, const Use *use, MemlaneWay way, MemlaneForecast *p)
{
  const MemlaneFigure *next = memlane_cell_find (above, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST);
  double part = (double) (reuse - p->r0) / (above->reuse - p->r0), whole = next->statistics.median - p->ns.value, half, from, to;

  from = (reuse - p->r0) * MAX (use->kernel.value, use->launches);
  to = (above->reuse - reuse) * MAX (use->kernel.value, use->launches);
  if (use->basis == MEMLANE_BASIS_COMPUTED)
    {
      double all = add_uses (use, use->kernel.value, p->r0, above->reuse);

      if (all > 0)
        part = add_uses (use, use->kernel.value, p->r0, reuse) / all;
    }
  if (use->basis == MEMLANE_BASIS_NONE)
    {
      from = part * fabs (whole);
      to = (1 - part) * fabs (whole);
    }
  half = from + to > 0 ? from * to / (from + to) : 0; /* as if each end foretold it, the nearer one better */
  p->terms.figures[1] = next;
  p->terms.weights[0] = 1 - part;
  p->terms.weights[1] = part;
  p->terms.below = p->terms.above = shares[way].between * half;
  p->terms.own_below = p->terms.own_above = (way == MEMLANE_WAY_MANAGED ? shares[way].between : OWN_KERNELS) * half;
  p->basis = MEMLANE_BASIS_BETWEEN;
  p->r1 = above->reuse;
  /* What bends the line between two points bends it for all that run the same kernel. */
  p->shared = use->shared;
}

/* Beyond @last, the figure of which is @terms's first. */
static void
extrapolate (const MemlaneCell *last, guint reuse, const Use *use, MemlaneWay way, MemlaneTerms *terms)
{
  const MemlaneEstimate measured = elapsed (last);
  const Shares *share = &shares[way];
  double added = add_uses (use, use->kernel.value, last->reuse, reuse);
  double transfers = MAX (measured.value - last->reuse * MAX (use->kernel.value, use->launches), 0);
  gboolean launches = use->launches >= use->kernel.value; /* no better known over the link than elsewhere */
  double kernels = use->single ? share->single : launches ? MAX (share->kernels, shares[MEMLANE_WAY_PINNED].kernels) : share->kernels;
  /* Managed memory's faults differ from mode to mode, and from run to run. */
  double own = (way == MEMLANE_WAY_MANAGED ? share->transfers : OWN_TRANSFERS) * transfers;
  double half = hypot (share->transfers * transfers, kernels * added);
  double late = fabs (add_uses_ahead (use, use->kernel.value, use->ahead - use->ahead_error, last->reuse, reuse) - added);
  double early = fabs (add_uses_ahead (use, use->kernel.value, use->ahead + use->ahead_error, last->reuse, reuse) - added);
  /* No mode takes less than its launches, or its kernels. */
  double beyond = MAX (measured.value + added - reuse * MAX (use->kernel.value, use->launches), 0);

  terms->added = added;
  terms->below = hypot (half, early);
  terms->above = hypot (half, late);
  terms->own_below = hypot (MIN (hypot (own, early), beyond), OWN_KERNELS * added);
  terms->own_above = hypot (hypot (own, late), OWN_KERNELS * added);
  if (use->single || use->basis == MEMLANE_BASIS_BOUNDED)
    {
      terms->below = hypot (terms->below, MAX (added - add_uses (use, use->kernel.low, last->reuse, reuse), 0));
      terms->above = hypot (terms->above, MAX (add_uses (use, use->kernel.high, last->reuse, reuse) - added, 0));
    }
  if (use->basis == MEMLANE_BASIS_BOUNDED)
    {
      terms->own_below = terms->below;
      terms->own_above = terms->above;
    }
}

static guint
find_origin (const MemlaneDecision *self, const MemlaneCell *cell)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (((const MemlaneDecisionParts *) self)->origins, cell));
}

/* Both ways, without the direction. */
static void
predict_reuse (const MemlaneDecision *self, guint mode, const GPtrArray *cells, guint reuse, MemlaneForecast *p)
{
  guint n;
  MemlaneWay way = memlane_mode_list (&n)[mode].way;
  const MemlaneCell *first = cells->pdata[0], *below = NULL, *above = NULL;
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
  p->ns = elapsed (below);
  p->terms = (MemlaneTerms) { .figures = { figure }, .runs = { find_origin (self, below) }, .weights = { 1 } };
  use = self->has_reuse ? get_use (self, mode, below) : (Use) { .basis = MEMLANE_BASIS_NONE };
  if (below->reuse == reuse)
    {
      p->basis = MEMLANE_BASIS_MEASURED;
      p->shared = use.shared;
    }
  else if (!self->has_reuse)
    return;
  else if (above != NULL)
    {
      interpolate (above, reuse, &use, way, p);
      p->terms.runs[1] = find_origin (self, above);
    }
  else
    {
      p->basis = use.basis;
      p->shared = use.shared;
      if (use.basis == MEMLANE_BASIS_NONE)
        return;
      extrapolate (below, reuse, &use, way, &p->terms);
    }
  sum_up (p);
  if (use.basis != MEMLANE_BASIS_COMPUTED || (first == below && (above == NULL || first->reuse == reuse)))
    return;
  p->least_reuse = first->reuse;
  p->least = (MemlaneTerms) { .figures = { memlane_cell_find (first, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) },
                              .runs = { find_origin (self, first) }, .weights = { 1 } };
  extrapolate (first, reuse, &use, way, &p->least);
}

/* --- direction ---------------------------------------------------------------------------------------------------------------- */

/* Takes the range from nothing to @most ns off @terms, though nothing below @least. @alike: modes that reach over the link save in the same
 * proportion. */
static void
take_off (MemlaneTerms *terms, double most, double least, gboolean alike)
{
  double value = memlane_terms_sum (terms).value, half = MIN (most, MAX (value - least, 0)) / 2, scale = 1 - half / value;

  if (alike)
    {
      for (guint i = 0; i < G_N_ELEMENTS (terms->figures); i++)
        terms->weights[i] *= scale;
      terms->added *= scale;
    }
  else
    terms->added -= half;
  terms->below = hypot (terms->below, half);
  terms->above = hypot (terms->above, half);
  terms->own_below = alike ? terms->own_below * scale : hypot (terms->own_below, half);
  terms->own_above = alike ? terms->own_above * scale : hypot (terms->own_above, half);
}

/* The most that @reuse kernels over the link save by leaving @share of their bytes away: nothing where they wait for their launches. */
static double
find_link_saving (const MemlaneDecision *self, guint mode, const MemlaneCell *first, guint reuse, double share)
{
  MemlaneEstimate alone = get (first, MEMLANE_PHASE_KERNEL);
  Use use = get_use (self, mode, first);
  double in_a_row = MAX (use.kernel.high, use.launches) - MAX (use.kernel.high * (1 - share), use.launches);

  if (!memlane_estimate_is_known (&alone) || use.basis == MEMLANE_BASIS_NONE)
    return INFINITY;
  return share * alone.high / MAX (first->reuse, 1) + (reuse - 1) * in_a_row;
}

static void
leave_away (const MemlaneDecision *self, guint mode, const MemlaneCell *cell, guint reuse, MemlaneForecast *p)
{
  guint n, vectors = ((const MemlaneDecisionParts *) self)->vectors;
  MemlaneWay way = memlane_mode_list (&n)[mode].way;
  gboolean to_device = self->direction == MEMLANE_DIRECTION_TO_DEVICE, single, alike = FALSE;
  double share = (to_device ? 1.0 : vectors - 1.0) / vectors, most, least;
  MemlanePhase phase = to_device ? MEMLANE_PHASE_DOWNLOAD : MEMLANE_PHASE_UPLOAD;
  MemlaneEstimate part = get (cell, phase), down = get (cell, MEMLANE_PHASE_DOWNLOAD), warm;
  MemlaneTerms *terms[] = { &p->terms, p->least.figures[0] != NULL ? &p->least : NULL };

  if (way == MEMLANE_WAY_RESIDENT)
    return;
  if (memlane_estimate_is_known (&part))
    {
      const MemlaneFigure *figure = memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE);

      for (guint i = 0; i < G_N_ELEMENTS (terms) && terms[i] != NULL; i++)
        {
          terms[i]->part = figure != NULL ? figure : memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST);
          terms[i]->part_weight = 1;
        }
      sum_up (p);
      return;
    }
  p->basis = MEMLANE_BASIS_BOUNDED;
  most = share * elapsed (cell).value;
  least = reuse * MAX (cell->chunks, 1) * ((const MemlaneDecisionParts *) self)->launch_ns;
  if (way == MEMLANE_WAY_MANAGED && !to_device)
    {
      MemlaneEstimate own = get (cell, MEMLANE_PHASE_KERNEL);

      /* The faults of the first kernel are those of the inputs and of the result; only the inputs' stay away. */
      if (memlane_estimate_is_known (&own) && get_warm_kernel (self, cell->log2_elements, &warm, &single) && own.value > warm.value)
        most = own.value - warm.value;
      least += memlane_estimate_is_known (&down) ? down.low : 0;
    }
  else if (way == MEMLANE_WAY_ZERO_COPY) /* each kernel's accesses, not only the first one's */
    {
      most = MIN (share * p->ns.value, find_link_saving (self, mode, cell, reuse, share));
      alike = (p->shared & MEMLANE_SHARED_DEVICE) == 0;
      least = 0;
    }
  if (way != MEMLANE_WAY_ZERO_COPY)
    p->shared = way == MEMLANE_WAY_MANAGED ? p->shared : MEMLANE_SHARED_NOTHING;
  for (guint i = 0; i < G_N_ELEMENTS (terms) && terms[i] != NULL; i++)
    take_off (terms[i], most, least, alike);
  sum_up (p);
}

gboolean
memlane_decision_forecast (const MemlaneDecision *self, guint mode, guint log2_elements, guint reuse, MemlaneForecast *prediction)
{
  const GPtrArray *cells = memlane_decision_get_cells (self, mode, log2_elements);

  *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN };
  if (cells == NULL || reuse == 0 || reuse > MEMLANE_DECIDE_MOST_REUSE)
    return FALSE;
  predict_reuse (self, mode, cells, reuse, prediction);
  if (prediction->basis != MEMLANE_BASIS_NONE && self->direction != MEMLANE_DIRECTION_BOTH)
    leave_away (self, mode, cells->pdata[0], reuse, prediction);
  if (prediction->basis == MEMLANE_BASIS_NONE || !memlane_estimate_is_known (&prediction->ns) || !(prediction->ns.value > 0))
    {
      *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN };
      return FALSE;
    }
  prediction->ns.low = MAX (prediction->ns.low, 0);
  return TRUE;
}
