// streams-breadth-first.cu: c[i] = a[i] + b[i] in the memory mode "streams-breadth-first"
//
// The same chunks and streams. All uploads are issued first, then all kernels, then all
// downloads.
//
//   nvcc -O3 -o streams-breadth-first streams-breadth-first.cu
//   ./streams-breadth-first [FLOATS [REUSE [STREAMS [CHUNKS]]]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

// Where a chunk begins, and the one before it ends. Chunks are whole lines of 128 bytes.
static size_t border(size_t n, size_t chunk, size_t chunks)
{
  return std::min((n + 31) / 32 * chunk / chunks * 32, n);
}

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20), bytes = n * sizeof(float);
  const size_t reuse = read_number(argc, argv, 2, 1); // kernels in a row
  std::vector<cudaStream_t> streams(read_number(argc, argv, 3, 8));
  const size_t chunks = std::min(read_number(argc, argv, 4, 8), (n + 31) / 32);
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

  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreate(&stream));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    fill(a, b, c, n);

    timer.start();
    // Breadth first: all chunks up, all kernels, all chunks down. The streams keep the order of
    // each chunk.
    for (size_t chunk = 0; chunk < chunks; chunk++) {
      size_t first = border(n, chunk, chunks), count = border(n, chunk + 1, chunks) - first;
      size_t size = count * sizeof(float);
      cudaStream_t stream = streams[chunk % streams.size()];

      CHECK(cudaMemcpyAsync(device_a + first, a + first, size, cudaMemcpyHostToDevice, stream));
      CHECK(cudaMemcpyAsync(device_b + first, b + first, size, cudaMemcpyHostToDevice, stream));
    }
    for (size_t chunk = 0; chunk < chunks; chunk++) {
      size_t first = border(n, chunk, chunks), count = border(n, chunk + 1, chunks) - first;
      cudaStream_t stream = streams[chunk % streams.size()];

      for (size_t i = 0; i < reuse; i++)
        add<<<blocks(count), THREADS, 0, stream>>>(device_c + first, device_a + first,
          device_b + first, count);
      CHECK_LAUNCH();
    }
    for (size_t chunk = 0; chunk < chunks; chunk++) {
      size_t first = border(n, chunk, chunks), count = border(n, chunk + 1, chunks) - first;
      size_t size = count * sizeof(float);
      cudaStream_t stream = streams[chunk % streams.size()];

      CHECK(cudaMemcpyAsync(c + first, device_c + first, size, cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize()); // all streams; until here c must not be read
    timer.stop();

    check(c, n);
  }

  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(b));
  CHECK(cudaFreeHost(c));
  return timer.report("streams-breadth-first", n, 3.0 * bytes);
}
