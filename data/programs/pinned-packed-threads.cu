// pinned-packed-threads.cu: scattered pieces to the device in the mode "pinned-packed-threads"
//
// Eight threads of the host pack many pieces into one page-locked buffer, which is copied at
// once. On the way back they unpack them.
//
//   nvcc -O3 -o pinned-packed-threads pinned-packed-threads.cu
//   ./pinned-packed-threads [FLOATS [PIECES]]
//
// SPDX-License-Identifier: MIT
#include <thread>

#include "program.cuh"

static const size_t PACKERS = 8; // threads of the host

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20);
  const Pieces pieces(n, std::min(read_number(argc, argv, 2, 1024), n));
  need(cudaDevAttrAsyncEngineCount, "asyncEngineCount");

  float *pool = need_memory(malloc(pieces.pool_bytes()));
  float *vector;
  CHECK(cudaMalloc(&vector, n * sizeof(float)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  // Page-locked, for all pieces: only this buffer has to be.
  float *staging;
  CHECK(cudaMallocHost((void **) &staging, n * sizeof(float)));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    pieces.fill(pool);

    timer.start();
    std::vector<std::thread> threads;
    for (size_t t = 0; t < PACKERS; t++)
      threads.emplace_back([&, t] {
        for (size_t i = pieces.count * t / PACKERS; i < pieces.count * (t + 1) / PACKERS; i++)
          memcpy(staging + i * pieces.size, pool + pieces.at(i), pieces.bytes(i));
      });
    for (std::thread &thread : threads)
      thread.join();
    CHECK(cudaMemcpyAsync(vector, staging, n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
    timer.stop();

    pieces.check(vector);
  }

  CHECK(cudaFreeHost(staging));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(vector));
  free(pool);
  return timer.report("pinned-packed-threads", n, (double) n * sizeof(float));
}
