/* runs-panel.c: the Runs list
 *
 * SPDX-License-Identifier: MIT
 */
#include "runs-panel.h"
