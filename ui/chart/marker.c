/* marker.c: markers and the samples of a legend
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"

#include <math.h>

typedef struct
{
  double x, y;
} Corner;

/* Corners around (0, 0) in radii. All markers are equally heavy to the eye: the pointed ones reach further out. */
static const Corner square[] = { { -0.88, -0.88 }, { 0.88, -0.88 }, { 0.88, 0.88 }, { -0.88, 0.88 } };
static const Corner triangle[] = { { 0, -1.2 }, { 1.1, 0.78 }, { -1.1, 0.78 } };
static const Corner diamond[] = { { 0, -1.25 }, { 1.25, 0 }, { 0, 1.25 }, { -1.25, 0 } };
#define ARM 0.45
#define REACH 1.2
static const Corner plus[] = {
  { -ARM, -REACH }, { ARM, -REACH }, { ARM, -ARM }, { REACH, -ARM }, { REACH, ARM },   { ARM, ARM },
  { ARM, REACH },   { -ARM, REACH }, { -ARM, ARM }, { -REACH, ARM }, { -REACH, -ARM }, { -ARM, -ARM },
};

static void
add_corners (cairo_t *cr, const Corner *corners, guint n, double radius)
{
  for (guint i = 0; i < n; i++)
    cairo_line_to (cr, corners[i].x * radius, corners[i].y * radius);
  cairo_close_path (cr);
}

static void
add_star (cairo_t *cr, double radius)
{
  for (int i = 0; i < 10; i++)
    {
      double reach = (i % 2 == 0 ? 1.4 : 0.66) * radius, angle = (i / 5.0 - 0.5) * G_PI;

      cairo_line_to (cr, reach * cos (angle), reach * sin (angle));
    }
  cairo_close_path (cr);
}

static void
add_marker (cairo_t *cr, MemlaneMarker marker, double radius)
{
  cairo_new_path (cr);
  switch (marker)
    {
    case MEMLANE_MARKER_SQUARE:
      add_corners (cr, square, G_N_ELEMENTS (square), radius);
      break;
    case MEMLANE_MARKER_TRIANGLE_UP:
      add_corners (cr, triangle, G_N_ELEMENTS (triangle), radius);
      break;
    case MEMLANE_MARKER_TRIANGLE_DOWN:
      add_corners (cr, triangle, G_N_ELEMENTS (triangle), -radius);
      break;
    case MEMLANE_MARKER_DIAMOND:
      add_corners (cr, diamond, G_N_ELEMENTS (diamond), radius);
      break;
    case MEMLANE_MARKER_CROSS:
      cairo_rotate (cr, G_PI / 4);
      add_corners (cr, plus, G_N_ELEMENTS (plus), radius);
      break;
    case MEMLANE_MARKER_PLUS:
      add_corners (cr, plus, G_N_ELEMENTS (plus), radius);
      break;
    case MEMLANE_MARKER_STAR:
      add_star (cr, radius);
      break;
    case MEMLANE_MARKER_CIRCLE:
    case MEMLANE_N_MARKERS:
    default:
      cairo_arc (cr, 0, 0, radius, 0, 2 * G_PI);
      cairo_close_path (cr);
      break;
    }
}

static void
set_color (cairo_t *cr, const MemlaneColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
}

void
memlane_marker_draw (cairo_t *cr, MemlaneMarker marker, double x, double y, double radius, const MemlaneColor *color, gboolean hollow,
                     const MemlaneStyle *style)
{
  /* A rim of its own width on both kinds: filled and hollow ones have the same outline. */
  double rim = MAX (radius * 0.3, 0.8);

  if (!isfinite (x) || !isfinite (y) || !(radius > 0))
    return;
  cairo_save (cr);
  cairo_translate (cr, x, y);
  add_marker (cr, marker, hollow ? radius : radius + rim / 2);
  if (!hollow)
    set_color (cr, color);
  else
    {
      MemlaneColor inside = style->background;

      inside.alpha *= color->alpha; /* a faded marker is faded inside too */
      set_color (cr, &inside);
      cairo_fill_preserve (cr);
      set_color (cr, color);
      cairo_set_dash (cr, NULL, 0, 0);
      cairo_set_line_width (cr, rim);
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
      cairo_set_miter_limit (cr, 3);
      cairo_stroke (cr);
      cairo_restore (cr);
      return;
    }
  cairo_fill (cr);
  cairo_restore (cr);
}

void
memlane_curve_style_draw_sample (cairo_t *cr, double x, double y, double width, double height,
                                 const MemlaneCurveStyle *curve, const MemlaneStyle *style)
{
  double line = MIN (style->line_width, height / 4), radius = MIN (style->marker_radius, height / 2 / 1.6);
  double middle = y + height / 2, lengths[G_N_ELEMENTS (curve->dashes)], period = 0, shrink;

  if (!(width > 0) || !(height > 0))
    return;
  /* A line of whole width fills whole pixels: thin ones would be a grey blur. */
  if (line >= 1)
    line = round (line);
  middle = fmod (line, 2) == 1 ? floor (middle) + 0.5 : round (middle);
  cairo_save (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  for (int i = 0; i < curve->n_dashes; i++)
    period += curve->dashes[i] * line;
  /* Either side of the marker shows the whole pattern, and a little more, if need be a smaller one. */
  shrink = period > 0 ? CLAMP ((width / 2 - radius) / (1.25 * period), 0.1, 1) : 1;
  for (int i = 0; i < curve->n_dashes; i++)
    lengths[i] = curve->dashes[i] * line * shrink;
  cairo_set_dash (cr, lengths, curve->n_dashes, 0);
  cairo_set_line_width (cr, line);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  set_color (cr, &curve->color);
  cairo_new_path (cr);
  /* From both ends to the marker, so that a pattern begins with its first dash on either side. */
  for (int end = 0; end < 2; end++)
    {
      cairo_move_to (cr, x + end * width, middle);
      cairo_line_to (cr, x + width / 2, middle);
      cairo_stroke (cr);
    }
  memlane_marker_draw (cr, curve->marker, x + width / 2, middle, radius, &curve->color, FALSE, style);
  cairo_restore (cr);
}
