/* timeline-layout.h: what a laid-out timeline keeps
 *
 * SPDX-License-Identifier: MIT
 *
 * Made by a drawing of traces alone; read by whoever draws it, finds what lies under the pointer,
 * or prints it.
 * Two systems of places: of the figure, and of the sheet, which holds headings, ghosts and lanes
 * and is moved up by the scroll. A y of the sheet is one of the figure after
 * memlane_timeline_sheet_y().
 */
#pragma once

#include "chart/frame.h"
#include "chart/scale.h"
#include "span-style.h"
#include "timeline.h"

#define MEMLANE_TIMELINE_NARROW 3.0 /* px: what is narrower is folded */

/* A fold is so full, in quarters; a span of its own is full. */
#define MEMLANE_TIMELINE_FULL 3

/* A rectangle in whole px. y: on the sheet; of the legend's samples in the figure. */
typedef struct
{
  int x, y, width, height;
  guint8 tint, hatch, fullness;
  gboolean failed, folded, instant;
  gboolean open_left, open_right; /* it goes on beyond the edge of what is seen */
  guint n;                        /* events */
  guint track;
  guint32 event;                  /* the longest */
} MemlaneTimelineSpan;

/* The name inside a span: @x and @y, of its top, are on the sheet; @width is what it may take. */
typedef struct
{
  PangoLayout *layout; /* owned */
  double x, y, width;
  MemlaneColor color;
} MemlaneSpanName;

/* The timeline's own pieces of text, on the sheet. */
enum
{
  MEMLANE_WORDS_HEADING = MEMLANE_TEXT_CONTENT,
  MEMLANE_WORDS_DETAIL,  /* beside a heading */
  MEMLANE_WORDS_LANE,
  MEMLANE_WORDS_GHOST,
  MEMLANE_WORDS_BOUND,   /* in or beside a ghost bar */
};

typedef struct
{
  guint track, lane;   /* index in the trace */
  const MemlaneTraceLane *of; /* that lane */
  guint group;         /* lanes of a group stand closer together */
  double y, height;    /* on the sheet */
  double pitch, row_height;
  guint n_rows;
} MemlaneTimelineLane;

/* The parts that a sheet gives up, one after the other, where all lanes have to be seen at once: on
 * the wall, and with two tracks. */
typedef enum
{
  MEMLANE_THRIFT_NONE,
  MEMLANE_THRIFT_NO_PHASES,
  MEMLANE_THRIFT_ONE_IDEAL_ROW, /* instead of a bar for each schedule; always with two tracks */
  MEMLANE_THRIFT_NO_STREAMS,    /* where the engines' lanes show the same operations */
  MEMLANE_THRIFT_TIGHT,         /* smaller gaps, lower rows */
  MEMLANE_N_THRIFTS
} MemlaneTimelineThrift;

/* Ideal schedules and the measured one. */
typedef enum
{
  MEMLANE_GHOST_SERIAL,
  MEMLANE_GHOST_ONE_WAY,
  MEMLANE_GHOST_FULL,
  MEMLANE_GHOST_MEASURED,
  MEMLANE_N_GHOSTS
} MemlaneGhost;

typedef struct
{
  MemlaneTrace *trace; /* owned */
  const MemlaneTraceEvent *events; /* and lanes: the trace's */
  const MemlaneTraceLane *lanes;
  guint n_events, n_lanes;
  char *title;         /* owned */
  gboolean has_bounds; /* and its ghosts are shown */
  MemlaneTraceBounds bounds;
  double y, height;    /* on the sheet, with its heading */
  double grid_y;       /* below its heading: where its grid begins */
  double ghosts_y;
  /* MEMLANE_N_GHOSTS: a bar each; 1: all ideal schedules in one; 0: none, or those of the other
   * track are its own */
  guint n_ghost_rows;
  MemlaneRectangle badge; /* beside its heading, on the sheet; width 0: none */
} MemlaneTimelinePart;

struct _MemlaneTimeline
{
  MemlaneFrame frame;     /* its area is where spans are drawn */
  MemlaneTimelinePart parts[MEMLANE_TIMELINE_MOST_TRACKS];
  guint n_parts;
  char *headline;         /* owned (nullable) */
  MemlaneTimelineRange range;
  GHashTable *labels;     /* (element-type utf8 PangoLayout): words that may stand at many places */

  MemlaneRange seen, full; /* ns */
  double scroll, most_scroll;
  double sheet_height;
  MemlaneTimelineThrift thrift;
  double row;             /* height of a lane's row */
  double ghost_pitch;
  double titles_width;    /* of the lanes' titles; 0: there are none */
  MemlaneRectangle axis;  /* ticks and their labels, above the area */
  GArray *ticks;          /* (element-type MemlaneTick) */
  GArray *lanes;          /* (element-type MemlaneTimelineLane), top down */
  GArray *samples;        /* (element-type MemlaneTimelineSpan) of the legend */
  GArray *spans;          /* (element-type MemlaneTimelineSpan) */
  GArray *names;          /* (element-type MemlaneSpanName), on the sheet */
};

static inline double
memlane_timeline_sheet_y (const MemlaneTimeline *self, double y)
{
  return self->frame.area.y + y - self->scroll;
}

/* (nullable) */
static inline const MemlaneTimelinePart *
memlane_timeline_part (const MemlaneTimeline *self, guint track)
{
  return track < self->n_parts ? &self->parts[track] : NULL;
}

/* Rows beyond the 255th share one. */
static inline double
memlane_timeline_row_y (const MemlaneTimelineLane *lane, guint row)
{
  return lane->y + MIN (row, lane->n_rows - 1) * lane->pitch;
}

/* From 0 to 1. Gaps may make the measured schedule longer than the serial one: then nothing was
 * won. */
static inline double
memlane_timeline_efficiency (const MemlaneTraceBounds *bounds)
{
  return CLAMP (bounds->efficiency, 0, 1);
}
