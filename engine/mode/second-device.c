/* remark.c: what a mode wants to be told beside its samples
 *
 * SPDX-License-Identifier: MIT
 */
#include "second-device.h"

#include <string.h>

#define COPIES 5

/* The best of a few: a remark, not a figure with an interval. */
static gboolean
copy_to_peer (const MemlaneSet *set, void *peer, void *back, double *best, GError **error)
{
  for (guint i = 0; i < COPIES; i++)
    {
      double begin = memlane_device_clock (set->device), ns;

      if (!memlane_device_memcpy (set->device, peer, set->input[0].host, set->bytes, MEMLANE_COPY_TO_DEVICE, error))
        return FALSE;
      ns = memlane_device_clock (set->device) - begin;
      *best = i == 0 ? ns : MIN (*best, ns);
    }
  return memlane_device_memcpy (set->device, back, peer, set->bytes, MEMLANE_COPY_TO_HOST, error);
}

gboolean
memlane_remark_on_second_device (const MemlaneSet *set, char **remark, GError **error)
{
  void *peer = NULL, *back = NULL;
  double best = 0;
  gboolean copied;

  *remark = NULL;
  if (!memlane_device_can (set->device, MEMLANE_CAN_PEER_COPY) || set->shape.inputs == 0 || !set->shape.inputs_on_host)
    return TRUE;
  copied = memlane_device_peer_malloc (set->device, set->bytes, &peer, error)
           && memlane_device_host_malloc (set->device, set->bytes, &back, error) && copy_to_peer (set, peer, back, &best, error);
  if (copied && memcmp (back, set->input[0].host, set->bytes) == 0)
    *remark = g_strdup_printf ("one input to the second device: %.0f ns, %.0f MB/s", best, (double) set->bytes / best * 1e3);
  else if (copied)
    *remark = g_strdup ("one input to the second device: it did not arrive as it was");
  if (back != NULL)
    copied = memlane_device_host_free (set->device, back, copied ? error : NULL) && copied;
  if (peer != NULL)
    copied = memlane_device_peer_free (set->device, peer, copied ? error : NULL) && copied;
  if (!copied)
    g_clear_pointer (remark, g_free);
  return copied;
}
