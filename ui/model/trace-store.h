/* trace-store.h: the traces that the window has open: recorded, or read from files
 *
 * SPDX-License-Identifier: MIT
 *
 * Recording is done by a worker (job/requests.h), and waits for its turn on the bench: a sweep
 * would be disturbed.
 *
 * GObject without GTK, main thread only. GListModel of MemlaneTraceItem, newest first, at most ten
 * that were recorded; opened ones stay. Properties: "busy" boolean: recording or reading;
 * "recording" boolean; "progress" double: of reading, 0 to 1; NAN-free, 0 while recording; "status"
 * string: "recording Pinned 2¹⁴", "".
 * Signals: "notice" (const char *sentence, gboolean trouble); "arrived" (MemlaneTraceItem *item,
 * const char *purpose): see below; "failed" (const char *purpose): a job ended without a trace: it
 * went wrong, or was stopped. After the notice, if there is one. "tried" (MemlaneTraceItem *item).
 */
#pragma once

#include "bench.h"
#include "memlane.h"
#include "trace-item.h"

#define MEMLANE_TYPE_TRACE_STORE (memlane_trace_store_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTraceStore, memlane_trace_store, MEMLANE, TRACE_STORE, GObject)

/* @bench (nullable): where recordings wait for their turn; NULL: a bench of its own. */
MemlaneTraceStore *memlane_trace_store_new (MemlaneBench *bench);

/* Asynchronous; jobs wait in a queue. A zero in @method (nullable) stands for the usual value.
 * @purpose comes back in "arrived" and "failed": the store does not look at it. */
void memlane_trace_store_record (MemlaneTraceStore *self, const char *device,
                                 const MemlaneMethod *method, const MemlaneMode *mode,
                                 double log2_elements, const char *purpose);
void memlane_trace_store_record_lab (MemlaneTraceStore *self, const char *device,
                                     const MemlaneLabPlan *plan, const char *purpose);
/* Runs somebody's program with the recorder; @words: it and its arguments, NULL at the end. If it
 * makes no call to CUDA, "notice" tells how it ended and what it wrote. */
void memlane_trace_store_run_program (MemlaneTraceStore *self, char **words, const char *purpose);
/* Runs the program of @item, which ran here, several times in turn as it is and with the change.
 * "tried" tells when @item has the trial. */
void memlane_trace_store_try (MemlaneTraceStore *self, MemlaneTraceItem *item,
                              MemlaneChangeKind change);
/* Says how the last program ended, with the end of its output; NULL: none has run to its end.
 * (transfer none) (nullable) */
const char *memlane_trace_store_get_end_words (MemlaneTraceStore *self);
void memlane_trace_store_open (MemlaneTraceStore *self, const char *path, const char *purpose);
/* Stops what is going on and forgets what waits; the worker is asked to end. */
void memlane_trace_store_stop (MemlaneTraceStore *self);
void memlane_trace_store_remove (MemlaneTraceStore *self, MemlaneTraceItem *item);
gboolean memlane_trace_store_is_busy (MemlaneTraceStore *self);
/* Whether something is being recorded, or waits for that. */
gboolean memlane_trace_store_is_recording (MemlaneTraceStore *self);
/* Returns the message of the host while a recording waits for its turn there; NULL: none waits.
 * "status" has it too. (nullable) (transfer none) */
const char *memlane_trace_store_get_waiting (MemlaneTraceStore *self);
/* Why nothing can be recorded now; NULL: it can. (transfer none) */
const char *memlane_trace_store_get_objection (MemlaneTraceStore *self);
/* Puts @trace, which was recorded elsewhere in this window, on the store, as one that was recorded
 * here; "arrived" tells. @name as of memlane_trace_item_new(). Returns: (transfer none) */
MemlaneTraceItem *memlane_trace_store_add (MemlaneTraceStore *self, MemlaneTrace *trace,
                                           const char *name, const char *purpose);
/* Whether @path looks like a trace by its first bytes, to tell it from a table, packed or not. */
gboolean memlane_trace_store_is_trace (const char *path);
