/* cost.c: what an operation of a simulated device takes
 *
 * SPDX-License-Identifier: MIT
 */
#include "profile.h"

const MemlaneCostRow memlane_cost_rows[MEMLANE_N_COSTS] = {
#define HOST_PAYS TRUE
#define DEVICE_PAYS FALSE
#define X(id, name, who, carrier, passes, latency, rate, doc) \
  { name, doc, who##_PAYS, MEMLANE_CARRIER_##carrier, passes, { latency, rate } },
  MEMLANE_COSTS (X)
#undef X
};

/* Nanoseconds for @bytes at @rate of @bandwidth. */
static double
carry (double bytes, double rate, double bandwidth)
{
  return bytes / (rate * bandwidth) * 1e9;
}

double
memlane_profile_cost (const MemlaneProfile *self, MemlaneCostId cost, double bytes)
{
  const MemlaneCostRow *row = &memlane_cost_rows[cost];
  double ns = self->costs[cost].latency_ns, rate = self->costs[cost].rate,
         carried = bytes * row->passes;
  double near = MIN (bytes, (double) self->core_cache_bytes);

  switch (row->carrier)
    {
    case MEMLANE_CARRIER_LINK:
      ns += carry (carried, rate, self->info.link_bandwidth);
      break;
    case MEMLANE_CARRIER_MEMORY:
      ns += carry (carried, rate, self->info.memory_bandwidth);
      break;
    case MEMLANE_CARRIER_CACHE:
      ns += carry (carried, rate, self->l2_bandwidth);
      break;
    case MEMLANE_CARRIER_HOST:
      ns += carry (near * row->passes, rate, self->host_cache_bandwidth)
            + carry ((bytes - near) * row->passes, rate, self->host_bandwidth);
      break;
    case MEMLANE_CARRIER_PAGES:
      ns += carry (carried, rate, 1e9);
      break;
    case MEMLANE_CARRIER_CORES:
      ns += carried / (rate * MAX (self->info.multiprocessors, 1));
      break;
    case MEMLANE_CARRIER_NONE:
    default:
      break;
    }
  return row->host_pays ? ns * self->slow_host : ns;
}
