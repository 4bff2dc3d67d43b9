/* pivot-figure.c: the table of medians as a figure: what stands where, drawing it, and what lies under the pointer
 *
 * SPDX-License-Identifier: MIT
 */
#include "pivot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "chart/chart-words.h"
#include "chart/figure-private.h"
#include "chart/scale.h"

#define TITLE_SIZE 1.15
#define MODES_SHARE 0.36   /* of the width that the modes' titles may take */
#define CELL_AIR 0.9       /* em beside a number */
#define ROW_MOST 2.2       /* lines */
#define ROW_LEAST 1.02
#define TEXT_MOST 1.5      /* of the style's size, where there is room */
#define FAMILY_GAP 0.25    /* lines */
#define SHADE_MOST 0.6     /* of the hue in the fastest cell */
#define SHADE_ENDS 2.0     /* log2 of the ratio from which nothing is shaded */
#define LEAST_CONTRAST 7.0 /* of a number with its cell */

static const MemlaneColor hue_light = { 0.04, 0.31, 0.56, 1 }, hue_dark = { 0.36, 0.66, 0.95, 1 };

struct _MemlanePivotFigure
{
  const MemlanePivot *pivot;
  MemlaneStyle style;
  double width, height, em, line, pad;
  PangoContext *pango;       /* owned reference */
  double title_y, header_y, first_row, row_height, gap;
  double modes_width, column; /* px of the modes' titles, of a column */
  guint step;                /* every step-th size is shown, the last one always */
  double text_size;          /* px of the cells */
  double darkest;            /* part of the hue in the fastest cell */
  gboolean has_key;          /* a line below says what shades and marks mean */
};

static gboolean
is_wall (const MemlaneStyle *style)
{
  return style->kind == MEMLANE_STYLE_PROJECTOR || style->kind == MEMLANE_STYLE_PROJECTOR_DARK;
}

static PangoLayout *
make_text (const MemlanePivotFigure *figure, double size, gboolean bold, const char *text)
{
  return memlane_figure_make_text (figure->pango, size, bold, text);
}

static double
measure (const MemlanePivotFigure *figure, double size, gboolean bold, const char *text)
{
  g_autoptr (PangoLayout) layout = make_text (figure, size, bold, text);
  double width;

  memlane_figure_measure_text (layout, &width, NULL);
  return width;
}

/* --- colours ---------------------------------------------------------------------------------------------------------- */

static MemlaneColor
shade (const MemlaneStyle *style, double part)
{
  return memlane_color_mix (style->background, style->dark ? hue_dark : hue_light, part);
}

/* As much of the hue as the numbers on it allow. */
static double
find_darkest (const MemlaneStyle *style)
{
  double part = SHADE_MOST;

  for (; part > 0; part -= 0.02)
    {
      MemlaneColor ground = shade (style, part);

      if (memlane_color_contrast (&style->text, &ground) >= LEAST_CONTRAST)
        break;
    }
  return MAX (part, 0);
}

/* --- layout ----------------------------------------------------------------------------------------------------------- */

static guint
count_families (const MemlanePivot *pivot)
{
  guint n = 0;
  int before = -1;

  for (guint i = 0; i < pivot->modes->len; i++)
    {
      const MemlaneMode *mode = memlane_mode_find (pivot->modes->pdata[i]);
      int family = mode != NULL ? (int) mode->family : MEMLANE_N_FAMILIES;

      n += family != before;
      before = family;
    }
  return n;
}

/* Number of gaps between families above row @mode. */
static guint
gaps_above (const MemlanePivot *pivot, guint mode)
{
  guint n = 0;

  for (guint i = 1; i <= mode; i++)
    {
      const MemlaneMode *one = memlane_mode_find (pivot->modes->pdata[i - 1]), *other = memlane_mode_find (pivot->modes->pdata[i]);

      n += one != NULL && (other == NULL || one->family != other->family);
    }
  return n;
}

static double
widest_mode (const MemlanePivotFigure *figure)
{
  double widest = 0;

  for (guint i = 0; i < figure->pivot->modes->len; i++)
    {
      g_autofree char *title = memlane_chart_mode_label (figure->pivot->modes->pdata[i], NULL);

      widest = MAX (widest, measure (figure, figure->text_size, FALSE, title));
    }
  return widest;
}

static double
widest_number (const MemlanePivotFigure *figure)
{
  const MemlanePivot *pivot = figure->pivot;
  double widest = measure (figure, figure->text_size, FALSE, "2²⁰");

  for (guint i = 0; i < pivot->modes->len * pivot->sizes->len; i++)
    {
      g_autofree char *text = memlane_pivot_format (pivot, &pivot->cells[i]);

      widest = MAX (widest, measure (figure, figure->text_size, TRUE, text));
    }
  return widest;
}

static void
place_columns (MemlanePivotFigure *figure)
{
  double room, needed = widest_number (figure) + CELL_AIR * figure->em;
  guint n = figure->pivot->sizes->len, shown;

  figure->modes_width = ceil (MIN (widest_mode (figure), MODES_SHARE * figure->width) + figure->em);
  room = figure->width - 2 * figure->pad - figure->modes_width;
  for (figure->step = 1; figure->step < n && (n + figure->step - 1) / figure->step * needed > room;)
    figure->step++;
  shown = (n + figure->step - 1) / figure->step;
  figure->column = floor (MIN (room / MAX (shown, 1), 3.5 * needed));
}

static void
place_rows (MemlanePivotFigure *figure)
{
  guint n = MAX (figure->pivot->modes->len, 1), gaps = MAX (count_families (figure->pivot), 1) - 1;
  double line = figure->line, room;

  figure->title_y = figure->pad;
  figure->header_y = figure->title_y + ceil (TITLE_SIZE * line) + floor ((is_wall (&figure->style) ? 0.2 : 0.5) * line);
  figure->first_row = figure->header_y + ceil (1.15 * line);
  figure->has_key = !is_wall (&figure->style);
  room = figure->height - figure->first_row - floor (0.5 * figure->pad) - (figure->has_key ? 1.4 * line : 0);
  figure->gap = floor (FAMILY_GAP * line);
  figure->row_height = floor ((room - gaps * figure->gap) / n);
  if (figure->row_height < ROW_LEAST * line && figure->has_key)
    {
      figure->has_key = FALSE;
      room += 1.4 * line;
      figure->row_height = floor ((room - gaps * figure->gap) / n);
    }
  if (figure->row_height < ROW_LEAST * line)
    {
      figure->gap = 2;
      figure->row_height = floor ((room - gaps * figure->gap) / n);
    }
  figure->row_height = CLAMP (figure->row_height, 4, floor (ROW_MOST * line));
}

static void
set_text_size (MemlanePivotFigure *figure, double size)
{
  g_autoptr (PangoLayout) probe = make_text (figure, size, FALSE, "Åg");
  double line;

  memlane_figure_measure_text (probe, NULL, &line);
  figure->text_size = size;
  figure->em = size * memlane_figure_text_scale (figure->pango);
  figure->line = ceil (line);
}

MemlanePivotFigure *
memlane_pivot_layout (const MemlanePivot *self, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  MemlanePivotFigure *figure = g_new0 (MemlanePivotFigure, 1);

  figure->pivot = self;
  figure->width = MAX (width, 1);
  figure->height = MAX (height, 1);
  figure->pango = g_object_ref (pango);
  figure->style = memlane_figure_scale_style (style, figure->width, figure->height);
  figure->text_size = figure->style.text_size;
  figure->darkest = find_darkest (&figure->style);
  set_text_size (figure, figure->text_size);
  figure->pad = MIN (round (0.8 * figure->em), floor (0.05 * MIN (figure->width, figure->height)));
  place_rows (figure);
  /* A low figure has smaller text; never on the wall. A high one has larger text instead of an empty third. */
  if (figure->row_height < figure->line && !is_wall (&figure->style))
    figure->text_size *= MAX (figure->row_height / figure->line, 0.5);
  else if (figure->row_height >= floor (ROW_MOST * figure->line))
    {
      double used = figure->first_row + figure->pivot->modes->len * figure->row_height
                    + (MAX (count_families (figure->pivot), 1) - 1) * figure->gap + 2 * figure->line;

      set_text_size (figure, figure->text_size * CLAMP (figure->height / used, 1, TEXT_MOST));
      place_rows (figure);
    }
  place_columns (figure);
  return figure;
}

void
memlane_pivot_figure_free (MemlanePivotFigure *figure)
{
  if (figure == NULL)
    return;
  g_object_unref (figure->pango);
  g_free (figure);
}

double
memlane_pivot_figure_get_text_size (const MemlanePivotFigure *figure)
{
  return figure->text_size;
}

guint
memlane_pivot_figure_count_shown (const MemlanePivotFigure *figure)
{
  return (figure->pivot->sizes->len + figure->step - 1) / figure->step;
}

/* The column of a size; -1: it is not shown. The last size always is. */
static int
column_of (const MemlanePivotFigure *figure, guint size)
{
  guint last = figure->pivot->sizes->len - 1;

  return (last - size) % figure->step == 0 ? (int) (memlane_pivot_figure_count_shown (figure) - 1 - (last - size) / figure->step) : -1;
}

gboolean
memlane_pivot_figure_place (const MemlanePivotFigure *figure, guint mode, guint size, MemlaneRectangle *area)
{
  if (mode >= figure->pivot->modes->len || size >= figure->pivot->sizes->len || column_of (figure, size) < 0)
    return FALSE;
  area->x = figure->pad + figure->modes_width + column_of (figure, size) * figure->column;
  area->y = figure->first_row + mode * figure->row_height + gaps_above (figure->pivot, mode) * figure->gap;
  area->width = figure->column;
  area->height = figure->row_height;
  return TRUE;
}

gboolean
memlane_pivot_figure_hit (const MemlanePivotFigure *figure, double x, double y, guint *mode, guint *size)
{
  MemlaneRectangle area;

  for (guint i = 0; i < figure->pivot->modes->len; i++)
    for (guint j = 0; j < figure->pivot->sizes->len; j++)
      if (memlane_pivot_figure_place (figure, i, j, &area) && x >= area.x && x < area.x + area.width && y >= area.y
          && y < area.y + area.height)
        {
          *mode = i;
          *size = j;
          return TRUE;
        }
  return FALSE;
}

/* --- drawing ------------------------------------------------------------------------------------------------------------ */

/* @share: 0 at the left edge, 1 at the right one. Takes @layout. */
static void
draw_text (cairo_t *cr, PangoLayout *layout, const MemlaneRectangle *area, double share, const MemlaneColor *color)
{
  double width, height;

  memlane_figure_measure_text (layout, &width, &height);
  memlane_color_set (cr, color);
  cairo_move_to (cr, area->x + share * (area->width - width), area->y + (area->height - height) / 2);
  pango_cairo_show_layout (cr, layout);
  g_object_unref (layout);
}

static MemlaneColor
ground_of (const MemlanePivotFigure *figure, double ratio)
{
  return shade (&figure->style, isnan (ratio) ? 0 : figure->darkest * CLAMP (1 - log2 (ratio) / SHADE_ENDS, 0, 1));
}

static void
draw_cell (const MemlanePivotFigure *figure, cairo_t *cr, guint mode, guint size)
{
  const MemlanePivot *pivot = figure->pivot;
  MemlaneRectangle area;
  MemlaneColor ground, text;
  g_autofree char *number = NULL;
  PangoLayout *layout;

  if (!memlane_pivot_figure_place (figure, mode, size, &area))
    return;
  ground = ground_of (figure, memlane_pivot_get_ratio (pivot, mode, size));
  text = figure->style.text;
  memlane_color_set (cr, &ground);
  cairo_rectangle (cr, area.x, area.y, area.width - 1, area.height - 1);
  cairo_fill (cr);
  number = memlane_pivot_format (pivot, memlane_pivot_get (pivot, mode, size));
  layout = make_text (figure, figure->text_size, pivot->fastest[size] == mode, number);
  area.width -= 0.5 * CELL_AIR * figure->em;
  draw_text (cr, layout, &area, 1, &text);
}

static void
draw_header (const MemlanePivotFigure *figure, cairo_t *cr)
{
  for (guint size = 0; size < figure->pivot->sizes->len; size++)
    {
      MemlaneRectangle area;
      g_autofree char *power = memlane_unit_format_power (memlane_pivot_get_log2 (figure->pivot, size));

      if (!memlane_pivot_figure_place (figure, 0, size, &area))
        continue;
      area.y = figure->header_y;
      area.height = figure->first_row - figure->header_y;
      area.width -= 0.5 * CELL_AIR * figure->em;
      draw_text (cr, make_text (figure, figure->text_size, TRUE, power), &area, 1, &figure->style.text);
    }
  for (guint mode = 0; mode < figure->pivot->modes->len; mode++)
    {
      g_autofree char *title = memlane_chart_mode_label (figure->pivot->modes->pdata[mode], NULL);
      PangoLayout *layout = make_text (figure, figure->text_size, FALSE, title);
      MemlaneRectangle area;

      memlane_pivot_figure_place (figure, mode, figure->pivot->sizes->len - 1, &area);
      area.x = figure->pad;
      area.width = figure->modes_width;
      memlane_figure_limit_text (layout, figure->modes_width - 0.5 * figure->em);
      draw_text (cr, layout, &area, 0, &figure->style.text);
    }
}

static void
draw_title (const MemlanePivotFigure *figure, cairo_t *cr)
{
  const MemlanePivot *pivot = figure->pivot;
  guint shown = memlane_pivot_figure_count_shown (figure);
  double right = figure->width - figure->pad;
  g_autofree char *title = memlane_pivot_title (pivot), *whole = NULL;
  MemlaneRectangle area = { figure->pad, figure->title_y, 0, figure->header_y - figure->title_y };
  PangoLayout *layout;

  if (pivot->simulated)
    {
      MemlaneRectangle badge = { 0, figure->title_y, 0, 0 };
      MemlaneColor color = memlane_figure_text_on (&figure->style, &figure->style.simulated);
      PangoLayout *word = memlane_figure_make_badge (figure->pango, &figure->style, figure->width - 2 * figure->pad, &badge.width,
                                                     &badge.height);

      badge.x = right - badge.width;
      cairo_new_path (cr);
      memlane_figure_add_round (cr, &badge, 0.3 * badge.height);
      memlane_color_set (cr, &figure->style.simulated);
      cairo_fill (cr);
      draw_text (cr, word, &badge, 0.5, &color);
      right = badge.x - figure->em;
    }
  if (shown < pivot->sizes->len)
    /* Translators: a title, then how many columns have room */
    whole = g_strdup_printf (_("%s · %u of %u sizes"), title, shown, pivot->sizes->len);
  else if (pivot->name != NULL && !is_wall (&figure->style))
    whole = g_strdup_printf ("%s · %s", title, pivot->name);
  if (memlane_pivot_count_varied (pivot) > 0 && !figure->has_key)
    {
      g_autofree char *before = g_steal_pointer (&whole);

      /* Translators: behind a title, where cells have been measured in several ways */
      whole = g_strdup_printf (_("%s · first measurement of each cell"), before != NULL ? before : title);
    }
  layout = make_text (figure, TITLE_SIZE * figure->style.text_size, TRUE, whole != NULL ? whole : title);
  area.width = MAX (right - area.x, 1);
  memlane_figure_limit_text (layout, area.width);
  draw_text (cr, layout, &area, 0, &figure->style.text);
}

static void
draw_key (const MemlanePivotFigure *figure, cairo_t *cr)
{
  MemlaneRectangle area = { figure->pad, figure->height - 1.4 * figure->line, figure->width - 2 * figure->pad, 1.3 * figure->line };
  guint varied = memlane_pivot_count_varied (figure->pivot);
  g_autofree char *first = NULL;
  PangoLayout *layout;

  if (!figure->has_key)
    return;
  if (varied > 0)
    first = g_strdup_printf (ngettext ("%u cell was measured with another reuse, streams or chunks, too. The first measurement is shown.",
                                       "%u cells were measured with another reuse, streams or chunks, too. The first measurement is shown.",
                                       varied), varied);
  layout = make_text (figure, figure->style.text_size, FALSE,
                      first != NULL ? first : _("A stronger shade is nearer to the fastest of a size. ~ noisy, – not measured. "
                                                "Choose a cell to read it."));
  memlane_figure_limit_text (layout, area.width);
  draw_text (cr, layout, &area, 0, &figure->style.faint);
}

void
memlane_pivot_figure_draw (const MemlanePivotFigure *figure, cairo_t *cr)
{
  const MemlanePivot *pivot = figure->pivot;

  memlane_color_set (cr, &figure->style.background);
  cairo_paint (cr);
  if (pivot->modes->len == 0)
    {
      g_autofree char *why = memlane_pivot_describe (pivot);
      MemlaneRectangle area = { figure->pad, 0, figure->width - 2 * figure->pad, figure->height };
      PangoLayout *layout = make_text (figure, figure->style.text_size, FALSE, why);

      memlane_figure_limit_text (layout, area.width);
      draw_text (cr, layout, &area, 0.5, &figure->style.text);
      return;
    }
  draw_title (figure, cr);
  draw_header (figure, cr);
  for (guint mode = 0; mode < pivot->modes->len; mode++)
    for (guint size = 0; size < pivot->sizes->len; size++)
      draw_cell (figure, cr, mode, size);
  draw_key (figure, cr);
}

static void
frame_cell (const MemlanePivotFigure *figure, cairo_t *cr, guint mode, guint size, double width)
{
  MemlaneRectangle area;

  if (!memlane_pivot_figure_place (figure, mode, size, &area))
    return;
  memlane_color_set (cr, &figure->style.text);
  cairo_set_line_width (cr, width);
  cairo_rectangle (cr, area.x + width / 2, area.y + width / 2, area.width - width - 1, area.height - width - 1);
  cairo_stroke (cr);
}

void
memlane_pivot_figure_draw_overlay (const MemlanePivotFigure *figure, cairo_t *cr, guint hovered_mode, guint hovered_size, guint chosen_mode,
                                   guint chosen_size)
{
  frame_cell (figure, cr, hovered_mode, hovered_size, 1);
  frame_cell (figure, cr, chosen_mode, chosen_size, 2);
}

/* --- as others draw it ---------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneDrawing parent;
  MemlanePivot *pivot; /* owned reference */
} PivotDrawing;

static gpointer
lay_out_drawing (const MemlaneDrawing *drawing, const MemlaneStyle *style, double width, double height, PangoContext *pango)
{
  return memlane_pivot_layout (((const PivotDrawing *) drawing)->pivot, style, width, height, pango);
}

static char *
name_drawing (const MemlaneDrawing *drawing)
{
  const MemlanePivot *pivot = ((const PivotDrawing *) drawing)->pivot;

  return g_strdup_printf ("%s-%s", pivot->workload != NULL ? pivot->workload : "table", memlane_phase_name (pivot->phase));
}

static char *
get_drawing_title (const MemlaneDrawing *drawing)
{
  return memlane_pivot_title (((const PivotDrawing *) drawing)->pivot);
}

static char *
describe_drawing (const MemlaneDrawing *drawing)
{
  return memlane_pivot_describe (((const PivotDrawing *) drawing)->pivot);
}

static void
free_drawing (MemlaneDrawing *drawing)
{
  memlane_pivot_unref (((PivotDrawing *) drawing)->pivot);
  g_free (drawing);
}

MemlaneDrawing *
memlane_pivot_drawing_new (MemlanePivot *self)
{
  static const MemlaneDrawingClass klass = {
    .layout = lay_out_drawing,
    .draw = (void (*) (gconstpointer, cairo_t *)) memlane_pivot_figure_draw,
    .free_layout = (GDestroyNotify) memlane_pivot_figure_free,
    .name = name_drawing,
    .title = get_drawing_title,
    .describe = describe_drawing,
    .free = free_drawing,
  };
  PivotDrawing *drawing = g_new0 (PivotDrawing, 1);

  drawing->parent.klass = &klass;
  drawing->pivot = memlane_pivot_ref (self);
  return &drawing->parent;
}
