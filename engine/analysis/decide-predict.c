/* decide-predict.c: elapsed time of a mode at a size and reuse, from what was measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-private.h"

#include <string.h>

/* One more kernel. */
typedef struct
{
  MemlaneBasis basis; /* NONE: cannot be told */
  MemlaneEstimate ns;
  const MemlaneFigure *shared;
} Slope;

static MemlaneEstimate
get (const MemlaneCell *cell, MemlanePhase phase)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, MEMLANE_CLOCK_DEVICE);

  return memlane_estimate_from_figure (figure != NULL ? figure : memlane_cell_find (cell, phase, MEMLANE_CLOCK_HOST));
}

/* From the lower end of @low to the upper end of @high. */
static MemlaneEstimate
span (const MemlaneEstimate *low, const MemlaneEstimate *high)
{
  return (MemlaneEstimate) { (low->value + MAX (high->value, low->value)) / 2, low->low, MAX (high->high, low->high) };
}

/* What a computed time may be off by, as a share of what was measured at r0, of the kernels that are added, and of those beyond what all
 * that add the same kernel are off by alike. Derived in decide.h. */
static const struct
{
  double measured, kernels, own;
} model_error[] = {
  [MEMLANE_WAY_PAGEABLE] = { 0.15, 0.30, 0.05 },
  [MEMLANE_WAY_PINNED] = { 0.15, 0.30, 0.05 },
  [MEMLANE_WAY_ZERO_COPY] = { 0.15, 0.30, 0.30 },
  [MEMLANE_WAY_MANAGED] = { 0.50, 0.50, 0.50 },
  [MEMLANE_WAY_STREAMS] = { 0.15, 0.20, 0.20 },
  [MEMLANE_WAY_RESIDENT] = { 0.15, 0.30, 0.30 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (model_error) == MEMLANE_N_WAYS);

/* @measured and @kernels are what @p was computed from. */
static void
add_model_error (MemlaneForecast *p, MemlaneWay way, double measured, double kernels)
{
  double half = hypot (model_error[way].measured * measured, model_error[way].kernels * kernels);
  double own = hypot (model_error[way].measured * measured, model_error[way].own * kernels);
  const MemlaneEstimate error = { 0, -half, half }, own_error = { 0, -own, own };

  if (p->basis == MEMLANE_BASIS_BOUNDED) /* each end is off by so much; only the lower one of streams is as low as can be */
    p->ns = (MemlaneEstimate) { p->ns.value, way == MEMLANE_WAY_STREAMS ? p->ns.low : p->ns.low - half, p->ns.high + half };
  else
    p->ns = memlane_estimate_add (&p->ns, &error);
  p->fixed_ns = p->shared != NULL ? memlane_estimate_add (&p->fixed_ns, &own_error) : p->ns;
}

static MemlaneEstimate
one_kernel (const MemlaneCell *cell)
{
  MemlaneEstimate ns = get (cell, MEMLANE_PHASE_KERNEL);

  return memlane_estimate_scale (&ns, 1.0 / MAX (cell->reuse, 1));
}

gboolean
decide_warm_kernel (const MemlaneDecision *self, guint log2_elements, MemlaneEstimate *ns, const MemlaneFigure **figure)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < n; i++)
      {
        MemlaneWay way = memlane_mode_get_way (&modes[i]);
        const GPtrArray *cells = decide_cells (self, i, log2_elements);
        gboolean wanted = round == 0 ? way == MEMLANE_WAY_RESIDENT : way == MEMLANE_WAY_PINNED || way == MEMLANE_WAY_PAGEABLE;

        if (!wanted || cells == NULL)
          continue;
        *ns = one_kernel (cells->pdata[0]);
        *figure = memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
        if (*figure != NULL && memlane_estimate_is_known (ns))
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
      const GPtrArray *cells = decide_cells (self, i, log2_elements);
      const MemlaneFigure *figure;

      if (cells == NULL || memlane_mode_get_way (&modes[i]) != MEMLANE_WAY_PINNED)
        continue;
      figure = memlane_cell_find (cells->pdata[0], MEMLANE_PHASE_DOWNLOAD, MEMLANE_CLOCK_DEVICE);
      *ns = memlane_estimate_from_figure (figure);
      if (memlane_estimate_is_known (ns))
        return TRUE;
    }
  return FALSE;
}

/* What the host pays at the least for a launch: half of what a single one costs it, for in a row they come cheaper. */
static double
get_least_launch (const MemlaneDecision *self, guint log2_elements)
{
  double least = INFINITY;

  for (guint i = 0; i < self->n_modes; i++)
    {
      const GPtrArray *cells = decide_cells (self, i, log2_elements);
      const MemlaneCell *cell = cells != NULL ? cells->pdata[0] : NULL;
      MemlaneEstimate ns =
        memlane_estimate_from_figure (cell != NULL ? memlane_cell_find (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_ISSUE) : NULL);

      if (memlane_estimate_is_known (&ns))
        least = MIN (least, ns.low / MAX (cell->reuse, 1));
    }
  return isfinite (least) ? least / 2 : 0;
}

static Slope
get_stream_slope (const MemlaneDecision *self, const MemlaneCell *cell, const MemlaneEstimate *warm)
{
  Slope slope = { .basis = MEMLANE_BASIS_BOUNDED };
  guint chunks = MAX (cell->chunks, 1), smaller = (guint) lround (log2 (chunks));
  double launches = chunks * get_least_launch (self, cell->log2_elements);
  const MemlaneEstimate least = { MAX (warm->value, launches), MAX (warm->low, launches), MAX (warm->high, launches) };
  MemlaneEstimate of_chunk;
  const MemlaneFigure *figure;

  if (cell->log2_elements < smaller || !decide_warm_kernel (self, cell->log2_elements - smaller, &of_chunk, &figure))
    of_chunk = *warm; /* a kernel for a chunk takes no longer than one for all */
  of_chunk = memlane_estimate_scale (&of_chunk, chunks);
  slope.ns = span (&least, &of_chunk);
  return slope;
}

static Slope
get_slope (const MemlaneDecision *self, const MemlaneMode *mode, const MemlaneCell *cell)
{
  MemlaneEstimate own = one_kernel (cell), warm, copy;
  Slope slope = { .basis = MEMLANE_BASIS_NONE };
  const MemlaneFigure *figure;
  gboolean has_warm = decide_warm_kernel (self, cell->log2_elements, &warm, &figure);
  gboolean has_own = memlane_estimate_is_known (&own);

  switch (memlane_mode_get_way (mode))
    {
    case MEMLANE_WAY_ZERO_COPY:
    case MEMLANE_WAY_RESIDENT:
      if (has_own)
        slope = (Slope) { MEMLANE_BASIS_KERNEL, own, NULL };
      return slope;
    case MEMLANE_WAY_PAGEABLE:
    case MEMLANE_WAY_PINNED:
      if (has_warm)
        slope = (Slope) { MEMLANE_BASIS_RESIDENT, warm, figure };
      else if (has_own)
        slope = (Slope) { MEMLANE_BASIS_KERNEL, own, NULL };
      return slope;
    case MEMLANE_WAY_STREAMS:
      return has_warm ? get_stream_slope (self, cell, &warm) : slope;
    case MEMLANE_WAY_MANAGED:
    case MEMLANE_N_WAYS:
    default:
      break;
    }
  if (!has_warm)
    return slope;
  if (mode->input_memory == MEMLANE_HOST_PAGEABLE) /* system */
    {
      if (has_own)
        slope = (Slope) { MEMLANE_BASIS_BOUNDED, span (&warm, &own), NULL };
    }
  else if (mode->result_stays_on_host)
    {
      if (get_result_copy (self, cell->log2_elements, &copy))
        slope = copy.value > warm.value ? (Slope) { MEMLANE_BASIS_KERNEL, copy, NULL } : (Slope) { MEMLANE_BASIS_RESIDENT, warm, figure };
      else if (has_own)
        slope = (Slope) { MEMLANE_BASIS_BOUNDED, span (&warm, &own), NULL };
    }
  else
    slope = (Slope) { MEMLANE_BASIS_RESIDENT, warm, figure };
  return slope;
}

/* --- reuse ------------------------------------------------------------------------------------------------------------------ */

static MemlaneEstimate
elapsed (const MemlaneCell *cell)
{
  return memlane_estimate_from_figure (memlane_cell_find (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST));
}

/* Both ways, without the direction. */
static void
predict_reuse (const MemlaneDecision *self, const MemlaneMode *mode, const GPtrArray *cells, guint reuse, MemlaneForecast *p)
{
  const MemlaneCell *below = NULL, *above = NULL, *nearest;
  MemlaneEstimate a, b;
  Slope slope;

  for (guint i = 0; i < cells->len; i++)
    {
      const MemlaneCell *cell = cells->pdata[i];

      if (cell->reuse <= reuse)
        below = cell;
      else if (above == NULL)
        above = cell;
    }
  nearest = below != NULL ? below : above;
  p->r0 = nearest->reuse;
  p->noisy = memlane_cell_find (nearest, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST)->status == MEMLANE_STATUS_NOISY;
  a = elapsed (nearest);
  p->ns = p->fixed_ns = a;
  p->basis = MEMLANE_BASIS_MEASURED;
  if (nearest->reuse == reuse)
    return;
  if (!self->has_reuse)
    {
      p->basis = MEMLANE_BASIS_NONE;
      return;
    }
  if (below != NULL && above != NULL)
    {
      double part = (double) (reuse - below->reuse) / (above->reuse - below->reuse);

      a = memlane_estimate_scale (&a, 1 - part);
      b = elapsed (above);
      b = memlane_estimate_scale (&b, part);
      p->ns = p->fixed_ns = memlane_estimate_add (&a, &b);
      p->basis = MEMLANE_BASIS_BETWEEN;
      return;
    }
  slope = get_slope (self, mode, nearest);
  p->basis = slope.basis;
  p->shared = slope.shared;
  if (slope.basis == MEMLANE_BASIS_NONE)
    return;
  b = memlane_estimate_scale (&slope.ns, fabs ((double) reuse - nearest->reuse));
  if (slope.basis == MEMLANE_BASIS_BOUNDED && reuse > nearest->reuse)
    /* A range is not an error: its ends add as they are. What hides behind the copies is not added at all. */
    p->ns = (MemlaneEstimate) { a.value + b.value, memlane_mode_get_way (mode) == MEMLANE_WAY_STREAMS ? MAX (a.low, b.low) : a.low + b.low,
                                a.high + b.high };
  else
    p->ns = reuse > nearest->reuse ? memlane_estimate_add (&a, &b) : memlane_estimate_subtract (&a, &b);
  add_model_error (p, memlane_mode_get_way (mode), a.value, b.value);
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
leave_away (const MemlaneDecision *self, const MemlaneMode *mode, const MemlaneCell *cell, MemlaneForecast *p)
{
  const Evidence *evidence = self->evidence;
  gboolean to_device = self->direction == MEMLANE_DIRECTION_TO_DEVICE;
  double share = (to_device ? 1.0 : evidence->vectors - 1.0) / evidence->vectors;
  MemlaneWay way = memlane_mode_get_way (mode);
  MemlaneEstimate part = get (cell, to_device ? MEMLANE_PHASE_DOWNLOAD : MEMLANE_PHASE_UPLOAD), base = elapsed (cell);

  if (way == MEMLANE_WAY_RESIDENT)
    return;
  if (memlane_estimate_is_known (&part))
    {
      p->ns = memlane_estimate_subtract (&p->ns, &part);
      p->fixed_ns = memlane_estimate_subtract (&p->fixed_ns, &part);
      return;
    }
  p->basis = MEMLANE_BASIS_BOUNDED;
  if (way == MEMLANE_WAY_MANAGED && !to_device)
    {
      const MemlaneFigure *figure;
      MemlaneEstimate own = get (cell, MEMLANE_PHASE_KERNEL), warm;

      /* The faults of the first kernel are those of the inputs and of the result; only the inputs' stay away. */
      if (memlane_estimate_is_known (&own) && decide_warm_kernel (self, cell->log2_elements, &warm, &figure) && own.value > warm.value)
        base = memlane_estimate_subtract (&own, &warm);
      share = 1;
    }
  else if (way == MEMLANE_WAY_ZERO_COPY)
    base = p->ns; /* each kernel's accesses, not only the first one's */
  p->ns = shrink (&p->ns, &base, share);
  p->fixed_ns = p->shared != NULL ? shrink (&p->fixed_ns, &base, share) : p->ns;
}

gboolean
memlane_decision_forecast (const MemlaneDecision *self, guint mode, guint log2_elements, guint reuse, MemlaneForecast *prediction)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  const GPtrArray *cells = decide_cells (self, mode, log2_elements);

  *prediction = (MemlaneForecast) { .basis = MEMLANE_BASIS_NONE, .ns = MEMLANE_ESTIMATE_UNKNOWN, .fixed_ns = MEMLANE_ESTIMATE_UNKNOWN };
  if (cells == NULL || reuse == 0)
    return FALSE;
  predict_reuse (self, &modes[mode], cells, reuse, prediction);
  if (prediction->basis != MEMLANE_BASIS_NONE && self->direction != MEMLANE_DIRECTION_BOTH)
    leave_away (self, &modes[mode], cells->pdata[0], prediction);
  if (!memlane_estimate_is_known (&prediction->ns) || !(prediction->ns.value > 0))
    prediction->basis = MEMLANE_BASIS_NONE;
  if (prediction->basis == MEMLANE_BASIS_NONE)
    {
      prediction->ns = prediction->fixed_ns = MEMLANE_ESTIMATE_UNKNOWN;
      prediction->shared = NULL;
      return FALSE;
    }
  prediction->ns.low = MAX (prediction->ns.low, 0);
  return TRUE;
}

gboolean
decide_is_tie (const MemlaneForecast *a, const MemlaneForecast *b)
{
  if (a->shared != NULL && a->shared == b->shared && a->r0 == b->r0)
    return memlane_estimate_overlaps (&a->fixed_ns, &b->fixed_ns);
  return memlane_estimate_overlaps (&a->ns, &b->ns);
}
