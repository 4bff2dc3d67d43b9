/* environment.c: where and how a run was measured, as JSON
 *
 * SPDX-License-Identifier: MIT
 */
#include "environment.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <json-glib/json-glib.h>

#include "cell.h"
#include "commit.h"
#include "device/device-driver.h"

#define CLOCK_ISSUE "host time spent inside the calls"
#define CLOCK_DEVICE "time on the device between two events"
#define CLOCK_HOST "monotonic host time from the first call until the result may be read"
#define STATEMENT                                                                                                                     \
  "A round is a fresh process that measures every cell once, in a seeded random order, with new buffers. A figure is the median of "  \
  "the rounds' medians; its interval is that of order statistics over them. Device times of asynchronous calls are taken behind a "   \
  "latch, so launch cost stays out. The first sample is kept apart. Inputs are seeded and incompressible; in every mode the host "     \
  "writes them anew before each sample. Every result is compared with a reference outside the timed region."

#define VERIFIED_PIECES                                                                                                               \
  "every byte of vectors up to 4 MiB; of larger ones, whose times are simulated, the first 64 KiB of each 2 MiB: one byte in 32"

static void
add_string (JsonBuilder *builder, const char *key, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  json_builder_set_member_name (builder, key);
  if (g_utf8_validate (value, -1, NULL))
    json_builder_add_string_value (builder, value);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (value, -1);

      json_builder_add_string_value (builder, valid);
    }
}

/* 0 and less: unknown. */
static void
add_count (JsonBuilder *builder, const char *key, gint64 value)
{
  if (value <= 0)
    return;
  json_builder_set_member_name (builder, key);
  json_builder_add_int_value (builder, value);
}

static void
add_number (JsonBuilder *builder, const char *key, double value)
{
  if (!(value > 0))
    return;
  json_builder_set_member_name (builder, key);
  json_builder_add_double_value (builder, value);
}

static void
begin_object (JsonBuilder *builder, const char *key)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
}

static void
add_device (JsonBuilder *builder, const MemlaneDeviceInfo *info)
{
  begin_object (builder, "device");
  add_string (builder, "id", info->id);
  add_string (builder, "kind", info->kind);
  json_builder_set_member_name (builder, "simulated");
  json_builder_add_boolean_value (builder, g_strcmp0 (info->kind, "simulated") == 0);
  add_string (builder, "name", info->name);
  add_string (builder, "driver", info->driver);
  add_string (builder, "runtime", info->runtime);
  add_string (builder, "pci_bus_id", info->pci_bus_id);
  add_string (builder, "uuid", info->uuid);
  if (info->compute_major > 0)
    {
      g_autofree char *capability = g_strdup_printf ("%d.%d", info->compute_major, info->compute_minor);

      add_string (builder, "compute_capability", capability);
    }
  add_count (builder, "multiprocessors", info->multiprocessors);
  json_builder_set_member_name (builder, "copy_engines");
  json_builder_add_int_value (builder, info->copy_engines);
  add_count (builder, "memory_bytes", (gint64) info->memory_bytes);
  add_count (builder, "l2_bytes", (gint64) info->l2_bytes);
  add_number (builder, "memory_bandwidth_bytes_per_s", info->memory_bandwidth);
  json_builder_set_member_name (builder, "integrated");
  json_builder_add_boolean_value (builder, info->integrated);
  json_builder_set_member_name (builder, "exact");
  json_builder_add_boolean_value (builder, info->exact);
  json_builder_set_member_name (builder, "capabilities");
  json_builder_begin_array (builder);
  for (guint bits = info->capabilities; bits != 0; bits &= bits - 1)
    json_builder_add_string_value (builder, memlane_capability_name ((MemlaneCapabilities) (bits & -bits)));
  json_builder_end_array (builder);
  if (info->numa_node >= 0)
    {
      json_builder_set_member_name (builder, "numa_node");
      json_builder_add_int_value (builder, info->numa_node);
    }
  add_string (builder, "launch_shape", info->launch_shape);
  add_string (builder, "profile", info->profile);
  add_string (builder, "calibrated_from", info->calibrated_from);
  add_string (builder, "noise", info->noise);
  if (info->estimated)
    {
      json_builder_set_member_name (builder, "estimated");
      json_builder_add_boolean_value (builder, TRUE);
    }
  json_builder_end_object (builder);

  if (info->processor_clock > 0 || info->memory_clock > 0)
    {
      begin_object (builder, "clocks");
      add_number (builder, "multiprocessors_hz", info->processor_clock);
      add_number (builder, "memory_hz", info->memory_clock);
      json_builder_end_object (builder);
    }
  if (info->link_generation > 0 || info->link_width > 0 || info->link_bandwidth > 0)
    {
      begin_object (builder, "link");
      add_count (builder, "generation", info->link_generation);
      add_count (builder, "width", info->link_width);
      add_number (builder, "bandwidth_bytes_per_s", info->link_bandwidth);
      json_builder_end_object (builder);
    }
}

/* A small file of /proc or /sys without its newline, or NULL. */
static char *
read_line (const char *path)
{
  char *text;

  return g_file_get_contents (path, &text, NULL, NULL) ? g_strstrip (text) : NULL;
}

static char *
get_cpu_model (void)
{
  g_autofree char *text = read_line ("/proc/cpuinfo");
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", 0);

  for (char **line = lines; *line != NULL; line++)
    {
      const char *colon = strchr (*line, ':');

      if (colon != NULL && g_str_has_prefix (*line, "model name"))
        return g_strstrip (g_strdup (colon + 1));
    }
  return NULL;
}

static guint
count_numa_nodes (void)
{
  g_autoptr (GDir) folder = g_dir_open ("/sys/devices/system/node", 0, NULL);
  const char *name;
  guint n = 0;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    n += g_str_has_prefix (name, "node") && g_ascii_isdigit (name[4]);
  return n;
}

/* "always [madvise] never" -> "madvise" */
static char *
get_transparent_hugepage (void)
{
  g_autofree char *text = read_line ("/sys/kernel/mm/transparent_hugepage/enabled");
  const char *open = text != NULL ? strchr (text, '[') : NULL, *close = open != NULL ? strchr (open, ']') : NULL;

  return close != NULL ? g_strndup (open + 1, (gsize) (close - open - 1)) : NULL;
}

static void
add_host (JsonBuilder *builder)
{
  g_autofree char *model = get_cpu_model (), *hugepage = get_transparent_hugepage ();
  g_autofree char *boot = read_line ("/proc/sys/kernel/random/boot_id");
  g_autofree char *governor = read_line ("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  gint64 pages = sysconf (_SC_PHYS_PAGES), page_bytes = sysconf (_SC_PAGESIZE);
  struct utsname kernel;

  begin_object (builder, "host");
  add_string (builder, "name", g_get_host_name ());
  add_string (builder, "boot_id", boot);
  add_string (builder, "cpu", model);
  add_count (builder, "logical_cpus", sysconf (_SC_NPROCESSORS_ONLN));
  add_string (builder, "cpu_governor", governor);
  add_count (builder, "numa_nodes", count_numa_nodes ());
  if (pages > 0)
    add_count (builder, "memory_bytes", pages * page_bytes);
  add_count (builder, "page_bytes", page_bytes);
  add_string (builder, "transparent_hugepage", hugepage);
  if (uname (&kernel) == 0)
    {
      g_autofree char *system = g_strdup_printf ("%s %s %s", kernel.sysname, kernel.release, kernel.machine);

      add_string (builder, "kernel", system);
    }
  json_builder_end_object (builder);
}

static void
add_method (JsonBuilder *builder, const MemlanePlan *plan, gboolean verifies_pieces)
{
  begin_object (builder, "method");
  add_string (builder, "workload", plan->method.workload != NULL ? plan->method.workload->id : NULL);
  json_builder_set_member_name (builder, "modes");
  json_builder_begin_array (builder);
  for (const MemlaneMode **mode = plan->modes; mode != NULL && *mode != NULL; mode++)
    json_builder_add_string_value (builder, (*mode)->id);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "log2_elements");
  json_builder_begin_array (builder);
  json_builder_add_int_value (builder, plan->first_log2);
  json_builder_add_int_value (builder, plan->last_log2);
  json_builder_end_array (builder);
  add_count (builder, "rounds", plan->method.rounds);
  add_number (builder, "precision", plan->method.precision);
  add_number (builder, "cell_seconds", plan->method.cell_seconds);
  add_count (builder, "least_samples", MEMLANE_LEAST_SAMPLES);
  add_count (builder, "reuse", plan->method.reuse);
  add_count (builder, "streams", plan->method.streams);
  add_count (builder, "chunks", plan->method.chunks);
  json_builder_set_member_name (builder, "cold_cache");
  json_builder_add_boolean_value (builder, plan->method.cold_cache);
  add_number (builder, "latch_timeout_ns", MEMLANE_LATCH_TIMEOUT_NS);
  begin_object (builder, "clocks");
  add_string (builder, "issue", CLOCK_ISSUE);
  add_string (builder, "device", CLOCK_DEVICE);
  add_string (builder, "host", CLOCK_HOST);
  json_builder_end_object (builder);
  add_string (builder, "statement", STATEMENT);
  add_string (builder, "verified", verifies_pieces ? VERIFIED_PIECES : "every byte");
  json_builder_end_object (builder);
}

/* How the device stood when the run began. */
static void
add_state (JsonBuilder *builder, const MemlaneSurroundings *surroundings)
{
  const MemlaneDeviceState *state = &surroundings->state;
  g_autofree char *reasons = memlane_throttle_describe (state->throttle);

  begin_object (builder, "state");
  if (state->known)
    {
      add_count (builder, "sm_mhz", state->sm_mhz);
      add_count (builder, "memory_mhz", state->memory_mhz);
      add_count (builder, "temperature_c", state->temperature_c);
      add_string (builder, "throttle", reasons != NULL ? reasons : "none");
    }
  else
    add_string (builder, "unknown", surroundings->no_state);
  json_builder_end_object (builder);
}

static void
add_kernel_floors (JsonBuilder *builder, const MemlaneFloors *floors)
{
  begin_object (builder, "kernels");
  json_builder_set_member_name (builder, "log2_elements");
  json_builder_begin_array (builder);
  for (guint i = 0; i < floors->n_kernels; i++)
    json_builder_add_int_value (builder, floors->kernels[i].log2_elements);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "alone_ns");
  json_builder_begin_array (builder);
  for (guint i = 0; i < floors->n_kernels; i++)
    json_builder_add_double_value (builder, floors->kernels[i].alone_ns);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "in_a_row_ns");
  json_builder_begin_array (builder);
  for (guint i = 0; i < floors->n_kernels; i++)
    json_builder_add_double_value (builder, floors->kernels[i].in_a_row_ns);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* As memlane_floors_read() reads them. A clock without a step to be seen has a tick of 0, which is told. */
static void
add_floors (JsonBuilder *builder, const MemlaneFloors *floors, double first_pinned_ns)
{
  begin_object (builder, "floors");
  json_builder_set_member_name (builder, "device_tick_ns");
  json_builder_add_double_value (builder, floors->device_tick_ns);
  json_builder_set_member_name (builder, "host_tick_ns");
  json_builder_add_double_value (builder, floors->host_tick_ns);
  add_number (builder, "host_pair_ns", floors->host_pair_ns);
  add_number (builder, "event_pair_ns", floors->event_pair_ns);
  add_number (builder, "launch_ns", floors->launch_ns);
  add_number (builder, "first_pinned_ns", first_pinned_ns);
  if (floors->n_kernels > 0)
    add_kernel_floors (builder, floors);
  json_builder_end_object (builder);
}

char *
memlane_environment_describe (MemlaneDevice *device, const MemlanePlan *plan, const MemlaneSurroundings *surroundings)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, plan->method.seed); /* JSON's numbers are exact to 2^53 only */
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  begin_object (builder, "memlane");
  add_string (builder, "version", MEMLANE_VERSION);
  add_string (builder, "commit", MEMLANE_COMMIT);
  json_builder_end_object (builder);
  add_string (builder, "date", date);
  add_device (builder, memlane_device_get_info (device));
  add_host (builder);
  if (surroundings != NULL)
    {
      add_state (builder, surroundings);
      add_floors (builder, &surroundings->floors, device->first_pinned_ns);
      add_string (builder, "affinity", surroundings->affinity);
    }
  add_method (builder, plan, surroundings != NULL && surroundings->verifies_pieces);
  add_string (builder, "seed", seed);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  return g_strconcat (text, "\n", NULL);
}
