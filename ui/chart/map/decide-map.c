/* decide-map.c: a map of decisions from its birth to its end, and where its cells lie
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-map-private.h"

static void
clear_text (gpointer data)
{
  g_clear_object (&((MemlaneMapText *) data)->layout);
}

void
memlane_decide_map_free (MemlaneDecideMap *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->texts);
  g_array_unref (self->samples);
  g_object_unref (self->pango);
  g_free (self->named);
  g_free (self);
}

MemlaneDecideMap *
memlane_decide_map_layout (const MemlaneDecision *decision, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  MemlaneDecideMap *self = g_new0 (MemlaneDecideMap, 1);
  g_autoptr (PangoLayout) probe = NULL;

  self->decision = decision;
  self->width = MAX (width, 1);
  self->height = MAX (height, 1);
  self->pango = g_object_ref (pango);
  self->texts = g_array_new (FALSE, TRUE, sizeof (MemlaneMapText));
  g_array_set_clear_func (self->texts, clear_text);
  self->samples = g_array_new (FALSE, TRUE, sizeof (MemlaneMapCell));
  self->named = g_new0 (gboolean, memlane_map_index (MAX (decision->n_sizes, 1), 0));
  self->style = memlane_figure_scale_style (style, self->width, self->height);
  self->em = self->style.text_size * memlane_figure_text_scale (pango);
  probe = memlane_map_make_text (self, 1, FALSE, "Åg");
  memlane_figure_measure_text (probe, NULL, &self->line);
  self->line = ceil (self->line);
  self->pad = MIN (round (0.8 * self->em), floor (0.05 * MIN (self->width, self->height)));
  memlane_map_place_all (self);
  return self;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

PangoLayout *
memlane_map_make_text (const MemlaneDecideMap *self, double factor, gboolean bold, const char *text)
{
  return memlane_figure_make_text (self->pango, factor * self->style.text_size, bold, text);
}

void
memlane_map_place_text (MemlaneDecideMap *self, MemlaneMapRole role, PangoLayout *layout, double x, double y, const MemlaneColor *color)
{
  MemlaneMapText text = { role, layout, { x, y, 0, 0 }, *color, -1 };

  memlane_figure_measure_text (layout, &text.area.width, &text.area.height);
  g_array_append_val (self->texts, text);
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

/* In whole pixels, so that neighbours share an edge that is sharp. */
static double
column_x (const MemlaneDecideMap *self, guint i)
{
  return self->area.x + round (i * self->area.width / self->decision->n_sizes);
}

/* The lower edge. */
static double
row_y (const MemlaneDecideMap *self, guint i)
{
  return self->area.y + self->area.height - round (i * self->area.height / MEMLANE_DECIDE_REUSES);
}

MemlaneMapCell
memlane_map_cell (const MemlaneDecideMap *self, guint size_index, guint reuse_index)
{
  const MemlaneChoice *choice = memlane_decision_get (self->decision, size_index, reuse_index);
  double x = column_x (self, size_index), y = row_y (self, reuse_index + 1);
  MemlaneMapCell cell = { { x, y, column_x (self, size_index + 1) - x, row_y (self, reuse_index) - y }, -1, MEMLANE_MAP_UNTOLD };

  if (choice == NULL || choice->choice < 0)
    return cell;
  cell.mode = choice->choice;
  cell.certainty = choice->way_uncertain ? MEMLANE_MAP_OPEN : choice->uncertain ? MEMLANE_MAP_TIED : MEMLANE_MAP_CERTAIN;
  return cell;
}

const MemlaneRectangle *
memlane_decide_map_get_area (const MemlaneDecideMap *self)
{
  return &self->area;
}

gboolean
memlane_decide_map_place (const MemlaneDecideMap *self, guint size_index, guint reuse_index, MemlaneRectangle *area)
{
  if (size_index >= self->decision->n_sizes || reuse_index >= MEMLANE_DECIDE_REUSES)
    return FALSE;
  *area = memlane_map_cell (self, size_index, reuse_index).area;
  return TRUE;
}

gboolean
memlane_decide_map_hit (const MemlaneDecideMap *self, double x, double y, guint *size_index, guint *reuse_index)
{
  guint column = 0, row = 0;

  /* Written so that NAN is outside. */
  if (self->decision->n_sizes == 0 || !(x >= self->area.x && x < self->area.x + self->area.width)
      || !(y >= self->area.y && y < self->area.y + self->area.height))
    return FALSE;
  while (column + 1 < self->decision->n_sizes && x >= column_x (self, column + 1))
    column++;
  while (row + 1 < MEMLANE_DECIDE_REUSES && y < row_y (self, row + 1))
    row++;
  *size_index = column;
  *reuse_index = row;
  return TRUE;
}
