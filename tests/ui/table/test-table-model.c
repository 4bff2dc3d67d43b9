/* test-table-model.c: the rows behind the table: order, filter, growth, selection, a quarter of a million of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "ui/table-fixture.h"

/* --- order and filter --------------------------------------------------------------------------------------------------------- */

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

  g_ptr_array_add (cells, memlane_cell_new ("vector-add", "mapped", SAMPLE_LAST + 1)); /* no figure at all */
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
  gtk_editable_set_text (GTK_EDITABLE (get (fixture, "search")), "pinned");
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

  for (guint i = 0; i < more->cells->len; i++) /* a live run holds one cell of a mode and size */
    ((MemlaneCell *) g_ptr_array_index (more->cells, i))->log2_elements += SAMPLE_LAST - SAMPLE_FIRST + 1;
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
  g_assert_cmpuint (memlane_table_model_count (fixture->model).selected, ==, 2);
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
  g_assert_cmpuint (memlane_table_model_count (fixture->model).selected, ==, 2);
  g_signal_handlers_disconnect_by_data (fixture->list, &changes);
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* What the row says that is seen first, below the header: "Pinned|2¹⁵|…". (transfer full) */
static char *
read_first_row (Fixture *fixture)
{
  GtkWidget *view = get (fixture, "view");
  GtkWidget *row = gtk_widget_pick (view, 20, gtk_widget_get_height (gtk_widget_get_first_child (view)) + 2, GTK_PICK_DEFAULT);
  g_autoptr(GString) text = g_string_new (NULL);

  while (row != NULL && !g_str_equal (gtk_widget_get_css_name (row), "row"))
    row = gtk_widget_get_parent (row);
  g_assert_nonnull (row);
  for (GtkWidget *cell = gtk_widget_get_first_child (row); cell != NULL; cell = gtk_widget_get_next_sibling (cell))
    {
      GtkWidget *inscription = ui_test_find_type (cell, GTK_TYPE_INSCRIPTION);

      if (inscription != NULL)
        g_string_append_printf (text, "%s|", gtk_inscription_get_text (GTK_INSCRIPTION (inscription)));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The sample's cells, every @step sizes from the first + @offset on. */
static GPtrArray *
copy_cells (guint step, guint offset, double factor)
{
  g_autoptr(MemlaneRun) run = sample_run_new ("round", factor);
  GPtrArray *cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);

  for (guint i = 0; i < run->cells->len; i++)
    {
      MemlaneCell *cell = memlane_cell_ref (run->cells->pdata[i]);

      cell->log2_elements = SAMPLE_FIRST + step * (cell->log2_elements - SAMPLE_FIRST) + offset;
      g_ptr_array_add (cells, cell);
    }
  return cells;
}

/* The chosen rows by what they are of, sorted. (transfer full) */
static char *
name_chosen (Fixture *fixture)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < g_list_model_get_n_items (fixture->list); i++)
    if (gtk_selection_model_is_selected (GTK_SELECTION_MODEL (fixture->model), i))
      {
        g_autoptr(MemlaneTableLine) row = g_list_model_get_item (fixture->list, i);

        g_ptr_array_add (names, g_strdup_printf ("%s 2^%u %s", row->cell->mode, row->cell->log2_elements,
                                                 memlane_phase_name (row->entry.figure->phase)));
      }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

static gboolean
has_thirty_cells (gpointer data)
{
  return memlane_table_model_count (((Fixture *) data)->model).total == 2 * SAMPLE_ROWS;
}

static gboolean
shows_next_round (gpointer data)
{
  MemlaneTableModel *model = ((Fixture *) data)->model;

  return number_at (G_LIST_MODEL (model), 0, MEMLANE_COLUMN_BANDWIDTH) < 60e9; /* 2 x 50 GB/s before */
}

/* A round brings cells between those that are there, the next one others in their places: what is chosen stays so, and what is looked at
 * stays where it is. */
static void
test_live (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = memlane_run_store_begin (fixture->store, "simulated:h200", "simulated", "live");
  g_autoptr(GPtrArray) first = copy_cells (2, 0, 1), between = copy_cells (2, 1, 1), again = copy_cells (2, 0, 0.5);
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture->model);
  GtkAdjustment *scroll;
  g_autofree char *chosen = NULL, *kept = NULL, *replaced = NULL, *seen = NULL, *still = NULL, *seen_then = NULL, *still_then = NULL;

  memlane_run_store_grow (fixture->store, item, first);
  ui_test_wait (has_rows, fixture);
  ui_test_next_frame (get (fixture, "view"));
  gtk_selection_model_select_item (selection, 3, TRUE);
  gtk_selection_model_select_item (selection, 20, FALSE);
  chosen = name_chosen (fixture);
  g_assert_cmpstr (chosen, ==, "pageable 2^10 elapsed, pageable 2^16 upload");
  scroll = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get (fixture, "view")));
  gtk_adjustment_set_value (scroll, 12.5 * gtk_adjustment_get_upper (scroll) / SAMPLE_ROWS);
  ui_test_next_frame (get (fixture, "view"));
  seen = read_first_row (fixture);

  memlane_run_store_grow (fixture->store, item, between);
  ui_test_wait (has_thirty_cells, fixture);
  ui_test_next_frame (get (fixture, "view"));
  ui_test_next_frame (get (fixture, "view"));
  kept = name_chosen (fixture);
  g_assert_cmpstr (kept, ==, chosen);
  still = read_first_row (fixture);
  g_assert_cmpstr (still, ==, seen);
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll), >, 20.0 * gtk_adjustment_get_upper (scroll) / (2 * SAMPLE_ROWS)); /* above it */

  seen_then = g_strndup (seen, (gsize) (strstr (seen, "|upload") + strlen ("|upload") - seen)); /* mode, size, phase: not the times */
  memlane_run_store_grow (fixture->store, item, again);
  ui_test_wait (shows_next_round, fixture);
  ui_test_next_frame (get (fixture, "view"));
  ui_test_next_frame (get (fixture, "view"));
  replaced = name_chosen (fixture);
  g_assert_cmpstr (replaced, ==, chosen);
  still_then = read_first_row (fixture);
  g_assert_true (g_str_has_prefix (still_then, seen_then));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

static gboolean
has_two_runs (gpointer data)
{
  return memlane_table_model_count (((Fixture *) data)->model).total == 2 * SAMPLE_ROWS;
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
  g_assert_cmpuint (memlane_table_model_count (fixture->model).selected, ==, 4);
  gtk_selection_model_select_all (selection);
  g_assert_cmpuint (memlane_table_model_count (fixture->model).selected, ==, 2 * SAMPLE_ROWS);
  choose_phase (fixture, MEMLANE_PHASE_UPLOAD);
  g_assert_cmpuint (memlane_table_model_count (fixture->model).selected, ==, SAMPLE_ROWS); /* those that are seen */
  gtk_selection_model_unselect_all (selection);
  g_assert_cmpuint (memlane_table_model_count (fixture->model).selected, ==, 0);
  memlane_run_store_end (fixture->store, one, NULL, NULL);
  memlane_run_store_end (fixture->store, two, NULL, NULL);
}

/* --- large -------------------------------------------------------------------------------------------------------------------- */

#define LARGE_CELLS 120000

/* A live run holds one cell of a mode and size; a file may hold many, and so does this. */
static MemlaneRunItem *
show_many (MemlaneRunStore *store, guint n)
{
  g_autoptr(MemlaneRun) sample = sample_run_new ("large", 1);
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  MemlaneRunItem *item = memlane_run_store_begin (store, "simulated:h200", "simulated", "large");

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (memlane_run_item_get_run (item)->cells, memlane_cell_ref (g_ptr_array_index (sample->cells, i % sample->cells->len)));
  memlane_run_store_grow (store, item, none);
  return item;
}

static gboolean
is_rested (gpointer data)
{
  Fixture *fixture = data;

  return memlane_table_model_count (fixture->model).total == 2 * LARGE_CELLS && !memlane_table_model_count (fixture->model).busy;
}

static gboolean
is_idle (gpointer data)
{
  return !memlane_table_model_count (((Fixture *) data)->model).busy;
}

/* A quarter of a million rows: put in order on a worker, few row objects, and no clipboard that large. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = show_many (fixture->store, LARGE_CELLS);

  ui_test_wait (is_rested, fixture);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 2 * LARGE_CELLS);

  act (fixture, "table.sort", "median");
  g_assert_true (memlane_table_model_count (fixture->model).busy); /* the old order is still to be seen */
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
  MemlaneRunItem *item;
  MemlaneTablePage *page = MEMLANE_TABLE_PAGE (memlane_table_page_new (&(MemlanePageContext) { .session = session }));
  GtkWindow *window = ui_test_window_for (GTK_WIDGET (page), 320, 240);
  gpointer gone = page;

  g_object_add_weak_pointer (G_OBJECT (page), &gone);
  gtk_stack_set_visible_child_name (GTK_STACK (ui_test_find_id (GTK_WIDGET (page), "views")), "rows");
  item = show_many (memlane_session_get_store (session), 15000);
  while (memlane_table_model_count (memlane_table_page_get_model (page)).total < 30000)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate_action (GTK_WIDGET (page), "table.copy", NULL);
  gtk_widget_activate_action (GTK_WIDGET (page), "table.sort", "s", "median");
  gtk_window_destroy (window);
  while (gone != NULL)
    g_main_context_iteration (NULL, TRUE);
  memlane_run_store_end (memlane_session_get_store (session), item, NULL, NULL);
  panel_session_free (session);
}

int
main (int argc, char **argv)
{
  const struct
  {
    const char *name;
    void (*function) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/table-model/filter", test_filter },
    { "/table-model/growth", test_growth },
    { "/table-model/live", test_live },
    { "/table-model/selection", test_selection },
    { "/table-model/large", test_large },
  };

  ui_test_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].function, tear_down);
  g_test_add_func ("/table-model/order", test_order);
  g_test_add_func ("/table-model/gone", test_gone);
  return ui_test_run ();
}
