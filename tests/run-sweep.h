/* run-sweep.h: a sweep from beginning to end, for programs without a main loop
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "job/sweep.h"

static void
take_sweep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Returns: (transfer full), or NULL with @error, as the end of memlane_sweep_run_async(). */
static MemlaneRun *
run_sweep (MemlaneSweep *self, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GAsyncResult) result = NULL;

  g_main_context_push_thread_default (context);
  memlane_sweep_run_async (self, NULL, take_sweep_result, &result);
  while (result == NULL)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  return g_task_propagate_pointer (G_TASK (result), error);
}
