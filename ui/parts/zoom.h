/* zoom.h: which part of an axis is seen
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain arithmetic on scales, the same for linear and logarithmic ones: places are shares of what is seen (0 at its left or lower end, 1
 * at the other). @full is what the axis shows when everything fits; nothing leaves it.
 */
#pragma once

#include "chart/scale.h"

/* The part between the places @first and @last of @seen, at least @least of @full wide. FALSE: that is all of @full, and @from and @to are
 * NAN. */
gboolean memlane_zoom_to (const MemlaneScale *seen, const MemlaneScale *full, double first, double last, double least, double *from,
                          double *to);
/* @factor times as much is seen, and the value at @place stays where it is. */
gboolean memlane_zoom_around (const MemlaneScale *seen, const MemlaneScale *full, double place, double factor, double least, double *from,
                              double *to);
/* Moved on by @share of what is seen. */
gboolean memlane_zoom_pan (const MemlaneScale *seen, const MemlaneScale *full, double share, double *from, double *to);
