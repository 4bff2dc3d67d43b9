/* style.c: the styles of figures; colour and marker of a family, dash of a mode
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"

#include <math.h>
#include <string.h>

#include "figure-private.h"
#include "base/each.h"

#define LEAST_TEXT 7.0 /* contrast of a name in its family's colour */
#define RGB(hex)                                                                                   \
  { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0, ((hex) & 0xff) / 255.0, 1 }

/* Text stands out 7:1 from the background, faint text 4.5:1 (WCAG 2): tests/ui/chart/test-style.c
 * measures it. */
static const MemlaneStyle styles[MEMLANE_N_STYLES] = {
  [MEMLANE_STYLE_SCREEN] = {
    .kind = MEMLANE_STYLE_SCREEN, .name = "screen",
    .background = RGB (0xffffff), .text = RGB (0x2e3436), .faint = RGB (0x66696c),
    .axis = RGB (0x5e6164), .grid = RGB (0xdcdee0),
    .grid_minor = RGB (0xeff0f1), .ceiling = RGB (0xa51d2d), .simulated = RGB (0xa33b00),
    .crosshair = RGB (0x3d3846),
    .halo = RGB (0xffffff), .text_size = 11, .line_width = 2.5, .marker_radius = 3.5,
    .axis_width = 1, .band_alpha = 0.16,
  },
  [MEMLANE_STYLE_DARK] = {
    .kind = MEMLANE_STYLE_DARK, .name = "dark", .dark = TRUE,
    .background = RGB (0x1e1e1e), .text = RGB (0xeeeeec), .faint = RGB (0xa9abad),
    .axis = RGB (0x9a9c9e), .grid = RGB (0x3b3b3d),
    .grid_minor = RGB (0x2b2b2c), .ceiling = RGB (0xff8f88), .simulated = RGB (0xffbe6f),
    .crosshair = RGB (0xdeddda),
    .halo = RGB (0x1e1e1e), .text_size = 11, .line_width = 2.5, .marker_radius = 3.5,
    .axis_width = 1, .band_alpha = 0.22,
  },
  [MEMLANE_STYLE_PRINT] = {
    .kind = MEMLANE_STYLE_PRINT, .name = "print",
    .background = RGB (0xffffff), .text = RGB (0x000000), .faint = RGB (0x454545),
    .axis = RGB (0x000000), .grid = RGB (0xcfcfcf),
    .grid_minor = RGB (0xe8e8e8), .ceiling = RGB (0x303030), .simulated = RGB (0x000000),
    .crosshair = RGB (0x000000),
    .halo = RGB (0xffffff), .text_size = 11, .line_width = 2, .marker_radius = 3.5,
    .axis_width = 0.8, .band_alpha = 0.14,
  },
  [MEMLANE_STYLE_PROJECTOR] = {
    .kind = MEMLANE_STYLE_PROJECTOR, .name = "projector",
    .background = RGB (0xffffff), .text = RGB (0x000000), .faint = RGB (0x4a4a4a),
    .axis = RGB (0x303030), .grid = RGB (0xcccccc),
    .grid_minor = RGB (0xe9e9e9), .ceiling = RGB (0x9c0000), .simulated = RGB (0x9c3400),
    .crosshair = RGB (0x000000),
    .halo = RGB (0xffffff), .text_size = 24, .line_width = 4.5, .marker_radius = 8, .axis_width = 2,
    .band_alpha = 0.16,
  },
  [MEMLANE_STYLE_PROJECTOR_DARK] = {
    .kind = MEMLANE_STYLE_PROJECTOR_DARK, .name = "projector-dark", .dark = TRUE,
    .background = RGB (0x101010), .text = RGB (0xffffff), .faint = RGB (0xc4c4c4),
    .axis = RGB (0xd0d0d0), .grid = RGB (0x404040),
    .grid_minor = RGB (0x242424), .ceiling = RGB (0xff9d96), .simulated = RGB (0xffc880),
    .crosshair = RGB (0xffffff),
    .halo = RGB (0x101010), .text_size = 24, .line_width = 4.5, .marker_radius = 8, .axis_width = 2,
    .band_alpha = 0.24,
  },
  [MEMLANE_STYLE_HIGH_CONTRAST] = {
    .kind = MEMLANE_STYLE_HIGH_CONTRAST, .name = "high-contrast",
    .background = RGB (0xffffff), .text = RGB (0x000000), .faint = RGB (0x202020),
    .axis = RGB (0x000000), .grid = RGB (0x9a9a9a),
    .grid_minor = RGB (0xd8d8d8), .ceiling = RGB (0x7a0000), .simulated = RGB (0x7a2600),
    .crosshair = RGB (0x000000),
    .halo = RGB (0xffffff), .text_size = 12, .line_width = 2.5, .marker_radius = 4.5,
    .axis_width = 1.5, .band_alpha = 0.2,
  },
  [MEMLANE_STYLE_HIGH_CONTRAST_DARK] = {
    .kind = MEMLANE_STYLE_HIGH_CONTRAST_DARK, .name = "high-contrast-dark", .dark = TRUE,
    .background = RGB (0x000000), .text = RGB (0xffffff), .faint = RGB (0xe6e6e6),
    .axis = RGB (0xffffff), .grid = RGB (0x6a6a6a),
    .grid_minor = RGB (0x303030), .ceiling = RGB (0xffb3ad), .simulated = RGB (0xffd9a0),
    .crosshair = RGB (0xffffff),
    .halo = RGB (0x000000), .text_size = 12, .line_width = 2.5, .marker_radius = 4.5,
    .axis_width = 1.5, .band_alpha = 0.3,
  },
};

const MemlaneStyle *
memlane_style_get (MemlaneStyleKind kind)
{
  g_return_val_if_fail ((guint) kind < MEMLANE_N_STYLES, &styles[MEMLANE_STYLE_SCREEN]);
  return &styles[kind];
}

const MemlaneStyle *
memlane_style_find (const char *name)
{
  for (int i = 0; i < MEMLANE_N_STYLES; i++)
    if (g_strcmp0 (styles[i].name, name) == 0)
      return &styles[i];
  return NULL;
}

double
memlane_color_linear (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
luminance (const MemlaneColor *color)
{
  return 0.2126 * memlane_color_linear (color->red) + 0.7152 * memlane_color_linear (color->green)
         + 0.0722 * memlane_color_linear (color->blue);
}

double
memlane_color_contrast (const MemlaneColor *a, const MemlaneColor *b)
{
  double x = luminance (a), y = luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}

/* --- families --------------------------------------------------------------------------------- */

/* Chosen by a search for seven colours of 3:1 on their ground that stay apart in normal vision,
 * protanopia, deuteranopia, tritanopia and in lightness: tests/ui/chart/test-style.c measures all
 * of it. Light grounds, dark ones, then light ones in high contrast, with 7:1. The baseline is
 * pale: it is a limit. */
static const struct
{
  guint32 colors[3];
  MemlaneMarker marker;
} looks[MEMLANE_N_FAMILIES + 1] = {
  [MEMLANE_FAMILY_PAGEABLE] = { { 0x1d1d1d, 0xffffff, 0x000000 }, MEMLANE_MARKER_CIRCLE },
  [MEMLANE_FAMILY_PINNED] = { { 0x0e5af2, 0x95b2ff, 0x044ca7 }, MEMLANE_MARKER_SQUARE },
  [MEMLANE_FAMILY_ZERO_COPY] = { { 0x771465, 0xfdcbff, 0x701f61 }, MEMLANE_MARKER_TRIANGLE_UP },
  [MEMLANE_FAMILY_MANAGED] = { { 0x00884f, 0x58e199, 0x01542a }, MEMLANE_MARKER_DIAMOND },
  [MEMLANE_FAMILY_STREAMS] = { { 0xc56e02, 0xdd9e2c, 0x5d1800 }, MEMLANE_MARKER_STAR },
  [MEMLANE_FAMILY_STREAM_ORDERED] = { { 0x5c4d0c, 0xbef774, 0x61590e },
                                      MEMLANE_MARKER_TRIANGLE_DOWN },
  [MEMLANE_FAMILY_BASELINE] = { { 0x939393, 0x8a8a8a, 0x393939 }, MEMLANE_MARKER_PLUS },
  [MEMLANE_N_FAMILIES] = { { 0x575757, 0xa8a8a8, 0x575757 }, MEMLANE_MARKER_CROSS },
};

MemlaneColor
memlane_color_readable (MemlaneColor color, const MemlaneStyle *style)
{
  MemlaneColor readable = color;

  for (double part = 0.05;
       memlane_color_contrast (&readable, &style->background) < LEAST_TEXT && part <= 1;
       part += 0.05)
    readable = memlane_color_mix (color, style->text, part);
  return readable;
}

MemlaneColor
memlane_family_color (MemlaneFamily family, const MemlaneStyle *style)
{
  guint column = style->dark ? 1 : style->kind == MEMLANE_STYLE_HIGH_CONTRAST ? 2 : 0;

  return (MemlaneColor) RGB (looks[MIN ((guint) family, MEMLANE_N_FAMILIES)].colors[column]);
}

MemlaneFamily
memlane_family_of_mode (const char *mode_id)
{
  const MemlaneMode *mode = memlane_mode_find (mode_id);

  return mode != NULL ? mode->family : MEMLANE_N_FAMILIES;
}

#define UNKNOWN_DASHES 6 /* that modes of other versions share */

/* --- modes ------------------------------------------------------------------------------------ */

/* The dashes of the first modes of a family, in line widths. */
static const struct
{
  double lengths[6];
  int n;
} dashes[] = {
  { { 0 }, 0 },
  { { 5, 2 }, 2 },
  { { 1, 1.5 }, 2 },
  { { 5, 1.5, 1, 1.5 }, 4 },
  { { 2.5, 3.5 }, 2 },
  { { 5, 1.5, 1, 1.5, 1, 1.5 }, 6 },
  { { 10, 2.5 }, 2 },
  { { 9, 2, 2.5, 2 }, 4 },
  { { 2.5, 1.2, 2.5, 4 }, 4 },
  { { 10, 1.5, 1, 1.5 }, 4 },
  { { 9, 2, 2.5, 2, 2.5, 2 }, 6 },
};

/* Returns how many modes of its family stand before @mode. */
static guint
get_place_in_family (const MemlaneMode *mode)
{
  guint place = 0;

  MEMLANE_FOR_EACH_OF (const MemlaneMode, other, n, memlane_mode_list (&n))
    place += other < mode && other->family == mode->family;
  return place;
}

MemlaneCurveStyle
memlane_curve_style_for_mode (const char *mode_id, const MemlaneStyle *style)
{
  const MemlaneMode *mode = memlane_mode_find (mode_id);
  MemlaneFamily family = mode != NULL ? mode->family : MEMLANE_N_FAMILIES;
  guint place = mode != NULL ? get_place_in_family (mode) : g_str_hash (mode_id) % UNKNOWN_DASHES;
  MemlaneCurveStyle curve = { memlane_family_color (family, style), looks[family].marker };

  if (place < G_N_ELEMENTS (dashes))
    {
      curve.n_dashes = dashes[place].n;
      memcpy (curve.dashes, dashes[place].lengths, sizeof curve.dashes);
    }
  else /* a longer and a shorter line, in every pair of lengths once */
    {
      guint more = place - (guint) G_N_ELEMENTS (dashes);
      const double lengths[] = { 3.0 + more % 4, 2, 1.6 + 0.8 * (double) (more / 4), 2 };

      curve.n_dashes = G_N_ELEMENTS (lengths);
      memcpy (curve.dashes, lengths, sizeof lengths);
    }
  return curve;
}

/* --- markers, and how a curve is drawn in a legend -------------------------------------------- */

/* Corners around (0, 0) in radii. All markers are equally heavy to the eye: the pointed ones reach
 * further out. */
static const MemlaneCorner square[] = {
  { -0.88, -0.88 }, { 0.88, -0.88 }, { 0.88, 0.88 }, { -0.88, 0.88 }
};
static const MemlaneCorner triangle[] = { { 0, -1.2 }, { 1.1, 0.78 }, { -1.1, 0.78 } };
static const MemlaneCorner diamond[] = { { 0, -1.25 }, { 1.25, 0 }, { 0, 1.25 }, { -1.25, 0 } };
#define ARM 0.45
#define REACH 1.2
static const MemlaneCorner plus[] = {
  { -ARM, -REACH }, { ARM, -REACH }, { ARM, -ARM },    { REACH, -ARM },
  { REACH, ARM },   { ARM, ARM },    { ARM, REACH },   { -ARM, REACH },
  { -ARM, ARM },    { -REACH, ARM }, { -REACH, -ARM }, { -ARM, -ARM },
};

static const struct
{
  const MemlaneCorner *corners;
  guint n;
  double sign;
  gboolean turned; /* by 45° */
} shapes[MEMLANE_N_MARKERS] = {
  [MEMLANE_MARKER_SQUARE] = { square, G_N_ELEMENTS (square), 1 },
  [MEMLANE_MARKER_TRIANGLE_UP] = { triangle, G_N_ELEMENTS (triangle), 1 },
  [MEMLANE_MARKER_TRIANGLE_DOWN] = { triangle, G_N_ELEMENTS (triangle), -1 },
  [MEMLANE_MARKER_DIAMOND] = { diamond, G_N_ELEMENTS (diamond), 1 },
  [MEMLANE_MARKER_CROSS] = { plus, G_N_ELEMENTS (plus), 1, TRUE },
  [MEMLANE_MARKER_PLUS] = { plus, G_N_ELEMENTS (plus), 1 },
};

static void
add_marker (cairo_t *cr, MemlaneMarker marker, double radius)
{
  double scale = shapes[marker].sign * radius;

  cairo_new_sub_path (cr);
  if (shapes[marker].turned)
    cairo_rotate (cr, G_PI / 4);
  for (guint i = 0; i < shapes[marker].n; i++)
    cairo_line_to (cr, shapes[marker].corners[i].x * scale, shapes[marker].corners[i].y * scale);
  for (guint i = 0; marker == MEMLANE_MARKER_STAR && i < 10; i++)
    {
      double reach = (i % 2 == 0 ? 1.4 : 0.66) * radius, angle = (i / 5.0 - 0.5) * G_PI;

      cairo_line_to (cr, reach * cos (angle), reach * sin (angle));
    }
  if (marker == MEMLANE_MARKER_CIRCLE)
    cairo_arc (cr, 0, 0, radius, 0, 2 * G_PI);
  cairo_close_path (cr);
}

/* A rim of its own width on both kinds: filled and hollow ones have the same outline. */
static double
get_rim (double radius)
{
  return MAX (radius * 0.3, 0.8);
}

void
memlane_marker_add (cairo_t *cr, MemlaneMarker marker, double x, double y, double radius,
                    gboolean hollow)
{
  if (!isfinite (x) || !isfinite (y) || !(radius > 0))
    return;
  cairo_save (cr);
  cairo_translate (cr, x, y);
  add_marker (cr, marker, hollow ? radius : radius + get_rim (radius) / 2);
  cairo_restore (cr); /* the path stays */
}

void
memlane_marker_paint (cairo_t *cr, double radius, const MemlaneColor *color, gboolean hollow,
                      const MemlaneStyle *style)
{
  MemlaneColor inside = style->background;

  if (!hollow)
    {
      memlane_figure_fill (cr, color);
      return;
    }
  inside.alpha *= color->alpha; /* a faded marker is faded inside too */
  memlane_color_set (cr, &inside);
  cairo_fill_preserve (cr);
  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, get_rim (radius));
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  cairo_set_miter_limit (cr, 3);
  memlane_color_set (cr, color);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
memlane_marker_draw (cairo_t *cr, MemlaneMarker marker, double x, double y, double radius,
                     const MemlaneColor *color, gboolean hollow, const MemlaneStyle *style)
{
  cairo_new_path (cr);
  memlane_marker_add (cr, marker, x, y, radius, hollow);
  memlane_marker_paint (cr, radius, color, hollow, style);
}

void
memlane_curve_style_draw_sample (cairo_t *cr, double x, double y, double width, double height,
                                 const MemlaneCurveStyle *curve, const MemlaneStyle *style)
{
  double line = MIN (style->line_width, height / 4),
         radius = MIN (style->marker_radius, height / 2 / 1.6);
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
  /* Either side of the marker shows the whole pattern, and a little more, if need be a smaller
   * one. */
  shrink = period > 0 ? CLAMP ((width / 2 - radius) / (1.25 * period), 0.1, 1) : 1;
  for (int i = 0; i < curve->n_dashes; i++)
    lengths[i] = curve->dashes[i] * line * shrink;
  cairo_set_dash (cr, lengths, curve->n_dashes, 0);
  cairo_set_line_width (cr, line);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  memlane_color_set (cr, &curve->color);
  cairo_new_path (cr);
  /* Draws the line from both ends to the marker, so that a pattern begins with its first dash on
   * either side. */
  for (int end = 0; end < 2; end++)
    {
      memlane_figure_add_line (cr, x + end * width, middle, x + width / 2, middle);
      cairo_stroke (cr);
    }
  memlane_marker_draw (cr, curve->marker, x + width / 2, middle, radius, &curve->color, FALSE,
                       style);
  cairo_restore (cr);
}
