/* device-calls.c: every fallible call passes here on its way to the driver
 *
 * Counted, made to fail on request, and what it hands out is entered in the books, so that "nothing leaks" and "any call may fail" can be
 * proved for every mode on every kind of device with one mechanism.
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

static gboolean
taken (MemlaneDevice *self, gpointer thing)
{
  g_hash_table_add (self->outstanding, thing);
  return TRUE;
}

/* A release always takes the thing off the books: a failed one has released all the same (device.h, "Errors"). */
static void
given (GHashTable *books, gpointer thing)
{
  g_hash_table_remove (books, thing);
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
  return admit (self, "cudaMemGetInfo", error) && self->driver->get_free_memory (self, bytes, error);
}

gboolean
memlane_device_host_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "malloc", error) && self->driver->host_malloc (self, bytes, pointer, error) && taken (self, *pointer);
}

gboolean
memlane_device_host_free (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "free", error);

  given (self->outstanding, pointer);
  return self->driver->host_free (self, pointer, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_malloc_host (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "cudaMallocHost", error) && self->driver->malloc_host (self, bytes, pointer, error) && taken (self, *pointer);
}

gboolean
memlane_device_host_alloc (MemlaneDevice *self, gsize bytes, MemlaneHostAllocFlags flags, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "cudaHostAlloc", error) && self->driver->host_alloc (self, bytes, flags, pointer, error) && taken (self, *pointer);
}

gboolean
memlane_device_free_host (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "cudaFreeHost", error);

  given (self->outstanding, pointer);
  return self->driver->free_host (self, pointer, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_host_register (MemlaneDevice *self, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error)
{
  if (!admit (self, "cudaHostRegister", error) || !self->driver->host_register (self, pointer, bytes, flags, error))
    return FALSE;
  g_hash_table_add (self->registrations, pointer);
  return TRUE;
}

gboolean
memlane_device_host_unregister (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "cudaHostUnregister", error);

  given (self->registrations, pointer);
  return self->driver->host_unregister (self, pointer, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_host_get_device_pointer (MemlaneDevice *self, void *host, void **device, GError **error)
{
  *device = NULL;
  return admit (self, "cudaHostGetDevicePointer", error) && self->driver->host_get_device_pointer (self, host, device, error);
}

gboolean
memlane_device_host_write (MemlaneDevice *self, void *pointer, const void *from, gsize bytes, GError **error)
{
  return admit (self, "host write", error) && self->driver->host_write (self, pointer, from, bytes, error);
}

gboolean
memlane_device_host_fill (MemlaneDevice *self, void *pointer, int byte, gsize bytes, GError **error)
{
  return admit (self, "host fill", error) && self->driver->host_fill (self, pointer, byte, bytes, error);
}

gboolean
memlane_device_host_read (MemlaneDevice *self, void *to, const void *pointer, gsize bytes, GError **error)
{
  return admit (self, "host read", error) && self->driver->host_read (self, to, pointer, bytes, error);
}

gboolean
memlane_device_host_touch (MemlaneDevice *self, const void *pointer, gsize bytes, GError **error)
{
  return admit (self, "host touch", error) && self->driver->host_touch (self, pointer, bytes, error);
}

gboolean
memlane_device_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "cudaMalloc", error) && self->driver->malloc (self, bytes, pointer, error) && taken (self, *pointer);
}

gboolean
memlane_device_malloc_managed (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "cudaMallocManaged", error) && self->driver->malloc_managed (self, bytes, pointer, error) && taken (self, *pointer);
}

gboolean
memlane_device_free (MemlaneDevice *self, void *pointer, GError **error)
{
  gboolean admitted = admit (self, "cudaFree", error);

  given (self->outstanding, pointer);
  return self->driver->free (self, pointer, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_malloc_async (MemlaneDevice *self, gsize bytes, MemlaneStream *stream, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "cudaMallocAsync", error) && self->driver->malloc_async (self, bytes, stream, pointer, error)
    && taken (self, *pointer);
}

gboolean
memlane_device_free_async (MemlaneDevice *self, void *pointer, MemlaneStream *stream, GError **error)
{
  gboolean admitted = admit (self, "cudaFreeAsync", error);

  given (self->outstanding, pointer);
  return self->driver->free_async (self, pointer, stream, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_managed_static (MemlaneDevice *self, guint index, gsize bytes, void **pointer, GError **error)
{
  *pointer = NULL;
  return admit (self, "__managed__ symbol", error) && self->driver->managed_static (self, index, bytes, pointer, error);
}

gboolean
memlane_device_peer_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error)
{
  if (self->driver->peer_malloc == NULL)
    return lacks (self, "cudaMalloc on the second device", error);
  *pointer = NULL;
  return admit (self, "cudaMalloc on the second device", error) && self->driver->peer_malloc (self, bytes, pointer, error)
    && taken (self, *pointer);
}

gboolean
memlane_device_peer_free (MemlaneDevice *self, void *pointer, GError **error)
{
  if (self->driver->peer_free == NULL)
    return lacks (self, "cudaFree on the second device", error);
  gboolean admitted = admit (self, "cudaFree on the second device", error);

  given (self->outstanding, pointer);
  return self->driver->peer_free (self, pointer, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_pointer_get_attributes (MemlaneDevice *self, const void *pointer, MemlanePointerAttributes *attributes, GError **error)
{
  return admit (self, "cudaPointerGetAttributes", error) && self->driver->pointer_get_attributes (self, pointer, attributes, error);
}

gboolean
memlane_device_memcpy (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error)
{
  return admit (self, "cudaMemcpy", error) && self->driver->memcpy (self, to, from, bytes, kind, error);
}

gboolean
memlane_device_memcpy_async (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, MemlaneStream *stream,
                             GError **error)
{
  return admit (self, "cudaMemcpyAsync", error) && self->driver->memcpy_async (self, to, from, bytes, kind, stream, error);
}

gboolean
memlane_device_memcpy_peer_async (MemlaneDevice *self, void *to_peer, const void *from, gsize bytes, MemlaneStream *stream, GError **error)
{
  if (self->driver->memcpy_peer_async == NULL)
    return lacks (self, "cudaMemcpyPeerAsync", error);
  return admit (self, "cudaMemcpyPeerAsync", error) && self->driver->memcpy_peer_async (self, to_peer, from, bytes, stream, error);
}

gboolean
memlane_device_memset_async (MemlaneDevice *self, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error)
{
  return admit (self, "cudaMemsetAsync", error) && self->driver->memset_async (self, pointer, byte, bytes, stream, error);
}

gboolean
memlane_device_mem_prefetch_async (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneLocation location, MemlaneStream *stream,
                                   GError **error)
{
  return admit (self, "cudaMemPrefetchAsync", error) && self->driver->mem_prefetch_async (self, pointer, bytes, location, stream, error);
}

gboolean
memlane_device_mem_advise (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                           GError **error)
{
  return admit (self, "cudaMemAdvise", error) && self->driver->mem_advise (self, pointer, bytes, advice, location, error);
}

gboolean
memlane_device_launch (MemlaneDevice *self, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                       MemlaneStream *stream, GError **error)
{
  return admit (self, "cudaLaunchKernel", error) && self->driver->launch (self, kernel, out, a, b, elements, stream, error);
}

gboolean
memlane_device_launch_host_function (MemlaneDevice *self, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                     GError **error)
{
  return admit (self, "cudaLaunchHostFunc", error) && self->driver->launch_host_function (self, function, data, stream, error);
}

gboolean
memlane_device_stream_create (MemlaneDevice *self, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error)
{
  *stream = NULL;
  return admit (self, "cudaStreamCreateWithPriority", error) && self->driver->stream_create (self, non_blocking, priority, stream, error)
    && taken (self, *stream);
}

gboolean
memlane_device_stream_destroy (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  gboolean admitted = admit (self, "cudaStreamDestroy", error);

  given (self->outstanding, stream);
  return self->driver->stream_destroy (self, stream, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_stream_synchronize (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return admit (self, "cudaStreamSynchronize", error) && self->driver->stream_synchronize (self, stream, error);
}

gboolean
memlane_device_stream_query (MemlaneDevice *self, MemlaneStream *stream, gboolean *done, GError **error)
{
  *done = 0;
  return admit (self, "cudaStreamQuery", error) && self->driver->stream_query (self, stream, done, error);
}

gboolean
memlane_device_stream_wait_event (MemlaneDevice *self, MemlaneStream *stream, MemlaneEvent *event, GError **error)
{
  return admit (self, "cudaStreamWaitEvent", error) && self->driver->stream_wait_event (self, stream, event, error);
}

gboolean
memlane_device_synchronize (MemlaneDevice *self, GError **error)
{
  return admit (self, "cudaDeviceSynchronize", error) && self->driver->synchronize (self, error);
}

gboolean
memlane_device_event_create (MemlaneDevice *self, MemlaneEvent **event, GError **error)
{
  *event = NULL;
  return admit (self, "cudaEventCreate", error) && self->driver->event_create (self, event, error) && taken (self, *event);
}

gboolean
memlane_device_event_destroy (MemlaneDevice *self, MemlaneEvent *event, GError **error)
{
  gboolean admitted = admit (self, "cudaEventDestroy", error);

  given (self->outstanding, event);
  return self->driver->event_destroy (self, event, admitted ? error : NULL) && admitted;
}

gboolean
memlane_device_event_record (MemlaneDevice *self, MemlaneEvent *event, MemlaneStream *stream, GError **error)
{
  return admit (self, "cudaEventRecord", error) && self->driver->event_record (self, event, stream, error);
}

gboolean
memlane_device_event_synchronize (MemlaneDevice *self, MemlaneEvent *event, GError **error)
{
  return admit (self, "cudaEventSynchronize", error) && self->driver->event_synchronize (self, event, error);
}

gboolean
memlane_device_event_elapsed (MemlaneDevice *self, MemlaneEvent *start, MemlaneEvent *stop, double *ns, GError **error)
{
  *ns = 0;
  return admit (self, "cudaEventElapsedTime", error) && self->driver->event_elapsed (self, start, stop, ns, error);
}

gboolean
memlane_device_latch_close (MemlaneDevice *self, MemlaneStream *stream, GError **error)
{
  return admit (self, "latch kernel", error) && self->driver->latch_close (self, stream, error);
}

gboolean
memlane_device_latch_open (MemlaneDevice *self, gboolean *late, GError **error)
{
  gboolean admitted = admit (self, "latch release", error);

  *late = FALSE;
  return self->driver->latch_open (self, late, admitted ? error : NULL) && admitted;
}
