/* profile.h: everything that makes one simulated device differ from another, and its file
 *
 * SPDX-License-Identifier: MIT
 *
 * A profile is a data sheet and, where there is one, a recording. The file is a key file,
 * data/devices/NAME.device:
 *
 *   [device]         name, sizes, bandwidths and capabilities, as CUDA names them; based_on: see
 *                    below
 *   [host]           what the host's memory carries, for one thread
 *   [link]           both_directions_factor: what is left of a direction's bandwidth when the other
 *                    one is busy too
 *   [implicit-sync] which calls serialise the work of two blocking streams: what the programming
 *   guide lists, or less
 *   [cost]           rows of the price list that differ (cost.h): NAME=LATENCY or NAME=LATENCY;RATE
 *   [recorded ...]   what a recording differs by (residuals.h); tests/model/calibrate.py writes it
 *   [trouble]        faults, for tests
 *
 * [device] based_on=NAME: the file says only what is different; the rest is NAME.device's, which
 * lies beside the file or else in a folder of device profiles (base/data-file.h). A base is based
 * on no other. Its recording is
 * its own and not passed on. in_order_engines follows from asyncEngineCount in each file that
 * states the one without the other.
 */
#pragma once

#include "cost.h"
#include "device/device.h"
#include "residuals.h"

typedef struct
{
  char *path;              /* of the file it was read from, or NULL */
  MemlaneDeviceInfo info;  /* name, calibrated_from, capabilities and numbers; other strings NULL */
  guint64 lockable_bytes;  /* host memory that may be page-locked; 0: no limit */
  /* host memory the device pretends to have; 0: as much as this machine really has */
  guint64 host_memory_bytes;
  /* a copy engine takes copies in the order of issue, ready or not (one hardware queue) */
  gboolean in_order_engines;
  double both_directions_factor;
  double l2_bandwidth, host_bandwidth, host_cache_bandwidth; /* bytes/s */
  guint64 core_cache_bytes; /* of the host: what one core has to itself */
  gboolean sync_pinned_alloc, sync_device_alloc, sync_memset, sync_copy_on_device;
  gboolean corrupt_kernel, late_latch;
  guint64 trouble_memory_bytes, lose_device_after_calls, throttle;

  double slow_host;        /* by what all that the host pays is multiplied */
  MemlaneCost costs[MEMLANE_N_COSTS];
  MemlaneResiduals *residuals; /* NULL: there is no recording */
  gboolean draws_rounds;   /* each process is one of the recorded rounds */
  guint64 seed;            /* of which one */

  /* How a test lets times vary: what @ns that begin at @now take in that process, and the
   * resolution of the device's clock, 0: none. */
  double (*vary) (gpointer data, guint process, double now, double ns);
  gpointer vary_data;
  double tick_ns;
} MemlaneProfile;

#define MEMLANE_PROFILE_MAX_BYTES (4 * 1024 * 1024)

/* Returns a capable device with every default. */
MemlaneProfile *memlane_profile_new (void);
MemlaneProfile *memlane_profile_copy (const MemlaneProfile *self);
void memlane_profile_free (MemlaneProfile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneProfile, memlane_profile_free)

/* Reads the file at @path. NULL with @error (MEMLANE_DEVICE_ERROR_UNAVAILABLE) naming file, group,
 * key and what was expected. */
MemlaneProfile *memlane_profile_load (const char *path, GError **error);
/* Adds the recorded rounds that lie beside the profile's file, NAME.rounds. FALSE with @error:
 * there are none, or they are refused. */
gboolean memlane_profile_load_rounds (MemlaneProfile *self, GError **error);

/* Returns what @cost takes for @bytes, ns. */
double memlane_profile_cost (const MemlaneProfile *self, MemlaneCostId cost, double bytes);

/* Opens a simulated device from memory; @profile is copied, @id is what info shows. Never NULL;
 * memlane_device_close() it. */
MemlaneDevice *memlane_simulated_device_new (const MemlaneProfile *profile, const char *id);
