/* error.c: CUDA's errors as GErrors, with what to do about them
 *
 * SPDX-License-Identifier: MIT
 */
#include "shared.h"

#include <string.h>

/* A status that is not here is MEMLANE_DEVICE_ERROR_FAILED. */
static const struct
{
  cudaError_t status;
  MemlaneDeviceError code;
} codes[] = {
  { cudaErrorMemoryAllocation, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY },

  { cudaErrorInvalidValue, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorInvalidConfiguration, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorInvalidSymbol, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorInvalidDevicePointer, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorInvalidMemcpyDirection, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorInvalidResourceHandle, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorHostMemoryAlreadyRegistered, MEMLANE_DEVICE_ERROR_INVALID },
  { cudaErrorHostMemoryNotRegistered, MEMLANE_DEVICE_ERROR_INVALID },

  { cudaErrorNotSupported, MEMLANE_DEVICE_ERROR_UNSUPPORTED },
  { cudaErrorNotPermitted, MEMLANE_DEVICE_ERROR_UNSUPPORTED },
  { cudaErrorPeerAccessUnsupported, MEMLANE_DEVICE_ERROR_UNSUPPORTED },

  { cudaErrorInitializationError, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorStubLibrary, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorInsufficientDriver, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorCallRequiresNewerDriver, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorDevicesUnavailable, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorNoDevice, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorInvalidDevice, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorNoKernelImageForDevice, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorUnsupportedPtxVersion, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorSystemNotReady, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorSystemDriverMismatch, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorCompatNotSupportedOnDevice, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorMpsConnectionFailed, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorMpsServerNotReady, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorMpsMaxClientsReached, MEMLANE_DEVICE_ERROR_UNAVAILABLE },
  { cudaErrorMpsMaxConnectionsReached, MEMLANE_DEVICE_ERROR_UNAVAILABLE },

  { cudaErrorCudartUnloading, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorDeviceUninitialized, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorECCUncorrectable, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorNvlinkUncorrectable, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorIllegalAddress, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorLaunchTimeout, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorContextIsDestroyed, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorAssert, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorHardwareStackError, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorIllegalInstruction, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorMisalignedAddress, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorInvalidAddressSpace, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorInvalidPc, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorLaunchFailure, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorExternalDevice, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorMpsClientTerminated, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorMpsRpcFailure, MEMLANE_DEVICE_ERROR_LOST },
  { cudaErrorUnknown, MEMLANE_DEVICE_ERROR_LOST },

  { cudaErrorTimeout, MEMLANE_DEVICE_ERROR_TIMEOUT },
};

/* Not a switch: -Wswitch-enum would have all of CUDA's errors listed. */
static MemlaneDeviceError
code_of (cudaError_t status)
{
  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (codes[i].status == status)
      return codes[i].code;

  return MEMLANE_DEVICE_ERROR_FAILED;
}

static gboolean
begins_with_any (const char *call, const char *const *prefixes)
{
  for (; *prefixes != NULL; prefixes++)
    if (g_str_has_prefix (call, *prefixes))
      return TRUE;

  return FALSE;
}

/* Returns advice for the user, or NULL if nothing general helps. */
static const char *
hint_for (cudaError_t status, MemlaneDeviceError code, const char *call)
{
  static const char *const pinning[] = { "cudaMallocHost", "cudaHostAlloc", "cudaHostRegister",
                                         NULL };
  static const char *const releases[] = { "cudaFree", "cudaHostUnregister", "cudaStreamDestroy",
                                          "cudaEventDestroy", NULL };

  if (status == cudaErrorMemoryAllocation && begins_with_any (call, pinning))
    return "ask for less, free host memory, or allow more locked memory (ulimit -l; in a container "
           "--ulimit memlock=-1)";
  if (status == cudaErrorMemoryAllocation)
    return "ask for less, or end other programs on this GPU (nvidia-smi lists them)";
  if (code == MEMLANE_DEVICE_ERROR_INVALID && begins_with_any (call, releases))
    return "it was not handed out by the matching call, or is released already";
  if (status == cudaErrorHostMemoryAlreadyRegistered)
    return "unregister it first";
  if (status == cudaErrorInsufficientDriver || status == cudaErrorCallRequiresNewerDriver
      || status == cudaErrorUnsupportedPtxVersion)
    return "install a newer NVIDIA driver";
  if (status == cudaErrorNoDevice || status == cudaErrorInvalidDevice)
    return "look at nvidia-smi and CUDA_VISIBLE_DEVICES; a container needs --gpus all";
  if (status == cudaErrorDevicesUnavailable)
    return "another process has the GPU for itself, or its compute mode forbids use (nvidia-smi -q "
           "-d COMPUTE)";
  if (status == cudaErrorNoKernelImageForDevice)
    return "this build holds no code for this GPU's generation; build with an nvcc that knows it";
  if (status == cudaErrorSystemNotReady)
    return "start nvidia-fabricmanager, and look at nvidia-smi";
  if (status == cudaErrorSystemDriverMismatch)
    return "the kernel module and libcuda are of different versions; restart the machine or load "
           "the matching module";
  if (code == MEMLANE_DEVICE_ERROR_LOST)
    return "the GPU is lost to this process; start the program again";

  return NULL;
}

gboolean
memlane_cuda_check (cudaError_t status, GError **error, const char *format, ...)
{
  if (G_LIKELY (status == cudaSuccess))
    return TRUE;

  /* Also where nobody asks for the message: the last error would turn up at the next launch. */
  cudaGetLastError ();

  if (error != NULL)
    {
      MemlaneDeviceError code = code_of (status);
      g_autofree char *call = NULL;
      const char *hint;
      va_list arguments;

      va_start (arguments, format);
      call = g_strdup_vprintf (format, arguments);
      va_end (arguments);

      hint = hint_for (status, code, call);
      g_set_error (error, MEMLANE_DEVICE_ERROR, code, "%s: %s: %s%s%s", call,
                   cudaGetErrorName (status), cudaGetErrorString (status), hint != NULL ? "; " : "",
                   hint != NULL ? hint : "");
    }

  return FALSE;
}

char *
memlane_cuda_describe_absence (cudaError_t status)
{
  int driver = 0;
  const char *hint = hint_for (status, code_of (status), "cudaGetDeviceCount");

  /* The runtime tells no driver and an old driver by the same error; only the first has no
   * version. */
  if (status == cudaErrorInsufficientDriver)
    {
      if (cudaDriverGetVersion (&driver) != cudaSuccess)
        driver = 0;
      cudaGetLastError ();
      if (driver == 0)
        return g_strdup ("no CUDA driver (cudaErrorInsufficientDriver); install NVIDIA's driver "
                         "where there is a GPU");

      return g_strdup_printf ("the CUDA driver serves CUDA %d.%d, this build needs %d.%d "
                              "(cudaErrorInsufficientDriver); "
                              "install a newer NVIDIA driver",
                              driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                              CUDART_VERSION % 1000 / 10);
    }
  if (status == cudaErrorNoDevice)
    return g_strdup_printf ("no CUDA device (cudaErrorNoDevice); %s", hint);

  return g_strdup_printf ("%s: %s%s%s", cudaGetErrorName (status), cudaGetErrorString (status),
                          hint != NULL ? "; " : "", hint != NULL ? hint : "");
}
