/* trace-private.h: a trace's inside; for trace.c, builder.c, lanes.c, fold.c and bounds.c
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "findings.h"
#include "trace.h"

G_BEGIN_DECLS

#define MEMLANE_TRACE_FAN 16

/* Of FAN entries of a lane, or of FAN blocks. All that a walk asks is here: going to the events for it would miss the caches. */
typedef struct _MemlaneTraceBlock
{
  gint64 start, last; /* of the first entry and of the last one */
  gint64 end;         /* the latest */
  gint64 busy;        /* sum of the durations */
  gint64 duration;    /* of the longest */
  guint64 rows;       /* as of MemlaneTraceFold */
  guint32 longest;    /* id of an event */
} MemlaneTraceBlock;

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
  guint kinds[MEMLANE_TRACE_N_KINDS];       /* how many events of each */
  guint8 kind_flags[MEMLANE_TRACE_N_KINDS]; /* and the flags that they have */
  gboolean has_bounds;
  MemlaneTraceBounds bounds;
};

/* Empties @info. */
void memlane_trace_info_clear (MemlaneTraceInfo *info);

/* Makes the lanes of a trace whose events are sorted and whose streams are known. @tracks: number -> title. FALSE: no memory. */
gboolean memlane_trace_lay_out (MemlaneTrace *trace, GHashTable *tracks);
/* Makes the index of a lane whose entries and rows stand. FALSE: no memory. */
gboolean memlane_trace_fold_lane (const MemlaneTrace *trace, MemlaneTraceLane *lane);
/* Fills in has_bounds and bounds, so that a timeline need not look at every event for each frame. */
void memlane_trace_measure_bounds (MemlaneTrace *trace);

G_END_DECLS
