// stream-ordered-kept.cu: c[i] = a[i] + b[i] in the memory mode "stream-ordered-kept"
//
// As Stream-ordered, with the pool's release threshold at its maximum. The pool keeps what is
// freed, and the next allocation finds it there.
//
//   nvcc -O3 -o stream-ordered-kept stream-ordered-kept.cu
//   ./stream-ordered-kept [FLOATS [REUSE]]
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

  // A pool gives its free memory back at each synchronisation, unless it is told to keep it.
  int device;
  cudaMemPool_t pool;
  unsigned long long keep = ~0ull;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    // In the order of the stream, from the pool: after the first run it has what is asked for.
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
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("stream-ordered-kept", n, 3.0 * bytes);
}
