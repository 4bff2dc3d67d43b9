/* travel-managed.c: one memory for both sides: bytes travel by page faults, prefetches and advice
 *
 * A result that a kernel wrote into managed memory may be read at once, but its pages come home only when the host touches them. The
 * download of the faulting modes is that touch, one word a page: without it they would be compared with modes that have brought their
 * result home.
 *
 * SPDX-License-Identifier: MIT
 */
#include "transfer.h"

static gboolean
prefetch (MemlaneBuffers *buffers, const MemlaneVector *vector, MemlaneLocation location, GError **error)
{
  if (!vector->on_host)
    return TRUE;
  return memlane_device_mem_prefetch_async (buffers->device, vector->host, buffers->bytes, location, memlane_buffers_stream (buffers), error);
}

/* A cold sample starts with all pages on the host. Where the device can prefetch, the bulk goes home in one piece, which is much faster
 * than by faults; then the host writes the inputs again (MemlaneRecipe), so that the pages are mapped there as after any real write. */
static gboolean
prepare (MemlaneBuffers *buffers, GError **error)
{
  if (!memlane_device_can (buffers->device, MEMLANE_CAN_CONCURRENT_MANAGED) || !memlane_host_memory_is_managed (buffers->shape.input_memory))
    return TRUE;
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!prefetch (buffers, &buffers->input[i], MEMLANE_LOCATION_HOST, error))
      return FALSE;
  return prefetch (buffers, &buffers->output, MEMLANE_LOCATION_HOST, error) && memlane_device_synchronize (buffers->device, error);
}

/* Pages that change sides again and again within half a millisecond look like thrashing to the driver: seen on an H200, it then leaves them
 * on the host and lets the kernel reach over the link (the touch of the result takes 1 us instead of 17), and a sweep would call that
 * migration. */
#define SETTLING_NS 6e5

static void
let_pages_settle (MemlaneBuffers *buffers)
{
  memlane_device_pause (buffers->device, SETTLING_NS);
}

static gboolean
download_by_touch (MemlaneBuffers *buffers, GError **error)
{
  return memlane_device_synchronize (buffers->device, error)
         && (!buffers->output.on_host || memlane_device_host_touch (buffers->device, buffers->output.host, buffers->bytes, error));
}

const MemlaneTransfer memlane_transfer_faults = {
  .kernel_queues = TRUE,
  .starts_on_host = TRUE,
  .prepare = prepare,
  .before_sample = let_pages_settle,
  .kernel = memlane_transfer_launch,
  .download = download_by_touch,
};

static gboolean
upload_by_prefetch (MemlaneBuffers *buffers, GError **error)
{
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!prefetch (buffers, &buffers->input[i], MEMLANE_LOCATION_DEVICE, error))
      return FALSE;
  /* The result's pages too: a kernel that wrote them from the host's side would fault. */
  return prefetch (buffers, &buffers->output, MEMLANE_LOCATION_DEVICE, error);
}

static gboolean
download_by_prefetch (MemlaneBuffers *buffers, GError **error)
{
  return prefetch (buffers, &buffers->output, MEMLANE_LOCATION_HOST, error);
}

const MemlaneTransfer memlane_transfer_prefetch = {
  .kernel_queues = TRUE,
  .starts_on_host = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .upload_has_events = TRUE,
  .download_has_events = TRUE,
  .prepare = prepare,
  .upload = upload_by_prefetch,
  .kernel = memlane_transfer_launch,
  .download = download_by_prefetch,
};

/* Inputs: read-mostly, so that the device reads copies of its own. Result: at home on the host, reached by the device over the link, so
 * that nothing has to migrate back. */
static gboolean
advise (MemlaneBuffers *buffers, GError **error)
{
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (buffers->input[i].on_host
        && !memlane_device_mem_advise (buffers->device, buffers->input[i].host, buffers->bytes, MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE,
                                       error))
      return FALSE;
  if (!buffers->output.on_host)
    return TRUE;
  return memlane_device_mem_advise (buffers->device, buffers->output.host, buffers->bytes, MEMLANE_ADVICE_PREFERRED_LOCATION, MEMLANE_LOCATION_HOST,
                                    error)
         && memlane_device_mem_advise (buffers->device, buffers->output.host, buffers->bytes, MEMLANE_ADVICE_ACCESSED_BY, MEMLANE_LOCATION_DEVICE,
                                       error);
}

const MemlaneTransfer memlane_transfer_advised = {
  .kernel_queues = TRUE,
  .starts_on_host = TRUE,
  .settle = advise,
  .prepare = prepare,
  .before_sample = let_pages_settle,
  .kernel = memlane_transfer_launch,
  .download = download_by_touch,
};
