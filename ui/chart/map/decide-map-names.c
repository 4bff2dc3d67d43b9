/* decide-map-names.c: the names of modes inside their cells
 *
 * SPDX-License-Identifier: MIT
 *
 * A name lies over a block of neighbouring cells of its mode. Each mode is named once, in the widest block of its largest region.
 */
#include "decide-map-private.h"

#define LARGEST 1.5      /* sizes of the text, where cells are high */
#define LARGE_SHARE 0.42 /* of a cell's height */

typedef struct
{
  guint column, row, columns, rows;
} Block;

/* Labels all cells with the number of their region, from 0. Returns how many regions there are. */
static guint
find_regions (const MemlaneDecideMap *self, guint *regions)
{
  guint n = memlane_map_index (self->decision->n_sizes, 0), found = 0;
  g_autofree guint *stack = g_new (guint, 4 * n + 1);

  for (guint i = 0; i < n; i++)
    regions[i] = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    {
      int mode = memlane_map_cell (self, i / MEMLANE_DECIDE_REUSES, i % MEMLANE_DECIDE_REUSES).mode;
      guint depth = 0;

      if (regions[i] != G_MAXUINT || mode < 0)
        continue;
      stack[depth++] = i;
      while (depth > 0)
        {
          guint at = stack[--depth], column = at / MEMLANE_DECIDE_REUSES, row = at % MEMLANE_DECIDE_REUSES;

          if (regions[at] != G_MAXUINT || memlane_map_cell (self, column, row).mode != mode)
            continue;
          regions[at] = found;
          if (row > 0)
            stack[depth++] = at - 1;
          if (row + 1 < MEMLANE_DECIDE_REUSES)
            stack[depth++] = at + 1;
          if (column > 0)
            stack[depth++] = at - MEMLANE_DECIDE_REUSES;
          if (column + 1 < self->decision->n_sizes)
            stack[depth++] = at + MEMLANE_DECIDE_REUSES;
        }
      found++;
    }
  return found;
}

static guint
count_cells (const guint *regions, guint n, guint region)
{
  guint cells = 0;

  for (guint i = 0; i < n; i++)
    cells += regions[i] == region;
  return cells;
}

static gboolean
is_inside (const guint *regions, guint region, const Block *block)
{
  for (guint i = 0; i < block->columns; i++)
    for (guint j = 0; j < block->rows; j++)
      if (regions[memlane_map_index (block->column + i, block->row + j)] != region)
        return FALSE;
  return TRUE;
}

/* Twice the distance of the block's middle from that of the region, in rows. */
static guint
off_middle (const guint *regions, guint n, guint region, const Block *block)
{
  guint sum = 0, cells = 0;
  int middle;

  for (guint i = 0; i < n; i++)
    if (regions[i] == region)
      {
        sum += 2 * (i % MEMLANE_DECIDE_REUSES) + 1;
        cells++;
      }
  middle = (int) (sum / MAX (cells, 1)) - (int) (2 * block->row + block->rows);
  return (guint) ABS (middle);
}

/* The widest block of @rows rows in the region; of several, the one in its middle. */
static gboolean
find_block (const MemlaneDecideMap *self, const guint *regions, guint region, guint rows, Block *best)
{
  guint n_sizes = self->decision->n_sizes, n = memlane_map_index (n_sizes, 0), best_off = 0;

  best->columns = 0;
  for (guint row = 0; row + rows <= MEMLANE_DECIDE_REUSES; row++)
    for (guint column = 0; column < n_sizes; column++)
      {
        Block block = { column, row, 0, rows };
        guint off;

        while (column + block.columns < n_sizes && is_inside (regions, region, &(Block){ column + block.columns, row, 1, rows }))
          block.columns++;
        if (block.columns == 0 || block.columns < best->columns)
          continue;
        off = off_middle (regions, n, region, &block);
        if (block.columns == best->columns && off >= best_off)
          continue;
        *best = block;
        best_off = off;
      }
  return best->columns > 0;
}

static MemlaneRectangle
get_extents (const MemlaneDecideMap *self, const Block *block)
{
  MemlaneRectangle first = memlane_map_cell (self, block->column, block->row).area;
  MemlaneRectangle last = memlane_map_cell (self, block->column + block->columns - 1, block->row + block->rows - 1).area;

  return (MemlaneRectangle){ first.x, last.y, last.x + last.width - first.x, first.y + first.height - last.y };
}

/* Markers that the name would cut are left out. */
static void
mark_named (MemlaneDecideMap *self, const Block *block, const MemlaneRectangle *taken)
{
  for (guint i = block->column; i < block->column + block->columns; i++)
    for (guint j = block->row; j < block->row + block->rows; j++)
      {
        MemlaneRectangle cell = memlane_map_cell (self, i, j).area;

        if (cell.x < taken->x + taken->width && taken->x < cell.x + cell.width)
          self->named[memlane_map_index (i, j)] = TRUE;
      }
}

/* Returns whether it fits at @factor times the size of the text. */
static gboolean
place_name (MemlaneDecideMap *self, const guint *regions, guint region, int mode, double factor)
{
  g_autofree char *title = memlane_map_mode_title (mode);
  g_autoptr (PangoLayout) layout = memlane_map_make_text (self, factor, TRUE, title);
  double row = self->area.height / MEMLANE_DECIDE_REUSES, width, height, pad = MEMLANE_MAP_NAME_PAD * self->em;
  MemlaneColor ground = memlane_map_ground (&self->style, mode), color = memlane_figure_text_on (&self->style, &ground);
  MemlaneRectangle room, taken;
  Block block;
  guint rows;

  memlane_figure_measure_text (layout, &width, &height);
  rows = (guint) CLAMP (ceil ((height + 2) / row), 1, MEMLANE_DECIDE_REUSES);
  if (!find_block (self, regions, region, rows, &block))
    return FALSE;
  room = get_extents (self, &block);
  taken = (MemlaneRectangle){ room.x + (room.width - width) / 2 - pad, room.y, width + 2 * pad, room.height };
  if (taken.width > room.width - 4 || height + 2 > room.height)
    return FALSE;
  mark_named (self, &block, &taken);
  memlane_map_place_text (self, MEMLANE_MAP_NAME, g_steal_pointer (&layout), taken.x + pad, room.y + (room.height - height) / 2, &color);
  g_array_index (self->texts, MemlaneMapText, self->texts->len - 1).mode = mode;
  return TRUE;
}

void
memlane_map_place_names (MemlaneDecideMap *self)
{
  guint n = memlane_map_index (self->decision->n_sizes, 0), n_regions;
  double factor = CLAMP (self->area.height / MEMLANE_DECIDE_REUSES / self->line * LARGE_SHARE, 1, LARGEST);
  g_autofree guint *regions = g_new (guint, n);

  n_regions = find_regions (self, regions);
  for (guint mode = 0; mode < self->decision->n_modes; mode++)
    {
      guint largest = G_MAXUINT, most = 0;

      for (guint region = 0; region < n_regions; region++)
        {
          guint cells = count_cells (regions, n, region), first = 0;

          while (regions[first] != region)
            first++;
          if (memlane_map_cell (self, first / MEMLANE_DECIDE_REUSES, first % MEMLANE_DECIDE_REUSES).mode != (int) mode || cells <= most)
            continue;
          most = cells;
          largest = region;
        }
      if (largest != G_MAXUINT && (factor == 1 || !place_name (self, regions, largest, (int) mode, factor)))
        place_name (self, regions, largest, (int) mode, 1);
    }
}
