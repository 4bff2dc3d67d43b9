/* vector.cu: the vector addition and the copying kernel, in their ordinary shape and in the one for
 * the link
 *
 * SPDX-License-Identifier: MIT
 *
 * data/programs has the same kernels: change both.
 */
#include "kernels.h"
#include "shape.h"

static const unsigned threads = MEMLANE_ORDINARY_THREADS, shaped_threads = MEMLANE_SHAPED_THREADS;

template <bool WithB>
static __global__ void __launch_bounds__ (threads)
ordinary_kernel (float *out, const float *a, const float *b, size_t n)
{
  const size_t i = (size_t) blockIdx.x * threads + threadIdx.x;

  if (i < n)
    out[i] = WithB ? a[i] + b[i] : a[i];
}

template <bool WithB>
static __device__ __forceinline__ float4
combine (float4 a, const float4 *b)
{
  return WithB ? make_float4 (a.x + b->x, a.y + b->y, a.z + b->z, a.w + b->w) : a;
}

/* Has the loads of four steps in flight before it stores. The vectors lie on 16-byte boundaries. */
template <bool WithB>
static __global__ void
__launch_bounds__ (shaped_threads)
    shaped_kernel (float *__restrict__ out, const float *__restrict__ a,
                   const float *__restrict__ b, size_t n)
{
  const size_t first = (size_t) blockIdx.x * shaped_threads + threadIdx.x,
               stride = (size_t) gridDim.x * shaped_threads;
  float4 *const out4 = reinterpret_cast<float4 *> (out);
  const float4 *const a4 = reinterpret_cast<const float4 *> (a),
                      *const b4 = reinterpret_cast<const float4 *> (b);
  size_t i = first;

  for (; i + 3 * stride < n / 4; i += 4 * stride)
    {
      float4 sum[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        sum[k] = combine<WithB> (a4[i + k * stride], b4 + i + k * stride);
#pragma unroll
      for (int k = 0; k < 4; k++)
        out4[i + k * stride] = sum[k];
    }
  for (; i < n / 4; i += stride)
    out4[i] = combine<WithB> (a4[i], b4 + i);
  for (i = n / 4 * 4 + first; i < n; i += stride)
    out[i] = WithB ? a[i] + b[i] : a[i];
}

extern "C" cudaError_t
memlane_kernel_launch (float *out, const float *a, const float *b, size_t n, unsigned blocks,
                       cudaStream_t stream)
{
  const size_t each = blocks > 0 ? (size_t) shaped_threads * 4 : threads,
               needed = n / each + (n % each != 0);
  const unsigned grid = blocks > 0 && needed > blocks ? blocks : (unsigned) needed;

  if (n == 0 || needed > 0x7fffffff
      || (blocks > 0 && (((size_t) out | (size_t) a | (size_t) b) & 15) != 0))
    return cudaErrorInvalidValue;
  if (blocks > 0)
    (b != NULL ? shaped_kernel<true>
               : shaped_kernel<false>) <<<grid, shaped_threads, 0, stream>>> (out, a, b, n);
  else
    (b != NULL ? ordinary_kernel<true>
               : ordinary_kernel<false>) <<<grid, threads, 0, stream>>> (out, a, b, n);
  return cudaGetLastError ();
}

extern "C" cudaError_t
memlane_kernel_vector_load (void)
{
  const void *const kernels[] = {
    (const void *) ordinary_kernel<true>,
    (const void *) ordinary_kernel<false>,
    (const void *) shaped_kernel<true>,
    (const void *) shaped_kernel<false>,
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
