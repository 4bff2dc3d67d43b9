/* test-timeline-export.c: the timeline as a file, on the clipboard and on paper, and the trace as JSON
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "ui/timeline-page-fixture.h"
#include "ui/export-fixture.h"
#include "trace/trace.h"
#include "engine/same-trace.h"

static void
test_export (void)
{
  g_autofree char *json = ui_test_path ("exported.json");
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) back = NULL;
  g_auto (Stage) stage = open_page ();

  g_assert_null (memlane_export_create_content (GTK_WIDGET (get_view (&stage)), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "record or open a trace"));
  g_clear_error (&error);
  record (&stage, "streams-breadth-first", NULL, 14);
  export_test_figure (&stage, GTK_WIDGET (get_view (&stage)), "SIMULATED");
  stage_do (&stage, "export-trace", NULL);
  dialog_answer ("exported", GTK_RESPONSE_ACCEPT); /* its ending comes by itself */
  stage_wait_toast (&stage, "Saved exported.json");
  back = memlane_trace_read_json (json, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_same_trace (back, get_view (&stage)->tracks[0].trace));
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/timeline-export/all", test_export);
  return ui_test_run ();
}
