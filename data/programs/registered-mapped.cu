// registered-mapped.cu: c[i] = a[i] + b[i] in the memory mode "registered-mapped"
//
// Memory from malloc, page-locked and mapped by cudaHostRegister. Zero-copy for memory that a
// library has allocated.
//
//   nvcc -O3 -o registered-mapped registered-mapped.cu
//   ./registered-mapped [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrCanMapHostMemory, "canMapHostMemory");
  need(cudaDevAttrHostRegisterSupported, "hostRegisterSupported");

  // Ordinary memory, which is page-locked and mapped into the device's address space afterwards.
  float *a = need_memory(malloc(bytes));
  float *b = need_memory(malloc(bytes));
  float *c = need_memory(malloc(bytes));
  CHECK(cudaHostRegister(a, bytes, cudaHostRegisterMapped));
  CHECK(cudaHostRegister(b, bytes, cudaHostRegisterMapped));
  CHECK(cudaHostRegister(c, bytes, cudaHostRegisterMapped));

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

  CHECK(cudaHostUnregister(a));
  CHECK(cudaHostUnregister(b));
  CHECK(cudaHostUnregister(c));
  free(a);
  free(b);
  free(c);
  return timer.report("registered-mapped", n, 3.0 * bytes);
}
