/* test-export.c: figures as files: SVG, PNG, PDF
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

#include <string.h>

#include "chart/export.h"
#include "chart/plot/plot-layout.h"
#include "base/each.h"

static const MemlaneView fit = MEMLANE_VIEW_FIT;

static GBytes *
export (MemlaneChart *chart, const MemlaneExportFormat *format, int width, int height, double scale)
{
  g_autoptr (MemlaneDrawing) drawing = memlane_plot_drawing_new (chart, NULL);
  g_autoptr (GError) error = NULL;
  GBytes *bytes =
    memlane_export_to_bytes (drawing, memlane_style_get (MEMLANE_STYLE_SCREEN), format, width, height, scale, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

/* --- SVG ----------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  GString *title, *description;
  int depth;
  GString *text;       /* where text goes now, or NULL */
  GPtrArray *paths;    /* (element-type utf8): the "d" of every path that is drawn with a line, outside of <defs> */
  int definitions;
  char *width, *height;
} Document;

static void
start_cb (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer user_data, GError **error)
{
  Document *document = user_data;

  if (document->depth++ == 0)
    {
      g_assert_cmpstr (element, ==, "svg");
      for (guint i = 0; names[i] != NULL; i++)
        if (g_str_equal (names[i], "width"))
          document->width = g_strdup (values[i]);
        else if (g_str_equal (names[i], "height"))
          document->height = g_strdup (values[i]);
    }
  else if (document->depth == 2 && g_str_equal (element, "title"))
    document->text = document->title;
  else if (document->depth == 2 && g_str_equal (element, "desc"))
    document->text = document->description;
  if (g_str_equal (element, "defs"))
    document->definitions++;
  if (g_str_equal (element, "path") && document->definitions == 0)
    {
      const char *d = NULL, *style = "", *stroke = NULL;

      for (guint i = 0; names[i] != NULL; i++)
        if (g_str_equal (names[i], "d"))
          d = values[i];
        else if (g_str_equal (names[i], "style"))
          style = values[i];
        else if (g_str_equal (names[i], "stroke"))
          stroke = values[i];
      g_assert_nonnull (d);
      if (strstr (style, "stroke:rgb") != NULL || (stroke != NULL && !g_str_equal (stroke, "none")))
        g_ptr_array_add (document->paths, g_strdup (d));
    }
}

static void
end_cb (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Document *document = user_data;

  document->depth--;
  document->text = NULL;
  if (g_str_equal (element, "defs"))
    document->definitions--;
}

static void
text_cb (GMarkupParseContext *context, const char *text, gsize length, gpointer user_data, GError **error)
{
  Document *document = user_data;

  if (document->text != NULL)
    g_string_append_len (document->text, text, length);
}

static void
document_read (Document *document, GBytes *bytes)
{
  static const GMarkupParser parser = { .start_element = start_cb, .end_element = end_cb, .text = text_cb };
  g_autoptr (GMarkupParseContext) context = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  *document = (Document){ g_string_new (NULL), g_string_new (NULL), .paths = g_ptr_array_new_with_free_func (g_free) };
  context = g_markup_parse_context_new (&parser, 0, document, NULL);
  g_assert_true (g_utf8_validate (text, length, NULL));
  g_markup_parse_context_parse (context, text, length, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
}

static void
document_clear (Document *document)
{
  g_string_free (document->title, TRUE);
  g_string_free (document->description, TRUE);
  g_ptr_array_unref (document->paths);
  g_free (document->width);
  g_free (document->height);
}

/* Whether the path goes through the point: "M x y L x y ...", with or without commas. */
static gboolean
passes (const char *path, double x, double y)
{
  g_auto (GStrv) words = g_strsplit_set (path, " ,", -1);
  double numbers[2] = { NAN, NAN };
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *end;
      double number = g_ascii_strtod (words[i], &end);

      if (end == words[i] || *end != '\0')
        {
          n = 0;
          continue;
        }
      numbers[n++ % 2] = number;
      if (n % 2 == 0 && fabs (numbers[0] - x) < 0.02 && fabs (numbers[1] - y) < 0.02)
        return TRUE;
    }
  return FALSE;
}

/* The curves in the file go through the points that the screen's layout names. */
static void
test_svg_agrees (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (2, MEMLANE_QUANTITY_BANDWIDTH);
  g_autoptr (MemlanePlot) plot = lay_out (chart, &fit, MEMLANE_STYLE_SCREEN, 800, 500);
  g_autoptr (GBytes) bytes = export (chart, memlane_export_find (".svg"), 800, 500, 1);
  const GArray *points = plot->points;
  Document document;
  guint found = 0;

  document_read (&document, bytes);
  g_assert_cmpuint (points->len, ==, 2 * (4 * 9 - 1));
  MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, points)
    for (guint j = 0; j < document.paths->len; j++)
      if (passes (document.paths->pdata[j], point->x, point->y))
        {
          found++;
          break;
        }
  g_assert_cmpuint (found, ==, points->len);
  g_assert_false (passes (document.paths->pdata[0], 1.5, 1.5));
  document_clear (&document);
}

static void
test_svg_words (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  g_autofree char *words = NULL;
  g_autoptr (GBytes) bytes = NULL;
  Document document;

  g_free (chart->title);
  chart->title = g_strdup ("Größe <b>&amp;</b> \"quoted\" 大小");
  words = memlane_chart_describe (chart);
  bytes = export (chart, memlane_export_find (".svg"), 640, 360, 2);
  document_read (&document, bytes);
  g_assert_cmpstr (document.title->str, ==, chart->title);
  g_assert_cmpstr (document.description->str, ==, words);
  /* Text is text: it can be found, selected and translated. */
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), ">4 KiB</text>"));
  g_assert_true (g_str_has_prefix (document.width, "640"));
  g_assert_true (g_str_has_prefix (document.height, "360"));
  g_assert_true (g_str_has_suffix (document.width, "px") || strlen (document.width) == 3);
  document_clear (&document);
}

/* --- PNG and PDF ------------------------------------------------------------------------------------------------------------ */

typedef struct
{
  const unsigned char *data;
  gsize left;
} Reader;

static cairo_status_t
read_cb (void *closure, unsigned char *data, unsigned int length)
{
  Reader *reader = closure;

  if (length > reader->left)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (data, reader->data, length);
  reader->data += length;
  reader->left -= length;
  return CAIRO_STATUS_SUCCESS;
}

static void
test_png (void)
{
  static const double scales[] = { 1, 1.5, 2 };
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autoptr (GBytes) bytes = export (chart, memlane_export_find (".png"), 320, 241, scales[i]);
      Reader reader;
      cairo_surface_t *picture;
      guint32 corner;

      reader.data = g_bytes_get_data (bytes, &reader.left);
      picture = cairo_image_surface_create_from_png_stream (read_cb, &reader);
      g_assert_cmpint (cairo_surface_status (picture), ==, CAIRO_STATUS_SUCCESS);
      g_assert_cmpint (cairo_image_surface_get_width (picture), ==, (int) ceil (320 * scales[i]));
      g_assert_cmpint (cairo_image_surface_get_height (picture), ==, (int) ceil (241 * scales[i]));
      memcpy (&corner, cairo_image_surface_get_data (picture), sizeof corner);
      g_assert_cmphex (corner & 0xffffff, ==, 0xffffff);
      cairo_surface_destroy (picture);
    }
}

/* What Flate has packed in the PDF's streams, unpacked: cairo 1.18 keeps titles in one. */
static GByteArray *
unpack (const char *data, gsize length)
{
  GByteArray *text = g_byte_array_new ();
  const char *end = data + length, *stream;

  while ((stream = memmem (data, (gsize) (end - data), "\nstream\n", 8)) != NULL)
    {
      g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
      GConverterResult result = G_CONVERTER_CONVERTED;

      for (data = stream + 8; result == G_CONVERTER_CONVERTED;)
        {
          char piece[4096];
          gsize read = 0, written = 0;

          /* An error ends it: not every stream is packed. */
          result = g_converter_convert (G_CONVERTER (zlib), data, (gsize) (end - data), piece, sizeof piece, G_CONVERTER_NO_FLAGS, &read,
                                        &written, NULL);
          data += read;
          if (result != G_CONVERTER_ERROR)
            g_byte_array_append (text, (const guint8 *) piece, (guint) written);
        }
    }
  return text;
}

static void
test_pdf (void)
{
  g_autoptr (MemlaneChart) chart = chart_invented (1, MEMLANE_QUANTITY_BANDWIDTH);
  g_autoptr (GBytes) bytes = export (chart, memlane_export_find (".pdf"), 640, 360, 1);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  g_autoptr (GByteArray) text = unpack (data, length);

  g_assert_cmpuint (length, >, 4000);
  g_assert_cmpmem (data, 5, "%PDF-", 5);
  g_assert_nonnull (memmem (data + length - 10, 10, "%%EOF", 5));
  g_byte_array_append (text, (const guint8 *) data, (guint) length);
  g_assert_nonnull (memmem (text->data, text->len, "/Title", 6));
  g_assert_nonnull (memmem (text->data, text->len, "/Subject", 8));
  g_assert_nonnull (memmem (text->data, text->len, "Memlane", 7));
  /* Text is text: a font is in it. */
  g_assert_nonnull (memmem (text->data, text->len, "/Font", 5));
}

/* --- files --------------------------------------------------------------------------------------------------------------------- */

/* What a document needs besides: the numbers, and a caption. */
static void
test_companions (void)
{
  g_autoptr (MemlaneChart) chart = chart_recorded (MEMLANE_PHASE_ELAPSED, MEMLANE_QUANTITY_TIME, TRUE);
  g_autoptr (MemlaneDrawing) drawing = memlane_plot_drawing_new (chart, NULL);
  g_autoptr (GBytes) bytes = export (chart, memlane_export_find (".csv"), 640, 360, 1);
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_autofree char *markdown = memlane_export_make_caption (drawing, FALSE), *latex = NULL;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint points = 0;

  g_free (chart->note);
  chart->note = g_strdup ("Within 5 %");
  latex = memlane_export_make_caption (drawing, TRUE);
  MEMLANE_FOR_EACH (MemlaneSeries, series, chart->series)
    points += series->points->len;
  g_assert_cmpstr (lines[0], ==, "run,mode,log2_elements,bytes,ns,low,high,noisy");
  g_assert_cmpuint (g_strv_length (lines), ==, points + 2); /* header, points, the last line's end */
  g_assert_true (g_str_has_prefix (lines[1], "\"\",pageable,10,4096,"));
  g_assert_true (g_str_has_prefix (latex, "\\caption{Vector addition $\\cdot$ total time. Zero-copy is fastest"));
  g_assert_true (g_str_has_suffix (latex, "}"));
  g_assert_nonnull (strstr (latex, "intervals. Within 5 \\% "));
  g_assert_true (g_str_has_prefix (markdown, "**Vector addition · total time.** Zero-copy is fastest"));
}

int
main (int argc, char **argv)
{
  set_stage (&argc, &argv);
  g_test_add_func ("/export/svg/agrees", test_svg_agrees);
  g_test_add_func ("/export/svg/words", test_svg_words);
  g_test_add_func ("/export/png", test_png);
  g_test_add_func ("/export/pdf", test_pdf);
  g_test_add_func ("/export/companions", test_companions);
  return run_stage ();
}
