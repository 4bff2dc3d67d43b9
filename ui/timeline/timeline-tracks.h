/* timeline-tracks.h: the one or two traces of a timeline: their events by place, step and time, and what is read of them
 *
 * SPDX-License-Identifier: MIT
 *
 * Plain data, zeroed at first; main thread. Strings are (transfer full).
 */
#pragma once

#include "chart/timeline/timeline.h"

typedef struct
{
  MemlaneTimelineTrack tracks[MEMLANE_TIMELINE_MOST_TRACKS]; /* references; the titles are ours too */
  guint n;
} MemlaneTimelineTracks;

/* Takes references, copies @titles (may be NULL). */
void memlane_timeline_tracks_set (MemlaneTimelineTracks *self, MemlaneTrace *const *traces, const char *const *titles);
void memlane_timeline_tracks_clear (MemlaneTimelineTracks *self);
/* No event in any of them. */
gboolean memlane_timeline_tracks_is_empty (const MemlaneTimelineTracks *self);
/* ns */
double memlane_timeline_tracks_get_end (const MemlaneTimelineTracks *self);

/* NULL: no such event. Valid as long as the traces are held. */
const MemlaneTraceEvent *memlane_timeline_tracks_find (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event);
/* Finds an event of the first trace: the first at @from or later (@step 1), or the last before @to (@step -1). The nearest where
 * there is none. NAN: all. */
MemlaneTimelineEvent memlane_timeline_tracks_find_first (const MemlaneTimelineTracks *self, double from, double to, int step);
/* The event after (@step 1) or before (-1) another of its trace, or of lane @lane of its trace; no event where there is none. */
MemlaneTimelineEvent memlane_timeline_tracks_step (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event, int step);
MemlaneTimelineEvent memlane_timeline_tracks_step_in_lane (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event, guint lane,
                                                           int step);
/* The first event that begins at @time (ns) or later, of either trace. */
MemlaneTimelineEvent memlane_timeline_tracks_find_next (const MemlaneTimelineTracks *self, double time);
/* The last event that has begun by @time (ns), of either trace, phases aside; none: no event. */
MemlaneTimelineEvent memlane_timeline_tracks_find_begun (const MemlaneTimelineTracks *self, double time);
/* How many events lie in these moments: what reading them costs. */
guint memlane_timeline_tracks_count (const MemlaneTimelineTracks *self, double from, double to);

char *memlane_timeline_tracks_read_event (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event);
/* What happens then, in a sentence. (transfer full) */
char *memlane_timeline_tracks_narrate (const MemlaneTimelineTracks *self, MemlaneTimelineEvent event);
char *memlane_timeline_tracks_read_span (const MemlaneTimelineTracks *self, double from, double to);
/* Returns the names of the traces. */
char *memlane_timeline_tracks_name (const MemlaneTimelineTracks *self);
