/* tracer.h: recording: what stands between a device that is traced and the trace; for engine/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * new -> start -> calls on the device -> stop -> finish; or free at any time. On the thread that
 * owns the device, which has one tracer at most.
 * Between start and stop device-calls.c tells of each call, and the driver of what the device did
 * for it. What comes before the start is not kept: buffers are prepared there, and a first sample
 * is thrown away. What is still queued at finish is not in the trace: wait before.
 *
 * Times here are double nanoseconds on the device's trace clock: the driver's trace table, clock.
 */
#pragma once

#include "device-calls.h"
#include "trace/builder.h"

/* The work that a call asks of the device; only tracing looks at it. */
typedef struct
{
  /* COPY, MEMSET, KERNEL, MIGRATION, HOST_FUNCTION; CALL: nothing that is queued; HOST: no CUDA
   * call */
  MemlaneTraceKind kind;
  const char *name;      /* of the operation; NULL: by its kind */
  MemlaneTraceWay way;
  const void *to, *from;
  gsize bytes;
  MemlaneStream *stream;
  gboolean has_stream;   /* the call names one (NULL: the legacy default stream) */
  gboolean is_async;
} MemlaneTraceRequest;

typedef struct _MemlaneTracer
{
  MemlaneDevice *device;
  MemlaneTraceBuilder *builder;
  GError *error;         /* the first event that found no room */
  double origin;         /* when it was started; -1: never */
  guint32 correlations;  /* handed out */
  gboolean expects_pages;

  const char *phase; /* NULL: none */
  double phase_begin;

  /* The call that is being made. */
  const char *call; /* its name; NULL: none */
  MemlaneTraceRequest request;
  guint32 correlation; /* 0: none */
  double begin;
} MemlaneTracer;

/* Readies @device: a driver that uses a profiling library opens it here. NULL with @error when this
 * device cannot be traced at all. */
MemlaneTracer *memlane_tracer_new (MemlaneDevice *device, GError **error);
/* From here to begin_phase(): nothing where @self is NULL. */
void memlane_tracer_start (MemlaneTracer *self);
void memlane_tracer_stop (MemlaneTracer *self);
/* A part of the sample, until the next one or the stop. @name: static. */
void memlane_tracer_begin_phase (MemlaneTracer *self, const char *name);
/* Multiplies the times of all events so far by @factor, and says so in a note. */
void memlane_tracer_scale (MemlaneTracer *self, double factor);
/* The trace, with the device's part of the info filled in; frees @self, whatever happens. The
 * caller may set the rest by memlane_tracer_get_info() before. */
MemlaneTrace *memlane_tracer_finish (MemlaneTracer *self, GError **error);
/* Throws all away. */
void memlane_tracer_free (MemlaneTracer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneTracer, memlane_tracer_free)

MemlaneTraceInfo *memlane_tracer_get_info (MemlaneTracer *self);
/* Before finish: the sample moves pages, so a driver that knows of none says why. */
void memlane_tracer_expect_pages (MemlaneTracer *self);

/* --- for device-calls.c ----------------------------------------------------------------------- */

void memlane_tracer_enter (MemlaneTracer *self, const char *call,
                           const MemlaneTraceRequest *request);
gboolean memlane_tracer_leave (MemlaneTracer *self, gboolean done);

/* --- for drivers ------------------------------------------------------------------------------ */

/* Adds @event, but for its start, duration and name, which are given as they are known here. What
 * began before the start is left out, what ends before it begins is counted as dropped. Trouble (no
 * memory) is kept for finish. Also after stop: a driver delivers in the end. */
void memlane_tracer_add (MemlaneTracer *self, const MemlaneTraceEvent *event, const char *name,
                         double start, double end);
#define memlane_tracer_add_note(tracer, ...)                                                       \
  memlane_trace_builder_add_note ((tracer)->builder, __VA_ARGS__)
