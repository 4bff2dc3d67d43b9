/* many.c: many copies at once: batches, graphs, and the host's own copies by several threads
 *
 * SPDX-License-Identifier: MIT
 */
#include "shared.h"

#include <string.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "kernels/shape.h"

#define BATCH_VERSION 12080
#define PAGE_BYTES 4096

guint
memlane_cuda_get_shaped_blocks (const MemlaneDeviceInfo *info, gboolean *is_tuned)
{
#define SHAPE(capability, blocks) { capability, blocks },
  static const struct
  {
    int capability;
    guint blocks;
  } shapes[] = { MEMLANE_SHAPES (SHAPE) { 0, MEMLANE_SHAPED_BLOCKS } };
  guint i = 0;

  while (shapes[i].capability != 0
         && shapes[i].capability != 10 * info->compute_major + info->compute_minor)
    i++;
  if (is_tuned != NULL)
    *is_tuned = shapes[i].capability != 0;
  return shapes[i].blocks;
}

gboolean
memlane_cuda_has_batches (void)
{
  int driver = 0;

  return CUDART_VERSION >= BATCH_VERSION
         && CHECK (cudaDriverGetVersion (&driver), NULL, "cudaDriverGetVersion")
         && driver >= BATCH_VERSION;
}

static gboolean
cuda_launch_gather (MemlaneDevice *device, const MemlaneGather *gather, MemlaneStream *stream,
                    GError **error)
{
  guint blocks = gather->shaped ? memlane_cuda_get_shaped_blocks (&device->info, NULL) : 0;

  return CHECK (
      memlane_kernel_gather_launch (gather->vector, gather->pool, gather->places, gather->piece,
                                    gather->elements, gather->scatters, blocks,
                                    (cudaStream_t) stream),
      error, "%s<<<>>> (%p, %p, %" G_GSIZE_FORMAT " elements, %" G_GSIZE_FORMAT " in each piece)",
      gather->scatters ? "scatter" : "gather", gather->vector, gather->pool, gather->elements,
      gather->piece);
}

static gboolean
cuda_memcpy_batch_async (MemlaneDevice *device, const MemlaneCopies *copies, MemlaneStream *stream,
                         GError **error)
{
#if CUDART_VERSION >= BATCH_VERSION
  struct cudaMemcpyAttributes attributes = { .srcAccessOrder = cudaMemcpySrcAccessOrderStream };
  size_t from_first = 0;
  cudaError_t status;

#if CUDART_VERSION >= 13000
  status = cudaMemcpyBatchAsync (copies->to, copies->from, copies->bytes, copies->n, &attributes,
                                 &from_first, 1, (cudaStream_t) stream);
#else
  size_t failed;

  status = cudaMemcpyBatchAsync (copies->to, (void **) copies->from, copies->bytes, copies->n,
                                 &attributes, &from_first, 1, &failed, (cudaStream_t) stream);
#endif
  return CHECK (status, error,
                "cudaMemcpyBatchAsync (%" G_GSIZE_FORMAT " copies, %" G_GSIZE_FORMAT " bytes)",
                copies->n, copies->all_bytes);
#else
  return memlane_device_refuse (error, UNSUPPORTED,
                                "cudaMemcpyBatchAsync: cudaErrorNotSupported: this program was "
                                "built with a CUDA older than 12.8");
#endif
}

/* --- the host's own copies -------------------------------------------------------------------- */

/* A thread's share of @copies. */
typedef struct
{
  const MemlaneCopies *copies;
  gsize begin, end;
  GAsyncQueue *done; /* gets it when it has ended; NULL: nobody asks */
} Share;

static void
copy_share (gpointer data, gpointer unused)
{
  Share *share = data;

  for (gsize i = share->begin; i < share->end; i++)
    memcpy (share->copies->to[i], share->copies->from[i], share->copies->bytes[i]);
  if (share->done != NULL)
    g_async_queue_push (share->done, share);
}

/* Threads that stay: starting them anew would be most of the time. NULL: the system gives no more
 * threads. */
static GThreadPool *
start_helpers (void)
{
  g_autoptr (GError) error = NULL;
  GThreadPool *helpers = g_thread_pool_new (copy_share, NULL, (gint) g_get_num_processors (), TRUE,
                                            &error);

  if (error == NULL)
    return helpers;
  if (helpers != NULL)
    g_thread_pool_free (helpers, TRUE, FALSE);
  return NULL;
}

static gboolean
cuda_host_copies (MemlaneDevice *device, const MemlaneCopies *copies, guint threads, GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);
  const guint n = (guint) MIN ((gsize) MAX (threads, 1), copies->n);
  g_autofree Share *shares = g_new0 (Share, n);
  g_autoptr (GAsyncQueue) done = g_async_queue_new ();

  if (n > 1 && self->helpers == NULL)
    self->helpers = start_helpers ();
  for (guint i = 0; i < n; i++)
    {
      const gboolean helps = i + 1 < n && self->helpers != NULL;

      shares[i] = (Share) { copies, copies->n * i / n, copies->n * (i + 1) / n,
                           helps ? done : NULL };
      if (helps)
        g_thread_pool_push (self->helpers, &shares[i], NULL);
      else
        copy_share (&shares[i], NULL);
    }
  for (guint i = 0; i + 1 < n && self->helpers != NULL; i++)
    g_async_queue_pop (done);
  return TRUE;
}

#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/enabled"

/* madvise() itself succeeds where the system gives none. */
static gboolean
ask_for_huge_pages (void *pointer, gsize bytes, GError **error)
{
  g_autofree char *enabled = NULL;

  if (g_file_get_contents (HUGE_PAGES, &enabled, NULL, NULL) && strstr (enabled, "[never]") == NULL
      && madvise (pointer, bytes, MADV_HUGEPAGE) == 0)
    return TRUE;
  return memlane_device_refuse (
      error, UNSUPPORTED,
      "madvise (%p, %" G_GSIZE_FORMAT
      " bytes, MADV_HUGEPAGE): the system gives no huge pages: %s says %s",
      pointer, bytes, HUGE_PAGES, enabled != NULL ? g_strchomp (enabled) : "nothing");
}

/* A copy of one byte for each page. */
static gboolean
cuda_host_populate (MemlaneDevice *device, void *pointer, gsize bytes, guint threads, gboolean huge,
                    GError **error)
{
  static const char zero;
  const gsize n = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
  g_autofree void **to = g_new (void *, n);
  g_autofree const void **from = g_new (const void *, n);
  g_autofree gsize *ones = g_new (gsize, n);
  const MemlaneCopies touches = {
    .n = n, .to = to, .from = from, .bytes = ones, .all_bytes = n, .kind = MEMLANE_COPY_ON_HOST
  };

  if (huge && !ask_for_huge_pages (pointer, bytes, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      to[i] = (char *) pointer + i * PAGE_BYTES;
      from[i] = &zero;
      ones[i] = 1;
    }
  return n == 0 || cuda_host_copies (device, &touches, threads, error);
}

/* --- graphs ----------------------------------------------------------------------------------- */

static gboolean
record_copies (const MemlaneCopies *copies, cudaStream_t stream, cudaGraph_t *graph, GError **error)
{
  const enum cudaMemcpyKind kind = copies->kind == MEMLANE_COPY_TO_DEVICE ? cudaMemcpyHostToDevice
                                                                          : cudaMemcpyDeviceToHost;
  cudaError_t status = cudaSuccess;

  if (!CHECK (cudaStreamBeginCapture (stream, cudaStreamCaptureModeThreadLocal), error,
              "cudaStreamBeginCapture ()"))
    return FALSE;
  for (gsize i = 0; i < copies->n && status == cudaSuccess; i++)
    status = cudaMemcpyAsync (copies->to[i], copies->from[i], copies->bytes[i], kind, stream);
  /* Always ended, or the stream could not be used again. */
  if (status != cudaSuccess)
    {
      CHECK (cudaStreamEndCapture (stream, graph), NULL, "cudaStreamEndCapture");
      return CHECK (status, error,
                    "cudaMemcpyAsync (while %" G_GSIZE_FORMAT " copies are captured)", copies->n);
    }
  return CHECK (cudaStreamEndCapture (stream, graph), error, "cudaStreamEndCapture ()");
}

static gboolean
cuda_graph_create (MemlaneDevice *device, const MemlaneCopies *copies, MemlaneGraph **graph,
                   GError **error)
{
  cudaStream_t stream = NULL;
  cudaGraph_t recorded = NULL;
  cudaGraphExec_t made = NULL;
  gboolean done;

  if (!CHECK (cudaStreamCreateWithFlags (&stream, cudaStreamNonBlocking), error,
              "cudaStreamCreateWithFlags (cudaStreamNonBlocking)"))
    return FALSE;
  done = record_copies (copies, stream, &recorded, error)
         && CHECK (cudaGraphInstantiateWithFlags (&made, recorded, 0), error,
                   "cudaGraphInstantiate (%" G_GSIZE_FORMAT " copies)", copies->n);
  if (recorded != NULL)
    CHECK (cudaGraphDestroy (recorded), NULL, "cudaGraphDestroy");
  CHECK (cudaStreamDestroy (stream), NULL, "cudaStreamDestroy");
  if (!done)
    return FALSE;
  *graph = (MemlaneGraph *) made;
  g_hash_table_add (CUDA (device)->graphs, made);
  return TRUE;
}

static gboolean
cuda_graph_destroy (MemlaneDevice *device, MemlaneGraph *graph, GError **error)
{
  g_hash_table_remove (CUDA (device)->graphs, graph);
  return CHECK (cudaGraphExecDestroy ((cudaGraphExec_t) graph), error, "cudaGraphExecDestroy (%p)",
                (void *) graph);
}

static gboolean
cuda_graph_launch (MemlaneDevice *device, MemlaneGraph *graph, MemlaneStream *stream,
                   GError **error)
{
  return CHECK (cudaGraphLaunch ((cudaGraphExec_t) graph, (cudaStream_t) stream), error,
                "cudaGraphLaunch (%p)", (void *) graph);
}

void
memlane_cuda_many_clear (MemlaneCudaDevice *self)
{
  if (self->helpers != NULL)
    g_thread_pool_free (self->helpers, FALSE, TRUE);
  self->helpers = NULL;
}

#define ROW(name) .name = cuda_##name,
const MemlaneManyCalls memlane_cuda_many_calls = { MEMLANE_MANY_CALLS (ROW) };
