/* test-export.c: figures and rows as files, clipboard: written, then read back; export.scene has
 * the dialogs
 *
 * SPDX-License-Identifier: MIT
 */
#define UI_TEST_OPENS_FILES
#include "chart/export.h"
#include "parts/export-dialog.h"
#include "parts/settings.h"
#include "result/csv.h"
#include "ui/window-fixture.h"

static GtkWidget *
get_view (Stage *stage)
{
  return GTK_WIDGET (MEMLANE_CHART_VIEW (
      memlane_page_get_figure (memlane_window_get_page (stage->window, "bandwidth"))));
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
  g_autofree char *path = ui_test_path ("figure.docx"),
                  *missing = ui_test_path ("no/such/folder/figure.png");
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
  g_autoptr (GMemoryOutputStream) stream =
      G_MEMORY_OUTPUT_STREAM (g_memory_output_stream_new_resizable ());
  Pasted pasted = { stream, FALSE };
  g_autoptr (GBytes) bytes = NULL;
  g_auto (Stage) stage = stage_open_drawn ();
  g_autoptr (GdkContentProvider) content =
      memlane_export_create_content (get_view (&stage), &error);

  g_assert_no_error (error);
  formats = gdk_content_provider_ref_formats (content);
  g_assert_true (gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE));
  g_assert_true (gdk_content_formats_contain_mime_type (formats, "image/svg+xml"));
  gdk_content_provider_write_mime_type_async (content, "image/svg+xml", G_OUTPUT_STREAM (stream),
                                              G_PRIORITY_DEFAULT, NULL, pasted_cb, &pasted);
  ui_test_wait (pasted.done);
  g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, NULL);
  bytes = g_memory_output_stream_steal_as_bytes (stream);
  g_assert_nonnull (
      g_strstr_len (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "<svg"));

  stage_do (&stage, "copy-figure", NULL);
  stage_wait_toast (&stage, "Copied");
}

/* The preferences offer no size that a figure would be refused for, or that would take a second to
 * draw. */
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

int
main (int argc, char **argv)
{
  ui_test_init (&argc, &argv);
  g_test_add_func ("/export/figures", test_figures);
  g_test_add_func ("/export/refused", test_refused);
  g_test_add_func ("/export/clipboard", test_clipboard);
  g_test_add_func ("/export/largest", test_largest);
  return ui_test_run ();
}
