/* measure-all.h: all cells of a plan on a device that the test has opened
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "measure/measure.h"

static void
measure_all_cb (const MemlaneRun *run, const MemlaneMode *mode, double log2_elements, MemlaneCell *finished, gpointer user_data)
{
}

/* One round in the plan's order; (transfer full). */
static MemlaneRun *
measure_all (MemlaneDevice *device, const MemlanePlan *plan)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < memlane_plan_count_cells (plan); i++)
    g_array_append_val (order, i);
  return memlane_measure_round (device, plan, order, measure_all_cb, NULL, NULL);
}
