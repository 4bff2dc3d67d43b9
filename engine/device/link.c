/* link.c: the generations of PCI Express
 *
 * SPDX-License-Identifier: MIT
 */
#include "link.h"

static const struct
{
  double transfers; /* of a lane in a second */
  double payload;   /* bytes of a transfer */
} generations[MEMLANE_LINK_GENERATIONS] = {
  { 2.5e9, 1.0 / 10 },  { 5e9, 1.0 / 10 },    { 8e9, 16.0 / 130 },
  { 16e9, 16.0 / 130 }, { 32e9, 16.0 / 130 }, { 64e9, 242.0 / 256 / 8 },
};

double
memlane_link_get_bandwidth (guint generation, guint width)
{
  static const guint widths[] = { 1, 2, 4, 8, 12, 16, 32 };

  for (guint i = 0;
       generation > 0 && generation <= G_N_ELEMENTS (generations) && i < G_N_ELEMENTS (widths); i++)
    if (widths[i] == width)
      return generations[generation - 1].transfers * generations[generation - 1].payload * width;
  return 0;
}

guint
memlane_link_find_generation (double transfers)
{
  for (guint i = 0; i < G_N_ELEMENTS (generations); i++)
    if (transfers > generations[i].transfers * 0.99 && transfers < generations[i].transfers * 1.01)
      return i + 1;
  return 0;
}
