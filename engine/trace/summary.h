/* summary.h: a trace as the table that nvprof printed; what lies in a part of it
 *
 * SPDX-License-Identifier: MIT
 *
 * Shapes: a row for each name within a section; the sections in the order of the enum, within one
 * the largest time first, then by name. Times are ns. The percentage is of the section's total
 * time, as nvprof's was; where operations overlap it says nothing of elapsed time.
 */
#pragma once

#include <gio/gio.h>

#include "base/size.h"
#include "trace.h"

/* Returns the size of one vector (base/size.h); 0: it is not known. */
static inline double
memlane_trace_info_size (const MemlaneTraceInfo *info)
{
  return info->log2_elements > 0 ? info->log2_elements
         : info->elements > 0    ? memlane_size_of (info->elements)
                                 : 0;
}

typedef enum
{
  MEMLANE_SUMMARY_GPU_ACTIVITIES, /* copies, memsets, kernels */
  /* migrations; those by faults happen inside kernels, so they stand apart as they did in nvprof */
  MEMLANE_SUMMARY_UNIFIED_MEMORY,
  MEMLANE_SUMMARY_API_CALLS,      /* CUDA calls of the host */
  MEMLANE_SUMMARY_N_SECTIONS
} MemlaneSummarySection;

typedef struct
{
  MemlaneSummarySection section;
  const char *name;   /* of the trace */
  double percent;
  double total;
  guint calls;
  double average, minimum, maximum, median;
  double deviation;   /* of the sample (n - 1); 0 with one call */
  guint64 bytes;      /* in all; 0: none */
} MemlaneSummaryRow;

/* "GPU activities"; static. */
const char *memlane_summary_section_name (MemlaneSummarySection section);

typedef struct
{
  guint events;
  double ns, bytes;
  double faults; /* their counts, at least one each */
} MemlaneTraceSum;

/* Adds up the events of @kind that go @way (MEMLANE_TRACE_N_WAYS: any) and whose name begins with
 * @prefix. */
MemlaneTraceSum memlane_trace_sum (const MemlaneTrace *trace, MemlaneTraceKind kind,
                                   MemlaneTraceWay way, const char *prefix);

/* Returns: (transfer full) (element-type MemlaneSummaryRow): a GArray; its names live as long as
 * @trace. */
GArray *memlane_trace_summarize (const MemlaneTrace *trace);
/* nvprof's table, with the columns Median and StdDev before Name. Returns: (transfer full). */
char *memlane_trace_summary_to_text (const MemlaneTrace *trace);
/* Five digits and a unit as nvprof wrote them: "960ns", "1.1520us", "25.503us", "5.5678ms",
 * "1.10000s". Returns: (transfer full). */
char *memlane_summary_format_time (double ns);

/* Times in ns; busy ones count a moment once, however many events of the engine it holds, and only
 * the part inside the span. */
typedef struct
{
  double duration;              /* of the span */
  /* moved by copies and migrations, in proportion to the part of each that lies in the span */
  guint64 bytes_up, bytes_down;
  guint64 bytes_inside;         /* on the device, to a peer */
  double host;                  /* calls and the host's own work */
  double up, down, kernel, migration; /* the engines */
  double device;                /* any of them */
  double overlapped;            /* at least two of up, down, kernel at once */
  guint n_events;               /* that touch it, host and device */
} MemlaneTraceSpan;

/* @from and @to in any order, also outside the trace. O(events that touch it); any thread. */
void memlane_trace_measure_span (const MemlaneTrace *trace, double from, double to,
                                 MemlaneTraceSpan *span);

/* Returns the part of @trace within the ranges called @name: of NVTX, a profiler's annotations, any
 * other span of a foreign file. "*" and "?" stand for letters. Events keep their times; what
 * reaches over a range's end is cut off there. The ranges stay, and info->range is @name. Any
 * thread. Returns: (transfer full), or NULL with G_IO_ERROR_NOT_FOUND, which names some that there
 * are, or MEMLANE_TRACE_ERROR_TOO_LARGE. */
MemlaneTrace *memlane_trace_cut (const MemlaneTrace *trace, const char *name, GError **error);
