/* mode-row.h: one memory mode: ticked or not, how it is drawn, what it is
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/session.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_MODE_ROW (memlane_mode_row_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeRow, memlane_mode_row, MEMLANE, MODE_ROW, GtkBox)

/* What a tick means. */
typedef enum
{
  MEMLANE_MODES_PLAN, /* the next sweep measures it; insensitive, with the reason, where the device cannot run it */
  MEMLANE_MODES_VIEW, /* its curves are shown */
} MemlaneModePurpose;

/* Follows @session for as long as it lives. */
GtkWidget *memlane_mode_row_new (MemlaneSession *session, const MemlaneMode *mode, MemlaneModePurpose purpose);
/* (transfer none) */
GtkWidget *memlane_mode_row_get_check (MemlaneModeRow *self);
GtkWidget *memlane_mode_row_get_info_button (MemlaneModeRow *self);

G_END_DECLS
