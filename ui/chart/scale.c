/* scale.c: map, unmap and fit; the ticks are in tick.c
 *
 * SPDX-License-Identifier: MIT
 */
#include "scale-private.h"

#include <math.h>

/* What is beyond is as good as infinite, and products of two such numbers stay finite. */
#define LARGEST 1e150
#define SMALLEST 1e-150
#define NARROWEST MEMLANE_SCALE_NARROWEST
/* The ticks that memlane_scale_fit() rounds to. */
#define USUAL_TICKS 8

/* --- map and unmap -------------------------------------------------------------------------------------------- */

static gboolean
is_logarithmic (const MemlaneScale *scale)
{
  return scale->kind != MEMLANE_SCALE_LINEAR;
}

double
memlane_scale_map (const MemlaneScale *scale, double value)
{
  if (!isfinite (value))
    return NAN;
  if (!is_logarithmic (scale))
    return (value - scale->from) / (scale->to - scale->from);
  if (!(value > 0))
    return NAN;
  return log (value / scale->from) / log (scale->to / scale->from);
}

double
memlane_scale_unmap (const MemlaneScale *scale, double place)
{
  if (!is_logarithmic (scale))
    return scale->from + place * (scale->to - scale->from);
  return scale->from * exp (place * log (scale->to / scale->from));
}

/* --- fit -------------------------------------------------------------------------------------------- */

/* The nearest 1, 2 or 5 of a decade at or below @value; with @above at or above it. */
static double
decade_tick (double value, gboolean above)
{
  static const int mantissas[] = { 1, 2, 5 };
  int exponent = (int) floor (log10 (value));
  double best = NAN;

  for (int e = exponent - 1; e <= exponent + 1; e++)
    for (guint i = 0; i < G_N_ELEMENTS (mantissas); i++)
      {
        double tick = memlane_step_scale (mantissas[i], e);

        if (above && tick >= value * (1 - NARROWEST) && isnan (best))
          best = tick;
        if (!above && tick <= value * (1 + NARROWEST))
          best = tick;
      }
  return best;
}

static double
log_tick (MemlaneScaleKind kind, double value, gboolean above)
{
  if (kind == MEMLANE_SCALE_LOG10)
    return decade_tick (value, above);
  return exp2 (above ? ceil (log2 (value) - NARROWEST) : floor (log2 (value) + NARROWEST));
}

static MemlaneScale
fit_linear (double low, double high)
{
  MemlaneScale scale = { MEMLANE_SCALE_LINEAR, MIN (low, 0), high };
  double first, last;
  MemlaneStep step;

  if (low == high)
    scale.to = MAX (high, 0);
  if (scale.to - scale.from < SMALLEST)
    return (MemlaneScale) { MEMLANE_SCALE_LINEAR, 0, 1 };
  if (scale.to - scale.from < NARROWEST * fabs (scale.from))
    scale.to = 0; /* far below 0 and as good as one value */
  step = memlane_step_choose (scale.from, scale.to, USUAL_TICKS);
  memlane_step_range (step, scale.from, scale.to, &first, &last);
  if (memlane_step_at (step, first) > scale.from)
    scale.from = memlane_step_at (step, first - 1);
  else
    scale.from = memlane_step_at (step, first);
  if (memlane_step_at (step, last) < scale.to)
    scale.to = memlane_step_at (step, last + 1);
  else
    scale.to = memlane_step_at (step, last);
  return scale;
}

static MemlaneScale
fit_log (MemlaneScaleKind kind, double low, double high)
{
  MemlaneScale scale = { .kind = kind };

  if (!(high > 0))
    return (MemlaneScale) { kind, 1, kind == MEMLANE_SCALE_LOG10 ? 10 : 1024 };
  high = CLAMP (high, SMALLEST, LARGEST);
  if (!(low > 0))
    low = high / 1000; /* three decades, ten powers of two: something to look at */
  low = CLAMP (low, SMALLEST, LARGEST);
  scale.from = log_tick (kind, low, FALSE);
  scale.to = log_tick (kind, high, TRUE);
  if (scale.to <= scale.from * (1 + NARROWEST))
    {
      scale.from = log_tick (kind, scale.from * 0.9, FALSE);
      scale.to = log_tick (kind, scale.to * 1.1, TRUE);
    }
  return scale;
}

MemlaneScale
memlane_scale_fit (MemlaneScaleKind kind, double low, double high)
{
  if (!isfinite (low))
    low = high;
  if (!isfinite (high))
    high = low;
  if (!isfinite (low))
    low = high = 0;
  if (low > high)
    {
      double swap = low;

      low = high;
      high = swap;
    }
  if (kind != MEMLANE_SCALE_LINEAR)
    return fit_log (kind, low, high);
  return fit_linear (CLAMP (low, -LARGEST, LARGEST), CLAMP (high, -LARGEST, LARGEST));
}
