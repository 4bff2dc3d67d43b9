/* journal.c: what has been measured is on disk as soon as its cell ends
 *
 * SPDX-License-Identifier: MIT
 *
 * cells.csv is an ordinary table but for one thing: the last row of each cell ends in CR LF, all others in LF. So a reader knows up to
 * where the cells are whole, wherever a kill or a power cut tore the rest: a write may stop between two rows of a cell as well
 * as inside one.
 * The folder is made under a hidden name and gets its own when the lock is held, so nobody ever sees a journal of a living writer
 * without one.
 */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "base/device-id.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "csv.h"

#define NEW ".new-"
#define CELLS "cells.csv"
#define ENVIRONMENT "environment.json"
#define MOST_NAMES 1000 /* of journals with the same run id */

struct _MemlaneJournal
{
  char *path;
  MemlaneRun *run; /* id and device, no cells */
  int fd;          /* of cells.csv, locked */
  guint64 length;  /* of the whole cells in it */
};

static char *
get_root (void)
{
  return g_build_filename (g_get_user_state_dir (), "memlane", "journals", NULL);
}

static gboolean
fail (GError **error, const char *what, const char *path, int code)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot %s %s: %s", what, shown, g_strerror (code));
  return FALSE;
}

/* Gives the hidden @folder the name of the run, or that with a number where it is taken. */
static char *
publish (const char *root, const char *id, const char *folder, GError **error)
{
  g_autofree char *path = NULL;
  int code = EEXIST;

  for (guint i = 1; i <= MOST_NAMES && code == EEXIST; i++)
    {
      g_autofree char *name = i == 1 ? g_strdup (id) : g_strdup_printf ("%s-%u", id, i);

      g_free (path);
      path = g_build_filename (root, name, NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        continue;
      if (rename (folder, path) == 0)
        {
          memlane_save_sync_folder (root);
          return g_steal_pointer (&path);
        }
      code = errno == ENOTEMPTY ? EEXIST : errno;
    }
  fail (error, "write", path, code);
  return NULL;
}

static void
remove_files (const char *folder)
{
  g_autofree char *cells = g_build_filename (folder, CELLS, NULL), *environment = g_build_filename (folder, ENVIRONMENT, NULL);

  (void) unlink (cells);
  (void) unlink (environment);
  (void) rmdir (folder);
}

/* Removes the folders that processes have left which were killed before their journal had its name. Its maker holds a lock on it. */
static void
remove_left (const char *root)
{
  g_autoptr (GDir) dir = g_dir_open (root, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *folder = g_build_filename (root, name, NULL);
      int fd = memlane_save_is_left (name, NEW) ? open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) : -1;

      if (fd < 0)
        continue;
      if (flock (fd, LOCK_EX | LOCK_NB) == 0)
        {
          g_autoptr (GDir) inside = g_dir_open (folder, 0, NULL);
          const char *file;

          while (inside != NULL && (file = g_dir_read_name (inside)) != NULL)
            {
              g_autofree char *path = g_build_filename (folder, file, NULL);

              if (memlane_save_is_left (file, ".memlane-"))
                (void) unlink (path);
            }
          remove_files (folder);
        }
      close (fd);
    }
}

/* A hidden folder with a lock on it: the lock, or -1 with errno. */
static int
make_folder (char *folder)
{
  gsize length = strlen (folder);

  for (;;)
    {
      struct stat info;
      int fd;

      memset (folder + length - 6, 'X', 6);
      if (g_mkdtemp (folder) == NULL)
        return -1;
      fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (fd >= 0 && (flock (fd, LOCK_EX) != 0 || fstat (fd, &info) != 0 || info.st_nlink > 0))
        return fd;
      if (fd < 0 && errno != ENOENT)
        return -1;
      if (fd >= 0) /* who cleans up was quicker */
        close (fd);
    }
}

/* The files of a journal without cells, in @folder; the lock is held. */
static gboolean
begin (MemlaneJournal *self, const MemlaneRun *run, const char *folder, GError **error)
{
  g_autofree char *cells = g_build_filename (folder, CELLS, NULL), *environment = g_build_filename (folder, ENVIRONMENT, NULL);
  g_autoptr (GString) header = g_string_new (NULL);

  if (run->environment != NULL)
    {
      g_autoptr (MemlaneSave) save = memlane_save_prepare (environment, run->environment, strlen (run->environment), error);

      if (save == NULL || !memlane_save_commit (save, error))
        return FALSE;
    }
  self->fd = open (cells, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (self->fd < 0)
    return fail (error, "write", cells, errno);
  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0)
    return fail (error, "lock", cells, errno);
  memlane_csv_append_header (header);
  if (!memlane_save_write_all (self->fd, header->str, header->len) || fdatasync (self->fd) != 0)
    return fail (error, "write", cells, errno);
  self->length = header->len;
  return TRUE;
}

MemlaneJournal *
memlane_journal_open (const MemlaneRun *run, GError **error)
{
  g_autoptr (MemlaneJournal) self = g_new0 (MemlaneJournal, 1);
  g_autofree char *root = get_root (), *folder = g_build_filename (root, NEW "XXXXXX", NULL);
  int lock;

  self->fd = -1;
  self->run = memlane_run_new (run->id, run->device, run->device_kind);
  if (run->id[0] == '\0' || run->id[0] == '.' || strchr (run->id, '/') != NULL)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot write a journal: the run's name '%s' is no name of a folder",
                   run->id);
      return NULL;
    }
  if (g_mkdir_with_parents (root, 0700) != 0)
    {
      fail (error, "make", root, errno);
      return NULL;
    }
  remove_left (root);
  lock = make_folder (folder);
  if (lock < 0)
    {
      fail (error, "write", root, errno);
      return NULL;
    }
  if (begin (self, run, folder, error))
    self->path = publish (root, run->id, folder, error);
  close (lock); /* from here on that of cells.csv */
  if (self->path == NULL)
    {
      remove_files (folder);
      return NULL;
    }
  return g_steal_pointer (&self);
}

gboolean
memlane_journal_append (MemlaneJournal *self, const MemlaneCell *cell, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  memlane_csv_append_cell (text, self->run, cell);
  g_string_truncate (text, text->len - 1);
  g_string_append (text, "\r\n"); /* the cell is whole: see above */

  if (!memlane_save_write_all (self->fd, text->str, text->len) || fdatasync (self->fd) != 0)
    {
      int code = errno;

      /* What went in of it would stand in the way of the next one. */
      if (ftruncate (self->fd, (off_t) self->length) != 0)
        g_debug ("%s: %s", self->path, g_strerror (errno));
      return fail (error, "write the journal", self->path, code);
    }
  self->length += text->len;
  return TRUE;
}

const char *
memlane_journal_get_path (MemlaneJournal *self)
{
  return self->path;
}

void
memlane_journal_close (MemlaneJournal *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd); /* the lock goes with it */
  memlane_run_unref (self->run);
  g_free (self->path);
  g_free (self);
}

void
memlane_journal_entry_free (MemlaneJournalEntry *entry)
{
  if (entry == NULL)
    return;
  g_free (entry->path);
  g_free (entry->run);
  g_free (entry);
}

static void
entry_free (gpointer data)
{
  memlane_journal_entry_free (data);
}

/* cells.csv of @folder, open for reading, or -1 with errno; EWOULDBLOCK: @lock is asked for and somebody writes it. */
static int
open_cells (const char *folder, int lock)
{
  g_autofree char *path = g_build_filename (folder, CELLS, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); /* non-blocking: it might be a pipe */
  struct stat info;
  int code = 0;

  if (fd < 0)
    return -1;
  if (fstat (fd, &info) != 0)
    code = errno;
  else if (!S_ISREG (info.st_mode))
    code = EINVAL;
  else if (lock != 0 && flock (fd, lock | LOCK_NB) != 0)
    code = errno;
  if (code == 0)
    return fd;
  close (fd);
  errno = code;
  return -1;
}

/* The bytes up to the end of the last whole cell (or of the header), and how many cells that is; FALSE with errno. */
static gboolean
find_whole (int fd, guint64 *length, guint *cells)
{
  char buffer[64 * 1024];
  guint64 at = 0;
  gboolean in_quotes = FALSE, after_return = FALSE, in_header = TRUE;
  ssize_t n;

  *length = 0;
  *cells = 0;
  while ((n = pread (fd, buffer, sizeof buffer, (off_t) at)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      for (ssize_t i = 0; i < n; i++)
        {
          char c = buffer[i];

          if (c == '"')
            in_quotes = !in_quotes;
          if (c == '\n' && !in_quotes && (in_header || after_return))
            {
              *length = at + (guint64) i + 1;
              *cells += !in_header;
              in_header = FALSE;
            }
          after_return = c == '\r';
        }
      at += (guint64) n;
    }
  return TRUE;
}

static MemlaneRun *
read_cells (int fd, const char *path, GError **error)
{
  g_autofree char *environment_path = g_build_filename (path, ENVIRONMENT, NULL), *name = g_path_get_basename (path);
  g_autofree char *cells_path = g_build_filename (path, CELLS, NULL), *shown = g_filename_display_name (cells_path);
  g_autoptr (GPtrArray) runs = NULL;
  MemlaneRun *run;
  guint64 length;
  guint cells;
  struct stat info;

  if (fstat (fd, &info) == 0 && info.st_size > MEMLANE_JOURNAL_MOST_BYTES)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: found more than %d MiB, expected a journal of one run", shown,
                   MEMLANE_JOURNAL_MOST_BYTES >> 20);
      return NULL;
    }
  if (!find_whole (fd, &length, &cells))
    {
      fail (error, "read", cells_path, errno);
      return NULL;
    }
  if (cells == 0) /* killed before its first cell: the folder and the environment still say what it was to be */
    {
      g_autofree char *device = NULL, *kind = NULL, *environment = memlane_csv_read_environment (environment_path, &device, &kind, NULL);

      run = memlane_run_new (name, device != NULL ? device : "", kind != NULL ? kind : "");
    }
  else
    {
      runs = memlane_csv_read_fd (fd, shown, length, NULL, NULL, NULL, error);
      if (runs == NULL)
        return NULL;
      if (runs->len != 1)
        {
          g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:1: column run: found %u runs, expected one", shown,
                       runs->len);
          return NULL;
        }
      run = memlane_run_ref (g_ptr_array_index (runs, 0));
    }
  memlane_csv_find_environment (run, environment_path);
  return run;
}

MemlaneRun *
memlane_journal_read (const char *path, GError **error)
{
  int fd = open_cells (path, 0);
  MemlaneRun *run;

  if (fd < 0)
    {
      fail (error, "read the journal", path, errno);
      return NULL;
    }
  run = read_cells (fd, path, error);
  close (fd);
  return run;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const MemlaneJournalEntry *x = *(MemlaneJournalEntry *const *) a, *y = *(MemlaneJournalEntry *const *) b;

  if (x->modified != y->modified)
    return x->modified < y->modified ? 1 : -1;
  return strcmp (y->path, x->path);
}

GPtrArray *
memlane_journal_list (void)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func (entry_free);
  g_autofree char *root = get_root ();
  g_autoptr (GDir) folder = g_dir_open (root, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (root, name, NULL);
      g_autoptr (MemlaneRun) run = NULL;
      struct stat info;
      int fd = name[0] != '.' ? open_cells (path, LOCK_SH) : -1;

      if (fd < 0)
        continue;
      run = read_cells (fd, path, NULL);
      if (run != NULL && fstat (fd, &info) == 0)
        {
          MemlaneJournalEntry *entry = g_new0 (MemlaneJournalEntry, 1);

          entry->path = g_steal_pointer (&path);
          entry->run = g_strdup (run->id);
          entry->cells = run->cells->len;
          entry->modified = info.st_mtime;
          g_ptr_array_add (entries, entry);
        }
      close (fd);
    }
  g_ptr_array_sort (entries, compare_entries);
  return entries;
}

gboolean
memlane_journal_discard (const char *path, GError **error)
{
  g_autofree char *root = get_root (), *folder = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *cells = g_build_filename (path, CELLS, NULL), *environment = g_build_filename (path, ENVIRONMENT, NULL);
  struct stat root_info, folder_info, info;
  int fd;

  if (lstat (path, &info) != 0)
    return fail (error, "remove the journal", path, errno);
  if (!S_ISDIR (info.st_mode) || name[0] == '.' || stat (root, &root_info) != 0 || stat (folder, &folder_info) != 0 ||
      root_info.st_dev != folder_info.st_dev || root_info.st_ino != folder_info.st_ino)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot remove %s: it is no journal; they are the folders in %s", path,
                   root);
      return FALSE;
    }
  fd = open_cells (path, LOCK_EX);
  if (fd < 0 && errno == EWOULDBLOCK)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot remove %s: it is still being written", path);
      return FALSE;
    }
  if (fd < 0 && errno != ENOENT)
    return fail (error, "remove the journal", path, errno);

  if ((unlink (environment) != 0 && errno != ENOENT) || (unlink (cells) != 0 && errno != ENOENT) || rmdir (path) != 0)
    {
      int code = errno;

      if (fd >= 0)
        close (fd);
      return fail (error, "remove the journal", path, code);
    }
  if (fd >= 0)
    close (fd);
  return TRUE;
}
