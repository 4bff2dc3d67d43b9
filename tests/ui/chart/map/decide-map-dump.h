/* decide-map-dump.h: a laid-out map of decisions as text, for the goldens
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <math.h>

#include "chart/map/decide-map-layout.h"

static void
append_rectangle (GString *text, const char *word, const MemlaneRectangle *area)
{
  const double numbers[] = { area->x, area->y, area->width, area->height };
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, word);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) /* a quarter of a pixel is what libraries differ in */
    g_string_append_printf (text, " %s", g_ascii_formatd (digits, sizeof digits, "%.6g", round (numbers[i] * 4) / 4 + 0.0));
}

static void
append_cell (GString *text, const MemlaneMapCell *cell)
{
  static const char *const certainties[] = { "", "?", "." };
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  g_string_append_printf (text, " %s%s", cell->mode >= 0 ? modes[cell->mode].id : "", certainties[cell->certainty]);
}

/* (transfer full) */
static char *
dump_map (const MemlaneDecideMap *self)
{
  static const char *const words[] = { "title",   "subtitle", "badge",  "unit", "y-label", "x-label", "x-bytes",
                                       "caption", "heading",  "legend", "more", "name",    "empty" };
  GString *text = g_string_new (NULL);

  G_STATIC_ASSERT (G_N_ELEMENTS (words) == MEMLANE_N_MAP_ROLES);
  append_rectangle (text, "map", &(MemlaneRectangle){ 0, 0, self->width, self->height });
  g_string_append_printf (text, " %s\n", self->style.name);
  append_rectangle (text, "area", &self->area);
  if (self->badge.width > 0)
    append_rectangle (text, "\nbadge-ground", &self->badge);
  g_string_append (text, "\n");
  for (guint i = 0; i < self->texts->len; i++)
    {
      const MemlaneMapText *item = &g_array_index (self->texts, MemlaneMapText, i);

      append_rectangle (text, words[item->role], &item->area);
      g_string_append_printf (text, " \"%s\"%s\n", pango_layout_get_text (item->layout),
                              pango_layout_is_ellipsized (item->layout) ? " cut" : "");
    }
  for (guint i = 0; i < self->samples->len; i++)
    {
      const MemlaneMapCell *sample = &g_array_index (self->samples, MemlaneMapCell, i);

      append_rectangle (text, "sample", &sample->area);
      append_cell (text, sample);
      g_string_append (text, "\n");
    }
  for (guint j = MEMLANE_DECIDE_REUSES; self->decision->n_sizes > 0 && j-- > 0;)
    {
      g_string_append_printf (text, "reuse %u:", memlane_decide_reuse (j));
      for (guint i = 0; i < self->decision->n_sizes; i++)
        {
          MemlaneMapCell cell = memlane_map_cell (self, i, j);

          append_cell (text, &cell);
          if (self->named[memlane_map_index (i, j)])
            g_string_append (text, "*");
        }
      g_string_append (text, "\n");
    }
  return g_string_free (text, FALSE);
}
