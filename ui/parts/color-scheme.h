/* color-scheme.h: light or dark, by the preferences
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

/* @projector: as the setting of the projector asks, whatever the desktop has. */
void memlane_color_scheme_apply (gboolean projector);
/* The settings have changed. */
void memlane_color_scheme_renew (void);
