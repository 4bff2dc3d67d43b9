/* scale-private.h: what scale.c, tick.c and unit.c share
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "scale.h"

G_BEGIN_DECLS

/* Below this part of its ends a range has no numbers left to stand on. */
#define MEMLANE_SCALE_NARROWEST 1e-12

/* A distance between ticks: 1, 2 or 5 times a power of ten. */
typedef struct
{
  int mantissa, exponent;
} MemlaneStep;

/* @number times 10^@exponent, exact where it can be: 3 tenths are 3 / 10, not 3 * 0.1. */
double memlane_step_scale (double number, int exponent);
/* Where the tick @index stands. */
double memlane_step_at (MemlaneStep step, double index);
/* The first and last index whose tick is in the range; a tick that misses an end by rounding alone is in. */
void memlane_step_range (MemlaneStep step, double from, double to, double *first, double *last);
/* The smallest step with at most @most ticks in the range. */
MemlaneStep memlane_step_choose (double from, double to, guint most);

/* What the bare numbers of an axis are divided by; *@word its name. */
double memlane_unit_axis_factor (const MemlaneScale *scale, MemlaneUnit unit, const char **word);

G_END_DECLS
