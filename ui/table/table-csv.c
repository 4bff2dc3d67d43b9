/* table-csv.c: rows of the table as CSV, and onto the clipboard
 *
 * SPDX-License-Identifier: MIT
 */
#include "table-csv.h"

#include "result/csv.h"

/* Rows between two looks at the cancellable. */
#define STRIDE 1024

/* The engine writes cells; one row is a cell that has but this figure, or none. */
static void
append_row (GString *text, const MemlaneRun *record, const MemlaneTableEntry *entry, GPtrArray *one)
{
  MemlaneCell cell = *entry->cell;

  g_ptr_array_set_size (one, 0);
  cell.figures = one;
  cell.status = memlane_table_entry_get_status (entry);
  cell.detail = (char *) memlane_table_entry_get_detail (entry);
  if (entry->figure != NULL)
    g_ptr_array_add (one, (gpointer) entry->figure);
  memlane_csv_append_cell (text, record, &cell);
}

GBytes *
memlane_table_csv (const MemlaneTableRows *rows, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) one = g_ptr_array_new ();

  memlane_csv_append_header (text);
  for (guint i = 0; i < memlane_table_rows_count (rows); i++)
    {
      if (i % STRIDE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      append_row (text, memlane_table_rows_get_run (rows, i)->record, memlane_table_rows_get (rows, i), one);
    }
  return g_string_free_to_bytes (g_steal_pointer (&text));
}

typedef struct
{
  MemlaneTableRows *rows; /* let go on the main thread: it holds objects */
  GdkClipboard *clipboard;
  guint count;
} Copy;

static void
free_copy (gpointer data)
{
  Copy *copy = data;

  g_clear_pointer (&copy->rows, memlane_table_rows_unref);
  g_clear_object (&copy->clipboard);
  g_free (copy);
}

static void
copy_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Copy *copy = data;
  GError *error = NULL;
  GBytes *bytes = memlane_table_csv (copy->rows, cancellable, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Copy *copy = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GdkContentProvider) provider = NULL;

  g_clear_pointer (&copy->rows, memlane_table_rows_unref);
  if (bytes == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  provider = gdk_content_provider_new_union ((GdkContentProvider *[]) {
                                               gdk_content_provider_new_for_bytes ("text/csv", bytes),
                                               gdk_content_provider_new_for_bytes ("text/plain;charset=utf-8", bytes),
                                               gdk_content_provider_new_typed (G_TYPE_STRING, g_bytes_get_data (bytes, NULL)),
                                             }, 3);
  gdk_clipboard_set_content (copy->clipboard, provider);
  g_clear_object (&copy->clipboard);
  g_task_return_int (task, copy->count);
}

void
memlane_table_copy_async (MemlaneTableRows *rows, GdkClipboard *clipboard, GCancellable *cancellable, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *outer = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GTask) work = g_task_new (NULL, cancellable, copied_cb, outer);
  Copy *copy = g_new0 (Copy, 1);

  copy->rows = rows;
  copy->count = memlane_table_rows_count (rows);
  copy->clipboard = g_object_ref (clipboard);
  g_task_set_task_data (work, copy, free_copy);
  g_task_run_in_thread (work, copy_thread);
}

guint
memlane_table_copy_finish (GAsyncResult *result, GError **error)
{
  gssize count = g_task_propagate_int (G_TASK (result), error);

  return count > 0 ? (guint) count : 0;
}
