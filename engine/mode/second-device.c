/* remark.c: what a mode wants to be told beside its samples
 *
 * SPDX-License-Identifier: MIT
 */
#include "second-device.h"

#include <string.h>

#define COPIES 5

/* The best of a few: a remark, not a figure with an interval. */
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

gboolean
memlane_note_second_device (const MemlaneBuffers *buffers, char **note, GError **error)
{
  void *peer = NULL, *back = NULL;
  double best = 0;
  gboolean copied;

  *note = NULL;
  if (!memlane_device_can (buffers->device, MEMLANE_CAN_PEER_COPY) || buffers->shape.inputs == 0 || !buffers->shape.inputs_on_host)
    return TRUE;
  copied = memlane_device_peer_malloc (buffers->device, buffers->bytes, &peer, error)
           && memlane_device_host_malloc (buffers->device, buffers->bytes, &back, error) && copy_to_peer (buffers, peer, back, &best, error);
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
