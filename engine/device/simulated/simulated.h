/* simulated.h: the simulated device's inside; for simulated*.c alone
 *
 * SPDX-License-Identifier: MIT
 *
 * Two clocks. `now` is the host thread's: calls add what they cost. `device_time` is how far the device's events have been played; it lags
 * behind `now` and is brought forward only when somebody looks (a wait, a query, a host access). Between calls device_time <= now.
 *
 * A stream is a queue of operations. An operation starts when it is at the head of its queue, its issue has reached the device, what it
 * must wait for is done and its engine is free; it then has `remaining` nanoseconds of work and progresses at `rate` (0, 1]. Rates are
 * worked out again whenever an operation with work starts or ends. Bytes change when an operation ends, so that a program that forgets to
 * wait sees old bytes.
 *
 * Order of issue is a number, `seq`. As streams are queues, "operation seq of stream S is done" means that S's head is younger than seq.
 */
#pragma once

#include "device/device-driver.h"
#include "profile.h"

G_BEGIN_DECLS

#define MEMLANE_SIM_BLOCK 65536.0 /* residency is tracked in blocks of 64 KiB */
#define MEMLANE_SIM_BLOCK_SHIFT 16
#define MEMLANE_SIM_STAGING 65536 /* a pageable copy up to this size is only staged when the call returns */

/* --- memory ------------------------------------------------------------------------------------------ */

typedef enum
{
  SIM_PAGEABLE,
  SIM_PINNED,
  SIM_DEVICE,
  SIM_MANAGED,
  SIM_PEER,
  SIM_REGISTERED, /* in the set of registrations */
  SIM_ALIAS,      /* addresses by which the device knows mapped memory, where host pointers will not do */
} MemlaneSimKind;

/* What a block of managed (or, with pageableMemoryAccess, pageable) memory is known to be. */
enum
{
  SIM_ON_HOST = 1 << 0,
  SIM_ON_DEVICE = 1 << 1,
  SIM_READ_MOSTLY = 1 << 2,
  SIM_PREFER_DEVICE = 1 << 3,
  SIM_PREFER_HOST = 1 << 4,
  SIM_ACCESSED_BY_DEVICE = 1 << 5,
};

/* Small allocations of a kind share chunks of two mebibytes: simulated-chunks.c. */
typedef enum
{
  MEMLANE_SIM_CHUNKS_DEVICE,
  MEMLANE_SIM_CHUNKS_PINNED,
  MEMLANE_SIM_CHUNKS_WRITE_COMBINED,
  MEMLANE_SIM_CHUNKS_PEER,
  MEMLANE_SIM_N_CHUNK_KINDS
} MemlaneSimChunkKind;

typedef struct _MemlaneSimChunk MemlaneSimChunk;

typedef struct _MemlaneSimRange MemlaneSimRange;
struct _MemlaneSimRange
{
  char *base;
  gsize bytes;
  MemlaneSimKind kind;
  gboolean mapped, write_combined, portable;
  gboolean is_static; /* a __managed__ array */
  gboolean from_pool_call; /* cudaMallocAsync */
  MemlaneCurve free_curve;
  MemlaneSimChunkKind chunk_kind;
  MemlaneSimChunk *chunk; /* that it shares with others; NULL: none */
  guint8 *blocks;     /* pageable and managed: flags of each block */
  MemlaneSimRange *alias;  /* pinned, registered: its device addresses; alias: the memory behind it */
};

/* Disjoint ranges in ascending order. */
typedef struct
{
  GPtrArray *ranges;
} MemlaneSimRanges;

void memlane_sim_ranges_init (MemlaneSimRanges *self);
void memlane_sim_ranges_clear (MemlaneSimRanges *self);
void memlane_sim_ranges_add (MemlaneSimRanges *self, MemlaneSimRange *range);
void memlane_sim_ranges_remove (MemlaneSimRanges *self, MemlaneSimRange *range);
/* The range that @pointer is in, or NULL. */
MemlaneSimRange *memlane_sim_ranges_find (const MemlaneSimRanges *self, const void *pointer);
gboolean memlane_sim_ranges_overlaps (const MemlaneSimRanges *self, const void *pointer, gsize bytes);

#define MEMLANE_SIM_CLASSES 48
typedef struct
{
  GArray *free_blocks[MEMLANE_SIM_CLASSES]; /* of pages handed back, last in first out; class = log2 of the size */
  guint64 kept;       /* bytes in free_blocks */
  guint64 out;        /* bytes handed out, in whole classes */
  guint64 unchecked;  /* fresh bytes since MemAvailable was last read */
} MemlaneSimPool;

/* --- operations -------------------------------------------------------------------------------------- */

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
  guint8 way, source, destination; /* MemlaneTraceWay, MemlaneTraceMemory */
  gsize staging;          /* bytes that the host stages while it runs */
  double migration;       /* the part of work that is moving pages */
  double migrated, duplicated; /* bytes */
  guint faults;           /* blocks that were missing */
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

typedef struct
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
} MemlaneSim;

#define SIM(device) ((MemlaneSim *) (device))

/* --- simulated.c: errors and costs ---------------------------------------------------------------------- */

/* Sets "CALL: REASON"; always FALSE. */
gboolean memlane_sim_fail (GError **error, MemlaneDeviceError code, const char *reason, const char *call_format, ...) G_GNUC_PRINTF (4, 5);
/* Whether a call may be made at all: not from a host function, not on a lost device. */
gboolean memlane_sim_admit (MemlaneSim *self, const char *call, GError **error);
/* Adds @ns to the host's clock. */
void memlane_sim_spend (MemlaneSim *self, double ns);
double memlane_sim_noisy (MemlaneSim *self, double ns);
double memlane_sim_cost (MemlaneSim *self, MemlaneCurve curve, double bytes);
/* Charges a call for finding the caches full of the host's own data. */
void memlane_sim_spend_cold (MemlaneSim *self);
/* Charges a wait for what the pool gives back after it. */
void memlane_sim_spend_trim (MemlaneSim *self);
#define memlane_sim_host(self, id) ((self)->profile->host[MEMLANE_HOST_##id])

/* --- simulated-queue.c ------------------------------------------------------------------------------------ */

MemlaneSimOp *memlane_sim_op_new (MemlaneSim *self, MemlaneSimOpKind kind, MemlaneStream *stream);
/* Queues it; @latency: from now until it reaches the device. Returns its seq. */
guint64 memlane_sim_issue (MemlaneSim *self, MemlaneSimOp *op, double latency);
/* The engine that a copy in @direction (UP, DOWN, INSIDE) runs on. */
void memlane_sim_op_use_copy_engine (MemlaneSim *self, MemlaneSimOp *op, MemlaneSimEngine direction);
/* Serialises what blocking streams have before and after this point. */
void memlane_sim_barrier (MemlaneSim *self);
/* Plays the device's events up to the host's now. */
void memlane_sim_catch_up (MemlaneSim *self);
gboolean memlane_sim_is_done (MemlaneSim *self, MemlaneStream *stream, guint64 seq);
/* The host waits for (@stream, @seq), the whole @stream (seq G_MAXUINT64), or everything (@stream NULL). */
void memlane_sim_wait (MemlaneSim *self, MemlaneStream *stream, guint64 seq);
/* Waits for all that a command on @stream must wait for. */
void memlane_sim_wait_before (MemlaneSim *self, MemlaneStream *stream);
gboolean memlane_sim_is_idle (MemlaneSim *self);
/* Whether a command on @stream would wait for earlier work; up to the device's time, see memlane_sim_catch_up(). */
gboolean memlane_sim_has_work (MemlaneSim *self, const MemlaneStream *stream);
void memlane_sim_stream_unref (MemlaneStream *stream);
void memlane_sim_event_unref (MemlaneEvent *event);
void memlane_sim_queue_clear (MemlaneSim *self);

/* --- simulated-ranges.c ------------------------------------------------------------------------------------ */

/* Pages for @bytes; NULL: this machine does not have them to spare. Recycled ones hold NaNs here and there. */
char *memlane_sim_pool_take (MemlaneSim *self, gsize bytes);
void memlane_sim_pool_give (MemlaneSim *self, char *block, gsize bytes);
void memlane_sim_pool_clear (MemlaneSim *self);

/* --- simulated-chunks.c: what small allocations share ------------------------------------------------------- */

void memlane_sim_chunks_init (MemlaneSim *self);
void memlane_sim_chunks_clear (MemlaneSim *self);
/* Charges for @range, just allocated: @cost when it begins a chunk or is too large for one, next to nothing when it shares one. */
void memlane_sim_chunks_take (MemlaneSim *self, MemlaneSimChunkKind kind, MemlaneSimRange *range, MemlaneCurve cost);
/* Charges for giving it back: @cost when that empties its chunk or it was too large for one. */
void memlane_sim_chunks_give_back (MemlaneSim *self, MemlaneSimRange *range, MemlaneCurve cost);

/* --- simulated-memory.c ------------------------------------------------------------------------------------ */

void memlane_sim_memory_init (MemlaneSim *self);
void memlane_sim_memory_clear (MemlaneSim *self);
/* The end of a range that has left the books: bytes, blocks, alias. */
void memlane_sim_range_free (MemlaneSim *self, MemlaneSimRange *range);
/* What the device finds at @pointer: the range, and the address behind an alias in *@host. NULL: nothing that it can reach for @bytes. */
MemlaneSimRange *memlane_sim_reach (MemlaneSim *self, const void *pointer, gsize bytes, char **host);
/* What a copy finds at @pointer: SIM_PAGEABLE also for memory that nobody knows; FALSE: the range ends before @bytes do. */
gboolean memlane_sim_locate (MemlaneSim *self, const void *pointer, gsize bytes, MemlaneSimKind *kind, MemlaneSimRange **range,
                             char **host);
void memlane_sim_get_host_memory (MemlaneDevice *device, guint64 *available, guint64 *lockable);

gboolean memlane_sim_host_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error);
gboolean memlane_sim_host_free (MemlaneDevice *device, void *pointer, GError **error);
gboolean memlane_sim_malloc_host (MemlaneDevice *device, gsize bytes, void **pointer, GError **error);
gboolean memlane_sim_host_alloc (MemlaneDevice *device, gsize bytes, MemlaneHostAllocFlags flags, void **pointer, GError **error);
gboolean memlane_sim_free_host (MemlaneDevice *device, void *pointer, GError **error);
gboolean memlane_sim_host_register (MemlaneDevice *device, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error);
gboolean memlane_sim_host_unregister (MemlaneDevice *device, void *pointer, GError **error);
gboolean memlane_sim_host_get_device_pointer (MemlaneDevice *device, void *host, void **pointer, GError **error);
gboolean memlane_sim_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error);
gboolean memlane_sim_malloc_managed (MemlaneDevice *device, gsize bytes, void **pointer, GError **error);
gboolean memlane_sim_free (MemlaneDevice *device, void *pointer, GError **error);
gboolean memlane_sim_malloc_async (MemlaneDevice *device, gsize bytes, MemlaneStream *stream, void **pointer, GError **error);
gboolean memlane_sim_free_async (MemlaneDevice *device, void *pointer, MemlaneStream *stream, GError **error);
gboolean memlane_sim_managed_static (MemlaneDevice *device, guint index, gsize bytes, void **pointer, GError **error);
gboolean memlane_sim_peer_malloc (MemlaneDevice *device, gsize bytes, void **pointer, GError **error);
gboolean memlane_sim_peer_free (MemlaneDevice *device, void *pointer, GError **error);
gboolean memlane_sim_pointer_get_attributes (MemlaneDevice *device, const void *pointer, MemlanePointerAttributes *attributes,
                                             GError **error);

/* --- simulated-managed.c: who holds which page, and what the host's own accesses cost --------------------- */

/* What had to move. */
typedef struct
{
  double migrated, duplicated; /* bytes */
  guint blocks;
} MemlaneSimMoved;

/* Extra device time of a kernel or fill for the pages of its @n pieces [@at, @at + @bytes) that have to move (a NULL range has none);
 * bit i of @writes: piece i is written. *@remote receives the share of the bytes that it reaches over the link instead. */
double memlane_sim_migrate_for_device (MemlaneSim *self, MemlaneSimRange *const *ranges, const char *const *at, guint n, gsize bytes,
                                       guint writes, double *remote, MemlaneSimMoved *moved);
/* Bytes of the piece that are not (all) at @location. */
double memlane_sim_bytes_away (const MemlaneSimRange *range, const char *at, gsize bytes, MemlaneLocation location);
/* They are there now. */
void memlane_sim_place (MemlaneSimRange *range, const char *at, gsize bytes, MemlaneLocation location);
gboolean memlane_sim_is_on_device (const MemlaneSimRange *range);
gboolean memlane_sim_is_advised (const MemlaneSimRange *range);
gboolean memlane_sim_mem_prefetch_async (MemlaneDevice *device, const void *pointer, gsize bytes, MemlaneLocation location,
                                         MemlaneStream *stream, GError **error);
gboolean memlane_sim_mem_advise (MemlaneDevice *device, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                                 GError **error);
gboolean memlane_sim_host_write (MemlaneDevice *device, void *pointer, const void *from, gsize bytes, GError **error);
gboolean memlane_sim_host_fill (MemlaneDevice *device, void *pointer, int byte, gsize bytes, GError **error);
gboolean memlane_sim_host_read (MemlaneDevice *device, void *to, const void *pointer, gsize bytes, GError **error);
gboolean memlane_sim_host_touch (MemlaneDevice *device, const void *pointer, gsize bytes, GError **error);

/* --- simulated-work.c: copies, fills, kernels, host functions ------------------------------------------------ */

/* Validates a stream handle. */
gboolean memlane_sim_find_stream (MemlaneSim *self, MemlaneStream **stream, const char *call, GError **error);
/* How long an operation takes that is only known when it starts: where its pages are then. */
double memlane_sim_work_at_start (MemlaneSim *self, MemlaneSimOp *op);
/* What an operation does to bytes when it ends. */
void memlane_sim_perform (MemlaneSim *self, MemlaneSimOp *op);
gboolean memlane_sim_memcpy (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error);
gboolean memlane_sim_memcpy_async (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
                                   MemlaneStream *stream, GError **error);
gboolean memlane_sim_memcpy_peer_async (MemlaneDevice *device, void *to, const void *from, gsize bytes, MemlaneStream *stream,
                                        GError **error);
gboolean memlane_sim_memset_async (MemlaneDevice *device, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error);
gboolean memlane_sim_launch (MemlaneDevice *device, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                             MemlaneStream *stream, GError **error);
gboolean memlane_sim_launch_host_function (MemlaneDevice *device, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                           GError **error);

/* --- simulated-trace.c: what the model tells a tracer; call these only while there is one ----------------------- */

MemlaneTraceMemory memlane_sim_trace_memory (MemlaneSimKind kind);
/* @op has just ended. */
void memlane_sim_trace_op (MemlaneSim *self, const MemlaneSimOp *op);
/* The host has waited since @begin, for @stream or (NULL) for everything. */
void memlane_sim_trace_wait (MemlaneSim *self, const MemlaneStream *stream, double begin);
/* The host has staged, or copied from host to host, since @begin. */
void memlane_sim_trace_host_copy (MemlaneSim *self, MemlaneTraceKind kind, const MemlaneStream *stream, MemlaneSimKind to,
                                  MemlaneSimKind from, gsize bytes, double begin);
/* The host's access, which begins now, brings pages of memory of @kind home for @ns. */
void memlane_sim_trace_host_faults (MemlaneSim *self, MemlaneSimKind kind, const MemlaneSimMoved *moved, double ns);
/* The lowest number that no stream has. */
guint32 memlane_sim_trace_free_number (MemlaneSim *self);
gboolean memlane_sim_trace_begin (MemlaneDevice *device, GError **error);
gboolean memlane_sim_trace_end (MemlaneDevice *device, MemlaneTracer *tracer, GError **error);
double memlane_sim_trace_clock (MemlaneDevice *device);
guint32 memlane_sim_trace_stream (MemlaneDevice *device, MemlaneTracer *tracer, MemlaneStream *stream);

/* --- simulated-order.c: streams, events, waiting, the latch ------------------------------------------------- */

gboolean memlane_sim_stream_create (MemlaneDevice *device, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error);
gboolean memlane_sim_stream_destroy (MemlaneDevice *device, MemlaneStream *stream, GError **error);
gboolean memlane_sim_stream_synchronize (MemlaneDevice *device, MemlaneStream *stream, GError **error);
gboolean memlane_sim_stream_query (MemlaneDevice *device, MemlaneStream *stream, gboolean *done, GError **error);
gboolean memlane_sim_stream_wait_event (MemlaneDevice *device, MemlaneStream *stream, MemlaneEvent *event, GError **error);
gboolean memlane_sim_synchronize (MemlaneDevice *device, GError **error);
gboolean memlane_sim_event_create (MemlaneDevice *device, MemlaneEvent **event, GError **error);
gboolean memlane_sim_event_destroy (MemlaneDevice *device, MemlaneEvent *event, GError **error);
gboolean memlane_sim_event_record (MemlaneDevice *device, MemlaneEvent *event, MemlaneStream *stream, GError **error);
gboolean memlane_sim_event_synchronize (MemlaneDevice *device, MemlaneEvent *event, GError **error);
gboolean memlane_sim_event_elapsed (MemlaneDevice *device, MemlaneEvent *start, MemlaneEvent *stop, double *ns, GError **error);
gboolean memlane_sim_latch_close (MemlaneDevice *device, MemlaneStream *stream, GError **error);
gboolean memlane_sim_latch_open (MemlaneDevice *device, gboolean *late, GError **error);

G_END_DECLS
