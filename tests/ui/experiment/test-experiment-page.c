/* test-experiment-page.c: the Experiments page in the window: choose, predict, run, reveal; by actions and names
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/each.h"
#include "chart/frame.h"
#include "timeline/timeline-page.h"
#include "chart/answer-words.h"
#include "experiment/still-figure.h"
#include "experiment/experiment-words.h"
#include "ui/experiment-fixture.h"

/* --- a choice ------------------------------------------------------------------------------------------------------------------ */

static gboolean
is_answer (GtkWidget *widget, gpointer title)
{
  g_autofree char *label = GTK_IS_CHECK_BUTTON (widget) ? ui_test_accessible_label (widget) : NULL;

  return g_strcmp0 (label, title) == 0;
}

/* The radio button of an answer. */
static GtkCheckButton *
find_answer (Stage *stage, const char *title)
{
  GtkWidget *button = ui_test_find (get (stage, "prediction"), is_answer, (gpointer) title);

  g_assert_nonnull (button);
  return GTK_CHECK_BUTTON (button);
}

/* No table keeps the wheel from the page. */
static void
assert_wheel_passes (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = GTK_IS_SCROLLED_WINDOW (widget) ? gtk_widget_observe_controllers (widget) : NULL;

  for (guint i = 0; controllers != NULL && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        g_assert_false ((gtk_event_controller_scroll_get_flags (GTK_EVENT_CONTROLLER_SCROLL (controller))
                         & GTK_EVENT_CONTROLLER_SCROLL_VERTICAL) != 0);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    assert_wheel_passes (child);
}

/* Opens each on the way. */
static gboolean
match_unfolding (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_EXPANDER (widget))
    gtk_expander_set_expanded (GTK_EXPANDER (widget), TRUE);
  return FALSE;
}

static gboolean
match_mapped_expander (GtkWidget *widget, gpointer data)
{
  return GTK_IS_EXPANDER (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_selected (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && gtk_label_get_selection_bounds (GTK_LABEL (widget), NULL, NULL);
}

/* The answer is in sight. */
static gboolean
is_revealed (gpointer data)
{
  GtkWidget *scrolled = get (data, "scrolled"), *seen = get (data, "verdict");
  double x, y;

  g_assert_true (gtk_widget_translate_coordinates (seen, scrolled, 0, 0, &x, &y));
  return y >= 0 && y + gtk_widget_get_height (seen) < gtk_widget_get_height (scrolled);
}

static void
test_choice (void)
{
  GtkCheckButton *second;
  GtkWidget *checks, *picture;
  const MemlaneFrame *frame;
  gboolean explained = FALSE;
  g_autofree char *row_name = NULL, *button_name = NULL;
  g_auto (Stage) stage = open_page ("zero-copy");

  g_assert_cmpstr (get_text (&stage, "title"), ==, "Copy first, or read over the link?");
  g_assert_nonnull (strstr (get_text (&stage, "source"), "Experiment 5"));
  g_assert_nonnull (strstr (get_text (&stage, "claim"), "faster"));
  g_assert_nonnull (find_row (&stage, 27));
  g_assert_null (find_row (&stage, 28));
  g_assert_false (is_refused (&stage));

  /* Nothing runs before there is a prediction, and the reason is there. */
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "run")));
  g_assert_nonnull (strstr (get_text (&stage, "place"), "Predict the answer first"));
  g_assert_false (is_seen (&stage, "results"));
  g_assert_false (stage_can (&stage, "save-findings"));
  second = find_answer (&stage, "Zero-copy");
  button_name = ui_test_accessible_label (GTK_WIDGET (second));
  g_assert_cmpstr (button_name, ==, "Zero-copy");
  g_assert_true (gtk_widget_activate (GTK_WIDGET (second)));
  g_assert_cmpint (((MemlaneExperimentItem *) get_item (&stage))->choice, ==, 1);
  ui_test_wait (can_run (&stage));
  g_assert_cmpstr (get_text (&stage, "place"), ==, "on Simulated H200");

  activate (&stage, "experiment.run", NULL);
  g_assert_true (is_seen (&stage, "run"));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (get (&stage, "run"))), ==, "_Stop");
  g_assert_false (stage_can (&stage, "run")); /* a sweep would be disturbed */
  g_assert_true (stage_can (&stage, "stop"));
  g_assert_false (gtk_widget_is_sensitive (GTK_WIDGET (second)));
  ui_test_wait (has_result (&stage));
  ui_test_next_frame (GTK_WIDGET (stage.window));
  ui_test_wait (is_revealed (&stage));
  g_assert_true (stage_can (&stage, "run"));
  g_assert_true (is_seen (&stage, "results"));
  g_assert_nonnull (strstr (get_text (&stage, "verdict_label"), "Not on this device: at 2²⁰, zero-copy is 2.")); /* what decided */
  g_assert_true (is_seen (&stage, "simulated"));
  g_assert_cmpstr (get_text (&stage, "answer"), ==, "Your prediction “Zero-copy” was correct.");
  g_assert_false (is_seen (&stage, "predict")); /* the result says it */
  picture = ui_test_find_type (get (&stage, "sections"), MEMLANE_TYPE_STILL_FIGURE);
  g_assert_nonnull (picture);
  g_assert_true (gtk_widget_get_mapped (picture));
  g_assert_cmpint (gtk_widget_get_height (picture), >, 120); /* five bars */
  frame = memlane_figure_widget_get_layout (MEMLANE_FIGURE_WIDGET (picture));
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, frame->texts)
    {
      g_assert_false (pango_layout_is_ellipsized (text->layout)); /* why published times differ, whole */
      explained = explained || g_str_has_prefix (pango_layout_get_text (text->layout), "Published: 2018, ");
    }
  g_assert_true (explained);
  g_assert_false (gtk_widget_is_sensitive (GTK_WIDGET (second))); /* too late */
  g_assert_true (is_seen (&stage, "run_child"));
  g_assert_false (is_seen (&stage, "timeline_child"));
  checks = ui_test_find_text (get (&stage, "sections"), "Checks: ");
  g_assert_nonnull (checks);
  g_assert_null (ui_test_find_text (get (&stage, "sections"), "How to fix it")); /* it is folded */
  ui_test_find (get (&stage, "sections"), match_unfolding, NULL);
  g_assert_nonnull (ui_test_find_text (get (&stage, "sections"), "Figures at every size"));
  g_assert_nonnull (ui_test_find_text (get (&stage, "sections"), "Article 001, line 447"));
  g_assert_nonnull (strstr (get_text (&stage, "source"), "谭升"));
  assert_wheel_passes (get (&stage, "sections"));
  g_assert_nonnull (ui_test_find_text (get (&stage, "sections"), "GPU of “tony-Lenovo”, 2018"));
  g_assert_nonnull (ui_test_find_text (get (&stage, "sections"), "How to fix it"));
  g_assert_nonnull (ui_test_find_text (find_row (&stage, 4), "Refuted on this device"));
  row_name = ui_test_accessible_label (find_row (&stage, 4));
  g_assert_cmpstr (row_name, ==, "5. Copy first, or read over the link? Refuted on this device");
  g_assert_null (strstr (stage_get_toast (&stage), "Refuted")); /* the page says it */
  ui_test_screenshot (GTK_WIDGET (stage.window), "experiment-choice.png");
  stage_do (&stage, "projector", NULL);
  ui_test_spin (300);
  g_assert_false (is_seen (&stage, "buttons"));
  g_assert_true (gtk_widget_get_mapped (picture)); /* the picture alone, and nothing that would have to be scrolled */
  g_assert_null (ui_test_find (get (&stage, "sections"), match_mapped_expander, NULL));
  stage_do (&stage, "projector", NULL);
  g_assert_true (is_seen (&stage, "buttons"));

  /* Another one, and back: what was found is still there. */
  choose (&stage, "device-query");
  g_assert_false (is_seen (&stage, "results"));
  choose (&stage, "zero-copy");
  g_assert_true (is_seen (&stage, "results"));
  activate (&stage, "experiment.start-over", NULL);
  g_assert_false (is_seen (&stage, "results"));
  g_assert_cmpint (((MemlaneExperimentItem *) get_item (&stage))->choice, ==, -1);
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "run")));
  activate (&stage, "experiment.predict", g_variant_new_int32 (0));
  run (&stage);
  g_assert_nonnull (strstr (get_text (&stage, "answer"), "Correct answer: “Zero-copy”"));
}

/* --- on to the other pages ------------------------------------------------------------------------------------------------------ */

static void
test_onward (void)
{
  MemlaneTimelinePage *timeline;
  g_auto (Stage) stage = open_page ("managed");

  activate (&stage, "experiment.predict", g_variant_new_int32 (0));
  run (&stage);
  g_assert_true (is_seen (&stage, "timeline_child"));
  activate (&stage, "experiment.show-timeline", NULL);
  timeline = MEMLANE_TIMELINE_PAGE (memlane_window_get_page (stage.window, "timeline"));
  g_assert_cmpstr (stage_get_trace (&stage, 0)->name, ==, "Experiment 7 · faulting");
  g_assert_cmpstr (stage_get_trace (&stage, 1)->name, ==, "Experiment 7 · prefetched");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (timeline)));
  {
    guint runs = stage_count_runs (&stage);

    activate (&stage, "experiment.show-run", NULL);
    g_assert_cmpuint (stage_count_runs (&stage), ==, runs + ((MemlaneExperimentItem *) get_item (&stage))->result->runs->len);
    g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (memlane_window_get_page (stage.window, "time"))));
  }
}

/* --- reasons -------------------------------------------------------------------------------------------------------------- */

static void
test_busy (void)
{
  Stage stage = open_page ("device-query");

  activate (&stage, "experiment.skip", NULL);
  g_assert_true (memlane_settings_get_boolean ("experiment-skip", FALSE));
  ui_test_wait (can_run (&stage));
  stage_do (&stage, "run", NULL);
  g_assert_false (gtk_widget_is_sensitive (get (&stage, "run")));
  g_assert_nonnull (strstr (get_text (&stage, "place"), "A sweep is running"));
  ui_test_wait (stage_rests (stage.models));
  ui_test_wait (can_run (&stage));
  stage_do (&stage, "record-trace", NULL);
  stage_do (&stage, "page", g_variant_new_string ("experiments"));
  g_assert_nonnull (strstr (get_text (&stage, "place"), "A trace is being recorded"));
  memlane_trace_store_stop (memlane_window_get_models (stage.window)->traces);
  ui_test_wait (!memlane_trace_store_is_busy (stage.models->traces));

  /* Stopped by the window's own action; then closed while another one runs. */
  choose (&stage, "zero-copy");
  stage_do (&stage, "run-experiment", NULL);
  g_assert_nonnull (ui_test_find_text (GTK_WIDGET (stage.window), "Opening the device"));
  stage_do (&stage, "stop", NULL);
  ui_test_wait (has_result (&stage));
  g_assert_nonnull (strstr (get_text (&stage, "verdict_label"), "stopped early"));
  stage_wait_toast (&stage, "Stopped");
  stage_do (&stage, "run-experiment", NULL);
  stage_close (&stage);
  memlane_settings_set_boolean ("experiment-skip", FALSE);
}

/* --- room ----------------------------------------------------------------------------------------------------------------- */

static void
test_room (void)
{
  g_auto (Stage) stage = open_page ("zero-copy");

  g_assert_false (stage_can (&stage, "side-panel")); /* the page's own is the only one */
  ui_test_wait (!is_seen (&stage, "narrow_bar") && is_seen (&stage, "side"));
  gtk_window_set_default_size (GTK_WINDOW (stage.window), 320, 240);
  ui_test_wait (is_seen (&stage, "narrow_bar") && !is_seen (&stage, "side"));
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (get (&stage, "titles"))), ==, 4);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (get (&stage, "titles")), 6);
  g_assert_cmpstr (((MemlaneExperimentItem *) get_item (&stage))->experiment->name, ==, "managed");
  g_assert_true (ui_test_has_name (get (&stage, "titles")));
  g_assert_true (ui_test_has_name (get (&stage, "narrow_open")));
  ui_test_spin (300);
  g_assert_true (is_seen (&stage, "narrow_bar")
                 && !is_seen (&stage, "side")); /* and does not fold and unfold in turns */
  ui_test_screenshot (GTK_WIDGET (stage.window), "experiment-narrow.png");
  gtk_window_set_default_size (GTK_WINDOW (stage.window), 1280, 720);
  ui_test_wait (!is_seen (&stage, "narrow_bar") && is_seen (&stage, "side"));

  stage_do (&stage, "projector", NULL);
  g_assert_cmpstr (get_text (&stage, "title"), ==, "Does managed memory move by itself, and at what cost?");
  g_assert_false (gtk_widget_grab_focus (get (&stage, "claim"))); /* Tab passes it */
  g_assert_null (ui_test_find (GTK_WIDGET (stage.window), is_selected, NULL)); /* it would be blue on the wall */
  g_assert_false (gtk_widget_get_visible (get (&stage, "side")));
  g_assert_true (is_seen (&stage, "title"));
  stage_do (&stage, "projector", NULL);
  ui_test_wait (!is_seen (&stage, "narrow_bar") && is_seen (&stage, "side"));
}

/* What a file and the engine type in ASCII is read as people write it. */
static void
test_typeset (void)
{
  static const struct { const char *typed, *read; } cases[] = {
    { "Which is done sooner at 2^20 floats?", "Which is done sooner at 2²⁰ floats?" },
    { "from 2^10 to 2^20.", "from 2¹⁰ to 2²⁰." },
    { "x2^3, 2^n, 12^4 and 5 users use us", "x2^3, 2^n, 12^4 and 5 users use us" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *set = memlane_words_typeset (cases[i].typed);

      g_assert_cmpstr (set, ==, cases[i].read);
    }
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/experiment-page/typeset", test_typeset);
  g_test_add_func ("/experiment-page/choice", test_choice);
  g_test_add_func ("/experiment-page/onward", test_onward);
  g_test_add_func ("/experiment-page/busy", test_busy);
  g_test_add_func ("/experiment-page/room", test_room);
  return ui_test_run ();
}
