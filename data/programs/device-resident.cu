// device-resident.cu: c[i] = a[i] + b[i] in the memory mode "device-resident"
//
// The data is already on the device and stays there, without transfers. The limit that reuse
// approaches.
//
//   nvcc -O3 -o device-resident device-resident.cu
//   ./device-resident [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row

  // Only to fill the vectors of the device, and to check the result.
  float *a = need_memory(malloc(bytes));
  float *b = need_memory(malloc(bytes));
  float *c = need_memory(malloc(bytes));
  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_c, bytes));

  fill(a, b, c, n);
  CHECK(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    timer.start();
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize()); // a launch returns before the kernel has run
    timer.stop();
  }
  CHECK(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost));
  check(c, n);

  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  free(a);
  free(b);
  free(c);
  return timer.report("device-resident", n, 3.0 * bytes);
}
