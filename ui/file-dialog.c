/* file-dialog.c: choosing a file, by GTK 4.8 or newer
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
