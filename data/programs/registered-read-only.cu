// registered-read-only.cu: c[i] = a[i] + b[i] in the memory mode "registered-read-only"
//
// Inputs from malloc, page-locked by cudaHostRegister as memory that the device only reads. The
// result is registered as usual.
//
//   nvcc -O3 -o registered-read-only registered-read-only.cu
//   ./registered-read-only [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrHostRegisterSupported, "hostRegisterSupported");
  need(cudaDevAttrHostRegisterReadOnlySupported, "hostRegisterReadOnlySupported");

  // Ordinary memory, which is page-locked afterwards. The flag says that the device only reads the
  // inputs.
  float *a = need_memory(malloc(bytes));
  float *b = need_memory(malloc(bytes));
  float *c = need_memory(malloc(bytes));
  CHECK(cudaHostRegister(a, bytes, cudaHostRegisterReadOnly));
  CHECK(cudaHostRegister(b, bytes, cudaHostRegisterReadOnly));
  CHECK(cudaHostRegister(c, bytes, cudaHostRegisterDefault));
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
  CHECK(cudaHostUnregister(a));
  CHECK(cudaHostUnregister(b));
  CHECK(cudaHostUnregister(c));
  free(a);
  free(b);
  free(c);
  return timer.report("registered-read-only", n, 3.0 * bytes);
}
