// stream-ordered.cu: c[i] = a[i] + b[i] in the memory mode "stream-ordered"
//
// Page-locked host memory. Each sample allocates its device buffers by cudaMallocAsync and
// frees them by cudaFreeAsync. As CUDA begins, the pool gives its memory back at each
// synchronisation.
//
//   nvcc -O3 -o stream-ordered stream-ordered.cu
//   ./stream-ordered [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrAsyncEngineCount, "asyncEngineCount");
  need(cudaDevAttrMemoryPoolsSupported, "memoryPoolsSupported");

  // Page-locked: only from and to such memory do asynchronous copies return at once.
  float *a, *b, *c;
  CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocDefault));

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    // In the order of the stream, from a pool. It begins without memory, and keeps none over a
    // synchronisation.
    float *device_a, *device_b, *device_c;
    CHECK(cudaMallocAsync(&device_a, bytes, stream));
    CHECK(cudaMallocAsync(&device_b, bytes, stream));
    CHECK(cudaMallocAsync(&device_c, bytes, stream));
    CHECK(cudaMemcpyAsync(device_a, a, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(device_b, b, bytes, cudaMemcpyHostToDevice, stream));
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS, 0, stream>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(c, device_c, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaFreeAsync(device_a, stream));
    CHECK(cudaFreeAsync(device_b, stream));
    CHECK(cudaFreeAsync(device_c, stream));
    CHECK(cudaStreamSynchronize(stream)); // until here c must not be read
    timer.stop();

    check(c, n);
  }

  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("stream-ordered", n, 3.0 * bytes);
}
