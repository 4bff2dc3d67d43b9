/* timeline-details.h: what is known of the traces that are seen: findings, summary, notes
 *
 * SPDX-License-Identifier: MIT
 *
 * All of it is found on a worker thread: of a million events that takes part of a second.
 *
 * Signals: "chosen" (guint track, gpointer): a finding, as of MemlaneTimelineLinks; "copied": the
 * summary, to the clipboard.
 */
#pragma once

#include "timeline-links.h"
#include "timeline-summary.h"

#define MEMLANE_TYPE_TIMELINE_DETAILS (memlane_timeline_details_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineDetails, memlane_timeline_details, MEMLANE, TIMELINE_DETAILS,
                      AdwBin)

/* None, one or two traces; with their names. @findings (nullable): of the first; else they are
 * searched in a thread, and the widget's accessible state is busy. Takes references. */
void memlane_timeline_details_set_traces (MemlaneTimelineDetails *self, MemlaneTrace *first,
                                          MemlaneTrace *second, const char *const names[2],
                                          GPtrArray *findings);
/* Shows the findings and chooses that row of them; lets go where there are fewer. */
void memlane_timeline_details_choose_finding (MemlaneTimelineDetails *self, guint row);
