/* cuda-open.c: opening and closing the CUDA device
 *
 * SPDX-License-Identifier: MIT
 */
#include "cuda.h"

#include <stdlib.h>
#include <string.h>

#define WARM_UP_BYTES ((gsize) 16 << 20)

#define CUDA(device) ((MemlaneCudaDevice *) (device))
#define check memlane_cuda_check

/* One turn of everything that a mode queues, timed by two events. */
static gboolean
queue_everything (void *host, void *device, cudaEvent_t start, cudaEvent_t stop, GError **error)
{
  float *const vectors = device;
  const gsize elements = WARM_UP_BYTES / sizeof (float) / 4;

  return check (cudaEventRecord (start, NULL), error, "cudaEventRecord") &&
         check (cudaMemcpyAsync (device, host, WARM_UP_BYTES, cudaMemcpyHostToDevice, NULL), error, "cudaMemcpyAsync (to device)") &&
         check (memlane_kernel_add_launch (vectors, vectors + elements, vectors + 2 * elements, elements, NULL), error, "add<<<>>>") &&
         check (memlane_kernel_copy_launch (vectors, vectors + elements, elements, NULL), error, "copy<<<>>>") &&
         check (cudaMemcpyAsync (vectors, vectors + elements, elements * sizeof (float), cudaMemcpyDeviceToDevice, NULL), error,
                "cudaMemcpyAsync (on device)") &&
         check (cudaMemsetAsync (device, 0, WARM_UP_BYTES, NULL), error, "cudaMemsetAsync") &&
         check (cudaMemcpyAsync (host, device, WARM_UP_BYTES, cudaMemcpyDeviceToHost, NULL), error, "cudaMemcpyAsync (to host)") &&
         check (cudaEventRecord (stop, NULL), error, "cudaEventRecord");
}

/* Pays for everything that CUDA does at the first use: loading kernels, its own for copies and fills too, the first pinning, events, the
 * latch. All of it once without the latch, for what is loaded at the first use would wait for a closed one. */
static gboolean
warm_up (MemlaneCudaDevice *self, GError **error)
{
  void *host = NULL, *device = NULL;
  cudaEvent_t start = NULL, stop = NULL;
  float ms = 0;
  gboolean late = FALSE, ok;

  ok = check (memlane_kernels_load (), error, "cudaFuncGetAttributes (every kernel)") && memlane_cuda_latch_create (self, error) &&
       check (cudaMallocHost (&host, WARM_UP_BYTES), error, "cudaMallocHost (%" G_GSIZE_FORMAT " bytes)", WARM_UP_BYTES) &&
       check (cudaMalloc (&device, WARM_UP_BYTES), error, "cudaMalloc (%" G_GSIZE_FORMAT " bytes)", WARM_UP_BYTES) &&
       check (cudaEventCreate (&start), error, "cudaEventCreate") && check (cudaEventCreate (&stop), error, "cudaEventCreate");
  if (ok)
    memset (host, 0, WARM_UP_BYTES);

  for (int latched = 0; latched <= 1 && ok; latched++)
    {
      ok = (!latched || memlane_cuda_latch_close (&self->device, NULL, error)) && queue_everything (host, device, start, stop, error);
      /* Opened in any case: what follows waits for the device. */
      ok = memlane_cuda_latch_open (&self->device, &late, ok ? error : NULL) && ok;
      ok = ok && check (cudaEventSynchronize (stop), error, "cudaEventSynchronize") &&
           check (cudaEventElapsedTime (&ms, start, stop), error, "cudaEventElapsedTime");
    }

  if (stop != NULL)
    check (cudaEventDestroy (stop), NULL, "cudaEventDestroy");
  if (start != NULL)
    check (cudaEventDestroy (start), NULL, "cudaEventDestroy");
  if (device != NULL)
    check (cudaFree (device), NULL, "cudaFree");
  if (host != NULL)
    check (cudaFreeHost (host), NULL, "cudaFreeHost");

  return ok;
}

/* Everything that is still out goes back; errors have nobody to go to. */
static void
release_all (MemlaneCudaDevice *self)
{
  GHashTableIter iter;
  gpointer key, value;
  gboolean late;

  check (cudaSetDevice (self->ordinal), NULL, "cudaSetDevice");
  memlane_cuda_latch_open (&self->device, &late, NULL);
  check (cudaDeviceSynchronize (), NULL, "cudaDeviceSynchronize");

  g_hash_table_iter_init (&iter, self->events);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    check (cudaEventDestroy (key), NULL, "cudaEventDestroy");

  g_hash_table_iter_init (&iter, self->streams);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    check (cudaStreamDestroy (key), NULL, "cudaStreamDestroy");

  /* Before the memory itself. */
  g_hash_table_iter_init (&iter, self->registrations);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    check (cudaHostUnregister (key), NULL, "cudaHostUnregister");

  g_hash_table_iter_init (&iter, self->memory);
  while (g_hash_table_iter_next (&iter, &key, &value))
    switch (GPOINTER_TO_INT (value))
      {
      case RELEASE_BY_FREE:
        free (key);
        break;
      case RELEASE_BY_FREE_HOST:
        check (cudaFreeHost (key), NULL, "cudaFreeHost");
        break;
      default:
        check (cudaFree (key), NULL, "cudaFree");
        break;
      }

  memlane_cuda_latch_destroy (self);
}

/* The context stays: it is the process's, not this device's, and cudaDeviceReset would pull it from under another open device or a
 * host program of libmemlane. */
void
memlane_cuda_close (MemlaneDevice *device)
{
  MemlaneCudaDevice *self = CUDA (device);

  if (self->trace != NULL)
    memlane_cuda_trace_end (device, NULL, NULL);
  release_all (self);
  g_hash_table_unref (self->memory);
  g_hash_table_unref (self->registrations);
  g_hash_table_unref (self->streams);
  g_hash_table_unref (self->events);
  g_free (self);
}

MemlaneDevice *
memlane_cuda_open (const char *name, GError **error)
{
  MemlaneCudaDevice *self;
  int ordinal, count;
  float *array = NULL;

  if (!memlane_cuda_find (name, &ordinal, &count, error))
    return NULL;

  self = g_new0 (MemlaneCudaDevice, 1);
  self->ordinal = ordinal;
  self->peer = count >= 2 ? (self->ordinal + 1) % count : -1;
  self->memory = g_hash_table_new (NULL, NULL);
  self->registrations = g_hash_table_new (NULL, NULL);
  self->streams = g_hash_table_new (NULL, NULL);
  self->events = g_hash_table_new (NULL, NULL);

  memlane_cuda_trace_before_context (self->ordinal);
  /* The flags come with the context's making, for it is made here since CUDA 12, not at the first use. Mapping is implied by the
   * runtime but costs nothing to say; spinning makes every machine wait in the same way, whatever its number of cores. */
  if (!check (cudaInitDevice (self->ordinal, cudaDeviceMapHost | cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid), error,
              "cudaInitDevice (%d, cudaDeviceMapHost | cudaDeviceScheduleSpin)", self->ordinal) ||
      !check (cudaSetDevice (self->ordinal), error, "cudaSetDevice (%d)", self->ordinal) ||
      !warm_up (self, error) || !memlane_cuda_read_info (self, error))
    {
      memlane_device_info_clear (&self->device.info);
      memlane_cuda_close (&self->device);
      return NULL;
    }

  /* Also loads the arrays' module now. Without them only the mode managed-static is missing. */
  if (self->device.info.static_managed_bytes > 0 && !check (memlane_kernels_managed_array (0, &array), NULL, "cudaGetSymbolAddress"))
    self->device.info.static_managed_bytes = 0;

  return &self->device;
}
