// managed.cu: c[i] = a[i] + b[i] in the memory mode "managed"
//
// One cudaMallocManaged allocation for host and device. Pages migrate to whichever side
// accesses them. Each sample starts with all pages on the host.
//
//   nvcc -O3 -o managed managed.cu
//   ./managed [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include <thread>

#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrManagedMemory, "managedMemory");

  // One memory for both sides: pages move to whoever touches them.
  float *a, *b, *c;
  CHECK(cudaMallocManaged(&a, bytes));
  CHECK(cudaMallocManaged(&b, bytes));
  CHECK(cudaMallocManaged(&c, bytes));

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

  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  return timer.report("managed", n, 3.0 * bytes);
}
