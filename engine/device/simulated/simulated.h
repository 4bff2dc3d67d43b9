/* simulated.h: the simulated device's state, its clocks, its streams and what is queued on them;
 * for simulated/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * Two clocks. `now` is the host thread's: calls add what they cost. `device_time` is how far the
 * device's events have been played. It lags behind `now` and is brought forward only when somebody
 * looks (a wait, a query, a host access). Between calls device_time <= now.
 *
 * A stream is a queue of operations. An operation starts when it is at the head of its queue and
 * its issue has reached the device. What it must wait for must be done, and its engine free. It
 * then has `remaining` nanoseconds of work and progresses at `rate` (0, 1]. Rates are worked out
 * again whenever an operation with work starts or ends. Bytes change when an operation ends, so
 * that a program that forgets to wait sees old bytes.
 *
 * Order of issue is a number, `seq`. As streams are queues, "operation seq of stream S is done"
 * means that S's head is younger than seq.
 *
 * simulated.c keeps the clocks and plays the queue, work.c knows what operations and the host's
 * accesses do, memory.c what an address means. Each fills the driver's tables of its calls. names.c
 * finds profiles.
 */
#pragma once

#include "memory.h"

typedef enum
{
  SIM_OP_COPY,
  SIM_OP_FILL,
  SIM_OP_KERNEL,
  SIM_OP_PREFETCH,
  SIM_OP_EVENT,
  SIM_OP_WAIT,
  SIM_OP_BARRIER,
  SIM_OP_HOST_FUNCTION,
  SIM_OP_LATCH,
  SIM_OP_ALLOC, /* cudaMallocAsync: holds its stream for a while */
  SIM_OP_FREE,
  SIM_OP_BACKGROUND, /* a computing kernel or a copy beside what is measured */
  SIM_OP_FAULT, /* a kernel with a bad address: the context dies when it runs */
} MemlaneSimOpKind;

typedef enum
{
  SIM_ENGINE_NONE,
  SIM_ENGINE_UP,
  SIM_ENGINE_DOWN,
  SIM_ENGINE_INSIDE,
  SIM_ENGINE_COMPUTE,
  SIM_N_ENGINES
} MemlaneSimEngine;

typedef struct _MemlaneSimOp MemlaneSimOp;
struct _MemlaneSimOp
{
  MemlaneSimOp *next;     /* in its stream */
  MemlaneStream *stream;
  guint64 seq;
  MemlaneSimOpKind kind;
  MemlaneSimEngine engine;
  gboolean started;
  double ready;           /* when its issue reaches the device */
  double engine_switch;   /* ns to wait after a predecessor on another engine */
  double work;            /* ns at rate 1 */
  double start, end;
  double remaining, rate, updated;
  double memory_demand;   /* share of the device memory's bandwidth that it can use, 0..1 */
  double up_demand, down_demand; /* of the link */
  /* kernel on device memory: work with its inputs in the second-level cache, and not */
  double warm, cold;
  double share;           /* of the multiprocessors that a computing background fills */
  double arithmetic;      /* kernel: what its multiply-adds take, beside its bytes */
  /* kernel: out, a, b, as far as they are device memory that outlives it */
  MemlaneSimRange *cached[3];
  /* kernel: inputs on the device; of them, those that are cold in any case */
  guint inputs, cold_inputs;

  /* The work of the operation. */
  char *to;
  const char *from, *from2;
  gsize bytes;
  /* owned (nullable): the bytes move so, and not from and to; of a kernel TO_DEVICE: it gathers */
  MemlaneCopies *copies;
  int byte;               /* fill: the value; latch: it is open */
  MemlaneKernel kernel;
  gboolean repeats;       /* kernel: the one before it in the stream has left the same bytes */
  /* kernel: it adds so often to the number at `to`, which it found to be this */
  guint32 additions, counted;
  char *staged;           /* owned copy of a pageable source */
  MemlaneSimRange *ranges[3]; /* kernel: out, a, b, when their residency matters; free: [0] */
  MemlaneLocation location;
  MemlaneEvent *event;
  MemlaneStream *wait_stream;
  guint64 wait_seq;
  void (*function) (gpointer data);
  gpointer data;

  /* For a trace. */
  guint32 correlation;    /* the call that issued it; 0: it was not traced */
  MemlaneTraceWay way;
  MemlaneSimKind source, destination;
  gsize staging;          /* bytes that the host stages while it runs */
  double migration;       /* the part of work that is moving pages */
  MemlaneSimMoved moved;
};

struct _MemlaneStream
{
  guint32 number;         /* as tools show it: 7 for the legacy default stream, others from 13 on */
  gboolean non_blocking, destroyed;
  int priority;
  MemlaneSimOp *head, *tail;
  double last_end;              /* of its latest finished operation */
  /* when what cudaMallocAsync handed out is mapped: kernels and events wait for it, copies do
   * not */
  double mapped_at;
  MemlaneSimEngine last_engine;
};

struct _MemlaneEvent
{
  MemlaneStream *stream; /* where it was recorded last; NULL: never */
  guint64 seq;
  double time;
};

struct _MemlaneSim
{
  MemlaneDevice parent;
  MemlaneProfile *profile;
  gboolean moves_pieces;  /* of large vectors alone: memlane_device_move_pieces() */

  double now, device_time;
  guint64 seq;
  guint process;

  MemlaneStream *legacy;
  GPtrArray *all;     /* streams and events, also those without a handle: they go with the device */
  GPtrArray *streams; /* those that have a handle or work, the legacy one first */
  GPtrArray *events;  /* those that have a handle */
  GPtrArray *graphs;  /* (element-type MemlaneCopies) owned: what a handle of a graph is */
  GPtrArray *active;  /* started operations with work left */
  guint engine_running[SIM_N_ENGINES];

  MemlaneSimOp *latch; /* closed and not yet gone */
  gboolean latch_closed, latch_late;

  GPtrArray *ranges; /* (element-type MemlaneSimRange): disjoint */
  MemlaneSimRange *statics[3];
  /* of small allocations, which share chunks; [1]: write-combined ones */
  guint64 chunk_bytes[SIM_N_KINDS][2];
  guint64 device_used, pinned_used, host_used;
  guint64 host_available; /* of this machine, when the device was opened */
  MemlaneBeside beside;   /* the background that runs */
  MemlaneStream *background[2]; /* to the device or kernels, and to the host */
  double background_done; /* units of the stream that is told of */
  double kernel_start;    /* of the last kernel */
  const MemlaneStream *row_stream; /* of the last commands, which are of one kind: */
  MemlaneSimOpKind row_kind;
  guint row;              /* so many since the last wait */
  gboolean pool_keeps;    /* what cudaFreeAsync frees, for the next cudaMallocAsync: */
  guint64 pool_free;      /* bytes of it */
  guint64 freed_async;    /* bytes of cudaFreeAsync that a stream has come by since the last wait */
  guint64 l2_traffic;     /* bytes that kernels have moved through the second-level cache */
  guint64 touched;        /* bytes that the host has written since the last launch */
};

#define SIM(device) ((MemlaneSim *) (device))

/* --- simulated.c: errors and costs ------------------------------------------------------------ */

/* Sets "CALL: REASON"; always FALSE. */
gboolean memlane_sim_fail (GError **error, MemlaneDeviceError code, const char *reason,
                           const char *call_format, ...) G_GNUC_PRINTF (4, 5);
/* Returns what @cost takes for @bytes. */
static inline double
memlane_sim_cost (MemlaneSim *self, MemlaneCostId cost, double bytes)
{
  return memlane_profile_cost (self->profile, cost, bytes);
}
/* Returns what @ns that begin now take. */
static inline double
memlane_sim_vary (MemlaneSim *self, double ns)
{
  const MemlaneProfile *profile = self->profile;

  return profile->vary != NULL ? profile->vary (profile->vary_data, self->process,
                                                MAX (self->now, self->device_time), ns)
                               : ns;
}
/* Adds @ns of a call to the host's clock. */
static inline void
memlane_sim_spend (MemlaneSim *self, double ns)
{
  self->now += memlane_sim_vary (self, ns);
}
/* Adds what a call costs the host for @bytes. */
static inline void
memlane_sim_charge (MemlaneSim *self, MemlaneCostId cost, gsize bytes)
{
  memlane_sim_spend (self, memlane_sim_cost (self, cost, (double) bytes));
}
/* A row of the price list that no bytes go with, ns. */
#define memlane_sim_host(self, id) memlane_profile_cost ((self)->profile, MEMLANE_COST_##id, 0)
static inline gboolean
memlane_sim_can (const MemlaneSim *self, MemlaneCapabilities all_of)
{
  return (self->profile->info.capabilities & all_of) == all_of;
}
/* Sets what is told of a device of @profile; @info's strings are new. */
void memlane_sim_fill_info (MemlaneDeviceInfo *info, const MemlaneProfile *profile, const char *id);

/* --- names.c: what the driver answers for a name ---------------------------------------------- */

void memlane_sim_list (GPtrArray *listings);
gboolean memlane_sim_describe (const char *name, MemlaneDeviceInfo *info, GError **error);
MemlaneDevice *memlane_sim_open (const char *name, GError **error);

/* --- simulated.c: the queue ------------------------------------------------------------------- */

MemlaneStream *memlane_sim_stream_new (MemlaneSim *self, guint32 number);
/* @stream: NULL for the legacy one. */
MemlaneSimOp *memlane_sim_op_new (MemlaneSim *self, MemlaneSimOpKind kind, MemlaneStream *stream);
/* Queues it; @latency: from now until it reaches the device. Returns its seq. */
guint64 memlane_sim_issue (MemlaneSim *self, MemlaneSimOp *op, double latency);
/* Whether a command of @kind would stand behind enough others of its kind for calls in a row to be
 * faster. */
static inline gboolean
memlane_sim_is_in_row (const MemlaneSim *self, const MemlaneStream *stream, MemlaneSimOpKind kind)
{
  return self->row >= 3 && self->row_kind == kind && self->row_stream == stream;
}
/* Plays the device's events up to the host's now. */
void memlane_sim_catch_up (MemlaneSim *self);
/* The host waits for (@stream, @seq), the whole @stream (seq G_MAXUINT64), or everything (@stream
 * NULL). */
void memlane_sim_wait (MemlaneSim *self, MemlaneStream *stream, guint64 seq);
/* Waits for all that a command on @stream must wait for. */
void memlane_sim_wait_before (MemlaneSim *self, MemlaneStream *stream);
/* Whether a command on @stream would wait for earlier work; as of the device's time, see
 * memlane_sim_catch_up(). */
gboolean memlane_sim_has_work (MemlaneSim *self, const MemlaneStream *stream);
/* Returns @stream; NULL: the legacy one. */
static inline MemlaneStream *
memlane_sim_get_stream (const MemlaneSim *self, MemlaneStream *stream)
{
  return stream != NULL ? stream : self->legacy;
}
/* Serialises what blocking streams have before and after this point; nothing before it, nothing to
 * keep apart. */
static inline void
memlane_sim_barrier (MemlaneSim *self)
{
  if (memlane_sim_has_work (self, self->legacy))
    memlane_sim_issue (self, memlane_sim_op_new (self, SIM_OP_BARRIER, NULL), 0);
}

/* --- background.c ----------------------------------------------------------------------------- */

extern const MemlaneBackgroundCalls memlane_sim_background_calls;
static inline gboolean
memlane_sim_is_background (const MemlaneSim *self)
{
  return self->beside != MEMLANE_BESIDE_NONE;
}
/* How much slower than alone @op runs for want of multiprocessors. */
double memlane_sim_background_hold_up (const MemlaneSim *self, const MemlaneSimOp *op);

/* --- work.c: what the queue asks of an operation ---------------------------------------------- */

extern const MemlaneWorkCalls memlane_sim_work_calls;
extern const MemlaneManyCalls memlane_sim_many_calls; /* many.c */
extern const MemlaneAccessCalls memlane_sim_access_calls;
extern const MemlaneTraceCalls memlane_sim_trace_calls;

/* Sets the engine that a copy in @direction (UP, DOWN, INSIDE) runs on. */
void memlane_sim_use_copy_engine (MemlaneSim *self, MemlaneSimOp *op, MemlaneSimEngine direction);
/* The pages of [@at, @at + @bytes) are at @location now. */
void memlane_sim_place (MemlaneSimRange *range, const char *at, gsize bytes,
                        MemlaneLocation location);
/* The host's part of a kernel's launch. */
void memlane_sim_spend_launch (MemlaneSim *self);
/* The extra time of a first read of @bytes of @range that the host has just written, of @whole
 * bytes that are read in all: they are still in its caches. */
double memlane_sim_fetch_written (MemlaneSim *self, MemlaneSimRange *range, gsize bytes,
                                  gsize whole);
static inline gboolean
memlane_sim_is_locked (MemlaneSimKind kind)
{
  return kind == SIM_PINNED || kind == SIM_REGISTERED;
}

/* How long it takes, which is only known when it starts: where its pages are then. */
double memlane_sim_work_at_start (MemlaneSim *self, MemlaneSimOp *op);
/* Applies its effect on bytes when it ends, and tells the tracer, if any. */
void memlane_sim_perform (MemlaneSim *self, MemlaneSimOp *op);
