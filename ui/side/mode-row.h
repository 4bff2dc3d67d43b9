/* mode-row.h: one memory mode: ticked or not, how it is drawn, what it is
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/device-choice.h"
#include "model/plan-model.h"

#define MEMLANE_TYPE_MODE_ROW (memlane_mode_row_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeRow, memlane_mode_row, MEMLANE, MODE_ROW, GtkBox)

/* A tick puts @mode into @modes. @devices (nullable): where the chosen one cannot run the mode in the plan's workload, the row is
 * insensitive and says why. @plan: what the mode's program is shown for. Follows all three for as long as it lives. */
GtkWidget *memlane_mode_row_new (MemlaneModeSet *modes, MemlanePlanModel *plan, MemlaneDeviceChoice *devices, const MemlaneMode *mode);
/* (transfer none) */
GtkWidget *memlane_mode_row_get_check (MemlaneModeRow *self);
GtkWidget *memlane_mode_row_get_info_button (MemlaneModeRow *self);
