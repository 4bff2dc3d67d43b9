/* simulated-bench.h: one simulated device with two streams and a few buffers, for the tests of the
 * simulated device
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "device/device-driver.h"
#include "device/simulated/profile.h"

#include <math.h>
#include <string.h>

#define N ((gsize) 1 << 20)
#define BYTES (N * sizeof (float))

#define OK(call) \
  G_STMT_START { g_autoptr (GError) ok_error = NULL; gboolean ok_done = (call); \
    g_assert_no_error (ok_error); g_assert_true (ok_done); } G_STMT_END
#define E &ok_error
#define REFUSED(call, code, text)                                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autoptr (GError) ok_error = NULL;                                                            \
    g_assert_false (call);                                                                         \
    g_assert_error (ok_error, MEMLANE_DEVICE_ERROR, code);                                         \
    if (strstr (ok_error->message, text) == NULL)                                                  \
      g_error ("\"%s\" does not say \"%s\"", ok_error->message, text);                             \
  }                                                                                                \
  G_STMT_END

/* Makes @cost a latency and, where it has bytes, so many ns a byte. */
G_GNUC_UNUSED static void
set_cost (MemlaneProfile *profile, MemlaneCostId cost, double latency_ns, double ns_per_byte)
{
  const MemlaneCostRow *row = &memlane_cost_rows[cost];
  double bandwidth = 1e9;

  if (row->carrier == MEMLANE_CARRIER_LINK)
    bandwidth = profile->info.link_bandwidth;
  else if (row->carrier == MEMLANE_CARRIER_MEMORY)
    bandwidth = profile->info.memory_bandwidth;
  else if (row->carrier == MEMLANE_CARRIER_CACHE)
    bandwidth = profile->l2_bandwidth;
  else if (row->carrier == MEMLANE_CARRIER_HOST)
    bandwidth = profile->host_cache_bandwidth = profile->host_bandwidth;
  profile->costs[cost]
      = (MemlaneCost) { latency_ns,
                        ns_per_byte > 0 ? 1e9 * row->passes / (ns_per_byte * bandwidth) : 1e30 };
}

typedef struct
{
  MemlaneProfile *profile;
  MemlaneDevice *d;
  MemlaneStream *s, *t;
  float *pinned, *pinned2, *pageable, *device, *device2, *device3;
} Bench;

G_GNUC_UNUSED static void
bench_open (Bench *b)
{
  if (b->profile == NULL)
    b->profile = memlane_profile_new ();
  b->d = memlane_simulated_device_new (b->profile, "simulated:test");
  g_assert_cmpfloat (memlane_device_clock (b->d), ==, 0);
  OK (memlane_device_stream_create (b->d, FALSE, 0, &b->s, E));
  OK (memlane_device_stream_create (b->d, FALSE, 0, &b->t, E));
  OK (memlane_device_malloc_host (b->d, BYTES, (void **) &b->pinned, E));
  OK (memlane_device_malloc_host (b->d, BYTES, (void **) &b->pinned2, E));
  OK (memlane_device_host_malloc (b->d, BYTES, (void **) &b->pageable, E));
  OK (memlane_device_malloc (b->d, BYTES, (void **) &b->device, E));
  OK (memlane_device_malloc (b->d, BYTES, (void **) &b->device2, E));
  OK (memlane_device_malloc (b->d, BYTES, (void **) &b->device3, E));
  for (gsize i = 0; i < N; i++)
    b->pinned[i] = b->pageable[i] = (float) i;
  memset (b->pinned2, 0, BYTES);
}

G_GNUC_UNUSED static void
bench_close (Bench *b)
{
  memlane_device_close (b->d); /* releases what is out */
  memlane_profile_free (b->profile);
  memset (b, 0, sizeof *b);
}
