/* mode-swatch.h: a mode's colour, marker and dash as the chart's legend shows them
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#define MEMLANE_TYPE_MODE_SWATCH (memlane_mode_swatch_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeSwatch, memlane_mode_swatch, MEMLANE, MODE_SWATCH, GtkWidget)

/* Decoration: the mode's title stands beside it. Follows light, dark and high contrast by
 * itself. */
void memlane_mode_swatch_set_mode (MemlaneModeSwatch *self, const char *mode);
