/* cupti-trace.h: what a GPU did, from CUPTI's activity records; for trace.c alone
 *
 * SPDX-License-Identifier: MIT
 *
 * CUPTI belongs to the process, so there is one recording at a time, whatever the device; the
 * second one is refused. The library is opened with the first recording and stays. Between
 * recordings no activity is enabled, but for the counters of page faults and migrations in a
 * process that was prepared: see memlane_trace_prepare(). Its own threads deliver buffers, which
 * are only looked at in end.
 *
 * MEMLANE_CUPTI in the environment names the library to open; "no" does without.
 */
#pragma once

#include "device/tracer.h"

typedef struct _MemlaneCupti MemlaneCupti;

/* From now on the counters of unified memory are switched on before the first context. Any
 * thread. */
void memlane_cupti_prepare (void);
/* The context of device @ordinal is about to be made; CUDA is initialised. Opens CUPTI in a process
 * that was prepared, else does nothing; what it cannot do is told by the next recording. @clock as
 * below. */
void memlane_cupti_before_context (int ordinal, double (*clock) (void));
/* NULL: it cannot be used, and *@reason (transfer full) says why: missing, refused, in use. @clock:
 * nanoseconds on the host's clock, which the records' times are brought to. */
MemlaneCupti *memlane_cupti_begin (int ordinal, double (*clock) (void), char **reason);
/* Around each call: what is issued in between carries @correlation. The host's times of the call
 * are kept too. */
void memlane_cupti_enter (MemlaneCupti *self, guint32 correlation);
void memlane_cupti_leave (MemlaneCupti *self, guint32 correlation, double begin, double end);
/* CUPTI's number for a cudaStream_t; FALSE: not known. */
gboolean memlane_cupti_get_stream (MemlaneCupti *self, void *stream, guint32 *number);
/* Delivers into @tracer (NULL: drops all), and ends. All work must be done. */
void memlane_cupti_end (MemlaneCupti *self, MemlaneTracer *tracer);
