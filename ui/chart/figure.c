/* figure.c: text, sizes and patterns that all figures share
 *
 * SPDX-License-Identifier: MIT
 */
#include "figure-private.h"

#include <math.h>

#include "drawing.h"
#include "markup.h"

/* The size that projector styles are made for; they grow and shrink with the figure, because the
 * wall does not. */
#define COLUMN 450.0      /* px: narrower figures stand in a column of a page */
#define COLUMN_TEXT 9.4   /* px: 7 points */
#define PROJECTOR_WIDTH 1280.0
#define PROJECTOR_HEIGHT 720.0

static const gunichar raised[] = { 0x2070, 0xb9,   0xb2,   0xb3,   0x2074,
                                   0x2075, 0x2076, 0x2077, 0x2078, 0x2079 };

/* Superscript digits as raised small ones: a font that takes 1 to 3 from one design and the others
 * from another (Noto Sans CJK) would write the exponent of 2²⁰ in two sizes. (transfer full)
 * (nullable): @text with plain digits, where it has any, and what raises them. */
static char *
raise_digits (const char *text, double size, PangoAttrList **attributes)
{
  GString *plain = NULL;

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar here = g_utf8_get_char (p);

      for (guint digit = 0; digit < G_N_ELEMENTS (raised); digit++)
        if (here == raised[digit])
          {
            PangoAttribute *rise = pango_attr_rise_new (
                               (int) (0.35 * size * 72 / 96 * PANGO_SCALE)),
                           *scale = pango_attr_scale_new (0.7);

            if (plain == NULL)
              {
                plain = g_string_new_len (text, p - text);
                *attributes = pango_attr_list_new ();
              }
            rise->start_index = scale->start_index = (guint) plain->len;
            rise->end_index = scale->end_index = (guint) plain->len + 1;
            pango_attr_list_insert (*attributes, rise);
            pango_attr_list_insert (*attributes, scale);
            g_string_append_c (plain, (char) ('0' + digit));
            here = 0;
            break;
          }
      if (plain != NULL && here != 0)
        g_string_append_unichar (plain, here);
    }
  return plain != NULL ? g_string_free (plain, FALSE) : NULL;
}

/* The desktop's font, where a widget's context has it; Pango's own default is "serif". */
static const char *
choose_family (PangoContext *pango)
{
  const PangoFontDescription *font = pango_context_get_font_description (pango);
  const char *family = font != NULL ? pango_font_description_get_family (font) : NULL;

  return family != NULL && g_ascii_strcasecmp (family, "serif") != 0 ? family : "sans";
}

PangoLayout *
memlane_figure_make_text (PangoContext *pango, double size, gboolean bold, const char *text)
{
  PangoLayout *layout = pango_layout_new (pango);
  PangoAttrList *attributes = NULL;
  g_autofree char *plain = NULL;
  PangoFontDescription *font = pango_font_description_new ();

  /* The size is in points, so that the context's resolution, the person's text scaling, counts: 96
   * dpi are 100 %. */
  pango_font_description_set_family (font, choose_family (pango));
  pango_font_description_set_size (font, (int) (size * 72 / 96 * PANGO_SCALE + 0.5));
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  plain = text != NULL ? raise_digits (text, size, &attributes) : NULL;
  pango_layout_set_text (layout, plain != NULL ? plain : text != NULL ? text : "", -1);
  if (attributes != NULL)
    {
      pango_layout_set_attributes (layout, attributes);
      pango_attr_list_unref (attributes);
    }
  return layout;
}

void
memlane_figure_measure_text (PangoLayout *layout, double *width, double *height)
{
  int w, h;

  pango_layout_get_size (layout, &w, &h);
  *width = (double) w / PANGO_SCALE;
  *height = (double) h / PANGO_SCALE;
}

double
memlane_figure_text_width (PangoLayout *layout)
{
  double width, height;

  memlane_figure_measure_text (layout, &width, &height);
  return width;
}

double
memlane_figure_text_height (PangoLayout *layout)
{
  double width, height;

  memlane_figure_measure_text (layout, &width, &height);
  return height;
}

void
memlane_figure_limit_text (PangoLayout *layout, double width)
{
  if (memlane_figure_text_width (layout) <= width)
    return;
  pango_layout_set_width (layout, (int) (MAX (width, 1) * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  /* The edge is ours: a text in the other direction would stand at the far end of its width. */
  pango_layout_set_auto_dir (layout, TRUE);
}

void
memlane_drawing_append_csv (GString *csv, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", "\"", -1);
  g_autofree char *doubled = g_strjoinv ("\"\"", parts);

  g_string_append_printf (csv, "\"%s\"", doubled);
}

/* --- text in SVG ------------------------------------------------------------------------------ */

static const cairo_user_data_key_t elements_key;

void
memlane_figure_collect_text (cairo_surface_t *surface, GString *elements)
{
  cairo_surface_set_user_data (surface, &elements_key, elements, NULL);
}

/* Whether @item is raised, as an exponent is. */
static gboolean
is_raised (const PangoItem *item)
{
  for (const GSList *link = item->analysis.extra_attrs; link != NULL; link = link->next)
    if (((const PangoAttribute *) link->data)->klass->type == PANGO_ATTR_RISE)
      return TRUE;
  return FALSE;
}

/* Adds the text of a line as it is seen: cut, with an ellipsis, and exponents as characters of
 * their own. */
static void
append_line (GString *elements, PangoLayout *layout, PangoLayoutLine *line)
{
  const char *text = pango_layout_get_text (layout);

  for (const GSList *link = line->runs; link != NULL; link = link->next)
    {
      const PangoItem *item = ((const PangoGlyphItem *) link->data)->item;
      g_autofree char *piece = g_strndup (text + item->offset, (gsize) item->length);

      if ((item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS) != 0)
        g_string_append (elements, "…");
      else if (!is_raised (item))
        memlane_markup_append (elements, piece);
      else
        for (const char *digit = piece; *digit != '\0'; digit++)
          g_string_append_unichar (elements,
                                   raised[(guint) (*digit - '0') % G_N_ELEMENTS (raised)]);
    }
}

static void
append_text (GString *elements, cairo_t *cr, PangoLayout *layout)
{
  const PangoFontDescription *font = pango_layout_get_font_description (layout);
  double size = pango_font_description_get_size (font) / (double) PANGO_SCALE * 96 / 72
                * memlane_figure_text_scale (pango_layout_get_context (layout));
  const char *family = pango_font_description_get_family (font);
  gboolean bold = pango_font_description_get_weight (font) >= PANGO_WEIGHT_BOLD;
  PangoLayoutIter *iter = pango_layout_get_iter (layout);
  double x, y, channels[4] = { 0, 0, 0, 1 };
  char shares[3][G_ASCII_DTOSTR_BUF_SIZE];

  cairo_get_current_point (cr, &x, &y);
  cairo_user_to_device (cr, &x, &y);
  cairo_pattern_get_rgba (cairo_get_source (cr), &channels[0], &channels[1], &channels[2],
                          &channels[3]);
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    g_ascii_formatd (shares[i], sizeof shares[i], "%.4f", 100 * channels[i]);
  do
    {
      PangoRectangle line;
      char numbers[4][G_ASCII_DTOSTR_BUF_SIZE];

      pango_layout_iter_get_line_extents (iter, NULL, &line);
      g_ascii_formatd (numbers[0], sizeof numbers[0], "%.2f", x + line.x / (double) PANGO_SCALE);
      g_ascii_formatd (numbers[1], sizeof numbers[1], "%.2f",
                       y + pango_layout_iter_get_baseline (iter) / (double) PANGO_SCALE);
      g_ascii_formatd (numbers[2], sizeof numbers[2], "%.2f", size);
      g_ascii_formatd (numbers[3], sizeof numbers[3], "%.2f", line.width / (double) PANGO_SCALE);
      if (line.width <= 0)
        continue;
      g_string_append_printf (
          elements,
          "<text x=\"%s\" y=\"%s\" font-size=\"%s\" textLength=\"%s\" "
          "lengthAdjust=\"spacingAndGlyphs\" "
          "font-family=\"%s\"%s style=\"fill:rgb(%s%%,%s%%,%s%%)\" xml:space=\"preserve\">",
          numbers[0], numbers[1], numbers[2], numbers[3],
          g_strcmp0 (family, "sans") == 0 ? "sans-serif" : family,
          bold ? " font-weight=\"bold\"" : "", shares[0], shares[1], shares[2]);
      append_line (elements, layout, pango_layout_iter_get_line_readonly (iter));
      g_string_append (elements, "</text>\n");
    }
  while (pango_layout_iter_next_line (iter));
  pango_layout_iter_free (iter);
}

void
memlane_figure_show_text (cairo_t *cr, PangoLayout *layout, double x, double y,
                          const MemlaneColor *color)
{
  GString *elements = cairo_surface_get_user_data (cairo_get_target (cr), &elements_key);

  cairo_move_to (cr, x, y);
  memlane_color_set (cr, color);
  if (elements != NULL
      && pango_context_get_base_dir (pango_layout_get_context (layout)) != PANGO_DIRECTION_RTL)
    append_text (elements, cr, layout);
  else
    pango_cairo_show_layout (cr, layout);
  cairo_new_path (cr); /* text leaves a point behind, from which the next arc would draw a line */
}

double
memlane_figure_text_scale (PangoContext *pango)
{
  double resolution = pango_cairo_context_get_resolution (pango);

  if (resolution <= 0)
    resolution = pango_cairo_font_map_get_resolution (
        PANGO_CAIRO_FONT_MAP (pango_context_get_font_map (pango)));
  return resolution > 0 ? resolution / 96 : 1;
}

MemlaneStyle
memlane_figure_scale_style (const MemlaneStyle *style, double width, double height)
{
  MemlaneStyle scaled = *style;
  double zoom = 1;

  if (style->kind == MEMLANE_STYLE_PROJECTOR || style->kind == MEMLANE_STYLE_PROJECTOR_DARK)
    zoom = CLAMP (MIN ((style->wall_width > 0 ? style->wall_width : width) / PROJECTOR_WIDTH,
                       (style->wall_height > 0 ? style->wall_height : height) / PROJECTOR_HEIGHT),
                  0.4, 8);
  scaled.text_size *= zoom;
  if (style->kind == MEMLANE_STYLE_PRINT && width < COLUMN)
    scaled.text_size = MIN (scaled.text_size, COLUMN_TEXT);
  /* Markers shrink in a small figure, where they would run into each other; text stays legible. */
  zoom *= CLAMP (MIN (width / 480, height / 270), 0.55, 1);
  scaled.line_width *= zoom;
  scaled.marker_radius *= zoom;
  scaled.axis_width *= zoom;
  return scaled;
}

void
memlane_figure_add_round (cairo_t *cr, const MemlaneRectangle *area, double radius)
{
  double right = area->x + area->width, bottom = area->y + area->height;

  radius = MIN (radius, MIN (area->width, area->height) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, right - radius, area->y + radius, radius, -G_PI / 2, 0);
  cairo_arc (cr, right - radius, bottom - radius, radius, 0, G_PI / 2);
  cairo_arc (cr, area->x + radius, bottom - radius, radius, G_PI / 2, G_PI);
  cairo_arc (cr, area->x + radius, area->y + radius, radius, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

void
memlane_figure_add_hatch (cairo_t *cr, const MemlaneRectangle *area, double pitch, gboolean crossed,
                          gboolean cut)
{
  double x0 = floor (area->x / pitch) * pitch, y0 = floor (area->y / pitch) * pitch,
         right = area->x + area->width;
  double height = ceil ((area->y + area->height - y0) / pitch) * pitch;

  for (int way = 0; way < (crossed ? 2 : 1); way++)
    for (double x = x0 - height - pitch; x < right + pitch; x += pitch)
      {
        MemlaneCorner from = { x, way == 0 ? y0 + height : y0 },
                      to = { x + height, way == 0 ? y0 : y0 + height };

        if (cut && !memlane_clip_segment (area, &from, &to))
          continue;
        memlane_figure_add_line (cr, from.x, from.y, to.x, to.y);
      }
}

MemlaneColor
memlane_figure_text_on (const MemlaneStyle *style, const MemlaneColor *ground)
{
  return memlane_color_contrast (&style->text, ground)
                 > memlane_color_contrast (&style->background, ground)
             ? style->text
             : style->background;
}
