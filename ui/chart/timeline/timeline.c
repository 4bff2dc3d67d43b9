/* timeline.c: one trace or two on one time axis: what stands where
 *
 * SPDX-License-Identifier: MIT
 *
 * The frame places title, legend, time axis and the room of the lanes' titles. The sheet with
 * ghosts and lanes takes all that is left, and is scrolled where that is not enough.
 */
#include "timeline-layout.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/each.h"
#include "base/hash.h"
#include "base/owns.h"

#define AIR 0.015           /* of the whole, at either end of a fit */
#define FARTHEST 9.0e15     /* ns: where a double still tells nanoseconds apart, a hundred days */
#define LONGEST_GHOST 1.5   /* a ghost bar that ends later, in ends of the trace, is cut */

/* The figure. */
#define TITLES_SHARE 0.24  /* of the width that titles of lanes may take */
#define LEGEND_ROWS 3

/* The sheet: heights in em. */
#define ROW_LEAST 1.4         /* a row of two still has room for a name */
#define ROW_MOST 5.0
#define ROW_GAP 0.28       /* between lanes */
#define GROUP_GAP 0.9      /* between groups of lanes */
#define PART_GAP 1.4
#define GHOST_PITCH 1.5
#define ROW_TIGHT 1.05     /* instead of ROW_LEAST */
#define TIGHT 0.35         /* of the gaps */
#define SAME_WORK 0.05     /* bounds that differ less are those of one piece of work */
#define FULL_ROWS 6        /* lanes with more rows have lower ones */
#define ROW_SHARE 0.8      /* height of a row of a lane that has several */
#define LOWEST_ROW 3.0     /* px */

/* Spans. */
#define MOST_ROWS 256
#define INSTANT_WIDTH 2
#define LEAST_NAMED 2.0 /* em: narrower spans have no name */
#define LEAST_CUT 4.0   /* em: a name that is cut shorter says nothing */

/* A drawing's content. */
typedef struct
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS]; /* references; the titles are ours */
  guint n_tracks;
  MemlaneTimelineRange range;
} TraceDrawing;

/* --- time ------------------------------------------------------------------------------------- */

static void
choose_range (MemlaneTimeline *self)
{
  MemlaneRange seen = self->range.seen;
  double end = 1, air;

  for (guint i = 0; i < self->n_parts; i++)
    {
      const MemlaneTimelinePart *part = &self->parts[i];
      double last = (double) memlane_trace_get_end (part->trace);

      if (part->has_bounds)
        last = MAX (last,
                    MIN ((double) part->bounds.begin + part->bounds.serial, LONGEST_GHOST * last));
      end = MAX (end, last);
    }
  air = MAX (AIR * end, 0.25);
  self->full = (MemlaneRange) { -air, end + air };
  if (!isfinite (seen.from) || !isfinite (seen.to))
    seen = self->full;
  self->seen.from = CLAMP (MIN (seen.from, seen.to), -FARTHEST, FARTHEST - 1);
  self->seen.to = CLAMP (MAX (seen.from, seen.to), -FARTHEST, FARTHEST);
  if (self->seen.to - self->seen.from < 1)
    {
      self->seen.from = (self->seen.from + self->seen.to) / 2 - 0.5;
      self->seen.to = self->seen.from + 1;
    }
}

double
memlane_timeline_time_at (const MemlaneTimeline *self, double x)
{
  return self->seen.from
         + (x - self->frame.area.x) / self->frame.area.width * (self->seen.to - self->seen.from);
}

double
memlane_timeline_x_of (const MemlaneTimeline *self, double time)
{
  return self->frame.area.x
         + (time - self->seen.from) / (self->seen.to - self->seen.from) * self->frame.area.width;
}

/* All lanes have to be seen at once: who looks at a wall cannot scroll, and two tracks are there to
 * be compared. */
static gboolean
is_compact (const MemlaneTimeline *self)
{
  return self->n_parts > 1 || self->frame.wall;
}

/* --- the legend: what the colours and patterns mean, only what occurs ------------------------- */

/* Takes @text. */
static void
add_entry (MemlaneTimeline *self, guint8 tint, guint8 hatch, gboolean failed, char *text)
{
  memlane_frame_add_entry (&self->frame, FALSE, tint | hatch << 8 | failed << 16, text);
}

/* Whether any of the traces has a lane of this kind. */
static gboolean
has_lane (const MemlaneTimeline *self, MemlaneTraceLaneKind kind)
{
  for (guint i = 0; i < self->n_parts; i++)
    for (guint j = 0; j < self->parts[i].n_lanes; j++)
      if (self->parts[i].lanes[j].kind == kind)
        return TRUE;
  return FALSE;
}

static guint
count_kind (const MemlaneTimeline *self, MemlaneTraceKind kind, guint8 *flags)
{
  guint n = 0;

  *flags = 0;
  for (guint i = 0; i < self->n_parts; i++)
    {
      guint8 own;

      n += memlane_trace_count_kind (self->parts[i].trace, kind, &own);
      *flags |= own;
    }
  return n;
}

static void
add_kinds (MemlaneTimeline *self)
{
  static const struct
  {
    MemlaneTraceKind kind;
    guint8 flag;               /* of any of its events; 0: none is needed */
    MemlaneTraceLaneKind lane; /* that there is; 0, the phases': none is needed */
    MemlaneTint tint;
    MemlaneHatch hatch;
    gboolean always;           /* also where the streams have the colours */
    const char *text;
  } rows[] = {
    { MEMLANE_TRACE_CALL, 0, 0, MEMLANE_TINT_CALL, MEMLANE_HATCH_PLAIN, FALSE, N_("CUDA call") },
    { MEMLANE_TRACE_HOST, 0, 0, MEMLANE_TINT_HOST, MEMLANE_HATCH_PLAIN, TRUE,
      N_("host’s own work") },
    { MEMLANE_TRACE_SYNCHRONISATION, 0, 0, MEMLANE_TINT_WAIT, MEMLANE_HATCH_DIAGONAL, TRUE,
      N_("wait") },
    { MEMLANE_TRACE_SYNCHRONISATION, MEMLANE_TRACE_IMPLICIT, 0, MEMLANE_TINT_WAIT,
      MEMLANE_HATCH_DENSE, TRUE, N_("implicit wait") },
    { MEMLANE_TRACE_STAGING, 0, 0, MEMLANE_TINT_STAGING, MEMLANE_HATCH_DASHES, FALSE,
      N_("driver’s staging copy") },
    { MEMLANE_TRACE_COPY, 0, MEMLANE_TRACE_LANE_COPY_UP, MEMLANE_TINT_UP, MEMLANE_HATCH_TOP, FALSE,
      N_("copy to device") },
    { MEMLANE_TRACE_COPY, 0, MEMLANE_TRACE_LANE_COPY_DOWN, MEMLANE_TINT_DOWN, MEMLANE_HATCH_BOTTOM,
      FALSE, N_("copy to host") },
    { MEMLANE_TRACE_COPY, 0, MEMLANE_TRACE_LANE_COPY_INSIDE, MEMLANE_TINT_INSIDE,
      MEMLANE_HATCH_MIDDLE, FALSE, N_("copy on device") },
    { MEMLANE_TRACE_COPY, MEMLANE_TRACE_STAGED, 0, MEMLANE_TINT_UP, MEMLANE_HATCH_DASHES, FALSE,
      N_("staged") },
    { MEMLANE_TRACE_MEMSET, 0, 0, MEMLANE_TINT_MEMSET, MEMLANE_HATCH_MIDDLE, FALSE, N_("memset") },
    { MEMLANE_TRACE_KERNEL, 0, 0, MEMLANE_TINT_KERNEL, MEMLANE_HATCH_PLAIN, FALSE, N_("kernel") },
    { MEMLANE_TRACE_MIGRATION, 0, 0, MEMLANE_TINT_MIGRATION, MEMLANE_HATCH_LINES, FALSE,
      N_("migration of pages") },
    { MEMLANE_TRACE_FAULT, 0, 0, MEMLANE_TINT_FAULT, MEMLANE_HATCH_DOTS, FALSE,
      N_("page faults") },
    { MEMLANE_TRACE_HOST_FUNCTION, 0, 0, MEMLANE_TINT_HOST_FUNCTION, MEMLANE_HATCH_PLAIN, FALSE,
      N_("host function") },
    { MEMLANE_TRACE_OTHER, 0, 0, MEMLANE_TINT_OTHER, MEMLANE_HATCH_PLAIN, FALSE, N_("other") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint8 flags;
      guint n = count_kind (self, rows[i].kind, &flags);

      if ((rows[i].always || self->range.colours != MEMLANE_TIMELINE_BY_STREAM)
          && (rows[i].lane != 0 ? has_lane (self, rows[i].lane)
                                : n > 0 && (flags & rows[i].flag) == rows[i].flag))
        add_entry (self, rows[i].tint, rows[i].hatch, FALSE, g_strdup (_(rows[i].text)));
    }
}

/* The first track's streams; the second one's are called the same where they are the same. */
static void
add_streams (MemlaneTimeline *self)
{
  guint n = 0;
  const MemlaneTraceStream *streams = self->n_parts > 0
                                          ? memlane_trace_get_streams (self->parts[0].trace, &n)
                                          : NULL;

  for (guint i = 0; i < MIN (n, 8); i++)
    add_entry (self, memlane_span_stream_tint (self->parts[0].trace, streams[i].number),
               MEMLANE_HATCH_PLAIN, FALSE,
               memlane_timeline_stream_title (self->parts[0].trace, streams[i].number));
}

static gboolean
has_failed (const MemlaneTimeline *self)
{
  guint8 flags = 0;

  for (guint kind = 0; kind < MEMLANE_TRACE_N_KINDS && (flags & MEMLANE_TRACE_FAILED) == 0; kind++)
    count_kind (self, kind, &flags);
  return (flags & MEMLANE_TRACE_FAILED) != 0;
}

/* Makes the spans in the rows of the legend, once they have their places. */
static void
make_samples (MemlaneTimeline *self)
{
  MEMLANE_FOR_EACH_IN (const MemlaneSample, sample, self->frame.samples)
    {
      MemlaneTimelineSpan span = { .x = (int) sample->area.x,
                                   .y = (int) sample->area.y,
                                   .width = (int) sample->area.width,
                                   .height = (int) sample->area.height,
                                   .tint = sample->item & 0xff,
                                   .hatch = sample->item >> 8 & 0xff,
                                   .fullness = MEMLANE_TIMELINE_FULL,
                                   .failed = sample->item >> 16,
                                   .n = 1,
                                   .track = G_MAXUINT,
                                   .event = MEMLANE_TRACE_NONE };

      g_array_append_val (self->samples, span);
    }
}

/* --- the sheet: headings, ghosts and lanes, one below the other ------------------------------- */

static const char *const ghost_titles[MEMLANE_N_GHOSTS] = {
  [MEMLANE_GHOST_SERIAL] = N_("serial"),
  [MEMLANE_GHOST_ONE_WAY] = N_("one copy engine"),
  [MEMLANE_GHOST_FULL] = N_("ideal overlap"),
  [MEMLANE_GHOST_MEASURED] = N_("measured"),
};

static double
ghost_time (const MemlaneTraceBounds *bounds, MemlaneGhost ghost)
{
  return ghost == MEMLANE_GHOST_SERIAL    ? bounds->serial
         : ghost == MEMLANE_GHOST_ONE_WAY ? bounds->one_way
         : ghost == MEMLANE_GHOST_FULL    ? bounds->full
                                          : bounds->measured;
}

/* "device time 36.2 µs · overlap efficiency 63 %". (transfer full) */
static char *
ghost_words (const MemlaneTraceBounds *bounds, MemlaneGhost ghost)
{
  g_autofree char *time = memlane_unit_format (MEMLANE_UNIT_TIME, ghost_time (bounds, ghost), TRUE);

  if (ghost != MEMLANE_GHOST_MEASURED)
    return g_steal_pointer (&time);
  /* Translators: how long the device took for its operations */
  return g_strdup_printf (_("device time %s · overlap efficiency %.0f %%"), time,
                          100 * memlane_timeline_efficiency (bounds));
}

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

static gboolean
is_given_up (const MemlaneTimeline *self, MemlaneTraceLaneKind kind, gboolean has_engines)
{
  return (kind == MEMLANE_TRACE_LANE_PHASES && self->thrift >= MEMLANE_THRIFT_NO_PHASES)
         || (kind == MEMLANE_TRACE_LANE_STREAM && self->thrift >= MEMLANE_THRIFT_NO_STREAMS
             && has_engines);
}

/* px of a gap of @em em. */
static double
gap_of (const MemlaneTimeline *self, double em)
{
  return MAX (round (em * self->frame.em * (self->thrift >= MEMLANE_THRIFT_TIGHT ? TIGHT : 1)), 2);
}

static void
add_lanes (MemlaneTimeline *self, guint track, double *y)
{
  const MemlaneTimelinePart *part = &self->parts[track];
  gboolean has_engines = FALSE, is_first = TRUE;
  Group before = GROUP_HOST;

  for (guint i = 0; i < part->n_lanes;
       i++) /* an operation lies in its stream's lane and in its engine's */
    has_engines = has_engines || group_of (part->lanes[i].kind) == GROUP_ENGINES;
  for (guint i = 0; i < part->n_lanes; i++)
    {
      const MemlaneTraceLane *of = &part->lanes[i];
      MemlaneTimelineLane lane = { .track = track,
                                   .lane = i,
                                   .of = of,
                                   .group = group_of (of->kind),
                                   .n_rows = MAX (of->n_rows, 1) };

      if (is_given_up (self, of->kind, has_engines))
        continue;
      if (!is_first)
        *y += gap_of (self, lane.group != before ? GROUP_GAP : ROW_GAP);
      is_first = FALSE;
      before = lane.group;
      lane.y = *y;
      lane.pitch = pitch_of (lane.n_rows, self->row);
      lane.row_height = lane.n_rows == 1              ? self->row
                        : lane.pitch > 2 * LOWEST_ROW ? lane.pitch - 2
                                                      : lane.pitch - 1;
      lane.height = lane.n_rows == 1 ? self->row : lane.n_rows * lane.pitch;
      *y += lane.height;
      g_array_append_val (self->lanes, lane);
    }
}

static gboolean
is_near (double a, double b)
{
  return fabs (a - b) <= SAME_WORK * MAX (a, b);
}

/* Whether one row of ideal schedules is true of both tracks. */
static gboolean
share_bounds (const MemlaneTimeline *self)
{
  const MemlaneTimelinePart *one = &self->parts[0], *other = &self->parts[1];

  return self->n_parts > 1 && one->has_bounds && other->has_bounds
         && is_near (one->bounds.serial, other->bounds.serial)
         && is_near (one->bounds.one_way, other->bounds.one_way)
         && is_near (one->bounds.full, other->bounds.full)
         && fabs ((double) (one->bounds.begin - other->bounds.begin))
                <= SAME_WORK * one->bounds.serial;
}

static void
place_ghosts (MemlaneTimeline *self, MemlaneTimelinePart *part, guint n_rows, double *y)
{
  part->ghosts_y = *y;
  part->n_ghost_rows = n_rows;
  if (n_rows > 0)
    *y += n_rows * self->ghost_pitch + gap_of (self, GROUP_GAP);
}

static void
place_lanes (MemlaneTimeline *self, double row)
{
  double y = self->n_parts > 1 ? gap_of (self, 0.4) : 0;
  gboolean shared = share_bounds (self),
           one_row = self->n_parts > 1 || self->thrift >= MEMLANE_THRIFT_ONE_IDEAL_ROW;

  self->row = row;
  self->ghost_pitch = round (GHOST_PITCH * self->frame.em);
  g_array_set_size (self->lanes, 0);
  if (shared)
    place_ghosts (self, &self->parts[0], 1, &y);
  for (guint i = 0; i < self->n_parts; i++)
    {
      MemlaneTimelinePart *part = &self->parts[i];

      if (i > 0)
        y += gap_of (self, PART_GAP);
      part->y = y;
      y += self->n_parts > 1
               ? round ((self->thrift >= MEMLANE_THRIFT_TIGHT ? 1.3 : 1.6) * self->frame.line)
               : gap_of (self, 0.4);
      part->grid_y = y;
      if (!shared || i > 0)
        place_ghosts (self, part,
                      shared || !part->has_bounds ? 0
                      : one_row                   ? 1
                                                  : MEMLANE_N_GHOSTS,
                      &y);
      add_lanes (self, i, &y);
      part->height = y - part->y;
    }
  self->sheet_height = y + gap_of (self, 0.4);
}

/* Rows of the height that fits @room best. FALSE: the lowest are too high. */
static gboolean
fit_rows (MemlaneTimeline *self, MemlaneTimelineThrift thrift, double room)
{
  double least = round ((thrift >= MEMLANE_THRIFT_TIGHT ? ROW_TIGHT : ROW_LEAST) * self->frame.em);
  double most = round (ROW_MOST * self->frame.em);

  self->thrift = thrift;
  place_lanes (self, most);
  /* Heights are whole pixels, so that no line is blurred: a few steps, not a formula. */
  while (self->sheet_height > room && self->row > least)
    place_lanes (self, self->row - 1);
  return self->sheet_height <= room;
}

/* Heading, ghosts and lanes on the sheet. */
static void
place_sheet (MemlaneTimeline *self, double room)
{
  for (guint thrift = MEMLANE_THRIFT_NONE; thrift < MEMLANE_N_THRIFTS; thrift++)
    if (fit_rows (self, thrift, room) || !is_compact (self))
      return;
  if (!self->frame.wall)
    fit_rows (self, MEMLANE_THRIFT_NONE, room); /* it scrolls anyway: then nothing is missing */
}

/* --- words ------------------------------------------------------------------------------------ */

/* A frame of a long trace has hundreds of names, few of them different. Each is laid out once.
 * (transfer none) */
static PangoLayout *
get_label (const MemlaneTimeline *self, const char *words)
{
  PangoLayout *label = g_hash_table_lookup (self->labels, words);

  if (label == NULL)
    {
      label = memlane_frame_make_text (&self->frame, self->frame.style.text_size, FALSE, words);
      g_hash_table_insert (self->labels, g_strdup (words), label);
    }
  return label;
}

/* px */
static double
measure_words (const MemlaneTimeline *self, const char *words)
{
  return memlane_figure_text_width (get_label (self, words));
}

static double
measure_titles (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  MemlaneTimeline *self = (MemlaneTimeline *) frame;
  double widest = is_compact (self) ? measure_words (self, _("ideal schedules")) : 0;

  for (guint i = 0; i < self->n_parts; i++)
    {
      const MemlaneTimelinePart *part = &self->parts[i];

      for (guint j = 0; j < MIN (part->n_lanes, 64); j++)
        {
          g_autofree char *title = memlane_timeline_lane_title (part->trace, &part->lanes[j]);

          widest = MAX (widest, measure_words (self, title));
        }
      for (guint j = 0; part->has_bounds && j < MEMLANE_N_GHOSTS; j++)
        widest = MAX (widest, measure_words (self, _(ghost_titles[j])));
    }
  self->titles_width = MIN (ceil (widest), floor (TITLES_SHARE * frame->width));
  return self->titles_width > 0 ? self->titles_width + round (0.8 * frame->em) : 0;
}

static gboolean
is_in_range (const MemlaneTimeline *self, double y, double height)
{
  return y + height > self->scroll && y < self->scroll + self->frame.area.height;
}

/* Places the text in the middle of @height. */
static void
place_title (MemlaneTimeline *self, guint role, const char *text, double y, double height,
             const MemlaneColor *color)
{
  PangoLayout *layout;

  if (self->titles_width <= 0)
    return;
  layout = memlane_frame_make_text (&self->frame, self->frame.style.text_size, FALSE, text);
  memlane_figure_limit_text (layout, self->titles_width);
  memlane_frame_place_text (&self->frame, role, layout, self->frame.pad,
                            y + floor ((height - memlane_figure_text_height (layout)) / 2), color);
}

/* Says how near the trace comes to the ideal schedules, then its facts; on the wall only the
 * former, or its length. (transfer full) */
static char *
part_words (const MemlaneTimeline *self, const MemlaneTimelinePart *part)
{
  g_autofree char *info = NULL,
                  *measured = part->has_bounds ? ghost_words (&part->bounds, MEMLANE_GHOST_MEASURED)
                                               : NULL;

  if (self->frame.wall)
    return measured != NULL
               ? g_steal_pointer (&measured)
               : memlane_unit_format (MEMLANE_UNIT_TIME,
                                      (double) memlane_trace_get_end (part->trace), TRUE);
  info = memlane_timeline_info (part->trace);
  return measured != NULL ? g_strdup_printf ("%s · %s", measured, info) : g_steal_pointer (&info);
}

static void
place_heading (MemlaneTimeline *self, MemlaneTimelinePart *part)
{
  MemlaneFrame *frame = &self->frame;
  double left = frame->pad, right = frame->area.x + frame->area.width, width, height;
  PangoLayout *title = memlane_frame_make_text (frame, 1.1 * frame->style.text_size, TRUE,
                                                part->title),
              *detail;
  g_autofree char *info = part_words (self, part);
  const MemlaneTimelinePart *other = part == &self->parts[0] ? &self->parts[1] : &self->parts[0];

  /* One of two traces is simulated: the figure's badge does not say which. */
  if (memlane_trace_get_info (part->trace)->simulated
      && !memlane_trace_get_info (other->trace)->simulated && right - left > 24 * frame->em)
    {
      PangoLayout *badge = memlane_frame_make_text (frame, frame->style.text_size, TRUE,
                                                    C_("figure", "SIMULATED"));
      MemlaneColor on_badge = memlane_figure_text_on (&frame->style, &frame->style.simulated);

      memlane_figure_measure_text (badge, &width, &height);
      part->badge = (MemlaneRectangle) { right - ceil (width + 1.1 * frame->em), part->y,
                                        ceil (width + 1.1 * frame->em),
                                        ceil (height + 0.2 * frame->em) };
      memlane_frame_place_text (frame, MEMLANE_WORDS_DETAIL, badge,
                                part->badge.x + (part->badge.width - width) / 2,
                                part->y + (part->badge.height - height) / 2, &on_badge);
      right = part->badge.x - frame->em;
    }
  memlane_figure_limit_text (
      title, MAX (right - left - (frame->wall ? measure_words (self, info) + frame->em : 0), 1));
  memlane_figure_measure_text (title, &width, &height);
  memlane_frame_place_text (frame, MEMLANE_WORDS_HEADING, title, left, part->y, &frame->style.text);
  left += width + frame->em;
  if (right - left > 8 * frame->em)
    {
      detail = memlane_frame_make_text (frame, frame->style.text_size, FALSE, info);
      memlane_figure_limit_text (detail, right - left);
      memlane_frame_place_text (frame, MEMLANE_WORDS_DETAIL, detail, left,
                                part->y + floor (height - memlane_figure_text_height (detail)),
                                &frame->style.faint);
    }
}

/* "ideal overlap 157 µs, one copy engine 236 µs, serial 259 µs". (transfer full) */
static char *
all_ghosts_words (const MemlaneTraceBounds *bounds)
{
  g_autofree char *serial = ghost_words (bounds, MEMLANE_GHOST_SERIAL),
                  *one_way = ghost_words (bounds, MEMLANE_GHOST_ONE_WAY);
  g_autofree char *full = ghost_words (bounds, MEMLANE_GHOST_FULL);

  /* Translators: how long the work takes by three ideal schedules */
  return g_strdup_printf (_("ideal overlap %s, one copy engine %s, serial %s"), full, one_way,
                          serial);
}

/* Places the words of a ghost bar: inside it, or to its right where it is too short. */
static void
place_bound (MemlaneTimeline *self, const MemlaneTimelinePart *part, MemlaneGhost ghost, double y)
{
  g_autofree char *text = part->n_ghost_rows == 1 ? all_ghosts_words (&part->bounds)
                                                  : ghost_words (&part->bounds, ghost);
  double left = memlane_timeline_x_of (self, (double) part->bounds.begin),
         edge = self->frame.area.x + self->frame.area.width;
  double right = memlane_timeline_x_of (self, (double) part->bounds.begin
                                                  + ghost_time (&part->bounds, ghost));
  double width, height, gap = round (0.45 * self->frame.em), x;
  PangoLayout *layout;

  if (right < self->frame.area.x || left > edge)
    return;
  left = MAX (left, self->frame.area.x);
  layout = memlane_frame_make_text (&self->frame, self->frame.style.text_size,
                                    ghost == MEMLANE_GHOST_MEASURED, text);
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
  memlane_frame_place_text (&self->frame, MEMLANE_WORDS_BOUND, layout, floor (x),
                            y + floor ((self->ghost_pitch - 2 - height) / 2),
                            &self->frame.style.text);
}

/* Their words, once the area stands. */
static void
place_sheet_words (MemlaneTimeline *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      MemlaneTimelinePart *part = &self->parts[i];

      if (self->n_parts > 1 && is_in_range (self, part->y, 2 * self->frame.line))
        place_heading (self, part);
      for (guint j = 0; j < part->n_ghost_rows; j++)
        {
          double y = part->ghosts_y + j * self->ghost_pitch;

          if (!is_in_range (self, y, self->ghost_pitch))
            continue;
          place_title (self, MEMLANE_WORDS_GHOST,
                       part->n_ghost_rows == 1 ? _("ideal schedules") : _ (ghost_titles[j]), y,
                       self->ghost_pitch - 2, &self->frame.style.faint);
          place_bound (self, part, j, y);
        }
    }
  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, self->lanes)
    if (is_in_range (self, lane->y, lane->height))
      {
        g_autofree char *title = memlane_timeline_lane_title (self->parts[lane->track].trace,
                                                              lane->of);

        /* Beside the first row, also where there are many. */
        place_title (self, MEMLANE_WORDS_LANE, title, lane->y,
                     MIN (lane->height, MAX (self->row, lane->pitch)), &self->frame.style.text);
      }
}

/* --- spans: events become rectangles; what is too narrow to tell apart becomes one ------------ */

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
  const MemlaneTimelinePart *part;
  double narrow;               /* ns */
  Gathered rows[MOST_ROWS];
  int last_fold[MOST_ROWS];    /* index of the row's last span if it is a fold, else -1 */
} Folding;

/* px, kept where an int has room; far outside of what is seen it does not matter where. */
static int
pixel_of (const MemlaneTimeline *self, double time)
{
  double x = memlane_timeline_x_of (self, time);

  return (int) round (
      CLAMP (x, self->frame.area.x - 64, self->frame.area.x + self->frame.area.width + 64));
}

/* Adds the span of @row whose event is known, from @left to @right px. FALSE: none of it lies
 * inside the area. */
static gboolean
place_span (const Folding *folding, guint row, double start, double end, MemlaneTimelineSpan *span)
{
  const MemlaneTimeline *self = folding->self;
  int from = (int) floor (self->frame.area.x),
      to = (int) ceil (self->frame.area.x + self->frame.area.width);
  int left = pixel_of (self, start), right = MAX (pixel_of (self, end), left + 1);
  MemlaneSpanStyle style;

  if (right <= from || left >= to)
    return FALSE;
  style = memlane_span_style_of (folding->part->trace, &folding->part->events[span->event],
                                 self->range.colours);
  span->tint = style.tint;
  span->hatch = style.hatch;
  span->failed = style.failed;
  span->open_left = left < from;
  span->open_right = right > to;
  span->x = MAX (left, from);
  span->width = MIN (right, to) - span->x;
  span->track = folding->lane->track;
  span->y = (int) round (memlane_timeline_row_y (folding->lane, row));
  span->height = MAX ((int) round (folding->lane->row_height), 1);
  return TRUE;
}

static void
flush_row (Folding *folding, guint row)
{
  MemlaneTimeline *self = folding->self;
  Gathered *gathered = &folding->rows[row];
  MemlaneTimelineSpan span = { .n = gathered->n,
                               .event = gathered->longest,
                               .folded = gathered->n > 1,
                               .fullness = MEMLANE_TIMELINE_FULL };
  double length = (double) (gathered->end - gathered->start);
  int last = folding->last_fold[row];

  if (gathered->n == 0)
    return;
  gathered->n = 0;
  if (!place_span (folding, row, (double) gathered->start, (double) gathered->end, &span))
    return;
  span.instant = span.n == 1 && folding->part->events[span.event].duration == 0;
  if (span.folded && length > 0)
    span.fullness = (guint8) CLAMP (ceil (4 * gathered->busy / length) - 1, 0,
                                    MEMLANE_TIMELINE_FULL);
  if (span.instant)
    span.width = MAX (span.width, INSTANT_WIDTH);
  if (last >= 0 && !span.instant)
    {
      MemlaneTimelineSpan *before = &g_array_index (self->spans, MemlaneTimelineSpan, last);

      /* Runs of folds that look the same are one rectangle, and a quarter more or less is no other
       * look. */
      if (before->x + before->width >= span.x - 1 && before->tint == span.tint
          && before->hatch == span.hatch
          && ABS (before->fullness - span.fullness) <= (before->folded && span.folded)
          && before->failed == span.failed)
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
gather (Folding *folding, guint row, guint32 id)
{
  const MemlaneTraceEvent *event = &folding->part->events[id];
  Gathered *gathered = &folding->rows[row];
  double cell = floor ((double) event->start / folding->narrow);

  if (gathered->n > 0 && gathered->cell != cell)
    flush_row (folding, row);
  if (gathered->n == 0)
    *gathered = (Gathered) { .cell = cell, .start = event->start, .end = event->start,
                            .longest_duration = -1 };
  gathered->end = MAX (gathered->end, event->start + event->duration);
  gathered->busy += (double) event->duration;
  gathered->n++;
  if (event->duration > gathered->longest_duration)
    {
      gathered->longest = id;
      gathered->longest_duration = event->duration;
    }
}

static void
add_name (Folding *folding, const MemlaneTimelineSpan *span)
{
  MemlaneTimeline *self = folding->self;
  double gap = MAX (round (0.35 * self->frame.em), 3), room = span->width - 2 * gap, width = 0,
         height = 0;
  MemlaneSpanName name = { .x = span->x + gap, .width = room };
  MemlaneColor ground;

  if (span->width < LEAST_NAMED * self->frame.em || span->height < self->frame.em)
    return;
  /* The longest that fits; the shortest may be cut on a screen. */
  for (guint length = MEMLANE_NAME_LONG; length < MEMLANE_N_NAME_LENGTHS; length++)
    {
      g_autofree char *text = memlane_timeline_span_name (folding->part->trace, span->event,
                                                          length);

      name.layout = get_label (self, text);
      memlane_figure_measure_text (name.layout, &width, &height);
      if (width <= room)
        break;
    }
  /* The wall has nobody to point at a name that is cut. */
  if (width > room && (self->frame.wall || room < LEAST_CUT * self->frame.em))
    return;
  name.layout = width > room ? pango_layout_copy (name.layout) : g_object_ref (name.layout);
  memlane_figure_limit_text (name.layout, room);
  name.y = span->y + floor ((span->height - height) / 2);
  ground = memlane_span_tint_color (span->tint, &self->frame.style);
  name.color = memlane_figure_text_on (&self->frame.style, &ground);
  g_array_append_val (self->names, name);
}

static void
add_wide (Folding *folding, guint row, guint32 id)
{
  const MemlaneTraceEvent *event = &folding->part->events[id];
  MemlaneTimelineSpan span = { .n = 1, .event = id, .fullness = MEMLANE_TIMELINE_FULL };
  double start = (double) event->start;

  flush_row (folding, row);
  folding->last_fold[row] = -1;
  if (!place_span (folding, row, start, start + (double) event->duration, &span))
    return;
  /* A gap of a pixel between neighbours, which often follow each other at once. */
  if (span.width > 4 && !span.open_right)
    span.width--;
  g_array_append_val (folding->self->spans, span);
  add_name (folding, &span);
}

/* Adds the events that touch @seen. */
static void
fold (Folding *folding, MemlaneRange seen)
{
  const MemlaneTraceLane *lane = folding->lane->of;

  for (guint i = 0; i < lane->n_events; i++)
    {
      const MemlaneTraceEvent *event = &folding->part->events[lane->events[i]];

      if ((double) event->start > seen.to)
        break;
      if ((double) (event->start + event->duration) < seen.from)
        continue;
      if ((double) event->duration < folding->narrow)
        gather (folding, lane->rows[i], lane->events[i]);
      else
        add_wide (folding, lane->rows[i], lane->events[i]);
    }
  for (guint row = 0; row < MIN (lane->n_rows, MOST_ROWS); row++)
    flush_row (folding, row);
}

static void
place_spans (MemlaneTimeline *self)
{
  g_autofree Folding *folding = g_new (Folding, 1);
  double per_pixel = (self->seen.to - self->seen.from) / self->frame.area.width;

  MEMLANE_FOR_EACH_IN (const MemlaneTimelineLane, lane, self->lanes)
    {
      if (!is_in_range (self, lane->y, lane->height))
        continue;
      *folding = (Folding) { .self = self, .lane = lane, .part = &self->parts[lane->track],
                             .narrow = MEMLANE_TIMELINE_NARROW * per_pixel };
      memset (folding->last_fold, 0xff, sizeof folding->last_fold);
      fold (folding, (MemlaneRange) { self->seen.from - 4 * per_pixel,
                                      self->seen.to + 4 * per_pixel });
    }
}

/* --- the frame -------------------------------------------------------------------------------- */

static double
measure_axis (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small)
{
  MemlaneTimeline *self = (MemlaneTimeline *) frame;

  self->axis.height = frame->line + round (0.5 * frame->em);
  return self->axis.height;
}

static const MemlaneBand bands[] = {
  { MEMLANE_TEXT_TITLE, MEMLANE_SIDE_TOP, 3 },
  { MEMLANE_TEXT_SUBTITLE, MEMLANE_SIDE_TOP, 5 },
  { MEMLANE_TEXT_LEGEND, MEMLANE_SIDE_TOP, 4, 6 },
  { MEMLANE_TEXT_X_TICK, MEMLANE_SIDE_TOP, 1, 0, measure_axis },
  { MEMLANE_WORDS_LANE, MEMLANE_SIDE_LEFT, 2, 0, measure_titles },
};

/* Two tracks have their titles on the sheet, and the figure has their comparison. */
static void
fit_frame (MemlaneTimeline *self)
{
  MemlaneFrame *frame = &self->frame;

  for (guint i = 0; i < self->n_parts; i++)
    frame->simulated = frame->simulated || memlane_trace_get_info (self->parts[i].trace)->simulated;
  frame->title = g_strdup (self->headline != NULL ? self->headline
                           : self->n_parts == 1   ? self->parts[0].title
                                                  : NULL);
  if (self->n_parts == 1)
    {
      g_autofree char *info = memlane_timeline_info (self->parts[0].trace);

      frame->subtitle = self->headline != NULL
                            ? g_strdup_printf ("%s · %s", self->parts[0].title, info)
                            : g_steal_pointer (&info);
    }
  frame->least_width = 0.5 * frame->width;
  frame->least_height = MAX (MIN (8 * frame->em, 0.6 * frame->height), 0.42 * frame->height);
  frame->sample_width = round (1.9 * frame->em);
  frame->sample_height = round (1.05 * frame->em);
  frame->legend_rows = is_compact (self) ? 1 : LEGEND_ROWS;
  add_kinds (self);
  if (self->range.colours == MEMLANE_TIMELINE_BY_STREAM)
    add_streams (self);
  if (has_failed (self))
    add_entry (self, MEMLANE_TINT_CALL, MEMLANE_HATCH_PLAIN, TRUE, g_strdup (_("failed")));
  memlane_frame_fit (frame, bands, self->n_parts > 0 ? G_N_ELEMENTS (bands) : 0);
  if (!memlane_frame_has (frame, MEMLANE_WORDS_LANE))
    self->titles_width = 0;
  if (!memlane_frame_has (frame, MEMLANE_TEXT_X_TICK))
    self->axis.height = 0;
  self->axis = (MemlaneRectangle) { frame->area.x, frame->area.y - self->axis.height,
                                   frame->area.width, self->axis.height };
}

/* --- the axis --------------------------------------------------------------------------------- */

/* Makes as many ticks as have room for their labels. */
static void
make_ticks (MemlaneTimeline *self)
{
  MemlaneScale scale = { MEMLANE_SCALE_LINEAR, self->seen.from, self->seen.to };
  guint most = (guint) CLAMP (self->frame.area.width / (5 * self->frame.em), 1, 16);

  for (;; most--)
    {
      double before = -INFINITY;
      gboolean fits = TRUE;

      g_clear_pointer (&self->ticks, g_array_unref);
      self->ticks = memlane_scale_ticks (&scale, MEMLANE_UNIT_TIME, most);
      MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, self->ticks)
        {
          double width, x;

          if (tick->label == NULL)
            continue;
          width = measure_words (self, tick->label);
          x = memlane_timeline_x_of (self, tick->value) - width / 2;
          fits = fits && x > before + self->frame.em;
          before = x + width;
        }
      if (fits || most <= 1)
        return;
    }
}

static void
place_ticks (MemlaneTimeline *self)
{
  MemlaneFrame *frame = &self->frame;

  MEMLANE_FOR_EACH_IN (const MemlaneTick, tick, self->ticks)
    {
      g_autoptr (PangoLayout) layout = NULL;
      double width, x;

      if (self->axis.height <= 0 || tick->label == NULL)
        continue;
      layout = memlane_frame_make_text (frame, frame->style.text_size, FALSE, tick->label);
      width = memlane_figure_text_width (layout);
      x = memlane_timeline_x_of (self, tick->value) - width / 2;
      if (x >= 0 && x + width <= frame->width)
        memlane_frame_place_text (frame, MEMLANE_TEXT_X_TICK, g_steal_pointer (&layout), x,
                                  self->axis.y, &frame->style.text);
    }
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_CLEAR (MemlaneSpanName, static void clear_name (gpointer data),
                      OWNS (layout, g_object_unref))

MEMLANE_DEFINE_FREE (
    MemlaneTimeline, void memlane_timeline_free (MemlaneTimeline *data),
    for (guint i = 0; i < self->n_parts; i++) {
      memlane_trace_unref (self->parts[i].trace);
      g_free (self->parts[i].title);
    } OWNS (headline, g_free) OWNS (ticks, g_array_unref) OWNS (lanes, g_array_unref)
        OWNS (samples, g_array_unref) OWNS (spans, g_array_unref) OWNS (names, g_array_unref)
            OWNS (labels, g_hash_table_unref) memlane_frame_clear (&self->frame);)

/* Prepares all that does not depend on the rest of the figure. */
static MemlaneTimeline *
timeline_new (const TraceDrawing *drawing, const MemlaneStyle *style, double width, double height,
              PangoContext *pango)
{
  MemlaneTimeline *self = g_new (MemlaneTimeline, 1);

  *self = (MemlaneTimeline) {
    .range = drawing->range,
    .n_parts = drawing->n_tracks,
    .headline = g_strdup (drawing->tracks[0].headline),
    .lanes = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineLane)),
    .samples = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineSpan)),
    .spans = g_array_new (FALSE, TRUE, sizeof (MemlaneTimelineSpan)),
    .names = g_array_new (FALSE, TRUE, sizeof (MemlaneSpanName)),
    .labels = g_hash_table_new_full (memlane_hash_text, g_str_equal, g_free, g_object_unref),
  };
  memlane_frame_init (&self->frame, style, width, height, pango);
  g_array_set_clear_func (self->names, clear_name);
  for (guint i = 0; i < self->n_parts; i++)
    {
      MemlaneTimelinePart *part = &self->parts[i];

      part->trace = memlane_trace_ref (drawing->tracks[i].trace);
      part->events = memlane_trace_get_events (part->trace, &part->n_events);
      part->lanes = memlane_trace_get_lanes (part->trace, &part->n_lanes);
      part->title = drawing->tracks[i].title != NULL ? g_strdup (drawing->tracks[i].title)
                                                     : memlane_timeline_plain_title (part->trace);
      part->has_bounds = memlane_trace_compute_bounds (part->trace, &part->bounds)
                         && self->range.ghosts;
    }
  choose_range (self);
  return self;
}

/* --- what others may know --------------------------------------------------------------------- */

MemlaneTimelineSight
memlane_timeline_get_sight (const MemlaneTimeline *self)
{
  return (MemlaneTimelineSight) { &self->frame.area, self->seen, self->full, self->scroll,
                                  self->most_scroll };
}

/* --- the figure as others draw it ------------------------------------------------------------- */

static gpointer
lay_out (gconstpointer content, const MemlaneStyle *style, double width, double height,
         PangoContext *pango)
{
  MemlaneTimeline *self = timeline_new (content, style, width, height, pango);

  fit_frame (self);
  memlane_frame_place (&self->frame);
  make_samples (self);
  place_sheet (self, self->frame.area.height);
  self->most_scroll = MAX (ceil (self->sheet_height - self->frame.area.height), 0);
  self->scroll = isfinite (self->range.scroll)
                     ? round (CLAMP (self->range.scroll, 0, self->most_scroll))
                     : 0;
  make_ticks (self);
  place_ticks (self);
  place_sheet_words (self);
  place_spans (self);
  if (self->lanes->len == 0)
    memlane_frame_place_empty (&self->frame,
                               self->n_parts == 0
                                   ? _("No trace is shown. Record one, or open a trace file.")
                                   : _("The trace holds no event: nothing was recorded."));
  return self;
}

static double
measure_height (gconstpointer content, const MemlaneStyle *style, double width, PangoContext *pango)
{
  TraceDrawing whole = *(const TraceDrawing *) content;
  MemlaneTimeline *self;
  double height;

  /* A figure whose height is usual for its width says how large its text is; what it lacks in
   * height is then added. */
  whole.range = (MemlaneTimelineRange) MEMLANE_TIMELINE_FIT;
  self = timeline_new (&whole, style, width, width * 9 / 16, pango);
  fit_frame (self);
  place_sheet (self, INFINITY);
  height = self->frame.area.y + self->sheet_height + self->frame.pad;
  memlane_timeline_free (self);
  return ceil (height);
}

static char *
name_drawing (gconstpointer content)
{
  const TraceDrawing *self = content;
  const MemlaneTraceInfo *info = self->n_tracks > 0 ? memlane_trace_get_info (self->tracks[0].trace)
                                                    : NULL;

  if (info == NULL || info->mode == NULL)
    return g_strdup ("timeline");
  if (info->log2_elements == 0 && info->elements > 0)
    return g_strdup_printf ("timeline-%s-%" G_GUINT64_FORMAT, info->mode, info->elements);
  return g_strdup_printf ("timeline-%s-2p%u", info->mode, info->log2_elements);
}

/* "Pinned ... | Pageable ..." */
static char *
get_drawing_title (gconstpointer content)
{
  const TraceDrawing *self = content;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n_tracks; i++)
    {
      const MemlaneTimelineTrack *track = &self->tracks[i];
      g_autofree char *title = track->title != NULL ? g_strdup (track->title)
                                                    : memlane_timeline_title (track->trace);

      g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", title);
    }
  return g_string_free (text, FALSE);
}

static char *
describe_drawing (gconstpointer content)
{
  const TraceDrawing *self = content;

  return memlane_timeline_describe (self->tracks, self->n_tracks);
}

static char *
write_drawing (gconstpointer content)
{
  const TraceDrawing *self = content;
  GString *text = g_string_new ("trace,lane,name,start_ns,duration_ns,bytes,stream\n");

  for (guint i = 0; i < self->n_tracks; i++)
    {
      guint n_lanes;
      const MemlaneTraceLane *lanes = memlane_trace_get_lanes (self->tracks[i].trace, &n_lanes);

      MEMLANE_FOR_EACH_OF (const MemlaneTraceEvent, event, n,
                           memlane_trace_get_events (self->tracks[i].trace, &n))
        {
          g_string_append_printf (text, "%u,%s,", i + 1,
                                  lanes[MIN (event->lane, n_lanes - 1)].title);
          memlane_drawing_append_csv (text,
                                      memlane_trace_get_name (self->tracks[i].trace, event->name));
          g_string_append_printf (
              text, ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GUINT64_FORMAT ",",
              event->start, event->duration, event->bytes);
          if (event->stream != MEMLANE_TRACE_NO_STREAM)
            g_string_append_printf (text, "%u", event->stream);
          g_string_append_c (text, '\n');
        }
    }
  return g_string_free (text, FALSE);
}

MEMLANE_DEFINE_FREE (TraceDrawing, static void free_drawing (gpointer data),
                     for (guint i = 0; i < self->n_tracks; i++)
                       {
                         memlane_trace_unref (self->tracks[i].trace);
                         g_free ((char *) self->tracks[i].title);
                         g_free ((char *) self->tracks[i].headline);
                       })

MemlaneDrawing *
memlane_timeline_drawing_new (const MemlaneTimelineTrack *tracks, guint n_tracks,
                              const MemlaneTimelineRange *range)
{
  static const MemlaneDrawingClass klass = {
    .layout = lay_out,
    .draw = (void (*) (gconstpointer, cairo_t *)) memlane_timeline_draw,
    .free_layout = (GDestroyNotify) memlane_timeline_free,
    .measure_height = measure_height,
    .name = name_drawing,
    .title = get_drawing_title,
    .describe = describe_drawing,
    .to_csv = write_drawing,
    .free = free_drawing,
  };
  TraceDrawing *self = g_new0 (TraceDrawing, 1);

  self->range = range != NULL ? *range : (MemlaneTimelineRange) MEMLANE_TIMELINE_FIT;
  self->n_tracks = MIN (n_tracks, MEMLANE_TIMELINE_MOST_TRACKS);
  for (guint i = 0; i < self->n_tracks; i++)
    self->tracks[i] = (MemlaneTimelineTrack) { memlane_trace_ref (tracks[i].trace),
                                              g_strdup (tracks[i].title),
                                              g_strdup (tracks[i].headline) };
  return memlane_drawing_new (&klass, self);
}
