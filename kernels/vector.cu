/* vector.cu: the vector addition and the copying kernel
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"
#include "vector.cuh"

using namespace memlane;

/* One quad a thread: tests/gpu/kernel-variants compares the other ways. */
static const int unroll = 1;

extern "C" cudaError_t
memlane_kernel_add_launch (float *out, const float *a, const float *b, size_t n, cudaStream_t stream)
{
  return launch_quads<true, unroll, plain_access, block_threads> (out, a, b, n, stream);
}

extern "C" cudaError_t
memlane_kernel_copy_launch (float *out, const float *a, size_t n, cudaStream_t stream)
{
  return launch_quads<false, unroll, plain_access, block_threads> (out, a, NULL, n, stream);
}

extern "C" cudaError_t
memlane_kernel_vector_load (void)
{
  const void *const kernels[] = {
    (const void *) quads_kernel<true, unroll, plain_access, block_threads>,
    (const void *) quads_kernel<false, unroll, plain_access, block_threads>,
    (const void *) floats_kernel<true>,
    (const void *) floats_kernel<false>,
  };
  cudaError_t status = cudaSuccess;

  for (const void *kernel : kernels)
    {
      cudaFuncAttributes attributes;

      if (status == cudaSuccess)
        status = cudaFuncGetAttributes (&attributes, kernel);
    }

  return status;
}
