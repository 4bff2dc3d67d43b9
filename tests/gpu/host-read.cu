/* host-read.cu: what the host pays to read an array that was just copied from the device, for each kind of host memory
 *
 * SPDX-License-Identifier: MIT
 *
 *     host-read [MiB]
 *     host-read together
 *
 * Prints a line for each kind and size, in microseconds: medians of 15. Each run copies twice. After the first copy the host adds up
 * the array twice, in order. After the second it reads one word of each 64 bytes twice, in an order without a pattern. Sizes are
 * 64 KiB to 64 MiB, or to MiB. Kinds with -4k forbid huge pages.
 *
 * "together" has three arrays of 128 MiB. It copies all three and then adds up all three, twice; and once more after the host has
 * written them. Doubles are added one by one, as che of HeCBench does it.
 */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <sys/mman.h>

static void
must (bool done, const char *what)
{
  if (done)
    return;
  std::fprintf (stderr, "%s: %s\n", what, cudaGetErrorString (cudaGetLastError ()));
  std::exit (1);
}
#define MUST(call) must ((call) == cudaSuccess, #call)

static const struct Kind
{
  const char *name;
  bool of_cuda, locked, huge;
} kinds[] = {
  { "pageable", false, false, true },  { "pageable-4k", false, false, false },    { "malloc-host", true, true, false },
  { "registered", false, true, true }, { "registered-4k", false, true, false },
};

static double
now ()
{
  return std::chrono::duration<double, std::micro> (std::chrono::steady_clock::now ().time_since_epoch ()).count ();
}

/* All words in order, or the first of each line of 64 bytes once: the generator has a full period, as the number is a power of two. */
static uint64_t
add (const uint64_t *words, size_t bytes, bool lines)
{
  const size_t n = bytes / (lines ? 64 : 8);
  uint64_t sum = 0;

  for (size_t i = 0, at = 1; lines && i < n; i++, at = (at * 1664525 + 1013904223) & (n - 1))
    sum += words[at * 8];
  for (size_t i = 0; !lines && i < n; i++)
    sum += words[i];
  return sum;
}

/* Memory of one kind, and as much of the device's. */
struct Pair
{
  char *got, *host, *device;
};

static Pair
allocate (const Kind &kind, size_t bytes)
{
  const size_t huge = 2 << 20;
  Pair pair = { (char *) mmap (NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) };

  must (pair.got != MAP_FAILED, "mmap");
  pair.host = (char *) (((uintptr_t) pair.got + huge - 1) & ~(uintptr_t) (huge - 1));
  madvise (pair.host, bytes, kind.huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  if (kind.of_cuda)
    MUST (cudaMallocHost ((void **) &pair.host, bytes));
  std::fill (pair.host, pair.host + bytes, 1);
  if (kind.locked && !kind.of_cuda)
    MUST (cudaHostRegister (pair.host, bytes, cudaHostRegisterDefault));
  MUST (cudaMalloc ((void **) &pair.device, bytes));
  return pair;
}

static void
release (const Kind &kind, const Pair &pair, size_t bytes)
{
  MUST (cudaFree (pair.device));
  if (kind.locked)
    MUST (kind.of_cuda ? cudaFreeHost (pair.host) : cudaHostUnregister (pair.host));
  munmap (pair.got, bytes + (2 << 20));
}

static void
print (const char *name, size_t bytes, std::vector<double> *times, int n)
{
  std::printf ("%-13s %9zu", name, bytes);
  for (int i = 0; i < n; i++)
    {
      std::sort (times[i].begin (), times[i].end ());
      std::printf (" %9.1f", times[i][times[i].size () / 2]);
    }
  std::printf ("\n");
}

static double
add_doubles (const double *of, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += of[i];
  return sum;
}

static volatile double sink;

static void
measure_together (const Kind &kind)
{
  const size_t bytes = 128 << 20, n = bytes / sizeof (double);
  std::vector<double> times[4];
  Pair pairs[3];

  for (auto &pair : pairs)
    pair = allocate (kind, bytes);
  for (int run = 0; run < 9; run++)
    {
      for (auto &pair : pairs)
        MUST (cudaMemset (pair.device, 0, bytes));
      MUST (cudaDeviceSynchronize ());
      for (int pass = 0; pass < 4; pass++) /* copy, add, add again, add what the host has written */
        for (auto &pair : pairs)
          {
            if (pass == 3)
              std::fill ((double *) pair.host, (double *) pair.host + n, 1.0);

            double began = now ();
            if (pass == 0)
              MUST (cudaMemcpy (pair.host, pair.device, bytes, cudaMemcpyDeviceToHost));
            else
              sink = add_doubles ((const double *) pair.host, n);
            times[pass].push_back (now () - began);
          }
    }
  print (kind.name, bytes, times, 4);
  for (auto &pair : pairs)
    release (kind, pair, bytes);
}

static void
measure (const Kind &kind, size_t bytes)
{
  std::vector<double> times[5];
  const Pair pair = allocate (kind, bytes);
  char *host = pair.host, *device = pair.device;

  for (int run = 0; run < 15; run++)
    for (int lines = 0; lines < 2; lines++)
      {
        const uint64_t word = 0x0101010101010101u * (unsigned) (2 * run + lines + 1);

        MUST (cudaMemset (device, 2 * run + lines + 1, bytes));
        MUST (cudaDeviceSynchronize ());
        double began = now ();
        MUST (cudaMemcpy (host, device, bytes, cudaMemcpyDeviceToHost));
        times[0].push_back (now () - began);
        for (int again = 0; again < 2; again++)
          {
            began = now ();
            bool right = add ((const uint64_t *) host, bytes, lines) == word * (bytes / (lines ? 64 : 8));
            times[1 + 2 * lines + again].push_back (now () - began);
            must (right, "the array did not arrive");
          }
      }

  print (kind.name, bytes, times, 5);
  release (kind, pair, bytes);
}

int
main (int argc, char **argv)
{
  const bool together = argc > 1 && std::strcmp (argv[1], "together") == 0;
  const size_t most = (argc > 1 ? (size_t) std::atol (argv[1]) : 64) << 20;

  setlinebuf (stdout);
  if (together)
    {
      std::printf ("%-13s %9s %9s %9s %9s %9s\n", "kind", "bytes", "copy", "sum", "sum-again", "written");
      for (auto &kind : kinds)
        measure_together (kind);
      return 0;
    }
  std::printf ("%-13s %9s %9s %9s %9s %9s %9s\n", "kind", "bytes", "copy", "sum", "sum-again", "lines", "again");
  for (size_t bytes = 64 << 10; bytes <= most; bytes *= 4)
    for (auto &kind : kinds)
      measure (kind, bytes);
  return 0;
}
