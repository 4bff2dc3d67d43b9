/* simulated.c: the simulated device: its profile, opening and closing, what calls cost
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <math.h>
#include <string.h>

#include "base/data-file.h"
#include "base/host-memory.h"

/* --- errors and costs ---------------------------------------------------------------------------------- */

gboolean
memlane_sim_fail (GError **error, MemlaneDeviceError code, const char *reason, const char *call_format, ...)
{
  va_list arguments;
  g_autofree char *call = NULL;

  if (error == NULL)
    return FALSE;
  va_start (arguments, call_format);
  call = g_strdup_vprintf (call_format, arguments);
  va_end (arguments);
  g_set_error (error, MEMLANE_DEVICE_ERROR, code, "%s: %s", call, reason);
  return FALSE;
}

gboolean
memlane_sim_admit (MemlaneSim *self, const char *call, GError **error)
{
  if (self->in_host_function)
    return memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_INVALID,
                             "cudaErrorNotPermitted: a host function must make no CUDA call; "
                             "record what it has to say and act on it after the wait",
                             "%s (in a host function)", call);
  if (self->profile->lose_device_after_calls > 0 && !self->lost && ++self->calls > self->profile->lose_device_after_calls)
    {
      self->lost = TRUE;
      self->lost_by = "cudaErrorDevicesUnavailable: the device was lost, as the profile asks; it is gone until the process ends";
    }
  return !self->lost || memlane_sim_fail (error, MEMLANE_DEVICE_ERROR_LOST, self->lost_by, "%s ()", call);
}

/* splitmix64: small, and the same everywhere. */
static double
next_uniform (MemlaneSim *self)
{
  guint64 z = (self->noise_state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return ((double) ((z ^ (z >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

static double
add_noise (MemlaneSim *self, double ns)
{
  double relative = self->profile->noise_relative;

  if (relative <= 0)
    return ns;
  return ns * MAX (0.05, 1 + relative * sqrt (-2 * log (next_uniform (self))) * cos (2 * G_PI * next_uniform (self)));
}

double
memlane_sim_cost (MemlaneSim *self, MemlaneCurve curve, double bytes)
{
  return add_noise (self, memlane_profile_cost (self->profile, curve, bytes));
}

void
memlane_sim_spend_cold (MemlaneSim *self)
{
  if (self->touched > 0)
    memlane_sim_charge (self, MEMLANE_CURVE_COLD_CALL, self->touched);
  self->touched = 0;
}

/* --- life ------------------------------------------------------------------------------------------------ */

static void
fill_info (MemlaneDeviceInfo *info, const MemlaneProfile *profile, const char *id)
{
  *info = profile->info;
  if (info->copy_engines >= 1)
    info->capabilities |= MEMLANE_CAN_COPY_ASYNC;
  else
    info->capabilities &= ~MEMLANE_CAN_COPY_ASYNC;
  info->id = g_strdup (id);
  info->kind = g_strdup ("simulated");
  info->name = g_strdup (profile->info.name);
  info->profile = g_strdup (profile->path);
  info->calibrated_from = g_strdup (profile->info.calibrated_from);
  info->driver = info->runtime = info->pci_bus_id = NULL;
}

MemlaneDevice *
memlane_simulated_device_new (const MemlaneProfile *profile, const char *id)
{
  MemlaneSim *self = g_new0 (MemlaneSim, 1);

  self->profile = memlane_profile_copy (profile);
  fill_info (&self->parent.info, profile, id);
  self->noise_state = profile->noise_seed;

  memlane_sim_queue_init (self);
  memlane_sim_memory_init (self);
  memlane_device_adopt (&self->parent, &memlane_simulated_driver);
  return &self->parent;
}

/* What is still queued is dropped: the memory that it points at may be gone. */
static void
simulated_close (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);

  memlane_sim_queue_clear (self);
  memlane_sim_memory_clear (self);
  memlane_profile_free (self->profile);
  g_free (self);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
simulated_list (GPtrArray *listings)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders ("devices");
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GDir) folder = g_dir_open (folders->pdata[i], 0, NULL);
      g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
      const char *file;

      while (folder != NULL && (file = g_dir_read_name (folder)) != NULL)
        if (g_str_has_suffix (file, ".device") && *file != '.')
          g_ptr_array_add (files, g_strdup (file));
      g_ptr_array_sort (files, compare_names); /* a folder's order is the file system's whim */
      for (guint k = 0; k < files->len; k++)
        {
          g_autofree char *name = g_strndup (files->pdata[k], strlen (files->pdata[k]) - strlen (".device"));
          g_autofree char *path = g_build_filename (folders->pdata[i], files->pdata[k], NULL);
          g_autoptr (GError) problem = NULL;
          g_autoptr (MemlaneProfile) profile = NULL;
          MemlaneDeviceListing *listing;

          if (!g_hash_table_add (seen, g_strdup (name)))
            continue; /* an earlier folder's hides it, when opened too */
          profile = memlane_profile_load (path, &problem);
          listing = g_new0 (MemlaneDeviceListing, 1);
          listing->id = g_strdup_printf ("simulated:%s", name);
          listing->kind = g_strdup ("simulated");
          listing->name = g_strdup (profile != NULL ? profile->info.name : name);
          listing->reason = profile == NULL ? g_strdup (problem->message) : NULL;
          g_ptr_array_add (listings, listing);
        }
    }
}

/* (transfer full): the profile that @name stands for */
static MemlaneProfile *
load_profile (const char *name, GError **error)
{
  g_autoptr (GPtrArray) folders = NULL;
  g_autofree char *path = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".device"))
    path = g_strdup (name);
  else if (*name != '\0')
    {
      g_autofree char *file = g_strconcat (name, ".device", NULL);

      folders = memlane_data_list_folders ("devices");
      for (guint i = 0; i < folders->len && path == NULL; i++)
        {
          path = g_build_filename (folders->pdata[i], file, NULL);
          if (!g_file_test (path, G_FILE_TEST_EXISTS))
            g_clear_pointer (&path, g_free);
        }
    }
  if (path == NULL)
    {
      g_autoptr (GPtrArray) listings = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
      g_autoptr (GString) known = g_string_new (NULL);

      simulated_list (listings);
      for (guint i = 0; i < listings->len; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", ((MemlaneDeviceListing *) listings->pdata[i])->id);
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                   "simulated:%s: there is no such device profile; expected %s%sor the path of a .device file", name, known->str,
                   known->len > 0 ? " " : "");
      return NULL;
    }
  return memlane_profile_load (path, error);
}

static gboolean
simulated_describe (const char *name, MemlaneDeviceInfo *info, GError **error)
{
  g_autoptr (MemlaneProfile) profile = load_profile (name, error);
  g_autofree char *id = g_strdup_printf ("simulated:%s", name);

  if (profile == NULL)
    return FALSE;
  fill_info (info, profile, id);
  return TRUE;
}

static MemlaneDevice *
simulated_open (const char *name, GError **error)
{
  g_autoptr (MemlaneProfile) profile = load_profile (name, error);
  g_autofree char *id = g_strdup_printf ("simulated:%s", name);

  return profile != NULL ? memlane_simulated_device_new (profile, id) : NULL;
}

/* --- the small calls ----------------------------------------------------------------------------------------- */

static gboolean
simulated_claim (MemlaneDevice *device, GError **error)
{
  return TRUE; /* nothing of it belongs to a thread */
}

/* Reading takes a moment, so that a loop that polls the clock, or a flag that a host function sets, gets on. */
static double
simulated_clock (MemlaneDevice *device)
{
  MemlaneSim *self = SIM (device);
  double now = self->now;

  if (self->in_host_function)
    return self->device_time;
  memlane_sim_spend (self, memlane_sim_host (self, CLOCK));
  memlane_sim_catch_up (self);
  return now;
}

static void
simulated_pause (MemlaneDevice *device, double ns)
{
  memlane_sim_spend (SIM (device), ns);
  memlane_sim_catch_up (SIM (device));
}

static void
simulated_get_host_memory (MemlaneDevice *device, guint64 *available, guint64 *lockable)
{
  MemlaneSim *self = SIM (device);
  guint64 limit = self->profile->host_memory_bytes;

  if (limit > 0)
    *available = limit > self->host_used ? limit - self->host_used : 0;
  else
    *available = memlane_host_memory_get_available ();
  limit = self->profile->lockable_bytes;
  *lockable = limit == 0 ? G_MAXUINT64 : limit > self->pinned_used ? limit - self->pinned_used : 0;
}

const MemlaneDriver memlane_simulated_driver = {
  .kind = "simulated",
  .list = simulated_list,
  .describe = simulated_describe,
  .open = simulated_open,
  .close = simulated_close,
  .claim = simulated_claim,
  .clock = simulated_clock,
  .pause = simulated_pause,
  .get_host_memory = simulated_get_host_memory,
  .memory = &memlane_sim_memory_calls,
  .access = &memlane_sim_access_calls,
  .work = &memlane_sim_work_calls,
  .order = &memlane_sim_order_calls,
  .trace = &memlane_sim_trace_calls,
};
