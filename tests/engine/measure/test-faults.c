/* test-faults.c: a fault at every call of every mode
 *
 * For each mode, and for each workload in a mode that it makes sense in, every device call of a
 * cell fails in turn. Each time the cell must name the call, nothing may stay on the device, and
 * the next cell must be right.
 *
 * SPDX-License-Identifier: MIT
 */
#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "device/simulated/profile.h"
#include "measure/measure.h"

#define LOG2 8

static MemlaneReference *reference;

typedef struct
{
  const MemlaneMode *mode;
  MemlaneMethod method;
} Asked;

static char *
measure_once (MemlaneDevice *device, gpointer data)
{
  const Asked *asked = data;
  g_autoptr (MemlaneCell) cell = memlane_measure_cell (device, &asked->method, asked->mode, LOG2,
                                                       reference, NULL);

  /* A clean-up call that fails is nobody's business: there the cell has been measured. */
  if (cell->status == MEMLANE_STATUS_OK || cell->status == MEMLANE_STATUS_NOISY)
    return NULL;
  g_assert_cmpint (cell->status, ==, MEMLANE_STATUS_ERROR);
  g_assert_cmpint (cell->detail[0], !=, ':');
  return g_strdup (cell->detail);
}

static void
fail_every_call (const MemlaneWorkload *workload, const MemlaneMode *mode, MemlaneBeside beside)
{
  /* No time budget: the minimum of samples. All other cells of a size make the same calls. */
  Asked asked = {
    .mode = mode,
    .method = { .workload = workload, .precision = 1, .reuse = 1, .streams = 2, .chunks = 2,
                .beside = beside, .busy = beside == MEMLANE_BESIDE_COMPUTE ? 100 : 0 },
  };
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = NULL;
  g_autofree char *reason = NULL;
  guint tried;

  profile->info.capabilities |= MEMLANE_CAN_PAGEABLE_ACCESS | MEMLANE_CAN_PEER_COPY;
  device = memlane_simulated_device_new (profile, "simulated:faulty");
  if (!memlane_workload_is_supported (workload, mode, memlane_device_get_info (device), &reason))
    return;
  g_test_message ("%s %s", workload->id, mode->id);
  /* All but the clean-up of each set. */
  g_assert_cmpuint (2 * fail_each_call (device, measure_once, &asked, G_MAXUINT, &tried), >, tried);
  g_assert_cmpuint (tried, >, 20);
}

static void
test_workload (gconstpointer data)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < n; i++)
    fail_every_call (data, &modes[i], MEMLANE_BESIDE_NONE);
}

/* A background ends with its sample, whatever fails. */
static void
test_beside (void)
{
  for (MemlaneBeside beside = MEMLANE_BESIDE_COMPUTE; beside < MEMLANE_N_BESIDES; beside++)
    for (guint i = 0; i < 2; i++)
      fail_every_call (memlane_workload_find ("vector-add"),
                       memlane_mode_find (i == 0 ? "pinned-async" : "mapped"), beside);
}

int
main (int argc, char **argv)
{
  guint n;
  const MemlaneWorkload *workloads = memlane_workload_list (&n);
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strconcat ("/faults/", workloads[i].id, NULL);

      g_test_add_data_func (path, &workloads[i], test_workload);
    }
  g_test_add_func ("/faults/beside", test_beside);
  reference = memlane_reference_new (1 << LOG2, FALSE, 1, NULL, NULL);
  status = g_test_run ();
  memlane_reference_free (reference);
  return status;
}
