/* export.c: a figure as SVG, PNG or PDF
 *
 * SPDX-License-Identifier: MIT
 */
#include "export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/save.h"
#include "figure-private.h"
#include "markup.h"

/* --- drawing on a surface --------------------------------------------------------------------- */

static gboolean
check_cairo (cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return TRUE;
  return memlane_fail (error, G_IO_ERROR,
                       status == CAIRO_STATUS_NO_MEMORY ? G_IO_ERROR_NO_SPACE : G_IO_ERROR_FAILED,
                       _("the figure cannot be drawn: %s"), cairo_status_to_string (status));
}

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

PangoContext *
memlane_export_make_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_cairo_context_set_resolution (context, 96);
  pango_context_set_round_glyph_positions (context, FALSE);
  return context;
}

/* --- the formats ------------------------------------------------------------------------------ */

/* Adds what the figure says in <title> and <desc>, where search engines and screen readers look for
 * it, and its texts at the end. */
static GBytes *
complete_svg (GByteArray *svg, const char *title, const char *description, const GString *texts)
{
  const char *text = (const char *) svg->data;
  const char *start = g_strstr_len (text, svg->len, "<svg"),
             *end = start != NULL ? memchr (start, '>', text + svg->len - start) : NULL;
  const char *last = g_strrstr_len (text, svg->len, "</svg>");
  GString *described = g_string_sized_new (svg->len + texts->len);

  if (end == NULL || last == NULL)
    end = last = text + svg->len - 1; /* cannot be: cairo has written its document */
  g_string_append_len (described, text, end + 1 - text);
  memlane_markup_printf (described, "\n<title>%s</title>\n<desc>%s</desc>", title, description);
  g_string_append_len (described, end + 1, last - (end + 1));
  g_string_append_len (described, texts->str, (gssize) texts->len);
  g_string_append_len (described, last, text + svg->len - last);
  return g_string_free_to_bytes (described);
}

/* Draws on @surface, which it takes, and fills *@png, if there is one. */
static gboolean
draw_and_finish (cairo_surface_t *surface, const MemlaneDrawing *drawing, const MemlaneStyle *style,
                 PangoContext *pango, int width, int height, GByteArray *png, GError **error)
{
  cairo_status_t status = cairo_surface_status (surface);

  if (status == CAIRO_STATUS_SUCCESS)
    {
      cairo_t *cr = cairo_create (surface);
      gpointer layout = drawing->klass->layout (drawing->content, style, width, height, pango);

      drawing->klass->draw (layout, cr);
      drawing->klass->free_layout (layout);
      status = cairo_status (cr);
      cairo_destroy (cr);
    }
  if (status == CAIRO_STATUS_SUCCESS && png != NULL)
    status = cairo_surface_write_to_png_stream (surface, append_cb, png);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS && png == NULL)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return check_cairo (status, error);
}

static GBytes *
to_picture (const MemlaneDrawing *drawing, const MemlaneStyle *style,
            const MemlaneExportFormat *format, PangoContext *pango, int width, int height,
            double scale, GError **error)
{
  g_autofree char *title = drawing->klass->title (drawing->content),
                  *description = drawing->klass->describe (drawing->content);
  g_autoptr (GString) texts = g_string_new (NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean is_svg = format->begin == cairo_svg_surface_create_for_stream;
  cairo_surface_t *surface = format->is_pixels
                                 ? cairo_image_surface_create (CAIRO_FORMAT_RGB24,
                                                               (int) ceil (width * scale),
                                                               (int) ceil (height * scale))
                                 : format->begin (append_cb, bytes, width * scale, height * scale);

  cairo_surface_set_device_scale (surface, scale, scale);
  if (is_svg)
    {
      memlane_figure_collect_text (surface, texts);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
    }
  else if (!format->is_pixels)
    {
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, title);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, description);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Memlane");
    }
  if (!draw_and_finish (surface, drawing, style, pango, width, height,
                        format->is_pixels ? bytes : NULL, error))
    return NULL;
  return is_svg ? complete_svg (bytes, title, description, texts)
                : g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

static GBytes *
to_csv (const MemlaneDrawing *drawing, GError **error)
{
  char *text = drawing->klass->to_csv != NULL ? drawing->klass->to_csv (drawing->content) : NULL;

  if (text != NULL)
    return g_bytes_new_take (text, strlen (text));
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       _("This figure has no numbers to write as CSV."));
  return NULL;
}

/* "Title. How to read it." for a document; in LaTeX its special characters are escaped, and 2²⁰ is
 * an exponent. */
char *
memlane_export_make_caption (const MemlaneDrawing *drawing, gboolean latex)
{
  static const char superscripts[] = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  g_autofree char *title = drawing->klass->title (drawing->content);
  g_autofree char *more = drawing->klass->explain != NULL
                              ? drawing->klass->explain (drawing->content)
                              : NULL;
  g_autofree char *plain = g_strconcat (title, ". ", more, NULL);
  GString *text;

  if (!latex)
    return g_strdup_printf ("**%s.** %s", title, more != NULL ? more : "");
  text = g_string_new ("\\caption{");
  g_strchomp (plain);
  for (const char *p = plain; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar here = g_utf8_get_char (p);

      const char *raised = g_utf8_strchr (superscripts, -1, here);

      if (raised != NULL)
        g_string_append_printf (text, "\\textsuperscript{%ld}",
                                g_utf8_pointer_to_offset (superscripts, raised));
      else if (here < 0x80 && strchr ("#$%&_{}", (int) here) != NULL)
        g_string_append_printf (text, "\\%c", (char) here);
      else if (here == 0xb1 || here == 0xb7 || here == 0xd7)
        g_string_append (text, here == 0xb1 ? "$\\pm$" : here == 0xb7 ? "$\\cdot$" : "$\\times$");
      else
        g_string_append_unichar (text, here);
    }
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

static const MemlaneExportFormat formats[] = {
  { ".png", N_("PNG (pixels)"), TRUE, 1 },
  { ".svg", N_("SVG (web)"), FALSE, 1, cairo_svg_surface_create_for_stream },
  { ".pdf", N_("PDF (print)"), FALSE, 0.75, cairo_pdf_surface_create_for_stream },
  { ".csv", N_("CSV (data)"), FALSE, 1 }, /* the last: not every figure has it */
};

const MemlaneExportFormat *
memlane_export_list (guint *n)
{
  *n = G_N_ELEMENTS (formats);
  return formats;
}

const MemlaneExportFormat *
memlane_export_find (const char *ending)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_ascii_strcasecmp (ending, formats[i].ending) == 0)
      return &formats[i];
  g_assert_not_reached ();
}

const MemlaneExportFormat *
memlane_export_find_for_path (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path), *display = NULL;
  gsize length = strlen (name);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      gsize ending = strlen (formats[i].ending);

      if (length > ending && g_ascii_strcasecmp (name + length - ending, formats[i].ending) == 0)
        return &formats[i];
    }
  display = g_filename_display_name (path);
  return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       _("%s: expected a file name that ends in .svg, .png or .pdf"), display),
         NULL;
}

/* Returns the largest height of a drawing that is as high as it needs. */
static double
find_most_height (const MemlaneExportFormat *format, int width, double scale)
{
  if (!format->is_pixels)
    return MEMLANE_EXPORT_MOST;
  return MIN (MEMLANE_EXPORT_MOST,
              floor (floor (MEMLANE_EXPORT_MOST_PIXELS / ceil (width * scale)) / scale));
}

/* Without a font each character would be a box. */
static gboolean
has_font (PangoContext *pango, GError **error)
{
  g_autoptr (PangoLayout) layout = pango_layout_new (pango);

  pango_layout_set_text (layout, "M", -1);
  return pango_layout_get_unknown_glyphs_count (layout) == 0
         || memlane_fail (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                          _("no font is installed, so a figure would have no text: install one, "
                             "such as the package fonts-dejavu-core"));
}

GBytes *
memlane_export_to_bytes (const MemlaneDrawing *drawing, const MemlaneStyle *style,
                         const MemlaneExportFormat *format, int width, int height, double scale,
                         GError **error)
{
  const MemlaneDrawingClass *klass = drawing->klass;
  g_autoptr (GObject) context = G_OBJECT (memlane_export_make_context ());
  PangoContext *pango = PANGO_CONTEXT (context);

  if (!format->is_pixels && format->true_size == 1)
    scale = 1; /* a vector file has no pixels */
  if (height == 0 && klass->measure_height != NULL && width >= MEMLANE_EXPORT_LEAST
      && width <= MEMLANE_EXPORT_MOST)
    height = (int) CLAMP (klass->measure_height (drawing->content, style, width, pango),
                          MEMLANE_EXPORT_LEAST_HEIGHT, find_most_height (format, width, scale));
  if (width < MEMLANE_EXPORT_LEAST || height < MEMLANE_EXPORT_LEAST_HEIGHT || !(scale > 0)
      || width * scale > MEMLANE_EXPORT_MOST || height * scale > MEMLANE_EXPORT_MOST)
    return memlane_fail (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _("a figure of %d × %d at scale %g: expected %d × %d to %d × %d pixels"),
                         width, height, scale, MEMLANE_EXPORT_LEAST, MEMLANE_EXPORT_LEAST_HEIGHT,
                         MEMLANE_EXPORT_MOST, MEMLANE_EXPORT_MOST),
           NULL;
  if (!has_font (pango, error))
    return NULL;
  return format->is_pixels || format->begin != NULL
             ? to_picture (drawing, style, format, pango, width, height, scale, error)
             : to_csv (drawing, error);
}

/* --- files ------------------------------------------------------------------------------------ */

gboolean
memlane_export_write (GBytes *bytes, const char *path, GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);
  int code = memlane_save_try_file (path, data, length);
  g_autofree char *display = NULL;

  if (code == 0)
    return TRUE;
  display = g_filename_display_name (path);
  return memlane_fail (error, G_FILE_ERROR, g_file_error_from_errno (code),
                       _("cannot write %s: %s"), display, g_strerror (code));
}

gboolean
memlane_export_to_file (const MemlaneDrawing *drawing, const MemlaneStyle *style,
                        const MemlaneExportFormat *format, int width, int height, double scale,
                        const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = memlane_export_to_bytes (drawing, style, format, width, height, scale,
                                                      error);

  return bytes != NULL && memlane_export_write (bytes, path, error);
}

/* --- paper ------------------------------------------------------------------------------------ */

void
memlane_export_draw_page (const MemlaneDrawing *drawing, cairo_t *cr, PangoContext *pango,
                          const MemlaneStyle *style, double width, double height)
{
  const MemlaneDrawingClass *klass = drawing->klass;
  double needed = klass->measure_height != NULL
                      ? klass->measure_height (drawing->content, style, width, pango)
                      : MIN (height, width * 3 / 4);
  double smaller = MAX (1, needed / height);
  gpointer layout = klass->layout (drawing->content, style, width * smaller, needed, pango);

  cairo_save (cr);
  cairo_scale (cr, 1 / smaller, 1 / smaller);
  klass->draw (layout, cr);
  cairo_restore (cr);
  klass->free_layout (layout);
}
