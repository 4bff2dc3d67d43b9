/* test-trip.c: the whole way through the window: choose, run, stop, compare, delete, bring back, start again
 *
 * SPDX-License-Identifier: MIT
 */
#include "result/csv.h"
#include "timeline/timeline-page.h"
#include "ui/window-fixture.h"

static const char *const few[] = { "pageable", "pinned", "managed", NULL };

static void
test_run (void)
{
  g_autoptr (MemlaneRunItem) item = NULL;
  MemlaneRun *run;
  g_auto (Stage) stage = stage_open ();

  stage_choose_modes (&stage, few);
  g_assert_false (stage_can (&stage, "stop"));
  stage_sweep (&stage);
  g_assert_true (stage_can (&stage, "run"));

  item = stage_find_kind (&stage, MEMLANE_RUN_KEPT);
  g_assert_nonnull (item);
  run = item->run;
  g_assert_cmpuint (run->cells->len, ==, 9);
  g_assert_nonnull (memlane_run_find (run, "vector-add", "managed", 11));
  g_assert_true (item->facts.simulated);
  g_assert_true (g_file_test (item->path, G_FILE_TEST_IS_REGULAR));
}

/* The keys for Record do what the tab that is seen says: in the laboratory its two orders, not one sample of a mode. */
static void
test_record_in_the_laboratory (void)
{
  GtkWidget *nothing;
  g_auto (Stage) stage = stage_open ();
  GtkWidget *page = GTK_WIDGET (memlane_window_get_page (stage.window, "timeline"));

  g_action_group_change_action_state (G_ACTION_GROUP (stage.window), "page", g_variant_new_string ("timeline"));
  nothing = ui_test_find_id (page, "nothing");
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (nothing)), "Pinned"));
  gtk_stack_set_visible_child_name (GTK_STACK (ui_test_find_id (page, "kinds")), "lab");
  g_assert_nonnull (strstr (adw_status_page_get_description (ADW_STATUS_PAGE (nothing)), "Depth-first, then Breadth-first"));
  stage_do (&stage, "record-trace", NULL);
  ui_test_wait (stage_get_trace (&stage, 1) != NULL && stage_can (&stage, "record-trace"));
  g_action_group_change_action_state (G_ACTION_GROUP (stage.window), "page", g_variant_new_string ("bandwidth")); /* it is remembered */
}

static void
test_stop_in_the_middle (void)
{
  Stage stage;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  guint before, measured;

  stage = stage_open ();
  before = stage_count_runs (&stage);
  /* Much more than can be done while the test looks away. */
  g_object_set (stage.models->plan, "first-log2", 10, "last-log2", 26, "cell-seconds", 2.0, "precision", 0.0001, NULL);
  memlane_mode_set_put_all (models_get_plan (stage.models), TRUE);
  stage_do (&stage, "run", NULL);
  ui_test_wait (stage_has_live_cells (&stage));
  g_assert_false (stage_can (&stage, "run"));
  stage_do (&stage, "stop", NULL);
  ui_test_wait (stage_rests (stage.models));

  {
    g_autoptr (MemlaneRunItem) item = stage_find_kind (&stage, MEMLANE_RUN_KEPT);

    g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
    measured = item->run->cells->len;
    g_assert_cmpuint (measured, >=, 3);
    path = g_strdup (item->path);
  }
  stage_close (&stage);

  /* It is on disk, and there again at the next start. */
  runs = memlane_csv_read (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (((MemlaneRun *) runs->pdata[0])->cells->len, ==, measured);
  stage = stage_open ();
  g_assert_cmpuint (stage_count_runs (&stage), ==, before + 1);
  stage_close (&stage);
}

static void
test_compare (void)
{
  const char *sentence;
  GtkWidget *label;
  guint i, n;
  g_auto (Stage) stage = stage_open ();

  stage_choose_modes (&stage, few);
  stage_sweep (&stage);
  n = stage_count_runs (&stage);
  for (i = 0; i < n; i++)
    {
      g_autoptr (MemlaneRunItem) item = g_list_model_get_item (G_LIST_MODEL (stage.models->runs), i);

      memlane_run_item_set_shown (item, i == 0 || item->kind == MEMLANE_RUN_RECORDED);
    }
  ui_test_wait (stage_has_read (stage.models));
  stage_do (&stage, "compare", NULL);
  ui_test_wait (memlane_page_has_figure (memlane_window_get_page (stage.window, "compare")));
  label = ui_test_find_id (GTK_WIDGET (memlane_window_get_page (stage.window, "compare")), "difference");
  sentence = gtk_label_get_text (GTK_LABEL (label));
  g_assert_cmpstr (sentence, !=, "");
  g_assert_cmpint (g_utf8_strlen (sentence, -1), <=, 200); /* a simulated device was calibrated from a dozen runs */
  g_assert_null (strstr (sentence, "Z-")); /* no run by its id */
  g_test_message ("%s", sentence);
  stage_do (&stage, "compare", NULL);
}

/* What the person has set is there at the next start. */
static void
test_state_restored (void)
{
  Stage stage = stage_open ();

  stage_do (&stage, "page", g_variant_new_string ("time"));
  g_object_set (stage.models->view, "time-phase", MEMLANE_PHASE_UPLOAD, NULL);
  g_action_group_change_action_state (G_ACTION_GROUP (stage.window), "side-panel", g_variant_new_boolean (FALSE));
  stage_choose_modes (&stage, few);
  stage_close (&stage);

  stage = stage_open ();
  {
    g_autoptr (GVariant) page = g_action_group_get_action_state (G_ACTION_GROUP (stage.window), "page");
    g_autoptr (GVariant) side = g_action_group_get_action_state (G_ACTION_GROUP (stage.window), "side-panel");
    int phase;

    g_object_get (stage.models->view, "time-phase", &phase, NULL);
    g_assert_cmpstr (g_variant_get_string (page, NULL), ==, "time");
    g_assert_cmpint (phase, ==, MEMLANE_PHASE_UPLOAD);
    g_assert_false (g_variant_get_boolean (side));
  }
  g_assert_true (memlane_mode_set_has (models_get_plan (stage.models), "managed"));
  g_assert_false (memlane_mode_set_has (models_get_plan (stage.models), "mapped"));
  stage_do (&stage, "page", g_variant_new_string ("bandwidth"));
  g_action_group_change_action_state (G_ACTION_GROUP (stage.window), "side-panel", g_variant_new_boolean (TRUE));
  stage_close (&stage);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/trip/record-in-the-laboratory", test_record_in_the_laboratory);
  g_test_add_func ("/trip/run", test_run);
  g_test_add_func ("/trip/stop-in-the-middle", test_stop_in_the_middle);
  g_test_add_func ("/trip/compare", test_compare);
  g_test_add_func ("/trip/state-restored", test_state_restored);
  return ui_test_run ();
}
