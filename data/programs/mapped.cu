// mapped.cu: c[i] = a[i] + b[i] in the memory mode "mapped"
//
// Page-locked memory that the kernel reads and writes over the link. There are no copies, and
// no data stays on the device.
//
//   nvcc -O3 -o mapped mapped.cu
//   ./mapped [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

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
      add<<<blocks(n), THREADS>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize()); // until here c must not be read
    timer.stop();

    check(c, n);
  }

  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("mapped", n, 3.0 * bytes);
}
