/* test-table-page.c: the Table page: rows, failed cells, sorting, copying, keyboard, room
 *
 * SPDX-License-Identifier: MIT
 */
#include "result/csv.h"
#include "parts/pivot-view.h"
#include "ui/table-fixture.h"

/* --- rows ----------------------------------------------------------------------------------------------------------------------- */

static void
test_rows (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item;

  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, "nothing");
  item = panel_show_run (fixture->models, "sample", 1);
  ui_test_wait (has_rows, fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, SAMPLE_ROWS);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, "rows");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_RUN, memlane_run_item_get_name (item));
  assert_text (fixture->list, 0, MEMLANE_COLUMN_WORKLOAD, "Vector addition");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MODE, "Mapped (zero-copy)"); /* a live run stands size by size, then by mode's id */
  assert_text (fixture->list, 2, MEMLANE_COLUMN_MODE, "Pageable");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_SIZE, "2¹⁰");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_BYTES, "4 KiB");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_PHASE, "upload (host to device)");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_PHASE, "total time");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_CLOCK, "host");
  assert_text (fixture->list, 3, MEMLANE_COLUMN_MEDIAN, "819 ns"); /* 12 KiB at 15 GB/s */
  assert_text (fixture->list, 3, MEMLANE_COLUMN_INTERVAL, "±2.0 %");
  assert_text (fixture->list, 3, MEMLANE_COLUMN_BANDWIDTH, "15.0 GB/s");
  assert_text (fixture->list, 3, MEMLANE_COLUMN_SAMPLES, "9");
  assert_text (fixture->list, 3, MEMLANE_COLUMN_STATUS, "ok");
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
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
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
  assert_text (fixture->list, 0, MEMLANE_COLUMN_INTERVAL, "–");
  assert_text (fixture->list, 1, MEMLANE_COLUMN_INTERVAL, "±20.0 %");
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* A cell that could not be measured is a row with a word and an icon. */
static void
test_failed (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
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
  assert_text (fixture->list, 0, MEMLANE_COLUMN_PHASE, "total time");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MEDIAN, "");
  for (MemlaneStatus status = 0; status < MEMLANE_N_STATUSES; status++)
    {
      const char *icon = memlane_table_status_icons[status];

      g_assert_cmpint (icon != NULL, ==, status != MEMLANE_STATUS_OK);
      g_assert_true (icon == NULL || gtk_icon_theme_has_icon (gtk_icon_theme_get_for_display (gdk_display_get_default ()), icon));
    }
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* The sample has no rounds. */
static gboolean
has_numbers (MemlaneColumn column)
{
  return memlane_table_columns[column].numeric && column != MEMLANE_COLUMN_ROUNDS;
}

static void
test_sort (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  GtkColumnView *view = GTK_COLUMN_VIEW (get (fixture, "view"));
  MemlaneColumn first;
  gboolean descending;

  ui_test_wait (has_rows, fixture);
  g_assert_false (memlane_table_columns_get_sort (view, &first, &descending));
  for (MemlaneColumn column = 0; column < MEMLANE_N_COLUMNS; column++)
    for (gboolean again = FALSE; again <= TRUE; again++)
      {
        act (fixture, "table.sort", memlane_table_columns[column].id);
        g_assert_true (memlane_table_columns_get_sort (view, &first, &descending));
        g_assert_cmpint (first, ==, column);
        g_assert_cmpint (descending, ==, again);
        for (guint i = 1; i < SAMPLE_ROWS && has_numbers (column); i++)
          g_assert_cmpfloat (number_at (fixture->list, descending ? i : i - 1, column), <=,
                             number_at (fixture->list, descending ? i - 1 : i, column));
      }
  act (fixture, "table.sort", "mode");
  assert_text (fixture->list, 0, MEMLANE_COLUMN_MODE, "Mapped (zero-copy)"); /* by title, not by registry */
  assert_text (fixture->list, 2, MEMLANE_COLUMN_MODE, "Mapped (zero-copy)");
  act (fixture, "table.sort", "");
  g_assert_false (memlane_table_columns_get_sort (view, &first, &descending));
  assert_text (fixture->list, 2, MEMLANE_COLUMN_MODE, "Pageable");
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* --- columns ------------------------------------------------------------------------------------------------------------------ */

static gboolean
is_column_seen (Fixture *fixture, MemlaneColumn column)
{
  return gtk_column_view_column_get_visible (memlane_table_columns_get (GTK_COLUMN_VIEW (get (fixture, "view")), column));
}

/* What every row says alike has no column; a second run gives it one. The mode comes first. */
static void
test_constant_columns (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1), *other;
  g_autoptr (GtkColumnViewColumn) first = NULL;

  ui_test_wait (has_rows, fixture);
  first = g_list_model_get_item (gtk_column_view_get_columns (GTK_COLUMN_VIEW (get (fixture, "view"))), 0);
  g_assert_cmpstr (gtk_column_view_column_get_title (first), ==, "Mode");
  g_assert_false (is_column_seen (fixture, MEMLANE_COLUMN_RUN));
  g_assert_false (is_column_seen (fixture, MEMLANE_COLUMN_WORKLOAD));
  g_assert_false (is_column_seen (fixture, MEMLANE_COLUMN_CLOCK));
  g_assert_false (is_column_seen (fixture, MEMLANE_COLUMN_ROUNDS));
  g_assert_false (is_column_seen (fixture, MEMLANE_COLUMN_DETAIL));
  g_assert_true (is_column_seen (fixture, MEMLANE_COLUMN_PHASE));
  choose_phase (fixture, MEMLANE_PHASE_ELAPSED);
  g_assert_false (is_column_seen (fixture, MEMLANE_COLUMN_PHASE));
  choose_phase (fixture, -1);
  g_assert_true (is_column_seen (fixture, MEMLANE_COLUMN_PHASE));
  other = panel_show_run (fixture->models, "other", 2);
  ui_test_wait (has_twice_the_rows, fixture);
  g_assert_true (is_column_seen (fixture, MEMLANE_COLUMN_RUN));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
  memlane_run_store_end (fixture->store, other, NULL, NULL);
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
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
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
  gtk_selection_model_select_item (fixture->selection, SAMPLE_ROWS - 1, TRUE);
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

/* --- medians by mode and size ---------------------------------------------------------------------------------------------- */

static MemlanePivotView *
get_pivot (Fixture *fixture)
{
  return MEMLANE_PIVOT_VIEW (get (fixture, "pivot"));
}

static const char *
get_reading (Fixture *fixture)
{
  return MEMLANE_FIGURE_WIDGET (get_pivot (fixture))->reading;
}

static gboolean
has_pivot (gpointer data)
{
  MemlanePivot *pivot = get_pivot (data)->pivot;

  return pivot != NULL && pivot->modes->len == 3;
}

/* It comes first; arrow keys walk its cells and read them, the phase is the view's, its CSV is what is copied. */
static void
test_pivot (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  GtkWidget *view = GTK_WIDGET (get_pivot (fixture));
  g_autofree char *copied = NULL;
  int phase;

  ui_test_wait (has_pivot, fixture);
  ui_test_next_frame (view);
  g_assert_true (gtk_widget_get_mapped (view));
  g_assert_false (gtk_widget_get_mapped (get (fixture, "search")));
  g_assert_false (gtk_widget_get_visible (get (fixture, "pivot_run"))); /* one run needs no choice */
  panel_assert_names (GTK_WIDGET (fixture->page));
  gtk_test_accessible_assert_role (view, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Vector addition, total time: median time (ns)");
  g_assert_true (ui_test_press (view, GDK_KEY_Down, 0));
  g_assert_cmpstr (get_reading (fixture), ==,
                   "Pageable, 2¹⁰ floats: 819 ns (803 ns to 836 ns), 3.33 times as long as Mapped (zero-copy)");
  g_assert_true (ui_test_press (view, GDK_KEY_Down, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Down, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Right, 0));
  g_assert_true (g_str_has_prefix (get_reading (fixture), "Mapped (zero-copy), 2¹¹ floats: "));
  g_assert_true (g_str_has_suffix (get_reading (fixture), ", the fastest"));
  g_assert_true (ui_test_press (view, GDK_KEY_End, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Page_Up, 0));
  g_assert_true (g_str_has_prefix (get_reading (fixture), "Pageable, 2¹⁴ floats: "));
  g_assert_true (ui_test_press (view, GDK_KEY_Home, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Page_Down, 0));
  g_assert_true (g_str_has_prefix (get_reading (fixture), "Mapped (zero-copy), 2¹⁰ floats: "));
  panel_photograph (GTK_WIDGET (fixture->page), "table-pivot");

  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (fixture, "phases")), 0); /* upload and elapsed are what the sample has */
  g_object_get (fixture->models->view, "time-phase", &phase, NULL);
  g_assert_cmpint (phase, ==, MEMLANE_PHASE_UPLOAD);
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Vector addition, upload (host to device): median time (ns)");
  g_object_set (fixture->models->view, "time-phase", MEMLANE_PHASE_ELAPSED, NULL);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (get (fixture, "phases"))), ==, 1);

  copied = copy (fixture);
  g_assert_true (g_str_has_prefix (copied, "mode,2^10,2^11,2^12,2^13,2^14\npageable,819.2,"));
  act (fixture, "table.search", NULL); /* of the rows */
  g_assert_true (gtk_widget_get_mapped (get (fixture, "search")));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* Rows are gathered when they are seen, and let go of when runs change while they are not. */
static void
test_lazy (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  GtkStack *views = GTK_STACK (get (fixture, "views"));

  ui_test_wait (has_pivot, fixture);
  g_assert_cmpuint (count_all (fixture), ==, 0);
  gtk_stack_set_visible_child_name (views, "rows");
  g_assert_cmpuint (count_all (fixture), ==, SAMPLE_ROWS);
  gtk_stack_set_visible_child_name (views, "pivot");
  g_assert_cmpuint (count_all (fixture), ==, SAMPLE_ROWS); /* nothing has changed */
  memlane_run_item_set_shown (item, FALSE);
  ui_test_wait (has_no_rows, fixture);
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* The wall has the table alone, in text of 24 px in 1280x720, and comes from either view; without a run there is nothing for it. */
static void
test_wall (Fixture *fixture, gconstpointer data)
{
  MemlanePage *page = MEMLANE_PAGE (fixture->page);
  MemlaneRunItem *item;
  const MemlanePivotFigure *figure;

  g_assert_false (memlane_page_can_project (page));
  item = panel_show_run (fixture->models, "sample", 1);
  ui_test_wait (has_pivot, fixture);
  g_assert_true (memlane_page_can_project (page));
  gtk_stack_set_visible_child_name (GTK_STACK (get (fixture, "views")), "rows");
  memlane_page_set_projector (page, TRUE);
  gtk_window_set_default_size (fixture->window, 1280, 720);
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_pivot (fixture))));
  g_assert_false (gtk_widget_get_mapped (get (fixture, "bar")));
  g_assert_false (gtk_widget_get_mapped (get (fixture, "reading_line")));
  figure = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (get_pivot (fixture)));
  /* The frame of a window without a compositor takes a few px of the 720. */
  g_assert_cmpfloat (memlane_pivot_figure_get_text_size (figure), >=,
                     24.0 * gtk_widget_get_height (GTK_WIDGET (fixture->page)) / 720 - 0.1);
  panel_photograph (GTK_WIDGET (fixture->page), "table-wall");
  memlane_page_set_projector (page, FALSE);
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  g_assert_true (gtk_widget_get_mapped (get (fixture, "bar")));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* --- the page ----------------------------------------------------------------------------------------------------------------- */

static void
test_keyboard (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "search", "phase", "status", "sort_button", "view_menu", "view" };
  GtkWidget *root = GTK_WIDGET (fixture->window);
  g_autoptr(GHashTable) visited = g_hash_table_new (NULL, NULL);
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);

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
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
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

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  ADD ("/table-page/rows", test_rows);
  ADD ("/table-page/one-sample", test_one_sample);
  ADD ("/table-page/failed", test_failed);
  ADD ("/table-page/sort", test_sort);
  ADD ("/table-page/constant-columns", test_constant_columns);
  ADD ("/table-page/copy", test_copy);
  ADD ("/table-page/keyboard", test_keyboard);
  ADD ("/table-page/room", test_room);
  g_test_add ("/table-page/pivot", Fixture, "pivot", set_up, test_pivot, tear_down);
  g_test_add ("/table-page/lazy", Fixture, "pivot", set_up, test_lazy, tear_down);
  g_test_add ("/table-page/wall", Fixture, "pivot", set_up, test_wall, tear_down);
  return ui_test_run ();
}
