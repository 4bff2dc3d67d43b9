/* view-bar.h: the bar above what was measured: views, the View menu, the phase; in the same place
 * on every page
 *
 * SPDX-License-Identifier: MIT
 *
 * Asks the window for win.page (s: "bandwidth", "time", "table"), whose state says which is seen.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/view-model.h"

#define MEMLANE_TYPE_VIEW_BAR (memlane_view_bar_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneViewBar, memlane_view_bar, MEMLANE, VIEW_BAR, GtkBox)

/* Once: the bar shows and sets the phase @property of @view, and its menu is @menu. */
void memlane_view_bar_follow (MemlaneViewBar *self, MemlaneViewModel *view, const char *property,
                              GMenuModel *menu);
/* Offers the phases that one of @runs (element-type MemlaneRunItem) has; all where none has any.
 * The chosen one stays. */
void memlane_view_bar_offer (MemlaneViewBar *self, GPtrArray *runs);
