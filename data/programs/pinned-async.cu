// pinned-async.cu: c[i] = a[i] + b[i] in the memory mode "pinned-async"
//
// Page-locked memory from cudaHostAlloc, copied by cudaMemcpyAsync in one stream. The calls
// return immediately, and the host waits only at the end.
//
//   nvcc -O3 -o pinned-async pinned-async.cu
//   ./pinned-async [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  need(cudaDevAttrAsyncEngineCount, "asyncEngineCount");

  // Page-locked: only from and to such memory do asynchronous copies return at once.
  float *a, *b, *c;
  CHECK(cudaHostAlloc(&a, bytes, cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&b, bytes, cudaHostAllocDefault));
  CHECK(cudaHostAlloc(&c, bytes, cudaHostAllocDefault));
  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_c, bytes));

  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    CHECK(cudaMemcpyAsync(device_a, a, bytes, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(device_b, b, bytes, cudaMemcpyHostToDevice, stream));
    for (size_t i = 0; i < reuse; i++)
      add<<<blocks(n), THREADS, 0, stream>>>(device_c, device_a, device_b, n);
    CHECK_LAUNCH();
    CHECK(cudaMemcpyAsync(c, device_c, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream)); // until here c must not be read
    timer.stop();

    check(c, n);
  }

  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("pinned-async", n, 3.0 * bytes);
}
