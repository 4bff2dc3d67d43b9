/* chart-view.c: a chart in the window
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-view.h"
