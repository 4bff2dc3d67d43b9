/* run-row.c: one run in the list
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
