/* profile.c: a simulated device's file: its keys, reading it strictly with the one that it is based
 * on
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/keys.h"
#include "base/reader-limits.h"
#include "base/strict-text.h"
#include "base/owns.h"
#include "device/link.h"

/* The values of a profile that says nothing: an H200's, of two copy engines, with every
 * capability. */
MemlaneProfile *
memlane_profile_new (void)
{
  MemlaneProfile *self = g_new0 (MemlaneProfile, 1);

  self->info.name = g_strdup ("Simulated device");
  self->info.capabilities = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_UNIFIED_ADDRESSING
                            | MEMLANE_CAN_MANAGED_MEMORY | MEMLANE_CAN_CONCURRENT_MANAGED
                            | MEMLANE_CAN_HOST_REGISTER | MEMLANE_CAN_MEMORY_POOLS
                            | MEMLANE_CAN_CONCURRENT_KERNELS | MEMLANE_CAN_HOST_POINTER_REGISTERED
                            | MEMLANE_CAN_COPY_BATCH | MEMLANE_CAN_VIRTUAL_MEMORY
                            | MEMLANE_CAN_REGISTER_READ_ONLY;
  self->info.copy_engines = 2;
  self->info.numa_node = -1;
  self->info.memory_bytes = G_GUINT64_CONSTANT (16) << 30;
  self->info.static_managed_bytes = 16 << 20;
  self->info.priority_greatest = -5;
  self->info.memory_bandwidth = 4.8e12;
  self->info.link_bandwidth = 63e9;
  self->l2_bandwidth = 12e12;
  self->host_bandwidth = 20e9;
  self->host_cache_bandwidth = 32e9;
  self->core_cache_bytes = 2 << 20;
  self->both_directions_factor = self->slow_host = 1;
  self->sync_pinned_alloc = self->sync_device_alloc = self->sync_memset =
      self->sync_copy_on_device = TRUE;
  self->seed = 1;
  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    self->costs[i] = memlane_cost_rows[i].standard;
  return self;
}

MemlaneProfile *
memlane_profile_copy (const MemlaneProfile *self)
{
  MemlaneProfile *copy = g_new (MemlaneProfile, 1);

  *copy = *self;
  copy->path = g_strdup (self->path);
  copy->info.name = g_strdup (self->info.name);
  copy->info.calibrated_from = g_strdup (self->info.calibrated_from);
  if (self->residuals != NULL)
    memlane_residuals_ref (self->residuals);
  return copy;
}

MEMLANE_DEFINE_FREE (MemlaneProfile, void memlane_profile_free (MemlaneProfile *data),
                     OWNS (residuals, memlane_residuals_unref) OWNS (path, g_free)
                         OWNS (info.name, g_free) OWNS (info.calibrated_from, g_free))

/* --- the keys, but for costs ------------------------------------------------------------------ */

#define MANY 1.8e19 /* as most: any 64-bit number */
#define LEAST_BANDWIDTH 1e6 /* bytes/s */
#define CACHE_RATIO 2.5 /* of the second-level cache to the memory */
#define MOST_PAGE_RATE 1e6 /* GB/s */

#define KEY(key, kind, member, ...)                                                                \
  { key, MEMLANE_KEY_##kind, G_STRUCT_OFFSET (MemlaneProfile, member), FALSE, __VA_ARGS__ }
#define CAN(key, capability) KEY (key, BIT, info.capabilities, 0, capability)

static const MemlaneKey device_keys[] = {
  KEY ("name", VALUE, info.name),
  KEY ("calibrated_from", VALUE, info.calibrated_from),
  { "based_on", MEMLANE_KEY_ELSEWHERE },
  KEY ("memory_bytes", BYTES, info.memory_bytes, 1, MANY),
  KEY ("l2_bytes", BYTES, info.l2_bytes, 0, MANY),
  KEY ("memory_bandwidth", DECIMAL, info.memory_bandwidth, 1e9, 1e14),
  KEY ("multiprocessors", INTEGER, info.multiprocessors, 0, 1e6),
  KEY ("compute_major", INTEGER, info.compute_major, 0, 1000),
  KEY ("compute_minor", INTEGER, info.compute_minor, 0, 1000),
  KEY ("integrated", FLAG, info.integrated),
  KEY ("link_generation", INTEGER, info.link_generation, 0, 100),
  KEY ("link_width", INTEGER, info.link_width, 0, 1024),
  KEY ("link_bandwidth", DECIMAL, info.link_bandwidth, LEAST_BANDWIDTH, 1e18),
  KEY ("static_managed_bytes", BYTES, info.static_managed_bytes, 0, 1e12),
  KEY ("priority_least", INTEGER, info.priority_least, -1000, 1000),
  KEY ("priority_greatest", INTEGER, info.priority_greatest, -1000, 1000),
  KEY ("lockable_bytes", BYTES, lockable_bytes, 0, MANY),
  KEY ("host_memory_bytes", BYTES, host_memory_bytes, 0, MANY),
  KEY ("asyncEngineCount", INTEGER, info.copy_engines, 1, 3),
  KEY ("in_order_engines", FLAG, in_order_engines),
  CAN ("canMapHostMemory", MEMLANE_CAN_MAP_HOST_MEMORY),
  CAN ("unifiedAddressing", MEMLANE_CAN_UNIFIED_ADDRESSING),
  CAN ("managedMemory", MEMLANE_CAN_MANAGED_MEMORY),
  CAN ("concurrentManagedAccess", MEMLANE_CAN_CONCURRENT_MANAGED),
  CAN ("hostRegisterSupported", MEMLANE_CAN_HOST_REGISTER),
  CAN ("canUseHostPointerForRegisteredMem", MEMLANE_CAN_HOST_POINTER_REGISTERED),
  CAN ("memoryPoolsSupported", MEMLANE_CAN_MEMORY_POOLS),
  CAN ("pageableMemoryAccess", MEMLANE_CAN_PAGEABLE_ACCESS),
  CAN ("concurrentKernels", MEMLANE_CAN_CONCURRENT_KERNELS),
  CAN ("peerCopy", MEMLANE_CAN_PEER_COPY),
  CAN ("memcpyBatch", MEMLANE_CAN_COPY_BATCH),
  CAN ("virtualMemoryManagementSupported", MEMLANE_CAN_VIRTUAL_MEMORY),
  CAN ("hostRegisterReadOnlySupported", MEMLANE_CAN_REGISTER_READ_ONLY),
  KEY ("l2_bandwidth", DECIMAL, l2_bandwidth, LEAST_BANDWIDTH, 1e18),
  { NULL },
};

static const MemlaneKey host_keys[] = {
  KEY ("bandwidth", DECIMAL, host_bandwidth, LEAST_BANDWIDTH, 1e18),
  KEY ("cache_bandwidth", DECIMAL, host_cache_bandwidth, LEAST_BANDWIDTH, 1e18),
  KEY ("cache_bytes", BYTES, core_cache_bytes, 0, MANY),
  KEY ("slow", DECIMAL, slow_host, 0.01, 100),
  { NULL },
};

static const MemlaneKey link_keys[] = {
  KEY ("both_directions_factor", DECIMAL, both_directions_factor, 0.01, 1), { NULL }
};

static const MemlaneKey sync_keys[] = {
  KEY ("pinned-alloc", FLAG, sync_pinned_alloc), KEY ("device-alloc", FLAG, sync_device_alloc),
  KEY ("memset", FLAG, sync_memset), KEY ("copy-on-device", FLAG, sync_copy_on_device), { NULL },
};

static const MemlaneKey trouble_keys[] = {
  KEY ("corrupt_kernel", FLAG, corrupt_kernel),
  KEY ("late_latch", FLAG, late_latch),
  KEY ("memory_bytes", BYTES, trouble_memory_bytes, 0, MANY),
  KEY ("lose_device_after_calls", BYTES, lose_device_after_calls, 0, MANY),
  KEY ("throttle", BYTES, throttle, 0, MANY),
  { NULL },
};

static const struct
{
  const char *name;
  const MemlaneKey *keys;
} key_groups[] = {
  { "device", device_keys },      { "host", host_keys },       { "link", link_keys },
  { "implicit-sync", sync_keys }, { "trouble", trouble_keys },
};

/* --- reading ---------------------------------------------------------------------------------- */

/* [cost] NAME=LATENCY or NAME=LATENCY;RATE */
static gboolean
parse_cost (MemlaneProfile *self, const MemlaneKeys *reader, const char *name, GError **error)
{
  g_autofree char *text = g_key_file_get_value (reader->file, "cost", name, NULL);
  g_auto (GStrv) parts = g_strsplit (text, ";", 3);
  guint n = g_strv_length (parts), i = 0;
  MemlaneCost cost;
  gboolean is_share, has_rate;

  while (i < MEMLANE_N_COSTS && strcmp (memlane_cost_rows[i].name, name) != 0)
    i++;
  if (i == MEMLANE_N_COSTS)
    return memlane_keys_refuse (reader, "cost", name, error,
                                "expected a row of the price list, such as %s or copy",
                                memlane_cost_rows[0].name);
  cost = self->costs[i];
  is_share = memlane_cost_rows[i].carrier < MEMLANE_CARRIER_PAGES;
  has_rate = memlane_cost_rows[i].carrier != MEMLANE_CARRIER_NONE;
  if (n < 1 || n > (has_rate ? 2 : 1)
      || !memlane_text_read_number (g_strstrip (parts[0]), &cost.latency_ns)
      || !(cost.latency_ns >= 0 && cost.latency_ns <= MEMLANE_PROFILE_LONGEST_CALL_NS))
    return memlane_keys_refuse (reader, "cost", name, error, "expected nanoseconds from 0 to 1e9%s",
                                has_rate ? ", and after a semicolon the rate" : "");
  if (n == 2
      && !(memlane_text_read_number (g_strstrip (parts[1]), &cost.rate) && cost.rate > 1e-6
           && cost.rate <= (is_share ? 1 : MOST_PAGE_RATE)))
    return memlane_keys_refuse (
        reader, "cost", name, error,
        is_share ? "expected a rate above 0 and at most 1, a share of the data sheet's bandwidth"
                 : "expected a rate above 0, in GB/s");
  self->costs[i] = cost;
  return TRUE;
}

/* The recording of the file itself; a base's is the base's. */
static gboolean
parse_residuals (MemlaneProfile *self, const MemlaneKeys *reader, const char *group, GError **error)
{
  g_autofree char *key = NULL;
  const char *expected;

  return memlane_residuals_read (&self->residuals, reader->file, group, &key, &expected)
         || memlane_keys_refuse (reader, group, key, error, "%s", expected);
}

static gboolean
parse_group (MemlaneProfile *self, const MemlaneKeys *reader, const char *group, GError **error)
{
  g_auto (GStrv) names = NULL;

  if (memlane_residuals_is_group (group))
    return parse_residuals (self, reader, group, error);
  for (guint i = 0; i < G_N_ELEMENTS (key_groups); i++)
    if (strcmp (key_groups[i].name, group) == 0)
      return memlane_keys_check (reader, group, key_groups[i].keys, error)
             && memlane_keys_fill (reader, group, key_groups[i].keys, self, error);
  if (strcmp (group, "cost") != 0)
    return memlane_keys_refuse (
        reader, group, NULL, error,
        "unknown group; expected [device], [host], [link], [implicit-sync], [cost], [trouble] or "
        "[recorded WORKLOAD reuse=R]");
  names = g_key_file_get_keys (reader->file, group, NULL, NULL);
  for (char **key = names; *key != NULL; key++)
    if (!parse_cost (self, reader, *key, error))
      return FALSE;
  return TRUE;
}

static MemlaneProfile *load (const char *path, gboolean is_base, GError **error);

/* The base's file: beside the one that names it, or where device profiles are looked for.
 * (nullable) (transfer full). */
static char *
find_base (const char *path, const char *base)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders ("devices");
  g_autofree char *file = g_strconcat (base, ".device", NULL);

  g_ptr_array_insert (folders, 0, g_path_get_dirname (path));
  MEMLANE_FOR_EACH (const char, folder, folders)
    {
      g_autofree char *found = g_build_filename (folder, file, NULL);

      if (g_file_test (found, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&found);
    }
  return NULL;
}

/* The starting point of the file: the profile that it is based on, or every default. */
static MemlaneProfile *
start_from (const MemlaneKeys *reader, gboolean is_base, GError **error)
{
  g_autofree char *base = g_key_file_get_value (reader->file, "device", "based_on", NULL),
                  *found = NULL;
  g_autoptr (GError) problem = NULL;
  MemlaneProfile *self;

  if (base == NULL)
    return memlane_profile_new ();
  if (is_base)
    return memlane_keys_refuse (
               reader, "device", "based_on", error,
               "expected a profile that is based on no other, for this one is a base itself"),
           NULL;
  found = strchr (base, '/') == NULL ? find_base (reader->name, base) : NULL;
  if (found == NULL)
    return memlane_keys_refuse (
               reader, "device", "based_on", error,
               "there is no %.80s.device, neither beside this file nor among the installed ones",
               base),
           NULL;
  self = load (found, TRUE, &problem);
  if (self == NULL)
    return memlane_keys_refuse (reader, "device", "based_on", error, "%s", problem->message), NULL;
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->residuals, memlane_residuals_unref);
  g_clear_pointer (&self->info.calibrated_from, g_free);
  return self;
}

static gboolean
states (const MemlaneKeys *reader, const char *key)
{
  return g_key_file_has_key (reader->file, "device", key, NULL);
}

static MemlaneProfile *
parse (const MemlaneKeys *reader, gboolean is_base, GError **error)
{
  g_autoptr (MemlaneProfile) self = NULL;
  g_auto (GStrv) groups = g_key_file_get_groups (reader->file, NULL);

  if (!g_key_file_has_group (reader->file, "device"))
    return memlane_keys_refuse (reader, "device", NULL, error, "expected, and missing"), NULL;
  self = start_from (reader, is_base, error);
  for (char **group = groups; self != NULL && *group != NULL; group++)
    if (!parse_group (self, reader, *group, error))
      return NULL;
  if (self == NULL)
    return NULL;

  /* Derives values from the keys. A cache that no data sheet tells of is as much faster than the
   * memory as the H200's. One hardware queue is what devices with one copy engine have. */
  if (states (reader, "link_generation") && !states (reader, "link_bandwidth")
      && self->info.link_generation > 0)
    self->info.link_bandwidth = MAX (LEAST_BANDWIDTH,
                                     memlane_link_get_bandwidth ((guint) self->info.link_generation,
                                                                 (guint) self->info.link_width));
  if (states (reader, "memory_bandwidth") && !states (reader, "l2_bandwidth"))
    self->l2_bandwidth = CACHE_RATIO * self->info.memory_bandwidth;
  if (states (reader, "asyncEngineCount") && !states (reader, "in_order_engines"))
    self->in_order_engines = self->info.copy_engines <= 1;
  if (self->info.priority_greatest > self->info.priority_least)
    return memlane_keys_refuse (reader, "device", "priority_greatest", error,
                                "expected a number not above priority_least"),
           NULL;
  if (g_utf8_strlen (self->info.name, -1) > MEMLANE_PROFILE_LONGEST_NAME)
    return memlane_keys_refuse (reader, "device", "name", error, "expected at most %d characters",
                                MEMLANE_PROFILE_LONGEST_NAME),
           NULL;
  self->path = g_strdup (reader->name);
  return g_steal_pointer (&self);
}

/* Makes the device unavailable, for what is wrong with its profile. */
static gboolean
refuse (GError **error, GError *problem)
{
  g_autoptr (GError) taken = problem;

  return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "%s",
                       taken->message);
}

/* Opens the file at @path. A base's recording is its own, stands last, and takes most of the
 * time. */
static gboolean
open_keys (MemlaneKeys *reader, const char *path, gboolean is_base, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  const char *recording;
  gsize length;

  if (!memlane_small_file_read (path, MEMLANE_PROFILE_MAX_BYTES, &text, &length, &problem))
    return memlane_fail_io (error, "%s: cannot be read: %s", path, problem->message);
  recording = is_base ? strstr (text, "\n[recorded ") : NULL;
  return memlane_keys_open (reader, text, recording != NULL ? (gsize) (recording - text) : length,
                            path, "device", "C", error);
}

static MemlaneProfile *
load (const char *path, gboolean is_base, GError **error)
{
  g_auto (MemlaneKeys) reader = { 0 };
  GError *problem = NULL;
  MemlaneProfile *self = open_keys (&reader, path, is_base, &problem)
                             ? parse (&reader, is_base, &problem)
                             : NULL;

  return self != NULL || !refuse (error, problem) ? self : NULL;
}

MemlaneProfile *
memlane_profile_load (const char *path, GError **error)
{
  return load (path, FALSE, error);
}

/* --- recorded rounds -------------------------------------------------------------------------- */

static char *
find_rounds (const MemlaneProfile *self)
{
  return self->path != NULL && g_str_has_suffix (self->path, ".device")
             ? g_strdup_printf ("%.*s.rounds", (int) (strlen (self->path) - strlen (".device")),
                                self->path)
             : NULL;
}

gboolean
memlane_profile_load_rounds (MemlaneProfile *self, GError **error)
{
  g_autofree char *path = find_rounds (self);
  g_auto (MemlaneKeys) reader = { 0 };
  g_auto (GStrv) groups = NULL;
  GError *problem = NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return memlane_fail (
        error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
        "%s: no rounds were recorded beside this profile; expected NAME.rounds next to its file",
        self->info.name);
  if (!open_keys (&reader, path, FALSE, &problem))
    return refuse (error, problem);
  groups = g_key_file_get_groups (reader.file, NULL);
  for (char **group = groups; *group != NULL; group++)
    if (!parse_residuals (self, &reader, *group, &problem))
      return refuse (error, problem);
  return TRUE;
}
