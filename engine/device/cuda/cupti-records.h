/* cupti-records.h: CUPTI's records as events; for cupti-trace.c alone
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <cupti.h>

#include "device/tracer.h"

G_BEGIN_DECLS

/* The newest types of the header; a library of another version fills their front in the same way. */
#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 MemlaneCuptiKernel;
typedef CUpti_ActivityMemcpy6 MemlaneCuptiMemcpy;
typedef CUpti_ActivityUnifiedMemoryCounter3 MemlaneCuptiUnifiedMemory;
typedef CUpti_ActivitySynchronization2 MemlaneCuptiSynchronization;
#else
typedef CUpti_ActivityKernel8 MemlaneCuptiKernel;
typedef CUpti_ActivityMemcpy5 MemlaneCuptiMemcpy;
typedef CUpti_ActivityUnifiedMemoryCounter2 MemlaneCuptiUnifiedMemory;
typedef CUpti_ActivitySynchronization MemlaneCuptiSynchronization;
#endif

/* A call of ours, on the host's clock. */
typedef struct
{
  double begin, end;
  guint32 correlation;
} MemlaneCuptiCall;

typedef struct
{
  guint64 clamped;           /* operations that began before their call did */
  guint64 pages, pages_kept; /* records of page faults and migrations; those within the sample */
  guint64 pages_of_realtime; /* of the latter: with times of CLOCK_REALTIME */
  double nearest;            /* ns from the sample to the nearest record of pages outside of it, negative: before; 0: there is none */
  guint64 thrashing, throttled, mapped; /* within the sample */
} MemlaneCuptiCounts;

/* Adds what the @n @records tell, if it is ours, to @tracer: first the links between our calls and CUPTI's correlation ids, then the
 * operations. @calls (element-type MemlaneCuptiCall): in order of time. @offset: ns to add to CUPTI's times, @from_realtime: to those of
 * CLOCK_REALTIME. */
void memlane_cupti_read_records (MemlaneTracer *tracer, const GArray *calls, gint64 offset, gint64 from_realtime,
                                 const CUpti_Activity *const *records, guint n, MemlaneCuptiCounts *counts);

G_END_DECLS
