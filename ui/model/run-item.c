/* run-item.c: one run in the Runs list
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-item.h"
