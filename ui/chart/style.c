/* style.c: the styles of figures
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"

#include <math.h>
#include <string.h>

#define RGB(hex) { ((hex) >> 16 & 0xff) / 255.0, ((hex) >> 8 & 0xff) / 255.0, ((hex) & 0xff) / 255.0, 1 }

/* Text stands out 7:1 from the background, faint text 4.5:1 (WCAG 2): tests/chart/test-style.c measures it. */
static const MemlaneStyle styles[MEMLANE_N_STYLES] = {
  [MEMLANE_STYLE_SCREEN] = {
    .kind = MEMLANE_STYLE_SCREEN, .name = "screen",
    .background = RGB (0xffffff), .text = RGB (0x2e3436), .faint = RGB (0x66696c), .axis = RGB (0x5e6164), .grid = RGB (0xdcdee0),
    .grid_minor = RGB (0xeff0f1), .ceiling = RGB (0xa51d2d), .simulated = RGB (0xa33b00), .crosshair = RGB (0x3d3846),
    .halo = RGB (0xffffff), .text_size = 11, .line_width = 2, .marker_radius = 3.5, .axis_width = 1, .band_alpha = 0.16,
  },
  [MEMLANE_STYLE_DARK] = {
    .kind = MEMLANE_STYLE_DARK, .name = "dark", .dark = TRUE,
    .background = RGB (0x1e1e1e), .text = RGB (0xeeeeec), .faint = RGB (0xa9abad), .axis = RGB (0x9a9c9e), .grid = RGB (0x3b3b3d),
    .grid_minor = RGB (0x2b2b2c), .ceiling = RGB (0xff8f88), .simulated = RGB (0xffbe6f), .crosshair = RGB (0xdeddda),
    .halo = RGB (0x1e1e1e), .text_size = 11, .line_width = 2, .marker_radius = 3.5, .axis_width = 1, .band_alpha = 0.22,
  },
  [MEMLANE_STYLE_PRINT] = {
    .kind = MEMLANE_STYLE_PRINT, .name = "print",
    .background = RGB (0xffffff), .text = RGB (0x000000), .faint = RGB (0x454545), .axis = RGB (0x000000), .grid = RGB (0xcfcfcf),
    .grid_minor = RGB (0xe8e8e8), .ceiling = RGB (0x303030), .simulated = RGB (0x000000), .crosshair = RGB (0x000000),
    .halo = RGB (0xffffff), .text_size = 11, .line_width = 1.5, .marker_radius = 3.5, .axis_width = 0.8, .band_alpha = 0.14,
  },
  [MEMLANE_STYLE_PROJECTOR] = {
    .kind = MEMLANE_STYLE_PROJECTOR, .name = "projector",
    .background = RGB (0xffffff), .text = RGB (0x000000), .faint = RGB (0x4a4a4a), .axis = RGB (0x303030), .grid = RGB (0xcccccc),
    .grid_minor = RGB (0xe9e9e9), .ceiling = RGB (0x9c0000), .simulated = RGB (0x9c3400), .crosshair = RGB (0x000000),
    .halo = RGB (0xffffff), .text_size = 24, .line_width = 4.5, .marker_radius = 8, .axis_width = 2, .band_alpha = 0.16,
  },
  [MEMLANE_STYLE_PROJECTOR_DARK] = {
    .kind = MEMLANE_STYLE_PROJECTOR_DARK, .name = "projector-dark", .dark = TRUE,
    .background = RGB (0x101010), .text = RGB (0xffffff), .faint = RGB (0xc4c4c4), .axis = RGB (0xd0d0d0), .grid = RGB (0x404040),
    .grid_minor = RGB (0x242424), .ceiling = RGB (0xff9d96), .simulated = RGB (0xffc880), .crosshair = RGB (0xffffff),
    .halo = RGB (0x101010), .text_size = 24, .line_width = 4.5, .marker_radius = 8, .axis_width = 2, .band_alpha = 0.24,
  },
  [MEMLANE_STYLE_HIGH_CONTRAST] = {
    .kind = MEMLANE_STYLE_HIGH_CONTRAST, .name = "high-contrast",
    .background = RGB (0xffffff), .text = RGB (0x000000), .faint = RGB (0x202020), .axis = RGB (0x000000), .grid = RGB (0x9a9a9a),
    .grid_minor = RGB (0xd8d8d8), .ceiling = RGB (0x7a0000), .simulated = RGB (0x7a2600), .crosshair = RGB (0x000000),
    .halo = RGB (0xffffff), .text_size = 12, .line_width = 2.5, .marker_radius = 4.5, .axis_width = 1.5, .band_alpha = 0.2,
  },
  [MEMLANE_STYLE_HIGH_CONTRAST_DARK] = {
    .kind = MEMLANE_STYLE_HIGH_CONTRAST_DARK, .name = "high-contrast-dark", .dark = TRUE,
    .background = RGB (0x000000), .text = RGB (0xffffff), .faint = RGB (0xe6e6e6), .axis = RGB (0xffffff), .grid = RGB (0x6a6a6a),
    .grid_minor = RGB (0x303030), .ceiling = RGB (0xffb3ad), .simulated = RGB (0xffd9a0), .crosshair = RGB (0xffffff),
    .halo = RGB (0x000000), .text_size = 12, .line_width = 2.5, .marker_radius = 4.5, .axis_width = 1.5, .band_alpha = 0.3,
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

static double
linear_light (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
luminance (const MemlaneColor *color)
{
  return 0.2126 * linear_light (color->red) + 0.7152 * linear_light (color->green) + 0.0722 * linear_light (color->blue);
}

double
memlane_color_contrast (const MemlaneColor *a, const MemlaneColor *b)
{
  double x = luminance (a), y = luminance (b);

  return (MAX (x, y) + 0.05) / (MIN (x, y) + 0.05);
}
