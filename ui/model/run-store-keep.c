/* run-store-keep.c: a sweep's life in the list, and the disk at its end
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store-private.h"

#include <glib/gi18n-lib.h>

#include "result/journal.h"
#include "run-files.h"

/* A run on its way to the disk. The worker reads the run, which nobody changes any more; references are the main thread's. */
typedef struct
{
  GWeakRef store;
  MemlaneRunItem *item;
  MemlaneRun *run;
  char *folder, *journal;
} Save;

MemlaneRunItem *
memlane_run_store_begin (MemlaneRunStore *self, const char *device, const char *device_kind, const char *name)
{
  g_autoptr (MemlaneRunItem) item = memlane_run_item_new (MEMLANE_RUN_LIVE, NULL, NULL, name);
  g_autoptr (MemlaneRun) run = memlane_run_new ("live", device, device_kind);

  item->shown = TRUE;
  item->facts.when = g_get_real_time () / G_USEC_PER_SEC;
  memlane_run_item_set_run (item, run);
  memlane_run_store_insert (self, item);
  return item;
}

void
memlane_run_store_introduce (MemlaneRunStore *self, MemlaneRunItem *item, const char *run_id, const char *environment)
{
  MemlaneRun *run = item->run;

  g_return_if_fail (item->kind == MEMLANE_RUN_LIVE && run != NULL);
  g_free (run->id);
  run->id = g_strdup (run_id);
  g_free (run->environment);
  run->environment = g_strdup (environment);
  memlane_run_item_set_run (item, run);
  memlane_run_store_touch (self);
}

void
memlane_run_store_grow (MemlaneRunStore *self, MemlaneRunItem *item, GPtrArray *cells)
{
  g_return_if_fail (item->kind == MEMLANE_RUN_LIVE && item->run != NULL);
  for (guint i = 0; i < cells->len; i++)
    g_ptr_array_add (item->run->cells, memlane_cell_ref (cells->pdata[i]));
  memlane_run_item_grown (item);
  memlane_run_store_touch (self);
}

/* --- to the disk ----------------------------------------------------------------------------------------------------- */

static void
settle (MemlaneRunStore *self, MemlaneRunItem *item, const char *path)
{
  MemlaneRunItem *other = memlane_run_store_find_file (self, path, NULL);

  if (other != NULL && other != item) /* adopted by the list's own start in the meantime */
    memlane_run_store_drop (self, other);
  g_hash_table_remove (self->unsaved, item);
  memlane_run_item_set_path (item, path);
  memlane_run_item_set_kind (item, MEMLANE_RUN_KEPT);
  g_clear_pointer (&item->journal, g_free);
  memlane_run_store_mark (self, item, MEMLANE_ENTRY_ALL);
  memlane_run_store_touch (self);
}

static void
complain (MemlaneRunStore *self, MemlaneRunItem *item, const char *reason)
{
  if (item->journal != NULL)
    memlane_run_store_say (self,
                           _("“%s” is not in the folder of runs: %s. Its journal holds it, and it will be back at the next start."),
                           memlane_run_item_get_name (item), reason);
  else
    memlane_run_store_say (self,
                           _("“%s” is not in the folder of runs: %s. It is nowhere on the disk: export it before the window closes."),
                           memlane_run_item_get_name (item), reason);
}

static void
save (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Save *it = task_data;
  GError *error = NULL;
  char *path = memlane_run_files_write (it->folder, it->run, it->journal, &error);

  if (path != NULL)
    g_task_return_pointer (task, path, g_free);
  else
    g_task_return_error (task, error);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Save *it = user_data;
  g_autoptr (MemlaneRunStore) self = g_weak_ref_get (&it->store);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_task_propagate_pointer (G_TASK (result), &error);

  if (self != NULL)
    {
      self->writing--;
      if (path != NULL)
        settle (self, it->item, path);
      else
        {
          memlane_run_item_set_kind (it->item, MEMLANE_RUN_KEPT);
          g_hash_table_add (self->unsaved, g_object_ref (it->item));
          complain (self, it->item, error->message);
          memlane_run_store_touch (self);
        }
    }
  g_weak_ref_clear (&it->store);
  g_object_unref (it->item);
  memlane_run_unref (it->run);
  g_free (it->folder);
  g_free (it->journal);
  g_free (it);
}

void
memlane_run_store_end (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRun *run, const char *journal)
{
  g_autoptr (GTask) task = NULL;
  gint64 began = item->facts.when;
  Save *it;

  g_return_if_fail (item->kind == MEMLANE_RUN_LIVE);
  if (run == NULL || run->cells->len == 0)
    {
      if (journal != NULL)
        (void) memlane_journal_discard (journal, NULL); /* there is nothing in it */
      memlane_run_store_drop (self, item);
      return;
    }
  memlane_run_item_set_run (item, run);
  item->facts.when = began; /* as the name says it */
  item->journal = g_strdup (journal);
  memlane_run_store_touch (self);

  it = g_new0 (Save, 1);
  g_weak_ref_init (&it->store, self);
  it->item = g_object_ref (item);
  it->run = memlane_run_ref (run);
  it->folder = g_strdup (self->folder);
  it->journal = g_strdup (journal);
  self->writing++;
  task = g_task_new (NULL, NULL, saved_cb, it);
  g_task_set_task_data (task, it, NULL);
  g_task_run_in_thread (task, save);
}

gboolean
memlane_run_store_is_writing (MemlaneRunStore *self)
{
  return self->writing > 0;
}

void
memlane_run_store_save_again (MemlaneRunStore *self)
{
  g_autoptr (GList) items = g_hash_table_get_keys (self->unsaved);

  for (GList *each = items; each != NULL; each = each->next)
    {
      MemlaneRunItem *item = each->data;
      g_autofree char *path = memlane_run_files_write (self->folder, item->run, item->journal, NULL);

      if (path != NULL)
        settle (self, item, path);
    }
}
