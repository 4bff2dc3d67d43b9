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
  static const char *const certainties[] = { "", "=", "?", "." };
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  const MemlaneMode *mode = cell->kind < 0 ? NULL : &modes[cell->kind];
  const char *kind = mode == NULL                      ? ""
                     : memlane_mode_is_of_pieces (mode) ? mode->id
                                                        : memlane_family_id (mode->family);

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
  for (guint j = self->decision->n_rows; self->decision->n_columns > 0 && j-- > 0;)
    {
      g_string_append_printf (text, "%s %u:", self->decision->by_pieces != NULL ? "pieces" : "reuse", self->decision->rows[j]);
      for (guint i = 0; i < self->decision->n_columns; i++)
        {
          MemlaneMapCell cell = memlane_map_cell (self, i, j);

          append_cell (text, &cell);
          for (guint k = 0; k < self->marks->len; k++)
            if (g_array_index (self->marks, guint, k) == i * self->decision->n_rows + j)
              g_string_append (text, "*");
        }
      g_string_append (text, "\n");
    }
  return g_string_free (text, FALSE);
}
