/* timeline-spans.c: events become rectangles; what is too narrow to tell apart becomes one
 *
 * SPDX-License-Identifier: MIT
 */
#include "timeline-private.h"

#include <math.h>
#include <string.h>

#define MOST_ROWS 256
#define INSTANT_WIDTH 2
#define LEAST_NAMED 2.0 /* em: narrower spans have no name */

/* Narrow events of one row that start in one cell of the grid. */
typedef struct
{
  double cell;
  gint64 start, end;
  double busy;
  guint n;              /* 0: nothing is gathered */
  guint32 longest;
  gint64 longest_duration;
} Gathered;

typedef struct
{
  MemlaneTimeline *self;
  const MemlaneTimelineLane *lane;
  const MemlaneTrace *trace;
  const MemlaneTraceLane *of;
  const MemlaneTraceEvent *events;
  double narrow;               /* ns */
  Gathered rows[MOST_ROWS];
  int last_fold[MOST_ROWS];    /* index of the row's last span if it is a fold, else -1 */
} Folding;

/* px, kept where an int has room; far outside of what is seen it does not matter where. */
static int
pixel_of (const MemlaneTimeline *self, double time)
{
  double x = memlane_timeline_x_of (self, time);

  return (int) round (CLAMP (x, self->area.x - 64, self->area.x + self->area.width + 64));
}

static void
look (const Folding *folding, guint32 id, MemlaneTimelineSpan *span)
{
  MemlaneSpanStyle found = memlane_timeline_span_style_of (folding->trace, &folding->events[id], folding->self->range.colours);

  span->tint = found.tint;
  span->hatch = found.hatch;
  span->failed = found.failed;
}

static void
set_row (const Folding *folding, guint row, MemlaneTimelineSpan *span)
{
  span->track = folding->lane->track;
  span->y = (int) round (memlane_timeline_row_y (folding->lane, row));
  span->height = MAX ((int) round (folding->lane->row_height), 1);
}

/* The part of [@left, @right) inside the area; FALSE: there is none. */
static gboolean
clip (const MemlaneTimeline *self, int left, int right, MemlaneTimelineSpan *span)
{
  int from = (int) floor (self->area.x), to = (int) ceil (self->area.x + self->area.width);

  if (right <= from || left >= to)
    return FALSE;
  span->open_left = left < from;
  span->open_right = right > to;
  span->x = MAX (left, from);
  span->width = MIN (right, to) - span->x;
  return TRUE;
}

static void
flush (Folding *folding, guint row)
{
  MemlaneTimeline *self = folding->self;
  Gathered *gathered = &folding->rows[row];
  MemlaneTimelineSpan span = { .n = gathered->n, .event = gathered->longest, .folded = gathered->n > 1 };
  double length = (double) (gathered->end - gathered->start), fullness = length > 0 ? gathered->busy / length : 1;
  int left, right, last = folding->last_fold[row];

  if (gathered->n == 0)
    return;
  gathered->n = 0;
  left = pixel_of (self, (double) gathered->start);
  right = MAX (pixel_of (self, (double) gathered->end), left + 1);
  if (!clip (self, left, right, &span))
    return;
  span.instant = span.n == 1 && folding->events[span.event].duration == 0;
  span.fullness = (guint8) CLAMP (ceil (4 * fullness) - 1, 0, MEMLANE_TIMELINE_FULL);
  if (span.n == 1)
    span.fullness = MEMLANE_TIMELINE_FULL;
  look (folding, span.event, &span);
  set_row (folding, row, &span);
  if (span.instant)
    span.width = MAX (span.width, INSTANT_WIDTH);
  if (last >= 0 && !span.instant)
    {
      MemlaneTimelineSpan *before = &g_array_index (self->spans, MemlaneTimelineSpan, last);

      /* Runs of folds that look the same are one rectangle, and a quarter more or less is no other look. */
      if (before->x + before->width >= span.x - 1 && before->tint == span.tint && before->hatch == span.hatch
          && ABS (before->fullness - span.fullness) <= (before->folded && span.folded) && before->failed == span.failed)
        {
          before->width = MAX (span.x + span.width, before->x + before->width) - before->x;
          before->n += span.n;
          before->folded = TRUE;
          before->open_right = span.open_right;
          return;
        }
      /* Neighbours do not cover each other by the pixel that each has at least. */
      if (before->x + before->width > span.x && span.x > before->x)
        before->width = span.x - before->x;
    }
  folding->last_fold[row] = span.instant ? -1 : (int) self->spans->len;
  g_array_append_val (self->spans, span);
}

static void
gather (Folding *folding, guint row, const MemlaneTraceFold *item, guint n, double busy, double cell)
{
  Gathered *gathered = &folding->rows[row];

  if (gathered->n > 0 && gathered->cell != cell)
    flush (folding, row);
  if (gathered->n == 0)
    *gathered = (Gathered){ cell, item->start, item->end, busy, n, item->longest, item->duration };
  else
    {
      gathered->end = MAX (gathered->end, item->end);
      gathered->busy += busy;
      gathered->n += n;
      if (item->duration > gathered->longest_duration)
        {
          gathered->longest = item->longest;
          gathered->longest_duration = item->duration;
        }
    }
}

static void
add_name (Folding *folding, const MemlaneTimelineSpan *span)
{
  MemlaneTimeline *self = folding->self;
  double gap = MAX (round (0.35 * self->em), 3), room = span->width - 2 * gap;
  MemlaneTimelineLabel *label = NULL;
  MemlaneTimelineName name;
  MemlaneColor ground;

  if (span->width < LEAST_NAMED * self->em || span->height < self->em)
    return;
  /* The longest that fits; the short one may be cut. */
  for (guint length = MEMLANE_NAME_LONG; length < MEMLANE_N_NAME_LENGTHS; length++)
    {
      g_autofree char *text = memlane_timeline_span_name (folding->trace, span->event, length);

      label = memlane_timeline_label_get (self, text);
      if (memlane_timeline_label_width (label) <= room)
        break;
    }
  if (!memlane_timeline_label_fits (label, room, self->em))
    return;
  ground = memlane_timeline_tint (span->tint, &self->style);
  name.label = label;
  name.x = span->x + gap;
  name.y = span->y + floor ((span->height - memlane_timeline_label_height (label)) / 2);
  name.width = room;
  name.color = memlane_figure_text_on (&self->style, &ground);
  g_array_append_val (self->names, name);
}

static void
add_wide (Folding *folding, guint row, const MemlaneTraceFold *item)
{
  MemlaneTimeline *self = folding->self;
  MemlaneTimelineSpan span = { .n = 1, .event = item->longest, .fullness = MEMLANE_TIMELINE_FULL };
  int left = pixel_of (self, (double) item->start), right = MAX (pixel_of (self, (double) item->end), left + 1);

  flush (folding, row);
  folding->last_fold[row] = -1;
  if (!clip (self, left, right, &span))
    return;
  look (folding, span.event, &span);
  set_row (folding, row, &span);
  /* A gap of a pixel between neighbours, which often follow each other at once. */
  if (span.width > 4 && !span.open_right)
    span.width--;
  g_array_append_val (self->spans, span);
  add_name (folding, &span);
}

static gboolean
visit (const MemlaneTraceFold *item, gpointer user_data)
{
  Folding *folding = user_data;
  double cell = floor ((double) item->start / folding->narrow);

  if (item->n == 1)
    {
      guint row = folding->of->rows[item->first];

      if ((double) item->duration >= folding->narrow)
        add_wide (folding, row, item);
      else
        gather (folding, row, item, 1, (double) item->duration, cell);
    }
  else
    {
      guint n_rows = (guint) __builtin_popcountll (item->rows);

      for (guint64 rows = item->rows; rows != 0; rows &= rows - 1)
        gather (folding, (guint) __builtin_ctzll (rows), item, MAX (item->n / n_rows, 1), (double) item->busy / n_rows, cell);
    }
  return TRUE;
}

/* All of @time that a pixel may show, in whole ns. */
static gint64
whole (double time)
{
  return (gint64) CLAMP (time, -9.1e18, 9.1e18);
}

void
memlane_timeline_place_spans (MemlaneTimeline *self)
{
  g_autofree Folding *folding = g_new (Folding, 1);
  double per_pixel = (self->to - self->from) / self->area.width;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      const MemlaneTimelineLane *lane = memlane_timeline_lane (self, i);
      guint n;

      if (lane->y + lane->height <= self->scroll || lane->y >= self->scroll + self->area.height)
        continue;
      memset (folding, 0, sizeof *folding);
      folding->self = self;
      folding->lane = lane;
      folding->trace = self->parts[lane->track].trace;
      folding->of = &memlane_trace_get_lanes (folding->trace, &n)[lane->lane];
      folding->events = memlane_trace_get_events (folding->trace, &n);
      folding->narrow = MEMLANE_TIMELINE_NARROW * per_pixel;
      memset (folding->last_fold, 0xff, sizeof folding->last_fold);
      memlane_trace_lane_walk (folding->trace, folding->of, whole (floor (self->from - 4 * per_pixel)),
                               whole (ceil (self->to + 4 * per_pixel)), folding->narrow, visit, folding);
      for (guint row = 0; row < MIN (lane->n_rows, MOST_ROWS); row++)
        flush (folding, row);
    }
}
