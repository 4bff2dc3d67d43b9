/* device-driver.h: what a kind of device must provide; for engine/device/ alone, and for tests that
 * ask for trouble
 *
 * SPDX-License-Identifier: MIT
 *
 * device-calls.c stands between the callers and a driver: it counts calls, injects the faults that
 * tests ask for, and only then calls the driver. So a driver need not check for NULL out-pointers,
 * and sees only calls of the owning thread, one at
 * a time.
 *
 * Life: open -> any calls -> close. `list` and `describe` may be called at any time, from any
 * thread, with or without open devices. They
 *        must not leave the process changed (no exit, no output, no sticky error, no context).
 * Frees: close releases every stream, event and allocation that is still out.
 * Error: as device.h says: return FALSE, set @error in MEMLANE_DEVICE_ERROR with the call's CUDA
 * name first. An
 *        out-parameter is not written on failure (device-calls.c zeroes it before the call).
 * All members are mandatory unless marked (optional). A driver answers UNSUPPORTED for what its
 * device cannot do.
 */
#pragma once

#include "device-calls.h"
#include "tracer.h"

typedef struct _MemlaneDriver MemlaneDriver;

/* The trouble that a test may ask a call to make instead of its work. */
typedef enum
{
  MEMLANE_TROUBLE_FAILURE, /* it fails, once */
  MEMLANE_TROUBLE_LOST,    /* it fails as after an illegal address, and so does every later one */
  MEMLANE_TROUBLE_HANG,    /* it never returns */
  MEMLANE_TROUBLE_CRASH,   /* the process dies in it, by SIGABRT */
  /* before it the device is given a minute's work, so that the next wait hangs in the driver
   * itself */
  MEMLANE_TROUBLE_SPIN,
} MemlaneTrouble;

/* A driver embeds this as its first member and fills driver and info in open. */
struct _MemlaneDevice
{
  const MemlaneDriver *driver;
  MemlaneDeviceInfo info; /* strings owned; device.c frees them after close */
  /* host clock: what open's own page-locked memory took, the first of this process; 0: it was not
   * the first */
  double first_pinned_ns;

  /* A driver that knows sets these: then device-calls.c refuses the calls that follow. */
  /* "cudaErrorIllegalAddress: ...": no CUDA call can succeed any more, and releases say so;
   * static */
  const char *lost_by;
  gboolean in_host_function; /* whose thread may make no call at all */

  /* device.c's and device-calls.c's own */
  guint64 calls;
  guint64 fail_at; /* the call number that a test asked trouble for, 0: none */
  MemlaneTrouble trouble;
  gboolean is_lost; /* a call said so */
  /* (nullable) told of each call; set between its start and its stop alone */
  MemlaneTracer *tracer;
  gboolean is_traced;        /* between the trace table's begin and end */
};

/* The calls that can fail, by idea: NAME stands for memlane_device_NAME() of device-calls.h, whose
 * contract and type a driver's function has. A driver fills the table of each list next to the
 * functions:
 *   #define ROW(name) .name = cuda_##name,
 *   static const MemlaneMemoryCalls memory_calls = { MEMLANE_MEMORY_CALLS (ROW) }; */
#define MEMLANE_MEMORY_CALLS(X) /* what is allocated, and what an address means */                 \
  X (get_free_memory)                                                                              \
  X (host_malloc) X (host_free) X (malloc_host) X (host_alloc) X (free_host) X (host_register)     \
      X (host_unregister) X (host_get_device_pointer) X (malloc) X (malloc_managed) X (free)       \
          X (malloc_async) X (free_async) X (pool_keep) X (malloc_virtual) X (free_virtual)        \
              X (managed_static) X (peer_malloc) X (peer_free) X (pointer_get_type)
#define MEMLANE_ACCESS_CALLS(X) /* the host's own accesses, and where managed pages lie */ \
  X (host_write) X (host_fill) X (host_read) X (host_touch) X (mem_prefetch_async) X (mem_advise)
#define MEMLANE_WORK_CALLS(X) /* what the device does */                                           \
  X (memcpy)                                                                                       \
  X (memcpy_async) X (memcpy_peer_async) X (memset_async) X (flush_cache) X (launch)               \
      X (launch_work) X (launch_count) X (launch_host_function) X (start_anew)
#define MEMLANE_MANY_CALLS(X) /* many copies at once */                                            \
  X (launch_gather)                                                                                \
  X (memcpy_batch_async) X (host_copies) X (host_populate) X (graph_create) X (graph_destroy)      \
      X (graph_launch)
#define MEMLANE_BACKGROUND_CALLS(X) /* what goes on beside a sample */                             \
  X (background_start) X (background_read) X (background_stop)
#define MEMLANE_ORDER_CALLS(X) /* streams, events, waiting and the latch */                        \
  X (stream_create)                                                                                \
  X (stream_destroy) X (stream_synchronize) X (stream_query) X (stream_wait_event) X (synchronize) \
      X (event_create) X (event_destroy) X (event_record) X (event_synchronize) X (event_elapsed)  \
          X (latch_close) X (latch_open)

#define MEMLANE_DRIVER_MEMBER(name) __typeof__ (memlane_device_##name) *name;
typedef struct { MEMLANE_MEMORY_CALLS (MEMLANE_DRIVER_MEMBER) } MemlaneMemoryCalls;
typedef struct { MEMLANE_ACCESS_CALLS (MEMLANE_DRIVER_MEMBER) } MemlaneAccessCalls;
typedef struct { MEMLANE_WORK_CALLS (MEMLANE_DRIVER_MEMBER) } MemlaneWorkCalls;
typedef struct { MEMLANE_MANY_CALLS (MEMLANE_DRIVER_MEMBER) } MemlaneManyCalls;
typedef struct { MEMLANE_BACKGROUND_CALLS (MEMLANE_DRIVER_MEMBER) } MemlaneBackgroundCalls;
typedef struct { MEMLANE_ORDER_CALLS (MEMLANE_DRIVER_MEMBER) } MemlaneOrderCalls;

/* Tracing. Order: begin -> calls -> (tracer set -> enter, call, leave... -> tracer cleared) ->
 * calls -> end.
 * While a tracer is set the driver knows it as self->tracer. device-calls.c adds the calls. The
 * driver adds what the device does for them, with the correlation of the call (the tracer's), at
 * once or as late as in end. An untraced call pays nothing: what a
 * driver does for tracing hangs on self->tracer, or on what begin set up. */
typedef struct
{
  /* (nullable): may take its time; a failed one needs no end */
  gboolean (*begin) (MemlaneDevice *self, GError **error);
  /* Delivers into @tracer, or drops all when that is NULL; says where it came from in the info's
   * source, and what is lacking by notes. Undoes begin, also when it fails. */
  gboolean (*end) (MemlaneDevice *self, MemlaneTracer *tracer, GError **error);
  double (*clock) (MemlaneDevice *self); /* as the driver's, but time does not pass by it */
  /* The number that tools show for @stream (NULL: the legacy default stream); tells @tracer of its
   * properties the first time. */
  guint32 (*stream) (MemlaneDevice *self, MemlaneTracer *tracer, MemlaneStream *stream);
  /* (optional) Around a call; its host time lies between the two. @done: it succeeded. They set no
   * error: what they cannot do is missing. */
  void (*enter) (MemlaneDevice *self, MemlaneTracer *tracer, const MemlaneTraceRequest *request);
  void (*leave) (MemlaneDevice *self, MemlaneTracer *tracer, const MemlaneTraceRequest *request,
                 gboolean done);
  /* (optional) Says that devices opened from now on will be traced; any thread. */
  void (*prepare) (void);
  /* (optional) A phase begins, or (@name NULL) ends: for other tools that look on. */
  void (*phase) (MemlaneDevice *self, const char *name);
} MemlaneTraceCalls;

struct _MemlaneDriver
{
  const char *kind; /* the id's prefix: "cuda", "simulated" */

  /* (optional) Returns this runtime's name of the call @cuda: "hipMemcpy" of "cudaMemcpy". Static.
   * Errors and traces use it. */
  const char *(*name_call) (const char *cuda);

  /* Appends a MemlaneDeviceListing for each device that can be named. */
  void (*list) (GPtrArray *listings);
  /* Fills @info (all zero before; its strings go with it, also after a failure) with what open
   * would, as far as that can be known. */
  gboolean (*describe) (const char *name, MemlaneDeviceInfo *info, GError **error);
  /* @name: the id's part behind "kind:". Loads every kernel, so that no later call pays for it. */
  MemlaneDevice *(*open) (const char *name, GError **error);
  /* frees @self itself too, but not info's strings: they are moved out before */
  void (*close) (MemlaneDevice *self);

  double (*clock) (MemlaneDevice *self);
  void (*pause) (MemlaneDevice *self, double ns);
  void (*get_host_memory) (MemlaneDevice *self, guint64 *available, guint64 *lockable);
  /* (optional) See memlane_device_begin_process(). */
  void (*begin_process) (MemlaneDevice *self, guint process);
  /* (optional) See memlane_device_take_noise(). */
  gboolean (*take_noise) (MemlaneDevice *self, guint64 seed, GError **error);

  /* Fills @state, which is zeroed and known. */
  gboolean (*get_state) (MemlaneDevice *self, MemlaneDeviceState *state, GError **error);

  /* (optional) See memlane_device_move_pieces(). */
  gboolean (*move_pieces) (MemlaneDevice *self, gboolean pieces);
  /* See memlane_device_set_peer(). @peer is of this driver. */
  gboolean (*set_peer) (MemlaneDevice *self, const MemlaneDevice *peer);

  /* (optional) See memlane_device_get_caveat(). */
  char *(*get_caveat) (MemlaneDevice *self, const MemlaneDeviceUse *use);
  /* (optional) See memlane_device_correct(). */
  double (*correct) (MemlaneDevice *self, const MemlaneDeviceUse *use, MemlanePhase phase,
                     MemlaneClock clock, double ns);

  /* How many allocations, registrations, streams, events and graphs are out. */
  guint (*count_out) (MemlaneDevice *self);
  /* (optional) Makes the device the one that this thread's calls mean, after calls for another. */
  void (*make_current) (MemlaneDevice *self);
  /* (optional) For tests: keeps the device busy for @ns, behind all that is issued. */
  void (*spin) (MemlaneDevice *self, double ns);

  const MemlaneMemoryCalls *memory;
  const MemlaneAccessCalls *access;
  const MemlaneWorkCalls *work;
  const MemlaneManyCalls *many;
  const MemlaneBackgroundCalls *background;
  const MemlaneOrderCalls *order;
  const MemlaneTraceCalls *trace;
};

/* For device.c: says whose calls this thread's CUDA means now; NULL: not known. */
void memlane_device_set_current (const MemlaneDevice *self);
/* For what a driver does outside the calls of device-calls.h: see memlane_device_watch(). */
void memlane_device_watch_begin (const char *call);
void memlane_device_watch_end (void);

/* Tells every driver; see memlane_trace_prepare(). */
void memlane_device_trace_prepare (void);

/* For the tracer: the two ends of tracing, counted and made to fail like every call. */
gboolean memlane_device_trace_begin (MemlaneDevice *self, GError **error);
gboolean memlane_device_trace_end (MemlaneDevice *self, MemlaneTracer *tracer, GError **error);

/* Frees @info's strings and zeroes it. device.c does it after close; a driver whose open fails
 * half-way must, too. */
void memlane_device_info_clear (MemlaneDeviceInfo *info);

/* --- trouble on request ----------------------------------------------------------------------- */

/* Lets the @nth fallible call from now on fail (1: the next), once; 0 takes it back. The error
 * names the call. */
void memlane_device_ask_trouble (MemlaneDevice *self, MemlaneTrouble trouble, guint64 nth);

extern const MemlaneDriver memlane_simulated_driver;

/* A module, such as memlane-cuda.so, defines these. device.c names the modules. */
extern const MemlaneDriver memlane_module_driver;
extern const char *const memlane_module_version; /* the library's own, or the module is refused */
