/* chart-page.c: the Bandwidth and Time pages
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart-page.h"
