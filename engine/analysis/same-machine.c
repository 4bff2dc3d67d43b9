/* same-machine.c: two environments compared
 *
 * SPDX-License-Identifier: MIT
 */
#include "same-machine.h"
