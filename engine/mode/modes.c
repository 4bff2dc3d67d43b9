/* modes.c: the registry of memory modes; one row each, in the order of every listing and legend
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode.h"

#include <string.h>

#include "base/each.h"
#include "base/i18n.h"
#include "base/words.h"
#include "transfer.h"

/* --- notes ------------------------------------------------------------------------------------ */

#define COPIES 5

/* The best of a few: a note, not a figure with an interval. */
static gboolean
copy_to_peer (const MemlaneBuffers *buffers, void *peer, void *back, double *best, GError **error)
{
  for (guint i = 0; i < COPIES; i++)
    {
      double begin = memlane_device_clock (buffers->device), ns;

      if (!memlane_device_memcpy (buffers->device, peer, buffers->input[0].host, buffers->bytes,
                                  MEMLANE_COPY_TO_DEVICE, error))
        return FALSE;
      ns = memlane_device_clock (buffers->device) - begin;
      *best = i == 0 ? ns : MIN (*best, ns);
    }
  return memlane_device_memcpy (buffers->device, back, peer, buffers->bytes, MEMLANE_COPY_TO_HOST,
                                error);
}

/* Portable memory is page-locked for every device: copies the first input to the second device as
 * well, where there is one, checks that it arrived and says how fast. *@note is NULL without a
 * second device or without inputs. */
static gboolean
note_second_device (const MemlaneBuffers *buffers, char **note, GError **error)
{
  MemlaneHeld held = { .device = buffers->device };
  void *peer, *back;
  double best = 0;
  gboolean copied;

  *note = NULL;
  if (!memlane_device_can (buffers->device, MEMLANE_CAN_PEER_COPY) || buffers->shape.inputs == 0
      || !(buffers->shape.inputs_on & MEMLANE_ON_HOST))
    return TRUE;
  copied = memlane_held_take (&held, error, { MEMLANE_TAKE_PEER, &peer, buffers->bytes },
                              { MEMLANE_TAKE_PAGEABLE, &back, buffers->bytes })
           && copy_to_peer (buffers, peer, back, &best, error);
  if (copied && memcmp (back, buffers->input[0].host, buffers->bytes) == 0)
    *note = g_strdup_printf ("one input to the second device: %.0f ns, %.0f MB/s", best,
                             (double) buffers->bytes / best * 1e3);
  else if (copied)
    *note = g_strdup ("one input to the second device: it did not arrive as it was");
  copied = memlane_held_give_all (&held, copied ? error : NULL) && copied;
  if (!copied)
    g_clear_pointer (note, g_free);
  return copied;
}

/* --- the registry ----------------------------------------------------------------------------- */

static const MemlaneMode modes[] = {
  {
      .id = "pageable",
      .effort = 1,
      .title = N_("Pageable"),
      .summary = N_("Ordinary memory from malloc. The copy engine cannot access it, so the driver "
                     "first copies it into a page-locked "
                     "staging buffer."),
      .calls = "malloc, cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, free",
      .look_for = N_("The extra host copy halves the bandwidth (or worse) for large vectors. "
                      "Allocation is fast."),
      .input_memory = MEMLANE_HOST_PAGEABLE,
      .output_memory = MEMLANE_HOST_PAGEABLE,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .way = MEMLANE_WAY_PAGEABLE,
      .family = MEMLANE_FAMILY_PAGEABLE,
  },
  {
      .id = "pageable-async",
      .effort = 10,
      .title = N_("Pageable (async)"),
      .summary = N_("Pageable memory, copied by cudaMemcpyAsync in a stream. "
                     "The driver stages the copies as before, so the calls block the host."),
      .calls = "malloc, cudaMalloc, cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync, "
               "cudaStreamSynchronize, cudaFree, free",
      .look_for = N_("The time of the calls (issue clock) grows with the size. With Pinned "
                      "(async) it stays constant."),
      .input_memory = MEMLANE_HOST_PAGEABLE,
      .output_memory = MEMLANE_HOST_PAGEABLE,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ASYNC_PAGEABLE],
      .way = MEMLANE_WAY_PAGEABLE,
      .family = MEMLANE_FAMILY_PAGEABLE,
      .same_host_memory = N_("its host memory is that of pageable"),
  },
  {
      .id = "pinned",
      .effort = 2,
      .title = N_("Pinned"),
      .summary = N_ (
          "Page-locked memory from cudaMallocHost. The copy engine reads and writes it directly."),
      .calls = "cudaMallocHost, cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, "
               "cudaFreeHost",
      .look_for = N_ (
          "Full link bandwidth for large vectors. Allocation is slow: see the break-even point."),
      .input_memory = MEMLANE_HOST_PINNED,
      .output_memory = MEMLANE_HOST_PINNED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
  },
  {
      .id = "pinned-async",
      .effort = 5,
      .title = N_("Pinned (async)"),
      .summary = N_("Page-locked memory from cudaHostAlloc, copied by cudaMemcpyAsync in one "
                     "stream. The calls return immediately, and the "
                     "host waits only at the end."),
      .calls = "cudaHostAlloc, cudaMalloc, cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync, "
               "cudaStreamSynchronize, cudaFree, "
               "cudaFreeHost",
      .look_for = N_("The host waits once instead of three times. Small vectors benefit most: "
                      "compare with Pinned."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ASYNC],
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "portable",
      .effort = 9,
      .identical_to = "pinned",
      .title = N_("Portable"),
      .summary = N_("Memory that is page-locked for every device of the process. "
                     "Without the flag it is page-locked for the device it was allocated with."),
      .calls = "cudaHostAlloc(cudaHostAllocPortable), cudaMalloc, cudaMemcpy, kernel<<<>>>, "
               "cudaMemcpy, cudaFree, cudaFreeHost",
      .look_for = N_ (
          "Same curve as Pinned. With unified addressing, all page-locked memory is portable."),
      .note = note_second_device,
      .input_memory = MEMLANE_HOST_PORTABLE,
      .output_memory = MEMLANE_HOST_PORTABLE,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
  },
  {
      .id = "write-combined",
      .effort = 11,
      .title = N_("Write-combined"),
      .summary = N_("Page-locked inputs that bypass the processor's caches. Sequential writes are "
                     "fast, reads by the host are very slow. "
                     "The result is in ordinary page-locked memory."),
      .calls = "cudaHostAlloc(cudaHostAllocWriteCombined), cudaMalloc, cudaMemcpy, kernel<<<>>>, "
               "cudaMemcpy, cudaFree, cudaFreeHost",
      .look_for = N_("Compare the “host writes” time with Pinned, and “host reads” in the "
                      "workload Copy to Host. "
                      "If both equal Pinned, the flag has no effect here."),
      .input_memory = MEMLANE_HOST_WRITE_COMBINED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .host_access_like = "pinned",
  },
  {
      .id = "registered",
      .effort = 7,
      .title = N_("Registered"),
      .summary = N_("Memory from malloc, page-locked afterwards by cudaHostRegister. Useful for "
                     "memory that a library has allocated."),
      .calls = "malloc, cudaHostRegister, cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, "
               "cudaFree, cudaHostUnregister, free",
      .look_for = N_("Same bandwidth as Pinned. Compare the allocation time."),
      .input_memory = MEMLANE_HOST_REGISTERED,
      .output_memory = MEMLANE_HOST_REGISTERED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .needs = MEMLANE_CAN_HOST_REGISTER,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
  },
  {
      .id = "mapped",
      .effort = 3,
      .title = N_("Mapped (zero-copy)"),
      .summary = N_("Page-locked memory that the kernel reads and writes over the link. "
                     "There are no copies, and no data stays on the device."),
      .calls = "cudaHostAlloc(cudaHostAllocMapped), cudaHostGetDevicePointer, kernel<<<>>>, "
               "cudaDeviceSynchronize, cudaFreeHost",
      .look_for = N_ (
          "Fastest for data used once over a fast link. Each further use crosses the link again."),
      .input_memory = MEMLANE_HOST_MAPPED,
      .output_memory = MEMLANE_HOST_MAPPED,
      .reach = MEMLANE_REACH_DEVICE_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
      .needs = MEMLANE_CAN_MAP_HOST_MEMORY,
      .way = MEMLANE_WAY_ZERO_COPY,
      .family = MEMLANE_FAMILY_ZERO_COPY,
  },
  {
      .id = "mapped-write-combined",
      .effort = 12,
      .title = N_("Mapped (write-combined)"),
      .summary = N_("As Mapped, with write-combined inputs. The device's reads need not snoop the "
                     "processor's caches."),
      .calls = "cudaHostAlloc(cudaHostAllocMapped | cudaHostAllocWriteCombined), "
               "cudaHostGetDevicePointer, kernel<<<>>>, "
               "cudaDeviceSynchronize, cudaFreeHost",
      .look_for = N_("Compare with Mapped, and compare the “host writes” time."),
      .input_memory = MEMLANE_HOST_MAPPED_WRITE_COMBINED,
      .output_memory = MEMLANE_HOST_MAPPED,
      .reach = MEMLANE_REACH_DEVICE_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
      .needs = MEMLANE_CAN_MAP_HOST_MEMORY,
      .way = MEMLANE_WAY_ZERO_COPY,
      .family = MEMLANE_FAMILY_ZERO_COPY,
  },
  {
      .id = "registered-mapped",
      .effort = 8,
      .title = N_("Mapped (registered)"),
      .summary = N_("Memory from malloc, page-locked and mapped by cudaHostRegister. Zero-copy "
                     "for memory that a library has allocated."),
      .calls = "malloc, cudaHostRegister(cudaHostRegisterMapped), cudaHostGetDevicePointer, "
               "kernel<<<>>>, cudaDeviceSynchronize, "
               "cudaHostUnregister, free",
      .look_for = N_ (
          "Same curve as Mapped. Compare the allocation time; small (4 KiB) pages may cost extra."),
      .input_memory = MEMLANE_HOST_REGISTERED_MAPPED,
      .output_memory = MEMLANE_HOST_REGISTERED_MAPPED,
      .reach = MEMLANE_REACH_DEVICE_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
      .needs = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_HOST_REGISTER,
      .way = MEMLANE_WAY_ZERO_COPY,
      .family = MEMLANE_FAMILY_ZERO_COPY,
  },
  {
      .id = "unified-addressing",
      .effort = 6,
      .identical_to = "mapped",
      .title = N_("Unified addressing"),
      .summary = N_("Mapped memory whose host pointer is passed to the kernel. Host and device "
                     "share one address space, so "
                     "cudaHostGetDevicePointer is not needed."),
      .calls =
          "cudaHostAlloc(cudaHostAllocMapped), kernel<<<>>>, cudaDeviceSynchronize, cudaFreeHost",
      .look_for = N_("Exactly the curve of Mapped: the pointer is the same."),
      .input_memory = MEMLANE_HOST_MAPPED,
      .output_memory = MEMLANE_HOST_MAPPED,
      .reach = MEMLANE_REACH_SAME_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
      .needs = MEMLANE_CAN_UNIFIED_ADDRESSING | MEMLANE_CAN_MAP_HOST_MEMORY,
      .way = MEMLANE_WAY_ZERO_COPY,
      .family = MEMLANE_FAMILY_ZERO_COPY,
      .same_host_memory = N_("its host memory is that of mapped"),
  },
  {
      .id = "mapped-shaped",
      .effort = 21,
      .title = N_("Mapped (shaped kernel)"),
      .summary = N_("As Mapped, but the kernel is shaped for the link: a few blocks walk over the "
                     "vectors in 16-byte steps. "
                     "Their number is tuned for each generation of GPUs."),
      .calls = "cudaHostAlloc(cudaHostAllocMapped), cudaHostGetDevicePointer, kernel<<<>>>, "
               "cudaDeviceSynchronize, cudaFreeHost",
      .look_for = N_("Compare with Mapped, whose kernel is the ordinary one of every other mode: "
                      "the difference is the shape."),
      .input_memory = MEMLANE_HOST_MAPPED,
      .output_memory = MEMLANE_HOST_MAPPED,
      .reach = MEMLANE_REACH_DEVICE_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
      .needs = MEMLANE_CAN_MAP_HOST_MEMORY,
      .way = MEMLANE_WAY_ZERO_COPY,
      .family = MEMLANE_FAMILY_ZERO_COPY,
      .same_host_memory = N_("its host memory is that of mapped"),
      .shaped_kernel = TRUE,
  },
  {
      .id = "managed",
      .effort = 4,
      .title = N_("Managed"),
      .summary = N_("One cudaMallocManaged allocation for host and device. Pages migrate to "
                     "whichever side accesses them. "
                     "Each sample starts with all pages on the host."),
      .calls = "cudaMallocManaged, kernel<<<>>>, cudaDeviceSynchronize, (the host touches the "
               "result), cudaFree",
      .look_for = N_("Page faults are part of the kernel time. With reuse they occur only once."),
      .input_memory = MEMLANE_HOST_MANAGED,
      .output_memory = MEMLANE_HOST_MANAGED,
      .reach = MEMLANE_REACH_SAME_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_FAULTS],
      .needs = MEMLANE_CAN_MANAGED_MEMORY,
      .way = MEMLANE_WAY_MANAGED,
      .family = MEMLANE_FAMILY_MANAGED,
  },
  {
      .id = "managed-static",
      .effort = 13,
      .title = N_("Managed (static)"),
      .summary = N_ (
          "Managed memory declared as __managed__ arrays. There is no allocation at run time; "
          "the maximum size is fixed at compile time."),
      .calls = "__managed__ float a[N], b[N], c[N]; kernel<<<>>>, cudaDeviceSynchronize, (the host "
               "touches the result)",
      .look_for = N_("Same curve as Managed, without allocation."),
      .input_memory = MEMLANE_HOST_MANAGED_STATIC,
      .output_memory = MEMLANE_HOST_MANAGED_STATIC,
      .reach = MEMLANE_REACH_SAME_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_FAULTS],
      .needs = MEMLANE_CAN_MANAGED_MEMORY,
      .way = MEMLANE_WAY_MANAGED,
      .family = MEMLANE_FAMILY_MANAGED,
  },
  {
      .id = "managed-prefetch",
      .effort = 15,
      .title = N_("Managed (prefetched)"),
      .summary = N_("Managed memory, moved by cudaMemPrefetchAsync before and after the kernel. "
                     "No page faults remain."),
      .calls = "cudaMallocManaged, cudaMemPrefetchAsync, kernel<<<stream>>>, cudaMemPrefetchAsync, "
               "cudaStreamSynchronize, cudaFree",
      .look_for = N_("Compare with Managed: the difference is the cost of the page faults."),
      .input_memory = MEMLANE_HOST_MANAGED,
      .output_memory = MEMLANE_HOST_MANAGED,
      .reach = MEMLANE_REACH_SAME_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_PREFETCH],
      .needs = MEMLANE_CAN_MANAGED_MEMORY | MEMLANE_CAN_CONCURRENT_MANAGED,
      .way = MEMLANE_WAY_MANAGED,
      .family = MEMLANE_FAMILY_MANAGED,
      .same_host_memory = N_("its host memory is that of managed"),
  },
  {
      .id = "managed-advised",
      .effort = 16,
      .title = N_("Managed (advised)"),
      .summary = N_("Managed memory with cudaMemAdvise. Inputs are read-mostly, so the device "
                     "keeps its own copies. "
                     "The result stays on the host and is written over the link."),
      .calls = "cudaMallocManaged, cudaMemAdvise, kernel<<<>>>, cudaDeviceSynchronize, (the host "
               "touches the result), cudaFree",
      .look_for = N_("The result does not migrate back. The inputs still fault once per sample."),
      .input_memory = MEMLANE_HOST_MANAGED,
      .output_memory = MEMLANE_HOST_MANAGED,
      .reach = MEMLANE_REACH_SAME_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_ADVISED],
      .needs = MEMLANE_CAN_MANAGED_MEMORY | MEMLANE_CAN_CONCURRENT_MANAGED,
      .way = MEMLANE_WAY_MANAGED,
      .family = MEMLANE_FAMILY_MANAGED,
      .same_host_memory = N_("its host memory is that of managed"),
      .result_stays_on_host = TRUE,
  },
  {
      .id = "streams-depth-first",
      .effort = 19,
      .title = N_("Streams (depth-first)"),
      .summary = N_("Page-locked memory in chunks on several streams, so that copies and kernels "
                     "overlap. For each chunk: upload, "
                     "kernel, download."),
      .calls = "cudaHostAlloc, cudaMalloc, for each chunk: cudaMemcpyAsync, kernel<<<stream>>>, "
               "cudaMemcpyAsync; cudaDeviceSynchronize, "
               "cudaFree, cudaFreeHost",
      .look_for = N_("Compare with Pinned (async): overlap helps large vectors, the additional "
                      "calls slow down small ones."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_DEPTH_FIRST],
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .way = MEMLANE_WAY_STREAMS,
      .family = MEMLANE_FAMILY_STREAMS,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "streams-breadth-first",
      .effort = 20,
      .title = N_("Streams (breadth-first)"),
      .summary = N_("The same chunks and streams. All uploads are issued first, then all kernels, "
                     "then all downloads."),
      .calls = "cudaHostAlloc, cudaMalloc, all cudaMemcpyAsync up, all kernel<<<stream>>>, all "
               "cudaMemcpyAsync down; cudaDeviceSynchronize, "
               "cudaFree, cudaFreeHost",
      .look_for = N_("Compare with depth-first: the order matters on devices with one copy "
                      "engine, and hardly with two or more."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BREADTH_FIRST],
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .way = MEMLANE_WAY_STREAMS,
      .family = MEMLANE_FAMILY_STREAMS,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "stream-ordered",
      .effort = 17,
      .title = N_("Stream-ordered"),
      .summary = N_("Page-locked host memory. Each sample allocates its device buffers by "
                     "cudaMallocAsync and frees them by cudaFreeAsync. "
                     "As CUDA begins, the pool gives its memory back at each synchronisation."),
      .calls = "cudaHostAlloc, cudaMallocAsync, cudaMemcpyAsync, kernel<<<stream>>>, "
               "cudaMemcpyAsync, cudaFreeAsync, cudaStreamSynchronize, "
               "cudaFreeHost",
      .look_for = N_("Compare with Stream-ordered (kept pool): the difference is memory that the "
                      "pool gives back and takes again."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_STREAM_ORDERED],
      .needs = MEMLANE_CAN_COPY_ASYNC | MEMLANE_CAN_MEMORY_POOLS,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_STREAM_ORDERED,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "stream-ordered-kept",
      .effort = 18,
      .title = N_("Stream-ordered (kept pool)"),
      .summary = N_("As Stream-ordered, with the pool's release threshold at its maximum. The "
                     "pool keeps what is freed, and the next "
                     "allocation finds it there."),
      .calls =
          "cudaDeviceGetDefaultMemPool, cudaMemPoolSetAttribute(cudaMemPoolAttrReleaseThreshold), "
          "cudaHostAlloc, cudaMallocAsync, "
          "cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync, cudaFreeAsync, "
          "cudaStreamSynchronize, cudaMemPoolTrimTo, cudaFreeHost",
      .look_for = N_("Compare with Pinned (async): the difference is the cost of three "
                      "allocations from a pool."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_STREAM_ORDERED_KEPT],
      .needs = MEMLANE_CAN_COPY_ASYNC | MEMLANE_CAN_MEMORY_POOLS,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_STREAM_ORDERED,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "system",
      .effort = 14,
      .title = N_("System memory"),
      .summary = N_ (
          "Memory from malloc, passed to the kernel directly. "
          "The driver or the link must let the device access all memory of the process."),
      .calls = "malloc, kernel<<<>>>, cudaDeviceSynchronize, (the host touches the result), free",
      .look_for = N_("Near the link's bandwidth on coherent links. With page faults (HMM), the "
                      "curve of Managed."),
      .input_memory = MEMLANE_HOST_PAGEABLE,
      .output_memory = MEMLANE_HOST_PAGEABLE,
      .reach = MEMLANE_REACH_SAME_POINTER,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_FAULTS],
      .needs = MEMLANE_CAN_PAGEABLE_ACCESS,
      .way = MEMLANE_WAY_MANAGED,
      .family = MEMLANE_FAMILY_MANAGED,
      .same_host_memory = N_("its host memory is that of pageable"),
  },
  {
      .id = "device-resident",
      .effort = 22,
      .title = N_("Device-resident"),
      .summary = N_("The data is already on the device and stays there, without transfers. The "
                     "limit that reuse approaches."),
      .calls = "cudaMalloc, (upload), kernel<<<>>>, cudaDeviceSynchronize, (download), cudaFree",
      .look_for = N_("The lower limit of every other mode's time. Large vectors reach the "
                      "bandwidth of the device's memory."),
      .input_memory = MEMLANE_HOST_PAGEABLE,
      .output_memory = MEMLANE_HOST_PAGEABLE,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_RESIDENT],
      .way = MEMLANE_WAY_RESIDENT,
      .family = MEMLANE_FAMILY_BASELINE,
  },
  {
      .id = "pinned-batch",
      .effort = 23,
      .title = N_("Pinned (batch)"),
      .summary = N_("Many pieces of page-locked memory, copied by one call of "
                     "cudaMemcpyBatchAsync. The pieces are copied in no order "
                     "among themselves."),
      .calls = "cudaHostAlloc, cudaMalloc, cudaMemcpyBatchAsync, cudaStreamSynchronize, cudaFree, "
               "cudaFreeHost",
      .look_for = N_("Compare with Pinned (async), which makes one call for each piece. Look for "
                      "a jump at 32 KiB a piece."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BATCH],
      .needs = MEMLANE_CAN_COPY_ASYNC | MEMLANE_CAN_COPY_BATCH,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "pinned-packed",
      .effort = 24,
      .title = N_("Pinned (packed)"),
      .summary = N_("One thread of the host packs many pieces into one page-locked buffer, which "
                     "is copied at once. "
                     "On the way back it unpacks them."),
      .calls = "malloc, cudaMallocHost, cudaMalloc, (the host packs), cudaMemcpyAsync, "
               "cudaStreamSynchronize, cudaFree, cudaFreeHost, free",
      .look_for = N_("The limit is how fast one thread copies on the host. Page-locking is paid "
                      "for one buffer alone."),
      .input_memory = MEMLANE_HOST_PAGEABLE,
      .output_memory = MEMLANE_HOST_PAGEABLE,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_PACKED],
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of pageable"),
  },
  {
      .id = "pinned-packed-threads",
      .effort = 26,
      .title = N_("Pinned (packed by threads)"),
      .summary = N_("Eight threads of the host pack many pieces into one page-locked buffer, "
                     "which is copied at once. "
                     "On the way back they unpack them."),
      .calls = "malloc, cudaMallocHost, cudaMalloc, (eight threads pack), cudaMemcpyAsync, "
               "cudaStreamSynchronize, cudaFree, cudaFreeHost, "
               "free",
      .look_for = N_("Compare with Pinned (packed): the difference is what further threads of the "
                      "host are good for."),
      .input_memory = MEMLANE_HOST_PAGEABLE,
      .output_memory = MEMLANE_HOST_PAGEABLE,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_PACKED_THREADS],
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of pageable"),
  },
  {
      .id = "pinned-graph",
      .effort = 25,
      .title = N_("Pinned (graph)"),
      .summary = N_("Many pieces of page-locked memory, whose copies were recorded once as a CUDA "
                     "graph. One call launches all of them."),
      .calls = "cudaHostAlloc, cudaMalloc, cudaStreamBeginCapture, cudaMemcpyAsync of each piece, "
               "cudaStreamEndCapture, "
               "cudaGraphInstantiateWithFlags, cudaGraphDestroy, cudaGraphLaunch, "
               "cudaStreamSynchronize, cudaGraphExecDestroy, cudaFree, "
               "cudaFreeHost",
      .look_for = N_("Compare with Pinned (async): the difference is what the host's calls cost. "
                      "Making the graph is part of “alloc”."),
      .input_memory = MEMLANE_HOST_ALLOCATED,
      .output_memory = MEMLANE_HOST_ALLOCATED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_GRAPH],
      .needs = MEMLANE_CAN_COPY_ASYNC,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of pinned"),
  },
  {
      .id = "registered-read-only",
      .effort = 27,
      .title = N_("Registered (read-only)"),
      .summary = N_("Inputs from malloc, page-locked by cudaHostRegister as memory that the "
                     "device only reads. "
                     "The result is registered as usual."),
      .calls = "malloc, cudaHostRegister(cudaHostRegisterReadOnly), cudaMalloc, cudaMemcpy, "
               "kernel<<<>>>, cudaMemcpy, cudaFree, "
               "cudaHostUnregister, free",
      .look_for = N_("Same curve as Registered. The flag is for memory that the program itself "
                      "may only read, such as a mapped file."),
      .input_memory = MEMLANE_HOST_REGISTERED_READ_ONLY,
      .output_memory = MEMLANE_HOST_REGISTERED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .needs = MEMLANE_CAN_HOST_REGISTER | MEMLANE_CAN_REGISTER_READ_ONLY,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of registered"),
  },
  {
      .id = "virtual-memory",
      .effort = 28,
      .title = N_("Virtual memory"),
      .summary = N_("Page-locked host memory. The device's vectors are mapped by the driver: an "
                     "address range is reserved, memory is "
                     "created and mapped there, and access is granted."),
      .calls = "cudaMallocHost, cuMemGetAllocationGranularity, cuMemAddressReserve, cuMemCreate, "
               "cuMemMap, cuMemSetAccess, cuMemRelease, "
               "cudaMemcpy, kernel<<<>>>, cudaMemcpy, cuMemUnmap, cuMemAddressFree, cudaFreeHost",
      .look_for = N_("Same curve as Pinned. Compare the times of allocation and release, which "
                      "are the price of such memory."),
      .input_memory = MEMLANE_HOST_PINNED,
      .output_memory = MEMLANE_HOST_PINNED,
      .reach = MEMLANE_REACH_DEVICE_COPY,
      .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
      .needs = MEMLANE_CAN_VIRTUAL_MEMORY,
      .way = MEMLANE_WAY_PINNED,
      .family = MEMLANE_FAMILY_PINNED,
      .same_host_memory = N_("its host memory is that of pinned"),
      .virtual_memory = TRUE,
  },
};

G_STATIC_ASSERT (G_N_ELEMENTS (modes) <= MEMLANE_MOST_MODES);

MEMLANE_DEFINE_NAMES (memlane_family_id, MemlaneFamily, MEMLANE_N_FAMILIES, "pageable", "pinned",
                      "zero-copy", "managed", "streams", "stream-ordered", "baseline")
MEMLANE_DEFINE_NAMES (memlane_family_title, MemlaneFamily, MEMLANE_N_FAMILIES, N_("Pageable"),
                      N_("Pinned"), N_("Zero-copy"), N_("Managed"), N_("Overlapped streams"),
                      N_("Stream-ordered"), N_("Baseline"))

const MemlaneMode *
memlane_mode_list (guint *n)
{
  *n = G_N_ELEMENTS (modes);
  return modes;
}

const MemlaneMode *
memlane_mode_find (const char *id)
{
  g_return_val_if_fail (id != NULL, NULL);
  MEMLANE_FOR_EACH_OF (const MemlaneMode, mode, n, memlane_mode_list (&n))
    if (strcmp (mode->id, id) == 0)
      return mode;
  return NULL;
}

char *
memlane_capabilities_explain_missing (MemlaneCapabilities needs, const MemlaneDeviceInfo *info)
{
  MemlaneCapabilities missing = needs & ~info->capabilities;

  if (missing == 0)
    return NULL;
  if (missing == MEMLANE_CAN_COPY_BATCH)
    return g_strdup ("needs cudaMemcpyBatchAsync: a driver of CUDA 12.8 or newer, and a Memlane "
                     "that was built with such a CUDA");
  return g_strdup_printf ("needs %s, which is 0 on this device", memlane_capability_name (missing));
}
