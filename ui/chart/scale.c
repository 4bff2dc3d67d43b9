/* scale.c: map, unmap, fit and ticks
 *
 * SPDX-License-Identifier: MIT
 */
#include "scale.h"
