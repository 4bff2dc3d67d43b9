/* plot-read.c: what lies under the pointer, and the values at one size
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot.h"
