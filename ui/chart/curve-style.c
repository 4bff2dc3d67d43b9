/* look.c: each mode's colour, marker and dash
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"

#include <math.h>
#include <string.h>

/* --- colours: Okabe & Ito (2008), each moved in lightness as far as the background asks --------------------------------------------- */

enum
{
  BLACK,
  ORANGE,
  SKY_BLUE,
  BLUISH_GREEN,
  YELLOW,
  BLUE,
  VERMILLION,
  REDDISH_PURPLE,
  N_COLORS
};

enum
{
  ON_LIGHT,
  ON_DARK,
  CONTRAST_ON_LIGHT,
  CONTRAST_ON_DARK,
  N_PALETTES
};

static const guint32 palettes[N_PALETTES][N_COLORS] = {
  [ON_LIGHT] = { 0x000000, 0xc18600, 0x3c9ccb, 0x009e73, 0x959000, 0x0059a8, 0xd55e00, 0xc973a4 },
  [ON_DARK] = { 0xe8e8e8, 0xe69f00, 0x7ccbf5, 0x12b386, 0xf0e442, 0x3e8ede, 0xe8702a, 0xdb8fbb },
  [CONTRAST_ON_LIGHT] = { 0x000000, 0x9a6800, 0x217ba8, 0x00835d, 0x6f7100, 0x004a94, 0xbf4400, 0xa3507f },
  [CONTRAST_ON_DARK] = { 0xffffff, 0xf0a800, 0x8ad8ff, 0x1cc795, 0xf5ea4e, 0x4c9bf0, 0xff7f3b, 0xeba0cc },
};

static MemlaneColor
find_color (guint index, const MemlaneStyle *style)
{
  gboolean contrast = style->kind == MEMLANE_STYLE_HIGH_CONTRAST || style->kind == MEMLANE_STYLE_HIGH_CONTRAST_DARK;
  guint32 hex = palettes[contrast ? (style->dark ? CONTRAST_ON_DARK : CONTRAST_ON_LIGHT) : (style->dark ? ON_DARK : ON_LIGHT)][index];

  return (MemlaneColor) { (hex >> 16 & 0xff) / 255.0, (hex >> 8 & 0xff) / 255.0, (hex & 0xff) / 255.0, 1 };
}

/* --- dashes -------------------------------------------------------------------------------------------- */

enum
{
  SOLID,
  DASHED,
  DOTTED,
  DASH_DOT,
  SPARSE,
  DASH_DOT_DOT,
  N_DASHES
};

/* In line widths. */
static const struct
{
  double lengths[6];
  int n;
} dashes[N_DASHES] = {
  [DASHED] = { { 5, 2 }, 2 },
  [DOTTED] = { { 1, 1.5 }, 2 },
  [DASH_DOT] = { { 5, 1.5, 1, 1.5 }, 4 },
  [SPARSE] = { { 2.5, 3.5 }, 2 },
  [DASH_DOT_DOT] = { { 5, 1.5, 1, 1.5, 1, 1.5 }, 6 },
};

/* --- modes: a family shares the marker, its members differ in dash and colour ------------------------------------------------------- */

static const struct
{
  const char *mode;
  guint color;
  MemlaneMarker marker;
  guint dash;
} looks[] = {
  { "pageable", BLACK, MEMLANE_MARKER_CIRCLE, SOLID },
  { "pageable-async", ORANGE, MEMLANE_MARKER_CIRCLE, DASHED },
  { "pinned", SKY_BLUE, MEMLANE_MARKER_SQUARE, SOLID },
  { "pinned-async", BLUISH_GREEN, MEMLANE_MARKER_SQUARE, DASHED },
  { "portable", YELLOW, MEMLANE_MARKER_SQUARE, DOTTED },
  { "write-combined", BLUE, MEMLANE_MARKER_SQUARE, DASH_DOT },
  { "registered", VERMILLION, MEMLANE_MARKER_SQUARE, SPARSE },
  { "mapped", REDDISH_PURPLE, MEMLANE_MARKER_TRIANGLE_UP, SOLID },
  { "mapped-write-combined", BLACK, MEMLANE_MARKER_TRIANGLE_UP, DASHED },
  { "registered-mapped", ORANGE, MEMLANE_MARKER_TRIANGLE_UP, DOTTED },
  { "unified-addressing", SKY_BLUE, MEMLANE_MARKER_TRIANGLE_UP, DASH_DOT },
  { "managed", BLUISH_GREEN, MEMLANE_MARKER_DIAMOND, SOLID },
  { "managed-static", YELLOW, MEMLANE_MARKER_DIAMOND, DASHED },
  { "managed-prefetch", BLUE, MEMLANE_MARKER_DIAMOND, DOTTED },
  { "managed-advised", VERMILLION, MEMLANE_MARKER_DIAMOND, DASH_DOT },
  { "streams-depth-first", REDDISH_PURPLE, MEMLANE_MARKER_STAR, DASHED },
  { "streams-breadth-first", BLACK, MEMLANE_MARKER_STAR, DOTTED },
  { "stream-ordered", ORANGE, MEMLANE_MARKER_STAR, DASH_DOT },
  { "system", SKY_BLUE, MEMLANE_MARKER_TRIANGLE_DOWN, DASHED },
  { "device-resident", BLUISH_GREEN, MEMLANE_MARKER_PLUS, SPARSE },
};

static gboolean
is_taken (MemlaneMarker marker, guint dash)
{
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (looks[i].marker == marker && looks[i].dash == dash)
      return TRUE;
  return FALSE;
}

static MemlaneCurveStyle
make_look (guint color, MemlaneMarker marker, guint dash, const MemlaneStyle *style)
{
  MemlaneCurveStyle look = { .color = find_color (color, style), .marker = marker, .n_dashes = dashes[dash].n };

  memcpy (look.dashes, dashes[dash].lengths, sizeof look.dashes);
  return look;
}

MemlaneCurveStyle
memlane_curve_style_for_mode (const char *mode_id, const MemlaneStyle *style)
{
  guint hash = g_str_hash (mode_id), left;

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (strcmp (looks[i].mode, mode_id) == 0)
      return make_look (looks[i].color, looks[i].marker, looks[i].dash, style);
  /* One of the pairs that no known mode has. */
  left = hash / N_COLORS % (MEMLANE_N_MARKERS * N_DASHES - G_N_ELEMENTS (looks));
  for (guint pair = 0;; pair = (pair + 1) % (MEMLANE_N_MARKERS * N_DASHES))
    if (!is_taken ((MemlaneMarker) (pair / N_DASHES), pair % N_DASHES) && left-- == 0)
      return make_look (hash % N_COLORS, (MemlaneMarker) (pair / N_DASHES), pair % N_DASHES, style);
}
