/* session.c: device, plan and charts
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"
