/* span.h: what went on between two moments of a trace
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <glib.h>

#include "trace.h"

G_BEGIN_DECLS

/* Times in ns; busy ones count a moment once, however many events of the engine it holds, and only the part inside the span. */
typedef struct
{
  double duration;              /* of the span */
  guint64 bytes_up, bytes_down; /* moved by copies and migrations, in proportion to the part of each that lies in the span */
  guint64 bytes_inside;         /* on the device, to a peer */
  double host;                  /* calls and the host's own work */
  double up, down, kernel, migration; /* the engines */
  double device;                /* any of them */
  double overlapped;            /* at least two of up, down, kernel at once */
  guint n_events;               /* that touch it, host and device */
} MemlaneTraceSpan;

/* @from and @to in any order, also outside the trace. O(events that touch it); any thread. */
void memlane_trace_measure_span (const MemlaneTrace *trace, double from, double to, MemlaneTraceSpan *span);

G_END_DECLS
