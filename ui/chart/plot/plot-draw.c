/* plot-draw.c: a laid-out plot on a cairo_t, from the back to the front; and what follows the
 * pointer
 *
 * SPDX-License-Identifier: MIT
 */
#include "plot-layout.h"

#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/owns.h"

#define FADED 0.16             /* what is left of a curve while another one is isolated */
#define EARLY 0.4              /* of what was revealed before */
#define CONTEXT 0.3            /* how grey the families are that are not in focus */
#define THIN 0.6               /* of the line of a second run */
#define EXTRAPOLATED 0.4        /* of a line towards what no recording bears out */
#define LIMIT 0.6              /* of the baseline's line */
#define LATER 0.7              /* of the colour of a second run, and again for each run after it */
#define LEAST_LATER 0.2        /* of the colour of the last ones of many */
#define BAND_ALPHA 0.14         /* of a rubber band */
#define RATIO_LINE 1.0         /* both runs as fast */
/* in one path: thousands that overlap take cairo ten times as long to stroke */
#define MARKERS_AT_ONCE 32

/* The line of a series by its role: the mode's own, or a quieter one. */
typedef struct
{
  MemlaneCurveStyle curve;
  double line_width, radius;
} Pen;

static Pen
choose_pen (const MemlanePlot *plot, const MemlanePlottedSeries *plotted)
{
  gboolean published = plotted->series->role == MEMLANE_SERIES_PUBLISHED;
  gboolean later = plotted->nth_run > 0;
  Pen pen = { plotted->curve, plot->frame.style.line_width, plot->frame.style.marker_radius };

  if (published)
    {
      pen.line_width = 0;
      pen.radius *= 0.75;
    }
  else
    {
      /* The first run is heavy. */
      pen.line_width *= later ? THIN : 1;
      pen.radius *= later ? 0.85 : 1;
      pen.curve.color.alpha *= MAX (pow (LATER, plotted->nth_run), LEAST_LATER);
    }
  if (plotted->series->family == MEMLANE_FAMILY_BASELINE)
    {
      /* A line that no mode can reach is drawn as none of them. */
      pen.line_width *= LIMIT;
      pen.curve.dashes[0] = 6;
      pen.curve.dashes[1] = 4;
      pen.curve.n_dashes = 2;
    }
  if (memlane_plot_is_context (plot, plotted))
    {
      pen.curve.color = memlane_color_mix (plot->frame.style.background, plot->frame.style.faint,
                                           CONTEXT);
      pen.line_width *= 0.6;
      /* behind others they need not be told apart; most of a redraw would go into dashes */
      pen.curve.n_dashes = 0;
    }
  pen.curve.color.alpha *= (plotted->early ? EARLY : 1) * (plotted->faded ? FADED : 1);
  return pen;
}

static void
set_pen (cairo_t *cr, const Pen *pen)
{
  double lengths[G_N_ELEMENTS (pen->curve.dashes)];

  for (int i = 0; i < pen->curve.n_dashes; i++)
    lengths[i] = pen->curve.dashes[i] * pen->line_width;
  cairo_set_dash (cr, lengths, pen->curve.n_dashes, 0);
  cairo_set_line_width (cr, pen->line_width);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_BEVEL);
  memlane_color_set (cr, &pen->curve.color);
}

/* --- behind the curves ------------------------------------------------------------------------ */

/* The middle of the pixel in which @position falls, so that a line one pixel wide is sharp. */
static double
sharpen (double position)
{
  return floor (position) + 0.5;
}

/* Adds a line across the axes. */
static void
add_level (const MemlanePlot *plot, cairo_t *cr, double y)
{
  memlane_figure_add_line (cr, plot->frame.area.x, sharpen (y),
                           plot->frame.area.x + plot->frame.area.width, sharpen (y));
}

static void
draw_grid (const MemlanePlot *plot, cairo_t *cr)
{
  cairo_set_dash (cr, NULL, 0, 0);
  for (int major = 0; major <= 1; major++)
    {
      /* Minor lines tell where a logarithm has its decades; on a linear axis they would only be
       * noise. */
      MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, plot->y_ticks)
        if (plot->has_values && tick->major == major
            && (major || plot->y.kind != MEMLANE_SCALE_LINEAR))
          add_level (plot, cr, memlane_plot_y (plot, tick->value));
      memlane_figure_stroke (cr, 1,
                             major ? &plot->frame.style.grid : &plot->frame.style.grid_minor);
    }
}

/* Draws the curves that persons drew: the first in bold with handles, those of a class pale, so
 * that many in one place are dark. */
static void
draw_sketches (const MemlanePlot *plot, cairo_t *cr)
{
  const MemlaneStyle *style = &plot->frame.style;
  const MemlaneRectangle *area = &plot->frame.area;
  const double dashes[] = { 4 * style->line_width, 3 * style->line_width };
  MemlaneColor pale = memlane_color_fade (style->text, 0.35);

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (guint i = plot->sketches != NULL ? plot->sketches->len : 0; i-- > 0;)
    {
      const double *values = plot->sketches->pdata[i];
      MemlaneCoordinate places[MEMLANE_SKETCH_SIZES];
      guint n = 0;

      for (guint size = 0; size < MEMLANE_SKETCH_SIZES; size++)
        {
          double x = memlane_plot_x (plot, exp2 (size)), y = memlane_plot_y (plot, values[size]);

          if (values[size] > 0 && isfinite (y) && x >= area->x && x <= area->x + area->width)
            places[n++] = (MemlaneCoordinate) { .x = x,
                                               .y = CLAMP (y, area->y, area->y + area->height) };
        }
      for (guint k = 0; k < n; k++)
        cairo_line_to (cr, places[k].x, places[k].y);
      cairo_set_dash (cr, dashes, i == 0 ? 2 : 0, 0);
      memlane_figure_stroke (cr, i == 0 ? style->line_width : 0.7 * style->line_width,
                             i == 0 ? &style->text : &pale);
      cairo_set_dash (cr, NULL, 0, 0);
      for (guint k = 0; i == 0 && k < n; k++)
        memlane_marker_draw (cr, MEMLANE_MARKER_DIAMOND, places[k].x, places[k].y,
                             1.2 * style->marker_radius, &style->text, TRUE, style);
    }
}

static void
draw_marks (const MemlanePlot *plot, cairo_t *cr)
{
  const double dashes[] = { 6, 3 }, dots[] = { 2, 3 };

  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  if (!isnan (plot->ceiling_y))
    add_level (plot, cr, plot->ceiling_y);
  memlane_figure_stroke (cr, plot->frame.style.axis_width, &plot->frame.style.ceiling);
  if (!isnan (plot->cache_x))
    {
      cairo_set_dash (cr, dots, G_N_ELEMENTS (dots), 0);
      memlane_color_set (cr, &plot->frame.style.faint);
      memlane_figure_add_line (cr, sharpen (plot->cache_x), plot->frame.area.y,
                               sharpen (plot->cache_x),
                               plot->frame.area.y + plot->frame.area.height);
      cairo_stroke (cr);
    }
  cairo_set_dash (cr, NULL, 0, 0);
  if (plot->chart->quantity == MEMLANE_QUANTITY_RATIO && plot->has_values
      && plot->y.from <= RATIO_LINE && plot->y.to >= RATIO_LINE)
    {
      add_level (plot, cr, memlane_plot_y (plot, RATIO_LINE));
      memlane_figure_stroke (cr, 1.5 * plot->frame.style.axis_width, &plot->frame.style.axis);
    }
}

/* --- curves ----------------------------------------------------------------------------------- */

/* The interval band of the points from..to, one polygon. */
static void
add_band (const MemlanePlot *plot, cairo_t *cr, const GArray *coordinates, guint from, guint to,
          GArray *corners)
{
  const MemlaneCoordinate *points = (gconstpointer) coordinates->data;
  double half = from == to ? plot->frame.style.line_width : 0; /* a lone point: a bar */

  g_array_set_size (corners, 0);
  for (guint i = from; i <= to; i++)
    g_array_append_val (corners, ((MemlaneCorner) { points[i].x - half, points[i].y_high }));
  for (guint i = to + 1; i-- > from;)
    g_array_append_val (corners, ((MemlaneCorner) { points[i].x - half, points[i].y_low }));
  if (half > 0)
    {
      const MemlaneCorner others[] = { { points[to].x + half, points[to].y_low },
                                       { points[to].x + half, points[to].y_high } };

      g_array_append_vals (corners, others, G_N_ELEMENTS (others));
    }
  memlane_clip_polygon (&plot->frame.area, corners);
  MEMLANE_FOR_EACH_IN (const MemlaneCorner, corner, corners)
    cairo_line_to (cr, corner->x, corner->y);
  if (corners->len > 0)
    cairo_close_path (cr);
}

static void
draw_bands (const MemlanePlot *plot, cairo_t *cr, const MemlanePlottedSeries *plotted)
{
  const GArray *coordinates = plotted->coordinates;
  g_autoptr (GArray) corners = NULL;
  Pen pen = choose_pen (plot, plotted);
  guint start = 0;

  if (coordinates->len == 0 || plotted->faded || plotted->nth_run > 0
      || memlane_plot_is_context (plot, plotted)
      || plotted->series->family == MEMLANE_FAMILY_BASELINE
      || plotted->series->role == MEMLANE_SERIES_PUBLISHED)
    return;
  corners = g_array_new (FALSE, FALSE, sizeof (MemlaneCorner));
  pen.curve.color.alpha *= plot->frame.style.band_alpha;
  for (guint i = 1; i <= coordinates->len; i++)
    if (i == coordinates->len || !g_array_index (coordinates, MemlaneCoordinate, i).joined)
      {
        add_band (plot, cr, coordinates, start, i - 1, corners);
        start = i;
      }
  memlane_figure_fill (cr, &pen.curve.color);
}

/* Draws the stretches of the line that lead to extrapolated points, or all others. */
static void
draw_stretches (const MemlanePlot *plot, cairo_t *cr, const GArray *coordinates, const Pen *pen,
                gboolean thin)
{
  gboolean open = FALSE;

  set_pen (cr, pen);
  for (guint i = 1; i < coordinates->len; i++)
    {
      const MemlaneCoordinate *before = &g_array_index (coordinates, MemlaneCoordinate, i - 1);
      const MemlaneCoordinate *here = &g_array_index (coordinates, MemlaneCoordinate, i);
      MemlaneCorner a = { before->x, before->y }, b = { here->x, here->y };

      if (!here->joined || here->thin != thin || !memlane_clip_segment (&plot->frame.area, &a, &b))
        {
          open = FALSE;
          continue;
        }
      if (!open || a.x != before->x || a.y != before->y)
        cairo_move_to (cr, a.x, a.y);
      cairo_line_to (cr, b.x, b.y);
      open = b.x == here->x && b.y == here->y;
    }
  cairo_stroke (cr);
}

static void
draw_line (const MemlanePlot *plot, cairo_t *cr, const GArray *coordinates, const Pen *pen)
{
  Pen thin = *pen;

  if (pen->line_width <= 0)
    return;
  draw_stretches (plot, cr, coordinates, pen, FALSE);
  thin.line_width *= EXTRAPOLATED;
  draw_stretches (plot, cr, coordinates, &thin, TRUE);
}

/* Whether no line leads to the point or from it. */
static gboolean
is_lone (const GArray *coordinates, guint i)
{
  return !g_array_index (coordinates, MemlaneCoordinate, i).joined
         && (i + 1 == coordinates->len
             || !g_array_index (coordinates, MemlaneCoordinate, i + 1).joined);
}

static void
draw_markers (const MemlanePlot *plot, cairo_t *cr, const MemlanePlottedSeries *plotted,
              const Pen *pen)
{
  const GArray *coordinates = plotted->coordinates;

  if (memlane_plot_is_context (plot, plotted))
    return;
  for (int hollow = 0; hollow <= 1; hollow++)
    {
      for (guint i = 0; i < coordinates->len; i++)
        {
          const MemlaneCoordinate *here = &g_array_index (coordinates, MemlaneCoordinate, i);

          if (here->inside && here->hollow == hollow
              && (hollow || !plotted->bare || is_lone (coordinates, i)))
            memlane_marker_add (cr, pen->curve.marker, here->x, here->y, pen->radius, hollow);
          if (i % MARKERS_AT_ONCE == MARKERS_AT_ONCE - 1)
            memlane_marker_paint (cr, pen->radius, &pen->curve.color, hollow, &plot->frame.style);
        }
      memlane_marker_paint (cr, pen->radius, &pen->curve.color, hollow, &plot->frame.style);
    }
}

static void
draw_series (const MemlanePlot *plot, cairo_t *cr, const MemlanePlottedSeries *plotted)
{
  Pen pen = choose_pen (plot, plotted);

  draw_line (plot, cr, plotted->coordinates, &pen);
  draw_markers (plot, cr, plotted, &pen);
}

static gboolean
is_behind (const MemlanePlot *plot, const MemlanePlottedSeries *plotted)
{
  return plotted->faded || memlane_plot_is_context (plot, plotted) || plotted->early;
}

/* Draws from back to front: published figures, other runs, the first run, the isolated curve. */
static void
draw_curves (const MemlanePlot *plot, cairo_t *cr)
{
  static const MemlaneSeriesRole order[] = { MEMLANE_SERIES_PUBLISHED, MEMLANE_SERIES_OVERLAY,
                                             MEMLANE_SERIES_MEASURED };

  MEMLANE_FOR_EACH_IN (const MemlanePlottedSeries, plotted, plot->series)
    draw_bands (plot, cr, plotted);
  for (int front = 0; front <= 1; front++)
    for (guint role = 0; role < G_N_ELEMENTS (order); role++)
      /* From the last to the first: the modes that people know best come first in the registry. */
      for (guint i = plot->series->len; i-- > 0;)
        if (memlane_plot_chart_series (plot, i)->role == order[role]
            && is_behind (plot, memlane_plot_series (plot, i)) == !front)
          draw_series (plot, cr, memlane_plot_series (plot, i));
}

/* --- around the curves ------------------------------------------------------------------------ */

static void
draw_axes (const MemlanePlot *plot, cairo_t *cr)
{
  const MemlaneRectangle *area = &plot->frame.area;
  double bottom = sharpen (area->y + area->height), left = sharpen (area->x),
         length = 0.35 * plot->frame.em;

  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_SQUARE);
  memlane_figure_add_line (cr, left, area->y, left, bottom);
  cairo_line_to (cr, area->x + area->width, bottom);
  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, plot->x_ticks)
    {
      double x = sharpen (memlane_plot_x (plot, tick->value));

      memlane_figure_add_line (cr, x, bottom, x, bottom + (tick->major ? length : length / 2));
    }
  memlane_figure_stroke (cr, plot->frame.style.axis_width, &plot->frame.style.axis);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
}

/* Draws leaders from the lines' ends to their labels. */
static void
draw_leaders (const MemlanePlot *plot, cairo_t *cr)
{
  cairo_set_dash (cr, NULL, 0, 0);
  MEMLANE_FOR_EACH_IN (const MemlaneLeader, leader, plot->leaders)
    {
      const MemlanePlottedSeries *plotted = memlane_plot_series (plot, leader->series);

      memlane_figure_add_line (cr, leader->x0, leader->y0, leader->x1, leader->y1);
      memlane_figure_stroke (cr, MAX (plot->frame.style.axis_width, 1),
                             memlane_plot_is_context (plot, plotted) ? &plot->frame.style.faint
                                                                    : &plotted->curve.color);
    }
}

/* Draws a run's kind of line, without a mode's colour; in a panel a mode's line. A run behind
 * another is as pale as its curves. */
static void
draw_sample (const MemlanePlot *plot, cairo_t *cr, const MemlaneSample *sample)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, sample->item);
  Pen pen = choose_pen (plot, plotted);
  double middle = sharpen (sample->area.y + sample->area.height / 2);

  if (plot->panel == MEMLANE_N_FAMILIES && !plotted->series->behind)
    {
      pen.curve.n_dashes = 0;
      pen.curve.color = memlane_color_fade (plot->frame.style.text, pen.curve.color.alpha);
    }
  set_pen (cr, &pen);
  memlane_figure_add_line (cr, sample->area.x, middle, sample->area.x + sample->area.width, middle);
  cairo_stroke (cr);
  if (pen.line_width <= 0)
    memlane_marker_draw (cr, pen.curve.marker, sample->area.x + sample->area.width / 2, middle,
                         pen.radius, &pen.curve.color, TRUE, &plot->frame.style);
}

/* The words inside the axes stay readable where a curve runs behind them. */
static void
draw_inner_words (const MemlanePlot *plot, cairo_t *cr)
{
  MemlaneColor halo = memlane_color_fade (plot->frame.style.halo, 0.8);

  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, placed, plot->frame.texts)
    {
      MemlanePlacedText text = *placed;

      if (text.role < MEMLANE_TEXT_CONTENT)
        continue;
      if (text.area.x < plot->frame.area.x + plot->frame.area.width)
        {
          cairo_rectangle (cr, text.area.x - 2, text.area.y, text.area.width + 4, text.area.height);
          memlane_figure_fill (cr, &halo);
        }
      if (text.role == MEMLANE_TEXT_LABEL
          && memlane_plot_is_context (plot, memlane_plot_series (plot, text.item)))
        text.color = plot->frame.style.faint;
      memlane_frame_draw_text (&text, cr);
    }
}

void
memlane_plot_draw (const MemlanePlot *plot, cairo_t *cr)
{
  cairo_save (cr);
  memlane_frame_draw_ground (&plot->frame, cr);
  if (plot->panels != NULL)
    MEMLANE_FOR_EACH (const MemlanePlot, panel, plot->panels)
      {
        cairo_save (cr);
        cairo_translate (cr, panel->place.x, panel->place.y);
        memlane_plot_draw (panel, cr);
        cairo_restore (cr);
      }
  else
    {
      draw_grid (plot, cr);
      draw_marks (plot, cr);
      draw_sketches (plot, cr);
      draw_curves (plot, cr);
      draw_axes (plot, cr);
      draw_leaders (plot, cr);
      draw_inner_words (plot, cr);
    }
  memlane_frame_draw_words (&plot->frame, cr);
  MEMLANE_FOR_EACH_IN (const MemlaneSample, sample, plot->frame.samples)
    draw_sample (plot, cr, sample);
  cairo_restore (cr);
}

/* --- what follows the pointer: crosshair, ring, rubber band ----------------------------------- */

/* A label on a ground of its own, its middle near (x, y), kept between @left and @right and inside
 * the figure. */
static void
draw_tag (const MemlanePlot *plot, cairo_t *cr, gboolean bold, const char *words, double left,
          double right, double x, double y, const MemlaneColor *ground, const MemlaneColor *text)
{
  g_autoptr (PangoLayout) layout = memlane_frame_make_text (
      &plot->frame, plot->frame.style.text_size, bold, words);
  double width, height, pad = 0.4 * plot->frame.em;

  memlane_figure_limit_text (layout, right - left - 2 * pad);
  memlane_figure_measure_text (layout, &width, &height);
  x = round (CLAMP (x - width / 2, left + pad, MAX (right - width - pad, left + pad)));
  y = round (CLAMP (y - height / 2, pad, MAX (plot->frame.height - height - pad, pad)));
  cairo_rectangle (cr, x - pad, y - 1, width + 2 * pad, height + 2);
  memlane_figure_fill (cr, ground);
  memlane_figure_show_text (cr, layout, x, y, text);
}

/* "1 MiB" of @log2_elements (transfer full) */
static char *
format_bytes (const MemlanePlot *plot, double log2_elements)
{
  return memlane_unit_format (MEMLANE_UNIT_BYTES, plot->bytes_per_element * exp2 (log2_elements),
                              TRUE);
}

/* The size, on the axis where the crosshair meets it: over the lines of its ticks, and not over the
 * axis' title. */
static void
draw_size (const MemlanePlot *plot, cairo_t *cr, double x, double log2_elements)
{
  const MemlaneFrame *frame = &plot->frame;
  g_autofree char *text = format_bytes (plot, log2_elements);

  draw_tag (plot, cr, FALSE, text, frame->area.x, frame->width, x,
            frame->area.y + frame->area.height + 0.7 * frame->em + 0.5 * frame->line,
            &frame->style.crosshair, &frame->style.background);
}

/* Draws the reading of one point, above it or, near the top, below. */
static void
draw_value (const MemlanePlot *plot, cairo_t *cr, const MemlanePlacedPoint *point, double ring)
{
  const MemlaneFrame *frame = &plot->frame;
  const MemlaneChartPoint *data = memlane_plot_chart_point (plot, point->series, point->point);
  g_autofree char *value = memlane_unit_format (plot->chart->unit, data->value, TRUE);
  g_autofree char *text = g_strdup_printf (
      "%s  %s", memlane_plot_chart_series (plot, point->series)->label, value);
  MemlaneColor ground = memlane_color_fade (frame->style.halo, 0.9);
  double distance = ring + 0.9 * frame->line, y = point->y - distance;

  draw_tag (plot, cr, TRUE, text, frame->area.x, frame->area.x + frame->area.width, point->x,
            y - frame->line / 2 < frame->area.y ? point->y + distance : y, &ground,
            &frame->style.text);
}

/* --- the reading at the crosshair as a small table --- */

#define LEAST_NAME 4 /* em */

enum { NAME, VALUE, WORSE, N_COLUMNS };

typedef struct
{
  PangoLayout *texts[N_COLUMNS]; /* owned */
  double widths[N_COLUMNS];
  const MemlanePlottedSeries *series;
} TableRow;

MEMLANE_DEFINE_CLEAR (TableRow, static void clear_row (gpointer data),
                      OWNS (texts[NAME], g_object_unref) OWNS (texts[VALUE], g_object_unref)
                          OWNS (texts[WORSE], g_object_unref))

/* Returns the distance from the best; "" for the best itself, and for the baseline beyond it.
 * (transfer full) */
static char *
compare_to_best (const MemlanePlot *plot, double value, double best)
{
  double worse = value / best - 1;

  if (plot->chart->quantity == MEMLANE_QUANTITY_RATIO || !isfinite (worse) || fabs (worse) < 0.005
      || (worse > 0) != (plot->chart->quantity == MEMLANE_QUANTITY_TIME))
    return g_strdup ("");
  return g_strdup_printf ("%s%.0f\302\240%%", worse > 0 ? "+" : "\342\210\222", fabs (100 * worse));
}

static void
add_table_row (const MemlanePlot *plot, GArray *rows, const MemlaneReadingEntry *entry, double best,
               gboolean chosen)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, entry->series);
  double value = memlane_plot_chart_point (plot, entry->series, entry->point)->value;
  g_autofree char *words = memlane_unit_format (plot->chart->unit, value, TRUE),
                  *worse = compare_to_best (plot, value, best);
  const char *name = plotted->series->role == MEMLANE_SERIES_MEASURED
                       ? memlane_plot_get_name (plotted, memlane_plot_leads_others (plotted))
                       : plotted->series->label;
  const char *const texts[N_COLUMNS] = { name, words, worse };
  TableRow row = { .series = plotted };

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      row.texts[i] = memlane_frame_make_text (&plot->frame, plot->frame.style.text_size, chosen,
                                              texts[i]);
      row.widths[i] = memlane_figure_text_width (row.texts[i]);
    }
  g_array_append_val (rows, row);
}

/* Whether the table has the line: those of the first run, and of others the mode that is pointed
 * at. */
static gboolean
is_listed (const MemlanePlot *plot, guint series, guint pointed)
{
  const MemlanePlottedSeries *plotted = memlane_plot_series (plot, series);

  if (!plotted->drawn || plotted->nth_run == 0 || plotted->series->role == MEMLANE_SERIES_PUBLISHED)
    return plotted->drawn;
  return pointed < plot->series->len
         && g_str_equal (plotted->series->mode, memlane_plot_chart_series (plot, pointed)->mode);
}

/* The lines that are drawn, best first, as far as @most rows have room; the one that is pointed at
 * is bold. (transfer full) (element-type TableRow) */
static GArray *
make_table (const MemlanePlot *plot, double log2_elements, guint series, guint most)
{
  g_autoptr (GArray) entries = memlane_plot_read (plot, log2_elements);
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (TableRow));
  double best = NAN;

  g_array_set_clear_func (rows, clear_row);
  MEMLANE_FOR_EACH_IN (const MemlaneReadingEntry, entry, entries) /* best first */
    {
      if (!is_listed (plot, entry->series, series))
        continue;
      if (isnan (best)
          && memlane_plot_chart_series (plot, entry->series)->family != MEMLANE_FAMILY_BASELINE)
        best = memlane_plot_chart_point (plot, entry->series, entry->point)->value;
      if (rows->len < most || entry->series == series)
        add_table_row (plot, rows, entry, best, entry->series == series);
    }
  return rows;
}

/* The cost of a table at @box: hiding words is worse than hiding the crosshair, and that is worse
 * than points. */
static guint
count_hidden (const MemlanePlot *plot, const MemlaneRectangle *box, double x)
{
  guint hidden = x > box->x && x < box->x + box->width ? 50 : 0;

  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, text, plot->frame.texts)
    hidden += memlane_rectangle_overlaps (&text->area, box) ? 1000 : 0;
  MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, plot->points)
    hidden += memlane_rectangle_contains (box, point->x, point->y);
  return hidden;
}

/* Inside the axes: beside the crosshair or at the sides, at the top, in the middle or at the
 * bottom, where it hides least. */
static MemlaneRectangle
choose_table_place (const MemlanePlot *plot, double x, double width, double height)
{
  const MemlaneRectangle *area = &plot->frame.area;
  double gap = 0.5 * plot->frame.em, right = area->x + area->width - gap - width,
         bottom = area->y + area->height - gap - height;
  double lefts[] = { x + plot->frame.em, x - plot->frame.em - width, right, area->x + gap };
  double tops[] = { area->y + gap, bottom, (area->y + gap + bottom) / 2 };
  MemlaneRectangle best = { 0 };
  guint least = G_MAXUINT;

  for (guint i = 0; i < G_N_ELEMENTS (tops) * G_N_ELEMENTS (lefts); i++)
    {
      double left = MAX (MIN (lefts[i % G_N_ELEMENTS (lefts)], right), area->x + gap);
      MemlaneRectangle box = { floor (left) + 0.5,
                               floor (MAX (tops[i / G_N_ELEMENTS (lefts)], area->y + gap)) + 0.5,
                               width, height };
      guint hidden = count_hidden (plot, &box, x);

      if (hidden < least)
        {
          least = hidden;
          best = box;
        }
    }
  return best;
}

/* The size, and below it each curve's sample, name, value and distance from the best, as far as
 * they have room inside the axes. */
static void
draw_table (const MemlanePlot *plot, cairo_t *cr, double x, double log2_elements, guint series)
{
  const MemlaneFrame *frame = &plot->frame;
  double pad = 0.6 * frame->em, gap = 0.8 * frame->em, sample = 1.6 * frame->em;
  double widest[N_COLUMNS] = { 0 }, rest, room = frame->area.width - frame->em, y;
  double tall = frame->area.height - frame->em - 2 * pad;
  g_autoptr (GArray) rows = make_table (plot, log2_elements, series,
                                        (guint) MAX (tall / frame->line - 2, 1));
  g_autofree char *power = memlane_unit_format_power (log2_elements),
                  *bytes = format_bytes (plot, log2_elements);
  g_autofree char *size = g_strdup_printf ("%s (%s)", bytes, power);
  g_autoptr (PangoLayout) head = memlane_frame_make_text (frame, frame->style.text_size, FALSE,
                                                          size);
  MemlaneColor ground = memlane_color_fade (frame->style.background, 0.95);
  MemlaneRectangle box;

  if (rows->len == 0)
    return;
  MEMLANE_FOR_EACH_IN (const TableRow, row, rows)
    for (guint i = 0; i < N_COLUMNS; i++)
      widest[i] = MAX (widest[i], row->widths[i]);
  rest = 2 * pad + sample + gap + gap + widest[VALUE];
  if (widest[WORSE] > 0
      && room - rest - gap - widest[WORSE] < MIN (widest[NAME], 2 * LEAST_NAME * frame->em))
    widest[WORSE] = 0; /* names first */
  rest += widest[WORSE] > 0 ? gap + widest[WORSE] : 0;
  widest[NAME] = MIN (widest[NAME], MAX (room - rest, LEAST_NAME * frame->em));
  box = choose_table_place (plot, x, ceil (rest + widest[NAME]),
                            ceil (2 * pad + (rows->len + 1) * frame->line));
  cairo_new_path (cr);
  memlane_figure_add_round (cr, &box, 0.4 * frame->em);
  memlane_figure_fill_and_stroke (cr, &ground, MAX (frame->style.axis_width, 1),
                                  &frame->style.axis);
  memlane_figure_limit_text (head, box.width - 2 * pad);
  y = box.y + pad;
  memlane_figure_show_text (cr, head, box.x + pad, y, &frame->style.faint);
  MEMLANE_FOR_EACH_IN (const TableRow, row, rows)
    {
      Pen pen = choose_pen (plot, row->series);

      y += frame->line;
      pen.line_width = MAX (pen.line_width, 1);
      set_pen (cr, &pen);
      memlane_figure_add_line (cr, box.x + pad, y + frame->line / 2, box.x + pad + sample,
                               y + frame->line / 2);
      cairo_stroke (cr);
      cairo_set_dash (cr, NULL, 0, 0);
      memlane_figure_limit_text (row->texts[NAME], widest[NAME]);
      x = box.x + pad + sample + gap;
      memlane_figure_show_text (cr, row->texts[NAME], x, y, &frame->style.text);
      x += widest[NAME] + gap + widest[VALUE] - row->widths[VALUE];
      memlane_figure_show_text (cr, row->texts[VALUE], x, y, &frame->style.text);
      x = box.x + box.width - pad - row->widths[WORSE];
      if (widest[WORSE] > 0)
        memlane_figure_show_text (cr, row->texts[WORSE], x, y, &frame->style.text);
    }
}

void
memlane_plot_draw_overlay (const MemlanePlot *plot, cairo_t *cr, double log2_elements, guint series)
{
  const MemlanePlacedPoint *chosen = NULL;
  double x, small = 0.6 * plot->frame.style.marker_radius,
            ring = 2 * plot->frame.style.marker_radius;

  if (log2_elements > 63)
    return;
  if (plot->panels != NULL)
    {
      MEMLANE_FOR_EACH (const MemlanePlot, panel, plot->panels)
        {
          cairo_save (cr);
          cairo_translate (cr, panel->place.x, panel->place.y);
          memlane_plot_draw_overlay (panel, cr, log2_elements, series);
          cairo_restore (cr);
        }
      return;
    }
  x = memlane_plot_x (plot, exp2 (log2_elements));
  if (x < plot->frame.area.x - 0.01 || x > plot->frame.area.x + plot->frame.area.width + 0.01)
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  memlane_figure_add_line (cr, floor (x) + 0.5, plot->frame.area.y, floor (x) + 0.5,
                           plot->frame.area.y + plot->frame.area.height);
  memlane_figure_stroke (cr, MAX (plot->frame.style.axis_width, 1), &plot->frame.style.crosshair);
  MEMLANE_FOR_EACH_IN (const MemlanePlacedPoint, point, plot->points)
    {
      if (memlane_plot_chart_point (plot, point->series, point->point)->log2_elements
          != log2_elements)
        continue;
      cairo_new_sub_path (cr);
      cairo_arc (cr, point->x, point->y, small, 0, 2 * G_PI);
      if (point->series == series)
        chosen = point;
    }
  cairo_fill (cr);
  if (plot->has_axis_text && plot->form != MEMLANE_FORM_OVERVIEW) /* there the table says it */
    draw_size (plot, cr, x, log2_elements);
  if (chosen != NULL)
    {
      cairo_arc (cr, chosen->x, chosen->y, ring, 0, 2 * G_PI);
      memlane_figure_stroke_on_halo (cr, MAX (plot->frame.style.line_width, 1.5),
                                     &plot->frame.style.crosshair,
                                     &plot->frame.style.halo);
      if (plot->form != MEMLANE_FORM_OVERVIEW)
        draw_value (plot, cr, chosen, ring);
    }
  if (plot->form == MEMLANE_FORM_OVERVIEW && plot->has_axis_text)
    draw_table (plot, cr, x, log2_elements, series);
  cairo_restore (cr);
}

void
memlane_plot_draw_band (const MemlanePlot *plot, cairo_t *cr, double x0, double y0, double x1,
                        double y1)
{
  const MemlaneRectangle *area = &plot->frame.area;
  double left = CLAMP (MIN (x0, x1), area->x, area->x + area->width),
         right = CLAMP (MAX (x0, x1), area->x, area->x + area->width);
  double top = CLAMP (MIN (y0, y1), area->y, area->y + area->height),
         bottom = CLAMP (MAX (y0, y1), area->y, area->y + area->height);
  MemlaneColor inside = memlane_color_fade (plot->frame.style.crosshair, BAND_ALPHA);

  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, floor (left) + 0.5, floor (top) + 0.5, MAX (floor (right) - floor (left), 0),
                   MAX (floor (bottom) - floor (top), 0));
  cairo_set_dash (cr, NULL, 0, 0);
  memlane_figure_fill_and_stroke (cr, &inside, MAX (plot->frame.style.axis_width, 1),
                                  &plot->frame.style.crosshair);
  cairo_restore (cr);
}
