/* mode-choice.h: all modes by family, ticked together or one by one, and what each one is
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/device-choice.h"
#include "model/plan-model.h"
#include "model/view-model.h"

#define MEMLANE_TYPE_MODE_CHOICE (memlane_mode_choice_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneModeChoice, memlane_mode_choice, MEMLANE, MODE_CHOICE, AdwBin)

/* Ticks what is in @modes. @view (nullable): only the modes of the workload that it shows are
 * offered. @devices, where there is no view: a mode that the chosen one cannot run in the plan's
 * workload is insensitive and says why. @plan: its largest size, streams and chunks are what a
 * mode's program is shown for. Follows all of them for as long as it lives.
 * The members of a family are seen once it is opened; a family of one mode is that mode's row. */
void memlane_mode_choice_follow (MemlaneModeChoice *self, MemlaneModeSet *modes,
                                 MemlanePlanModel *plan, MemlaneViewModel *view,
                                 MemlaneDeviceChoice *devices);
