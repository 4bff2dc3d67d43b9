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

#include "base/data-file.h"
#include "base/device-id.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/reader-limits.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "base/owns.h"
#include "csv.h"
#include "environment.h"
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

  return memlane_fail_io (error, "cannot %s %s: %s", what, shown, g_strerror (code));
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

              if (memlane_save_is_left (file, ".memlane-tmp-"))
                (void) unlink (path);
            }
          (void) remove_files (folder);
        }
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
  const char *json = memlane_environment_get_json (run->environment);

  if (json != NULL && !memlane_save_file (environment, json, strlen (json), error))
    return FALSE;
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
  if (memlane_check_name (run->id) != NULL)
    return memlane_fail_io (error, "cannot write a journal: the run's name '%s' is no name of a folder", run->id), NULL;
  if (g_mkdir_with_parents (root, 0700) != 0)
    return fail (error, "make", root, errno), NULL;
  remove_left (root);
  lock = memlane_save_make_locked (folder, TRUE);
  if (lock < 0)
    return fail (error, "write", root, errno), NULL;
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
memlane_journal_begin_pass (MemlaneJournal *self, guint pass, GError **error)
{
  g_autofree char *path = make_cells_path (self->path, pass);
  int fd = pass == 1 ? self->fd : open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

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

      /* Drop the partial row, so the next one starts on a clean line. */
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

static void
close_files (MemlaneJournal *self)
{
  if (self->round_fd != self->fd)
    close (self->round_fd);
  if (self->fd >= 0)
    close (self->fd); /* the lock goes with it */
}

MEMLANE_DEFINE_FREE (MemlaneJournal, void memlane_journal_close (MemlaneJournal *data), close_files (self);
                     OWNS (run, memlane_run_unref) OWNS (path, g_free))

static MEMLANE_DEFINE_FREE (MemlaneJournalEntry, void entry_free (MemlaneJournalEntry *data), OWNS (path, g_free)
                            OWNS (run, g_free) OWNS (problem, g_free))

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

/* Finds where the last whole cell ends, within the limit; 0: there is none. *@problem (transfer full): there is more. FALSE with errno. */
static gboolean
find_end (int fd, guint64 *end, char **problem)
{
  char buffer[64 * 1024];
  struct stat info;
  gsize at;

  *end = 0;
  if (fstat (fd, &info) != 0)
    return FALSE;
  if (info.st_size > MEMLANE_JOURNAL_MOST_BYTES)
    *problem = g_strdup_printf ("found more than %d MiB, expected a journal of one run", MEMLANE_JOURNAL_MOST_BYTES >> 20);
  /* Backwards; blocks share a byte, for an end may lie across them. */
  for (at = (gsize) MIN (info.st_size, MEMLANE_JOURNAL_MOST_BYTES); at > 1 && *end == 0; at -= MIN (at, sizeof buffer) - 1)
    {
      gsize begin = at - MIN (at, sizeof buffer);
      ssize_t n = pread (fd, buffer, at - begin, (off_t) begin);

      if (n < 0)
        return FALSE;
      for (; n > 1 && *end == 0; n--)
        if (buffer[n - 1] == '\n' && buffer[n - 2] == '\r')
          *end = begin + (gsize) n;
    }
  return TRUE;
}

/* The whole cells of one round before the first that is damaged, in their order. *@run NULL: there are none. *@problem (transfer full) is
 * set where more was written. FALSE with @error: it cannot be read. */
static gboolean
read_round (int fd, const char *path, guint round, MemlaneRun **run, char **problem, GError **error)
{
  g_autofree char *cells_path = make_cells_path (path, round), *shown = g_filename_display_name (cells_path);
  guint64 end;

  *run = NULL;
  if (!find_end (fd, &end, problem) || lseek (fd, 0, SEEK_SET) != 0)
    return fail (error, "read", cells_path, errno);
  if (end > 0)
    *run = memlane_csv_read_whole_cells (fd, shown, end, problem);
  return TRUE;
}

/* --- rounds become a run ----------------------------------------------------------------------------------------------------- */

/* (transfer full): tells the cells of a journal apart. One that failed early says nothing of streams and chunks. */
static char *
make_key (const MemlaneCell *cell)
{
  return g_strdup_printf ("%s %s %" G_GUINT64_FORMAT " %u", cell->workload, cell->mode, cell->elements, cell->reuse);
}

/* Size by size, whatever the order of the rounds was. */
MEMLANE_DEFINE_ORDER_OF_POINTERS (compare_sizes, MemlaneCell, RISING (log2_elements) return strcmp (one->mode, other->mode);)

/* @fd: of the first round's table. */
static gboolean
read_rounds (int fd, const char *path, const MemlaneRoundRule *rule, MemlaneRun *run, char **problem, GError **error)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref); /* of the first pass that saw each */
  g_autoptr (GHashTable) rounds_of = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, (GDestroyNotify) memlane_rounds_free);
  gboolean done = TRUE;

  for (guint pass = 1; pass <= MEMLANE_MOST_ROUNDS * rule->visits && done; pass++)
    {
      int pass_fd = pass == 1 ? fd : open_cells (path, pass, 0);
      g_autoptr (MemlaneRun) read = NULL;

      if (pass_fd < 0)
        continue;
      done = read_round (pass_fd, path, pass, &read, problem, error);
      for (guint i = 0; read != NULL && i < read->cells->len; i++)
        {
          MemlaneCell *cell = read->cells->pdata[i];
          g_autofree char *key = make_key (cell);
          MemlaneRounds *rounds = g_hash_table_lookup (rounds_of, key);

          if (rounds == NULL)
            {
              rounds = memlane_rounds_new ();
              g_ptr_array_add (cells, memlane_cell_ref (cell));
              g_hash_table_insert (rounds_of, g_steal_pointer (&key), rounds);
            }
          memlane_rounds_take (rounds, pass, i + 1, cell);
        }
      if (pass > 1)
        close (pass_fd);
    }
  g_ptr_array_sort (cells, compare_sizes);
  for (guint i = 0; i < cells->len && done; i++)
    {
      g_autofree char *key = make_key (cells->pdata[i]);

      g_ptr_array_add (run->cells, memlane_rounds_merge (g_hash_table_lookup (rounds_of, key), rule));
    }
  return done;
}

/* *@problem (transfer full): as of read_round(), the first one. */
static MemlaneRun *
read_cells (int fd, const char *path, char **problem, GError **error)
{
  g_autofree char *environment_path = g_build_filename (path, ENVIRONMENT, NULL), *name = g_path_get_basename (path);
  g_autoptr (MemlaneRun) first = NULL;
  MemlaneRoundRule rule;
  MemlaneRun *run;

  if (!read_round (fd, path, 1, &first, problem, error))
    return NULL;
  if (first == NULL) /* killed before its first cell: the folder and the environment still say what it was to be */
    {
      g_autoptr (MemlaneEnvironment) environment = memlane_environment_read (environment_path, NULL);
      const char *device = memlane_environment_get_text (environment, MEMLANE_ENVIRONMENT_DEVICE_ID);
      const char *kind = memlane_environment_get_device_kind (environment);

      first = memlane_run_new (name, device != NULL ? device : "", kind != NULL ? kind : "");
    }
  memlane_csv_find_environment (first, environment_path);
  if (first->cells->len == 0 || !memlane_round_rule_read (&rule, first->environment)) /* or of before there were rounds */
    return g_steal_pointer (&first);
  run = memlane_run_new (first->id, first->device, first->device_kind);
  run->environment = memlane_environment_ref (first->environment);
  if (read_rounds (fd, path, &rule, run, problem, error))
    return run;
  memlane_run_unref (run);
  return NULL;
}

MemlaneRun *
memlane_journal_read (const char *path, GError **error)
{
  int fd = open_cells (path, 1, 0);
  g_autofree char *problem = NULL;
  MemlaneRun *run;

  if (fd < 0)
    return fail (error, "read the journal", path, errno), NULL;
  run = read_cells (fd, path, &problem, error);
  close (fd);
  return run;
}

MEMLANE_DEFINE_ORDER_OF_POINTERS (compare_entries, MemlaneJournalEntry, FALLING (modified) return strcmp (other->path, one->path);)

GPtrArray *
memlane_journal_list (void)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  g_autofree char *root = get_root ();
  g_autoptr (GPtrArray) folders = memlane_list_files (root, "", NULL);

  MEMLANE_FOR_EACH (const char, path, folders)
    {
      g_autofree char *problem = NULL;
      g_autoptr (MemlaneRun) run = NULL;
      g_autoptr (GError) error = NULL;
      struct stat info;
      int fd = open_cells (path, 1, LOCK_SH);

      if (fd < 0)
        continue;
      run = read_cells (fd, path, &problem, &error);
      if (fstat (fd, &info) == 0)
        {
          MemlaneJournalEntry *entry = g_new0 (MemlaneJournalEntry, 1);

          entry->run = run != NULL ? g_strdup (run->id) : g_path_get_basename (path);
          entry->cells = run != NULL ? run->cells->len : 0;
          entry->problem = run != NULL ? g_steal_pointer (&problem) : g_strdup (error->message);
          entry->path = g_strdup (path);
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
  gboolean removed;
  int fd, code;

  if (lstat (path, &info) != 0)
    return fail (error, "remove the journal", path, errno);
  if (!S_ISDIR (info.st_mode) || name[0] == '.' || stat (root, &root_info) != 0 || stat (folder, &folder_info) != 0 ||
      root_info.st_dev != folder_info.st_dev || root_info.st_ino != folder_info.st_ino)
    return memlane_fail_io (error, "cannot remove %s: it is no journal; they are the folders in %s", path, root);
  fd = open_cells (path, 1, LOCK_EX);
  if (fd < 0 && errno == EWOULDBLOCK)
    return memlane_fail_io (error, "cannot remove %s: it is still being written", path);
  if (fd < 0 && errno != ENOENT)
    return fail (error, "remove the journal", path, errno);

  removed = remove_files (path);
  code = errno;
  if (fd >= 0)
    close (fd);
  return removed || fail (error, "remove the journal", path, code);
}
