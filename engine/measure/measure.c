/* measure.c: a plan, cell by cell, in the calling thread
 *
 * SPDX-License-Identifier: MIT
 */
#include "measure.h"

#include "cell.h"
#include "device/affinity.h"
#include "environment.h"
#include "measure-floors.h"

static char *
make_run_id (const char *device_id, const char *workload)
{
  g_autoptr (GDateTime) time = g_date_time_new_now_utc ();
  g_autofree char *stamp = g_date_time_format (time, "%Y%m%dT%H%M%S");
  g_autofree char *base = g_path_get_basename (device_id);
  g_autofree char *id = g_strdup_printf ("%s.%03dZ-%s-%s", stamp, g_date_time_get_microsecond (time) / 1000, base, workload);

  /* One word in every shell and file system. */
  return g_strcanon (g_steal_pointer (&id), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.", '-');
}

/* Where a flag promises an effect, the sweep says what it saw: write-combined memory must be slower to read than pinned, or the flag did
 * nothing here. */
void
memlane_measure_compare_host_access (const MemlaneRun *run, MemlaneCell *cell)
{
  const MemlaneMode *mode = memlane_mode_find (cell->mode);
  const MemlaneCell *other = mode->host_access_like != NULL
                               ? memlane_run_find (run, cell->workload, mode->host_access_like, cell->log2_elements)
                               : NULL;
  const MemlanePhase phases[] = { MEMLANE_PHASE_HOST_WRITE, MEMLANE_PHASE_HOST_READ };

  for (guint i = 0; other != NULL && i < G_N_ELEMENTS (phases); i++)
    {
      MemlaneFigure *here = (MemlaneFigure *) memlane_cell_find (cell, phases[i], MEMLANE_CLOCK_HOST);
      const MemlaneFigure *there = memlane_cell_find (other, phases[i], MEMLANE_CLOCK_HOST);

      if (here != NULL && there != NULL && here->detail == NULL && there->statistics.median > 0)
        here->detail = g_strdup_printf ("%.2f times the time of %s", here->statistics.median / there->statistics.median,
                                        mode->host_access_like);
    }
}

/* The data for one size. A size that the host has no room for costs its own cells, not the run. */
static MemlaneReference *
make_reference (MemlaneDevice *device, guint log2_elements, guint64 seed, GCancellable *cancellable, GError **error)
{
  guint64 needed = (guint64) 4 * sizeof (float) << log2_elements, available, lockable;

  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && needed > available)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                   "not tried: the reference data takes %" G_GUINT64_FORMAT " MiB, and %" G_GUINT64_FORMAT
                   " MiB of host memory are free; choose a smaller size", needed >> 20, available >> 20);
      return NULL;
    }
  return memlane_reference_new ((gsize) 1 << log2_elements, seed, cancellable, error);
}

/* From here on the marks' times are those since @begun on the device's clock. */
static void
set_origin (MemlaneCell *cell, double begun)
{
  for (guint i = 0; i < cell->figures->len; i++)
    {
      MemlaneFigure *figure = cell->figures->pdata[i];

      for (guint k = 0; figure->marks != NULL && k < figure->statistics.count; k++)
        figure->marks[k].time -= begun;
    }
}

static MemlaneCell *
describe_unmeasured (const MemlanePlan *plan, const MemlaneMode *mode, guint log2_elements, const GError *reason)
{
  MemlaneCell *cell = memlane_cell_new (plan->method.workload->id, mode->id, log2_elements);

  cell->reuse = MAX (plan->method.reuse, 1);
  cell->status = memlane_status_from_error (reason);
  cell->detail = g_strdup (reason->message);
  return cell;
}

/* Of a device that has left its idle state. (transfer full) */
static char *
describe_surroundings (MemlaneDevice *device, const MemlanePlan *plan, const char *affinity)
{
  g_autoptr (GError) error = NULL;
  MemlaneSurroundings surroundings = { .affinity = affinity };

  if (!memlane_device_get_state (device, &surroundings.state, &error))
    surroundings.no_state = error->message;
  memlane_measure_floors (device, &surroundings.floors);
  return memlane_environment_describe (device, plan, &surroundings);
}

static void
ignore (const MemlaneRun *run, const MemlaneMode *mode, guint log2_elements, MemlaneCell *finished, gpointer user_data)
{
}

MemlaneRun *
memlane_measure (MemlaneDevice *device, const MemlanePlan *plan, MemlaneMeasureFunc tell, gpointer user_data, GCancellable *cancellable)
{
  return memlane_measure_from (device, plan, 0, tell, user_data, cancellable);
}

MemlaneRun *
memlane_measure_from (MemlaneDevice *device, const MemlanePlan *plan, guint first, MemlaneMeasureFunc tell, gpointer user_data,
                      GCancellable *cancellable)
{
  const MemlaneDeviceInfo *info = memlane_device_get_info (device);
  g_autofree char *run_id = make_run_id (info->id, plan->method.workload->id);
  cpu_set_t before;
  g_autofree char *affinity = memlane_affinity_bind_thread (info, &before);
  MemlaneRun *run = memlane_run_new (run_id, info->id, info->kind);
  double begun;
  guint n_modes = memlane_plan_count_cells (plan) / (plan->last_log2 - plan->first_log2 + 1);

  if (tell == NULL)
    tell = ignore;
  memlane_measure_warm_up (device);
  run->environment = describe_surroundings (device, plan, affinity);
  tell (run, NULL, 0, NULL, user_data);
  begun = memlane_device_clock (device);
  for (guint log2_elements = plan->first_log2 + first / n_modes; log2_elements <= plan->last_log2; log2_elements++)
    {
      g_autoptr (GError) no_data = NULL;
      MemlaneReference *reference = make_reference (device, log2_elements, plan->method.seed, cancellable, &no_data);

      guint i = log2_elements == plan->first_log2 + first / n_modes ? first % n_modes : 0;

      for (; plan->modes[i] != NULL && !g_cancellable_is_cancelled (cancellable) && !memlane_device_is_lost (device); i++)
        {
          const MemlaneMode *mode = plan->modes[i];
          MemlaneCell *cell;

          tell (run, mode, log2_elements, NULL, user_data);
          if (reference != NULL)
            {
              cell = memlane_measure_cell (device, &plan->method, mode, log2_elements, reference, cancellable);
              set_origin (cell, begun);
            }
          else
            cell = describe_unmeasured (plan, mode, log2_elements, no_data);
          memlane_measure_compare_host_access (run, cell);
          g_ptr_array_add (run->cells, cell);
          tell (run, mode, log2_elements, cell, user_data);
        }
      memlane_reference_free (reference);
    }
  memlane_affinity_restore_thread (&before);
  return run;
}
