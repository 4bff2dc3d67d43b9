// probe.cu: meson compiles it to learn whether this nvcc, its headers and its host compiler will do
// SPDX-License-Identifier: MIT
#include <cuda_runtime_api.h>

#if CUDART_VERSION < 12000 // cudaInitDevice() and others came with it
#error CUDA 12 or newer is needed
#endif

extern "C" __global__ void
memlane_probe(int *value)
{
  *value = 1;
}
