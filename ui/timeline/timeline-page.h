/* timeline-page.h: the Timeline page: what is recorded, the timeline, the reading, findings,
 * summary, notes
 *
 * SPDX-License-Identifier: MIT
 *
 * A trace that arrives on the store is shown by its purpose: "first" or "alone" alone, "second"
 * beside the first that
 * came before it, "more" only where nothing is shown; any other purpose as "alone". "lab-" before
 * that names the
 * laboratory's tab, "sample-" the picture of the other tabs; without one the tab that is seen shows
 * the trace.
 *
 * Actions (trace., on the page): record, stop, colours (s: "kind", "stream"), ghosts (boolean),
 * details (boolean), show (u: position on the store), beside (i: the same, -1: none), close (what
 * is shown first), open-recorded (s: path).
 */
#pragma once

#include <adwaita.h>

#include "model/sweep-job.h"
#include "model/trace-store.h"
#include "parts/page.h"
#include "timeline-recorder.h"

#define MEMLANE_TYPE_TIMELINE_PAGE (memlane_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelinePage, memlane_timeline_page, MEMLANE, TIMELINE_PAGE, AdwBin)

/* A page (parts/page.h) of @traces, recorded on the chosen one of @devices, and the stream
 * laboratory as another way to record. It hears of traces that
 * arrive from now on. */
GtkWidget *memlane_timeline_page_new (MemlaneDeviceChoice *devices, MemlanePlanModel *plan,
                                      MemlaneSweepJob *sweep, MemlaneTraceStore *traces);
/* record-trace: records what the tab that is seen says, one sample, or the laboratory's two.
 * record-cell ((ssuuuu): mode, workload, log2 of the elements, reuse, streams, chunks).
 * export-trace: of the trace that is shown first. */
extern const MemlanePageAction memlane_timeline_page_actions[];
