/* travel-streams.c: chunks of the vectors on several streams, in both issue orders
 *
 * SPDX-License-Identifier: MIT
 */
#include "transfer.h"

static gboolean
copy_chunk_up (MemlaneSet *set, guint chunk, MemlaneStream *lane, GError **error)
{
  gsize first, count;

  memlane_set_get_chunk (set, chunk, &first, &count);
  for (guint i = 0; i < set->shape.inputs; i++)
    if (!memlane_device_memcpy_async (set->device, (float *) set->input[i].buffer + first, (float *) set->input[i].host + first,
                                      count * sizeof (float), MEMLANE_COPY_TO_DEVICE, lane, error))
      return FALSE;
  return TRUE;
}

static gboolean
launch_chunk (MemlaneSet *set, guint chunk, MemlaneStream *lane, GError **error)
{
  gsize first, count;

  memlane_set_get_chunk (set, chunk, &first, &count);
  return memlane_set_launch (set, first, count, lane, error);
}

static gboolean
copy_chunk_down (MemlaneSet *set, guint chunk, MemlaneStream *lane, GError **error)
{
  gsize first, count;

  memlane_set_get_chunk (set, chunk, &first, &count);
  return memlane_device_memcpy_async (set->device, (float *) set->output.host + first, (float *) set->output.buffer + first,
                                      count * sizeof (float), MEMLANE_COPY_TO_HOST, lane, error);
}

static gboolean
schedule_depth_first (MemlaneSet *set, GError **error)
{
  for (guint chunk = 0; chunk < set->n_chunks; chunk++)
    {
      MemlaneStream *lane = set->lanes[chunk % set->shape.lanes];

      if (!copy_chunk_up (set, chunk, lane, error) || !launch_chunk (set, chunk, lane, error) || !copy_chunk_down (set, chunk, lane, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
schedule_breadth_first (MemlaneSet *set, GError **error)
{
  gboolean (*const passes[]) (MemlaneSet *, guint, MemlaneStream *, GError **) = { copy_chunk_up, launch_chunk, copy_chunk_down };

  for (guint pass = 0; pass < G_N_ELEMENTS (passes); pass++)
    for (guint chunk = 0; chunk < set->n_chunks; chunk++)
      if (!passes[pass] (set, chunk, set->lanes[chunk % set->shape.lanes], error))
        return FALSE;
  return TRUE;
}

const MemlaneTravel memlane_travel_depth_first = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_MANY,
  .schedule = schedule_depth_first,
};

const MemlaneTravel memlane_travel_breadth_first = {
  .upload_queues = TRUE,
  .kernel_queues = TRUE,
  .download_queues = TRUE,
  .lanes = MEMLANE_LANES_MANY,
  .schedule = schedule_breadth_first,
};
