/* travel-streams.c: chunks of the vectors on several streams, in both issue orders
 *
 * SPDX-License-Identifier: MIT
 */
#include "transfer.h"

static gboolean
copy_chunk_up (MemlaneBuffers *buffers, guint chunk, MemlaneStream *lane, GError **error)
{
  gsize first, count;

  memlane_buffers_get_chunk (buffers, chunk, &first, &count);
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!memlane_device_memcpy_async (buffers->device, (float *) buffers->input[i].buffer + first, (float *) buffers->input[i].host + first,
                                      count * sizeof (float), MEMLANE_COPY_TO_DEVICE, lane, error))
      return FALSE;
  return TRUE;
}

static gboolean
launch_chunk (MemlaneBuffers *buffers, guint chunk, MemlaneStream *lane, GError **error)
{
  gsize first, count;

  memlane_buffers_get_chunk (buffers, chunk, &first, &count);
  return memlane_buffers_launch (buffers, first, count, lane, error);
}

static gboolean
copy_chunk_down (MemlaneBuffers *buffers, guint chunk, MemlaneStream *lane, GError **error)
{
  gsize first, count;

  memlane_buffers_get_chunk (buffers, chunk, &first, &count);
  return memlane_device_memcpy_async (buffers->device, (float *) buffers->output.host + first, (float *) buffers->output.buffer + first,
                                      count * sizeof (float), MEMLANE_COPY_TO_HOST, lane, error);
}

static gboolean
schedule_depth_first (MemlaneBuffers *buffers, GError **error)
{
  for (guint chunk = 0; chunk < buffers->n_chunks; chunk++)
    {
      MemlaneStream *lane = buffers->lanes[chunk % buffers->shape.lanes];

      if (!copy_chunk_up (buffers, chunk, lane, error) || !launch_chunk (buffers, chunk, lane, error) || !copy_chunk_down (buffers, chunk, lane, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
schedule_breadth_first (MemlaneBuffers *buffers, GError **error)
{
  gboolean (*const passes[]) (MemlaneBuffers *, guint, MemlaneStream *, GError **) = { copy_chunk_up, launch_chunk, copy_chunk_down };

  for (guint pass = 0; pass < G_N_ELEMENTS (passes); pass++)
    for (guint chunk = 0; chunk < buffers->n_chunks; chunk++)
      if (!passes[pass] (buffers, chunk, buffers->lanes[chunk % buffers->shape.lanes], error))
        return FALSE;
  return TRUE;
}

const MemlaneTransfer memlane_transfer_depth_first = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_MANY,
  .schedule = schedule_depth_first,
};

const MemlaneTransfer memlane_transfer_breadth_first = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_MANY,
  .schedule = schedule_breadth_first,
};
