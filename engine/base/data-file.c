/* data-file.c: where Memlane's own data files lie
 *
 * SPDX-License-Identifier: MIT
 */
#include "data-file.h"

#include "base-config.h"

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

GPtrArray *
memlane_data_list_files (const char *relative, const char *suffix)
{
  g_autoptr (GPtrArray) folders = memlane_data_list_folders (relative);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < folders->len; i++)
    {
      g_autoptr (GDir) folder = g_dir_open (folders->pdata[i], 0, NULL);
      const char *file;

      while (folder != NULL && (file = g_dir_read_name (folder)) != NULL)
        if (g_str_has_suffix (file, suffix) && *file != '.' && g_hash_table_add (seen, g_strdup (file)))
          g_ptr_array_add (paths, g_build_filename (folders->pdata[i], file, NULL));
    }
  return paths;
}
