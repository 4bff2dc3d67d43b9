/* run-store.c: the Runs list
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store.h"
