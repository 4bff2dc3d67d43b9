// pinned-batch.cu: scattered pieces to the device in the memory mode "pinned-batch"
//
// Many pieces of page-locked memory, copied by one call of cudaMemcpyBatchAsync. The pieces are
// copied in no order among themselves.
//
//   nvcc -O3 -o pinned-batch pinned-batch.cu
//   ./pinned-batch [FLOATS [PIECES]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

#if CUDART_VERSION < 12080
#error cudaMemcpyBatchAsync came with CUDA 12.8
#endif

int main(int argc, char **argv)
{
  const size_t n = read_number(argc, argv, 1, 1 << 20);
  const Pieces pieces(n, std::min(read_number(argc, argv, 2, 1024), n));
  need(cudaDevAttrAsyncEngineCount, "asyncEngineCount");

  float *pool;
  CHECK(cudaHostAlloc(&pool, pieces.pool_bytes(), cudaHostAllocDefault));
  float *vector;
  CHECK(cudaMalloc(&vector, n * sizeof(float)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  std::vector<void *> to(pieces.count), from(pieces.count);
  std::vector<size_t> sizes(pieces.count);
  for (size_t i = 0; i < pieces.count; i++) {
    to[i] = vector + i * pieces.size;
    from[i] = pool + pieces.at(i);
    sizes[i] = pieces.bytes(i);
  }
  cudaMemcpyAttributes attributes = {}; // the same for all: from the first copy on
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    pieces.fill(pool);

    timer.start();
#if CUDART_VERSION >= 13000
    CHECK(cudaMemcpyBatchAsync(to.data(), (const void *const *) from.data(), sizes.data(),
      pieces.count, &attributes, &first, 1, stream));
#else
    size_t failed;
    CHECK(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), pieces.count, &attributes,
      &first, 1, &failed, stream));
#endif
    CHECK(cudaStreamSynchronize(stream));
    timer.stop();

    pieces.check(vector);
  }

  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(vector));
  CHECK(cudaFreeHost(pool));
  return timer.report("pinned-batch", n, (double) n * sizeof(float));
}
