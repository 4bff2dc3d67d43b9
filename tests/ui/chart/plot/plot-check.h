/* plot-check.h: what must hold of every layout of a plot
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/plot/plot-layout.h"
#include "ui/chart/frame-check.h"

static inline void
check_plot (const MemlanePlot *plot)
{
  check_frame (&plot->frame, plot->chart->simulated && plot->panel == MEMLANE_N_FAMILIES);
  g_assert_cmpfloat (plot->x.from, <, plot->x.to);
  g_assert_cmpfloat (plot->y.from, <, plot->y.to);
  for (guint i = 0; i < plot->frame.texts->len; i++)
    {
      const MemlanePlacedText *text = &g_array_index (plot->frame.texts, MemlanePlacedText, i);

      if (text->role < MEMLANE_TEXT_CONTENT)
        continue;
      check_inside (&plot->frame, &text->area, pango_layout_get_text (text->layout));
      for (guint j = 0; j < plot->frame.texts->len; j++)
        {
          const MemlanePlacedText *other = &g_array_index (plot->frame.texts, MemlanePlacedText, j);

          if (j != i && other->role != MEMLANE_TEXT_EMPTY)
            check_apart (&plot->frame, &text->area, &other->area, pango_layout_get_text (text->layout),
                         pango_layout_get_text (other->layout));
        }
    }
  for (guint i = 1; i < plot->points->len; i++)
    g_assert_cmpfloat (g_array_index (plot->points, MemlanePlacedPoint, i - 1).x, <=,
                      g_array_index (plot->points, MemlanePlacedPoint, i).x);
  for (guint i = 0; i < plot->points->len; i++)
    {
      const MemlanePlacedPoint *point = &g_array_index (plot->points, MemlanePlacedPoint, i);

      g_assert_cmpfloat (point->x, >=, plot->frame.area.x - 0.1);
      g_assert_cmpfloat (point->x, <=, plot->frame.area.x + plot->frame.area.width + 0.1);
      g_assert_cmpfloat (point->y_high, <=, point->y + 1e-6);
      g_assert_cmpfloat (point->y_low, >=, point->y - 1e-6);
    }
}

static inline guint
count_texts (const MemlanePlot *plot, guint role)
{
  return count_roles (&plot->frame, role);
}
