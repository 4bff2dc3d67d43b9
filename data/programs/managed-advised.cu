// managed-advised.cu: c[i] = a[i] + b[i] in the memory mode "managed-advised"
//
// Managed memory with cudaMemAdvise. Inputs are read-mostly, so the device keeps its own
// copies. The result stays on the host and is written over the link.
//
//   nvcc -O3 -o managed-advised managed-advised.cu
//   ./managed-advised [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include <thread>

#include "program.cuh"

// A place is a structure since CUDA 13; it was a number before.
#if CUDART_VERSION >= 13000
typedef cudaMemLocation Place;
static const Place HOST = {cudaMemLocationTypeHost, 0}, DEVICE = {cudaMemLocationTypeDevice, 0};
#else
typedef int Place;
static const Place HOST = cudaCpuDeviceId, DEVICE = 0;
#endif

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrManagedMemory, "managedMemory");
  need(cudaDevAttrConcurrentManagedAccess, "concurrentManagedAccess");

  // One memory for both sides: pages move to whoever touches them.
  float *a, *b, *c;
  CHECK(cudaMallocManaged(&a, bytes));
  CHECK(cudaMallocManaged(&b, bytes));
  CHECK(cudaMallocManaged(&c, bytes));

  // The inputs are read-mostly: the device keeps copies until the host writes them again. The
  // result stays on the host, and the device writes it over the link.
  CHECK(cudaMemAdvise(a, bytes, cudaMemAdviseSetReadMostly, DEVICE));
  CHECK(cudaMemAdvise(b, bytes, cudaMemAdviseSetReadMostly, DEVICE));
  CHECK(cudaMemAdvise(c, bytes, cudaMemAdviseSetPreferredLocation, HOST));
  CHECK(cudaMemAdvise(c, bytes, cudaMemAdviseSetAccessedBy, DEVICE));

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
  return timer.report("managed-advised", n, 3.0 * bytes);
}
