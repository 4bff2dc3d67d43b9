/* run-store-remove.c: names, deleting and bringing back
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store-private.h"

#include <glib/gi18n-lib.h>

#include "result/journal.h"
#include "run-files.h"

/* One deletion: a file's items go and come back together. */
typedef struct
{
  GPtrArray *items;
  char *path, *moved; /* NULL @moved: no file was moved */
} Removed;

static void
removed_free (gpointer data)
{
  Removed *removed = data;

  g_ptr_array_unref (removed->items);
  g_free (removed->path);
  g_free (removed->moved);
  g_free (removed);
}

GPtrArray *
memlane_run_store_new_removed (void)
{
  return g_ptr_array_new_with_free_func (removed_free);
}

void
memlane_run_store_rename (MemlaneRunStore *self, MemlaneRunItem *item, const char *name)
{
  memlane_run_item_set_name (item, name);
}

gboolean
memlane_run_store_remove (MemlaneRunStore *self, MemlaneRunItem *item, GError **error)
{
  g_autofree char *moved = NULL;
  Removed *removed;

  if (item->kind == MEMLANE_RUN_LIVE || item->kind == MEMLANE_RUN_RECORDED || !g_ptr_array_find (self->items, item, NULL))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   item->kind == MEMLANE_RUN_LIVE       ? _("“%s” is still being measured: stop it first")
                   : item->kind == MEMLANE_RUN_RECORDED ? _("“%s” belongs to Memlane: hide it instead")
                                                        : _("“%s” is not in the list"),
                   memlane_run_item_get_name (item));
      return FALSE;
    }
  if (item->kind == MEMLANE_RUN_KEPT && item->path != NULL && g_file_test (item->path, G_FILE_TEST_EXISTS))
    {
      moved = memlane_run_files_remove (self->folder, item->path, error);
      if (moved == NULL)
        return FALSE;
    }
  removed = g_new0 (Removed, 1);
  removed->items = g_ptr_array_new_with_free_func (g_object_unref);
  removed->path = g_strdup (item->path);
  removed->moved = g_steal_pointer (&moved);
  g_ptr_array_add (removed->items, g_object_ref (item));
  for (guint i = 0; i < self->items->len && item->kind == MEMLANE_RUN_KEPT && item->path != NULL; i++)
    if (self->items->pdata[i] != item && g_strcmp0 (((MemlaneRunItem *) self->items->pdata[i])->path, item->path) == 0)
      g_ptr_array_add (removed->items, g_object_ref (self->items->pdata[i]));
  g_ptr_array_add (self->removed, removed);
  g_hash_table_remove (self->unsaved, item);

  for (guint i = 0; i < removed->items->len; i++)
    {
      MemlaneRunItem *each = removed->items->pdata[i];

      memlane_run_store_mark (self, each, MEMLANE_ENTRY_ALL); /* while it is known where it stood */
      memlane_run_store_drop (self, each);
      memlane_run_store_abandon (self, each);
    }
  return TRUE;
}

gboolean
memlane_run_store_undo_remove (MemlaneRunStore *self, GError **error)
{
  Removed *removed = self->removed->len > 0 ? self->removed->pdata[self->removed->len - 1] : NULL;

  if (removed == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("There is nothing to bring back"));
      return FALSE;
    }
  if (removed->moved != NULL && !memlane_run_files_restore (removed->moved, removed->path, error))
    return FALSE;
  for (guint i = 0; i < removed->items->len; i++)
    {
      MemlaneRunItem *item = removed->items->pdata[i];

      memlane_run_store_insert (self, item);
      memlane_run_store_mark (self, item, MEMLANE_ENTRY_ALL);
      memlane_run_store_want (self, item);
      if (item->path == NULL)
        g_hash_table_add (self->unsaved, g_object_ref (item));
    }
  g_ptr_array_remove_index (self->removed, self->removed->len - 1);
  return TRUE;
}

void
memlane_run_store_forget_removed (MemlaneRunStore *self)
{
  for (guint i = 0; i < self->removed->len; i++)
    {
      const Removed *removed = self->removed->pdata[i];
      const MemlaneRunItem *item = removed->items->pdata[0];

      if (removed->moved != NULL)
        memlane_run_files_forget (removed->moved);
      if (item->path == NULL && item->journal != NULL)
        (void) memlane_journal_discard (item->journal, NULL);
    }
  g_ptr_array_set_size (self->removed, 0);
}
