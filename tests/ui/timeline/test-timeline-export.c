/* test-timeline-export.c: the timeline as a file, on the clipboard and on paper, and the trace as JSON
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "ui/dialog-fixture.h"
#include "parts/export-dialog.h"
#include "ui/timeline-page-fixture.h"
#include "trace/chrome-json.h"
#include "engine/same-trace.h"

static void
test_export (void)
{
  static const char *const endings[] = { "png", "svg", "pdf" };
  Stage stage;
  g_autofree char *json = ui_test_path ("exported.json"), *print = ui_test_path ("printed.pdf");
  g_autoptr (GError) error = NULL;
  g_autoptr (MemlaneTrace) back = NULL;
  g_autoptr (GdkContentProvider) content = NULL;

  open_page (&stage);
  g_assert_null (memlane_export_create_content (GTK_WIDGET (get_view (&stage)), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "record or open a trace"));
  g_clear_error (&error);
  record (&stage, "streams-breadth-first", NULL, 14);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strdup_printf ("timeline.%s", endings[i]), *path = ui_test_path (name), *text = NULL;
      g_autoptr (GFile) file = g_file_new_for_path (path);
      gsize length;

      g_assert_true (memlane_export_figure_to (GTK_WIDGET (get_view (&stage)), file, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &text, &length, NULL));
      g_assert_cmpuint (length, >, 2000);
      if (i == 1)
        g_assert_nonnull (strstr (text, "SIMULATED"));
    }
  stage_do (&stage, "export-figure", NULL);
  dialog_answer ("by-dialog.svg", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved by-dialog.svg");
  stage_do (&stage, "export-trace", NULL);
  dialog_answer ("exported", GTK_RESPONSE_ACCEPT); /* its ending comes by itself */
  stage_wait_toast (&stage, "Saved exported.json");
  back = memlane_trace_read_json (json, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_same_trace (back, memlane_timeline_view_get_trace (get_view (&stage), 0)));

  content = memlane_export_create_content (GTK_WIDGET (get_view (&stage)), &error);
  g_assert_no_error (error);
  stage_do (&stage, "copy-figure", NULL);
  stage_wait_toast (&stage, "Copied the figure");
  g_assert_true (memlane_export_print_to (GTK_WIDGET (get_view (&stage)), print, &error));
  g_assert_no_error (error);
  stage_close (&stage);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/timeline-export/all", test_export);
  return ui_test_run ();
}
