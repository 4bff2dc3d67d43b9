/* links.h: how fast the links of several devices copy, each alone and all at once
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/device.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_LINK_UP,   /* page-locked memory to the device */
  MEMLANE_LINK_DOWN, /* and back */
  MEMLANE_LINK_BOTH, /* both at the same time; the bytes of both count */
  MEMLANE_LINK_PEER, /* to the next device, cudaMemcpyPeerAsync */
  MEMLANE_N_LINK_WAYS
} MemlaneLinkWay;

/* Bytes per second each way; 0: the device cannot. */
typedef struct
{
  double rates[MEMLANE_N_LINK_WAYS];
} MemlaneLinkRates;

/* Copies 2 GiB each way by each of the @n devices @ids (at most 64). All begin each way at the same time, on a thread each. @rates: @n of
 * them. @total: the bytes of all, by the time of the slowest. Blocks; any thread. FALSE with @error: the first device that failed. */
gboolean memlane_links_copy (const char *const *ids, guint n, MemlaneLinkRates *rates, MemlaneLinkRates *total, GError **error);
/* Says in English what all copy at the same time, where that is 5 % less than the @n of @alone could. A device that is slower than others
 * alone is no reason. NULL: it is not less. (transfer full) */
char *memlane_links_explain (const MemlaneLinkRates *alone, guint n, const MemlaneLinkRates *total, MemlaneLinkWay way);

G_END_DECLS
