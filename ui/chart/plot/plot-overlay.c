/* plot-overlay.c: what follows the pointer: crosshair, ring, rubber band
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

#include <math.h>

#define BAND_ALPHA 0.14

/* A label on a ground of its own, its middle near (x, y), kept inside the figure. */
static void
draw_tag (const MemlanePlot *plot, cairo_t *cr, PangoLayout *layout, double x, double y, const MemlaneColor *ground,
          const MemlaneColor *text)
{
  double width, height, pad = 0.4 * plot->em;

  memlane_plot_limit_text (layout, plot->width - 4 * pad);
  memlane_plot_measure_text (layout, &width, &height);
  x = round (CLAMP (x - width / 2, 2 * pad, MAX (plot->width - width - 2 * pad, 2 * pad)));
  y = round (CLAMP (y - height / 2, pad, MAX (plot->height - height - pad, pad)));
  cairo_rectangle (cr, x - pad, y - 1, width + 2 * pad, height + 2);
  memlane_color_set (cr, ground);
  cairo_fill (cr);
  cairo_move_to (cr, x, y);
  memlane_color_set (cr, text);
  pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr); /* text leaves a point behind, from which the next arc would draw a line */
}

/* The size, on the axis where the crosshair meets it. */
static void
draw_size (const MemlanePlot *plot, cairo_t *cr, double x, guint log2_elements)
{
  g_autofree char *power = memlane_unit_format_power (log2_elements);
  g_autofree char *bytes = memlane_unit_format (MEMLANE_UNIT_BYTES, ldexp (plot->bytes_per_element, (int) log2_elements), TRUE);
  g_autofree char *text = g_strdup_printf ("%s\n%s", power, bytes);
  g_autoptr (PangoLayout) layout = memlane_plot_make_text (plot, plot->style.text_size, FALSE, text);

  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  draw_tag (plot, cr, layout, x, plot->area.y + plot->area.height + 0.45 * plot->em + plot->line, &plot->style.crosshair,
            &plot->style.background);
}

/* What one point says, above it or, near the top, below. */
static void
draw_value (const MemlanePlot *plot, cairo_t *cr, const MemlanePlacedPoint *point, double ring)
{
  const MemlaneSeries *series = memlane_plot_chart_series (plot, point->series);
  const MemlaneChartPoint *data = memlane_plot_chart_point (plot, point->series, point->point);
  g_autofree char *value = memlane_unit_format (plot->chart->unit, data->value, TRUE);
  g_autofree char *text = g_strdup_printf ("%s  %s", series->label, value);
  g_autoptr (PangoLayout) layout = memlane_plot_make_text (plot, plot->style.text_size, TRUE, text);
  MemlaneColor ground = memlane_color_fade (plot->style.halo, 0.9);
  double distance = ring + 0.9 * plot->line, y = point->y - distance;

  if (y - plot->line / 2 < plot->area.y)
    y = point->y + distance;
  draw_tag (plot, cr, layout, point->x, y, &ground, &plot->style.text);
}

void
memlane_plot_draw_overlay (const MemlanePlot *plot, cairo_t *cr, guint log2_elements, guint series)
{
  const MemlanePlacedPoint *chosen = NULL;
  double x, small = 0.6 * plot->style.marker_radius, ring = 2 * plot->style.marker_radius;

  if (log2_elements > 63)
    return;
  x = memlane_plot_x (plot, exp2 (log2_elements));
  if (x < plot->area.x - 0.01 || x > plot->area.x + plot->area.width + 0.01)
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_width (cr, MAX (plot->style.axis_width, 1));
  memlane_color_set (cr, &plot->style.crosshair);
  cairo_move_to (cr, floor (x) + 0.5, plot->area.y);
  cairo_line_to (cr, floor (x) + 0.5, plot->area.y + plot->area.height);
  cairo_stroke (cr);
  for (guint i = 0; i < plot->points->len; i++)
    {
      const MemlanePlacedPoint *point = &g_array_index (plot->points, MemlanePlacedPoint, i);

      if (memlane_plot_chart_point (plot, point->series, point->point)->log2_elements != log2_elements)
        continue;
      cairo_new_sub_path (cr);
      cairo_arc (cr, point->x, point->y, small, 0, 2 * G_PI);
      if (point->series == series)
        chosen = point;
    }
  cairo_fill (cr);
  if (plot->has_axis_text)
    draw_size (plot, cr, x, log2_elements);
  if (chosen != NULL)
    {
      cairo_set_line_width (cr, MAX (plot->style.line_width, 1.5) + 2);
      memlane_color_set (cr, &plot->style.halo);
      cairo_arc (cr, chosen->x, chosen->y, ring, 0, 2 * G_PI);
      cairo_stroke_preserve (cr);
      cairo_set_line_width (cr, MAX (plot->style.line_width, 1.5));
      memlane_color_set (cr, &plot->style.crosshair);
      cairo_stroke (cr);
      draw_value (plot, cr, chosen, ring);
    }
  cairo_restore (cr);
}

void
memlane_plot_draw_band (const MemlanePlot *plot, cairo_t *cr, double x0, double y0, double x1, double y1)
{
  const MemlaneRectangle *area = &plot->area;
  double left = CLAMP (MIN (x0, x1), area->x, area->x + area->width), right = CLAMP (MAX (x0, x1), area->x, area->x + area->width);
  double top = CLAMP (MIN (y0, y1), area->y, area->y + area->height), bottom = CLAMP (MAX (y0, y1), area->y, area->y + area->height);
  MemlaneColor inside = memlane_color_fade (plot->style.crosshair, BAND_ALPHA);

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, floor (left) + 0.5, floor (top) + 0.5, MAX (floor (right) - floor (left), 0), MAX (floor (bottom) - floor (top), 0));
  memlane_color_set (cr, &inside);
  cairo_fill_preserve (cr);
  memlane_color_set (cr, &plot->style.crosshair);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, MAX (plot->style.axis_width, 1));
  cairo_stroke (cr);
  cairo_restore (cr);
}
