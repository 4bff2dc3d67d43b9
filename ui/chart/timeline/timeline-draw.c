/* timeline-draw.c: a timeline on a cairo_t, all but the overlay
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-private.h"

#define WATERMARK_ALPHA 0.07

/* --- behind the spans --------------------------------------------------------------------------------------------- */

static void
draw_beds (MemlaneTimelinePass *pass)
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
  memlane_timeline_fill (pass, &bed);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

static void
draw_grid (MemlaneTimelinePass *pass)
{
  MemlaneTimeline *self = pass->self;

  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < self->ticks->len; i++)
    {
      const MemlaneTick *tick = &g_array_index (self->ticks, MemlaneTick, i);

      if (!tick->major)
        continue;
      for (guint j = 0; j < self->n_parts; j++) /* not through the headings */
        {
          const MemlaneTimelinePart *part = &self->parts[j];

          cairo_rectangle (pass->cr, floor (memlane_timeline_x_of (self, tick->value)), memlane_timeline_sheet_y (self, part->ghosts_y), 1,
                           part->y + part->height - part->ghosts_y);
        }
    }
  memlane_timeline_fill (pass, &self->style.grid);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* In the middle of what is seen of each simulated trace, so that no part of the figure goes without it. */
static void
draw_watermark (MemlaneTimelinePass *pass)
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

      if (!memlane_trace_get_info (part->trace)->simulated || zoom < 0.4)
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
draw_ghost (MemlaneTimelinePass *pass, const MemlaneTimelinePart *part, MemlaneGhost ghost)
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
      memlane_timeline_fill (pass, &color);
      cairo_rectangle (pass->cr, x0, y + height - 2, x1 - x0, 2);
      memlane_timeline_fill (pass, &edge);
    }
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void
draw_badge (MemlaneTimelinePass *pass, const MemlaneRectangle *badge)
{
  if (badge->width <= 0)
    return;
  cairo_new_path (pass->cr);
  memlane_figure_add_round (pass->cr, badge, 0.3 * badge->height);
  memlane_timeline_fill (pass, &pass->self->style.simulated);
}

static void
draw_words (MemlaneTimelinePass *pass, gboolean on_sheet)
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
draw_axis (MemlaneTimelinePass *pass)
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
  memlane_timeline_fill (pass, &self->style.axis);
  cairo_set_antialias (pass->cr, CAIRO_ANTIALIAS_DEFAULT);
}

void
memlane_timeline_draw (MemlaneTimeline *self, cairo_t *cr)
{
  MemlaneTimelinePass pass = { self, cr, cairo_surface_get_type (cairo_get_group_target (cr)) != CAIRO_SURFACE_TYPE_IMAGE, 0 };

  self->n_operations = 0;
  cairo_save (cr);
  cairo_new_path (cr);
  cairo_rectangle (cr, 0, 0, self->width, self->height);
  memlane_timeline_fill (&pass, &self->style.background);
  draw_badge (&pass, &self->badge);
  draw_words (&pass, FALSE);
  memlane_timeline_draw_spans (&pass, self->samples);

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
  memlane_timeline_draw_spans (&pass, self->spans);
  self->n_operations += memlane_timeline_labels_draw (self, cr);
  cairo_new_path (cr);
  draw_words (&pass, TRUE);
  cairo_restore (cr);
  draw_axis (&pass);
  cairo_restore (cr);
}
