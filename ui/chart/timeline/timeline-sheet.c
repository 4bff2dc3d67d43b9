/* timeline-sheet.c: headings, ghosts and lanes, one below the other
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-private.h"

#include <glib/gi18n-lib.h>

/* Heights in em. */
#define ROW_LEAST 1.3
#define ROW_MOST 3.0
#define ROW_GAP 0.28       /* between lanes */
#define GROUP_GAP 0.9      /* between groups of lanes */
#define PART_GAP 1.4
#define GHOST_PITCH 1.5
#define FULL_ROWS 6        /* lanes with more rows have lower ones */
#define ROW_SHARE 0.8      /* height of a row of a lane that has several */
#define LOWEST_ROW 3.0     /* px */

typedef enum
{
  GROUP_HOST,
  GROUP_ENGINES,
  GROUP_STREAMS,
  GROUP_OTHER,
} Group;

static Group
group_of (MemlaneTraceLaneKind kind)
{
  if (kind < MEMLANE_TRACE_LANE_COPY_UP)
    return GROUP_HOST;
  if (kind < MEMLANE_TRACE_LANE_STREAM)
    return GROUP_ENGINES;
  return kind == MEMLANE_TRACE_LANE_STREAM ? GROUP_STREAMS : GROUP_OTHER;
}

/* Distance of a lane's rows where a row of a lone one is @row high. */
static double
pitch_of (guint n_rows, double row)
{
  if (n_rows <= 1)
    return row;
  return MAX (floor (ROW_SHARE * row * MIN (n_rows, FULL_ROWS) / n_rows), LOWEST_ROW);
}

static void
add_lanes (MemlaneTimeline *self, guint track, double *y)
{
  guint n;
  const MemlaneTraceLane *lanes = memlane_trace_get_lanes (self->parts[track].trace, &n);
  Group before = GROUP_HOST;

  for (guint i = 0; i < n; i++)
    {
      MemlaneTimelineLane lane = { .track = track, .lane = i, .group = group_of (lanes[i].kind), .n_rows = MAX (lanes[i].n_rows, 1) };

      if (i > 0)
        *y += lane.group != before ? round (GROUP_GAP * self->em) : MAX (round (ROW_GAP * self->em), 2);
      before = lane.group;
      lane.y = *y;
      lane.pitch = pitch_of (lane.n_rows, self->row);
      lane.row_height = lane.n_rows == 1 ? self->row : lane.pitch > 2 * LOWEST_ROW ? lane.pitch - 2 : lane.pitch - 1;
      lane.height = lane.n_rows == 1 ? self->row : lane.n_rows * lane.pitch;
      *y += lane.height;
      g_array_append_val (self->lanes, lane);
    }
}

static void
place (MemlaneTimeline *self, double row)
{
  double y = self->n_parts > 1 ? round (0.4 * self->em) : 0;

  self->row = row;
  self->ghost_pitch = round (GHOST_PITCH * self->em);
  g_array_set_size (self->lanes, 0);
  for (guint i = 0; i < self->n_parts; i++)
    {
      MemlaneTimelinePart *part = &self->parts[i];

      if (i > 0)
        y += round (PART_GAP * self->em);
      part->y = y;
      y += self->n_parts > 1 ? round (1.6 * self->line) : round (0.4 * self->em);
      part->ghosts_y = y;
      if (part->has_bounds)
        y += MEMLANE_N_GHOSTS * self->ghost_pitch + round (GROUP_GAP * self->em);
      add_lanes (self, i, &y);
      part->height = y - part->y;
    }
  self->sheet_height = y + round (0.4 * self->em);
}

void
memlane_timeline_place_sheet (MemlaneTimeline *self, double room)
{
  double least = round (ROW_LEAST * self->em), most = round (ROW_MOST * self->em);

  place (self, most);
  /* Heights are whole pixels, so that no line is blurred: a few steps, not a formula. */
  while (self->sheet_height > room && self->row > least)
    place (self, self->row - 1);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

double
memlane_timeline_measure_titles (MemlaneTimeline *self)
{
  double widest = 0, width;

  for (guint i = 0; i < self->n_parts; i++)
    {
      guint n;
      const MemlaneTraceLane *lanes = memlane_trace_get_lanes (self->parts[i].trace, &n);

      for (guint j = 0; j < MIN (n, 64); j++)
        {
          g_autofree char *title = memlane_timeline_lane_title (self->parts[i].trace, &lanes[j]);

          widest = MAX (widest, memlane_timeline_label_width (memlane_timeline_label_get (self, title)));
        }
      for (guint j = 0; self->parts[i].has_bounds && j < MEMLANE_N_GHOSTS; j++)
        {
          width = memlane_timeline_label_width (memlane_timeline_label_get (self, memlane_timeline_ghost_title (j)));
          widest = MAX (widest, width);
        }
    }
  return ceil (widest);
}

static gboolean
is_in_range (const MemlaneTimeline *self, double y, double height)
{
  return y + height > self->scroll && y < self->scroll + self->area.height;
}

/* In the middle of @height. */
static void
place_title (MemlaneTimeline *self, MemlaneTimelineRole role, const char *text, double y, double height, const MemlaneColor *color)
{
  PangoLayout *layout = memlane_timeline_make_words (self, 1, FALSE, text);
  double own;

  memlane_figure_limit_text (layout, self->titles_width);
  memlane_figure_measure_text (layout, NULL, &own);
  memlane_timeline_place_words (self, role, layout, self->titles_x, y + floor ((height - own) / 2), color);
}

/* One of two traces is simulated: the figure's badge does not say which. */
static gboolean
is_odd_one (const MemlaneTimeline *self, const MemlaneTimelinePart *part)
{
  const MemlaneTimelinePart *other = part == &self->parts[0] ? &self->parts[1] : &self->parts[0];

  return memlane_trace_get_info (part->trace)->simulated && !memlane_trace_get_info (other->trace)->simulated;
}

static void
place_heading (MemlaneTimeline *self, MemlaneTimelinePart *part)
{
  double left = self->titles_x, right = self->area.x + self->area.width, width, height;
  PangoLayout *title = memlane_timeline_make_words (self, 1.1, TRUE, part->title);
  g_autofree char *info = memlane_timeline_info (part->trace);

  if (is_odd_one (self, part) && right - left > 24 * self->em)
    {
      PangoLayout *badge = memlane_timeline_make_words (self, 1, TRUE, C_ ("figure", "SIMULATED"));
      MemlaneColor on_badge = memlane_figure_text_on (&self->style, &self->style.simulated);

      memlane_figure_measure_text (badge, &width, &height);
      part->badge = (MemlaneRectangle){ right - ceil (width + 1.1 * self->em), part->y, ceil (width + 1.1 * self->em),
                                        ceil (height + 0.2 * self->em) };
      memlane_timeline_place_words (self, MEMLANE_WORDS_DETAIL, badge, part->badge.x + (part->badge.width - width) / 2,
                                    part->y + (part->badge.height - height) / 2, &on_badge);
      right = part->badge.x - self->em;
    }
  memlane_figure_limit_text (title, MAX (right - left, 1));
  memlane_figure_measure_text (title, &width, &height);
  memlane_timeline_place_words (self, MEMLANE_WORDS_HEADING, title, left, part->y, &self->style.text);
  left += width + self->em;
  if (right - left > 8 * self->em)
    {
      PangoLayout *detail = memlane_timeline_make_words (self, 1, FALSE, info);
      double own;

      memlane_figure_limit_text (detail, right - left);
      memlane_figure_measure_text (detail, NULL, &own);
      memlane_timeline_place_words (self, MEMLANE_WORDS_DETAIL, detail, left, part->y + floor (height - own), &self->style.faint);
    }
}

/* What a ghost bar says: inside it, or to its right where it is too short. */
static void
place_bound (MemlaneTimeline *self, const MemlaneTimelinePart *part, MemlaneGhost ghost, double y)
{
  g_autofree char *text = memlane_timeline_ghost_words (&part->bounds, ghost);
  double left = memlane_timeline_x_of (self, (double) part->bounds.begin), edge = self->area.x + self->area.width;
  double right = memlane_timeline_x_of (self, (double) part->bounds.begin + memlane_timeline_ghost_time (&part->bounds, ghost));
  double width, height, gap = round (0.45 * self->em), x;
  PangoLayout *layout;

  if (right < self->area.x || left > edge)
    return;
  left = MAX (left, self->area.x);
  layout = memlane_timeline_make_words (self, 1, ghost == MEMLANE_GHOST_MEASURED, text);
  memlane_figure_measure_text (layout, &width, &height);
  if (MIN (right, edge) - left >= width + 2 * gap)
    x = left + gap;
  else if (edge - right >= width + gap)
    x = right + gap;
  else
    {
      x = left + gap;
      memlane_figure_limit_text (layout, MAX (edge - x, 1));
    }
  memlane_timeline_place_words (self, MEMLANE_WORDS_BOUND, layout, floor (x), y + floor ((self->ghost_pitch - 2 - height) / 2),
                                &self->style.text);
}

void
memlane_timeline_place_sheet_words (MemlaneTimeline *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      MemlaneTimelinePart *part = &self->parts[i];

      if (self->n_parts > 1 && is_in_range (self, part->y, 2 * self->line))
        place_heading (self, part);
      for (guint j = 0; part->has_bounds && j < MEMLANE_N_GHOSTS; j++)
        {
          double y = part->ghosts_y + j * self->ghost_pitch;

          if (!is_in_range (self, y, self->ghost_pitch))
            continue;
          if (self->has_lane_titles)
            place_title (self, MEMLANE_WORDS_GHOST, memlane_timeline_ghost_title (j), y, self->ghost_pitch - 2, &self->style.faint);
          place_bound (self, part, j, y);
        }
    }
  for (guint i = 0; self->has_lane_titles && i < self->lanes->len; i++)
    {
      const MemlaneTimelineLane *lane = memlane_timeline_lane (self, i);
      guint n;
      const MemlaneTrace *trace = self->parts[lane->track].trace;
      g_autofree char *title = NULL;

      if (!is_in_range (self, lane->y, lane->height))
        continue;
      title = memlane_timeline_lane_title (trace, &memlane_trace_get_lanes (trace, &n)[lane->lane]);
      /* Beside the first row, also where there are many. */
      place_title (self, MEMLANE_WORDS_LANE, title, lane->y, MIN (lane->height, MAX (self->row, lane->pitch)), &self->style.text);
    }
}
