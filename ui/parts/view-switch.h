/* view-switch.h: Bandwidth, Time and Table: three views of what was measured, in the bar of each of them
 *
 * SPDX-License-Identifier: MIT
 *
 * Asks the window for win.page (s: "bandwidth", "time", "table"), whose state says which is seen.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define MEMLANE_TYPE_VIEW_SWITCH (memlane_view_switch_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneViewSwitch, memlane_view_switch, MEMLANE, VIEW_SWITCH, GtkBox)

G_END_DECLS
