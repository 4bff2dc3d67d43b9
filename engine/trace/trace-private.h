/* trace-private.h: a trace's inside; for trace.c, builder.c and lanes.c
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace.h"

G_BEGIN_DECLS

struct _MemlaneTrace
{
  int ref_count; /* atomic */
  MemlaneTraceInfo info;
  MemlaneTraceEvent *events;
  guint n_events;
  gint64 end;
  GStringChunk *text;      /* the names and titles */
  GPtrArray *names;        /* (element-type const char*) in text */
  GArray *streams;         /* (element-type MemlaneTraceStream), by number */
  MemlaneTraceLane *lanes; /* each with arrays of its own */
  guint n_lanes;
  guint32 *correlated;     /* ids of the events with a correlation, by it, then by id */
  guint n_correlated;
};

/* Empties @info. */
void memlane_trace_info_clear (MemlaneTraceInfo *info);

/* Makes the lanes of a trace whose events are sorted and whose streams are known. @tracks: number -> title. FALSE: no memory. */
gboolean memlane_trace_lay_out (MemlaneTrace *trace, GHashTable *tracks);

G_END_DECLS
