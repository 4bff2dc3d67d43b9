/* device-driver.h: what a kind of device must provide; for engine/device/ and engine/trace/ alone
 *
 * SPDX-License-Identifier: MIT
 *
 * device.c stands between the callers and a driver: it counts calls, injects the faults that tests ask for,
 * counts what is handed out, and only then calls the driver. So a driver need not check for NULL out-pointers, and sees
 * only calls of the owning thread, one at a time.
 *
 * Life:  open -> any calls -> close. `list` and `describe` may be called at any time, from any thread, with or without open devices, and
 *        must not leave the process changed (no exit, no output, no sticky error, no context).
 * Frees: close releases every stream, event and allocation that is still out.
 * Error: as device.h says: return FALSE, set @error in MEMLANE_DEVICE_ERROR with the call's CUDA name first. An
 *        out-parameter is not written on failure (device.c zeroes it before the call).
 * All members are mandatory unless marked (optional); an optional one that is NULL answers UNSUPPORTED.
 */
#pragma once

#include "device.h"
#include "tracer.h"

G_BEGIN_DECLS

typedef struct _MemlaneDriver MemlaneDriver;

/* A driver embeds this as its first member and fills driver and info in open. */
struct _MemlaneDevice
{
  const MemlaneDriver *driver;
  MemlaneDeviceInfo info; /* strings owned; device.c frees them after close */

  /* device.c's own */
  guint64 calls;
  guint64 fail_at; /* the call number that fails, 0: none */
  GHashTable *outstanding;   /* pointers and handles that are out */
  GHashTable *registrations; /* registered host pointers */
  MemlaneTracer *tracer;     /* (nullable) told of each call; set between its start and its stop alone */
  gboolean is_traced;        /* between trace_begin and trace_end */
};

struct _MemlaneDriver
{
  const char *kind; /* the id's prefix: "cuda", "simulated" */

  /* Appends a MemlaneDeviceListing for each device that can be named. */
  void (*list) (GPtrArray *listings);
  /* Fills @info (all zero before; its strings go with it, also after a failure) with what open would, as far as that can be known. */
  gboolean (*describe) (const char *name, MemlaneDeviceInfo *info, GError **error);
  /* @name: the id's part behind "kind:". Loads every kernel, so that no later call pays for it. */
  MemlaneDevice *(*open) (const char *name, GError **error);
  void (*close) (MemlaneDevice *self); /* frees @self itself too, but not info's strings: they are moved out before */
  gboolean (*claim) (MemlaneDevice *self, GError **error);

  double (*clock) (MemlaneDevice *self);
  void (*pause) (MemlaneDevice *self, double ns);
  gboolean (*get_free_memory) (MemlaneDevice *self, guint64 *bytes, GError **error);
  void (*get_host_memory) (MemlaneDevice *self, guint64 *available, guint64 *lockable);

  gboolean (*host_malloc) (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);
  gboolean (*host_free) (MemlaneDevice *self, void *pointer, GError **error);
  gboolean (*malloc_host) (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);
  gboolean (*host_alloc) (MemlaneDevice *self, gsize bytes, MemlaneHostAllocFlags flags, void **pointer, GError **error);
  gboolean (*free_host) (MemlaneDevice *self, void *pointer, GError **error);
  gboolean (*host_register) (MemlaneDevice *self, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error);
  gboolean (*host_unregister) (MemlaneDevice *self, void *pointer, GError **error);
  gboolean (*host_get_device_pointer) (MemlaneDevice *self, void *host, void **device, GError **error);

  gboolean (*host_write) (MemlaneDevice *self, void *pointer, const void *from, gsize bytes, GError **error);
  gboolean (*host_fill) (MemlaneDevice *self, void *pointer, int byte, gsize bytes, GError **error);
  gboolean (*host_read) (MemlaneDevice *self, void *to, const void *pointer, gsize bytes, GError **error);
  gboolean (*host_touch) (MemlaneDevice *self, const void *pointer, gsize bytes, GError **error);

  gboolean (*malloc) (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);
  gboolean (*malloc_managed) (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);
  gboolean (*free) (MemlaneDevice *self, void *pointer, GError **error);
  gboolean (*malloc_async) (MemlaneDevice *self, gsize bytes, MemlaneStream *stream, void **pointer, GError **error);
  gboolean (*free_async) (MemlaneDevice *self, void *pointer, MemlaneStream *stream, GError **error);
  gboolean (*managed_static) (MemlaneDevice *self, guint index, gsize bytes, void **pointer, GError **error);
  gboolean (*peer_malloc) (MemlaneDevice *self, gsize bytes, void **pointer, GError **error); /* (optional) */
  gboolean (*peer_free) (MemlaneDevice *self, void *pointer, GError **error);                 /* (optional) */
  gboolean (*pointer_get_attributes) (MemlaneDevice *self, const void *pointer, MemlanePointerAttributes *attributes, GError **error);

  gboolean (*memcpy) (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error);
  gboolean (*memcpy_async) (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, MemlaneStream *stream,
                            GError **error);
  gboolean (*memcpy_peer_async) (MemlaneDevice *self, void *to_peer, const void *from, gsize bytes, MemlaneStream *stream,
                                 GError **error); /* (optional) */
  gboolean (*memset_async) (MemlaneDevice *self, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error);
  gboolean (*mem_prefetch_async) (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneLocation location, MemlaneStream *stream,
                                  GError **error);
  gboolean (*mem_advise) (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                          GError **error);

  gboolean (*launch) (MemlaneDevice *self, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                      MemlaneStream *stream, GError **error);
  gboolean (*launch_host_function) (MemlaneDevice *self, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                    GError **error);

  gboolean (*stream_create) (MemlaneDevice *self, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error);
  gboolean (*stream_destroy) (MemlaneDevice *self, MemlaneStream *stream, GError **error);
  gboolean (*stream_synchronize) (MemlaneDevice *self, MemlaneStream *stream, GError **error);
  gboolean (*stream_query) (MemlaneDevice *self, MemlaneStream *stream, gboolean *done, GError **error);
  gboolean (*stream_wait_event) (MemlaneDevice *self, MemlaneStream *stream, MemlaneEvent *event, GError **error);
  gboolean (*synchronize) (MemlaneDevice *self, GError **error);

  gboolean (*event_create) (MemlaneDevice *self, MemlaneEvent **event, GError **error);
  gboolean (*event_destroy) (MemlaneDevice *self, MemlaneEvent *event, GError **error);
  gboolean (*event_record) (MemlaneDevice *self, MemlaneEvent *event, MemlaneStream *stream, GError **error);
  gboolean (*event_synchronize) (MemlaneDevice *self, MemlaneEvent *event, GError **error);
  gboolean (*event_elapsed) (MemlaneDevice *self, MemlaneEvent *start, MemlaneEvent *stop, double *ns, GError **error);

  gboolean (*latch_close) (MemlaneDevice *self, MemlaneStream *stream, GError **error);
  gboolean (*latch_open) (MemlaneDevice *self, gboolean *late, GError **error);

  /* Tracing: all of these or none; trace_enter and trace_leave are optional all the same. Order:
   * trace_begin -> calls -> (tracer set -> trace_enter, call, trace_leave... -> tracer cleared) -> calls -> trace_end.
   * While a tracer is set the driver knows it as self->tracer; device-calls.c adds the calls, the driver what the device does for them,
   * with the correlation of the call (memlane_tracer_get_correlation()), at once or as late as in trace_end. An untraced call pays
   * nothing: what a driver does for tracing hangs on self->tracer, or on what trace_begin set up. */
  gboolean (*trace_begin) (MemlaneDevice *self, GError **error); /* may take its time; a failed one needs no trace_end */
  /* Delivers into @tracer, or drops all when that is NULL; says where it came from by memlane_tracer_set_source() and what is lacking by
   * notes. Undoes trace_begin, also when it fails. */
  gboolean (*trace_end) (MemlaneDevice *self, MemlaneTracer *tracer, GError **error);
  double (*trace_clock) (MemlaneDevice *self); /* as clock, but time does not pass by it */
  /* The number that tools show for @stream (NULL: the legacy default stream); tells @tracer of its properties the first time. */
  guint32 (*trace_stream) (MemlaneDevice *self, MemlaneTracer *tracer, MemlaneStream *stream);
  /* Around a call; its host time stands between the two. @done: it succeeded. They set no error: what they cannot do is missing. */
  void (*trace_enter) (MemlaneDevice *self, MemlaneTracer *tracer, const MemlaneTraceRequest *request);
  void (*trace_leave) (MemlaneDevice *self, MemlaneTracer *tracer, const MemlaneTraceRequest *request, gboolean done);
  /* (optional) Says that devices opened from now on will be traced; any thread. */
  void (*trace_prepare) (void);
  /* (optional) A phase begins, or (@name NULL) ends: for other tools that look on. */
  void (*trace_phase) (MemlaneDevice *self, const char *name);
};

/* Tells every driver; see memlane_trace_prepare(). */
void memlane_device_trace_prepare (void);

/* For the tracer: the two ends of tracing, counted and made to fail like every call. */
gboolean memlane_device_trace_begin (MemlaneDevice *self, GError **error);
gboolean memlane_device_trace_end (MemlaneDevice *self, MemlaneTracer *tracer, GError **error);

/* Gives a device that a driver has opened its books. memlane_device_open() does it; a driver that opens devices by another door
 * must, too. */
void memlane_device_adopt (MemlaneDevice *self, const MemlaneDriver *driver);
/* Frees @info's strings and zeroes it. device.c does it after close; a driver whose open fails half-way must, too. */
void memlane_device_info_clear (MemlaneDeviceInfo *info);

#ifdef MEMLANE_HAVE_CUDA
extern const MemlaneDriver memlane_cuda_driver;
#endif
extern const MemlaneDriver memlane_simulated_driver;

G_END_DECLS
