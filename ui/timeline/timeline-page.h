/* timeline-page.h: the Timeline page: what is recorded, the timeline, the reading, findings, summary, notes
 *
 * SPDX-License-Identifier: MIT
 *
 * What arrives on the store is shown by its purpose: "first" or "alone" alone, "second" beside the first that came before it, "more" only
 * where nothing is shown; any other purpose as "alone".
 *
 * Actions (trace., on the page): record, stop, colours (s: "kind", "stream"), ghosts (boolean), details (boolean), show (u: position on the
 * store), beside (i: the same, -1: none), close (what is shown first), open-recorded (s: path), finding (u: row; for keys and tests).
 * Signal: "changed": which traces are shown.
 */
#pragma once

#include <adwaita.h>

#include "model/trace-store.h"
#include "timeline-details.h"
#include "timeline-recorder.h"
#include "timeline-view.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TIMELINE_PAGE (memlane_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelinePage, memlane_timeline_page, MEMLANE, TIMELINE_PAGE, AdwBin)

GtkWidget *memlane_timeline_page_new (MemlaneSession *session, MemlaneTraceStore *store);
MemlaneTimelineView *memlane_timeline_page_get_view (MemlaneTimelinePage *self);
MemlaneTimelineRecorder *memlane_timeline_page_get_recorder (MemlaneTimelinePage *self);
MemlaneTimelineDetails *memlane_timeline_page_get_details (MemlaneTimelinePage *self);
/* (nullable) (transfer none): @track 0 or 1 */
MemlaneTraceItem *memlane_timeline_page_get_item (MemlaneTimelinePage *self, guint track);
/* @second (nullable); both NULL: the page says how to get one. */
void memlane_timeline_page_show (MemlaneTimelinePage *self, MemlaneTraceItem *first, MemlaneTraceItem *second);

/* Another way to record, beside "One sample" in the page's bar: the stream laboratory. @title with a mnemonic. Its traces come by the
 * store; its button may activate "trace.stop". */
void memlane_timeline_page_add_panel (MemlaneTimelinePage *self, const char *name, const char *title, GtkWidget *panel);

/* px at the page's bottom that belong to the reading. */
int memlane_timeline_page_get_reading_height (MemlaneTimelinePage *self);
/* Only the timeline and the reading. */
void memlane_timeline_page_set_projector (MemlaneTimelinePage *self, gboolean projector);

G_END_DECLS
