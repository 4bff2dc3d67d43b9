/* background.cu: a kernel that keeps a share of the multiprocessors busy, in registers alone
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"

#define CHAINS        8
#define MULTIPLY_ADDS 64 /* of each chain in a turn */
#define MOST_TURNS    2048

static __device__ __forceinline__ uint64_t
global_nanoseconds (void)
{
  uint64_t ns;

  asm volatile ("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

static __device__ __forceinline__ unsigned
multiprocessor (void)
{
  unsigned number;

  asm volatile ("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

/* Whether the block that thread 0 of which asks finds room on its multiprocessor. *@start: when the
 * launch began. */
static __device__ bool
take_place (MemlaneBackgroundState *state, unsigned launch, unsigned chosen, unsigned blocks_each,
            uint64_t *start)
{
  const unsigned place = multiprocessor ();
  const uint64_t now = global_nanoseconds ();
  const unsigned long long begun = atomicCAS (&state->launches[launch].begun, 0ULL,
                                              (unsigned long long) now);

  *start = begun != 0 ? begun : now;
  return place < chosen && place < MEMLANE_BACKGROUND_CHIP
         && atomicAdd (&state->launches[launch].taken[place], 1u) < blocks_each;
}

/* The first block that works also reads the host's word and writes what all of them have done. */
static __global__ void
__launch_bounds__ (MEMLANE_BACKGROUND_THREADS)
    background_kernel (MemlaneBackgroundState *state, MemlaneBackgroundWord *word, unsigned launch,
                       unsigned chosen, unsigned blocks_each, uint64_t duration)
{
  __shared__ bool goes_on;
  bool leads = false;
  uint64_t start = 0;
  float x[CHAINS];

  if (threadIdx.x == 0)
    {
      goes_on = take_place (state, launch, chosen, blocks_each, &start);
      leads = goes_on && atomicExch (&state->launches[launch].leader, 1u) == 0;
    }
  for (int i = 0; i < CHAINS; i++)
    x[i] = (float) threadIdx.x + i;
  __syncthreads ();
  for (int turn = 0; turn < MOST_TURNS && goes_on; turn++)
    {
#pragma unroll 8
      for (int k = 0; k < MULTIPLY_ADDS; k++)
#pragma unroll
        for (int i = 0; i < CHAINS; i++)
          x[i] = fmaf (x[i], 0.999f, 0.001f);
      __syncthreads ();
      if (threadIdx.x == 0)
        {
          const unsigned long long turns = atomicAdd (&state->turns, 1ULL) + 1;
          const uint64_t now = global_nanoseconds ();

          if (leads)
            {
              *(ulonglong2 *) &word->done = make_ulonglong2 (turns, now);
              if (word->stop != 0)
                state->stop = 1;
            }
          goes_on = now - start < duration && state->stop == 0;
        }
      __syncthreads ();
    }
  for (int i = 1; i < CHAINS; i++)
    x[0] += x[i];
  if (x[0] < 0) /* it is not, but the compiler cannot know */
    state->turns = 0;
}

extern "C" cudaError_t
memlane_kernel_background_launch (MemlaneBackgroundState *state, MemlaneBackgroundWord *word,
                                  unsigned launch, unsigned chosen, unsigned multiprocessors,
                                  unsigned blocks_each, uint64_t ns, cudaStream_t stream)
{
  /* Blocks on the others end at once and make room there, where more of them may land than on the
   * chosen ones. */
  const unsigned blocks = multiprocessors * blocks_each * (chosen < multiprocessors ? 4 : 1);

  if (launch >= MEMLANE_BACKGROUND_LAUNCHES || chosen == 0 || blocks == 0)
    return cudaErrorInvalidValue;
  background_kernel<<<blocks, MEMLANE_BACKGROUND_THREADS, 0, stream>>> (state, word, launch, chosen,
                                                                        blocks_each, ns);
  return cudaGetLastError ();
}

extern "C" cudaError_t
memlane_kernel_background_load (void)
{
  cudaFuncAttributes attributes;

  return cudaFuncGetAttributes (&attributes, (const void *) background_kernel);
}
