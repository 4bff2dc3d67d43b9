/* regimes.h: the few regimes of a cost that follow what was observed at many sizes
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/simulated/cost-curve.h"

G_BEGIN_DECLS

/* What is known of a cost at one size. */
typedef struct
{
  double bytes, ns;
  double weight; /* > 0: relative error of the observed figures squared, for an error of one nanosecond */
} MemlaneCostPoint;

/* Fits at most MEMLANE_COST_MOST_PIECES regimes to @n @points in ascending order of bytes: as few numbers as follow them (Schwarz's
 * criterion, on relative errors of which none below two per cent counts). A single disturbed point moves the fit little. Latencies and
 * costs a byte come out at 0 or above. @border: bytes up to which some cache is known to hold them, where a regime may end without being
 * reckoned as a number; 0: none. Returns the number of regimes, 0 without points. */
guint memlane_regimes_fit (const MemlaneCostPoint *points, guint n, double border, MemlaneCostPiece pieces[MEMLANE_COST_MOST_PIECES]);

/* Numbers that @n regimes need in a profile: latencies, costs a byte, ends. */
guint memlane_regimes_count_numbers (const MemlaneCostPiece *pieces, guint n);

G_END_DECLS
