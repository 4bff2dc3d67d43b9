/* test-old-cuda.c: a program that was built with a CUDA older than 12.8 has no batches of copies, and says why
 *
 * SPDX-License-Identifier: MIT
 */
#include <cuda_runtime_api.h>

#undef CUDART_VERSION
#define CUDART_VERSION 12070
#define memlane_cuda_many_calls old_cuda_many_calls /* the library that is linked has one, too */
#include "device/cuda/many.c"

#include "mode/workload.h"

static void
test_batch (void)
{
  MemlaneCudaDevice device = { 0 };
  const MemlaneCopies copies = { .n = 1, .all_bytes = 4, .kind = MEMLANE_COPY_TO_DEVICE };
  g_autoptr (GError) error = NULL;

  g_assert_false (memlane_cuda_has_batches ()); /* whatever the driver is */
  g_assert_false (memlane_cuda_many_calls.memcpy_batch_async ((MemlaneDevice *) &device, &copies, NULL, &error));
  g_assert_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==, "cudaMemcpyBatchAsync: cudaErrorNotSupported: this program was built with a CUDA older than 12.8");
}

/* A device without batches leaves the mode out, with a reason that a sweep's row holds. */
static void
test_mode (void)
{
  const MemlaneDeviceInfo info = { .capabilities = ~(MemlaneCapabilities) MEMLANE_CAN_COPY_BATCH };
  const MemlaneWorkload *workload = memlane_workload_find ("pieces-to-device");
  g_autofree char *reason = NULL, *none = NULL;

  g_assert_false (memlane_workload_is_supported (workload, memlane_mode_find ("pinned-batch"), &info, &reason));
  g_assert_cmpstr (reason, ==,
                   "needs cudaMemcpyBatchAsync: a driver of CUDA 12.8 or newer, and a Memlane that was built with such a CUDA");
  g_assert_true (memlane_workload_is_supported (workload, memlane_mode_find ("pinned-graph"), &info, &none));
  g_assert_null (none);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/old-cuda/batch", test_batch);
  g_test_add_func ("/old-cuda/mode", test_mode);
  return g_test_run ();
}
