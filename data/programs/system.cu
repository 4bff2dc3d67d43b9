// system.cu: c[i] = a[i] + b[i] in the memory mode "system"
//
// Memory from malloc, passed to the kernel directly. The driver or the link must let the device
// access all memory of the process.
//
//   nvcc -O3 -o system system.cu
//   ./system [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include <thread>

#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrPageableMemoryAccess, "pageableMemoryAccess");

  // Ordinary memory, and the kernel gets these very pointers.
  float *a = need_memory(malloc(bytes));
  float *b = need_memory(malloc(bytes));
  float *c = need_memory(malloc(bytes));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n); // its writes also bring all pages home: every run starts cold
    // Pages that change sides again at once look like thrashing to the driver, which then leaves
    // them there.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));

    timer.start();
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS>>>(c, a, b, n);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize()); // until here c must not be read
    // The result may be read, but its pages come home only now: one word of each.
    const volatile float *pages = c;
    for (size_t i = 0; i < n; i += 4096 / sizeof(float))
      (void) pages[i];
    timer.stop();

    check(c, n);
  }

  free(a);
  free(b);
  free(c);
  return timer.report("system", n, 3.0 * bytes);
}
