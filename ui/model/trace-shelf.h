/* trace-shelf.h: the traces that the window has open: recorded by a child process, or read from files
 *
 * SPDX-License-Identifier: MIT
 *
 * Recording is done by memlane-cli in a process of its own ("memlane-cli trace --json F", "memlane-cli lab --json F"): CUPTI's page counters
 * stay on in a process that traces, which would slow what this one measures; and whatever goes wrong there, a crash in a driver's library
 * included, is a sentence here. The program is MEMLANE_CLI's, else the one beside this executable, else PATH's. No recording while a
 * sweep runs: it would disturb it.
 *
 * GObject without GTK, main thread only. GListModel of MemlaneTraceItem, newest first, at most ten that were recorded; opened ones stay.
 * Properties: "busy" boolean: recording or reading; "progress" double: of reading, 0 to 1; NAN-free, 0 while recording; "status" string.
 * Signals: "notice" (const char *sentence, gboolean trouble); "arrived" (MemlaneTraceItem *item, const char *purpose): see below.
 */
#pragma once

#include "lab/lab.h"
#include "trace-item.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TRACE_SHELF (memlane_trace_shelf_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneTraceShelf, memlane_trace_shelf, MEMLANE, TRACE_SHELF, GObject)

MemlaneTraceShelf *memlane_trace_shelf_new (void);

/* One sample of one cell. */
typedef struct
{
  const char *device, *workload, *mode;
  guint log2_elements, reuse, streams, chunks; /* 0: the default */
} MemlaneTraceRequestedCell;

/* Asynchronous; jobs wait in a queue. @purpose comes back in "arrived" ("first", "second", "lab"): the shelf does not look at it. */
void memlane_trace_shelf_record (MemlaneTraceShelf *self, const MemlaneTraceRequestedCell *cell, const char *purpose);
void memlane_trace_shelf_record_lab (MemlaneTraceShelf *self, const char *device, const MemlaneLabPlan *plan, const char *purpose);
void memlane_trace_shelf_open (MemlaneTraceShelf *self, const char *path, const char *purpose);
/* Stops what is going on and forgets what waits; the child is asked to end, then told. */
void memlane_trace_shelf_stop (MemlaneTraceShelf *self);
void memlane_trace_shelf_remove (MemlaneTraceShelf *self, MemlaneTraceItem *item);

/* Whether @path looks like a trace (by its first bytes: '{' or '['), to tell it from a CSV. */
gboolean memlane_trace_shelf_is_trace (const char *path);

G_END_DECLS
