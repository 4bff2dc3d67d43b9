// write-combined.cu: c[i] = a[i] + b[i] in the memory mode "write-combined"
//
// Page-locked inputs that bypass the processor's caches. Sequential writes are fast, reads by
// the host are very slow. The result is in ordinary page-locked memory.
//
//   nvcc -O3 -o write-combined write-combined.cu
//   ./write-combined [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row

  // The inputs bypass the processor's caches: good to write in order, very slow to read. So the
  // result, which the host reads, is ordinary page-locked memory.
  float *a, *b, *c;
  CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocDefault));
  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_c, bytes));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
    timer.stop();

    check(c, n);
  }

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("write-combined", n, 3.0 * bytes);
}
