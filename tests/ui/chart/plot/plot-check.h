/* plot-check.h: what must hold of every layout of a plot
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "plot-dump.h"

static inline gboolean
overlaps (const MemlaneRectangle *a, const MemlaneRectangle *b)
{
  const double touch = 0.75; /* logical rectangles are higher than their ink */

  return a->x + touch < b->x + b->width && b->x + touch < a->x + a->width && a->y + touch < b->y + b->height
         && b->y + touch < a->y + a->height;
}

static inline void
check_inside (const MemlanePlot *plot, const MemlaneRectangle *area, const char *what)
{
  if (area->x < -0.5 || area->y < -0.5 || area->x + area->width > plot->width + 0.5 || area->y + area->height > plot->height + 0.5)
    {
      g_autofree char *dump = dump_plot (plot);
      g_error ("%s at %g %g %g %g is outside of the figure:\n%s", what, area->x, area->y, area->width, area->height, dump);
    }
}

static inline void
check_apart (const MemlanePlot *plot, const MemlaneRectangle *a, const MemlaneRectangle *b, const char *what, const char *other)
{
  if (overlaps (a, b))
    {
      g_autofree char *dump = dump_plot (plot);
      g_error ("%s and %s overlap:\n%s", what, other, dump);
    }
}

static inline gboolean
is_in_area (MemlaneTextRole role)
{
  return role == MEMLANE_TEXT_CEILING || role == MEMLANE_TEXT_LEAVING || role == MEMLANE_TEXT_TROUBLE || role == MEMLANE_TEXT_LABEL;
}

static inline void
check_plot (const MemlanePlot *plot)
{
  check_inside (plot, &plot->area, "area");
  g_assert_cmpfloat (plot->area.width, >=, 1);
  g_assert_cmpfloat (plot->area.height, >=, 1);
  g_assert_cmpfloat (plot->x.from, <, plot->x.to);
  g_assert_cmpfloat (plot->y.from, <, plot->y.to);
  for (guint i = 0; i < plot->texts->len; i++)
    {
      const MemlanePlacedText *text = &g_array_index (plot->texts, MemlanePlacedText, i);

      check_inside (plot, &text->area, pango_layout_get_text (text->layout));
      if (!is_in_area (text->role))
        check_apart (plot, &text->area, &plot->area, pango_layout_get_text (text->layout), "the area");
      for (guint j = 0; j < i; j++)
        {
          const MemlanePlacedText *other = &g_array_index (plot->texts, MemlanePlacedText, j);

          check_apart (plot, &text->area, &other->area, pango_layout_get_text (text->layout), pango_layout_get_text (other->layout));
        }
    }
  for (guint i = 0; i < plot->legend->len; i++)
    {
      const MemlaneLegendEntry *entry = &g_array_index (plot->legend, MemlaneLegendEntry, i);

      check_inside (plot, &entry->area, "legend entry");
      if (!entry->label) /* a line's name stands in it while a sweep grows */
        check_apart (plot, &entry->area, &plot->area, "legend entry", "the area");
      if (i > 0)
        check_apart (plot, &entry->area, &g_array_index (plot->legend, MemlaneLegendEntry, i - 1).area, "legend entry", "its neighbour");
    }
  for (guint i = 1; i < plot->points->len; i++)
    g_assert_cmpfloat (g_array_index (plot->points, MemlanePlacedPoint, i - 1).x, <=,
                      g_array_index (plot->points, MemlanePlacedPoint, i).x);
  for (guint i = 0; i < plot->points->len; i++)
    {
      const MemlanePlacedPoint *point = &g_array_index (plot->points, MemlanePlacedPoint, i);

      g_assert_cmpfloat (point->x, >=, plot->area.x - 0.1);
      g_assert_cmpfloat (point->x, <=, plot->area.x + plot->area.width + 0.1);
      g_assert_cmpfloat (point->y_high, <=, point->y + 1e-6);
      g_assert_cmpfloat (point->y_low, >=, point->y - 1e-6);
    }
  if (plot->chart->simulated)
    {
      g_assert_nonnull (plot->watermark);
      g_assert_cmpfloat (plot->badge.width, >, 0);
      check_inside (plot, &plot->badge, "badge");
      check_apart (plot, &plot->badge, &plot->area, "badge", "the area");
    }
}

static inline guint
count_texts (const MemlanePlot *plot, MemlaneTextRole role)
{
  guint n = 0;

  for (guint i = 0; i < plot->texts->len; i++)
    n += g_array_index (plot->texts, MemlanePlacedText, i).role == role;
  return n;
}
