// portable.cu: c[i] = a[i] + b[i] in the memory mode "portable"
//
// Memory that is page-locked for every device of the process. Without the flag it is page-
// locked for the device it was allocated with.
//
//   nvcc -O3 -o portable portable.cu
//   ./portable [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row

  // Page-locked for every device of the process, not only for the one that is current now.
  float *a, *b, *c;
  CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocPortable));
  CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocPortable));
  CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocPortable));
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
  return timer.report("portable", n, 3.0 * bytes);
}
