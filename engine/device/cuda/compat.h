/* cuda-compat.h: CUDA 12 and 13 behind one set of calls; for cuda-*.c alone
 *
 * SPDX-License-Identifier: MIT
 *
 * What CUDA 13 changed and this engine uses:
 *  - cudaMemPrefetchAsync and cudaMemAdvise take a cudaMemLocation instead of a device ordinal;
 *  - cudaDeviceProp lost clock rates and most flags: cudaDeviceGetAttribute answers in both, so nothing here reads them there.
 * CUDA 12 is the floor, for cudaInitDevice.
 */
#pragma once

#include <glib.h>
#include <cuda_runtime_api.h>

#include "device/device.h"

#if CUDART_VERSION < 12000
#error "Memlane needs CUDA 12 or newer"
#endif

#if CUDART_VERSION >= 13000
static inline struct cudaMemLocation
memlane_cuda_location (MemlaneLocation location, int ordinal)
{
  return location == MEMLANE_LOCATION_DEVICE ? (struct cudaMemLocation) { .type = cudaMemLocationTypeDevice, .id = ordinal }
                                             : (struct cudaMemLocation) { .type = cudaMemLocationTypeHost };
}
#else
static inline int
memlane_cuda_location (MemlaneLocation location, int ordinal)
{
  return location == MEMLANE_LOCATION_DEVICE ? ordinal : cudaCpuDeviceId;
}
#endif

static inline cudaError_t
memlane_cuda_mem_prefetch_async (const void *pointer, gsize bytes, MemlaneLocation location, int ordinal, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
  return cudaMemPrefetchAsync (pointer, bytes, memlane_cuda_location (location, ordinal), 0, stream);
#else
  return cudaMemPrefetchAsync (pointer, bytes, memlane_cuda_location (location, ordinal), stream);
#endif
}

static inline cudaError_t
memlane_cuda_mem_advise (const void *pointer, gsize bytes, enum cudaMemoryAdvise advice, MemlaneLocation location, int ordinal)
{
  return cudaMemAdvise (pointer, bytes, advice, memlane_cuda_location (location, ordinal));
}
