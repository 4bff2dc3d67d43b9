/* timeline.h: one trace, or two on one time axis, on a cairo_t: lanes, spans, ghost bars, what lies
 * under the pointer
 *
 * SPDX-License-Identifier: MIT
 *
 * The same code draws the screen, PNG, SVG, PDF and the tests' goldens. One thread at a time for
 * one PangoContext; a layout holds references to its traces. Times are ns on the traces' own axis
 * (memlane_trace's: 0 is its start), so two traces stand below each other with their starts in one
 * column.
 *
 * Two traces, and one in a projector's style, show all lanes at once where they can: lanes that
 * repeat others are given up before anything scrolls. Two traces of the same work share one row of
 * ideal schedules.
 *
 * Order: the drawing is laid out, as a MemlaneTimeline, for each size and style. draw() paints all
 * but the overlay, draw_overlay() what follows the pointer, so that hovering repaints nothing else.
 * Laying out looks at each event once. Neighbours narrower than 3 px are folded into one block that
 * shows how full it is. Rows of a lane (MemlaneTraceLane.rows) lie below each other.
 *
 * Colours: by kind (calls grey, copies up, copies down, kernels, migrations, faults, waits
 * hatched...) or by stream. A kind also differs in its pattern or label, never in colour alone.
 * Names stand inside a span where they fit.
 */
#pragma once

#include <math.h>

#include <pango/pangocairo.h>

#include "chart/drawing.h"
#include "chart/geometry.h"
#include "chart/scale.h"
#include "chart/style.h"
#include "memlane.h"

#define MEMLANE_TIMELINE_MOST_TRACKS 2

typedef enum
{
  MEMLANE_TIMELINE_BY_KIND,
  MEMLANE_TIMELINE_BY_STREAM,
} MemlaneTimelineColours;

/* The state that the person sets. Start from MEMLANE_TIMELINE_FIT. */
typedef struct
{
  MemlaneRange seen;  /* ns; NAN: all of both traces, with a little air */
  /* px by which the lanes are moved up; clamped by the layout: memlane_timeline_get_sight() */
  double scroll;
  MemlaneTimelineColours colours;
  /* bars of the ideal schedules (serial, one copy engine, ideal overlap) above the lanes, where
   * there are bounds */
  gboolean ghosts;
} MemlaneTimelineRange;
#define MEMLANE_TIMELINE_FIT { .seen = { NAN, NAN }, .ghosts = TRUE }

typedef struct
{
  MemlaneTrace *trace;
  const char *title;  /* NULL: made of the trace's info: "Pinned · 2^14 · NVIDIA H200" */
  /* of the first track, for all: memlane_timeline_headline(); NULL: the titles alone */
  const char *headline;
} MemlaneTimelineTrack;

typedef struct _MemlaneTimeline MemlaneTimeline;

void memlane_timeline_free (MemlaneTimeline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTimeline, memlane_timeline_free)

/* The area is valid as long as the layout. */
typedef struct
{
  const MemlaneRectangle *area; /* where spans are drawn: right of the lanes' titles */
  MemlaneRange seen, full;      /* ns at its two edges, now and when all is seen */
  double scroll, most_scroll;   /* px; most: the largest that makes sense */
} MemlaneTimelineSight;
MemlaneTimelineSight memlane_timeline_get_sight (const MemlaneTimeline *self);
/* px to ns, also outside the area */
double memlane_timeline_time_at (const MemlaneTimeline *self, double x);
double memlane_timeline_x_of (const MemlaneTimeline *self, double time);

void memlane_timeline_draw (const MemlaneTimeline *self, cairo_t *cr);

/* An event of a track; MEMLANE_TRACE_NONE: none. */
typedef struct
{
  guint track;
  guint32 event;
} MemlaneTimelineEvent;
#define MEMLANE_TIMELINE_NO_EVENT { 0, MEMLANE_TRACE_NONE }

typedef struct
{
  /* lit, with all that share its correlation (the call that issued it, and the other way round),
   * joined by a line. Its tooltip is beside the pointer unless @has_tooltip is FALSE */
  MemlaneTimelineEvent hovered;
  gboolean has_tooltip;
  double pointer_x, pointer_y;   /* px; where the tooltip goes */
  MemlaneTimelineEvent selected; /* ringed */
  MemlaneRange span;             /* ns, being measured; NAN: none */
  double cursor;                 /* ns, the moment that is being played; NAN: none */
  guint marked_track;            /* the events that a finding means */
  const guint32 *marked;         /* ids, ascending, or NULL */
  guint n_marked;
} MemlaneTimelineOverlay;
#define MEMLANE_TIMELINE_OVERLAY_NONE                                                              \
  { .hovered = MEMLANE_TIMELINE_NO_EVENT,                                                          \
    .selected = MEMLANE_TIMELINE_NO_EVENT,                                                         \
    .span = { NAN, NAN },                                                                          \
    .cursor = NAN }

/* Paints no background. */
void memlane_timeline_draw_overlay (const MemlaneTimeline *self, cairo_t *cr,
                                    const MemlaneTimelineOverlay *overlay);

typedef enum
{
  MEMLANE_TIMELINE_HIT_NOTHING,
  /* a span, or within 3 px of one that is narrower; of a fold the longest one near */
  MEMLANE_TIMELINE_HIT_EVENT,
  MEMLANE_TIMELINE_HIT_LANE,   /* its title or its empty part */
  MEMLANE_TIMELINE_HIT_AXIS,
  MEMLANE_TIMELINE_HIT_GHOST,
} MemlaneTimelineHitKind;

typedef struct
{
  MemlaneTimelineHitKind kind;
  /* G_MAXUINT where they mean nothing; lane: index in memlane_trace_get_lanes() */
  guint track, lane;
  guint32 event;               /* or MEMLANE_TRACE_NONE */
  double time;                 /* ns under the pointer */
} MemlaneTimelineHit;

MemlaneTimelineHit memlane_timeline_hit (const MemlaneTimeline *self, double x, double y);

/* Returns the place of an event (in its home lane, if that is shown); FALSE when no part of it is
 * in what is seen. The rectangle may be wider than the area: it is the event's own. */
gboolean memlane_timeline_place_event (const MemlaneTimeline *self, MemlaneTimelineEvent event,
                                       MemlaneRectangle *area);
/* The scroll (px) that brings the event's lane into sight; the present one if it is there
 * already. */
double memlane_timeline_scroll_to (const MemlaneTimeline *self, MemlaneTimelineEvent event);

/* --- words: timeline-words.c ------------------------------------------------------------------ */

/* Describes an event, the name first, with @separator between: "[CUDA memcpy HtoD]", "from 12.3 us,
 * took 1.15 us", "64 KiB, 55.2 GB/s", "pinned to device, stream 13", "issued by cudaMemcpyAsync at
 * 10.1 us". (transfer full) */
char *memlane_timeline_tell_event (const MemlaneTrace *trace, guint32 event, const char *separator);
/* Returns a sentence on what happens when it begins: "The host calls cudaMemcpy and waits until it
 * is done." (transfer full) */
char *memlane_timeline_narrate (const MemlaneTrace *trace, guint32 event);
/* Describes a span: "12.3 us: 64 KiB moved, copy engine to device 80 %, kernels 33 %, 12 %
 * overlapped". (transfer full) */
char *memlane_timeline_read_span (const MemlaneTrace *trace, double from, double to);
/* "overlap efficiency 63 %: 204 us measured; 320 us serial, 210 us ... , 150 us with ideal
 * overlap"; NULL: there is nothing to overlap. (transfer full) */
char *memlane_timeline_read_bounds (const MemlaneTrace *trace);
/* Title of a lane in the person's language. (transfer full) */
char *memlane_timeline_lane_title (const MemlaneTrace *trace, const MemlaneTraceLane *lane);
/* "stream 1", by its place; "default stream". (transfer full) */
char *memlane_timeline_stream_title (const MemlaneTrace *trace, guint32 stream);
/* The kinds of name inside a span. */
typedef enum
{
  MEMLANE_NAME_LONG,  /* "HtoD · 64 KiB": the lane says that it is a copy */
  MEMLANE_NAME_USUAL, /* "HtoD", "cudaMemcpyAsync" */
  MEMLANE_NAME_SHORT, /* "MemcpyAsync", "wait" */
  MEMLANE_N_NAME_LENGTHS
} MemlaneNameLength;
/* (transfer full) */
char *memlane_timeline_span_name (const MemlaneTrace *trace, guint32 event,
                                  MemlaneNameLength length);
/* Returns what recorded the trace: Memlane's own recorders in the person's language, those of a
 * foreign file as it names them. NULL: not known. */
const char *memlane_timeline_source (const MemlaneTrace *trace);
/* "recorded from CUPTI · 14 events · 36.2 us · 3 notes". (transfer full) */
char *memlane_timeline_info (const MemlaneTrace *trace);
/* The title without the word SIMULATED, which the badge says. (transfer full) */
char *memlane_timeline_plain_title (const MemlaneTrace *trace);
/* "Pinned · 2^14 floats · NVIDIA H200", with "SIMULATED" where it applies. (transfer full) */
char *memlane_timeline_title (const MemlaneTrace *trace);
/* Returns what the traces show: "Managed: the kernel waits 99 % of its time for page faults"; of
 * two, which is faster. NULL: nothing to say. @findings (nullable): of one trace, as of
 * memlane_trace_find(). (transfer full) */
char *memlane_timeline_headline (const MemlaneTimelineTrack *tracks, guint n_tracks,
                                 const GPtrArray *findings);
/* The whole picture in words, for assistive technology and an SVG's <desc>. (transfer full) */
char *memlane_timeline_describe (const MemlaneTimelineTrack *tracks, guint n_tracks);

/* --- as others draw it ------------------------------------------------------------------------ */

/* Up to MEMLANE_TIMELINE_MOST_TRACKS traces as they are seen in @range (NULL: all), for files,
 * pages and widgets. Takes references and copies the titles; its layout needs none of them. No
 * track, or an empty trace, is a figure that says so. A trace of a simulated device carries the
 * word SIMULATED in any size. Sizes from 160x120 on are legible in some way. Lanes keep a least
 * height and scroll where they do not fit; the height that a file asks for is that of all lanes.
 * (transfer full) */
MemlaneDrawing *memlane_timeline_drawing_new (const MemlaneTimelineTrack *tracks, guint n_tracks,
                                              const MemlaneTimelineRange *range);
