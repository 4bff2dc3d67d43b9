/* plan-method.h: how a cell is measured: precision, time, reuse, streams, chunks
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/plan-model.h"

#define MEMLANE_TYPE_PLAN_METHOD (memlane_plan_method_get_type ())
G_DECLARE_FINAL_TYPE (MemlanePlanMethod, memlane_plan_method, MEMLANE, PLAN_METHOD, GtkBox)

/* Binds the settings to @plan's properties, both ways. Once. */
void memlane_plan_method_follow (MemlanePlanMethod *self, MemlanePlanModel *plan);
