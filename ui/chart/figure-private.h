/* figure-private.h: what plots and timelines share: text, colours, the size of a style in a figure,
 * the badge
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <pango/pangocairo.h>

#include "geometry.h"
#include "style.h"

/* --- text ------------------------------------------------------------------------------------- */

/* A layout in the figures' font, @size px at text of 100 %. (transfer full) */
PangoLayout *memlane_figure_make_text (PangoContext *pango, double size, gboolean bold,
                                       const char *text);
void memlane_figure_measure_text (PangoLayout *layout, double *width, double *height);
double memlane_figure_text_width (PangoLayout *layout);
double memlane_figure_text_height (PangoLayout *layout);
/* Cuts what is longer than @width with an ellipsis. */
void memlane_figure_limit_text (PangoLayout *layout, double width);

/* Draws @layout with its left upper corner at (x, y). */
void memlane_figure_show_text (cairo_t *cr, PangoLayout *layout, double x, double y,
                               const MemlaneColor *color);
/* From now on memlane_figure_show_text() adds SVG elements to @elements instead of drawing on
 * @surface, for cairo would write shapes. @elements must outlive the drawing. Text from right to
 * left stays shapes. */
void memlane_figure_collect_text (cairo_surface_t *surface, GString *elements);

/* --- style ------------------------------------------------------------------------------------ */

/* 2 for text of 200 %: the resolution of @pango, 96 is 1. */
double memlane_figure_text_scale (PangoContext *pango);
/* @style as it is drawn in a figure of this size: projector styles grow with it, lines of small
 * figures are thinner. */
MemlaneStyle memlane_figure_scale_style (const MemlaneStyle *style, double width, double height);

/* --- drawing ---------------------------------------------------------------------------------- */

/* Adds a rectangle with round corners to the path. */
void memlane_figure_add_round (cairo_t *cr, const MemlaneRectangle *area, double radius);
/* Adds oblique lines over @area to the path, @pitch px apart along x, on a grid that all areas
 * share; @crossed: the other way too. They end at its edges if they are @cut, else beyond. */
void memlane_figure_add_hatch (cairo_t *cr, const MemlaneRectangle *area, double pitch,
                               gboolean crossed, gboolean cut);
/* The colour of text on @ground: that of @style's text or background which stands out more. */
MemlaneColor memlane_figure_text_on (const MemlaneStyle *style, const MemlaneColor *ground);

/* --- colours ---------------------------------------------------------------------------------- */

static inline MemlaneColor
memlane_color_fade (MemlaneColor color, double alpha)
{
  color.alpha *= alpha;
  return color;
}

/* @part of @over, the rest @under; opaque. */
static inline MemlaneColor
memlane_color_mix (MemlaneColor under, MemlaneColor over, double part)
{
  return (MemlaneColor) { under.red + (over.red - under.red) * part,
                          under.green + (over.green - under.green) * part,
                          under.blue + (over.blue - under.blue) * part, 1 };
}

/* An sRGB channel as linear light. */
double memlane_color_linear (double channel);

static inline void
memlane_color_set (cairo_t *cr, const MemlaneColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
}

/* Fills the path. */
static inline void
memlane_figure_fill (cairo_t *cr, const MemlaneColor *color)
{
  memlane_color_set (cr, color);
  cairo_fill (cr);
}

/* Strokes the path, @width px wide. */
static inline void
memlane_figure_stroke (cairo_t *cr, double width, const MemlaneColor *color)
{
  cairo_set_line_width (cr, width);
  memlane_color_set (cr, color);
  cairo_stroke (cr);
}

/* Fills the path with @inside and strokes it, @width px wide. */
static inline void
memlane_figure_fill_and_stroke (cairo_t *cr, const MemlaneColor *inside, double width,
                                const MemlaneColor *edge)
{
  memlane_color_set (cr, inside);
  cairo_fill_preserve (cr);
  memlane_figure_stroke (cr, width, edge);
}

/* Strokes the path on a line 2 px wider, so that it stands out from whatever lies below. */
static inline void
memlane_figure_stroke_on_halo (cairo_t *cr, double width, const MemlaneColor *color,
                               const MemlaneColor *halo)
{
  cairo_set_line_width (cr, width + 2);
  memlane_color_set (cr, halo);
  cairo_stroke_preserve (cr);
  memlane_figure_stroke (cr, width, color);
}

/* Adds a straight line to the path. */
static inline void
memlane_figure_add_line (cairo_t *cr, double x0, double y0, double x1, double y1)
{
  cairo_move_to (cr, x0, y0);
  cairo_line_to (cr, x1, y1);
}
