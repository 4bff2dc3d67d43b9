/* chart-words.c: titles and the description of a chart
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart.h"
