/* test-table-model.c: the rows behind the table: order, filter, growth, selection, more than the clipboard takes
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "ui/table-fixture.h"

/* --- order and filter --------------------------------------------------------------------------------------------------------- */

/* Unknown numbers stand last in both directions, and equal rows as they were measured. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);

  g_ptr_array_add (cells, memlane_cell_new ("vector-add", "mapped", SAMPLE_LAST + 1)); /* no figure at all */
  memlane_run_store_grow (fixture->store, item, cells);
  ui_test_wait (has_rows, fixture);
  g_assert_cmpuint (count_all (fixture), ==, SAMPLE_ROWS + 1);
  for (guint i = 0; i <= SAMPLE_ROWS; i++)
    {
      g_autoptr (GObject) row = g_list_model_get_item (fixture->list, i);

      g_hash_table_insert (places, row, GUINT_TO_POINTER (i));
    }
  for (gboolean descending = FALSE; descending <= TRUE; descending++)
    {
      act (fixture, "table.sort", "bandwidth");
      g_assert_true (isnan (number_at (fixture->list, SAMPLE_ROWS, MEMLANE_COLUMN_BANDWIDTH)));
      for (guint i = 1; i < SAMPLE_ROWS; i++)
        {
          double x = number_at (fixture->list, i - 1, MEMLANE_COLUMN_BANDWIDTH);
          double y = number_at (fixture->list, i, MEMLANE_COLUMN_BANDWIDTH);
          g_autoptr (GObject) left = g_list_model_get_item (fixture->list, i - 1), right = g_list_model_get_item (fixture->list, i);

          g_assert_true (x == y ? g_hash_table_lookup (places, left) < g_hash_table_lookup (places, right) : (x < y) != descending);
        }
    }
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

static guint
count_found (Fixture *fixture, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (get (fixture, "search")), text);
  g_signal_emit_by_name (get (fixture, "search"), "search-changed"); /* it would wait for more letters */
  return g_list_model_get_n_items (fixture->list);
}

static void
test_filter (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);

  ui_test_wait (has_rows, fixture);
  g_assert_cmpuint (count_found (fixture, ""), ==, SAMPLE_ROWS);
  g_assert_cmpuint (count_found (fixture, "PINNED"), ==, 10);
  g_assert_cmpuint (count_found (fixture, "zero-copy"), ==, 10);        /* the title */
  g_assert_cmpuint (count_found (fixture, "  pinned   total "), ==, 5);
  g_assert_cmpuint (count_found (fixture, "noisy"), ==, 1);
  g_assert_cmpuint (count_found (fixture, "2^12 mapped"), ==, 2);
  g_assert_cmpuint (count_found (fixture, "no such thing"), ==, 0);
  g_assert_cmpuint (count_found (fixture, " "), ==, SAMPLE_ROWS);
  choose_phase (fixture, MEMLANE_PHASE_UPLOAD);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 15);
  choose_status (fixture, MEMLANE_STATUS_NOISY);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 0); /* the noisy one is elapsed */
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, "nothing");
  choose_phase (fixture, -1);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, 1);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture->page), "1 of 30 rows"));
  choose_status (fixture, -1);
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* --- growth and selection ----------------------------------------------------------------------------------------------------- */

/* While a sorted table grows its rows stay the same objects, so what is selected stays selected and the view keeps its place. */
static void
test_growth (Fixture *fixture, gconstpointer data)
{
  g_autoptr(MemlaneRun) more = sample_run_new ("more", 1.01);
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  g_autoptr(GObject) row = NULL;
  guint kept = 0;

  for (guint i = 0; i < more->cells->len; i++) /* a live run holds one cell of a mode and size */
    ((MemlaneCell *) g_ptr_array_index (more->cells, i))->log2_elements += SAMPLE_LAST - SAMPLE_FIRST + 1;
  ui_test_wait (has_rows, fixture);
  act (fixture, "table.sort", "median");
  gtk_selection_model_select_item (fixture->selection, 7, TRUE);
  gtk_selection_model_select_item (fixture->selection, 20, FALSE);
  row = g_list_model_get_item (fixture->list, 7);
  memlane_run_store_grow (fixture->store, item, more->cells);
  ui_test_wait (has_twice_the_rows, fixture);
  g_assert_cmpuint (count_selected (fixture), ==, 2);
  for (guint i = 1; i < 2 * SAMPLE_ROWS; i++)
    {
      g_autoptr(GObject) other = g_list_model_get_item (fixture->list, i);

      g_assert_cmpfloat (number_at (fixture->list, i - 1, MEMLANE_COLUMN_MEDIAN), <=, number_at (fixture->list, i, MEMLANE_COLUMN_MEDIAN));
      if (other == row)
        {
          g_assert_true (gtk_selection_model_is_selected (fixture->selection, i));
          kept++;
        }
    }
  g_assert_cmpuint (kept, ==, 1); /* the row that is held is the same object at its new place */
  act (fixture, "table.sort", "mode");
  g_assert_cmpuint (count_selected (fixture), ==, 2);
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
    if (gtk_selection_model_is_selected (fixture->selection, i))
      {
        g_autofree char *mode = text_at (fixture->list, i, MEMLANE_COLUMN_MODE), *size = text_at (fixture->list, i, MEMLANE_COLUMN_SIZE);
        g_autofree char *phase = text_at (fixture->list, i, MEMLANE_COLUMN_PHASE);

        g_ptr_array_add (names, g_strdup_printf ("%s %s %s", mode, size, phase));
      }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **) names->pdata);
}

static gboolean
shows_next_round (gpointer data)
{
  return number_at (((Fixture *) data)->list, 0, MEMLANE_COLUMN_BANDWIDTH) < 60e9; /* 2 x 50 GB/s before */
}

/* A round brings cells between those that are there, the next one others in their places: what is chosen stays so, and what is looked at
 * stays where it is. */
static void
test_live (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = memlane_run_store_begin (fixture->store, "simulated:h200", "simulated", "live");
  g_autoptr(GPtrArray) first = copy_cells (2, 0, 1), between = copy_cells (2, 1, 1), again = copy_cells (2, 0, 0.5);
  GtkAdjustment *scroll;
  g_autofree char *chosen = NULL, *kept = NULL, *replaced = NULL, *seen = NULL, *still = NULL, *seen_then = NULL, *still_then = NULL;

  memlane_run_store_grow (fixture->store, item, first);
  ui_test_wait (has_rows, fixture);
  ui_test_next_frame (get (fixture, "view"));
  gtk_window_set_default_size (fixture->window, 1000, 400); /* half of the rows have no room */
  ui_test_next_frame (get (fixture, "view"));
  ui_test_next_frame (get (fixture, "view"));
  gtk_selection_model_select_item (fixture->selection, 3, TRUE);
  gtk_selection_model_select_item (fixture->selection, 20, FALSE);
  chosen = name_chosen (fixture);
  g_assert_cmpstr (chosen, ==, "Pageable 2¹⁰ total time, Pageable 2¹⁶ upload (host to device)");
  scroll = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get (fixture, "view")));
  gtk_adjustment_set_value (scroll, 12.5 * gtk_adjustment_get_upper (scroll) / SAMPLE_ROWS);
  ui_test_next_frame (get (fixture, "view"));
  seen = read_first_row (fixture);

  memlane_run_store_grow (fixture->store, item, between);
  ui_test_wait (has_twice_the_rows, fixture);
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

static void
test_selection (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *one = panel_show_run (fixture->models, "one", 1), *two;
  g_autoptr(GtkBitset) selected = NULL;

  ui_test_wait (has_rows, fixture);
  gtk_selection_model_select_range (fixture->selection, 3, 4, TRUE);
  selected = gtk_selection_model_get_selection (fixture->selection);
  g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 4);
  g_assert_true (gtk_selection_model_is_selected (fixture->selection, 3));
  g_assert_false (gtk_selection_model_is_selected (fixture->selection, 7));
  g_assert_false (gtk_selection_model_is_selected (fixture->selection, 10000));
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (fixture->page), "4 of 30 rows selected"));

  two = panel_show_run (fixture->models, "two", 1); /* another run: other rows, the same selection */
  ui_test_wait (has_twice_the_rows, fixture);
  g_assert_cmpuint (count_selected (fixture), ==, 4);
  gtk_selection_model_select_all (fixture->selection);
  g_assert_cmpuint (count_selected (fixture), ==, 2 * SAMPLE_ROWS);
  choose_phase (fixture, MEMLANE_PHASE_UPLOAD);
  g_assert_cmpuint (count_selected (fixture), ==, SAMPLE_ROWS); /* those that are seen */
  gtk_selection_model_unselect_all (fixture->selection);
  g_assert_cmpuint (count_selected (fixture), ==, 0);
  memlane_run_store_end (fixture->store, one, NULL, NULL);
  memlane_run_store_end (fixture->store, two, NULL, NULL);
}

/* --- large -------------------------------------------------------------------------------------------------------------------- */

#define LARGE_CELLS 25500

/* A live run holds one cell of a mode and size; a file may hold many, and so does this. */
static MemlaneRunItem *
show_many (MemlaneRunStore *store, guint n)
{
  g_autoptr(MemlaneRun) sample = sample_run_new ("large", 1);
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  MemlaneRunItem *item = memlane_run_store_begin (store, "simulated:h200", "simulated", "large");

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (item->run->cells, memlane_cell_ref (g_ptr_array_index (sample->cells, i % sample->cells->len)));
  memlane_run_store_grow (store, item, none);
  return item;
}

static gboolean
has_many (gpointer data)
{
  return g_list_model_get_n_items (((Fixture *) data)->list) == 2 * LARGE_CELLS;
}

/* More rows than the clipboard takes are sorted and searched all the same. */
static void
test_large (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = show_many (fixture->store, LARGE_CELLS);

  ui_test_wait (has_many, fixture);
  act (fixture, "table.sort", "bandwidth");
  g_assert_cmpfloat (number_at (fixture->list, 0, MEMLANE_COLUMN_BANDWIDTH), <=,
                     number_at (fixture->list, 2 * LARGE_CELLS - 1, MEMLANE_COLUMN_BANDWIDTH));
  gtk_selection_model_select_all (fixture->selection);
  g_clear_pointer (&fixture->notice, g_free);
  act (fixture, "table.copy", NULL);
  g_assert_true (fixture->trouble);
  g_assert_nonnull (strstr (fixture->notice, "too many for the clipboard"));
  choose_status (fixture, MEMLANE_STATUS_NOISY);
  g_assert_cmpuint (g_list_model_get_n_items (fixture->list), ==, LARGE_CELLS / 15);
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  ADD ("/table-model/order", test_order);
  ADD ("/table-model/filter", test_filter);
  ADD ("/table-model/growth", test_growth);
  ADD ("/table-model/live", test_live);
  ADD ("/table-model/selection", test_selection);
  ADD ("/table-model/large", test_large);
  return ui_test_run ();
}
