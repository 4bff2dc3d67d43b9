/* simulated.h: the simulated device's state, its clocks and what calls cost; for simulated/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * Two clocks. `now` is the host thread's: calls add what they cost. `device_time` is how far the device's events have been played; it lags
 * behind `now` and is brought forward only when somebody looks (a wait, a query, a host access). Between calls device_time <= now.
 *
 * memory.h says what an address means, queue.h how operations run. Each file fills the driver's table of its calls.
 */
#pragma once

#include "memory.h"
#include "queue.h"

G_BEGIN_DECLS

struct _MemlaneSim
{
  MemlaneDevice parent;
  MemlaneProfile *profile;

  double now, device_time;
  guint64 seq;
  guint64 noise_state;
  guint64 calls;
  gboolean lost, in_host_function;
  const char *lost_by;

  MemlaneStream *legacy;
  GPtrArray *streams; /* all that have a handle or work, the legacy one first */
  GPtrArray *events;
  GPtrArray *active;  /* started operations with work left */
  MemlaneSimOp *recycled;
  MemlaneSimOp *engine_head[SIM_N_ENGINES], *engine_tail[SIM_N_ENGINES];
  guint engine_running[SIM_N_ENGINES];
  gboolean compute_exclusive;

  MemlaneSimOp *latch; /* closed and not yet gone */
  gboolean latch_closed, latch_late;

  MemlaneSimRanges allocations, registrations, aliases;
  MemlaneSimRange *statics[3];
  MemlaneSimPool pool;
  GPtrArray *chunks[MEMLANE_SIM_N_CHUNK_KINDS]; /* (element-type MemlaneSimChunk) */
  guint64 device_used, pinned_used, host_used;
  gboolean managed_touched; /* the host has touched some of it */
  guint managed_out;      /* allocations of cudaMallocManaged that are out */
  guint64 freed_async;    /* bytes of cudaFreeAsync that a stream has come by since the last wait */
  guint64 touched;        /* bytes that the host wrote since the last call that pays for it */
};

#define SIM(device) ((MemlaneSim *) (device))

/* --- errors and costs ----------------------------------------------------------------------------------- */

/* Sets "CALL: REASON"; always FALSE. */
gboolean memlane_sim_fail (GError **error, MemlaneDeviceError code, const char *reason, const char *call_format, ...) G_GNUC_PRINTF (4, 5);
/* Whether a call may be made at all: not from a host function, not on a lost device. */
gboolean memlane_sim_admit (MemlaneSim *self, const char *call, GError **error);
/* What @curve costs for @bytes, with the profile's noise. */
double memlane_sim_cost (MemlaneSim *self, MemlaneCurve curve, double bytes);
/* Charges a call for finding the caches full of the host's own data. */
void memlane_sim_spend_cold (MemlaneSim *self);
/* Adds @ns to the host's clock. */
static inline void
memlane_sim_spend (MemlaneSim *self, double ns)
{
  self->now += ns;
}
/* Adds what a call costs the host for @bytes. */
static inline void
memlane_sim_charge (MemlaneSim *self, MemlaneCurve curve, gsize bytes)
{
  memlane_sim_spend (self, memlane_sim_cost (self, curve, (double) bytes));
}
/* A constant of the profile, ns. */
#define memlane_sim_host(self, id) ((self)->profile->host[MEMLANE_HOST_##id])
static inline gboolean
memlane_sim_can (const MemlaneSim *self, MemlaneCapabilities all_of)
{
  return (self->profile->info.capabilities & all_of) == all_of;
}
/* For a release, which goes on on a lost device: whether it says so. */
static inline gboolean
memlane_sim_report (MemlaneSim *self, const char *call, GError **error)
{
  return !self->lost || memlane_sim_admit (self, call, error);
}

/* --- trace.c: what a tracer is told; call these only while there is one ------------------------------------- */

extern const MemlaneTraceCalls memlane_sim_trace_calls;

/* @op has just ended. */
void memlane_sim_trace_op (MemlaneSim *self, const MemlaneSimOp *op);
/* The host has waited since @begin, for @stream or (NULL) for everything. */
void memlane_sim_trace_wait (MemlaneSim *self, const MemlaneStream *stream, double begin);
/* The host has staged, or copied from host to host, since @begin. */
void memlane_sim_trace_host_copy (MemlaneSim *self, MemlaneTraceKind kind, const MemlaneStream *stream, MemlaneSimKind to,
                                  MemlaneSimKind from, gsize bytes, double begin);
/* The host's access, which begins now, brings pages of memory of @kind home for @ns. */
void memlane_sim_trace_host_faults (MemlaneSim *self, MemlaneSimKind kind, const MemlaneSimMoved *moved, double ns);

G_END_DECLS
