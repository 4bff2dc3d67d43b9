/* look.c: each mode's colour, marker and dash
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"
