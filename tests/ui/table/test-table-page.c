/* test-table-page.c: the Table page: rows, failed cells, sorting, copying, keyboard, room
 *
 * SPDX-License-Identifier: MIT
 */
#include "result/csv.h"
#include "ui/table-fixture.h"

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

/* One sample says nothing of how far others would be from it: it has no interval, where two have one. */
static void
test_one_sample (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  MemlaneStatistics one = { 1, 500, 500, 500, 500, 500, 500, 500 }, two = { 2, 500, 400, 600, 400, 450, 550, 600 };

  for (guint i = 0; i < 2; i++)
    {
      MemlaneCell *cell = memlane_cell_new ("vector-add", "mapped", 20 + i);

      memlane_cell_add_figure (cell, MEMLANE_PHASE_FIRST, MEMLANE_CLOCK_HOST, i == 0 ? &one : &two, 0, MEMLANE_STATUS_OK, NULL);
      g_ptr_array_add (cells, cell);
    }
  memlane_run_store_grow (fixture->store, item, cells);
  ui_test_wait (has_rows, fixture);
  choose_phase (fixture, MEMLANE_PHASE_FIRST);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 2);
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MEDIAN, "500 ns");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_INTERVAL, "");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_INTERVAL, "±20.0 %");
  memlane_run_store_end (fixture->store, item, NULL, NULL);
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

static void
test_sort (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->session, "sample", 1);
  GtkColumnView *view = GTK_COLUMN_VIEW (get (fixture, "view"));
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
    { "/table-page/rows", test_rows },
    { "/table-page/one-sample", test_one_sample },
    { "/table-page/failed", test_failed },
    { "/table-page/sort", test_sort },
    { "/table-page/copy", test_copy },
    { "/table-page/keyboard", test_keyboard },
    { "/table-page/room", test_room },
  };

  ui_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].function, tear_down);
  return ui_test_run ();
}
