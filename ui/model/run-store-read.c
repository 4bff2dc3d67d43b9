/* run-store-read.c: reading the runs that are shown, and opening files
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store-private.h"

#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "result/csv.h"
#include "run-files.h"

/* Of a file that holds many runs these are shown at first; a figure with more of them says nothing. */
#define MOST_SHOWN 10

/* Somebody waits for a file. */
typedef struct
{
  GTask *task;
  char *path;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->task);
  g_free (request->path);
  g_free (request);
}

static void
items_free (gpointer data)
{
  g_ptr_array_unref (data);
}

/* (transfer full): those of the file at @path, in list order. */
static GPtrArray *
list_items (MemlaneRunStore *self, const char *path)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->items->len; i++)
    if (g_strcmp0 (((MemlaneRunItem *) self->items->pdata[i])->path, path) == 0)
      g_ptr_array_add (items, g_object_ref (self->items->pdata[i]));
  return items;
}

static void
get_file_state (const char *path, gint64 *size, gint64 *time)
{
  GStatBuf info;
  gboolean known = g_stat (path, &info) == 0;

  *size = known ? info.st_size : -1;
  *time = known ? (gint64) info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec : -1;
}

/* --- what was read --------------------------------------------------------------------------------------------- */

static void
give (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRun *run)
{
  get_file_state (item->path, &item->file_size, &item->file_time);
  memlane_run_item_set_run (item, run);
  memlane_run_item_set_problem (item, NULL);
  if (!item->shown && item->kind != MEMLANE_RUN_LIVE)
    memlane_run_item_set_run (item, NULL); /* it was hidden meanwhile */
}

/* A file that nobody had opened before may hold several runs: the first is @item, the others follow it. What is not shown is read again
 * when it is. */
static void
spread (MemlaneRunStore *self, MemlaneRunItem *item, GPtrArray *runs)
{
  g_autofree char *base = g_strdup (memlane_run_item_get_name (item));

  if (runs->len > 1)
    {
      memlane_run_store_mark (self, item, 0); /* its group in the index was the whole file's */
      item->part = g_strdup (((MemlaneRun *) runs->pdata[0])->id);
    }
  give (self, item, runs->pdata[0]);
  for (guint i = 1; i < runs->len; i++)
    {
      MemlaneRun *run = runs->pdata[i];
      g_autofree char *name = g_strdup_printf ("%s · %s", base, run->id);
      g_autoptr (MemlaneRunItem) next = memlane_run_item_new (item->kind, item->path, run->id, name);

      next->shown = item->shown && i < MOST_SHOWN;
      next->facts.when = item->facts.when;
      memlane_run_store_insert (self, next);
      give (self, next, run);
      memlane_run_store_mark (self, next, MEMLANE_ENTRY_ALL);
    }
}

static void
deliver (MemlaneRunStore *self, const char *path, GPtrArray *runs)
{
  g_autoptr (GPtrArray) items = list_items (self, path);

  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = items->pdata[i];
      const char *part = item->part;
      gboolean was_fresh = item->fresh;
      int cells = item->facts.cells;
      MemlaneRun *run = NULL;

      for (guint k = 0; item->part != NULL && run == NULL && k < runs->len; k++)
        if (strcmp (((MemlaneRun *) runs->pdata[k])->id, item->part) == 0)
          run = runs->pdata[k];
      item->fresh = FALSE;
      if (item->part == NULL)
        spread (self, item, runs);
      else if (run != NULL)
        give (self, item, run);
      else
        {
          g_autofree char *problem = g_strdup_printf (_("%s no longer holds the run %s"), path, item->part);

          memlane_run_item_set_problem (item, problem);
        }
      memlane_run_item_set_loading (item, FALSE, 1);
      if (item->facts.cells != cells || was_fresh || item->part != part)
        memlane_run_store_mark (self, item, was_fresh || item->part != part ? MEMLANE_ENTRY_ALL : MEMLANE_ENTRY_CELLS);
    }
}

static void
refuse (MemlaneRunStore *self, const char *path, const char *problem)
{
  g_autoptr (GPtrArray) items = list_items (self, path);

  for (guint i = 0; i < items->len; i++)
    {
      MemlaneRunItem *item = items->pdata[i];

      memlane_run_item_set_loading (item, FALSE, 0);
      if (item->fresh)
        memlane_run_store_drop (self, item);
      else
        memlane_run_item_set_problem (item, problem);
    }
}

static void
done (const char *path, GPtrArray *runs, const GError *error, gpointer user_data)
{
  MemlaneRunStore *self = user_data;
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = self->requests->len; i > 0; i--)
    {
      Request *request = self->requests->pdata[i - 1];

      if (strcmp (request->path, path) != 0)
        continue;
      g_ptr_array_add (tasks, g_object_ref (request->task));
      g_ptr_array_remove_index (self->requests, i - 1);
    }
  if (runs != NULL)
    deliver (self, path, runs);
  else
    refuse (self, path, error->message);
  memlane_run_store_touch (self);
  for (guint i = 0; i < tasks->len; i++)
    if (runs != NULL)
      g_task_return_pointer (tasks->pdata[i], list_items (self, path), items_free);
    else
      g_task_return_error (tasks->pdata[i], g_error_copy (error));
}

static void
progress (const char *path, double fraction, gpointer user_data)
{
  g_autoptr (GPtrArray) items = list_items (user_data, path);

  for (guint i = 0; i < items->len; i++)
    if (((MemlaneRunItem *) items->pdata[i])->loading)
      memlane_run_item_set_loading (items->pdata[i], TRUE, CLAMP (fraction, 0, 1));
}

/* --- stopping ---------------------------------------------------------------------------------------------------- */

static void
cancel_request (MemlaneRunStore *self, guint index)
{
  Request *request = self->requests->pdata[index];
  g_autofree char *path = g_strdup (request->path);
  MemlaneRunItem *item = memlane_run_store_find_file (self, path, NULL);

  g_task_return_new_error (request->task, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("opening %s was stopped"), path);
  g_ptr_array_remove_index (self->requests, index);
  for (guint i = 0; i < self->requests->len; i++)
    if (strcmp (((Request *) self->requests->pdata[i])->path, path) == 0)
      return;
  if (item == NULL || item->fresh)
    {
      memlane_run_reader_drop (self->reader, path);
      if (item != NULL)
        memlane_run_store_drop (self, item);
    }
}

static void
tick (gpointer user_data)
{
  MemlaneRunStore *self = user_data;

  for (guint i = self->requests->len; i > 0; i--)
    if (g_cancellable_is_cancelled (g_task_get_cancellable (((Request *) self->requests->pdata[i - 1])->task)))
      cancel_request (self, i - 1);
}

void
memlane_run_store_abandon (MemlaneRunStore *self, MemlaneRunItem *item)
{
  if (item->path == NULL || memlane_run_store_find_file (self, item->path, NULL) != NULL)
    return;
  memlane_run_reader_drop (self->reader, item->path);
  for (guint i = self->requests->len; i > 0; i--)
    if (strcmp (((Request *) self->requests->pdata[i - 1])->path, item->path) == 0)
      cancel_request (self, i - 1);
  memlane_run_item_set_loading (item, FALSE, 0);
}

void
memlane_run_store_init_reading (MemlaneRunStore *self)
{
  const MemlaneRunReaderCalls calls = { progress, tick, done };

  self->reader = memlane_run_reader_new (&calls, self);
  self->requests = g_ptr_array_new_with_free_func (request_free);
}

/* A request holds a reference on the store, so at its end there are none. */
void
memlane_run_store_stop_reading (MemlaneRunStore *self)
{
  g_clear_pointer (&self->reader, memlane_run_reader_free);
}

/* --- asking -------------------------------------------------------------------------------------------------------- */

void
memlane_run_store_want (MemlaneRunStore *self, MemlaneRunItem *item)
{
  gint64 size, time;

  if (item->kind == MEMLANE_RUN_LIVE || item->path == NULL)
    return;
  if (item->shown && item->run == NULL)
    {
      memlane_run_item_set_problem (item, NULL);
      memlane_run_item_set_loading (item, TRUE, 0);
      memlane_run_reader_ask (self->reader, item->path);
    }
  else if (!item->shown && item->run != NULL)
    {
      /* What its file still holds costs no memory while it is hidden. */
      get_file_state (item->path, &size, &time);
      if (size >= 0 && size == item->file_size && time == item->file_time)
        memlane_run_item_set_run (item, NULL);
    }
}

/* The path as items have it: without symbolic links, but for those above the folder of runs. */
static char *
resolve (MemlaneRunStore *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *real = path != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *folder = real != NULL ? g_path_get_dirname (real) : NULL, *own = realpath (self->folder, NULL);
  g_autofree char *base = real != NULL ? g_path_get_basename (real) : NULL;

  if (real == NULL)
    return path != NULL ? g_canonicalize_filename (path, NULL) : NULL;
  return g_strcmp0 (folder, own) == 0 ? g_build_filename (self->folder, base, NULL) : g_steal_pointer (&real);
}

static void
add_fresh (MemlaneRunStore *self, const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *name = NULL, *folder = g_path_get_dirname (path);
  g_autoptr (MemlaneRunItem) item = NULL;

  if (g_str_has_suffix (base, ".csv"))
    base[strlen (base) - strlen (".csv")] = '\0';
  name = g_filename_display_name (base);
  item = memlane_run_item_new (strcmp (folder, self->folder) == 0 ? MEMLANE_RUN_KEPT : MEMLANE_RUN_OPENED, path, NULL, name);
  item->fresh = item->shown = item->loading = TRUE;
  item->facts.when = g_get_real_time () / G_USEC_PER_SEC;
  memlane_run_store_insert (self, item);
}

void
memlane_run_store_open_async (MemlaneRunStore *self, GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *path = resolve (self, file), *uri = g_file_get_uri (file);
  g_autoptr (GPtrArray) items = NULL;
  gboolean read = TRUE;
  Request *request;

  g_task_set_check_cancellable (task, FALSE); /* a Stop that comes too late takes nothing away */
  if (path == NULL)
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _("%s is not on this machine: copy it here first"), uri);
      return;
    }
  items = list_items (self, path);
  for (guint i = 0; i < items->len; i++)
    {
      if (i < MOST_SHOWN)
        memlane_run_item_set_shown (items->pdata[i], TRUE);
      if (((MemlaneRunItem *) items->pdata[i])->problem != NULL)
        memlane_run_store_want (self, items->pdata[i]); /* perhaps it can be read by now */
      read = read && (i >= MOST_SHOWN || ((MemlaneRunItem *) items->pdata[i])->run != NULL);
    }
  if (items->len > 0 && read)
    {
      g_task_return_pointer (task, g_steal_pointer (&items), items_free);
      return;
    }
  if (items->len == 0)
    add_fresh (self, path);
  request = g_new0 (Request, 1);
  request->task = g_steal_pointer (&task);
  request->path = g_strdup (path);
  g_ptr_array_add (self->requests, request);
  memlane_run_reader_ask (self->reader, path);
}

GPtrArray *
memlane_run_store_open_finish (MemlaneRunStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
