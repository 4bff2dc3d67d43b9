/* travel-copy.c: bytes travel by copies in one stream
 *
 * SPDX-License-Identifier: MIT
 */
#include "transfer.h"

gboolean
memlane_transfer_copy_up (MemlaneBuffers *buffers, gboolean blocking, GError **error)
{
  for (guint i = 0; i < buffers->shape.inputs; i++)
    {
      const MemlaneVector *input = &buffers->input[i];
      gboolean copied =
        blocking ? memlane_device_memcpy (buffers->device, input->buffer, input->host, buffers->bytes, MEMLANE_COPY_TO_DEVICE, error)
                 : memlane_device_memcpy_async (buffers->device, input->buffer, input->host, buffers->bytes, MEMLANE_COPY_TO_DEVICE,
                                                memlane_buffers_stream (buffers), error);
      if (!copied)
        return FALSE;
    }
  return TRUE;
}

gboolean
memlane_transfer_copy_down (MemlaneBuffers *buffers, gboolean blocking, GError **error)
{
  const MemlaneVector *output = &buffers->output;

  return blocking ? memlane_device_memcpy (buffers->device, output->host, output->buffer, buffers->bytes, MEMLANE_COPY_TO_HOST, error)
                  : memlane_device_memcpy_async (buffers->device, output->host, output->buffer, buffers->bytes, MEMLANE_COPY_TO_HOST,
                                                 memlane_buffers_stream (buffers), error);
}

static gboolean
upload_blocking (MemlaneBuffers *buffers, GError **error)
{
  return memlane_transfer_copy_up (buffers, TRUE, error);
}

static gboolean
download_blocking (MemlaneBuffers *buffers, GError **error)
{
  return memlane_transfer_copy_down (buffers, TRUE, error);
}

static gboolean
upload_async (MemlaneBuffers *buffers, GError **error)
{
  return memlane_transfer_copy_up (buffers, FALSE, error);
}

static gboolean
download_async (MemlaneBuffers *buffers, GError **error)
{
  return memlane_transfer_copy_down (buffers, FALSE, error);
}

gboolean
memlane_transfer_launch (MemlaneBuffers *buffers, GError **error)
{
  return memlane_buffers_launch (buffers, 0, buffers->elements, memlane_buffers_stream (buffers), error);
}

const MemlaneTransfer memlane_transfer_blocking = {
  .kernel_queues = TRUE,
  .upload = upload_blocking,
  .kernel = memlane_transfer_launch,
  .download = download_blocking,
};

const MemlaneTransfer memlane_transfer_async = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .upload = upload_async,
  .kernel = memlane_transfer_launch,
  .download = download_async,
};

/* The same calls. But from pageable memory they stage, and so they block: behind a latch they would wait for the latch. */
const MemlaneTransfer memlane_transfer_async_pageable = {
  .kernel_queues = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .upload = upload_async,
  .kernel = memlane_transfer_launch,
  .download = download_async,
};

static gboolean
upload_stream_ordered (MemlaneBuffers *buffers, GError **error)
{
  return memlane_buffers_malloc_async (buffers, error) && memlane_transfer_copy_up (buffers, FALSE, error);
}

static gboolean
download_stream_ordered (MemlaneBuffers *buffers, GError **error)
{
  return memlane_transfer_copy_down (buffers, FALSE, error) && memlane_buffers_free_async (buffers, error);
}

const MemlaneTransfer memlane_transfer_stream_ordered = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .allocates_inside = TRUE,
  .upload = upload_stream_ordered,
  .kernel = memlane_transfer_launch,
  .download = download_stream_ordered,
};

const MemlaneTransfer memlane_transfer_access = {
  .kernel_queues = TRUE,
  .kernel = memlane_transfer_launch,
};

const MemlaneTransfer memlane_transfer_resident = {
  .kernel_queues = TRUE,
  .resident = TRUE,
  .kernel = memlane_transfer_launch,
};
