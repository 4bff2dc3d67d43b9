// managed-prefetch.cu: c[i] = a[i] + b[i] in the memory mode "managed-prefetch"
//
// Managed memory, moved by cudaMemPrefetchAsync before and after the kernel. No page faults
// remain.
//
//   nvcc -O3 -o managed-prefetch managed-prefetch.cu
//   ./managed-prefetch [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

// A place is a structure since CUDA 13; it was a number before.
#if CUDART_VERSION >= 13000
typedef cudaMemLocation Place;
static const Place HOST = {cudaMemLocationTypeHost, 0}, DEVICE = {cudaMemLocationTypeDevice, 0};
#else
typedef int Place;
static const Place HOST = cudaCpuDeviceId, DEVICE = 0;
#endif

static void prefetch(const float *vector, size_t bytes, Place place, cudaStream_t stream)
{
#if CUDART_VERSION >= 13000
  CHECK(cudaMemPrefetchAsync(vector, bytes, place, 0, stream));
#else
  CHECK(cudaMemPrefetchAsync(vector, bytes, place, stream));
#endif
}

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

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n); // its writes also bring all pages home: every run starts cold

    timer.start();
    prefetch(a, bytes, DEVICE, stream);
    prefetch(b, bytes, DEVICE, stream);
    prefetch(c, bytes, DEVICE, stream); // otherwise the kernel would fault where it writes
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS, 0, stream>>>(c, a, b, n);
    CHECK_LAUNCH();
    prefetch(c, bytes, HOST, stream);
    CHECK(cudaStreamSynchronize(stream)); // until here c must not be read
    timer.stop();

    check(c, n);
  }

  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  return timer.report("managed-prefetch", n, 3.0 * bytes);
}
