/* queue.h: the simulated device's streams and what is queued on them: the discrete-event model; for simulated/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * A stream is a queue of operations. An operation starts when it is at the head of its queue, its issue has reached the device, what it
 * must wait for is done and its engine is free; it then has `remaining` nanoseconds of work and progresses at `rate` (0, 1]. Rates are
 * worked out again whenever an operation with work starts or ends. Bytes change when an operation ends, so that a program that forgets to
 * wait sees old bytes.
 *
 * Order of issue is a number, `seq`. As streams are queues, "operation seq of stream S is done" means that S's head is younger than seq.
 */
#pragma once

#include "memory.h"

G_BEGIN_DECLS

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
  MemlaneSimOp *next;           /* in its stream */
  MemlaneSimOp *next_on_engine; /* in order of issue */
  MemlaneStream *stream;
  guint64 seq;
  MemlaneSimOpKind kind;
  MemlaneSimEngine engine;
  gboolean exclusive;     /* a copy on the compute engine shares it with nobody */
  gboolean started;
  double ready;           /* when its issue reaches the device */
  double engine_switch;   /* ns to wait after a predecessor on another engine */
  double work;            /* ns at rate 1 */
  double start, end;
  double remaining, rate, updated;
  double memory_demand;   /* share of the device memory's bandwidth that it can use, 0..1 */
  double up_demand, down_demand; /* of the link */

  /* What it does. */
  char *to;
  const char *from, *from2;
  gsize bytes;
  int byte;               /* fill: the value; latch: it is open */
  MemlaneKernel kernel;
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
  guint refs;
  guint32 number;         /* as tools show it: 7 for the legacy default stream, others from 13 on */
  gboolean non_blocking, destroyed;
  int priority;
  MemlaneSimOp *head, *tail;
  double last_end;              /* of its latest finished operation */
  double mapped_at;             /* when what cudaMallocAsync handed out is mapped: kernels and events wait for it, copies do not */
  MemlaneSimEngine last_engine;
};

struct _MemlaneEvent
{
  guint refs;
  MemlaneStream *stream; /* where it was recorded last; NULL: never */
  guint64 seq;
  double time;
};

/* --- queue.c ----------------------------------------------------------------------------------------- */

extern const MemlaneOrderCalls memlane_sim_order_calls;

void memlane_sim_queue_init (MemlaneSim *self);
/* Drops what is still queued. */
void memlane_sim_queue_clear (MemlaneSim *self);

/* @stream NULL: the legacy one. */
MemlaneSimOp *memlane_sim_op_new (MemlaneSim *self, MemlaneSimOpKind kind, MemlaneStream *stream);
/* Queues it; @latency: from now until it reaches the device. Returns its seq. */
guint64 memlane_sim_issue (MemlaneSim *self, MemlaneSimOp *op, double latency);
/* The engine that a copy in @direction (UP, DOWN, INSIDE) runs on. */
void memlane_sim_op_use_copy_engine (MemlaneSim *self, MemlaneSimOp *op, MemlaneSimEngine direction);
/* Serialises what blocking streams have before and after this point. */
void memlane_sim_barrier (MemlaneSim *self);
/* Plays the device's events up to the host's now. */
void memlane_sim_catch_up (MemlaneSim *self);
/* The host waits for (@stream, @seq), the whole @stream (seq G_MAXUINT64), or everything (@stream NULL). */
void memlane_sim_wait (MemlaneSim *self, MemlaneStream *stream, guint64 seq);
/* Waits for all that a command on @stream must wait for. */
void memlane_sim_wait_before (MemlaneSim *self, MemlaneStream *stream);
/* Whether a command on @stream would wait for earlier work, or (NULL) any work is left; as of the device's time, see
 * memlane_sim_catch_up(). */
gboolean memlane_sim_has_work (MemlaneSim *self, const MemlaneStream *stream);
/* The stream that *@stream names, NULL the legacy one; FALSE with @error for a bad handle. */
gboolean memlane_sim_find_stream (MemlaneSim *self, MemlaneStream **stream, const char *call, GError **error);

/* --- work.c: what the queue asks of an operation --------------------------------------------------------- */

extern const MemlaneWorkCalls memlane_sim_work_calls;

/* How long it takes, which is only known when it starts: where its pages are then. */
double memlane_sim_work_at_start (MemlaneSim *self, MemlaneSimOp *op);
/* What it does to bytes when it ends. */
void memlane_sim_perform (MemlaneSim *self, MemlaneSimOp *op);

G_END_DECLS
