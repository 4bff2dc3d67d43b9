/* geometry.c: lines and polygons cut to a rectangle
 *
 * SPDX-License-Identifier: MIT
 */
#include "geometry.h"

/* Narrows the part [*t0, *t1] of a segment to where start + t * step <= limit. */
static gboolean
narrow (double start, double step, double limit, double *t0, double *t1)
{
  double t;

  if (step == 0)
    return start <= limit;
  t = (limit - start) / step;
  if (step > 0)
    *t1 = MIN (*t1, t);
  else
    *t0 = MAX (*t0, t);
  return *t0 <= *t1;
}

gboolean
memlane_clip_segment (const MemlaneRectangle *area, MemlaneCorner *a, MemlaneCorner *b)
{
  double t0 = 0, t1 = 1;
  double dx = b->x - a->x, dy = b->y - a->y;
  MemlaneCorner start = *a;

  if (!narrow (a->x, dx, area->x + area->width, &t0, &t1)
      || !narrow (-a->x, -dx, -area->x, &t0, &t1)
      || !narrow (a->y, dy, area->y + area->height, &t0, &t1)
      || !narrow (-a->y, -dy, -area->y, &t0, &t1))
    return FALSE;
  if (t1 < 1)
    *b = (MemlaneCorner) { start.x + t1 * dx, start.y + t1 * dy };
  if (t0 > 0)
    *a = (MemlaneCorner) { start.x + t0 * dx, start.y + t0 * dy };
  return TRUE;
}

/* Returns the distance of a corner from one of the four edges. */
static double
depth (const MemlaneRectangle *area, int edge, const MemlaneCorner *corner)
{
  switch (edge)
    {
    case 0:
      return corner->x - area->x;
    case 1:
      return area->x + area->width - corner->x;
    case 2:
      return corner->y - area->y;
    default:
      return area->y + area->height - corner->y;
    }
}

void
memlane_clip_polygon (const MemlaneRectangle *area, GArray *corners)
{
  g_autoptr (GArray) from = g_array_new (FALSE, FALSE, sizeof (MemlaneCorner));

  for (int edge = 0; edge < 4 && corners->len > 0; edge++)
    {
      MemlaneCorner before;
      double before_depth;

      g_array_set_size (from, 0);
      g_array_append_vals (from, corners->data, corners->len);
      g_array_set_size (corners, 0);
      before = g_array_index (from, MemlaneCorner, from->len - 1);
      before_depth = depth (area, edge, &before);
      for (guint i = 0; i < from->len; i++)
        {
          MemlaneCorner here = g_array_index (from, MemlaneCorner, i);
          double here_depth = depth (area, edge, &here);

          if ((before_depth < 0) != (here_depth < 0))
            {
              double t = before_depth / (before_depth - here_depth);
              MemlaneCorner cut = { before.x + t * (here.x - before.x),
                                    before.y + t * (here.y - before.y) };
              g_array_append_val (corners, cut);
            }
          if (here_depth >= 0)
            g_array_append_val (corners, here);
          before = here;
          before_depth = here_depth;
        }
    }
}
