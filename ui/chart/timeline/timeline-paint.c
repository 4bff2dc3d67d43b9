/* timeline-paint.c: spans as they look: grounds, bars, oblique lines, frames
 *
 * SPDX-License-Identifier: MIT
 *
 * Rectangles in whole pixels, gathered by colour and filled without smoothing: so many as a frame has would take ten times as long one by
 * one. On pixels round corners are cut out of whole pixels too; in vector files they are round.
 */
#include "timeline-private.h"

#include <string.h>

#define N_LEVELS (MEMLANE_TIMELINE_FULL + 1)
#define N_BUCKETS (MEMLANE_N_TINTS * N_LEVELS)
#define TILE 6 /* px: a hatch's pattern repeats */

/* --- spans -------------------------------------------------------------------------------------------------------- */

double
memlane_timeline_corner (const MemlaneTimeline *self, double width, double height)
{
  double corner = MAX (round (0.18 * self->em), 1);

  return width >= 4 * corner && height >= 4 * corner ? corner : 0;
}

void
memlane_timeline_add_span (cairo_t *cr, double x, double y, double width, double height, double corner, gboolean smooth)
{
  if (corner <= 0)
    cairo_rectangle (cr, x, y, width, height);
  else if (smooth)
    memlane_figure_add_round (cr, &(MemlaneRectangle){ x, y, width, height }, corner);
  else
    {
      /* Steps of whole pixels: a row for each. */
      for (int i = 0; i < (int) corner; i++)
        {
          double inset = round (corner - sqrt (corner * corner - (corner - i - 0.5) * (corner - i - 0.5)));

          cairo_rectangle (cr, x + inset, y + i, width - 2 * inset, 1);
          cairo_rectangle (cr, x + inset, y + height - 1 - i, width - 2 * inset, 1);
        }
      cairo_rectangle (cr, x, y + corner, width, height - 2 * corner);
    }
}

void
memlane_timeline_fill (MemlaneTimelinePass *pass, const MemlaneColor *color)
{
  memlane_color_set (pass->cr, color);
  cairo_fill (pass->cr);
  pass->self->n_operations++;
}

/* The ground of a fold that is @level quarters full. */
static MemlaneColor
ground_of (const MemlaneTimelinePass *pass, guint tint, guint level)
{
  static const double parts[N_LEVELS] = { 0.4, 0.6, 0.8, 1 };
  MemlaneColor color = memlane_timeline_tint (tint, &pass->self->style);

  return memlane_color_mix (pass->self->style.background, color, parts[level]);
}

static MemlaneColor
ink_of (const MemlaneTimelinePass *pass, guint tint)
{
  MemlaneColor color = memlane_timeline_tint (tint, &pass->self->style);

  return memlane_color_mix (color, memlane_figure_text_on (&pass->self->style, &color), 0.45);
}

static void
add_ground (MemlaneTimelinePass *pass, const MemlaneTimelineSpan *span)
{
  memlane_timeline_add_span (pass->cr, span->x, span->y + pass->offset, span->width, span->height,
                             span->folded ? 0 : memlane_timeline_corner (pass->self, span->width, span->height), pass->smooth);
  if (span->instant && span->height >= 8)
    for (int i = 0; i < 3; i++) /* a head, so that it is seen to be a moment */
      cairo_rectangle (pass->cr, span->x - 2 + i, span->y + pass->offset + i, span->width + 4 - 2 * i, 1);
}

/* Bars and lines of a hatch. */
static void
add_hatch (MemlaneTimelinePass *pass, const MemlaneTimelineSpan *span)
{
  double y = span->y + pass->offset, bar = MAX (round (0.2 * pass->self->em), 2), inset = 0;

  /* In a row of narrow folds it would only be noise. */
  if (span->height < 3 * bar || span->width < (span->folded ? 12 : 3))
    return;
  inset = span->folded ? 0 : memlane_timeline_corner (pass->self, span->width, span->height);
  switch ((MemlaneHatch) span->hatch)
    {
    case MEMLANE_HATCH_TOP:
    case MEMLANE_HATCH_BOTTOM:
    case MEMLANE_HATCH_MIDDLE:
      if (span->hatch != MEMLANE_HATCH_BOTTOM)
        cairo_rectangle (pass->cr, span->x + inset, y, span->width - 2 * inset, bar);
      if (span->hatch != MEMLANE_HATCH_TOP)
        cairo_rectangle (pass->cr, span->x + inset, y + span->height - bar, span->width - 2 * inset, bar);
      break;
    case MEMLANE_HATCH_DASHES:
      for (double x = span->x + 2; x < span->x + span->width - 1; x += 2.5 * bar)
        cairo_rectangle (pass->cr, round (x), y + span->height - bar - 1, MIN (round (1.5 * bar), span->x + span->width - 1 - round (x)),
                         bar);
      break;
    case MEMLANE_HATCH_LINES:
      cairo_rectangle (pass->cr, span->x + inset, y + bar, span->width - 2 * inset, 1);
      cairo_rectangle (pass->cr, span->x + inset, y + span->height - bar - 1, span->width - 2 * inset, 1);
      break;
    case MEMLANE_HATCH_PLAIN:
    case MEMLANE_HATCH_DIAGONAL:
    case MEMLANE_HATCH_DENSE:
    case MEMLANE_HATCH_DOTS:
    case MEMLANE_N_HATCHES:
    default:
      break;
    }
}

/* --- oblique lines and dots --------------------------------------------------------------------------------------------- */

static double
tile_size (const MemlaneTimelinePass *pass)
{
  return round (TILE * MAX (pass->self->style.text_size / 11, 1));
}

/* The pattern over @area, on a grid of whole tiles; the path is used up. */
static void
draw_pattern (cairo_t *cr, MemlaneHatch hatch, const MemlaneRectangle *area, double size)
{
  if (hatch == MEMLANE_HATCH_DOTS)
    {
      double x0 = floor (area->x / size) * size, y0 = floor (area->y / size) * size, right = area->x + area->width;
      double bottom = area->y + area->height, dot = MAX (round (size / 3), 2);

      for (double y = y0; y < bottom; y += size)
        for (double x = x0; x < right; x += size)
          {
            cairo_rectangle (cr, x, y, dot, dot);
            cairo_rectangle (cr, x + size / 2, y + size / 2, dot, dot);
          }
      cairo_fill (cr);
      return;
    }
  memlane_figure_add_hatch (cr, area, size, hatch == MEMLANE_HATCH_DENSE, FALSE);
  cairo_set_line_width (cr, size / TILE);
  cairo_stroke (cr);
}

/* On pixels: a small picture of it, repeated. */
static cairo_pattern_t *
make_tile (const MemlaneTimelinePass *pass, MemlaneHatch hatch, const MemlaneColor *ink)
{
  double size = tile_size (pass);
  cairo_surface_t *tile =
    cairo_surface_create_similar (cairo_get_group_target (pass->cr), CAIRO_CONTENT_COLOR_ALPHA, (int) size, (int) size);
  cairo_t *cr = cairo_create (tile);
  cairo_pattern_t *pattern;

  memlane_color_set (cr, ink);
  draw_pattern (cr, hatch, &(MemlaneRectangle){ 0, 0, size, size }, size);
  cairo_destroy (cr);
  pattern = cairo_pattern_create_for_surface (tile);
  cairo_surface_destroy (tile);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  return pattern;
}

/* In a vector file: span by span. (Cairo 1.16 leaks when a recorded tile is repeated in an SVG.) */
static void
draw_woven (MemlaneTimelinePass *pass, const GArray *spans, MemlaneHatch hatch, guint tint, const MemlaneColor *ink)
{
  memlane_color_set (pass->cr, ink);
  for (guint i = 0; i < spans->len; i++)
    {
      const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);
      const MemlaneRectangle area = { span->x, span->y + pass->offset, span->width, span->height };

      if (span->hatch != hatch || span->tint != tint || span->width < 3)
        continue;
      cairo_save (pass->cr);
      add_ground (pass, span);
      cairo_clip (pass->cr);
      draw_pattern (pass->cr, hatch, &area, tile_size (pass));
      cairo_restore (pass->cr);
      pass->self->n_operations++;
    }
}

static void
draw_tiles (MemlaneTimelinePass *pass, const GArray *spans, MemlaneHatch hatch)
{
  guint32 tints = 0;

  for (guint i = 0; i < spans->len; i++)
    {
      const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

      if (span->hatch == hatch && span->width >= 3)
        tints |= 1u << span->tint;
    }
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    {
      MemlaneColor ink = ink_of (pass, tint);
      cairo_pattern_t *pattern;

      if ((tints >> tint & 1) == 0)
        continue;
      ink.alpha = hatch == MEMLANE_HATCH_DOTS ? 0.45 : 0.55;
      if (pass->smooth)
        {
          draw_woven (pass, spans, hatch, tint, &ink);
          continue;
        }
      for (guint i = 0; i < spans->len; i++)
        {
          const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

          if (span->hatch == hatch && span->tint == tint && span->width >= 3)
            add_ground (pass, span);
        }
      pattern = make_tile (pass, hatch, &ink);
      cairo_set_source (pass->cr, pattern);
      cairo_fill (pass->cr);
      cairo_pattern_destroy (pattern);
      pass->self->n_operations++;
    }
}

/* --- all spans ---------------------------------------------------------------------------------------------------- */

void
memlane_timeline_draw_spans (MemlaneTimelinePass *pass, const GArray *spans)
{
  guint starts[N_BUCKETS + 1] = { 0 };
  g_autofree guint *order = g_new (guint, MAX (spans->len, 1));
  guint places[N_BUCKETS];
  gboolean any_failed = FALSE;

  for (guint i = 0; i < spans->len; i++)
    {
      const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

      starts[span->tint * N_LEVELS + span->fullness + 1]++;
      any_failed = any_failed || span->failed;
    }
  for (guint i = 0; i < N_BUCKETS; i++)
    starts[i + 1] += starts[i];
  memcpy (places, starts, sizeof places);
  for (guint i = 0; i < spans->len; i++)
    {
      const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

      order[places[span->tint * N_LEVELS + span->fullness]++] = i;
    }
  cairo_set_antialias (pass->cr, pass->smooth ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
  for (guint bucket = 0; bucket < N_BUCKETS; bucket++)
    {
      MemlaneColor color;

      if (starts[bucket] == starts[bucket + 1])
        continue;
      for (guint i = starts[bucket]; i < starts[bucket + 1]; i++)
        add_ground (pass, &g_array_index (spans, MemlaneTimelineSpan, order[i]));
      color = ground_of (pass, bucket / N_LEVELS, bucket % N_LEVELS);
      memlane_timeline_fill (pass, &color);
    }
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    {
      MemlaneColor ink = ink_of (pass, tint);

      if (starts[tint * N_LEVELS] == starts[(tint + 1) * N_LEVELS])
        continue;
      for (guint i = starts[tint * N_LEVELS]; i < starts[(tint + 1) * N_LEVELS]; i++)
        add_hatch (pass, &g_array_index (spans, MemlaneTimelineSpan, order[i]));
      memlane_timeline_fill (pass, &ink);
    }
  draw_tiles (pass, spans, MEMLANE_HATCH_DIAGONAL);
  draw_tiles (pass, spans, MEMLANE_HATCH_DENSE);
  draw_tiles (pass, spans, MEMLANE_HATCH_DOTS);
  if (any_failed)
    {
      double frame = MAX (round (0.15 * pass->self->em), 2);

      for (guint i = 0; i < spans->len; i++)
        {
          const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);
          double y = span->y + pass->offset;

          if (!span->failed)
            continue;
          cairo_rectangle (pass->cr, span->x, y, span->width, frame);
          cairo_rectangle (pass->cr, span->x, y + span->height - frame, span->width, frame);
          cairo_rectangle (pass->cr, span->x, y, MIN (frame, span->width), span->height);
          cairo_rectangle (pass->cr, span->x + MAX (span->width - frame, 0), y, MIN (frame, span->width), span->height);
        }
      memlane_timeline_fill (pass, &pass->self->style.ceiling);
    }
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}
