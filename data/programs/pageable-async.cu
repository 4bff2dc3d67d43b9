// pageable-async.cu: c[i] = a[i] + b[i] in the memory mode "pageable-async"
//
// Pageable memory, copied by cudaMemcpyAsync in a stream. The driver stages the copies as
// before, so the calls block the host.
//
//   nvcc -O3 -o pageable-async pageable-async.cu
//   ./pageable-async [FLOATS [REUSE]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row

  // Ordinary memory. No copy engine can reach it: the driver copies it through a page-locked buffer
  // of its own.
  float *a = need_memory(malloc(bytes));
  float *b = need_memory(malloc(bytes));
  float *c = need_memory(malloc(bytes));
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
    // Asynchronous by name alone: from pageable memory the call waits until all has been staged.
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
  free(a);
  free(b);
  free(c);
  return timer.report("pageable-async", n, 3.0 * bytes);
}
