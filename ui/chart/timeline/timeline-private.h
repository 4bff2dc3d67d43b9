/* timeline-private.h: what a layout decided, shared by the files timeline-*.c
 *
 * SPDX-License-Identifier: MIT
 *
 * Two systems of places: of the figure, and of the sheet, which holds headings, ghosts and lanes and is moved up by the scroll. A y of the
 * sheet is one of the figure after memlane_timeline_sheet_y().
 */
#pragma once

#include "chart/figure-private.h"
#include "chart/scale.h"
#include "timeline.h"

G_BEGIN_DECLS

#define MEMLANE_TIMELINE_NARROW 3.0 /* px: what is narrower is folded */

/* --- looks: timeline-look.c --------------------------------------------------------------------------------------- */

/* Places in the palette. */
typedef enum
{
  MEMLANE_TINT_CALL,
  MEMLANE_TINT_HOST,
  MEMLANE_TINT_WAIT,
  MEMLANE_TINT_STAGING,
  MEMLANE_TINT_UP,
  MEMLANE_TINT_DOWN,
  MEMLANE_TINT_INSIDE,
  MEMLANE_TINT_MEMSET,
  MEMLANE_TINT_KERNEL,
  MEMLANE_TINT_MIGRATION,
  MEMLANE_TINT_FAULT,
  MEMLANE_TINT_HOST_FUNCTION,
  MEMLANE_TINT_PHASE,
  MEMLANE_TINT_OTHER,
  MEMLANE_TINT_STREAM, /* the first of eight */
  MEMLANE_TINT_LAST_STREAM = MEMLANE_TINT_STREAM + 7,
  MEMLANE_N_TINTS
} MemlaneTint;

/* What tells kinds apart without colour. */
typedef enum
{
  MEMLANE_HATCH_PLAIN,
  MEMLANE_HATCH_TOP,     /* a bar along the upper edge: to the device */
  MEMLANE_HATCH_BOTTOM,  /* along the lower edge: to the host */
  MEMLANE_HATCH_MIDDLE,  /* along both: inside the device, a memset */
  MEMLANE_HATCH_LINES,   /* migrations: horizontal lines */
  MEMLANE_HATCH_DIAGONAL,   /* waits: oblique lines */
  MEMLANE_HATCH_DENSE,   /* implicit synchronisation: oblique both ways */
  MEMLANE_HATCH_DOTS,    /* faults */
  MEMLANE_HATCH_DASHES,  /* staged: dashes along the middle */
  MEMLANE_N_HATCHES
} MemlaneHatch;

typedef struct
{
  guint8 tint, hatch;
  gboolean failed;
} MemlaneSpanStyle;

MemlaneColor memlane_timeline_tint (MemlaneTint tint, const MemlaneStyle *style);
MemlaneSpanStyle memlane_timeline_span_style_of (const MemlaneTrace *trace, const MemlaneTraceEvent *event, MemlaneTimelineColours colours);
/* One of the eight, by the stream's place among the trace's. */
MemlaneTint memlane_timeline_stream_tint (const MemlaneTrace *trace, guint32 stream);

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

/* How full a fold is, in quarters; a span of its own is full. */
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

typedef enum
{
  MEMLANE_WORDS_TITLE,
  MEMLANE_WORDS_INFO,
  MEMLANE_WORDS_BADGE,
  MEMLANE_WORDS_UNIT,
  MEMLANE_WORDS_TICK,
  MEMLANE_WORDS_LEGEND,
  MEMLANE_WORDS_EMPTY,
  MEMLANE_WORDS_HEADING, /* from here on they stand on the sheet */
  MEMLANE_WORDS_DETAIL,  /* beside a heading */
  MEMLANE_WORDS_LANE,
  MEMLANE_WORDS_GHOST,
  MEMLANE_WORDS_BOUND,   /* in or beside a ghost bar */
  MEMLANE_N_WORDS
} MemlaneTimelineRole;

typedef struct
{
  MemlaneTimelineRole role;
  PangoLayout *layout; /* owned */
  MemlaneRectangle area;
  MemlaneColor color;
} MemlaneTimelineWords;

/* A name inside a span. */
typedef struct
{
  struct _MemlaneTimelineLabel *label; /* of the cache */
  double x, y, width;                  /* y: top, on the sheet; width: what it may take */
  MemlaneColor color;
} MemlaneTimelineName;

typedef struct
{
  guint track, lane;   /* index in the trace */
  guint group;         /* lanes of a group stand closer together */
  double y, height;    /* on the sheet */
  double pitch, row_height;
  guint n_rows;
} MemlaneTimelineLane;

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
  char *title;         /* owned */
  gboolean has_bounds; /* and its ghosts are shown */
  MemlaneTraceBounds bounds;
  double y, height;    /* on the sheet, with its heading */
  double ghosts_y;
  MemlaneRectangle badge; /* beside its heading, on the sheet; width 0: none */
} MemlaneTimelinePart;

struct _MemlaneTimeline
{
  MemlaneTimelinePart parts[MEMLANE_TIMELINE_MOST_TRACKS];
  guint n_parts;
  MemlaneTimelineRange range;
  MemlaneStyle style;     /* sizes as they are drawn here */
  double width, height;
  PangoContext *pango;    /* owned reference */
  GHashTable *labels;     /* owned reference */
  double text_scale, em, line;
  double pad;

  double from, to;        /* ns seen */
  double full_from, full_to;
  double scroll, most_scroll;
  double sheet_height;
  double row;             /* height of a lane's row */
  double ghost_pitch;
  MemlaneRectangle area;  /* of the figure: where spans are drawn */
  double titles_x, titles_width;
  MemlaneRectangle axis;  /* of the figure: ticks and their labels, above the area */
  MemlaneRectangle badge; /* of the figure; width 0: none */
  gboolean has_lane_titles, has_axis_text;
  GArray *ticks;          /* (element-type MemlaneTick) */
  GArray *words;          /* (element-type MemlaneTimelineWords) */
  GArray *lanes;          /* (element-type MemlaneTimelineLane), top down */
  GArray *samples;        /* (element-type MemlaneTimelineSpan) of the legend */
  GArray *spans;          /* (element-type MemlaneTimelineSpan) */
  GArray *names;          /* (element-type MemlaneTimelineName) */
  PangoLayout *watermark; /* or NULL */
  guint n_operations;
};

static inline double
memlane_timeline_sheet_y (const MemlaneTimeline *self, double y)
{
  return self->area.y + y - self->scroll;
}

static inline const MemlaneTimelineLane *
memlane_timeline_lane (const MemlaneTimeline *self, guint i)
{
  return &g_array_index (self->lanes, MemlaneTimelineLane, i);
}

/* Rows beyond the 255th share one. */
static inline double
memlane_timeline_row_y (const MemlaneTimelineLane *lane, guint row)
{
  return lane->y + MIN (row, lane->n_rows - 1) * lane->pitch;
}

/* --- timeline.c --------------------------------------------------------------------------------------------------- */

/* With everything that does not depend on what else is in the figure. */
MemlaneTimeline *memlane_timeline_new (const MemlaneTimelineTrack *tracks, guint n_tracks, const MemlaneTimelineRange *range,
                                       const MemlaneStyle *style, double width, double height, PangoContext *pango);

/* --- timeline-layout.c, timeline-sheet.c, timeline-legend.c ------------------------------------------------------- */

/* Takes @layout over. */
void memlane_timeline_place_words (MemlaneTimeline *self, MemlaneTimelineRole role, PangoLayout *layout, double x, double y,
                                   const MemlaneColor *color);
const char *memlane_timeline_role_name (MemlaneTimelineRole role);
PangoLayout *memlane_timeline_make_words (const MemlaneTimeline *self, double factor, gboolean bold, const char *text);
/* Heading, ghosts and lanes on the sheet, for rows of the height that fits @room best. */
void memlane_timeline_place_sheet (MemlaneTimeline *self, double room);
/* Their words, once the area stands. */
void memlane_timeline_place_sheet_words (MemlaneTimeline *self);
/* px that the widest title of a lane takes. */
double memlane_timeline_measure_titles (MemlaneTimeline *self);
/* Samples and their words from (@x, @y) on, in at most @most_rows rows of @width px. Returns the height that they take; with @place FALSE
 * nothing is placed. */
double memlane_timeline_place_legend (MemlaneTimeline *self, double x, double y, double width, guint most_rows, gboolean place);

/* --- timeline-spans.c --------------------------------------------------------------------------------------------- */

void memlane_timeline_place_spans (MemlaneTimeline *self);

/* --- timeline-label.c: names inside spans, shaped once and kept with the PangoContext ----------------------------- */

typedef struct _MemlaneTimelineLabel MemlaneTimelineLabel;

/* The labels of the context at this size: a layout holds them as long as it lives. (transfer full) */
GHashTable *memlane_timeline_labels_ref (const MemlaneTimeline *self);
/* (transfer none): lives as long as the labels of @self. */
MemlaneTimelineLabel *memlane_timeline_label_get (const MemlaneTimeline *self, const char *text);
double memlane_timeline_label_width (const MemlaneTimelineLabel *label);
double memlane_timeline_label_height (const MemlaneTimelineLabel *label);
const char *memlane_timeline_label_text (const MemlaneTimelineLabel *label);
/* Whether enough of it fits into @width that it says something. */
gboolean memlane_timeline_label_fits (const MemlaneTimelineLabel *label, double width, double em);
/* Names of one colour, in one operation where they are of one font. Returns the number of operations. */
guint memlane_timeline_labels_draw (const MemlaneTimeline *self, cairo_t *cr);

/* --- timeline-paint.c ------------------------------------------------------------------------------------------------- */

typedef struct
{
  MemlaneTimeline *self;
  cairo_t *cr;
  gboolean smooth; /* a vector surface */
  double offset;   /* of the spans' y */
} MemlaneTimelinePass;

/* Fills the path, and counts the operation. */
void memlane_timeline_fill (MemlaneTimelinePass *pass, const MemlaneColor *color);
void memlane_timeline_draw_spans (MemlaneTimelinePass *pass, const GArray *spans);
/* Adds the outline of a span to the path. */
void memlane_timeline_add_span (cairo_t *cr, double x, double y, double width, double height, double corner, gboolean smooth);
/* The corners of a span of this size. */
double memlane_timeline_corner (const MemlaneTimeline *self, double width, double height);

/* --- timeline-words.c --------------------------------------------------------------------------------------------- */

/* Title of a lane in the person's language. (transfer full) */
char *memlane_timeline_lane_title (const MemlaneTrace *trace, const MemlaneTraceLane *lane);
/* What stands in a span. */
typedef enum
{
  MEMLANE_NAME_LONG,  /* "HtoD · 64 KiB": the lane says that it is a copy */
  MEMLANE_NAME_USUAL, /* "HtoD", "cudaMemcpyAsync" */
  MEMLANE_NAME_SHORT, /* "MemcpyAsync" */
  MEMLANE_N_NAME_LENGTHS
} MemlaneNameLength;
/* (transfer full) */
char *memlane_timeline_span_name (const MemlaneTrace *trace, guint32 event, MemlaneNameLength length);
/* "recorded from CUPTI · 14 events · 36.2 us · 3 notes". (transfer full) */
char *memlane_timeline_info (const MemlaneTrace *trace);
/* The title without the word SIMULATED, which the badge says. (transfer full) */
char *memlane_timeline_plain_title (const MemlaneTrace *trace);
const char *memlane_timeline_ghost_title (MemlaneGhost ghost);
/* "36.2 us · overlap efficiency 63 %". (transfer full) */
char *memlane_timeline_ghost_words (const MemlaneTraceBounds *bounds, MemlaneGhost ghost);
double memlane_timeline_ghost_time (const MemlaneTraceBounds *bounds, MemlaneGhost ghost);

G_END_DECLS
