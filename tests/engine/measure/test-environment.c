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
#include "mode/mode.h"
#include "measure/environment.h"

static const MemlaneMode first = { .id = "pageable" }, second = { .id = "pinned" };
static const MemlaneWorkload workload = { .id = "vector-add" };

static JsonObject *
describe (const MemlaneDeviceInfo *info, const MemlanePlan *plan, const MemlaneSurroundings *surroundings, JsonParser *parser)
{
  MemlaneDevice device = { .info = *info, .first_pinned_ns = 650e3 };
  g_autoptr (MemlaneEnvironment) environment = memlane_environment_describe (&device, plan, surroundings);
  const char *text = memlane_environment_get_json (environment);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_str_has_suffix (text, "}\n"));
  g_assert_nonnull (strstr (text, "\n  \"device\" : {"));
  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static void
test_known (void)
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
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root = describe (&info, &plan, &surroundings, parser), *device = json_object_get_object_member (root, "device");
  JsonObject *floors = json_object_get_object_member (root, "floors");
  JsonObject *state = json_object_get_object_member (root, "state");
  JsonObject *link = json_object_get_object_member (root, "link"), *method = json_object_get_object_member (root, "method");
  JsonObject *host = json_object_get_object_member (root, "host");
  JsonArray *list;
  g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (json_object_get_string_member (root, "date"), NULL);

  g_assert_nonnull (date);
  g_assert_cmpint (ABS (g_date_time_to_unix (date) - g_get_real_time () / G_USEC_PER_SEC), <, 60);
  g_assert_cmpuint (strlen (json_object_get_string_member (json_object_get_object_member (root, "memlane"), "version")), >, 0);
  g_assert_cmpstr (json_object_get_string_member (root, "seed"), ==, "18446744073709551615");

  g_assert_cmpstr (json_object_get_string_member (device, "id"), ==, "simulated:h200");
  g_assert_cmpstr (json_object_get_string_member (device, "name"), ==, "NVIDIA H200 \"simulated\"");
  g_assert_true (json_object_get_boolean_member (device, "simulated"));
  g_assert_cmpstr (json_object_get_string_member (device, "compute_capability"), ==, "9.0");
  g_assert_cmpint (json_object_get_int_member (device, "memory_bytes"), ==, 150000000000);
  g_assert_cmpfloat (json_object_get_double_member (device, "memory_bandwidth_bytes_per_s"), ==, 4.8e12);
  g_assert_cmpint (json_object_get_int_member (device, "numa_node"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (device, "calibrated_from"), ==, "run-1");
  list = json_object_get_array_member (device, "capabilities");
  g_assert_cmpuint (json_array_get_length (list), ==, 2);
  g_assert_cmpstr (json_array_get_string_element (list, 0), ==, "canMapHostMemory");

  g_assert_cmpint (json_object_get_int_member (link, "generation"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (link, "width"), ==, 16);
  g_assert_cmpfloat (json_object_get_double_member (link, "bandwidth_bytes_per_s"), ==, 63015384615.384613);

  g_assert_cmpstr (json_object_get_string_member (device, "uuid"), ==, "GPU-1");
  g_assert_cmpstr (json_object_get_string_member (root, "affinity"), ==, "bound to NUMA node 1");
  g_assert_cmpint (json_object_get_int_member (state, "sm_mhz"), ==, 1980);
  g_assert_cmpint (json_object_get_int_member (state, "temperature_c"), ==, 41);
  g_assert_false (json_object_has_member (state, "memory_mhz"));
  g_assert_cmpstr (json_object_get_string_member (state, "throttle"), ==, "power cap, thermal slowdown");

  g_assert_cmpfloat (json_object_get_double_member (floors, "device_tick_ns"), ==, 32);
  g_assert_cmpfloat (json_object_get_double_member (floors, "host_tick_ns"), ==, 0);
  g_assert_false (json_object_has_member (floors, "launch_ns"));
  g_assert_cmpfloat (json_object_get_double_member (floors, "first_pinned_ns"), ==, 650e3);

  g_assert_cmpuint (strlen (json_object_get_string_member (json_object_get_object_member (root, "memlane"), "commit")), >, 0);
  g_assert_cmpstr (json_object_get_string_member (host, "name"), ==, g_get_host_name ());
  g_assert_cmpuint (strlen (json_object_get_string_member (host, "boot_id")), ==, 36);
  g_assert_cmpint (json_object_get_int_member (host, "logical_cpus"), >, 0);
  g_assert_cmpint (json_object_get_int_member (host, "memory_bytes"), >, 0);
  g_assert_cmpint (json_object_get_int_member (host, "page_bytes"), >=, 4096);
  g_assert_true (g_str_has_prefix (json_object_get_string_member (host, "kernel"), "Linux "));

  g_assert_cmpstr (json_object_get_string_member (method, "workload"), ==, "vector-add");
  list = json_object_get_array_member (method, "modes");
  g_assert_cmpuint (json_array_get_length (list), ==, 2);
  g_assert_cmpstr (json_array_get_string_element (list, 1), ==, "pinned");
  list = json_object_get_array_member (method, "log2_elements");
  g_assert_cmpint (json_array_get_int_element (list, 1), ==, 20);
  g_assert_cmpfloat (json_object_get_double_member (method, "precision"), ==, 0.02);
  g_assert_cmpint (json_object_get_int_member (method, "rounds"), ==, 12);
  g_assert_true (g_str_has_prefix (json_object_get_string_member (method, "statement"),
                                   "A round is a fresh process that visits every cell 3 times"));
  g_assert_cmpint (json_object_get_int_member (method, "least_samples"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (method, "visits"), ==, 3);
  g_assert_false (json_object_get_boolean_member (method, "cold_cache"));
  g_assert_nonnull (strstr (json_object_get_string_member (method, "statement"), "latch"));
}

/* A device without noise measures once, whatever was asked for, and does not claim more. */
static void
test_exact (void)
{
  const MemlaneDeviceInfo info = { .id = (char *) "simulated:h200", .kind = (char *) "simulated", .exact = TRUE };
  const MemlanePlan plan = { .method = { &workload, .rounds = 12, .reuse = 1 } };
  const MemlaneSurroundings surroundings = { .verifies_pieces = TRUE };
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root = describe (&info, &plan, &surroundings, parser);
  JsonObject *method = json_object_get_object_member (root, "method");

  g_assert_cmpint (json_object_get_int_member (method, "rounds"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (method, "visits"), ==, 1);
  g_assert_true (g_str_has_prefix (json_object_get_string_member (method, "statement"), "One process visits every cell once"));
  g_assert_true (g_str_has_suffix (json_object_get_string_member (method, "verified"), "the first 1 KiB of each 256 KiB"));
}

/* How a GPU is set up: a switch is on, off or not there. */
static void
test_setup (void)
{
  g_autofree char *folder = g_dir_make_tmp ("memlane-mps-XXXXXX", NULL), *control = g_build_filename (folder, "control", NULL);
  const MemlanePlan plan = { .method.reuse = 1 };
  const MemlaneDeviceInfo info = {
    .id = (char *) "cuda:0", .kind = (char *) "cuda", .pci_bus_id = (char *) "ffff:ff:1f.7", .numa_node = -1,
    .setup = { .link_generation = 5, .link_width = 16, .own_generation = 6, .ecc = 1, .persistence = 0, .mig = -1, .power_limit = 350.5 },
  };
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *setup, *link;

  g_setenv ("CUDA_MPS_PIPE_DIRECTORY", folder, TRUE);
  setup = json_object_get_object_member (describe (&info, &plan, NULL, parser), "setup");
  g_assert_cmpstr (json_object_get_string_member (setup, "mps"), ==, "off");
  g_assert_true (g_file_set_contents (control, "", 0, NULL));
  setup = json_object_get_object_member (describe (&info, &plan, NULL, parser), "setup");
  link = json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "link");
  g_assert_cmpstr (json_object_get_string_member (setup, "mps"), ==, "on");
  g_assert_cmpstr (json_object_get_string_member (setup, "ecc"), ==, "on");
  g_assert_cmpstr (json_object_get_string_member (setup, "persistence"), ==, "off");
  g_assert_false (json_object_has_member (setup, "mig"));
  g_assert_cmpfloat (json_object_get_double_member (setup, "power_limit_w"), ==, 350.5);
  g_assert_false (json_object_has_member (setup, "usual_power_limit_w"));
  g_assert_false (json_object_has_member (setup, "iommu")); /* there is no such PCI device */
  g_assert_cmpint (json_object_get_int_member (link, "most_generation"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (link, "most_width"), ==, 16);
  g_assert_cmpint (json_object_get_int_member (link, "gpu_generation"), ==, 6);
  g_unsetenv ("CUDA_MPS_PIPE_DIRECTORY");
  g_remove (control);
  g_rmdir (folder);
}

/* The configuration space tells of packets on the link. Without root it ends at 64 bytes. */
static void
test_pci (void)
{
  static const struct
  {
    gsize length;
    guchar first, next, control;
    gint64 payload;
    const char *relaxed;
  } cases[] = {
    { 256, 0x60, 0x78, 0x50, 512, "on" },   /* capabilities at 0x60 and 0x78: payload 2, relaxed */
    { 4096, 0x60, 0x78, 0x20, 256, "off" },
    { 64, 0x60, 0x78, 0x50, 0, NULL },
    { 256, 0x60, 0x60, 0x50, 0, NULL },     /* a list that never ends */
    { 256, 0x00, 0x78, 0x50, 0, NULL },
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
      g_autoptr (JsonParser) parser = json_parser_new ();
      guchar bytes[4096] = { 0 };
      JsonObject *setup;

      bytes[0x34] = cases[i].first;
      bytes[0x60] = 0x01;
      bytes[0x61] = cases[i].next;
      bytes[0x78] = 0x10;
      bytes[0x80] = cases[i].control;
      g_assert_true (g_file_set_contents (config, (char *) bytes, (gssize) cases[i].length, NULL));
      setup = json_object_get_object_member (describe (&info, &plan, NULL, parser), "setup");
      g_assert_cmpint (json_object_get_int_member_with_default (setup, "payload_bytes", 0), ==,
                       cases[i].payload);
      g_assert_cmpstr (json_object_get_string_member_with_default (setup, "relaxed_ordering", NULL),
                       ==, cases[i].relaxed);
      g_assert_cmpstr (json_object_get_string_member (setup, "iommu"), ==, "off");
    }
  g_unsetenv ("MEMLANE_PCI");
  g_unlink (config);
  g_rmdir (device);
  g_rmdir (root);
}

/* A bridge below which the GPU is, and one above that: whether one of them redirects. */
static void
test_redirection (void)
{
  static const struct
  {
    gsize length;
    guchar below, above;
    const char *acs;
  } cases[] = { { 4096, 0x00, 0x00, "off" }, { 4096, 0x04, 0x00, "on" }, { 4096, 0x10, 0x08, "on" },
                { 64, 0x04, 0x04, NULL } };
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
      g_autoptr (JsonParser) parser = json_parser_new ();
      JsonObject *setup;

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
      setup = json_object_get_object_member (describe (&info, &plan, NULL, parser), "setup");
      g_assert_cmpstr (json_object_get_string_member_with_default (setup, "acs", NULL), ==,
                       cases[i].acs);
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

/* Unknown values are left out: no 0, no "", no null. */
static void
test_unknown (void)
{
  static const char *const absent[] = { "name", "driver", "runtime", "pci_bus_id", "compute_capability", "multiprocessors", "memory_bytes",
                                        "memory_bandwidth_bytes_per_s", "numa_node", "profile", "calibrated_from", "uuid" };
  const MemlaneDeviceInfo info = { .id = (char *) "cuda:0", .kind = (char *) "cuda", .numa_node = -1 };
  const MemlanePlan plan = { .method.reuse = 1 };
  const MemlaneSurroundings surroundings = { .no_state = "dlopen: libnvidia-ml.so.1: cannot open" };
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root = describe (&info, &plan, &surroundings, parser), *device = json_object_get_object_member (root, "device");

  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (root, "state"), "unknown"), ==, surroundings.no_state);
  g_assert_false (json_object_has_member (root, "affinity"));

  for (guint i = 0; i < G_N_ELEMENTS (absent); i++)
    g_assert_false (json_object_has_member (device, absent[i]));
  g_assert_false (json_object_has_member (root, "link"));
  g_assert_false (json_object_get_boolean_member (device, "simulated"));
  g_assert_false (json_object_has_member (json_object_get_object_member (root, "method"), "streams"));

  /* A recorded sample has none at all. */
  root = describe (&info, &plan, NULL, parser);
  g_assert_false (json_object_has_member (root, "state"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measure/environment/known", test_known);
  g_test_add_func ("/measure/environment/exact", test_exact);
  g_test_add_func ("/measure/environment/setup", test_setup);
  g_test_add_func ("/measure/environment/pci", test_pci);
  g_test_add_func ("/measure/environment/redirection", test_redirection);
  g_test_add_func ("/measure/environment/unknown", test_unknown);
  return g_test_run ();
}
