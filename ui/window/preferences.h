/* preferences.h: the preferences window
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

/* @run_folder: where runs are kept, shown in a row. */
GtkWindow *memlane_preferences_new (GtkWindow *parent, const char *run_folder);
