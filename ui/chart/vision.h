/* vision.h: how far apart two colours are for people with each kind of colour vision, and in grey
 *
 * SPDX-License-Identifier: MIT
 *
 * Distances are those of CIE L*a*b* (1976): 2 is just seen, 10 is told at a glance. Grey is the difference of lightness alone, 0 to 100.
 * Source of the matrices: Machado, Oliveira, Fernandes 2009, severity 1, in linear light.
 */
#pragma once

#include "chart.h"
#include "style.h"

typedef enum
{
  MEMLANE_VISION_NORMAL,
  MEMLANE_VISION_PROTANOPIA,
  MEMLANE_VISION_DEUTERANOPIA,
  MEMLANE_VISION_TRITANOPIA,
  MEMLANE_VISION_GREY,
  MEMLANE_N_VISIONS
} MemlaneVision;

double memlane_vision_distance (const MemlaneColor *a, const MemlaneColor *b, MemlaneVision vision);
/* One line for each vision: the two families of @chart that are nearest to each other in @style, and their distance; none where there is
 * one family at most. The last line is the contrasts on the background. (transfer full) */
char *memlane_vision_check (const MemlaneChart *chart, const MemlaneStyle *style);
