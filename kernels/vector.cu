/* vector.cu: the vector addition and the copying kernel
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "kernels.h"
#include "vector.cuh"

using namespace memlane;

/* tests/gpu/kernel-variants compares the other ways. In device memory one quad a thread on a full grid is the fastest. Over the link fewer,
 * longer walks are: a thousand blocks read host memory in too scattered an order. */
static const int unroll = 1;
static const int link_unroll = 4;
static const unsigned link_threads = 512;

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
memlane_kernel_add_over_link_launch (float *out, const float *a, const float *b, size_t n, cudaStream_t stream)
{
  return launch_walking<true, link_unroll, plain_access, link_threads, 0> (out, a, b, n, stream);
}

extern "C" cudaError_t
memlane_kernel_copy_over_link_launch (float *out, const float *a, size_t n, cudaStream_t stream)
{
  return launch_walking<false, link_unroll, plain_access, link_threads, 0> (out, a, NULL, n, stream);
}

extern "C" const char *
memlane_kernel_get_launch_shape (void)
{
  static char text[200];

  snprintf (text, sizeof text,
            "device memory: blocks of %u threads, %d floats a thread, as many blocks as that takes; "
            "over the link: blocks of %u threads, at most one for every second multiprocessor, %d times 4 floats a turn",
            block_threads, 4 * unroll, link_threads, link_unroll);
  return text;
}

extern "C" cudaError_t
memlane_kernel_vector_load (void)
{
  const void *const kernels[] = {
    (const void *) quads_kernel<true, unroll, plain_access, block_threads>,
    (const void *) quads_kernel<false, unroll, plain_access, block_threads>,
    (const void *) walking_kernel<true, link_unroll, plain_access, link_threads>,
    (const void *) walking_kernel<false, link_unroll, plain_access, link_threads>,
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
