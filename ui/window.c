/* window.c: the main window
 *
 * SPDX-License-Identifier: MIT
 */
#include "window.h"
