/* device-calls.h: the part of the CUDA runtime that the memory modes need, once for every kind of
 * device; for the engine alone
 *
 * SPDX-License-Identifier: MIT
 *
 * A recipe (engine/mode) is written against these calls. A CUDA device forwards each to the CUDA
 * runtime, a simulated one performs it.
 *
 * Errors. As device.h says. A failed call leaves its out-parameters NULL (or 0), hands nothing out,
 * and clears CUDA's sticky last error,
 *          so the next call starts clean. A release that fails has released all the same: CUDA
 *          reports errors of earlier asynchronous work there.
 * Threads. The device's own alone.
 * Time.    All times are double nanoseconds on the device's own clock: memlane_device_clock(). A
 *          simulated device's clock is virtual. Never compare with another clock.
 * Pointers. What malloc() and friends hand out is owned by the caller and goes back by the matching
 * release. What is still out when the
 *          device is closed is released then.
 *
 * A new call needs its prototype here and its name in one of the lists of device-driver.h. It needs
 * its function in device-calls.c, through which every call passes. It needs another one in each
 * driver (cuda/, simulated/), which the compiler asks for by name.
 */
#pragma once

#include "device.h"

/* memlane_fail() with MEMLANE_DEVICE_ERROR and one of its codes: memlane_device_refuse (error,
 * UNSUPPORTED, "..."). */
#define memlane_device_refuse(error, code, ...)                                                    \
  memlane_fail (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_##code, __VA_ARGS__)

typedef struct _MemlaneStream MemlaneStream; /* NULL names the legacy default stream */
typedef struct _MemlaneEvent MemlaneEvent;
typedef struct _MemlaneGraph MemlaneGraph;

/* --- clock and limits ------------------------------------------------------------------------- */

/* Nanoseconds on the device's own host clock; monotonic, cheap, never fails. */
double memlane_device_clock (MemlaneDevice *self);

/* Lets @ns of that clock pass, the host awake, with no call made. */
void memlane_device_pause (MemlaneDevice *self, double ns);

/* Bytes of device memory that are free now. */
gboolean memlane_device_get_free_memory (MemlaneDevice *self, guint64 *bytes, GError **error);
/* Bytes of host memory that could be handed out now (Linux: MemAvailable) and that may be locked
 * (RLIMIT_MEMLOCK; G_MAXUINT64: no limit). Never fails; 0 where it cannot be known. */
void memlane_device_get_host_memory (MemlaneDevice *self, guint64 *available, guint64 *lockable);

/* --- host memory ------------------------------------------------------------------------------ */

typedef enum
{
  MEMLANE_HOST_ALLOC_DEFAULT = 0,
  MEMLANE_HOST_ALLOC_PORTABLE = 1 << 0,
  MEMLANE_HOST_ALLOC_MAPPED = 1 << 1,
  MEMLANE_HOST_ALLOC_WRITE_COMBINED = 1 << 2,
} MemlaneHostAllocFlags;

typedef enum
{
  MEMLANE_HOST_REGISTER_DEFAULT = 0,
  MEMLANE_HOST_REGISTER_PORTABLE = 1 << 0,
  MEMLANE_HOST_REGISTER_MAPPED = 1 << 1,
  /* the device will not write there (MEMLANE_CAN_REGISTER_READ_ONLY) */
  MEMLANE_HOST_REGISTER_READ_ONLY = 1 << 2,
} MemlaneHostRegisterFlags;

/* malloc, page-aligned */
gboolean memlane_device_host_malloc (MemlaneDevice *self, gsize bytes, void **pointer,
                                     GError **error);
/* free */
gboolean memlane_device_host_free (MemlaneDevice *self, void *pointer, GError **error);
/* cudaMallocHost */
gboolean memlane_device_malloc_host (MemlaneDevice *self, gsize bytes, void **pointer,
                                     GError **error);
gboolean memlane_device_host_alloc (MemlaneDevice *self, gsize bytes, MemlaneHostAllocFlags flags,
                                    void **pointer, GError **error); /* cudaHostAlloc */
/* cudaFreeHost */
gboolean memlane_device_free_host (MemlaneDevice *self, void *pointer, GError **error);
gboolean memlane_device_host_register (MemlaneDevice *self, void *pointer, gsize bytes,
                                       MemlaneHostRegisterFlags flags, GError **error);
gboolean memlane_device_host_unregister (MemlaneDevice *self, void *pointer, GError **error);
gboolean memlane_device_host_get_device_pointer (MemlaneDevice *self, void *host, void **device,
                                                 GError **error);

/* The host's own accesses go through the device, because a simulated one charges time for them and
 * migrates managed pages.
 * host_write and host_fill store into [pointer, pointer + bytes), host_read loads from it,
 * host_touch reads one word of each 4 KiB page. */
gboolean memlane_device_host_write (MemlaneDevice *self, void *pointer, const void *from,
                                    gsize bytes, GError **error);
gboolean memlane_device_host_fill (MemlaneDevice *self, void *pointer, int byte, gsize bytes,
                                   GError **error);
gboolean memlane_device_host_read (MemlaneDevice *self, void *to, const void *pointer, gsize bytes,
                                   GError **error);
gboolean memlane_device_host_touch (MemlaneDevice *self, const void *pointer, gsize bytes,
                                    GError **error);

/* --- device and managed memory ---------------------------------------------------------------- */

/* cudaMalloc */
gboolean memlane_device_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);
/* cudaMallocManaged */
gboolean memlane_device_malloc_managed (MemlaneDevice *self, gsize bytes, void **pointer,
                                        GError **error);
/* cudaFree, both of the above */
gboolean memlane_device_free (MemlaneDevice *self, void *pointer, GError **error);
gboolean memlane_device_malloc_async (MemlaneDevice *self, gsize bytes, MemlaneStream *stream,
                                      void **pointer, GError **error);
gboolean memlane_device_free_async (MemlaneDevice *self, void *pointer, MemlaneStream *stream,
                                    GError **error);
/* @keep: the pool of malloc_async keeps what is freed (release threshold at its maximum). Else, as
 * CUDA begins, it gives that back at each synchronisation (threshold 0), and what it has now at
 * once. Whoever sets the one sets the other. */
gboolean memlane_device_pool_keep (MemlaneDevice *self, gboolean keep, GError **error);
/* The address of __managed__ array number @index (0..2); owned by the device, never released.
 * UNSUPPORTED when @bytes is more than info's static_managed_bytes. */
gboolean memlane_device_managed_static (MemlaneDevice *self, guint index, gsize bytes,
                                        void **pointer, GError **error);
/* Device memory by the driver's virtual memory management (MEMLANE_CAN_VIRTUAL_MEMORY): an address
 * range is reserved, memory is created and mapped there, and this device gets access. It is rounded
 * up to the driver's unit, 2 MiB. */
gboolean memlane_device_malloc_virtual (MemlaneDevice *self, gsize bytes, void **pointer,
                                        GError **error);
gboolean memlane_device_free_virtual (MemlaneDevice *self, void *pointer, GError **error);
/* Memory of the second device (MEMLANE_CAN_PEER_COPY): the next one, or the one that
 * memlane_device_set_peer() chose. */
gboolean memlane_device_peer_malloc (MemlaneDevice *self, gsize bytes, void **pointer,
                                     GError **error);
gboolean memlane_device_peer_free (MemlaneDevice *self, void *pointer, GError **error);
/* Makes @peer the second device from now on. FALSE: it cannot be, because it is the same GPU or of
 * another kind; nothing has changed. By the owner of @self, who has no memory of the second device
 * now; another thread may use @peer. */
gboolean memlane_device_set_peer (MemlaneDevice *self, const MemlaneDevice *peer);

typedef enum
{
  MEMLANE_MEMORY_UNREGISTERED, /* pageable host memory that CUDA does not know */
  MEMLANE_MEMORY_HOST,         /* page-locked */
  MEMLANE_MEMORY_DEVICE,
  MEMLANE_MEMORY_MANAGED,
} MemlaneMemoryType;

const char *memlane_memory_type_name (MemlaneMemoryType type); /* "unregistered", "host", ... */

/* Tells what CUDA takes the memory at @pointer for. */
gboolean memlane_device_pointer_get_type (MemlaneDevice *self, const void *pointer,
                                          MemlaneMemoryType *type, GError **error);

/* --- moving bytes ----------------------------------------------------------------------------- */

typedef enum
{
  MEMLANE_COPY_TO_DEVICE,
  MEMLANE_COPY_TO_HOST,
  MEMLANE_COPY_ON_DEVICE,
  MEMLANE_COPY_ON_HOST,
} MemlaneCopyKind;

gboolean memlane_device_memcpy (MemlaneDevice *self, void *to, const void *from, gsize bytes,
                                MemlaneCopyKind kind, GError **error);
gboolean memlane_device_memcpy_async (MemlaneDevice *self, void *to, const void *from, gsize bytes,
                                      MemlaneCopyKind kind, MemlaneStream *stream, GError **error);
/* From this device's memory into the second one's (cudaMemcpyPeerAsync). */
gboolean memlane_device_memcpy_peer_async (MemlaneDevice *self, void *to_peer, const void *from,
                                           gsize bytes, MemlaneStream *stream, GError **error);

/* Many copies of one kind. The arrays have @n places. They are the caller's, and must last until
 * the copies are done. */
typedef struct
{
  gsize n;
  void **to;
  const void **from;
  gsize *bytes;
  gsize all_bytes; /* their sum */
  MemlaneCopyKind kind;
} MemlaneCopies;

/* Makes a list with places for @n copies. NULL is fine to free. */
MemlaneCopies *memlane_copies_new (gsize n, MemlaneCopyKind kind);
void memlane_copies_free (MemlaneCopies *copies);
/* Fills place @i, which is empty. */
void memlane_copies_set (MemlaneCopies *copies, gsize i, void *to, const void *from, gsize bytes);

/* All of them in one call, in no order among themselves (MEMLANE_CAN_COPY_BATCH). @stream is not
 * the legacy default stream. */
gboolean memlane_device_memcpy_batch_async (MemlaneDevice *self, const MemlaneCopies *copies,
                                            MemlaneStream *stream, GError **error);
/* The host makes them (COPY_ON_HOST) with @threads threads, 1 to MEMLANE_MOST_STREAMS of them, and
 * returns when all are done. */
gboolean memlane_device_host_copies (MemlaneDevice *self, const MemlaneCopies *copies,
                                     guint threads, GError **error);
/* Has the pages of fresh memory of host_malloc made: @threads threads touch a byte of each. @huge:
 * it asks the system for huge pages first; UNSUPPORTED where it gives none. */
gboolean memlane_device_host_populate (MemlaneDevice *self, void *pointer, gsize bytes,
                                       guint threads, gboolean huge, GError **error);
/* A graph of these copies, one after the other, as a stream's capture records them; for any number
 * of launches. */
gboolean memlane_device_graph_create (MemlaneDevice *self, const MemlaneCopies *copies,
                                      MemlaneGraph **graph, GError **error);
gboolean memlane_device_graph_destroy (MemlaneDevice *self, MemlaneGraph *graph, GError **error);
gboolean memlane_device_graph_launch (MemlaneDevice *self, MemlaneGraph *graph,
                                      MemlaneStream *stream, GError **error);

gboolean memlane_device_memset_async (MemlaneDevice *self, void *pointer, int byte, gsize bytes,
                                      MemlaneStream *stream, GError **error);

typedef enum { MEMLANE_LOCATION_DEVICE, MEMLANE_LOCATION_HOST } MemlaneLocation;
typedef enum
{
  MEMLANE_ADVICE_READ_MOSTLY,
  MEMLANE_ADVICE_PREFERRED_LOCATION,
  MEMLANE_ADVICE_ACCESSED_BY,
} MemlaneMemAdvice;

gboolean memlane_device_mem_prefetch_async (MemlaneDevice *self, const void *pointer, gsize bytes,
                                            MemlaneLocation location, MemlaneStream *stream,
                                            GError **error);
gboolean memlane_device_mem_advise (MemlaneDevice *self, const void *pointer, gsize bytes,
                                    MemlaneMemAdvice advice, MemlaneLocation location,
                                    GError **error);

/* Writes memory of the device's own, more than its second-level cache holds, and waits for it:
 * whatever vectors were in there are in device memory alone afterwards. */
gboolean memlane_device_flush_cache (MemlaneDevice *self, GError **error);

/* --- kernels ---------------------------------------------------------------------------------- */

typedef enum
{
  MEMLANE_KERNEL_ADD = 0,         /* out[i] = a[i] + b[i]: one element a thread */
  MEMLANE_KERNEL_COPY = 1 << 0,   /* out[i] = a[i] */
  /* a flag: the same by a few blocks that walk over the vectors (kernels/shape.h) */
  MEMLANE_KERNEL_SHAPED = 1 << 1,
} MemlaneKernel;

/* Queues @kernel over @elements floats. The pointers are as the device sees them and 16-byte
 * aligned; @b is NULL for the copy. */
gboolean memlane_device_launch (MemlaneDevice *self, MemlaneKernel kernel, float *out,
                                const float *a, const float *b, gsize elements,
                                MemlaneStream *stream, GError **error);
/* A kernel that gathers or scatters is told: @elements floats of @vector in pieces of @piece floats
 * each, the last maybe shorter. Piece i lies in @pool at @places[i] x @piece. All are as the device
 * sees them; the vectors are 16-byte aligned. */
typedef struct
{
  float *vector, *pool;
  const guint32 *places;
  gsize piece, elements;
  gboolean scatters; /* from the vector into the pool; FALSE: the other way */
  gboolean shaped;   /* as MEMLANE_KERNEL_SHAPED */
} MemlaneGather;

gboolean memlane_device_launch_gather (MemlaneDevice *self, const MemlaneGather *gather,
                                       MemlaneStream *stream, GError **error);
/* As MEMLANE_KERNEL_COPY, after @multiply_adds of each float that change nothing. */
gboolean memlane_device_launch_work (MemlaneDevice *self, float *out, const float *a,
                                     gsize elements, guint multiply_adds, MemlaneStream *stream,
                                     GError **error);
/* Queues a kernel that adds 1 to *@counter, which the device can reach, @times times by atomicAdd.
 * With @times 0 it is a launch that does nothing and reaches nothing. */
gboolean memlane_device_launch_count (MemlaneDevice *self, guint32 *counter, guint times,
                                      MemlaneStream *stream, GError **error);
/* Runs @function on a thread of the device once all earlier work of @stream is done. It must call
 * no device function. */
gboolean memlane_device_launch_host_function (MemlaneDevice *self, void (*function) (gpointer data),
                                              gpointer data, MemlaneStream *stream, GError **error);

/* The costs of a process that has no context yet, ns of host time each. */
typedef struct
{
  double context; /* cudaSetDevice, which makes the context */
  /* cudaMalloc, two cudaMemcpy from and to malloc's memory, cudaFree, cudaDeviceReset */
  double malloc, to_device, to_host, free, reset;
} MemlaneFreshTimes;

/* Resets the device (cudaDeviceReset), makes these calls with a buffer of @bytes, resets it again,
 * and opens it anew. Nothing may be out, and no other device of this process may be open. */
gboolean memlane_device_start_anew (MemlaneDevice *self, gsize bytes, MemlaneFreshTimes *times,
                                    GError **error);

/* --- the background: work that goes on beside what is measured ------------------------------- */

#define MEMLANE_BACKGROUND_LAUNCH_NS 1e6 /* a computing kernel ends after it, and the next begins */
#define MEMLANE_BACKGROUND_MOST_NS 250e6 /* no background lasts longer */
/* Bytes of a copy, which is a unit. Of long backgrounds copies have eight units each. */
#define MEMLANE_BACKGROUND_COPY ((gsize) 4 << 20)
/* So many turns of a computing block are a unit (kernels/background.cu). */
#define MEMLANE_BACKGROUND_BLOCKS 1024

typedef struct
{
  double units; /* of the background's work, done since it began */
  double ns;    /* when the last of them was done, on a clock of the background's */
  gboolean runs;
} MemlaneBackgroundProgress;

/* Queues work for @ns, at most MEMLANE_BACKGROUND_MOST_NS, on streams of its own, and returns when
 * it runs. @busy: percent of the multiprocessors that compute, each filled with threads. One
 * background at a time. While it runs, memlane_device_synchronize() waits for all else. Needs what
 * memlane_beside_get_needs() says. */
gboolean memlane_device_background_start (MemlaneDevice *self, MemlaneBeside beside, guint busy,
                                          double ns, GError **error);
/* Reads how far it is, in some microseconds and in no stream. Of copies both ways: those to
 * the device. */
gboolean memlane_device_background_read (MemlaneDevice *self, MemlaneBackgroundProgress *progress,
                                         GError **error);
/* Ends it: kernels at once, copies when those that are queued are done. Does nothing without one:
 * clean-up code calls it always. */
gboolean memlane_device_background_stop (MemlaneDevice *self, GError **error);
MemlaneCapabilities memlane_beside_get_needs (MemlaneBeside beside);

/* --- order and time --------------------------------------------------------------------------- */

/* @non_blocking: cudaStreamNonBlocking. @priority: within info's range, 0 is ordinary. */
gboolean memlane_device_stream_create (MemlaneDevice *self, gboolean non_blocking, int priority,
                                       MemlaneStream **stream, GError **error);
gboolean memlane_device_stream_destroy (MemlaneDevice *self, MemlaneStream *stream, GError **error);
gboolean memlane_device_stream_synchronize (MemlaneDevice *self, MemlaneStream *stream,
                                            GError **error);
gboolean memlane_device_stream_query (MemlaneDevice *self, MemlaneStream *stream, gboolean *done,
                                      GError **error);
gboolean memlane_device_stream_wait_event (MemlaneDevice *self, MemlaneStream *stream,
                                           MemlaneEvent *event, GError **error);
gboolean memlane_device_synchronize (MemlaneDevice *self, GError **error);

gboolean memlane_device_event_create (MemlaneDevice *self, MemlaneEvent **event, GError **error);
gboolean memlane_device_event_destroy (MemlaneDevice *self, MemlaneEvent *event, GError **error);
gboolean memlane_device_event_record (MemlaneDevice *self, MemlaneEvent *event,
                                      MemlaneStream *stream, GError **error);
gboolean memlane_device_event_synchronize (MemlaneDevice *self, MemlaneEvent *event,
                                           GError **error);
/* Nanoseconds of device time between two recorded and completed events. */
gboolean memlane_device_event_elapsed (MemlaneDevice *self, MemlaneEvent *start, MemlaneEvent *stop,
                                       double *ns, GError **error);

/* The latch: a spinning kernel that holds @stream until latch_open, so that what is queued behind
 * it starts without launch
 * cost. One latch at a time. It gives way by itself after MEMLANE_LATCH_TIMEOUT_NS; then latch_open
 * answers *late = TRUE (@late is nullable)
 * and the sample is void. Nothing that waits for the stream may be called while it is closed.
 * latch_open is safe, and does
 * nothing, without a closed latch: clean-up code calls it always. All kernels, the latch too, are
 * loaded when the device is opened. */
#define MEMLANE_LATCH_TIMEOUT_NS (200.0 * 1000 * 1000)
gboolean memlane_device_latch_close (MemlaneDevice *self, MemlaneStream *stream, GError **error);
gboolean memlane_device_latch_open (MemlaneDevice *self, gboolean *late, GError **error);
