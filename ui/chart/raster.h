/* raster.h: lines and small shapes put on the pixels of an image
 *
 * SPDX-License-Identifier: MIT
 *
 * Cairo looks at each edge on fifteen levels of a pixel's height. A dashed curve has some thousand edges, and took more time than all the
 * rest of its figure. Here the share of a pixel that a shape covers is added up exactly, edge by edge. The picture is the same to the eye.
 * CAIRO_ANTIALIAS_FAST would help too. But up to 1.17.2 cairo then writes beyond its memory where each pixel of a row differs from the one
 * before. Finely dashed lines are such: cairo makes room for one span too few.
 *
 * The calls are cairo_fill() and cairo_stroke() with another way to the pixels of an image. Whatever is not that simple is left to cairo:
 * vector formats and recordings, turned contexts, shapes that reach over a clip or over the image, round joins, other caps than butt.
 */
#pragma once

#include <cairo.h>

#include "geometry.h"
#include "style.h"

G_BEGIN_DECLS

/* Fills the path with @color over what is there, and clears it. Its shapes may overlap if they all turn the same way. */
void memlane_raster_fill (cairo_t *cr, const MemlaneColor *color);
/* Strokes the path with @color, and the context's width, dashes and join; clears it. */
void memlane_raster_stroke (cairo_t *cr, const MemlaneColor *color);
/* Fills rectangles with @color, not smoothed: each pixel whose middle lies in one of them. */
void memlane_raster_fill_rectangles (cairo_t *cr, const MemlaneRectangle *rectangles, guint n, const MemlaneColor *color);

G_END_DECLS
