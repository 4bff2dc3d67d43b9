/* public.c: what libmemlane's users read of its records, and what they may set
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/fail.h"
#include "device/device.h"
#include "job/sweep.h"
#include "measure/plan.h"
#include "mode/workload.h"
#include "result/csv.h"
#include "result/run.h"

#include "public/memlane.h" /* the compiler compares its declarations with those above */

/* --- devices ---------------------------------------------------------------------------------- */

const char *
memlane_device_listing_get_id (const MemlaneDeviceListing *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->id;
}

const char *
memlane_device_listing_get_name (const MemlaneDeviceListing *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->name;
}

const char *
memlane_device_listing_get_obstacle (const MemlaneDeviceListing *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->reason;
}

/* --- modes and workloads ---------------------------------------------------------------------- */

const MemlaneMode *
memlane_mode_get (guint index)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  return index < n ? &modes[index] : NULL;
}

const char *
memlane_mode_get_id (const MemlaneMode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->id;
}

const char *
memlane_mode_get_title (const MemlaneMode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->title;
}

const char *
memlane_mode_get_summary (const MemlaneMode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->summary;
}

const char *
memlane_mode_get_calls (const MemlaneMode *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->calls;
}

const MemlaneWorkload *
memlane_workload_get (guint index)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);

  return index < n ? &workloads[index] : NULL;
}

const char *
memlane_workload_get_id (const MemlaneWorkload *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->id;
}

const char *
memlane_workload_get_title (const MemlaneWorkload *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->title;
}

const char *
memlane_workload_get_summary (const MemlaneWorkload *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->summary;
}

/* --- plans ------------------------------------------------------------------------------------ */

static gboolean
check (const char *what, guint found, guint most, GError **error)
{
  return (found >= 1 && found <= most)
         || memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                          "%s: found %u, expected a whole number from 1 to %u", what, found, most);
}

gboolean
memlane_plan_set_workload (MemlanePlan *self, const char *id, GError **error)
{
  const MemlaneWorkload *workload;

  g_return_val_if_fail (self != NULL && id != NULL, FALSE);
  workload = memlane_workload_find (id);
  if (workload == NULL)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "unknown workload \"%s\"",
                         id);
  self->method.workload = workload;
  return TRUE;
}

gboolean
memlane_plan_set_reuse (MemlanePlan *self, guint reuse, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!check ("reuse", reuse, MEMLANE_MOST_REUSE, error))
    return FALSE;
  self->method.reuse = reuse;
  return TRUE;
}

gboolean
memlane_plan_set_schedule (MemlanePlan *self, guint streams, guint chunks, GError **error)
{
  guint most;

  g_return_val_if_fail (self != NULL, FALSE);
  most = self->method.workload->of_pieces ? MEMLANE_MOST_PIECES : MEMLANE_MOST_CHUNKS;
  if (!check ("streams", streams, MEMLANE_MOST_STREAMS, error)
      || !check ("chunks", chunks, most, error))
    return FALSE;
  self->method.streams = streams;
  self->method.chunks = chunks;
  return TRUE;
}

gboolean
memlane_plan_set_rounds (MemlanePlan *self, guint rounds, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  if (!check ("rounds", rounds, MEMLANE_MOST_ROUNDS, error))
    return FALSE;
  self->method.rounds = rounds;
  return TRUE;
}

/* --- runs ------------------------------------------------------------------------------------- */

const char *
memlane_run_get_id (const MemlaneRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->id;
}

const char *
memlane_run_get_device (const MemlaneRun *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->device;
}

guint
memlane_run_count_cells (const MemlaneRun *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->cells->len;
}

const MemlaneCell *
memlane_run_get_cell (const MemlaneRun *self, guint index)
{
  g_return_val_if_fail (self != NULL, NULL);
  return index < self->cells->len ? self->cells->pdata[index] : NULL;
}

const char *
memlane_cell_get_workload (const MemlaneCell *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->workload;
}

const char *
memlane_cell_get_mode (const MemlaneCell *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->mode;
}

guint64
memlane_cell_get_elements (const MemlaneCell *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->elements;
}

guint
memlane_cell_get_reuse (const MemlaneCell *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->reuse;
}

MemlaneStatus
memlane_cell_get_status (const MemlaneCell *self)
{
  g_return_val_if_fail (self != NULL, MEMLANE_STATUS_ERROR);
  return self->status;
}

const char *
memlane_cell_get_detail (const MemlaneCell *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->detail;
}

double
memlane_figure_get_ns (const MemlaneFigure *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->statistics.median;
}

double
memlane_figure_get_low_ns (const MemlaneFigure *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->statistics.low;
}

double
memlane_figure_get_high_ns (const MemlaneFigure *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->statistics.high;
}

guint
memlane_figure_count_rounds (const MemlaneFigure *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->n_rounds;
}

/* --- sweeps ----------------------------------------------------------------------------------- */

MemlaneRun *
memlane_sweep_run_finish (MemlaneSweep *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (MEMLANE_IS_SWEEP (self) && g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

double
memlane_sweep_get_fraction (MemlaneSweep *self)
{
  g_return_val_if_fail (MEMLANE_IS_SWEEP (self), 0);
  return memlane_sweep_get_progress (self)->fraction;
}

const char *
memlane_sweep_get_trouble (MemlaneSweep *self)
{
  g_return_val_if_fail (MEMLANE_IS_SWEEP (self), NULL);
  return memlane_sweep_get_progress (self)->trouble;
}
