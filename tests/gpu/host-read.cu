/* host-read.cu: what the host pays to read an array that was just copied from the device, for each kind of host memory
 *
 * SPDX-License-Identifier: MIT
 *
 *     host-read [MiB]
 *
 * Prints a line for each kind and size, in microseconds: medians of 15. Each run copies twice. After the first copy the host adds up
 * the array twice, in order. After the second it reads one word of each 64 bytes twice, in an order without a pattern. Sizes are
 * 64 KiB to 64 MiB, or to MiB. Kinds with -4k forbid huge pages.
 */
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

static void
measure (const Kind &kind, size_t bytes)
{
  const size_t huge = 2 << 20;
  std::vector<double> times[5];
  char *got = (char *) mmap (NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *host = (char *) (((uintptr_t) got + huge - 1) & ~(uintptr_t) (huge - 1)), *device;

  must (got != MAP_FAILED, "mmap");
  madvise (host, bytes, kind.huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  if (kind.of_cuda)
    MUST (cudaMallocHost ((void **) &host, bytes));
  std::fill (host, host + bytes, 1);
  if (kind.locked && !kind.of_cuda)
    MUST (cudaHostRegister (host, bytes, cudaHostRegisterDefault));
  MUST (cudaMalloc ((void **) &device, bytes));

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

  std::printf ("%-13s %8zu", kind.name, bytes);
  for (auto &some : times)
    {
      std::sort (some.begin (), some.end ());
      std::printf (" %9.1f", some[some.size () / 2]);
    }
  std::printf ("\n");
  MUST (cudaFree (device));
  if (kind.locked)
    MUST (kind.of_cuda ? cudaFreeHost (host) : cudaHostUnregister (host));
  munmap (got, bytes + huge);
}

int
main (int argc, char **argv)
{
  const size_t most = (argc > 1 ? (size_t) std::atol (argv[1]) : 64) << 20;

  setlinebuf (stdout);
  std::printf ("%-13s %8s %9s %9s %9s %9s %9s\n", "kind", "bytes", "copy", "sum", "sum-again", "lines", "again");
  for (size_t bytes = 64 << 10; bytes <= most; bytes *= 4)
    for (auto &kind : kinds)
      measure (kind, bytes);
  return 0;
}
