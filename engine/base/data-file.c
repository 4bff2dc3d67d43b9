/* data-file.c: where Memlane's own data files lie; small files of people
 *
 * SPDX-License-Identifier: MIT
 */
#include "data-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gio/gunixinputstream.h>

#include "base-config.h"
#include "each.h"
#include "fail.h"
#include "hash.h"

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

  MEMLANE_FOR_EACH (const char, place, places)
    {
      g_autofree char *packed = g_strconcat (place, ".gz", NULL);

      if (g_file_test (place, G_FILE_TEST_EXISTS) || g_file_test (packed, G_FILE_TEST_EXISTS))
        return g_strdup (place);
    }
  return NULL;
}

char *
memlane_data_read (const char *relative, GError **error)
{
  g_autofree char *path = memlane_data_find (relative);
  g_autoptr (GError) problem = NULL;
  char *text = NULL;

  if (path == NULL)
    memlane_fail_io (error, "%s is in none of the data folders; install Memlane's data again",
                     relative);
  else if (!g_file_get_contents (path, &text, NULL, &problem))
    memlane_fail_io (error, "cannot read %s: %s", path, problem->message);
  return text;
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
  g_autoptr (GHashTable) seen = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                                                       NULL);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < 2 * folders->len; i++)
    {
      const char *packed = i % 2 == 0 ? "" : ".gz";
      g_autofree char *ending = g_strconcat (suffix, packed, NULL);
      g_autoptr (GPtrArray) files = memlane_list_files (folders->pdata[i / 2], ending, NULL);

      MEMLANE_FOR_EACH (char, file, files)
        {
          char *name = g_path_get_basename (file);

          name[strlen (name) - strlen (packed)] = '\0';
          if (g_hash_table_add (seen, name))
            g_ptr_array_add (paths, g_strdup (file));
        }
    }
  return paths;
}

/* --- files of people -------------------------------------------------------------------------- */

static gboolean
fail (GError **error)
{
  return memlane_fail (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s",
                       g_strerror (errno));
}

static gboolean
read_all (int fd, gsize most, GString *text, GError **error)
{
  char buffer[8192];
  struct stat info;
  gssize n;

  if (fstat (fd, &info) != 0)
    return fail (error);
  if (!S_ISREG (info.st_mode))
    return memlane_fail (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                         "found a pipe, a folder or a device, expected a file");
  while ((n = read (fd, buffer, sizeof buffer)) != 0 && text->len <= most)
    if (n > 0)
      g_string_append_len (text, buffer, n);
    else if (errno != EINTR)
      return fail (error);
  if (text->len > most)
    return memlane_fail (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                         "found a larger file, expected at most %" G_GSIZE_FORMAT " bytes", most);
  return TRUE;
}

GInputStream *
memlane_open_file (const char *path, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  g_autofree char *shown = g_filename_display_name (path);

  if (fd >= 0)
    return g_unix_input_stream_new (fd, TRUE);
  return memlane_fail_io (error, "cannot read %s: %s", shown, g_strerror (errno)), NULL;
}

gboolean
memlane_small_file_read (const char *path, gsize most, char **text, gsize *length, GError **error)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* not to wait for a pipe's writer */
  g_autoptr (GString) all = g_string_new (NULL);
  gboolean done = fd >= 0 ? read_all (fd, most, all, error) : fail (error);

  if (fd >= 0)
    close (fd);
  if (!done)
    return FALSE;
  *length = all->len;
  *text = g_string_free (g_steal_pointer (&all), FALSE);
  return TRUE;
}
