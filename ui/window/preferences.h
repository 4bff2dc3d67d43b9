/* preferences.h: the preferences window
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#define MEMLANE_TYPE_PREFERENCES (memlane_preferences_get_type ())
G_DECLARE_FINAL_TYPE (MemlanePreferences, memlane_preferences, MEMLANE, PREFERENCES, AdwPreferencesWindow)

/* @run_folder: where runs are kept, shown in a row. */
MemlanePreferences *memlane_preferences_new (GtkWindow *parent, const char *run_folder);
