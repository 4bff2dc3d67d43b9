/* preferences.h: the preferences window, and the colours that they ask for
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

/* @run_folder: where runs are kept, shown in a row. */
GtkWindow *memlane_preferences_new (GtkWindow *parent, const char *run_folder);

/* Makes all windows light or dark; @projector: as the setting of the projector asks, whatever the
 * desktop has. */
void memlane_color_scheme_apply (gboolean projector);
/* Does so again, after the settings have changed. */
void memlane_color_scheme_renew (void);
