/* test-faults.c: a fault at every call of every mode
 *
 * For each mode (and for each workload in a mode that it makes sense in), the k-th device call of a cell fails, for every k until the cell
 * passes untouched. Each time the cell must name the call, nothing may stay on the device, and the next cell must be right.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "device/simulated/profile.h"
#include "measure/measure.h"

#define LOG2 8

static void
fail_every_call (const MemlaneWorkload *workload, const MemlaneMode *mode, MemlaneBeside beside,
                 MemlaneReference *reference)
{
  /* No time budget: the minimum of samples. All other cells of a size make the same calls. */
  const MemlaneMethod shortest = {
    .workload = workload,
    .precision = 1,
    .cell_seconds = 0,
    .reuse = 1,
    .streams = 2,
    .chunks = 2,
    .beside = beside,
    .busy = beside == MEMLANE_BESIDE_COMPUTE ? 100 : 0,
  };
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  MemlaneDevice *device;
  guint64 before, calls;
  g_autofree char *reason = NULL;
  guint named = 0;

  profile->info.capabilities |= MEMLANE_CAN_PAGEABLE_ACCESS | MEMLANE_CAN_PEER_COPY;
  device = memlane_simulated_device_new (profile, "simulated:faulty");
  if (!memlane_workload_is_supported (workload, mode, memlane_device_get_info (device), &reason))
    {
      memlane_device_close (device);
      return;
    }

  before = memlane_device_get_call_count (device);
  memlane_cell_unref (memlane_measure_cell (device, &shortest, mode, LOG2, reference, NULL));
  calls = memlane_device_get_call_count (device) - before;
  g_assert_cmpuint (calls, >, 20);

  for (guint64 k = 1; k <= calls; k++)
    {
      g_autoptr (MemlaneCell) cell = NULL;

      memlane_device_fail_call (device, k);
      cell = memlane_measure_cell (device, &shortest, mode, LOG2, reference, NULL);
      memlane_device_fail_call (device, 0);
      if (memlane_device_get_outstanding (device) != 0)
        g_error ("%s %s: call %" G_GUINT64_FORMAT " failed (%s): %u things were left on the device", workload->id, mode->id, k,
                 cell->detail, memlane_device_get_outstanding (device));
      /* Clean-up calls that fail are nobody's business: there the cell has been measured. */
      if (cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY)
        continue;
      g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_ERROR);
      g_assert_nonnull (cell->detail);
      g_assert_nonnull (strstr (cell->detail, "fault asked for"));
      g_assert_cmpint (cell->detail[0], !=, ':');
      named++;
    }
  /* All but the clean-up of each set. */
  g_assert_cmpuint (named, >, calls / 2);

  {
    g_autoptr (MemlaneCell) next = memlane_measure_cell (device, &shortest, mode, LOG2, reference, NULL);

    g_assert_true (next->status == MEMLANE_STATUS_OK || next->status == MEMLANE_STATUS_NOISY);
  }
  memlane_device_close (device);
}

static void
test_workload (gconstpointer data)
{
  const MemlaneWorkload *workload = data;
  MemlaneReference *reference = memlane_reference_new (1 << LOG2, FALSE, 1, NULL, NULL);
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    fail_every_call (workload, &modes[i], MEMLANE_BESIDE_NONE, reference);
  memlane_reference_free (reference);
}

/* A background ends with its sample, whatever fails. */
static void
test_beside (void)
{
  MemlaneReference *reference = memlane_reference_new (1 << LOG2, FALSE, 1, NULL, NULL);

  for (MemlaneBeside beside = MEMLANE_BESIDE_COMPUTE; beside < MEMLANE_N_BESIDES; beside++)
    for (guint i = 0; i < 2; i++)
      fail_every_call (memlane_workload_find ("vector-add"),
                       memlane_mode_find (i == 0 ? "pinned-async" : "mapped"), beside, reference);
  memlane_reference_free (reference);
}

int
main (int argc, char **argv)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/faults/", workloads[i].id, NULL);

      g_test_add_data_func (path, &workloads[i], test_workload);
    }
  g_test_add_func ("/faults/beside", test_beside);
  return g_test_run ();
}
