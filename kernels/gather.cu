/* gather.cu: the kernel that gathers scattered pieces over the link, or scatters them
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"
#include "shape.h"

/* @T: what a thread moves at once. @piece and @n count them. */
template <typename T, bool Scatters>
static __device__ __forceinline__ void
move_pieces (T *vector, T *pool, const uint32_t *places, size_t piece, size_t n)
{
  const size_t stride = (size_t) gridDim.x * blockDim.x;
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  /* Four loads are in flight before the first store. */
  for (; i + 3 * stride < n; i += 4 * stride)
    {
      T value[4];
      size_t place[4];

#pragma unroll
      for (int k = 0; k < 4; k++)
        {
          const size_t at = i + k * stride, number = at / piece;

          place[k] = places[number] * piece + (at - number * piece);
          value[k] = Scatters ? vector[at] : pool[place[k]];
        }
#pragma unroll
      for (int k = 0; k < 4; k++)
        (Scatters ? pool[place[k]] : vector[i + k * stride]) = value[k];
    }
  for (; i < n; i += stride)
    {
      const size_t number = i / piece, place = places[number] * piece + (i - number * piece);

      if (Scatters)
        pool[place] = vector[i];
      else
        vector[i] = pool[place];
    }
}

template <bool Scatters>
static __global__ void __launch_bounds__ (MEMLANE_SHAPED_THREADS)
gather_kernel (float *vector, float *pool, const uint32_t *places, size_t piece, size_t n)
{
  if (piece % 4 == 0 && n % 4 == 0)
    move_pieces<float4, Scatters> ((float4 *) vector, (float4 *) pool, places, piece / 4, n / 4);
  else
    move_pieces<float, Scatters> (vector, pool, places, piece, n);
}

extern "C" cudaError_t
memlane_kernel_gather_launch (float *vector, float *pool, const uint32_t *places, size_t piece,
                              size_t n, int scatters, unsigned blocks, cudaStream_t stream)
{
  const unsigned threads = blocks > 0 ? MEMLANE_SHAPED_THREADS : MEMLANE_ORDINARY_THREADS;
  const size_t steps = piece % 4 == 0 && n % 4 == 0 ? n / 4 : n,
               needed = (steps + threads - 1) / threads;
  const unsigned grid = blocks > 0 && needed > blocks ? blocks : (unsigned) needed;

  if (n == 0 || piece == 0 || needed > 0x7fffffff || (((size_t) vector | (size_t) pool) & 15) != 0)
    return cudaErrorInvalidValue;
  (scatters ? gather_kernel<true>
            : gather_kernel<false>) <<<grid, threads, 0, stream>>> (vector, pool, places, piece, n);
  return cudaGetLastError ();
}

extern "C" cudaError_t
memlane_kernel_gather_load (void)
{
  cudaFuncAttributes attributes;
  cudaError_t status = cudaFuncGetAttributes (&attributes, (const void *) gather_kernel<true>);

  return status == cudaSuccess
             ? cudaFuncGetAttributes (&attributes, (const void *) gather_kernel<false>)
             : status;
}
