/* claims.cu: kernels that experiments need beside the modes' own: arithmetic on each float, and
 * additions to one counter
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"

/* Few blocks that walk: over the link more of them read in too scattered an order. About two for
 * each multiprocessor of a large GPU. */
static const unsigned work_blocks = 256;
static const unsigned work_threads = 512;

/* The factor and the summand come with the launch, so that the compiler cannot know that they
 * change nothing. */
static __global__ void
__launch_bounds__ (work_threads)
    work_kernel (float4 *__restrict__ out, const float4 *__restrict__ a, size_t quads,
                 unsigned times, float factor, float summand)
{
  for (size_t i = (size_t) blockIdx.x * work_threads + threadIdx.x; i < quads;
       i += (size_t) gridDim.x * work_threads)
    {
      float4 v = a[i];

#pragma unroll 8
      for (unsigned k = 0; k < times; k++)
        v = make_float4 (fmaf (v.x, factor, summand), fmaf (v.y, factor, summand),
                         fmaf (v.z, factor, summand), fmaf (v.w, factor, summand));
      out[i] = v;
    }
}

static __global__ void
count_kernel (unsigned *counter, unsigned times)
{
  for (unsigned i = 0; i < times; i++)
    atomicAdd (counter, 1);
}

extern "C" cudaError_t
memlane_kernel_work_launch (float *out, const float *a, size_t n, unsigned times,
                            cudaStream_t stream)
{
  if (n == 0 || n % 4 != 0 || (((size_t) out | (size_t) a) & 15) != 0)
    return cudaErrorInvalidValue;
  work_kernel<<<work_blocks, work_threads, 0, stream>>> ((float4 *) out, (const float4 *) a, n / 4,
                                                         times, 1.0f, 0.0f);
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

  return status == cudaSuccess ? cudaFuncGetAttributes (&attributes, (const void *) count_kernel)
                               : status;
}
