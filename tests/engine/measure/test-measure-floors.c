/* test-measure-floors.c: the steps of clocks, what measuring costs, and what an environment keeps
 * of it
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "engine/noise.h"
#include "device/device-driver.h"
#include "engine/device-faults.h"
#include "device/simulated/profile.h"
#include "engine/set-environment.h"
#include "measure/environment.h"
#include "measure-all.h"

/* Steps of 32 ns as an H200's events have them, through the runtime's float milliseconds; and times
 * of which no step is common. */
static void
test_tick (void)
{
  static const double steps[] = { 1120, 1152, 2976, 58688, 61792 };
  static const double exact[] = { 1120.4, 1640.7, 2976.9, 8431.2, 91.7, 3303.1, 12.6 };
  double read[G_N_ELEMENTS (steps)];

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    read[i] = (double) (float) (steps[i] / 1e6) * 1e6;
  g_assert_cmpfloat_with_epsilon (memlane_find_tick (read, G_N_ELEMENTS (read)), 32, 1e-9);
  g_assert_cmpfloat_with_epsilon (memlane_find_tick (steps, G_N_ELEMENTS (steps)), 32, 1e-9);
  g_assert_cmpfloat (memlane_find_tick (exact, G_N_ELEMENTS (exact)), ==, 0);
  g_assert_cmpfloat (memlane_find_tick ((const double[]) { 17, 29, 31 }, 3), ==, 1);
  g_assert_cmpfloat (memlane_find_tick (NULL, 0), ==, 0);
  g_assert_cmpfloat (memlane_find_tick ((const double[]) { 0, 64, 96 }, 3), ==, 32);
}

/* Whatever call fails, the device is as good as before. */
static char *
measure_floors (MemlaneDevice *device, gpointer data)
{
  const MemlaneFloors *floors = data;
  MemlaneFloors again;

  memlane_measure_floors (device, &again);
  return again.n_kernels == floors->n_kernels ? NULL : g_strdup ("fault asked for: no kernels");
}

/* On a device whose costs are known. */
static void
test_measured (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = NULL;
  MemlaneFloors floors;
  guint tried;

  device = memlane_simulated_device_new (profile, "simulated:floors");
  memlane_measure_floors (device, &floors);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
  g_test_message ("ticks %g %g, pairs %g %g, launch %g", floors.device_tick_ns, floors.host_tick_ns,
                  floors.event_pair_ns, floors.host_pair_ns, floors.launch_ns);
  g_assert_cmpfloat (floors.host_pair_ns, >, 0);
  g_assert_cmpfloat (floors.launch_ns, >, 0);
  g_assert_cmpuint (floors.n_kernels, >, 1);
  for (guint i = 0; i < floors.n_kernels; i++)
    {
      g_test_message ("2^%u: %g alone, %g in a row", floors.kernels[i].log2_elements,
                      floors.kernels[i].alone_ns, floors.kernels[i].in_a_row_ns);
      g_assert_cmpfloat (floors.kernels[i].in_a_row_ns, >, 0);
      g_assert_cmpfloat (floors.kernels[i].alone_ns, >=, floors.kernels[i].in_a_row_ns);
      g_assert_cmpfloat (floors.kernels[i].alone_ns, >=, floors.event_pair_ns);
    }
  g_assert_cmpfloat_with_epsilon (
      memlane_floors_get_in_a_row (&floors, 1 << floors.kernels[1].log2_elements),
      floors.kernels[1].in_a_row_ns, 1e-6);
  g_assert_cmpfloat (memlane_floors_get_in_a_row (&floors, 1), ==, floors.kernels[0].in_a_row_ns);
  g_assert_cmpfloat (memlane_floors_get_in_a_row (&floors, 1e12), ==, 0);

  fail_each_call (device, measure_floors, &floors, 16, &tried);
  g_assert_cmpuint (tried, >, 16);
}

/* What the run's environment says is what was measured. */
static void
test_kept (void)
{
  g_autoptr (MemlaneDevice) device = memlane_device_open ("simulated:h200", NULL);
  g_autoptr (MemlanePlan) plan = memlane_plan_new ();
  g_autoptr (MemlaneRun) run = NULL;
  const MemlaneFloors *floors;

  g_assert_true (memlane_plan_set_modes (plan, "pinned", NULL)
                 && memlane_plan_set_sizes (plan, "4", NULL));
  run = measure_all (device, plan);
  floors = memlane_environment_get_floors (run->environment);
  g_assert_nonnull (floors);
  g_assert_cmpfloat (floors->launch_ns, >, 0);
  g_assert_cmpuint (floors->n_kernels, >, 1);
  g_assert_cmpuint (floors->kernels[0].log2_elements, ==, 10);
  g_assert_cmpfloat (floors->kernels[0].in_a_row_ns, >, 0);
  g_assert_cmpfloat (memlane_floors_get_tick (floors, MEMLANE_CLOCK_HOST), ==,
                     floors->host_tick_ns);
  g_assert_cmpfloat (memlane_floors_get_tick (floors, MEMLANE_CLOCK_ISSUE), ==,
                     floors->host_tick_ns);
  g_assert_cmpfloat (memlane_floors_get_tick (floors, MEMLANE_CLOCK_DEVICE), ==,
                     floors->device_tick_ns);

  set_environment (run, NULL);
  g_assert_null (memlane_environment_get_floors (run->environment));
}

/* A file that somebody has written: what makes no sense is not known. */
static void
test_strange (void)
{
  static const struct
  {
    const char *json;
    gboolean has;
    guint n_kernels;
    double tick, launch;
  } cases[] = {
    { "{}", FALSE, 0, 0, 0 },
    { "{\"floors\": 7}", FALSE, 0, 0, 0 },
    { "{\"floors\": {}}", TRUE, 0, 0, 0 },
    { "{\"floors\": {\"device_tick_ns\": -32, \"launch_ns\": 1e300}}", TRUE, 0, 0, 0 },
    { "{\"floors\": {\"device_tick_ns\": 32, \"launch_ns\": \"3\", \"kernels\": []}}", TRUE, 0, 32,
      0 },
    { "{\"floors\": {\"launch_ns\": 2e3, \"kernels\": {\"log2_elements\": [10, 10], \"alone_ns\": "
      "[1, 2], \"in_a_row_ns\": [1, 2]}}}",
      TRUE, 0, 0, 2000 },
    { "{\"floors\": {\"kernels\": {\"log2_elements\": [10, 12], \"alone_ns\": [1], "
      "\"in_a_row_ns\": [1, 2]}}}",
      TRUE, 0, 0, 0 },
    { "{\"floors\": {\"kernels\": {\"log2_elements\": [10, 12], \"alone_ns\": [3, null], "
      "\"in_a_row_ns\": [1, 2]}}}",
      TRUE, 2, 0, 0 },
    { "no JSON", FALSE, 0, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (MemlaneRun) run = memlane_run_new ("a", "cuda:0", "cuda");
      const MemlaneFloors *floors;

      set_environment (run, cases[i].json != NULL ? "%s" : NULL, cases[i].json);
      floors = memlane_environment_get_floors (run->environment);
      g_assert_cmpint (floors != NULL, ==, cases[i].has);
      if (floors == NULL)
        continue;
      g_assert_cmpuint (floors->n_kernels, ==, cases[i].n_kernels);
      g_assert_cmpfloat (floors->device_tick_ns, ==, cases[i].tick);
      g_assert_cmpfloat (floors->launch_ns, ==, cases[i].launch);
    }
}

/* A device of two states: probes tell them apart, each kind by as much as the states differ. */
static void
test_states (void)
{
  g_autoptr (MemlaneProfile) profile = memlane_profile_new ();
  g_autoptr (MemlaneDevice) device = NULL;
  MemlaneHostProber *prober;
  MemlaneHostProbe probe, least = { { 0 } }, most = { { 0 } };
  const Noise law = { .state_ratio = 1.4, .state_dwell_ns = 1e8, .seed = 3 };
  NoiseState state;

  noise_set (profile, &law, &state);
  device = memlane_simulated_device_new (profile, "simulated:states");
  prober = memlane_host_prober_new (device);
  for (guint i = 0; i < 100; i++)
    {
      memlane_host_prober_run (prober, &probe);
      for (guint k = 0; k < MEMLANE_N_PROBES; k++)
        {
          g_assert_cmpfloat (probe.ns[k], >, 0);
          least.ns[k] = i > 0 ? MIN (least.ns[k], probe.ns[k]) : probe.ns[k];
          most.ns[k] = MAX (most.ns[k], probe.ns[k]);
        }
      memlane_device_pause (device, 3e7);
    }
  for (guint k = 0; k < MEMLANE_N_PROBES; k++)
    g_assert_cmpfloat_with_epsilon (most.ns[k] / least.ns[k], 1.4, 0.01);

  /* Whatever call fails, the cell that comes next is told, and not this. */
  for (guint i = 1; i <= 3; i++)
    {
      memlane_device_fail_call (device, i);
      memlane_host_prober_run (prober, &probe);
      g_assert_cmpfloat (probe.ns[0], ==, 0);
    }
  memlane_host_prober_free (prober);
  g_assert_cmpuint (memlane_device_get_outstanding (device), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/floors/tick", test_tick);
  g_test_add_func ("/floors/measured", test_measured);
  g_test_add_func ("/floors/states", test_states);
  g_test_add_func ("/floors/kept", test_kept);
  g_test_add_func ("/floors/strange", test_strange);
  return g_test_run ();
}
