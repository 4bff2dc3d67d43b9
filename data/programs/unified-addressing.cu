// unified-addressing.cu: c[i] = a[i] + b[i] in the memory mode "unified-addressing"
//
// Mapped memory whose host pointer is passed to the kernel. Host and device share one address
// space, so cudaHostGetDevicePointer is not needed.
//
//   nvcc -O3 -o unified-addressing unified-addressing.cu
//   ./unified-addressing [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrUnifiedAddressing, "unifiedAddressing");
  need(cudaDevAttrCanMapHostMemory, "canMapHostMemory");

  // Page-locked and mapped. With unified addressing the device knows it by the same pointers.
  float *a, *b, *c;
  CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocMapped));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS>>>(c, a, b, n);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize()); // until here c must not be read
    timer.stop();

    check(c, n);
  }

  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("unified-addressing", n, 3.0 * bytes);
}
