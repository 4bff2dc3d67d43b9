/* plain.h: what the plain CUDA programs beside it have in common; they share nothing with Memlane
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

static inline void
must (cudaError_t status, const char *what)
{
  if (status == cudaSuccess)
    return;
  std::fprintf (stderr, "%s: %s\n", what, cudaGetErrorString (status));
  std::exit (1);
}
#define MUST(call) must (call, #call)

/* Seconds of a clock that only goes on. */
static inline double
now (void)
{
  return std::chrono::duration<double> (std::chrono::steady_clock::now ().time_since_epoch ())
      .count ();
}
