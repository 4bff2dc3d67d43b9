/* journal.c: a measurement is on disk as soon as its worker has sent it
 *
 * SPDX-License-Identifier: MIT
 */
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/owns.h"
#include "base/save.h"
#include "base/strict-text.h"
#include "message.h"
#include "result/rounds.h"

#define ENDING ".journal"
#define MOST_NAMES 1000 /* of journals with the same run id */
#define NEW_SECONDS 60  /* so long an empty file may be about to get its lock */

struct _MemlaneJournal
{
  char *path;
  int fd;         /* locked */
  guint64 length; /* of the whole lines in it */
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

  return memlane_fail_io (error, "cannot %s %s: %s", what, shown, g_strerror (code));
}

/* --- writing --------------------------------------------------------------------------------- */

static gboolean
append (MemlaneJournal *self, const char *text, GError **error)
{
  gsize length = strlen (text);
  int code;

  if (memlane_save_write_all (self->fd, text, length) && fdatasync (self->fd) == 0)
    {
      self->length += length;
      return TRUE;
    }
  code = errno;
  /* Drop the partial line, so the next one starts on a clean one. */
  if (ftruncate (self->fd, (off_t) self->length) != 0)
    g_debug ("%s: %s", self->path, g_strerror (errno));
  return fail (error, "write the journal", self->path, code);
}

MemlaneJournal *
memlane_journal_open (const MemlaneRun *run, GError **error)
{
  const MemlaneMessage message = { .type = MEMLANE_MESSAGE_RUN, .run = (MemlaneRun *) run };
  g_autoptr (MemlaneJournal) self = g_new0 (MemlaneJournal, 1);
  g_autofree char *root = get_root (), *text = memlane_message_write (&message);
  int code = EEXIST;

  self->fd = -1;
  if (memlane_check_name (run->id) != NULL)
    return memlane_fail_io (error, "cannot write a journal: '%s' is no name of a file", run->id),
           NULL;
  if (g_mkdir_with_parents (root, 0700) != 0)
    return fail (error, "make", root, errno), NULL;
  for (guint i = 1; i <= MOST_NAMES && code == EEXIST; i++)
    {
      g_autofree char *number = i == 1 ? NULL : g_strdup_printf ("-%u", i);
      g_autofree char *name = g_strconcat (run->id, number != NULL ? number : "", ENDING, NULL);

      g_free (self->path);
      self->path = g_build_filename (root, name, NULL);
      self->fd = open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
      code = self->fd < 0 ? errno : 0;
    }
  if (code != 0)
    return fail (error, "write", self->path, code), NULL;
  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0)
    fail (error, "lock", self->path, errno);
  else if (append (self, text, error))
    {
      memlane_save_sync_folder (root);
      return g_steal_pointer (&self);
    }
  (void) unlink (self->path);
  return NULL;
}

gboolean
memlane_journal_append (MemlaneJournal *self, guint pass, guint place, const MemlaneCell *cell,
                        GError **error)
{
  g_autoptr (GPtrArray) figures = g_ptr_array_new_with_free_func (g_free);
  MemlaneCell bare = *cell;
  const MemlaneMessage message = { .type = MEMLANE_MESSAGE_CELL, .cell = &bare };
  g_autofree char *json = NULL, *text = NULL;

  MEMLANE_FOR_EACH (const MemlaneFigure, figure, cell->figures)
    {
      MemlaneFigure *copy = g_memdup2 (figure, sizeof *figure);

      copy->samples = NULL;
      copy->marks = NULL;
      g_ptr_array_add (figures, copy);
    }
  bare.figures = figures;
  json = memlane_message_write (&message);
  text = g_strdup_printf ("%u %u %s", pass, place, json);
  return append (self, text, error);
}

const char *
memlane_journal_get_path (MemlaneJournal *self)
{
  return self->path;
}

static void
close_file (MemlaneJournal *self)
{
  if (self->fd >= 0)
    close (self->fd); /* the lock goes with it */
}

MEMLANE_DEFINE_FREE (MemlaneJournal, void memlane_journal_close (MemlaneJournal *data),
                     close_file (self); OWNS (path, g_free))

/* --- reading --------------------------------------------------------------------------------- */

/* Opens @path for reading without waiting for a pipe, or returns -1 with errno.
 * EWOULDBLOCK: @lock is asked for and somebody writes it. */
static int
open_locked (const char *path, int lock)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
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

typedef struct
{
  const char *name;      /* of the file, for messages */
  guint64 line;          /* those that were read */
  MemlaneRun *run;       /* (nullable): without cells */
  MemlaneRoundRule rule; /* without visits: none, and each cell is as it was first seen */
  GPtrArray *cells;      /* of each cell the first visit */
  GHashTable *rounds_of; /* make_key() -> MemlaneRounds */
  GError *error;         /* the first thing that is wrong */
} Reader;

/* (transfer full): tells the cells of a journal apart. One that failed early says nothing of
 * streams and chunks. */
static char *
make_key (const MemlaneCell *cell)
{
  return g_strdup_printf ("%s %s %" G_GUINT64_FORMAT " %u", cell->workload, cell->mode,
                          cell->elements, cell->reuse);
}

static void
take_visit (Reader *self, guint pass, guint place, MemlaneCell *cell)
{
  g_autofree char *key = make_key (cell);
  MemlaneRounds *rounds = g_hash_table_lookup (self->rounds_of, key);

  if (rounds == NULL)
    {
      rounds = memlane_rounds_new ();
      g_ptr_array_add (self->cells, memlane_cell_ref (cell));
      g_hash_table_insert (self->rounds_of, g_steal_pointer (&key), rounds);
    }
  memlane_rounds_take (rounds, pass, place, cell);
}

static void
take_line (gpointer data, const char *line, gsize length)
{
  Reader *self = data;
  MemlaneMessageType expected = self->run == NULL ? MEMLANE_MESSAGE_RUN : MEMLANE_MESSAGE_CELL;
  g_autofree char *name = g_strdup_printf ("%s:%" G_GUINT64_FORMAT, self->name, ++self->line);
  guint pass = 1, place = 1;
  MemlaneMessage message;
  int begin = 0;

  if (self->error != NULL)
    return;
  if (self->run != NULL
      && (sscanf (line, "%u %u %n", &pass, &place, &begin) != 2 || pass < 1 || place < 1
          || pass > MEMLANE_MOST_ROUNDS * MEMLANE_MOST_VISITS))
    memlane_refuse (&self->error, "%s: expected a pass and a place in front of a cell", name);
  else if (memlane_message_read (&message, line + begin, length - (gsize) begin, TRUE, name,
                                 &self->error))
    {
      if (message.type != expected)
        memlane_refuse (&self->error, "%s: expected a message of the type %s", name,
                        memlane_messages[expected].name);
      else if (self->run != NULL)
        take_visit (self, pass, place, message.cell);
      else
        {
          self->run = g_steal_pointer (&message.run);
          memlane_round_rule_read (&self->rule, self->run->environment);
        }
      memlane_message_clear (&message);
    }
}

/* Size by size, whatever the order of the rounds was. */
MEMLANE_DEFINE_ORDER_OF_POINTERS (compare_sizes, MemlaneCell,
                                  RISING (log2_elements) return strcmp (one->mode, other->mode);)

/* Reads the run with its whole cells before the first damage. NULL: there is none.
 * *@problem (transfer full) (nullable). */
static MemlaneRun *
read_run (int fd, const char *path, char **problem)
{
  g_autoptr (GPtrArray) cells
    = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  g_autoptr (GHashTable) rounds_of
    = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free,
                             (GDestroyNotify) memlane_rounds_free);
  g_autoptr (GString) held = g_string_new (NULL);
  g_autofree char *shown = g_filename_display_name (path);
  Reader reader = { .name = shown, .cells = cells, .rounds_of = rounds_of };
  char buffer[64 * 1024];
  ssize_t n;

  while (reader.error == NULL && (n = read (fd, buffer, sizeof buffer)) != 0)
    if (n < 0)
      fail (&reader.error, "read", path, errno);
    else if (!memlane_lines_take (held, buffer, (gsize) n, take_line, &reader))
      memlane_refuse (&reader.error, "%s: found a line of more than %d MiB", shown,
                      MEMLANE_WORKER_LONGEST_LINE >> 20);
  if (reader.rule.visits > 0)
    g_ptr_array_sort (cells, compare_sizes);
  MEMLANE_FOR_EACH (MemlaneCell, cell, cells)
    {
      g_autofree char *key = make_key (cell);
      const MemlaneRounds *rounds = g_hash_table_lookup (rounds_of, key);

      g_ptr_array_add (reader.run->cells, reader.rule.visits > 0
                                              ? memlane_rounds_merge (rounds, &reader.rule)
                                              : memlane_cell_ref (cell));
    }
  *problem = reader.error != NULL ? g_strdup (reader.error->message) : NULL;
  g_clear_error (&reader.error);
  return reader.run;
}

MemlaneRun *
memlane_journal_read (const char *path, GError **error)
{
  int fd = open_locked (path, 0);
  g_autofree char *problem = NULL;
  MemlaneRun *run;

  if (fd < 0)
    return fail (error, "read the journal", path, errno), NULL;
  run = read_run (fd, path, &problem);
  close (fd);
  if (run == NULL)
    memlane_refuse (error, "%s", problem != NULL ? problem : "the journal is empty");
  return run;
}

static MEMLANE_DEFINE_FREE (MemlaneJournalEntry, void entry_free (MemlaneJournalEntry *data),
                            OWNS (path, g_free) OWNS (run, g_free) OWNS (problem, g_free))

MEMLANE_DEFINE_ORDER_OF_POINTERS (compare_entries, MemlaneJournalEntry,
                                  FALLING (modified) return strcmp (other->path, one->path);)

/* Adds an entry, whose cells and problem are not known yet. */
static MemlaneJournalEntry *
add_entry (GPtrArray *entries, const char *path, const struct stat *info)
{
  MemlaneJournalEntry *entry = g_new0 (MemlaneJournalEntry, 1);

  entry->path = g_strdup (path);
  entry->run = g_path_get_basename (path);
  entry->modified = info->st_mtime;
  g_ptr_array_add (entries, entry);
  return entry;
}

GPtrArray *
memlane_journal_list (void)
{
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
  g_autofree char *root = get_root ();
  g_autoptr (GPtrArray) paths = memlane_list_files (root, "", NULL);

  MEMLANE_FOR_EACH (const char, path, paths)
    {
      g_autofree char *old = g_build_filename (path, "cells.csv", NULL);
      int fd = g_str_has_suffix (path, ENDING) ? open_locked (path, LOCK_SH) : -1;
      g_autoptr (MemlaneRun) run = NULL;
      struct stat info;

      if (fd < 0 && stat (old, &info) == 0 && S_ISREG (info.st_mode))
        add_entry (entries, path, &info)->problem
          = g_strdup ("Memlane 0.2 wrote it, and its recover can read it");
      if (fd < 0)
        continue;
      if (fstat (fd, &info) == 0 && (info.st_size > 0 || time (NULL) - info.st_mtime > NEW_SECONDS))
        {
          MemlaneJournalEntry *entry = add_entry (entries, path, &info);

          run = read_run (fd, path, &entry->problem);
          if (run != NULL)
            {
              memlane_text_set (&entry->run, run->id);
              entry->cells = run->cells->len;
            }
        }
      close (fd);
    }
  g_ptr_array_sort (entries, compare_entries);
  return entries;
}

gboolean
memlane_journal_discard (const char *path, GError **error)
{
  g_autofree char *root = get_root (), *folder = g_path_get_dirname (path);
  struct stat root_info, folder_info;
  gboolean removed;
  int fd, code;

  if (!g_str_has_suffix (path, ENDING)
      || stat (root, &root_info) != 0 || stat (folder, &folder_info) != 0
      || root_info.st_dev != folder_info.st_dev || root_info.st_ino != folder_info.st_ino)
    return memlane_fail_io (error,
                            "cannot remove %s: it is no journal; they are the files %s/*" ENDING,
                            path, root);
  fd = open_locked (path, LOCK_EX);
  if (fd < 0 && errno == EWOULDBLOCK)
    return memlane_fail_io (error, "cannot remove %s: it is still being written", path);
  if (fd < 0)
    return fail (error, "remove the journal", path, errno);
  removed = unlink (path) == 0;
  code = errno;
  close (fd);
  return removed || fail (error, "remove the journal", path, code);
}
