/* timeline-draw.c: a laid-out timeline on a cairo_t; and what follows the pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * Spans are rectangles in whole pixels, filled by colour. On pixels round corners are cut out of
 * whole pixels too; in vector files they are round.
 */
#include "timeline-layout.h"

#include <string.h>

#include "base/each.h"

#define FUTURE_ALPHA 0.8 /* of the ground over what has not been played yet */
#define SPAN_ALPHA 0.14   /* of a measured span */
#define MOST_LIT 64       /* events that share a correlation */
#define MOST_MARKED 20000 /* events of a finding that are looked at in a frame */

#define N_LEVELS (MEMLANE_TIMELINE_FULL + 1)
#define TILE 6 /* px: a hatch's pattern repeats */

/* --- spans ------------------------------------------------------------------------------------ */

typedef struct
{
  const MemlaneTimeline *self;
  cairo_t *cr;
  gboolean smooth; /* a vector surface */
  double offset;   /* of the spans' y */
} Pass;

static double
corner_of (const MemlaneTimeline *self, double width, double height)
{
  double corner = MAX (round (0.18 * self->frame.em), 1);

  return width >= 4 * corner && height >= 4 * corner ? corner : 0;
}

/* Adds the outline of a span to what is filled next. */
static void
add_span (Pass *pass, double x, double y, double width, double height, double corner)
{
  if (corner <= 0)
    cairo_rectangle (pass->cr, x, y, width, height);
  else if (pass->smooth)
    memlane_figure_add_round (pass->cr, &(MemlaneRectangle) { x, y, width, height }, corner);
  else
    {
      /* Steps of whole pixels: a row for each. */
      for (int i = 0; i < (int) corner; i++)
        {
          double inset = round (corner
                                - sqrt (corner * corner - (corner - i - 0.5) * (corner - i - 0.5)));

          cairo_rectangle (pass->cr, x + inset, y + i, width - 2 * inset, 1);
          cairo_rectangle (pass->cr, x + inset, y + height - 1 - i, width - 2 * inset, 1);
        }
      cairo_rectangle (pass->cr, x, y + corner, width, height - 2 * corner);
    }
}

/* Fills the path. */
static void
fill (Pass *pass, const MemlaneColor *color)
{
  memlane_figure_fill (pass->cr, color);
}

/* The ground of a fold that is @level quarters full. */
static MemlaneColor
ground_of (const Pass *pass, guint tint, guint level)
{
  static const double parts[N_LEVELS] = { 0.4, 0.6, 0.8, 1 };
  MemlaneColor color = memlane_span_tint_color (tint, &pass->self->frame.style);

  return memlane_color_mix (pass->self->frame.style.background, color, parts[level]);
}

static MemlaneColor
ink_of (const Pass *pass, guint tint)
{
  MemlaneColor color = memlane_span_tint_color (tint, &pass->self->frame.style);

  return memlane_color_mix (color, memlane_figure_text_on (&pass->self->frame.style, &color), 0.45);
}

static void
add_ground (Pass *pass, const MemlaneTimelineSpan *span)
{
  add_span (pass, span->x, span->y + pass->offset, span->width, span->height,
            span->folded ? 0 : corner_of (pass->self, span->width, span->height));
  if (span->instant && span->height >= 8)
    for (int i = 0; i < 3; i++) /* a head, so that it is seen to be a moment */
      cairo_rectangle (pass->cr, span->x - 2 + i, span->y + pass->offset + i,
                       span->width + 4 - 2 * i, 1);
}

/* Bars and lines of a hatch. */
static void
add_hatch (Pass *pass, const MemlaneTimelineSpan *span)
{
  double y = span->y + pass->offset, bar = MAX (round (0.2 * pass->self->frame.em), 2),
         right = span->x + span->width;
  double inset = span->folded ? 0 : corner_of (pass->self, span->width, span->height),
         inner = span->width - 2 * inset;

  /* In a row of narrow folds it would only be noise. */
  if (span->height < 3 * bar || span->width < (span->folded ? 12 : 3))
    return;
  if (span->hatch == MEMLANE_HATCH_TOP || span->hatch == MEMLANE_HATCH_MIDDLE)
    cairo_rectangle (pass->cr, span->x + inset, y, inner, bar);
  if (span->hatch == MEMLANE_HATCH_BOTTOM || span->hatch == MEMLANE_HATCH_MIDDLE)
    cairo_rectangle (pass->cr, span->x + inset, y + span->height - bar, inner, bar);
  for (double x = span->x + 2; span->hatch == MEMLANE_HATCH_DASHES && x < right - 1; x += 2.5 * bar)
    cairo_rectangle (pass->cr, round (x), y + span->height - bar - 1,
                     MIN (round (1.5 * bar), right - 1 - round (x)), bar);
  for (guint i = 0; span->hatch == MEMLANE_HATCH_LINES && i < 2; i++)
    cairo_rectangle (pass->cr, span->x + inset, y + (i == 0 ? bar : span->height - bar - 1), inner,
                     1);
}

/* --- oblique lines and dots ------------------------------------------------------------------- */

static double
tile_size (const Pass *pass)
{
  return round (TILE * MAX (pass->self->frame.style.text_size / 11, 1));
}

/* The pattern over @area, on a grid of whole tiles; the path is used up. */
static void
draw_pattern (cairo_t *cr, MemlaneHatch hatch, const MemlaneRectangle *area, double size)
{
  if (hatch == MEMLANE_HATCH_DOTS)
    {
      double x0 = floor (area->x / size) * size, y0 = floor (area->y / size) * size,
             right = area->x + area->width;
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
make_tile (const Pass *pass, MemlaneHatch hatch, const MemlaneColor *ink)
{
  double size = tile_size (pass);
  cairo_surface_t *tile = cairo_surface_create_similar (
      cairo_get_group_target (pass->cr), CAIRO_CONTENT_COLOR_ALPHA, (int) size, (int) size);
  cairo_t *cr = cairo_create (tile);
  cairo_pattern_t *pattern;

  memlane_color_set (cr, ink);
  draw_pattern (cr, hatch, &(MemlaneRectangle) { 0, 0, size, size }, size);
  cairo_destroy (cr);
  pattern = cairo_pattern_create_for_surface (tile);
  cairo_surface_destroy (tile);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  return pattern;
}

/* In a vector file: span by span. (Cairo 1.16 leaks when a recorded tile is repeated in an SVG.) */
static void
draw_hatch_by_span (Pass *pass, const GArray *spans, MemlaneHatch hatch, guint tint,
                    const MemlaneColor *ink)
{
  memlane_color_set (pass->cr, ink);
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
    {
      const MemlaneRectangle area = { span->x, span->y + pass->offset, span->width, span->height };

      if (span->hatch != hatch || span->tint != tint || span->width < 3)
        continue;
      cairo_save (pass->cr);
      add_ground (pass, span);
      cairo_clip (pass->cr);
      draw_pattern (pass->cr, hatch, &area, tile_size (pass));
      cairo_restore (pass->cr);
    }
}

static void
draw_tiles (Pass *pass, const GArray *spans, MemlaneHatch hatch)
{
  guint32 tints = 0;

  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
    if (span->hatch == hatch && span->width >= 3)
      tints |= 1u << span->tint;
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    {
      MemlaneColor ink = ink_of (pass, tint);
      cairo_pattern_t *pattern;

      if ((tints >> tint & 1) == 0)
        continue;
      ink.alpha = hatch == MEMLANE_HATCH_DOTS ? 0.45 : 0.55;
      if (pass->smooth)
        {
          draw_hatch_by_span (pass, spans, hatch, tint, &ink);
          continue;
        }
      MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
        if (span->hatch == hatch && span->tint == tint && span->width >= 3)
          add_ground (pass, span);
      pattern = make_tile (pass, hatch, &ink);
      cairo_set_source (pass->cr, pattern);
      cairo_fill (pass->cr);
      cairo_pattern_destroy (pattern);
    }
}

/* --- all spans -------------------------------------------------------------------------------- */

static void
draw_grounds (Pass *pass, const GArray *spans, guint tint)
{
  for (guint level = 0; level < N_LEVELS; level++)
    {
      MemlaneColor color = ground_of (pass, tint, level);

      MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
        if (span->tint == tint && span->fullness == level)
          add_ground (pass, span);
      fill (pass, &color);
    }
}

static void
draw_bars (Pass *pass, const GArray *spans, guint tint)
{
  MemlaneColor ink = ink_of (pass, tint);

  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
    if (span->tint == tint)
      add_hatch (pass, span);
  fill (pass, &ink);
}

/* A frame around what failed. */
static void
draw_failed (Pass *pass, const GArray *spans)
{
  double frame = MAX (round (0.15 * pass->self->frame.em), 2);
  gboolean any = FALSE;

  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
    {
      double y = span->y + pass->offset;

      if (!span->failed)
        continue;
      any = TRUE;
      cairo_rectangle (pass->cr, span->x, y, span->width, frame);
      cairo_rectangle (pass->cr, span->x, y + span->height - frame, span->width, frame);
      cairo_rectangle (pass->cr, span->x, y, MIN (frame, span->width), span->height);
      cairo_rectangle (pass->cr, span->x + MAX (span->width - frame, 0), y,
                       MIN (frame, span->width), span->height);
    }
  if (any)
    fill (pass, &pass->self->frame.style.ceiling);
}

static void
draw_spans (Pass *pass, const GArray *spans)
{
  guint32 tints = 0;

  MEMLANE_FOR_EACH_IN (const MemlaneTimelineSpan, span, spans)
    tints |= 1u << span->tint;
  cairo_set_antialias (pass->cr, pass->smooth ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE);
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    if (tints >> tint & 1)
      draw_grounds (pass, spans, tint);
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    if (tints >> tint & 1)
      draw_bars (pass, spans, tint);
  draw_tiles (pass, spans, MEMLANE_HATCH_DIAGONAL);
  draw_tiles (pass, spans, MEMLANE_HATCH_DENSE);
  draw_tiles (pass, spans, MEMLANE_HATCH_DOTS);
  draw_failed (pass, spans);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- behind the spans ------------------------------------------------------------------------- */

static void
draw_beds (Pass *pass)
{
  const MemlaneTimeline *self = pass->self;
  MemlaneColor bed = memlane_color_mix (self->frame.style.background, self->frame.style.grid_minor,
                                        0.75);

  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, self->lanes)
    {
      const MemlaneRectangle place = { self->frame.area.x, memlane_timeline_sheet_y (self, lane->y),
                                       self->frame.area.width, lane->height };

      if (memlane_rectangle_overlaps (&place, &self->frame.area))
        cairo_rectangle (pass->cr, place.x, place.y, place.width, place.height);
    }
  fill (pass, &bed);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

static void
draw_grid (Pass *pass)
{
  const MemlaneTimeline *self = pass->self;

  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, self->ticks)
    for (guint j = 0; tick->major && j < self->n_parts; j++) /* not through the headings */
      {
        const MemlaneTimelinePart *part = &self->parts[j];

        cairo_rectangle (pass->cr, floor (memlane_timeline_x_of (self, tick->value)),
                         memlane_timeline_sheet_y (self, part->grid_y), 1,
                         part->y + part->height - part->grid_y);
      }
  fill (pass, &self->frame.style.grid);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- ghosts ----------------------------------------------------------------------------------- */

typedef struct
{
  double time;
  MemlaneTint tint;
} Piece;

/* Lists the pieces of a bar, in order. Returns how many. */
static guint
take_apart (const MemlaneTraceBounds *bounds, MemlaneGhost ghost, Piece pieces[3])
{
  const Piece up = { bounds->up, MEMLANE_TINT_UP }, down = { bounds->down, MEMLANE_TINT_DOWN };
  const Piece kernel = { bounds->kernel, MEMLANE_TINT_KERNEL };
  const gboolean computes = kernel.time > up.time + down.time;

  pieces[0] = ghost == MEMLANE_GHOST_SERIAL || (ghost == MEMLANE_GHOST_ONE_WAY && !computes) ? up
              : ghost == MEMLANE_GHOST_ONE_WAY ? kernel
              : ghost != MEMLANE_GHOST_FULL    ? (Piece) { bounds->measured, MEMLANE_TINT_CALL }
              : kernel.time >= MAX (up.time, down.time) ? kernel
              : up.time >= down.time                    ? up
                                                        : down;
  pieces[1] = ghost == MEMLANE_GHOST_SERIAL ? kernel : down;
  pieces[2] = down;
  return ghost == MEMLANE_GHOST_SERIAL ? 3 : ghost == MEMLANE_GHOST_ONE_WAY && !computes ? 2 : 1;
}

/* Places the part of a bar that begins at @time and takes @duration. FALSE: none of it is shown. */
static gboolean
place_piece (const Pass *pass, double time, double duration, double y, MemlaneRectangle *area)
{
  const MemlaneTimeline *self = pass->self;
  double left = self->frame.area.x, right = left + self->frame.area.width;
  double x0 = round (CLAMP (memlane_timeline_x_of (self, time), left, right));
  double x1 = round (CLAMP (memlane_timeline_x_of (self, time + duration), left, right));

  *area = (MemlaneRectangle) { x0, memlane_timeline_sheet_y (self, y), x1 - x0,
                              self->ghost_pitch - 2 };
  return x1 > x0;
}

static void
fill_area (Pass *pass, double x, double y, double width, double height, const MemlaneColor *color)
{
  cairo_rectangle (pass->cr, x, y, width, height);
  fill (pass, color);
}

static void
draw_ghost (Pass *pass, const MemlaneTimelinePart *part, MemlaneGhost ghost)
{
  const MemlaneStyle *style = &pass->self->frame.style;
  double time = (double) part->bounds.begin;
  gboolean is_measured = ghost == MEMLANE_GHOST_MEASURED;
  Piece pieces[3];
  guint n = take_apart (&part->bounds, ghost, pieces);

  for (guint i = 0; i < n; time += pieces[i++].time)
    {
      MemlaneColor color = memlane_span_tint_color (pieces[i].tint, style), edge;
      MemlaneRectangle area;

      if (!place_piece (pass, time, pieces[i].time,
                        part->ghosts_y + ghost * pass->self->ghost_pitch, &area))
        continue;
      edge = memlane_color_mix (style->background, is_measured ? style->axis : color, 0.65);
      color = memlane_color_mix (style->background, color, is_measured ? 0.7 : 0.28);
      fill_area (pass, area.x, area.y, area.width, area.height, &color);
      fill_area (pass, area.x, area.y + area.height - 2, area.width, 2, &edge);
    }
}

/* The ideal schedules as steps of one bar: a darker step ends earlier. */
static void
draw_all_ghosts (Pass *pass, const MemlaneTimelinePart *part)
{
  const MemlaneStyle *style = &pass->self->frame.style;
  const double times[] = { part->bounds.serial, part->bounds.one_way, part->bounds.full };
  const MemlaneColor edge = memlane_color_mix (style->background, style->axis, 0.5);

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      const MemlaneColor color = memlane_color_mix (style->background, style->axis, 0.1 + 0.1 * i);
      MemlaneRectangle area;

      if (!place_piece (pass, (double) part->bounds.begin, times[i], part->ghosts_y, &area))
        continue;
      fill_area (pass, area.x, area.y, area.width, area.height, &color);
      fill_area (pass, area.x + area.width - 2, area.y, 2, area.height, &edge);
    }
}

/* --- words ------------------------------------------------------------------------------------ */

static void
draw_sheet_words (Pass *pass)
{
  MEMLANE_FOR_EACH_IN (const MemlanePlacedText, placed, pass->self->frame.texts)
    {
      MemlanePlacedText words = *placed;

      words.area.y = memlane_timeline_sheet_y (pass->self, words.area.y);
      if (words.role >= MEMLANE_TEXT_CONTENT)
        memlane_frame_draw_text (&words, pass->cr);
    }
}

static void
draw_axis (Pass *pass)
{
  const MemlaneTimeline *self = pass->self;
  double thick = MAX (round (self->frame.style.axis_width), 1), bottom = self->frame.area.y - 1,
         length = round (0.35 * self->frame.em);

  if (self->n_parts == 0 || self->lanes->len == 0)
    return;
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  cairo_rectangle (pass->cr, self->frame.area.x, bottom, self->frame.area.width, thick);
  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, self->ticks)
    {
      double own = tick->major ? length : round (length / 2);

      cairo_rectangle (pass->cr, floor (memlane_timeline_x_of (self, tick->value)), bottom - own,
                       thick, own);
    }
  fill (pass, &self->frame.style.axis);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

void
memlane_timeline_draw (const MemlaneTimeline *self, cairo_t *cr)
{
  Pass pass = { self, cr,
                cairo_surface_get_type (cairo_get_group_target (cr)) != CAIRO_SURFACE_TYPE_IMAGE,
                0 };

  cairo_save (cr);
  memlane_frame_draw_ground (&self->frame, cr);
  memlane_frame_draw_words (&self->frame, cr);
  draw_spans (&pass, self->samples);

  cairo_save (cr);
  cairo_rectangle (cr, 0, self->frame.area.y, self->frame.width, self->frame.area.height);
  cairo_clip (cr);
  draw_beds (&pass);
  draw_grid (&pass);
  for (guint i = 0; i < self->n_parts; i++)
    {
      cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
      if (self->parts[i].n_ghost_rows == 1)
        draw_all_ghosts (&pass, &self->parts[i]);
      for (guint j = 0; self->parts[i].n_ghost_rows > 1 && j < MEMLANE_N_GHOSTS; j++)
        draw_ghost (&pass, &self->parts[i], j);
      cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
      if (self->parts[i].badge.width > 0)
        {
          MemlaneRectangle badge = self->parts[i].badge;

          badge.y = memlane_timeline_sheet_y (self, badge.y);
          memlane_frame_draw_badge (&self->frame, cr, &badge);
        }
    }
  pass.offset = memlane_timeline_sheet_y (self, 0);
  draw_spans (&pass, self->spans);
  MEMLANE_FOR_EACH_IN (const MemlaneSpanName, name, self->names)
    {
      memlane_color_set (cr, &name->color);
      cairo_move_to (cr, name->x, round (pass.offset + name->y));
      pango_cairo_show_layout (cr, name->layout);
    }
  cairo_new_path (cr);
  draw_sheet_words (&pass);
  cairo_restore (cr);
  draw_axis (&pass);
  cairo_restore (cr);
}

/* --- what follows the pointer ----------------------------------------------------------------- */

/* The event's rectangle in whole pixels, its far ends cut; FALSE: it is not in sight. */
static gboolean
place_event (const MemlaneTimeline *self, MemlaneTimelineEvent event, MemlaneRectangle *area)
{
  double left, right;

  if (!memlane_timeline_place_event (self, event, area))
    return FALSE;
  left = round (MAX (area->x, self->frame.area.x - 8));
  right = round (MIN (area->x + area->width, self->frame.area.x + self->frame.area.width + 8));
  *area = (MemlaneRectangle) { left, round (area->y), MAX (right - left, 2), area->height };
  return TRUE;
}

static void
ring (const MemlaneTimeline *self, cairo_t *cr, const MemlaneRectangle *area, double width,
      const MemlaneColor *color)
{
  MemlaneRectangle around = { area->x - width / 2, area->y - width / 2, area->width + width,
                              area->height + width };

  cairo_new_path (cr);
  memlane_figure_add_round (cr, &around, corner_of (self, area->width, area->height) + width / 2);
  memlane_figure_stroke_on_halo (cr, width, color, &self->frame.style.halo);
}

/* --- lit: the event and all that share its correlation ---------------------------------------- */

static void
draw_lit (const MemlaneTimeline *self, cairo_t *cr, MemlaneTimelineEvent event)
{
  const MemlaneTimelinePart *part = memlane_timeline_part (self, event.track);
  const guint32 *ids;
  guint n;
  MemlaneRectangle own, other;
  double width = MAX (round (0.14 * self->frame.em), 1);
  gboolean seen;

  if (part == NULL || event.event >= part->n_events)
    return;
  seen = place_event (self, event, &own);
  ids = memlane_trace_get_correlated (part->trace, part->events[event.event].correlation, &n);
  for (guint i = 0; i < MIN (n, MOST_LIT); i++)
    {
      if (ids[i] == event.event
          || !place_event (self, (MemlaneTimelineEvent) { event.track, ids[i] }, &other))
        continue;
      if (seen)
        {
          /* Draws a line from the edge of one to that of the other: straight down, and across where
           * they stand apart. */
          gboolean down = other.y > own.y;

          cairo_new_path (cr);
          memlane_figure_add_line (cr, own.x + MIN (own.width / 2, self->frame.em),
                                   down ? own.y + own.height : own.y,
                                   other.x + MIN (other.width / 2, self->frame.em),
                                   down ? other.y : other.y + other.height);
          memlane_figure_stroke_on_halo (cr, width, &self->frame.style.crosshair,
                                         &self->frame.style.halo);
        }
      ring (self, cr, &other, width, &self->frame.style.crosshair);
    }
  if (seen)
    ring (self, cr, &own, 2 * width, &self->frame.style.crosshair);
}

/* --- what a finding means --------------------------------------------------------------------- */

static void
draw_marked (const MemlaneTimeline *self, cairo_t *cr, const MemlaneTimelineOverlay *overlay)
{
  const MemlaneTimelinePart *part = memlane_timeline_part (self, overlay->marked_track);
  guint first, last, step;
  double edge = MAX (round (0.18 * self->frame.em), 2);

  if (overlay->marked == NULL || overlay->n_marked == 0 || part == NULL
      || overlay->marked[overlay->n_marked - 1] >= part->n_events)
    return;
  /* Events that began before the visible range may reach into it: the first MOST_MARKED of them are
   * examined too. */
  first = MEMLANE_FIND_FIRST (overlay->n_marked, i,
                              (double) part->events[overlay->marked[i]].start < self->seen.from);
  last = MEMLANE_FIND_FIRST (overlay->n_marked, i,
                             (double) part->events[overlay->marked[i]].start < self->seen.to);
  first = first > MOST_MARKED ? first - MOST_MARKED : 0;
  step = (last - first) / MOST_MARKED + 1;
  cairo_new_path (cr);
  for (guint i = first; i < last; i += step)
    {
      MemlaneRectangle area;

      if (!place_event (self, (MemlaneTimelineEvent) { overlay->marked_track, overlay->marked[i] },
                        &area))
        continue;
      cairo_rectangle (cr, area.x, area.y - edge, area.width, edge);
      cairo_rectangle (cr, area.x, area.y + area.height, area.width, edge);
    }
  memlane_color_set (cr, &self->frame.style.ceiling);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_fill (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- tags: words on a ground of their own ----------------------------------------------------- */

static void
draw_tag (const MemlaneTimeline *self, cairo_t *cr, const char *text, double x, double y)
{
  g_autoptr (PangoLayout) layout = memlane_figure_make_text (
      self->frame.pango, self->frame.style.text_size, FALSE, text);
  double width, height, pad = 0.4 * self->frame.em;

  memlane_figure_measure_text (layout, &width, &height);
  x = round (CLAMP (x - width / 2, 2 * pad, MAX (self->frame.width - width - 2 * pad, 2 * pad)));
  cairo_new_path (cr);
  memlane_figure_add_round (cr, &(MemlaneRectangle) { x - pad, y, width + 2 * pad, height + 2 }, 3);
  memlane_figure_fill (cr, &self->frame.style.crosshair);
  memlane_figure_show_text (cr, layout, x, y + 1, &self->frame.style.background);
}

/* The lines of the tooltip, the first one bold, at most @most px wide. (transfer full) */
static PangoLayout *
make_tooltip (const MemlaneTimeline *self, const char *text, double most)
{
  PangoLayout *layout = memlane_figure_make_text (self->frame.pango, self->frame.style.text_size,
                                                  FALSE, text);
  PangoAttrList *attributes = pango_attr_list_new ();
  PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
  const char *end = strchr (text, '\n');

  pango_layout_set_single_paragraph_mode (layout, FALSE);
  bold->end_index = end != NULL ? (guint) (end - text) : G_MAXUINT;
  pango_attr_list_insert (attributes, bold);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  if (memlane_figure_text_width (layout) > most)
    {
      pango_layout_set_width (layout, (int) (MAX (most, 1) * PANGO_SCALE));
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
    }
  return layout;
}

static void
draw_tooltip (const MemlaneTimeline *self, cairo_t *cr, const MemlaneTimelineOverlay *overlay)
{
  g_autofree char *text = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  double width, height, pad = round (0.7 * self->frame.em), x, y,
                        away = round (1.2 * self->frame.em);
  MemlaneColor ground = memlane_color_mix (self->frame.style.background, self->frame.style.text,
                                           self->frame.style.dark ? 0.12 : 0.02);

  if (!overlay->has_tooltip || overlay->hovered.track >= self->n_parts
      || overlay->hovered.event == MEMLANE_TRACE_NONE)
    return;
  text = memlane_timeline_tell_event (self->parts[overlay->hovered.track].trace,
                                      overlay->hovered.event, "\n");
  if (*text == '\0')
    return;
  layout = make_tooltip (self, text, self->frame.width - 4 * pad);
  memlane_figure_measure_text (layout, &width, &height);
  /* Below and to the right of the pointer; on the other side where there is no room. */
  x = overlay->pointer_x + away;
  if (x + width + 2 * pad > self->frame.width)
    x = overlay->pointer_x - away - width - 2 * pad;
  y = overlay->pointer_y + away;
  if (y + height + 2 * pad > self->frame.height)
    y = overlay->pointer_y - away - height - 2 * pad;
  x = round (CLAMP (x, 1, MAX (self->frame.width - width - 2 * pad - 1, 1)));
  y = round (CLAMP (y, 1, MAX (self->frame.height - height - 2 * pad - 1, 1)));
  cairo_new_path (cr);
  memlane_figure_add_round (
      cr, &(MemlaneRectangle) { x + 0.5, y + 0.5, ceil (width + 2 * pad), ceil (height + 2 * pad) },
      round (0.5 * self->frame.em));
  memlane_figure_fill_and_stroke (cr, &ground, 1, &self->frame.style.axis);
  memlane_figure_show_text (cr, layout, x + pad, y + pad, &self->frame.style.text);
}

/* --- moments and spans ------------------------------------------------------------------------ */

static void
draw_moment (const MemlaneTimeline *self, cairo_t *cr, double time, double width)
{
  double x = round (memlane_timeline_x_of (self, time) - width / 2);

  if (x + width <= self->frame.area.x || x >= self->frame.area.x + self->frame.area.width)
    return;
  cairo_rectangle (cr, x, self->frame.area.y, width, self->frame.area.height);
  memlane_figure_fill (cr, &self->frame.style.crosshair);
}

static void
draw_measured (const MemlaneTimeline *self, cairo_t *cr, MemlaneRange span)
{
  double right = self->frame.area.x + self->frame.area.width, x0, x1,
         line = MAX (round (self->frame.style.axis_width), 1);
  MemlaneColor inside = memlane_color_fade (self->frame.style.crosshair, SPAN_ALPHA);
  g_autofree char *words = NULL;

  if (!isfinite (span.from) || !isfinite (span.to))
    return;
  words = memlane_unit_format (MEMLANE_UNIT_TIME, span.to - span.from, TRUE);
  x0 = round (CLAMP (memlane_timeline_x_of (self, span.from), self->frame.area.x, right));
  x1 = round (CLAMP (memlane_timeline_x_of (self, span.to), self->frame.area.x, right));
  cairo_rectangle (cr, x0, self->frame.area.y, x1 - x0, self->frame.area.height);
  memlane_figure_fill (cr, &inside);
  draw_moment (self, cr, span.from, line);
  draw_moment (self, cr, span.to, line);
  draw_tag (self, cr, words, (x0 + x1) / 2, self->axis.y);
}

/* Makes the lanes pale after the cursor, but no text. */
static void
draw_future (const MemlaneTimeline *self, cairo_t *cr, double x)
{
  MemlaneColor future = memlane_color_fade (self->frame.style.background, FUTURE_ALPHA);
  double offset = memlane_timeline_sheet_y (self, 0);

  cairo_save (cr);
  cairo_rectangle (cr, x, self->frame.area.y, self->frame.area.x + self->frame.area.width - x,
                   self->frame.area.height);
  cairo_clip (cr);
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, self->lanes)
    cairo_rectangle (cr, x, offset + lane->y, self->frame.area.width, lane->height);
  memlane_figure_fill (cr, &future);
  memlane_color_set (cr, &self->frame.style.text);
  MEMLANE_FOR_EACH_IN (const MemlaneSpanName, name, self->names)
    {
      cairo_move_to (cr, name->x, round (offset + name->y));
      pango_cairo_show_layout (cr, name->layout);
    }
  cairo_new_path (cr);
  cairo_restore (cr);
}

/* Draws the cursor, and makes the time after it pale. */
static void
draw_cursor (const MemlaneTimeline *self, cairo_t *cr, double time)
{
  g_autofree char *words = NULL;
  double x = memlane_timeline_x_of (self, time);

  if (!isfinite (time) || x < self->frame.area.x || x > self->frame.area.x + self->frame.area.width)
    return;
  words = memlane_unit_format (MEMLANE_UNIT_TIME, time, TRUE);
  draw_future (self, cr, x);
  draw_moment (self, cr, time, MAX (round (self->frame.style.line_width), 2));
  draw_tag (self, cr, words, x, self->axis.y);
}

void
memlane_timeline_draw_overlay (const MemlaneTimeline *self, cairo_t *cr,
                               const MemlaneTimelineOverlay *overlay)
{
  MemlaneRectangle area;

  if (self->lanes->len == 0)
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  draw_measured (self, cr, overlay->span);
  cairo_save (cr);
  cairo_rectangle (cr, self->frame.area.x, self->frame.area.y, self->frame.area.width,
                   self->frame.area.height);
  cairo_clip (cr);
  draw_marked (self, cr, overlay);
  if (overlay->selected.event != MEMLANE_TRACE_NONE)
    draw_lit (self, cr, overlay->selected);
  if (overlay->selected.event != MEMLANE_TRACE_NONE && place_event (self, overlay->selected, &area))
    ring (self, cr, &area, MAX (round (0.3 * self->frame.em), 3), &self->frame.style.ceiling);
  if (overlay->hovered.event != MEMLANE_TRACE_NONE)
    draw_lit (self, cr, overlay->hovered);
  cairo_restore (cr);
  draw_cursor (self, cr, overlay->cursor);
  draw_tooltip (self, cr, overlay);
  cairo_restore (cr);
}
