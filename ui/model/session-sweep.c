/* session-sweep.c: running and stopping a sweep
 *
 * SPDX-License-Identifier: MIT
 */
#include "session.h"
