/* kernels.h: launchers of the CUDA kernels, for C
 *
 * SPDX-License-Identifier: MIT
 *
 * Each returns what the launch returned (not what the kernel will meet when it runs) and queues on
 * @stream; none waits. Nothing else of the .cu files is visible. Vectors are as the device sees
 * them: device memory, mapped host memory or managed memory.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out[i] = a[i] + b[i], or out[i] = a[i] where @b is NULL, for @n >= 1 elements (0 is
 * cudaErrorInvalidValue). @blocks 0: one element a thread. Else the shape for the link (shape.h),
 * in at most so many blocks, for 16-byte aligned vectors (others are cudaErrorInvalidValue). */
cudaError_t memlane_kernel_launch (float *out, const float *a, const float *b, size_t n,
                                   unsigned blocks, cudaStream_t stream);

/* out[i] = a[i] for @n elements, a multiple of 4 on 16-byte boundaries, after @times multiply-adds
 * of each that change nothing. */
cudaError_t memlane_kernel_work_launch (float *out, const float *a, size_t n, unsigned times,
                                        cudaStream_t stream);
/* Pieces of @piece floats, the last maybe shorter, of the @n floats of @vector. Piece i is gathered
 * from @pool at @places[i] x @piece, or (@scatters) goes there. @blocks as above. */
cudaError_t memlane_kernel_gather_launch (float *vector, float *pool, const uint32_t *places,
                                          size_t piece, size_t n, int scatters, unsigned blocks,
                                          cudaStream_t stream);
/* One thread adds 1 to *@counter, @times times, by atomicAdd. */
cudaError_t memlane_kernel_count_launch (unsigned *counter, unsigned times, cudaStream_t stream);

/* The latch's word between host and kernel; lies in page-locked mapped host memory, and starts as
 * zeros. Each closing has its
 * own ticket (any number but 0, not the one before), so nothing is ever reset and no late reader
 * can mistake one closing for another. Each word has a cache line of its own: the host writes one,
 * the device the other. */
typedef struct
{
  volatile uint32_t released; /* host: the ticket that may pass */
  uint32_t padding[31];
  volatile uint32_t late;     /* device: the ticket that gave up waiting */
  uint32_t padding_too[31];
} MemlaneLatchWord;

/* Spins on @stream until @word->released is @ticket or @timeout_ns have passed, and then sets
 * @word->late to @ticket. */
cudaError_t memlane_kernel_latch_launch (MemlaneLatchWord *word, uint32_t ticket,
                                         uint64_t timeout_ns, cudaStream_t stream);

/* The background's words. The host writes stop, the device all else in one store. */
typedef struct
{
  volatile uint32_t stop;
  uint32_t padding[31];
  struct
  {
    volatile uint64_t turns, time;
  } done; /* turns of all blocks since the first launch, and when that was so (globaltimer) */
} MemlaneBackgroundWord;

#define MEMLANE_BACKGROUND_THREADS  512
#define MEMLANE_BACKGROUND_LAUNCHES 256 /* of one background */
#define MEMLANE_BACKGROUND_CHIP     512 /* multiprocessors of the largest GPU */
/* In device memory, all zero before the first launch of a background. */
typedef struct
{
  unsigned long long turns;
  volatile uint32_t stop;
  struct
  {
    unsigned long long begun;
    uint32_t leader, taken[MEMLANE_BACKGROUND_CHIP];
  } launches[MEMLANE_BACKGROUND_LAUNCHES];
} MemlaneBackgroundState;

/* Launch @launch, from 0: @blocks_each blocks of MEMLANE_BACKGROUND_THREADS threads on each of the
 * multiprocessors below @chosen of
 * @multiprocessors multiply and add in registers for @ns, or until @word->stop. Whatever clocks
 * say, no block takes more than some 10 ms. */
cudaError_t memlane_kernel_background_launch (MemlaneBackgroundState *state,
                                              MemlaneBackgroundWord *word, unsigned launch,
                                              unsigned chosen, unsigned multiprocessors,
                                              unsigned blocks_each, uint64_t ns,
                                              cudaStream_t stream);

/* Loads every kernel on the current device. CUDA loads a kernel at its first launch, and that load
 * waits for the device: behind a closed latch it would wait for ever. */
cudaError_t memlane_kernels_load (void);

/* The __managed__ arrays: MEMLANE_MANAGED_ARRAYS of them, of MEMLANE_MANAGED_ELEMENTS floats
 * each. */
#define MEMLANE_MANAGED_ARRAYS 3
#define MEMLANE_MANAGED_ELEMENTS ((size_t) 1 << 22)
cudaError_t memlane_kernels_managed_array (unsigned index, float **array);

/* Only for memlane_kernels_load: loads one file's kernels. */
cudaError_t memlane_kernel_vector_load (void);
cudaError_t memlane_kernel_latch_load (void);
cudaError_t memlane_kernel_claims_load (void);
cudaError_t memlane_kernel_gather_load (void);
cudaError_t memlane_kernel_background_load (void);

#ifdef __cplusplus
}
#endif
