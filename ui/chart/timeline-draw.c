/* timeline-draw.c: a timeline on a cairo_t, all but the overlay
 *
 * SPDX-License-Identifier: MIT
 *
 * Rectangles in whole pixels, gathered by colour and filled without smoothing: so many as a frame has would take ten times as long one by
 * one. On pixels round corners are cut out of whole pixels too; in vector files they are round.
 */
#include "timeline-private.h"

#include <string.h>

#define WATERMARK_ALPHA 0.07
#define N_LEVELS (MEMLANE_TIMELINE_FULL + 1)
#define N_BUCKETS (MEMLANE_N_TINTS * N_LEVELS)
#define TILE 6 /* px: a weave's pattern repeats */

typedef struct
{
  MemlaneTimeline *self;
  cairo_t *cr;
  gboolean smooth; /* a vector surface */
  double offset;   /* of the spans' y */
} Pass;

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

static void
fill (Pass *pass, const MemlaneColor *color)
{
  memlane_color_set (pass->cr, color);
  cairo_fill (pass->cr);
  pass->self->n_operations++;
}

/* The ground of a fold that is @level quarters full. */
static MemlaneColor
ground_of (const Pass *pass, guint tint, guint level)
{
  static const double parts[N_LEVELS] = { 0.4, 0.6, 0.8, 1 };
  MemlaneColor color = memlane_timeline_tint (tint, &pass->self->style);

  return memlane_color_mix (pass->self->style.background, color, parts[level]);
}

static MemlaneColor
ink_of (const Pass *pass, guint tint)
{
  MemlaneColor color = memlane_timeline_tint (tint, &pass->self->style);

  return memlane_color_mix (color, memlane_figure_text_on (&pass->self->style, &color), 0.45);
}

static void
add_ground (Pass *pass, const MemlaneTimelineSpan *span)
{
  memlane_timeline_add_span (pass->cr, span->x, span->y + pass->offset, span->width, span->height,
                             span->folded ? 0 : memlane_timeline_corner (pass->self, span->width, span->height), pass->smooth);
  if (span->instant && span->height >= 8)
    for (int i = 0; i < 3; i++) /* a head, so that it is seen to be a moment */
      cairo_rectangle (pass->cr, span->x - 2 + i, span->y + pass->offset + i, span->width + 4 - 2 * i, 1);
}

/* Bars and lines of a weave. */
static void
add_weave (Pass *pass, const MemlaneTimelineSpan *span)
{
  double y = span->y + pass->offset, bar = MAX (round (0.2 * pass->self->em), 2), inset = 0;

  if (span->height < 3 * bar || span->width < 3)
    return;
  inset = span->folded ? 0 : memlane_timeline_corner (pass->self, span->width, span->height);
  switch ((MemlaneWeave) span->weave)
    {
    case MEMLANE_WEAVE_TOP:
    case MEMLANE_WEAVE_BOTTOM:
    case MEMLANE_WEAVE_MIDDLE:
      if (span->weave != MEMLANE_WEAVE_BOTTOM)
        cairo_rectangle (pass->cr, span->x + inset, y, span->width - 2 * inset, bar);
      if (span->weave != MEMLANE_WEAVE_TOP)
        cairo_rectangle (pass->cr, span->x + inset, y + span->height - bar, span->width - 2 * inset, bar);
      break;
    case MEMLANE_WEAVE_DASHES:
      for (double x = span->x + 2; x < span->x + span->width - 1; x += 2.5 * bar)
        cairo_rectangle (pass->cr, round (x), y + span->height - bar - 1, MIN (round (1.5 * bar), span->x + span->width - 1 - round (x)),
                         bar);
      break;
    case MEMLANE_WEAVE_LINES:
      cairo_rectangle (pass->cr, span->x + inset, y + bar, span->width - 2 * inset, 1);
      cairo_rectangle (pass->cr, span->x + inset, y + span->height - bar - 1, span->width - 2 * inset, 1);
      break;
    case MEMLANE_WEAVE_PLAIN:
    case MEMLANE_WEAVE_HATCH:
    case MEMLANE_WEAVE_DENSE:
    case MEMLANE_WEAVE_DOTS:
    case MEMLANE_N_WEAVES:
    default:
      break;
    }
}

/* --- oblique lines and dots: a small picture, repeated ------------------------------------------------------------ */

static cairo_pattern_t *
make_tile (const Pass *pass, MemlaneWeave weave, const MemlaneColor *ink)
{
  double size = round (TILE * MAX (pass->self->style.text_size / 11, 1));
  const cairo_rectangle_t extents = { 0, 0, size, size };
  cairo_surface_t *tile = pass->smooth ? cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents)
                                       : cairo_surface_create_similar (cairo_get_group_target (pass->cr), CAIRO_CONTENT_COLOR_ALPHA,
                                                                       (int) size, (int) size);
  cairo_t *cr = cairo_create (tile);
  cairo_pattern_t *pattern;

  memlane_color_set (cr, ink);
  cairo_set_line_width (cr, size / TILE);
  if (weave == MEMLANE_WEAVE_DOTS)
    {
      double dot = MAX (round (size / 3), 2);

      cairo_rectangle (cr, 0, 0, dot, dot);
      cairo_rectangle (cr, size / 2, size / 2, dot, dot);
      cairo_fill (cr);
    }
  else
    for (int way = 0; way < (weave == MEMLANE_WEAVE_DENSE ? 2 : 1); way++)
      {
        for (int i = -1; i <= 1; i++)
          {
            cairo_move_to (cr, i * size - 1, way == 0 ? size + 1 : -1);
            cairo_line_to (cr, (i + 1) * size + 1, way == 0 ? -1 : size + 1);
          }
        cairo_stroke (cr);
      }
  cairo_destroy (cr);
  pattern = cairo_pattern_create_for_surface (tile);
  cairo_surface_destroy (tile);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  return pattern;
}

static void
draw_tiles (Pass *pass, const GArray *spans, MemlaneWeave weave)
{
  guint32 tints = 0;

  for (guint i = 0; i < spans->len; i++)
    {
      const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

      if (span->weave == weave && span->width >= 3)
        tints |= 1u << span->tint;
    }
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    {
      MemlaneColor ink = ink_of (pass, tint);
      cairo_pattern_t *pattern;

      if ((tints >> tint & 1) == 0)
        continue;
      for (guint i = 0; i < spans->len; i++)
        {
          const MemlaneTimelineSpan *span = &g_array_index (spans, MemlaneTimelineSpan, i);

          if (span->weave == weave && span->tint == tint && span->width >= 3)
            add_ground (pass, span);
        }
      ink.alpha = weave == MEMLANE_WEAVE_DOTS ? 0.45 : 0.55;
      pattern = make_tile (pass, weave, &ink);
      cairo_set_source (pass->cr, pattern);
      cairo_fill (pass->cr);
      cairo_pattern_destroy (pattern);
      pass->self->n_operations++;
    }
}

/* --- all spans ---------------------------------------------------------------------------------------------------- */

static void
draw_spans (Pass *pass, const GArray *spans)
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
      fill (pass, &color);
    }
  for (guint tint = 0; tint < MEMLANE_N_TINTS; tint++)
    {
      MemlaneColor ink = ink_of (pass, tint);

      if (starts[tint * N_LEVELS] == starts[(tint + 1) * N_LEVELS])
        continue;
      for (guint i = starts[tint * N_LEVELS]; i < starts[(tint + 1) * N_LEVELS]; i++)
        add_weave (pass, &g_array_index (spans, MemlaneTimelineSpan, order[i]));
      fill (pass, &ink);
    }
  draw_tiles (pass, spans, MEMLANE_WEAVE_HATCH);
  draw_tiles (pass, spans, MEMLANE_WEAVE_DENSE);
  draw_tiles (pass, spans, MEMLANE_WEAVE_DOTS);
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
      fill (pass, &pass->self->style.ceiling);
    }
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- behind the spans --------------------------------------------------------------------------------------------- */

static void
draw_beds (Pass *pass)
{
  MemlaneTimeline *self = pass->self;
  MemlaneColor bed = memlane_color_mix (self->style.background, self->style.grid_minor, 0.75);

  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const MemlaneTimelineLane *lane = memlane_timeline_lane (self, i);
      double y = memlane_timeline_sheet_y (self, lane->y);

      if (y + lane->height > self->area.y && y < self->area.y + self->area.height)
        cairo_rectangle (pass->cr, self->area.x, y, self->area.width, lane->height);
    }
  fill (pass, &bed);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

static void
draw_grid (Pass *pass)
{
  MemlaneTimeline *self = pass->self;

  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < self->ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (self->ticks, MemlaneTick, i);

      if (tick->major)
        cairo_rectangle (pass->cr, floor (memlane_timeline_x_of (self, tick->value)), self->area.y, 1,
                         MIN (self->area.height, self->sheet_height - self->scroll));
    }
  fill (pass, &self->style.grid);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* In the middle of what is seen of each simulated trace, so that no part of the figure goes without it. */
static void
draw_watermark (Pass *pass)
{
  MemlaneTimeline *self = pass->self;
  MemlaneColor color = memlane_color_fade (self->style.simulated, self->style.dark ? 1.4 * WATERMARK_ALPHA : WATERMARK_ALPHA);
  double width, height;

  if (self->watermark == NULL)
    return;
  memlane_figure_measure_text (self->watermark, &width, &height);
  for (guint i = 0; i < self->n_parts; i++)
    {
      const MemlaneTimelinePart *part = &self->parts[i];
      double top = MAX (memlane_timeline_sheet_y (self, part->y), self->area.y);
      double bottom = MIN (memlane_timeline_sheet_y (self, part->y + part->height), self->area.y + self->area.height);
      double zoom = MIN (MIN (0.9 * self->area.width / width, (bottom - top) / height), 2);

      if (!memlane_trace_get_info (part->trace)->simulated || zoom <= 0.1)
        continue;
      cairo_save (pass->cr);
      cairo_translate (pass->cr, self->area.x + self->area.width / 2, (top + bottom) / 2);
      cairo_scale (pass->cr, zoom, zoom);
      cairo_move_to (pass->cr, -width / 2, -height / 2);
      memlane_color_set (pass->cr, &color);
      pango_cairo_show_layout (pass->cr, self->watermark);
      cairo_restore (pass->cr);
      cairo_new_path (pass->cr);
      self->n_operations++;
    }
}

/* --- ghosts ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  double time;
  MemlaneTint tint;
} Piece;

/* What a bar is made of, in order. Returns how many pieces. */
static guint
take_apart (const MemlaneTraceBounds *bounds, MemlaneGhost ghost, Piece pieces[3])
{
  const Piece up = { bounds->up, MEMLANE_TINT_UP }, down = { bounds->down, MEMLANE_TINT_DOWN };
  const Piece kernel = { bounds->kernel, MEMLANE_TINT_KERNEL };

  switch (ghost)
    {
    case MEMLANE_GHOST_SERIAL:
      pieces[0] = up;
      pieces[1] = kernel;
      pieces[2] = down;
      return 3;
    case MEMLANE_GHOST_ONE_WAY:
      pieces[0] = kernel.time > up.time + down.time ? kernel : up;
      pieces[1] = down;
      return kernel.time > up.time + down.time ? 1 : 2;
    case MEMLANE_GHOST_FULL:
      pieces[0] = kernel.time >= MAX (up.time, down.time) ? kernel : up.time >= down.time ? up : down;
      return 1;
    case MEMLANE_GHOST_MEASURED:
    case MEMLANE_N_GHOSTS:
    default:
      pieces[0] = (Piece){ bounds->measured, MEMLANE_TINT_CALL };
      return 1;
    }
}

static void
draw_ghost (Pass *pass, const MemlaneTimelinePart *part, MemlaneGhost ghost)
{
  MemlaneTimeline *self = pass->self;
  double y = memlane_timeline_sheet_y (self, part->ghosts_y + ghost * self->ghost_pitch), height = self->ghost_pitch - 2;
  double time = (double) part->bounds.begin, left = self->area.x, right = self->area.x + self->area.width;
  Piece pieces[3];
  guint n = take_apart (&part->bounds, ghost, pieces);

  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < n; i++)
    {
      double x0 = round (CLAMP (memlane_timeline_x_of (self, time), left, right));
      double x1 = round (CLAMP (memlane_timeline_x_of (self, time + pieces[i].time), left, right));
      MemlaneColor color = memlane_timeline_tint (pieces[i].tint, &self->style), edge;

      time += pieces[i].time;
      if (x1 <= x0)
        continue;
      edge = memlane_color_mix (self->style.background, ghost == MEMLANE_GHOST_MEASURED ? self->style.axis : color, 0.65);
      color = memlane_color_mix (self->style.background, color, ghost == MEMLANE_GHOST_MEASURED ? 0.7 : 0.28);
      cairo_rectangle (pass->cr, x0, y, x1 - x0, height);
      fill (pass, &color);
      cairo_rectangle (pass->cr, x0, y + height - 2, x1 - x0, 2);
      fill (pass, &edge);
    }
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void
draw_badge (Pass *pass, const MemlaneRectangle *badge)
{
  if (badge->width <= 0)
    return;
  cairo_new_path (pass->cr);
  memlane_figure_add_round (pass->cr, badge, 0.3 * badge->height);
  fill (pass, &pass->self->style.simulated);
}

static void
draw_words (Pass *pass, gboolean on_sheet)
{
  MemlaneTimeline *self = pass->self;

  for (guint i = 0; i < self->words->len; i++)
    {
      const MemlaneTimelineWords *words = &g_array_index (self->words, MemlaneTimelineWords, i);

      if ((words->role >= MEMLANE_WORDS_HEADING) != on_sheet)
        continue;
      cairo_move_to (pass->cr, words->area.x, on_sheet ? memlane_timeline_sheet_y (self, words->area.y) : words->area.y);
      memlane_color_set (pass->cr, &words->color);
      pango_cairo_show_layout (pass->cr, words->layout);
      self->n_operations++;
    }
  cairo_new_path (pass->cr);
}

static void
draw_axis (Pass *pass)
{
  MemlaneTimeline *self = pass->self;
  double thick = MAX (round (self->style.axis_width), 1), bottom = self->area.y - 1, length = round (0.35 * self->em);

  if (self->n_parts == 0 || self->lanes->len == 0)
    return;
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  cairo_rectangle (pass->cr, self->area.x, bottom, self->area.width, thick);
  for (guint i = 0; i < self->ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (self->ticks, MemlaneTick, i);
      double own = tick->major ? length : round (length / 2);

      cairo_rectangle (pass->cr, floor (memlane_timeline_x_of (self, tick->value)), bottom - own, thick, own);
    }
  fill (pass, &self->style.axis);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

void
memlane_timeline_draw (MemlaneTimeline *self, cairo_t *cr)
{
  Pass pass = { self, cr, cairo_surface_get_type (cairo_get_group_target (cr)) != CAIRO_SURFACE_TYPE_IMAGE, 0 };

  self->n_operations = 0;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, 0, 0, self->width, self->height);
  fill (&pass, &self->style.background);
  draw_badge (&pass, &self->badge);
  draw_words (&pass, FALSE);
  draw_spans (&pass, self->samples);

  cairo_save (cr);
  cairo_rectangle (cr, 0, self->area.y, self->width, self->area.height);
  cairo_clip (cr);
  draw_beds (&pass);
  draw_watermark (&pass);
  draw_grid (&pass);
  for (guint i = 0; i < self->n_parts; i++)
    {
      for (guint j = 0; self->parts[i].has_bounds && j < MEMLANE_N_GHOSTS; j++)
        draw_ghost (&pass, &self->parts[i], j);
      if (self->parts[i].badge.width > 0)
        {
          MemlaneRectangle badge = self->parts[i].badge;

          badge.y = memlane_timeline_sheet_y (self, badge.y);
          draw_badge (&pass, &badge);
        }
    }
  pass.offset = memlane_timeline_sheet_y (self, 0);
  draw_spans (&pass, self->spans);
  self->n_operations += memlane_timeline_labels_draw (self, cr);
  cairo_new_path (cr);
  draw_words (&pass, TRUE);
  cairo_restore (cr);
  draw_axis (&pass);
  cairo_restore (cr);
}
