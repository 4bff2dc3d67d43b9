/* test-method.c: what every mode has alike: fresh inputs, lead-ins of their own, the first read, what runs beside
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "device/simulated/profile.h"
#include "measure/measure.h"
#include "mode/transfer.h"

#define LOG2 10
#define ELEMENTS ((gsize) 1 << LOG2)
#define BYTES (ELEMENTS * sizeof (float))
#define MARK 0x5a

static MemlaneReference *reference;

typedef struct
{
  MemlaneDevice *device;
  MemlaneMethod method;
  MemlaneRecipe *recipe; /* NULL: there is no such pair */
} Bench;

static MemlaneDevice *
open_with (void (*change) (MemlaneProfile *profile))
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();

  profile->info.capabilities |= MEMLANE_CAN_PAGEABLE_ACCESS | MEMLANE_CAN_PEER_COPY;
  if (change != NULL)
    change (profile);
  return memlane_simulated_device_new (profile, "simulated:method");
}

static gboolean
bench_open (Bench *bench, const MemlaneWorkload *workload, const MemlaneMode *mode)
{
  g_autofree char *reason = NULL;
  g_autoptr (GError) error = NULL;

  bench->method = (MemlaneMethod) { .workload = workload, .reuse = 1, .streams = 2, .chunks = 4 };
  if (!memlane_workload_is_supported (workload, mode, memlane_device_get_info (bench->device), &reason))
    return FALSE;
  bench->recipe = memlane_recipe_new (bench->device, &bench->method, mode, ELEMENTS, reference, &error);
  g_assert_no_error (error);
  g_assert_true (memlane_buffers_allocate (bench->recipe->buffers, &error));
  g_assert_true (memlane_recipe_write_inputs (bench->recipe, &error));
  g_assert_true (memlane_recipe_settle (bench->recipe, &error));
  g_assert_true (memlane_recipe_allocate_lead_in (bench->recipe, &error));
  g_assert_no_error (error);
  return TRUE;
}

static void
bench_close (Bench *bench)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (memlane_buffers_release_lead (bench->recipe->buffers, &error));
  g_clear_pointer (&bench->recipe, memlane_recipe_free);
  g_assert_cmpuint (memlane_device_get_outstanding (bench->device), ==, 0);
}

static void
for_each_pair (Bench *bench, void (*look) (Bench *bench))
{
  guint n_modes, n_workloads;
  const MemlaneMode *modes = memlane_mode_list (&n_modes);
  const MemlaneWorkload *workloads = memlane_workload_list (&n_workloads);

  for (guint i = 0; i < n_workloads; i++)
    for (guint j = 0; j < n_modes; j++)
      if (bench_open (bench, &workloads[i], &modes[j]))
        {
          look (bench);
          bench_close (bench);
        }
}

/* Whatever the host's side of the inputs was, a sample starts with what the host has just written there. */
static void
look_at_inputs (Bench *bench)
{
  MemlaneBuffers *buffers = bench->recipe->buffers;
  g_autoptr (GError) error = NULL;

  const MemlaneScatter *scatter = buffers->scatter;

  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (buffers->input[i].on & MEMLANE_ON_HOST)
      g_assert_true (memlane_device_host_fill (bench->device, buffers->input[i].host, MARK, buffers->host_bytes, &error));
  g_assert_true (memlane_recipe_prepare (bench->recipe, FALSE, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if ((buffers->input[i].on & MEMLANE_ON_HOST) && scatter == NULL)
      g_assert_cmpmem (buffers->input[i].host, BYTES, reference->input[i], BYTES);
  for (guint i = 0; scatter != NULL && (buffers->input[0].on & MEMLANE_ON_HOST) && i < scatter->n; i++)
    {
      gsize in_vector, in_pool, elements = memlane_scatter_get_piece (scatter, i, &in_vector, &in_pool);

      g_assert_cmpmem ((float *) buffers->input[0].host + in_pool, elements * sizeof (float), reference->input[0] + in_vector,
                       elements * sizeof (float));
    }
}

static void
test_inputs (void)
{
  Bench bench = { .device = open_with (NULL) };

  for_each_pair (&bench, look_at_inputs);
  memlane_device_close (bench.device);
}

static guint led_in;

/* A lead-in leaves every vector as it is, and its pages where they are. */
static void
look_at_lead_in (Bench *bench)
{
  MemlaneBuffers *buffers = bench->recipe->buffers;
  MemlaneVector *vectors[] = { &buffers->input[0], &buffers->input[1], &buffers->output };
  g_autofree char *marks = g_malloc (BYTES), *found = g_malloc (BYTES);
  g_autoptr (GError) error = NULL;

  memset (marks, MARK, BYTES);
  for (guint k = 0; k < bench->recipe->n_steps; k++)
    if (bench->recipe->steps[k].lead_in != NULL)
      {
        led_in++;
        for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
          {
            if (vectors[i]->host != NULL)
              g_assert_true (memlane_device_host_fill (bench->device, vectors[i]->host, MARK, BYTES, &error));
            if (vectors[i]->buffer != NULL)
              g_assert_true (memlane_device_memset_async (bench->device, vectors[i]->buffer, MARK + 1, BYTES, NULL, &error));
          }
        g_assert_true (memlane_device_synchronize (bench->device, &error));
        g_assert_true (bench->recipe->steps[k].lead_in (bench->recipe->buffers, &error));
        g_assert_true (memlane_device_synchronize (bench->device, &error));
        g_assert_no_error (error);
        for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
          {
            if (vectors[i]->host != NULL)
              g_assert_cmpmem (vectors[i]->host, BYTES, marks, BYTES);
            if (vectors[i]->buffer == NULL)
              continue;
            g_assert_true (memlane_device_memcpy (bench->device, found, vectors[i]->buffer, BYTES, MEMLANE_COPY_TO_HOST, &error));
            g_assert_cmpint (found[0], ==, MARK + 1);
            g_assert_cmpint (found[BYTES - 1], ==, MARK + 1);
          }
      }
}

static void
test_lead_in (void)
{
  Bench bench = { .device = open_with (NULL) };

  led_in = 0;
  for_each_pair (&bench, look_at_lead_in);
  g_assert_cmpuint (led_in, >, 10);
  memlane_device_close (bench.device);
}

static MemlaneCell *
measure (MemlaneDevice *device, const char *workload, const char *mode, gboolean cold_cache)
{
  const MemlaneMethod method = {
    .workload = memlane_workload_find (workload), .precision = 0.05, .cell_seconds = 0.25, .reuse = 1, .streams = 2, .chunks = 4,
    .cold_cache = cold_cache,
  };

  return memlane_measure_cell (device, &method, memlane_mode_find (mode), LOG2, reference, NULL);
}

/* A cold sample flushes, each time, outside of what is timed: virtual time passes, and no figure changes here. */
static void
test_cold_cache (void)
{
  MemlaneDevice *device = open_with (NULL);
  guint64 calls[2];
  double medians[2];

  for (guint cold = 0; cold < 2; cold++)
    {
      g_autoptr (MemlaneCell) cell = NULL;
      const MemlaneFigure *kernel;

      calls[cold] = memlane_device_get_call_count (device);
      cell = measure (device, "vector-add", "pinned-async", cold);
      calls[cold] = memlane_device_get_call_count (device) - calls[cold];
      kernel = memlane_cell_find (cell, MEMLANE_PHASE_KERNEL, MEMLANE_CLOCK_DEVICE);
      medians[cold] = kernel->statistics.median;
      if (cold)
        g_assert_cmpuint (calls[1] - calls[0], >=, kernel->statistics.count);
    }
  g_assert_cmpfloat_with_epsilon (medians[1], medians[0], 1e-6 * medians[0]);
  memlane_device_close (device);
}

static double
get_estimate (const MemlaneCell *cell, MemlanePhase phase, MemlaneClock clock)
{
  const MemlaneFigure *figure = memlane_cell_find (cell, phase, clock);

  if (figure == NULL)
    g_error ("%s beside %s: no %s: %s", cell->mode, memlane_beside_name (cell->beside),
             memlane_phase_name (phase), cell->detail);
  return figure->statistics.median;
}

typedef struct
{
  double elapsed, background, alone;
} Beside;

static Beside
measure_beside (MemlaneDevice *device, const char *mode, MemlaneBeside beside, guint busy)
{
  const MemlaneMethod method = {
    .workload = memlane_workload_find ("copy-to-device"),
    .precision = 0.05,
    .cell_seconds = 0.25,
    .reuse = 1,
    .streams = 2,
    .chunks = 4,
    .beside = beside,
    .busy = busy,
  };
  g_autoptr (MemlaneCell) cell = memlane_measure_cell (device, &method, memlane_mode_find (mode),
                                                       LOG2, reference, NULL);
  Beside result = { .elapsed = get_estimate (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST) };

  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  g_assert_cmpint (cell->beside, ==, beside);
  g_assert_cmpuint (cell->busy, ==, busy);
  g_assert_true ((memlane_cell_find (cell, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST) != NULL)
                 == (beside == MEMLANE_BESIDE_NONE));
  if (beside == MEMLANE_BESIDE_NONE)
    g_assert_null (memlane_cell_find (cell, MEMLANE_PHASE_BACKGROUND, MEMLANE_CLOCK_DEVICE));
  else
    {
      if (memlane_cell_find (cell, MEMLANE_PHASE_BACKGROUND, MEMLANE_CLOCK_DEVICE) != NULL)
        result.background = get_estimate (cell, MEMLANE_PHASE_BACKGROUND, MEMLANE_CLOCK_DEVICE);
      result.alone = get_estimate (cell, MEMLANE_PHASE_BACKGROUND_ALONE, MEMLANE_CLOCK_DEVICE);
    }
  return result;
}

/* Copy engines need no multiprocessor, and kernels do. A copy waits for the copies that are queued
 * before it; a kernel shares the link with them, and each holds up the other. */
static void
test_beside (void)
{
  MemlaneDevice *device = open_with (NULL);
  const Beside copy = measure_beside (device, "pinned-async", MEMLANE_BESIDE_NONE, 0);
  const Beside kernel = measure_beside (device, "mapped", MEMLANE_BESIDE_NONE, 0);
  Beside beside;

  beside = measure_beside (device, "pinned-async", MEMLANE_BESIDE_COMPUTE, 100);
  g_assert_cmpfloat_with_epsilon (beside.elapsed, copy.elapsed, 0.01 * copy.elapsed);
  g_assert_cmpfloat_with_epsilon (beside.background, beside.alone, 0.01 * beside.alone);
  beside = measure_beside (device, "mapped", MEMLANE_BESIDE_COMPUTE, 100);
  g_assert_cmpfloat (beside.elapsed - kernel.elapsed, >, 0.1 * MEMLANE_BACKGROUND_LAUNCH_NS);
  g_assert_cmpfloat (beside.elapsed - kernel.elapsed, <, 1.1 * MEMLANE_BACKGROUND_LAUNCH_NS);
  beside = measure_beside (device, "mapped", MEMLANE_BESIDE_COMPUTE, 50);
  g_assert_cmpfloat_with_epsilon (beside.elapsed, kernel.elapsed, 0.01 * kernel.elapsed);

  beside = measure_beside (device, "pinned-async", MEMLANE_BESIDE_COPIES_UP, 0);
  g_assert_cmpfloat (beside.elapsed, >, copy.elapsed + 1e6); /* all that is queued before it */
  g_assert_cmpfloat (beside.background, ==, 0);              /* which has ended then */
  beside = measure_beside (device, "mapped", MEMLANE_BESIDE_BOTH, 0);
  g_assert_cmpfloat (beside.elapsed, >, kernel.elapsed);
  g_assert_cmpfloat (beside.background, >, beside.alone);
  memlane_device_close (device);
}

/* One background at a time; to stop none is no error. */
static void
test_one_beside (void)
{
  MemlaneDevice *device = open_with (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      memlane_device_background_start (device, MEMLANE_BESIDE_COPIES_UP, 0, 1e6, &error));
  g_assert_false (
      memlane_device_background_start (device, MEMLANE_BESIDE_COPIES_UP, 0, 1e6, &error));
  g_assert_nonnull (strstr (error->message, "one runs already"));
  g_assert_true (memlane_device_background_stop (device, NULL));
  g_assert_true (memlane_device_background_stop (device, NULL));
  memlane_device_close (device);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  reference = memlane_reference_new (ELEMENTS, FALSE, 7, NULL, NULL);
  g_test_add_func ("/method/inputs", test_inputs);
  g_test_add_func ("/method/lead-in", test_lead_in);
  g_test_add_func ("/method/cold-cache", test_cold_cache);
  g_test_add_func ("/method/beside", test_beside);
  g_test_add_func ("/method/beside/one", test_one_beside);
  result = g_test_run ();
  memlane_reference_free (reference);
  return result;
}
