/* summary.h: a trace as the table that nvprof printed
 *
 * SPDX-License-Identifier: MIT
 *
 * Shapes: a row for each name within a section; the sections in the order of the enum, within one the largest time first, then by name.
 * Times are ns. The percentage is of the section's total time, as nvprof's was; where operations overlap it says nothing of elapsed time.
 */
#pragma once

#include <glib.h>

#include "base/size.h"
#include "trace.h"

/* Returns the size of one vector (base/size.h); 0: it is not known. */
static inline double
memlane_trace_info_size (const MemlaneTraceInfo *info)
{
  return info->log2_elements > 0 ? info->log2_elements : info->elements > 0 ? memlane_size_of (info->elements) : 0;
}

typedef enum
{
  MEMLANE_SUMMARY_GPU_ACTIVITIES, /* copies, memsets, kernels */
  MEMLANE_SUMMARY_UNIFIED_MEMORY, /* migrations; those by faults happen inside kernels, so they stand apart as they did in nvprof */
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

/* Adds up the events of @kind that go @way (MEMLANE_TRACE_N_WAYS: any) and whose name begins with @prefix. */
MemlaneTraceSum memlane_trace_sum (const MemlaneTrace *trace, MemlaneTraceKind kind, MemlaneTraceWay way, const char *prefix);

/* Returns: (transfer full) (element-type MemlaneSummaryRow): a GArray; its names live as long as @trace. */
GArray *memlane_trace_summarize (const MemlaneTrace *trace);
/* nvprof's table, with the columns Median and StdDev before Name. Returns: (transfer full). */
char *memlane_trace_summary_to_text (const MemlaneTrace *trace);
/* Five digits and a unit as nvprof wrote them: "960ns", "1.1520us", "25.503us", "5.5678ms", "1.10000s". Returns: (transfer full). */
char *memlane_summary_format_time (double ns);
