/* span.h: a part of a trace: what went on between two moments, and what lies within named ranges
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gio/gio.h>

#include "trace.h"

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

/* Returns the part of @trace within the ranges called @name: of NVTX, a profiler's annotations, any other span of a foreign file. "*" and
 * "?" stand for letters. Events keep their times; what reaches over a range's end is cut off there. The ranges stay, and info->range is
 * @name. Any thread. Returns: (transfer full), or NULL with G_IO_ERROR_NOT_FOUND, which names some that there are, or
 * MEMLANE_TRACE_ERROR_TOO_LARGE. */
MemlaneTrace *memlane_trace_cut (const MemlaneTrace *trace, const char *name, GError **error);
