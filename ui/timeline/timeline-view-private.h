/* timeline-view-private.h: what the files of the timeline view share
 *
 * SPDX-License-Identifier: MIT
 *
 * timeline-view.c: the widget, its layers, its traces. timeline-view-zoom.c: what is seen. timeline-view-select.c: hover, selection,
 * stepping, findings, the span. timeline-view-reading.c: what is told. timeline-view-play.c: the player. timeline-view-pointer.c: pointer
 * and wheel. timeline-view-actions.c: actions and keys. timeline-view-menu.c: the context menu.
 */
#pragma once

#include "parts/chart-layer.h"
#include "parts/figure-view.h"
#include "timeline-view.h"

G_BEGIN_DECLS

struct _MemlaneTimelineView
{
  GtkWidget parent_instance;

  /* The figure, then what stays while the pointer moves (span, finding, selection), then what follows it (hover, tooltip) or plays. */
  GtkWidget *figure, *chosen, *overlay;
  GtkWidget *menu;              /* made when it is first asked for */

  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS]; /* references; the titles are ours too */
  guint n_tracks;
  MemlaneTimelineRange range;
  const MemlaneStyle *style;
  gboolean projector;
  MemlaneTimeline *timeline;    /* of all the above at this size, or NULL until it is needed */
  int timeline_width, timeline_height;

  MemlaneTimelineEvent hovered, selected;
  guint selected_lane;          /* where it was clicked, or its home: what the steps within a lane go by */
  gboolean hovering;            /* the pointer has moved since a key has chosen an event */
  gboolean tooltip;             /* the hovered event is told beside the pointer */
  guint marked_track;
  guint32 *marked;              /* ascending */
  guint n_marked;
  double span_from, span_to;    /* ns; NAN: none */
  gboolean span_is_last;        /* it was measured after the selection: it is what is read */
  gboolean spoken;              /* a key has chosen: the reading is read aloud */
  gboolean described;           /* the description is the traces', not what was read aloud */
  char *reading, *description;
  char *span_reading;           /* of the present span and traces, or NULL until it is needed: a long span takes a while */

  double pointer_x, pointer_y;  /* NAN: outside */
  gboolean pressed, measuring;  /* the first button is held; it has moved far enough to measure a span */
  double press_x, press_y, press_time; /* px, and the moment there */
  double span_before[2];        /* what Escape brings back while measuring */
  gboolean panning;             /* the middle button is held */
  double pan_from, pan_to, pan_scroll; /* what was seen when it was pressed */
  double pinch;                 /* scale of the gesture so far; 0: none */
  double pinch_x, pinch_y;      /* px, its middle */
  guint glide;                  /* tick callback: goes on after a flick of the touchpad */
  double glide_x, glide_y;      /* px per second */
  gint64 glide_time;            /* us of the frame clock; 0: not yet */

  gboolean playing;
  double cursor;                /* ns; NAN: none */
  guint play_tick, play_timer;  /* by the frame clock, or event by event where animations are switched off */
  gint64 play_time;             /* us of the frame clock; 0: not yet */
};

enum
{
  MEMLANE_TIMELINE_VIEW_PROJECTOR = 1,
  MEMLANE_TIMELINE_VIEW_READING,
  MEMLANE_TIMELINE_VIEW_ZOOMED,
  MEMLANE_TIMELINE_VIEW_PLAYING,
  MEMLANE_TIMELINE_VIEW_COLOURS,
  MEMLANE_TIMELINE_VIEW_GHOSTS,
  MEMLANE_TIMELINE_VIEW_N_PROPERTIES
};
extern GParamSpec *memlane_timeline_view_properties[MEMLANE_TIMELINE_VIEW_N_PROPERTIES];

/* timeline-view.c */
/* The layout for the present size, or the least one before there is any. (transfer none), until the next refresh. */
MemlaneTimeline *memlane_timeline_view_ensure (MemlaneTimelineView *self);
/* Traces, sight or style changed: all is laid out and painted again, and what lies under a resting pointer is found again. */
void memlane_timeline_view_refresh (MemlaneTimelineView *self);
void memlane_timeline_view_redraw_chosen (MemlaneTimelineView *self);
void memlane_timeline_view_redraw_overlay (MemlaneTimelineView *self);
void memlane_timeline_view_notify (MemlaneTimelineView *self, guint property);
gboolean memlane_timeline_view_is_empty (MemlaneTimelineView *self);
/* NULL: no such event. Valid as long as the traces are shown. */
const MemlaneTraceEvent *memlane_timeline_view_find (MemlaneTimelineView *self, guint track, guint32 event);

/* timeline-view-zoom.c */
gboolean memlane_timeline_view_is_zoomed (MemlaneTimelineView *self);
void memlane_timeline_view_fit (MemlaneTimelineView *self);
/* @factor times as much is seen, and the moment at @x px stays there. */
void memlane_timeline_view_zoom_at (MemlaneTimelineView *self, double x, double factor);
/* Around the selected event, or the middle. */
void memlane_timeline_view_zoom (MemlaneTimelineView *self, double factor);
/* By a share of what is seen. */
void memlane_timeline_view_pan (MemlaneTimelineView *self, double share);
/* What is seen follows the finger: by px to the right and down. FALSE: it stands at an end. */
gboolean memlane_timeline_view_drag (MemlaneTimelineView *self, double dx, double dy);
/* Lanes, px down. FALSE: nothing moved. */
gboolean memlane_timeline_view_scroll (MemlaneTimelineView *self, double dy);
/* To the beginning (-1) or the end (1) of the traces. */
void memlane_timeline_view_go_to_end (MemlaneTimelineView *self, int direction);
/* Moments and lane into sight. */
void memlane_timeline_view_show_event (MemlaneTimelineView *self, MemlaneTimelineEvent event);
void memlane_timeline_view_show_range (MemlaneTimelineView *self, double from, double to);
/* Centres the selected event; when it is there already, fits it. */
void memlane_timeline_view_centre (MemlaneTimelineView *self);
void memlane_timeline_view_zoom_to_event (MemlaneTimelineView *self, MemlaneTimelineEvent event);
/* What was seen of other traces is moved to what these have. */
void memlane_timeline_view_check_range (MemlaneTimelineView *self);

/* timeline-view-select.c */
extern guint memlane_timeline_view_selected_signal;
void memlane_timeline_view_hover (MemlaneTimelineView *self, MemlaneTimelineEvent event);
/* What lies under the pointer, if it is what is followed. */
void memlane_timeline_view_hover_again (MemlaneTimelineView *self);
/* Emits "selected" when it is another one. @lane: where it was clicked, or MEMLANE_TRACE_NONE: its home. */
void memlane_timeline_view_choose (MemlaneTimelineView *self, MemlaneTimelineEvent event, guint lane);
/* The event before or after the selected one, of the whole trace or of the lane. */
void memlane_timeline_view_step (MemlaneTimelineView *self, int step, gboolean in_lane);
/* The number of events that start before @time. */
guint memlane_timeline_view_count_before (const MemlaneTrace *trace, double time);
/* NAN: none. */
void memlane_timeline_view_set_span (MemlaneTimelineView *self, double from, double to);
void memlane_timeline_view_unmark (MemlaneTimelineView *self);

/* timeline-view-reading.c */
/* Composes "reading" again and tells assistive technology. */
void memlane_timeline_view_update_reading (MemlaneTimelineView *self);
/* Tells assistive technology about the traces, and no longer what was read aloud. */
void memlane_timeline_view_describe (MemlaneTimelineView *self);
/* After the traces have changed. */
void memlane_timeline_view_describe_anew (MemlaneTimelineView *self);

/* timeline-view-play.c */
void memlane_timeline_view_pause (MemlaneTimelineView *self);
/* Pauses, and takes the cursor away. */
void memlane_timeline_view_stop (MemlaneTimelineView *self);

/* timeline-view-pointer.c */
void memlane_timeline_view_add_controllers (MemlaneTimelineView *self);
/* Whatever is being dragged or glides is let go of. */
void memlane_timeline_view_let_go_of_pointer (MemlaneTimelineView *self);
/* Goes on by so many px a second, slower and slower, unless animations are switched off. */
void memlane_timeline_view_glide (MemlaneTimelineView *self, double velocity_x, double velocity_y);
void memlane_timeline_view_stop_gliding (MemlaneTimelineView *self);

/* timeline-view-actions.c */
void memlane_timeline_view_install_actions (GtkWidgetClass *widget_class);
void memlane_timeline_view_update_actions (MemlaneTimelineView *self);

/* timeline-view-menu.c */
void memlane_timeline_view_add_menu (MemlaneTimelineView *self);
void memlane_timeline_view_bind_menu_keys (GtkWidgetClass *widget_class);

static inline gboolean
memlane_timeline_event_equal (MemlaneTimelineEvent a, MemlaneTimelineEvent b)
{
  return a.event == b.event && (a.track == b.track || a.event == MEMLANE_TRACE_NONE);
}

G_END_DECLS
