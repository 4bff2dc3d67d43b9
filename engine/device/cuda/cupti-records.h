/* cupti-records.h: CUPTI's records as events
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <cupti.h>

#include "device/tracer.h"

/* The newest types of the header; a library of another version fills their front in the same
 * way. */
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

/* --- for cupti-trace.c and recorder.c: CUPTI's words in ours --- */

static inline uint8_t
memlane_cupti_memory_of (uint8_t kind)
{
  static const uint8_t memories[] = {
    [CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE] = MEMLANE_TRACE_MEMORY_PAGEABLE,
    [CUPTI_ACTIVITY_MEMORY_KIND_PINNED] = MEMLANE_TRACE_MEMORY_PINNED,
    [CUPTI_ACTIVITY_MEMORY_KIND_DEVICE] = MEMLANE_TRACE_MEMORY_DEVICE,
    [CUPTI_ACTIVITY_MEMORY_KIND_ARRAY] = MEMLANE_TRACE_MEMORY_DEVICE,
    [CUPTI_ACTIVITY_MEMORY_KIND_MANAGED] = MEMLANE_TRACE_MEMORY_MANAGED,
    [CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC] = MEMLANE_TRACE_MEMORY_DEVICE,
    [CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC] = MEMLANE_TRACE_MEMORY_MANAGED,
  };

  return kind < sizeof memories ? memories[kind] : MEMLANE_TRACE_MEMORY_UNKNOWN;
}

static inline uint8_t
memlane_cupti_way_of (uint8_t kind)
{
  static const uint8_t ways[] = {
    [CUPTI_ACTIVITY_MEMCPY_KIND_HTOD] = MEMLANE_TRACE_WAY_TO_DEVICE,
    [CUPTI_ACTIVITY_MEMCPY_KIND_HTOA] = MEMLANE_TRACE_WAY_TO_DEVICE,
    [CUPTI_ACTIVITY_MEMCPY_KIND_DTOH] = MEMLANE_TRACE_WAY_TO_HOST,
    [CUPTI_ACTIVITY_MEMCPY_KIND_ATOH] = MEMLANE_TRACE_WAY_TO_HOST,
    [CUPTI_ACTIVITY_MEMCPY_KIND_ATOA] = MEMLANE_TRACE_WAY_ON_DEVICE,
    [CUPTI_ACTIVITY_MEMCPY_KIND_ATOD] = MEMLANE_TRACE_WAY_ON_DEVICE,
    [CUPTI_ACTIVITY_MEMCPY_KIND_DTOA] = MEMLANE_TRACE_WAY_ON_DEVICE,
    [CUPTI_ACTIVITY_MEMCPY_KIND_DTOD] = MEMLANE_TRACE_WAY_ON_DEVICE,
    [CUPTI_ACTIVITY_MEMCPY_KIND_HTOH] = MEMLANE_TRACE_WAY_ON_HOST,
    [CUPTI_ACTIVITY_MEMCPY_KIND_PTOP] = MEMLANE_TRACE_WAY_TO_PEER,
  };

  return kind < sizeof ways ? ways[kind] : MEMLANE_TRACE_WAY_NONE;
}

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
  /* ns from the sample to the nearest record of pages outside of it, negative: before; 0: there is
   * none */
  double nearest;
  guint64 thrashing, throttled, mapped; /* within the sample */
} MemlaneCuptiCounts;

/* Adds what the @n @records tell, if it is ours, to @tracer: first the links between our calls and
 * CUPTI's correlation ids, then the operations. @calls (element-type MemlaneCuptiCall): in order of
 * time. @offset: ns to add to CUPTI's times, @from_realtime: to those of CLOCK_REALTIME. */
void memlane_cupti_read_records (MemlaneTracer *tracer, const GArray *calls, gint64 offset,
                                 gint64 from_realtime, const CUpti_Activity *const *records,
                                 guint n, MemlaneCuptiCounts *counts);
