/* decide-map.c: a map of decisions: what stands where, drawing it, and what lies under the pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * As in plot.c: title and legend take their room from the figure, the words beside the axes from what is left, and the cells fill the
 * rest. Where the rest would be too small, the extras are given up one after the other; SIMULATED never is.
 */
#include "decide-map-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/figure-private.h"
#include "chart/scale.h"

#define TITLE_SIZE 1.25
#define WIDEST_CELL 3.6 /* heights of it, but no less than 16 em: a run of one size is a column, not a field */

/* The legend. */
#define MOST_SHARE_RIGHT 0.36 /* of the figure's width */
#define MOST_SHARE_BELOW 0.34 /* of its height */
#define LOOSE_PITCH 1.6       /* lines from one entry to the next, where there is room */
#define TIGHT_PITCH 1.15

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

/* --- text --------------------------------------------------------------------------------------------------------- */

static PangoLayout *
make_text (const MemlaneDecideMap *self, double factor, gboolean bold, const char *text)
{
  return memlane_figure_make_text (self->pango, factor * self->style.text_size, bold, text);
}

/* Takes @layout over. */
static void
place_text (MemlaneDecideMap *self, MemlaneMapRole role, PangoLayout *layout, double x, double y, const MemlaneColor *color)
{
  MemlaneMapText text = { role, layout, { x, y, 0, 0 }, *color, -1 };

  memlane_figure_measure_text (layout, &text.area.width, &text.area.height);
  g_array_append_val (self->texts, text);
}

/* --- the legend: which modes and which hatches occur, and what they mean ------------------------------------------ */

typedef enum
{
  LEGEND_NONE,
  LEGEND_RIGHT,
  LEGEND_BELOW,
} LegendSide;

typedef struct
{
  LegendSide side;
  gboolean headings;
  guint entries;        /* that have room */
  double width, height; /* that they take */
} Legend;

typedef struct
{
  gboolean is_heading;
  int mode;
  MemlaneMapCertainty certainty;
  char *text; /* owned */
} Entry;

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->text);
}

static void
add_entry (GArray *entries, gboolean is_heading, int mode, MemlaneMapCertainty certainty, char *text)
{
  Entry entry = { is_heading, mode, certainty, text };

  g_array_append_val (entries, entry);
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

static void
find_modes (MemlaneDecideMap *self)
{
  self->modes = 0;
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        if (cell.mode >= 0)
          self->modes |= 1u << cell.mode;
      }
}

/* Only what occurs. */
static GArray *
collect_entries (const MemlaneDecideMap *self, gboolean headings)
{
  static const char *const meanings[] = {
    [MEMLANE_MAP_OPEN] = N_ ("another may be faster"),
    [MEMLANE_MAP_UNTOLD] = N_ ("not enough data"),
  };
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  gboolean occurs[G_N_ELEMENTS (meanings)] = { FALSE }, first = TRUE;

  g_array_set_clear_func (entries, clear_entry);
  for (guint i = 0; i < self->decision->n_sizes; i++)
    for (guint j = 0; j < MEMLANE_DECIDE_REUSES; j++)
      {
        MemlaneMapCell cell = memlane_map_cell (self, i, j);

        occurs[cell.certainty] = TRUE;
      }
  if (headings && self->modes != 0)
    add_entry (entries, TRUE, -1, MEMLANE_MAP_CERTAIN, g_strdup (_("Mode to use")));
  for (guint i = 0; i < self->decision->n_modes; i++)
    if ((self->modes >> i & 1) != 0)
      add_entry (entries, FALSE, (int) i, MEMLANE_MAP_CERTAIN, memlane_map_mode_title ((int) i));
  for (guint i = MEMLANE_MAP_OPEN; i < G_N_ELEMENTS (meanings); i++)
    {
      if (!occurs[i])
        continue;
      if (headings && first)
        add_entry (entries, TRUE, -1, MEMLANE_MAP_CERTAIN, g_strdup (_("Not certain")));
      first = FALSE;
      add_entry (entries, FALSE, -1, i, g_strdup (_(meanings[i])));
    }
  return entries;
}

/* The same steps measure and place. */
typedef struct
{
  MemlaneDecideMap *self;
  const GArray *entries;
  guint n;              /* of them are shown; then a word on the others */
  double x, y, width;   /* where the legend begins, and what it may take */
  double pitch;
  gboolean place;
} Job;

static double
sample_width (const MemlaneDecideMap *self)
{
  return round (2.2 * self->em);
}

static double
text_gap (const MemlaneDecideMap *self)
{
  return round (0.6 * self->em);
}

static char *
count_others (const Job *job)
{
  guint others = 0;

  for (guint i = job->n; i < job->entries->len; i++)
    others += !g_array_index (job->entries, Entry, i).is_heading;
  return g_strdup_printf (ngettext ("%u more", "%u more", others), others);
}

static PangoLayout *
make_label (const Job *job, guint i, double *width)
{
  const Entry *entry = i < job->n ? &g_array_index (job->entries, Entry, i) : NULL;
  g_autofree char *others = entry == NULL ? count_others (job) : NULL;
  PangoLayout *layout = make_text (job->self, 1, FALSE, entry != NULL ? entry->text : others);

  memlane_figure_measure_text (layout, width, NULL);
  return layout;
}

static gboolean
has_sample (const Job *job, guint i)
{
  return i < job->n && !g_array_index (job->entries, Entry, i).is_heading;
}

/* Takes @label over. */
static void
place_entry (const Job *job, guint i, PangoLayout *label, double x, double y)
{
  MemlaneDecideMap *self = job->self;
  const Entry *entry = i < job->n ? &g_array_index (job->entries, Entry, i) : NULL;
  MemlaneMapRole role = entry == NULL ? MEMLANE_MAP_MORE : entry->is_heading ? MEMLANE_MAP_HEADING : MEMLANE_MAP_LEGEND;
  double height, indent = 0;

  if (has_sample (job, i))
    {
      double sample = MIN (round (1.45 * self->em), job->pitch - 2);
      MemlaneMapCell cell = { { round (x), round (y + (job->pitch - sample) / 2), sample_width (self), sample }, entry->mode,
                              entry->certainty };

      g_array_append_val (self->samples, cell);
      indent = sample_width (self) + text_gap (self);
    }
  memlane_figure_limit_text (label, job->x + job->width - x - indent);
  memlane_figure_measure_text (label, NULL, &height);
  place_text (self, role, label, x + indent, y + (job->pitch - height) / 2,
              role == MEMLANE_MAP_LEGEND ? &self->style.text : &self->style.faint);
}

static double
entry_width (const Job *job, guint i, double label)
{
  return ceil (label + (has_sample (job, i) ? sample_width (job->self) + text_gap (job->self) : 0));
}

/* One below the other. Returns the height; *@width: of the widest. */
static double
arrange_column (const Job *job, double *width)
{
  double y = job->y;

  *width = 0;
  for (guint i = 0; i < job->n + (job->n < job->entries->len); i++)
    {
      double own;
      PangoLayout *label = make_label (job, i, &own);

      if (i > 0 && i < job->n && g_array_index (job->entries, Entry, i).is_heading)
        y += 0.5 * job->pitch;
      *width = MAX (*width, entry_width (job, i, own));
      if (job->place)
        place_entry (job, i, label, job->x, y);
      else
        g_object_unref (label);
      y += job->pitch;
    }
  return y - job->y;
}

/* One beside the other, row by row. Returns the height. */
static double
arrange_rows (const Job *job)
{
  double x = job->x, y = job->y;

  for (guint i = 0; i < job->n + (job->n < job->entries->len); i++)
    {
      double own, width;
      PangoLayout *label = make_label (job, i, &own);

      width = entry_width (job, i, own);
      if (x > job->x && x + width > job->x + job->width)
        {
          x = job->x;
          y += job->pitch;
        }
      if (job->place)
        place_entry (job, i, label, x, y);
      else
        g_object_unref (label);
      x += width + round (1.6 * job->self->em);
    }
  return y + job->pitch - job->y;
}

static double
right_pitch (const MemlaneDecideMap *self, gboolean headings)
{
  return round (self->line * (headings ? LOOSE_PITCH : TIGHT_PITCH));
}

static double
below_pitch (const MemlaneDecideMap *self)
{
  return round (self->line * 1.25);
}

static gboolean
plan_right (MemlaneDecideMap *self, double height, gboolean headings, gboolean cut, Legend *plan)
{
  g_autoptr (GArray) entries = collect_entries (self, headings);
  Job job = { self, entries, entries->len, 0, 0, floor (self->width * MOST_SHARE_RIGHT), right_pitch (self, headings), FALSE };

  if (self->width < 34 * self->em || self->width < self->height)
    return FALSE;
  for (; job.n > 0; job.n--)
    {
      plan->height = arrange_column (&job, &plan->width);
      plan->width = MIN (plan->width, job.width);
      if (plan->height <= height)
        break;
      if (!cut)
        return FALSE;
    }
  plan->side = LEGEND_RIGHT;
  plan->headings = headings;
  plan->entries = job.n;
  return job.n > 0;
}

static gboolean
plan_below (MemlaneDecideMap *self, gboolean cut, Legend *plan)
{
  g_autoptr (GArray) entries = collect_entries (self, FALSE);
  Job job = { self, entries, entries->len, 0, 0, self->width - 2 * self->pad, below_pitch (self), FALSE };

  if (job.width < sample_width (self) + 4 * self->em)
    return FALSE;
  for (; job.n > 0; job.n--)
    {
      plan->height = arrange_rows (&job);
      if (plan->height <= self->height * MOST_SHARE_BELOW)
        break;
      if (!cut)
        return FALSE;
    }
  plan->side = LEGEND_BELOW;
  plan->headings = FALSE;
  plan->entries = job.n;
  plan->width = job.width;
  return job.n > 0;
}

/* @height: what a column at the right may take. */
static Legend
plan_legend (MemlaneDecideMap *self, double height)
{
  Legend plan = { LEGEND_NONE };

  if (plan_right (self, height, TRUE, FALSE, &plan) || plan_right (self, height, FALSE, FALSE, &plan) || plan_below (self, FALSE, &plan)
      || plan_right (self, height, FALSE, TRUE, &plan) || plan_below (self, TRUE, &plan))
    return plan;
  return (Legend){ LEGEND_NONE };
}

static void
place_legend (MemlaneDecideMap *self, const Legend *plan, double x, double y)
{
  g_autoptr (GArray) entries = collect_entries (self, plan->headings);
  Job job = { self, entries, plan->entries, x, y, plan->width, 0, TRUE };
  double width;

  job.pitch = plan->side == LEGEND_RIGHT ? right_pitch (self, plan->headings) : below_pitch (self);
  if (plan->side == LEGEND_RIGHT)
    arrange_column (&job, &width);
  else
    arrange_rows (&job);
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
  g_autoptr (PangoLayout) layout = make_text (self, factor, TRUE, title);
  double row = self->area.height / MEMLANE_DECIDE_REUSES, width, height, pad = NAME_PAD * self->em;
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
  place_text (self, MEMLANE_MAP_NAME, g_steal_pointer (&layout), taken.x + pad, room.y + (room.height - height) / 2, &color);
  g_array_index (self->texts, MemlaneMapText, self->texts->len - 1).mode = mode;
  return TRUE;
}

/* The name of each mode in the middle of its largest region, where it fits. */
static void
place_names (MemlaneDecideMap *self)
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

/* --- the frame: what is outside of the cells ---------------------------------------------------------------------- */

/* With each step one thing less. */
typedef enum
{
  EXTRAS_ALL,
  EXTRAS_NO_CAPTION,
  EXTRAS_NO_SUBTITLE,
  EXTRAS_NO_TITLE,
  EXTRAS_NO_LEGEND,
  EXTRAS_NO_BYTES,
  EXTRAS_NO_UNIT,
  EXTRAS_NO_LABELS,
} Extras;

typedef struct
{
  Extras extras;
  PangoLayout *title, *subtitle, *badge; /* owned until they are placed */
  double title_height, subtitle_height, unit_height;
  double badge_width, badge_height;
  double y_label_width;
  Legend legend;
} Frame;

static void
make_headings (MemlaneDecideMap *self, Frame *frame)
{
  double inner = self->width - 2 * self->pad, height;

  g_clear_object (&frame->title);
  g_clear_object (&frame->subtitle);
  frame->title_height = frame->subtitle_height = 0;
  if (frame->extras < EXTRAS_NO_TITLE)
    {
      g_autofree char *text = memlane_map_title (self->decision);

      frame->title = make_text (self, TITLE_SIZE, TRUE, text);
      memlane_figure_limit_text (frame->title, inner - (frame->badge_width > 0 ? frame->badge_width + self->em : 0));
      memlane_figure_measure_text (frame->title, NULL, &height);
      frame->title_height = ceil (MAX (height, frame->badge_height));
    }
  if (frame->extras < EXTRAS_NO_SUBTITLE)
    {
      g_autofree char *text = memlane_map_subtitle (self->decision);

      frame->subtitle = make_text (self, 1, FALSE, text);
      memlane_figure_limit_text (frame->subtitle, inner);
      memlane_figure_measure_text (frame->subtitle, NULL, &height);
      frame->subtitle_height = ceil (height);
    }
}

static void
place_headings (MemlaneDecideMap *self, Frame *frame)
{
  double height;

  if (frame->title != NULL)
    {
      memlane_figure_measure_text (frame->title, NULL, &height);
      place_text (self, MEMLANE_MAP_TITLE, g_steal_pointer (&frame->title), self->pad,
                  self->pad + (frame->title_height - height) / 2, &self->style.text);
    }
  if (frame->subtitle != NULL)
    place_text (self, MEMLANE_MAP_SUBTITLE, g_steal_pointer (&frame->subtitle), self->pad, self->pad + frame->title_height,
                &self->style.faint);
  if (frame->badge != NULL)
    {
      MemlaneColor on_badge = memlane_figure_text_on (&self->style, &self->style.simulated);
      double line = frame->title_height > 0 ? frame->title_height : frame->unit_height, width;

      self->badge = (MemlaneRectangle){ self->width - self->pad - frame->badge_width,
                                        floor (self->pad + (line - frame->badge_height) / 2), frame->badge_width, frame->badge_height };
      memlane_figure_measure_text (frame->badge, &width, &height);
      place_text (self, MEMLANE_MAP_BADGE, g_steal_pointer (&frame->badge), self->badge.x + (self->badge.width - width) / 2,
                  self->badge.y + (self->badge.height - height) / 2, &on_badge);
    }
}

static PangoLayout *
make_reuse (const MemlaneDecideMap *self, guint reuse_index)
{
  g_autofree char *text = g_strdup_printf ("%u", memlane_decide_reuse (reuse_index));

  return make_text (self, 1, FALSE, text);
}

static PangoLayout *
make_size (const MemlaneDecideMap *self, guint size_index, gboolean bytes)
{
  guint log2_elements = self->decision->sizes[size_index];
  g_autofree char *text = bytes ? memlane_unit_format (MEMLANE_UNIT_BYTES, ldexp (sizeof (float), (int) log2_elements), TRUE)
                                : memlane_unit_format_power (log2_elements);

  return make_text (self, 1, FALSE, text);
}

static double
measure_width (PangoLayout *layout)
{
  double width;

  memlane_figure_measure_text (layout, &width, NULL);
  g_object_unref (layout);
  return width;
}

static void
place_reuses (MemlaneDecideMap *self)
{
  double row = self->area.height / MEMLANE_DECIDE_REUSES;
  guint stride = (guint) MAX (ceil (self->line / row), 1);

  for (guint i = 0; i < MEMLANE_DECIDE_REUSES; i += stride)
    {
      PangoLayout *layout = make_reuse (self, i);
      MemlaneRectangle cell = memlane_map_cell (self, 0, i).area;
      double width, height;

      memlane_figure_measure_text (layout, &width, &height);
      place_text (self, MEMLANE_MAP_Y_TICK, layout, self->area.x - 0.5 * self->em - width,
                  cell.y + (cell.height - height) / 2, &self->style.text);
    }
}

/* One line of the words below, as many as have room. */
static void
place_sizes (MemlaneDecideMap *self, gboolean bytes, double y)
{
  guint n = self->decision->n_sizes, stride;
  double widest = 0, column = self->area.width / n;

  for (guint i = 0; i < n; i++)
    widest = MAX (widest, measure_width (make_size (self, i, bytes)));
  stride = (guint) MAX (ceil ((widest + 0.6 * self->em) / column), 1);
  for (guint i = 0; i < n; i += stride)
    {
      PangoLayout *layout = make_size (self, i, bytes);
      MemlaneRectangle cell = memlane_map_cell (self, i, 0).area;
      double width, x;

      memlane_figure_measure_text (layout, &width, NULL);
      x = cell.x + (cell.width - width) / 2;
      if (x < 0 || x + width > self->width)
        g_object_unref (layout);
      else
        place_text (self, bytes ? MEMLANE_MAP_X_BYTES : MEMLANE_MAP_X_TICK, layout, x, y,
                    bytes ? &self->style.faint : &self->style.text);
    }
}

static void
place_axis_words (MemlaneDecideMap *self, const Frame *frame)
{
  double bottom = self->area.y + self->area.height, taken = frame->title_height == 0 && self->badge.width > 0 ? self->badge.width : 0;

  if (frame->extras < EXTRAS_NO_UNIT)
    {
      double room = self->width - 2 * self->pad - (taken > 0 ? taken + self->em : 0), width, height;
      PangoLayout *layout = make_text (self, 1, FALSE, _("Kernels per transfer (reuse)"));

      memlane_figure_measure_text (layout, &width, NULL);
      if (width > room || !self->decision->has_reuse)
        pango_layout_set_text (layout, _("Reuse"), -1);
      memlane_figure_limit_text (layout, room);
      memlane_figure_measure_text (layout, NULL, &height);
      place_text (self, MEMLANE_MAP_UNIT, layout, self->pad, self->area.y - 0.35 * self->em - height, &self->style.faint);
    }
  if (!self->has_axis_text)
    return;
  place_reuses (self);
  place_sizes (self, FALSE, bottom + 0.3 * self->em);
  if (frame->extras < EXTRAS_NO_BYTES)
    place_sizes (self, TRUE, bottom + 0.3 * self->em + self->line);
  if (frame->extras < EXTRAS_NO_CAPTION)
    {
      PangoLayout *layout = make_text (self, 1, FALSE, _("Vector size in floats and in bytes"));
      double width, x;

      memlane_figure_limit_text (layout, self->width - 2 * self->pad);
      memlane_figure_measure_text (layout, &width, NULL);
      x = CLAMP (self->area.x + (self->area.width - width) / 2, self->pad, MAX (self->width - self->pad - width, self->pad));
      place_text (self, MEMLANE_MAP_CAPTION, layout, x, bottom + 0.5 * self->em + 2 * self->line, &self->style.faint);
    }
}

/* The area of the cells for this much of extras. */
static MemlaneRectangle
fit_area (MemlaneDecideMap *self, Frame *frame)
{
  double left = self->pad, right = self->pad, top = self->pad, bottom = self->pad, below = 0, gap = round (1.5 * self->em);
  gboolean is_empty = self->decision->n_sizes == 0;
  MemlaneRectangle area;

  make_headings (self, frame);
  top += frame->title_height + frame->subtitle_height + (frame->title_height + frame->subtitle_height > 0 ? 0.6 * self->em : 0);
  frame->unit_height = frame->extras < EXTRAS_NO_UNIT && !is_empty ? self->line : 0;
  if (frame->title == NULL && frame->badge != NULL)
    frame->unit_height = MAX (frame->unit_height, frame->badge_height);
  top += frame->unit_height + (frame->unit_height > 0 ? 0.35 * self->em : 0);
  self->has_axis_text = frame->extras < EXTRAS_NO_LABELS && !is_empty;
  if (self->has_axis_text)
    {
      below = 0.3 * self->em + self->line;
      if (frame->extras < EXTRAS_NO_BYTES)
        below += self->line;
      if (frame->extras < EXTRAS_NO_CAPTION)
        below += self->line + 0.2 * self->em;
      left += frame->y_label_width + 0.5 * self->em;
      right = MAX (right, self->em);
    }
  frame->legend = (Legend){ LEGEND_NONE };
  if (frame->extras < EXTRAS_NO_LEGEND && !is_empty)
    frame->legend = plan_legend (self, self->height - top - self->pad);
  bottom += below;
  if (frame->legend.side == LEGEND_BELOW)
    bottom += frame->legend.height + round (0.8 * self->em);
  else if (frame->legend.side == LEGEND_RIGHT)
    right = self->pad + frame->legend.width + gap;
  left = ceil (left);
  top = ceil (top);
  area = (MemlaneRectangle){ left, top, floor (self->width - right) - left, floor (self->height - bottom) - top };
  if (!is_empty && frame->extras < EXTRAS_NO_LABELS)
    area.width = MIN (area.width, ceil (MAX (WIDEST_CELL * area.height / MEMLANE_DECIDE_REUSES, 16 * self->em)) * self->decision->n_sizes);
  return area;
}

static gboolean
is_enough (const MemlaneDecideMap *self, const MemlaneRectangle *area)
{
  return area->width >= MIN (MAX (9 * self->em, 0.4 * self->width), 4 * self->em * MAX (self->decision->n_sizes, 1))
         && area->height >= MAX (6 * self->em, 0.38 * self->height);
}

static void
place_empty (MemlaneDecideMap *self)
{
  g_autofree char *text = memlane_map_explain (self->decision);
  PangoLayout *layout = make_text (self, self->width > 40 * self->em ? TITLE_SIZE : 1, FALSE, text);
  double width, height, most = MIN (self->width - 2 * self->pad, 40 * self->em);

  memlane_figure_measure_text (layout, &width, NULL);
  pango_layout_set_single_paragraph_mode (layout, FALSE);
  pango_layout_set_width (layout, (int) (MAX (MIN (width + 1, most), 1) * PANGO_SCALE));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
  pango_layout_set_height (layout, (int) (self->area.height * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  memlane_figure_measure_text (layout, &width, &height);
  place_text (self, MEMLANE_MAP_EMPTY, layout, floor ((self->width - width) / 2),
              self->area.y + MAX (floor ((self->area.height - height) / 2), 0), &self->style.text);
}

static void
place_all (MemlaneDecideMap *self)
{
  Frame frame = { 0 };

  find_modes (self);
  if (self->decision->simulated)
    frame.badge = memlane_figure_make_badge (self->pango, &self->style, self->width - 2 * self->pad, &frame.badge_width,
                                             &frame.badge_height);
  for (guint i = 0; i < MEMLANE_DECIDE_REUSES; i++)
    frame.y_label_width = MAX (frame.y_label_width, measure_width (make_reuse (self, i)));
  for (frame.extras = EXTRAS_ALL;; frame.extras++)
    {
      self->area = fit_area (self, &frame);
      if (is_enough (self, &self->area) || frame.extras == EXTRAS_NO_LABELS)
        break;
    }
  self->area.width = MAX (self->area.width, 1);
  self->area.height = MAX (self->area.height, 1);
  place_headings (self, &frame);
  if (self->decision->n_sizes == 0)
    {
      place_empty (self);
      return;
    }
  place_axis_words (self, &frame);
  if (frame.legend.side == LEGEND_RIGHT)
    place_legend (self, &frame.legend, self->area.x + self->area.width + round (1.5 * self->em), self->area.y);
  else if (frame.legend.side == LEGEND_BELOW)
    place_legend (self, &frame.legend, self->pad, self->height - self->pad - frame.legend.height);
  place_names (self);
}

/* --- a layout from its birth to its end --------------------------------------------------------------------------- */

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
  probe = make_text (self, 1, FALSE, "Åg");
  memlane_figure_measure_text (probe, NULL, &self->line);
  self->line = ceil (self->line);
  self->pad = MIN (round (0.8 * self->em), floor (0.05 * MIN (self->width, self->height)));
  place_all (self);
  return self;
}

const MemlaneRectangle *
memlane_decide_map_get_area (const MemlaneDecideMap *self)
{
  return &self->area;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static void
add_hatch (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  memlane_figure_add_hatch (cr, &cell->area, MAX (round (0.75 * self->em), 3), TRUE, TRUE);
}

static void
stroke_hatch (const MemlaneDecideMap *self, cairo_t *cr, int mode)
{
  MemlaneColor ink = memlane_color_fade (memlane_map_ink (&self->style, mode), OPEN_ALPHA);

  cairo_set_line_width (cr, 0.1 * self->em);
  memlane_color_set (cr, &ink);
  cairo_stroke (cr);
}

static double
marker_radius (const MemlaneDecideMap *self, const MemlaneRectangle *cell)
{
  double room = MIN (cell->width, cell->height);

  return MIN (MAX (1.25 * self->style.marker_radius, 0.12 * room), 0.24 * room);
}

static void
draw_marker (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapCell *cell)
{
  double x = cell->area.x + cell->area.width / 2, y = cell->area.y + cell->area.height / 2, radius = marker_radius (self, &cell->area);
  MemlaneColor ink = memlane_map_ink (&self->style, cell->mode), ground = memlane_map_ground (&self->style, cell->mode);
  MemlaneMarker marker = cell->mode >= 0 ? curve_style (&self->style, cell->mode).marker : MEMLANE_MARKER_CIRCLE;
  MemlaneStyle own = self->style;
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
      MemlaneColor ground = memlane_map_ground (&self->style, mode);

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
  double thin = MAX (round (self->style.axis_width), 1), strong = MAX (round (1.2 * self->style.line_width), 2);
  MemlaneColor seam = memlane_color_fade (self->style.background, SEAM_PART);
  MemlaneRectangle cell = memlane_map_cell (self, 0, 0).area;

  cairo_save (cr);
  cairo_rectangle (cr, self->area.x, self->area.y, self->area.width, self->area.height);
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
  memlane_color_set (cr, &self->style.text);
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
  for (guint i = 0; i < self->samples->len; i++)
    {
      const MemlaneMapCell *cell = &g_array_index (self->samples, MemlaneMapCell, i);
      MemlaneColor ground = memlane_map_ground (&self->style, cell->mode);

      cairo_save (cr);
      memlane_figure_add_round (cr, &cell->area, 0.2 * self->em);
      memlane_color_set (cr, &ground);
      cairo_fill_preserve (cr);
      cairo_clip (cr);
      if (cell->certainty == MEMLANE_MAP_OPEN)
        {
          add_hatch (self, cr, cell);
          stroke_hatch (self, cr, cell->mode);
        }
      draw_marker (self, cr, cell);
      cairo_restore (cr);
    }
}

/* A strip of plain ground that carries a name. */
static void
draw_strip (const MemlaneDecideMap *self, cairo_t *cr, const MemlaneMapText *text)
{
  MemlaneColor ground = memlane_map_ground (&self->style, text->mode);
  double pad = NAME_PAD * self->em;
  const MemlaneRectangle strip = { text->area.x - pad, text->area.y - 1, text->area.width + 2 * pad, text->area.height + 2 };

  memlane_figure_add_round (cr, &strip, 0.3 * self->em);
  memlane_color_set (cr, &ground);
  cairo_fill (cr);
}

static void
draw_texts (const MemlaneDecideMap *self, cairo_t *cr)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const MemlaneMapText *text = &g_array_index (self->texts, MemlaneMapText, i);

      if (text->role == MEMLANE_MAP_NAME)
        draw_strip (self, cr, text);
      cairo_move_to (cr, text->area.x, text->area.y);
      memlane_color_set (cr, &text->color);
      pango_cairo_show_layout (cr, text->layout);
      cairo_new_path (cr);
    }
}

void
memlane_decide_map_draw (const MemlaneDecideMap *self, cairo_t *cr)
{
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, 0, 0, self->width, self->height);
  memlane_color_set (cr, &self->style.background);
  cairo_fill (cr);
  if (self->decision->n_sizes > 0)
    {
      draw_grounds (self, cr);
      draw_seams (self, cr);
      draw_markers (self, cr);
      draw_frame (self, cr, &self->area, MAX (round (self->style.axis_width), 1), &self->style.axis);
    }
  draw_samples (self, cr);
  if (self->badge.width > 0)
    {
      memlane_figure_add_round (cr, &self->badge, 0.3 * self->badge.height);
      memlane_color_set (cr, &self->style.simulated);
      cairo_fill (cr);
    }
  draw_texts (self, cr);
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
  double thick = MAX (round (self->style.line_width), 2);
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
          memlane_color_set (cr, pass == 0 ? &self->style.halo : &self->style.crosshair);
          cairo_stroke (cr);
        }
    }
  if (memlane_decide_map_place (self, hovered_size, hovered_reuse, &cell))
    {
      const MemlaneRectangle outside = { cell.x - thick, cell.y - thick, cell.width + 2 * thick, cell.height + 2 * thick };

      draw_frame (self, cr, &outside, 1, &self->style.halo);
      draw_frame (self, cr, &cell, thick, &self->style.crosshair);
    }
  cairo_restore (cr);
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

/* --- the figure as others draw it --------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneDrawing parent;
  const MemlaneDecision *decision;
  gpointer owner;
  GDestroyNotify release;
} MapDrawing;

static gpointer
lay_out_drawing (const MemlaneDrawing *drawing, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  return memlane_decide_map_layout (((const MapDrawing *) drawing)->decision, style, width, height, pango);
}

static char *
name_drawing (const MemlaneDrawing *drawing)
{
  char *name = g_strdup_printf ("decide-%s", ((const MapDrawing *) drawing)->decision->workload);

  return g_strdelimit (name, "/\\:", '-');
}

static char *
get_drawing_title (const MemlaneDrawing *drawing)
{
  return memlane_map_title (((const MapDrawing *) drawing)->decision);
}

static char *
describe_drawing (const MemlaneDrawing *drawing)
{
  return memlane_decide_map_describe (((const MapDrawing *) drawing)->decision);
}

static void
free_drawing (MemlaneDrawing *drawing)
{
  MapDrawing *self = (MapDrawing *) drawing;

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
    .free = free_drawing,
  };
  MapDrawing *self = g_new (MapDrawing, 1);

  *self = (MapDrawing){ { &klass }, decision, owner, release };
  return &self->parent;
}
