/* device-faults.h: tests count the calls of a device, and let one of them fail
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <string.h>

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

/* Work on a device; returns what went wrong, if anything did. (transfer full) (nullable) */
typedef char *(*FaultyWork) (MemlaneDevice *device, gpointer data);

/* Does @work untouched, again and again with a call that fails, and untouched at last. Call @k is
 * followed by call k + 1 + k / @density, so that G_MAXUINT tries each. Nothing may stay on the
 * device. Returns how many of the @tried told the failure: a clean-up need not. */
static inline guint
fail_each_call (MemlaneDevice *device, FaultyWork work, gpointer data, guint density, guint *tried)
{
  const guint64 before = memlane_device_get_call_count (device);
  guint64 calls;
  guint told = 0;

  *tried = 0;
  g_assert_null (work (device, data));
  calls = memlane_device_get_call_count (device) - before;
  for (guint64 k = 1; k <= calls; k += 1 + k / density)
    {
      g_autofree char *problem = NULL;

      memlane_device_fail_call (device, k);
      problem = work (device, data);
      memlane_device_fail_call (device, 0);
      if (memlane_device_get_outstanding (device) != 0)
        g_error ("call %" G_GUINT64_FORMAT " failed (%s): %u things were left on the device", k,
                 problem, memlane_device_get_outstanding (device));
      g_assert_true (problem == NULL || strstr (problem, "fault asked for") != NULL);
      told += problem != NULL;
      (*tried)++;
    }
  g_assert_null (work (device, data));
  g_test_message ("%" G_GUINT64_FORMAT " calls, %u faults, %u of them told", calls, *tried, told);
  return told;
}
