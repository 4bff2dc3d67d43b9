/* travel-copy.c: bytes travel by copies in one stream
 *
 * SPDX-License-Identifier: MIT
 */
#include "transfer.h"

gboolean
memlane_travel_copy_up (MemlaneSet *set, gboolean blocking, GError **error)
{
  for (guint i = 0; i < set->shape.inputs; i++)
    {
      const MemlaneVector *input = &set->input[i];
      gboolean copied =
        blocking ? memlane_device_memcpy (set->device, input->buffer, input->host, set->bytes, MEMLANE_COPY_TO_DEVICE, error)
                 : memlane_device_memcpy_async (set->device, input->buffer, input->host, set->bytes, MEMLANE_COPY_TO_DEVICE,
                                                memlane_set_stream (set), error);
      if (!copied)
        return FALSE;
    }
  return TRUE;
}

gboolean
memlane_travel_copy_down (MemlaneSet *set, gboolean blocking, GError **error)
{
  const MemlaneVector *output = &set->output;

  return blocking ? memlane_device_memcpy (set->device, output->host, output->buffer, set->bytes, MEMLANE_COPY_TO_HOST, error)
                  : memlane_device_memcpy_async (set->device, output->host, output->buffer, set->bytes, MEMLANE_COPY_TO_HOST,
                                                 memlane_set_stream (set), error);
}

static gboolean
upload_blocking (MemlaneSet *set, GError **error)
{
  return memlane_travel_copy_up (set, TRUE, error);
}

static gboolean
download_blocking (MemlaneSet *set, GError **error)
{
  return memlane_travel_copy_down (set, TRUE, error);
}

static gboolean
upload_async (MemlaneSet *set, GError **error)
{
  return memlane_travel_copy_up (set, FALSE, error);
}

static gboolean
download_async (MemlaneSet *set, GError **error)
{
  return memlane_travel_copy_down (set, FALSE, error);
}

gboolean
memlane_travel_launch (MemlaneSet *set, GError **error)
{
  return memlane_set_launch (set, 0, set->elements, memlane_set_stream (set), error);
}

const MemlaneTravel memlane_travel_blocking = {
  .kernel_queues = TRUE,
  .upload = upload_blocking,
  .kernel = memlane_travel_launch,
  .download = download_blocking,
};

const MemlaneTravel memlane_travel_async = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .upload = upload_async,
  .kernel = memlane_travel_launch,
  .download = download_async,
};

/* The same calls. But from pageable memory they stage, and so they block: behind a latch they would wait for the latch. */
const MemlaneTravel memlane_travel_async_pageable = {
  .kernel_queues = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .upload = upload_async,
  .kernel = memlane_travel_launch,
  .download = download_async,
};

static gboolean
upload_stream_ordered (MemlaneSet *set, GError **error)
{
  return memlane_set_malloc_async (set, error) && memlane_travel_copy_up (set, FALSE, error);
}

static gboolean
download_stream_ordered (MemlaneSet *set, GError **error)
{
  return memlane_travel_copy_down (set, FALSE, error) && memlane_set_free_async (set, error);
}

const MemlaneTravel memlane_travel_stream_ordered = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_ONE,
  .allocates_inside = TRUE,
  .upload = upload_stream_ordered,
  .kernel = memlane_travel_launch,
  .download = download_stream_ordered,
};

const MemlaneTravel memlane_travel_access = {
  .kernel_queues = TRUE,
  .kernel = memlane_travel_launch,
};

const MemlaneTravel memlane_travel_resident = {
  .kernel_queues = TRUE,
  .resident = TRUE,
  .kernel = memlane_travel_launch,
};
