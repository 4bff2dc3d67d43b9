/* plain-pieces.cu: scattered pieces to the device and back in each way, by a program that shares nothing with Memlane
 *
 * SPDX-License-Identifier: MIT
 *
 *     plain-pieces [POOL-MiB]
 *
 * Prints "WAY DIRECTION PIECE-BYTES PIECES GB/S" a line: the median of 15 host times, from the first call until all has arrived, of pieces
 * that the host has just written. The pool has twice the bytes of all pieces, or POOL-MiB where that is more. tests/gpu/pieces compares.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include <cuda_runtime.h>

static void
must (cudaError_t status, const char *what)
{
  if (status == cudaSuccess)
    return;
  std::fprintf (stderr, "%s: %s\n", what, cudaGetErrorString (status));
  std::exit (1);
}
#define MUST(call) must (call, #call)

/* One block for each 4 KiB of a piece; a block's threads move 16 bytes each. */
static __global__ void
gather (char *to, const char *from, const size_t *to_places, const size_t *from_places, size_t piece, unsigned parts)
{
  size_t number = blockIdx.x / parts, part = blockIdx.x % parts;
  size_t at = part * 4096 + threadIdx.x * sizeof (float4);

  if (at < piece)
    *(float4 *) (to + to_places[number] + at) = *(const float4 *) (from + from_places[number] + at);
}

static double
now (void)
{
  return std::chrono::duration<double> (std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

struct Case
{
  size_t piece, n, pool_bytes;
  std::vector<size_t> places, in_order; /* bytes: in the pool, and in the vector */
  char *pool, *vector;
  std::vector<void *> to, from; /* to the device; the other way round to the host */
  std::vector<size_t> sizes;
  size_t *places_there, *in_order_there;
  cudaStream_t stream;
};

static void
report (Case &c, const char *way, bool up, const std::function<void ()> &move)
{
  std::vector<double> times;
  std::vector<char> back (c.piece * c.n);

  for (int run = 0; run < 16; run++)
    {
      for (size_t i = 0; i < c.n; i++)
        std::memset (c.pool + c.places[i], up ? (int) (i + run) & 127 : 255, c.piece);
      for (size_t i = 0; i < c.n; i++)
        std::memset (back.data () + i * c.piece, up ? 255 : (int) (i + run) & 127, c.piece);
      MUST (cudaMemcpy (c.vector, back.data (), back.size (), cudaMemcpyHostToDevice));
      MUST (cudaDeviceSynchronize ());
      double begin = now ();
      move ();
      MUST (cudaStreamSynchronize (c.stream));
      if (run > 0)
        times.push_back (now () - begin);
      if (up)
        MUST (cudaMemcpy (back.data (), c.vector, back.size (), cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < c.n; i++)
        for (size_t k = 0; k < c.piece; k += c.piece - 1)
          if ((up ? back[i * c.piece + k] : c.pool[c.places[i] + k]) != (char) ((i + run) & 127))
            {
              std::fprintf (stderr, "%s: piece %zu did not arrive\n", way, i);
              std::exit (1);
            }
    }
  std::sort (times.begin (), times.end ());
  std::printf ("%s %s %zu %zu %.3f\n", way, up ? "to-device" : "to-host", c.piece, c.n, c.piece * c.n / times[times.size () / 2] * 1e-9);
  std::fflush (stdout);
}

static void
loop (Case &c, bool up)
{
  for (size_t i = 0; i < c.n; i++)
    MUST (cudaMemcpyAsync (up ? c.to[i] : c.from[i], up ? c.from[i] : c.to[i], c.piece,
                           up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, c.stream));
}

static void
run_case (size_t piece, size_t n, size_t least_pool, bool pageable)
{
  Case c;
  std::mt19937 random (1);

  c.piece = piece;
  c.n = n;
  c.pool_bytes = std::max (2 * piece * n, least_pool);
  for (size_t i = 0; i < c.pool_bytes / piece; i++)
    c.places.push_back (i * piece);
  std::shuffle (c.places.begin (), c.places.end (), random);
  c.places.resize (n);
  if (pageable)
    c.pool = (char *) std::aligned_alloc (4096, c.pool_bytes);
  else
    MUST (cudaMallocHost ((void **) &c.pool, c.pool_bytes));
  std::memset (c.pool, 1, c.pool_bytes);
  MUST (cudaMalloc ((void **) &c.vector, piece * n));
  for (size_t i = 0; i < n; i++)
    {
      c.in_order.push_back (i * piece);
      c.to.push_back (c.vector + i * piece);
      c.from.push_back (c.pool + c.places[i]);
      c.sizes.push_back (piece);
    }
  MUST (cudaMalloc ((void **) &c.places_there, n * sizeof (size_t)));
  MUST (cudaMalloc ((void **) &c.in_order_there, n * sizeof (size_t)));
  MUST (cudaMemcpy (c.places_there, c.places.data (), n * sizeof (size_t), cudaMemcpyHostToDevice));
  MUST (cudaMemcpy (c.in_order_there, c.in_order.data (), n * sizeof (size_t), cudaMemcpyHostToDevice));
  MUST (cudaStreamCreate (&c.stream));

  for (int up = 1; up >= 0; up--)
    {
      report (c, pageable ? "pageable-loop" : "loop", up, [&] { loop (c, up); });
      if (pageable)
        {
          char *staging;

          MUST (cudaMallocHost ((void **) &staging, piece * n));
          report (c, "packed", up, [&] {
            for (size_t i = 0; up && i < n; i++)
              std::memcpy (staging + i * piece, c.pool + c.places[i], piece);
            MUST (cudaMemcpyAsync (up ? c.vector : staging, up ? staging : c.vector, piece * n,
                                   up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, c.stream));
            MUST (cudaStreamSynchronize (c.stream));
            for (size_t i = 0; !up && i < n; i++)
              std::memcpy (c.pool + c.places[i], staging + i * piece, piece);
          });
          MUST (cudaFreeHost (staging));
          continue;
        }
#if CUDART_VERSION >= 13000
      report (c, "batch", up, [&] {
        cudaMemcpyAttributes attributes = {};
        size_t first = 0;

        attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        MUST (cudaMemcpyBatchAsync (up ? c.to.data () : c.from.data (), (const void *const *) (up ? c.from.data () : c.to.data ()),
                                    c.sizes.data (), n, &attributes, &first, 1, c.stream));
      });
#endif
      unsigned parts = (unsigned) ((piece + 4095) / 4096);
      report (c, "kernel", up, [&] {
        gather<<<(unsigned) n * parts, 256, 0, c.stream>>> (up ? c.vector : c.pool, up ? c.pool : c.vector,
                                                            up ? c.in_order_there : c.places_there,
                                                            up ? c.places_there : c.in_order_there, piece, parts);
        MUST (cudaGetLastError ());
      });
      cudaGraph_t graph;
      cudaGraphExec_t made;
      MUST (cudaStreamBeginCapture (c.stream, cudaStreamCaptureModeGlobal));
      loop (c, up);
      MUST (cudaStreamEndCapture (c.stream, &graph));
      MUST (cudaGraphInstantiate (&made, graph, 0));
      report (c, "graph", up, [&] { MUST (cudaGraphLaunch (made, c.stream)); });
      MUST (cudaGraphExecDestroy (made));
      MUST (cudaGraphDestroy (graph));
    }

  MUST (cudaStreamDestroy (c.stream));
  MUST (cudaFree (c.places_there));
  MUST (cudaFree (c.in_order_there));
  MUST (cudaFree (c.vector));
  if (pageable)
    std::free (c.pool);
  else
    MUST (cudaFreeHost (c.pool));
}

int
main (int argc, char **argv)
{
  const size_t cases[][2] = { { 4096, 4096 }, { 16384, 2048 }, { 32768, 1024 }, { 65536, 512 }, { 262144, 128 }, { 1048576, 32 } };
  const size_t pool = argc > 1 ? (size_t) std::atol (argv[1]) << 20 : 0;

  for (bool pageable : { false, true })
    for (auto &one : cases)
      run_case (one[0], one[1], pool, pageable);
  return 0;
}
