/* claims.cu: kernels that experiments need beside the modes' own: arithmetic on each float, and additions to one counter
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"
#include "vector.cuh"

using namespace memlane;

/* The factor and the summand come with the launch, so that the compiler cannot know that they change nothing. */
static __global__ void __launch_bounds__ (block_threads)
work_kernel (float *__restrict__ out, const float *__restrict__ a, size_t n, unsigned times, float factor, float summand)
{
  const size_t i = (size_t) blockIdx.x * block_threads + threadIdx.x;

  if (i < n)
    {
      float x = a[i];

#pragma unroll 8
      for (unsigned k = 0; k < times; k++)
        x = fmaf (x, factor, summand);
      out[i] = x;
    }
}

static __global__ void
count_kernel (unsigned *counter, unsigned times)
{
  for (unsigned i = 0; i < times; i++)
    atomicAdd (counter, 1);
}

extern "C" cudaError_t
memlane_kernel_work_launch (float *out, const float *a, size_t n, unsigned times, cudaStream_t stream)
{
  const unsigned blocks = blocks_for (n, block_threads);

  if (blocks == 0)
    return cudaErrorInvalidValue;
  work_kernel<<<blocks, block_threads, 0, stream>>> (out, a, n, times, 1.0f, 0.0f);
  return cudaGetLastError ();
}

extern "C" cudaError_t
memlane_kernel_count_launch (unsigned *counter, unsigned times, cudaStream_t stream)
{
  count_kernel<<<1, 1, 0, stream>>> (counter, times);
  return cudaGetLastError ();
}

extern "C" cudaError_t
memlane_kernel_claims_load (void)
{
  cudaFuncAttributes attributes;
  cudaError_t status = cudaFuncGetAttributes (&attributes, (const void *) work_kernel);

  return status == cudaSuccess ? cudaFuncGetAttributes (&attributes, (const void *) count_kernel) : status;
}
