/* geometry.h: rectangles, and lines and polygons cut to one before cairo sees them
 *
 * SPDX-License-Identifier: MIT
 *
 * Cairo keeps coordinates in 24 bits before the point: a curve that is zoomed far into would wrap
 * around in its own clip.
 */
#pragma once

#include <glib.h>

typedef struct
{
  double x, y, width, height; /* px */
} MemlaneRectangle;

typedef struct
{
  double x, y;
} MemlaneCorner;

/* The edges belong to it. */
static inline gboolean
memlane_rectangle_contains (const MemlaneRectangle *area, double x, double y)
{
  return x >= area->x && x <= area->x + area->width && y >= area->y && y <= area->y + area->height;
}

static inline gboolean
memlane_rectangle_overlaps (const MemlaneRectangle *a, const MemlaneRectangle *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

/* The part of the segment inside @area; FALSE when there is none. */
gboolean memlane_clip_segment (const MemlaneRectangle *area, MemlaneCorner *a, MemlaneCorner *b);
/* Clips the polygon in place. @corners: (element-type MemlaneCorner) */
void memlane_clip_polygon (const MemlaneRectangle *area, GArray *corners);
