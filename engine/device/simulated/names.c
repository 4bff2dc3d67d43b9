/* names.c: the names of simulated devices, those of the files in devices/: listing, describing and opening them
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulated.h"

#include <string.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/strict-text.h"

/* By name: a folder's order is the file system's whim. After them those that are based on another, fewer copy engines first.
 * (transfer full) */
static char *
get_rank (const MemlaneProfile *profile, const char *name)
{
  return profile == NULL || !profile->is_based
    ? g_strdup_printf ("0%s", name) : g_strdup_printf ("1%d%s", profile->info.copy_engines, name);
}

/* Lists @name, which is taken, at @rank. @problem: why it cannot be used, or NULL. */
static void
add_listing (GTree *listings, const char *rank, const char *id, char *name, const GError *problem)
{
  MemlaneDeviceListing *listing = g_new0 (MemlaneDeviceListing, 1);

  listing->id = g_strconcat ("simulated:", id, NULL);
  listing->kind = g_strdup ("simulated");
  listing->name = name;
  listing->reason = problem != NULL ? g_strdup (problem->message) : NULL;
  g_tree_insert (listings, g_strdup (rank), listing);
}

static void
list_file (GTree *listings, const char *path, const char *name)
{
  const char *expected = memlane_check_name (name);
  g_autoptr (GError) problem = NULL;
  g_autoptr (MemlaneProfile) profile = expected == NULL ? memlane_profile_load (path, &problem) : NULL;
  g_autofree char *rank = get_rank (profile, name);

  if (expected != NULL)
    g_set_error (&problem, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE, "its file has another name, expected %s", expected);
  add_listing (listings, rank, name, g_strdup (profile != NULL ? profile->info.name : name), problem);
}

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (a, b);
}

static gboolean
append_listing (gpointer rank, gpointer listing, gpointer listings)
{
  g_ptr_array_add (listings, listing);
  return FALSE;
}

void
memlane_sim_list (GPtrArray *listings)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders ("devices");
  g_autoptr (GHashTable) seen = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GPtrArray) paths = memlane_list_files (folders->pdata[i], ".device", NULL);
      g_autoptr (GTree) found = g_tree_new_full (compare_ranks, NULL, g_free, NULL);

      MEMLANE_FOR_EACH (const char, path, paths)
        {
          g_autofree char *file = g_path_get_basename (path), *name = g_strndup (file, strlen (file) - strlen (".device"));

          if (g_hash_table_add (seen, g_strdup (name))) /* an earlier folder's hides it, when opened too */
            list_file (found, path, name);
        }
      g_tree_foreach (found, append_listing, listings);
    }
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
      g_autoptr (GPtrArray) listings = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_device_listing_free);
      g_autoptr (GString) known = g_string_new (NULL);

      memlane_sim_list (listings);
      for (guint i = 0; i < listings->len; i++)
        g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", ((MemlaneDeviceListing *) listings->pdata[i])->id);
      return memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNAVAILABLE,
                           "simulated:%s: there is no such device profile; expected %s%sor the path of a .device file", name, known->str,
                           known->len > 0 ? " " : ""), NULL;
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
