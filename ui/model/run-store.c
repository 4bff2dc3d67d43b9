/* run-store.c: the Runs list: its order, its index, reading what is shown, keeping what was
 * measured
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/each.h"
#include "base/fail.h"
#include "base/hash.h"
#include "base/owns.h"
#include "recordings.h"
#include "memlane.h"
#include "run-files.h"
#include "fields.h"

struct _MemlaneRunStore
{
  GObject parent_instance;

  char *folder;          /* never changes: workers read it */
  GPtrArray *items;      /* (element-type MemlaneRunItem) in order */
  MemlaneMerger changed;

  /* (element-type GTask): files on their way from the disk, each with its Reading */
  GPtrArray *readings;
  GCancellable *going;   /* cancelled when the store goes */

  gboolean load_asked, index_known; /* before the index was read, nothing may be written over it */
  GHashTable *dirty;     /* (element-type utf8): the groups of the index that are to be written */
  guint index_timer;
  char *index_problem;   /* said once, not each second */

  /* (element-type GPtrArray): what can be brought back, a file's items together, the last one
   * last */
  GPtrArray *removed;
};

MEMLANE_DEFINE_LIST (MemlaneRunStore, memlane_run_store, MEMLANE_TYPE_RUN_ITEM)

static void want (MemlaneRunStore *self, MemlaneRunItem *item);

/* --- looking for one -------------------------------------------------------------------------- */

GPtrArray *
memlane_run_store_get_shown (MemlaneRunStore *self)
{
  GPtrArray *shown = g_ptr_array_new_with_free_func (g_object_unref);

  MEMLANE_FOR_EACH (MemlaneRunItem, item, self->items)
    if (item->shown && item->run != NULL)
      g_ptr_array_add (shown, g_object_ref (item));
  return shown;
}

MemlaneRunItem *
memlane_run_store_find (MemlaneRunStore *self, const char *name_or_id)
{
  g_autofree char *file = g_strconcat ("/", name_or_id, ".csv", NULL);

  MEMLANE_FOR_EACH (MemlaneRunItem, item, self->items)
    if (strcmp (memlane_run_item_get_name (item), name_or_id) == 0
        || (item->run != NULL && strcmp (item->run->id, name_or_id) == 0)
        || (item->path != NULL
            && (strcmp (item->path, name_or_id) == 0 || g_str_has_suffix (item->path, file))))
      return item;
  return NULL;
}

char *
memlane_run_store_make_name (MemlaneRunStore *self, const char *base)
{
  char *name = g_strdup (base);

  for (guint n = 2; memlane_run_store_find (self, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s (%u)", base, n);
    }
  return name;
}

static MemlaneRunItem *
find_file (MemlaneRunStore *self, const char *path, const char *part)
{
  MEMLANE_FOR_EACH (MemlaneRunItem, item, self->items)
    if (g_strcmp0 (item->path, path) == 0 && (part == NULL || g_strcmp0 (item->part, part) == 0))
      return item;
  return NULL;
}

#define WRITE_AFTER_MS 1000

/* --- the index -------------------------------------------------------------------------------- */

static void
write_index (MemlaneRunStore *self)
{
  g_autoptr (GError) error = NULL;

  if (memlane_run_index_write (self->folder, self->dirty, self->items, &error))
    {
      g_hash_table_remove_all (self->dirty);
      g_clear_pointer (&self->index_problem, g_free);
      return;
    }
  /* They stay dirty: the next change tries again. */
  if (g_strcmp0 (self->index_problem, error->message) != 0)
    memlane_say_notice (self, TRUE, _("The names of the runs and what is shown are not kept: %s"),
                        error->message);
  memlane_text_set (&self->index_problem, error->message);
}

static gboolean
write_cb (gpointer user_data)
{
  MemlaneRunStore *self = user_data;

  write_index (self);
  self->index_timer = 0;
  return G_SOURCE_REMOVE;
}

static void
mark (MemlaneRunStore *self, MemlaneRunItem *item)
{
  char *group = memlane_run_index_group (item);

  if (group == NULL)
    return;
  g_hash_table_add (self->dirty, group);
  if (self->index_timer == 0 && self->index_known)
    self->index_timer = g_timeout_add (WRITE_AFTER_MS, write_cb, self);
}

/* --- the list --------------------------------------------------------------------------------- */

/* LIVE, then newest first, then RECORDED. */
static int
get_rank (const MemlaneRunItem *item)
{
  return item->kind == MEMLANE_RUN_LIVE ? 0 : item->kind == MEMLANE_RUN_RECORDED ? 2 : 1;
}

static gboolean
stands_before (const MemlaneRunItem *a, const MemlaneRunItem *b)
{
  int path;

  if (get_rank (a) != get_rank (b))
    return get_rank (a) < get_rank (b);
  if (a->facts.when != b->facts.when)
    return a->facts.when > b->facts.when;
  path = g_strcmp0 (a->path, b->path);
  if (path != 0)
    return path > 0; /* names begin with the time, to the millisecond */
  return g_strcmp0 (a->part, b->part) < 0;
}

static void
item_changed_cb (MemlaneRunItem *item, GParamSpec *pspec, MemlaneRunStore *self)
{
  if (strcmp (pspec->name, "shown") == 0)
    want (self, item);
  mark (self, item);
  memlane_merger_poke (&self->changed);
}

static void
insert (MemlaneRunStore *self, MemlaneRunItem *item)
{
  guint place = 0;

  while (place < self->items->len && !stands_before (item, self->items->pdata[place]))
    place++;
  g_ptr_array_insert (self->items, (int) place, g_object_ref (item));
  g_signal_connect (item, "notify::shown", G_CALLBACK (item_changed_cb), self);
  g_signal_connect (item, "notify::pinned", G_CALLBACK (item_changed_cb), self);
  g_signal_connect (item, "notify::name", G_CALLBACK (item_changed_cb), self);
  g_list_model_items_changed (G_LIST_MODEL (self), place, 0, 1);
  memlane_merger_poke (&self->changed);
}

static gboolean
drop (MemlaneRunStore *self, MemlaneRunItem *item)
{
  guint place;

  if (!g_ptr_array_find (self->items, item, &place))
    return FALSE;
  g_signal_handlers_disconnect_by_data (item, self);
  g_ptr_array_remove_index (self->items, place);
  g_list_model_items_changed (G_LIST_MODEL (self), place, 1, 0);
  memlane_merger_poke (&self->changed);
  return TRUE;
}

/* So many runs of one file are shown at first; a figure with more of them says nothing. */
#define MOST_SHOWN 10

/* A file on its way from the disk: what its task has. The worker has @path, which never changes. */
typedef struct
{
  char *path;
  char *opening; /* (nullable): a person opens it, by this name, and "opened" will tell */
} Reading;

MEMLANE_DEFINE_FREE (Reading, static void reading_free (gpointer data),
                     OWNS (path, g_free) OWNS (opening, g_free))

static GTask *
find_reading (MemlaneRunStore *self, const char *path)
{
  MEMLANE_FOR_EACH (GTask, task, self->readings)
    if (strcmp (((Reading *) g_task_get_task_data (task))->path, path) == 0)
      return task;
  return NULL;
}

/* (transfer full): those of the file at @path, in list order. */
static GPtrArray *
list_items (MemlaneRunStore *self, const char *path)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);

  MEMLANE_FOR_EACH (MemlaneRunItem, item, self->items)
    if (g_strcmp0 (item->path, path) == 0)
      g_ptr_array_add (items, g_object_ref (item));
  return items;
}

/* Returns the time of the file in ns; -1: there is no such file. */
static gint64
get_file_time (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0
             ? (gint64) info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec
             : -1;
}

/* --- reading: what was read ------------------------------------------------------------------- */

static void
give (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRun *run)
{
  item->file_time = get_file_time (item->path);
  memlane_run_item_set_run (item, run);
  memlane_run_item_set_problem (item, NULL);
  if (!item->shown && item->kind != MEMLANE_RUN_LIVE)
    memlane_run_item_set_run (item, NULL); /* it was hidden meanwhile */
}

/* A file that nobody had opened before may hold several runs: the first is @item, the others follow
 * it. A run that is not shown is read again when it is. */
static void
spread (MemlaneRunStore *self, MemlaneRunItem *item, GPtrArray *runs)
{
  g_autofree char *base = g_strdup (memlane_run_item_get_name (item));

  if (runs->len > 1)
    {
      mark (self, item); /* its group in the index was the whole file's */
      item->part = g_strdup (((MemlaneRun *) runs->pdata[0])->id);
    }
  give (self, item, runs->pdata[0]);
  for (guint i = 1; i < runs->len; i++)
    {
      MemlaneRun *run = runs->pdata[i];
      g_autofree char *name = g_strdup_printf ("%s · %s", base, run->id);
      g_autoptr (MemlaneRunItem) next = memlane_run_item_new (item->kind, item->path, run->id,
                                                              name);

      next->shown = item->shown && i < MOST_SHOWN;
      next->facts.when = item->facts.when;
      insert (self, next);
      give (self, next, run);
      mark (self, next);
    }
}

static void
deliver (MemlaneRunStore *self, const char *path, GPtrArray *runs)
{
  g_autoptr (GPtrArray) items = list_items (self, path);

  MEMLANE_FOR_EACH (MemlaneRunItem, item, items)
    {
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
          g_autofree char *problem = g_strdup_printf (_("%s no longer holds the run %s"), path,
                                                      item->part);

          memlane_run_item_set_problem (item, problem);
        }
      memlane_run_item_set_loading (item, FALSE);
      if (item->facts.cells != cells || was_fresh || item->part != part)
        mark (self, item);
    }
}

static void
refuse (MemlaneRunStore *self, const char *path, const char *problem)
{
  g_autoptr (GPtrArray) items = list_items (self, path);

  MEMLANE_FOR_EACH (MemlaneRunItem, item, items)
    {
      memlane_run_item_set_loading (item, FALSE);
      if (item->fresh)
        drop (self, item);
      else
        memlane_run_item_set_problem (item, problem);
    }
}

static void
read_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Reading *reading = task_data;
  GError *error = NULL;
  GPtrArray *runs = NULL;
  GStatBuf info;

  /* Opening a pipe would wait for its writer. */
  if (g_stat (reading->path, &info) == 0 && !S_ISREG (info.st_mode))
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                 _("Cannot open %s: it is not a file. Choose a CSV file."), reading->path);
  else
    runs = memlane_csv_read (reading->path, cancellable, &error);
  if (runs != NULL)
    g_task_return_pointer (task, runs, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  MemlaneRunStore *self = user_data;
  Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = g_task_propagate_pointer (G_TASK (result), &error), items = NULL;
  g_autofree char *problem = NULL;

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return; /* the store has gone */
  g_ptr_array_remove (self->readings, result);
  if (runs != NULL)
    deliver (self, reading->path, runs);
  else
    {
      gboolean bad = g_error_matches (error, MEMLANE_FILE_ERROR, MEMLANE_FILE_ERROR_BAD);
      g_autofree char *words = bad ? memlane_run_files_refuse (reading->path)
                                   : g_strdup (error->message);

      refuse (self, reading->path, words);
      problem = bad ? g_strconcat (words, "\n", error->message, NULL) : g_strdup (words);
    }
  memlane_merger_poke (&self->changed);
  items = runs != NULL ? list_items (self, reading->path) : NULL;
  /* else they were removed meanwhile */
  if (reading->opening != NULL && (items == NULL || items->len > 0))
    g_signal_emit_by_name (self, "opened", reading->opening, items, problem);
}

/* --- reading: asking -------------------------------------------------------------------------- */

/* Reads the file at @path, unless it is on its way. @opening (nullable): the name by which a person
 * opens it. */
static void
ask (MemlaneRunStore *self, const char *path, const char *opening)
{
  GTask *task = find_reading (self, path);
  Reading *reading = task != NULL ? g_task_get_task_data (task) : NULL;

  if (task == NULL)
    {
      task = g_task_new (NULL, self->going, read_cb, self);
      reading = g_new0 (Reading, 1);
      reading->path = g_strdup (path);
      g_task_set_task_data (task, reading, reading_free);
      g_ptr_array_add (self->readings, task);
      g_task_run_in_thread (task, read_in_thread);
    }
  if (reading->opening == NULL)
    reading->opening = g_strdup (opening);
}

static void
want (MemlaneRunStore *self, MemlaneRunItem *item)
{
  if (item->kind == MEMLANE_RUN_LIVE || item->path == NULL)
    return;
  if (item->shown && item->run == NULL)
    {
      memlane_run_item_set_problem (item, NULL);
      memlane_run_item_set_loading (item, TRUE);
      ask (self, item->path, NULL);
    }
  else if (!item->shown && item->run != NULL)
    {
      /* Free the memory of a hidden run that its file still contains. */
      if (item->file_time >= 0 && item->file_time == get_file_time (item->path))
        memlane_run_item_set_run (item, NULL);
    }
}

/* The path as items have it: without symbolic links, but for those above the folder of runs. */
static char *
resolve (MemlaneRunStore *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file),
                  *real = path != NULL ? realpath (path, NULL) : NULL;
  g_autofree char *folder = real != NULL ? g_path_get_dirname (real) : NULL,
                  *own = realpath (self->folder, NULL);
  g_autofree char *base = real != NULL ? g_path_get_basename (real) : NULL;

  if (real == NULL)
    return path != NULL ? g_canonicalize_filename (path, NULL) : NULL;
  return g_strcmp0 (folder, own) == 0 ? g_build_filename (self->folder, base, NULL)
                                      : g_steal_pointer (&real);
}

/* "my file", of /elsewhere/my file.csv */
static char *
name_file (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);

  if (g_str_has_suffix (base, ".csv.gz"))
    base[strlen (base) - strlen (".gz")] = '\0';
  if (g_str_has_suffix (base, ".csv"))
    base[strlen (base) - strlen (".csv")] = '\0';
  return g_filename_display_name (base);
}

static void
add_fresh (MemlaneRunStore *self, const char *path)
{
  g_autofree char *name = name_file (path), *folder = g_path_get_dirname (path);
  MemlaneRunKind kind = strcmp (folder, self->folder) == 0 ? MEMLANE_RUN_KEPT : MEMLANE_RUN_OPENED;
  g_autoptr (MemlaneRunItem) item = memlane_run_item_new (kind, path, NULL, name);

  item->fresh = item->shown = item->loading = TRUE;
  item->facts.when = g_get_real_time () / G_USEC_PER_SEC;
  insert (self, item);
}

void
memlane_run_store_open (MemlaneRunStore *self, GFile *file)
{
  g_autofree char *path = resolve (self, file), *uri = g_file_get_uri (file),
                  *name = g_file_get_basename (file), *problem = NULL;
  g_autoptr (GPtrArray) items = NULL;
  gboolean read = TRUE;

  if (path == NULL)
    {
      problem = g_strdup_printf (_("%s is not on this machine: copy it here first"), uri);
      g_signal_emit_by_name (self, "opened", name, NULL, problem);
      return;
    }
  items = list_items (self, path);
  for (guint i = 0; i < MIN (items->len, MOST_SHOWN); i++)
    {
      MemlaneRunItem *item = items->pdata[i];

      memlane_run_item_set_shown (item, TRUE);
      if (item->problem != NULL)
        want (self, item); /* perhaps it can be read by now */
      read = read && item->run != NULL;
    }
  if (items->len == 0)
    add_fresh (self, path);
  if (items->len > 0 && read)
    g_signal_emit_by_name (self, "opened", name, items, NULL);
  else
    ask (self, path, name);
}

/* --- a sweep's life in the list --------------------------------------------------------------- */

MemlaneRunItem *
memlane_run_store_begin (MemlaneRunStore *self, const char *device, const char *device_kind,
                         const char *name)
{
  g_autoptr (MemlaneRunItem) item = memlane_run_item_new (MEMLANE_RUN_LIVE, NULL, NULL, name);
  g_autoptr (MemlaneRun) run = memlane_run_new ("live", device, device_kind);

  item->shown = TRUE;
  item->facts.when = g_get_real_time () / G_USEC_PER_SEC;
  memlane_run_item_set_run (item, run);
  insert (self, item);
  return item;
}

void
memlane_run_store_introduce (MemlaneRunStore *self, MemlaneRunItem *item, const char *run_id,
                             MemlaneEnvironment *environment)
{
  MemlaneRun *run = item->run;

  g_return_if_fail (item->kind == MEMLANE_RUN_LIVE && run != NULL);
  memlane_text_set (&run->id, run_id);
  memlane_environment_unref (run->environment);
  run->environment = memlane_environment_ref (environment);
  memlane_run_item_set_run (item, run);
  memlane_merger_poke (&self->changed);
}

static int
compare_cells (const MemlaneCell *a, const MemlaneCell *b)
{
  if (a->log2_elements != b->log2_elements)
    return a->log2_elements < b->log2_elements ? -1 : 1;
  return strcmp (a->mode, b->mode);
}

/* Size by size, although rounds have orders of their own; in the place of the one that an earlier
 * round has brought. */
static void
put_cell (GPtrArray *cells, MemlaneCell *cell)
{
  guint place = cells->len;

  while (place > 0 && compare_cells (cells->pdata[place - 1], cell) > 0)
    place--;
  if (place > 0 && compare_cells (cells->pdata[place - 1], cell) == 0)
    {
      memlane_cell_unref (cells->pdata[place - 1]);
      cells->pdata[place - 1] = memlane_cell_ref (cell);
    }
  else
    g_ptr_array_insert (cells, (int) place, memlane_cell_ref (cell));
}

void
memlane_run_store_grow (MemlaneRunStore *self, MemlaneRunItem *item, GPtrArray *cells)
{
  g_return_if_fail (item->kind == MEMLANE_RUN_LIVE && item->run != NULL);
  MEMLANE_FOR_EACH (MemlaneCell, cell, cells)
    put_cell (item->run->cells, cell);
  memlane_run_item_grown (item);
  memlane_merger_poke (&self->changed);
}

/* --- to the disk ------------------------------------------------------------------------------ */

static void
settle (MemlaneRunStore *self, MemlaneRunItem *item, const char *path)
{
  MemlaneRunItem *other = find_file (self, path, NULL);

  if (other != NULL && other != item) /* adopted by the list's own start in the meantime */
    drop (self, other);
  memlane_run_item_set_place (item, MEMLANE_RUN_KEPT, path);
  g_clear_pointer (&item->journal, g_free);
  mark (self, item);
  memlane_merger_poke (&self->changed);
}

static void
complain (MemlaneRunStore *self, MemlaneRunItem *item, const char *reason)
{
  memlane_say_notice (self, TRUE,
                      item->journal != NULL
                          ? _("“%s” is not in the folder of runs: %s. Its journal holds it, and "
                               "it will be back at the next start.")
                          : _("“%s” is not in the folder of runs: %s. It is nowhere on the disk: "
                               "export it before the window closes."),
                      memlane_run_item_get_name (item), reason);
}

/* Writes a run that was measured into the folder. FALSE with @error: it stays in the list alone. */
static gboolean
keep (MemlaneRunStore *self, MemlaneRunItem *item, GError **error)
{
  g_autofree char *path = memlane_run_files_write (self->folder, item->run, item->journal, error);

  if (path != NULL)
    settle (self, item, path);
  return path != NULL;
}

void
memlane_run_store_end (MemlaneRunStore *self, MemlaneRunItem *item, MemlaneRun *run,
                       const char *journal)
{
  g_autoptr (GError) error = NULL;
  gint64 began = item->facts.when;

  g_return_if_fail (item->kind == MEMLANE_RUN_LIVE);
  if (run == NULL || run->cells->len == 0)
    {
      if (journal != NULL)
        (void) memlane_journal_discard (journal, NULL); /* there is nothing in it */
      drop (self, item);
      return;
    }
  memlane_run_item_set_run (item, run);
  item->facts.when = began; /* as the name says it */
  item->journal = g_strdup (journal);
  if (keep (self, item, &error))
    return;
  memlane_run_item_set_place (item, MEMLANE_RUN_KEPT, NULL);
  complain (self, item, error->message);
  memlane_merger_poke (&self->changed);
}

void
memlane_run_store_put_beside (MemlaneRunStore *self, MemlaneRunItem *item)
{
  item->beside = TRUE;
  memlane_merger_poke (&self->changed);
}

void
memlane_run_store_replace (MemlaneRunStore *self, MemlaneRunItem *item)
{
  guint n_measured;
  guint n_planned;

  if (item->beside)
    return;
  MEMLANE_FOR_EACH (MemlaneRunItem, each, self->items) /* the newest first */
    {
      gboolean whole = each->run == NULL
                       || memlane_run_is_whole (each->run, &n_measured, &n_planned);

      if (each == item || each->kind != MEMLANE_RUN_KEPT)
        continue;
      if (!each->pinned)
        memlane_run_item_set_shown (each, FALSE);
      if (whole && !each->beside)
        return; /* older ones were ticked by hand */
    }
}

gboolean
memlane_run_store_is_reading (MemlaneRunStore *self)
{
  MEMLANE_FOR_EACH (const MemlaneRunItem, item, self->items)
    if (item->loading)
      return TRUE;
  return !self->index_known;
}

/* Tries again to write what could not be written. */
static void
save_again (MemlaneRunStore *self)
{
  g_autoptr (GPtrArray) items = list_items (self, NULL);

  MEMLANE_FOR_EACH (MemlaneRunItem, item, items)
    if (item->kind == MEMLANE_RUN_KEPT)
      keep (self, item, NULL);
}

void
memlane_run_store_flush (MemlaneRunStore *self)
{
  save_again (self);
  g_clear_handle_id (&self->index_timer, g_source_remove);
  if (self->index_known && g_hash_table_size (self->dirty) > 0)
    write_index (self);
}

/* --- deleting and bringing back --------------------------------------------------------------- */

gboolean
memlane_run_store_remove (MemlaneRunStore *self, MemlaneRunItem *item, GError **error)
{
  gboolean has_file = item->kind == MEMLANE_RUN_KEPT && item->path != NULL;
  GPtrArray *removed;

  if (item->kind == MEMLANE_RUN_LIVE || item->kind == MEMLANE_RUN_RECORDED
      || !g_ptr_array_find (self->items, item, NULL))
    return memlane_fail (
        error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        item->kind == MEMLANE_RUN_LIVE       ? _("“%s” is still being measured: stop it first")
        : item->kind == MEMLANE_RUN_RECORDED ? _("“%s” belongs to Memlane: hide it instead")
                                             : _("“%s” is not in the list"),
        memlane_run_item_get_name (item));
  if (has_file && g_file_test (item->path, G_FILE_TEST_EXISTS)
      && g_access (self->folder, W_OK) != 0)
    return memlane_fail (error, G_IO_ERROR, (int) g_io_error_from_errno (errno),
                         _("cannot delete %s: %s"), item->path, g_strerror (errno));
  removed = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (removed, g_object_ref (item));
  MEMLANE_FOR_EACH (MemlaneRunItem, other, self->items)
    if (other != item && has_file && g_strcmp0 (other->path, item->path) == 0)
      g_ptr_array_add (removed, g_object_ref (other));
  g_ptr_array_add (self->removed, removed);

  MEMLANE_FOR_EACH (MemlaneRunItem, each, removed)
    {
      mark (self, each); /* while it is known where it stood */
      drop (self, each);
    }
  return TRUE;
}

void
memlane_run_store_undo_remove (MemlaneRunStore *self)
{
  g_autoptr (GPtrArray) removed = NULL;

  if (self->removed->len == 0)
    return;
  removed = g_ptr_array_steal_index (self->removed, self->removed->len - 1);
  MEMLANE_FOR_EACH (MemlaneRunItem, item, removed)
    /* it may have been opened since */
    if (item->path == NULL || find_file (self, item->path, item->part) == NULL)
      {
        insert (self, item);
        mark (self, item);
        want (self, item);
      }
}

void
memlane_run_store_forget_removed (MemlaneRunStore *self)
{
  MEMLANE_FOR_EACH (GPtrArray, removed, self->removed)
    {
      const MemlaneRunItem *item = removed->pdata[0];

      if (item->kind == MEMLANE_RUN_KEPT && item->path != NULL
          && find_file (self, item->path, NULL) == NULL)
        memlane_run_files_delete (item->path);
      if (item->path == NULL && item->journal != NULL)
        (void) memlane_journal_discard (item->journal, NULL);
    }
  g_ptr_array_set_size (self->removed, 0);
}

/* --- the start -------------------------------------------------------------------------------- */

/* The worker found this. */
typedef struct
{
  GPtrArray *files;    /* (element-type MemlaneRunFile): the kept ones, and the recorded one */
  GPtrArray *entries;  /* (element-type MemlaneRunItem): the index */
  gboolean is_new;
  GPtrArray *problems; /* (element-type utf8) */
} Found;

MEMLANE_DEFINE_FREE (Found, static void found_free (gpointer data),
                     OWNS (files, g_ptr_array_unref) OWNS (entries, g_ptr_array_unref)
                         OWNS (problems, g_ptr_array_unref))

/* The recorded run as a file; nothing where none is installed. */
static void
add_recorded (GPtrArray *files)
{
  g_autoptr (MemlaneRecording) recording = memlane_recordings_find_first ();
  MemlaneRunFile *file;
  char *real;

  if (recording == NULL)
    return;
  file = g_new0 (MemlaneRunFile, 1);
  real = realpath (recording->path, NULL);
  file->path = real != NULL ? real : g_steal_pointer (&recording->path);
  file->title = g_steal_pointer (&recording->title);
  memlane_run_files_take_facts (&file->facts, file->path);
  g_ptr_array_add (files, file);
}

static void
look (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const char *folder = task_data;
  Found *found = g_new0 (Found, 1);
  g_autoptr (GPtrArray) adopted = NULL;
  char *problem;

  found->problems = g_ptr_array_new_with_free_func (g_free);
  found->entries = memlane_run_index_read (folder, &found->is_new, &problem);
  if (problem != NULL)
    g_ptr_array_add (found->problems, problem);
  adopted = memlane_run_files_adopt (folder, found->problems);
  found->files = memlane_run_files_list (folder);
  MEMLANE_FOR_EACH (MemlaneRunFile, file, found->files)
    file->adopted = g_ptr_array_find_with_equal_func (adopted, file->path, g_str_equal, NULL);
  add_recorded (found->files);
  MEMLANE_FOR_EACH (MemlaneRunItem, entry, found->entries)
    if (entry->kind == MEMLANE_RUN_OPENED)
      {
        g_autofree char *name = name_file (entry->path);
        MemlaneRunFacts facts = { .cells = -1 };

        entry->default_name = entry->part != NULL ? g_strdup_printf ("%s · %s", name, entry->part)
                                                  : g_steal_pointer (&name);
        memlane_run_files_take_facts (&facts, entry->path);
        facts.when = 0; /* it stands where it was opened */
        memlane_run_item_take_facts (entry, &facts);
      }
  g_task_return_pointer (task, found, found_free);
}

/* @item: with what the index says of it, or new. */
static void
add (MemlaneRunStore *self, MemlaneRunItem *item)
{
  if (find_file (self, item->path, item->part) != NULL)
    return; /* opened, or measured, while the worker was looking */
  insert (self, item);
  if (item->shown)
    want (self, item);
}

static void
add_file (MemlaneRunStore *self, MemlaneRunItem *item, const MemlaneRunFile *file)
{
  MemlaneRunFacts facts = { g_strdup (file->facts.device), file->facts.simulated, file->facts.when,
                            -1 };

  memlane_run_item_set_place (item, item->kind, file->path);
  if (item->part != NULL)
    item->default_name = g_strdup (item->part);
  else if (file->title != NULL)
    item->default_name = g_strdup (file->title);
  else if (facts.device == NULL) /* without an environment only its name tells of it */
    item->default_name = name_file (file->path);
  memlane_run_item_take_facts (item, &facts);
  add (self, item);
}

/* Returns whether the index has entries of the file: of several runs in it, or of it as one. */
static gboolean
add_entries (MemlaneRunStore *self, const Found *found, const MemlaneRunFile *file, gboolean parts)
{
  g_autofree char *base = g_path_get_basename (file->path);
  gboolean any = FALSE;

  MEMLANE_FOR_EACH (MemlaneRunItem, entry, found->entries)
    if (entry->kind == (file->title != NULL ? MEMLANE_RUN_RECORDED : MEMLANE_RUN_KEPT)
        && (entry->part != NULL) == parts && strcmp (entry->path, base) == 0)
      {
        add_file (self, entry, file);
        any = TRUE;
      }
  return any;
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (MemlaneRunStore) self = user_data;
  Found *found = g_task_propagate_pointer (G_TASK (result), NULL);

  self->index_known = TRUE;
  MEMLANE_FOR_EACH (const MemlaneRunFile, file, found->files)
    if (!add_entries (self, found, file, TRUE) && !add_entries (self, found, file, FALSE))
      {
        MemlaneRunKind kind = file->title != NULL ? MEMLANE_RUN_RECORDED : MEMLANE_RUN_KEPT;
        g_autoptr (MemlaneRunItem) item = memlane_run_item_new (kind, file->path, NULL, NULL);

        item->shown = file->title != NULL ? found->is_new : file->adopted;
        add_file (self, item, file);
        if (file->title != NULL) /* from now on it is no first start any more */
          mark (self, item);
      }
  MEMLANE_FOR_EACH (MemlaneRunItem, entry, found->entries)
    if (entry->kind == MEMLANE_RUN_OPENED)
      add (self, entry);
  MEMLANE_FOR_EACH (const MemlaneRunFile, file, found->files)
    if (file->adopted)
      memlane_say_notice (self, TRUE, _("A run that was cut short was recovered: %s"),
                          memlane_run_item_get_name (find_file (self, file->path, NULL)));
  MEMLANE_FOR_EACH (const char, problem, found->problems)
    memlane_say_notice (self, TRUE, "%s", problem);
  if (g_hash_table_size (self->dirty) > 0 && self->index_timer == 0)
    self->index_timer = g_timeout_add (WRITE_AFTER_MS, write_cb, self);
  memlane_merger_poke (&self->changed);
  found_free (found);
}

void
memlane_run_store_load (MemlaneRunStore *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->load_asked)
    return;
  self->load_asked = TRUE;
  task = g_task_new (NULL, NULL, found_cb, g_object_ref (self));
  g_task_set_task_data (task, self->folder, NULL);
  g_task_run_in_thread (task, look);
}

/* --- life ------------------------------------------------------------------------------------- */

static void
memlane_run_store_dispose (GObject *object)
{
  MemlaneRunStore *self = MEMLANE_RUN_STORE (object);

  if (self->index_timer != 0)
    memlane_run_store_flush (self);
  g_clear_handle_id (&self->index_timer, g_source_remove);
  g_cancellable_cancel (self->going);
  g_clear_handle_id (&self->changed.source, g_source_remove);
  MEMLANE_FOR_EACH (MemlaneRunItem, item, self->items)
    g_signal_handlers_disconnect_by_data (item, self);
  g_ptr_array_set_size (self->items, 0);
  G_OBJECT_CLASS (memlane_run_store_parent_class)->dispose (object);
}

MEMLANE_DEFINE_CLASS (MemlaneRunStore, memlane_run_store,
                      OWNS (folder, g_free) OWNS (index_problem, g_free)
                          OWNS (items, g_ptr_array_unref) OWNS (readings, g_ptr_array_unref)
                              OWNS (going, g_object_unref) OWNS (removed, g_ptr_array_unref)
                                  OWNS (dirty, g_hash_table_unref),
                      G_OBJECT_CLASS (klass)->dispose = memlane_run_store_dispose;
                      memlane_signal_add (klass, "changed", 0);
                      memlane_signal_add (klass, "notice", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
                      memlane_signal_add (klass, "opened", 3, G_TYPE_STRING, G_TYPE_PTR_ARRAY,
                                          G_TYPE_STRING);)

MemlaneRunStore *
memlane_run_store_new (const char *folder)
{
  MemlaneRunStore *self = g_object_new (MEMLANE_TYPE_RUN_STORE, NULL);

  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->changed = (MemlaneMerger) { .object = self };
  self->dirty = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, NULL);
  self->removed = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->readings = g_ptr_array_new_with_free_func (g_object_unref);
  self->going = g_cancellable_new ();
  if (folder != NULL)
    self->folder = g_canonicalize_filename (folder, NULL);
  else
    self->folder = g_build_filename (g_get_user_data_dir (), "memlane", "runs", NULL);
  return self;
}

const char *
memlane_run_store_get_folder (MemlaneRunStore *self)
{
  return self->folder;
}
