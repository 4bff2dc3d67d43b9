/* device-faults.h: tests count the calls of a device, and let one of them fail
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/device-driver.h"

/* Returns the fallible calls made since @device was opened; queries of info, clock and host memory
 * do not count. */
static inline guint64
memlane_device_get_call_count (const MemlaneDevice *device)
{
  return device->calls;
}

/* Lets the @nth fallible call from now on fail (1: the next), once; 0 takes it back. */
static inline void
memlane_device_fail_call (MemlaneDevice *device, guint64 nth)
{
  memlane_device_ask_trouble (device, MEMLANE_TROUBLE_FAILURE, nth);
}

/* Returns the allocations, registrations, streams and events that were not released yet. */
static inline guint
memlane_device_get_outstanding (MemlaneDevice *device)
{
  return device->driver->count_out (device);
}
