/* plan-panel.h: what the next sweep measures: workload, modes, sizes, method; and how long that
 * takes
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/sweep-job.h"

#define MEMLANE_TYPE_PLAN_PANEL (memlane_plan_panel_get_type ())
G_DECLARE_FINAL_TYPE (MemlanePlanPanel, memlane_plan_panel, MEMLANE, PLAN_PANEL, AdwBin)

/* Follows all three for as long as it lives. Changes count for the next run; one that is under way
 * has its own copy of the plan. */
GtkWidget *memlane_plan_panel_new (MemlanePlanModel *plan, MemlaneDeviceChoice *devices,
                                   MemlaneSweepJob *sweep);
/* One column instead of two. */
void memlane_plan_panel_set_narrow (MemlanePlanPanel *self, gboolean narrow);
