/* mode-info.h: what a memory mode is, the calls it makes, what to look for: the popover behind (i)
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/plan-model.h"

#define MEMLANE_TYPE_MODE_INFO (memlane_mode_info_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeInfo, memlane_mode_info, MEMLANE, MODE_INFO, GtkPopover)

/* @plan: its largest size, streams and chunks are what the mode's program is shown for. */
GtkWidget *memlane_mode_info_new (MemlanePlanModel *plan, const MemlaneMode *mode);
