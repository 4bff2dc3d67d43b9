/* builder.h: how a trace comes to be; for engine/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * new -> add..., set info -> finish, or free. One thread. Events may come in any order.
 */
#pragma once

#include "trace.h"

/* The texts and the whole numbers of MemlaneTraceInfo, for whoever does the same with each. */
#define MEMLANE_TRACE_INFO_TEXTS(X)                                                                \
  X (device)                                                                                       \
  X (device_name) X (device_kind) X (source) X (workload) X (mode) X (method) X (environment)      \
      X (date) X (overhead) X (range)
#define MEMLANE_TRACE_INFO_NUMBERS(X)                                                              \
  X (log2_elements) X (elements) X (reuse) X (streams) X (chunks) X (dropped) X (skipped)

/* 63 years. No clock is farther from 0, and sums of two times stay in 64 bits. Every reader leaves
 * out or refuses what is. */
#define MEMLANE_TRACE_LATEST_NS 2000000000000000000

typedef struct _MemlaneTraceBuilder MemlaneTraceBuilder;

MemlaneTraceBuilder *memlane_trace_builder_new (void);
void memlane_trace_builder_free (MemlaneTraceBuilder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTraceBuilder, memlane_trace_builder_free)

/* (transfer none): fill it in before finish; it goes into the trace. */
MemlaneTraceInfo *memlane_trace_builder_get_info (MemlaneTraceBuilder *self);
void memlane_trace_builder_add_note (MemlaneTraceBuilder *self, const char *format, ...)
    G_GNUC_PRINTF (2, 3);
/* The id of @name, interned. @length -1: it ends in 0. */
guint32 memlane_trace_builder_intern (MemlaneTraceBuilder *self, const char *name, gssize length);
/* Adds a copy of @event; its lane is found later. FALSE with TOO_LARGE: the machine has no memory
 * for more events, or they are 2^32. */
gboolean memlane_trace_builder_add (MemlaneTraceBuilder *self, const MemlaneTraceEvent *event,
                                    GError **error);
guint memlane_trace_builder_get_n_events (const MemlaneTraceBuilder *self);
/* (transfer none): valid until the next add. For a file's pairs of begin and end. */
MemlaneTraceEvent *memlane_trace_builder_get_event (MemlaneTraceBuilder *self, guint index);
/* Says more of a stream than its number; streams that are only mentioned are ordinary ones. */
void memlane_trace_builder_add_stream (MemlaneTraceBuilder *self, const MemlaneTraceStream *stream);
/* The name of a GPU, "" for none: it becomes the trace's, unless another one is named, too. */
void memlane_trace_builder_add_device (MemlaneTraceBuilder *self, const char *name);
/* The title of track @number (OTHER). */
void memlane_trace_builder_name_track (MemlaneTraceBuilder *self, guint32 number,
                                       const char *title);
/* Moves all events: the earliest starts at 0. Returns by how much. */
gint64 memlane_trace_builder_begin_at_zero (MemlaneTraceBuilder *self);
/* Sorts, indexes, and frees the builder. NULL with TOO_LARGE: no memory for the indices. */
MemlaneTrace *memlane_trace_builder_finish (MemlaneTraceBuilder *self, GError **error);
