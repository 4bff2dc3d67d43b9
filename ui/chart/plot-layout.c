/* plot-layout.c: where everything stands
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot.h"
