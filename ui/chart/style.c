/* style.c: the styles of figures
 *
 * SPDX-License-Identifier: MIT
 */
#include "style.h"
