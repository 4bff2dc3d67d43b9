/* device-calls.c: every fallible call passes here on its way to the driver
 *
 * Each is counted, made to fail on request, and told to the tracer when there is one, so that "any
 * call may fail" can be proved for every mode on every kind of device with one mechanism.
 *
 * SPDX-License-Identifier: MIT
 */
#include "device-driver.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/owns.h"
#include "base/words.h"

#define SPIN_NS 60e9

/* The driver call that this process makes now, for a watcher on another thread: see
 * memlane_device_watch(). */
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

/* Makes the trouble that a test asked for. FALSE with @error; TRUE: the call is made; or it never
 * returns. */
static gboolean
make_trouble (MemlaneDevice *self, const char *call, GError **error)
{
  switch (self->trouble)
    {
    case MEMLANE_TROUBLE_LOST:
      self->fail_at = 0;
      self->lost_by = "cudaErrorIllegalAddress: the device was lost, as was asked for; it is gone "
                      "until the process ends";
      return TRUE;
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
      return memlane_device_refuse (
          error, FAILED, "%s: cudaErrorUnknown: fault asked for at call %" G_GUINT64_FORMAT, call,
          self->calls);
    }
}

/* The host's own work, as the members of a MemlaneTraceRequest tell: it goes on when the device is
 * lost. */
#define IS_OF_HOST(...) ((const MemlaneTraceRequest) { __VA_ARGS__ }.kind == MEMLANE_TRACE_HOST)

static gboolean
stands (MemlaneDevice *self, const char *call, gboolean is_of_host, GError **error)
{
  return G_LIKELY (self->lost_by == NULL) || is_of_host
         || memlane_device_refuse (error, LOST, "%s (): %s", call, self->lost_by);
}

/* Several devices may be open in one thread, and CUDA knows one that is current. */
static __thread const MemlaneDevice *current;

void
memlane_device_set_current (const MemlaneDevice *self)
{
  current = self;
}

/* Whether the call may go to the driver; FALSE: a test asked it to fail, or it can only fail. */
static gboolean
admit (MemlaneDevice *self, const char *call, gboolean is_of_host, GError **error)
{
  memlane_device_watch_begin (call);
  if (G_UNLIKELY (++self->calls == self->fail_at) && !make_trouble (self, call, error))
    return FALSE;
  if (G_UNLIKELY (self->in_host_function))
    return memlane_device_refuse (error, INVALID,
                                  "%s (in a host function): cudaErrorNotPermitted: a host function "
                                  "must make no CUDA call; record what it "
                                  "has to say and act on it after the wait",
                                  call);
  if (G_UNLIKELY (current != self) && self->driver->make_current != NULL)
    self->driver->make_current (self);
  current = self;
  return stands (self, call, is_of_host, error);
}

/* The call has returned. */
static gboolean
leave (MemlaneDevice *self, gboolean done, GError **error)
{
  memlane_device_watch_end ();
  if (G_UNLIKELY (!done) && error != NULL
      && g_error_matches (*error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_LOST))
    self->is_lost = TRUE;
  return done;
}

/* The name that the device's runtime gives to the call that CUDA calls @name. */
#define CALLED(name)                                                                               \
  (G_LIKELY (self->driver->name_call == NULL) ? (name) : self->driver->name_call (name))

/* Evaluates @call, which is "@name": told to the tracer when there is one; otherwise this is one
 * branch that is never taken. The rest are members of MemlaneTraceRequest. */
#define TELL(name, call, ...)                                                                      \
  (G_LIKELY (self->tracer == NULL)                                                                 \
       ? (call)                                                                                    \
       : (memlane_tracer_enter (self->tracer, CALLED (name),                                       \
                                &(const MemlaneTraceRequest) { __VA_ARGS__ }),                     \
          memlane_tracer_leave (self->tracer, (call))))

/* The same for a call that must be admitted. */
#define CALL(name, call, ...)                                                                      \
  leave (self,                                                                                     \
         TELL (name, admit (self, CALLED (name), IS_OF_HOST (__VA_ARGS__), error) && call,         \
               __VA_ARGS__),                                                                       \
         error)

/* A call of the driver's @table, with its name in CUDA, its parameters, its arguments, and members
 * of MemlaneTraceRequest. A loss may come to light while it waits. */
#define CALLS(table, function, name, parameters, arguments, ...)                                   \
  gboolean memlane_device_##function parameters                                                    \
  {                                                                                                \
    return CALL (name,                                                                             \
                 self->driver->table->function arguments                                           \
                     && stands (self, CALLED (name), IS_OF_HOST (__VA_ARGS__), error),             \
                 __VA_ARGS__);                                                                     \
  }

/* One that fills *@out, which is 0 after a failure. */
#define ANSWERS(table, function, name, parameters, arguments, out, ...)                            \
  gboolean memlane_device_##function parameters                                                    \
  {                                                                                                \
    *out = 0;                                                                                      \
    return CALL (name,                                                                             \
                 self->driver->table->function arguments                                           \
                     && stands (self, CALLED (name), FALSE, error),                                \
                 __VA_ARGS__);                                                                     \
  }

/* One that hands *@out out: what it has handed out is the caller's. */
#define HANDS_OUT(table, function, name, parameters, arguments, out, ...) \
  gboolean \
  memlane_device_##function parameters \
  { \
    *out = NULL; \
    return CALL (name, self->driver->table->function arguments, __VA_ARGS__); \
  }

/* One that releases. It reaches the driver even when a test asks it to fail: a failed one has
 * released all the same (device-calls.h, "Errors"). In @arguments `told` is where the error
 * goes. */
#define RELEASES(table, function, name, parameters, arguments, ...)                                \
  gboolean memlane_device_##function parameters                                                    \
  {                                                                                                \
    gboolean admitted = admit (self, CALLED (name), IS_OF_HOST (__VA_ARGS__), error);              \
    GError **told = admitted ? error : NULL;                                                       \
                                                                                                   \
    return leave (                                                                                 \
        self,                                                                                      \
        !self->in_host_function                                                                    \
            && TELL (name,                                                                         \
                     self->driver->table->function arguments && admitted                           \
                         && stands (self, CALLED (name), IS_OF_HOST (__VA_ARGS__), told),          \
                     __VA_ARGS__),                                                                 \
        error);                                                                                    \
  }

/* --- clock and limits ------------------------------------------------------------------------- */

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

ANSWERS (memory, get_free_memory, "cudaMemGetInfo",
         (MemlaneDevice * self, guint64 *bytes, GError **error), (self, bytes, error),
         bytes)

/* --- memory ----------------------------------------------------------------------------------- */

MEMLANE_DEFINE_NAMES (memlane_memory_type_name, MemlaneMemoryType, MEMLANE_MEMORY_MANAGED + 1,
                      "unregistered", "host", "device", "managed")

HANDS_OUT (memory, host_malloc, "malloc",
           (MemlaneDevice * self, gsize bytes, void **pointer, GError **error),
           (self, bytes, pointer, error), pointer, .kind = MEMLANE_TRACE_HOST,
           .bytes = bytes)
RELEASES (memory, host_free, "free", (MemlaneDevice * self, void *pointer, GError **error),
          (self, pointer, told), .kind = MEMLANE_TRACE_HOST)
HANDS_OUT (memory, malloc_host, "cudaMallocHost",
           (MemlaneDevice * self, gsize bytes, void **pointer, GError **error),
           (self, bytes, pointer, error), pointer, .bytes = bytes)
HANDS_OUT (memory, host_alloc, "cudaHostAlloc",
           (MemlaneDevice * self, gsize bytes, MemlaneHostAllocFlags flags, void **pointer,
            GError **error),
           (self, bytes, flags, pointer, error), pointer, .bytes = bytes)
RELEASES (memory, free_host, "cudaFreeHost", (MemlaneDevice * self, void *pointer, GError **error),
          (self, pointer, told))
CALLS (memory, host_register, "cudaHostRegister",
       (MemlaneDevice * self, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags,
        GError **error),
       (self, pointer, bytes, flags, error), .bytes = bytes)
RELEASES (memory, host_unregister, "cudaHostUnregister",
          (MemlaneDevice * self, void *pointer, GError **error), (self, pointer, told))
ANSWERS (memory, host_get_device_pointer, "cudaHostGetDevicePointer",
         (MemlaneDevice * self, void *host, void **device, GError **error),
         (self, host, device, error), device)
CALLS (access, host_write, "host write",
       (MemlaneDevice * self, void *pointer, const void *from, gsize bytes, GError **error),
       (self, pointer, from, bytes, error), .kind = MEMLANE_TRACE_HOST, .to = pointer,
       .bytes = bytes)
CALLS (access, host_fill, "host fill",
       (MemlaneDevice * self, void *pointer, int byte, gsize bytes, GError **error),
       (self, pointer, byte, bytes, error), .kind = MEMLANE_TRACE_HOST, .to = pointer,
       .bytes = bytes)
CALLS (access, host_read, "host read",
       (MemlaneDevice * self, void *to, const void *pointer, gsize bytes, GError **error),
       (self, to, pointer, bytes, error), .kind = MEMLANE_TRACE_HOST, .from = pointer,
       .bytes = bytes)
CALLS (access, host_touch, "host touch",
       (MemlaneDevice * self, const void *pointer, gsize bytes, GError **error),
       (self, pointer, bytes, error), .kind = MEMLANE_TRACE_HOST, .from = pointer,
       .bytes = bytes)
HANDS_OUT (memory, malloc, "cudaMalloc",
           (MemlaneDevice * self, gsize bytes, void **pointer, GError **error),
           (self, bytes, pointer, error), pointer, .bytes = bytes)
HANDS_OUT (memory, malloc_managed, "cudaMallocManaged",
           (MemlaneDevice * self, gsize bytes, void **pointer, GError **error),
           (self, bytes, pointer, error), pointer, .bytes = bytes)
RELEASES (memory, free, "cudaFree", (MemlaneDevice * self, void *pointer, GError **error),
          (self, pointer, told))
HANDS_OUT (memory, malloc_async, "cudaMallocAsync",
           (MemlaneDevice * self, gsize bytes, MemlaneStream *stream, void **pointer,
            GError **error),
           (self, bytes, stream, pointer, error), pointer, .bytes = bytes, .stream = stream,
           .has_stream = TRUE, .is_async = TRUE)
RELEASES (memory, free_async, "cudaFreeAsync",
          (MemlaneDevice * self, void *pointer, MemlaneStream *stream, GError **error),
          (self, pointer, stream, told), .stream = stream, .has_stream = TRUE,
          .is_async = TRUE)
CALLS (memory, pool_keep, "cudaMemPoolSetAttribute",
       (MemlaneDevice * self, gboolean keep, GError **error), (self, keep, error))
ANSWERS (memory, managed_static, "__managed__ symbol",
         (MemlaneDevice * self, guint index, gsize bytes, void **pointer, GError **error),
         (self, index, bytes, pointer, error), pointer)
HANDS_OUT (memory, malloc_virtual, "cuMemCreate",
           (MemlaneDevice * self, gsize bytes, void **pointer, GError **error),
           (self, bytes, pointer, error), pointer, .bytes = bytes)
RELEASES (memory, free_virtual, "cuMemUnmap", (MemlaneDevice * self, void *pointer, GError **error),
          (self, pointer, told))
HANDS_OUT (memory, peer_malloc, "cudaMalloc on the second device",
           (MemlaneDevice * self, gsize bytes, void **pointer, GError **error),
           (self, bytes, pointer, error), pointer, .bytes = bytes)
RELEASES (memory, peer_free, "cudaFree on the second device",
          (MemlaneDevice * self, void *pointer, GError **error), (self, pointer, told))
CALLS (memory, pointer_get_type, "cudaPointerGetAttributes",
       (MemlaneDevice *self, const void *pointer, MemlaneMemoryType *type, GError **error),
       (self, pointer, type, error))

/* --- many copies ------------------------------------------------------------------------------ */

MemlaneCopies *
memlane_copies_new (gsize n, MemlaneCopyKind kind)
{
  MemlaneCopies *copies = g_new0 (MemlaneCopies, 1);

  *copies = (MemlaneCopies) { .n = n,
                             .kind = kind,
                             .to = g_new (void *, n),
                             .from = g_new (const void *, n),
                             .bytes = g_new (gsize, n) };
  return copies;
}

MEMLANE_DEFINE_FREE (MemlaneCopies, void memlane_copies_free (MemlaneCopies *data),
                     OWNS (to, g_free) OWNS (from, g_free) OWNS (bytes, g_free))

void
memlane_copies_set (MemlaneCopies *copies, gsize i, void *to, const void *from, gsize bytes)
{
  copies->to[i] = to;
  copies->from[i] = from;
  copies->bytes[i] = bytes;
  copies->all_bytes += bytes;
}

/* --- copies and kernels ----------------------------------------------------------------------- */

static const MemlaneTraceWay ways[] = {
  [MEMLANE_COPY_TO_DEVICE] = MEMLANE_TRACE_WAY_TO_DEVICE,
  [MEMLANE_COPY_TO_HOST] = MEMLANE_TRACE_WAY_TO_HOST,
  [MEMLANE_COPY_ON_DEVICE] = MEMLANE_TRACE_WAY_ON_DEVICE,
  [MEMLANE_COPY_ON_HOST] = MEMLANE_TRACE_WAY_ON_HOST,
};

CALLS (work, memcpy, "cudaMemcpy",
       (MemlaneDevice * self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
        GError **error),
       (self, to, from, bytes, kind, error), .kind = MEMLANE_TRACE_COPY, .way = ways[kind],
       .to = to, .from = from, .bytes = bytes, .has_stream = TRUE)
CALLS (work, memcpy_async, "cudaMemcpyAsync",
       (MemlaneDevice * self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
        MemlaneStream *stream, GError **error),
       (self, to, from, bytes, kind, stream, error), .kind = MEMLANE_TRACE_COPY, .way = ways[kind],
       .to = to, .from = from, .bytes = bytes, .stream = stream, .has_stream = TRUE,
       .is_async = TRUE)
CALLS (work, memcpy_peer_async, "cudaMemcpyPeerAsync",
       (MemlaneDevice * self, void *to_peer, const void *from, gsize bytes, MemlaneStream *stream,
        GError **error),
       (self, to_peer, from, bytes, stream, error), .kind = MEMLANE_TRACE_COPY,
       .way = MEMLANE_TRACE_WAY_TO_PEER, .to = to_peer, .from = from, .bytes = bytes,
       .stream = stream, .has_stream = TRUE, .is_async = TRUE)
CALLS (many, memcpy_batch_async, "cudaMemcpyBatchAsync",
       (MemlaneDevice * self, const MemlaneCopies *copies, MemlaneStream *stream, GError **error),
       (self, copies, stream, error), .kind = MEMLANE_TRACE_COPY, .way = ways[copies->kind],
       .to = copies->to[0], .from = copies->from[0], .bytes = copies->all_bytes, .stream = stream,
       .has_stream = TRUE, .is_async = TRUE)
CALLS (many, host_copies, "host copies",
       (MemlaneDevice * self, const MemlaneCopies *copies, guint threads, GError **error),
       (self, copies, threads, error), .kind = MEMLANE_TRACE_HOST, .to = copies->to[0],
       .from = copies->from[0], .bytes = copies->all_bytes)
CALLS (many, host_populate, "host populate",
       (MemlaneDevice * self, void *pointer, gsize bytes, guint threads, gboolean huge,
        GError **error),
       (self, pointer, bytes, threads, huge, error), .kind = MEMLANE_TRACE_HOST, .to = pointer,
       .bytes = bytes)
HANDS_OUT (many, graph_create, "cudaGraphInstantiate",
           (MemlaneDevice * self, const MemlaneCopies *copies, MemlaneGraph **graph,
            GError **error),
           (self, copies, graph, error), graph, .bytes = copies->all_bytes)
RELEASES (many, graph_destroy, "cudaGraphExecDestroy",
          (MemlaneDevice * self, MemlaneGraph *graph, GError **error), (self, graph, told))
CALLS (many, graph_launch, "cudaGraphLaunch",
       (MemlaneDevice * self, MemlaneGraph *graph, MemlaneStream *stream, GError **error),
       (self, graph, stream, error), .stream = stream, .has_stream = TRUE, .is_async = TRUE)
CALLS (work, memset_async, "cudaMemsetAsync",
       (MemlaneDevice * self, void *pointer, int byte, gsize bytes, MemlaneStream *stream,
        GError **error),
       (self, pointer, byte, bytes, stream, error), .kind = MEMLANE_TRACE_MEMSET, .to = pointer,
       .bytes = bytes, .stream = stream, .has_stream = TRUE, .is_async = TRUE)
CALLS (access, mem_prefetch_async, "cudaMemPrefetchAsync",
       (MemlaneDevice * self, const void *pointer, gsize bytes, MemlaneLocation location,
        MemlaneStream *stream, GError **error),
       (self, pointer, bytes, location, stream, error), .kind = MEMLANE_TRACE_MIGRATION,
       .way = location == MEMLANE_LOCATION_DEVICE ? MEMLANE_TRACE_WAY_TO_DEVICE
                                                  : MEMLANE_TRACE_WAY_TO_HOST,
       .from = pointer, .bytes = bytes, .stream = stream, .has_stream = TRUE,
       .is_async = TRUE)
CALLS (access, mem_advise, "cudaMemAdvise",
       (MemlaneDevice * self, const void *pointer, gsize bytes, MemlaneMemAdvice advice,
        MemlaneLocation location, GError **error),
       (self, pointer, bytes, advice, location, error), .bytes = bytes)
CALLS (work, flush_cache, "cache flush", (MemlaneDevice *self, GError **error), (self, error))
CALLS (work, launch, "cudaLaunchKernel",
       (MemlaneDevice * self, MemlaneKernel kernel, float *out, const float *a, const float *b,
        gsize elements, MemlaneStream *stream, GError **error),
       (self, kernel, out, a, b, elements, stream, error), .kind = MEMLANE_TRACE_KERNEL,
       .name = (kernel & MEMLANE_KERNEL_COPY) != 0 ? "copy" : "add", .to = out, .from = a,
       .bytes = elements * sizeof (float), .stream = stream, .has_stream = TRUE,
       .is_async = TRUE)
CALLS (work, launch_work, "cudaLaunchKernel",
       (MemlaneDevice * self, float *out, const float *a, gsize elements, guint multiply_adds,
        MemlaneStream *stream, GError **error),
       (self, out, a, elements, multiply_adds, stream, error), .kind = MEMLANE_TRACE_KERNEL,
       .name = "work", .to = out, .from = a, .bytes = elements * sizeof (float), .stream = stream,
       .has_stream = TRUE, .is_async = TRUE)
CALLS (work, launch_count, "cudaLaunchKernel",
       (MemlaneDevice * self, guint32 *counter, guint times, MemlaneStream *stream, GError **error),
       (self, counter, times, stream, error), .kind = MEMLANE_TRACE_KERNEL, .name = "count",
       .to = counter, .bytes = sizeof *counter, .stream = stream, .has_stream = TRUE,
       .is_async = TRUE)
CALLS (many, launch_gather, "cudaLaunchKernel",
       (MemlaneDevice * self, const MemlaneGather *gather, MemlaneStream *stream, GError **error),
       (self, gather, stream, error), .kind = MEMLANE_TRACE_KERNEL,
       .name = gather->scatters ? "scatter" : "gather",
       .to = gather->scatters ? gather->pool : gather->vector,
       .from = gather->scatters ? gather->vector : gather->pool,
       .bytes = gather->elements * sizeof (float), .stream = stream, .has_stream = TRUE,
       .is_async = TRUE)

gboolean
memlane_device_start_anew (MemlaneDevice *self, gsize bytes, MemlaneFreshTimes *times,
                           GError **error)
{
  *times = (MemlaneFreshTimes) { 0 };
  return CALL ("cudaDeviceReset", self->driver->work->start_anew (self, bytes, times, error),
               .bytes = bytes);
}

CALLS (work, launch_host_function, "cudaLaunchHostFunc",
       (MemlaneDevice * self, void (*function) (gpointer data), gpointer data,
        MemlaneStream *stream, GError **error),
       (self, function, data, stream, error), .kind = MEMLANE_TRACE_HOST_FUNCTION, .stream = stream,
       .has_stream = TRUE, .is_async = TRUE)

/* --- order and time --------------------------------------------------------------------------- */

HANDS_OUT (order, stream_create, "cudaStreamCreateWithPriority",
           (MemlaneDevice * self, gboolean non_blocking, int priority, MemlaneStream **stream,
            GError **error),
           (self, non_blocking, priority, stream, error), stream)
RELEASES (order, stream_destroy, "cudaStreamDestroy",
          (MemlaneDevice * self, MemlaneStream *stream, GError **error),
          (self, stream, told))
CALLS (order, stream_synchronize, "cudaStreamSynchronize",
       (MemlaneDevice * self, MemlaneStream *stream, GError **error), (self, stream, error),
       .stream = stream, .has_stream = TRUE)
ANSWERS (order, stream_query, "cudaStreamQuery",
         (MemlaneDevice * self, MemlaneStream *stream, gboolean *done, GError **error),
         (self, stream, done, error), done, .stream = stream, .has_stream = TRUE)
CALLS (order, stream_wait_event, "cudaStreamWaitEvent",
       (MemlaneDevice * self, MemlaneStream *stream, MemlaneEvent *event, GError **error),
       (self, stream, event, error), .stream = stream, .has_stream = TRUE, .is_async = TRUE)
CALLS (order, synchronize, "cudaDeviceSynchronize", (MemlaneDevice * self, GError **error),
       (self, error))
HANDS_OUT (order, event_create, "cudaEventCreate",
           (MemlaneDevice * self, MemlaneEvent **event, GError **error), (self, event, error),
           event)
RELEASES (order, event_destroy, "cudaEventDestroy",
          (MemlaneDevice * self, MemlaneEvent *event, GError **error), (self, event, told))
CALLS (order, event_record, "cudaEventRecord",
       (MemlaneDevice * self, MemlaneEvent *event, MemlaneStream *stream, GError **error),
       (self, event, stream, error), .stream = stream, .has_stream = TRUE, .is_async = TRUE)
CALLS (order, event_synchronize, "cudaEventSynchronize",
       (MemlaneDevice * self, MemlaneEvent *event, GError **error), (self, event, error))
ANSWERS (order, event_elapsed, "cudaEventElapsedTime",
         (MemlaneDevice * self, MemlaneEvent *start, MemlaneEvent *stop, double *ns,
          GError **error),
         (self, start, stop, ns, error), ns)
CALLS (order, latch_close, "latch kernel",
       (MemlaneDevice * self, MemlaneStream *stream, GError **error), (self, stream, error),
       .stream = stream, .has_stream = TRUE)

gboolean
memlane_device_latch_open (MemlaneDevice *self, gboolean *late, GError **error)
{
  gboolean admitted = admit (self, "latch release", FALSE, error), unused;

  late = late != NULL ? late : &unused;
  *late = FALSE;
  return leave (self,
                !self->in_host_function
                    && TELL ("latch release",
                             self->driver->order->latch_open (self, late, admitted ? error : NULL)
                                 && admitted && stands (self, "latch release", FALSE, error)),
                error);
}

CALLS (background, background_start, "background",
       (MemlaneDevice *self, MemlaneBeside beside, guint busy, double ns, GError **error),
       (self, beside, busy, ns, error))
RELEASES (background, background_stop, "end of the background",
          (MemlaneDevice * self, GError **error), (self, told))

gboolean
memlane_device_background_read (MemlaneDevice *self, MemlaneBackgroundProgress *progress,
                                GError **error)
{
  *progress = (MemlaneBackgroundProgress) { 0 };
  return CALL ("background progress",
               self->driver->background->background_read (self, progress, error));
}

MemlaneCapabilities
memlane_beside_get_needs (MemlaneBeside beside)
{
  return beside == MEMLANE_BESIDE_NONE      ? 0
         : beside == MEMLANE_BESIDE_COMPUTE ? MEMLANE_CAN_CONCURRENT_KERNELS
                                            : MEMLANE_CAN_COPY_ASYNC;
}

/* --- tracing ---------------------------------------------------------------------------------- */

gboolean
memlane_device_trace_begin (MemlaneDevice *self, GError **error)
{
  if (self->is_traced)
    return memlane_device_refuse (
        error, INVALID, "tracing: %s is being traced already; end that trace first", self->info.id);
  self->is_traced = leave (
      self,
      admit (self, "tracing", FALSE, error)
          && (self->driver->trace->begin == NULL || self->driver->trace->begin (self, error)),
      error);
  return self->is_traced;
}

gboolean
memlane_device_trace_end (MemlaneDevice *self, MemlaneTracer *tracer, GError **error)
{
  gboolean admitted = admit (self, "end of tracing", FALSE, error);

  self->tracer = NULL;
  self->is_traced = FALSE;
  return leave (self, self->driver->trace->end (self, tracer, admitted ? error : NULL) && admitted,
                error);
}

/* --- trouble on request ----------------------------------------------------------------------- */

void
memlane_device_ask_trouble (MemlaneDevice *self, MemlaneTrouble trouble, guint64 nth)
{
  self->trouble = trouble;
  self->fail_at = nth == 0 ? 0 : self->calls + nth;
}
