/* run-store.c: the Runs list: its order, its signals
 *
 * SPDX-License-Identifier: MIT
 */
#include "run-store-private.h"

#include <string.h>

static void run_store_list_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneRunStore, memlane_run_store, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, run_store_list_init))

enum { SIGNAL_CHANGED, SIGNAL_PROBLEM, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- the list -------------------------------------------------------------------------------------------------- */

static GType
get_item_type (GListModel *list)
{
  return MEMLANE_TYPE_RUN_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return MEMLANE_RUN_STORE (list)->items->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  MemlaneRunStore *self = MEMLANE_RUN_STORE (list);

  return position < self->items->len ? g_object_ref (self->items->pdata[position]) : NULL;
}

static void
run_store_list_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

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
    memlane_run_store_want (self, item);
  memlane_run_store_mark (self, item, strcmp (pspec->name, "shown") == 0 ? MEMLANE_ENTRY_SHOWN : MEMLANE_ENTRY_NAME);
  memlane_run_store_touch (self);
}

void
memlane_run_store_insert (MemlaneRunStore *self, MemlaneRunItem *item)
{
  guint place = 0;

  while (place < self->items->len && !stands_before (item, self->items->pdata[place]))
    place++;
  g_ptr_array_insert (self->items, (int) place, g_object_ref (item));
  g_signal_connect (item, "notify::shown", G_CALLBACK (item_changed_cb), self);
  g_signal_connect (item, "notify::name", G_CALLBACK (item_changed_cb), self);
  g_list_model_items_changed (G_LIST_MODEL (self), place, 0, 1);
  memlane_run_store_touch (self);
}

gboolean
memlane_run_store_drop (MemlaneRunStore *self, MemlaneRunItem *item)
{
  guint place;

  if (!g_ptr_array_find (self->items, item, &place))
    return FALSE;
  g_signal_handlers_disconnect_by_data (item, self);
  g_ptr_array_remove_index (self->items, place);
  g_list_model_items_changed (G_LIST_MODEL (self), place, 1, 0);
  memlane_run_store_touch (self);
  return TRUE;
}

/* --- signals --------------------------------------------------------------------------------------------------- */

static gboolean
tell_changed (gpointer user_data)
{
  g_signal_emit (user_data, signals[SIGNAL_CHANGED], 0);
  return G_SOURCE_REMOVE;
}

void
memlane_run_store_touch (MemlaneRunStore *self)
{
  memlane_merger_poke (&self->changed);
}

void
memlane_run_store_say (MemlaneRunStore *self, const char *format, ...)
{
  g_autofree char *sentence = NULL;
  va_list arguments;

  va_start (arguments, format);
  sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, sentence);
}

/* --- life ------------------------------------------------------------------------------------------------------- */

static void
memlane_run_store_dispose (GObject *object)
{
  MemlaneRunStore *self = MEMLANE_RUN_STORE (object);

  if (self->index_timer != 0)
    memlane_run_store_flush (self);
  g_clear_handle_id (&self->index_timer, g_source_remove);
  memlane_run_store_stop_reading (self);
  memlane_merger_clear (&self->changed);
  for (guint i = 0; i < self->items->len; i++)
    g_signal_handlers_disconnect_by_data (self->items->pdata[i], self);
  g_ptr_array_set_size (self->items, 0);
  G_OBJECT_CLASS (memlane_run_store_parent_class)->dispose (object);
}

static void
memlane_run_store_finalize (GObject *object)
{
  MemlaneRunStore *self = MEMLANE_RUN_STORE (object);

  g_free (self->folder);
  g_free (self->index_problem);
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->requests);
  g_ptr_array_unref (self->removed);
  g_hash_table_unref (self->dirty);
  g_hash_table_unref (self->unsaved);
  G_OBJECT_CLASS (memlane_run_store_parent_class)->finalize (object);
}

static void
memlane_run_store_class_init (MemlaneRunStoreClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = memlane_run_store_dispose;
  object_class->finalize = memlane_run_store_finalize;
  signals[SIGNAL_CHANGED] =
    g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PROBLEM] =
    g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
memlane_run_store_init (MemlaneRunStore *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->changed = (MemlaneMerger) { .tell = tell_changed, .data = self };
  self->dirty = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->unsaved = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->removed = memlane_run_store_new_removed ();
  memlane_run_store_init_reading (self);
}

MemlaneRunStore *
memlane_run_store_new (const char *folder)
{
  MemlaneRunStore *self = g_object_new (MEMLANE_TYPE_RUN_STORE, NULL);

  if (folder != NULL)
    self->folder = g_canonicalize_filename (folder, NULL);
  else
    self->folder = g_build_filename (g_get_user_data_dir (), "memlane", "runs", NULL);
  return self;
}

void
memlane_run_store_load (MemlaneRunStore *self)
{
  if (!self->load_asked)
    memlane_run_store_start_load (self);
  self->load_asked = TRUE;
}

const char *
memlane_run_store_get_folder (MemlaneRunStore *self)
{
  return self->folder;
}

/* --- looking for one ------------------------------------------------------------------------------------------- */

GPtrArray *
memlane_run_store_get_shown (MemlaneRunStore *self)
{
  GPtrArray *shown = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->items->len; i++)
    {
      MemlaneRunItem *item = self->items->pdata[i];

      if (item->shown && item->run != NULL)
        g_ptr_array_add (shown, g_object_ref (item));
    }
  return shown;
}

MemlaneRunItem *
memlane_run_store_find (MemlaneRunStore *self, const char *name_or_id)
{
  g_autofree char *file = g_strconcat ("/", name_or_id, ".csv", NULL);

  for (guint i = 0; i < self->items->len; i++)
    {
      MemlaneRunItem *item = self->items->pdata[i];

      if (strcmp (memlane_run_item_get_name (item), name_or_id) == 0 || (item->run != NULL && strcmp (item->run->id, name_or_id) == 0) ||
          (item->path != NULL && (strcmp (item->path, name_or_id) == 0 || g_str_has_suffix (item->path, file))))
        return item;
    }
  return NULL;
}

MemlaneRunItem *
memlane_run_store_find_file (MemlaneRunStore *self, const char *path, const char *part)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      MemlaneRunItem *item = self->items->pdata[i];

      if (g_strcmp0 (item->path, path) == 0 && (part == NULL || g_strcmp0 (item->part, part) == 0))
        return item;
    }
  return NULL;
}
