/* mode-swatch.c: line and marker of a mode
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
