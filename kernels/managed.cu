/* managed.cu: the __managed__ arrays of the mode managed-static
 *
 * SPDX-License-Identifier: MIT
 *
 * A file of their own: CUDA loads a module that has managed variables at once, and the kernels
 * should not hang on that.
 */
#include "kernels.h"

static __managed__ float first[MEMLANE_MANAGED_ELEMENTS];
static __managed__ float second[MEMLANE_MANAGED_ELEMENTS];
static __managed__ float third[MEMLANE_MANAGED_ELEMENTS];

extern "C" cudaError_t
memlane_kernels_managed_array (unsigned index, float **array)
{
  void *address = NULL;
  cudaError_t status;

  switch (index)
    {
    case 0:
      status = cudaGetSymbolAddress (&address, first);
      break;
    case 1:
      status = cudaGetSymbolAddress (&address, second);
      break;
    case 2:
      status = cudaGetSymbolAddress (&address, third);
      break;
    default:
      return cudaErrorInvalidValue;
    }

  if (status == cudaSuccess)
    *array = (float *) address;

  return status;
}
