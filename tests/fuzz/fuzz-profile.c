/* fuzz-profile.c: whatever bytes a device profile holds, reading it ends, with a profile or with a message
 *
 * SPDX-License-Identifier: MIT
 *
 * What is read must also cost what can be told, correct a figure to a time, and make a device that copies.
 */
#include <math.h>

#include "device/device-calls.h"
#include "engine/profile-of-text.h"
#include "fuzz.h"

#define BYTES 4096

static void
use_device (const MemlaneProfile *profile)
{
  MemlaneDevice *device = memlane_simulated_device_new (profile, "simulated:fuzz");
  void *host = NULL, *there = NULL;

  if (memlane_device_host_malloc (device, BYTES, &host, NULL) && memlane_device_malloc (device, BYTES, &there, NULL))
    {
      (void) memlane_device_host_fill (device, host, 1, BYTES, NULL);
      (void) memlane_device_memcpy (device, there, host, BYTES, MEMLANE_COPY_TO_DEVICE, NULL);
      (void) memlane_device_synchronize (device, NULL);
    }
  if (there != NULL)
    (void) memlane_device_free (device, there, NULL);
  if (host != NULL)
    (void) memlane_device_host_free (device, host, NULL);
  memlane_device_close (device);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static const double sizes[] = { 0, 1, 4096, 1e6, 1e12, 0x1p62 };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = profile_of_text_path ();
  MemlaneProfile *profile;

  fuzz_begin ();
  profile = profile_of_text ((const char *) data, (gssize) size, &error);
  if (profile == NULL)
    {
      fuzz_check_refusal (error, path);
      return 0;
    }
  if (error != NULL)
    g_error ("a profile and a message");
  for (guint i = 0; i < MEMLANE_N_COSTS; i++)
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
      {
        double cost = memlane_profile_cost (profile, (MemlaneCostId) i, sizes[k]);

        if (!isfinite (cost) || cost < 0)
          g_error ("cost %u is %g at %g bytes", i, cost, sizes[k]);
      }
  for (guint bytes = 4; profile->residuals != NULL && bytes < 1u << 30; bytes *= 8)
    {
      const MemlaneDeviceUse use = { .workload = "vector-add", .mode = "pinned", .bytes = bytes, .reuse = 3 };
      double ns = memlane_residuals_correct (profile->residuals, &use, MEMLANE_PHASE_ELAPSED, MEMLANE_CLOCK_HOST, 1e4);

      if (!(ns > 0 && isfinite (ns)))
        g_error ("%u bytes take %g ns", bytes, ns);
    }
  use_device (profile);
  memlane_profile_free (profile);
  return 0;
}
