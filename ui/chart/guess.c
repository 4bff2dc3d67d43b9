/* guess.c: a curve that a person draws over size before anything is measured, and the measured one beside it
 *
 * SPDX-License-Identifier: MIT
 */
#include "guess.h"

#include <math.h>
#include <pango/pangocairo.h>

#include "base/each.h"
#include "figure-private.h"
#include "scale.h"

#define NARROW 360 /* px: below that every second size has its label */
#define MOST_TICKS 6

typedef struct
{
  double left, top, width, height; /* of the field */
  double step;                     /* px from size to size */
  double text;                     /* px of a line of text */
  MemlaneScale scale;              /* the axis of times */
  guint n;
} Field;

/* Both axes hold whatever is drawn. */
static Field
lay_out (PangoContext *pango, const MemlaneGuess *guess, double width, double height, const MemlaneStyle *style)
{
  MemlaneStyle scaled = memlane_figure_scale_style (style, width, height);
  Field field = { .n = guess->last_log2 - guess->first_log2 + 1 };
  double low = guess->low, high = guess->high;

  for (guint i = 0; guess->measured != NULL && i < field.n; i++)
    if (guess->measured[i].median > 0)
      {
        low = MIN (low, MAX (guess->measured[i].low, 1));
        high = MAX (high, guess->measured[i].high);
      }
  field.text = scaled.text_size * memlane_figure_text_scale (pango);
  field.scale = (MemlaneScale) { MEMLANE_SCALE_LOG10, pow (10, floor (log10 (low))), pow (10, ceil (log10 (high) - 1e-9)) };
  field.left = 4.6 * field.text;
  field.top = 2.6 * field.text;
  field.width = MAX (width - field.left - 1.5 * field.text, 1);
  field.height = MAX (height - field.top - 2.4 * field.text, 1);
  field.step = field.n > 1 ? field.width / (field.n - 1) : 0;
  return field;
}

static double
get_x (const Field *field, guint i)
{
  return field->n > 1 ? field->left + i * field->step : field->left + field->width / 2;
}

static double
get_y (const Field *field, double ns)
{
  double place = memlane_scale_map (&field->scale, ns);

  return field->top + field->height * (1 - (isfinite (place) ? CLAMP (place, 0, 1) : 0));
}

void
memlane_guess_read (PangoContext *pango, const MemlaneGuess *guess, double width, double height, const MemlaneStyle *style, double x,
                    double y, guint *log2_elements, double *ns)
{
  Field field = lay_out (pango, guess, width, height, style);
  double place = field.step > 0 ? floor ((x - field.left) / field.step + 0.5) : 0;

  *log2_elements = guess->first_log2 + (guint) CLAMP (place, 0, field.n - 1);
  *ns = memlane_scale_unmap (&field.scale, CLAMP (1 - (y - field.top) / field.height, 0, 1));
}

void
memlane_guess_find (PangoContext *pango, const MemlaneGuess *guess, double width, double height, const MemlaneStyle *style,
                    guint log2_elements, double ns, double *x, double *y)
{
  Field field = lay_out (pango, guess, width, height, style);

  *x = get_x (&field, log2_elements - guess->first_log2);
  *y = get_y (&field, ns);
}

/* --- drawing ---------------------------------------------------------------------------------------------------------- */

/* @across, @up: which part of the text stands at (@x, @y). Returns its width. */
static double
put_text (cairo_t *cr, PangoContext *pango, double size, const char *text, double x, double y, double across, double up,
          const MemlaneColor *color)
{
  PangoLayout *layout = memlane_figure_make_text (pango, size, FALSE, text);
  double width, height;

  memlane_figure_measure_text (layout, &width, &height);
  memlane_color_set (cr, color);
  cairo_move_to (cr, x - across * width, y - up * height);
  memlane_figure_show_text (cr, layout);
  g_object_unref (layout);
  return width;
}

/* Bare numbers of one unit would run from 1 to 100000. "10 µs" (transfer full) */
static char *
format_tick (double ns)
{
  static const char *const units[] = { "ns", "µs", "ms", "s" };
  guint unit = 0;

  for (; unit + 1 < G_N_ELEMENTS (units) && ns > 999.5; unit++)
    ns /= 1000;
  return g_strdup_printf ("%.0f %s", ns, units[unit]);
}

static void
draw_axes (cairo_t *cr, PangoContext *pango, const MemlaneGuess *guess, const Field *field, const MemlaneStyle *style)
{
  g_autoptr (GArray) ticks = memlane_scale_ticks (&field->scale, MEMLANE_UNIT_TIME, MOST_TICKS);
  guint stride = field->step > 0 ? (guint) ceil (MAX (3.2 * field->text / field->step, field->left + field->width < NARROW ? 2 : 1)) : 1;

  cairo_set_line_width (cr, style->axis_width);
  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, ticks)
    {
      double y = get_y (field, tick->value);

      memlane_color_set (cr, tick->major ? &style->grid : &style->grid_minor);
      cairo_move_to (cr, field->left, y);
      cairo_rel_line_to (cr, field->width, 0);
      cairo_stroke (cr);
      if (tick->major)
        {
          g_autofree char *label = format_tick (tick->value);

          put_text (cr, pango, style->text_size, label, field->left - 0.5 * field->text, y, 1, 0.5, &style->text);
        }
    }
  for (guint i = 0; i < field->n; i++)
    {
      g_autofree char *label = memlane_unit_format_power (guess->first_log2 + i);
      double x = get_x (field, i);

      memlane_color_set (cr, &style->grid_minor);
      cairo_move_to (cr, x, field->top);
      cairo_rel_line_to (cr, 0, field->height);
      cairo_stroke (cr);
      if (i % stride == 0)
        put_text (cr, pango, style->text_size, label, x, field->top + field->height + 0.4 * field->text, 0.5, 0, &style->text);
    }
  memlane_color_set (cr, &style->axis);
  cairo_rectangle (cr, field->left, field->top, field->width, field->height);
  cairo_stroke (cr);
}

static void
draw_measured (cairo_t *cr, const MemlaneGuess *guess, const Field *field, const MemlaneStyle *style, const MemlaneCurveStyle *curve)
{
  gboolean pen = FALSE;

  for (guint i = 0; i < field->n; i++)
    {
      const MemlaneGuessPoint *point = &guess->measured[i];
      double x = get_x (field, i);

      if (!(point->median > 0))
        continue;
      memlane_color_set (cr, &curve->color);
      cairo_set_line_width (cr, style->line_width * 0.6);
      cairo_move_to (cr, x, get_y (field, point->low));
      cairo_line_to (cr, x, get_y (field, point->high));
      cairo_stroke (cr);
    }
  for (guint i = 0; i < field->n; i++)
    {
      const MemlaneGuessPoint *point = &guess->measured[i];

      if (!(point->median > 0))
        pen = FALSE; /* a gap stays a gap */
      else if (pen)
        cairo_line_to (cr, get_x (field, i), get_y (field, point->median));
      else
        cairo_move_to (cr, get_x (field, i), get_y (field, point->median));
      pen = point->median > 0;
    }
  memlane_color_set (cr, &curve->color);
  cairo_set_line_width (cr, style->line_width);
  cairo_stroke (cr);
  for (guint i = 0; i < field->n; i++)
    if (guess->measured[i].median > 0)
      memlane_marker_draw (cr, MEMLANE_MARKER_CIRCLE, get_x (field, i), get_y (field, guess->measured[i].median), style->marker_radius,
                           &curve->color, FALSE, style);
}

/* Dashed, with handles to drag. */
static void
draw_guess (cairo_t *cr, const MemlaneGuess *guess, const Field *field, const MemlaneStyle *style, const MemlaneColor *color)
{
  const double dashes[] = { 4 * style->line_width, 3 * style->line_width };

  for (guint i = 0; i < field->n; i++)
    cairo_line_to (cr, get_x (field, i), get_y (field, guess->guesses[i]));
  memlane_color_set (cr, color);
  cairo_set_line_width (cr, style->line_width);
  cairo_set_dash (cr, dashes, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (guint i = 0; i < field->n; i++)
    memlane_marker_draw (cr, MEMLANE_MARKER_DIAMOND, get_x (field, i), get_y (field, guess->guesses[i]),
                         style->marker_radius * ((int) i == guess->current ? 1.8 : 1.2), color, TRUE, style);
}

static void
draw_key (cairo_t *cr, PangoContext *pango, const MemlaneGuess *guess, const Field *field, const MemlaneStyle *style,
          const MemlaneColor *drawn, const MemlaneColor *measured)
{
  double x = field->left + 1.5 * field->text, y = field->top - 1.2 * field->text;

  if (guess->drawn || guess->measured == NULL)
    {
      memlane_marker_draw (cr, MEMLANE_MARKER_DIAMOND, x, y, style->marker_radius * 1.2, drawn, TRUE, style);
      x += 0.9 * field->text;
      x += put_text (cr, pango, style->text_size, guess->drawn_label, x, y, 0, 0.5, &style->text) + 2 * field->text;
    }
  if (guess->measured == NULL)
    return;
  memlane_marker_draw (cr, MEMLANE_MARKER_CIRCLE, x, y, style->marker_radius, measured, FALSE, style);
  put_text (cr, pango, style->text_size, guess->measured_label, x + 0.9 * field->text, y, 0, 0.5, &style->text);
}

void
memlane_guess_draw (cairo_t *cr, PangoContext *pango, const MemlaneGuess *guess, double width, double height, const MemlaneStyle *style)
{
  MemlaneStyle scaled = memlane_figure_scale_style (style, width, height);
  Field field = lay_out (pango, guess, width, height, style);
  MemlaneCurveStyle curve = memlane_curve_style_for_mode ("pinned", &scaled);
  MemlaneColor drawn = guess->drawn ? scaled.text : scaled.faint;

  cairo_save (cr);
  memlane_color_set (cr, &scaled.background);
  cairo_paint (cr);
  draw_axes (cr, pango, guess, &field, &scaled);
  if (guess->measured != NULL)
    draw_measured (cr, guess, &field, &scaled, &curve);
  if (guess->drawn || guess->measured == NULL) /* one that nobody drew says nothing beside the answer */
    draw_guess (cr, guess, &field, &scaled, &drawn);
  draw_key (cr, pango, guess, &field, &scaled, &drawn, &curve.color);
  cairo_restore (cr);
}
