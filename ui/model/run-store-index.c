/* run-store-index.c: what the store finds at its start, and the index that it keeps
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store-private.h"

#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "run-files.h"
#include "run-recordings.h"

#define WRITE_AFTER_MS 1000
#define FLUSH_TRIES 50
#define FLUSH_PAUSE_US 10000

/* --- writing -------------------------------------------------------------------------------------------------------- */

/* (transfer full) (nullable): the item's group; NULL: it has none. */
static char *
get_group (const MemlaneRunItem *item)
{
  g_autofree char *name = item->path != NULL ? g_path_get_basename (item->path) : NULL;

  if (item->path == NULL || item->kind == MEMLANE_RUN_LIVE || item->fresh)
    return NULL;
  return memlane_run_index_group (item->kind, item->kind == MEMLANE_RUN_OPENED ? item->path : name, item->part);
}

static void
entry_free (gpointer data)
{
  memlane_run_entry_free (data);
}

/* What stands in each dirty group from now on: nothing, where no item has it any more. */
static GHashTable *
collect (MemlaneRunStore *self)
{
  GHashTable *changes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  GHashTableIter iter;
  gpointer group;

  g_hash_table_iter_init (&iter, self->dirty);
  while (g_hash_table_iter_next (&iter, &group, NULL))
    g_hash_table_insert (changes, g_strdup (group), NULL);
  for (guint i = 0; i < self->items->len; i++)
    {
      const MemlaneRunItem *item = self->items->pdata[i];
      g_autofree char *own = get_group (item);
      MemlaneRunEntry *entry;

      if (own == NULL || !g_hash_table_contains (changes, own))
        continue;
      entry = g_new0 (MemlaneRunEntry, 1);
      entry->fields = GPOINTER_TO_UINT (g_hash_table_lookup (self->dirty, own));
      entry->name = g_strdup (item->name);
      entry->shown = item->shown;
      entry->opened = item->kind == MEMLANE_RUN_OPENED ? item->facts.when : 0;
      entry->cells = item->facts.cells;
      g_hash_table_insert (changes, g_steal_pointer (&own), entry);
    }
  return changes;
}

/* FALSE: another process holds the lock. */
static gboolean
write_index (MemlaneRunStore *self)
{
  g_autoptr (GHashTable) changes = collect (self);
  g_autoptr (GError) error = NULL;

  if (memlane_run_index_write (self->folder, changes, &error))
    {
      g_hash_table_remove_all (self->dirty);
      g_clear_pointer (&self->index_problem, g_free);
      return TRUE;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY))
    return FALSE;
  /* They stay dirty: the next change tries again. */
  if (g_strcmp0 (self->index_problem, error->message) != 0)
    memlane_run_store_say (self, _("The names of the runs and what is shown are not kept: %s"), error->message);
  g_free (self->index_problem);
  self->index_problem = g_strdup (error->message);
  return TRUE;
}

static gboolean
write_cb (gpointer user_data)
{
  MemlaneRunStore *self = user_data;

  if (!write_index (self))
    return G_SOURCE_CONTINUE;
  self->index_timer = 0;
  return G_SOURCE_REMOVE;
}

void
memlane_run_store_mark (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRunEntryFields fields)
{
  char *group = get_group (item);

  if (group == NULL)
    return;
  fields |= GPOINTER_TO_UINT (g_hash_table_lookup (self->dirty, group));
  g_hash_table_insert (self->dirty, group, GUINT_TO_POINTER (fields));
  if (self->index_timer == 0 && self->index_known)
    self->index_timer = g_timeout_add (WRITE_AFTER_MS, write_cb, self);
}

void
memlane_run_store_flush (MemlaneRunStore *self)
{
  memlane_run_store_save_again (self);
  g_clear_handle_id (&self->index_timer, g_source_remove);
  if (!self->index_known)
    return;
  for (guint i = 0; i < FLUSH_TRIES && g_hash_table_size (self->dirty) > 0 && !write_index (self); i++)
    g_usleep (FLUSH_PAUSE_US);
}

/* --- the start -------------------------------------------------------------------------------------------------------- */

/* What the worker finds. */
typedef struct
{
  GWeakRef store;
  char *folder;
  GPtrArray *adopted, *files; /* (element-type MemlaneRunFile) */
  GHashTable *entries;        /* the index */
  gboolean is_new;
  GPtrArray *problems;
  MemlaneRecording *recording;
  MemlaneRunFacts recording_facts;
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_weak_ref_clear (&found->store);
  g_free (found->folder);
  g_clear_pointer (&found->adopted, g_ptr_array_unref);
  g_clear_pointer (&found->files, g_ptr_array_unref);
  g_clear_pointer (&found->entries, g_hash_table_unref);
  g_clear_pointer (&found->problems, g_ptr_array_unref);
  g_clear_pointer (&found->recording, memlane_recording_free);
  memlane_run_facts_clear (&found->recording_facts);
  g_free (found);
}

static void
look (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Found *found = task_data;
  char *problem, *real;

  found->entries = memlane_run_index_read (found->folder, &found->is_new, &problem);
  if (problem != NULL)
    g_ptr_array_add (found->problems, problem);
  memlane_run_files_purge (found->folder);
  found->adopted = memlane_run_files_adopt (found->folder, found->problems);
  found->files = memlane_run_files_list (found->folder);
  found->recording = memlane_recordings_find_first ();
  if (found->recording != NULL)
    {
      real = realpath (found->recording->path, NULL);
      if (real != NULL)
        {
          g_free (found->recording->path);
          found->recording->path = real;
        }
      memlane_run_files_take_facts (&found->recording_facts, found->recording->path);
    }
  g_task_return_boolean (task, TRUE);
}

static void
add (MemlaneRunStore *self, MemlaneRunKind kind, const char *path, const char *part, const char *name, MemlaneRunFacts *facts,
     const MemlaneRunEntry *entry, gboolean shown)
{
  g_autoptr (MemlaneRunItem) item = NULL;

  if (memlane_run_store_find_file (self, path, part) != NULL)
    return; /* opened, or measured, while the worker was looking */
  item = memlane_run_item_new (kind, path, part, name);
  if (entry != NULL)
    {
      item->facts.when = entry->opened;
      item->facts.cells = entry->cells;
    }
  memlane_run_item_take_facts (item, facts);
  if (entry != NULL)
    memlane_run_item_set_name (item, entry->name);
  item->shown = shown;
  memlane_run_store_insert (self, item);
  if (shown)
    memlane_run_store_want (self, item);
}

/* "my file", of /elsewhere/my file.csv */
static char *
name_file (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  if (g_str_has_suffix (base, ".csv"))
    base[strlen (base) - strlen (".csv")] = '\0';
  return g_filename_display_name (base);
}

static gboolean
is_adopted (const Found *found, const char *path)
{
  for (guint i = 0; i < found->adopted->len; i++)
    if (strcmp (((MemlaneRunFile *) found->adopted->pdata[i])->path, path) == 0)
      return TRUE;
  return FALSE;
}

/* Several entries, where the file was found to hold several runs. */
static void
add_kept (MemlaneRunStore *self, const Found *found, MemlaneRunFile *file)
{
  g_autofree char *base = g_path_get_basename (file->path), *group = memlane_run_index_group (MEMLANE_RUN_KEPT, base, NULL);
  const MemlaneRunEntry *own = g_hash_table_lookup (found->entries, group);
  GHashTableIter iter;
  gpointer value;
  gboolean any = FALSE;

  g_hash_table_iter_init (&iter, found->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const MemlaneRunEntry *entry = value;
      MemlaneRunFacts facts = { .device = g_strdup (file->facts.device), file->facts.simulated, file->facts.when, -1 };

      if (entry->kind == MEMLANE_RUN_KEPT && entry->part != NULL && strcmp (entry->path, base) == 0)
        {
          add (self, MEMLANE_RUN_KEPT, file->path, entry->part, entry->part, &facts, entry, entry->shown);
          any = TRUE;
        }
      memlane_run_facts_clear (&facts);
    }
  /* Without an environment only its name tells of it. */
  if (!any)
    {
      g_autofree char *name = file->facts.device == NULL ? name_file (file->path) : NULL;

      add (self, MEMLANE_RUN_KEPT, file->path, NULL, name, &file->facts, own, own != NULL ? own->shown : is_adopted (found, file->path));
    }
}

static void
add_opened (MemlaneRunStore *self, const MemlaneRunEntry *entry)
{
  g_autofree char *display = name_file (entry->path), *name = NULL;
  MemlaneRunFacts facts = { .cells = -1 };

  name = entry->part != NULL ? g_strdup_printf ("%s · %s", display, entry->part) : g_strdup (display);
  memlane_run_files_take_facts (&facts, entry->path);
  facts.when = 0; /* it stands where it was opened */
  add (self, MEMLANE_RUN_OPENED, entry->path, entry->part, name, &facts, entry, entry->shown);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Found *found = g_task_get_task_data (G_TASK (result));
  g_autoptr (MemlaneRunStore) self = g_weak_ref_get (&found->store);
  GHashTableIter iter;
  gpointer value;

  if (self == NULL)
    return;
  self->index_known = TRUE;
  for (guint i = 0; i < found->files->len; i++)
    add_kept (self, found, found->files->pdata[i]);
  g_hash_table_iter_init (&iter, found->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (((MemlaneRunEntry *) value)->kind == MEMLANE_RUN_OPENED)
      add_opened (self, value);
  if (found->recording != NULL)
    {
      g_autofree char *base = g_path_get_basename (found->recording->path);
      g_autofree char *group = memlane_run_index_group (MEMLANE_RUN_RECORDED, base, NULL);
      const MemlaneRunEntry *entry = g_hash_table_lookup (found->entries, group);

      add (self, MEMLANE_RUN_RECORDED, found->recording->path, NULL, found->recording->title, &found->recording_facts, entry,
           entry != NULL ? entry->shown : found->is_new);
      /* From now on it is no first start any more. */
      if (entry == NULL)
        memlane_run_store_mark (self, memlane_run_store_find_file (self, found->recording->path, NULL), MEMLANE_ENTRY_ALL);
    }
  for (guint i = 0; i < found->adopted->len; i++)
    {
      MemlaneRunItem *item = memlane_run_store_find_file (self, ((MemlaneRunFile *) found->adopted->pdata[i])->path, NULL);

      if (item != NULL)
        memlane_run_store_say (self, _("A run that was cut short was recovered: %s"), memlane_run_item_get_name (item));
    }
  for (guint i = 0; i < found->problems->len; i++)
    memlane_run_store_say (self, "%s", (const char *) found->problems->pdata[i]);
  if (g_hash_table_size (self->dirty) > 0 && self->index_timer == 0)
    self->index_timer = g_timeout_add (WRITE_AFTER_MS, write_cb, self);
  memlane_run_store_touch (self);
}

void
memlane_run_store_start_load (MemlaneRunStore *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, found_cb, NULL);
  Found *found = g_new0 (Found, 1);

  g_weak_ref_init (&found->store, self);
  found->folder = g_strdup (self->folder);
  found->problems = g_ptr_array_new_with_free_func (g_free);
  found->recording_facts.cells = -1;
  g_task_set_task_data (task, found, found_free);
  g_task_run_in_thread (task, look);
}
