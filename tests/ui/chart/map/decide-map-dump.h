/* decide-map-dump.h: a laid-out map of decisions as text, for the goldens
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/map/decide-map-layout.h"
#include "ui/chart/figure-dump.h"

static void
append_cell (GString *text, const MemlaneMapCell *cell)
{
  static const char *const certainties[] = { "", "?", "." };
  const char *kind = cell->kind < 0 ? "" : cell->kind == MEMLANE_MAP_ALIKE ? "=" : memlane_family_id ((MemlaneFamily) cell->kind);

  g_string_append_printf (text, " %s%s", kind, certainties[cell->certainty]);
}

/* (transfer full) */
static char *
dump_map (const MemlaneDecideMap *self)
{
  static const char *const words[] = { "name" };
  GString *text = g_string_new (self->frame.style.name);

  g_string_append_c (text, '\n');
  append_frame (text, &self->frame, words);
  for (guint j = MEMLANE_DECIDE_REUSES; self->decision->n_sizes > 0 && j-- > 0;)
    {
      g_string_append_printf (text, "reuse %u:", memlane_decide_reuse (j));
      for (guint i = 0; i < self->decision->n_sizes; i++)
        {
          MemlaneMapCell cell = memlane_map_cell (self, i, j);

          append_cell (text, &cell);
          for (guint k = 0; k < self->marks->len; k++)
            if (g_array_index (self->marks, guint, k) == memlane_map_index (i, j))
              g_string_append (text, "*");
        }
      g_string_append (text, "\n");
    }
  return g_string_free (text, FALSE);
}
