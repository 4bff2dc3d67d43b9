/* plan-panel.c: workload, modes, sizes, method
 *
 * SPDX-License-Identifier: MIT
 */
#include "plan-panel.h"
