/* workload-choice.h: a drop-down of all workloads
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "memlane.h"

#define MEMLANE_TYPE_WORKLOAD_CHOICE (memlane_workload_choice_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneWorkloadChoice, memlane_workload_choice, MEMLANE, WORKLOAD_CHOICE,
                      AdwBin)

/* @property: of @model: "workload" of a MemlanePlanModel, "shown-workload" of a MemlaneViewModel.
 * @summary: what it does stands beneath; else in the
 * tooltip. Follows @model for as long as it lives. */
void memlane_workload_choice_follow (MemlaneWorkloadChoice *self, GObject *model,
                                     const char *property, gboolean summary);
