/* variants.cu: other ways to write the vector addition, for tests/gpu/kernel-variants alone
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"
#include "vector.cuh"

using namespace memlane;

/* Read and written once: evict first. */
struct streaming_access
{
  static __device__ __forceinline__ float4 load (const float4 *from) { return __ldcs (from); }
  static __device__ __forceinline__ void store (float4 *to, float4 value) { __stcs (to, value); }
};

/* Past the first-level cache. */
struct l2_access
{
  static __device__ __forceinline__ float4 load (const float4 *from) { return __ldcg (from); }
  static __device__ __forceinline__ void store (float4 *to, float4 value) { __stcg (to, value); }
};

/* Asks the second-level cache to fetch 256 bytes where 32 were asked for: fewer, larger requests, perhaps over PCIe too. */
struct l2_256_access
{
  static __device__ __forceinline__ float4
  load (const float4 *from)
  {
#if __CUDA_ARCH__ >= 800
    float4 v;

    asm volatile ("ld.global.L1::no_allocate.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];"
                  : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(from));
    return v;
#else
    return *from;
#endif
  }
  static __device__ __forceinline__ void store (float4 *to, float4 value) { *to = value; }
};

static cudaError_t
launch_floats (float *out, const float *a, const float *b, size_t n, cudaStream_t stream)
{
  const unsigned blocks = blocks_for (n, block_threads);

  if (blocks == 0)
    return cudaErrorInvalidValue;
  floats_kernel<true><<<blocks, block_threads, 0, stream>>> (out, a, b, n);
  return cudaGetLastError ();
}

static const struct
{
  const char *name;
  cudaError_t (*launch) (float *out, const float *a, const float *b, size_t n, cudaStream_t stream);
} variants[] = {
  { "one float", launch_floats },
  { "1 quad", launch_quads<true, 1, plain_access, 256> },
  { "1 quad, 128 threads", launch_quads<true, 1, plain_access, 128> },
  { "1 quad, 512 threads", launch_quads<true, 1, plain_access, 512> },
  { "1 quad, 1024 threads", launch_quads<true, 1, plain_access, 1024> },
  { "1 quad, streaming", launch_quads<true, 1, streaming_access, 256> },
  { "1 quad, past L1", launch_quads<true, 1, l2_access, 256> },
  { "1 quad, L2 fetches 256 B", launch_quads<true, 1, l2_256_access, 256> },
  { "2 quads", launch_quads<true, 2, plain_access, 256> },
  { "2 quads, streaming", launch_quads<true, 2, streaming_access, 256> },
  { "2 quads, L2 fetches 256 B", launch_quads<true, 2, l2_256_access, 256> },
  { "4 quads", launch_quads<true, 4, plain_access, 256> },
  { "4 quads, streaming", launch_quads<true, 4, streaming_access, 256> },
  { "4 quads, L2 fetches 256 B", launch_quads<true, 4, l2_256_access, 256> },
  { "8 quads", launch_quads<true, 8, plain_access, 256> },
  { "walk, 1 quad, 8 x 256", launch_walking<true, 1, plain_access, 256, 8> },
  { "walk, 4 quads, 4 x 256", launch_walking<true, 4, plain_access, 256, 4> },
  { "walk, 4 quads, 1 x 512", launch_walking<true, 4, plain_access, 512, 1> },
  { "walk, 4 quads, half the SMs", launch_walking<true, 4, plain_access, 512, 0> },
  { "walk, 2 quads, half the SMs", launch_walking<true, 2, plain_access, 512, 0> },
  { "walk, 8 quads, half the SMs", launch_walking<true, 8, plain_access, 256, 0> },
  { "walk, 4 quads, 32 blocks", launch_walking<true, 4, plain_access, 512, 0, 32> },
  { "walk, 4 quads, 48 blocks", launch_walking<true, 4, plain_access, 512, 0, 48> },
  { "walk, 2 quads, 8 blocks of 512", launch_walking<true, 2, plain_access, 512, 0, 8> },
  { "walk, 2 quads, 16 blocks of 512", launch_walking<true, 2, plain_access, 512, 0, 16> },
  { "walk, 2 quads, 32 blocks of 512", launch_walking<true, 2, plain_access, 512, 0, 32> },
  { "walk, 2 quads, 64 blocks of 512", launch_walking<true, 2, plain_access, 512, 0, 64> },
  { "walk, 2 quads, 2 x 512, streaming", launch_walking<true, 2, streaming_access, 512, 2> },
};

extern "C" int
memlane_kernel_add_variants (void)
{
  return sizeof variants / sizeof variants[0];
}

extern "C" const char *
memlane_kernel_add_variant_name (int variant)
{
  return variants[variant].name;
}

extern "C" cudaError_t
memlane_kernel_add_launch_variant (int variant, float *out, const float *a, const float *b, size_t n, cudaStream_t stream)
{
  if (variant < 0 || variant >= memlane_kernel_add_variants () || n == 0)
    return cudaErrorInvalidValue;
  return variants[variant].launch (out, a, b, n, stream);
}
