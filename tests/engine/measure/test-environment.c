/* test-environment.c: the JSON beside a run says what is known, and nothing else
 *
 * SPDX-License-Identifier: MIT
 */
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>

#include "device/device-driver.h"
#include "engine/golden-text.h"
#include "mode/mode.h"
#include "measure/environment.h"

static const MemlaneMode first = { .id = "pageable" }, second = { .id = "pinned" };
static const MemlaneWorkload workload = { .id = "vector-add" };

/* Checks what differs from machine to machine, and takes it away. */
static void
take_own (JsonObject *root)
{
  JsonObject *memlane = json_object_get_object_member (root, "memlane"), *host = json_object_get_object_member (root, "host");
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (json_object_get_string_member (root, "date"), NULL);

  g_assert_nonnull (date);
  g_assert_cmpint (ABS (g_date_time_to_unix (date) - g_get_real_time () / G_USEC_PER_SEC), <, 60);
  g_assert_cmpuint (strlen (json_object_get_string_member (memlane, "version")), >, 0);
  g_assert_cmpuint (strlen (json_object_get_string_member (memlane, "commit")), >, 0);
  g_assert_cmpstr (json_object_get_string_member (host, "name"), ==, g_get_host_name ());
  g_assert_cmpuint (strlen (json_object_get_string_member (host, "boot_id")), ==, 36);
  g_assert_cmpint (json_object_get_int_member (host, "logical_cpus"), >, 0);
  g_assert_cmpint (json_object_get_int_member (host, "memory_bytes"), >, 0);
  g_assert_cmpint (json_object_get_int_member (host, "page_bytes"), >=, 4096);
  g_assert_true (g_str_has_prefix (json_object_get_string_member (host, "kernel"), "Linux "));
  json_object_remove_member (root, "date");
  json_object_remove_member (root, "memlane");
  json_object_remove_member (root, "host");
}

/* Adds the environment to @text; @only (nullable): one member of it. */
static void
tell (GString *text, const char *what, const MemlaneDeviceInfo *info, const MemlanePlan *plan,
      const MemlaneSurroundings *surroundings, const char *only)
{
  MemlaneDevice device = { .info = *info, .first_pinned_ns = 650e3 };
  g_autoptr (MemlaneEnvironment) environment = memlane_environment_describe (&device, plan, surroundings);
  const char *json = memlane_environment_get_json (environment);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_from_string (json, &error);
  g_autofree char *told = NULL;

  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (json, "}\n"));
  g_assert_nonnull (strstr (json, "\n  \"device\" : {"));
  take_own (json_node_get_object (root));
  told = json_to_string (only != NULL ? json_object_get_member (json_node_get_object (root), only) : root, TRUE);
  g_string_append_printf (text, "\n%s\n%s\n", what, told);
}

/* A device of which much is known. */
static void
tell_known (GString *text)
{
  const MemlaneMode *modes[] = { &first, &second, NULL };
  const MemlaneDeviceInfo info = {
    .id = (char *) "simulated:h200", .kind = (char *) "simulated", .simulated = TRUE,
    .name = (char *) "NVIDIA H200 \"simulated\"", .driver = (char *) "580.1",
    .capabilities = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_COPY_ASYNC, .compute_major = 9, .multiprocessors = 132, .copy_engines = 3,
    .numa_node = 1, .memory_bytes = G_GUINT64_CONSTANT (150000000000), .memory_bandwidth = 4.8e12, .link_generation = 5, .link_width = 16,
    .uuid = (char *) "GPU-1",
    .link_bandwidth = 63015384615.384613, .profile = (char *) "/usr/share/memlane/devices/h200.device", .calibrated_from = (char *) "run-1",
  };
  const MemlanePlan plan = {
    .method = { &workload, .rounds = 12,
                .precision = 0.02, .cell_seconds = 0.25, .reuse = 1, .streams = 4, .chunks = 8, .seed = G_MAXUINT64 },
    .modes = modes, .first_log2 = 10, .last_log2 = 20,
  };
  const MemlaneSurroundings surroundings = {
    .affinity = "bound to NUMA node 1",
    .state = { .known = TRUE, .sm_mhz = 1980, .temperature_c = 41, .throttle = MEMLANE_THROTTLE_POWER_CAP | MEMLANE_THROTTLE_THERMAL },
    .floors = { .device_tick_ns = 32, .event_pair_ns = 1120, .n_kernels = 1, .kernels = { { 10, 3008, 1850 } } },
  };

  tell (text, "much is known", &info, &plan, &surroundings, NULL);
}

/* A device without noise measures once, whatever was asked for, and does not claim more. */
static void
tell_exact (GString *text)
{
  const MemlaneDeviceInfo info = { .id = (char *) "simulated:h200", .kind = (char *) "simulated", .exact = TRUE };
  const MemlanePlan plan = { .method = { &workload, .rounds = 12, .reuse = 1 } };
  const MemlaneSurroundings surroundings = { .verifies_pieces = TRUE };

  tell (text, "exact", &info, &plan, &surroundings, "method");
}

/* How a GPU is set up: a switch is on, off or not there. There is no such PCI device. */
static void
tell_setup (GString *text)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-mps-XXXXXX", NULL), *control = g_build_filename (folder, "control", NULL);
  const MemlanePlan plan = { .method.reuse = 1 };
  const MemlaneDeviceInfo info = {
    .id = (char *) "cuda:0", .kind = (char *) "cuda", .pci_bus_id = (char *) "ffff:ff:1f.7", .numa_node = -1,
    .setup = { .link_generation = 5, .link_width = 16, .own_generation = 6, .ecc = 1, .persistence = 0, .mig = -1, .power_limit = 350.5 },
  };

  g_setenv ("CUDA_MPS_PIPE_DIRECTORY", folder, TRUE);
  tell (text, "set up without MPS", &info, &plan, NULL, "setup");
  g_assert_true (g_file_set_contents (control, "", 0, NULL));
  tell (text, "set up with MPS", &info, &plan, NULL, "setup");
  tell (text, "its link", &info, &plan, NULL, "link");
  g_setenv ("CUDA_MPS_PIPE_DIRECTORY", "/nowhere", TRUE);
  g_remove (control);
  g_rmdir (folder);
}

/* The configuration space tells of packets on the link. Without root it ends at 64 bytes. */
static void
tell_pci (GString *text)
{
  static const struct
  {
    const char *what;
    gsize length;
    guchar first, next, control;
  } cases[] = {
    { "payload 2, relaxed, at 0x60 and 0x78", 256, 0x60, 0x78, 0x50 },
    { "payload 1, strict", 4096, 0x60, 0x78, 0x20 },
    { "without root", 64, 0x60, 0x78, 0x50 },
    { "a list that never ends", 256, 0x60, 0x60, 0x50 },
    { "no list", 256, 0x00, 0x78, 0x50 },
  };
  const MemlaneMode *modes[] = { &first, NULL };
  const MemlanePlan plan = {
    .method = { &workload, .reuse = 1 }, .modes = modes, .first_log2 = 10, .last_log2 = 10,
  };
  const MemlaneDeviceInfo info = {
    .id = (char *) "cuda:0", .kind = (char *) "cuda", .pci_bus_id = (char *) "0000:1b:00.0",
    .numa_node = -1,
  };
  g_autofree char *root = g_dir_make_tmp ("memlane-pci-XXXXXX", NULL);
  g_autofree char *device = g_build_filename (root, "0000:1b:00.0", NULL);
  g_autofree char *config = g_build_filename (device, "config", NULL);

  g_assert_cmpint (g_mkdir (device, 0700), ==, 0);
  g_setenv ("MEMLANE_PCI", root, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guchar bytes[4096] = { 0 };

      bytes[0x34] = cases[i].first;
      bytes[0x60] = 0x01;
      bytes[0x61] = cases[i].next;
      bytes[0x78] = 0x10;
      bytes[0x80] = cases[i].control;
      g_assert_true (g_file_set_contents (config, (char *) bytes, (gssize) cases[i].length, NULL));
      tell (text, cases[i].what, &info, &plan, NULL, "setup");
    }
  g_unsetenv ("MEMLANE_PCI");
  g_unlink (config);
  g_rmdir (device);
  g_rmdir (root);
}

/* A bridge below which the GPU is, and one above that: whether one of them redirects. */
static void
tell_redirection (GString *text)
{
  static const struct
  {
    const char *what;
    gsize length;
    guchar below, above;
  } cases[] = { { "no bridge redirects", 4096, 0x00, 0x00 }, { "the lower bridge redirects", 4096, 0x04, 0x00 },
                { "the upper bridge redirects", 4096, 0x10, 0x08 }, { "bridges without root", 64, 0x04, 0x04 } };
  const MemlanePlan plan = { .method.reuse = 1 };
  const MemlaneDeviceInfo info = {
    .id = (char *) "cuda:0", .kind = (char *) "cuda", .pci_bus_id = (char *) "0000:1b:00.0",
    .numa_node = -1,
  };
  g_autofree char *root = g_dir_make_tmp ("memlane-pci-XXXXXX", NULL);
  g_autofree char *above = g_build_filename (root, "0000:00:01.0", NULL);
  g_autofree char *below = g_build_filename (above, "0000:1a:00.0", NULL);
  g_autofree char *device = g_build_filename (below, "0000:1b:00.0", NULL);
  g_autofree char *link = g_build_filename (root, "0000:1b:00.0", NULL);
  g_autofree char *upper = g_build_filename (above, "config", NULL);
  g_autofree char *lower = g_build_filename (below, "config", NULL);

  g_assert_cmpint (g_mkdir_with_parents (device, 0700), ==, 0);
  g_assert_cmpint (symlink (device, link), ==, 0);
  g_setenv ("MEMLANE_PCI", root, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      for (guint j = 0; j < 2; j++)
        {
          guchar bytes[4096] = { 0 };

          bytes[0x100] = 0x01; /* another capability, which leads to that at 0x148 */
          bytes[0x102] = 0x81;
          bytes[0x103] = 0x14;
          bytes[0x148] = 0x0d;
          bytes[0x14e] = j == 0 ? cases[i].above : cases[i].below;
          g_assert_true (g_file_set_contents (j == 0 ? upper : lower, (char *) bytes,
                                              (gssize) cases[i].length, NULL));
        }
      tell (text, cases[i].what, &info, &plan, NULL, "setup");
    }
  g_unsetenv ("MEMLANE_PCI");
  g_unlink (upper);
  g_unlink (lower);
  g_unlink (link);
  g_rmdir (device);
  g_rmdir (below);
  g_rmdir (above);
  g_rmdir (root);
}

/* Unknown values are left out: no 0, no "", no null. A recorded sample has no state at all. */
static void
tell_unknown (GString *text)
{
  const MemlaneDeviceInfo info = { .id = (char *) "cuda:0",
                                   .kind = (char *) "cuda",
                                   .numa_node = -1 };
  const MemlanePlan plan = { .method.reuse = 1 };
  const MemlaneSurroundings surroundings = { .no_state = "dlopen: libnvidia-ml.so.1: cannot open" };

  tell (text, "little is known", &info, &plan, &surroundings, NULL);
  tell (text, "a recorded sample", &info, &plan, NULL, NULL);
}

static void
test_environments (void)
{
  g_autoptr (GString) text = g_string_new ("What test-environment.c finds beside runs, without host, date and version\n");

  g_setenv ("CUDA_MPS_PIPE_DIRECTORY", "/nowhere", TRUE);
  tell_known (text);
  tell_exact (text);
  tell_setup (text);
  tell_pci (text);
  tell_redirection (text);
  tell_unknown (text);
  compare_text (text, "measure", "environments.txt");
}

/* How many measurements a plan has, and the sizes between which it leaves none out. */
static void
test_planned (void)
{
  static const struct
  {
    const char *sizes;
    guint planned;
    double first, last;
  } plans[] = {
    { "10:12", 6, 10, 12 },
    { "14", 2, 14, 14 },
    { "10,12", 4, 1, 0 },
    { "100000,4MiB,10:12", 10, 1, 0 },
  };
  const MemlaneDeviceInfo info = { .id = (char *) "cuda:0",
                                   .kind = (char *) "cuda",
                                   .numa_node = -1 };

  for (guint i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      MemlaneDevice device = { .info = info };
      g_autoptr (MemlanePlan) plan = memlane_plan_new ();
      g_autoptr (MemlaneEnvironment) environment = NULL;
      g_autoptr (GError) error = NULL;
      double first_log2, last_log2;

      memlane_plan_set_modes (plan, "pinned,pageable", &error);
      g_assert_no_error (error);
      memlane_plan_set_size_list (plan, plans[i].sizes, 1, &error);
      g_assert_no_error (error);
      environment = memlane_environment_describe (&device, plan, NULL);
      g_assert_cmpuint (memlane_environment_count_planned (environment, &first_log2, &last_log2),
                        ==, plans[i].planned);
      g_assert_cmpfloat (first_log2, ==, plans[i].first);
      g_assert_cmpfloat (last_log2, ==, plans[i].last);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/environments", test_environments);
  g_test_add_func ("/measure/planned", test_planned);
  return g_test_run ();
}
