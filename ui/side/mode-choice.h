/* mode-choice.h: all modes by family, ticked together or one by one
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "mode-row.h"

#define MEMLANE_TYPE_MODE_CHOICE (memlane_mode_choice_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeChoice, memlane_mode_choice, MEMLANE, MODE_CHOICE, AdwBin)

/* Ticks what is in @modes, with @plan and @devices (nullable) as of memlane_mode_row_new(); follows them for as long as it lives. The
 * members
 * of a family are seen once it is opened; a family of one mode is that mode's row. */
void memlane_mode_choice_follow (MemlaneModeChoice *self, MemlaneModeSet *modes, MemlanePlanModel *plan, MemlaneDeviceChoice *devices);
