/* test-decide-page.c: the Decide page: steps and facts of its scenes; all answers; long lists
 *
 * SPDX-License-Identifier: MIT
 */
#include "chart/map/decide-map.h"
#include "decide/decide-answers.h"
#include "model/decider.h"
#include "ui/decide-fixture.h"
#include "ui/figure-test.h"
#include "ui/scene.h"

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
  g_autoptr (GPtrArray) words = memlane_decide_to_words (
      memlane_decision_recommend (get_decision (stage), log2_elements, reuse));

  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (stage, "size"))), ==,
                   log2_elements);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (get (stage, "reuse"))), ==,
                   reuse);
  g_assert_true (g_str_has_suffix (get_label (stage, "best"), best->title));
  for (guint i = 0; i < words->len; i++)
    if (ui_test_find_text (get (stage, "recommendation"), words->pdata[i]) == NULL)
      g_error ("not shown: %s", (const char *) words->pdata[i]);
}

/* --- steps -------------------------------------------------------------------------------- */

static void
do_begin (char **words)
{
  scene.stage = open_page ();
}

/* LOG2 REUSE */
static void
do_shows (char **words)
{
  assert_shows (&scene.stage, (guint) atoi (words[0]), (guint) atoi (words[1]));
}

static GtkEventController *
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    {
      if (GTK_IS_GESTURE_SINGLE (controller)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller))
                 == GDK_BUTTON_SECONDARY)
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
      g_autofree char *read = NULL, *power = memlane_unit_format_power (log2_elements),
                      *start = g_strconcat (power, " ", NULL);

      *x = area.x + area.width / 2;
      *y = area.y + area.height / 2;
      g_signal_emit_by_name (find_controller (GTK_WIDGET (view), GTK_TYPE_EVENT_CONTROLLER_MOTION),
                             "motion", *x, *y);
      read = g_strdup (MEMLANE_FIGURE_WIDGET (view)->reading);
      g_signal_emit_by_name (find_controller (GTK_WIDGET (view), GTK_TYPE_EVENT_CONTROLLER_MOTION),
                             "leave");
      if (g_str_has_prefix (read, start))
        return;
    }
  g_assert_not_reached ();
}

/* LOG2 REUSE: pointing at it paints the overlay alone. */
static void
do_point (char **words)
{
  GtkWidget *view = GTK_WIDGET (get_view (&scene.stage));
  guint figure, overlay, figure_after, overlay_after;
  double x, y;

  figure_test_count_paints (view, &figure, &overlay);
  locate (get_view (&scene.stage), (guint) atoi (words[0]), (guint) atoi (words[1]), &x, &y);
  g_signal_emit_by_name (find_controller (view, GTK_TYPE_EVENT_CONTROLLER_MOTION), "motion", x, y);
  ui_test_next_frame (view);
  figure_test_count_paints (view, &figure_after, &overlay_after);
  g_assert_cmpuint (figure_after, ==, figure);
  g_assert_cmpuint (overlay_after, >, overlay);
}

static void
do_leave (char **words)
{
  GtkWidget *view = GTK_WIDGET (get_view (&scene.stage));

  g_signal_emit_by_name (find_controller (view, GTK_TYPE_EVENT_CONTROLLER_MOTION), "leave");
}

/* [LOG2 REUSE]: without them beside the cells */
static void
do_click_map (char **words)
{
  GtkEventController *click =
      find_controller (GTK_WIDGET (get_view (&scene.stage)), GTK_TYPE_GESTURE_CLICK);
  double x = -5, y = -5;

  if (words[0] != NULL)
    locate (get_view (&scene.stage), (guint) atoi (words[0]), (guint) atoi (words[1]), &x, &y);
  g_signal_emit_by_name (click, "pressed", 1, x, y);
  g_signal_emit_by_name (click, "released", 1, x, y);
}

static MemlaneDecideResult *kept; /* (owned), so that no other has its address */

static void
do_keep_result (char **words)
{
  kept = memlane_decide_result_ref (get_result (&scene.stage));
}

static const SceneVerb verbs[] = {
  { "begin", 0, do_begin },
  { "shows", 2, do_shows },
  { "point", 2, do_point },
  { "leave", 0, do_leave },
  { "click-map", 0, do_click_map },
  { "keep-result", 0, do_keep_result },
  { NULL, 0, NULL },
};

static int
get_text_size (GtkLabel *label)
{
  PangoAttrIterator *iterator = pango_attr_list_get_iterator (gtk_label_get_attributes (label));
  const PangoAttribute *size = pango_attr_iterator_get (iterator, PANGO_ATTR_ABSOLUTE_SIZE);
  int pixels = ((const PangoAttrSize *) size)->size / PANGO_SCALE;

  pango_attr_iterator_destroy (iterator);
  return pixels;
}

static char *
get_fact (gpointer thing, const char *fact)
{
  Stage *stage = &scene.stage;

  if (g_str_equal (fact, "text-size"))
    return g_strdup_printf ("%d", get_text_size (thing));
  if (g_str_equal (fact, "new-result"))
    return scene_from_flag (has_map (stage) && get_result (stage) != kept);
  if (!MEMLANE_IS_DECIDE_PAGE (thing))
    return NULL;
  if (g_str_equal (fact, "rests"))
    return scene_from_flag (rests (stage));
  if (g_str_equal (fact, "has-map"))
    return scene_from_flag (has_map (stage));
  if (g_str_equal (fact, "has-no-map"))
    return scene_from_flag (has_no_map (stage));
  if (g_str_equal (fact, "direction"))
    return g_strdup (memlane_direction_name (get_decision (stage)->direction));
  if (g_str_equal (fact, "asks"))
    return g_strdup (!has_map (stage)                            ? "nothing"
                     : get_decision (stage)->by_pieces != NULL ? "pieces"
                                                               : "vectors");
  if (g_str_equal (fact, "simulated"))
    return scene_from_flag (has_map (stage) && get_decision (stage)->simulated);
  return NULL;
}

/* --- what is no scene -------------------------------------------------------------------- */

/* One answer: heading, time, first sentence, reading and map name the same mode with the same
 * figure, wherever one asks. What is slower is slower than a mode that is named. */
static void
test_one_answer (void)
{
  static const char *const directions[] = { "both", "to-host", "to-device" };
  g_auto (Stage) stage = open_page ();
  guint slower = 0;

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
            words = memlane_decide_to_words (
                memlane_decision_recommend (get_decision (&stage), p, reuse));
            first = words->pdata[0];
            reading = MEMLANE_FIGURE_WIDGET (get_view (&stage))->reading;
            time = g_strndup (get_label (&stage, "best_time"),
                              strcspn (get_label (&stage, "best_time"), ","));
            g_assert_true (g_str_has_suffix (get_label (&stage, "best"), mode->title));
            if (strstr (first, mode->title) == NULL || strstr (first, time) == NULL
                || strstr (reading, mode->title) == NULL || strstr (reading, time) == NULL)
              g_error ("%s, %s\n%s\n%s", get_label (&stage, "best"),
                       get_label (&stage, "best_time"), first, reading);
            if (strstr (get_label (&stage, "best_time"), "and simpler") != NULL)
              {
                g_autofree char *than = NULL;
                MemlaneChoice choice;
                guint n;

                memlane_decision_judge (get_decision (&stage), p, (guint) reuse, &choice);
                than = g_strdup_printf (" %% slower than %s, and simpler.",
                                        memlane_mode_list (&n)[choice.fastest].title);
                if (strstr (get_label (&stage, "best_time"), than) == NULL)
                  g_error ("%s: not%s", get_label (&stage, "best_time"), than);
                slower++;
              }
          }
    }
  g_assert_cmpuint (slower, >, 0);
  activate (&stage, "decide.direction", g_variant_new_string ("both"));
  ui_test_wait (has_map (&stage));
}

static void
show_recorded (Stage *stage, gboolean shown)
{
  g_autoptr (MemlaneRunItem) recorded = stage_find_kind (stage, MEMLANE_RUN_RECORDED);

  memlane_run_item_set_shown (recorded, shown);
}

static gboolean
says_nothing (gpointer data)
{
  return has_no_map (data)
         && g_str_equal (adw_status_page_get_title (ADW_STATUS_PAGE (get (data, "nothing"))),
                         "Not Enough Data");
}

static gboolean
leaves_out_some (gpointer data)
{
  return says_nothing (data)
         && strstr (adw_status_page_get_description (ADW_STATUS_PAGE (get (data, "nothing"))),
                    ", ...")
                != NULL;
}

/* Of twenty runs without a time not each is named. */
static void
test_many_reasons (void)
{
  MemlaneRunItem *items[20];
  g_auto (Stage) stage = open_page ();
  MemlaneRunStore *store = stage.models->runs;

  show_recorded (&stage, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autoptr (GPtrArray) cells =
          g_ptr_array_new_with_free_func ((GDestroyNotify) memlane_cell_unref);
      g_autofree char *name = g_strdup_printf ("run %u", i);

      g_ptr_array_add (cells, memlane_cell_new ("vector-add", "pinned", 10));
      items[i] = memlane_run_store_begin (store, "simulated:h200", "simulated", name);
      memlane_run_store_grow (store, items[i], cells);
    }
  ui_test_wait (leaves_out_some (&stage));
  g_assert_nonnull (
      strstr (adw_status_page_get_description (ADW_STATUS_PAGE (get (&stage, "nothing"))),
              "no total time of vector-add"));
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    memlane_run_store_end (store, items[i], NULL, NULL);
  show_recorded (&stage, TRUE);
}

static guint
count_rows (GtkWidget *list)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) n) != NULL)
    n++;
  return n;
}

/* Forty runs of another machine: as many limitations, of which the first have rows, and the others
 * have them when they are asked for. */
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
      GtkListBoxRow *more =
          gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), (int) count_rows (list) - 1);

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
         && g_list_model_get_n_items (gtk_drop_down_get_model (GTK_DROP_DOWN (get (data, "base"))))
                == 2
         && strstr (get_label (data, "best_time"), "measured") != NULL;
}

static gboolean
is_simulated (gpointer data)
{
  return has_map (data) && get_decision (data)->simulated;
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

      any = any
            || (memlane_decision_forecast (get_decision (data), i, log2, reuse, &forecast)
                && forecast.basis == MEMLANE_BASIS_MEASURED);
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

  /* The runs are of another device. */
  g_assert_false (gtk_widget_get_visible (get (&stage, "measure")));
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
      if (memlane_decision_advise (get_decision (&stage), 14, r, &advice)
          && advice.cause == MEMLANE_SWEEP_FOR_REUSE)
        break;
    }
  ui_test_wait (has_map (&stage) && gtk_widget_get_visible (get (&stage, "measure")));
  g_assert_false (is_measured (&stage));
  g_assert_nonnull (
      strstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "measure"))), "2¹⁴ floats, reuse "));
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

int
main (int argc, char **argv)
{
  int status;

  ui_test_init (&argc, &argv);
  scene.own_verbs = verbs;
  scene.get_own_fact = get_fact;
  scene_add_file ("decide/decide-page.scene");
  g_test_add_func ("/decide-page/one-answer", test_one_answer);
  g_test_add_func ("/decide-page/many-answers", test_many_answers);
  g_test_add_func ("/decide-page/many-reasons", test_many_reasons);
  g_test_add_func ("/decide-page/measure", test_measure);
  status = ui_test_run ();
  g_clear_pointer (&kept, memlane_decide_result_unref);
  return status;
}
