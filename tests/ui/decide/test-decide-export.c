/* test-decide-export.c: what goes out of the Decide page: the figure, the map as CSV, the answers as text
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES

#include "ui/decide-fixture.h"
#include "ui/dialog-fixture.h"
#include "parts/export-dialog.h"
#include "model/decider.h"

static gboolean
has_text (gpointer data)
{
  return *(char **) data != NULL;
}

static void
clipboard_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static void
test_out (void)
{
  static const char *const endings[] = { "png", "svg", "pdf" };
  Stage stage;
  g_autofree char *print = ui_test_path ("decide-print.pdf"), *csv = ui_test_path ("by-dialog.csv"), *rows = NULL;
  g_autofree char *copied = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkContentProvider) content = NULL;

  open_page (&stage);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strdup_printf ("decide.%s", endings[i]), *path = ui_test_path (name), *written = NULL;
      g_autoptr (GFile) file = g_file_new_for_path (path);
      gsize length;

      g_assert_true (memlane_export_figure_to (GTK_WIDGET (get_view (&stage)), file, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &written, &length, NULL));
      g_assert_cmpuint (length, >, 2000);
      if (i == 1)
        g_assert_nonnull (strstr (written, "<desc>"));
    }
  stage_do (&stage, "export-figure", NULL);
  dialog_answer ("by-dialog.svg", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved by-dialog.svg");

  /* The CSV is that of the map. */
  stage_do (&stage, "export-csv", NULL);
  dialog_answer ("by-dialog", GTK_RESPONSE_ACCEPT); /* its ending comes by itself */
  stage_wait_toast (&stage, "Saved by-dialog.csv");
  g_assert_true (g_file_get_contents (csv, &rows, NULL, NULL));
  g_assert_true (g_str_has_prefix (rows, "device,device_kind,workload,direction,log2_elements"));
  g_assert_nonnull (strstr (rows, ",vector-add,both,20,1048576,4194304,1,mapped,zero-copy,"));

  content = memlane_export_create_content (GTK_WIDGET (get_view (&stage)), &error);
  g_assert_no_error (error);
  stage_do (&stage, "copy-figure", NULL);
  stage_wait_toast (&stage, "Copied the figure");
  g_assert_true (memlane_export_print_to (GTK_WIDGET (get_view (&stage)), print, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (print, G_FILE_TEST_EXISTS));

  activate (&stage, "decide.copy", NULL);
  stage_wait_toast (&stage, "Copied the answers");
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (stage.window)), NULL, clipboard_cb, &copied);
  ui_test_wait (has_text, &copied);
  text = memlane_decide_result_to_text (memlane_decide_page_get_result (get_page (&stage)), 20, 1);
  g_assert_cmpstr (copied, ==, text);
  g_assert_nonnull (strstr (copied, "\nRecommendation\n- 2²⁰ floats"));
  g_assert_nonnull (strstr (copied, "\nCrossovers\n- "));
  g_assert_nonnull (strstr (copied, "\nBreak-Evens\n- "));
  g_assert_nonnull (strstr (copied, "\nLatency and Bandwidth\n- "));
  stage_close (&stage);
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/decide-export/out", test_out);
  return ui_test_run ();
}
