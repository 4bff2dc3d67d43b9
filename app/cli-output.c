/* cli-output.c: whether an output can be written, told before anything is measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
set_io_error (GError **error, const char *path, const char *reason)
{
  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot write %s: %s", path, reason);
}

/* What a symbolic link points to is what will be replaced. (transfer full) */
static char *
resolve (const char *path)
{
  g_autofree char *real = realpath (path, NULL);

  return g_strdup (real != NULL ? real : path);
}

gboolean
cli_output_check (const char *path, GError **error)
{
  g_autofree char *target = NULL, *folder = NULL;
  struct stat status;

  if (strcmp (path, "-") == 0)
    return TRUE;
  if (path[0] == '\0')
    {
      set_io_error (error, "\"\"", "expected a file name");
      return FALSE;
    }
  target = resolve (path);
  if (stat (target, &status) == 0)
    {
      if (S_ISDIR (status.st_mode))
        {
          set_io_error (error, path, "it is a folder; expected a file name");
          return FALSE;
        }
      if (access (target, W_OK) != 0)
        {
          set_io_error (error, path, g_strerror (errno));
          return FALSE;
        }
      if (!S_ISREG (status.st_mode))
        return TRUE;
    }
  else if (errno != ENOENT || g_str_has_suffix (target, "/"))
    {
      set_io_error (error, path, errno != ENOENT ? g_strerror (errno) : "expected a file name after the last /");
      return FALSE;
    }

  folder = g_path_get_dirname (target);
  if (stat (folder, &status) != 0)
    {
      g_autofree char *reason = g_strdup_printf ("folder %s: %s", folder, g_strerror (errno));
      set_io_error (error, path, reason);
      return FALSE;
    }
  if (!S_ISDIR (status.st_mode) || access (folder, W_OK | X_OK) != 0)
    {
      g_autofree char *reason = g_strdup_printf ("folder %s: %s", folder,
                                                 S_ISDIR (status.st_mode) ? g_strerror (errno) : "is not a folder");
      set_io_error (error, path, reason);
      return FALSE;
    }
  return TRUE;
}

gboolean
cli_output_is_stream (const char *path)
{
  struct stat status;

  return strcmp (path, "-") == 0 || (stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode));
}

gboolean
cli_output_is_same (const char *path, const char *other)
{
  g_autofree char *left = resolve (path), *right = resolve (other);
  g_autofree char *left_whole = g_canonicalize_filename (left, NULL), *right_whole = g_canonicalize_filename (right, NULL);

  return strcmp (left_whole, right_whole) == 0;
}
