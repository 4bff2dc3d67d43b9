/* findings.h: what a trace shows, in sentences that point at their events
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "answer.h"
#include "trace/trace.h"

typedef enum
{
  /* pageable copies go through the driver's buffer and hold the host */
  MEMLANE_FINDING_STAGED,
  MEMLANE_FINDING_DEFAULT_STREAM, /* the legacy default stream serialises two streams */
  /* a call that asks for no synchronisation serialises streams, or waits */
  MEMLANE_FINDING_IMPLICIT,
  MEMLANE_FINDING_SMALL_COPIES,   /* issuing a copy takes longer than the copy */
  MEMLANE_FINDING_FAULTS,         /* kernels wait for pages */
  MEMLANE_FINDING_PING_PONG,      /* pages go up and down again and again */
  /* overlap efficiency: 0 % none, 100 % as much as the work allows */
  MEMLANE_FINDING_OVERLAP,
  MEMLANE_N_FINDINGS
} MemlaneFindingKind;

typedef struct
{
  MemlaneFindingKind kind;
  /* owned; two or three short ones, without a line break. Streams are called by
   * memlane_trace_stream_place() */
  MemlaneAnswer *sentence;
  guint32 *events;         /* ids, ascending; never none */
  guint n_events;
} MemlaneTraceFinding;

/* Returns: (transfer full) (element-type MemlaneTraceFinding): in the order of the enum, maybe
 * empty. Any thread; a trace of a million events takes part of a second. */
GPtrArray *memlane_trace_find (const MemlaneTrace *trace);
