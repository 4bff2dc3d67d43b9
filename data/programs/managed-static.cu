// managed-static.cu: c[i] = a[i] + b[i] in the memory mode "managed-static"
//
// Managed memory declared as __managed__ arrays. There is no allocation at run time; the
// maximum size is fixed at compile time.
//
//   nvcc -O3 -o managed-static managed-static.cu
//   ./managed-static [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include <thread>

#include "program.cuh"

// One memory for both sides, with nothing to allocate: the size is fixed when this is compiled.
static const size_t MOST = 1 << 24;
static __managed__ float a[MOST], b[MOST], c[MOST];

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrManagedMemory, "managedMemory");

  if (n > MOST) {
    fprintf(stderr, "found %zu floats, expected at most %zu: the arrays have that size\n", n, MOST);
    return 1;
  }

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

  return timer.report("managed-static", n, 3.0 * n * sizeof(float));
}
