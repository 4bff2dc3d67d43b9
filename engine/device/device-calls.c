/* device-calls.c: every fallible call passes here on its way to the driver
 *
 * Counted, made to fail on request, told to the tracer when there is one, and what it hands out is entered in the books, so that "nothing
 * leaks" and "any call may fail" can be proved for every mode on every kind of device with one mechanism.
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-driver.h"

/* Whether the call may go to the driver; FALSE: this is the call that a test asked to fail. */
static gboolean
admit (MemlaneDevice *self, const char *call, GError **error)
{
  if (++self->calls != self->fail_at)
    return TRUE;
  self->fail_at = 0;
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_FAILED, "%s: cudaErrorUnknown: fault asked for at call %" G_GUINT64_FORMAT,
               call, self->calls);
  return FALSE;
}

/* Evaluates @call, which is "@name": told to the tracer when there is one; otherwise this is one branch that is never taken. The rest are
 * members of MemlaneTraceRequest. */
#define TELL(name, call, ...) \
  (G_LIKELY (self->tracer == NULL) \
   ? (call) \
   : (memlane_tracer_enter (self->tracer, name, &(const MemlaneTraceRequest) { __VA_ARGS__ }), memlane_tracer_leave (self->tracer, (call))))

/* The same for a call that must be admitted. */
#define CALL(name, call, ...) TELL (name, admit (self, name, error) && call, __VA_ARGS__)

static gboolean
taken (MemlaneDevice *self, gpointer thing)
{
  g_hash_table_add (self->outstanding, thing);
  return TRUE;
}

/* A release always takes the thing off the books: a failed one has released all the same (device.h, "Errors"). */
static void
given (GHashTable *resources, gpointer thing)
{
  g_hash_table_remove (resources, thing);
}

static gboolean
lacks (MemlaneDevice *self, const char *call, GError **error)
{
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED, "%s: cudaErrorNotSupported: %s has no such call", call,
               self->info.id);
  return FALSE;
}

gboolean
memlane_device_get_free_memory (MemlaneDevice *self, guint64 *bytes, GError **error)
{
  *bytes = 0;
  return CALL ("cudaMemGetInfo", self->driver->get_free_memory (self, bytes, error), .bytes = 0);
}

gboolean
memlane_device_host_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("malloc", self->driver->host_malloc (self, bytes, pointer, error) && taken (self, *pointer),
               .kind = MEMLANE_TRACE_HOST, .bytes = bytes);
}

gboolean
memlane_device_host_free (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "free", error);

  given (self->outstanding, pointer);
  return TELL ("free", self->driver->host_free (self, pointer, admitted ? error : NULL) && admitted, .kind = MEMLANE_TRACE_HOST);
}

gboolean
memlane_device_malloc_host (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("cudaMallocHost", self->driver->malloc_host (self, bytes, pointer, error) && taken (self, *pointer), .bytes = bytes);
}

gboolean
memlane_device_host_alloc (MemlaneDevice *self, gsize bytes, MemlaneHostAllocFlags flags, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("cudaHostAlloc", self->driver->host_alloc (self, bytes, flags, pointer, error) && taken (self, *pointer), .bytes = bytes);
}

gboolean
memlane_device_free_host (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "cudaFreeHost", error);

  given (self->outstanding, pointer);
  return TELL ("cudaFreeHost", self->driver->free_host (self, pointer, admitted ? error : NULL) && admitted, .bytes = 0);
}

gboolean
memlane_device_host_register (MemlaneDevice *self, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error)
{
  if (!CALL ("cudaHostRegister", self->driver->host_register (self, pointer, bytes, flags, error), .bytes = bytes))
    return FALSE;
  g_hash_table_add (self->registrations, pointer);
  return TRUE;
}

gboolean
memlane_device_host_unregister (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "cudaHostUnregister", error);

  given (self->registrations, pointer);
  return TELL ("cudaHostUnregister", self->driver->host_unregister (self, pointer, admitted ? error : NULL) && admitted, .bytes = 0);
}

gboolean
memlane_device_host_get_device_pointer (MemlaneDevice *self, void *host, void **device, GError **error)
{
  *device = NULL;
  return CALL ("cudaHostGetDevicePointer", self->driver->host_get_device_pointer (self, host, device, error), .bytes = 0);
}

gboolean
memlane_device_host_write (MemlaneDevice *self, void *pointer, const void *from, gsize bytes, GError **error)
{
  return CALL ("host write", self->driver->host_write (self, pointer, from, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .to = pointer, .bytes = bytes);
}

gboolean
memlane_device_host_fill (MemlaneDevice *self, void *pointer, int byte, gsize bytes, GError **error)
{
  return CALL ("host fill", self->driver->host_fill (self, pointer, byte, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .to = pointer, .bytes = bytes);
}

gboolean
memlane_device_host_read (MemlaneDevice *self, void *to, const void *pointer, gsize bytes, GError **error)
{
  return CALL ("host read", self->driver->host_read (self, to, pointer, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .from = pointer, .bytes = bytes);
}

gboolean
memlane_device_host_touch (MemlaneDevice *self, const void *pointer, gsize bytes, GError **error)
{
  return CALL ("host touch", self->driver->host_touch (self, pointer, bytes, error),
               .kind = MEMLANE_TRACE_HOST, .from = pointer, .bytes = bytes);
}

gboolean
memlane_device_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("cudaMalloc", self->driver->malloc (self, bytes, pointer, error) && taken (self, *pointer), .bytes = bytes);
}

gboolean
memlane_device_malloc_managed (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("cudaMallocManaged", self->driver->malloc_managed (self, bytes, pointer, error) && taken (self, *pointer), .bytes = bytes);
}

gboolean
memlane_device_free (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "cudaFree", error);

  given (self->outstanding, pointer);
  return TELL ("cudaFree", self->driver->free (self, pointer, admitted ? error : NULL) && admitted, .bytes = 0);
}

gboolean
memlane_device_malloc_async (MemlaneDevice *self, gsize bytes, MemlaneStream *stream, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("cudaMallocAsync", self->driver->malloc_async (self, bytes, stream, pointer, error) && taken (self, *pointer),
               .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_free_async (MemlaneDevice *self, void *pointer, MemlaneStream *stream, GError **error)
{
  gboolean admitted = admit (self, "cudaFreeAsync", error);

  given (self->outstanding, pointer);
  return TELL ("cudaFreeAsync", self->driver->free_async (self, pointer, stream, admitted ? error : NULL) && admitted,
               .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_managed_static (MemlaneDevice *self, guint index, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return CALL ("__managed__ symbol", self->driver->managed_static (self, index, bytes, pointer, error), .bytes = 0);
}

gboolean
memlane_device_peer_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  if (self->driver->peer_malloc == NULL)
    return lacks (self, "cudaMalloc on the second device", error);
  *pointer = NULL;
  return CALL ("cudaMalloc on the second device", self->driver->peer_malloc (self, bytes, pointer, error) && taken (self, *pointer),
               .bytes = bytes);
}

gboolean
memlane_device_peer_free (MemlaneDevice *self, void *pointer, GError **error)
{
  if (self->driver->peer_free == NULL)
    return lacks (self, "cudaFree on the second device", error);
  gboolean admitted = admit (self, "cudaFree on the second device", error);

  given (self->outstanding, pointer);
  return TELL ("cudaFree on the second device", self->driver->peer_free (self, pointer, admitted ? error : NULL) && admitted, .bytes = 0);
}

gboolean
memlane_device_pointer_get_attributes (MemlaneDevice *self, const void *pointer, MemlanePointerAttributes *attributes, GError **error)
{
  return CALL ("cudaPointerGetAttributes", self->driver->pointer_get_attributes (self, pointer, attributes, error), .bytes = 0);
}

static const MemlaneTraceWay ways[] = {
  [MEMLANE_COPY_TO_DEVICE] = MEMLANE_TRACE_WAY_TO_DEVICE,
  [MEMLANE_COPY_TO_HOST] = MEMLANE_TRACE_WAY_TO_HOST,
  [MEMLANE_COPY_ON_DEVICE] = MEMLANE_TRACE_WAY_ON_DEVICE,
  [MEMLANE_COPY_ON_HOST] = MEMLANE_TRACE_WAY_ON_HOST,
};

gboolean
memlane_device_memcpy (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error)
{
  return CALL ("cudaMemcpy", self->driver->memcpy (self, to, from, bytes, kind, error),
               .kind = MEMLANE_TRACE_COPY, .way = ways[kind], .to = to, .from = from, .bytes = bytes, .has_stream = TRUE);
}

gboolean
memlane_device_memcpy_async (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, MemlaneStream *stream,
                             GError **error)
{
  return CALL ("cudaMemcpyAsync", self->driver->memcpy_async (self, to, from, bytes, kind, stream, error),
               .kind = MEMLANE_TRACE_COPY, .way = ways[kind], .to = to, .from = from, .bytes = bytes, .stream = stream,
               .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_memcpy_peer_async (MemlaneDevice *self, void *to_peer, const void *from, gsize bytes, MemlaneStream *stream, GError **error)
{
  if (self->driver->memcpy_peer_async == NULL)
    return lacks (self, "cudaMemcpyPeerAsync", error);
  return CALL ("cudaMemcpyPeerAsync", self->driver->memcpy_peer_async (self, to_peer, from, bytes, stream, error),
               .kind = MEMLANE_TRACE_COPY, .way = MEMLANE_TRACE_WAY_TO_PEER, .to = to_peer, .from = from, .bytes = bytes, .stream = stream,
               .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_memset_async (MemlaneDevice *self, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaMemsetAsync", self->driver->memset_async (self, pointer, byte, bytes, stream, error),
               .kind = MEMLANE_TRACE_MEMSET, .to = pointer, .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_mem_prefetch_async (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneLocation location, MemlaneStream *stream,
                                   GError **error)
{
  return CALL ("cudaMemPrefetchAsync", self->driver->mem_prefetch_async (self, pointer, bytes, location, stream, error),
               .kind = MEMLANE_TRACE_MIGRATION,
               .way = location == MEMLANE_LOCATION_DEVICE ? MEMLANE_TRACE_WAY_TO_DEVICE : MEMLANE_TRACE_WAY_TO_HOST, .from = pointer,
               .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_mem_advise (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                           GError **error)
{
  return CALL ("cudaMemAdvise", self->driver->mem_advise (self, pointer, bytes, advice, location, error), .bytes = bytes);
}

gboolean
memlane_device_launch (MemlaneDevice *self, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                       MemlaneStream *stream, GError **error)
{
  return CALL ("cudaLaunchKernel", self->driver->launch (self, kernel, out, a, b, elements, stream, error),
               .kind = MEMLANE_TRACE_KERNEL, .name = kernel == MEMLANE_KERNEL_ADD ? "add" : "copy", .to = out, .from = a,
               .bytes = elements * sizeof (float), .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_launch_host_function (MemlaneDevice *self, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                     GError **error)
{
  return CALL ("cudaLaunchHostFunc", self->driver->launch_host_function (self, function, data, stream, error),
               .kind = MEMLANE_TRACE_HOST_FUNCTION, .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_stream_create (MemlaneDevice *self, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error)
{
  *stream = NULL;
  return CALL ("cudaStreamCreateWithPriority",
               self->driver->stream_create (self, non_blocking, priority, stream, error) && taken (self, *stream), .bytes = 0);
}

gboolean
memlane_device_stream_destroy (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  gboolean admitted = admit (self, "cudaStreamDestroy", error);

  given (self->outstanding, stream);
  return TELL ("cudaStreamDestroy", self->driver->stream_destroy (self, stream, admitted ? error : NULL) && admitted, .bytes = 0);
}

gboolean
memlane_device_stream_synchronize (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaStreamSynchronize", self->driver->stream_synchronize (self, stream, error), .stream = stream, .has_stream = TRUE);
}

gboolean
memlane_device_stream_query (MemlaneDevice *self, MemlaneStream *stream, gboolean *done, GError **error)
{
  *done = 0;
  return CALL ("cudaStreamQuery", self->driver->stream_query (self, stream, done, error), .stream = stream, .has_stream = TRUE);
}

gboolean
memlane_device_stream_wait_event (MemlaneDevice *self, MemlaneStream *stream, MemlaneEvent *event, GError **error)
{
  return CALL ("cudaStreamWaitEvent", self->driver->stream_wait_event (self, stream, event, error),
               .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_synchronize (MemlaneDevice *self, GError **error)
{
  return CALL ("cudaDeviceSynchronize", self->driver->synchronize (self, error), .bytes = 0);
}

gboolean
memlane_device_event_create (MemlaneDevice *self, MemlaneEvent **event, GError **error)
{
  *event = NULL;
  return CALL ("cudaEventCreate", self->driver->event_create (self, event, error) && taken (self, *event), .bytes = 0);
}

gboolean
memlane_device_event_destroy (MemlaneDevice *self, MemlaneEvent *event, GError **error)
{
  gboolean admitted = admit (self, "cudaEventDestroy", error);

  given (self->outstanding, event);
  return TELL ("cudaEventDestroy", self->driver->event_destroy (self, event, admitted ? error : NULL) && admitted, .bytes = 0);
}

gboolean
memlane_device_event_record (MemlaneDevice *self, MemlaneEvent *event, MemlaneStream *stream, GError **error)
{
  return CALL ("cudaEventRecord", self->driver->event_record (self, event, stream, error),
               .stream = stream, .has_stream = TRUE, .is_async = TRUE);
}

gboolean
memlane_device_event_synchronize (MemlaneDevice *self, MemlaneEvent *event, GError **error)
{
  return CALL ("cudaEventSynchronize", self->driver->event_synchronize (self, event, error), .bytes = 0);
}

gboolean
memlane_device_event_elapsed (MemlaneDevice *self, MemlaneEvent *start, MemlaneEvent *stop, double *ns, GError **error)
{
  *ns = 0;
  return CALL ("cudaEventElapsedTime", self->driver->event_elapsed (self, start, stop, ns, error), .bytes = 0);
}

gboolean
memlane_device_latch_close (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return CALL ("latch kernel", self->driver->latch_close (self, stream, error), .stream = stream, .has_stream = TRUE);
}

gboolean
memlane_device_latch_open (MemlaneDevice *self, gboolean *late, GError **error)
{
  gboolean admitted = admit (self, "latch release", error);

  *late = FALSE;
  return TELL ("latch release", self->driver->latch_open (self, late, admitted ? error : NULL) && admitted, .bytes = 0);
}

/* --- tracing -------------------------------------------------------------------------------------------------- */

gboolean
memlane_device_trace_begin (MemlaneDevice *self, GError **error)
{
  if (self->driver->trace_begin == NULL)
    return lacks (self, "tracing", error);
  if (self->is_traced)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID, "tracing: %s is being traced already; end that trace first",
                   self->info.id);
      return FALSE;
    }
  self->is_traced = admit (self, "tracing", error) && self->driver->trace_begin (self, error);
  return self->is_traced;
}

gboolean
memlane_device_trace_end (MemlaneDevice *self, MemlaneTracer *tracer, GError **error)
{
  gboolean admitted = admit (self, "end of tracing", error);

  self->tracer = NULL;
  self->is_traced = FALSE;
  return self->driver->trace_end (self, tracer, admitted ? error : NULL) && admitted;
}
