/* decide-map.c: a map of decisions: what stands where, drawing it, and what lies under the pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * The frame places the words around the cells.
 */
#include "decide-map-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/scale.h"

#define WIDEST_CELL 3.6 /* heights of it, but no less than 16 em: a run of one size is a column, not a field */
#define X_GAP 0.3       /* em from the cells to the sizes */

/* The names of modes in their cells. */
#define NAME_PAD 0.4     /* em, at either side of a name */
#define LARGEST 1.5      /* sizes of the text, where cells are high */
#define LARGE_SHARE 0.42 /* of a cell's height */

/* Colours. */
#define GROUND_PART 0.5    /* of the mode's colour in its cells, the rest is the background */
#define LEAST_CONTRAST 4.5 /* of names and markers with their cells */
#define SEAM_PART 0.45     /* of the background between cells of one mode */
#define OPEN_ALPHA 0.55
#define DOT 0.42           /* of a marker's radius, in its middle */

/* --- cells and their colours -------------------------------------------------------------------------------------- */

/* In whole pixels, so that neighbours share an edge that is sharp. */
static double
column_x (const MemlaneDecideMap *self, guint i)
{
  return self->frame.area.x + round (i * self->frame.area.width / self->decision->n_sizes);
}

/* The lower edge. */
static double
row_y (const MemlaneDecideMap *self, guint i)
{
  return self->frame.area.y + self->frame.area.height - round (i * self->frame.area.height / MEMLANE_DECIDE_REUSES);
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
  cell.certainty = choice->open ? MEMLANE_MAP_OPEN : MEMLANE_MAP_CERTAIN;
  return cell;
}

static MemlaneCurveStyle
curve_style (const MemlaneStyle *style, int mode)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  return memlane_curve_style_for_mode (mode >= 0 && (guint) mode < n ? modes[mode].id : "", style);
}

MemlaneColor
memlane_map_ground (const MemlaneStyle *style, int mode)
{
  MemlaneColor own, ground;

  if (mode < 0)
    return memlane_color_mix (style->background, style->grid_minor, 0.8);
  own = curve_style (style, mode).color;
  /* Half of black is a grey on which nothing stands out. */
  for (double part = GROUND_PART;; part -= 0.04)
    {
      MemlaneColor text;

      ground = memlane_color_mix (style->background, own, part);
      text = memlane_figure_text_on (style, &ground);
      if (part < GROUND_PART / 2 || memlane_color_contrast (&text, &ground) >= LEAST_CONTRAST)
        return ground;
    }
}

MemlaneColor
memlane_map_ink (const MemlaneStyle *style, int mode)
{
  MemlaneColor ground = memlane_map_ground (style, mode), end = memlane_figure_text_on (style, &ground);
  MemlaneColor own = mode >= 0 ? curve_style (style, mode).color : style->faint;

  /* As much of its own colour as stands out. */
  for (double part = 0.25; part < 1; part += 0.125)
    {
      MemlaneColor ink = memlane_color_mix (own, end, part);

      if (memlane_color_contrast (&ink, &ground) >= LEAST_CONTRAST)
        return ink;
    }
  return end;
}

/* --- the legend: which modes and which hatches occur, and what they mean ------------------------------------------ */

MemlaneMapCell
memlane_map_sample (const MemlaneSample *sample)
{
  gboolean is_mode = sample->item < MEMLANE_MAP_FIRST_CERTAINTY;

  return (MemlaneMapCell){ sample->area, is_mode ? (int) sample->item : -1,
                           is_mode ? MEMLANE_MAP_CERTAIN : (MemlaneMapCertainty) (sample->item - MEMLANE_MAP_FIRST_CERTAINTY) };
}

/* Modes of one family have its colour and marker: the first that occurs is filled, the second open, the third open with a dot, and so on
 * in turn. */
static guint
rank_in_family (const MemlaneDecideMap *self, int mode)
{
  guint n, rank = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (int i = 0; i < mode; i++)
    rank += (self->modes >> i & 1) != 0 && modes[i].family == modes[mode].family;
  return rank;
}

/* Adds a row for each mode and each certainty that occur. */
static void
add_entries (MemlaneDecideMap *self)
{
  static const char *const meanings[] = {
    [MEMLANE_MAP_OPEN] = N_ ("another may be faster"),
    [MEMLANE_MAP_UNTOLD] = N_ ("not enough data"),
  };
  gboolean occurs[G_N_ELEMENTS (meanings)] = { FALSE };

  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        occurs[cell.certainty] = TRUE;
        if (cell.mode >= 0)
          self->modes |= 1u << cell.mode;
      }
  if (self->modes != 0)
    memlane_frame_add_entry (&self->frame, TRUE, G_MAXUINT, g_strdup (_("Mode to use")));
  for (guint i = 0; i < self->decision->n_modes; i++)
    if ((self->modes >> i & 1) != 0)
      memlane_frame_add_entry (&self->frame, FALSE, i, memlane_map_mode_title ((int) i));
  if (occurs[MEMLANE_MAP_OPEN] || occurs[MEMLANE_MAP_UNTOLD])
    memlane_frame_add_entry (&self->frame, TRUE, G_MAXUINT, g_strdup (_("Not certain")));
  for (guint i = MEMLANE_MAP_OPEN; i < G_N_ELEMENTS (meanings); i++)
    if (occurs[i])
      memlane_frame_add_entry (&self->frame, FALSE, MEMLANE_MAP_FIRST_CERTAINTY + i, g_strdup (_(meanings[i])));
}

/* --- names: each mode once, in the widest block of neighbouring cells of its largest region ----------------------- */

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
  g_autoptr (PangoLayout) layout = memlane_frame_make_text (&self->frame, factor * self->frame.style.text_size, TRUE, title);
  double row = self->frame.area.height / MEMLANE_DECIDE_REUSES, width, height, pad = NAME_PAD * self->frame.em;
  MemlaneColor ground = memlane_map_ground (&self->frame.style, mode), color = memlane_figure_text_on (&self->frame.style, &ground);
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
  memlane_frame_place_text (&self->frame, MEMLANE_MAP_NAME, g_steal_pointer (&layout), taken.x + pad,
                            room.y + (room.height - height) / 2, &color)->item = (guint) mode;
  return TRUE;
}

/* The name of each mode in the middle of its largest region, where it fits. */
static void
place_names (MemlaneDecideMap *self)
{
  guint n = memlane_map_index (self->decision->n_sizes, 0), n_regions;
  double factor = CLAMP (self->frame.area.height / MEMLANE_DECIDE_REUSES / self->frame.line * LARGE_SHARE, 1, LARGEST);
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

/* --- the axes ----------------------------------------------------------------------------------------------------- */

static PangoLayout *
make_text (const MemlaneDecideMap *self, const char *text)
{
  return memlane_frame_make_text (&self->frame, self->frame.style.text_size, FALSE, text);
}

static PangoLayout *
make_reuse (const MemlaneDecideMap *self, guint reuse_index)
{
  g_autofree char *text = g_strdup_printf ("%u", memlane_decide_reuse (reuse_index));

  return make_text (self, text);
}

static PangoLayout *
make_size (const MemlaneDecideMap *self, guint size_index, gboolean bytes)
{
  guint log2_elements = self->decision->sizes[size_index];
  g_autofree char *text = bytes ? memlane_unit_format (MEMLANE_UNIT_BYTES, ldexp (sizeof (float), (int) log2_elements), TRUE)
                                : memlane_unit_format_power (log2_elements);

  return make_text (self, text);
}

static double
measure_width (PangoLayout *layout)
{
  double width;

  memlane_figure_measure_text (layout, &width, NULL);
  g_object_unref (layout);
  return width;
}

static double
measure_reuses (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  double widest = 0;

  for (guint i = 0; i < MEMLANE_DECIDE_REUSES; i++)
    widest = MAX (widest, measure_width (make_reuse ((MemlaneDecideMap *) frame, i)));
  return widest + 0.5 * frame->em;
}

static void
place_reuses (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  MemlaneDecideMap *self = (MemlaneDecideMap *) frame;
  double row = self->frame.area.height / MEMLANE_DECIDE_REUSES;
  guint stride = (guint) MAX (ceil (self->frame.line / row), 1);

  for (guint i = 0; i < MEMLANE_DECIDE_REUSES; i += stride)
    {
      PangoLayout *layout = make_reuse (self, i);
      MemlaneRectangle cell = memlane_map_cell (self, 0, i).area;
      double width, height;

      memlane_figure_measure_text (layout, &width, &height);
      memlane_frame_place_text (frame, MEMLANE_TEXT_Y_TICK, layout, frame->area.x - 0.5 * frame->em - width,
                                cell.y + (cell.height - height) / 2, &frame->style.text);
    }
}

/* One line of the words below, as many as have room. */
static void
place_sizes (MemlaneDecideMap *self, gboolean bytes, double y)
{
  guint n = self->decision->n_sizes, stride;
  double widest = 0, column = self->frame.area.width / n;

  for (guint i = 0; i < n; i++)
    widest = MAX (widest, measure_width (make_size (self, i, bytes)));
  stride = (guint) MAX (ceil ((widest + 0.6 * self->frame.em) / column), 1);
  for (guint i = 0; i < n; i += stride)
    {
      PangoLayout *layout = make_size (self, i, bytes);
      MemlaneRectangle cell = memlane_map_cell (self, i, 0).area;
      double width, x;

      memlane_figure_measure_text (layout, &width, NULL);
      x = cell.x + (cell.width - width) / 2;
      if (x < 0 || x + width > self->frame.width)
        g_object_unref (layout);
      else
        memlane_frame_place_text (&self->frame, bytes ? MEMLANE_TEXT_X_BYTES : MEMLANE_TEXT_X_TICK, layout, x, y,
                                  bytes ? &self->frame.style.faint : &self->frame.style.text);
    }
}

static double
measure_powers (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return X_GAP * frame->em + frame->line;
}

static void
place_powers (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  place_sizes ((MemlaneDecideMap *) frame, FALSE, frame->area.y + frame->area.height + X_GAP * frame->em);
}

static double
measure_bytes (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return frame->line;
}

static void
place_bytes (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  place_sizes ((MemlaneDecideMap *) frame, TRUE, frame->area.y + frame->area.height + X_GAP * frame->em + frame->line);
}

/* --- a layout from its birth to its end --------------------------------------------------------------------------- */

static const MemlaneBand bands[] = {
  { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP, 5 },
  { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP, 6, 8 },
  { MEMLANE_TEXT_LEGEND, MEMLANE_SIDE_RIGHT, 4 },
  { MEMLANE_TEXT_UNIT, MEMLANE_SIDE_TOP, 2 },
  { MEMLANE_TEXT_CAPTION, MEMLANE_SIDE_BOTTOM, 7 },
  { MEMLANE_TEXT_X_BYTES, MEMLANE_SIDE_BOTTOM, 3, 0, measure_bytes, place_bytes },
  { MEMLANE_TEXT_X_TICK, MEMLANE_SIDE_BOTTOM, 1, 0, measure_powers, place_powers },
  { MEMLANE_TEXT_Y_TICK, MEMLANE_SIDE_LEFT, 1, 0, measure_reuses, place_reuses },
};

static void
place_all (MemlaneDecideMap *self)
{
  MemlaneFrame *frame = &self->frame;
  guint n = self->decision->n_sizes;

  frame->title = memlane_map_title (self->decision);
  frame->subtitle = memlane_map_subtitle (self->decision);
  frame->simulated = self->decision->simulated;
  frame->least_width = MIN (frame->least_width, 4 * frame->em * MAX (n, 1));
  frame->sample_width = round (2.2 * frame->em);
  frame->sample_height = round (1.45 * frame->em);
  if (n == 0)
    {
      g_autofree char *why = memlane_map_explain (self->decision);

      memlane_frame_fit (frame, bands, 2);
      memlane_frame_place (frame);
      memlane_frame_place_empty (frame, why);
      return;
    }
  frame->unit = g_strdup (self->decision->has_reuse ? _("Kernels per transfer (reuse)") : _("Reuse"));
  frame->caption = g_strdup (_("Vector size in floats and in bytes"));
  add_entries (self);
  memlane_frame_fit (frame, bands, G_N_ELEMENTS (bands));
  if (memlane_frame_has (frame, MEMLANE_TEXT_X_TICK))
    frame->area.width = MIN (frame->area.width,
                             ceil (MAX (WIDEST_CELL * frame->area.height / MEMLANE_DECIDE_REUSES, 16 * frame->em)) * n);
  memlane_frame_place (frame);
  place_names (self);
}

void
memlane_decide_map_free (MemlaneDecideMap *self)
{
  if (self == NULL)
    return;
  memlane_frame_clear (&self->frame);
  g_free (self->named);
  g_free (self);
}

MemlaneDecideMap *
memlane_decide_map_layout (const MemlaneDecision *decision, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  MemlaneDecideMap *self = g_new0 (MemlaneDecideMap, 1);

  memlane_frame_init (&self->frame, style, width, height, pango);
  self->decision = decision;
  self->named = g_new0 (gboolean, memlane_map_index (MAX (decision->n_sizes, 1), 0));
  place_all (self);
  return self;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static void
add_hatch (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  memlane_figure_add_hatch (cr, &cell->area, MAX (round (0.75 * self->frame.em), 3), TRUE, TRUE);
}

static void
stroke_hatch (const MemlaneDecideMap *self, cairo_t *cr, int mode)
{
  MemlaneColor ink = memlane_color_fade (memlane_map_ink (&self->frame.style, mode), OPEN_ALPHA);

  cairo_set_line_width (cr, 0.1 * self->frame.em);
  memlane_color_set (cr, &ink);
  cairo_stroke (cr);
}

static double
marker_radius (const MemlaneDecideMap *self, const MemlaneRectangle *cell)
{
  double room = MIN (cell->width, cell->height);

  return MIN (MAX (1.25 * self->frame.style.marker_radius, 0.12 * room), 0.24 * room);
}

static void
draw_marker (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  double x = cell->area.x + cell->area.width / 2, y = cell->area.y + cell->area.height / 2, radius = marker_radius (self, &cell->area);
  MemlaneColor ink = memlane_map_ink (&self->frame.style, cell->mode), ground = memlane_map_ground (&self->frame.style, cell->mode);
  MemlaneMarker marker = cell->mode >= 0 ? curve_style (&self->frame.style, cell->mode).marker : MEMLANE_MARKER_CIRCLE;
  MemlaneStyle own = self->frame.style;
  guint rank;

  if (cell->mode < 0 && cell->certainty != MEMLANE_MAP_UNTOLD)
    return; /* the legend's picture of a hatch */
  if (cell->mode < 0)
    radius *= 0.4;
  else if (cell->certainty != MEMLANE_MAP_CERTAIN)
    {
      /* A clearing in the hatch. */
      cairo_new_sub_path (cr);
      cairo_arc (cr, x, y, 1.65 * radius, 0, 2 * G_PI);
      memlane_color_set (cr, &ground);
      cairo_fill (cr);
    }
  rank = cell->mode >= 0 ? rank_in_family (self, cell->mode) : 0;
  own.background = ground;
  memlane_marker_draw (cr, marker, x, y, radius, &ink, rank > 0, &own);
  if (rank > 1)
    memlane_marker_draw (cr, MEMLANE_MARKER_CIRCLE, x, y, DOT * radius, &ink, rank % 2 == 1, &own);
}

typedef void (*AddCell) (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell);

static void
add_ground (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  cairo_rectangle (cr, cell->area.x, cell->area.y, cell->area.width, cell->area.height);
}

/* All cells of one mode, and of one certainty unless that is -1, to the path. Returns whether there are any. */
static gboolean
add_cells (const MemlaneDecideMap *self, cairo_t *cr, int mode, int certainty, AddCell add_cell)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (cell.mode != mode || (certainty >= 0 && cell.certainty != (MemlaneMapCertainty) certainty))
          continue;
        add_cell (self, cr, &cell);
        any = TRUE;
      }
  return any;
}

static void
draw_grounds (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (int mode = -1; mode < (int) self->decision->n_modes; mode++)
    {
      MemlaneColor ground = memlane_map_ground (&self->frame.style, mode);

      if (add_cells (self, cr, mode, -1, add_ground))
        {
          memlane_color_set (cr, &ground);
          cairo_fill (cr);
        }
      if (mode >= 0 && add_cells (self, cr, mode, MEMLANE_MAP_OPEN, add_hatch))
        stroke_hatch (self, cr, mode);
    }
}

/* Edges between cells: of one mode thin and light, between modes strong. */
static void
add_seams (const MemlaneDecideMap *self, cairo_t *cr, gboolean borders, double width)
{
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (i > 0 && (memlane_map_cell (self, i - 1, j).mode != cell.mode) == borders)
          cairo_rectangle (cr, cell.area.x - floor (width / 2), cell.area.y - (borders ? floor (width / 2) : 0), width,
                           cell.area.height + (borders ? width : 0));
        if (j > 0 && (memlane_map_cell (self, i, j - 1).mode != cell.mode) == borders)
          cairo_rectangle (cr, cell.area.x - (borders ? floor (width / 2) : 0), cell.area.y + cell.area.height - floor (width / 2),
                           cell.area.width + (borders ? width : 0), width);
      }
}

static void
draw_seams (const MemlaneDecideMap *self, cairo_t *cr)
{
  double thin = MAX (round (self->frame.style.axis_width), 1), strong = MAX (round (1.2 * self->frame.style.line_width), 2);
  MemlaneColor seam = memlane_color_fade (self->frame.style.background, SEAM_PART);
  MemlaneRectangle cell = memlane_map_cell (self, 0, 0).area;

  cairo_save (cr);
  cairo_rectangle (cr, self->frame.area.x, self->frame.area.y, self->frame.area.width, self->frame.area.height);
  cairo_clip (cr);
  if (MIN (cell.width, cell.height) >= 5)
    {
      add_seams (self, cr, FALSE, thin);
      memlane_color_set (cr, &seam);
      cairo_fill (cr);
    }
  else
    strong = 1;
  add_seams (self, cr, TRUE, strong);
  memlane_color_set (cr, &self->frame.style.text);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
draw_markers (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (!self->named[memlane_map_index (i, j)])
          draw_marker (self, cr, &cell);
      }
}

static void
draw_frame (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneRectangle *area, double width, const MemlaneColor *color)
{
  cairo_rectangle (cr, area->x - width / 2, area->y - width / 2, area->width + width, area->height + width);
  cairo_set_line_width (cr, width);
  memlane_color_set (cr, color);
  cairo_stroke (cr);
}

static void
draw_samples (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->frame.samples->len; i++)
    {
      const MemlaneMapCell cell = memlane_map_sample (&g_array_index (self->frame.samples, MemlaneSample, i));
      MemlaneColor ground = memlane_map_ground (&self->frame.style, cell.mode);

      cairo_save (cr);
      memlane_figure_add_round (cr, &cell.area, 0.2 * self->frame.em);
      memlane_color_set (cr, &ground);
      cairo_fill_preserve (cr);
      cairo_clip (cr);
      if (cell.certainty == MEMLANE_MAP_OPEN)
        {
          add_hatch (self, cr, &cell);
          stroke_hatch (self, cr, cell.mode);
        }
      draw_marker (self, cr, &cell);
      cairo_restore (cr);
    }
}

/* A strip of plain ground that carries a name. */
static void
draw_strip (const MemlaneDecideMap *self, cairo_t *cr, const MemlanePlacedText *text)
{
  MemlaneColor ground = memlane_map_ground (&self->frame.style, (int) text->item);
  double pad = NAME_PAD * self->frame.em;
  const MemlaneRectangle strip = { text->area.x - pad, text->area.y - 1, text->area.width + 2 * pad, text->area.height + 2 };

  memlane_figure_add_round (cr, &strip, 0.3 * self->frame.em);
  memlane_color_set (cr, &ground);
  cairo_fill (cr);
}

static void
draw_names (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->frame.texts->len; i++)
    {
      const MemlanePlacedText *text = &g_array_index (self->frame.texts, MemlanePlacedText, i);

      if (text->role != MEMLANE_MAP_NAME)
        continue;
      draw_strip (self, cr, text);
      memlane_frame_draw_text (text, cr);
    }
}

void
memlane_decide_map_draw (const MemlaneDecideMap *self, cairo_t *cr)
{
  cairo_save (cr);
  memlane_frame_draw_ground (&self->frame, cr);
  if (self->decision->n_sizes > 0)
    {
      draw_grounds (self, cr);
      draw_seams (self, cr);
      draw_markers (self, cr);
      draw_frame (self, cr, &self->frame.area, MAX (round (self->frame.style.axis_width), 1), &self->frame.style.axis);
    }
  draw_samples (self, cr);
  draw_names (self, cr);
  memlane_frame_draw_words (&self->frame, cr);
  cairo_restore (cr);
}

/* --- what follows the pointer and the choice ---------------------------------------------------------------------- */

gboolean
memlane_decide_map_place (const MemlaneDecideMap *self, guint size_index, guint reuse_index, MemlaneRectangle *area)
{
  if (size_index >= self->decision->n_sizes || reuse_index >= MEMLANE_DECIDE_REUSES)
    return FALSE;
  *area = memlane_map_cell (self, size_index, reuse_index).area;
  return TRUE;
}

void
memlane_decide_map_draw_overlay (const MemlaneDecideMap *self, cairo_t *cr, guint hovered_size, guint hovered_reuse, guint chosen_size,
                                 guint chosen_reuse)
{
  double thick = MAX (round (self->frame.style.line_width), 2);
  MemlaneRectangle cell;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (memlane_decide_map_place (self, chosen_size, chosen_reuse, &cell))
    {
      double radius = MAX (MIN (2.6 * marker_radius (self, &cell), MIN (cell.width, cell.height) / 2 - thick), 1);

      for (int pass = 0; pass < 2; pass++)
        {
          cairo_new_sub_path (cr);
          cairo_arc (cr, cell.x + cell.width / 2, cell.y + cell.height / 2, radius, 0, 2 * G_PI);
          cairo_set_line_width (cr, pass == 0 ? thick + 2 : thick);
          memlane_color_set (cr, pass == 0 ? &self->frame.style.halo : &self->frame.style.crosshair);
          cairo_stroke (cr);
        }
    }
  if (memlane_decide_map_place (self, hovered_size, hovered_reuse, &cell))
    {
      const MemlaneRectangle outside = { cell.x - thick, cell.y - thick, cell.width + 2 * thick, cell.height + 2 * thick };

      draw_frame (self, cr, &outside, 1, &self->frame.style.halo);
      draw_frame (self, cr, &cell, thick, &self->frame.style.crosshair);
    }
  cairo_restore (cr);
}

gboolean
memlane_decide_map_hit (const MemlaneDecideMap *self, double x, double y, guint *size_index, guint *reuse_index)
{
  guint column = 0, row = 0;

  /* Written so that NAN is outside. */
  if (self->decision->n_sizes == 0 || !(x >= self->frame.area.x && x < self->frame.area.x + self->frame.area.width)
      || !(y >= self->frame.area.y && y < self->frame.area.y + self->frame.area.height))
    return FALSE;
  while (column + 1 < self->decision->n_sizes && x >= column_x (self, column + 1))
    column++;
  while (row + 1 < MEMLANE_DECIDE_REUSES && y < row_y (self, row + 1))
    row++;
  *size_index = column;
  *reuse_index = row;
  return TRUE;
}

/* --- the figure as others draw it --------------------------------------------------------------------------------------------- */

typedef struct
{
  const MemlaneDecision *decision;
  gpointer owner;
  GDestroyNotify release;
} MapDrawing;

static gpointer
lay_out_drawing (gconstpointer content, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  return memlane_decide_map_layout (((const MapDrawing *) content)->decision, style, width, height, pango);
}

static char *
name_drawing (gconstpointer content)
{
  char *name = g_strdup_printf ("decide-%s", ((const MapDrawing *) content)->decision->workload);

  return g_strdelimit (name, "/\\:", '-');
}

static char *
get_drawing_title (gconstpointer content)
{
  return memlane_map_title (((const MapDrawing *) content)->decision);
}

static char *
describe_drawing (gconstpointer content)
{
  return memlane_decide_map_describe (((const MapDrawing *) content)->decision);
}

static char *
write_drawing (gconstpointer content)
{
  const MemlaneDecision *decision = ((const MapDrawing *) content)->decision;
  GString *text = g_string_new ("log2_elements,reuse,mode\n");
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);

  for (guint i = 0; i < decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneChoice choice;

        if (memlane_decision_judge (decision, decision->sizes[i], memlane_decide_reuse (j), &choice))
          g_string_append_printf (text, "%u,%u,%s\n", decision->sizes[i], memlane_decide_reuse (j), modes[choice.choice].id);
      }
  return g_string_free (text, FALSE);
}

static void
free_drawing (gpointer content)
{
  MapDrawing *self = content;

  g_clear_pointer (&self->owner, self->release);
  g_free (self);
}

MemlaneDrawing *
memlane_decide_map_drawing_new (const MemlaneDecision *decision, gpointer owner, GDestroyNotify release)
{
  static const MemlaneDrawingClass klass = {
    .layout = lay_out_drawing,
    .draw = (void (*) (gconstpointer, cairo_t *)) memlane_decide_map_draw,
    .free_layout = (GDestroyNotify) memlane_decide_map_free,
    .name = name_drawing,
    .title = get_drawing_title,
    .describe = describe_drawing,
    .to_csv = write_drawing,
    .free = free_drawing,
  };
  MapDrawing *self = g_new (MapDrawing, 1);

  *self = (MapDrawing){ decision, owner, release };
  return memlane_drawing_new (&klass, self);
}
