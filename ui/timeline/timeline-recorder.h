/* timeline-recorder.h: which cell is recorded next, and a button that does it
 *
 * SPDX-License-Identifier: MIT
 *
 * Mode, size and what stands beside are kept in the settings; the device is the chosen one,
 * workload, reuse, streams and chunks are the plan's. A trace has the purpose "sample-alone", or
 * two have "sample-first" and "sample-second". The button activates "trace.record" and
 * "trace.stop" of whatever it stands in.
 *
 * Signal: "changed": what would be recorded, or whether it can be.
 */
#pragma once

#include <adwaita.h>

#include "model/sweep-job.h"
#include "model/trace-store.h"

#define MEMLANE_TYPE_TIMELINE_RECORDER (memlane_timeline_recorder_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTimelineRecorder, memlane_timeline_recorder, MEMLANE,
                      TIMELINE_RECORDER, AdwBin)

/* Once, after it was made. Takes references. */
void memlane_timeline_recorder_follow (MemlaneTimelineRecorder *self, MemlaneDeviceChoice *devices,
                                       MemlanePlanModel *plan, MemlaneTraceStore *store);
void memlane_timeline_recorder_record (MemlaneTimelineRecorder *self);
/* Makes @button one that activates @action, with the tooltip @idle; while something is recorded,
 * one that stops it. */
void memlane_timeline_recorder_label (GtkWidget *button, gboolean recording, const char *action,
                                      const char *idle);
/* Chooses @mode and size, and records that alone. Ids of a newer Memlane are ignored. */
void memlane_timeline_recorder_record_cell (MemlaneTimelineRecorder *self, const char *mode,
                                            const MemlaneMethod *method, guint log2_elements);
/* Why nothing can be recorded now; NULL: it can. (transfer full) */
char *memlane_timeline_recorder_get_objection (MemlaneTimelineRecorder *self);
/* "Pinned 2¹⁴ on Simulated H200": what would be recorded. (transfer full) */
char *memlane_timeline_recorder_describe (MemlaneTimelineRecorder *self);
