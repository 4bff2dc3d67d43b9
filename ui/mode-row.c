/* mode-row.c: one mode: check box, look, explanation
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
