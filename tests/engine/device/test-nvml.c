/* test-nvml.c: what the management library tells of a GPU, on a library of our own
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <string.h>

#include "device/cuda/shared.h"

#define BUS "0000:1b:00.0"

static const char *fake;

static MemlaneNvml *
open_fake (const char *kind, GError **error)
{
  g_setenv ("MEMLANE_NVML", fake, TRUE);
  g_setenv ("FAKE_NVML", kind, TRUE);
  return memlane_nvml_new (BUS, error);
}

static void
test_state (void)
{
  g_autoptr (GError) error = NULL;
  MemlaneNvml *nvml = open_fake ("well", &error);
  void *library = dlopen (fake, RTLD_NOW);
  int (*is_open) (void), generation = 0, width = 0;
  MemlaneDeviceState state = { .known = TRUE };

  g_assert_no_error (error);
  *(void **) &is_open = dlsym (library, "fake_nvml_is_open");
  g_assert_true (memlane_nvml_get_state (nvml, &state, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (state.sm_mhz, ==, 1980);
  g_assert_cmpuint (state.memory_mhz, ==, 3201);
  g_assert_cmpuint (state.temperature_c, ==, 41);
  g_assert_cmpuint (state.throttle, ==, MEMLANE_THROTTLE_POWER_CAP); /* by the older of its two names */
  g_assert_true (memlane_throttle_is_void (state.throttle));

  memlane_nvml_get_link (nvml, &generation, &width);
  g_assert_cmpint (generation, ==, 5);
  g_assert_cmpint (width, ==, 0); /* this one does not tell */
  generation = 3;
  memlane_nvml_get_link (nvml, &generation, &width);
  g_assert_cmpint (generation, ==, 3); /* what is known already stays */

  g_assert_cmpint (is_open (), ==, 1);
  memlane_nvml_free (nvml);
  g_assert_cmpint (is_open (), ==, 0);
  dlclose (library);
}

static void
test_silent (void)
{
  g_autoptr (GError) error = NULL;
  MemlaneNvml *nvml = open_fake ("silent", &error);
  MemlaneDeviceState state = { 0 };

  g_assert_no_error (error);
  g_assert_false (memlane_nvml_get_state (nvml, &state, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED);
  memlane_nvml_free (nvml);
}

/* What a GPU does not tell is unknown, and a switch that it does not have is off. */
static void
test_setup (void)
{
  static const struct { const char *kind; MemlaneDeviceSetup setup; } cases[] = {
    { "well", { 5, 16, 0, 1, 0, 0, 350.5, 700, 1 } },
    { "old", { 5, 16, 0, 1, 0, 0, 350.5, 0, 0 } },
    { "silent", { 0, 0, 0, -1, -1, 0, 0, 0, -1 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const MemlaneDeviceSetup *expected = &cases[i].setup;
      g_autoptr (GError) error = NULL;
      MemlaneNvml *nvml = open_fake (cases[i].kind, &error);
      MemlaneDeviceSetup setup = { 9, 9, 9, 9, 9, 9, 9, 9, 9 };

      g_assert_no_error (error);
      memlane_nvml_get_setup (nvml, &setup);
      g_assert_cmpint (setup.link_generation, ==, expected->link_generation);
      g_assert_cmpint (setup.link_width, ==, expected->link_width);
      g_assert_cmpint (setup.own_generation, ==, expected->own_generation); /* this library is older than that call */
      g_assert_cmpint (setup.ecc, ==, expected->ecc);
      g_assert_cmpint (setup.persistence, ==, expected->persistence);
      g_assert_cmpint (setup.mig, ==, expected->mig);
      g_assert_cmpint (setup.confidential, ==, expected->confidential);
      g_assert_cmpfloat (setup.power_limit, ==, expected->power_limit);
      g_assert_cmpfloat (setup.usual_power_limit, ==, expected->usual_power_limit);
      memlane_nvml_free (nvml);
    }
}

/* Each says what is missing, and what stays unknown for it. */
static void
test_missing (void)
{
  static const struct { const char *library, *kind, *says; } cases[] = {
    { NULL, "refuse", "nvmlInit_v2: Driver Not Loaded" },
    { NULL, "foreign", "nvmlDeviceGetHandleByPciBusId_v2: Not Found" },
    { "/nowhere/libnvidia-ml.so.1", "", "dlopen: /nowhere/libnvidia-ml.so.1: cannot open" },
    { "libm.so.6", "", "libm.so.6: it lacks nvmlInit_v2" },
    { "no", "", "NVML: switched off by MEMLANE_NVML" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_setenv ("MEMLANE_NVML", cases[i].library != NULL ? cases[i].library : fake, TRUE);
      g_setenv ("FAKE_NVML", cases[i].kind, TRUE);
      g_assert_null (memlane_nvml_new (BUS, &error));
      g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED);
      g_assert_true (g_str_has_prefix (error->message, cases[i].says));
      g_assert_true (g_str_has_suffix (error->message, "; the GPU's clocks, temperature and throttling stay unknown"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, ==, 2);
  fake = argv[1];
  g_test_add_func ("/device/nvml/state", test_state);
  g_test_add_func ("/device/nvml/silent", test_silent);
  g_test_add_func ("/device/nvml/setup", test_setup);
  g_test_add_func ("/device/nvml/missing", test_missing);
  return g_test_run ();
}
