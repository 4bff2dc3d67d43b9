/* run-files.c: the folder of kept runs on the disk: its index, its files
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/data-file.h"
#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/owns.h"
#include "memlane.h"
#include "fields.h"

#define INDEX "index.ini"
#define SIZE_LIMIT (8 * 1024 * 1024) /* of the index */
#define MOST_NAMES 1000
#define LOCK_WAITS 200 /* of 10 ms, and then without it: who has it may have been stopped */

/* Waits until no other window changes @folder. Closing what it returns lets the next one in. */
static int
lock_folder (const char *folder)
{
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  for (guint i = 0; i < LOCK_WAITS && fd >= 0; i++)
    {
      if (flock (fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        break; /* not every file system locks folders */
      g_usleep (10 * 1000);
    }
  return fd;
}

static void
unlock_folder (int fd)
{
  if (fd >= 0)
    close (fd);
}

/* --- the index -------------------------------------------------------------------------------- */

static const char *const kind_names[] = {
  [MEMLANE_RUN_LIVE] = "live",
  [MEMLANE_RUN_KEPT] = "kept",
  [MEMLANE_RUN_OPENED] = "opened",
  [MEMLANE_RUN_RECORDED] = "recorded",
};

/* Escaped, so that neither ':' nor '#' nor what a group's name must not hold stands in a part. */
char *
memlane_run_index_group (const MemlaneRunItem *item)
{
  g_autofree char *name = NULL, *file = NULL,
                  *run = item->part != NULL ? g_uri_escape_string (item->part, NULL, FALSE) : NULL;

  if (item->path == NULL || item->kind == MEMLANE_RUN_LIVE || item->fresh)
    return NULL;
  name = item->kind == MEMLANE_RUN_OPENED ? g_strdup (item->path)
                                          : g_path_get_basename (item->path);
  file = g_uri_escape_bytes ((const guint8 *) name, strlen (name), "/ ");
  return g_strconcat (kind_names[item->kind], ":", file, run != NULL ? "#" : NULL, run, NULL);
}

/* (transfer full) (nullable): NULL: no group of ours. */
static MemlaneRunItem *
parse_group (const char *group)
{
  const char *colon = strchr (group, ':'), *hash = colon != NULL ? strchr (colon, '#') : NULL;
  g_autofree char *word = colon != NULL ? g_strndup (group, (gsize) (colon - group)) : NULL,
                  *path = NULL, *part = NULL;
  g_autoptr (GBytes) bytes = NULL;
  guint kind = MEMLANE_RUN_KEPT;

  while (kind < G_N_ELEMENTS (kind_names) && g_strcmp0 (kind_names[kind], word) != 0)
    kind++;
  if (kind == G_N_ELEMENTS (kind_names))
    return NULL;
  bytes = g_uri_unescape_bytes (colon + 1, hash != NULL ? hash - colon - 1 : -1, NULL, NULL);
  part = hash != NULL ? g_uri_unescape_string (hash + 1, NULL) : NULL;
  if (bytes == NULL || g_bytes_get_size (bytes) == 0 || (hash != NULL && part == NULL))
    return NULL;
  path = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return memlane_run_item_new ((MemlaneRunKind) kind, path, part, NULL);
}

static GKeyFile *
load (const char *path, gboolean *is_new, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL;
  gsize length;

  *is_new = FALSE;
  if (memlane_small_file_read (path, SIZE_LIMIT, &text, &length, &problem))
    return length == 0 || g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error)
               ? g_steal_pointer (&file)
               : NULL;
  *is_new = g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT)
            || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
  if (*is_new)
    return g_steal_pointer (&file);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

GPtrArray *
memlane_run_index_read (const char *folder, gboolean *is_new, char **problem)
{
  g_autofree char *path = g_build_filename (folder, INDEX, NULL);
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (GKeyFile) file = load (path, is_new, &error);
  g_auto (GStrv) groups = file != NULL ? g_key_file_get_groups (file, NULL) : NULL;

  *problem = NULL;
  if (file == NULL)
    {
      g_autofree char *aside = g_strconcat (path, ".unreadable", NULL);

      if (g_rename (path, aside) == 0)
        *problem = g_strdup_printf (
            _("The names of the runs could not be read (%s); that file is now %s"), error->message,
            aside);
      else
        *problem = g_strdup_printf (_("The names of the runs could not be read: %s"),
                                    error->message);
    }
  for (char **group = groups; group != NULL && *group != NULL; group++)
    {
      MemlaneRunItem *entry = parse_group (*group);

      if (entry == NULL)
        continue;
      entry->name = g_key_file_get_string (file, *group, "name", NULL);
      entry->shown = g_key_file_get_boolean (file, *group, "shown", NULL);
      entry->pinned = g_key_file_get_boolean (file, *group, "pinned", NULL);
      entry->facts.when = g_key_file_get_int64 (file, *group, "opened", NULL);
      if (g_key_file_has_key (file, *group, "cells", NULL))
        entry->facts.cells = g_key_file_get_integer (file, *group, "cells", NULL);
      g_ptr_array_add (entries, entry);
    }
  return entries;
}

static void
put (GKeyFile *file, const char *group, const MemlaneRunItem *item)
{
  g_key_file_set_boolean (file, group, "shown", item->shown);
  if (item->pinned)
    g_key_file_set_boolean (file, group, "pinned", TRUE);
  if (item->name != NULL)
    g_key_file_set_string (file, group, "name", item->name);
  if (item->kind == MEMLANE_RUN_OPENED && item->facts.when > 0)
    g_key_file_set_int64 (file, group, "opened", item->facts.when);
  if (item->facts.cells >= 0)
    g_key_file_set_integer (file, group, "cells", item->facts.cells);
}

/* Writes the groups of @dirty anew: one that has no item any more goes. */
static void
change (GKeyFile *file, GHashTable *dirty, GPtrArray *items)
{
  MEMLANE_FOR_EACH_ENTRY (dirty, group, itself)
    g_key_file_remove_group (file, group, NULL);
  MEMLANE_FOR_EACH (const MemlaneRunItem, item, items)
    {
      g_autofree char *own = memlane_run_index_group (item);

      if (own != NULL && g_hash_table_contains (dirty, own))
        put (file, own, item);
    }
}

static gboolean
write_index (const char *folder, GHashTable *dirty, GPtrArray *items, GError **error)
{
  g_autofree char *path = g_build_filename (folder, INDEX, NULL), *text = NULL;
  gboolean is_new;
  g_autoptr (GKeyFile) file = load (path, &is_new, NULL);
  g_autoptr (GError) problem = NULL;
  gsize length;

  if (file == NULL) /* damaged since it was read */
    {
      g_autofree char *aside = g_strconcat (path, ".unreadable", NULL);

      (void) g_rename (path, aside);
      file = g_key_file_new ();
    }
  change (file, dirty, items);
  text = g_key_file_to_data (file, &length, NULL);
  return g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                   0600, &problem)
         || memlane_fail_io (error, _("cannot write %s: %s"), path, problem->message);
}

gboolean
memlane_run_index_write (const char *folder, GHashTable *dirty, GPtrArray *items, GError **error)
{
  gboolean written;
  int lock;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return memlane_fail_io (error, _("cannot write %s: %s"), folder, g_strerror (errno));
  lock = lock_folder (folder);
  written = write_index (folder, dirty, items, error);
  unlock_folder (lock);
  return written;
}

/* --- files ------------------------------------------------------------------------------------ */

MEMLANE_DEFINE_FREE (MemlaneRunFile, static void run_file_free (gpointer data), OWNS (path, g_free)
                     OWNS (title, g_free) memlane_run_facts_clear (&self->facts);)

void
memlane_run_files_take_facts (MemlaneRunFacts *facts, const char *path)
{
  g_autofree char *environment = memlane_csv_environment_path (path);
  g_autoptr (MemlaneRun) run = memlane_run_new ("", "", "");
  GStatBuf info;

  run->environment = memlane_environment_read (environment, NULL);
  if (run->environment != NULL)
    {
      memlane_text_set (&run->device_kind,
                        memlane_environment_get_text (run->environment,
                                                      MEMLANE_ENVIRONMENT_DEVICE_KIND));
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
  GPtrArray *files = g_ptr_array_new_with_free_func (run_file_free);
  g_autoptr (GPtrArray) paths = memlane_list_files (folder, ".csv", NULL);

  MEMLANE_FOR_EACH (const char, path, paths)
    if (!g_str_has_suffix (path, ".rounds.csv") && g_file_test (path, G_FILE_TEST_IS_REGULAR))
      {
        MemlaneRunFile *file = g_new0 (MemlaneRunFile, 1);

        memlane_run_files_take_facts (&file->facts, path);
        file->path = g_strdup (path);
        g_ptr_array_add (files, file);
      }
  return files;
}

static gboolean
is_taken (const char *path)
{
  g_autofree char *environment = memlane_csv_environment_path (path),
                  *rounds = memlane_csv_rounds_path (path);

  return g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (environment, G_FILE_TEST_EXISTS)
         || g_file_test (rounds, G_FILE_TEST_EXISTS);
}

/* FOLDER/NAME.csv, or NAME-2.csv and so on. */
static char *
choose_path (const char *folder, const char *name)
{
  for (guint i = 1; i <= MOST_NAMES; i++)
    {
      g_autofree char *file = i == 1 ? g_strconcat (name, ".csv", NULL)
                                     : g_strdup_printf ("%s-%u.csv", name, i);
      g_autofree char *path = g_build_filename (folder, file, NULL);

      if (!is_taken (path))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* Whether @path holds @run already: written by a process that died before it could discard the
 * journal. */
static gboolean
is_same_run (const char *path, const MemlaneRun *run)
{
  g_autoptr (GPtrArray) runs = memlane_csv_read (path, NULL, NULL);
  const MemlaneRun *kept = runs != NULL && runs->len == 1 ? runs->pdata[0] : NULL;

  if (kept == NULL || strcmp (kept->id, run->id) != 0 || strcmp (kept->device, run->device) != 0)
    return FALSE;
  MEMLANE_FOR_EACH (const MemlaneCell, cell, run->cells)
    {
      const MemlaneCell *same = memlane_run_find (kept, cell->workload, cell->mode,
                                                  cell->log2_elements);

      if (same == NULL || same->figures->len != cell->figures->len)
        return FALSE;
      for (guint i = 0; i < cell->figures->len; i++)
        if (((const MemlaneFigure *) same->figures->pdata[i])->statistics.median
            != ((const MemlaneFigure *) cell->figures->pdata[i])->statistics.median)
          return FALSE;
    }
  return TRUE;
}

static char *
write_run (const char *folder, const MemlaneRun *run, GError **error)
{
  g_autofree char *name = g_strcanon (g_strdup (run->id),
                                      G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_.+", '-');
  g_autofree char *file = g_strconcat (name, ".csv", NULL),
                  *path = g_build_filename (folder, file, NULL);

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
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_EXISTS,
                         _("there are too many runs of the name %s in %s"), name, folder),
           NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !memlane_csv_write (run, path, error))
    return NULL;
  return g_steal_pointer (&path);
}

char *
memlane_run_files_write (const char *folder, const MemlaneRun *run, const char *journal,
                         GError **error)
{
  char *path;
  int lock;

  (void) g_mkdir_with_parents (folder, 0700);
  lock = lock_folder (folder); /* two windows that start at once adopt the same journals */
  path = write_run (folder, run, error);
  if (path != NULL && journal != NULL && g_file_test (journal, G_FILE_TEST_EXISTS))
    /* else it is found to be the same run, at the next start */
    (void) memlane_journal_discard (journal, NULL);
  unlock_folder (lock);
  return path;
}

GPtrArray *
memlane_run_files_adopt (const char *folder, GPtrArray *problems)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) entries = memlane_journal_list ();

  MEMLANE_FOR_EACH (const MemlaneJournalEntry, entry, entries)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (MemlaneRun) run = NULL;
      g_autofree char *path = NULL;

      /* memlane-cli recover writes what is whole, and a person says what becomes of the rest */
      if (entry->problem != NULL)
        {
          g_ptr_array_add (
              problems, g_strdup_printf (_("A run that was cut short stays in the journal %s: %s"),
                                         entry->path, entry->problem));
          continue;
        }
      if (entry->cells == 0)
        {
          (void) memlane_journal_discard (entry->path, NULL); /* nothing was measured */
          continue;
        }
      run = memlane_journal_read (entry->path, &problem);
      path = run != NULL ? memlane_run_files_write (folder, run, entry->path, &problem) : NULL;
      if (path != NULL)
        g_ptr_array_add (files, g_steal_pointer (&path));
      else if (g_file_test (entry->path, G_FILE_TEST_EXISTS)) /* else another window has taken it */
        {
          g_ptr_array_add (
              problems, g_strdup_printf (_("A run that was cut short stays in the journal %s: %s"),
                                         entry->path, problem->message));
        }
    }
  return files;
}

/* @head: how the file begins. (nullable) (transfer none) */
static const char *
guess_kind (const char *head, gsize length)
{
  static const struct
  {
    const char *begins, *kind;
  } kinds[] = {
    { "\x89PNG", N_("a picture") },
    { "\xff\xd8\xff", N_("a picture") },
    { "GIF8", N_("a picture") },
    { "%PDF", N_("a PDF document") },
    { "PK\x03\x04", N_("a ZIP archive or an office document") },
    { "\x1f\x8b", N_("a compressed file") },
    { "SQLite format 3", N_("a database") },
    { "\x7f"
      "ELF",
      N_("a program") },
    { "<", N_("a web page") },
    { "{", N_("a JSON file") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (length >= strlen (kinds[i].begins)
        && memcmp (head, kinds[i].begins, strlen (kinds[i].begins)) == 0)
      return _(kinds[i].kind);
  return memchr (head, '\0', length) != NULL ? _("binary data") : NULL;
}

char *
memlane_run_files_refuse (const char *path)
{
  static const char columns[] =
      "run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,";
  g_autofree char *base = g_path_get_basename (path), *name = g_filename_display_name (base);
  char head[sizeof columns - 1];
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  gssize length = fd >= 0 ? read (fd, head, sizeof head) : -1;
  const char *kind = length > 0 ? guess_kind (head, (gsize) length) : NULL;

  if (fd >= 0)
    close (fd);
  if (length == 0)
    return g_strdup_printf (_("“%s” is empty"), name);
  if (length == sizeof head && memcmp (head, columns, sizeof head) == 0)
    return g_strdup_printf (_("“%s” is a Memlane run, but it is damaged"), name);
  if (kind == NULL)
    return g_strdup_printf (_("“%s” is not a Memlane run"), name);
  return g_strdup_printf (_("“%s” is not a Memlane run (it looks like %s)"), name, kind);
}

void
memlane_run_files_delete (const char *path)
{
  g_autofree char *environment = memlane_csv_environment_path (path),
                  *rounds = memlane_csv_rounds_path (path);

  (void) g_unlink (path);
  (void) g_unlink (environment); /* there may be none */
  (void) g_unlink (rounds);      /* nor of these */
}
