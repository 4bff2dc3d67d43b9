/* run-index.c: names, shown flags and opened files in index.ini
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-index.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/fail.h"
#include "base/small-file.h"
#include "base/owns.h"

#define INDEX "index.ini"
#define LOCK ".lock"
#define SIZE_LIMIT (8 * 1024 * 1024)
#define POLL_MS 10

static const char *const kind_names[] = {
  [MEMLANE_RUN_LIVE] = "live", [MEMLANE_RUN_KEPT] = "kept", [MEMLANE_RUN_OPENED] = "opened", [MEMLANE_RUN_RECORDED] = "recorded",
};

MEMLANE_DEFINE_FREE (MemlaneRunEntry, void memlane_run_entry_free (MemlaneRunEntry *data), OWNS (path, g_free) OWNS (part, g_free)
                     OWNS (name, g_free))

static gboolean
fail (GError **error, const char *path, int code)
{
  g_autofree char *shown = g_filename_display_name (path);

  return memlane_fail (error, G_IO_ERROR, (int) g_io_error_from_errno (code), _("cannot write %s: %s"), shown, g_strerror (code));
}

/* Escaped, so that neither ':' nor '#' nor what a group's name must not hold stands in a part. */
char *
memlane_run_index_group (MemlaneRunKind kind, const char *path, const char *part)
{
  g_autofree char *file = g_uri_escape_bytes ((const guint8 *) path, strlen (path), "/ ");
  g_autofree char *run = part != NULL ? g_uri_escape_string (part, NULL, FALSE) : NULL;

  return g_strconcat (kind_names[kind], ":", file, run != NULL ? "#" : NULL, run, NULL);
}

/* FALSE: no group of ours. */
static gboolean
parse_group (const char *group, MemlaneRunEntry *entry)
{
  const char *colon = strchr (group, ':'), *hash = colon != NULL ? strchr (colon, '#') : NULL;
  g_autoptr (GBytes) path = NULL;

  if (colon == NULL)
    return FALSE;
  for (guint i = MEMLANE_RUN_KEPT; i < G_N_ELEMENTS (kind_names); i++)
    if (strlen (kind_names[i]) == (gsize) (colon - group) && strncmp (group, kind_names[i], (gsize) (colon - group)) == 0)
      entry->kind = (MemlaneRunKind) i;
  path = g_uri_unescape_bytes (colon + 1, hash != NULL ? hash - colon - 1 : -1, NULL, NULL);
  if (entry->kind == MEMLANE_RUN_LIVE || path == NULL || g_bytes_get_size (path) == 0)
    return FALSE;
  entry->path = g_strndup (g_bytes_get_data (path, NULL), g_bytes_get_size (path));
  entry->part = hash != NULL ? g_uri_unescape_string (hash + 1, NULL) : NULL;
  return hash == NULL || entry->part != NULL;
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
    return length == 0 || g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error) ? g_steal_pointer (&file) : NULL;
  *is_new = g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT) || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
  if (*is_new)
    return g_steal_pointer (&file);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

GHashTable *
memlane_run_index_read (const char *folder, gboolean *is_new, char **problem)
{
  g_autofree char *path = g_build_filename (folder, INDEX, NULL);
  GHashTable *entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) memlane_run_entry_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (GKeyFile) file = load (path, is_new, &error);
  g_auto (GStrv) groups = file != NULL ? g_key_file_get_groups (file, NULL) : NULL;

  *problem = NULL;
  if (file == NULL)
    {
      g_autofree char *aside = g_strconcat (path, ".unreadable", NULL);

      if (g_rename (path, aside) == 0)
        *problem = g_strdup_printf (_("The names of the runs could not be read (%s); that file is now %s"), error->message, aside);
      else
        *problem = g_strdup_printf (_("The names of the runs could not be read: %s"), error->message);
    }
  for (char **group = groups; group != NULL && *group != NULL; group++)
    {
      MemlaneRunEntry *entry = g_new0 (MemlaneRunEntry, 1);

      if (!parse_group (*group, entry))
        {
          memlane_run_entry_free (entry);
          continue;
        }
      entry->name = g_key_file_get_string (file, *group, "name", NULL);
      entry->shown = g_key_file_get_boolean (file, *group, "shown", NULL);
      entry->opened = g_key_file_get_int64 (file, *group, "opened", NULL);
      entry->cells = g_key_file_has_key (file, *group, "cells", NULL) ? g_key_file_get_integer (file, *group, "cells", NULL) : -1;
      g_hash_table_insert (entries, g_strdup (*group), entry);
    }
  return entries;
}

int
memlane_run_index_lock (const char *folder, guint wait_ms, GError **error)
{
  g_autofree char *path = g_build_filename (folder, LOCK, NULL);
  int fd;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      fail (error, folder, errno);
      return -1;
    }
  fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    {
      fail (error, path, errno);
      return -1;
    }
  for (guint waited = 0; flock (fd, LOCK_EX | LOCK_NB) != 0; waited += POLL_MS)
    {
      int code = errno;

      if (code == EWOULDBLOCK && waited < wait_ms)
        {
          g_usleep (POLL_MS * 1000);
          continue;
        }
      close (fd);
      if (code == EWOULDBLOCK)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_BUSY, _("another window is writing into %s"), folder);
      else
        fail (error, path, code);
      return -1;
    }
  return fd;
}

static void
put (GKeyFile *file, const char *group, const MemlaneRunEntry *entry)
{
  guint fields = entry == NULL ? 0 : g_key_file_has_group (file, group) ? entry->fields : MEMLANE_ENTRY_ALL;

  if (entry == NULL)
    g_key_file_remove_group (file, group, NULL);
  if ((fields & MEMLANE_ENTRY_SHOWN) != 0)
    g_key_file_set_boolean (file, group, "shown", entry->shown);
  if ((fields & MEMLANE_ENTRY_NAME) != 0 && entry->name != NULL)
    g_key_file_set_string (file, group, "name", entry->name);
  else if ((fields & MEMLANE_ENTRY_NAME) != 0)
    g_key_file_remove_key (file, group, "name", NULL);
  if ((fields & MEMLANE_ENTRY_CELLS) != 0 && entry->opened > 0)
    g_key_file_set_int64 (file, group, "opened", entry->opened);
  if ((fields & MEMLANE_ENTRY_CELLS) != 0 && entry->cells >= 0)
    g_key_file_set_integer (file, group, "cells", entry->cells);
}

gboolean
memlane_run_index_write (const char *folder, GHashTable *changes, GError **error)
{
  g_autofree char *path = g_build_filename (folder, INDEX, NULL), *text = NULL;
  int lock = memlane_run_index_lock (folder, 0, error);
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (GError) problem = NULL;
  GHashTableIter iter;
  gpointer group, entry;
  gboolean is_new, done;
  gsize length;

  if (lock < 0)
    return FALSE;
  file = load (path, &is_new, NULL);
  if (file == NULL) /* damaged since it was read */
    {
      g_autofree char *aside = g_strconcat (path, ".unreadable", NULL);

      (void) g_rename (path, aside);
      file = g_key_file_new ();
    }
  g_hash_table_iter_init (&iter, changes);
  while (g_hash_table_iter_next (&iter, &group, &entry))
    put (file, group, entry);
  text = g_key_file_to_data (file, &length, NULL);
  done = g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &problem);
  if (!done)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("cannot write %s: %s"), path, problem->message);
  close (lock);
  return done;
}
