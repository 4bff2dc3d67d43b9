/* plain-busy.cu: copies and a kernel over the link beside a GPU that computes or copies, by a
 * program that shares nothing with Memlane
 *
 * SPDX-License-Identifier: MIT
 *
 *     plain-busy             4 MiB to the device, from the first call until all has arrived, beside
 * each background plain-busy --behind    small copies while 256 MiB go the same way, or the other
 *
 * Prints "WAY BACKGROUND MEDIAN-US 10%-US 90%-US" a line, of 200 samples each; --behind prints
 * "WAY DIRECTION CHUNK-MiB BYTES MEDIAN-US 99%-US WORST-US". tests/gpu/busy compares. No kernel
 * runs longer than some milliseconds.
 */
#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "plain.h"

/* Computes for a millisecond on the first @chosen multiprocessors, with as many threads as each
 * holds; *@stop ends it early. */
static __global__ void __launch_bounds__ (256)
    busy_kernel (unsigned chosen, long long cycles, volatile int *stop, float *sink)
{
  unsigned place;
  float x = threadIdx.x, y = 1, z = 2, w = 3;
  const long long start = clock64 ();

  asm volatile ("mov.u32 %0, %%smid;" : "=r"(place));
  if (place >= chosen)
    return;
  while (clock64 () - start < cycles)
    {
      for (int i = 0; i < 256; i++)
        {
          x = x * 0.999f + 0.5f;
          y = y * 0.998f + 0.5f;
          z = z * 0.997f + 0.5f;
          w = w * 0.996f + 0.5f;
        }
      if (blockIdx.x == 0 && *stop)
        break;
    }
  if (x + y + z + w < 0)
    *sink = x;
}

static __global__ void
copy_kernel (float *to, const float *from, size_t n)
{
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
    to[i] = from[i];
}

/* Microseconds of the same clock. */
static double
now_us (void)
{
  return now () * 1e6;
}

static void
wait_us (double us)
{
  for (double begin = now_us (); now_us () - begin < us;)
    ;
}

#define BYTES ((size_t) 4 << 20)
#define LARGE ((size_t) 256 << 20)

static struct
{
  cudaStream_t work, urgent, background, background_down;
  char *host, *device, *small_host, *small_device, *large_host, *large_device, *down_host,
      *down_device;
  int *stop, *stop_there;
  float *sink;
  int chips, threads, khz;
} g;

static void
set_up (void)
{
  int least, greatest;

  MUST (cudaSetDeviceFlags (cudaDeviceScheduleSpin | cudaDeviceMapHost));
  MUST (cudaStreamCreateWithFlags (&g.work, cudaStreamNonBlocking));
  MUST (cudaDeviceGetStreamPriorityRange (&least, &greatest));
  MUST (cudaStreamCreateWithPriority (&g.urgent, cudaStreamNonBlocking, greatest));
  MUST (cudaStreamCreateWithFlags (&g.background, cudaStreamNonBlocking));
  MUST (cudaStreamCreateWithFlags (&g.background_down, cudaStreamNonBlocking));
  MUST (cudaHostAlloc ((void **) &g.host, BYTES, cudaHostAllocMapped));
  MUST (cudaMalloc ((void **) &g.device, BYTES));
  MUST (cudaHostAlloc ((void **) &g.small_host, BYTES, cudaHostAllocMapped));
  MUST (cudaMalloc ((void **) &g.small_device, BYTES));
  MUST (cudaMallocHost ((void **) &g.large_host, LARGE));
  MUST (cudaMalloc ((void **) &g.large_device, LARGE));
  MUST (cudaMallocHost ((void **) &g.down_host, LARGE));
  MUST (cudaMalloc ((void **) &g.down_device, LARGE));
  MUST (cudaHostAlloc ((void **) &g.stop, sizeof (int), cudaHostAllocMapped));
  MUST (cudaHostGetDevicePointer ((void **) &g.stop_there, g.stop, 0));
  MUST (cudaMalloc ((void **) &g.sink, sizeof (float)));
  MUST (cudaDeviceGetAttribute (&g.chips, cudaDevAttrMultiProcessorCount, 0));
  MUST (cudaDeviceGetAttribute (&g.threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  MUST (cudaDeviceGetAttribute (&g.khz, cudaDevAttrClockRate, 0));
  std::memset (g.host, 1, BYTES);
  std::memset (g.large_host, 2, LARGE);
}

/* Queues @ms of it. @what: "none", "compute-50", "compute-100", "copies-up", "copies-down" or
 * "both". */
static void
begin_background (const std::string &what, int ms)
{
  const size_t unit = BYTES;

  *g.stop = 0;
  if (what.rfind ("compute-", 0) == 0)
    {
      const int share = std::atoi (what.c_str () + 8), chosen = (g.chips * share + 50) / 100;

      for (int i = 0; i < ms; i++)
        busy_kernel<<<g.chips *(g.threads / 256) * (share < 100 ? 4 : 1), 256, 0, g.background>>> (
            chosen, g.khz, g.stop_there, g.sink);
      MUST (cudaGetLastError ());
    }
  for (int i = 0; i < ms * 13 && (what == "copies-up" || what == "both"); i++)
    MUST (
        cudaMemcpyAsync (g.large_device, g.large_host, unit, cudaMemcpyHostToDevice, g.background));
  for (int i = 0; i < ms * 13 && (what == "copies-down" || what == "both"); i++)
    MUST (cudaMemcpyAsync (g.down_host, g.down_device, unit, cudaMemcpyDeviceToHost,
                           g.background_down));
}

static void
end_background (void)
{
  *g.stop = 1;
  MUST (cudaStreamSynchronize (g.background));
  MUST (cudaStreamSynchronize (g.background_down));
}

static void
print_percentiles (std::vector<double> &us, double low, double high)
{
  std::sort (us.begin (), us.end ());
  std::printf ("%.1f %.1f %.1f\n", us[us.size () / 2],
               us[(size_t) (low * (double) (us.size () - 1))],
               us[(size_t) (high * (double) (us.size () - 1))]);
}

static void
run_beside (void)
{
  static const char *const backgrounds[] = { "none",      "compute-50",  "compute-100",
                                             "copies-up", "copies-down", "both" };
  std::mt19937 random (1);
  float *from;

  MUST (cudaHostGetDevicePointer ((void **) &from, g.host, 0));
  for (int kernel = 0; kernel < 2; kernel++)
    for (const char *what : backgrounds)
      for (int ms : { 6, 18 })
        {
          std::vector<double> us;
          int covered = 0;

          for (int i = 0; i < 200; i++)
            {
              double begin;

              std::memset (g.host, i, BYTES);
              begin_background (what, ms);
              wait_us (500 + random () % 1000);
              begin = now_us ();
              if (kernel)
                copy_kernel<<<BYTES / 4 / 256, 256, 0, g.work>>> ((float *) g.device, from,
                                                                  BYTES / 4);
              else
                MUST (cudaMemcpyAsync (g.device, g.host, BYTES, cudaMemcpyHostToDevice, g.work));
              MUST (cudaStreamSynchronize (g.work));
              us.push_back (now_us () - begin);
              covered += cudaStreamQuery (g.background) == cudaErrorNotReady
                         || cudaStreamQuery (g.background_down) == cudaErrorNotReady;
              cudaGetLastError ();
              end_background ();
            }
          std::printf ("%s %s-%dms(%d%%) ", kernel ? "kernel" : "copy", what, ms, covered / 2);
          print_percentiles (us, 0.1, 0.9);
        }
}

/* A small copy is issued while the large one is on its way. */
static void
run_behind (void)
{
  struct Way
  {
    const char *name;
    bool kernel, urgent, down;
  };
  static const Way ways[] = { { "engine", false, false, false },
                              { "priority", false, true, false },
                              { "kernel", true, false, false },
                              { "kernel-priority", true, true, false } };
  std::mt19937 random (1);
  float *from;

  MUST (cudaHostGetDevicePointer ((void **) &from, g.small_host, 0));
  for (const Way &way : ways)
    for (int other = 0; other < 3; other++) /* the same way, the other way, nothing large */
      for (size_t chunk : { LARGE, (size_t) 16 << 20, (size_t) 4 << 20, (size_t) 1 << 20 })
        for (size_t bytes = 4096; bytes <= (size_t) 1 << 20; bytes *= 16)
          {
            std::vector<double> us;

            if (other == 2 && chunk != LARGE)
              continue;
            for (int i = 0; i < 100; i++)
              {
                cudaStream_t stream = way.urgent ? g.urgent : g.work;
                double begin;

                std::memset (g.small_host, i, bytes);
                for (size_t at = 0; at < LARGE && other < 2; at += chunk)
                  if (other == 0)
                    MUST (cudaMemcpyAsync (g.large_device + at, g.large_host + at, chunk,
                                           cudaMemcpyHostToDevice, g.background));
                  else
                    MUST (cudaMemcpyAsync (g.down_host + at, g.down_device + at, chunk,
                                           cudaMemcpyDeviceToHost, g.background));
                wait_us (200 + random () % 800);
                begin = now_us ();
                if (way.kernel)
                  copy_kernel<<<(unsigned) ((bytes / 4 + 255) / 256), 256, 0, stream>>> (
                      (float *) g.small_device, from, bytes / 4);
                else
                  MUST (cudaMemcpyAsync (g.small_device, g.small_host, bytes,
                                         cudaMemcpyHostToDevice, stream));
                MUST (cudaStreamSynchronize (stream));
                us.push_back (now_us () - begin);
                end_background ();
              }
            std::printf ("%s %s %zu %zu ", way.name,
                         other == 0   ? "same"
                         : other == 1 ? "other"
                                      : "alone",
                         chunk >> 20, bytes);
            print_percentiles (us, 0.99, 1);
          }
}

int
main (int argc, char **argv)
{
  set_up ();
  if (argc > 1 && std::strcmp (argv[1], "--behind") == 0)
    run_behind ();
  else
    run_beside ();
  return 0;
}
