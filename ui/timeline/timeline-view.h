/* timeline-view.h: a timeline in the window: zoom, pan, hover, selection, stepping, playing
 *
 * SPDX-License-Identifier: MIT
 *
 * Selection, span and finding are drawn in the layer of what is chosen, hover and cursor in the
 * overlay; layers, style, focus, context menu: parts/figure-widget.h.
 *
 * Pointer: motion lights the event and what shares its correlation, with a tooltip. Click selects
 * it. Ctrl and wheel (or pinching) zooms at the pointer. Wheel scrolls the lanes, Shift and wheel
 * and horizontal wheels pan. Middle drag pans. Drag with the first button measures a span, whose
 * reading stays until Escape. Double-click on an event zooms to it.
 * Keys: Left and Right pan, + and - zoom, Up and Down scroll; ',' and '.' step through the events
 * (with Shift: within the lane). F centres the selected event, and again fits it. 0 fits all. Space
 * plays and pauses. Home and End go to the ends. Escape lets go of span, selection, playing and
 * zoom, one by one, and is the window's then.
 * Playing: the cursor runs over what is seen (all, when nothing is zoomed) in about eight seconds,
 * whatever it lasts; it ends at the end. Not while it is unmapped. Animations switched off
 * (gtk-enable-animations): it advances event by event, four a second.
 * Reading: the selected or hovered event, or the span, in one line.
 *
 * Properties: "playing" boolean, "cursor" double (rw): ns, of the player, NAN: none; "marked" uint:
 * how many events of a link are lit. Actions on the widget: timeline.fit, timeline.zoom-in,
 * timeline.zoom-out, timeline.pan-left, timeline.pan-right, timeline.next-event,
 * timeline.previous-event, timeline.next-in-lane, timeline.previous-in-lane, timeline.centre,
 * timeline.play (stateful boolean), timeline.copy-event (as text; Ctrl+C), timeline.let-go.
 */
#pragma once

#include "chart/timeline/timeline.h"
#include "parts/figure-widget.h"

#define MEMLANE_TYPE_TIMELINE_VIEW (memlane_timeline_view_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineView, memlane_timeline_view, MEMLANE, TIMELINE_VIEW,
                      MemlaneFigureWidget)

/* Others read the fields. */
struct _MemlaneTimelineView
{
  MemlaneFigureWidget parent_instance;

  /* references; the titles are ours too */
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS];
  guint n_tracks;
  MemlaneTimelineRange range;
  char *description;            /* of the traces */

  MemlaneTimelineEvent hovered, selected;
  /* where it was clicked, or its home: what the steps within a lane go by */
  guint selected_lane;
  gboolean hovering;            /* the pointer has moved since a key has chosen an event */
  gboolean tooltip;             /* the hovered event is told beside the pointer */
  guint marked_track;           /* of a finding's events */
  guint32 *marked;              /* ascending */
  guint n_marked;
  MemlaneRange span;            /* ns; NAN: none */
  gboolean span_is_last;        /* it was measured after the selection: it is what is read */

  double band_time;             /* ns: where the button was pressed */
  MemlaneRange span_before;     /* what Escape brings back while a span is measured */
  gboolean panning;             /* the middle button is held */
  MemlaneRange pan_seen;        /* what was seen when it was pressed */
  double pan_scroll;

  gboolean playing;
  double cursor;                /* ns, of the player; NAN: none */
  guint tick, timer;            /* by the frame clock, or event by event */
  gint64 last;                  /* us of the frame clock; 0: it has not ticked yet */
  gboolean passed;              /* event by event: the one under the cursor has had its turn */
};

/* None, one or two traces; what is zoomed and selected is kept when only the second one comes or
 * goes. Takes references. @titles: as of MemlaneTimelineTrack, may be NULL. @findings (nullable):
 * of the first, for the headline. */
void memlane_timeline_view_set_traces (MemlaneTimelineView *self, MemlaneTrace *first,
                                       MemlaneTrace *second, const char *const *titles,
                                       const GPtrArray *findings);

/* The event that is read: hovered, played or selected; MEMLANE_TRACE_NONE: none. */
void memlane_timeline_view_get_read (MemlaneTimelineView *self, guint *track, guint32 *event);
/* Lights the events of a finding and brings them into sight; @n 0 lets go. Copies @events. */
void memlane_timeline_view_mark (MemlaneTimelineView *self, guint track, const guint32 *events,
                                 guint n);
/* ns seen; NAN, NAN: all. */
void memlane_timeline_view_set_range (MemlaneTimelineView *self, double from, double to);
/* @ghosts: whether the ideal schedules are drawn. */
void memlane_timeline_view_set_look (MemlaneTimelineView *self, MemlaneTimelineColours colours,
                                     gboolean ghosts);
