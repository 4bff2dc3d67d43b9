/* profile.c: a simulated device's file: its keys, reading it strictly with the one that it is based on
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile.h"

#include <math.h>
#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/key-file.h"
#include "base/reader-limits.h"
#include "base/strict-text.h"
#include "base/owns.h"
#include "device/link.h"

/* The values of a profile that says nothing: an H200's, of two copy engines, with every capability. */
MemlaneProfile *
memlane_profile_new (void)
{
  MemlaneProfile *self = g_new0 (MemlaneProfile, 1);

  self->info.name = g_strdup ("Simulated device");
  self->info.capabilities = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_UNIFIED_ADDRESSING | MEMLANE_CAN_MANAGED_MEMORY
                            | MEMLANE_CAN_CONCURRENT_MANAGED | MEMLANE_CAN_HOST_REGISTER | MEMLANE_CAN_MEMORY_POOLS
                            | MEMLANE_CAN_CONCURRENT_KERNELS | MEMLANE_CAN_HOST_POINTER_REGISTERED | MEMLANE_CAN_COPY_BATCH
                            | MEMLANE_CAN_VIRTUAL_MEMORY | MEMLANE_CAN_REGISTER_READ_ONLY;
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
  self->sync_pinned_alloc = self->sync_device_alloc = self->sync_memset = self->sync_copy_on_device = TRUE;
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

MEMLANE_DEFINE_FREE (MemlaneProfile, void memlane_profile_free (MemlaneProfile *data), OWNS (residuals, memlane_residuals_unref)
                     OWNS (path, g_free) OWNS (info.name, g_free) OWNS (info.calibrated_from, g_free))

/* --- the keys, but for costs ------------------------------------------------------------------------------------------- */

typedef enum { KEY_STRING, KEY_BOOLEAN, KEY_INT, KEY_UINT64, KEY_DOUBLE, KEY_CAPABILITY, KEY_BASE } KeyType;

typedef struct
{
  const char *group, *key;
  KeyType type;
  gsize offset;   /* in MemlaneProfile; KEY_CAPABILITY: the bit; KEY_BASE: none, it is followed and not kept */
  double low, high; /* of a number */
} Key;

#define MANY 1.8e19 /* as high: any 64-bit number */
#define LEAST_BANDWIDTH 1e6 /* bytes/s */
#define CACHE_RATIO 2.5 /* of the second-level cache to the memory */
#define MOST_PAGE_RATE 1e6 /* GB/s */

#define IN(member) G_STRUCT_OFFSET (MemlaneProfile, member)

static const Key keys[] = {
  { "device", "name", KEY_STRING, IN (info.name), 0, 0 },
  { "device", "calibrated_from", KEY_STRING, IN (info.calibrated_from), 0, 0 },
  { "device", "based_on", KEY_BASE, 0, 0, 0 },
  { "device", "memory_bytes", KEY_UINT64, IN (info.memory_bytes), 1, MANY },
  { "device", "l2_bytes", KEY_UINT64, IN (info.l2_bytes), 0, MANY },
  { "device", "memory_bandwidth", KEY_DOUBLE, IN (info.memory_bandwidth), 1e9, 1e14 },
  { "device", "multiprocessors", KEY_INT, IN (info.multiprocessors), 0, 1e6 },
  { "device", "compute_major", KEY_INT, IN (info.compute_major), 0, 1000 },
  { "device", "compute_minor", KEY_INT, IN (info.compute_minor), 0, 1000 },
  { "device", "integrated", KEY_BOOLEAN, IN (info.integrated), 0, 0 },
  { "device", "link_generation", KEY_INT, IN (info.link_generation), 0, 100 },
  { "device", "link_width", KEY_INT, IN (info.link_width), 0, 1024 },
  { "device", "link_bandwidth", KEY_DOUBLE, IN (info.link_bandwidth), LEAST_BANDWIDTH, 1e18 },
  { "device", "static_managed_bytes", KEY_UINT64, IN (info.static_managed_bytes), 0, 1e12 },
  { "device", "priority_least", KEY_INT, IN (info.priority_least), -1000, 1000 },
  { "device", "priority_greatest", KEY_INT, IN (info.priority_greatest), -1000, 1000 },
  { "device", "lockable_bytes", KEY_UINT64, IN (lockable_bytes), 0, MANY },
  { "device", "host_memory_bytes", KEY_UINT64, IN (host_memory_bytes), 0, MANY },
  { "device", "asyncEngineCount", KEY_INT, IN (info.copy_engines), 1, 3 },
  { "device", "in_order_engines", KEY_BOOLEAN, IN (in_order_engines), 0, 0 },
  { "device", "canMapHostMemory", KEY_CAPABILITY, MEMLANE_CAN_MAP_HOST_MEMORY, 0, 0 },
  { "device", "unifiedAddressing", KEY_CAPABILITY, MEMLANE_CAN_UNIFIED_ADDRESSING, 0, 0 },
  { "device", "managedMemory", KEY_CAPABILITY, MEMLANE_CAN_MANAGED_MEMORY, 0, 0 },
  { "device", "concurrentManagedAccess", KEY_CAPABILITY, MEMLANE_CAN_CONCURRENT_MANAGED, 0, 0 },
  { "device", "hostRegisterSupported", KEY_CAPABILITY, MEMLANE_CAN_HOST_REGISTER, 0, 0 },
  { "device", "canUseHostPointerForRegisteredMem", KEY_CAPABILITY, MEMLANE_CAN_HOST_POINTER_REGISTERED, 0, 0 },
  { "device", "memoryPoolsSupported", KEY_CAPABILITY, MEMLANE_CAN_MEMORY_POOLS, 0, 0 },
  { "device", "pageableMemoryAccess", KEY_CAPABILITY, MEMLANE_CAN_PAGEABLE_ACCESS, 0, 0 },
  { "device", "concurrentKernels", KEY_CAPABILITY, MEMLANE_CAN_CONCURRENT_KERNELS, 0, 0 },
  { "device", "peerCopy", KEY_CAPABILITY, MEMLANE_CAN_PEER_COPY, 0, 0 },
  { "device", "memcpyBatch", KEY_CAPABILITY, MEMLANE_CAN_COPY_BATCH, 0, 0 },
  { "device", "virtualMemoryManagementSupported", KEY_CAPABILITY, MEMLANE_CAN_VIRTUAL_MEMORY, 0, 0 },
  { "device", "hostRegisterReadOnlySupported", KEY_CAPABILITY, MEMLANE_CAN_REGISTER_READ_ONLY, 0, 0 },
  { "device", "l2_bandwidth", KEY_DOUBLE, IN (l2_bandwidth), LEAST_BANDWIDTH, 1e18 },
  { "host", "bandwidth", KEY_DOUBLE, IN (host_bandwidth), LEAST_BANDWIDTH, 1e18 },
  { "host", "cache_bandwidth", KEY_DOUBLE, IN (host_cache_bandwidth), LEAST_BANDWIDTH, 1e18 },
  { "host", "cache_bytes", KEY_UINT64, IN (core_cache_bytes), 0, MANY },
  { "host", "slow", KEY_DOUBLE, IN (slow_host), 0.01, 100 },
  { "link", "both_directions_factor", KEY_DOUBLE, IN (both_directions_factor), 0.01, 1 },
  { "implicit-sync", "pinned-alloc", KEY_BOOLEAN, IN (sync_pinned_alloc), 0, 0 },
  { "implicit-sync", "device-alloc", KEY_BOOLEAN, IN (sync_device_alloc), 0, 0 },
  { "implicit-sync", "memset", KEY_BOOLEAN, IN (sync_memset), 0, 0 },
  { "implicit-sync", "copy-on-device", KEY_BOOLEAN, IN (sync_copy_on_device), 0, 0 },
  { "trouble", "corrupt_kernel", KEY_BOOLEAN, IN (corrupt_kernel), 0, 0 },
  { "trouble", "late_latch", KEY_BOOLEAN, IN (late_latch), 0, 0 },
  { "trouble", "memory_bytes", KEY_UINT64, IN (trouble_memory_bytes), 0, MANY },
  { "trouble", "lose_device_after_calls", KEY_UINT64, IN (lose_device_after_calls), 0, MANY },
  { "trouble", "throttle", KEY_UINT64, IN (throttle), 0, MANY },
};

/* @name NULL: any key of @group. (nullable) */
static const Key *
find_key (const char *group, const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (keys[i].group, group) == 0 && (name == NULL || strcmp (keys[i].key, name) == 0))
      return &keys[i];
  return NULL;
}

/* --- reading ------------------------------------------------------------------------------------------------------------ */

/* Sets "FILE: [GROUP] KEY: EXPECTED"; always FALSE. */
static gboolean G_GNUC_PRINTF (5, 6)
refuse (GError **error, const char *file, const char *group, const char *key, const char *format, ...)
{
  va_list arguments;
  g_autofree char *expected = NULL;

  va_start (arguments, format);
  expected = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* Names from the file may be anything at all, and as long. */
  return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "%s: %s%.80s%s%s%.80s%s%s", file,
                       group != NULL ? "[" : "", group != NULL ? group : "", group != NULL ? "]" : "",
                       group != NULL && key != NULL ? " " : "", key != NULL ? key : "", group != NULL || key != NULL ? ": " : "", expected);
}

static gboolean
parse_number (const char *text, double *number)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  return memlane_text_read_number (stripped, number);
}

static gboolean
parse_key (MemlaneProfile *self, const Key *key, const char *text, const char *file, GError **error)
{
  const int longest = strcmp (key->key, "name") == 0 ? MEMLANE_PROFILE_LONGEST_NAME : MEMLANE_PROFILE_LONGEST_TEXT;
  const guint64 most = key->high >= MANY ? G_MAXUINT64 : (guint64) key->high;
  const gboolean yes = strcmp (text, "true") == 0;
  gpointer at = G_STRUCT_MEMBER_P (self, key->type == KEY_CAPABILITY ? 0 : key->offset);
  double number = 0;

  switch (key->type)
    {
    case KEY_STRING:
      if (*text == '\0' || g_utf8_strlen (text, -1) > longest)
        return refuse (error, file, key->group, key->key, "expected 1 to %d characters of text", longest);
      g_free (*(char **) at);
      *(char **) at = g_strdup (text);
      return TRUE;
    case KEY_BOOLEAN:
    case KEY_CAPABILITY:
      if (!yes && strcmp (text, "false") != 0)
        return refuse (error, file, key->group, key->key, "expected true or false");
      if (key->type == KEY_BOOLEAN)
        *(gboolean *) at = yes;
      else if (yes)
        self->info.capabilities |= (MemlaneCapabilities) key->offset;
      else
        self->info.capabilities &= ~(MemlaneCapabilities) key->offset;
      return TRUE;
    case KEY_BASE: /* it has been followed */
      return TRUE;
    case KEY_UINT64: /* not by way of a double: every bit counts */
      return g_ascii_string_to_unsigned (text, 10, (guint64) key->low, most, at, NULL)
             || refuse (error, file, key->group, key->key, "expected a whole number from %.15g to %.15g", key->low, key->high);
    case KEY_INT:
    case KEY_DOUBLE:
    default:
      break;
    }

  if (!parse_number (text, &number) || number < key->low || number > key->high || (key->type == KEY_INT && number != floor (number)))
    return refuse (error, file, key->group, key->key, "expected a %snumber from %.15g to %.15g", key->type == KEY_INT ? "whole " : "",
                   key->low, key->high);
  if (key->type == KEY_INT)
    *(int *) at = (int) number;
  else
    *(double *) at = number;
  return TRUE;
}

/* [cost] NAME=LATENCY or NAME=LATENCY;RATE */
static gboolean
parse_cost (MemlaneProfile *self, const char *name, const char *text, const char *file, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", 3);
  guint n = g_strv_length (parts), i = 0;
  MemlaneCost cost;
  gboolean is_share, has_rate;

  while (i < MEMLANE_N_COSTS && strcmp (memlane_cost_rows[i].name, name) != 0)
    i++;
  if (i == MEMLANE_N_COSTS)
    return refuse (error, file, "cost", name, "expected a row of the price list, such as %s or copy", memlane_cost_rows[0].name);
  cost = self->costs[i];
  is_share = memlane_cost_rows[i].carrier < MEMLANE_CARRIER_PAGES;
  has_rate = memlane_cost_rows[i].carrier != MEMLANE_CARRIER_NONE;
  if (n < 1 || n > (has_rate ? 2 : 1) || !parse_number (parts[0], &cost.latency_ns)
      || !(cost.latency_ns >= 0 && cost.latency_ns <= MEMLANE_PROFILE_LONGEST_CALL_NS))
    return refuse (error, file, "cost", name, "expected nanoseconds from 0 to 1e9%s", has_rate ? ", and after a semicolon the rate" : "");
  if (n == 2 && !(parse_number (parts[1], &cost.rate) && cost.rate > 1e-6 && cost.rate <= (is_share ? 1 : MOST_PAGE_RATE)))
    return refuse (error, file, "cost", name, is_share ? "expected a rate above 0 and at most 1, a share of the data sheet's bandwidth"
                                                       : "expected a rate above 0, in GB/s");
  self->costs[i] = cost;
  return TRUE;
}

/* The recording of the file itself; a base's is the base's. */
static gboolean
parse_residuals (MemlaneProfile *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_autofree char *key = NULL;
  const char *expected;

  return memlane_residuals_read (&self->residuals, file, group, &key, &expected) || refuse (error, name, group, key, "%s", expected);
}

/* "unknown key; expected a, b or c": those of [@group]. */
static gboolean
refuse_key (GError **error, const char *file, const char *group, const char *key)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *list = NULL;
  const char *last;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (strcmp (keys[i].group, group) == 0)
      g_ptr_array_add (names, (char *) keys[i].key);
  last = g_ptr_array_steal_index (names, names->len - 1);
  g_ptr_array_add (names, NULL);
  list = g_strjoinv (", ", (char **) names->pdata);
  return refuse (error, file, group, key, "unknown key; expected %s%s%s", list, *list != '\0' ? " or " : "", last);
}

static gboolean
parse_group (MemlaneProfile *self, GKeyFile *file, const char *group, const char *name, GError **error)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, group, NULL, NULL);
  const gboolean is_cost = strcmp (group, "cost") == 0;

  if (!is_cost && find_key (group, NULL) == NULL)
    return refuse (error, name, group, NULL,
                   "unknown group; expected [device], [host], [link], [implicit-sync], [cost], [trouble] or [recorded WORKLOAD reuse=R]");

  for (char **key = names; key != NULL && *key != NULL; key++)
    {
      g_autofree char *text = g_key_file_get_value (file, group, *key, NULL);
      const Key *match = is_cost ? NULL : find_key (group, *key);

      if (is_cost)
        {
          if (!parse_cost (self, *key, text, name, error))
            return FALSE;
          continue;
        }
      if (match == NULL)
        return refuse_key (error, name, group, *key);
      if (match->type == KEY_STRING)
        {
          g_free (text);
          text = g_key_file_get_string (file, group, *key, NULL);
          if (text == NULL)
            return refuse (error, name, group, *key, "expected text in UTF-8, escaped as in any key file");
        }
      if (!parse_key (self, match, text, name, error))
        return FALSE;
    }
  return TRUE;
}

static MemlaneProfile *load (const char *path, gboolean is_base, GError **error);

/* The base's file: beside the one that names it, or where device profiles are looked for. (nullable) (transfer full). */
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

/* The starting point of the file at @path: the profile that it is based on, or every default. */
static MemlaneProfile *
start_from (const char *path, gboolean is_base, GKeyFile *file, GError **error)
{
  g_autofree char *base = g_key_file_get_value (file, "device", "based_on", NULL), *found = NULL;
  g_autoptr (GError) problem = NULL;
  MemlaneProfile *self;

  if (base == NULL)
    return memlane_profile_new ();
  if (is_base)
    return refuse (error, path, "device", "based_on", "expected a profile that is based on no other, for this one is a base itself"), NULL;
  found = strchr (base, '/') == NULL ? find_base (path, base) : NULL;
  if (found == NULL)
    return refuse (error, path, "device", "based_on", "there is no %.80s.device, neither beside this file nor among the installed ones",
                   base), NULL;
  self = load (found, TRUE, &problem);
  if (self == NULL)
    return refuse (error, path, "device", "based_on", "%s", problem->message), NULL;
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->residuals, memlane_residuals_unref);
  g_clear_pointer (&self->info.calibrated_from, g_free);
  return self;
}

static gboolean
states (GKeyFile *file, const char *key)
{
  return g_key_file_has_key (file, "device", key, NULL);
}

static MemlaneProfile *
parse (const char *path, gboolean is_base, const char *data, gsize length, GError **error)
{
  g_autoptr (MemlaneProfile) self = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) groups = NULL;
  g_autoptr (MemlaneKeyLines) lines = NULL;

  lines = memlane_key_lines_new (data, length, "device");
  if (!memlane_key_lines_check (lines, path, &problem))
    return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "%s", problem->message), NULL;
  if (length == 0 || !g_key_file_load_from_data (file, data, length, G_KEY_FILE_NONE, &problem))
    return refuse (error, path, NULL, NULL, "expected a device profile, which is a key file with the group [device]: %s",
                   problem != NULL ? problem->message : "the file is empty"), NULL;
  if (!g_key_file_has_group (file, "device"))
    return refuse (error, path, "device", NULL, "expected, and missing"), NULL;

  self = start_from (path, is_base, file, error);
  if (self == NULL)
    return NULL;
  groups = g_key_file_get_groups (file, NULL);
  for (char **group = groups; *group != NULL; group++)
    {
      gboolean fine = memlane_residuals_is_group (*group) ? parse_residuals (self, file, *group, path, error)
                                                          : parse_group (self, file, *group, path, error);
      if (!fine)
        return NULL;
    }

  /* Derives values from the keys. A cache that no data sheet tells of is as much faster than the memory as the H200's. One hardware queue
   * is what devices with one copy engine have. */
  if (states (file, "link_generation") && !states (file, "link_bandwidth") && self->info.link_generation > 0)
    self->info.link_bandwidth = MAX (LEAST_BANDWIDTH, memlane_link_get_bandwidth ((guint) self->info.link_generation,
                                                                                  (guint) self->info.link_width));
  if (states (file, "memory_bandwidth") && !states (file, "l2_bandwidth"))
    self->l2_bandwidth = CACHE_RATIO * self->info.memory_bandwidth;
  if (states (file, "asyncEngineCount") && !states (file, "in_order_engines"))
    self->in_order_engines = self->info.copy_engines <= 1;
  if (self->info.priority_greatest > self->info.priority_least)
    return refuse (error, path, "device", "priority_greatest", "expected a number not above priority_least"), NULL;
  return g_steal_pointer (&self);
}

static MemlaneProfile *
load (const char *path, gboolean is_base, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  const char *recording;
  MemlaneProfile *self;
  gsize length;

  if (!memlane_small_file_read (path, MEMLANE_PROFILE_MAX_BYTES, &text, &length, &problem))
    return refuse (error, path, NULL, NULL, "cannot be read: %s", problem->message), NULL;
  /* A base's recording is its own, stands last, and takes most of the time. */
  recording = is_base ? strstr (text, "\n[recorded ") : NULL;
  self = parse (path, is_base, text, recording != NULL ? (gsize) (recording - text) : length, error);
  if (self != NULL)
    self->path = g_strdup (path);
  return self;
}

MemlaneProfile *
memlane_profile_load (const char *path, GError **error)
{
  return load (path, FALSE, error);
}

/* --- recorded rounds ------------------------------------------------------------------------------------------------------ */

static char *
find_rounds (const MemlaneProfile *self)
{
  return self->path != NULL && g_str_has_suffix (self->path, ".device")
    ? g_strdup_printf ("%.*s.rounds", (int) (strlen (self->path) - strlen (".device")), self->path) : NULL;
}

gboolean
memlane_profile_load_rounds (MemlaneProfile *self, GError **error)
{
  g_autofree char *path = find_rounds (self), *text = NULL;
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_auto (GStrv) groups = NULL;
  gsize length;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return refuse (error, self->info.name, NULL, NULL, "no rounds were recorded beside this profile; "
                   "expected NAME.rounds next to its file");
  if (!memlane_small_file_read (path, MEMLANE_PROFILE_MAX_BYTES, &text, &length, &problem)
      || !g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, &problem))
    return refuse (error, path, NULL, NULL, "%s", problem->message);
  groups = g_key_file_get_groups (file, NULL);
  for (char **group = groups; *group != NULL; group++)
    if (!parse_residuals (self, file, *group, path, error))
      return FALSE;
  return TRUE;
}
