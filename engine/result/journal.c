/* journal.c: what has been measured is on disk as soon as its cell ends
 *
 * SPDX-License-Identifier: MIT
 *
 * The table of a round is an ordinary one but for one thing: the last row of each cell ends in CR LF, all others in LF. So a reader knows
 * up to where the cells are whole, wherever a kill or a power cut tore the rest: a write may stop between two rows of a cell as well
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
#include "rounds.h"

#define NEW ".new-"
#define CELLS "cells.csv"
#define ENVIRONMENT "environment.json"
#define MOST_NAMES 1000 /* of journals with the same run id */

struct _MemlaneJournal
{
  char *path;
  MemlaneRun *run; /* id and device, no cells */
  int fd;          /* of cells.csv, locked */
  int round_fd;    /* of the round's table; @fd in the first */
  guint64 length;  /* of the whole cells in it */
};

/* The table of @round in @folder; (transfer full). */
static char *
make_cells_path (const char *folder, guint round)
{
  g_autofree char *name = round == 1 ? g_strdup (CELLS) : g_strdup_printf ("cells-%u.csv", round);

  return g_build_filename (folder, name, NULL);
}

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

/* FALSE with errno: something is left. */
static gboolean
remove_files (const char *folder)
{
  g_autofree char *environment = g_build_filename (folder, ENVIRONMENT, NULL);

  if (unlink (environment) != 0 && errno != ENOENT)
    return FALSE;
  for (guint round = MEMLANE_MOST_ROUNDS; round >= 1; round--)
    {
      g_autofree char *cells = make_cells_path (folder, round);

      if (unlink (cells) != 0 && errno != ENOENT)
        return FALSE;
    }
  return rmdir (folder) == 0;
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
          (void) remove_files (folder);
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

/* The round's table, empty but for its header. */
static gboolean
write_header (MemlaneJournal *self, const char *path, GError **error)
{
  g_autoptr (GString) header = g_string_new (NULL);

  memlane_csv_append_header (header);
  self->length = 0;
  if (ftruncate (self->round_fd, 0) != 0 || !memlane_save_write_all (self->round_fd, header->str, header->len)
      || fdatasync (self->round_fd) != 0)
    return fail (error, "write", path, errno);
  self->length = header->len;
  return TRUE;
}

/* The files of a journal without cells, in @folder; the lock is held. */
static gboolean
begin (MemlaneJournal *self, const MemlaneRun *run, const char *folder, GError **error)
{
  g_autofree char *cells = g_build_filename (folder, CELLS, NULL), *environment = g_build_filename (folder, ENVIRONMENT, NULL);

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
  self->round_fd = self->fd;
  return write_header (self, cells, error);
}

MemlaneJournal *
memlane_journal_open (const MemlaneRun *run, GError **error)
{
  g_autoptr (MemlaneJournal) self = g_new0 (MemlaneJournal, 1);
  g_autofree char *root = get_root (), *folder = g_build_filename (root, NEW "XXXXXX", NULL);
  int lock;

  self->fd = self->round_fd = -1;
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
      (void) remove_files (folder);
      return NULL;
    }
  return g_steal_pointer (&self);
}

gboolean
memlane_journal_begin_round (MemlaneJournal *self, guint round, GError **error)
{
  g_autofree char *path = make_cells_path (self->path, round);
  int fd = round == 1 ? self->fd : open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

  if (fd < 0)
    return fail (error, "write the journal", self->path, errno);
  if (self->round_fd != self->fd)
    close (self->round_fd);
  self->round_fd = fd;
  return write_header (self, path, error);
}

gboolean
memlane_journal_append (MemlaneJournal *self, const MemlaneCell *cell, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  memlane_csv_append_cell (text, self->run, cell);
  g_string_truncate (text, text->len - 1);
  g_string_append (text, "\r\n"); /* the cell is whole: see above */

  if (!memlane_save_write_all (self->round_fd, text->str, text->len) || fdatasync (self->round_fd) != 0)
    {
      int code = errno;

      /* What went in of it would stand in the way of the next one. */
      if (ftruncate (self->round_fd, (off_t) self->length) != 0)
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
  if (self->round_fd != self->fd)
    close (self->round_fd);
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

/* The table of @round in @folder, open for reading, or -1 with errno; EWOULDBLOCK: @lock is asked for and somebody writes it. */
static int
open_cells (const char *folder, guint round, int lock)
{
  g_autofree char *path = make_cells_path (folder, round);
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

/* The whole cells of one round, in their order. *@run NULL without an error: there are none. */
static gboolean
read_round (int fd, const char *path, guint round, MemlaneRun **run, GError **error)
{
  g_autofree char *cells_path = make_cells_path (path, round), *shown = g_filename_display_name (cells_path);
  g_autoptr (GPtrArray) runs = NULL;
  guint64 length;
  guint cells;
  struct stat info;

  *run = NULL;
  if (fstat (fd, &info) == 0 && info.st_size > MEMLANE_JOURNAL_MOST_BYTES)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s: found more than %d MiB, expected a journal of one run", shown,
                   MEMLANE_JOURNAL_MOST_BYTES >> 20);
      return FALSE;
    }
  if (!find_whole (fd, &length, &cells))
    return fail (error, "read", cells_path, errno);
  if (cells == 0)
    return TRUE;
  runs = memlane_csv_read_fd (fd, shown, length, NULL, NULL, NULL, error);
  if (runs == NULL)
    return FALSE;
  if (runs->len != 1)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD, "%s:1: column run: found %u runs, expected one", shown, runs->len);
      return FALSE;
    }
  *run = memlane_run_ref (g_ptr_array_index (runs, 0));
  return TRUE;
}

/* --- rounds become a run ----------------------------------------------------------------------------------------------------- */

static guint
hash_cell (gconstpointer data)
{
  const MemlaneCell *cell = data;

  return g_str_hash (cell->mode) * 31 + cell->log2_elements;
}

static gboolean
is_same_cell (gconstpointer a, gconstpointer b)
{
  const MemlaneCell *x = a, *y = b;

  return x->log2_elements == y->log2_elements && x->reuse == y->reuse && strcmp (x->mode, y->mode) == 0
         && strcmp (x->workload, y->workload) == 0;
}

static void
free_rounds (gpointer data)
{
  memlane_rounds_free (data);
}

/* What each round saw of each cell. */
typedef struct
{
  GPtrArray *cells;   /* MemlaneCell: of the first round that saw it; borrowed from @read */
  GHashTable *rounds; /* such a cell: its MemlaneRounds */
  GPtrArray *read;    /* MemlaneRun, owned */
} Gathered;

static void
gather (Gathered *self, guint round, MemlaneRun *run)
{
  g_ptr_array_add (self->read, run);
  for (guint i = 0; i < run->cells->len; i++)
    {
      MemlaneCell *cell = run->cells->pdata[i];
      MemlaneRounds *rounds = g_hash_table_lookup (self->rounds, cell);

      if (rounds == NULL)
        {
          rounds = memlane_rounds_new ();
          g_hash_table_insert (self->rounds, cell, rounds);
          g_ptr_array_add (self->cells, cell);
        }
      memlane_rounds_take (rounds, round, i + 1, cell);
    }
}

/* Size by size, whatever the order of the rounds was. */
static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const MemlaneCell *x = *(MemlaneCell *const *) a, *y = *(MemlaneCell *const *) b;

  return x->log2_elements != y->log2_elements ? (int) x->log2_elements - (int) y->log2_elements : strcmp (x->mode, y->mode);
}

static void
free_run (gpointer data)
{
  memlane_run_unref (data);
}

/* @fd: of the first round's table. */
static gboolean
read_rounds (int fd, const char *path, const MemlaneRoundRule *rule, MemlaneRun *run, GError **error)
{
  Gathered gathered = { g_ptr_array_new (), g_hash_table_new_full (hash_cell, is_same_cell, NULL, free_rounds),
                        g_ptr_array_new_with_free_func (free_run) };
  gboolean done = TRUE;

  for (guint round = 1; round <= MEMLANE_MOST_ROUNDS && done; round++)
    {
      int round_fd = round == 1 ? fd : open_cells (path, round, 0);
      MemlaneRun *read;

      if (round_fd < 0)
        continue;
      done = read_round (round_fd, path, round, &read, error);
      if (done && read != NULL)
        gather (&gathered, round, read);
      if (round > 1)
        close (round_fd);
    }
  g_ptr_array_sort (gathered.cells, compare_sizes);
  for (guint i = 0; i < gathered.cells->len && done; i++)
    g_ptr_array_add (run->cells, memlane_rounds_merge (g_hash_table_lookup (gathered.rounds, gathered.cells->pdata[i]), rule));
  g_hash_table_unref (gathered.rounds);
  g_ptr_array_unref (gathered.cells);
  g_ptr_array_unref (gathered.read);
  return done;
}

static MemlaneRun *
read_cells (int fd, const char *path, GError **error)
{
  g_autofree char *environment_path = g_build_filename (path, ENVIRONMENT, NULL), *name = g_path_get_basename (path);
  g_autoptr (MemlaneRun) first = NULL;
  MemlaneRoundRule rule;
  MemlaneRun *run;

  if (!read_round (fd, path, 1, &first, error))
    return NULL;
  if (first == NULL) /* killed before its first cell: the folder and the environment still say what it was to be */
    {
      g_autofree char *device = NULL, *kind = NULL;

      g_free (memlane_csv_read_environment (environment_path, &device, &kind, NULL));
      first = memlane_run_new (name, device != NULL ? device : "", kind != NULL ? kind : "");
    }
  memlane_csv_find_environment (first, environment_path);
  if (first->cells->len == 0 || !memlane_round_rule_read (&rule, first)) /* or of before there were rounds */
    return g_steal_pointer (&first);
  run = memlane_run_new (first->id, first->device, first->device_kind);
  run->environment = g_strdup (first->environment);
  if (lseek (fd, 0, SEEK_SET) == 0 && read_rounds (fd, path, &rule, run, error))
    return run;
  memlane_run_unref (run);
  return NULL;
}

MemlaneRun *
memlane_journal_read (const char *path, GError **error)
{
  int fd = open_cells (path, 1, 0);
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
      int fd = name[0] != '.' ? open_cells (path, 1, LOCK_SH) : -1;

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
  fd = open_cells (path, 1, LOCK_EX);
  if (fd < 0 && errno == EWOULDBLOCK)
    {
      g_set_error (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_IO, "cannot remove %s: it is still being written", path);
      return FALSE;
    }
  if (fd < 0 && errno != ENOENT)
    return fail (error, "remove the journal", path, errno);

  if (!remove_files (path))
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
