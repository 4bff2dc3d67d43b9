/* plot-text.c: pieces of text, shaped once and kept with the plot
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

PangoLayout *
memlane_plot_make_text (const MemlanePlot *plot, double size, gboolean bold, const char *text)
{
  PangoLayout *layout = pango_layout_new (plot->pango);
  PangoFontDescription *font = pango_font_description_new ();

  /* In points, so that the resolution of the context, the person's text scaling, counts: 96 dpi are 100 %. */
  pango_font_description_set_family_static (font, "sans");
  pango_font_description_set_size (font, (int) (size * 72 / 96 * PANGO_SCALE + 0.5));
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text != NULL ? text : "", -1);
  return layout;
}

void
memlane_plot_measure_text (PangoLayout *layout, double *width, double *height)
{
  int w, h;

  pango_layout_get_size (layout, &w, &h);
  if (width != NULL)
    *width = (double) w / PANGO_SCALE;
  if (height != NULL)
    *height = (double) h / PANGO_SCALE;
}

void
memlane_plot_limit_text (PangoLayout *layout, double width)
{
  double natural;

  memlane_plot_measure_text (layout, &natural, NULL);
  if (natural <= width)
    return;
  pango_layout_set_width (layout, (int) (MAX (width, 1) * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  /* The edge is ours: a text in the other direction would stand at the far end of its width. */
  pango_layout_set_auto_dir (layout, TRUE);
}

void
memlane_plot_place_text (MemlanePlot *plot, MemlaneTextRole role, PangoLayout *layout, double x, double y, const MemlaneColor *color)
{
  MemlanePlacedText text = { role, layout, { x, y, 0, 0 }, *color, G_MAXUINT };

  memlane_plot_measure_text (layout, &text.area.width, &text.area.height);
  g_array_append_val (plot->texts, text);
}

const char *
memlane_plot_text_word (MemlaneTextRole role)
{
  static const char *const words[] = {
    [MEMLANE_TEXT_TITLE] = "title",     [MEMLANE_TEXT_SUBTITLE] = "subtitle", [MEMLANE_TEXT_BADGE] = "badge",
    [MEMLANE_TEXT_UNIT] = "unit",       [MEMLANE_TEXT_Y_TICK] = "y-label",    [MEMLANE_TEXT_X_TICK] = "x-label",
    [MEMLANE_TEXT_X_BYTES] = "x-bytes", [MEMLANE_TEXT_CAPTION] = "caption",   [MEMLANE_TEXT_LEGEND] = "legend",
    [MEMLANE_TEXT_MORE] = "more",       [MEMLANE_TEXT_CEILING] = "ceiling",
    [MEMLANE_TEXT_LEAVING] = "leaving",   [MEMLANE_TEXT_TROUBLE] = "trouble",
  };

  return words[role];
}
