/* test-table-page.c: the table: rows, order, filter, selection, growth, copying, a million rows, keyboard
 *
 * SPDX-License-Identifier: MIT
 */
#include "panel-fixture.h"
#include "result/csv.h"
#include "table-columns.h"
#include "table-csv.h"
#include "table-page.h"
#include "table-words.h"

#define SAMPLE_ROWS 30 /* 3 modes x 5 sizes x 2 phases */

typedef struct
{
  MemlaneSession *session;
  MemlaneRunStore *store;
  MemlaneTablePage *page;
  MemlaneTableModel *model;
  GListModel *list;
  GtkWindow *window;
  char *notice;
  gboolean trouble;
} Fixture;

static void
notice_cb (MemlaneSession *session, const char *sentence, gboolean trouble, gpointer data)
{
  Fixture *fixture = data;

  g_free (fixture->notice);
  fixture->notice = g_strdup (sentence);
  fixture->trouble = trouble;
}

static void
hide_all (MemlaneRunStore *store)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (store)); i++)
    {
      g_autoptr(MemlaneRunItem) item = g_list_model_get_item (G_LIST_MODEL (store), i);

      memlane_run_item_set_shown (item, FALSE);
    }
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  static guint folders;
  g_autofree char *folder = g_strdup_printf ("table-%u", folders++);

  fixture->session = panel_session_new (folder);
  fixture->store = memlane_session_get_store (fixture->session);
  hide_all (fixture->store);
  g_signal_connect (fixture->session, "notice", G_CALLBACK (notice_cb), fixture);
  fixture->page = MEMLANE_TABLE_PAGE (memlane_table_page_new (fixture->session));
  fixture->model = memlane_table_page_get_model (fixture->page);
  fixture->list = G_LIST_MODEL (fixture->model);
  fixture->window = ui_test_window_for (GTK_WIDGET (fixture->page), 1000, 500);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  g_signal_handlers_disconnect_by_data (fixture->session, fixture);
  panel_session_free (fixture->session);
  g_free (fixture->notice);
}

static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = ui_test_find_id (GTK_WIDGET (fixture->page), id);

  g_assert_nonnull (widget);
  return widget;
}

static gboolean
has_rows (gpointer data)
{
  Fixture *fixture = data;

  return g_list_model_get_n_items (fixture->list) > 0 && !memlane_table_model_is_busy (fixture->model);
}

static gboolean
has_no_rows (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) == 0;
}

static void
choose_phase (Fixture *fixture, int phase)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (fixture, "phase")), (guint) (phase + 1));
}

static void
choose_status (Fixture *fixture, int status)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (fixture, "status")), (guint) (status + 1));
}

static void
act (Fixture *fixture, const char *action, const char *parameter)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->page), action,
                                                     parameter != NULL ? g_variant_new_string (parameter) : NULL));
}

static double
number_at (GListModel *list, guint position, MemlaneColumn column)
{
  g_autoptr(MemlaneTableRow) row = g_list_model_get_item (list, position);

  return memlane_table_entry_get_number (memlane_table_row_get_entry (row), column);
}

static char *
text_at (GListModel *list, guint position, MemlaneColumn column)
{
  g_autoptr(MemlaneTableRow) row = g_list_model_get_item (list, position);

  return memlane_table_entry_format (memlane_table_row_get_entry (row), memlane_table_row_get_run (row), column);
}

static void
assert_text (GListModel *list, guint position, MemlaneColumn column, const char *expected)
{
  g_autofree char *text = text_at (list, position, column);

  g_assert_cmpstr (text, ==, expected);
}

/* --- rows ----------------------------------------------------------------------------------------------------------------------- */

static void
test_rows (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item;

  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, "nothing");
  item = panel_show_run (fixture->session, "sample", 1);
  ui_test_wait (has_rows, fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, SAMPLE_ROWS);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, "rows");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_RUN, memlane_run_item_get_name (item));
  assert_text (fixture->list, 0, MEMLANE_COLUMN_WORKLOAD, "Vector addition");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MODE, "Pageable");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_SIZE, "2¹⁰");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_BYTES, "4 KiB");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_PHASE, "upload");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_PHASE, "elapsed");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_CLOCK, "host");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_MEDIAN, "819 ns"); /* 12 KiB at 15 GB/s */
  assert_text (fixture->list, 1, MEMLANE_COLUMN_INTERVAL, "±2.0 %");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_BANDWIDTH, "15.0 GB/s");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_SAMPLES, "9");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_STATUS, "ok");
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture->page), "30 rows"));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
  ui_test_wait (has_no_rows, fixture);
}

/* A cell that could not be measured is a row with a word and an icon. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  MemlaneCell *cell = memlane_cell_new ("vector-add", "mapped", 20);

  cell->elements = 1 << 20;
  cell->bytes = 4 << 20;
  cell->reuse = 1;
  cell->status = MEMLANE_STATUS_OUT_OF_MEMORY;
  cell->detail = g_strdup ("cudaHostAlloc: out of memory");
  g_ptr_array_add (cells, cell);
  memlane_run_store_grow (fixture->store, item, cells);
  ui_test_wait (has_rows, fixture);
  choose_status (fixture, MEMLANE_STATUS_OUT_OF_MEMORY);
  ui_test_wait (has_rows, fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 1);
  assert_text (fixture->list, 0, MEMLANE_COLUMN_STATUS, "out of memory");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_DETAIL, "cudaHostAlloc: out of memory");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_PHASE, "elapsed");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MEDIAN, "");
  for (MemlaneStatus status = 0; status < MEMLANE_N_STATUSES; status++)
    {
      const char *icon = memlane_table_status_icon (status);

      g_assert_cmpint (icon != NULL, ==, status != MEMLANE_STATUS_OK);
      g_assert_true (icon == NULL || gtk_icon_theme_has_icon (gtk_icon_theme_get_for_display (gdk_display_get_default ()), icon));
    }
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* --- order and filter --------------------------------------------------------------------------------------------------------- */

static void
test_sort (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  GtkColumnView *view = memlane_table_page_get_view (fixture->page);
  MemlaneTableSort sorts[MEMLANE_N_COLUMNS];

  ui_test_wait (has_rows, fixture);
  g_assert_cmpuint (memlane_table_columns_get_sorts (view, sorts), ==, 0);
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    {
      act (fixture, "table.sort", memlane_column_get_id (column));
      g_assert_cmpuint (memlane_table_columns_get_sorts (view, sorts), >=, 1);
      g_assert_cmpint (sorts[0].column, ==, column);
      g_assert_false (sorts[0].descending);
      for (guint i = 1; i < SAMPLE_ROWS && memlane_column_is_numeric (column); i++)
        g_assert_cmpfloat (number_at (fixture->list, i - 1, column), <=, number_at (fixture->list, i, column));
      act (fixture, "table.sort", memlane_column_get_id (column));
      memlane_table_columns_get_sorts (view, sorts);
      g_assert_cmpint (sorts[0].column, ==, column);
      g_assert_true (sorts[0].descending);
      for (guint i = 1; i < SAMPLE_ROWS && memlane_column_is_numeric (column); i++)
        g_assert_cmpfloat (number_at (fixture->list, i - 1, column), >=, number_at (fixture->list, i, column));
    }
  act (fixture, "table.sort", "mode");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MODE, "Mapped (zero-copy)"); /* by title, not by registry */
  act (fixture, "table.sort", "");
  g_assert_cmpuint (memlane_table_columns_get_sorts (view, sorts), ==, 0);
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MODE, "Pageable");
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* In both directions what is not known stands last, and equal rows as they were measured. */
static void
test_order (void)
{
  g_autoptr(MemlaneSession) session = panel_session_new ("order");
  g_autoptr(GPtrArray) items = g_ptr_array_new (), cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  g_autoptr(MemlaneTableRows) rows = memlane_table_rows_new ();
  g_autoptr(GCancellable) cancelled = g_cancellable_new ();
  MemlaneRunItem *item = panel_show_run (session, "sample", 1);
  MemlaneTableRequest request = { .phase = -1, .status = -1, .n_sorts = 1 };

  g_ptr_array_add (cells, memlane_cell_new ("vector-add", "mapped", 9)); /* no figure at all */
  memlane_run_store_grow (memlane_session_get_store (session), item, cells);
  g_ptr_array_add (items, item);
  memlane_table_rows_append (rows, items);
  g_assert_cmpuint (memlane_table_rows_count (rows), ==, SAMPLE_ROWS + 1);
  for (gboolean descending = FALSE; descending <= TRUE; descending++)
    {
      g_autoptr(GArray) order = NULL;

      request.sorts[0] = (MemlaneTableSort) { MEMLANE_COLUMN_BANDWIDTH, descending };
      order = memlane_table_order (rows, &request, NULL);
      g_assert_cmpuint (order->len, ==, SAMPLE_ROWS + 1);
      g_assert_cmpuint (g_array_index (order, guint32, SAMPLE_ROWS), ==, SAMPLE_ROWS);
      for (guint i = 1; i < SAMPLE_ROWS; i++)
        {
          guint32 left = g_array_index (order, guint32, i - 1), right = g_array_index (order, guint32, i);
          double x = memlane_table_entry_get_number (memlane_table_rows_get (rows, left), MEMLANE_COLUMN_BANDWIDTH);
          double y = memlane_table_entry_get_number (memlane_table_rows_get (rows, right), MEMLANE_COLUMN_BANDWIDTH);

          g_assert_true (x == y ? left < right : (x < y) != descending);
        }
    }
  g_cancellable_cancel (cancelled);
  g_assert_null (memlane_table_order (rows, &request, cancelled));
  memlane_run_store_end (memlane_session_get_store (session), item, NULL, NULL);
  memlane_session_shut_down (session);
}

static guint
count_found (Fixture *fixture, const char *text)
{
  g_autoptr(GPtrArray) items = memlane_run_store_get_shown (fixture->store);
  g_autoptr(MemlaneTableRows) rows = memlane_table_rows_new ();
  MemlaneTableRequest request = { .text = (char *) text, .phase = -1, .status = -1 };
  g_autoptr(GArray) order = NULL;

  memlane_table_rows_append (rows, items);
  order = memlane_table_order (rows, &request, NULL);
  return order->len;
}

static gboolean
shows_ten (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) == 10;
}

static void
test_filter (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);

  g_assert_cmpuint (count_found (fixture, ""), ==, SAMPLE_ROWS);
  g_assert_cmpuint (count_found (fixture, "PINNED"), ==, 10);
  g_assert_cmpuint (count_found (fixture, "zero-copy"), ==, 10);        /* the title */
  g_assert_cmpuint (count_found (fixture, "  pinned   elapsed "), ==, 5);
  g_assert_cmpuint (count_found (fixture, "noisy"), ==, 1);
  g_assert_cmpuint (count_found (fixture, "2^12 mapped"), ==, 2);
  g_assert_cmpuint (count_found (fixture, "no such thing"), ==, 0);

  ui_test_wait (has_rows, fixture);
  choose_phase (fixture, MEMLANE_PHASE_UPLOAD);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 15);
  choose_status (fixture, MEMLANE_STATUS_NOISY);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 0); /* the noisy one is elapsed */
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, "nothing");
  choose_phase (fixture, -1);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 1);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture->page), "1 of 30 rows"));
  choose_status (fixture, -1);
  gtk_editable_set_text (memlane_table_page_get_search (fixture->page), "pinned");
  ui_test_wait (shows_ten, fixture); /* the entry waits for more letters */
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* --- growth and selection ----------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint signals, removed, added;
} Changes;

static void
changed_cb (GListModel *list, guint position, guint removed, guint added, gpointer data)
{
  Changes *changes = data;

  changes->signals++;
  changes->removed += removed;
  changes->added += added;
}

static gboolean
has_twice_the_rows (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) == 2 * SAMPLE_ROWS;
}

/* While a sorted table grows, no row is taken out, so the view keeps its place, and what is selected stays selected. */
static void
test_growth (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneRun) more = sample_run_new ("more", 1.01);
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture->model);
  g_autoptr(GObject) row = NULL;
  Changes changes = { 0 };
  guint kept = 0;

  ui_test_wait (has_rows, fixture);
  act (fixture, "table.sort", "median");
  gtk_selection_model_select_item (selection, 7, TRUE);
  gtk_selection_model_select_item (selection, 20, FALSE);
  row = g_list_model_get_item (fixture->list, 7);
  g_signal_connect (fixture->list, "items-changed", G_CALLBACK (changed_cb), &changes);
  memlane_run_store_grow (fixture->store, item, more->cells);
  ui_test_wait (has_twice_the_rows, fixture);
  g_assert_cmpuint (changes.removed, ==, 0);
  g_assert_cmpuint (changes.added, ==, SAMPLE_ROWS);
  g_assert_cmpuint (changes.signals, >, 1);
  g_assert_cmpuint (memlane_table_model_get_selected (fixture->model), ==, 2);
  for (guint i = 1; i < 2 * SAMPLE_ROWS; i++)
    {
      g_autoptr(GObject) other = g_list_model_get_item (fixture->list, i);

      g_assert_cmpfloat (number_at (fixture->list, i - 1, MEMLANE_COLUMN_MEDIAN), <=, number_at (fixture->list, i, MEMLANE_COLUMN_MEDIAN));
      if (other == row)
        {
          g_assert_true (gtk_selection_model_is_selected (selection, i));
          kept++;
        }
    }
  g_assert_cmpuint (kept, ==, 1); /* the row that is held is the same object at its new place */
  act (fixture, "table.sort", "mode");
  g_assert_cmpuint (memlane_table_model_get_selected (fixture->model), ==, 2);
  g_signal_handlers_disconnect_by_data (fixture->list, &changes);
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

static gboolean
has_two_runs (gpointer data)
{
  return memlane_table_model_get_total (((Fixture *) data)->model) == 2 * SAMPLE_ROWS;
}

static void
test_selection (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *one = panel_show_run (fixture->session, "one", 1), *two;
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture->model);
  g_autoptr(GtkBitset) selected = NULL;

  ui_test_wait (has_rows, fixture);
  gtk_selection_model_select_range (selection, 3, 4, TRUE);
  selected = gtk_selection_model_get_selection (selection);
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 4);
  g_assert_true (gtk_selection_model_is_selected (selection, 3));
  g_assert_false (gtk_selection_model_is_selected (selection, 7));
  g_assert_false (gtk_selection_model_is_selected (selection, 10000));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture->page), "4 of 30 rows selected"));

  two = panel_show_run (fixture->session, "two", 1); /* another run: other rows, the same selection */
  ui_test_wait (has_two_runs, fixture);
  g_assert_cmpuint (memlane_table_model_get_selected (fixture->model), ==, 4);
  gtk_selection_model_select_all (selection);
  g_assert_cmpuint (memlane_table_model_get_selected (fixture->model), ==, 2 * SAMPLE_ROWS);
  choose_phase (fixture, MEMLANE_PHASE_UPLOAD);
  g_assert_cmpuint (memlane_table_model_get_selected (fixture->model), ==, SAMPLE_ROWS); /* those that are seen */
  gtk_selection_model_unselect_all (selection);
  g_assert_cmpuint (memlane_table_model_get_selected (fixture->model), ==, 0);
  memlane_run_store_end (fixture->store, one, NULL, NULL);
  memlane_run_store_end (fixture->store, two, NULL, NULL);
}

/* --- copying ------------------------------------------------------------------------------------------------------------------ */

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr(GError) error = NULL;

  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, &error);
  g_assert_no_error (error);
}

static gboolean
is_read (gpointer text)
{
  return *(char **) text != NULL;
}

static gboolean
has_notice (gpointer data)
{
  return ((Fixture *) data)->notice != NULL;
}

static char *
copy (Fixture *fixture)
{
  char *text = NULL;

  g_clear_pointer (&fixture->notice, g_free);
  act (fixture, "table.copy", NULL);
  ui_test_wait (has_notice, fixture);
  g_assert_false (fixture->trouble);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (fixture->page)), NULL, read_cb, &text);
  ui_test_wait (is_read, &text);
  return text;
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == '\n';
  return n;
}

/* What is copied is CSV of the contract: the engine reads it back. */
static void
test_copy (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  g_autofree char *all = NULL, *some = NULL, *path = ui_test_path ("copied.csv");
  g_autoptr(GPtrArray) runs = NULL;
  g_autoptr(GError) error = NULL;
  GdkContentFormats *formats;
  const MemlaneCell *cell;

  ui_test_wait (has_rows, fixture);
  all = copy (fixture);
  g_assert_cmpstr (fixture->notice, ==, "30 rows copied as CSV");
  g_assert_cmpuint (count_lines (all), ==, SAMPLE_ROWS + 1);
  g_assert_true (g_str_has_prefix (all, MEMLANE_CSV_COLUMNS "\n"));
  formats = gdk_clipboard_get_formats (gtk_widget_get_clipboard (GTK_WIDGET (fixture->page)));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "text/csv"));

  act (fixture, "table.sort", "bandwidth");
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (fixture->model), SAMPLE_ROWS - 1, TRUE);
  some = copy (fixture);
  g_assert_cmpstr (fixture->notice, ==, "1 row copied as CSV");
  g_assert_cmpuint (count_lines (some), ==, 2);
  g_assert_true (g_file_set_contents (path, some, -1, NULL));
  runs = memlane_csv_read (path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  cell = g_ptr_array_index (((MemlaneRun *) g_ptr_array_index (runs, 0))->cells, 0);
  g_assert_cmpstr (cell->mode, ==, "mapped"); /* the fastest upload */
  g_assert_nonnull (memlane_cell_find (cell, MEMLANE_PHASE_UPLOAD, MEMLANE_CLOCK_HOST));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* --- large -------------------------------------------------------------------------------------------------------------------- */

#define LARGE_CELLS 120000

static gboolean
is_rested (gpointer data)
{
  Fixture *fixture = data;

  return memlane_table_model_get_total (fixture->model) == 2 * LARGE_CELLS && !memlane_table_model_is_busy (fixture->model);
}

static gboolean
is_idle (gpointer data)
{
  return !memlane_table_model_is_busy (((Fixture *) data)->model);
}

/* A quarter of a million rows: put in order on a worker, few row objects, and no clipboard that large. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneRun) sample = sample_run_new ("large", 1);
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  MemlaneRunItem *item = memlane_run_store_begin (fixture->store, "simulated:h200", "simulated", "large");

  for (guint i = 0; i < LARGE_CELLS; i++)
    g_ptr_array_add (cells, memlane_cell_ref (g_ptr_array_index (sample->cells, i % sample->cells->len)));
  memlane_run_store_grow (fixture->store, item, cells);
  ui_test_wait (is_rested, fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 2 * LARGE_CELLS);

  act (fixture, "table.sort", "median");
  g_assert_true (memlane_table_model_is_busy (fixture->model)); /* the old order is still to be seen */
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 2 * LARGE_CELLS);
  act (fixture, "table.sort", "bandwidth"); /* nobody waits for the first one */
  ui_test_wait (is_rested, fixture);
  g_assert_cmpfloat (number_at (fixture->list, 0, MEMLANE_COLUMN_BANDWIDTH), <=,
                     number_at (fixture->list, 2 * LARGE_CELLS - 1, MEMLANE_COLUMN_BANDWIDTH));
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (fixture->model));
  g_clear_pointer (&fixture->notice, g_free);
  act (fixture, "table.copy", NULL);
  g_assert_true (fixture->trouble);
  g_assert_nonnull (strstr (fixture->notice, "too many for the clipboard"));
  choose_status (fixture, MEMLANE_STATUS_NOISY);
  ui_test_wait (is_idle, fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, LARGE_CELLS / 15);
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* The page goes while its rows are put in order and copied. */
static void
test_gone (void)
{
  MemlaneSession *session = panel_session_new ("gone");
  g_autoptr(MemlaneRun) sample = sample_run_new ("large", 1);
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  MemlaneRunItem *item = memlane_run_store_begin (memlane_session_get_store (session), "simulated:h200", "simulated", "large");
  MemlaneTablePage *page = MEMLANE_TABLE_PAGE (memlane_table_page_new (session));
  GtkWindow *window = ui_test_window_for (GTK_WIDGET (page), 320, 240);
  gpointer gone = page;

  g_object_add_weak_pointer (G_OBJECT (page), &gone);
  for (guint i = 0; i < 15000; i++)
    g_ptr_array_add (cells, memlane_cell_ref (g_ptr_array_index (sample->cells, i % sample->cells->len)));
  memlane_run_store_grow (memlane_session_get_store (session), item, cells);
  while (memlane_table_model_get_total (memlane_table_page_get_model (page)) < 30000)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (page), "table.copy", NULL);
  gtk_widget_activate_action (GTK_WIDGET (page), "table.sort", "s", "median");
  gtk_window_destroy (window);
  while (gone != NULL)
    g_main_context_iteration (NULL, TRUE);
  memlane_run_store_end (memlane_session_get_store (session), item, NULL, NULL);
  panel_session_free (session);
}

/* --- the page ----------------------------------------------------------------------------------------------------------------- */

static void
test_keyboard (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "search", "phase", "status", "sort_button", "copy_button", "view" };
  GtkWidget *root = GTK_WIDGET (fixture->window);
  g_autoptr(GHashTable) visited = g_hash_table_new (NULL, NULL);
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);

  ui_test_wait (has_rows, fixture);
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  panel_assert_names (GTK_WIDGET (fixture->page));
  gtk_window_set_focus (fixture->window, NULL);
  for (guint i = 0; i < 40 && gtk_widget_child_focus (root, GTK_DIR_TAB_FORWARD); i++)
    for (GtkWidget *widget = gtk_root_get_focus (GTK_ROOT (root)); widget != NULL; widget = gtk_widget_get_parent (widget))
      g_hash_table_add (visited, widget);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (!g_hash_table_contains (visited, get (fixture, ids[i])))
      g_error ("Tab does not reach %s", ids[i]);
  act (fixture, "table.search", NULL);
  g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (root)), get (fixture, "search")));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

static void
test_room (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  int least;

  ui_test_wait (has_rows, fixture);
  panel_photograph (GTK_WIDGET (fixture->page), "table-page");
  gtk_widget_measure (GTK_WIDGET (fixture->page), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 310);
  gtk_window_set_default_size (fixture->window, 320, 240);
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  panel_photograph (GTK_WIDGET (fixture->page), "table-page-narrow");
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

int
main (int argc, char **argv)
{
  const struct
  {
    const char *name;
    void (*function) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/table-page/rows", test_rows },           { "/table-page/failed", test_failed },     { "/table-page/sort", test_sort },
    { "/table-page/filter", test_filter },       { "/table-page/growth", test_growth },     { "/table-page/selection", test_selection },
    { "/table-page/copy", test_copy },           { "/table-page/large", test_large },       { "/table-page/keyboard", test_keyboard },
    { "/table-page/room", test_room },
  };

  ui_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].function, tear_down);
  g_test_add_func ("/table-page/order", test_order);
  g_test_add_func ("/table-page/gone", test_gone);
  return ui_test_run ();
}
