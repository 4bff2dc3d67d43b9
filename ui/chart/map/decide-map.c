/* decide-map.c: a map of decisions: what stands where, drawing it, and what lies under the pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * The frame places the words around the cells.
 */
#include "decide-map-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/each.h"
#include "base/owns.h"
#include "chart/chart-words.h"
#include "chart/chart.h"
#include "chart/scale.h"

/* heights of it, but no less than 16 em: a run of one size is a column, not a field */
#define WIDEST_CELL 3.6
#define X_GAP 0.3       /* em from the cells to the sizes */

/* The names of modes in their cells. */
#define NAME_PAD 0.4     /* em, at either side of a name */
#define LARGEST 1.5      /* sizes of the text, where cells are high */
#define LARGE_SHARE 0.42 /* of a cell's height */

/* Colours. */
#define TIED_PART 0.4      /* of GROUND_PART, where modes of several families tie */
#define GROUND_PART 0.5    /* of the mode's colour in its cells, the rest is the background */
/* of GROUND_PART: each further way to move pieces has so much less of the colour */
#define SHADE 0.2
#define LEAST_CONTRAST 4.5 /* of names and markers with their cells */
#define SEAM_PART 0.45     /* of the background between cells of one mode */
#define OPEN_ALPHA 0.55

/* --- cells and their colours ------------------------------------------------------------------ */

/* Rounds to whole pixels, so that neighbours share a sharp edge. */
static double
column_x (const MemlaneDecideMap *self, guint i)
{
  return self->frame.area.x + round (i * self->frame.area.width / self->decision->n_columns);
}

/* The lower edge. */
static double
row_y (const MemlaneDecideMap *self, guint i)
{
  return self->frame.area.y + self->frame.area.height
         - round (i * self->frame.area.height / self->decision->n_rows);
}

MemlaneMapCell
memlane_map_cell (const MemlaneDecideMap *self, guint column, guint row)
{
  const MemlaneChoice *choice = memlane_decision_get (self->decision, column, row);
  double x = column_x (self, column), y = row_y (self, row + 1);
  MemlaneMapCell cell = { { x, y, column_x (self, column + 1) - x, row_y (self, row) - y },
                          -1,
                          MEMLANE_MAP_UNTOLD };

  if (choice == NULL || choice->choice < 0)
    return cell;
  cell.kind = self->kinds[column * self->decision->n_rows + row];
  cell.certainty = choice->open    ? MEMLANE_MAP_OPEN
                   : choice->alike ? MEMLANE_MAP_TIED
                                   : MEMLANE_MAP_CERTAIN;
  return cell;
}

static guint
count_all (const MemlaneDecideMap *self)
{
  return self->decision->n_columns * self->decision->n_rows;
}

static MemlaneMapCell
get_cell (const MemlaneDecideMap *self, guint index)
{
  return memlane_map_cell (self, index / self->decision->n_rows, index % self->decision->n_rows);
}

/* The ways to move pieces are many in one family, and share its colour: each has a shade and a
 * marker of its own. Returns how many of them there are up to @kind. */
static guint
find_shade (int kind)
{
  guint n, shade = 0;
  const MemlaneMode *modes = memlane_mode_list (&n);

  if (kind < 0 || (guint) kind >= n || !memlane_mode_is_of_pieces (&modes[kind]))
    return 0;
  for (int i = 0; i <= kind; i++)
    shade += memlane_mode_is_of_pieces (&modes[i]) && modes[i].family == modes[kind].family;
  return shade;
}

static MemlaneCurveStyle
curve_style (const MemlaneStyle *style, int kind)
{
  guint n;
  const MemlaneMode *modes = memlane_mode_list (&n);
  MemlaneCurveStyle curve =
      memlane_curve_style_for_mode (kind >= 0 && (guint) kind < n ? modes[kind].id : "", style);

  curve.marker = (curve.marker + find_shade (kind)) % MEMLANE_N_MARKERS;
  return curve;
}

MemlaneColor
memlane_map_ground (const MemlaneStyle *style, int kind, gboolean tied)
{
  MemlaneColor own, ground;

  if (kind < 0)
    return memlane_color_mix (style->background, style->grid_minor, 0.8);
  own = curve_style (style, kind).color;
  /* Half of black is a grey on which nothing stands out. */
  for (double part = (tied ? TIED_PART : 1) * GROUND_PART * (1 - SHADE * find_shade (kind));;
       part -= 0.04)
    {
      MemlaneColor text;

      ground = memlane_color_mix (style->background, own, part);
      text = memlane_figure_text_on (style, &ground);
      if (part < GROUND_PART / 5 || memlane_color_contrast (&text, &ground) >= LEAST_CONTRAST)
        return ground;
    }
}

MemlaneColor
memlane_map_ink (const MemlaneStyle *style, int kind, gboolean tied)
{
  MemlaneColor ground = memlane_map_ground (style, kind, tied),
               end = memlane_figure_text_on (style, &ground);
  MemlaneColor own = kind >= 0 ? curve_style (style, kind).color : style->faint;

  /* Takes as much of its own colour as stands out. */
  for (double part = 0.25; part < 1; part += 0.125)
    {
      MemlaneColor ink = memlane_color_mix (own, end, part);

      if (memlane_color_contrast (&ink, &ground) >= LEAST_CONTRAST)
        return ink;
    }
  return end;
}

/* --- the legend: which kinds and which hatches occur, and what they mean ---------------------- */

/* (transfer full) */
static char *
get_kind_title (const MemlaneDecideMap *self, int kind)
{
  return self->decision->by_pieces != NULL
             ? memlane_chart_mode_label (self->decision->modes[kind].id, NULL)
             : g_strdup (memlane_chart_family_title (self->decision->modes[kind].family));
}

/* Adds a row for each kind and each certainty that occur. */
static void
add_entries (MemlaneDecideMap *self)
{
  static const char *const meanings[] = {
    [MEMLANE_MAP_OPEN] = N_("another may be faster"),
    [MEMLANE_MAP_UNTOLD] = N_("not enough data"),
  };
  gboolean occurs[G_N_ELEMENTS (meanings)] = { FALSE };
  gboolean has[MEMLANE_MOST_MODES] = { FALSE }, any = FALSE;

  for (guint i = 0; i < count_all (self); i++)
    {
      MemlaneMapCell cell = get_cell (self, i);

      occurs[cell.certainty] = TRUE;
      if (cell.kind >= 0)
        any = has[cell.kind] = TRUE;
    }
  if (any)
    memlane_frame_add_entry (&self->frame, TRUE, G_MAXUINT, g_strdup (_("Mode to use")));
  for (guint i = 0; i < G_N_ELEMENTS (has); i++)
    if (has[i])
      memlane_frame_add_entry (&self->frame, FALSE, i, get_kind_title (self, (int) i));
  if (occurs[MEMLANE_MAP_TIED])
    memlane_frame_add_entry (&self->frame, FALSE, MEMLANE_MAP_FIRST_CERTAINTY + MEMLANE_MAP_TIED,
                             g_strdup (_("pale: several tie, the simplest")));
  if (occurs[MEMLANE_MAP_OPEN] || occurs[MEMLANE_MAP_UNTOLD])
    memlane_frame_add_entry (&self->frame, TRUE, G_MAXUINT, g_strdup (_("Not certain")));
  for (guint i = MEMLANE_MAP_OPEN; i < G_N_ELEMENTS (meanings); i++)
    if (occurs[i])
      memlane_frame_add_entry (&self->frame, FALSE, MEMLANE_MAP_FIRST_CERTAINTY + i,
                               g_strdup (_(meanings[i])));
}

/* --- regions, and their names: each once, in the widest block of cells of the largest --------- */

typedef struct
{
  int kind;
  guint cells;
  double row;  /* of its middle */
} Region;

typedef struct
{
  guint column, row, columns;
} Block;

/* The cells beside the cell @at. Returns how many there are. */
static guint
list_neighbours (const MemlaneDecideMap *self, guint at, guint neighbours[4])
{
  const guint n_rows = self->decision->n_rows, row = at % n_rows;
  guint n = 0;

  if (at >= n_rows)
    neighbours[n++] = at - n_rows;
  if (at + n_rows < count_all (self))
    neighbours[n++] = at + n_rows;
  if (row > 0)
    neighbours[n++] = at - 1;
  if (row + 1 < n_rows)
    neighbours[n++] = at + 1;
  return n;
}

/* Labels each cell with the number of its region, from 0; G_MAXUINT: it has none. Returns:
 * (transfer full) (element-type Region). */
static GArray *
find_regions (const MemlaneDecideMap *self, guint *labels)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (Region));
  guint n = count_all (self);
  g_autofree guint *stack = g_new (guint, 4 * n + 1);

  for (guint i = 0; i < n; i++)
    labels[i] = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    {
      Region region = { .kind = self->kinds[i] };
      guint depth = 0;

      if (labels[i] != G_MAXUINT || self->kinds[i] < 0)
        continue;
      stack[depth++] = i;
      while (depth > 0)
        {
          guint at = stack[--depth];

          if (labels[at] != G_MAXUINT || self->kinds[at] != region.kind)
            continue;
          labels[at] = regions->len;
          region.row += (at % self->decision->n_rows + 0.5 - region.row) / ++region.cells;
          depth += list_neighbours (self, at, &stack[depth]);
        }
      g_array_append_val (regions, region);
    }
  return regions;
}

/* Returns how many cells follow each other from (@column, @row) on, in each of @rows rows. */
static guint
count_columns (const MemlaneDecideMap *self, const guint *labels, guint label, guint column,
               guint row, guint rows)
{
  const guint n_rows = self->decision->n_rows;
  guint columns = 0;

  for (; column + columns < self->decision->n_columns; columns++)
    for (guint j = 0; j < rows; j++)
      if (labels[(column + columns) * n_rows + row + j] != label)
        return columns;
  return columns;
}

/* The widest block of @rows rows in the region; of several, the one in its middle. */
static gboolean
find_block (const MemlaneDecideMap *self, const guint *labels, guint label, const Region *region,
            guint rows, Block *best)
{
  double best_off = 0;

  best->columns = 0;
  for (guint row = 0; row + rows <= self->decision->n_rows; row++)
    for (guint column = 0; column < self->decision->n_columns; column++)
      {
        Block block = { column, row, count_columns (self, labels, label, column, row, rows) };
        double off = fabs (region->row - row - rows / 2.0);

        if (block.columns <= best->columns
            && (block.columns == 0 || block.columns < best->columns || off >= best_off))
          continue;
        *best = block;
        best_off = off;
      }
  return best->columns > 0;
}

/* Returns the drawn form of a cell of @mode. */
static int
find_kind (const MemlaneDecision *decision, int mode)
{
  int first = 0;

  if (decision->by_pieces != NULL)
    return mode;
  while (decision->modes[first].family != decision->modes[mode].family)
    first++;
  return first;
}

static void
find_kinds (MemlaneDecideMap *self)
{
  self->kinds = g_new (int, count_all (self));
  for (guint i = 0; i < count_all (self); i++)
    {
      const MemlaneChoice *choice = &self->decision->map[i];

      self->kinds[i] = choice->choice < 0 ? -1 : find_kind (self->decision, choice->choice);
      if (self->kinds[i] >= 0 && choice->alike)
        self->tied_kind = self->kinds[i];
    }
}

/* Returns the strip on which a name of @kind stands whose middle is at (@x, @y): as pale as the
 * cell there. */
static MemlaneColor
find_strip (const MemlaneDecideMap *self, int kind, double x, double y)
{
  guint column;
  guint row;
  gboolean tied = memlane_decide_map_hit (self, x, y, &column, &row)
                  && memlane_map_cell (self, column, row).certainty == MEMLANE_MAP_TIED;

  return memlane_map_ground (&self->frame.style, kind, tied);
}

/* Returns whether it fits at @factor times the size of the text. */
static gboolean
place_name (MemlaneDecideMap *self, const guint *labels, guint label, const Region *region,
            double factor)
{
  g_autofree char *title = get_kind_title (self, region->kind);
  g_autoptr (PangoLayout) layout =
      memlane_frame_make_text (&self->frame, factor * self->frame.style.text_size, TRUE, title);
  double row = self->frame.area.height / self->decision->n_rows, width, height,
         pad = NAME_PAD * self->frame.em;
  MemlaneColor strip;
  MemlaneColor color;
  MemlaneRectangle first, last;
  Block block;
  guint rows;

  memlane_figure_measure_text (layout, &width, &height);
  rows = (guint) CLAMP (ceil ((height + 2) / row), 1, self->decision->n_rows);
  if (!find_block (self, labels, label, region, rows, &block))
    return FALSE;
  first = memlane_map_cell (self, block.column, block.row).area;
  last = memlane_map_cell (self, block.column + block.columns - 1, block.row + rows - 1).area;
  if (width + 2 * pad > last.x + last.width - first.x - 4
      || height + 2 > first.y + first.height - last.y)
    return FALSE;
  strip = find_strip (self, region->kind, (first.x + last.x + last.width) / 2,
                      (last.y + first.y + first.height) / 2);
  color = memlane_figure_text_on (&self->frame.style, &strip);
  memlane_frame_place_text (&self->frame, MEMLANE_MAP_NAME, g_steal_pointer (&layout),
                            (first.x + last.x + last.width - width) / 2,
                            (last.y + first.y + first.height - height) / 2, &color)
      ->item = (guint) region->kind;
  return TRUE;
}

/* The name of each kind in the middle of its largest region, where it fits. Other regions get a
 * marker. */
static void
place_names (MemlaneDecideMap *self)
{
  double factor =
      CLAMP (self->frame.area.height / self->decision->n_rows / self->frame.line * LARGE_SHARE, 1,
             LARGEST);
  g_autofree guint *labels = g_new (guint, count_all (self));
  g_autoptr (GArray) regions = find_regions (self, labels);

  for (guint i = 0; i < regions->len; i++)
    {
      const Region *region = &g_array_index (regions, Region, i);
      gboolean largest = TRUE;
      guint mark;
      Block block;

      for (guint k = 0; k < regions->len; k++)
        {
          const Region *other = &g_array_index (regions, Region, k);

          largest = largest
                    && (other->kind != region->kind || other->cells < region->cells
                        || (other->cells == region->cells && k >= i));
        }
      if (largest
          && (place_name (self, labels, i, region, factor)
              || place_name (self, labels, i, region, 1)))
        continue;
      if (!find_block (self, labels, i, region, 1, &block))
        continue;
      mark = (block.column + block.columns / 2) * self->decision->n_rows + block.row;
      g_array_append_val (self->marks, mark);
    }
}

/* --- the axes --------------------------------------------------------------------------------- */

/* (transfer full): the word at a row or a column, by the role of the words there. */
static char *
format_tick (const MemlaneDecideMap *self, MemlaneTextRole role, guint i)
{
  if (role == MEMLANE_TEXT_Y_TICK)
    return g_strdup_printf ("%u", self->decision->rows[i]);
  return role == MEMLANE_TEXT_X_TICK
             ? memlane_unit_format_power (self->decision->columns[i])
             : memlane_unit_format (MEMLANE_UNIT_BYTES,
                                    sizeof (float) * exp2 (self->decision->columns[i]), TRUE);
}

/* The width of the widest of @n words. */
static double
measure_ticks (MemlaneDecideMap *self, MemlaneTextRole role, guint n)
{
  double widest = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = format_tick (self, role, i);

      widest = MAX (widest, memlane_frame_measure (&self->frame, FALSE, text));
    }
  return widest;
}

static double
measure_rows (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  MemlaneDecideMap *self = (MemlaneDecideMap *) frame;

  return measure_ticks (self, MEMLANE_TEXT_Y_TICK, self->decision->n_rows) + 0.5 * frame->em;
}

static void
place_rows (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  const MemlaneDecision *decision = ((MemlaneDecideMap *) frame)->decision;
  guint stride = (guint) MAX (ceil (frame->line / (frame->area.height / decision->n_rows)), 1);

  for (guint i = 0; i < decision->n_rows; i += stride)
    {
      g_autofree char *text = format_tick ((MemlaneDecideMap *) frame, MEMLANE_TEXT_Y_TICK, i);
      PangoLayout *layout = memlane_frame_make_text (frame, frame->style.text_size, FALSE, text);
      MemlaneRectangle cell = memlane_map_cell ((MemlaneDecideMap *) frame, 0, i).area;
      double width, height;

      memlane_figure_measure_text (layout, &width, &height);
      memlane_frame_place_text (frame, MEMLANE_TEXT_Y_TICK, layout,
                                frame->area.x - 0.5 * frame->em - width,
                                cell.y + (cell.height - height) / 2, &frame->style.text);
    }
}

/* One line of the words below, as many as have room. */
static void
place_sizes (MemlaneDecideMap *self, MemlaneTextRole role, double y)
{
  MemlaneFrame *frame = &self->frame;
  guint n = self->decision->n_columns;
  guint stride = (guint) MAX (
      ceil ((measure_ticks (self, role, n) + 0.6 * frame->em) / (frame->area.width / n)), 1);

  for (guint i = 0; i < n; i += stride)
    {
      g_autofree char *text = format_tick (self, role, i);
      g_autoptr (PangoLayout) layout =
          memlane_frame_make_text (frame, frame->style.text_size, FALSE, text);
      MemlaneRectangle cell = memlane_map_cell (self, i, 0).area;
      double width = memlane_figure_text_width (layout), x = cell.x + (cell.width - width) / 2;

      if (x >= 0 && x + width <= frame->width)
        memlane_frame_place_text (frame, role, g_steal_pointer (&layout), x, y,
                                  role == MEMLANE_TEXT_X_BYTES ? &frame->style.faint
                                                               : &frame->style.text);
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
  place_sizes ((MemlaneDecideMap *) frame, MEMLANE_TEXT_X_TICK,
               frame->area.y + frame->area.height + X_GAP * frame->em);
}

static double
measure_bytes (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return frame->line;
}

static void
place_bytes (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small)
{
  place_sizes ((MemlaneDecideMap *) frame, MEMLANE_TEXT_X_BYTES,
               frame->area.y + frame->area.height + X_GAP * frame->em + frame->line);
}

/* --- a layout from its birth to its end ------------------------------------------------------- */

static const MemlaneBand bands[] = {
  { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP, 5 },
  { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP, 6, 8 },
  { MEMLANE_TEXT_LEGEND, MEMLANE_SIDE_RIGHT, 4 },
  { MEMLANE_TEXT_UNIT, MEMLANE_SIDE_TOP, 2 },
  { MEMLANE_TEXT_CAPTION, MEMLANE_SIDE_BOTTOM, 7 },
  { MEMLANE_TEXT_X_BYTES, MEMLANE_SIDE_BOTTOM, 3, 0, measure_bytes, place_bytes },
  { MEMLANE_TEXT_X_TICK, MEMLANE_SIDE_BOTTOM, 1, 0, measure_powers, place_powers },
  { MEMLANE_TEXT_Y_TICK, MEMLANE_SIDE_LEFT, 1, 0, measure_rows, place_rows },
};

MEMLANE_DEFINE_FREE (MemlaneDecideMap, void memlane_decide_map_free (MemlaneDecideMap *data),
                     memlane_frame_clear (&self->frame);
                     OWNS (marks, g_array_unref) OWNS (kinds, g_free))

MemlaneDecideMap *
memlane_decide_map_layout (const MemlaneDecision *decision, const MemlaneStyle *style, double width,
                           double height, PangoContext *pango)
{
  MemlaneDecideMap *self = g_new0 (MemlaneDecideMap, 1);
  MemlaneFrame *frame = &self->frame;
  guint n = decision->n_columns;

  memlane_frame_init (frame, style, width, height, pango);
  self->decision = decision;
  self->marks = g_array_new (FALSE, FALSE, sizeof (guint));
  frame->title = memlane_map_title (decision);
  frame->subtitle = memlane_map_subtitle (decision);
  frame->simulated = decision->simulated;
  frame->least_width = MIN (frame->least_width, 4 * frame->em * MAX (n, 1));
  frame->sample_width = round (2.2 * frame->em);
  frame->sample_height = round (1.45 * frame->em);
  if (n == 0)
    {
      g_autofree char *why = memlane_map_explain (decision);

      memlane_frame_fit (frame, bands, 2);
      memlane_frame_place (frame);
      memlane_frame_place_empty (frame, why);
      return self;
    }
  frame->unit = g_strdup (decision->by_pieces != NULL ? _("Number of pieces")
                          : decision->has_reuse       ? _("Kernels per transfer (reuse)")
                                                      : _("Reuse"));
  frame->caption = g_strdup (decision->by_pieces != NULL ? _("Piece size in floats and in bytes")
                                                         : _("Vector size in floats and in bytes"));
  find_kinds (self);
  add_entries (self);
  memlane_frame_fit (frame, bands, G_N_ELEMENTS (bands));
  if (memlane_frame_has (frame, MEMLANE_TEXT_X_TICK))
    frame->area.width =
        MIN (frame->area.width,
             ceil (MAX (WIDEST_CELL * frame->area.height / decision->n_rows, 16 * frame->em)) * n);
  memlane_frame_place (frame);
  place_names (self);
  return self;
}

/* --- drawing ---------------------------------------------------------------------------------- */

static void
add_hatch (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  memlane_figure_add_hatch (cr, &cell->area, MAX (round (0.75 * self->frame.em), 3), TRUE, TRUE);
}

static void
stroke_hatch (const MemlaneDecideMap *self, cairo_t *cr, int kind)
{
  MemlaneColor ink =
      memlane_color_fade (memlane_map_ink (&self->frame.style, kind, FALSE), OPEN_ALPHA);

  memlane_figure_stroke (cr, 0.1 * self->frame.em, &ink);
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
  double x = cell->area.x + cell->area.width / 2, y = cell->area.y + cell->area.height / 2,
         radius = marker_radius (self, &cell->area);
  const gboolean tied = cell->certainty == MEMLANE_MAP_TIED;
  MemlaneColor ink = memlane_map_ink (&self->frame.style, cell->kind, tied);
  MemlaneColor ground = memlane_map_ground (&self->frame.style, cell->kind, tied);
  MemlaneStyle own = self->frame.style;

  if (cell->kind < 0 && cell->certainty != MEMLANE_MAP_UNTOLD)
    return; /* and the legend's picture of a hatch */
  own.background = ground;
  memlane_marker_draw (cr,
                       cell->kind >= 0 ? curve_style (&self->frame.style, cell->kind).marker
                                       : MEMLANE_MARKER_CIRCLE,
                       x, y, cell->kind >= 0 ? radius : 0.4 * radius, &ink, FALSE, &own);
}

/* Adds all cells of one kind, tied or not, to the path. Returns whether there are any. */
static gboolean
add_cells (const MemlaneDecideMap *self, cairo_t *cr, int kind, gboolean tied)
{
  gboolean any = FALSE;

  for (guint i = 0; i < count_all (self); i++)
    {
      MemlaneMapCell cell = get_cell (self, i);

      if (cell.kind != kind || (cell.certainty == MEMLANE_MAP_TIED) != tied)
        continue;
      cairo_rectangle (cr, cell.area.x, cell.area.y, cell.area.width, cell.area.height);
      any = TRUE;
    }
  return any;
}

/* Adds the lines in all open cells of one kind. Returns whether there are any. */
static gboolean
add_hatches (const MemlaneDecideMap *self, cairo_t *cr, int kind)
{
  gboolean any = FALSE;

  for (guint i = 0; i < count_all (self); i++)
    {
      MemlaneMapCell cell = get_cell (self, i);

      if (cell.kind != kind || cell.certainty != MEMLANE_MAP_OPEN)
        continue;
      add_hatch (self, cr, &cell);
      any = TRUE;
    }
  return any;
}

static void
draw_grounds (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (int kind = -1; kind < (int) self->decision->n_modes; kind++)
    {
      for (gboolean tied = FALSE; tied <= TRUE; tied++)
        {
          MemlaneColor ground = memlane_map_ground (&self->frame.style, kind, tied);

          if (!add_cells (self, cr, kind, tied))
            continue;
          memlane_figure_fill (cr, &ground);
        }
      if (kind >= 0 && add_hatches (self, cr, kind))
        stroke_hatch (self, cr, kind);
    }
}

/* Edges between cells: in a region thin and light, between regions strong. */
static void
add_seams (const MemlaneDecideMap *self, cairo_t *cr, gboolean borders, double width)
{
  const guint n_rows = self->decision->n_rows;
  double half = floor (width / 2), over = borders ? half : 0, longer = borders ? width : 0;

  for (guint i = 0; i < count_all (self); i++)
    {
      MemlaneMapCell cell = get_cell (self, i);

      if (i >= n_rows && (get_cell (self, i - n_rows).kind != cell.kind) == borders)
        cairo_rectangle (cr, cell.area.x - half, cell.area.y - over, width,
                         cell.area.height + longer);
      if (i % n_rows > 0 && (get_cell (self, i - 1).kind != cell.kind) == borders)
        cairo_rectangle (cr, cell.area.x - over, cell.area.y + cell.area.height - half,
                         cell.area.width + longer, width);
    }
}

static void
draw_seams (const MemlaneDecideMap *self, cairo_t *cr)
{
  double thin = MAX (round (self->frame.style.axis_width), 1),
         strong = MAX (round (1.2 * self->frame.style.line_width), 2);
  MemlaneColor seam = memlane_color_fade (self->frame.style.background, SEAM_PART);
  MemlaneRectangle cell = memlane_map_cell (self, 0, 0).area;

  cairo_save (cr);
  cairo_rectangle (cr, self->frame.area.x, self->frame.area.y, self->frame.area.width,
                   self->frame.area.height);
  cairo_clip (cr);
  if (MIN (cell.width, cell.height) >= 5)
    {
      add_seams (self, cr, FALSE, thin);
      memlane_figure_fill (cr, &seam);
    }
  else
    strong = 1;
  add_seams (self, cr, TRUE, strong);
  memlane_figure_fill (cr, &self->frame.style.text);
  cairo_restore (cr);
}

/* One in each region without a name, and in each cell without data. */
static void
draw_markers (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < count_all (self); i++)
    {
      MemlaneMapCell cell = get_cell (self, i);

      if (cell.kind < 0)
        draw_marker (self, cr, &cell);
    }
  MEMLANE_FOR_EACH_IN (const guint, mark, self->marks)
    {
      MemlaneMapCell cell = get_cell (self, *mark);

      draw_marker (self, cr, &cell);
    }
}

static void
draw_frame (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneRectangle *area, double width,
            const MemlaneColor *color)
{
  cairo_rectangle (cr, area->x - width / 2, area->y - width / 2, area->width + width,
                   area->height + width);
  memlane_figure_stroke (cr, width, color);
}

/* Returns the cell that is drawn in a row of the legend. */
static MemlaneMapCell
get_sample (const MemlaneSample *sample)
{
  gboolean is_kind = sample->item < MEMLANE_MAP_FIRST_CERTAINTY;

  return (MemlaneMapCell) {
    sample->area,
    is_kind ? (int) sample->item : -1,
    is_kind ? MEMLANE_MAP_CERTAIN
            : (MemlaneMapCertainty) (sample->item - MEMLANE_MAP_FIRST_CERTAINTY),
  };
}

static void
draw_samples (const MemlaneDecideMap *self, cairo_t *cr)
{
  MEMLANE_FOR_EACH_IN (const MemlaneSample, sample, self->frame.samples)
    {
      const MemlaneMapCell cell = get_sample (sample);
      const gboolean tied = cell.certainty == MEMLANE_MAP_TIED;
      MemlaneColor ground =
          memlane_map_ground (&self->frame.style, tied ? self->tied_kind : cell.kind, tied);

      cairo_save (cr);
      memlane_figure_add_round (cr, &cell.area, 0.2 * self->frame.em);
      memlane_color_set (cr, &ground);
      cairo_fill_preserve (cr);
      cairo_clip (cr);
      if (cell.certainty == MEMLANE_MAP_OPEN)
        {
          add_hatch (self, cr, &cell);
          stroke_hatch (self, cr, cell.kind);
        }
      draw_marker (self, cr, &cell);
      cairo_restore (cr);
    }
}

/* Names stand on strips of plain ground. */
static void
draw_names (const MemlaneDecideMap *self, cairo_t *cr)
{
  double pad = NAME_PAD * self->frame.em;

  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, self->frame.texts)
    {
      const double x = text->area.x + text->area.width / 2,
                   y = text->area.y + text->area.height / 2;
      MemlaneColor ground;

      if (text->role != MEMLANE_MAP_NAME)
        continue;
      ground = find_strip (self, (int) text->item, x, y);
      memlane_figure_add_round (cr,
                                &(MemlaneRectangle) { text->area.x - pad, text->area.y - 1,
                                                     text->area.width + 2 * pad,
                                                     text->area.height + 2 },
                                0.3 * self->frame.em);
      memlane_figure_fill (cr, &ground);
      memlane_frame_draw_text (text, cr);
    }
}

void
memlane_decide_map_draw (const MemlaneDecideMap *self, cairo_t *cr)
{
  cairo_save (cr);
  memlane_frame_draw_ground (&self->frame, cr);
  if (self->decision->n_columns > 0)
    {
      draw_grounds (self, cr);
      draw_seams (self, cr);
      draw_markers (self, cr);
      draw_frame (self, cr, &self->frame.area, MAX (round (self->frame.style.axis_width), 1),
                  &self->frame.style.axis);
    }
  draw_samples (self, cr);
  draw_names (self, cr);
  memlane_frame_draw_words (&self->frame, cr);
  cairo_restore (cr);
}

/* --- what follows the pointer and the choice -------------------------------------------------- */

gboolean
memlane_decide_map_place (const MemlaneDecideMap *self, guint column, guint row,
                          MemlaneRectangle *area)
{
  if (memlane_decision_get (self->decision, column, row) == NULL)
    return FALSE;
  *area = memlane_map_cell (self, column, row).area;
  return TRUE;
}

void
memlane_decide_map_draw_overlay (const MemlaneDecideMap *self, cairo_t *cr, guint hovered_column,
                                 guint hovered_row, guint chosen_column, guint chosen_row)
{
  double thick = MAX (round (self->frame.style.line_width), 2);
  MemlaneRectangle cell;

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (memlane_decide_map_place (self, chosen_column, chosen_row, &cell))
    {
      double radius = MAX (
          MIN (2.6 * marker_radius (self, &cell), MIN (cell.width, cell.height) / 2 - thick), 1);

      cairo_new_sub_path (cr);
      cairo_arc (cr, cell.x + cell.width / 2, cell.y + cell.height / 2, radius, 0, 2 * G_PI);
      memlane_figure_stroke_on_halo (cr, thick, &self->frame.style.crosshair,
                                     &self->frame.style.halo);
    }
  if (memlane_decide_map_place (self, hovered_column, hovered_row, &cell))
    {
      const MemlaneRectangle outside = { cell.x - thick, cell.y - thick, cell.width + 2 * thick,
                                         cell.height + 2 * thick };

      draw_frame (self, cr, &outside, 1, &self->frame.style.halo);
      draw_frame (self, cr, &cell, thick, &self->frame.style.crosshair);
    }
  cairo_restore (cr);
}

gboolean
memlane_decide_map_hit (const MemlaneDecideMap *self, double x, double y, guint *column, guint *row)
{
  /* Written so that NAN is outside. */
  if (self->decision->n_columns == 0
      || !(x >= self->frame.area.x && x < self->frame.area.x + self->frame.area.width)
      || !(y >= self->frame.area.y && y < self->frame.area.y + self->frame.area.height))
    return FALSE;
  for (*column = 0; *column + 1 < self->decision->n_columns && x >= column_x (self, *column + 1);)
    ++*column;
  for (*row = 0; *row + 1 < self->decision->n_rows && y < row_y (self, *row + 1);)
    ++*row;
  return TRUE;
}

/* --- the figure as others draw it ------------------------------------------------------------- */

static char *
name_drawing (gconstpointer content)
{
  char *name = g_strdup_printf ("decide-%s", ((const MemlaneDecision *) content)->workload);

  return g_strdelimit (name, "/\\:", '-');
}

static char *
write_drawing (gconstpointer content)
{
  const MemlaneDecision *decision = content;
  GString *text = g_string_new (decision->by_pieces != NULL ? "log2_elements,pieces,mode\n"
                                                            : "log2_elements,reuse,mode\n");

  for (guint i = 0; i < decision->n_columns; i++)
    for (guint j = 0; j < decision->n_rows; j++)
      {
        const int choice = memlane_decision_get (decision, i, j)->choice;

        if (choice >= 0)
          g_string_append_printf (
              text, "%.10g,%u,%s\n",
              memlane_decision_locate (decision, decision->columns[i], decision->rows[j])
                  .log2_elements,
              decision->rows[j], decision->modes[choice].id);
      }
  return g_string_free (text, FALSE);
}

MemlaneDrawing *
memlane_decide_map_drawing_new (MemlaneDecision *decision)
{
  static const MemlaneDrawingClass klass = {
    .layout = (gpointer (*) (gconstpointer, const MemlaneStyle *, double, double,
                             PangoContext *)) memlane_decide_map_layout,
    .draw = (void (*) (gconstpointer, cairo_t *)) memlane_decide_map_draw,
    .free_layout = (GDestroyNotify) memlane_decide_map_free,
    .name = name_drawing,
    .title = (char *(*) (gconstpointer)) memlane_map_title,
    .describe = (char *(*) (gconstpointer)) memlane_decide_map_describe,
    .to_csv = write_drawing,
    .free = (GDestroyNotify) memlane_decision_unref,
  };

  return memlane_drawing_new (&klass, memlane_decision_ref (decision));
}
