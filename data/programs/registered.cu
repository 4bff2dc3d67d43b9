// registered.cu: c[i] = a[i] + b[i] in the memory mode "registered"
//
// Memory from malloc, page-locked afterwards by cudaHostRegister. Useful for memory that a
// library has allocated.
//
//   nvcc -O3 -o registered registered.cu
//   ./registered [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrHostRegisterSupported, "hostRegisterSupported");

  // Ordinary memory, which somebody else may have allocated. It is page-locked afterwards.
  float *a = need_memory(malloc(bytes));
  float *b = need_memory(malloc(bytes));
  float *c = need_memory(malloc(bytes));
  CHECK(cudaHostRegister(a, bytes, cudaHostRegisterDefault));
  CHECK(cudaHostRegister(b, bytes, cudaHostRegisterDefault));
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
  return timer.report("registered", n, 3.0 * bytes);
}
