// program.cuh: the part that the programs of all memory modes share
//
// SPDX-License-Identifier: MIT
//
// Needs CUDA 12 or newer. Exit status of each program: 0: the result is right; 1: a call failed,
// or the result is wrong; 2: the device cannot run the mode.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

// --- errors ------------------------------------------------------------------------------------

// What to do, as far as the name of the error tells.
static const char *advice(cudaError_t error)
{
  switch (error) {
  case cudaErrorMemoryAllocation:
    return "There is not enough memory: ask for fewer floats.";
  case cudaErrorNoDevice:
    return "No GPU found. Run nvidia-smi, and look at CUDA_VISIBLE_DEVICES.";
  case cudaErrorInsufficientDriver:
    return "The NVIDIA driver is missing, or older than this CUDA: run nvidia-smi.";
  case cudaErrorNoKernelImageForDevice:
  case cudaErrorUnsupportedPtxVersion:
    return "Build for this GPU: nvcc -arch=native.";
  default:
    return "Run it under compute-sanitizer, which names the place where it went wrong.";
  }
}

static void check_call(cudaError_t error, const char *call)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s: %s: %s\n%s\n", call, cudaGetErrorName(error), cudaGetErrorString(error),
    advice(error));
  exit(1);
}

// Checks every call where it is made: an error that is ignored appears in a later, innocent call.
#define CHECK(call) check_call(call, #call)

// A launch returns nothing. This call tells whether it was accepted.
#define CHECK_LAUNCH() check_call(cudaGetLastError(), "kernel<<<>>>")

// Asked first: it is better to be told what is missing than to meet it as an error of some call.
static inline void need(cudaDeviceAttr attribute, const char *name)
{
  int device, value;

  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&value, attribute, device));
  if (value == 0) {
    fprintf(stderr, "This mode needs %s, which is 0 on this device; pinned runs on any.\n", name);
    exit(2);
  }
}

static inline float *need_memory(void *memory)
{
  if (memory == NULL)
    check_call(cudaErrorMemoryAllocation, "malloc");
  return (float *) memory;
}

// --- arguments ---------------------------------------------------------------------------------

// A number from 1, "1048576" or "2^20"; @usual where there is no such argument.
static size_t read_number(int argc, char **argv, int place, size_t usual)
{
  char *end = NULL;

  if (place >= argc)
    return usual;
  unsigned long long number = strtoull(argv[place], &end, 10);
  if (number == 2 && *end == '^')
    number = 1ull << std::min(strtoull(end + 1, &end, 10), 62ull);
  if (number == 0 || *end != '\0' || number > SIZE_MAX / 64) {
    fprintf(stderr, "found \"%s\", expected a number from 1, such as 1000000 or 2^20\n",
      argv[place]);
    exit(1);
  }
  return (size_t) number;
}

// --- vectors -----------------------------------------------------------------------------------

// Sums of small whole numbers are exact: a result is right or wrong, and nothing between.
static float a_at(size_t i)
{
  return (float) (i & 1023);
}

static float b_at(size_t i)
{
  return (float) (7 * i & 1023);
}

static inline void fill(float *a, float *b, float *c, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    a[i] = a_at(i);
    b[i] = b_at(i);
    c[i] = -1; // no sum: what was never written is found
  }
}

static inline void check(const float *c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (c[i] != a_at(i) + b_at(i)) {
      fprintf(stderr, "c[%zu] is %g, expected %g: was it read before the device had written it?\n",
        i, c[i], a_at(i) + b_at(i));
      exit(1);
    }
}

// --- the kernel --------------------------------------------------------------------------------

static const unsigned THREADS = 256; // in a block

static inline unsigned blocks(size_t n)
{
  return (unsigned) ((n + THREADS - 1) / THREADS);
}

static __global__ void add(float *c, const float *a, const float *b, size_t n)
{
  size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n) // the last block may have threads to spare
    c[i] = a[i] + b[i];
}

// --- scattered pieces --------------------------------------------------------------------------

// A vector in pieces of equal size, which lie in a pool in another order. Every second place is
// free.
struct Pieces {
  const size_t n, size, count; // floats, floats in each piece (the last may have fewer), pieces
  std::vector<unsigned> places; // of each piece

  Pieces(size_t n, size_t asked)
    : n(n), size((n + asked - 1) / asked), count((n + size - 1) / size), places(2 * count)
  {
    unsigned random = 1;

    for (size_t i = 0; i < places.size(); i++)
      places[i] = (unsigned) i;
    for (size_t i = places.size() - 1; i > 0; i--) {
      random = random * 1664525u + 1013904223u;
      std::swap(places[i], places[random % (i + 1)]);
    }
  }
  size_t pool_bytes() const { return places.size() * size * sizeof(float); }
  size_t bytes(size_t piece) const
  {
    return (piece + 1 < count ? size : n - piece * size) * sizeof(float);
  }
  size_t at(size_t piece) const { return places[piece] * size; } // in the pool

  void fill(float *pool) const
  {
    for (size_t i = 0; i < n; i++)
      pool[at(i / size) + i % size] = a_at(i);
  }
  void check(const float *device_vector) const
  {
    std::vector<float> found(n);

    CHECK(cudaMemcpy(found.data(), device_vector, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset((void *) device_vector, 0xff, n * sizeof(float))); // for the next run
    for (size_t i = 0; i < n; i++)
      if (found[i] != a_at(i)) {
        fprintf(stderr, "float %zu is %g, expected %g: its piece did not arrive\n", i, found[i],
          a_at(i));
        exit(1);
      }
  }
};

// --- the time ----------------------------------------------------------------------------------

static const int RUNS = 11; // an odd number has a median; the first run also loads the kernel

// From the first call until the host may read the result.
struct Timer {
  std::vector<double> seconds;
  std::chrono::steady_clock::time_point begin;

  void start() { begin = std::chrono::steady_clock::now(); }
  void stop()
  {
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;

    seconds.push_back(taken.count());
  }
  // Prints the median of all runs, and the @bytes that crossed the link in that time.
  int report(const char *mode, size_t n, double bytes)
  {
    std::sort(seconds.begin(), seconds.end());
    double median = seconds[seconds.size() / 2];

    printf("%s: %zu floats: %.3f ms, %.2f GB/s, ok\n", mode, n, median * 1e3,
      bytes / median * 1e-9);
    return 0;
  }
};
