/* vector.cuh: the element-wise kernels, as a template over what is done and how much a thread does
 *
 * SPDX-License-Identifier: MIT
 *
 * A thread moves quads (float4, 16 bytes), so that a warp's access is 512 contiguous bytes. With Unroll > 1 it takes that many
 * quads, a block's width apart, and may have all their loads in flight at once.
 */
#pragma once

#include <cstddef>
#include <cuda_runtime.h>

namespace memlane {

static const unsigned block_threads = 256;

/* How a quad is read and written. */
struct plain_access
{
  static __device__ __forceinline__ float4 load (const float4 *from) { return *from; }
  static __device__ __forceinline__ void store (float4 *to, float4 value) { *to = value; }
};

template <bool WithB>
static __device__ __forceinline__ float4
combine (float4 a, float4 b)
{
  return WithB ? make_float4 (a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w) : a;
}

/* The grid covers every quad, the incomplete one at the end included. The branch is the same for a whole block, but for the last one. */
template <bool WithB, int Unroll, typename Access, unsigned Threads>
__global__ void __launch_bounds__ (Threads)
quads_kernel (float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, size_t n)
{
  const size_t quads = n / 4;
  const size_t first = (size_t) blockIdx.x * (Threads * Unroll) + threadIdx.x;
  float4 *const out4 = reinterpret_cast<float4 *> (out);
  const float4 *const a4 = reinterpret_cast<const float4 *> (a);
  const float4 *const b4 = reinterpret_cast<const float4 *> (b);

  if (((size_t) blockIdx.x + 1) * (Threads * Unroll) <= quads)
    {
      float4 va[Unroll], vb[Unroll];

#pragma unroll
      for (int u = 0; u < Unroll; u++)
        {
          va[u] = Access::load (a4 + first + (size_t) u * Threads);
          vb[u] = WithB ? Access::load (b4 + first + (size_t) u * Threads) : va[u];
        }
#pragma unroll
      for (int u = 0; u < Unroll; u++)
        Access::store (out4 + first + (size_t) u * Threads, combine<WithB> (va[u], vb[u]));
      return;
    }

  for (int u = 0; u < Unroll; u++)
    {
      const size_t quad = first + (size_t) u * Threads;

      if (quad < quads)
        Access::store (out4 + quad, combine<WithB> (Access::load (a4 + quad), Access::load ((WithB ? b4 : a4) + quad)));
      else if (quad == quads)
        for (size_t i = quads * 4; i < n; i++)
          out[i] = WithB ? a[i] + b[i] : a[i];
    }
}

/* For vectors that are not 16-byte aligned. */
template <bool WithB>
__global__ void __launch_bounds__ (block_threads)
floats_kernel (float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, size_t n)
{
  const size_t i = (size_t) blockIdx.x * block_threads + threadIdx.x;

  if (i < n)
    out[i] = WithB ? a[i] + b[i] : a[i];
}

/* Blocks of @each elements that cover @n; 0 when no grid is that large. */
static inline unsigned
blocks_for (size_t n, size_t each)
{
  const size_t blocks = n / each + (n % each != 0);

  return blocks <= 0x7fffffff ? (unsigned) blocks : 0;
}

static inline bool
is_aligned (const void *out, const void *a, const void *b)
{
  return (((size_t) out | (size_t) a | (size_t) b) & 15) == 0;
}

template <bool WithB, int Unroll, typename Access, unsigned Threads>
static cudaError_t
launch_quads (float *out, const float *a, const float *b, size_t n, cudaStream_t stream)
{
  const bool aligned = is_aligned (out, a, b);
  const unsigned blocks = blocks_for (n, aligned ? (size_t) Threads * Unroll * 4 : block_threads);

  if (n == 0 || blocks == 0)
    return cudaErrorInvalidValue;

  if (aligned)
    quads_kernel<WithB, Unroll, Access, Threads><<<blocks, Threads, 0, stream>>> (out, a, b, n);
  else
    floats_kernel<WithB><<<blocks, block_threads, 0, stream>>> (out, a, b, n);

  return cudaGetLastError ();
}

/* A grid that just fills the device and walks over the vectors, all blocks abreast. */
template <bool WithB, int Unroll, typename Access, unsigned Threads>
static __global__ void __launch_bounds__ (Threads)
walking_kernel (float *__restrict__ out, const float *__restrict__ a, const float *__restrict__ b, size_t n)
{
  const size_t quads = n / 4, stride = (size_t) gridDim.x * Threads;
  size_t quad = (size_t) blockIdx.x * Threads + threadIdx.x;
  float4 *const out4 = reinterpret_cast<float4 *> (out);
  const float4 *const a4 = reinterpret_cast<const float4 *> (a);
  const float4 *const b4 = reinterpret_cast<const float4 *> (b);

  for (; quad + (Unroll - 1) * stride < quads; quad += Unroll * stride)
    {
      float4 va[Unroll], vb[Unroll];

#pragma unroll
      for (int u = 0; u < Unroll; u++)
        {
          va[u] = Access::load (a4 + quad + u * stride);
          vb[u] = WithB ? Access::load (b4 + quad + u * stride) : va[u];
        }
#pragma unroll
      for (int u = 0; u < Unroll; u++)
        Access::store (out4 + quad + u * stride, combine<WithB> (va[u], vb[u]));
    }
  for (; quad < quads; quad += stride)
    Access::store (out4 + quad, combine<WithB> (Access::load (a4 + quad), Access::load ((WithB ? b4 : a4) + quad)));
  if (quad == quads)
    for (size_t i = quads * 4; i < n; i++)
      out[i] = WithB ? a[i] + b[i] : a[i];
}

/* The grid: PerProcessor blocks on each multiprocessor or, when that is 0, Blocks in all or, when that is 0 too, one block on every second
 * multiprocessor. Over PCIe some 70 kB in flight fill the link
 * (55 GB/s x 1.2 us), and a few blocks read in a straighter line than a thousand. */
template <bool WithB, int Unroll, typename Access, unsigned Threads, int PerProcessor, unsigned Blocks = 0>
static cudaError_t
launch_walking (float *out, const float *a, const float *b, size_t n, cudaStream_t stream)
{
  int device = 0, processors = 0;
  cudaError_t status = cudaGetDevice (&device);
  unsigned blocks, useful = blocks_for (n, (size_t) Threads * 4);

  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute (&processors, cudaDevAttrMultiProcessorCount, device);
  if (status != cudaSuccess)
    return status;

  blocks = PerProcessor > 0 ? (unsigned) processors * PerProcessor : Blocks > 0 ? Blocks : (unsigned) (processors + 1) / 2;
  if (useful < blocks)
    blocks = useful;
  if (!is_aligned (out, a, b))
    return launch_quads<WithB, 1, Access, block_threads> (out, a, b, n, stream);
  if (blocks == 0)
    return cudaErrorInvalidValue;
  walking_kernel<WithB, Unroll, Access, Threads><<<blocks, Threads, 0, stream>>> (out, a, b, n);
  return cudaGetLastError ();
}

} // namespace memlane
