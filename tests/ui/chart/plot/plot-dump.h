/* plot-dump.h: a laid-out plot as text, every rectangle and tick, one a line: for the goldens
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/plot/plot-layout.h"
#include "ui/chart/figure-dump.h"

static void
append_value (GString *text, double number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, " %s", g_ascii_formatd (digits, sizeof digits, "%.6g", number));
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
  static const char *const words[] = { "ceiling", "label" };
  GString *text = g_string_new (plot->frame.style.name);

  g_string_append_c (text, '\n');
  append_frame (text, &plot->frame, words);
  append_scale (text, "x", &plot->x);
  append_scale (text, "y", &plot->y);
  append_ticks (text, "x-tick", plot->x_ticks, plot, TRUE);
  if (plot->has_values)
    append_ticks (text, "y-tick", plot->y_ticks, plot, FALSE);
  if (plot->panels == NULL && !isnan (plot->ceiling_y))
    {
      g_string_append (text, "ceiling-line 0");
      append_number (text, plot->ceiling_y);
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
