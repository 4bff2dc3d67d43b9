/* table-model.c: the rows of the Table page as a list that sorts, filters and selects a million of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-model.h"

#include <string.h>

/* Up to here an order is there within a frame. */
#define SMALL_TABLE 20000
/* New rows go in where they belong, each group with a signal of its own, so that the view keeps its place; with more groups than
 * this it is told to look at everything again. */
#define MOST_GROUPS 256

/* --- a row while it is looked at -------------------------------------------------------------------------------------- */

G_DEFINE_FINAL_TYPE (MemlaneTableLine, memlane_table_line, G_TYPE_OBJECT)

static MemlaneTableLine *
line_new (const MemlaneTableRows *rows, guint place, GHashTable *cache)
{
  MemlaneTableLine *self = g_object_new (MEMLANE_TYPE_TABLE_LINE, NULL);

  self->entry = *memlane_table_rows_get (rows, place);
  self->cell = memlane_cell_ref ((MemlaneCell *) self->entry.cell);
  self->run = g_strdup (memlane_table_rows_get_run (rows, place)->name);
  self->place = place;
  self->cache = g_hash_table_ref (cache);
  g_hash_table_insert (cache, GUINT_TO_POINTER (place), self);
  return self;
}

static void
line_finalize (GObject *object)
{
  MemlaneTableLine *self = MEMLANE_TABLE_LINE (object);

  g_hash_table_remove (self->cache, GUINT_TO_POINTER (self->place));
  g_hash_table_unref (self->cache);
  memlane_cell_unref (self->cell);
  g_free (self->run);
  G_OBJECT_CLASS (memlane_table_line_parent_class)->finalize (object);
}

static void
memlane_table_line_class_init (MemlaneTableLineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = line_finalize;
}

static void
memlane_table_line_init (MemlaneTableLine *self)
{
}

/* --- the order of a large table, on a worker thread ------------------------------------------------------------------- */

typedef struct
{
  MemlaneTableRows *rows; /* handed back on the main thread: it holds objects */
  MemlaneTableRequest request;
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;

  g_clear_pointer (&job->rows, memlane_table_rows_unref);
  memlane_table_request_clear (&job->request);
  g_free (job);
}

static void
job_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GArray *order = memlane_table_order (job->rows, &job->request, cancellable);

  if (order != NULL)
    g_task_return_pointer (task, order, (GDestroyNotify) g_array_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
}

static void
order_async (gpointer source, MemlaneTableRows *rows, const MemlaneTableRequest *request, GCancellable *cancellable,
                           GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->rows = memlane_table_rows_ref (rows);
  memlane_table_request_copy (&job->request, request);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, job, free_job);
  g_task_run_in_thread (task, job_thread);
}

static GArray *
order_finish (GAsyncResult *result, MemlaneTableRows **rows)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  *rows = g_steal_pointer (&job->rows);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* --- the model -------------------------------------------------------------------------------------------------------- */

struct _MemlaneTableModel
{
  GObject parent_instance;
  MemlaneTableRows *rows;
  GArray *order;         /* (element-type guint32): places in rows, as seen */
  GByteArray *chosen;    /* by place: 1 when selected */
  GHashTable *cache;     /* place -> MemlaneTableLine that lives; not owned */
  GPtrArray *items;      /* runs that are wanted */
  MemlaneTableRequest request;
  GCancellable *job;     /* NULL: none is under way */
  gboolean again;        /* items or request have changed since it began */
};

enum { NEWS, N_SIGNALS };
static guint signals[N_SIGNALS];

static void implement_list (GListModelInterface *interface);
static void implement_selection (GtkSelectionModelInterface *interface);
static void refresh (MemlaneTableModel *self);

G_DEFINE_FINAL_TYPE_WITH_CODE (MemlaneTableModel, memlane_table_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, implement_list)
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, implement_selection))

static inline guint32
place_at (GArray *order, guint position)
{
  return g_array_index (order, guint32, position);
}

static void
grow_chosen (GByteArray *chosen, guint n)
{
  guint old = chosen->len;

  g_byte_array_set_size (chosen, n);
  if (n > old)
    memset (chosen->data + old, 0, n - old);
}

/* --- a new order ------------------------------------------------------------------------------------------------------ */

/* How many groups of new rows stand between the old ones; 0 where @next is not the old order with rows added, or is the same. */
static guint
count_groups (GArray *old, GArray *next)
{
  guint groups = 0, i = 0;
  gboolean inside = FALSE;

  for (guint j = 0; j < next->len; j++)
    {
      gboolean same = i < old->len && place_at (old, i) == place_at (next, j);

      groups += !same && !inside;
      inside = !same;
      i += same;
    }
  return i == old->len ? groups : 0;
}

static void
insert_groups (MemlaneTableModel *self, GArray *next)
{
  for (guint j = 0; j < next->len; j++)
    {
      guint n = 0;

      while (j + n < next->len && (j >= self->order->len || place_at (next, j + n) != place_at (self->order, j)))
        n++;
      if (n == 0)
        continue;
      g_array_insert_vals (self->order, j, &g_array_index (next, guint32, j), n);
      g_list_model_items_changed (G_LIST_MODEL (self), j, 0, n);
      j += n - 1;
    }
}

static void
take_order (MemlaneTableModel *self, GArray *next)
{
  GArray *old = self->order;
  guint groups = count_groups (old, next), first = 0, last = 0, n_old, n_new;

  if (groups > 0 && groups <= MOST_GROUPS)
    {
      insert_groups (self, next);
      return;
    }
  while (first < old->len && first < next->len && place_at (old, first) == place_at (next, first))
    first++;
  while (last < old->len - first && last < next->len - first
         && place_at (old, old->len - 1 - last) == place_at (next, next->len - 1 - last))
    last++;
  n_old = old->len - first - last;
  n_new = next->len - first - last;
  self->order = g_array_ref (next);
  g_array_unref (old);
  if (n_old > 0 || n_new > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), first, n_old, n_new);
}

/* For each run of @rows the one of @before that is the same; G_MAXUINT: none. */
static guint *
match_runs (const MemlaneTableRows *before, const MemlaneTableRows *rows)
{
  guint *matches = g_new (guint, MAX (rows->runs->len, 1));

  for (guint i = 0; i < rows->runs->len; i++)
    {
      matches[i] = G_MAXUINT;
      for (guint j = 0; j < before->runs->len; j++)
        if (((MemlaneTableRun *) rows->runs->pdata[i])->item == ((MemlaneTableRun *) before->runs->pdata[j])->item)
          matches[i] = j;
    }
  return matches;
}

/* Places of the rows of each run, in their order. (element-type GArray of guint32) */
static GPtrArray *
sort_by_run (const MemlaneTableRows *rows)
{
  GPtrArray *places = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < rows->runs->len; i++)
    g_ptr_array_add (places, g_array_new (FALSE, FALSE, sizeof (guint32)));
  for (guint32 i = 0; i < memlane_table_rows_count (rows); i++)
    g_array_append_val (((GArray *) places->pdata[memlane_table_rows_get (rows, i)->run]), i);
  return places;
}

/* Of one run: what a row is of, whatever is measured. */
static guint
hash_row (gconstpointer data)
{
  const MemlaneTableEntry *row = data;

  return g_str_hash (row->cell->mode) * 31 + row->cell->log2_elements * 64 + (row->figure != NULL ? row->figure->phase + 1 : 0);
}

static gboolean
is_same_row (gconstpointer a, gconstpointer b)
{
  const MemlaneTableEntry *left = a, *right = b;
  const MemlaneCell *one = left->cell, *other = right->cell;
  const MemlaneFigure *figure = left->figure, *other_figure = right->figure;

  return one->log2_elements == other->log2_elements && one->reuse == other->reuse && one->streams == other->streams
         && one->chunks == other->chunks && g_str_equal (one->mode, other->mode) && g_str_equal (one->workload, other->workload)
         && (figure == NULL) == (other_figure == NULL)
         && (figure == NULL || (figure->phase == other_figure->phase && figure->clock == other_figure->clock));
}

/* Rows of one run, by places: for each of @next that of @before which is of the same, into @was. Rounds bring a run's cells in any
 * order, and replace them. */
static void
match_rows (const MemlaneTableRows *before, GArray *before_places, const MemlaneTableRows *rows, GArray *places, guint32 *was)
{
  g_autoptr (GHashTable) known = g_hash_table_new (hash_row, is_same_row);

  for (guint i = before_places->len; i-- > 0;)
    {
      guint32 place = place_at (before_places, i);

      g_hash_table_insert (known, (gpointer) memlane_table_rows_get (before, place), GUINT_TO_POINTER (place));
    }
  for (guint i = 0; i < places->len; i++)
    {
      gpointer old;

      if (g_hash_table_steal_extended (known, memlane_table_rows_get (rows, place_at (places, i)), NULL, &old))
        was[place_at (places, i)] = GPOINTER_TO_UINT (old);
    }
}

static gboolean
has_same_cells (const MemlaneTableRun *before, const MemlaneTableRun *run)
{
  gboolean same = before->cells->len <= run->cells->len;

  for (guint i = 0; same && i < before->cells->len; i++)
    same = before->cells->pdata[i] == run->cells->pdata[i];
  return same;
}

/* For each row of @rows the place that it had in @before, G_MAXUINT32: none. Where the cells are the same the n-th row is the n-th, which
 * takes no search among a million, nor among the equal rows that a file may have. */
static guint32 *
find_old_places (const MemlaneTableRows *before, const MemlaneTableRows *rows)
{
  guint32 *was = g_new (guint32, MAX (memlane_table_rows_count (rows), 1));
  g_autofree guint *matches = match_runs (before, rows);
  g_autoptr (GPtrArray) old_places = sort_by_run (before), new_places = sort_by_run (rows);

  memset (was, 0xff, memlane_table_rows_count (rows) * sizeof *was);
  for (guint run = 0; run < rows->runs->len; run++)
    {
      GArray *places = new_places->pdata[run], *old = matches[run] != G_MAXUINT ? old_places->pdata[matches[run]] : NULL;

      if (old != NULL && has_same_cells (before->runs->pdata[matches[run]], rows->runs->pdata[run]))
        for (guint i = 0; i < MIN (places->len, old->len); i++)
          was[place_at (places, i)] = place_at (old, i);
      else if (old != NULL)
        match_rows (before, old, rows, places, was);
    }
  return was;
}

/* A row that says the same stays the same object, so the view that shows it stays at it. */
static void
keep_line (MemlaneTableModel *self, const MemlaneTableRows *rows, guint place, guint old, GHashTable *cache)
{
  MemlaneTableLine *line = g_hash_table_lookup (self->cache, GUINT_TO_POINTER (old));
  const MemlaneTableEntry *entry = memlane_table_rows_get (rows, place);

  if (line == NULL || line->entry.cell != entry->cell || line->entry.figure != entry->figure
      || !g_str_equal (line->run, memlane_table_rows_get_run (rows, place)->name))
    return;
  g_hash_table_remove (self->cache, GUINT_TO_POINTER (old));
  g_hash_table_unref (line->cache);
  line->cache = g_hash_table_ref (cache);
  line->entry = *entry;
  line->place = place;
  g_hash_table_insert (cache, GUINT_TO_POINTER (place), line);
}

/* Other runs, or cells elsewhere than at the end: what was selected and is still there stays selected. */
static void
take_rows (MemlaneTableModel *self, MemlaneTableRows *rows, GArray *order)
{
  g_autofree guint32 *was = find_old_places (self->rows, rows);
  GByteArray *chosen = g_byte_array_new ();
  GHashTable *cache = g_hash_table_new (NULL, NULL);
  guint n_old = self->order->len;

  grow_chosen (chosen, memlane_table_rows_count (rows));
  for (guint i = 0; i < memlane_table_rows_count (rows); i++)
    if (was[i] != G_MAXUINT32)
      {
        chosen->data[i] = self->chosen->data[was[i]];
        keep_line (self, rows, i, was[i], cache);
      }
  g_byte_array_unref (self->chosen);
  self->chosen = chosen;
  g_hash_table_unref (self->cache);
  self->cache = cache;
  memlane_table_rows_unref (self->rows);
  self->rows = memlane_table_rows_ref (rows);
  g_array_unref (self->order);
  self->order = g_array_ref (order);
  if (n_old > 0 || order->len > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, n_old, order->len);
}

static void
finish (MemlaneTableModel *self, MemlaneTableRows *rows, GArray *order)
{
  if (rows != self->rows)
    take_rows (self, rows, order);
  else
    take_order (self, order);
}

/* --- jobs ------------------------------------------------------------------------------------------------------------- */

static void
job_done_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  MemlaneTableModel *self = MEMLANE_TABLE_MODEL (source);
  MemlaneTableRows *rows;
  g_autoptr (GArray) order = order_finish (result, &rows);

  g_clear_object (&self->job);
  if (order != NULL)
    finish (self, rows, order);
  memlane_table_rows_unref (rows); /* before the next refresh: what is shared does not grow */
  if (self->again)
    refresh (self);
  else
    g_signal_emit (self, signals[NEWS], 0);
}

static void
start_job (MemlaneTableModel *self, MemlaneTableRows *rows)
{
  g_autoptr (GArray) order = NULL;

  if (memlane_table_rows_count (rows) > SMALL_TABLE)
    {
      self->job = g_cancellable_new ();
      order_async (self, rows, &self->request, self->job, job_done_cb, NULL);
      return;
    }
  order = memlane_table_order (rows, &self->request, NULL);
  finish (self, rows, order);
}

static void
refresh (MemlaneTableModel *self)
{
  self->again = self->job != NULL;
  if (self->again)
    return;
  if (memlane_table_rows_extends_to (self->rows, self->items))
    {
      memlane_table_rows_append (self->rows, self->items);
      grow_chosen (self->chosen, memlane_table_rows_count (self->rows));
      start_job (self, self->rows);
    }
  else
    {
      g_autoptr (MemlaneTableRows) rows = memlane_table_rows_new ();

      memlane_table_rows_append (rows, self->items);
      start_job (self, rows);
    }
  g_signal_emit (self, signals[NEWS], 0);
}

static gboolean
has_grown (MemlaneTableModel *self)
{
  for (guint i = 0; i < self->items->len; i++)
    {
      MemlaneTableRun *run = g_ptr_array_index (self->rows->runs, i);

      if (memlane_run_item_get_run (run->item)->cells->len != run->cells->len)
        return TRUE;
    }
  return FALSE;
}

void
memlane_table_model_set_runs (MemlaneTableModel *self, GPtrArray *items)
{
  g_ptr_array_set_size (self->items, 0);
  g_ptr_array_extend (self->items, items, (GCopyFunc) (void (*) (void)) g_object_ref, NULL);
  if (self->job != NULL || !memlane_table_rows_extends_to (self->rows, self->items) || has_grown (self))
    refresh (self);
}

void
memlane_table_model_set_request (MemlaneTableModel *self, const MemlaneTableRequest *request)
{
  memlane_table_request_clear (&self->request);
  memlane_table_request_copy (&self->request, request);
  if (self->job != NULL)
    g_cancellable_cancel (self->job); /* nobody wants that order any more; growth lets it come to its end */
  refresh (self);
}

/* --- what there is ---------------------------------------------------------------------------------------------------- */

MemlaneTableCounts
memlane_table_model_count (MemlaneTableModel *self)
{
  MemlaneTableCounts counts = { memlane_table_rows_count (self->rows), self->order->len, 0, 0, self->job != NULL };

  /* Asked for at every news, and usually nothing is selected. */
  if (self->chosen->len > 0 && memchr (self->chosen->data, 1, self->chosen->len) != NULL)
    for (guint i = 0; i < self->order->len; i++)
      counts.selected += self->chosen->data[place_at (self->order, i)];
  counts.copied = counts.selected > 0 ? counts.selected : counts.seen;
  return counts;
}

gboolean
memlane_table_model_varies (MemlaneTableModel *self, MemlaneColumn column)
{
  return memlane_table_rows_varies (self->rows, column);
}

MemlaneTableRows *
memlane_table_model_copy_rows (MemlaneTableModel *self)
{
  gboolean all = memlane_table_model_count (self).selected == 0;
  MemlaneTableRows *copy = memlane_table_rows_new ();

  for (guint i = 0; i < self->order->len; i++)
    if (all || self->chosen->data[place_at (self->order, i)])
      memlane_table_rows_take_from (copy, self->rows, place_at (self->order, i));
  return copy;
}

static GType
get_item_type (GListModel *list)
{
  return MEMLANE_TYPE_TABLE_LINE;
}

static guint
get_n_items (GListModel *list)
{
  return MEMLANE_TABLE_MODEL (list)->order->len;
}

/* A row that lives is the same object each time: the view knows rows by it. */
static gpointer
get_item (GListModel *list, guint position)
{
  MemlaneTableModel *self = MEMLANE_TABLE_MODEL (list);
  MemlaneTableLine *row;

  if (position >= self->order->len)
    return NULL;
  row = g_hash_table_lookup (self->cache, GUINT_TO_POINTER (place_at (self->order, position)));
  return row != NULL ? g_object_ref (row) : line_new (self->rows, place_at (self->order, position), self->cache);
}

static void
implement_list (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

/* --- selection -------------------------------------------------------------------------------------------------------- */

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  MemlaneTableModel *self = MEMLANE_TABLE_MODEL (model);

  return position < self->order->len && self->chosen->data[place_at (self->order, position)];
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  MemlaneTableModel *self = MEMLANE_TABLE_MODEL (model);
  GtkBitset *selected = gtk_bitset_new_empty ();

  for (guint i = position; i < self->order->len && i - position < n_items; i++)
    if (self->chosen->data[place_at (self->order, i)])
      gtk_bitset_add (selected, i);
  return selected;
}

static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  MemlaneTableModel *self = MEMLANE_TABLE_MODEL (model);
  guint first = G_MAXUINT, last = 0, position;
  GtkBitsetIter iter;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &position); more && position < self->order->len;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      guint8 *chosen = &self->chosen->data[place_at (self->order, position)];
      guint8 wanted = gtk_bitset_contains (selected, position);

      if (*chosen == wanted)
        continue;
      *chosen = wanted;
      first = MIN (first, position);
      last = position;
    }
  if (first <= last)
    {
      gtk_selection_model_selection_changed (model, first, last - first + 1);
      g_signal_emit (self, signals[NEWS], 0);
    }
  return TRUE;
}

static void
implement_selection (GtkSelectionModelInterface *interface)
{
  interface->is_selected = is_selected;
  interface->get_selection_in_range = get_selection_in_range;
  interface->set_selection = set_selection;
}

/* --- life ------------------------------------------------------------------------------------------------------------- */

static void
finalize (GObject *object)
{
  MemlaneTableModel *self = MEMLANE_TABLE_MODEL (object);

  g_clear_object (&self->job);
  memlane_table_rows_unref (self->rows);
  g_array_unref (self->order);
  g_byte_array_unref (self->chosen);
  g_hash_table_unref (self->cache);
  g_ptr_array_unref (self->items);
  memlane_table_request_clear (&self->request);
  G_OBJECT_CLASS (memlane_table_model_parent_class)->finalize (object);
}

static void
memlane_table_model_class_init (MemlaneTableModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[NEWS] = g_signal_new ("news", MEMLANE_TYPE_TABLE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_table_model_init (MemlaneTableModel *self)
{
  self->rows = memlane_table_rows_new ();
  self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->chosen = g_byte_array_new ();
  self->cache = g_hash_table_new (NULL, NULL);
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->request = (MemlaneTableRequest) { .phase = -1, .status = -1 };
}
