/* load.c: loads every kernel at once
 *
 * SPDX-License-Identifier: MIT
 */
#include "kernels.h"

cudaError_t
memlane_kernels_load (void)
{
  cudaError_t status = memlane_kernel_vector_load ();

  if (status == cudaSuccess)
    status = memlane_kernel_latch_load ();
  if (status == cudaSuccess)
    status = memlane_kernel_claims_load ();
  if (status == cudaSuccess)
    status = memlane_kernel_gather_load ();
  if (status == cudaSuccess)
    status = memlane_kernel_background_load ();

  return status;
}
