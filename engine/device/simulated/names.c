/* names.c: the names of simulated devices, those of the files in devices/: listing, describing and
 * opening them
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/strict-text.h"
#include "base/words.h"

/* Lists the device of the file at @path, or why it cannot be used. */
static void
list_file (GPtrArray *listings, const char *path)
{
  g_autofree char *file = g_path_get_basename (path),
                  *name = g_strndup (file, strlen (file) - strlen (".device"));
  const char *expected = memlane_check_name (name);
  g_autoptr (GError) problem = NULL;
  g_autoptr (MemlaneProfile) profile = expected == NULL ? memlane_profile_load (path, &problem)
                                                        : NULL;
  MemlaneDeviceListing *listing = g_new0 (MemlaneDeviceListing, 1);

  listing->id = g_strconcat ("simulated:", name, NULL);
  listing->kind = g_strdup ("simulated");
  listing->name = g_strdup (profile != NULL ? profile->info.name : name);
  if (expected != NULL)
    listing->reason = g_strdup_printf ("its file has another name, expected %s", expected);
  else if (profile == NULL)
    listing->reason = g_strdup (problem->message);
  g_ptr_array_add (listings, listing);
}

void
memlane_sim_list (GPtrArray *listings)
{
  g_autoptr (GPtrArray) paths = memlane_data_list_files ("devices", ".device");

  MEMLANE_FOR_EACH (const char, path, paths)
    list_file (listings, path);
}

/* (transfer full): the file that @name stands for */
static char *
find_path (const char *name, GError **error)
{
  g_autofree char *relative = g_strdup_printf ("devices/%s.device", name), *path = NULL;

  if (strchr (name, '/') != NULL || g_str_has_suffix (name, ".device"))
    path = g_strdup (name);
  else if (memlane_check_name (name) == NULL)
    path = memlane_data_find (relative);
  if (path == NULL)
    {
      g_autoptr (GPtrArray) listings = g_ptr_array_new_with_free_func (
          (GDestroyNotify) memlane_device_listing_free);
      g_autofree char *known = NULL;

      memlane_sim_list (listings);
      known = MEMLANE_LIST (listings->len, ((MemlaneDeviceListing *) listings->pdata[i])->id);
      return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                           "simulated:%s: there is no such device profile; expected %s%sor the "
                           "path of a .device file",
                           name, known, *known != '\0' ? " " : ""),
             NULL;
    }
  return g_steal_pointer (&path);
}

static MemlaneProfile *
load_profile (const char *name, GError **error)
{
  g_autofree char *path = find_path (name, error);

  return path != NULL ? memlane_profile_load (path, error) : NULL;
}

gboolean
memlane_sim_describe (const char *name, MemlaneDeviceInfo *info, GError **error)
{
  g_autoptr (MemlaneProfile) profile = load_profile (name, error);
  g_autofree char *id = g_strdup_printf ("simulated:%s", name);

  if (profile == NULL)
    return FALSE;
  memlane_sim_fill_info (info, profile, id);
  return TRUE;
}

MemlaneDevice *
memlane_sim_open (const char *name, GError **error)
{
  g_autoptr (MemlaneProfile) profile = load_profile (name, error);
  g_autofree char *id = g_strdup_printf ("simulated:%s", name);

  return profile != NULL ? memlane_simulated_device_new (profile, id) : NULL;
}
