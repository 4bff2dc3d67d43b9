/* preferences.c: the preferences window
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
