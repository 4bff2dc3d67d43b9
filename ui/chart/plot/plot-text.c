/* plot-text.c: pieces of text, shaped once and kept with the plot
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-private.h"

PangoLayout *
memlane_plot_make_text (const MemlanePlot *plot, double size, gboolean bold, const char *text)
{
  return memlane_figure_make_text (plot->pango, size, bold, text);
}

void
memlane_plot_measure_text (PangoLayout *layout, double *width, double *height)
{
  memlane_figure_measure_text (layout, width, height);
}

void
memlane_plot_limit_text (PangoLayout *layout, double width)
{
  memlane_figure_limit_text (layout, width);
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
