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
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "hash.h"
#include "owns.h"

struct _MemlaneSave
{
  char *path;      /* as the caller said it, for messages */
  char *target;    /* where it goes: @path with its symbolic links followed */
  char *temporary; /* what is written so far; NULL: a stream, or committed */
  int fd;          /* -1: all is written, or nothing will be */
  int lock;        /* of @temporary, as long as somebody writes it or is about to move it; -1: none */
};

/* A temporary file has this name, six random letters and the sticky bit, which no other file has. It loses the bit when
 * it has its own name. So a person's own .memlane-tmp-config is never taken for it. */
#define TEMPORARY ".memlane-tmp-"
#define N_RANDOM 6

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
                 code == ENXIO ? "nobody reads this pipe; start its reader first" : g_strerror (code));
  return code == 0;
}

/* --- what kills have left ------------------------------------------------------------------------------------------------ */

/* Whether @name is TEMPORARY and the six letters that mkstemp() chooses. */
static gboolean
is_left (const char *name)
{
  const char *random = g_str_has_prefix (name, TEMPORARY) ? name + strlen (TEMPORARY) : "";
  guint n = 0;

  while (g_ascii_isalnum (random[n]))
    n++;
  return n == N_RANDOM && random[n] == '\0';
}

/* Removes a stale temporary file. A live writer would still hold its lock. */
static void
remove_left (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat info;

  if (fd < 0)
    return;
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && (info.st_mode & S_ISVTX) != 0
      && info.st_uid == geteuid () && flock (fd, LOCK_EX | LOCK_NB) == 0)
    (void) unlink (path);
  close (fd);
}

/* Once for each folder that this process writes to. */
static void
clean_folder (const char *folder)
{
  static GMutex mutex;
  static GHashTable *seen;
  gboolean is_new;
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_mutex_lock (&mutex);
  if (seen == NULL)
    seen = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);
  is_new = g_hash_table_add (seen, g_strdup (folder));
  g_mutex_unlock (&mutex);
  dir = is_new ? g_dir_open (folder, 0, NULL) : NULL;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (is_left (name))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        remove_left (path);
      }
}

/* Makes a file at @path, whose last six letters are chosen, and locks it. Returns its descriptor, or -1 with errno. */
static int
make_locked (char *path)
{
  gsize length = strlen (path);

  for (;;)
    {
      struct stat info;
      int fd;

      memset (path + length - N_RANDOM, 'X', N_RANDOM);
      fd = g_mkstemp_full (path, O_WRONLY | O_CLOEXEC, S_ISVTX | 0666);
      /* Without locks nobody removes it either. Another process may have removed it: then make another one. */
      if (fd < 0 || flock (fd, LOCK_EX) != 0 || fstat (fd, &info) != 0 || info.st_nlink > 0)
        return fd;
      close (fd);
    }
}

/* --- writing --------------------------------------------------------------------------------------------------------------- */

/* Gives the temporary file the owner and the permissions of @old, which it will replace. It keeps its mark. Set-user-ID
 * and set-group-ID stay behind: what is written now would run with them. 0 or errno. */
static int
take_permissions (MemlaneSave *self, const struct stat *old)
{
  struct stat new;

  if (fstat (self->fd, &new) != 0)
    return errno;
  if ((new.st_uid != old->st_uid || new.st_gid != old->st_gid) && fchown (self->fd, old->st_uid, old->st_gid) != 0
      && new.st_uid != old->st_uid)
    return errno;
  return fchmod (self->fd, (new.st_mode & S_ISVTX) | (old->st_mode & 0777)) != 0 ? errno : 0;
}

/* Opens self->temporary; 0 or errno. */
static int
open_beside (MemlaneSave *self)
{
  g_autofree char *folder = g_path_get_dirname (self->target);
  int old = open (self->path, O_PATH | O_CLOEXEC); /* the kernel may refuse to follow somebody else's link */
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

  clean_folder (folder);
  self->temporary = g_build_filename (folder, TEMPORARY "XXXXXX", NULL); /* short: the target's own name may be as long as names get */
  self->fd = make_locked (self->temporary);
  if (self->fd < 0)
    {
      code = errno;
      g_clear_pointer (&self->temporary, g_free);
      return code;
    }
  self->lock = fcntl (self->fd, F_DUPFD_CLOEXEC, 0); /* the lock outlives the close whose result matters */
  return replaces ? take_permissions (self, &info) : 0;
}

/* Nothing more will be written; 0 or errno. */
static int
close_file (MemlaneSave *self)
{
  int code = 0, fd = self->fd;

  self->fd = -1;
  if (fd < 0 || fd == STDOUT_FILENO)
    return 0;
  if (self->temporary != NULL && fsync (fd) != 0 && errno != EINVAL && errno != ENOTSUP)
    code = errno;
  if (close (fd) != 0 && code == 0)
    code = errno;
  return code;
}

/* 0 or errno; *self is to be freed either way. */
static int
begin (const char *path, MemlaneSave **self)
{
  MemlaneSave *save = *self = g_new0 (MemlaneSave, 1);
  char *resolved;

  save->path = g_strdup (path);
  save->fd = save->lock = -1;
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

/* Puts what was written in its place; 0 or errno. The mark goes last: a kill before the rename leaves it. */
static int
commit (MemlaneSave *self)
{
  g_autofree char *folder = NULL;
  struct stat info;
  int code = close_file (self);

  if (code != 0 || self->temporary == NULL)
    return code;
  if (rename (self->temporary, self->target) != 0)
    return errno;
  g_clear_pointer (&self->temporary, g_free);
  if (fstat (self->lock, &info) == 0 && (info.st_mode & S_ISVTX) != 0)
    (void) fchmod (self->lock, info.st_mode & 0777);
  folder = g_path_get_dirname (self->target);
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

  if (self == NULL || !memlane_save_append (self, text, length, error) || !check (close_file (self), path, error))
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
  if (self->fd >= 0 && self->fd != STDOUT_FILENO)
    close (self->fd);
  if (self->temporary != NULL)
    (void) unlink (self->temporary);
  if (self->lock >= 0)
    close (self->lock);
}

MEMLANE_DEFINE_FREE (MemlaneSave, void memlane_save_free (MemlaneSave *data), close_all (self); OWNS (temporary, g_free)
                     OWNS (target, g_free) OWNS (path, g_free))
