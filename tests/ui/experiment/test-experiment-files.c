/* test-experiment-files.c: a teacher's own experiment comes in, or is refused; findings and cells go out
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "ui/dialog-fixture.h"
#include "ui/experiment-fixture.h"

static gboolean
shows_mine (gpointer data)
{
  return get_item (data) != NULL && g_strcmp0 (((MemlaneExperimentItem *) get_item (data))->experiment->title, "Mine & yours <b>") == 0;
}

#define MINE                                                                                                                         \
  "[Experiment]\ntitle=Mine & yours <b>\nquestion=Is it?\nclaim=It is.\nexplanation=So.\n\n[Sweep s]\nworkload=copy-to-device\n"     \
  "modes=pageable;pinned\nsizes=14\ncell-seconds=0.01\n\n[Check c]\nclaim=C.\ntest=pageable/upload@14 > pinned/upload@14\n"

static void
test_files (void)
{
  Stage stage;
  g_autofree char *good = ui_test_path ("mine.experiment"), *bad = ui_test_path ("bad.experiment");
  g_autofree char *findings = ui_test_path ("findings.csv"), *cells = ui_test_path ("cells.csv");
  g_autofree char *page = ui_test_path ("page.html");
  g_autofree char *text = NULL, *kept = NULL;
  g_autoptr (GFile) good_file = g_file_new_for_path (good), bad_file = g_file_new_for_path (bad);

  g_assert_true (g_file_set_contents (good, MINE, -1, NULL));
  g_assert_true (g_file_set_contents (bad, MINE "sizes=99\n", -1, NULL));
  stage = stage_open ();
  memlane_window_open_file (stage.window, bad_file); /* as dialog, drop and command line do */
  ui_test_wait (is_refused (&stage));
  g_assert_nonnull (strstr (get_text (&stage, "refused_text"), "bad.experiment:16:"));
  g_assert_true (is_seen (&stage, "refused"));
  memlane_window_open_file (stage.window, good_file);
  ui_test_wait (shows_mine (&stage));
  g_assert_false (is_refused (&stage));
  g_assert_cmpstr (get_text (&stage, "source"), ==, good);
  g_assert_false (is_seen (&stage, "predict"));
  run (&stage);
  g_assert_nonnull (strstr (get_text (&stage, "verdict_label"), "times as long"));

  stage_do (&stage, "save-findings", NULL);
  dialog_answer ("findings.csv", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved findings.csv");
  g_assert_true (g_file_get_contents (findings, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "experiment,device,"));
  g_clear_pointer (&text, g_free);
  stage_do (&stage, "save-cells", NULL);
  dialog_answer ("cells.csv", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved cells.csv");
  g_assert_true (g_file_get_contents (cells, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "run,device,"));
  g_clear_pointer (&text, g_free);
  stage_do (&stage, "export-page", NULL);
  dialog_answer ("page", GTK_RESPONSE_ACCEPT); /* its ending comes by itself */
  stage_wait_toast (&stage, "Saved page.html");
  g_assert_true (g_file_get_contents (page, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "<!DOCTYPE html>"));
  g_assert_nonnull (strstr (text, "<h2>Mine &amp; yours &lt;b&gt;</h2>"));
  g_assert_nonnull (strstr (text, "class=\"live-curves\"")); /* of the recorded run, which the window shows */
  stage_do (&stage, "save-cells", NULL);
  dialog_answer (NULL, GTK_RESPONSE_CANCEL);
  kept = memlane_settings_get_string ("experiment", NULL);
  g_assert_cmpstr (kept, ==, good);
  stage_close (&stage);

  /* It is there again at the next start, as long as the file is. */
  stage = stage_open ();
  stage_do (&stage, "page", g_variant_new_string ("experiments"));
  ui_test_wait (shows_mine (&stage));
  stage_close (&stage);
  g_assert_cmpint (g_unlink (good), ==, 0);
  stage = stage_open ();
  stage_do (&stage, "page", g_variant_new_string ("experiments"));
  ui_test_wait (has_item (&stage));
  g_assert_cmpuint (((MemlaneExperimentItem *) get_item (&stage))->experiment->number, ==, 1);
  stage_close (&stage);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/experiment-files/in-and-out", test_files);
  return ui_test_run ();
}
