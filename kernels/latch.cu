/* latch.cu: holds a stream until the host lets go
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"

static __device__ __forceinline__ uint64_t
global_nanoseconds (void)
{
  uint64_t ns;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

/* Either sees the release or says that it gave up, never both: a sample whose word says "late" is
 * void, any other is whole. */
static __global__ void
latch_kernel (MemlaneLatchWord *word, uint32_t ticket, uint64_t timeout_ns)
{
  const uint64_t start = global_nanoseconds ();

  while (word->released != ticket)
    if (global_nanoseconds () - start > timeout_ns)
      {
        word->late = ticket;
        __threadfence_system ();
        return;
      }
}

extern "C" cudaError_t
memlane_kernel_latch_launch (MemlaneLatchWord *word, uint32_t ticket, uint64_t timeout_ns,
                             cudaStream_t stream)
{
  latch_kernel<<<1, 1, 0, stream>>> (word, ticket, timeout_ns);
  return cudaGetLastError ();
}

extern "C" cudaError_t
memlane_kernel_latch_load (void)
{
  cudaFuncAttributes attributes;

  return cudaFuncGetAttributes (&attributes, (const void *) latch_kernel);
}
