/* test-export.c: figures and rows as files, clipboard and print: written, then read back
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "ui/dialog-fixture.h"
#include "chart/export.h"
#include "parts/export-dialog.h"
#include "parts/settings.h"
#include "result/csv.h"
#include "ui/window-fixture.h"

static GtkWidget *
get_view (Stage *stage)
{
  return GTK_WIDGET (MEMLANE_CHART_VIEW (memlane_page_get_figure (memlane_window_get_page (stage->window, "bandwidth"))));
}

static char *
export_to (Stage *stage, const char *name)
{
  char *path = ui_test_path (name);
  g_autoptr (GError) error = NULL;

  stage_export (get_view (stage), path, &error);
  g_assert_no_error (error);
  return path;
}

static void
test_figures (void)
{
  g_autofree char *svg = NULL, *pdf = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  g_auto (Stage) stage = stage_open_drawn ();
  g_autofree char *png = export_to (&stage, "figure.png");
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (png, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 1280);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, 720);

  svg = export_to (&stage, "figure.SVG");
  g_assert_true (g_file_get_contents (svg, &text, &length, NULL));
  g_assert_nonnull (strstr (text, "<svg"));
  g_assert_nonnull (strstr (text, "<title>"));
  g_assert_nonnull (strstr (text, "H100")); /* the device is on the figure */
  g_clear_pointer (&text, g_free);

  pdf = export_to (&stage, "figure.pdf");
  g_assert_true (g_file_get_contents (pdf, &text, &length, NULL));
  g_assert_true (g_str_has_prefix (text, "%PDF-"));
}

static void
test_refused (void)
{
  g_autofree char *path = ui_test_path ("figure.docx"), *missing = ui_test_path ("no/such/folder/figure.png");
  g_autoptr (GError) error = NULL;
  g_auto (Stage) stage = stage_open_drawn ();

  g_assert_false (stage_export (get_view (&stage), path, &error));
  g_assert_nonnull (strstr (error->message, "svg"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_clear_error (&error);

  g_assert_false (stage_export (get_view (&stage), missing, &error));
  g_assert_nonnull (strstr (error->message, "figure.png"));
}

typedef struct
{
  GMemoryOutputStream *stream;
  gboolean done;
} Pasted;

static void
pasted_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Pasted *pasted = data;
  g_autoptr (GError) error = NULL;

  gdk_content_provider_write_mime_type_finish (GDK_CONTENT_PROVIDER (source), result, &error);
  g_assert_no_error (error);
  pasted->done = TRUE;
}

static void
test_clipboard (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkContentFormats) formats = NULL;
  g_autoptr (GMemoryOutputStream) stream = G_MEMORY_OUTPUT_STREAM (g_memory_output_stream_new_resizable ());
  Pasted pasted = { stream, FALSE };
  g_autoptr (GBytes) bytes = NULL;
  g_auto (Stage) stage = stage_open_drawn ();
  g_autoptr (GdkContentProvider) content =
      memlane_export_create_content (get_view (&stage), &error);

  g_assert_no_error (error);
  formats = gdk_content_provider_ref_formats (content);
  g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  gdk_content_provider_write_mime_type_async (content, "image/svg+xml", G_OUTPUT_STREAM (stream), G_PRIORITY_DEFAULT, NULL, pasted_cb,
                                              &pasted);
  ui_test_wait (pasted.done);
  g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, NULL);
  bytes = g_memory_output_stream_steal_as_bytes (stream);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "<svg"));

  stage_do (&stage, "copy-figure", NULL);
  stage_wait_toast (&stage, "Copied");
}

/* The preferences offer no size that a figure would be refused for, or that would take a second to draw. */
static void
test_largest (void)
{
  static const char *const keys[] = { "export-width", "export-height" };
  gint64 pixels = 1;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autoptr (GSettingsSchema) schema = NULL;
      g_autoptr (GSettingsSchemaKey) key = NULL;
      g_autoptr (GVariant) range = NULL, limits = NULL;
      int least, most;

      g_object_get (memlane_settings_get (), "settings-schema", &schema, NULL);
      key = g_settings_schema_get_key (schema, keys[i]);
      range = g_settings_schema_key_get_range (key);
      g_variant_get (range, "(sv)", NULL, &limits);
      g_variant_get (limits, "(ii)", &least, &most);
      g_assert_cmpint (least, >=, MEMLANE_EXPORT_LEAST);
      pixels *= most;
    }
  g_assert_cmpint (pixels, <=, MEMLANE_EXPORT_MOST_PIXELS);
}

/* --- by the dialog ------------------------------------------------------------------------------------------ */

static void
test_dialog (void)
{
  g_autofree char *png = ui_test_path ("asked.png"), *csv = ui_test_path ("asked.csv");
  g_auto (Stage) stage = stage_open_drawn ();

  stage_do (&stage, "export-figure", NULL);
  dialog_answer (NULL, GTK_RESPONSE_CANCEL);
  g_assert_cmpstr (stage_get_toast (&stage), ==, "");

  stage_do (&stage, "export-figure", NULL);
  dialog_answer ("asked", GTK_RESPONSE_ACCEPT); /* no ending: PNG */
  stage_wait_toast (&stage, "Saved asked.png");
  g_assert_true (g_file_test (png, G_FILE_TEST_IS_REGULAR));

  stage_do (&stage, "export-figure", NULL);
  dialog_answer ("asked", GTK_RESPONSE_ACCEPT); /* nobody was asked whether asked.png may be replaced */
  stage_wait_toast (&stage, "already exists");

  stage_do (&stage, "export-csv", NULL);
  dialog_answer ("asked.csv", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved asked.csv");
  g_assert_true (g_file_test (csv, G_FILE_TEST_IS_REGULAR));
}

/* Title, caption, size and format are chosen before the file; the preview shows them. */
static void
test_choices (void)
{
  GtkWidget *dialog, *title, *picture;
  GdkPaintable *before, *after;
  g_autofree char *svg = ui_test_path ("chosen.svg"), *text = NULL;
  g_auto (Stage) stage = stage_open_drawn ();

  stage_do (&stage, "export-figure", NULL);
  dialog = dialog_find_preview ();
  g_assert_nonnull (dialog);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (dialog)) == gtk_window_get_default_widget (GTK_WINDOW (dialog)));
  picture = ui_test_find_type (dialog, GTK_TYPE_PICTURE);
  before = gtk_picture_get_paintable (GTK_PICTURE (picture));
  g_assert_nonnull (before);
  g_object_ref (before);
  title = ui_test_find_type (dialog, ADW_TYPE_ENTRY_ROW);
  gtk_editable_set_text (GTK_EDITABLE (title), "Copies on our server");
  after = gtk_picture_get_paintable (GTK_PICTURE (picture));
  g_assert_true (after != NULL && after != before);
  g_object_unref (before);
  ui_test_next_frame (dialog);
  ui_test_screenshot (dialog, "figure-export.png");
  dialog_answer ("chosen.svg", GTK_RESPONSE_ACCEPT);
  stage_wait_toast (&stage, "Saved chosen.svg");
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "<svg"));

  /* Whoever closes the window has changed nothing. */
  stage_do (&stage, "export-figure", NULL);
  gtk_widget_activate_action (dialog_find_preview (), "export.cancel", NULL);
  ui_test_spin (50);
  g_assert_null (dialog_find_preview ());
  g_assert_null (dialog_find ());
}

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/export/figures", test_figures);
  g_test_add_func ("/export/refused", test_refused);
  g_test_add_func ("/export/clipboard", test_clipboard);
  g_test_add_func ("/export/largest", test_largest);
  g_test_add_func ("/export/dialog", test_dialog);
  g_test_add_func ("/export/choices", test_choices);
  return ui_test_run ();
}
