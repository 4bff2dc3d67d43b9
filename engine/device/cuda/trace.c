/* trace.c: tracing a GPU: by CUPTI's activity records, or where that cannot be, by CUDA events
 * around each operation
 *
 * SPDX-License-Identifier: MIT
 *
 * The fallback records an event on both sides of whatever a call queues. Between the two lies the
 * operation and, on an idle stream, the time until its issue has reached the device; pages that
 * move and what engines do cannot be seen. Its trace says so.
 */
#include "shared.h"

#include <math.h>
#include <time.h>

#ifdef MEMLANE_HAVE_CUPTI
#include "cupti-trace.h"
#endif
#ifdef MEMLANE_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>
#endif

/* with events of their own; made beforehand, for making one takes a microsecond */
#define MOST_OPERATIONS 2048
#define BASE_TRIES 16
#define DEFAULT_NUMBER 7      /* as CUPTI numbers streams */
#define FIRST_NUMBER 13

/* A call that has queued something. */
typedef struct
{
  MemlaneTraceRequest request;
  guint32 correlation, stream;
  guint8 source, destination;
  gboolean is_timed;   /* both events are recorded */
} Operation;

/* A host function that takes its own time, on the driver's thread: CUPTI has no record of it, and
 * events tell its surroundings. */
typedef struct
{
  void (*function) (gpointer data);
  gpointer data;
  guint32 correlation, stream;
  double begin, end;   /* 0: it has not run */
} HostFunction;

struct _MemlaneCudaTrace
{
#ifdef MEMLANE_HAVE_CUPTI
  MemlaneCupti *cupti;
#endif
  char *reason;        /* why there is no CUPTI */
  double entered;      /* host's clock at the current call's begin */
  GHashTable *numbers; /* stream -> number */
  GPtrArray *host_functions; /* (element-type HostFunction) */

  /* the fallback's */
  GArray *operations;
  guint64 dropped;
  cudaEvent_t events[2 * MOST_OPERATIONS];
  guint n_events;
  cudaEvent_t base;
  double base_time, base_uncertainty; /* host's clock at the base, ns */
  gboolean is_open;    /* the current call has its first event */
};

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

static double
trace_clock (MemlaneDevice *device)
{
  return now ();
}

#ifdef MEMLANE_HAVE_NVTX
/* So that Nsight Systems shows the phases; without a tool that listens it is a test of a
 * pointer. */
static void
trace_phase (MemlaneDevice *device, const char *name)
{
  if (name != NULL)
    nvtxRangePushA (name);
  else
    nvtxRangePop ();
}
#endif

/* --- before the first device ------------------------------------------------------------------ */

static void
trace_prepare (void)
{
#ifdef MEMLANE_HAVE_CUPTI
  memlane_cupti_prepare ();
#endif
}

void
memlane_cuda_trace_before_context (int ordinal)
{
#ifdef MEMLANE_HAVE_CUPTI
  memlane_cupti_before_context (ordinal, now);
#endif
}

/* --- beginning -------------------------------------------------------------------------------- */

static void
trace_free (MemlaneCudaTrace *self)
{
  for (guint i = 0; i < self->n_events; i++)
    CHECK (cudaEventDestroy (self->events[i]), NULL, "cudaEventDestroy");
  if (self->base != NULL)
    CHECK (cudaEventDestroy (self->base), NULL, "cudaEventDestroy");
  if (self->operations != NULL)
    g_array_unref (self->operations);
  g_hash_table_unref (self->numbers);
  g_ptr_array_unref (self->host_functions);
  g_free (self->reason);
  g_free (self);
}

/* The host's time of an event on an idle device; the narrowest of some tries. */
static gboolean
set_base (MemlaneCudaTrace *self, GError **error)
{
  cudaEvent_t tried = NULL;
  gboolean done = CHECK (cudaDeviceSynchronize (), error, "cudaDeviceSynchronize ()");

  self->base_uncertainty = G_MAXDOUBLE;
  for (guint i = 0; done && i < BASE_TRIES; i++)
    {
      double before, after;

      done = tried != NULL
             || CHECK (cudaEventCreate (&tried), error, "cudaEventCreate (for the trace)");
      before = now ();
      done = done
             && CHECK (cudaEventRecord (tried, NULL), error, "cudaEventRecord (the trace's base)")
             && CHECK (cudaEventSynchronize (tried), error,
                       "cudaEventSynchronize (the trace's base)");
      after = now ();
      if (done && (after - before) / 2 < self->base_uncertainty)
        {
          cudaEvent_t worse = self->base;

          self->base = tried;
          tried = worse;
          self->base_uncertainty = (after - before) / 2;
          self->base_time = (before + after) / 2;
        }
    }
  if (tried != NULL)
    CHECK (cudaEventDestroy (tried), NULL, "cudaEventDestroy");
  return done;
}

static gboolean
begin_events (MemlaneCudaTrace *self, GError **error)
{
  self->operations = g_array_new (FALSE, TRUE, sizeof (Operation));
  for (; self->n_events < G_N_ELEMENTS (self->events); self->n_events++)
    if (!CHECK (cudaEventCreate (&self->events[self->n_events]), error,
                "cudaEventCreate (for the trace)"))
      return FALSE;
  return set_base (self, error);
}

static gboolean
trace_begin (MemlaneDevice *device, GError **error)
{
  MemlaneCudaTrace *self = g_new0 (MemlaneCudaTrace, 1);

  self->numbers = g_hash_table_new (NULL, NULL);
  self->host_functions = g_ptr_array_new_with_free_func (g_free);
#ifdef MEMLANE_HAVE_NVTX
  nvtxInitialize (NULL); /* looks for a tool, which is not to happen within the sample */
#endif
#ifdef MEMLANE_HAVE_CUPTI
  self->cupti = memlane_cupti_begin (CUDA (device)->ordinal, now, &self->reason);
  if (self->cupti != NULL)
    {
      CUDA (device)->trace = self;
      return TRUE;
    }
#else
  self->reason = g_strdup ("this build was made without CUPTI's headers");
#endif
  if (!begin_events (self, error))
    {
      trace_free (self);
      return FALSE;
    }
  CUDA (device)->trace = self;
  return TRUE;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* Whether the handle is one that CUDA survives. */
static gboolean
is_stream (MemlaneCudaDevice *self, MemlaneStream *stream)
{
  return stream == NULL || g_hash_table_contains (self->streams, stream);
}

static guint32
trace_stream (MemlaneDevice *device, MemlaneTracer *tracer, MemlaneStream *stream)
{
  MemlaneCudaTrace *self = CUDA (device)->trace;
  MemlaneTraceStream told = { .is_default = stream == NULL };
  unsigned flags = 0;
  gpointer known;

  if (self == NULL || !is_stream (CUDA (device), stream))
    return MEMLANE_TRACE_NO_STREAM;
  known = g_hash_table_lookup (self->numbers, stream);
  if (known != NULL)
    return GPOINTER_TO_UINT (known);

  told.number = stream == NULL ? DEFAULT_NUMBER
                               : FIRST_NUMBER + g_hash_table_size (self->numbers)
                                     - (g_hash_table_contains (self->numbers, NULL) ? 1 : 0);
#ifdef MEMLANE_HAVE_CUPTI
  /* For the default stream CUPTI knows the handle cudaStreamLegacy, not NULL; and where not even
   * that, it is the first of its context. */
  if (self->cupti != NULL
      && !memlane_cupti_get_stream (
          self->cupti, stream != NULL ? (gpointer) stream : (gpointer) cudaStreamLegacy,
          &told.number)
      && stream != NULL)
    return MEMLANE_TRACE_NO_STREAM;
#endif
  if (stream != NULL
      && CHECK (cudaStreamGetFlags ((cudaStream_t) stream, &flags), NULL, "cudaStreamGetFlags"))
    told.non_blocking = (flags & cudaStreamNonBlocking) != 0;
  if (stream != NULL
      && !CHECK (cudaStreamGetPriority ((cudaStream_t) stream, &told.priority), NULL,
                 "cudaStreamGetPriority"))
    told.priority = 0;
  g_hash_table_insert (self->numbers, stream, GUINT_TO_POINTER (told.number));
  memlane_trace_builder_add_stream (tracer->builder, &told);
  return told.number;
}

static void
run_host_function (gpointer data)
{
  HostFunction *self = data;

  self->begin = now ();
  self->function (self->data);
  self->end = now ();
}

void
memlane_cuda_trace_host_function (MemlaneDevice *device, void (**function) (gpointer data),
                                  gpointer *data, MemlaneStream *stream)
{
  MemlaneCudaTrace *self = CUDA (device)->trace;
  HostFunction *timed;

  if (self == NULL || device->tracer == NULL || *function == NULL)
    return;
  timed = g_new0 (HostFunction, 1);
  timed->function = *function;
  timed->data = *data;
  timed->correlation = device->tracer->correlation;
  timed->stream = trace_stream (device, device->tracer, stream);
  g_ptr_array_add (self->host_functions, timed);
  *function = run_host_function;
  *data = timed;
}

/* Whether the call queues something whose time events can take. */
static gboolean
is_queued (MemlaneCudaDevice *self, const MemlaneTraceRequest *request)
{
  return request->kind != MEMLANE_TRACE_CALL && request->kind != MEMLANE_TRACE_HOST
         && request->kind != MEMLANE_TRACE_HOST_FUNCTION && is_stream (self, request->stream);
}

/* Its number is asked for outside the call's own time, and once for each stream. */
static void
trace_enter (MemlaneDevice *device, MemlaneTracer *tracer, const MemlaneTraceRequest *request)
{
  MemlaneCudaTrace *self = CUDA (device)->trace;

  if (request->has_stream)
    trace_stream (device, tracer, request->stream);
#ifdef MEMLANE_HAVE_CUPTI
  if (self->cupti != NULL)
    {
      memlane_cupti_enter (self->cupti, tracer->correlation);
      self->entered = now ();
      return;
    }
#endif
  self->is_open = FALSE;
  if (!is_queued (CUDA (device), request))
    return;
  if (self->operations->len < MOST_OPERATIONS)
    self->is_open = CHECK (
        cudaEventRecord (self->events[2 * self->operations->len], (cudaStream_t) request->stream),
        NULL, "cudaEventRecord");
}

static guint8
memory_at (MemlaneCudaDevice *self, const void *pointer)
{
  struct cudaPointerAttributes found;

  if (pointer == NULL
      || !CHECK (cudaPointerGetAttributes (&found, pointer), NULL, "cudaPointerGetAttributes"))
    return MEMLANE_TRACE_MEMORY_UNKNOWN;
  switch (found.type)
    {
    case cudaMemoryTypeHost:
      return MEMLANE_TRACE_MEMORY_PINNED;
    case cudaMemoryTypeDevice:
      return found.device == self->ordinal ? MEMLANE_TRACE_MEMORY_DEVICE
                                           : MEMLANE_TRACE_MEMORY_PEER;
    case cudaMemoryTypeManaged:
      return MEMLANE_TRACE_MEMORY_MANAGED;
    case cudaMemoryTypeUnregistered:
    default:
      return MEMLANE_TRACE_MEMORY_PAGEABLE;
    }
}

static void
trace_leave (MemlaneDevice *device, MemlaneTracer *tracer, const MemlaneTraceRequest *request,
             gboolean done)
{
  MemlaneCudaTrace *self = CUDA (device)->trace;
  Operation operation = { .request = *request, .correlation = tracer->correlation };

#ifdef MEMLANE_HAVE_CUPTI
  if (self->cupti != NULL)
    {
      memlane_cupti_leave (self->cupti, operation.correlation, self->entered, now ());
      return;
    }
#endif
  if (!done || !is_queued (CUDA (device), request))
    return;
  if (!self->is_open)
    {
      self->dropped++;
      return;
    }
  operation.is_timed = CHECK (
      cudaEventRecord (self->events[2 * self->operations->len + 1], (cudaStream_t) request->stream),
      NULL, "cudaEventRecord");
  operation.stream = trace_stream (device, tracer, request->stream);
  operation.source = memory_at (CUDA (device), request->from);
  operation.destination = memory_at (CUDA (device), request->to);
  g_array_append_val (self->operations, operation);
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Host's time of a recorded event; NAN: CUDA does not tell. */
static double
time_of (MemlaneCudaTrace *self, cudaEvent_t event)
{
  float ms = 0;

  return CHECK (cudaEventElapsedTime (&ms, self->base, event), NULL, "cudaEventElapsedTime")
             ? self->base_time + ms * 1e6
             : NAN;
}

static void
deliver_events (MemlaneCudaTrace *self, MemlaneTracer *tracer)
{
  for (guint i = 0; i < self->operations->len; i++)
    {
      const Operation *operation = &g_array_index (self->operations, Operation, i);
      const MemlaneTraceRequest *request = &operation->request;
      double start = operation->is_timed ? time_of (self, self->events[2 * i]) : NAN;
      double end = operation->is_timed ? time_of (self, self->events[2 * i + 1]) : NAN;
      MemlaneTraceEvent event = {
        .kind = (guint8) request->kind,
        .bytes = request->bytes,
        .correlation = operation->correlation,
        .stream = operation->stream,
        .way = (guint8) request->way,
        .source = operation->source,
        .destination = operation->destination,
      };

      if (isnan (start) || isnan (end))
        {
          self->dropped++;
          continue;
        }
      if (event.kind == MEMLANE_TRACE_MIGRATION)
        {
          event.flags |= MEMLANE_TRACE_PREFETCHED;
          event.destination = event.source;
        }
      if (event.kind == MEMLANE_TRACE_COPY && event.way != MEMLANE_TRACE_WAY_ON_HOST
          && (event.source == MEMLANE_TRACE_MEMORY_PAGEABLE
              || event.destination == MEMLANE_TRACE_MEMORY_PAGEABLE))
        event.flags |= MEMLANE_TRACE_STAGED;
      /* The base is known to within some microseconds: an operation must not be lost because it
       * seems to begin before all. */
      memlane_tracer_add (tracer, &event, request->name, MAX (start, tracer->origin),
                          MAX (end, tracer->origin));
    }
  memlane_tracer_get_info (tracer)->source = g_strdup ("CUDA events");
  memlane_tracer_add_note (
      tracer,
      "recorded from CUDA events: no page faults, no migrations but prefetches, no "
      "synchronisation, no engine "
      "lanes' exact times: a bar may hold the time until the device took the operation up; %s",
      self->reason);
  memlane_tracer_add_note (tracer, "the device's clock was aligned to the host's to within %.1f us",
                           self->base_uncertainty / 1e3);
  memlane_tracer_get_info (tracer)->dropped += self->dropped;
}

static void
deliver_host_functions (MemlaneCudaTrace *self, MemlaneTracer *tracer)
{
  for (guint i = 0; i < self->host_functions->len; i++)
    {
      const HostFunction *timed = self->host_functions->pdata[i];
      const MemlaneTraceEvent event = {
        .kind = MEMLANE_TRACE_HOST_FUNCTION,
        .correlation = timed->correlation,
        .stream = timed->stream,
      };

      if (timed->begin > 0) /* its launch may have failed */
        memlane_tracer_add (tracer, &event, NULL, timed->begin, timed->end);
    }
}

static gboolean
trace_end (MemlaneDevice *device, MemlaneTracer *tracer, GError **error)
{
  MemlaneCudaTrace *self = g_steal_pointer (&CUDA (device)->trace);
  /* Queued work has neither records nor times yet. */
  gboolean done = CHECK (cudaDeviceSynchronize (), error,
                         "cudaDeviceSynchronize (the trace's end)");

  /* On a context that is dead nothing runs any more; what may be on its way all the same must find
   * its data. */
  if (!done)
    {
      tracer = NULL;
      g_ptr_array_set_free_func (self->host_functions, NULL);
    }
  if (tracer != NULL)
    deliver_host_functions (self, tracer);
#ifdef MEMLANE_HAVE_CUPTI
  if (self->cupti != NULL)
    memlane_cupti_end (self->cupti, tracer);
  else
#endif
  if (tracer != NULL)
    deliver_events (self, tracer);
  trace_free (self);
  return done;
}

const MemlaneTraceCalls memlane_cuda_trace_calls = {
  .prepare = trace_prepare,
  .begin = trace_begin,
  .end = trace_end,
  .clock = trace_clock,
  .stream = trace_stream,
  .enter = trace_enter,
  .leave = trace_leave,
#ifdef MEMLANE_HAVE_NVTX
  .phase = trace_phase,
#endif
};
