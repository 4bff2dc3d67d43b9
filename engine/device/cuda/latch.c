/* cuda-latch.c: the spinning kernel that holds a stream
 *
 * SPDX-License-Identifier: MIT
 */
#include "cuda.h"

#include <string.h>

gboolean
memlane_cuda_latch_create (MemlaneCudaDevice *self, GError **error)
{
  void *word = NULL, *on_device = NULL;

  if (!memlane_cuda_check (cudaHostAlloc (&word, sizeof *self->latch_word, cudaHostAllocMapped), error,
                           "cudaHostAlloc (%" G_GSIZE_FORMAT " bytes, mapped, the latch)", sizeof *self->latch_word))
    return FALSE;

  memset (word, 0, sizeof *self->latch_word);
  self->latch_word = word;

  if (!memlane_cuda_check (cudaHostGetDevicePointer (&on_device, word, 0), error, "cudaHostGetDevicePointer (%p, the latch)", word))
    return FALSE;

  self->latch_word_on_device = on_device;
  return memlane_cuda_check (cudaEventCreateWithFlags (&self->latch_event, cudaEventDisableTiming), error,
                             "cudaEventCreateWithFlags (cudaEventDisableTiming)");
}

/* After everything on the device has ended. */
void
memlane_cuda_latch_destroy (MemlaneCudaDevice *self)
{
  if (self->latch_event != NULL)
    memlane_cuda_check (cudaEventDestroy (self->latch_event), NULL, "cudaEventDestroy");
  if (self->latch_word != NULL)
    memlane_cuda_check (cudaFreeHost (self->latch_word), NULL, "cudaFreeHost");
  self->latch_event = NULL;
  self->latch_word = NULL;
}

static void
release (MemlaneCudaDevice *self)
{
  __atomic_store_n (&self->latch_word->released, self->latch_ticket, __ATOMIC_SEQ_CST);
  self->latch_closed = FALSE;
}

gboolean
memlane_cuda_latch_close (MemlaneDevice *device, MemlaneStream *stream, GError **error)
{
  MemlaneCudaDevice *self = (MemlaneCudaDevice *) device;
  cudaStream_t on = (cudaStream_t) stream;

  if (self->latch_closed)
    {
      g_set_error_literal (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_INVALID,
                           "latch: cudaErrorInvalidValue: a latch is closed already; open it first");
      return FALSE;
    }

  /* 0 is what the word starts with. */
  if (++self->latch_ticket == 0)
    self->latch_ticket = 1;

  if (!memlane_cuda_check (memlane_kernel_latch_launch (self->latch_word_on_device, self->latch_ticket,
                                                        (guint64) MEMLANE_LATCH_TIMEOUT_NS, on),
                           error, "latch<<<1, 1>>>"))
    return FALSE;

  self->latch_closed = TRUE;
  if (!memlane_cuda_check (cudaEventRecord (self->latch_event, on), error, "cudaEventRecord (behind the latch)"))
    {
      release (self); /* a failed call leaves nothing behind, least of all a stream that is held */
      return FALSE;
    }

  return TRUE;
}

/* Lateness is known only once the kernel has ended, so this waits for it: some microseconds, between the release and whatever the caller
 * waits for next, while the work behind the latch is running already. Nothing that is timed on the device sees it. */
gboolean
memlane_cuda_latch_open (MemlaneDevice *device, gboolean *late, GError **error)
{
  MemlaneCudaDevice *self = (MemlaneCudaDevice *) device;

  if (!self->latch_closed)
    {
      *late = FALSE;
      return TRUE;
    }

  release (self);
  if (!memlane_cuda_check (cudaEventSynchronize (self->latch_event), error, "cudaEventSynchronize (behind the latch)"))
    return FALSE;

  *late = __atomic_load_n (&self->latch_word->late, __ATOMIC_SEQ_CST) == self->latch_ticket;
  return TRUE;
}
