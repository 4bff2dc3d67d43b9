/* test-decide-page.c: the Decide page in the window: size, reuse, direction, the map, the sentences; by actions
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide/decide-answers.h"
#include "ui/decide-fixture.h"
#include "ui/figure-test.h"
#include "chart/map/decide-map.h"
#include "model/decider.h"
#include "result/csv.h"

#include <glib/gstdio.h>
#include <math.h>

/* The mode that the decision itself names for what is chosen. */
static const MemlaneMode *
find_best (Stage *stage, guint log2_elements, guint reuse)
{
  MemlaneChoice choice;
  guint n;

  g_assert_true (memlane_decision_judge (get_decision (stage), log2_elements, reuse, &choice));
  return &memlane_mode_list (&n)[choice.choice];
}

static void
assert_shows (Stage *stage, guint log2_elements, guint reuse)
{
  const MemlaneMode *best = find_best (stage, log2_elements, reuse);
  g_autoptr (GPtrArray) words = memlane_decide_to_words (memlane_decision_recommend (get_decision (stage), log2_elements, reuse));

  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (stage, "size"))), ==, log2_elements);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (stage, "reuse"))), ==, reuse);
  g_assert_true (g_str_has_suffix (get_label (stage, "best"), best->title));
  for (guint i = 0; i < words->len; i++)
    if (ui_test_find_text (get (stage, "recommendation"), words->pdata[i]) == NULL)
      g_error ("not shown: %s", (const char *) words->pdata[i]);
}

/* --- what it says ----------------------------------------------------------------------------------------------------------- */

static void
test_recorded (void)
{
  GtkWidget *sentence;
  g_autofree char *row_name = NULL;
  g_auto (Stage) stage = open_page ();

  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
  assert_shows (&stage, 20, 1);
  /* what this recording says: data/recordings */
  g_assert_cmpstr (get_label (&stage, "best"), ==, "Use Mapped (zero-copy)");
  g_assert_cmpstr (get_label (&stage, "best_time"), ==,
                   "1.42 ms, measured. No other mode is faster. Managed (prefetched) takes 3.38 times as long.");
  g_assert_cmpstr (get_label (&stage, "bytes"), ==, "4 MiB");
  sentence = ui_test_find_text (get (&stage, "recommendation"),
                                "2²⁰ floats (4 MiB a vector), reuse 1, copies both ways, with host access: "
                                "use Mapped (zero-copy), 1.42 ms");
  g_assert_nonnull (sentence);
  g_assert_true (gtk_label_get_selectable (GTK_LABEL (sentence)));
  row_name = ui_test_accessible_label (gtk_widget_get_ancestor (sentence, GTK_TYPE_LIST_BOX_ROW));
  g_assert_cmpstr (row_name, ==, gtk_label_get_text (GTK_LABEL (sentence)));
  g_assert_true (stage_can (&stage, "export-figure"));
  g_assert_true (stage_can (&stage, "export-csv"));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-recorded.png");

  /* The lists are made when they are opened. */
  g_assert_null (ui_test_find_id (GTK_WIDGET (get_page (&stage)), "crossovers"));
  gtk_expander_set_expanded (GTK_EXPANDER (get (&stage, "crossovers_expander")), TRUE);
  gtk_expander_set_expanded (GTK_EXPANDER (get (&stage, "locking_expander")), TRUE);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_nonnull (ui_test_find_text (get (&stage, "crossovers"), "faster"));
  g_assert_nonnull (ui_test_find_text (get (&stage, "locking"), "for each GiB"));
}

/* One answer: heading, time, first sentence, reading and map name the same mode with the same figure, wherever one asks. */
static void
test_one_answer (void)
{
  static const char *const directions[] = { "both", "to-host", "to-device" };
  g_auto (Stage) stage = open_page ();

  for (guint d = 0; d < G_N_ELEMENTS (directions); d++)
    {
      activate (&stage, "decide.direction", g_variant_new_string (directions[d]));
      ui_test_wait (has_map (&stage));
      for (guint p = 10; p <= 20; p += g_test_slow () ? 2 : 5)
        for (guint reuse = 1; reuse <= 2048; reuse *= 8)
          {
            const MemlaneMode *mode = find_best (&stage, p, reuse);
            g_autoptr (GPtrArray) words = NULL;
            g_autofree char *time = NULL;
            const char *first, *reading;

            activate (&stage, "decide.size", g_variant_new_int32 ((int) p));
            activate (&stage, "decide.reuse", g_variant_new_int32 ((int) reuse));
            words = memlane_decide_to_words (memlane_decision_recommend (get_decision (&stage), p, reuse));
            first = words->pdata[0];
            reading = MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading;
            time = g_strndup (get_label (&stage, "best_time"), strcspn (get_label (&stage, "best_time"), ","));
            g_assert_true (g_str_has_suffix (get_label (&stage, "best"), mode->title));
            if (strstr (first, mode->title) == NULL || strstr (first, time) == NULL || strstr (reading, mode->title) == NULL
                || strstr (reading, time) == NULL)
              g_error ("%s, %s\n%s\n%s", get_label (&stage, "best"), get_label (&stage, "best_time"), first, reading);
          }
    }
  activate (&stage, "decide.direction", g_variant_new_string ("both"));
  ui_test_wait (has_map (&stage));
}

static void
test_choose (void)
{
  g_auto (Stage) stage = open_page ();
  g_autofree char *before = g_strdup (MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading);

  g_assert_cmpstr (before, !=, "");
  activate (&stage, "decide.size", g_variant_new_int32 (12));
  assert_shows (&stage, 12, 1);
  g_assert_cmpstr (get_label (&stage, "bytes"), ==, "16 KiB");
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading, !=, before);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (&stage, "reuse")), 1024);
  assert_shows (&stage, 12, 1024);
  g_assert_cmpuint (find_best (&stage, 14, 1)->way, !=, find_best (&stage, 14, 1024)->way);

  /* What is out of range is brought back, what is off the map is said. */
  activate (&stage, "decide.reuse", g_variant_new_int32 (-5));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (&stage, "reuse"))), ==, 1);
  activate (&stage, "decide.size", g_variant_new_int32 (99));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (&stage, "size"))), ==, MEMLANE_LARGEST_LOG2);
  g_assert_nonnull (ui_test_find_text (get (&stage, "recommendation"), "Not enough data"));
  g_assert_false (gtk_widget_get_visible (get (&stage, "best_box")));
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading, ==, "");
}

static GtkEventController *
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    {
      if (GTK_IS_GESTURE_SINGLE (controller) && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_SECONDARY)
        continue; /* the menu's */
      if (G_OBJECT_TYPE (controller) == type)
        return controller; /* the widget keeps it */
    }
  g_assert_not_reached ();
}

/* The middle of a cell. */
static void
locate (MemlaneDecideView *view, guint log2_elements, guint reuse, double *x, double *y)
{
  const MemlaneDecideMap *map = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (view));
  MemlaneRectangle area;
  guint row = 0;

  while (memlane_decide_reuse (row) != reuse)
    row++;
  for (guint size = 0; memlane_decide_map_place (map, size, row, &area); size++)
    {
      g_autofree char *read = NULL, *power = memlane_unit_format_power (log2_elements), *start = g_strconcat (power, " ", NULL);

      *x = area.x + area.width / 2;
      *y = area.y + area.height / 2;
      g_signal_emit_by_name (find_controller (GTK_WIDGET (view), GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", *x, *y);
      read = g_strdup (MEMLANE_FIGURE_WIDGET (view)->reading);
      g_signal_emit_by_name (find_controller (GTK_WIDGET (view), GTK_TYPE_EVENT_CONTROLLER_MOTION), "leave");
      if (g_str_has_prefix (read, start))
        return;
    }
  g_assert_not_reached ();
}

static void
test_map (void)
{
  double x, y;
  guint figure, overlay, figure_after, overlay_after;
  g_autofree char *label = NULL;
  g_auto (Stage) stage = open_page ();
  GtkWidget *view = GTK_WIDGET (get_view (&stage));
  g_autofree char *chosen = g_strdup (MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading);

  figure_test_count_paints (get_view (&stage), &figure, &overlay);

  /* Pointing reads and chooses nothing; only the overlay is painted. */
  locate (get_view (&stage), 14, 8, &x, &y);
  g_signal_emit_by_name (find_controller (view, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x, y);
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading, !=, chosen);
  assert_shows (&stage, 20, 1);
  ui_test_next_frame (view);
  figure_test_count_paints (get_view (&stage), &figure_after, &overlay_after);
  g_assert_cmpuint (figure_after, ==, figure);
  g_assert_cmpuint (overlay_after, >, overlay);
  g_signal_emit_by_name (find_controller (view, GTK_TYPE_EVENT_CONTROLLER_MOTION), "leave");
  g_assert_cmpstr (MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading, ==, chosen);

  g_signal_emit_by_name (find_controller (view, GTK_TYPE_GESTURE_CLICK), "pressed", 1, x, y);
  g_signal_emit_by_name (find_controller (view, GTK_TYPE_GESTURE_CLICK), "released", 1, x, y);
  assert_shows (&stage, 14, 8);
  g_assert_true (gtk_widget_has_focus (view));
  g_signal_emit_by_name (find_controller (view, GTK_TYPE_GESTURE_CLICK), "released", 1, -5.0, -5.0); /* beside the cells */
  assert_shows (&stage, 14, 8);

  /* Keys, up to the edges. */
  g_assert_true (ui_test_press (view, GDK_KEY_Right, 0));
  assert_shows (&stage, 15, 8);
  g_assert_true (ui_test_press (view, GDK_KEY_Up, 0));
  assert_shows (&stage, 15, 16);
  g_assert_true (ui_test_press (view, GDK_KEY_Left, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Down, 0));
  assert_shows (&stage, 14, 8);
  g_assert_true (ui_test_press (view, GDK_KEY_Page_Up, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Up, 0));
  assert_shows (&stage, 14, 2048);
  g_assert_true (ui_test_press (view, GDK_KEY_Home, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Left, 0));
  assert_shows (&stage, 10, 2048);
  g_assert_true (ui_test_press (view, GDK_KEY_End, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Page_Down, 0));
  assert_shows (&stage, 20, 1);

  /* From a place that is not on the map they go to the nearest. */
  activate (&stage, "decide.size", g_variant_new_int32 (26));
  activate (&stage, "decide.reuse", g_variant_new_int32 (3));
  g_assert_true (ui_test_press (view, GDK_KEY_Right, 0));
  assert_shows (&stage, 20, 4);

  /* What is read aloud: the name, and what a key has chosen. */
  label = ui_test_accessible_label (view);
  g_assert_cmpstr (label, ==, "Map of the mode to use over size and reuse");
  g_assert_null (gtk_test_accessible_check_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                                     MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading));
  g_assert_null (gtk_test_accessible_check_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                                     MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading));
  g_assert_true (ui_test_press (view, GDK_KEY_Menu, 0));
}

static void
test_direction (void)
{
  g_auto (Stage) stage = open_page ();
  MemlaneDecideResult *both = memlane_decide_result_ref (get_result (&stage));

  activate (&stage, "decide.direction", g_variant_new_string ("to-device"));
  g_assert_false (rests (&stage)); /* on a thread */
  activate (&stage, "decide.direction", g_variant_new_string ("to-host")); /* the answer to the former question is dropped */
  ui_test_wait (has_map (&stage));
  g_assert_cmpint (get_decision (&stage)->direction, ==, MEMLANE_DIRECTION_TO_HOST);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (get (&stage, "direction"))), ==, MEMLANE_DIRECTION_TO_HOST);
  g_assert_nonnull (ui_test_find_text (get (&stage, "recommendation"), "copies to the host only"));
  assert_shows (&stage, 20, 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (&stage, "direction")), MEMLANE_DIRECTION_TO_DEVICE);
  ui_test_wait (has_map (&stage));
  g_assert_cmpint (get_decision (&stage)->direction, ==, MEMLANE_DIRECTION_TO_DEVICE);
  activate (&stage, "decide.direction", g_variant_new_string ("sideways")); /* no such one */
  g_assert_cmpint (get_decision (&stage)->direction, ==, MEMLANE_DIRECTION_TO_DEVICE);
  g_assert_cmpint (both->decision->direction, ==, MEMLANE_DIRECTION_BOTH); /* who holds a result keeps it */
  memlane_decide_result_unref (both);
}

/* --- runs that lack something ------------------------------------------------------------------------------------------------- */

static void
hide_recorded (Stage *stage)
{
  g_autoptr (MemlaneRunItem) recorded = stage_find_kind (stage, MEMLANE_RUN_RECORDED);

  memlane_run_item_set_shown (recorded, FALSE);
}

static void
show_recorded (Stage *stage)
{
  g_autoptr (MemlaneRunItem) recorded = stage_find_kind (stage, MEMLANE_RUN_RECORDED);

  memlane_run_item_set_shown (recorded, TRUE);
}

static void
test_empty (void)
{
  AdwStatusPage *nothing;
  g_auto (Stage) stage = open_page ();

  gtk_widget_grab_focus (GTK_WIDGET (get_view (&stage)));
  hide_recorded (&stage);
  ui_test_wait (has_no_map (&stage));
  nothing = ADW_STATUS_PAGE (get (&stage, "nothing"));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (nothing)));
  g_assert_cmpstr (adw_status_page_get_title (nothing), ==, "No Run Selected");
  g_assert_true (gtk_widget_get_mapped (get (&stage, "run")));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "recorded")));
  g_assert_false (stage_can (&stage, "export-figure"));
  g_assert_false (stage_can (&stage, "export-csv"));
  g_assert_false (stage_can (&stage, "print"));
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "copy")));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-nothing.png");
  g_assert_true (gtk_widget_activate_action (get (&stage, "recorded"), "win.open-recorded", NULL));
  ui_test_wait (stage_has_read (stage.models));
  show_recorded (&stage);
  ui_test_wait (has_map (&stage));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
}

/* The recorded run with the cells that @keep likes, in a file. */
static char *
write_part (Stage *stage, const char *name, gboolean (*keep) (const MemlaneCell *cell))
{
  g_autoptr (MemlaneRunItem) recorded = stage_find_kind (stage, MEMLANE_RUN_RECORDED);
  MemlaneRun *run = recorded->run, *part = memlane_run_new (name, run->device, run->device_kind);
  g_autoptr (GError) error = NULL;
  char *path = ui_test_path (name);

  part->environment = memlane_environment_ref (run->environment);
  for (guint i = 0; i < run->cells->len; i++)
    if (keep (run->cells->pdata[i]))
      g_ptr_array_add (part->cells, memlane_cell_ref (run->cells->pdata[i]));
  memlane_csv_write (part, path, &error);
  g_assert_no_error (error);
  memlane_run_unref (part);
  return path;
}

static void
open_file (Stage *stage, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  guint before = stage_count_runs (stage);

  memlane_window_open_file (stage->window, file);
  while (stage_count_runs (stage) == before)
    g_main_context_iteration (NULL, TRUE);
  ui_test_wait (stage_has_read (stage->models));
}

static void
close_file (Stage *stage)
{
  g_autoptr (MemlaneRunItem) item = stage_find_kind (stage, MEMLANE_RUN_OPENED);

  g_assert_true (memlane_run_store_remove (stage->models->runs, item, NULL));
}

static gboolean
is_pinned (const MemlaneCell *cell)
{
  return g_str_equal (cell->mode, "pinned");
}

static gboolean
decides_pinned (gpointer data)
{
  return has_map (data) && get_decision (data)->present == 1u << (find_best (data, 20, 1) - memlane_mode_list (&(guint) { 0 }));
}

static void
test_one_mode (void)
{
  g_auto (Stage) stage = open_page ();
  g_autofree char *path = write_part (&stage, "one-mode.csv", is_pinned);

  open_file (&stage, path);
  hide_recorded (&stage);
  ui_test_wait (decides_pinned (&stage));
  g_assert_cmpstr (get_label (&stage, "best"), ==, "Use Pinned");
  assert_shows (&stage, 20, 1);
  g_assert_nonnull (ui_test_find_text (get (&stage, "notes"), "were not measured"));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-one-mode.png");
  close_file (&stage);
  show_recorded (&stage);
}

/* @least and sixteen times as many pieces of @first (log2 floats) to 1 MiB: few or small ones are packed, many are gathered. */
static char *
write_pieces (Stage *stage, guint least, guint first)
{
  static const char *const modes[] = { "pinned-packed", "mapped-shaped" };
  g_autoptr (MemlaneRun) run = memlane_run_new ("pieces", "simulated:h200", "simulated");
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (g_get_tmp_dir (), "pieces.csv", NULL);

  for (guint n = least; n <= 16 * least; n *= 16)
    for (guint m = 0; m < G_N_ELEMENTS (modes); m++)
      for (guint p = first; p <= 18; p++)
        {
          MemlaneCell *cell = memlane_cell_new ("pieces-to-device", modes[m], p + log2 (n));
          const double bytes = 4.0 * n * (1 << p), ns = m == 0 ? 10000 + bytes / 10 : 16000 + bytes / 49;
          const MemlaneStatistics statistics = { 10, ns, ns, ns, ns, ns, ns, ns };

          cell->status = MEMLANE_STATUS_OK;
          cell->chunks = n;
          memlane_cell_add_figure (cell, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, &statistics, cell->bytes, MEMLANE_STATUS_OK, NULL);
          g_ptr_array_add (run->cells, cell);
        }
  g_assert_true (memlane_csv_write (run, path, &error));
  g_assert_no_error (error);
  return path;
}

static void
assert_asks (Stage *stage, const char *size_title, const char *row_title, guint row, const char *bytes)
{
  g_assert_cmpstr (get_label (stage, "size_title"), ==, size_title);
  g_assert_cmpstr (get_label (stage, "row_title"), ==, row_title);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (stage, "reuse"))), ==, (int) row);
  g_assert_cmpstr (get_label (stage, "bytes"), ==, bytes);
}

/* The evidence stands open where there is a busy GPU in it. */
static void
test_busy (void)
{
  static const guint shares[] = { 0, 50, 100 };
  g_auto (Stage) stage = open_page ();
  GtkExpander *evidence = GTK_EXPANDER (get (&stage, "evidence_expander"));

  gtk_expander_set_expanded (evidence, FALSE);
  activate (&stage, "decide.direction", g_variant_new_string ("to-device"));
  ui_test_wait (!memlane_decider_is_waiting (stage.models->decider) && has_map (&stage));
  g_assert_false (gtk_expander_get_expanded (evidence)); /* of an idle GPU */
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autofree char *below
          = g_strdup_printf ("data/recordings/busy/h100-busy-pieces-%u.csv.gz", shares[i]);
      g_autofree char *path = ui_test_source (below);

      open_file (&stage, path);
    }
  hide_recorded (&stage);
  ui_test_wait (has_map (&stage) && gtk_expander_get_expanded (evidence));
  ui_test_wait (ui_test_find_text (get (&stage, "recommendation"), "while") != NULL);
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-busy.png");
}

/* A run of pieces is asked for sizes of a piece and numbers of pieces; what was asked of vectors comes back with them. */
static void
test_pieces (void)
{
  GtkWidget *view;
  g_autofree char *path = NULL, *label = NULL;
  Stage stage = open_page ();

  activate (&stage, "decide.size", g_variant_new_int32 (14));
  activate (&stage, "decide.reuse", g_variant_new_int32 (8));
  path = write_pieces (&stage, 16, 8);
  open_file (&stage, path);
  hide_recorded (&stage);
  ui_test_wait (has_map (&stage) && get_decision (&stage)->by_pieces != NULL);
  view = GTK_WIDGET (get_view (&stage));
  assert_asks (&stage, "Piece Size", "Number of Pieces", 16, "4 KiB");
  activate (&stage, "decide.size", g_variant_new_int32 (8));
  assert_asks (&stage, "Piece Size", "Number of Pieces", 16, "1 KiB");
  g_assert_true (g_str_has_suffix (get_label (&stage, "best"), "Pinned (packed)"));
  g_assert_nonnull (ui_test_find_text (get (&stage, "recommendation"), "16 pieces of 1 KiB, transfer and kernel: "));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-pieces.png");

  /* Keys, and the numbers that the runs have. */
  gtk_widget_grab_focus (view);
  g_assert_true (ui_test_press (view, GDK_KEY_Up, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Right, 0));
  g_assert_true (ui_test_press (view, GDK_KEY_Right, 0));
  assert_asks (&stage, "Piece Size", "Number of Pieces", 256, "4 KiB");
  g_assert_true (g_str_has_suffix (get_label (&stage, "best"), "Mapped (shaped kernel)"));
  g_assert_true (g_str_has_prefix (MEMLANE_FIGURE_WIDGET (view)->reading,
                                   "256 pieces of 4 KiB: Mapped (shaped kernel): "));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (&stage, "reuse")), 255);
  assert_asks (&stage, "Piece Size", "Number of Pieces", 16, "4 KiB");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get (&stage, "reuse")), 17);
  assert_asks (&stage, "Piece Size", "Number of Pieces", 256, "4 KiB");
  activate (&stage, "decide.size", g_variant_new_int32 (20));
  g_assert_nonnull (strstr (get_label (&stage, "best_time"), "this size and number of pieces"));
  label = ui_test_accessible_label (view);
  g_assert_cmpstr (label, ==, "Map of the mode to use over size and number of pieces");

  close_file (&stage);
  show_recorded (&stage);
  ui_test_wait (has_map (&stage) && get_decision (&stage)->by_pieces == NULL);
  assert_asks (&stage, "Vector Size", "Kernels per Transfer", 8, "64 KiB");
  assert_shows (&stage, 14, 8);
  stage_close (&stage);
  g_remove (path);
}

/* The first piece is one that the map has. */
static void
test_large_pieces (void)
{
  g_autofree char *path = NULL;
  Stage stage = open_page ();

  activate (&stage, "decide.reuse", g_variant_new_int32 (1));
  path = write_pieces (&stage, 1, 14);
  open_file (&stage, path);
  hide_recorded (&stage);
  ui_test_wait (has_map (&stage) && get_decision (&stage)->by_pieces != NULL);
  assert_asks (&stage, "Piece Size", "Number of Pieces", 1, "64 KiB");
  activate (&stage, "decide.size", g_variant_new_int32 (10)); /* which is not measured */
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "measure"))), ==, "_Measure 1 piece of 4 KiB");
  activate (&stage, "decide.reuse", g_variant_new_int32 (16));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "measure"))), ==, "_Measure 16 pieces of 4 KiB");
  close_file (&stage);
  show_recorded (&stage);
  stage_close (&stage);
  g_remove (path);
}

static gboolean
is_of_nothing (const MemlaneCell *cell)
{
  return cell->status == MEMLANE_STATUS_UNSUPPORTED;
}

static gboolean
says_nothing (gpointer data)
{
  return has_no_map (data)
         && g_str_equal (adw_status_page_get_title (ADW_STATUS_PAGE (get (data, "nothing"))), "Not Enough Data");
}

/* Cells, but none with a time: the engine says why. */
static void
test_no_times (void)
{
  g_auto (Stage) stage = open_page ();
  g_autofree char *path = write_part (&stage, "no-times.csv", is_of_nothing);

  open_file (&stage, path);
  hide_recorded (&stage);
  ui_test_wait (says_nothing (&stage));
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (get (&stage, "nothing"))), "no total time of vector-add"));
  g_assert_false (stage_can (&stage, "export-figure"));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-no-times.png");
  close_file (&stage);
  show_recorded (&stage);
}

static gboolean
leaves_out_some (gpointer data)
{
  return says_nothing (data)
         && strstr (adw_status_page_get_description (ADW_STATUS_PAGE (get (data, "nothing"))), ", ...") != NULL;
}

/* Of twenty runs without a time not each is named. */
static void
test_many_reasons (void)
{
  MemlaneRunItem *items[20];
  g_auto (Stage) stage = open_page ();
  MemlaneRunStore *store = stage.models->runs;

  hide_recorded (&stage);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
      g_autofree char *name = g_strdup_printf ("run %u", i);

      g_ptr_array_add (cells, memlane_cell_new ("vector-add", "pinned", 10));
      items[i] = memlane_run_store_begin (store, "simulated:h200", "simulated", name);
      memlane_run_store_grow (store, items[i], cells);
    }
  ui_test_wait (leaves_out_some (&stage));
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (get (&stage, "nothing"))), "no total time of vector-add"));
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    memlane_run_store_end (store, items[i], NULL, NULL);
  show_recorded (&stage);
}

static guint
count_rows (GtkWidget *list)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) n) != NULL)
    n++;
  return n;
}

/* Forty runs of another machine: as many limitations, of which the first have rows, and the others have them when they are asked for. */
static void
test_many_answers (void)
{
  GPtrArray *sentences = g_ptr_array_new_with_free_func (g_free);
  GtkWidget *answers = g_object_new (MEMLANE_TYPE_DECIDE_ANSWERS, NULL), *list;
  GtkWindow *window = ui_test_window_for (answers, 300, 400);
  guint before;

  for (guint i = 0; i < 40; i++)
    g_ptr_array_add (sentences, g_strdup_printf ("run %u was ignored", i));
  memlane_decide_answers_set (MEMLANE_DECIDE_ANSWERS (answers), sentences);
  list = adw_bin_get_child (ADW_BIN (answers));
  before = count_rows (list);
  g_assert_cmpuint (before, <, 20);
  g_assert_nonnull (ui_test_find_text (list, "run 0 "));
  g_assert_null (ui_test_find_text (list, "run 39 "));
  for (guint i = 0; count_rows (list) < sentences->len; i++)
    {
      GtkListBoxRow *more = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) count_rows (list) - 1);

      g_assert_cmpuint (i, <, 4);
      g_assert_true (ui_test_has_name (GTK_WIDGET (more)));
      g_assert_true (gtk_widget_activate (GTK_WIDGET (more)));
      g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (window)), list));
    }
  g_assert_nonnull (ui_test_find_text (list, "run 39 "));
  g_assert_null (ui_test_find_text (list, " more"));
  g_ptr_array_set_size (sentences, 3);
  memlane_decide_answers_set (MEMLANE_DECIDE_ANSWERS (answers), sentences);
  g_assert_cmpuint (count_rows (list), ==, 3);
  gtk_window_destroy (window);
  g_ptr_array_unref (sentences);
}

static gboolean
has_two_bases (gpointer data)
{
  return has_map (data)
         && g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (get (data, "base")))) == 2
         && strstr (get_label (data, "best_time"), "measured") != NULL;
}

static gboolean
is_simulated (gpointer data)
{
  return has_map (data) && get_decision (data)->simulated;
}

/* A measured run is decided for rather than a simulated one, until the person chooses the other. What is left out is said. */
static void
test_mixed (void)
{
  static const char *const modes[] = { "pageable", "pinned", "mapped", "device-resident", NULL };
  g_autofree char *text = NULL;
  g_auto (Stage) stage = open_page ();

  g_assert_false (is_simulated (&stage));
  stage_choose_modes (&stage, modes);
  stage_sweep (&stage);
  ui_test_wait (has_two_bases (&stage));
  g_assert_false (is_simulated (&stage));
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (get (&stage, "base"))), ==, 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (&stage, "base")), 1);
  ui_test_wait (is_simulated (&stage));
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (get (&stage, "base"))), ==, 0); /* it is the first now */
  g_assert_cmpuint (get_decision (&stage)->n_sizes, ==, 3);
  g_assert_nonnull (ui_test_find_text (get (&stage, "notes"), "from another machine than"));
  activate (&stage, "decide.size", g_variant_new_int32 (12));
  assert_shows (&stage, 12, 1);
  g_assert_nonnull (ui_test_find_text (get (&stage, "recommendation"), " on the simulated device, "));
  text = memlane_decide_result_to_text (get_result (&stage), 12, 1);
  g_assert_nonnull (strstr (text, "SIMULATED"));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-mixed.png");
  {
    g_autoptr (MemlaneRunItem) swept = stage_find_kind (&stage, MEMLANE_RUN_KEPT);

    g_assert_true (memlane_run_store_remove (stage.models->runs, swept, NULL));
  }
  memlane_mode_set_put_all (models_get_plan (stage.models), TRUE);
}

/* Some mode's time at the chosen size and reuse is no longer an estimate. */
static gboolean
is_measured (gpointer data)
{
  guint log2 = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (data, "size")));
  guint reuse = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (data, "reuse"))), n;
  gboolean any = FALSE;

  memlane_mode_list (&n);
  for (guint i = 0; has_map (data) && i < n; i++)
    {
      MemlaneForecast forecast;

      any = any || (memlane_decision_forecast (get_decision (data), i, log2, reuse, &forecast) && forecast.basis == MEMLANE_BASIS_MEASURED);
    }
  return any && !memlane_sweep_job_is_running (((Stage *) data)->models->sweep);
}

static gboolean
has_kept (gpointer data)
{
  g_autoptr (MemlaneRunItem) swept = stage_find_kind (data, MEMLANE_RUN_KEPT);

  return swept != NULL;
}

/* The button runs the one sweep that settles the answer, and leaves the chosen plan as it was. */
static void
test_measure (void)
{
  static const char *const modes[] = { "pageable", "mapped", NULL };
  guint reuse;
  g_auto (Stage) stage = open_page ();

  g_assert_false (gtk_widget_get_visible (get (&stage, "measure"))); /* the runs are of another device */
  stage_choose_modes (&stage, modes);
  stage_sweep (&stage);
  ui_test_wait (has_two_bases (&stage));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (&stage, "base")), 1);
  ui_test_wait (is_simulated (&stage));
  g_object_get (stage.models->plan, "reuse", &reuse, NULL);
  activate (&stage, "decide.size", g_variant_new_int32 (14));
  /* Somewhere the two are level, as far as the times that are computed say. */
  for (guint r = 2; r < 64; r++)
    {
      MemlaneSweepAdvice advice;

      activate (&stage, "decide.reuse", g_variant_new_int32 ((int) r));
      if (memlane_decision_advise (get_decision (&stage), 14, r, &advice) && advice.cause == MEMLANE_SWEEP_FOR_REUSE)
        break;
    }
  ui_test_wait (has_map (&stage) && gtk_widget_get_visible (get (&stage, "measure")));
  g_assert_false (is_measured (&stage));
  g_assert_nonnull (strstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "measure"))), "2¹⁴ floats, reuse "));
  activate (&stage, "decide.measure", NULL);
  ui_test_wait (is_measured (&stage));
  g_assert_true (is_simulated (&stage)); /* the run that it answers from stays shown */
  g_assert_cmpuint (ui_test_get (guint, stage.models->plan, "reuse"), ==, reuse);
  for (guint i = 0; i < 2; i++) /* both sweeps are kept */
    {
      g_autoptr (MemlaneRunItem) swept = NULL;

      ui_test_wait (has_kept (&stage));
      swept = stage_find_kind (&stage, MEMLANE_RUN_KEPT);
      g_assert_true (memlane_run_store_remove (stage.models->runs, swept, NULL));
    }
  memlane_mode_set_put_all (models_get_plan (stage.models), TRUE);
}

/* Nobody looks: nothing is worked out. */
static void
test_unseen (void)
{
  MemlaneDecideResult *before; /* kept, so that no other has its address */
  g_auto (Stage) stage = open_page ();

  before = memlane_decide_result_ref (get_result (&stage));
  stage_do (&stage, "page", g_variant_new_string ("table"));
  g_object_set (stage.models->view, "show-ceilings", FALSE, NULL); /* "charts-changed" */
  ui_test_spin (300);
  g_assert_false (has_map (&stage) && get_result (&stage) != before);
  stage_do (&stage, "page", g_variant_new_string ("decide"));
  ui_test_wait (has_map (&stage) && get_result (&stage) != before);
  memlane_decide_result_unref (before);
  g_object_set (stage.models->view, "show-ceilings", TRUE, NULL);
}

/* --- on the wall ------------------------------------------------------------------------------------------------------------- */

static void
test_projector (void)
{
  g_auto (Stage) stage = open_page ();
  GtkWidget *view = GTK_WIDGET (get_view (&stage));

  stage_do (&stage, "projector", NULL);
  stage_wait_toast (&stage, "the arrow keys choose a size and a reuse");
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_has_focus (view));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "bar")));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "answers")));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "wall_answer")));
  g_assert_cmpstr (get_label (&stage, "wall_answer"), ==, "Use Mapped (zero-copy) · 1.42 ms · Recorded H100");
  {
    PangoLayout *layout = gtk_label_get_layout (GTK_LABEL (get (&stage, "wall_answer")));
    PangoAttrIterator *iterator = pango_attr_list_get_iterator (gtk_label_get_attributes (GTK_LABEL (get (&stage, "wall_answer"))));
    const PangoAttrSize *size = (const PangoAttrSize *) pango_attr_iterator_get (iterator, PANGO_ATTR_ABSOLUTE_SIZE);

    g_assert_cmpint (size->size / PANGO_SCALE, >=, 24);
    g_assert_false (pango_layout_is_ellipsized (layout));
    pango_attr_iterator_destroy (iterator);
  }
  g_assert_true (ui_test_press (view, GDK_KEY_Left, 0));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-projector.png");
  stage_do (&stage, "projector", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "bar")));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "answers")));
  assert_shows (&stage, 19, 1);

  /* Without a map there is nothing for the wall, and a sentence says so. */
  hide_recorded (&stage);
  ui_test_wait (has_no_map (&stage));
  stage_do (&stage, "projector", NULL);
  stage_wait_toast (&stage, "nothing to project");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_page (&stage))));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "bar")));
  show_recorded (&stage);
}

/* --- what is kept, keys, small windows ------------------------------------------------------------------------------------------ */

static void
test_settings (void)
{
  Stage stage = open_page ();

  activate (&stage, "decide.size", g_variant_new_int32 (13));
  activate (&stage, "decide.reuse", g_variant_new_int32 (5));
  activate (&stage, "decide.direction", g_variant_new_string ("to-device"));
  activate (&stage, "decide.answers", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "answers")));
  stage_close (&stage);

  stage = stage_open ();
  stage_do (&stage, "page", g_variant_new_string ("decide"));
  ui_test_wait (has_map (&stage));
  g_assert_cmpint (get_decision (&stage)->direction, ==, MEMLANE_DIRECTION_TO_DEVICE);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (&stage, "size"))), ==, 13);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (&stage, "reuse"))), ==, 5);
  g_assert_false (gtk_widget_get_mapped (get (&stage, "answers")));
  activate (&stage, "decide.answers", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "answers")));
  stage_close (&stage);
}

/* Every widget that takes the focus has a name, and Tab reaches the controls, the map and the answers. */
static void
test_keyboard (void)
{
  static const char *const wanted[] = { "size", "reuse", "direction", "copy", "answers_button", "view", "recommendation",
                                        "crossovers_expander", "locking_expander" };
  gboolean reached[G_N_ELEMENTS (wanted)] = { FALSE };
  g_auto (Stage) stage = open_page ();
  GtkWidget *page = GTK_WIDGET (get_page (&stage));

  gtk_window_set_focus (GTK_WINDOW (stage.window), NULL); /* from the page's first widget on */
  for (guint steps = 0; steps < 60; steps++)
    {
      GtkWidget *focus;

      if (!gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD) && !gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD))
        break;
      focus = gtk_root_get_focus (gtk_widget_get_root (page));
      g_assert_nonnull (focus);
      if (!ui_test_has_name (focus) && !ui_test_has_name (gtk_widget_get_parent (focus)))
        g_error ("%s in %s has no name", G_OBJECT_TYPE_NAME (focus), G_OBJECT_TYPE_NAME (gtk_widget_get_parent (focus)));
      for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
        reached[i] |= focus == get (&stage, wanted[i]) || gtk_widget_is_ancestor (focus, get (&stage, wanted[i]));
    }
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (!reached[i])
      g_error ("Tab does not reach %s", wanted[i]);
}

/* One of the two: the answers, or the map. */
static void
test_small (void)
{
  g_auto (Stage) stage = open_page ();

  gtk_window_set_default_size (GTK_WINDOW (stage.window), 320, 240);
  ui_test_wait (!gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-small-answers.png");
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
  g_assert_true (gtk_widget_get_mapped (get (&stage, "answers")));
  activate (&stage, "decide.answers", NULL);
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_screenshot (GTK_WIDGET (stage.window), "decide-small.png");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (get_view (&stage))));
  g_assert_false (gtk_widget_get_mapped (get (&stage, "answers")));
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (get_view (&stage))), >=, 60);
  activate (&stage, "decide.answers", NULL);
  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/decide-page/recorded", test_recorded);
  g_test_add_func ("/decide-page/one-answer", test_one_answer);
  g_test_add_func ("/decide-page/choose", test_choose);
  g_test_add_func ("/decide-page/map", test_map);
  g_test_add_func ("/decide-page/direction", test_direction);
  g_test_add_func ("/decide-page/empty", test_empty);
  g_test_add_func ("/decide-page/one-mode", test_one_mode);
  g_test_add_func ("/decide-page/pieces", test_pieces);
  g_test_add_func ("/decide-page/large-pieces", test_large_pieces);
  g_test_add_func ("/decide-page/no-times", test_no_times);
  g_test_add_func ("/decide-page/mixed", test_mixed);
  g_test_add_func ("/decide-page/many-answers", test_many_answers);
  g_test_add_func ("/decide-page/many-reasons", test_many_reasons);
  g_test_add_func ("/decide-page/measure", test_measure);
  g_test_add_func ("/decide-page/unseen", test_unseen);
  g_test_add_func ("/decide-page/projector", test_projector);
  g_test_add_func ("/decide-page/settings", test_settings);
  g_test_add_func ("/decide-page/keyboard", test_keyboard);
  g_test_add_func ("/decide-page/small", test_small);
  g_test_add_func ("/decide-page/busy", test_busy);
  return ui_test_run ();
}
