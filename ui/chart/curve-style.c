/* curve-style.c: each mode's colour, marker and dash
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"

#include <math.h>
#include <string.h>

/* --- colours: Okabe & Ito (2008), each moved in lightness as far as the background asks --------------------------------------------- */

enum
{
  ON_LIGHT,
  ON_DARK,
  CONTRAST_ON_LIGHT,
  CONTRAST_ON_DARK,
  N_PALETTES
};

static const guint32 palettes[N_PALETTES][MEMLANE_N_HUES] = {
  [ON_LIGHT] = { 0x000000, 0xc18600, 0x3c9ccb, 0x009e73, 0x959000, 0x0059a8, 0xd55e00, 0xc973a4 },
  [ON_DARK] = { 0xe8e8e8, 0xe69f00, 0x7ccbf5, 0x12b386, 0xf0e442, 0x3e8ede, 0xe8702a, 0xdb8fbb },
  [CONTRAST_ON_LIGHT] = { 0x000000, 0x9a6800, 0x217ba8, 0x00835d, 0x6f7100, 0x004a94, 0xbf4400, 0xa3507f },
  [CONTRAST_ON_DARK] = { 0xffffff, 0xf0a800, 0x8ad8ff, 0x1cc795, 0xf5ea4e, 0x4c9bf0, 0xff7f3b, 0xeba0cc },
};

static MemlaneColor
find_color (MemlaneHue hue, const MemlaneStyle *style)
{
  gboolean contrast = style->kind == MEMLANE_STYLE_HIGH_CONTRAST || style->kind == MEMLANE_STYLE_HIGH_CONTRAST_DARK;
  guint32 hex = palettes[contrast ? (style->dark ? CONTRAST_ON_DARK : CONTRAST_ON_LIGHT) : (style->dark ? ON_DARK : ON_LIGHT)][hue];

  return (MemlaneColor) { (hex >> 16 & 0xff) / 255.0, (hex >> 8 & 0xff) / 255.0, (hex & 0xff) / 255.0, 1 };
}

/* --- dashes -------------------------------------------------------------------------------------------- */

/* In line widths. */
static const struct
{
  double lengths[6];
  int n;
} dashes[MEMLANE_N_DASHES] = {
  [MEMLANE_DASH_DASHED] = { { 5, 2 }, 2 },
  [MEMLANE_DASH_DOTTED] = { { 1, 1.5 }, 2 },
  [MEMLANE_DASH_DASH_DOT] = { { 5, 1.5, 1, 1.5 }, 4 },
  [MEMLANE_DASH_SPARSE] = { { 2.5, 3.5 }, 2 },
  [MEMLANE_DASH_DASH_DOT_DOT] = { { 5, 1.5, 1, 1.5, 1, 1.5 }, 6 },
};

/* --- modes: what a registry row says, and what is left for others ------------------------------------------------------------------ */

static gboolean
is_taken (MemlaneMarker marker, MemlaneDash dash)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    if (modes[i].curve.marker == marker && modes[i].curve.dash == dash)
      return TRUE;
  return FALSE;
}

static MemlaneCurveStyle
make_style (MemlaneHue hue, MemlaneMarker marker, MemlaneDash dash, const MemlaneStyle *style)
{
  MemlaneCurveStyle curve = { .color = find_color (hue, style), .marker = marker, .n_dashes = dashes[dash].n };

  memcpy (curve.dashes, dashes[dash].lengths, sizeof curve.dashes);
  return curve;
}

MemlaneCurveStyle
memlane_curve_style_for_mode (const char *mode_id, const MemlaneStyle *style)
{
  const MemlaneMode *mode = memlane_mode_find (mode_id);
  guint hash = g_str_hash (mode_id), left, n_modes;

  if (mode != NULL)
    return make_style (mode->curve.hue, mode->curve.marker, mode->curve.dash, style);
  /* One of the pairs that no known mode has. */
  memlane_mode_list (&n_modes);
  left = hash / MEMLANE_N_HUES % (MEMLANE_N_MARKERS * MEMLANE_N_DASHES - n_modes);
  for (guint pair = 0;; pair = (pair + 1) % (MEMLANE_N_MARKERS * MEMLANE_N_DASHES))
    if (!is_taken ((MemlaneMarker) (pair / MEMLANE_N_DASHES), (MemlaneDash) (pair % MEMLANE_N_DASHES)) && left-- == 0)
      return make_style ((MemlaneHue) (hash % MEMLANE_N_HUES), (MemlaneMarker) (pair / MEMLANE_N_DASHES),
                         (MemlaneDash) (pair % MEMLANE_N_DASHES), style);
}
