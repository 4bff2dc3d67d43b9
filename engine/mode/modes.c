/* modes.c: the registry of memory modes; one row each, in the order of every listing and legend
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode.h"

#include <string.h>

#include "base/i18n.h"
#include "transfer.h"

/* --- notes -------------------------------------------------------------------------------------------------------- */

#define COPIES 5

/* The best of a few: a note, not a figure with an interval. */
static gboolean
copy_to_peer (const MemlaneBuffers *buffers, void *peer, void *back, double *best, GError **error)
{
  for (guint i = 0; i < COPIES; i++)
    {
      double begin = memlane_device_clock (buffers->device), ns;

      if (!memlane_device_memcpy (buffers->device, peer, buffers->input[0].host, buffers->bytes, MEMLANE_COPY_TO_DEVICE, error))
        return FALSE;
      ns = memlane_device_clock (buffers->device) - begin;
      *best = i == 0 ? ns : MIN (*best, ns);
    }
  return memlane_device_memcpy (buffers->device, back, peer, buffers->bytes, MEMLANE_COPY_TO_HOST, error);
}

/* Portable memory is page-locked for every device: copies the first input to the second device as well, where there is one, checks that it
 * arrived and says how fast. *@note is NULL without a second device or without inputs. */
static gboolean
note_second_device (const MemlaneBuffers *buffers, char **note, GError **error)
{
  void *peer = NULL, *back = NULL;
  double best = 0;
  gboolean copied;

  *note = NULL;
  if (!memlane_device_can (buffers->device, MEMLANE_CAN_PEER_COPY) || buffers->shape.inputs == 0 || !buffers->shape.inputs_on_host)
    return TRUE;
  copied = memlane_device_peer_malloc (buffers->device, buffers->bytes, &peer, error)
           && memlane_device_host_malloc (buffers->device, buffers->bytes, &back, error)
           && copy_to_peer (buffers, peer, back, &best, error);
  if (copied && memcmp (back, buffers->input[0].host, buffers->bytes) == 0)
    *note = g_strdup_printf ("one input to the second device: %.0f ns, %.0f MB/s", best, (double) buffers->bytes / best * 1e3);
  else if (copied)
    *note = g_strdup ("one input to the second device: it did not arrive as it was");
  if (back != NULL)
    copied = memlane_device_host_free (buffers->device, back, copied ? error : NULL) && copied;
  if (peer != NULL)
    copied = memlane_device_peer_free (buffers->device, peer, copied ? error : NULL) && copied;
  if (!copied)
    g_clear_pointer (note, g_free);
  return copied;
}

/* --- the registry ------------------------------------------------------------------------------------------------- */

static const MemlaneMode modes[] = {
  {
    .id = "pageable",
    .effort = 1,
    .title = N_ ("Pageable"),
    .summary = N_ ("Ordinary memory from malloc. The driver cannot let a copy engine at it, "
                   "so it first copies it into a page-locked staging buffer of its own."),
    .calls = "malloc, cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, free",
    .look_for = N_ ("The second copy on the host: at large sizes about half of pinned memory's bandwidth or less. Nothing to "
                    "allocate slowly."),
    .input_memory = MEMLANE_HOST_PAGEABLE, .output_memory = MEMLANE_HOST_PAGEABLE,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
    .way = MEMLANE_WAY_PAGEABLE, .family = MEMLANE_FAMILY_PAGEABLE,
  },
  {
    .id = "pageable-async",
    .effort = 10,
    .title = N_ ("Pageable, async calls"),
    .summary = N_ ("Pageable memory again, copied by cudaMemcpyAsync in a stream. "
                   "The copies are staged as before, so the call is not asynchronous in effect."),
    .calls = "malloc, cudaMalloc, cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync, cudaStreamSynchronize, cudaFree, free",
    .look_for = N_ ("The issue clock: it grows with the size, where pinned-async stays flat."),
    .input_memory = MEMLANE_HOST_PAGEABLE, .output_memory = MEMLANE_HOST_PAGEABLE,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ASYNC_PAGEABLE],
    .way = MEMLANE_WAY_PAGEABLE, .family = MEMLANE_FAMILY_PAGEABLE, .dash = MEMLANE_DASH_DASHED,
    .same_host_memory = N_ ("its host memory is that of pageable"),
  },
  {
    .id = "pinned",
    .effort = 2,
    .title = N_ ("Pinned"),
    .summary = N_ ("Page-locked memory from cudaMallocHost. The copy engine reads and writes it directly."),
    .calls = "cudaMallocHost, cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, cudaFreeHost",
    .look_for = N_ ("The link's full bandwidth at large sizes, and a high price of allocation: see break-even."),
    .input_memory = MEMLANE_HOST_PINNED, .output_memory = MEMLANE_HOST_PINNED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
    .way = MEMLANE_WAY_PINNED, .family = MEMLANE_FAMILY_PINNED,
  },
  {
    .id = "pinned-async",
    .effort = 5,
    .title = N_ ("Pinned, async calls"),
    .summary = N_ ("Page-locked memory from cudaHostAlloc, copied by cudaMemcpyAsync in one stream. The calls return at once; "
                   "the host waits only at the end."),
    .calls = "cudaHostAlloc, cudaMalloc, cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync, cudaStreamSynchronize, cudaFree, "
             "cudaFreeHost",
    .look_for = N_ ("Against pinned: one wait instead of three, so small sizes gain most."),
    .input_memory = MEMLANE_HOST_ALLOCATED, .output_memory = MEMLANE_HOST_ALLOCATED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ASYNC], .needs = MEMLANE_CAN_COPY_ASYNC,
    .way = MEMLANE_WAY_PINNED, .family = MEMLANE_FAMILY_PINNED, .dash = MEMLANE_DASH_DASHED,
    .same_host_memory = N_ ("its host memory is that of pinned"),
  },
  {
    .id = "portable",
    .effort = 9,
    .identical_to = "pinned",
    .title = N_ ("Portable"),
    .summary = N_ ("Page-locked memory that counts as page-locked for every device of the process, "
                   "not only for the one that was current when it was allocated."),
    .calls = "cudaHostAlloc(cudaHostAllocPortable), cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, cudaFreeHost",
    .look_for = N_ ("The same curve as pinned; under unified addressing all pinned memory is portable."),
    .note = note_second_device,
    .input_memory = MEMLANE_HOST_PORTABLE, .output_memory = MEMLANE_HOST_PORTABLE,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
    .way = MEMLANE_WAY_PINNED, .family = MEMLANE_FAMILY_PINNED, .dash = MEMLANE_DASH_DOTTED,
  },
  {
    .id = "write-combined",
    .effort = 11,
    .title = N_ ("Write-combined"),
    .summary = N_ ("Page-locked inputs that bypass the processor's caches: good to write in order, very slow to read back. "
                   "The result is ordinary pinned memory."),
    .calls = "cudaHostAlloc(cudaHostAllocWriteCombined), cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, cudaFreeHost",
    .look_for = N_ ("host_write against pinned, and host_read in the workload copy-to-host. "
                    "Where both equal pinned, the flag had no effect on this machine."),
    .input_memory = MEMLANE_HOST_WRITE_COMBINED, .output_memory = MEMLANE_HOST_ALLOCATED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING],
    .way = MEMLANE_WAY_PINNED, .family = MEMLANE_FAMILY_PINNED, .dash = MEMLANE_DASH_DASH_DOT,
    .host_access_like = "pinned",
  },
  {
    .id = "registered",
    .effort = 7,
    .title = N_ ("Registered"),
    .summary = N_ ("Memory from malloc that cudaHostRegister locks afterwards. For data that somebody else has allocated."),
    .calls = "malloc, cudaHostRegister, cudaMalloc, cudaMemcpy, kernel<<<>>>, cudaMemcpy, cudaFree, cudaHostUnregister, free",
    .look_for = N_ ("pinned's bandwidth; compare the alloc phase."),
    .input_memory = MEMLANE_HOST_REGISTERED, .output_memory = MEMLANE_HOST_REGISTERED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_BLOCKING], .needs = MEMLANE_CAN_HOST_REGISTER,
    .way = MEMLANE_WAY_PINNED, .family = MEMLANE_FAMILY_PINNED, .dash = MEMLANE_DASH_SPARSE,
  },
  {
    .id = "mapped",
    .effort = 3,
    .title = N_ ("Mapped (zero-copy)"),
    .summary = N_ ("Page-locked memory that the kernel reads and writes in place, over the link. "
                   "There are no copies, and nothing is kept on the device."),
    .calls = "cudaHostAlloc(cudaHostAllocMapped), cudaHostGetDevicePointer, kernel<<<>>>, cudaDeviceSynchronize, cudaFreeHost",
    .look_for = N_ ("Unbeaten for data used once on a fast link; with reuse every pass pays the link again."),
    .input_memory = MEMLANE_HOST_MAPPED, .output_memory = MEMLANE_HOST_MAPPED,
    .reach = MEMLANE_REACH_DEVICE_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS], .needs = MEMLANE_CAN_MAP_HOST_MEMORY,
    .way = MEMLANE_WAY_ZERO_COPY, .family = MEMLANE_FAMILY_ZERO_COPY,
  },
  {
    .id = "mapped-write-combined",
    .effort = 12,
    .title = N_ ("Mapped, write-combined"),
    .summary = N_ ("As mapped, with write-combined inputs: the link's reads need not ask the processor's caches."),
    .calls = "cudaHostAlloc(cudaHostAllocMapped | cudaHostAllocWriteCombined), cudaHostGetDevicePointer, kernel<<<>>>, "
             "cudaDeviceSynchronize, cudaFreeHost",
    .look_for = N_ ("A difference from mapped, if there is any; and what host_write costs."),
    .input_memory = MEMLANE_HOST_MAPPED_WRITE_COMBINED, .output_memory = MEMLANE_HOST_MAPPED,
    .reach = MEMLANE_REACH_DEVICE_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS], .needs = MEMLANE_CAN_MAP_HOST_MEMORY,
    .way = MEMLANE_WAY_ZERO_COPY, .family = MEMLANE_FAMILY_ZERO_COPY, .dash = MEMLANE_DASH_DASHED,
  },
  {
    .id = "registered-mapped",
    .effort = 8,
    .title = N_ ("Registered, mapped"),
    .summary = N_ ("Memory from malloc, locked and mapped by cudaHostRegister. Zero-copy for data that somebody else has allocated."),
    .calls = "malloc, cudaHostRegister(cudaHostRegisterMapped), cudaHostGetDevicePointer, kernel<<<>>>, cudaDeviceSynchronize, "
             "cudaHostUnregister, free",
    .look_for = N_ ("mapped's curve; compare the alloc phase. Pages of 4 KiB may cost where mapped has larger ones."),
    .input_memory = MEMLANE_HOST_REGISTERED_MAPPED, .output_memory = MEMLANE_HOST_REGISTERED_MAPPED,
    .reach = MEMLANE_REACH_DEVICE_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
    .needs = MEMLANE_CAN_MAP_HOST_MEMORY | MEMLANE_CAN_HOST_REGISTER,
    .way = MEMLANE_WAY_ZERO_COPY, .family = MEMLANE_FAMILY_ZERO_COPY, .dash = MEMLANE_DASH_DOTTED,
  },
  {
    .id = "unified-addressing",
    .effort = 6,
    .identical_to = "mapped",
    .title = N_ ("Unified addressing"),
    .summary = N_ ("Mapped memory, and the kernel gets the host's own pointer: one address space for both sides. No "
                   "cudaHostGetDevicePointer."),
    .calls = "cudaHostAlloc(cudaHostAllocMapped), kernel<<<>>>, cudaDeviceSynchronize, cudaFreeHost",
    .look_for = N_ ("mapped's curve, exactly: the pointer is the same."),
    .input_memory = MEMLANE_HOST_MAPPED, .output_memory = MEMLANE_HOST_MAPPED,
    .reach = MEMLANE_REACH_SAME_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ACCESS],
    .needs = MEMLANE_CAN_UNIFIED_ADDRESSING | MEMLANE_CAN_MAP_HOST_MEMORY,
    .way = MEMLANE_WAY_ZERO_COPY, .family = MEMLANE_FAMILY_ZERO_COPY, .dash = MEMLANE_DASH_DASH_DOT,
    .same_host_memory = N_ ("its host memory is that of mapped"),
  },
  {
    .id = "managed",
    .effort = 4,
    .title = N_ ("Managed"),
    .summary = N_ ("One allocation for both sides by cudaMallocManaged; pages move when somebody touches them. "
                   "Each sample starts cold, with all pages on the host."),
    .calls = "cudaMallocManaged, kernel<<<>>>, cudaDeviceSynchronize, (the host touches the result), cudaFree",
    .look_for = N_ ("The price of page faults: the kernel phase holds them. With reuse they are paid once."),
    .input_memory = MEMLANE_HOST_MANAGED, .output_memory = MEMLANE_HOST_MANAGED,
    .reach = MEMLANE_REACH_SAME_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_FAULTS], .needs = MEMLANE_CAN_MANAGED_MEMORY,
    .way = MEMLANE_WAY_MANAGED, .family = MEMLANE_FAMILY_MANAGED,
  },
  {
    .id = "managed-static",
    .effort = 13,
    .title = N_ ("Managed, static"),
    .summary = N_ ("Managed memory declared as __managed__ arrays in the program. Nothing to allocate; "
                   "the largest size is fixed when it is compiled."),
    .calls = "__managed__ float a[N], b[N], c[N]; kernel<<<>>>, cudaDeviceSynchronize, (the host touches the result)",
    .look_for = N_ ("managed's curve without the alloc phase."),
    .input_memory = MEMLANE_HOST_MANAGED_STATIC, .output_memory = MEMLANE_HOST_MANAGED_STATIC,
    .reach = MEMLANE_REACH_SAME_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_FAULTS], .needs = MEMLANE_CAN_MANAGED_MEMORY,
    .way = MEMLANE_WAY_MANAGED, .family = MEMLANE_FAMILY_MANAGED, .dash = MEMLANE_DASH_DASHED,
  },
  {
    .id = "managed-prefetch",
    .effort = 15,
    .title = N_ ("Managed, prefetched"),
    .summary = N_ ("Managed memory whose pages are sent ahead by cudaMemPrefetchAsync, up before the kernel and down after it. "
                   "No page faults are left."),
    .calls = "cudaMallocManaged, cudaMemPrefetchAsync, kernel<<<stream>>>, cudaMemPrefetchAsync, cudaStreamSynchronize, cudaFree",
    .look_for = N_ ("How much of managed's loss the prefetch wins back."),
    .input_memory = MEMLANE_HOST_MANAGED, .output_memory = MEMLANE_HOST_MANAGED,
    .reach = MEMLANE_REACH_SAME_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_PREFETCH],
    .needs = MEMLANE_CAN_MANAGED_MEMORY | MEMLANE_CAN_CONCURRENT_MANAGED,
    .way = MEMLANE_WAY_MANAGED, .family = MEMLANE_FAMILY_MANAGED, .dash = MEMLANE_DASH_DOTTED,
    .same_host_memory = N_ ("its host memory is that of managed"),
  },
  {
    .id = "managed-advised",
    .effort = 16,
    .title = N_ ("Managed, advised"),
    .summary = N_ ("Managed memory with cudaMemAdvise: the inputs are read-mostly, so the device reads copies of its own; "
                   "the result prefers the host and is written over the link."),
    .calls = "cudaMallocManaged, cudaMemAdvise, kernel<<<>>>, cudaDeviceSynchronize, (the host touches the result), cudaFree",
    .look_for = N_ ("Cheap results: nothing migrates back. The inputs still fault once per sample."),
    .input_memory = MEMLANE_HOST_MANAGED, .output_memory = MEMLANE_HOST_MANAGED,
    .reach = MEMLANE_REACH_SAME_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_ADVISED],
    .needs = MEMLANE_CAN_MANAGED_MEMORY | MEMLANE_CAN_CONCURRENT_MANAGED,
    .way = MEMLANE_WAY_MANAGED, .family = MEMLANE_FAMILY_MANAGED, .dash = MEMLANE_DASH_DASH_DOT,
    .same_host_memory = N_ ("its host memory is that of managed"),
    .result_stays_on_host = TRUE,
  },
  {
    .id = "streams-depth-first",
    .effort = 18,
    .title = N_ ("Streams, depth first"),
    .summary = N_ ("Pinned memory in chunks on several streams, so that copies run beside kernels. Issued chunk by chunk: up, "
                   "kernel, down."),
    .calls = "cudaHostAlloc, cudaMalloc, for each chunk: cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync; cudaDeviceSynchronize, "
             "cudaFree, cudaFreeHost",
    .look_for = N_ ("Against pinned-async: overlap pays at large sizes, the extra calls cost at small ones."),
    .input_memory = MEMLANE_HOST_ALLOCATED, .output_memory = MEMLANE_HOST_ALLOCATED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_DEPTH_FIRST], .needs = MEMLANE_CAN_COPY_ASYNC,
    .way = MEMLANE_WAY_STREAMS, .family = MEMLANE_FAMILY_STREAMS,
    .same_host_memory = N_ ("its host memory is that of pinned"),
  },
  {
    .id = "streams-breadth-first",
    .effort = 19,
    .title = N_ ("Streams, breadth first"),
    .summary = N_ ("The same chunks and streams, issued as all uploads, then all kernels, then all downloads."),
    .calls = "cudaHostAlloc, cudaMalloc, all cudaMemcpyAsync up, all kernel<<<stream>>>, all cudaMemcpyAsync down; cudaDeviceSynchronize, "
             "cudaFree, cudaFreeHost",
    .look_for = N_ ("Against depth first: the order decides on devices with one copy engine; with two or more it hardly matters."),
    .input_memory = MEMLANE_HOST_ALLOCATED, .output_memory = MEMLANE_HOST_ALLOCATED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_BREADTH_FIRST], .needs = MEMLANE_CAN_COPY_ASYNC,
    .way = MEMLANE_WAY_STREAMS, .family = MEMLANE_FAMILY_STREAMS, .dash = MEMLANE_DASH_DASHED,
    .same_host_memory = N_ ("its host memory is that of pinned"),
  },
  {
    .id = "stream-ordered",
    .effort = 17,
    .title = N_ ("Stream-ordered"),
    .summary = N_ ("Pinned host memory; the device buffers come from cudaMallocAsync and go back by cudaFreeAsync inside each sample, "
                   "in the order of the stream."),
    .calls = "cudaHostAlloc, cudaMallocAsync, cudaMemcpyAsync, kernel<<<stream>>>, cudaMemcpyAsync, cudaFreeAsync, cudaStreamSynchronize, "
             "cudaFreeHost",
    .look_for = N_ ("Against pinned-async: what three allocations from the pool cost per sample."),
    .input_memory = MEMLANE_HOST_ALLOCATED, .output_memory = MEMLANE_HOST_ALLOCATED,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_STREAM_ORDERED],
    .needs = MEMLANE_CAN_COPY_ASYNC | MEMLANE_CAN_MEMORY_POOLS,
    .way = MEMLANE_WAY_PINNED, .family = MEMLANE_FAMILY_STREAM_ORDERED,
    .same_host_memory = N_ ("its host memory is that of pinned"),
  },
  {
    .id = "system",
    .effort = 14,
    .title = N_ ("System memory"),
    .summary = N_ ("Memory from malloc handed to the kernel as it is. "
                   "Needs a driver or a link that lets the device reach all of the process's memory."),
    .calls = "malloc, kernel<<<>>>, cudaDeviceSynchronize, (the host touches the result), free",
    .look_for = N_ ("On coherent links nearly device bandwidth; through page faults (HMM) managed's curve."),
    .input_memory = MEMLANE_HOST_PAGEABLE, .output_memory = MEMLANE_HOST_PAGEABLE,
    .reach = MEMLANE_REACH_SAME_POINTER, .transfer = &memlane_transfers[MEMLANE_TRANSFER_FAULTS], .needs = MEMLANE_CAN_PAGEABLE_ACCESS,
    .way = MEMLANE_WAY_MANAGED, .family = MEMLANE_FAMILY_MANAGED, .dash = MEMLANE_DASH_SPARSE,
    .same_host_memory = N_ ("its host memory is that of pageable"),
  },
  {
    .id = "device-resident",
    .effort = 20,
    .title = N_ ("Device-resident"),
    .summary = N_ ("The data is on the device already and stays there; nothing travels. The baseline that reuse approaches."),
    .calls = "cudaMalloc, (upload), kernel<<<>>>, cudaDeviceSynchronize, (download), cudaFree",
    .look_for = N_ ("The floor under every other mode, and the device's memory bandwidth at large sizes."),
    .input_memory = MEMLANE_HOST_PAGEABLE, .output_memory = MEMLANE_HOST_PAGEABLE,
    .reach = MEMLANE_REACH_DEVICE_COPY, .transfer = &memlane_transfers[MEMLANE_TRANSFER_RESIDENT],
    .way = MEMLANE_WAY_RESIDENT, .family = MEMLANE_FAMILY_BASELINE,
  },
};

static const struct
{
  const char *id, *title;
} families[MEMLANE_N_FAMILIES] = {
  [MEMLANE_FAMILY_PAGEABLE] = { "pageable", N_ ("Pageable") },
  [MEMLANE_FAMILY_PINNED] = { "pinned", N_ ("Pinned") },
  [MEMLANE_FAMILY_ZERO_COPY] = { "zero-copy", N_ ("Zero-copy") },
  [MEMLANE_FAMILY_MANAGED] = { "managed", N_ ("Managed") },
  [MEMLANE_FAMILY_STREAMS] = { "streams", N_ ("Streams") },
  [MEMLANE_FAMILY_STREAM_ORDERED] = { "stream-ordered", N_ ("Stream-ordered") },
  [MEMLANE_FAMILY_BASELINE] = { "baseline", N_ ("Baseline") },
};

const MemlaneMode *
memlane_mode_list (guint *n)
{
  *n = G_N_ELEMENTS (modes);
  return modes;
}

const MemlaneMode *
memlane_mode_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (strcmp (modes[i].id, id) == 0)
      return &modes[i];
  return NULL;
}

const char *
memlane_family_id (MemlaneFamily family)
{
  return (guint) family < MEMLANE_N_FAMILIES ? families[family].id : NULL;
}

const char *
memlane_family_title (MemlaneFamily family)
{
  return (guint) family < MEMLANE_N_FAMILIES ? families[family].title : NULL;
}

char *
memlane_capabilities_explain_missing (MemlaneCapabilities needs, const MemlaneDeviceInfo *info)
{
  MemlaneCapabilities missing = needs & ~info->capabilities;

  if (missing == 0)
    return NULL;
  return g_strdup_printf ("needs %s, which is 0 on this device", memlane_capability_name (missing));
}

gboolean
memlane_mode_is_supported (const MemlaneMode *mode, const MemlaneDeviceInfo *info, char **reason)
{
  *reason = memlane_capabilities_explain_missing (mode->needs, info);
  return *reason == NULL;
}
