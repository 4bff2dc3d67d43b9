/* save.c: a file is whole or it is not there
 *
 * SPDX-License-Identifier: MIT
 */
#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "owns.h"

struct _MemlaneSave
{
  char *path;      /* as the caller said it, for messages */
  char *target;    /* where it goes: @path with its symbolic links followed */
  char *temporary; /* the name of what is written so far; NULL: it has none, or is committed */
  int fd;          /* -1: all is written, or nothing will be */
};

#define TEMPORARY ".memlane-tmp-" /* short: the target's own name may be as long as names get */

static gboolean
is_standard_output (const char *path)
{
  return strcmp (path, "-") == 0 || strcmp (path, "/dev/stdout") == 0;
}

gboolean
memlane_save_is_stream (const char *path)
{
  struct stat info;

  if (is_standard_output (path))
    return TRUE;
  return stat (path, &info) == 0 && !S_ISREG (info.st_mode) && !S_ISDIR (info.st_mode);
}

gboolean
memlane_save_write_all (int fd, const char *text, gsize length)
{
  while (length > 0)
    {
      ssize_t written = write (fd, text, MIN (length, 1 << 30));

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return FALSE;
      text += written;
      length -= (gsize) written;
    }
  return TRUE;
}

void
memlane_save_sync_folder (const char *folder)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return;
  (void) fsync (fd);
  close (fd);
}

/* @code: errno, or 0. TRUE: there is no error. */
static gboolean
check (int code, const char *path, GError **error)
{
  g_autofree char *shown = code != 0 ? g_filename_display_name (path) : NULL;

  if (code != 0)
    g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot write %s: %s", shown,
                 code == ENXIO ? "nobody reads this pipe; start its reader first"
                               : g_strerror (code));
  return code == 0;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Gives the temporary file the owner and the permissions of @old, which it will replace, without
 * set-user-ID and set-group-ID: what is written now would run with them. Returns 0 or errno. */
static int
take_permissions (MemlaneSave *self, const struct stat *old)
{
  struct stat new;

  if (fstat (self->fd, &new) != 0)
    return errno;
  if ((new.st_uid != old->st_uid || new.st_gid != old->st_gid)
      && fchown (self->fd, old->st_uid, old->st_gid) != 0 && new.st_uid != old->st_uid)
    return errno;
  return fchmod (self->fd, old->st_mode & 0777) != 0 ? errno : 0;
}

/* Opens a file without a name, which a kill leaves nothing of; with a name where there are no such
 * files, or no /proc. Returns 0 or errno. */
static int
open_beside (MemlaneSave *self)
{
  g_autofree char *folder = g_path_get_dirname (self->target);
  /* the kernel may refuse to follow somebody else's link */
  int old = open (self->path, O_PATH | O_CLOEXEC);
  gboolean replaces = old >= 0;
  struct stat info;
  int code = replaces ? 0 : errno;

  if (replaces && fstat (old, &info) != 0)
    code = errno;
  if (replaces)
    close (old);
  if (code != 0 && code != ENOENT)
    return code;
  if (replaces && S_ISDIR (info.st_mode))
    return EISDIR;
  /* Renaming over it would need no right to write to it; whoever took that right away meant it. */
  if (replaces && access (self->target, W_OK) != 0)
    return errno;

  /* By /proc it gets its name. */
  if (access ("/proc/self/fd", F_OK) == 0)
    self->fd = open (folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (self->fd < 0)
    {
      g_autofree char *temporary = g_build_filename (folder, TEMPORARY "XXXXXX", NULL);

      self->fd = g_mkstemp_full (temporary, O_WRONLY | O_CLOEXEC, 0666);
      if (self->fd < 0)
        return errno;
      self->temporary = g_steal_pointer (&temporary);
    }
  return replaces ? take_permissions (self, &info) : 0;
}

/* Brings what was written to the disk. Returns 0 or errno. */
static int
sync_file (MemlaneSave *self)
{
  gboolean fails = self->target != NULL && fsync (self->fd) != 0;

  return fails && errno != EINVAL && errno != ENOTSUP ? errno : 0;
}

/* Gives the file a name next to its target. Returns 0 or errno. */
static int
name_file (MemlaneSave *self, const char *folder)
{
  g_autofree char *unnamed = g_strdup_printf ("/proc/self/fd/%d", self->fd);
  g_autofree char *name = g_strdup_printf ("%s/" TEMPORARY "%08x", folder, g_random_int ());

  if (linkat (AT_FDCWD, unnamed, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0)
    return errno;
  self->temporary = g_steal_pointer (&name);
  return 0;
}

/* Closes the file. Returns @code, or errno where that is 0. */
static int
close_file (MemlaneSave *self, int code)
{
  int fd = self->fd;

  self->fd = -1;
  return fd >= 0 && fd != STDOUT_FILENO && close (fd) != 0 && code == 0 ? errno : code;
}

/* 0 or errno; *self is to be freed either way. */
static int
begin (const char *path, MemlaneSave **self)
{
  MemlaneSave *save = *self = g_new0 (MemlaneSave, 1);
  char *resolved;

  save->path = g_strdup (path);
  save->fd = -1;
  if (is_standard_output (path))
    {
      save->fd = STDOUT_FILENO;
      return 0;
    }
  if (memlane_save_is_stream (path))
    {
      /* A pipe that nobody reads is an error, not a wait that no signal ends. */
      save->fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
      return save->fd < 0 || fcntl (save->fd, F_SETFL, 0) != 0 ? errno : 0;
    }
  resolved = realpath (path, NULL);
  save->target = g_strdup (resolved != NULL ? resolved : path);
  free (resolved);
  return open_beside (save);
}

/* Puts what was written in its place; 0 or errno. */
static int
commit (MemlaneSave *self)
{
  g_autofree char *folder = self->target != NULL ? g_path_get_dirname (self->target) : NULL;
  int code = sync_file (self);

  if (code == 0 && folder != NULL && self->temporary == NULL)
    code = name_file (self, folder);
  code = close_file (self, code);
  if (code != 0 || folder == NULL)
    return code;
  if (rename (self->temporary, self->target) != 0)
    return errno;
  g_clear_pointer (&self->temporary, g_free);
  memlane_save_sync_folder (folder);
  return 0;
}

MemlaneSave *
memlane_save_begin (const char *path, GError **error)
{
  g_autoptr (MemlaneSave) self = NULL;

  return check (begin (path, &self), path, error) ? g_steal_pointer (&self) : NULL;
}

gboolean
memlane_save_append (MemlaneSave *self, const char *text, gsize length, GError **error)
{
  return memlane_save_write_all (self->fd, text, length) || check (errno, self->path, error);
}

MemlaneSave *
memlane_save_prepare (const char *path, const char *text, gsize length, GError **error)
{
  g_autoptr (MemlaneSave) self = memlane_save_begin (path, error);

  if (self == NULL || !memlane_save_append (self, text, length, error)
      || !check (sync_file (self), path, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
memlane_save_commit (MemlaneSave *self, GError **error)
{
  return check (commit (self), self->path, error);
}

int
memlane_save_try_file (const char *path, const char *text, gsize length)
{
  g_autoptr (MemlaneSave) self = NULL;
  int code = begin (path, &self);

  if (code == 0 && !memlane_save_write_all (self->fd, text, length))
    code = errno;
  return code != 0 ? code : commit (self);
}

gboolean
memlane_save_file (const char *path, const char *text, gsize length, GError **error)
{
  return check (memlane_save_try_file (path, text, length), path, error);
}

static void
close_all (MemlaneSave *self)
{
  (void) close_file (self, 0);
  if (self->temporary != NULL)
    (void) unlink (self->temporary);
}

MEMLANE_DEFINE_FREE (MemlaneSave, void memlane_save_free (MemlaneSave *data), close_all (self);
                     OWNS (temporary, g_free) OWNS (target, g_free) OWNS (path, g_free))
