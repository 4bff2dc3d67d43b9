/* device-finder.h: which devices there are: simulated ones at once, this machine's, those of every host
 *
 * SPDX-License-Identifier: MIT
 *
 * Workers are asked, so no driver and no host can hang who asks. Main thread only.
 *
 * Signals:
 *   "found": a part of the list is new; "known" may be, too
 *   "notice" (const char *sentence): the file of hosts cannot be used
 */
#pragma once

#include <gio/gio.h>

#include "device-item.h"

#define MEMLANE_TYPE_DEVICE_FINDER (memlane_device_finder_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneDeviceFinder, memlane_device_finder, MEMLANE, DEVICE_FINDER, GObject)

MemlaneDeviceFinder *memlane_device_finder_new (void);

/* Asks anew, and reads the file of hosts anew. What is listed stays until its host has answered. */
void memlane_device_finder_look (MemlaneDeviceFinder *self);
/* Nothing is asked and told any more. */
void memlane_device_finder_stop (MemlaneDeviceFinder *self);

/* Of MemlaneDeviceItem: this machine's, then those of each host. (transfer none) */
GListModel *memlane_device_finder_get_devices (MemlaneDeviceFinder *self);
/* This machine has answered once. */
gboolean memlane_device_finder_is_known (MemlaneDeviceFinder *self);
/* It has not answered yet. @host: "" for this machine. */
gboolean memlane_device_finder_is_asking (MemlaneDeviceFinder *self, const char *host);
/* (nullable) (transfer none): the list's. */
MemlaneDeviceItem *memlane_device_finder_find (MemlaneDeviceFinder *self, const char *id);
/* One that is not listed: by its profile's path, or gone. */
void memlane_device_finder_add (MemlaneDeviceFinder *self, const char *id);
