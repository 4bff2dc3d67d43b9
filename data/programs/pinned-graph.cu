// pinned-graph.cu: scattered pieces to the device in the memory mode "pinned-graph"
//
// Many pieces of page-locked memory, whose copies were recorded once as a CUDA graph. One call
// launches all of them.
//
//   nvcc -O3 -o pinned-graph pinned-graph.cu
//   ./pinned-graph [FLOATS [PIECES]]
//
// SPDX-License-Identifier: MIT
#include "program.cuh"

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

  // Recorded once, launched as often as the places stay the same.
  cudaGraph_t graph;
  cudaGraphExec_t launchable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (size_t i = 0; i < pieces.count; i++)
    CHECK(cudaMemcpyAsync(vector + i * pieces.size, pool + pieces.at(i), pieces.bytes(i),
      cudaMemcpyHostToDevice, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiateWithFlags(&launchable, graph, 0));
  CHECK(cudaGraphDestroy(graph));

  Timer timer;
  for (int run = 0; run < RUNS; run++) {
    pieces.fill(pool);

    timer.start();
    CHECK(cudaGraphLaunch(launchable, stream));
    CHECK(cudaStreamSynchronize(stream));
    timer.stop();

    pieces.check(vector);
  }

  CHECK(cudaGraphExecDestroy(launchable));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(vector));
  CHECK(cudaFreeHost(pool));
  return timer.report("pinned-graph", n, (double) n * sizeof(float));
}
