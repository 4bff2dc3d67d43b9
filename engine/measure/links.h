/* links.h: how fast the links of several devices copy, each alone and all at once
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/device.h"

#define MEMLANE_LINKS_MOST_DEVICES 64

typedef enum
{
  MEMLANE_LINK_UP,   /* page-locked memory to the device */
  MEMLANE_LINK_DOWN, /* and back */
  MEMLANE_LINK_BOTH, /* both at the same time; the bytes of both count */
  MEMLANE_LINK_BOTH_UP,   /* those to the device while others go back */
  MEMLANE_LINK_BOTH_DOWN, /* those back while others go to the device */
  MEMLANE_LINK_PEER, /* to another device, cudaMemcpyPeerAsync */
  MEMLANE_N_LINK_WAYS
} MemlaneLinkWay;

/* The copies of one device one way. */
typedef struct
{
  guint device, peer;    /* places in the list of devices; without a peer both are the device's */
  MemlaneLinkWay way;
  double alone, at_once; /* bytes per second; 0: it cannot */
} MemlaneLink;

/* Copies 2 GiB each way by each of the devices @ids (at most 64), and 1 GiB to each other one: each
 * alone, then all at the same time, on a thread each. Where one of two ways counts, the other has
 * twice as much. Of the copies to others those run together in which each device has one to make
 * and one to take. Blocks; any thread.
 * Returns: (transfer full) (element-type MemlaneLink): by device, 5 and one for each other device.
 * NULL with @error: the first device that failed. */
GArray *memlane_links_measure (char **ids, GError **error);
