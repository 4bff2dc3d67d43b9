/* plain-pieces.cu: scattered pieces to the device and back in each way, by a program that shares nothing with Memlane
 *
 * SPDX-License-Identifier: MIT
 *
 *     plain-pieces [POOL-MiB]
 *     plain-pieces --habits
 *
 * Prints "WAY DIRECTION PIECE-BYTES PIECES GB/S" a line: the median of 15 host times, from the first call until all has arrived, of pieces
 * that the host has just written. The pool has twice the bytes of all pieces, or POOL-MiB where that is more. tests/gpu/pieces compares.
 *
 * --habits takes the batch alone, and adds what Memlane does otherwise around a sample: one habit at a time, then all of them. Its lines
 * end in the rate by that of the plain program, and the habit.
 */
#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "plain.h"

/* One block for each 4 KiB of a piece; a block's threads move 16 bytes each. */
static __global__ void
gather (char *to, const char *from, const size_t *to_places, const size_t *from_places, size_t piece, unsigned parts)
{
  size_t number = blockIdx.x / parts, part = blockIdx.x % parts;
  size_t at = part * 4096 + threadIdx.x * sizeof (float4);

  if (at < piece)
    *(float4 *) (to + to_places[number] + at) = *(const float4 *) (from + from_places[number] + at);
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
  unsigned habits;
};

/* What Memlane does otherwise around a sample. */
enum
{
  WRITES = 1,       /* writes the pieces from a vector, not by memset() */
  POISONS = 2,      /* a memset on the device comes before a sample, not a copy */
  COMPARES = 4,     /* reads and compares every byte after a sample */
  HOST_ALLOC = 8,   /* cudaHostAlloc, not cudaMallocHost */
  STARTS_ANEW = 16, /* other buffers after each five samples, with a warm-up */
};

/* Writes the pieces, and the vector, or spoils them where they are to arrive. */
static void
prepare (Case &c, bool up, int run, std::vector<char> &vector)
{
  for (size_t i = 0; i < c.n; i++)
    std::memset (vector.data () + i * c.piece, (int) (i + run) & 127, c.piece);
  for (size_t i = 0; i < c.n; i++)
    if (up && (c.habits & WRITES) != 0)
      std::memcpy (c.pool + c.places[i], vector.data () + i * c.piece, c.piece);
    else
      std::memset (c.pool + c.places[i], up ? (int) (i + run) & 127 : 255, c.piece);
  if (!up || (c.habits & POISONS) == 0)
    {
      if (up)
        std::memset (vector.data (), 255, vector.size ());
      MUST (cudaMemcpy (c.vector, vector.data (), vector.size (), cudaMemcpyHostToDevice));
    }
  if ((c.habits & POISONS) != 0)
    MUST (cudaMemsetAsync (up ? (void *) c.vector : c.in_order_there, 255, up ? vector.size () : c.n * sizeof (size_t), NULL));
  MUST (cudaDeviceSynchronize ());
}

static void
report (Case &c, const char *way, bool up, const std::function<void ()> &move, std::vector<double> *kept = NULL)
{
  std::vector<double> times;
  std::vector<char> back (c.piece * c.n);
  const size_t step = (c.habits & COMPARES) != 0 ? 1 : c.piece - 1;

  for (int run = 0; run < ((c.habits & STARTS_ANEW) != 0 ? 6 : 16); run++)
    {
      prepare (c, up, run, back);
      double begin = now ();
      move ();
      MUST (cudaStreamSynchronize (c.stream));
      if (run > 0)
        times.push_back (now () - begin);
      if (up)
        MUST (cudaMemcpy (back.data (), c.vector, back.size (), cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < c.n; i++)
        for (size_t k = 0; k < c.piece; k += step)
          if ((up ? back[i * c.piece + k] : c.pool[c.places[i] + k]) != (char) ((i + run) & 127))
            {
              std::fprintf (stderr, "%s: piece %zu did not arrive\n", way, i);
              std::exit (1);
            }
    }
  if (kept != NULL)
    {
      kept->insert (kept->end (), times.begin (), times.end ());
      return;
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
make (Case &c, size_t piece, size_t n, size_t least_pool, bool pageable, unsigned habits)
{
  std::mt19937 random (1);

  c.piece = piece;
  c.n = n;
  c.habits = habits;
  c.pool_bytes = std::max (2 * piece * n, least_pool);
  for (size_t i = 0; i < c.pool_bytes / piece; i++)
    c.places.push_back (i * piece);
  std::shuffle (c.places.begin (), c.places.end (), random);
  c.places.resize (n);
  if (pageable)
    c.pool = (char *) std::aligned_alloc (4096, c.pool_bytes);
  else if ((habits & HOST_ALLOC) != 0)
    MUST (cudaHostAlloc ((void **) &c.pool, c.pool_bytes, cudaHostAllocDefault));
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
}

static void
drop (Case &c, bool pageable)
{
  MUST (cudaStreamDestroy (c.stream));
  MUST (cudaFree (c.places_there));
  MUST (cudaFree (c.in_order_there));
  MUST (cudaFree (c.vector));
  if (pageable)
    std::free (c.pool);
  else
    MUST (cudaFreeHost (c.pool));
}

#if CUDART_VERSION >= 13000
static void
batch (Case &c, bool up)
{
  cudaMemcpyAttributes attributes = {};
  size_t first = 0;

  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  MUST (cudaMemcpyBatchAsync (up ? c.to.data () : c.from.data (), (const void *const *) (up ? c.from.data () : c.to.data ()),
                              c.sizes.data (), c.n, &attributes, &first, 1, c.stream));
}

static void
run_habits (size_t piece, size_t n, bool up)
{
  const struct { unsigned habits; const char *name; } all[] = {
    { 0, "plain" }, { WRITES, "writes" }, { POISONS, "poisons" }, { COMPARES, "compares" }, { HOST_ALLOC, "host-alloc" },
    { STARTS_ANEW, "starts-anew" }, { 31, "all" },
  };
  std::vector<double> times[7];
  double plain = 0;

  for (int turn = 0; turn < 3; turn++)
    for (size_t i = 0; i < 7; i++)
      for (int left = (all[i].habits & STARTS_ANEW) != 0 ? 3 : 1; left > 0; left--)
        {
          Case c;

          make (c, piece, n, 0, false, all[i].habits);
          report (c, "batch", up, [&] { batch (c, up); }, &times[i]);
          drop (c, false);
        }
  for (size_t i = 0; i < 7; i++)
    {
      std::sort (times[i].begin (), times[i].end ());
      double rate = piece * n / times[i][times[i].size () / 2] * 1e-9;
      plain = i == 0 ? rate : plain;
      std::printf ("batch %s %zu %zu %.3f %.3f %s\n", up ? "to-device" : "to-host", piece, n, rate, rate / plain, all[i].name);
      std::fflush (stdout);
    }
}
#endif

static void
run_case (size_t piece, size_t n, size_t least_pool, bool pageable)
{
  Case c;

  make (c, piece, n, least_pool, pageable, 0);
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
      report (c, "batch", up, [&] { batch (c, up); });
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

  drop (c, pageable);
}

int
main (int argc, char **argv)
{
  const size_t cases[][2] = { { 4096, 4096 }, { 16384, 2048 }, { 32768, 1024 }, { 65536, 512 }, { 262144, 128 }, { 1048576, 32 } };
  const bool habits = argc > 1 && std::strcmp (argv[1], "--habits") == 0;
  const size_t pool = argc > 1 && !habits ? (size_t) std::atol (argv[1]) << 20 : 0;

#if CUDART_VERSION >= 13000
  for (size_t i = 0; habits && i < 6; i += i == 1 ? 2 : 1)
    for (bool up : { true, false })
      run_habits (cases[i][0], cases[i][1], up);
#endif
  if (habits)
    return 0;
  for (bool pageable : { false, true })
    for (auto &one : cases)
      run_case (one[0], one[1], pool, pageable);
  return 0;
}
