/* cli-plot.c: memlane-cli plot, runs into a figure
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"
