/* plot-overlay.c: crosshair, ring and rubber band
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot.h"
