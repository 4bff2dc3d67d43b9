/* frame.h: everything around the content of a figure: title, subtitle, badge, legend, notes, and
 * the room of the axes' words
 *
 * SPDX-License-Identifier: MIT
 *
 * A figure lists bands from the outside inwards. Each band takes its thickness from one side of the
 * room that is left, and the rest is the area of the content. Bands are dropped by priority where
 * the area would be too small. The badge SIMULATED is never dropped: it stands in the first row at
 * the top, or in one of its own.
 *
 * Order: memlane_frame_init(), fill in the words and legend entries, memlane_frame_fit(),
 * memlane_frame_place(). A figure's layout begins with its frame, so that the bands' functions find
 * the figure. Lengths are px. One thread at a time for one PangoContext.
 */
#pragma once

#include "figure-private.h"

#define MEMLANE_FRAME_MOST_BANDS 12

typedef enum
{
  MEMLANE_TEXT_TITLE,
  MEMLANE_TEXT_SUBTITLE,
  MEMLANE_TEXT_BADGE,
  MEMLANE_TEXT_UNIT,    /* what the vertical axis counts */
  MEMLANE_TEXT_Y_TICK,
  MEMLANE_TEXT_X_TICK,
  MEMLANE_TEXT_X_BYTES,
  MEMLANE_TEXT_CAPTION, /* what the horizontal axis counts */
  MEMLANE_TEXT_HEADING, /* of a part of the legend */
  MEMLANE_TEXT_LEGEND,
  MEMLANE_TEXT_MORE,    /* how many entries found no room */
  MEMLANE_TEXT_NOTE,    /* at the foot */
  MEMLANE_TEXT_EMPTY,   /* why there is no content */
  MEMLANE_TEXT_CONTENT  /* from here on the figure's own, which it draws itself */
} MemlaneTextRole;

typedef struct
{
  guint role;            /* MemlaneTextRole, or the figure's own */
  PangoLayout *layout;   /* owned */
  MemlaneRectangle area; /* its logical rectangle */
  MemlaneColor color;
  guint item;            /* the figure's number of what it names; G_MAXUINT: nothing */
} MemlanePlacedText;

/* A row of the legend, or another text that stands for an item. */
typedef struct
{
  MemlaneRectangle area;
  guint item;
  gboolean label;        /* a text of the content, not a row of the legend */
} MemlaneTarget;

/* The picture in a row of the legend, which the figure draws. */
typedef struct
{
  MemlaneRectangle area;
  guint item;
} MemlaneSample;

typedef enum
{
  MEMLANE_SIDE_TOP,
  MEMLANE_SIDE_BOTTOM,
  MEMLANE_SIDE_LEFT,
  MEMLANE_SIDE_RIGHT,    /* a legend that has no room there stands at the bottom */
} MemlaneSide;

typedef struct _MemlaneFrame MemlaneFrame;

typedef struct
{
  /* the frame measures and places TITLE, SUBTITLE, UNIT, CAPTION, LEGEND and NOTE */
  guint role;
  MemlaneSide side;
  guint priority;        /* the highest is dropped first; 0: never dropped */
  /* as a priority: the band is small from then on, a text one line, a legend one row; 0: never */
  guint shrink;
  /* The thickness that it takes of @room; 0: none. */
  double (*measure) (MemlaneFrame *frame, const MemlaneRectangle *room, gboolean small);
  /* Once the area is known; NULL: the figure does that itself. */
  void (*place) (MemlaneFrame *frame, const MemlaneRectangle *place, gboolean small);
} MemlaneBand;

typedef struct
{
  gboolean present, small;
  MemlaneSide side;
  PangoLayout *layout;   /* owned: of a text of the frame's own */
  MemlaneRectangle place;
} MemlaneBandState;

struct _MemlaneFrame
{
  MemlaneStyle style;    /* sizes as they are drawn here: projector styles grow with the figure */
  double width, height;
  PangoContext *pango;   /* owned reference */
  double text_scale;     /* of the context's resolution: 2 for text of 200 % */
  /* px at text of 100 %: of what matters less; never smaller than the text on a wall */
  double small;
  double em, line, pad;  /* size of the body text, height of its line, margin */
  gboolean wall;         /* one of the projector's styles */
  gboolean right_to_left;

  /* The figure's words, owned; NULL or "": none. */
  char *title, *subtitle, *unit, *caption, *note;
  double title_size;     /* in sizes of the text */
  MemlaneColor title_color;
  gboolean simulated;    /* it has a badge */
  double least_width, least_height; /* of the area, before bands are dropped */
  double sample_width, sample_height;
  guint legend_rows;     /* that a legend at the top or bottom may have; 0: a third of the height */

  /* Results of the layout. */
  MemlaneRectangle area, badge; /* a badge without width: none */
  GArray *texts;         /* (element-type MemlanePlacedText) */
  GArray *targets;       /* (element-type MemlaneTarget) */
  GArray *samples;       /* (element-type MemlaneSample) */

  /* Private to frame.c. */
  const MemlaneBand *bands;
  guint n_bands;
  MemlaneBandState states[MEMLANE_FRAME_MOST_BANDS];
  GArray *entries;
  guint shown_entries;
  gboolean has_headings;
  PangoLayout *badge_text;
};

/* Starts a figure of this size; what the figure knows is filled in next. */
void memlane_frame_init (MemlaneFrame *self, const MemlaneStyle *style, double width, double height,
                         PangoContext *pango);
void memlane_frame_clear (MemlaneFrame *self);

/* Adds a row to the legend. Takes @text. @heading: a title of the rows that follow, which a legend
 * without room for it leaves out. */
void memlane_frame_add_entry (MemlaneFrame *self, gboolean heading, guint item, char *text);
/* Chooses the bands that have room, and the area. The area may be made smaller before the next
 * step. */
void memlane_frame_fit (MemlaneFrame *self, const MemlaneBand *bands, guint n_bands);
/* Shows other words in the room of those that @role was fitted with: what is not to be told yet. */
void memlane_frame_replace_text (MemlaneFrame *self, guint role, const char *text);
/* Places the words of all bands that are left. */
void memlane_frame_place (MemlaneFrame *self);
/* Whether the band of @role is left. */
gboolean memlane_frame_has (const MemlaneFrame *self, guint role);

/* @size px at text of 100 %. (transfer full) */
PangoLayout *memlane_frame_make_text (const MemlaneFrame *self, double size, gboolean bold,
                                      const char *text);
/* px of a text of the style's size. */
double memlane_frame_measure (const MemlaneFrame *self, gboolean bold, const char *text);
/* Takes @layout. The result is valid until the next text is placed. */
MemlanePlacedText *memlane_frame_place_text (MemlaneFrame *self, guint role, PangoLayout *layout,
                                             double x, double y, const MemlaneColor *color);
/* Whether words have room there: inside the area, and over no other text. */
gboolean memlane_frame_is_free (const MemlaneFrame *self, const MemlaneRectangle *wanted);
/* Says in the middle of the area why it is empty. */
void memlane_frame_place_empty (MemlaneFrame *self, const char *text);
void memlane_frame_add_target (MemlaneFrame *self, const MemlaneRectangle *area, guint item,
                               gboolean label);
/* The row or label at (x, y); NULL: none. */
const MemlaneTarget *memlane_frame_hit (const MemlaneFrame *self, double x, double y);

/* The background; then, over the content, the badge and the frame's own texts. */
void memlane_frame_draw_ground (const MemlaneFrame *self, cairo_t *cr);
void memlane_frame_draw_words (const MemlaneFrame *self, cairo_t *cr);
void memlane_frame_draw_text (const MemlanePlacedText *text, cairo_t *cr);
/* Fills @badge. */
void memlane_frame_draw_badge (const MemlaneFrame *self, cairo_t *cr,
                               const MemlaneRectangle *badge);
