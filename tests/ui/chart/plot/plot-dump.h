/* plot-dump.h: a laid-out plot as text, every rectangle and tick, one a line: for the goldens
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>

#include "chart/plot/plot-layout.h"

static const char *
get_word (MemlaneTextRole role)
{
  static const char *const words[] = {
    [MEMLANE_TEXT_TITLE] = "title",     [MEMLANE_TEXT_SUBTITLE] = "subtitle", [MEMLANE_TEXT_BADGE] = "badge",
    [MEMLANE_TEXT_UNIT] = "unit",       [MEMLANE_TEXT_Y_TICK] = "y-label",    [MEMLANE_TEXT_X_TICK] = "x-label",
    [MEMLANE_TEXT_X_BYTES] = "x-bytes", [MEMLANE_TEXT_CAPTION] = "caption",   [MEMLANE_TEXT_LEGEND] = "legend",
    [MEMLANE_TEXT_MORE] = "more",       [MEMLANE_TEXT_CEILING] = "ceiling",
    [MEMLANE_TEXT_LEAVING] = "leaving",   [MEMLANE_TEXT_TROUBLE] = "trouble",
    [MEMLANE_TEXT_LABEL] = "label",       [MEMLANE_TEXT_NOTE] = "note",
    [MEMLANE_TEXT_STRIP] = "strip",
  };

  return words[role];
}

static void
append_number (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  /* A quarter of a pixel is what the eye may miss and what libraries differ in. */
  g_string_append_printf (text, " %s", g_ascii_formatd (digits, sizeof digits, "%.4g", round (number * 4) / 4 + 0.0));
}

static void
append_value (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, " %s", g_ascii_formatd (digits, sizeof digits, "%.6g", number));
}

static void
append_rectangle (GString *text, const char *word, const MemlaneRectangle *area)
{
  g_string_append (text, word);
  append_number (text, area->x);
  append_number (text, area->y);
  append_number (text, area->width);
  append_number (text, area->height);
}

static void
append_scale (GString *text, const char *word, const MemlaneScale *scale)
{
  static const char *const kinds[] = { "linear", "log2", "log10" };

  g_string_append_printf (text, "%s %s", word, kinds[scale->kind]);
  append_value (text, scale->from);
  append_value (text, scale->to);
  g_string_append_c (text, '\n');
}

static void
append_ticks (GString *text, const char *word, const GArray *ticks, const MemlanePlot *plot, gboolean horizontal)
{
  for (guint i = 0; i < ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (ticks, MemlaneTick, i);

      if (!tick->major)
        continue;
      g_string_append (text, word);
      append_number (text, horizontal ? memlane_plot_x (plot, tick->value) : memlane_plot_y (plot, tick->value));
      g_string_append_printf (text, " \"%s\"\n", tick->label != NULL ? tick->label : "");
    }
}

/* (transfer full) */
static char *
dump_plot (const MemlanePlot *plot)
{
  GString *text = g_string_new ("figure");

  append_number (text, plot->width);
  append_number (text, plot->height);
  g_string_append_printf (text, " %s\n", plot->style.name);
  append_rectangle (text, "area", &plot->area);
  g_string_append_c (text, '\n');
  append_scale (text, "x", &plot->x);
  append_scale (text, "y", &plot->y);
  append_ticks (text, "x-tick", plot->x_ticks, plot, TRUE);
  if (plot->has_values)
    append_ticks (text, "y-tick", plot->y_ticks, plot, FALSE);
  if (plot->badge.width > 0)
    {
      append_rectangle (text, "badge-box", &plot->badge);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < plot->texts->len; i++)
    {
      const MemlanePlacedText *placed = &g_array_index (plot->texts, MemlanePlacedText, i);

      append_rectangle (text, get_word (placed->role), &placed->area);
      g_string_append_printf (text, " \"%s\"%s\n", pango_layout_get_text (placed->layout),
                              pango_layout_is_ellipsized (placed->layout) ? " ellipsized" : "");
    }
  for (guint i = 0; i < plot->legend->len; i++)
    {
      const MemlaneLegendEntry *entry = &g_array_index (plot->legend, MemlaneLegendEntry, i);

      append_rectangle (text, "entry", &entry->area);
      g_string_append_printf (text, " %u\n", entry->series);
    }
  for (guint i = 0; i < plot->ceilings->len; i++)
    {
      const MemlanePlacedCeiling *ceiling = &g_array_index (plot->ceilings, MemlanePlacedCeiling, i);

      g_string_append_printf (text, "ceiling-line %u", ceiling->ceiling);
      append_number (text, ceiling->y);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < plot->points->len; i++)
    {
      const MemlanePlacedPoint *point = &g_array_index (plot->points, MemlanePlacedPoint, i);

      g_string_append_printf (text, "point %u %u", point->series, point->point);
      append_number (text, point->x);
      append_number (text, point->y);
      append_number (text, point->y_low);
      append_number (text, point->y_high);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
