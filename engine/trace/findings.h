/* findings.h: what a trace shows, in sentences that point at their events
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "trace.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_FINDING_STAGED,         /* pageable copies go through the driver's buffer and hold the host */
  MEMLANE_FINDING_DEFAULT_STREAM, /* the legacy default stream serialises two streams */
  MEMLANE_FINDING_IMPLICIT,       /* a call that asks for no synchronisation serialises streams, or waits */
  MEMLANE_FINDING_SMALL_COPIES,   /* issuing a copy takes longer than the copy */
  MEMLANE_FINDING_FAULTS,         /* kernels wait for pages */
  MEMLANE_FINDING_PING_PONG,      /* pages go up and down again and again */
  MEMLANE_FINDING_OVERLAP,        /* overlap efficiency */
  MEMLANE_N_FINDINGS
} MemlaneFindingKind;

typedef struct
{
  MemlaneFindingKind kind;
  char *text;       /* one sentence or two, without a line break */
  guint32 *events;  /* ids, ascending; never none */
  guint n_events;
} MemlaneTraceFinding;

/* Word of the kind ("staged"); static. */
const char *memlane_finding_kind_name (MemlaneFindingKind kind);

/* Returns: (transfer full) (element-type MemlaneTraceFinding): in the order of the enum, maybe empty. Any thread; a trace of a million
 * events takes part of a second. */
GPtrArray *memlane_trace_find (const MemlaneTrace *trace);

/* How long the device's work could take at best, from the times in which each engine was busy:
 *   serial   up + kernel + down            nothing overlaps
 *   one_way  max (up + down, kernel)       kernels run beside the copies of one copy engine
 *   full     max (up, kernel, down)        copies both ways and kernels run beside each other
 * The formulas are those of NVIDIA's CUDA sample simpleMultiCopy ("theoretical limits for speedup gained from overlapped data transfers").
 * An engine that is busy with two things at once counts once; the times are as measured, so what overlap slows down stays in them. */
typedef struct
{
  double up, kernel, down;          /* ns busy: copies (and prefetches) to the device, kernels and memsets, copies to the host */
  double serial, one_way, full;     /* ns */
  double measured;                  /* ns, from the first operation's start to the last one's end */
  gint64 begin, end;                /* of that, on the trace's axis */
  double efficiency;                /* (serial - measured) / (serial - full): at most 0: nothing overlapped; 1: all that can be won */
} MemlaneTraceBounds;

/* FALSE: fewer than two of the three engines worked, so there is nothing to overlap. */
gboolean memlane_trace_compute_bounds (const MemlaneTrace *trace, MemlaneTraceBounds *bounds);

G_END_DECLS
