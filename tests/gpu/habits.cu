// habits.cu: programs with one habit each, in two forms, whose gain is known by running both
// SPDX-License-Identifier: MIT
//
//     habits HABIT [better]      prints what it computed, and on standard error how long its loop took
//     habits list
//
// They judge what `memlane-cli advise` predicts and what `advise --try` measures: tests/gpu/habits.
#include <cstdio>
#include <cstdlib>
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                                      \
  do                                                                                     \
    {                                                                                    \
      cudaError_t result = (call);                                                       \
      if (result != cudaSuccess)                                                         \
        {                                                                                \
          fprintf (stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                 \
                   cudaGetErrorString (result));                                         \
          exit (1);                                                                      \
        }                                                                                \
    }                                                                                    \
  while (0)

static double
now ()
{
  timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (double) time.tv_sec + 1e-9 * (double) time.tv_nsec;
}

// Adds 1 to each, @times over.
__global__ void
add_one (float *values, size_t n, int times)
{
  for (size_t i = blockIdx.x * (size_t) blockDim.x + threadIdx.x; i < n;
       i += (size_t) gridDim.x * blockDim.x)
    for (int k = 0; k < times; k++)
      values[i] += 1;
}

__global__ void
sum_some (const float *values, size_t n, float *sum)
{
  __shared__ float parts[256];
  float part = 0;

  for (size_t i = threadIdx.x; i < n; i += blockDim.x)
    part += values[i];
  parts[threadIdx.x] = part;
  __syncthreads ();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
    {
      if (threadIdx.x < step)
        parts[threadIdx.x] += parts[threadIdx.x + step];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    *sum = parts[0];
}

static float *
host_memory (size_t n, bool locked)
{
  float *memory = NULL;

  if (locked)
    CHECK (cudaMallocHost (&memory, n * sizeof *memory));
  else
    memory = (float *) malloc (n * sizeof *memory);
  for (size_t i = 0; i < n; i++)
    memory[i] = (float) (i % 1000);
  return memory;
}

// Memory of malloc(), locked where it lies, as a trial does it.
static float *
registered_memory (size_t n, bool locked)
{
  float *memory = host_memory (n, false);

  if (locked)
    CHECK (cudaHostRegister (memory, n * sizeof *memory, cudaHostRegisterDefault));
  return memory;
}

static float *
device_memory (size_t n)
{
  float *memory = NULL;

  CHECK (cudaMalloc (&memory, n * sizeof *memory));
  CHECK (cudaMemset (memory, 0, n * sizeof *memory));
  return memory;
}

static double
sum_of (const float *values, size_t n)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += values[i];
  return sum;
}

// Pageable memory, copied up and down in a loop. Better: page-locked.
static double
pageable (bool better)
{
  const size_t n = 4 << 20;
  float *host = host_memory (n, better), *device = device_memory (n);

  for (int i = 0; i < 150; i++)
    {
      CHECK (cudaMemcpy (device, host, n * sizeof *host, cudaMemcpyHostToDevice));
      add_one<<<1024, 256>>> (device, n, 1);
      CHECK (cudaMemcpy (host, device, n * sizeof *host, cudaMemcpyDeviceToHost));
    }
  return sum_of (host, n);
}

// The same asynchronously, and the buffer is overwritten at once. Better: page-locked, and the
// program waits before it writes.
static double
overwrites (bool better)
{
  const size_t n = 1 << 20;
  float *host = host_memory (n, better), *device = device_memory (n), *sums = device_memory (400);
  std::vector<float> results (400);

  for (int i = 0; i < 400; i++)
    {
      CHECK (cudaMemcpyAsync (device, host, n * sizeof *host, cudaMemcpyHostToDevice));
      if (better)
        CHECK (cudaStreamSynchronize (0));
      for (size_t k = 0; k < n; k += 1024)
        host[k] = (float) i;
      sum_some<<<1, 256>>> (device, n, sums + i);
    }
  CHECK (cudaMemcpy (results.data (), sums, 400 * sizeof (float), cudaMemcpyDeviceToHost));
  return sum_of (results.data (), 400);
}

// Page-locked blocks of 16 KiB, a copy each. Better: packed and copied once.
static double
pieces (bool better)
{
  const size_t n = 4096, blocks = 2048;
  std::vector<float *> host (blocks);
  float *device = device_memory (n * blocks), *packed = host_memory (n * blocks, true);
  float *all = host_memory (n * blocks, true);

  for (size_t i = 0; i < blocks; i++)
    host[i] = all + (i * 769 % blocks) * n;
  for (int round = 0; round < 40; round++)
    {
      if (better)
        {
          for (size_t i = 0; i < blocks; i++)
            memcpy (packed + i * n, host[i], n * sizeof (float));
          CHECK (cudaMemcpyAsync (device, packed, n * blocks * sizeof (float),
                                  cudaMemcpyHostToDevice));
        }
      else
        for (size_t i = 0; i < blocks; i++)
          CHECK (cudaMemcpyAsync (device + i * n, host[i], n * sizeof (float),
                                  cudaMemcpyHostToDevice));
      add_one<<<1024, 256>>> (device, n * blocks, 1);
      CHECK (cudaStreamSynchronize (0));
    }
  CHECK (cudaMemcpy (packed, device, n * blocks * sizeof (float), cudaMemcpyDeviceToHost));
  return sum_of (packed, n * blocks);
}

// A sum is fetched after each small kernel. Better: all of them at the end.
static double
waits (bool better)
{
  const size_t n = 4096;
  const int times = 20000;
  float *device = device_memory (n), *sums = device_memory (times);
  std::vector<float> results (times);

  for (int i = 0; i < times; i++)
    {
      add_one<<<16, 256>>> (device, n, 1);
      sum_some<<<1, 256>>> (device, n, sums + i);
      if (!better)
        CHECK (cudaMemcpy (&results[i], sums + i, sizeof (float), cudaMemcpyDeviceToHost));
    }
  if (better)
    CHECK (cudaMemcpy (results.data (), sums, times * sizeof (float), cudaMemcpyDeviceToHost));
  return sum_of (results.data (), times);
}

// Managed memory that the host writes, a float a page, and kernels fault in. Better: prefetched.
static double
managed (bool better)
{
  const size_t n = 8 << 20;
  double sum = 0;

  for (int i = 0; i < 20; i++)
    {
      float *memory = NULL;

      CHECK (cudaMallocManaged (&memory, n * sizeof *memory));
      for (size_t k = 0; k < n; k += 1024) // to write all of it takes longer than the faults
        memory[k] = (float) (k % 7);
      if (better)
        {
#if CUDART_VERSION >= 13000
          cudaMemLocation place = {};

          place.type = cudaMemLocationTypeDevice;
          CHECK (cudaMemPrefetchAsync (memory, n * sizeof *memory, place, 0, 0));
#else
          CHECK (cudaMemPrefetchAsync (memory, n * sizeof *memory, 0, 0));
#endif
        }
      add_one<<<1024, 256>>> (memory, n, 1);
      CHECK (cudaDeviceSynchronize ());
      sum += memory[i];
      CHECK (cudaFree (memory));
    }
  return sum;
}

// Device memory is allocated in the loop. Better: before it.
static double
allocations (bool better)
{
  const size_t n = 8 << 20;
  float *host = host_memory (1024, true), *kept = better ? device_memory (n) : NULL;

  for (int i = 0; i < 500; i++)
    {
      float *device = kept;

      if (!better)
        CHECK (cudaMalloc (&device, n * sizeof *device));
      CHECK (cudaMemset (device, 0, n * sizeof *device));
      add_one<<<1024, 256>>> (device, n, 1);
      CHECK (cudaMemcpy (host, device, 1024 * sizeof *host, cudaMemcpyDeviceToHost));
      if (!better)
        CHECK (cudaFree (device));
    }
  return sum_of (host, 1024);
}

// Page-locked bytes that never change are copied each time. Better: once.
static double
unchanged (bool better)
{
  const size_t n = 4 << 20;
  float *host = host_memory (n, true), *from = device_memory (n), *to = device_memory (n);

  for (int i = 0; i < 2000; i++)
    {
      if (i == 0 || !better)
        CHECK (cudaMemcpy (from, host, n * sizeof *host, cudaMemcpyHostToDevice));
      CHECK (cudaMemcpy (to, from, n * sizeof *host, cudaMemcpyDeviceToDevice));
      add_one<<<1024, 256>>> (to, n, 1);
      CHECK (cudaDeviceSynchronize ());
    }
  CHECK (cudaMemcpy (host, to, n * sizeof *host, cudaMemcpyDeviceToHost));
  return sum_of (host, n);
}

// The same, but one float changes each time: there is nothing to gain, and `better` is the same.
static double
nearly_unchanged (bool better)
{
  const size_t n = 1 << 20;
  float *host = host_memory (n, true), *device = device_memory (n), *sums = device_memory (400);
  std::vector<float> results (400);

  (void) better;
  for (int i = 0; i < 400; i++)
    {
      host[(size_t) i * 2617 + 11] += 1;
      CHECK (cudaMemcpy (device, host, n * sizeof *host, cudaMemcpyHostToDevice));
      sum_some<<<1, 256>>> (device, n, sums + i);
    }
  CHECK (cudaMemcpy (results.data (), sums, 400 * sizeof (float), cudaMemcpyDeviceToHost));
  return sum_of (results.data (), 400);
}

// Forks, and the child ends by exit(). Better: pageable memory becomes page-locked, too, where it
// lies: a fork shares its pages as it shares those that a trial locks.
static double
forks (bool better)
{
  const size_t n = 4 << 20;
  float *host = registered_memory (n, better), *device = device_memory (n);

  for (int i = 0; i < 100; i++)
    {
      CHECK (cudaMemcpy (device, host, n * sizeof *host, cudaMemcpyHostToDevice));
      if (i % 25 == 0)
        {
          pid_t child = fork ();

          if (child == 0)
            exit (0);
          waitpid (child, NULL, 0);
        }
      host[i] += 1;
      CHECK (cudaMemcpy (host, device, n * sizeof *host, cudaMemcpyDeviceToHost));
    }
  return sum_of (host, n);
}

// Page-locked memory in chunks on streams: there is nothing to gain.
static double
tuned (bool better)
{
  const size_t n = 4 << 20;
  const int n_streams = 4;
  float *host = host_memory (n, true), *device = device_memory (n);
  cudaStream_t streams[n_streams];

  (void) better;
  for (int i = 0; i < n_streams; i++)
    CHECK (cudaStreamCreate (&streams[i]));
  for (int i = 0; i < 400; i++)
    for (int k = 0; k < n_streams; k++)
      {
        size_t part = n / n_streams, at = k * part;

        CHECK (cudaMemcpyAsync (device + at, host + at, part * sizeof *host,
                                cudaMemcpyHostToDevice, streams[k]));
        add_one<<<256, 256, 0, streams[k]>>> (device + at, part, 1);
        CHECK (cudaMemcpyAsync (host + at, device + at, part * sizeof *host,
                                cudaMemcpyDeviceToHost, streams[k]));
      }
  CHECK (cudaDeviceSynchronize ());
  return sum_of (host, n);
}

static const struct
{
  const char *name;
  double (*run) (bool better);
} habits[] = {
  { "pageable", pageable }, { "overwrites", overwrites }, { "pieces", pieces }, { "waits", waits },
  { "managed", managed }, { "allocations", allocations }, { "unchanged", unchanged },
  { "nearly-unchanged", nearly_unchanged }, { "forks", forks }, { "tuned", tuned },
};

// How a program ends: all of them after 50 copies.
static int
end (const char *how)
{
  float *host = host_memory (1 << 16, false), *device = device_memory (1 << 16);

  for (int i = 0; i < 50; i++)
    CHECK (cudaMemcpy (device, host, 1 << 18, cudaMemcpyHostToDevice));
  if (strcmp (how, "_exit") == 0)
    _exit (3);
  if (strcmp (how, "abort") == 0)
    abort ();
  if (strcmp (how, "quick_exit") == 0)
    quick_exit (3);
  if (strcmp (how, "reset") == 0)
    CHECK (cudaDeviceReset ());
  if (strcmp (how, "segv") == 0)
    raise (SIGSEGV);
  if (strcmp (how, "null") == 0)
    *(volatile int *) NULL = 1;
  if (strcmp (how, "term") == 0)
    raise (SIGTERM);
  if (strcmp (how, "kill") == 0)
    {
      sleep (1);
      raise (SIGKILL);
    }
  if (strncmp (how, "fork", 4) == 0)
    {
      pid_t child = fork ();

      if (child == 0 && strcmp (how, "fork_exit") == 0)
        exit (0);
      if (child == 0 && strcmp (how, "fork_exec") == 0)
        execlp ("true", "true", (char *) NULL);
      if (child == 0)
        _exit (0);
      waitpid (child, NULL, 0);
    }
  return 3;
}

int
main (int argc, char **argv)
{
  bool better = argc > 2 && strcmp (argv[2], "better") == 0;

  if (argc > 2 && strcmp (argv[1], "end") == 0)
    return end (argv[2]);
  for (const auto &habit : habits)
    {
      if (argc > 1 && strcmp (argv[1], "list") == 0)
        printf ("%s\n", habit.name);
      if (argc < 2 || strcmp (argv[1], habit.name) != 0)
        continue;
      CHECK (cudaFree (0));
      double begin = now (), result = habit.run (better);
      fprintf (stderr, "loop_ms %.2f\n", 1e3 * (now () - begin));
      printf ("%s %.9g\n", habit.name, result);
      return 0;
    }
  return argc > 1 && strcmp (argv[1], "list") == 0 ? 0 : 1;
}
