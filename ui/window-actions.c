/* window-actions.c: the window's actions
 *
 * SPDX-License-Identifier: MIT
 */
#include "window.h"
