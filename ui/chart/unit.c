/* unit.c: values in words
 *
 * SPDX-License-Identifier: MIT
 */
#include "scale.h"
