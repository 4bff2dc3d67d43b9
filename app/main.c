/* main.c: the window's program
 *
 * SPDX-License-Identifier: MIT
 */
#include "application.h"
