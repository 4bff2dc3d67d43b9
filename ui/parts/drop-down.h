/* drop-down.h: a drop-down that may be narrower than its longest entry
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* @drop_down's list is of GtkStringObject. Its button shows "…" where there is no room; the list behind it stays as it is. */
void memlane_drop_down_ellipsize (GtkDropDown *drop_down);
