// pinned-packed.cu: scattered pieces to the device in the memory mode "pinned-packed"
//
// One thread of the host packs many pieces into one page-locked buffer, which is copied at
// once. On the way back it unpacks them.
//
//   nvcc -O3 -o pinned-packed pinned-packed.cu
//   ./pinned-packed [FLOATS [PIECES]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

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
    for (size_t i = 0; i < pieces.count; i++)
      memcpy(staging + i * pieces.size, pool + pieces.at(i), pieces.bytes(i));
    CHECK(cudaMemcpyAsync(vector, staging, n * sizeof(float), cudaMemcpyHostToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
    timer.stop();

    pieces.check(vector);
  }

  CHECK(cudaFreeHost(staging));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(vector));
  free(pool);
  return timer.report("pinned-packed", n, (double) n * sizeof(float));
}
