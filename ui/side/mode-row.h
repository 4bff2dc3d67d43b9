/* mode-row.h: one memory mode in the plan: chosen or not, how it is drawn, what it is
 *
 * SPDX-License-Identifier: MIT
 *
 * Actions: mode.next (Down), mode.previous (Up): the focus goes to the same place in the row below or above.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_MODE_ROW (memlane_mode_row_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeRow, memlane_mode_row, MEMLANE, MODE_ROW, GtkBox)

/* Follows @session for as long as it lives. */
GtkWidget *memlane_mode_row_new (MemlaneSession *session, const MemlaneMode *mode);

G_END_DECLS
