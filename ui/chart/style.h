/* style.h: colours, text and lines of a figure, and the families' colours and markers, the modes'
 * dashes
 *
 * SPDX-License-Identifier: MIT
 *
 * Constant data, safe from every thread. Colours are sRGB 0..1.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "memlane.h"

typedef struct
{
  double red, green, blue, alpha;
} MemlaneColor;

typedef enum
{
  MEMLANE_STYLE_SCREEN,           /* light; text 11 px at scale 1 */
  MEMLANE_STYLE_DARK,
  MEMLANE_STYLE_PRINT,            /* white, black text, readable in grey */
  /* light, text at least 24 px in 1280x720, thick lines, large markers */
  MEMLANE_STYLE_PROJECTOR,
  MEMLANE_STYLE_PROJECTOR_DARK,
  MEMLANE_STYLE_HIGH_CONTRAST,    /* light */
  MEMLANE_STYLE_HIGH_CONTRAST_DARK,
  MEMLANE_N_STYLES
} MemlaneStyleKind;

typedef struct
{
  MemlaneStyleKind kind;
  /* the command line's word: "screen", "dark", "print", "projector", "projector-dark", ... */
  const char *name;
  gboolean dark;
  MemlaneColor background, text, faint /* secondary text */, axis, grid, grid_minor, ceiling,
      simulated, crosshair, halo;
  double text_size;          /* px, body; titles are 1.25 of it */
  double line_width, marker_radius, axis_width;
  double band_alpha;         /* of the interval bands */
  /* px of what is projected, of which the figure is a part; 0: the figure is all of it */
  double wall_width, wall_height;
} MemlaneStyle;

const MemlaneStyle *memlane_style_get (MemlaneStyleKind kind);
/* (nullable): NULL for an unknown word */
const MemlaneStyle *memlane_style_find (const char *name);

typedef enum
{
  MEMLANE_MARKER_CIRCLE,
  MEMLANE_MARKER_SQUARE,
  MEMLANE_MARKER_TRIANGLE_UP,
  MEMLANE_MARKER_TRIANGLE_DOWN,
  MEMLANE_MARKER_DIAMOND,
  MEMLANE_MARKER_CROSS,
  MEMLANE_MARKER_PLUS,
  MEMLANE_MARKER_STAR,
  MEMLANE_N_MARKERS
} MemlaneMarker;

/* The look of one mode: colour and marker are its family's, the dash is its own. */
typedef struct
{
  MemlaneColor color;
  MemlaneMarker marker;
  double dashes[6]; /* in line widths */
  int n_dashes;     /* 0: solid */
} MemlaneCurveStyle;

/* Returns the look of the mode @mode_id in @style. Unknown ids (a CSV from elsewhere) are grey
 * crosses, with a dash by their hash. */
MemlaneCurveStyle memlane_curve_style_for_mode (const char *mode_id, const MemlaneStyle *style);
/* At least 3:1 on the style's background, 7:1 in high contrast. The families are told apart with
 * any kind of colour vision, and in grey. MEMLANE_N_FAMILIES: of what belongs to none. */
MemlaneColor memlane_family_color (MemlaneFamily family, const MemlaneStyle *style);
/* @color, or as much of it as text of 7:1 on the style's background allows. */
MemlaneColor memlane_color_readable (MemlaneColor color, const MemlaneStyle *style);
/* That of a registered mode; MEMLANE_N_FAMILIES for an unknown id. */
MemlaneFamily memlane_family_of_mode (const char *mode_id);

/* A marker around (x, y). @hollow: a ring filled with the background, for noisy cells. Leaves the
 * context's state as it was. */
void memlane_marker_draw (cairo_t *cr, MemlaneMarker marker, double x, double y, double radius,
                          const MemlaneColor *color, gboolean hollow, const MemlaneStyle *style);
/* The same in two steps, for many of a size and colour at once: adds the outline to the path;
 * paints all of them. */
void memlane_marker_add (cairo_t *cr, MemlaneMarker marker, double x, double y, double radius,
                         gboolean hollow);
void memlane_marker_paint (cairo_t *cr, double radius, const MemlaneColor *color, gboolean hollow,
                           const MemlaneStyle *style);
/* Line and marker as they stand in a legend, filling the rectangle. */
void memlane_curve_style_draw_sample (cairo_t *cr, double x, double y, double width, double height,
                                      const MemlaneCurveStyle *curve, const MemlaneStyle *style);

/* WCAG 2 contrast ratio of two opaque colours, 1..21. */
double memlane_color_contrast (const MemlaneColor *a, const MemlaneColor *b);
