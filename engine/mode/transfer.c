/* transfer.c: the calls that move a mode's bytes: copies, page faults, prefetches, advice, chunks
 * on several streams
 *
 * SPDX-License-Identifier: MIT
 */
#include "transfer.h"

/* The whole vectors' kernel in the buffers' stream. */
MEMLANE_DEFINE_ISSUE (launch,
                      memlane_buffers_launch (buffers, 0, buffers->elements,
                                              memlane_buffers_stream (buffers), error))

/* --- copies in one stream --------------------------------------------------------------------- */

static gboolean
copy_up (MemlaneBuffers *buffers, GError **error)
{
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!memlane_buffers_copy (buffers, buffers->input[i].buffer, buffers->input[i].host,
                               MEMLANE_COPY_TO_DEVICE, error))
      return FALSE;
  return TRUE;
}

MEMLANE_DEFINE_ISSUE (copy_down,
                      memlane_buffers_copy (buffers, buffers->output.host, buffers->output.buffer,
                                            MEMLANE_COPY_TO_HOST, error))
MEMLANE_DEFINE_ISSUE (allocate_and_copy_up, memlane_buffers_malloc_async (buffers, error)
                                                && copy_up (buffers, error))
MEMLANE_DEFINE_ISSUE (copy_down_and_free,
                      copy_down (buffers, error)
                          && memlane_buffers_free_async (buffers, error))

/* --- one memory for both sides -------------------------------------------------------------------
 *
 * A result that a kernel wrote into managed memory may be read at once, but its pages come home
 * only when the host touches them. The download of the faulting modes is that touch, one word a
 * page: without it they would be compared with modes that have brought their result home. */

static gboolean
prefetch (MemlaneBuffers *buffers, const MemlaneVector *vector, MemlaneLocation location,
          GError **error)
{
  if (!(vector->on & MEMLANE_ON_HOST))
    return TRUE;
  return memlane_device_mem_prefetch_async (buffers->device, vector->host, buffers->host_bytes,
                                            location, memlane_buffers_stream (buffers), error);
}

static gboolean
prefetch_all (MemlaneBuffers *buffers, MemlaneLocation location, GError **error)
{
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!prefetch (buffers, &buffers->input[i], location, error))
      return FALSE;
  return prefetch (buffers, &buffers->output, location, error);
}

/* A cold sample starts with all pages on the host. Where the device can prefetch, the bulk goes
 * home in one piece, which is much faster than by faults; then the host writes the inputs again
 * (MemlaneRecipe), so that the pages are mapped there as after any real write. */
static gboolean
send_home (MemlaneBuffers *buffers, GError **error)
{
  if (!memlane_device_can (buffers->device, MEMLANE_CAN_CONCURRENT_MANAGED)
      || !memlane_host_memory_is_managed (buffers->shape.input_memory))
    return TRUE;
  return prefetch_all (buffers, MEMLANE_LOCATION_HOST, error)
         && memlane_device_synchronize (buffers->device, error);
}

/* Pages that change sides again and again within half a millisecond look like thrashing to the
 * driver: seen on an H200, it then leaves them on the host and lets the kernel reach over the link
 * (the touch of the result takes 1 us instead of 17), and a sweep would call that migration. */
#define SETTLING_NS 6e5

static void
let_pages_settle (MemlaneBuffers *buffers)
{
  memlane_device_pause (buffers->device, SETTLING_NS);
}

MEMLANE_DEFINE_ISSUE (download_by_touch,
                      memlane_device_synchronize (buffers->device, error)
                        && (!(buffers->output.on & MEMLANE_ON_HOST)
                            || memlane_device_host_touch (buffers->device, buffers->output.host,
                                                          buffers->bytes, error)))

/* The result's pages too: a kernel that wrote them from the host's side would fault. */
MEMLANE_DEFINE_ISSUE (upload_by_prefetch, prefetch_all (buffers, MEMLANE_LOCATION_DEVICE, error))
MEMLANE_DEFINE_ISSUE (download_by_prefetch,
                      prefetch (buffers, &buffers->output, MEMLANE_LOCATION_HOST, error))

/* Inputs: read-mostly, so that the device reads copies of its own. Result: at home on the host,
 * reached by the device over the link, so that nothing has to migrate back. */
static gboolean
advise (MemlaneBuffers *buffers, GError **error)
{
  MemlaneDevice *device = buffers->device;
  void *result = buffers->output.host;
  gsize bytes = buffers->bytes;

  for (guint i = 0; i < buffers->shape.inputs; i++)
    if ((buffers->input[i].on & MEMLANE_ON_HOST)
        && !memlane_device_mem_advise (device, buffers->input[i].host, bytes,
                                       MEMLANE_ADVICE_READ_MOSTLY, MEMLANE_LOCATION_DEVICE, error))
      return FALSE;
  if (!(buffers->output.on & MEMLANE_ON_HOST))
    return TRUE;
  return memlane_device_mem_advise (device, result, bytes, MEMLANE_ADVICE_PREFERRED_LOCATION,
                                    MEMLANE_LOCATION_HOST, error)
         && memlane_device_mem_advise (device, result, bytes, MEMLANE_ADVICE_ACCESSED_BY,
                                       MEMLANE_LOCATION_DEVICE, error);
}

/* --- chunks on several streams ---------------------------------------------------------------- */

static gboolean
copy_chunk_up (MemlaneBuffers *buffers, gsize first, gsize count, MemlaneStream *lane,
               GError **error)
{
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!memlane_device_memcpy_async (buffers->device, (float *) buffers->input[i].buffer + first,
                                      (float *) buffers->input[i].host + first,
                                      count * sizeof (float), MEMLANE_COPY_TO_DEVICE, lane, error))
      return FALSE;
  return TRUE;
}

static gboolean
copy_chunk_down (MemlaneBuffers *buffers, gsize first, gsize count, MemlaneStream *lane,
                 GError **error)
{
  return memlane_device_memcpy_async (buffers->device, (float *) buffers->output.host + first,
                                      (float *) buffers->output.buffer + first,
                                      count * sizeof (float), MEMLANE_COPY_TO_HOST, lane, error);
}

/* Each chunk goes through these passes, in this order. */
static gboolean (*const passes[]) (MemlaneBuffers *buffers, gsize first, gsize count,
                                   MemlaneStream *lane, GError **error) = {
  copy_chunk_up,
  memlane_buffers_launch,
  copy_chunk_down,
};

static gboolean
run_pass (MemlaneBuffers *buffers, guint pass, guint chunk, GError **error)
{
  gsize first, count;

  memlane_buffers_get_chunk (buffers, chunk, &first, &count);
  return passes[pass] (buffers, first, count, buffers->lanes[chunk % buffers->shape.lanes], error);
}

static gboolean
schedule_depth_first (MemlaneBuffers *buffers, GError **error)
{
  for (guint chunk = 0; chunk < buffers->n_chunks; chunk++)
    for (guint pass = 0; pass < G_N_ELEMENTS (passes); pass++)
      if (!run_pass (buffers, pass, chunk, error))
        return FALSE;
  return TRUE;
}

static gboolean
schedule_breadth_first (MemlaneBuffers *buffers, GError **error)
{
  for (guint pass = 0; pass < G_N_ELEMENTS (passes); pass++)
    for (guint chunk = 0; chunk < buffers->n_chunks; chunk++)
      if (!run_pass (buffers, pass, chunk, error))
        return FALSE;
  return TRUE;
}

/* --- the transfers ---------------------------------------------------------------------------- */

const MemlaneTransfer memlane_transfers[MEMLANE_N_TRANSFERS] = {
  [MEMLANE_TRANSFER_BLOCKING] = {
    .kind = MEMLANE_TRANSFER_BLOCKING, .kernel_queues = TRUE, .upload = copy_up, .kernel = launch,
    .download = copy_down,
  },
  [MEMLANE_TRANSFER_ASYNC] = {
    .kind = MEMLANE_TRANSFER_ASYNC, .upload_queues = TRUE, .kernel_queues = TRUE,
    .download_queues = TRUE, .lanes = MEMLANE_LANES_ONE,
    .pieces = MEMLANE_PIECES_LOOP, .upload = copy_up, .kernel = launch, .download = copy_down,
  },
  /* The same calls. But from pageable memory they stage, and so they block: behind a latch they
   * would wait for the latch. */
  [MEMLANE_TRANSFER_ASYNC_PAGEABLE] = {
    .kind = MEMLANE_TRANSFER_ASYNC_PAGEABLE, .kernel_queues = TRUE, .lanes = MEMLANE_LANES_ONE,
    .pieces = MEMLANE_PIECES_LOOP,
    .upload = copy_up, .kernel = launch, .download = copy_down,
  },
  [MEMLANE_TRANSFER_STREAM_ORDERED] = {
    .kind = MEMLANE_TRANSFER_STREAM_ORDERED, .upload_queues = TRUE, .kernel_queues = TRUE,
    .download_queues = TRUE,
    .lanes = MEMLANE_LANES_ONE, .allocates_inside = TRUE, .upload = allocate_and_copy_up,
    .kernel = launch,
    .download = copy_down_and_free,
  },
  [MEMLANE_TRANSFER_STREAM_ORDERED_KEPT] = {
    .kind = MEMLANE_TRANSFER_STREAM_ORDERED_KEPT, .upload_queues = TRUE, .kernel_queues = TRUE,
    .download_queues = TRUE,
    .lanes = MEMLANE_LANES_ONE, .allocates_inside = TRUE, .keeps_pool = TRUE,
    .upload = allocate_and_copy_up, .kernel = launch,
    .download = copy_down_and_free,
  },
  [MEMLANE_TRANSFER_ACCESS] = {
    .kind = MEMLANE_TRANSFER_ACCESS, .kernel_queues = TRUE, .pieces = MEMLANE_PIECES_KERNEL,
    .kernel = launch,
  },
  [MEMLANE_TRANSFER_RESIDENT] = {
    .kind = MEMLANE_TRANSFER_RESIDENT, .kernel_queues = TRUE, .resident = TRUE, .kernel = launch,
  },
  [MEMLANE_TRANSFER_FAULTS] = {
    .kind = MEMLANE_TRANSFER_FAULTS, .kernel_queues = TRUE, .prepare = send_home,
    .before_sample = let_pages_settle, .kernel = launch, .download = download_by_touch,
  },
  [MEMLANE_TRANSFER_PREFETCH] = {
    .kind = MEMLANE_TRANSFER_PREFETCH, .kernel_queues = TRUE, .lanes = MEMLANE_LANES_ONE,
    .pieces = MEMLANE_PIECES_PREFETCH, .upload_has_events = TRUE, .download_has_events = TRUE,
    .prepare = send_home,
    .upload = upload_by_prefetch, .kernel = launch, .download = download_by_prefetch,
  },
  [MEMLANE_TRANSFER_ADVISED] = {
    .kind = MEMLANE_TRANSFER_ADVISED, .kernel_queues = TRUE, .settle = advise, .prepare = send_home,
    .before_sample = let_pages_settle, .kernel = launch, .download = download_by_touch,
  },
  [MEMLANE_TRANSFER_DEPTH_FIRST] = {
    .kind = MEMLANE_TRANSFER_DEPTH_FIRST, .upload_queues = TRUE, .kernel_queues = TRUE,
    .download_queues = TRUE,
    .lanes = MEMLANE_LANES_MANY, .schedule = schedule_depth_first,
  },
  [MEMLANE_TRANSFER_BREADTH_FIRST] = {
    .kind = MEMLANE_TRANSFER_BREADTH_FIRST, .upload_queues = TRUE, .kernel_queues = TRUE,
    .download_queues = TRUE,
    .lanes = MEMLANE_LANES_MANY, .schedule = schedule_breadth_first,
  },
  [MEMLANE_TRANSFER_BATCH] = {
    .kind = MEMLANE_TRANSFER_BATCH, .lanes = MEMLANE_LANES_ONE, .pieces = MEMLANE_PIECES_BATCH,
  },
  [MEMLANE_TRANSFER_PACKED] = {
    .kind = MEMLANE_TRANSFER_PACKED, .lanes = MEMLANE_LANES_ONE, .pieces = MEMLANE_PIECES_PACKED,
    .threads = 1,
  },
  [MEMLANE_TRANSFER_PACKED_THREADS] = {
    .kind = MEMLANE_TRANSFER_PACKED_THREADS, .lanes = MEMLANE_LANES_ONE,
    .pieces = MEMLANE_PIECES_PACKED, .threads = 8,
  },
  [MEMLANE_TRANSFER_GRAPH] = {
    .kind = MEMLANE_TRANSFER_GRAPH, .lanes = MEMLANE_LANES_ONE, .pieces = MEMLANE_PIECES_GRAPH,
  },
};
