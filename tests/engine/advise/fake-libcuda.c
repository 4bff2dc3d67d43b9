/* fake-libcuda.c: as much of the driver as the recorder asks for; its name in the loader is libcuda.so.1
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include <cuda.h>

CUresult CUDAAPI
cuCtxGetDevice (CUdevice *device)
{
  *device = 3;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceGetName (char *name, int length, CUdevice device)
{
  snprintf (name, (size_t) length, "NVIDIA Fake %d", device);
  return CUDA_SUCCESS;
}
