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

#include "base/each.h"
#include "base/fail.h"
#include "base/small-file.h"

#define INDEX "index.ini"
#define LOCK ".lock"
#define SIZE_LIMIT (8 * 1024 * 1024)
#define POLL_MS 10

static const char *const kind_names[] = {
  [MEMLANE_RUN_LIVE] = "live", [MEMLANE_RUN_KEPT] = "kept", [MEMLANE_RUN_OPENED] = "opened", [MEMLANE_RUN_RECORDED] = "recorded",
};

static gboolean
fail (GError **error, const char *path, int code)
{
  g_autofree char *shown = g_filename_display_name (path);

  return memlane_fail (error, G_IO_ERROR, (int) g_io_error_from_errno (code), _("cannot write %s: %s"), shown, g_strerror (code));
}

/* Escaped, so that neither ':' nor '#' nor what a group's name must not hold stands in a part. */
char *
memlane_run_index_group (const MemlaneRunItem *item)
{
  g_autofree char *name = NULL, *file = NULL, *run = item->part != NULL ? g_uri_escape_string (item->part, NULL, FALSE) : NULL;

  if (item->path == NULL || item->kind == MEMLANE_RUN_LIVE || item->fresh)
    return NULL;
  name = item->kind == MEMLANE_RUN_OPENED ? g_strdup (item->path) : g_path_get_basename (item->path);
  file = g_uri_escape_bytes ((const guint8 *) name, strlen (name), "/ ");
  return g_strconcat (kind_names[item->kind], ":", file, run != NULL ? "#" : NULL, run, NULL);
}

/* (transfer full) (nullable): NULL: no group of ours. */
static MemlaneRunItem *
parse_group (const char *group)
{
  const char *colon = strchr (group, ':'), *hash = colon != NULL ? strchr (colon, '#') : NULL;
  g_autofree char *word = colon != NULL ? g_strndup (group, (gsize) (colon - group)) : NULL, *path = NULL, *part = NULL;
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
    return length == 0 || g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error) ? g_steal_pointer (&file) : NULL;
  *is_new = g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT) || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
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
        *problem = g_strdup_printf (_("The names of the runs could not be read (%s); that file is now %s"), error->message, aside);
      else
        *problem = g_strdup_printf (_("The names of the runs could not be read: %s"), error->message);
    }
  for (char **group = groups; group != NULL && *group != NULL; group++)
    {
      MemlaneRunItem *entry = parse_group (*group);

      if (entry == NULL)
        continue;
      entry->name = g_key_file_get_string (file, *group, "name", NULL);
      entry->shown = g_key_file_get_boolean (file, *group, "shown", NULL);
      entry->facts.when = g_key_file_get_int64 (file, *group, "opened", NULL);
      if (g_key_file_has_key (file, *group, "cells", NULL))
        entry->facts.cells = g_key_file_get_integer (file, *group, "cells", NULL);
      g_ptr_array_add (entries, entry);
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
put (GKeyFile *file, const char *group, const MemlaneRunItem *item, guint fields)
{
  if (!g_key_file_has_group (file, group))
    fields = MEMLANE_ENTRY_ALL;
  if ((fields & MEMLANE_ENTRY_SHOWN) != 0)
    g_key_file_set_boolean (file, group, "shown", item->shown);
  if ((fields & MEMLANE_ENTRY_NAME) != 0 && item->name != NULL)
    g_key_file_set_string (file, group, "name", item->name);
  else if ((fields & MEMLANE_ENTRY_NAME) != 0)
    g_key_file_remove_key (file, group, "name", NULL);
  if ((fields & MEMLANE_ENTRY_CELLS) != 0 && item->kind == MEMLANE_RUN_OPENED && item->facts.when > 0)
    g_key_file_set_int64 (file, group, "opened", item->facts.when);
  if ((fields & MEMLANE_ENTRY_CELLS) != 0 && item->facts.cells >= 0)
    g_key_file_set_integer (file, group, "cells", item->facts.cells);
}

/* Changes the groups of @dirty: one that has no item any more goes. */
static void
change (GKeyFile *file, GHashTable *dirty, GPtrArray *items)
{
  g_autoptr (GHashTable) gone = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer group;

  g_hash_table_iter_init (&iter, dirty);
  while (g_hash_table_iter_next (&iter, &group, NULL))
    g_hash_table_add (gone, group);
  MEMLANE_FOR_EACH (const MemlaneRunItem, item, items)
    {
      g_autofree char *own = memlane_run_index_group (item);

      if (own == NULL || !g_hash_table_contains (dirty, own))
        continue;
      put (file, own, item, GPOINTER_TO_UINT (g_hash_table_lookup (dirty, own)));
      g_hash_table_remove (gone, own);
    }
  g_hash_table_iter_init (&iter, gone);
  while (g_hash_table_iter_next (&iter, &group, NULL))
    g_key_file_remove_group (file, group, NULL);
}

gboolean
memlane_run_index_write (const char *folder, GHashTable *dirty, GPtrArray *items, GError **error)
{
  g_autofree char *path = g_build_filename (folder, INDEX, NULL), *text = NULL;
  int lock = memlane_run_index_lock (folder, 0, error);
  g_autoptr (GKeyFile) file = NULL;
  g_autoptr (GError) problem = NULL;
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
  change (file, dirty, items);
  text = g_key_file_to_data (file, &length, NULL);
  done = g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &problem);
  if (!done)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("cannot write %s: %s"), path, problem->message);
  close (lock);
  return done;
}
