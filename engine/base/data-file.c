/* data-file.c: where Memlane's own data files lie
 *
 * SPDX-License-Identifier: MIT
 */
#include "data-file.h"

#include <string.h>

#include "base-config.h"
#include "each.h"

GPtrArray *
memlane_data_list_folders (const char *relative)
{
  GPtrArray *folders = g_ptr_array_new_with_free_func (g_free);
  const char *own = g_getenv ("MEMLANE_DATA_DIR");

  if (own != NULL && *own != '\0')
    g_ptr_array_add (folders, g_build_filename (own, relative, NULL));
  g_ptr_array_add (folders, g_build_filename (g_get_user_data_dir (), "memlane", relative, NULL));
  /* Two versions may be installed: each finds its own data first. */
  g_ptr_array_add (folders, g_build_filename (MEMLANE_DATADIR, relative, NULL));
  for (const char *const *each = g_get_system_data_dirs (); *each != NULL; each++)
    g_ptr_array_add (folders, g_build_filename (*each, "memlane", relative, NULL));
#ifdef MEMLANE_SOURCE_DATA
  g_ptr_array_add (folders, g_build_filename (MEMLANE_SOURCE_DATA, relative, NULL));
#endif
  return folders;
}

char *
memlane_data_find (const char *relative)
{
  g_autoptr (GPtrArray) places = memlane_data_list_folders (relative);

  for (guint i = 0; i < places->len; i++)
    if (g_file_test (places->pdata[i], G_FILE_TEST_EXISTS))
      return g_strdup (places->pdata[i]);
  return NULL;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

GPtrArray *
memlane_list_files (const char *folder, const char *suffix, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, error);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (*name != '.' && g_str_has_suffix (name, suffix))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

GPtrArray *
memlane_data_list_files (const char *relative, const char *suffix)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders (relative);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GPtrArray) files = memlane_list_files (folders->pdata[i], suffix, NULL);

      MEMLANE_FOR_EACH (char, file, files)
        if (g_hash_table_add (seen, g_path_get_basename (file)))
          g_ptr_array_add (paths, g_strdup (file));
    }
  return paths;
}
