/* link.h: the bandwidth of a PCIe link
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#define MEMLANE_LINK_GENERATIONS 6

/* Bytes per second of one direction, without the headers of packets; 0: no such generation (from 1)
 * or no such width in lanes. PCI Express Base Specification 6.0: transfers per second of a lane,
 * times the share that is no line code. That is 8b/10b, and from generation 3 on 128b/130b. In
 * generation 6, 14 of the 256 bytes of a flit are check sums and error correction. */
double memlane_link_get_bandwidth (guint generation, guint width);
/* The generation with so many transfers per second (32e9: 5); 0: none. */
guint memlane_link_find_generation (double transfers);
