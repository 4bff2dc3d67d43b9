/* plot-axis.c: ticks and the words beside them
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <math.h>

double
memlane_plot_make_y_ticks (MemlanePlot *plot, double height)
{
  double widest = 0;

  g_clear_pointer (&plot->y_ticks, g_array_unref);
  plot->y_ticks = memlane_scale_ticks (&plot->y, plot->chart->unit, (guint) CLAMP (height / (2.6 * plot->line), 2, 11));
  for (guint i = 0; i < plot->y_ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (plot->y_ticks, MemlaneTick, i);

      if (tick->label != NULL)
        {
          g_autoptr (PangoLayout) layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, tick->label);
          double width;

          memlane_plot_measure_text (layout, &width, NULL);
          widest = MAX (widest, width);
        }
    }
  return ceil (widest);
}

void
memlane_plot_place_y_ticks (MemlanePlot *plot)
{
  double bottom = INFINITY;

  for (guint i = 0; i < plot->y_ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (plot->y_ticks, MemlaneTick, i);
      PangoLayout *layout;
      double width, height, y = memlane_plot_y (plot, tick->value);

      if (tick->label == NULL || !isfinite (y))
        continue;
      layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, tick->label);
      memlane_plot_measure_text (layout, &width, &height);
      /* Upwards; on a logarithm two labels may come too near to each other. */
      if (y + height / 2 > bottom)
        {
          g_object_unref (layout);
          continue;
        }
      bottom = y - height / 2;
      memlane_plot_place_text (plot, MEMLANE_TEXT_Y_TICK, layout, plot->area.x - 0.5 * plot->em - width, y - height / 2,
                               &plot->style.faint);
    }
}

typedef struct
{
  PangoLayout *layout;
  double centre, width;
} Label;

/* The least stride at which neighbours keep their distance. */
static guint
choose_stride (const GArray *labels, double gap)
{
  for (guint stride = 1; stride < labels->len; stride++)
    {
      gboolean fits = TRUE;

      for (guint i = 0; fits && i + stride < labels->len; i += stride)
        {
          const Label *left = &g_array_index (labels, Label, i), *right = &g_array_index (labels, Label, i + stride);
          fits = right->centre - left->centre >= (left->width + right->width) / 2 + gap;
        }
      if (fits)
        return stride;
    }
  return MAX (labels->len, 1);
}

/* Places every n-th label so that none touches another; the others are dropped. Returns n. */
static guint
place_labels (MemlanePlot *plot, MemlaneTextRole role, GArray *labels, double y, const MemlaneColor *color)
{
  guint stride = choose_stride (labels, 0.8 * plot->em);

  for (guint i = 0; i < labels->len; i++)
    {
      Label *label = &g_array_index (labels, Label, i);
      double x = CLAMP (label->centre - label->width / 2, 1, MAX (plot->width - label->width - 1, 1));

      if (i % stride == 0)
        memlane_plot_place_text (plot, role, label->layout, x, y, color);
      else
        g_object_unref (label->layout);
    }
  return stride;
}

void
memlane_plot_place_x_ticks (MemlanePlot *plot, gboolean with_bytes)
{
  g_autoptr (GArray) powers = g_array_new (FALSE, FALSE, sizeof (Label));
  g_autoptr (GArray) bytes = g_array_new (FALSE, FALSE, sizeof (Label));
  double y = plot->area.y + plot->area.height + 0.45 * plot->em;

  plot->x_ticks = memlane_scale_ticks (&plot->x, MEMLANE_UNIT_ELEMENTS, (guint) CLAMP (plot->area.width / (2.2 * plot->em), 1, 64));
  for (guint i = 0; plot->has_axis_text && i < plot->x_ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (plot->x_ticks, MemlaneTick, i);
      Label label = { .centre = memlane_plot_x (plot, tick->value) };

      if (tick->label == NULL)
        continue;
      label.layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, tick->label);
      memlane_plot_measure_text (label.layout, &label.width, NULL);
      g_array_append_val (powers, label);
      if (with_bytes)
        {
          g_autofree char *text = memlane_unit_format (MEMLANE_UNIT_BYTES, tick->value * plot->bytes_per_element, TRUE);

          label.layout = memlane_plot_make_text (plot, plot->style.text_size * 0.9, FALSE, text);
          memlane_plot_measure_text (label.layout, &label.width, NULL);
          g_array_append_val (bytes, label);
        }
    }
  place_labels (plot, MEMLANE_TEXT_X_TICK, powers, y, &plot->style.text);
  place_labels (plot, MEMLANE_TEXT_X_BYTES, bytes, y + plot->line, &plot->style.faint);
}
