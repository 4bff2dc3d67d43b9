/* run-files.c: the folder of kept runs on the disk
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/each.h"
#include "base/fail.h"
#include "memlane.h"
#include "run-index.h"
#include "base/owns.h"

#define DELETED "deleted"
#define MOST_NAMES 1000
#define LOCK_WAIT_MS 3000
#define UNDO_SECONDS (24 * 60 * 60) /* longer, nobody's window offers undo */

MEMLANE_DEFINE_FREE (MemlaneRunFile, void memlane_run_file_free (MemlaneRunFile *data), OWNS (path, g_free)
                     OWNS (title, g_free) memlane_run_facts_clear (&self->facts);)

static gboolean
fail (GError **error, const char *what, const char *path, int code)
{
  g_autofree char *shown = g_filename_display_name (path);

  return memlane_fail (error, G_IO_ERROR, (int) g_io_error_from_errno (code), "%s %s: %s", what, shown, g_strerror (code));
}

void
memlane_run_files_take_facts (MemlaneRunFacts *facts, const char *path)
{
  g_autofree char *environment = memlane_csv_environment_path (path);
  g_autoptr (MemlaneRun) run = memlane_run_new ("", "", "");
  GStatBuf info;

  run->environment = memlane_environment_read (environment, NULL);
  if (run->environment != NULL)
    {
      g_free (run->device_kind);
      run->device_kind = g_strdup (memlane_environment_get_text (run->environment, MEMLANE_ENVIRONMENT_DEVICE_KIND));
      memlane_run_facts_take (facts, run);
    }
  if (facts->device != NULL && *facts->device == '\0')
    g_clear_pointer (&facts->device, g_free);
  if (facts->when == 0 && g_stat (path, &info) == 0)
    facts->when = info.st_mtime;
  facts->cells = -1;
}

GPtrArray *
memlane_run_files_list (const char *folder)
{
  GPtrArray *files = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_run_file_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      MemlaneRunFile *file;

      if (name[0] == '.' || !g_str_has_suffix (name, ".csv") || g_str_has_suffix (name, ".rounds.csv")
          || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
        continue;
      file = g_new0 (MemlaneRunFile, 1);
      memlane_run_files_take_facts (&file->facts, path);
      file->path = g_steal_pointer (&path);
      g_ptr_array_add (files, file);
    }
  return files;
}

static gboolean
is_taken (const char *path)
{
  g_autofree char *environment = memlane_csv_environment_path (path), *rounds = memlane_csv_rounds_path (path);

  return g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (environment, G_FILE_TEST_EXISTS)
         || g_file_test (rounds, G_FILE_TEST_EXISTS);
}

/* FOLDER/NAME.csv, or NAME-2.csv and so on. */
static char *
choose_path (const char *folder, const char *name)
{
  for (guint i = 1; i <= MOST_NAMES; i++)
    {
      g_autofree char *file = i == 1 ? g_strconcat (name, ".csv", NULL) : g_strdup_printf ("%s-%u.csv", name, i);
      g_autofree char *path = g_build_filename (folder, file, NULL);

      if (!is_taken (path))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* Whether @path holds @run already: written by a process that died before it could discard the journal. */
static gboolean
is_same_run (const char *path, const MemlaneRun *run)
{
  g_autoptr (GPtrArray) runs = memlane_csv_read (path, NULL, NULL, NULL, NULL);
  const MemlaneRun *kept = runs != NULL && runs->len == 1 ? runs->pdata[0] : NULL;

  return kept != NULL && strcmp (kept->id, run->id) == 0 && kept->cells->len >= run->cells->len;
}

/* The lock is held. */
static char *
write_locked (const char *folder, const MemlaneRun *run, const char *journal, GError **error)
{
  g_autofree char *name = g_strcanon (g_strdup (run->id), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_.+", '-');
  g_autofree char *file = g_strconcat (name, ".csv", NULL), *path = g_build_filename (folder, file, NULL);

  if (name[0] == '.' || name[0] == '\0')
    {
      g_free (path);
      path = choose_path (folder, "run");
    }
  else if (is_taken (path) && !is_same_run (path, run))
    {
      g_free (path);
      path = choose_path (folder, name);
    }
  if (path == NULL)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _("there are too many runs of the name %s in %s"), name, folder), NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !memlane_csv_write (run, path, error))
    return NULL;
  if (journal != NULL && g_file_test (journal, G_FILE_TEST_EXISTS))
    (void) memlane_journal_discard (journal, NULL); /* else it is found to be the same run, at the next start */
  return g_steal_pointer (&path);
}

char *
memlane_run_files_write (const char *folder, const MemlaneRun *run, const char *journal, GError **error)
{
  int lock = memlane_run_index_lock (folder, LOCK_WAIT_MS, error);
  char *path;

  if (lock < 0)
    return NULL;
  path = write_locked (folder, run, journal, error);
  close (lock);
  return path;
}

GPtrArray *
memlane_run_files_adopt (const char *folder, GPtrArray *problems)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) waiting = memlane_journal_list (), entries = NULL;
  g_autoptr (GError) error = NULL;
  int lock;

  if (waiting->len == 0)
    return files;
  lock = memlane_run_index_lock (folder, LOCK_WAIT_MS, &error);
  if (lock < 0)
    {
      g_ptr_array_add (problems, g_strdup_printf (_("A run that was cut short waits in the journal: %s"), error->message));
      return files;
    }
  /* Another process may have taken them while this one waited. */
  entries = memlane_journal_list ();
  MEMLANE_FOR_EACH (const MemlaneJournalEntry, entry, entries)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (MemlaneRun) run = NULL;
      g_autofree char *path = NULL;

      if (entry->problem != NULL) /* memlane-cli recover writes what is whole, and a person says what becomes of the rest */
        {
          g_ptr_array_add (problems, g_strdup_printf (_("A run that was cut short stays in the journal %s: %s"), entry->path,
                                                      entry->problem));
          continue;
        }
      if (entry->cells == 0)
        {
          (void) memlane_journal_discard (entry->path, NULL); /* nothing was measured */
          continue;
        }
      run = memlane_journal_read (entry->path, &problem);
      path = run != NULL ? write_locked (folder, run, entry->path, &problem) : NULL;
      if (path == NULL)
        {
          g_ptr_array_add (problems, g_strdup_printf (_("A run that was cut short stays in the journal %s: %s"), entry->path,
                                                      problem->message));
          continue;
        }
      g_ptr_array_add (files, g_steal_pointer (&path));
    }
  close (lock);
  return files;
}

/* --- deleting ------------------------------------------------------------------------------------------------ */

static gboolean
move (const char *from, const char *to, GError **error)
{
  g_autofree char *environment = memlane_csv_environment_path (from), *environment_to = memlane_csv_environment_path (to);
  g_autofree char *rounds = memlane_csv_rounds_path (from), *rounds_to = memlane_csv_rounds_path (to);

  if (g_rename (from, to) != 0)
    return fail (error, _("cannot move"), from, errno);
  (void) g_rename (environment, environment_to); /* there may be none */
  (void) g_rename (rounds, rounds_to);           /* nor of these */
  return TRUE;
}

char *
memlane_run_files_remove (const char *folder, const char *path, GError **error)
{
  g_autofree char *deleted = g_build_filename (folder, DELETED, NULL), *name = g_path_get_basename (path), *moved = NULL;

  if (g_str_has_suffix (name, ".csv"))
    name[strlen (name) - strlen (".csv")] = '\0';
  if (g_mkdir_with_parents (deleted, 0700) != 0)
    {
      fail (error, _("cannot make"), deleted, errno);
      return NULL;
    }
  moved = choose_path (deleted, name);
  if (moved == NULL)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_EXISTS, _("there are too many deleted runs of the name %s"), name), NULL;
  return move (path, moved, error) ? g_steal_pointer (&moved) : NULL;
}

gboolean
memlane_run_files_restore (const char *moved, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (is_taken (path))
    return fail (error, _("cannot bring back"), path, EEXIST);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    return fail (error, _("cannot make"), folder, errno);
  return move (moved, path, error);
}

void
memlane_run_files_forget (const char *moved)
{
  g_autofree char *environment = memlane_csv_environment_path (moved), *folder = g_path_get_dirname (moved);
  g_autofree char *rounds = memlane_csv_rounds_path (moved);

  (void) g_unlink (moved);
  (void) g_unlink (environment);
  (void) g_unlink (rounds);
  (void) g_rmdir (folder); /* while there are others it stays */
}

void
memlane_run_files_purge (const char *folder)
{
  g_autofree char *deleted = g_build_filename (folder, DELETED, NULL);
  g_autoptr (GDir) dir = g_dir_open (deleted, 0, NULL);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (deleted, name, NULL);
      GStatBuf info;

      /* A rename counts as a change: this is when it was deleted. */
      if (g_lstat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_ctime + UNDO_SECONDS < now)
        (void) g_unlink (path);
    }
  (void) g_rmdir (deleted);
}
