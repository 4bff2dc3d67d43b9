/* test-table-page.c: the Table page: medians, copying, spreadsheet, keyboard, room, wall
 *
 * SPDX-License-Identifier: MIT
 */
#include "parts/pivot-view.h"
#include "ui/smallest-text.h"
#include "ui/opener-fixture.h"
#include "ui/table-fixture.h"
#include "base/each.h"

/* --- copying ------------------------------------------------------------------------------------------------------------------ */

static char *
copy (Fixture *fixture)
{
  g_clear_pointer (&fixture->notice, g_free);
  act (fixture, "table.copy");
  ui_test_wait (fixture->notice != NULL);
  g_assert_false (fixture->trouble);
  return ui_test_read_clipboard (GTK_WIDGET (fixture->page));
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

  ui_test_wait (has_pivot (fixture));
  ui_test_next_frame (view);
  g_assert_true (gtk_widget_get_mapped (view));
  g_assert_false (gtk_widget_get_visible (get (fixture, "run"))); /* one run needs no choice */
  panel_assert_names (GTK_WIDGET (fixture->page));
  gtk_test_accessible_assert_role (view, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (view, GTK_ACCESSIBLE_PROPERTY_LABEL, "Vector addition, total time (ns)");
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
                                       "Vector addition, upload (host to device) (ns)");
  g_object_set (fixture->models->view, "time-phase", MEMLANE_PHASE_ELAPSED, NULL);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (get (fixture, "phases"))), ==, 1);

  copied = copy (fixture);
  g_assert_true (g_str_has_prefix (copied, "mode,2^10,2^11,2^12,2^13,2^14\npageable,819.2,"));
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* The wall has the table alone, in text of 24 px in 1280x720; without a run there is nothing for it. */
static void
test_wall (Fixture *fixture, gconstpointer data)
{
  MemlanePage *page = MEMLANE_PAGE (fixture->page);
  MemlaneRunItem *item;
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
  cairo_t *cr = cairo_create (surface);
  const MemlanePivotFigure *figure;

  g_assert_false (memlane_page_can_project (page));
  item = panel_show_run (fixture->models, "sample", 1);
  ui_test_wait (has_pivot (fixture));
  g_assert_true (memlane_page_can_project (page));
  memlane_page_set_projector (page, TRUE);
  gtk_window_set_default_size (fixture->window, 1280, 720);
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_pivot (fixture))));
  g_assert_false (gtk_widget_get_mapped (get (fixture, "bar")));
  g_assert_false (gtk_widget_get_mapped (get (fixture, "reading_line")));
  figure = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (get_pivot (fixture)));
  /* The frame of a window without a compositor takes a few px of the 720. */
  smallest_text = 0;
  MEMLANE_FIGURE_WIDGET (get_pivot (fixture))->drawing->klass->draw (figure, cr);
  g_assert_cmpfloat (smallest_text, >=, 24.0 * gtk_widget_get_height (GTK_WIDGET (fixture->page)) / 720 - 0.1);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
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
  static const char *const ids[] = { "view_menu", "phases", "counts", "spreadsheet", "pivot" };
  GtkWidget *root = GTK_WIDGET (fixture->window);
  g_autoptr(GHashTable) visited = g_hash_table_new (NULL, NULL);

  panel_keep_run (fixture->models, "sample", 1);
  ui_test_wait (has_pivot (fixture));
  ui_test_wait (gtk_widget_is_sensitive (get (fixture, "spreadsheet")));
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  panel_assert_names (GTK_WIDGET (fixture->page));
  gtk_window_set_focus (fixture->window, NULL);
  for (guint i = 0; i < 40 && gtk_widget_child_focus (root, GTK_DIR_TAB_FORWARD); i++)
    for (GtkWidget *widget = gtk_root_get_focus (GTK_ROOT (root)); widget != NULL; widget = gtk_widget_get_parent (widget))
      g_hash_table_add (visited, widget);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    if (!g_hash_table_contains (visited, get (fixture, ids[i])))
      g_error ("Tab does not reach %s", ids[i]);
}

static void
test_room (Fixture *fixture, gconstpointer data)
{
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  int least;

  ui_test_wait (has_pivot (fixture));
  panel_photograph (GTK_WIDGET (fixture->page), "table-page");
  gtk_widget_measure (GTK_WIDGET (fixture->page), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 310);
  gtk_window_set_default_size (fixture->window, 320, 240);
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  panel_photograph (GTK_WIDGET (fixture->page), "table-page-narrow");
  memlane_run_store_end (fixture->store, item, NULL, NULL);
}

/* The interval stands with the rounds behind it; the run's file opens in the desktop's program for it, once there is one. */
static void
test_spreadsheet (Fixture *fixture, gconstpointer data)
{
  g_autofree char *log = opener_install ("text/csv");
  g_autofree char *opened = NULL;
  g_autoptr (GFile) file = NULL;
  MemlaneRunItem *item = panel_show_run (fixture->models, "sample", 1);
  g_autoptr (MemlaneRun) run = sample_run_new ("sample", 1);
  MemlaneCell *cell = run->cells->pdata[0];

  ui_test_wait (has_pivot (fixture));
  g_assert_false (gtk_widget_is_sensitive (get (fixture, "spreadsheet"))); /* it has no file yet */
  MEMLANE_FOR_EACH (MemlaneFigure, figure, cell->figures)
    figure->n_rounds = 20;
  memlane_run_store_end (fixture->store, item, run, NULL);
  ui_test_wait (panel_is_kept (item));
  ui_test_wait (gtk_widget_is_sensitive (get (fixture, "spreadsheet")));
  ui_test_next_frame (GTK_WIDGET (fixture->page));
  g_assert_true (ui_test_press (GTK_WIDGET (get_pivot (fixture)), GDK_KEY_Home, 0));
  g_assert_true (ui_test_press (GTK_WIDGET (get_pivot (fixture)), GDK_KEY_Page_Up, 0));
  g_assert_nonnull (strstr (get_reading (fixture), ", 20 rounds)"));
  act (fixture, "table.spreadsheet");
  ui_test_wait (opener_has_opened (log));
  g_assert_true (g_file_get_contents (log, &opened, NULL, NULL));
  file = g_file_new_for_commandline_arg (g_strchomp (opened));
  g_assert_cmpstr (g_file_peek_path (file), ==, item->path);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  ADD ("/table-page/spreadsheet", test_spreadsheet); /* first: the desktop's database is read once */
  ADD ("/table-page/keyboard", test_keyboard);
  ADD ("/table-page/room", test_room);
  ADD ("/table-page/pivot", test_pivot);
  ADD ("/table-page/wall", test_wall);
  return ui_test_run ();
}
