/* cupti-records.h: CUPTI's records as events; for cupti-trace.c alone
 *
 * SPDX-License-Identifier: MIT
 *
 * new -> link (each record) -> add (each record) -> free.
 */
#pragma once

#include <cupti.h>

#include "tracer.h"

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

typedef struct _MemlaneCuptiRecords MemlaneCuptiRecords;

/* @calls: in order of time, borrowed. @offset: ns to add to CUPTI's times. */
MemlaneCuptiRecords *memlane_cupti_records_new (MemlaneTracer *tracer, const GArray *calls, double offset);
/* Learns from @record which of our calls stands behind CUPTI's correlation ids. */
void memlane_cupti_records_link (MemlaneCuptiRecords *self, const CUpti_Activity *record);
/* Adds what @record tells, if it is ours. */
void memlane_cupti_records_add (MemlaneCuptiRecords *self, const CUpti_Activity *record);
/* Returns how many operations began before their call did. */
guint64 memlane_cupti_records_free (MemlaneCuptiRecords *self);

G_END_DECLS
