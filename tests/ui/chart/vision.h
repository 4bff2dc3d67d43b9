/* vision.h: how far apart two colours are for people with each kind of colour vision, and in grey
 *
 * SPDX-License-Identifier: MIT
 *
 * Distances are those of CIE L*a*b* (1976): 2 is just seen, 10 is told at a glance. Grey is the difference of lightness alone, 0 to 100.
 * Source of the matrices: Machado, Oliveira, Fernandes 2009, severity 1, in linear light.
 */
#pragma once

#include <math.h>

#include "chart/figure-private.h"
#include "chart/style.h"

typedef enum
{
  MEMLANE_VISION_NORMAL,
  MEMLANE_VISION_PROTANOPIA,
  MEMLANE_VISION_DEUTERANOPIA,
  MEMLANE_VISION_TRITANOPIA,
  MEMLANE_VISION_GREY,
  MEMLANE_N_VISIONS
} MemlaneVision;

static const struct
{
  const char *name;
  double matrix[3][3];
} visions[] = {
  [MEMLANE_VISION_NORMAL] = { "normal vision", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
  [MEMLANE_VISION_PROTANOPIA] = { "protanopia", { { 0.152286, 1.052583, -0.204868 },
                                                  { 0.114503, 0.786281, 0.099216 },
                                                  { -0.003882, -0.048116, 1.051998 } } },
  [MEMLANE_VISION_DEUTERANOPIA] = { "deuteranopia", { { 0.367322, 0.860646, -0.227968 },
                                                      { 0.280085, 0.672501, 0.047413 },
                                                      { -0.011820, 0.042940, 0.968881 } } },
  [MEMLANE_VISION_TRITANOPIA] = { "tritanopia", { { 1.255528, -0.076749, -0.178779 },
                                                  { -0.078411, 0.930809, 0.147602 },
                                                  { 0.004733, 0.691367, 0.303900 } } },
  [MEMLANE_VISION_GREY] = { "grey", { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } },
};

static inline double
lab_curve (double t)
{
  return t > 0.008856 ? cbrt (t) : 7.787 * t + 16.0 / 116;
}

static inline void
get_lab (const MemlaneColor *color, const double matrix[3][3], double lab[3])
{
  const double light[3] = { memlane_color_linear (color->red), memlane_color_linear (color->green), memlane_color_linear (color->blue) };
  double seen[3], x, y, z;

  for (int i = 0; i < 3; i++)
    seen[i] = CLAMP (matrix[i][0] * light[0] + matrix[i][1] * light[1] + matrix[i][2] * light[2], 0, 1);
  x = lab_curve ((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
  y = lab_curve (0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
  z = lab_curve ((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.089);
  lab[0] = 116 * y - 16;
  lab[1] = 500 * (x - y);
  lab[2] = 200 * (y - z);
}

static inline double
vision_distance (const MemlaneColor *a, const MemlaneColor *b, MemlaneVision vision)
{
  double x[3], y[3];

  get_lab (a, visions[vision].matrix, x);
  get_lab (b, visions[vision].matrix, y);
  return vision == MEMLANE_VISION_GREY ? fabs (x[0] - y[0]) : sqrt (pow (x[0] - y[0], 2) + pow (x[1] - y[1], 2) + pow (x[2] - y[2], 2));
}
