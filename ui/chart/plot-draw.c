/* plot-draw.c: painting a layout
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot.h"
