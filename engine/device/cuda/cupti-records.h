/* cupti-records.h: CUPTI's records as events
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <stdbool.h>

#include <cupti.h>

#include "device/tracer.h"
#include "trace/record.h"

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

/* Reads an operation, or what befell pages of managed memory, without the number of its name: @name
 * is that of a kernel. False: it is something else. */
static inline bool
memlane_cupti_read (const CUpti_Activity *activity, MemlaneRecord *record, const char **name)
{
  const void *data = activity;
  const MemlaneCuptiMemcpy *copy = data;
  const CUpti_ActivityMemcpyPtoP4 *peer = data;
  const CUpti_ActivityMemset4 *set = data;
  const MemlaneCuptiKernel *kernel = data;
  const MemlaneCuptiSynchronization *wait = data;
  const MemlaneCuptiUnifiedMemory *pages = data;

  *name = NULL;
  switch ((int) activity->kind)
    {
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      *record = (MemlaneRecord) {
        .type = MEMLANE_RECORD_COPY, .way = memlane_cupti_way_of (copy->copyKind),
        .source = memlane_cupti_memory_of (copy->srcKind),
        .destination = memlane_cupti_memory_of (copy->dstKind), .correlation = copy->correlationId,
        .start = copy->start, .end = copy->end, .bytes = copy->bytes, .stream = copy->streamId,
        .count = (copy->flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0,
      };
      return true;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      *record = (MemlaneRecord) {
        .type = MEMLANE_RECORD_COPY, .way = MEMLANE_TRACE_WAY_TO_PEER,
        .source = memlane_cupti_memory_of (peer->srcKind),
        .destination = MEMLANE_TRACE_MEMORY_PEER, .correlation = peer->correlationId,
        .start = peer->start, .end = peer->end, .bytes = peer->bytes, .stream = peer->streamId,
        .count = 1,
      };
      return true;
    case CUPTI_ACTIVITY_KIND_MEMSET:
      *record = (MemlaneRecord) {
        .type = MEMLANE_RECORD_MEMSET, .bytes = set->bytes, .correlation = set->correlationId,
        .destination = memlane_cupti_memory_of ((uint8_t) set->memoryKind), .start = set->start,
        .end = set->end, .stream = set->streamId,
      };
      return true;
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      *record = (MemlaneRecord) {
        .type = MEMLANE_RECORD_KERNEL, .correlation = kernel->correlationId,
        .start = kernel->start, .end = kernel->end, .stream = kernel->streamId,
      };
      *name = kernel->name;
      return true;
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      *record = (MemlaneRecord) {
        .type = MEMLANE_RECORD_SYNCHRONISATION, .correlation = wait->correlationId,
        .start = wait->start, .end = wait->end, .stream = wait->streamId,
        .count = wait->type == CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT,
      };
      return true;
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      *record = (MemlaneRecord) {
        .start = pages->start, .end = pages->end != 0 ? pages->end : pages->start,
      };
      break;
    default:
      return false;
    }
  switch ((int) pages->counterKind)
    {
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD:
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH:
      record->type = MEMLANE_RECORD_MIGRATION;
      record->way = pages->counterKind
                            == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD
                      ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST;
      record->bytes = pages->value;
      /* A record has no correlation with a prefetch, but says that a call asked for it. What CUPTI
       * calls a prefetch is the driver's own. */
      record->count = pages->flags == CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER;
      return true;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT:
      record->type = MEMLANE_RECORD_FAULT;
      record->way = MEMLANE_TRACE_WAY_TO_HOST;
      record->count = 1;           /* its value is the place in the program */
      record->end = record->start; /* not told */
      return true;
    case CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT:
      record->type = MEMLANE_RECORD_FAULT;
      record->way = MEMLANE_TRACE_WAY_TO_DEVICE;
      record->count = pages->value < UINT32_MAX ? (uint32_t) pages->value : UINT32_MAX;
      return true;
    default:
      return false;
    }
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
