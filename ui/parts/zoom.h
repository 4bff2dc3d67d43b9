/* zoom.h: which part of an axis is seen
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain arithmetic on scales, the same for linear and logarithmic ones: places are shares of what is seen (0 at its left or lower end, 1
 * at the other). @full is what the axis shows when everything fits; nothing leaves it.
 */
#pragma once

#include "chart/scale.h"

/* Returns the part between the places @first and @last of @seen, at least @least of @full wide. NAN, NAN: that is all of @full. */
MemlaneRange memlane_zoom_to (const MemlaneScale *seen, const MemlaneScale *full, double first, double last, double least);
/* Returns @factor times as much as is seen; the value at @place stays where it is. */
MemlaneRange memlane_zoom_around (const MemlaneScale *seen, const MemlaneScale *full, double place, double factor, double least);
/* Returns what is seen, moved on by @share of itself. */
MemlaneRange memlane_zoom_pan (const MemlaneScale *seen, const MemlaneScale *full, double share);
