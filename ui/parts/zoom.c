/* zoom.c: which part of an axis is seen
 *
 * SPDX-License-Identifier: MIT
 */
#include "zoom.h"

#include <math.h>

/* Less than this of @full left out at both ends together is all of it. */
#define NOTHING 1e-6

MemlaneRange
memlane_zoom_to (const MemlaneScale *seen, const MemlaneScale *full, double first, double last, double least)
{
  double low = memlane_scale_map (full, seen->from), high = memlane_scale_map (full, seen->to), span, middle;

  if (!isfinite (low) || !isfinite (high) || !isfinite (first) || !isfinite (last))
    return MEMLANE_RANGE_NAN;
  span = high - low;
  high = low + span * MAX (first, last);
  low = low + span * MIN (first, last);
  span = CLAMP (high - low, MIN (least, 1), 1);
  if (span >= 1 - NOTHING)
    return MEMLANE_RANGE_NAN;
  middle = CLAMP ((low + high) / 2, span / 2, 1 - span / 2);
  return (MemlaneRange) { memlane_scale_unmap (full, middle - span / 2), memlane_scale_unmap (full, middle + span / 2) };
}

MemlaneRange
memlane_zoom_around (const MemlaneScale *seen, const MemlaneScale *full, double place, double factor, double least)
{
  double low = memlane_scale_map (full, seen->from), high = memlane_scale_map (full, seen->to);

  /* At the least span the place has to stay too: another notch of the wheel must not move what is seen. */
  if (factor < 1 && high > low)
    factor = MAX (factor, MIN (1, least / (high - low)));
  return memlane_zoom_to (seen, full, place - place * factor, place + (1 - place) * factor, least);
}

MemlaneRange
memlane_zoom_pan (const MemlaneScale *seen, const MemlaneScale *full, double share)
{
  return memlane_zoom_to (seen, full, share, 1 + share, 0);
}
