/* device-calls.c: every fallible call passes here on its way to the driver
 *
 * Each is counted, made to fail on request, told to the tracer when there is one, and what it hands out is written down, so that "nothing
 * leaks" and "any call may fail" can be proved for every mode on every kind of device with one mechanism.
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-driver.h"

#include <stdlib.h>
#include <unistd.h>

#define SPIN_NS 60e9

/* The driver call that this process makes now, for a watcher on another thread: see memlane_device_watch(). */
static struct
{
  const char *call;
  guint64 count;
} watched;

void
memlane_device_watch (const char **call, guint64 *count)
{
  *call = __atomic_load_n (&watched.call, __ATOMIC_RELAXED);
  *count = __atomic_load_n (&watched.count, __ATOMIC_RELAXED);
}

void
memlane_device_watch_begin (const char *call)
{
  __atomic_store_n (&watched.call, call, __ATOMIC_RELAXED);
  __atomic_add_fetch (&watched.count, 1, __ATOMIC_RELAXED);
}

void
memlane_device_watch_end (void)
{
  __atomic_store_n (&watched.call, NULL, __ATOMIC_RELAXED);
}

/* Makes the trouble that a test asked for. FALSE with @error; TRUE: the call is made; or it never returns. */
static gboolean
make_trouble (MemlaneDevice *self, const char *call, GError **error)
{
  switch (self->trouble)
    {
    case MEMLANE_TROUBLE_LOST:
      self->fail_at = self->calls + 1; /* as every later call */
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST, "%s: cudaErrorIllegalAddress: fault asked for at call %"
                   G_GUINT64_FORMAT, call, self->calls);
      break;
    case MEMLANE_TROUBLE_HANG:
      for (;;)
        pause ();
    case MEMLANE_TROUBLE_SPIN:
      self->fail_at = 0;
      if (self->driver->spin != NULL)
        self->driver->spin (self, SPIN_NS);
      return TRUE;
    case MEMLANE_TROUBLE_CRASH:
      abort ();
    case MEMLANE_TROUBLE_FAILURE:
    default:
      self->fail_at = 0;
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_FAILED,
                   "%s: cudaErrorUnknown: fault asked for at call %" G_GUINT64_FORMAT, call, self->calls);
    }
  return FALSE;
}

/* Whether the call may go to the driver; FALSE: this is the call that a test asked to fail. */
static gboolean
admit (MemlaneDevice *self, const char *call, GError **error)
{
  memlane_device_watch_begin (call);
  return G_LIKELY (++self->calls != self->fail_at) || make_trouble (self, call, error);
}

/* The call has returned. */
static gboolean
leave (MemlaneDevice *self, gboolean done, GError **error)
{
  memlane_device_watch_end ();
  if (G_UNLIKELY (!done) && error != NULL && g_error_matches (*error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST))
    self->is_lost = TRUE;
  return done;
}

/* The name that the device's runtime gives to the call that CUDA calls @name. */
#define CALLED(name) (G_LIKELY (self->driver->name_call == NULL) ? (name) : self->driver->name_call (name))

/* Evaluates @call, which is "@name": told to the tracer when there is one; otherwise this is one branch that is never taken. The rest are
 * members of MemlaneTraceRequest. */
#define TELL(name, call, ...) \
  (G_LIKELY (self->tracer == NULL) \
   ? (call) \
   : (memlane_tracer_enter (self->tracer, CALLED (name), &(const MemlaneTraceRequest) { __VA_ARGS__ }), \
      memlane_tracer_leave (self->tracer, (call))))

/* The same for a call that must be admitted. */
#define CALL(name, call, ...) leave (self, TELL (name, admit (self, CALLED (name), error) && call, __VA_ARGS__), error)

static gboolean
hand_out (MemlaneDevice *self, gpointer thing)
{
  g_hash_table_add (self->outstanding, thing);
  return TRUE;
}

/* A call that hands out @thing. */
#define HAND_OUT(name, call, thing, ...) CALL (name, call && hand_out (self, thing), __VA_ARGS__)

/* A release of @thing, which strikes it out and reaches the driver even when a test asks it to fail: a failed one has released all the same
 * (device-calls.h, "Errors"). In @call `told` is where the error goes. */
#define RELEASE(name, resources, thing, call, ...) \
  ({ \
    gboolean admitted = admit (self, CALLED (name), error); \
    GError **told = admitted ? error : NULL; \
    g_hash_table_remove (resources, thing); \
    leave (self, TELL (name, (call) && admitted, __VA_ARGS__), error); \
  })

/* --- clock and limits ------------------------------------------------------------------------------------------ */

double
memlane_device_clock (MemlaneDevice *self)
{
  return self->driver->clock (self);
}

void
memlane_device_pause (MemlaneDevice *self, double ns)
{
  self->driver->pause (self, ns);
}

void
memlane_device_get_host_memory (MemlaneDevice *self, guint64 *available, guint64 *lockable)
{
  self->driver->get_host_memory (self, available, lockable);
}

gboolean
memlane_device_get_free_memory (MemlaneDevice *self, guint64 *bytes, GError **error)
{
  *bytes = 0;
  return CALL ("cudaMemGetInfo", self->driver->memory->get_free_memory (self, bytes, error), .bytes = 0);
}

/* --- memory ------------------------------------------------------------------------------------------------------ */

const char *
memlane_memory_type_name (MemlaneMemoryType type)
{
  static const char *const names[] = { "unregistered", "host", "device", "managed" };

  return names[type];
}

gboolean
memlane_device_host_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("malloc", self->driver->memory->host_malloc (self, bytes, pointer, error), *pointer, .kind = MEMLANE_TRACE_HOST,
                   .bytes = bytes);
}

gboolean
memlane_device_host_free (MemlaneDevice *self, void *pointer, GError **error)
{
  return RELEASE ("free", self->outstanding, pointer, self->driver->memory->host_free (self, pointer, told), .kind = MEMLANE_TRACE_HOST);
}

gboolean
memlane_device_malloc_host (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("cudaMallocHost", self->driver->memory->malloc_host (self, bytes, pointer, error), *pointer, .bytes = bytes);
}

gboolean
memlane_device_host_alloc (MemlaneDevice *self, gsize bytes, MemlaneHostAllocFlags flags, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("cudaHostAlloc", self->driver->memory->host_alloc (self, bytes, flags, pointer, error), *pointer, .bytes = bytes);
}

gboolean
memlane_device_free_host (MemlaneDevice *self, void *pointer, GError **error)
{
  return RELEASE ("cudaFreeHost", self->outstanding, pointer, self->driver->memory->free_host (self, pointer, told), .bytes = 0);
}

gboolean
memlane_device_host_register (MemlaneDevice *self, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error)
{
  if (!CALL ("cudaHostRegister", self->driver->memory->host_register (self, pointer, bytes, flags, error), .bytes = bytes))
    return FALSE;
  g_hash_table_add (self->registrations, pointer);
  return TRUE;
}

gboolean
memlane_device_host_unregister (MemlaneDevice *self, void *pointer, GError **error)
{
  return RELEASE ("cudaHostUnregister", self->registrations, pointer, self->driver->memory->host_unregister (self, pointer, told),
                  .bytes = 0);
}

gboolean
memlane_device_host_get_device_pointer (MemlaneDevice *self, void *host, void **device, GError **error)
{
  *device = NULL;
  return CALL ("cudaHostGetDevicePointer", self->driver->memory->host_get_device_pointer (self, host, device, error), .bytes = 0);
}

gboolean
memlane_device_host_write (MemlaneDevice *self, void *pointer, const void *from, gsize bytes, GError **error)
{
  return CALL ("host write", self->driver->access->host_write (self, pointer, from, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .to = pointer, .bytes = bytes);
}

gboolean
memlane_device_host_fill (MemlaneDevice *self, void *pointer, int byte, gsize bytes, GError **error)
{
  return CALL ("host fill", self->driver->access->host_fill (self, pointer, byte, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .to = pointer, .bytes = bytes);
}

gboolean
memlane_device_host_read (MemlaneDevice *self, void *to, const void *pointer, gsize bytes, GError **error)
{
  return CALL ("host read", self->driver->access->host_read (self, to, pointer, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .from = pointer, .bytes = bytes);
}

gboolean
memlane_device_host_touch (MemlaneDevice *self, const void *pointer, gsize bytes, GError **error)
{
  return CALL ("host touch", self->driver->access->host_touch (self, pointer, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .from = pointer, .bytes = bytes);
}

gboolean
memlane_device_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("cudaMalloc", self->driver->memory->malloc (self, bytes, pointer, error), *pointer, .bytes = bytes);
}

gboolean
memlane_device_malloc_managed (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("cudaMallocManaged", self->driver->memory->malloc_managed (self, bytes, pointer, error), *pointer, .bytes = bytes);
}

gboolean
memlane_device_free (MemlaneDevice *self, void *pointer, GError **error)
{
  return RELEASE ("cudaFree", self->outstanding, pointer, self->driver->memory->free (self, pointer, told), .bytes = 0);
}

gboolean
memlane_device_malloc_async (MemlaneDevice *self, gsize bytes, MemlaneStream *stream, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("cudaMallocAsync", self->driver->memory->malloc_async (self, bytes, stream, pointer, error), *pointer,
                   .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_free_async (MemlaneDevice *self, void *pointer, MemlaneStream *stream, GError **error)
{
  return RELEASE ("cudaFreeAsync", self->outstanding, pointer, self->driver->memory->free_async (self, pointer, stream, told),
                  .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_pool_keep (MemlaneDevice *self, gboolean keep, GError **error)
{
  return CALL ("cudaMemPoolSetAttribute", self->driver->memory->pool_keep (self, keep, error), .bytes = 0);
}

gboolean
memlane_device_managed_static (MemlaneDevice *self, guint index, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("__managed__ symbol", self->driver->memory->managed_static (self, index, bytes, pointer, error), .bytes = 0);
}

gboolean
memlane_device_peer_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return HAND_OUT ("cudaMalloc on the second device", self->driver->memory->peer_malloc (self, bytes, pointer, error), *pointer,
                   .bytes = bytes);
}

gboolean
memlane_device_peer_free (MemlaneDevice *self, void *pointer, GError **error)
{
  return RELEASE ("cudaFree on the second device", self->outstanding, pointer, self->driver->memory->peer_free (self, pointer, told),
                  .bytes = 0);
}

gboolean
memlane_device_pointer_get_attributes (MemlaneDevice *self, const void *pointer, MemlanePointerAttributes *attributes, GError **error)
{
  return CALL ("cudaPointerGetAttributes", self->driver->memory->pointer_get_attributes (self, pointer, attributes, error),
               .bytes = 0);
}

/* --- copies and kernels -------------------------------------------------------------------------------------------- */

static const MemlaneTraceWay ways[] = {
  [MEMLANE_COPY_TO_DEVICE] = MEMLANE_TRACE_WAY_TO_DEVICE,
  [MEMLANE_COPY_TO_HOST] = MEMLANE_TRACE_WAY_TO_HOST,
  [MEMLANE_COPY_ON_DEVICE] = MEMLANE_TRACE_WAY_ON_DEVICE,
  [MEMLANE_COPY_ON_HOST] = MEMLANE_TRACE_WAY_ON_HOST,
};

gboolean
memlane_device_memcpy (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error)
{
  return CALL ("cudaMemcpy", self->driver->work->memcpy (self, to, from, bytes, kind, error),
               .kind = MEMLANE_TRACE_COPY, .way = ways[kind], .to = to, .from = from, .bytes = bytes, .has_stream = TRUE);
}

gboolean
memlane_device_memcpy_async (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, MemlaneStream *stream,
                             GError **error)
{
  return CALL ("cudaMemcpyAsync", self->driver->work->memcpy_async (self, to, from, bytes, kind, stream, error),
               .kind = MEMLANE_TRACE_COPY, .way = ways[kind], .to = to, .from = from, .bytes = bytes, .stream = stream,
               .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_memcpy_peer_async (MemlaneDevice *self, void *to_peer, const void *from, gsize bytes, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaMemcpyPeerAsync", self->driver->work->memcpy_peer_async (self, to_peer, from, bytes, stream, error),
               .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_PEER, .to = to_peer, .from = from, .bytes = bytes, .stream = stream,
               .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_memcpy_batch_async (MemlaneDevice *self, const MemlaneCopies *copies, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaMemcpyBatchAsync", self->driver->many->memcpy_batch_async (self, copies, stream, error),
               .kind = MEMLANE_TRACE_COPY, .way = ways[copies->kind], .to = copies->to[0], .from = copies->from[0],
               .bytes = copies->all_bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_host_copies (MemlaneDevice *self, const MemlaneCopies *copies, guint threads, GError **error)
{
  return CALL ("host copies", self->driver->many->host_copies (self, copies, threads, error), .kind = MEMLANE_TRACE_HOST,
               .to = copies->to[0], .from = copies->from[0], .bytes = copies->all_bytes);
}

gboolean
memlane_device_graph_create (MemlaneDevice *self, const MemlaneCopies *copies, MemlaneGraph **graph, GError **error)
{
  *graph = NULL;
  return HAND_OUT ("cudaGraphInstantiate", self->driver->many->graph_create (self, copies, graph, error), *graph,
                   .bytes = copies->all_bytes);
}

gboolean
memlane_device_graph_destroy (MemlaneDevice *self, MemlaneGraph *graph, GError **error)
{
  return RELEASE ("cudaGraphExecDestroy", self->outstanding, graph, self->driver->many->graph_destroy (self, graph, told), .bytes = 0);
}

gboolean
memlane_device_graph_launch (MemlaneDevice *self, MemlaneGraph *graph, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaGraphLaunch", self->driver->many->graph_launch (self, graph, stream, error), .stream = stream, .has_stream = TRUE,
               .is_async = TRUE);
}

gboolean
memlane_device_memset_async (MemlaneDevice *self, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaMemsetAsync", self->driver->work->memset_async (self, pointer, byte, bytes, stream, error),
               .kind = MEMLANE_TRACE_MEMSET, .to = pointer, .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_mem_prefetch_async (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneLocation location, MemlaneStream *stream,
                                   GError **error)
{
  return CALL ("cudaMemPrefetchAsync", self->driver->access->mem_prefetch_async (self, pointer, bytes, location, stream, error),
               .kind = MEMLANE_TRACE_MIGRATION,
               .way = location == MEMLANE_LOCATION_DEVICE ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST, .from = pointer,
               .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_mem_advise (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                           GError **error)
{
  return CALL ("cudaMemAdvise", self->driver->access->mem_advise (self, pointer, bytes, advice, location, error), .bytes = bytes);
}

gboolean
memlane_device_flush_cache (MemlaneDevice *self, GError **error)
{
  return CALL ("cache flush", self->driver->work->flush_cache (self, error), .bytes = 0);
}

gboolean
memlane_device_launch (MemlaneDevice *self, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                       MemlaneStream *stream, GError **error)
{
  return CALL ("cudaLaunchKernel", self->driver->work->launch (self, kernel, out, a, b, elements, stream, error),
               .kind = MEMLANE_TRACE_KERNEL, .name = (kernel & MEMLANE_KERNEL_COPY) != 0 ? "copy" : "add", .to = out, .from = a,
               .bytes = elements * sizeof (float), .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_launch_work (MemlaneDevice *self, float *out, const float *a, gsize elements, guint multiply_adds, MemlaneStream *stream,
                            GError **error)
{
  return CALL ("cudaLaunchKernel", self->driver->work->launch_work (self, out, a, elements, multiply_adds, stream, error),
               .kind = MEMLANE_TRACE_KERNEL, .name = "work", .to = out, .from = a, .bytes = elements * sizeof (float), .stream = stream,
               .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_launch_count (MemlaneDevice *self, guint32 *counter, guint times, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaLaunchKernel", self->driver->work->launch_count (self, counter, times, stream, error), .kind = MEMLANE_TRACE_KERNEL,
               .name = "count", .to = counter, .bytes = sizeof *counter, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_launch_gather (MemlaneDevice *self, const MemlaneGather *gather, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaLaunchKernel", self->driver->many->launch_gather (self, gather, stream, error), .kind = MEMLANE_TRACE_KERNEL,
               .name = gather->scatters ? "scatter" : "gather", .to = gather->scatters ? gather->pool : gather->vector,
               .from = gather->scatters ? gather->vector : gather->pool, .bytes = gather->elements * sizeof (float), .stream = stream,
               .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_start_anew (MemlaneDevice *self, gsize bytes, MemlaneFreshTimes *times, GError **error)
{
  *times = (MemlaneFreshTimes) { 0 };
  return CALL ("cudaDeviceReset", self->driver->work->start_anew (self, bytes, times, error), .bytes = bytes);
}

gboolean
memlane_device_launch_host_function (MemlaneDevice *self, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                     GError **error)
{
  return CALL ("cudaLaunchHostFunc", self->driver->work->launch_host_function (self, function, data, stream, error),
               .kind = MEMLANE_TRACE_HOST_FUNCTION, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

/* --- order and time -------------------------------------------------------------------------------------------------- */

gboolean
memlane_device_stream_create (MemlaneDevice *self, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error)
{
  *stream = NULL;
  return HAND_OUT ("cudaStreamCreateWithPriority",
                   self->driver->order->stream_create (self, non_blocking, priority, stream, error), *stream, .bytes = 0);
}

gboolean
memlane_device_stream_destroy (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return RELEASE ("cudaStreamDestroy", self->outstanding, stream, self->driver->order->stream_destroy (self, stream, told), .bytes = 0);
}

gboolean
memlane_device_stream_synchronize (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaStreamSynchronize", self->driver->order->stream_synchronize (self, stream, error),
               .stream = stream, .has_stream = TRUE);
}

gboolean
memlane_device_stream_query (MemlaneDevice *self, MemlaneStream *stream, gboolean *done, GError **error)
{
  *done = 0;
  return CALL ("cudaStreamQuery", self->driver->order->stream_query (self, stream, done, error), .stream = stream, .has_stream = TRUE);
}

gboolean
memlane_device_stream_wait_event (MemlaneDevice *self, MemlaneStream *stream, MemlaneEvent *event, GError **error)
{
  return CALL ("cudaStreamWaitEvent", self->driver->order->stream_wait_event (self, stream, event, error),
               .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_synchronize (MemlaneDevice *self, GError **error)
{
  return CALL ("cudaDeviceSynchronize", self->driver->order->synchronize (self, error), .bytes = 0);
}

gboolean
memlane_device_event_create (MemlaneDevice *self, MemlaneEvent **event, GError **error)
{
  *event = NULL;
  return HAND_OUT ("cudaEventCreate", self->driver->order->event_create (self, event, error), *event, .bytes = 0);
}

gboolean
memlane_device_event_destroy (MemlaneDevice *self, MemlaneEvent *event, GError **error)
{
  return RELEASE ("cudaEventDestroy", self->outstanding, event, self->driver->order->event_destroy (self, event, told), .bytes = 0);
}

gboolean
memlane_device_event_record (MemlaneDevice *self, MemlaneEvent *event, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaEventRecord", self->driver->order->event_record (self, event, stream, error),
               .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_event_synchronize (MemlaneDevice *self, MemlaneEvent *event, GError **error)
{
  return CALL ("cudaEventSynchronize", self->driver->order->event_synchronize (self, event, error), .bytes = 0);
}

gboolean
memlane_device_event_elapsed (MemlaneDevice *self, MemlaneEvent *start, MemlaneEvent *stop, double *ns, GError **error)
{
  *ns = 0;
  return CALL ("cudaEventElapsedTime", self->driver->order->event_elapsed (self, start, stop, ns, error), .bytes = 0);
}

gboolean
memlane_device_latch_close (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return CALL ("latch kernel", self->driver->order->latch_close (self, stream, error), .stream = stream, .has_stream = TRUE);
}

gboolean
memlane_device_latch_open (MemlaneDevice *self, gboolean *late, GError **error)
{
  gboolean admitted = admit (self, "latch release", error);

  *late = FALSE;
  return leave (self, TELL ("latch release", self->driver->order->latch_open (self, late, admitted ? error : NULL) && admitted, .bytes = 0),
                error);
}

/* --- tracing -------------------------------------------------------------------------------------------------- */

gboolean
memlane_device_trace_begin (MemlaneDevice *self, GError **error)
{
  if (self->is_traced)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID, "tracing: %s is being traced already; end that trace first",
                   self->info.id);
      return FALSE;
    }
  self->is_traced = leave (self, admit (self, "tracing", error) && self->driver->trace->begin (self, error), error);
  return self->is_traced;
}

gboolean
memlane_device_trace_end (MemlaneDevice *self, MemlaneTracer *tracer, GError **error)
{
  gboolean admitted = admit (self, "end of tracing", error);

  self->tracer = NULL;
  self->is_traced = FALSE;
  return leave (self, self->driver->trace->end (self, tracer, admitted ? error : NULL) && admitted, error);
}

/* --- for tests ------------------------------------------------------------------------------------------------------- */

guint64
memlane_device_get_call_count (MemlaneDevice *self)
{
  return self->calls;
}

void
memlane_device_fail_call (MemlaneDevice *self, guint64 nth)
{
  memlane_device_ask_trouble (self, MEMLANE_TROUBLE_FAILURE, nth);
}

void
memlane_device_ask_trouble (MemlaneDevice *self, MemlaneTrouble trouble, guint64 nth)
{
  self->trouble = trouble;
  self->fail_at = nth == 0 ? 0 : self->calls + nth;
}

guint
memlane_device_get_outstanding (MemlaneDevice *self)
{
  return g_hash_table_size (self->outstanding) + g_hash_table_size (self->registrations);
}
