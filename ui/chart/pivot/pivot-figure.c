/* pivot-figure.c: the table of medians as a figure: what stands where, drawing it, and what lies
 * under the pointer
 *
 * SPDX-License-Identifier: MIT
 */
#include "pivot.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/owns.h"
#include "chart/chart-words.h"
#include "chart/frame.h"
#include "chart/scale.h"
#include "base/each.h"

#define MODES_SHARE 0.36   /* of the width that the modes' titles may take */
#define CELL_AIR 0.9       /* em beside a number */
#define ROW_MOST 2.2       /* lines */
#define ROW_LEAST 1.02
#define TEXT_MOST 1.5      /* of the style's size, where there is room */
#define FAMILY_GAP 0.25    /* lines */
#define SHADE_MOST 0.6     /* of the hue in the fastest cell */
#define SHADE_ENDS 2.0     /* log2 of the ratio from which nothing is shaded */
#define LEAST_CONTRAST 7.0 /* of a number with its cell */

/* Fast, and slower than the other run; on light and dark grounds. */
static const MemlaneColor hues[2][2] = { { { 0.04, 0.31, 0.56, 1 }, { 0.36, 0.66, 0.95, 1 } },
                                         { { 0.78, 0.36, 0.0, 1 }, { 0.95, 0.6, 0.25, 1 } } };

struct _MemlanePivotFigure
{
  MemlaneFrame frame;        /* its area is that of the cells */
  const MemlanePivot *pivot;
  double row_height, gap;
  double modes_width, column; /* px of the modes' titles, of a column */
  /* every step-th size is shown, the last one always. The number of columns */
  guint step, shown;
  double text_size, em, line; /* px of the cells' text */
  double darkest;            /* part of the hue in the fastest cell */
};

static PangoLayout *
make_text (const MemlanePivotFigure *figure, gboolean bold, const char *text)
{
  return memlane_frame_make_text (&figure->frame, figure->text_size, bold, text);
}

static PangoLayout *
make_heading (const MemlanePivotFigure *figure, guint size)
{
  g_autofree char *text = memlane_pivot_format_column (figure->pivot, size);

  return make_text (figure, TRUE, text);
}

static double
measure_headings (const MemlanePivotFigure *figure)
{
  return 1.15 * figure->line;
}

static double
measure (const MemlanePivotFigure *figure, gboolean bold, const char *text)
{
  g_autoptr (PangoLayout) layout = make_text (figure, bold, text);

  return memlane_figure_text_width (layout);
}

/* --- colours ---------------------------------------------------------------------------------- */

static MemlaneColor
shade (const MemlaneStyle *style, gboolean slower, double part)
{
  return memlane_color_mix (style->background, hues[slower][style->dark], part);
}

/* Returns the largest share of the hue on which numbers can be read. */
static double
find_darkest (const MemlaneStyle *style)
{
  double part = SHADE_MOST;

  for (; part > 0; part -= 0.02)
    {
      MemlaneColor ground = shade (style, FALSE, part), other = shade (style, TRUE, part);

      if (MIN (memlane_color_contrast (&style->text, &ground),
               memlane_color_contrast (&style->text, &other))
          >= LEAST_CONTRAST)
        break;
    }
  return MAX (part, 0);
}

/* --- layout ----------------------------------------------------------------------------------- */

/* Number of gaps between families above row @mode. */
static guint
gaps_above (const MemlanePivot *pivot, guint mode)
{
  guint n = 0;

  for (guint i = 1; i <= mode; i++)
    n += memlane_family_of_mode (pivot->modes->pdata[i - 1])
         != memlane_family_of_mode (pivot->modes->pdata[i]);
  return n;
}

static double
widest_mode (const MemlanePivotFigure *figure)
{
  double widest = 0;

  MEMLANE_FOR_EACH (const char, mode, figure->pivot->modes)
    {
      g_autofree char *title = memlane_chart_mode_label (mode, NULL);

      widest = MAX (widest, measure (figure, FALSE, title));
    }
  return widest;
}

static double
widest_number (const MemlanePivotFigure *figure)
{
  const MemlanePivot *pivot = figure->pivot;
  double widest = measure (figure, FALSE, "2²⁰");

  for (guint i = 0; i < pivot->modes->len * pivot->sizes->len; i++)
    {
      g_autofree char *text = memlane_pivot_format (pivot, &pivot->cells[i]);

      widest = MAX (widest, measure (figure, TRUE, text));
    }
  return widest;
}

static void
place_columns (MemlanePivotFigure *figure)
{
  double room, needed = widest_number (figure) + CELL_AIR * figure->em;
  guint n = figure->pivot->sizes->len;

  figure->modes_width = ceil (MIN (widest_mode (figure), MODES_SHARE * figure->frame.width)
                              + figure->em);
  room = figure->frame.width - 2 * figure->frame.pad - figure->modes_width;
  for (figure->step = 1; figure->step < n && (n + figure->step - 1) / figure->step * needed > room;)
    figure->step++;
  figure->shown = (n + figure->step - 1) / figure->step;
  figure->column = floor (MIN (room / MAX (figure->shown, 1), 3.5 * needed));
}

static void
place_rows (MemlanePivotFigure *figure)
{
  guint n = figure->pivot->modes->len, gaps = gaps_above (figure->pivot, n - 1);

  figure->gap = floor (FAMILY_GAP * figure->line);
  figure->row_height = floor ((figure->frame.area.height - gaps * figure->gap) / n);
  if (figure->row_height < ROW_LEAST * figure->line)
    {
      figure->gap = 2;
      figure->row_height = floor ((figure->frame.area.height - gaps * figure->gap) / n);
    }
  figure->row_height = CLAMP (figure->row_height, 4, floor (ROW_MOST * figure->line));
}

static void
set_text_size (MemlanePivotFigure *figure, double size)
{
  g_autoptr (PangoLayout) probe = memlane_frame_make_text (&figure->frame, size, FALSE, "Åg");

  figure->text_size = size;
  figure->em = size * figure->frame.text_scale;
  figure->line = ceil (memlane_figure_text_height (probe));
}

/* Says how many columns have room, where not all have. */
static void
choose_words (MemlanePivotFigure *figure)
{
  const MemlanePivot *pivot = figure->pivot;
  MemlaneFrame *frame = &figure->frame;
  guint shown = memlane_pivot_figure_count_shown (figure),
        varied = memlane_pivot_count_varied (pivot);
  g_autofree char *title = memlane_pivot_title (pivot), *whole = NULL, *named = NULL;

  if (shown < pivot->sizes->len)
    /* Translators: a title, then how many columns have room */
    whole = g_strdup_printf (_("%s · %u of %u sizes"), title, shown, pivot->sizes->len);
  else if (pivot->name != NULL && pivot->base_name == NULL && !frame->wall)
    whole = g_strdup_printf ("%s · %s", title, pivot->name);
  else
    whole = g_strdup (title);
  named = varied > 0 && frame->wall
              /* Translators: behind a title, where cells have been measured in several ways */
              ? g_strdup_printf (_("%s · first measurement of each"), whole)
              : g_steal_pointer (&whole);
  g_free (frame->title);
  g_free (frame->subtitle);
  frame->title = g_strdup (pivot->headline != NULL ? pivot->headline : named);
  frame->subtitle = pivot->headline != NULL ? g_steal_pointer (&named) : NULL;
  if (frame->wall)
    return;
  g_free (frame->note);
  if (pivot->base_name != NULL)
    /* Translators: below a table of differences; a run, twice */
    frame->note = g_strdup_printf (
        _("Blue: %s is faster. Orange: it is slower. No colour: no measurable difference. "
           "Choose a row to see its curve."),
        pivot->name);
  else if (varied > 0)
    frame->note = g_strdup_printf (
        ngettext ("%u entry was also measured with another reuse, streams or chunks. The first "
                  "measurement is "
                  "shown.",
                  "%u entries were also measured with another reuse, streams or chunks. The first "
                  "measurements are shown.",
                  varied),
        varied);
  else
    frame->note = g_strdup (_("Darker: closer to the fastest mode of that size. Bold: fastest, or "
                               "tied. ~ noisy, – not measured."));
}

static double
measure_header (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return measure_headings ((const MemlanePivotFigure *) frame);
}

static double
measure_modes (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  return ((const MemlanePivotFigure *) frame)->modes_width;
}

static void
lay_out (MemlanePivotFigure *figure)
{
  static const MemlaneBand bands[] = {
    { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP, 1 },
    { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP, 3, 4 },
    { MEMLANE_TEXT_NOTE, MEMLANE_SIDE_BOTTOM, 2 },
    { MEMLANE_TEXT_X_TICK, MEMLANE_SIDE_TOP, 0, 0, measure_header },
    { MEMLANE_TEXT_LEGEND, MEMLANE_SIDE_LEFT, 0, 0, measure_modes },
  };

  place_columns (figure);
  choose_words (figure);
  figure->frame.least_width = 0;
  figure->frame.least_height = MIN (ROW_LEAST * figure->line * figure->pivot->modes->len,
                                    0.5 * figure->frame.height);
  memlane_frame_fit (&figure->frame, bands, G_N_ELEMENTS (bands));
  place_rows (figure);
}

MemlanePivotFigure *
memlane_pivot_layout (const MemlanePivot *self, const MemlaneStyle *style, double width,
                      double height, PangoContext *pango)
{
  MemlanePivotFigure *figure = g_new0 (MemlanePivotFigure, 1);
  MemlaneFrame *frame = &figure->frame;

  memlane_frame_init (frame, style, width, height, pango);
  figure->pivot = self;
  frame->simulated = self->simulated;
  figure->darkest = find_darkest (&frame->style);
  set_text_size (figure, frame->style.text_size);
  if (self->modes->len == 0)
    {
      g_autofree char *why = memlane_pivot_describe (self);

      memlane_frame_fit (frame, NULL, 0);
      memlane_frame_place (frame);
      memlane_frame_place_empty (frame, why);
      return figure;
    }
  lay_out (figure);
  /* A low figure has smaller text; never on the wall. A high one has larger text instead of an
   * empty third. */
  if (figure->row_height < figure->line && !frame->wall)
    {
      figure->text_size *= MAX (figure->row_height / figure->line, 0.5);
      place_columns (figure);
    }
  else if (figure->row_height >= floor (ROW_MOST * figure->line))
    {
      double used = frame->area.y + self->modes->len * figure->row_height
                    + gaps_above (self, self->modes->len - 1) * figure->gap + 2 * figure->line;
      guint shown = memlane_pivot_figure_count_shown (figure);
      double size = figure->text_size, larger = CLAMP (frame->height / used, 1, TEXT_MOST);

      do /* sizes are worth more than large text */
        {
          set_text_size (figure, size * MAX (larger, 1));
          place_columns (figure);
          larger -= 0.05;
        }
      while (memlane_pivot_figure_count_shown (figure) < shown && larger >= 0.96);
      lay_out (figure);
    }
  memlane_frame_place (frame);
  return figure;
}

MEMLANE_DEFINE_FREE (MemlanePivotFigure, void memlane_pivot_figure_free (MemlanePivotFigure *data),
                     memlane_frame_clear (&self->frame);)

guint
memlane_pivot_figure_count_shown (const MemlanePivotFigure *figure)
{
  return figure->shown;
}

/* The column of a size; -1: it is not shown. The last size always is. */
static int
column_of (const MemlanePivotFigure *figure, guint size)
{
  guint last = figure->pivot->sizes->len - 1;

  return (last - size) % figure->step == 0
             ? (int) (figure->shown - 1 - (last - size) / figure->step)
             : -1;
}

gboolean
memlane_pivot_figure_place (const MemlanePivotFigure *figure, guint mode, guint size,
                            MemlaneRectangle *area)
{
  if (mode >= figure->pivot->modes->len || size >= figure->pivot->sizes->len
      || column_of (figure, size) < 0)
    return FALSE;
  area->x = figure->frame.area.x + column_of (figure, size) * figure->column;
  area->y = figure->frame.area.y + mode * figure->row_height
            + gaps_above (figure->pivot, mode) * figure->gap;
  area->width = figure->column;
  area->height = figure->row_height;
  return TRUE;
}

gboolean
memlane_pivot_figure_hit (const MemlanePivotFigure *figure, double x, double y, guint *mode,
                          guint *size)
{
  MemlaneRectangle area;

  for (guint i = 0; i < figure->pivot->modes->len; i++)
    for (guint j = 0; j < figure->pivot->sizes->len; j++)
      if (memlane_pivot_figure_place (figure, i, j, &area) && x >= area.x && x < area.x + area.width
          && y >= area.y && y < area.y + area.height)
        {
          *mode = i;
          *size = j;
          return TRUE;
        }
  return FALSE;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* @share: 0 at the left edge, 1 at the right one. Takes @layout. */
static void
draw_text (cairo_t *cr, PangoLayout *layout, const MemlaneRectangle *area, double share,
           const MemlaneColor *color)
{
  double width, height;

  memlane_figure_measure_text (layout, &width, &height);
  memlane_figure_show_text (cr, layout, area->x + share * (area->width - width),
                            area->y + (area->height - height) / 2, color);
  g_object_unref (layout);
}

static MemlaneColor
ground_of (const MemlanePivotFigure *figure, guint mode, guint size)
{
  double ratio = memlane_pivot_get_ratio (figure->pivot, mode, size);

  /* twice or half the time has the whole hue; what cannot be told apart, or reads "0 %", has
   * none */
  if (figure->pivot->base_name != NULL)
    return shade (&figure->frame.style, ratio > 1,
                  memlane_pivot_is_tied (figure->pivot, mode, size) || !(fabs (ratio - 1) >= 0.005)
                      ? 0
                      : figure->darkest * MIN (0.15 + fabs (log2 (ratio)), 1));
  return shade (&figure->frame.style, FALSE,
                isnan (ratio) ? 0 : figure->darkest * CLAMP (1 - log2 (ratio) / SHADE_ENDS, 0, 1));
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
  ground = ground_of (figure, mode, size);
  text = figure->frame.style.text;
  cairo_rectangle (cr, area.x, area.y, area.width - 1, area.height - 1);
  memlane_figure_fill (cr, &ground);
  number = memlane_pivot_format (pivot, memlane_pivot_get (pivot, mode, size));
  layout = make_text (figure, pivot->base_name == NULL && memlane_pivot_is_tied (pivot, mode, size),
                      number);
  area.width -= 0.5 * CELL_AIR * figure->em;
  draw_text (cr, layout, &area, 1, &text);
}

static void
draw_header (const MemlanePivotFigure *figure, cairo_t *cr)
{
  for (guint size = 0; size < figure->pivot->sizes->len; size++)
    {
      MemlaneRectangle area;

      if (!memlane_pivot_figure_place (figure, 0, size, &area))
        continue;
      area.height = measure_headings (figure);
      area.y = figure->frame.area.y - area.height;
      area.width -= 0.5 * CELL_AIR * figure->em;
      draw_text (cr, make_heading (figure, size), &area, 1, &figure->frame.style.text);
    }
  for (guint mode = 0; mode < figure->pivot->modes->len; mode++)
    {
      g_autofree char *title = memlane_chart_mode_label (figure->pivot->modes->pdata[mode], NULL);
      PangoLayout *layout = make_text (figure, FALSE, title);
      MemlaneRectangle area;

      memlane_pivot_figure_place (figure, mode, figure->pivot->sizes->len - 1, &area);
      area.x = figure->frame.pad;
      area.width = figure->modes_width;
      memlane_figure_limit_text (layout, figure->modes_width - 0.5 * figure->em);
      draw_text (cr, layout, &area, 0, &figure->frame.style.text);
    }
}

static void
draw (const MemlanePivotFigure *figure, cairo_t *cr)
{
  const MemlanePivot *pivot = figure->pivot;

  memlane_frame_draw_ground (&figure->frame, cr);
  memlane_frame_draw_words (&figure->frame, cr);
  if (pivot->modes->len == 0)
    return;
  draw_header (figure, cr);
  for (guint mode = 0; mode < pivot->modes->len; mode++)
    for (guint size = 0; size < pivot->sizes->len; size++)
      draw_cell (figure, cr, mode, size);
}

static void
frame_cell (const MemlanePivotFigure *figure, cairo_t *cr, guint mode, guint size, double width)
{
  MemlaneRectangle area;

  if (!memlane_pivot_figure_place (figure, mode, size, &area))
    return;
  cairo_rectangle (cr, area.x + width / 2, area.y + width / 2, area.width - width - 1,
                   area.height - width - 1);
  memlane_figure_stroke (cr, width, &figure->frame.style.text);
}

void
memlane_pivot_figure_draw_overlay (const MemlanePivotFigure *figure, cairo_t *cr,
                                   guint hovered_mode, guint hovered_size, guint chosen_mode,
                                   guint chosen_size)
{
  frame_cell (figure, cr, hovered_mode, hovered_size, 1);
  frame_cell (figure, cr, chosen_mode, chosen_size, 2);
}

/* --- as others draw it ------------------------------------------------------------------------ */

static char *
name_drawing (gconstpointer content)
{
  const MemlanePivot *pivot = content;

  return g_strdup_printf ("%s-%s", pivot->workload != NULL ? pivot->workload : "table",
                          memlane_phase_name (pivot->phase));
}

MemlaneDrawing *
memlane_pivot_drawing_new (MemlanePivot *self)
{
  static const MemlaneDrawingClass klass = {
    .layout = (gpointer (*) (gconstpointer, const MemlaneStyle *, double, double,
                             PangoContext *)) memlane_pivot_layout,
    .draw = (void (*) (gconstpointer, cairo_t *)) draw,
    .free_layout = (GDestroyNotify) memlane_pivot_figure_free,
    .name = name_drawing,
    .title = (char *(*) (gconstpointer)) memlane_pivot_title,
    .describe = (char *(*) (gconstpointer)) memlane_pivot_describe,
    .to_csv = (char *(*) (gconstpointer)) memlane_pivot_to_csv,
    .free = (GDestroyNotify) memlane_pivot_unref,
  };

  return memlane_drawing_new (&klass, memlane_pivot_ref (self));
}
