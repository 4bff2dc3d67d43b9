/* fake-libcuda.c: as much of the driver as the recorder asks for; its name in the loader is libcuda.so.1
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>

#include <cuda.h>

static char *locked; /* by cuMemHostRegister() */
static size_t locked_bytes;

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

/* --- what a trial calls ---------------------------------------------------------------------- */

CUresult CUDAAPI
cuMemHostRegister (void *memory, size_t bytes, unsigned flags)
{
  if (getenv ("FAKE_REFUSES_LOCKING") != NULL || locked != NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  locked = memory;
  locked_bytes = bytes;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemHostUnregister (void *memory)
{
  if (memory != locked)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  locked = NULL;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuPointerGetAttribute (void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
  const char *at = (const char *) pointer;

  return locked != NULL && at >= locked && at < locked + locked_bytes ? CUDA_SUCCESS
                                                                      : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI
cuStreamSynchronize (CUstream stream)
{
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamSynchronize_ptsz (CUstream stream);

CUresult CUDAAPI
cuStreamSynchronize_ptsz (CUstream stream)
{
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamIsCapturing (CUstream stream, CUstreamCaptureStatus *status)
{
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxGetCurrent (CUcontext *context)
{
  *context = NULL;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxPushCurrent (CUcontext context)
{
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuCtxPopCurrent (CUcontext *context)
{
  return CUDA_SUCCESS;
}

#undef cuMemPrefetchAsync /* the driver has the old one by this name */
CUresult CUDAAPI cuMemPrefetchAsync (CUdeviceptr memory, size_t bytes, CUdevice device, CUstream stream);

CUresult CUDAAPI
cuMemPrefetchAsync (CUdeviceptr memory, size_t bytes, CUdevice device, CUstream stream)
{
  return CUDA_SUCCESS;
}

/* For the test: whether the memory that the program has freed is still locked. */
__attribute__ ((visibility ("default"))) int fake_cuda_is_locked (void);

int
fake_cuda_is_locked (void)
{
  return locked != NULL;
}
