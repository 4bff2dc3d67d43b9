/* chart.c: runs to curves
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart.h"
