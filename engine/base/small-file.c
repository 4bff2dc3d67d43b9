/* small-file.c: a file of a person's, read at once and within a limit
 *
 * SPDX-License-Identifier: MIT
 */
#include "small-file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

static gboolean
fail (GError **error)
{
  return memlane_fail (error, G_FILE_ERROR, g_file_error_from_errno (errno), "%s", g_strerror (errno));
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
    return memlane_fail (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "found a pipe, a folder or a device, expected a file");
  while ((n = read (fd, buffer, sizeof buffer)) != 0 && text->len <= most)
    if (n > 0)
      g_string_append_len (text, buffer, n);
    else if (errno != EINTR)
      return fail (error);
  if (text->len > most)
    return memlane_fail (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "found a larger file, expected at most %" G_GSIZE_FORMAT " bytes", most);
  return TRUE;
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
