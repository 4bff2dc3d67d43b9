// mapped-shaped.cu: c[i] = a[i] + b[i] in the memory mode "mapped-shaped"
//
// As Mapped, but the kernel is shaped for the link: a few blocks walk over the vectors in
// 16-byte steps. Their number is tuned for each generation of GPUs.
//
//   nvcc -O3 -o mapped-shaped mapped-shaped.cu
//   ./mapped-shaped [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

static const unsigned SHAPED_THREADS = 512; // in a block

// A few blocks, each over much of the vectors, read host memory in straighter lines than thousands.
// 66 was the fastest on an H200; on others nobody has measured it.
static unsigned shaped_blocks(size_t n)
{
  size_t needed = (n / 4 + SHAPED_THREADS - 1) / SHAPED_THREADS;

  return (unsigned) std::min(std::max(needed, (size_t) 1), (size_t) 66);
}

static __device__ float4 sum(float4 a, float4 b)
{
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

static __global__ void add_shaped(float *__restrict__ c, const float *__restrict__ a,
  const float *__restrict__ b, size_t n)
{
  const float4 *a4 = (const float4 *) a, *b4 = (const float4 *) b;
  float4 *c4 = (float4 *) c;
  size_t first = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  size_t stride = (size_t) gridDim.x * blockDim.x, i = first;

  for (; i + 3 * stride < n / 4; i += 4 * stride) {
    float4 sums[4];

#pragma unroll
    for (int k = 0; k < 4; k++) // all loads are on their way before the first store
      sums[k] = sum(a4[i + k * stride], b4[i + k * stride]);
#pragma unroll
    for (int k = 0; k < 4; k++)
      c4[i + k * stride] = sums[k];
  }
  for (; i < n / 4; i += stride)
    c4[i] = sum(a4[i], b4[i]);
  for (i = n / 4 * 4 + first; i < n; i += stride)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrCanMapHostMemory, "canMapHostMemory");

  // Page-locked, and mapped into the device's address space: the kernel reaches it over the link.
  float *a, *b, *c;
  CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocMapped));

  // The same memory as the device sees it.
  float *device_a, *device_b, *device_c;
  CHECK(cudaHostGetDevicePointer(&device_a, a, 0));
  CHECK(cudaHostGetDevicePointer(&device_b, b, 0));
  CHECK(cudaHostGetDevicePointer(&device_c, c, 0));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    for (size_t i = 0; i < reuse; i++)
      add_shaped<<<shaped_blocks(n), SHAPED_THREADS>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize()); // until here c must not be read
    timer.stop();

    check(c, n);
  }

  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("mapped-shaped", n, 3.0 * bytes);
}
