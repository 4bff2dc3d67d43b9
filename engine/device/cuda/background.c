/* background.c: work that goes on beside what is measured: computing kernels, or copies, on streams
 * of their own
 *
 * SPDX-License-Identifier: MIT
 *
 * All of a background is queued before it begins, so no thread of the host takes part while a
 * sample runs, and each ends by itself.
 */
#include "shared.h"

#include <string.h>

#include "base/fail.h"

#define MOST_COPIES 256 /* more would fill the queue of the driver, and the call would wait */
#define LONG_UNITS   8    /* of a copy in a long background */
#define FASTEST_LINK 64e9 /* bytes/s, where the link's bandwidth is unknown */
#define BEGIN_NS     1e9  /* a background that has not begun after so long never does */

/* Copies in one direction. */
typedef struct
{
  cudaStream_t stream;
  void *host, *device; /* LONG_UNITS units each */
  cudaEvent_t begun, copied[MOST_COPIES];
  guint n, done;
} Flow;

struct _MemlaneCudaBackground
{
  MemlaneBeside beside; /* what runs, if anything does */
  MemlaneBackgroundWord *word, *word_on_device;
  MemlaneBackgroundState *state;
  Flow up, down; /* kernels take the stream of up */
  guint units;   /* of a copy */
};

static gboolean
make_flow (Flow *flow, GError **error)
{
  return flow->stream != NULL
         || (CHECK (cudaEventCreate (&flow->begun), error, "cudaEventCreate (background)")
             && CHECK (cudaStreamCreateWithFlags (&flow->stream, cudaStreamNonBlocking), error,
                       "cudaStreamCreateWithFlags (background)"));
}

static gboolean
make_copies (Flow *flow, GError **error)
{
  const gsize bytes = LONG_UNITS * MEMLANE_BACKGROUND_COPY;
  gboolean made = make_flow (flow, error)
                  && (flow->host != NULL
                      || CHECK (cudaMallocHost (&flow->host, bytes), error,
                                "cudaMallocHost (%" G_GSIZE_FORMAT " bytes, background)", bytes))
                  && (flow->device != NULL
                      || CHECK (cudaMalloc (&flow->device, bytes), error,
                                "cudaMalloc (%" G_GSIZE_FORMAT " bytes, background)", bytes));

  for (guint i = 0; i < flow->n && made; i++)
    made = flow->copied[i] != NULL
           || CHECK (cudaEventCreate (&flow->copied[i]), error, "cudaEventCreate (background)");
  return made;
}

static gboolean
queue_copies (MemlaneCudaBackground *self, Flow *flow, gboolean up, double ns, double bandwidth,
              GError **error)
{
  gsize bytes = MEMLANE_BACKGROUND_COPY;

  if (ns * 1e-9 * bandwidth > (double) bytes * (MOST_COPIES - 2))
    bytes *= LONG_UNITS;
  self->units = (guint) (bytes / MEMLANE_BACKGROUND_COPY);
  flow->done = 0;
  flow->n = (guint) CLAMP (ns * 1e-9 * bandwidth / (double) bytes + 2, 2, MOST_COPIES);
  if (!make_copies (flow, error)
      || !CHECK (cudaEventRecord (flow->begun, flow->stream), error,
                 "cudaEventRecord (background)"))
    return FALSE;
  for (guint i = 0; i < flow->n; i++)
    if (!CHECK (cudaMemcpyAsync (up ? flow->device : flow->host, up ? flow->host : flow->device,
                                 bytes, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                                 flow->stream),
                error, "cudaMemcpyAsync (background, %" G_GSIZE_FORMAT " bytes)", bytes)
        || !CHECK (cudaEventRecord (flow->copied[i], flow->stream), error,
                   "cudaEventRecord (background)"))
      return FALSE;
  return TRUE;
}

static gboolean
queue_kernels (MemlaneCudaBackground *self, const MemlaneCudaDevice *device, guint busy, double ns,
               GError **error)
{
  const guint multiprocessors = (guint) device->device.info.multiprocessors;
  const guint chosen = MAX ((multiprocessors * busy + 50) / 100, 1);
  const guint n = (guint) CLAMP (ns / MEMLANE_BACKGROUND_LAUNCH_NS + 2, 2,
                                 MEMLANE_BACKGROUND_LAUNCHES);
  int threads = 0;

  if (!make_flow (&self->up, error)
      || !CHECK (cudaDeviceGetAttribute (&threads, cudaDevAttrMaxThreadsPerMultiProcessor,
                                         device->ordinal),
                 error, "cudaDeviceGetAttribute (cudaDevAttrMaxThreadsPerMultiProcessor)")
      || (self->state == NULL
          && !CHECK (cudaMalloc ((void **) &self->state, sizeof *self->state), error,
                     "cudaMalloc (background)"))
      || (self->word == NULL
          && !CHECK (cudaHostAlloc ((void **) &self->word, sizeof *self->word, cudaHostAllocMapped),
                     error, "cudaHostAlloc (background)"))
      || !CHECK (cudaHostGetDevicePointer ((void **) &self->word_on_device, self->word, 0), error,
                 "cudaHostGetDevicePointer (background)")
      || !CHECK (cudaMemsetAsync (self->state, 0,
                                  G_STRUCT_OFFSET (MemlaneBackgroundState, launches)
                                      + n * sizeof self->state->launches[0],
                                  self->up.stream),
                 error, "cudaMemsetAsync (background)"))
    return FALSE;
  memset (self->word, 0, sizeof *self->word);
  for (guint i = 0; i < n; i++)
    if (!CHECK (memlane_kernel_background_launch (
                    self->state, self->word_on_device, i, chosen, multiprocessors,
                    MAX ((guint) threads / MEMLANE_BACKGROUND_THREADS, 1),
                    (guint64) MEMLANE_BACKGROUND_LAUNCH_NS, self->up.stream),
                error, "background<<<>>> (%u of %u multiprocessors)", chosen, multiprocessors))
      return FALSE;
  return TRUE;
}

static gboolean
queue_all (MemlaneCudaBackground *self, MemlaneCudaDevice *device, guint busy, double ns,
           GError **error)
{
  const double bandwidth = device->device.info.link_bandwidth > 0
                               ? device->device.info.link_bandwidth
                               : FASTEST_LINK;

  if (self->beside == MEMLANE_BESIDE_COMPUTE)
    return queue_kernels (self, device, busy, ns, error);
  return (self->beside == MEMLANE_BESIDE_COPIES_DOWN
          || queue_copies (self, &self->up, TRUE, ns, bandwidth, error))
         && (self->beside == MEMLANE_BESIDE_COPIES_UP
             || queue_copies (self, &self->down, FALSE, ns, bandwidth, error));
}

static gboolean
runs (cudaStream_t stream)
{
  gboolean still = cudaStreamQuery (stream) == cudaErrorNotReady;

  if (still)
    cudaGetLastError (); /* an answer, not an error */
  return still;
}

/* The device writes both words in one store. A reader that is caught between them reads again. */
static void
read_word (MemlaneCudaBackground *self, MemlaneBackgroundProgress *progress)
{
  guint64 turns, time;

  do
    {
      time = self->word->done.time;
      turns = self->word->done.turns;
    }
  while (time != self->word->done.time);
  progress->units = (double) turns / MEMLANE_BACKGROUND_BLOCKS;
  progress->ns = (double) time;
}

static gboolean
cuda_background_read (MemlaneDevice *device, MemlaneBackgroundProgress *progress, GError **error)
{
  MemlaneCudaBackground *self = CUDA (device)->background;
  Flow *flow;
  float ms = 0;

  if (self == NULL || self->beside == MEMLANE_BESIDE_NONE)
    return TRUE;
  flow = self->beside == MEMLANE_BESIDE_COPIES_DOWN ? &self->down : &self->up;
  progress->runs = runs (flow->stream);
  if (self->beside == MEMLANE_BESIDE_COMPUTE)
    {
      read_word (self, progress);
      return TRUE;
    }
  while (flow->done < flow->n && cudaEventQuery (flow->copied[flow->done]) == cudaSuccess)
    flow->done++;
  cudaGetLastError (); /* an answer, not an error */
  if (flow->done == 0)
    return TRUE;
  progress->units = flow->done * self->units;
  if (!CHECK (cudaEventElapsedTime (&ms, flow->begun, flow->copied[flow->done - 1]), error,
              "cudaEventElapsedTime (background)"))
    return FALSE;
  progress->ns = ms * 1e6;
  return TRUE;
}

static gboolean
cuda_background_stop (MemlaneDevice *device, GError **error)
{
  MemlaneCudaBackground *self = CUDA (device)->background;
  gboolean done = TRUE;

  if (self == NULL || self->beside == MEMLANE_BESIDE_NONE)
    return TRUE;
  if (self->word != NULL)
    self->word->stop = 1;
  if (self->up.stream != NULL)
    done = CHECK (cudaStreamSynchronize (self->up.stream), error,
                  "cudaStreamSynchronize (background)");
  if (self->down.stream != NULL)
    done = CHECK (cudaStreamSynchronize (self->down.stream), done ? error : NULL,
                  "cudaStreamSynchronize (background)")
           && done;
  self->beside = MEMLANE_BESIDE_NONE;
  return done;
}

/* Waits until the first unit is done. */
static gboolean
wait_for_begin (MemlaneDevice *device, GError **error)
{
  const double begin = device->driver->clock (device);
  MemlaneBackgroundProgress progress = { 0 };

  while (!(progress.ns > 0))
    if (!cuda_background_read (device, &progress, error))
      return FALSE;
    else if (device->driver->clock (device) - begin > BEGIN_NS)
      return memlane_device_refuse (error, TIMEOUT,
                                    "background: cudaErrorNotReady: it has not begun after %.0f s; "
                                    "see what else uses the GPU",
                                    BEGIN_NS / 1e9);
  return TRUE;
}

static gboolean
cuda_background_start (MemlaneDevice *device, MemlaneBeside beside, guint busy, double ns,
                       GError **error)
{
  MemlaneCudaDevice *self = CUDA (device);

  if (self->background == NULL)
    self->background = g_new0 (MemlaneCudaBackground, 1);
  if (self->background->beside != MEMLANE_BESIDE_NONE)
    return memlane_device_refuse (
        error, INVALID, "background: cudaErrorInvalidValue: one runs already; end it first");
  self->background->beside = beside;
  if (queue_all (self->background, self, busy, MIN (ns, MEMLANE_BACKGROUND_MOST_NS), error)
      && wait_for_begin (device, error))
    return TRUE;
  cuda_background_stop (device, NULL);
  return FALSE;
}

#define ROW(name) .name = cuda_##name,
const MemlaneBackgroundCalls memlane_cuda_background_calls = { MEMLANE_BACKGROUND_CALLS (ROW) };

gboolean
memlane_cuda_background_is_on (const MemlaneCudaDevice *device)
{
  return device->background != NULL && device->background->beside != MEMLANE_BESIDE_NONE;
}

static void
clear_flow (Flow *flow)
{
  for (guint i = 0; i < MOST_COPIES; i++)
    if (flow->copied[i] != NULL)
      CHECK (cudaEventDestroy (flow->copied[i]), NULL, "cudaEventDestroy");
  if (flow->begun != NULL)
    CHECK (cudaEventDestroy (flow->begun), NULL, "cudaEventDestroy");
  if (flow->stream != NULL)
    CHECK (cudaStreamDestroy (flow->stream), NULL, "cudaStreamDestroy");
  if (flow->device != NULL)
    CHECK (cudaFree (flow->device), NULL, "cudaFree");
  if (flow->host != NULL)
    CHECK (cudaFreeHost (flow->host), NULL, "cudaFreeHost");
}

void
memlane_cuda_background_clear (MemlaneCudaDevice *device)
{
  MemlaneCudaBackground *self = device->background;

  if (self == NULL)
    return;
  cuda_background_stop (&device->device, NULL);
  clear_flow (&self->up);
  clear_flow (&self->down);
  if (self->state != NULL)
    CHECK (cudaFree (self->state), NULL, "cudaFree");
  if (self->word != NULL)
    CHECK (cudaFreeHost (self->word), NULL, "cudaFreeHost");
  g_clear_pointer (&device->background, g_free);
}
