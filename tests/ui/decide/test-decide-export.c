/* test-decide-export.c: what goes out of the Decide page: the figure, the map as CSV, the answers as text
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES

#include "ui/decide-fixture.h"
#include "ui/export-fixture.h"
#include "model/decider.h"

static void
test_out (void)
{
  g_autofree char *csv = ui_test_path ("by-dialog.csv"), *rows = NULL;
  g_autofree char *copied = NULL, *text = NULL;
  g_auto (Stage) stage = open_page ();

  export_test_figure (&stage, GTK_WIDGET (get_view (&stage)), "<desc>");

  /* The CSV is that of the map. */
  stage_do (&stage, "export-csv", NULL);
  dialog_answer ("by-dialog", GTK_RESPONSE_ACCEPT); /* its ending comes by itself */
  stage_wait_toast (&stage, "Saved by-dialog.csv");
  g_assert_true (g_file_get_contents (csv, &rows, NULL, NULL));
  g_assert_true (g_str_has_prefix (rows, "device,device_kind,workload,direction,log2_elements"));
  g_assert_nonnull (strstr (rows, ",vector-add,both,20,1048576,4194304,1,mapped,zero-copy,"));

  activate (&stage, "decide.copy", NULL);
  stage_wait_toast (&stage, "Copied the answers");
  copied = ui_test_read_clipboard (GTK_WIDGET (stage.window));
  text = memlane_decide_result_to_text (get_result (&stage), 20, 1);
  g_assert_cmpstr (copied, ==, text);
  g_assert_nonnull (strstr (copied, "\nRecommendation\n- 2²⁰ floats"));
  g_assert_nonnull (strstr (copied, "\nCrossovers\n- "));
  g_assert_nonnull (strstr (copied, "\nPrice of Page-Locking\n- "));
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/decide-export/out", test_out);
  return ui_test_run ();
}
