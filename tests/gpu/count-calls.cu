/* count-calls.cu: a program that counts its own calls, for the recorder of memlane-cli advise
 *
 * SPDX-License-Identifier: MIT
 *
 *     count-calls fast N     N launches and N copies, one after the other, as fast as they go
 *     count-calls steady N   the same with some 7 us of work of the host's between two calls, so
 *                            about 100,000 calls a second
 *     count-calls paced N    the same with a millisecond
 *
 * Prints "copies N launches N seconds S". What it counts and times lies in the range "loop" of NVTX, but for the first launch.
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

__global__ void
touch (float *value)
{
  value[0] += 1;
}

/* The same work each time, whatever it takes: 380,000 turns are about a millisecond. */
static volatile unsigned sink;

static void
work (unsigned turns)
{
  for (unsigned i = 0; i < turns; i++)
    sink += i;
}

int
main (int argc, char **argv)
{
  const char *pace = argc > 1 ? argv[1] : "fast";
  unsigned turns = std::strcmp (pace, "paced") == 0    ? 380000
                   : std::strcmp (pace, "steady") == 0 ? 2700
                                                       : 0;
  long n = argc > 2 ? std::atol (argv[2]) : 1000, copies = 0, launches = 0;
  float *device = nullptr, *host = nullptr;

  if (cudaMalloc (&device, 4096) != cudaSuccess || cudaMallocHost (&host, 4096) != cudaSuccess)
    return 1;
  touch<<<1, 1>>> (device);
  launches++;
  cudaDeviceSynchronize ();
  auto begin = std::chrono::steady_clock::now ();
  nvtxRangePushA ("loop");
  for (long i = 0; i < n; i++)
    {
      work (turns);
      touch<<<1, 1>>> (device);
      launches++;
      work (turns);
      cudaMemcpyAsync (host, device, 4, cudaMemcpyDeviceToHost);
      copies++;
      if (i % 1000 == 999)
        cudaDeviceSynchronize ();
    }
  cudaDeviceSynchronize ();
  nvtxRangePop ();
  std::printf ("copies %ld launches %ld seconds %.3f\n", copies, launches,
               std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count ());
  return 0;
}
