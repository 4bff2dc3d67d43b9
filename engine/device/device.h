/* device.h: the part of the CUDA runtime that the memory modes need, once for every kind of device
 *
 * SPDX-License-Identifier: MIT
 *
 * A recipe (engine/mode) is written against this header alone. Behind it stands a CUDA device, which
 * forwards each call, or a simulated one, which performs each call on host memory and charges virtual
 * time to a discrete-event model. What differs between devices is data: capabilities, limits, a profile.
 *
 * Errors.  Every call that can fail returns FALSE and sets a #GError of the domain MEMLANE_DEVICE_ERROR.
 *          Its message reads "CALL (ARGUMENTS): CUDA ERROR NAME: what it means; what to do". A failed call
 *          leaves its out-parameters NULL (or 0), hands nothing out, and clears CUDA's sticky last error, so
 *          the next call starts clean. A release that fails has released all the same: CUDA reports errors of
 *          earlier asynchronous work there.
 * Threads. A device belongs to the thread that opened it or, after memlane_device_claim(), to the claiming
 *          thread; only memlane_device_get_info() may be called from others.
 * Time.    All times are double nanoseconds on the device's own clock: memlane_device_clock(). A simulated
 *          device's clock is virtual. Never compare with another clock.
 * Pointers. What malloc() and friends hand out is owned by the caller and goes back by the matching release.
 *          The device counts what is out: memlane_device_get_outstanding().
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define MEMLANE_DEVICE_ERROR (memlane_device_error_quark ())

/**
 * MemlaneDeviceError:
 * @MEMLANE_DEVICE_ERROR_FAILED: a call failed for a reason that has no code of its own
 * @MEMLANE_DEVICE_ERROR_UNSUPPORTED: this device cannot do what was asked
 * @MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY: device, host or lockable memory is exhausted
 * @MEMLANE_DEVICE_ERROR_INVALID: an argument is wrong: a foreign pointer, a second free, an impossible size
 * @MEMLANE_DEVICE_ERROR_UNAVAILABLE: no driver, no such device, or another process has it for itself
 * @MEMLANE_DEVICE_ERROR_LOST: the device is gone until the process ends; no later call can succeed
 * @MEMLANE_DEVICE_ERROR_TIMEOUT: a call did not end in time
 */
typedef enum
{
  MEMLANE_DEVICE_ERROR_FAILED,
  MEMLANE_DEVICE_ERROR_UNSUPPORTED,
  MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
  MEMLANE_DEVICE_ERROR_INVALID,
  MEMLANE_DEVICE_ERROR_UNAVAILABLE,
  MEMLANE_DEVICE_ERROR_LOST,
  MEMLANE_DEVICE_ERROR_TIMEOUT,
} MemlaneDeviceError;

GQuark memlane_device_error_quark (void);

typedef struct _MemlaneDevice MemlaneDevice;
typedef struct _MemlaneStream MemlaneStream; /* NULL names the legacy default stream */
typedef struct _MemlaneEvent MemlaneEvent;

/* What a device can do; each bit carries the CUDA attribute's name. */
typedef enum
{
  MEMLANE_CAN_MAP_HOST_MEMORY = 1 << 0,          /* canMapHostMemory */
  MEMLANE_CAN_UNIFIED_ADDRESSING = 1 << 1,       /* unifiedAddressing */
  MEMLANE_CAN_MANAGED_MEMORY = 1 << 2,           /* managedMemory */
  MEMLANE_CAN_CONCURRENT_MANAGED = 1 << 3,       /* concurrentManagedAccess */
  MEMLANE_CAN_HOST_REGISTER = 1 << 4,            /* hostRegisterSupported */
  MEMLANE_CAN_MEMORY_POOLS = 1 << 5,             /* memoryPoolsSupported */
  MEMLANE_CAN_PAGEABLE_ACCESS = 1 << 6,          /* pageableMemoryAccess */
  MEMLANE_CAN_CONCURRENT_KERNELS = 1 << 7,       /* concurrentKernels */
  MEMLANE_CAN_COPY_ASYNC = 1 << 8,               /* asyncEngineCount >= 1 */
  MEMLANE_CAN_HOST_POINTER_REGISTERED = 1 << 9,  /* canUseHostPointerForRegisteredMem */
  MEMLANE_CAN_PEER_COPY = 1 << 10,               /* a second device stands beside this one */
} MemlaneCapabilities;

/* The field's name for the lowest bit of @capability ("canMapHostMemory"); static. */
const char *memlane_capability_name (MemlaneCapabilities capability);

/**
 * MemlaneDeviceInfo: what is known of a device without using it.
 *
 * An unknown number is 0, an unknown string NULL. Of one that is described and not open, link_* and priority_* of a GPU are unknown.
 */
typedef struct
{
  char *id;                   /* "cuda:0", "simulated:h200" */
  char *kind;                 /* "cuda" or "simulated" */
  char *name;                 /* "NVIDIA H200" */
  char *driver;               /* driver version, "580.159.04" */
  char *runtime;              /* CUDA runtime version, "13.0" */
  char *pci_bus_id;           /* "0000:1b:00.0" */
  char *profile;              /* simulated: the profile's path */
  char *calibrated_from;      /* simulated: the recorded run that the profile was fitted from */
  MemlaneCapabilities capabilities;
  int compute_major, compute_minor;
  int multiprocessors;
  int copy_engines;           /* asyncEngineCount; may be 0 although known: see capabilities */
  int numa_node;              /* -1: unknown */
  gboolean integrated;
  guint64 memory_bytes;
  guint64 l2_bytes;
  double processor_clock;     /* Hz, the highest of the multiprocessors */
  double memory_clock;        /* Hz, the highest of the device memory */
  double memory_bandwidth;    /* bytes/s in theory: 2 x memory clock x bus width / 8 */
  int link_generation;        /* PCIe generation as negotiated, from sysfs */
  int link_width;             /* lanes as negotiated */
  double link_bandwidth;      /* bytes/s one way: GT/s x width x encoding / 8 */
  guint64 static_managed_bytes; /* size of each __managed__ array in kernels/ */
  int priority_least, priority_greatest; /* stream priorities; the greatest is the smaller number */
} MemlaneDeviceInfo;

/* One line of memlane-cli devices. */
typedef struct
{
  char *id, *kind, *name;
  char *reason;               /* why it cannot be used, NULL when it can */
} MemlaneDeviceListing;

void memlane_device_listing_free (MemlaneDeviceListing *listing);

/* Every device that can be named, usable ones first, the preferred one at the head.
 * Returns: (transfer full) (element-type MemlaneDeviceListing). Never empty of a reason: without a driver
 * there is a row "cuda" that says so. */
GPtrArray *memlane_device_list (void);

/* What memlane_device_open() would find, without opening it: on a GPU no context is made, which would cost a second and much memory. Any
 * thread; the rest of the process is left as it was. @id: as for opening. An error is that of opening, as far as it can be foreseen.
 * Returns: (transfer full), or NULL with @error set. */
MemlaneDeviceInfo *memlane_device_describe (const char *id, GError **error);
/* NULL is fine. */
void memlane_device_info_free (MemlaneDeviceInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDeviceInfo, memlane_device_info_free)

/* Opens @id ("cuda:N", "simulated:NAME" or "simulated:/path/to/FILE.device"); NULL opens the first usable GPU, else
 * the simulated H200. The calling thread owns the device. Returns: (transfer full), or NULL with @error set. */
MemlaneDevice *memlane_device_open (const char *id, GError **error);

/* Closes the device; what is still out is released. NULL is fine. */
void memlane_device_close (MemlaneDevice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneDevice, memlane_device_close)

/* Makes the calling thread the owner (CUDA: cudaSetDevice). The former owner must make no more calls. */
gboolean memlane_device_claim (MemlaneDevice *self, GError **error);

/* (transfer none), constant while the device is open; any thread. */
const MemlaneDeviceInfo *memlane_device_get_info (MemlaneDevice *self);
gboolean memlane_device_can (MemlaneDevice *self, MemlaneCapabilities all_of);

/* Nanoseconds on the device's own host clock; monotonic, cheap, never fails. */
double memlane_device_clock (MemlaneDevice *self);

/* Lets @ns of that clock pass, the host awake, with no call made. */
void memlane_device_pause (MemlaneDevice *self, double ns);

/* Bytes of device memory that are free now. */
gboolean memlane_device_get_free_memory (MemlaneDevice *self, guint64 *bytes, GError **error);
/* Bytes of host memory that could be handed out now (Linux: MemAvailable) and that may be locked
 * (RLIMIT_MEMLOCK; G_MAXUINT64: no limit). Never fails; 0 where it cannot be known. */
void memlane_device_get_host_memory (MemlaneDevice *self, guint64 *available, guint64 *lockable);

/* --- host memory --------------------------------------------------------------------------------- */

typedef enum
{
  MEMLANE_HOST_ALLOC_DEFAULT = 0,
  MEMLANE_HOST_ALLOC_PORTABLE = 1 << 0,
  MEMLANE_HOST_ALLOC_MAPPED = 1 << 1,
  MEMLANE_HOST_ALLOC_WRITE_COMBINED = 1 << 2,
} MemlaneHostAllocFlags;

typedef enum
{
  MEMLANE_HOST_REGISTER_DEFAULT = 0,
  MEMLANE_HOST_REGISTER_PORTABLE = 1 << 0,
  MEMLANE_HOST_REGISTER_MAPPED = 1 << 1,
} MemlaneHostRegisterFlags;

gboolean memlane_device_host_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);  /* malloc, page-aligned */
gboolean memlane_device_host_free (MemlaneDevice *self, void *pointer, GError **error);                  /* free */
gboolean memlane_device_malloc_host (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);  /* cudaMallocHost */
gboolean memlane_device_host_alloc (MemlaneDevice *self, gsize bytes, MemlaneHostAllocFlags flags, void **pointer,
                                    GError **error); /* cudaHostAlloc */
gboolean memlane_device_free_host (MemlaneDevice *self, void *pointer, GError **error);                  /* cudaFreeHost */
gboolean memlane_device_host_register (MemlaneDevice *self, void *pointer, gsize bytes, MemlaneHostRegisterFlags flags, GError **error);
gboolean memlane_device_host_unregister (MemlaneDevice *self, void *pointer, GError **error);
gboolean memlane_device_host_get_device_pointer (MemlaneDevice *self, void *host, void **device, GError **error);

/* The host's own accesses go through the device, because a simulated one charges time for them and migrates managed pages.
 * host_write and host_fill store into [pointer, pointer + bytes), host_read loads from it, host_touch reads one word of each 4 KiB page. */
gboolean memlane_device_host_write (MemlaneDevice *self, void *pointer, const void *from, gsize bytes, GError **error);
gboolean memlane_device_host_fill (MemlaneDevice *self, void *pointer, int byte, gsize bytes, GError **error);
gboolean memlane_device_host_read (MemlaneDevice *self, void *to, const void *pointer, gsize bytes, GError **error);
gboolean memlane_device_host_touch (MemlaneDevice *self, const void *pointer, gsize bytes, GError **error);

/* --- device and managed memory -------------------------------------------------------------------- */

gboolean memlane_device_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);         /* cudaMalloc */
gboolean memlane_device_malloc_managed (MemlaneDevice *self, gsize bytes, void **pointer, GError **error); /* cudaMallocManaged */
gboolean memlane_device_free (MemlaneDevice *self, void *pointer, GError **error);                         /* cudaFree, both of the above */
gboolean memlane_device_malloc_async (MemlaneDevice *self, gsize bytes, MemlaneStream *stream, void **pointer, GError **error);
gboolean memlane_device_free_async (MemlaneDevice *self, void *pointer, MemlaneStream *stream, GError **error);
/* The address of __managed__ array number @index (0..2); owned by the device, never released. UNSUPPORTED when
 * @bytes is more than info's static_managed_bytes. */
gboolean memlane_device_managed_static (MemlaneDevice *self, guint index, gsize bytes, void **pointer, GError **error);
/* Memory of the second device (MEMLANE_CAN_PEER_COPY). */
gboolean memlane_device_peer_malloc (MemlaneDevice *self, gsize bytes, void **pointer, GError **error);
gboolean memlane_device_peer_free (MemlaneDevice *self, void *pointer, GError **error);

typedef enum
{
  MEMLANE_MEMORY_UNREGISTERED, /* pageable host memory that CUDA does not know */
  MEMLANE_MEMORY_HOST,         /* page-locked */
  MEMLANE_MEMORY_DEVICE,
  MEMLANE_MEMORY_MANAGED,
} MemlaneMemoryType;

const char *memlane_memory_type_name (MemlaneMemoryType type); /* "unregistered", "host", ... */

typedef struct
{
  MemlaneMemoryType type;
  void *device_pointer; /* as the kernel must write it; NULL: it cannot reach the memory */
  void *host_pointer;   /* NULL: the host cannot reach it */
} MemlanePointerAttributes;

gboolean memlane_device_pointer_get_attributes (MemlaneDevice *self, const void *pointer, MemlanePointerAttributes *attributes,
                                                GError **error);

/* --- moving bytes ----------------------------------------------------------------------------------- */

typedef enum
{
  MEMLANE_COPY_TO_DEVICE,
  MEMLANE_COPY_TO_HOST,
  MEMLANE_COPY_ON_DEVICE,
  MEMLANE_COPY_ON_HOST,
} MemlaneCopyKind;

gboolean memlane_device_memcpy (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind, GError **error);
gboolean memlane_device_memcpy_async (MemlaneDevice *self, void *to, const void *from, gsize bytes, MemlaneCopyKind kind,
                                      MemlaneStream *stream, GError **error);
/* From this device's memory into the second one's (cudaMemcpyPeerAsync). */
gboolean memlane_device_memcpy_peer_async (MemlaneDevice *self, void *to_peer, const void *from, gsize bytes, MemlaneStream *stream,
                                           GError **error);
gboolean memlane_device_memset_async (MemlaneDevice *self, void *pointer, int byte, gsize bytes, MemlaneStream *stream, GError **error);

typedef enum { MEMLANE_LOCATION_DEVICE, MEMLANE_LOCATION_HOST } MemlaneLocation;
typedef enum
{
  MEMLANE_ADVICE_READ_MOSTLY,
  MEMLANE_ADVICE_PREFERRED_LOCATION,
  MEMLANE_ADVICE_ACCESSED_BY,
} MemlaneAdvice;

gboolean memlane_device_mem_prefetch_async (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneLocation location,
                                            MemlaneStream *stream, GError **error);
gboolean memlane_device_mem_advise (MemlaneDevice *self, const void *pointer, gsize bytes, MemlaneAdvice advice, MemlaneLocation location,
                                    GError **error);

/* --- kernels ------------------------------------------------------------------------------------------ */

typedef enum
{
  MEMLANE_KERNEL_ADD,  /* out[i] = a[i] + b[i] */
  MEMLANE_KERNEL_COPY, /* out[i] = a[i] */
} MemlaneKernel;

/* Queues @kernel over @elements floats. The pointers are as the device sees them and 16-byte aligned; @b is NULL for the copy. */
gboolean memlane_device_launch (MemlaneDevice *self, MemlaneKernel kernel, float *out, const float *a, const float *b, gsize elements,
                                MemlaneStream *stream, GError **error);
/* Runs @function on a thread of the device once all earlier work of @stream is done. It must call no device function. */
gboolean memlane_device_launch_host_function (MemlaneDevice *self, void (*function) (gpointer data), gpointer data, MemlaneStream *stream,
                                              GError **error);

/* --- order and time ------------------------------------------------------------------------------------- */

/* @non_blocking: cudaStreamNonBlocking. @priority: within info's range, 0 is ordinary. */
gboolean memlane_device_stream_create (MemlaneDevice *self, gboolean non_blocking, int priority, MemlaneStream **stream, GError **error);
gboolean memlane_device_stream_destroy (MemlaneDevice *self, MemlaneStream *stream, GError **error);
gboolean memlane_device_stream_synchronize (MemlaneDevice *self, MemlaneStream *stream, GError **error);
gboolean memlane_device_stream_query (MemlaneDevice *self, MemlaneStream *stream, gboolean *done, GError **error);
gboolean memlane_device_stream_wait_event (MemlaneDevice *self, MemlaneStream *stream, MemlaneEvent *event, GError **error);
gboolean memlane_device_synchronize (MemlaneDevice *self, GError **error);

gboolean memlane_device_event_create (MemlaneDevice *self, MemlaneEvent **event, GError **error);
gboolean memlane_device_event_destroy (MemlaneDevice *self, MemlaneEvent *event, GError **error);
gboolean memlane_device_event_record (MemlaneDevice *self, MemlaneEvent *event, MemlaneStream *stream, GError **error);
gboolean memlane_device_event_synchronize (MemlaneDevice *self, MemlaneEvent *event, GError **error);
/* Nanoseconds of device time between two recorded and completed events. */
gboolean memlane_device_event_elapsed (MemlaneDevice *self, MemlaneEvent *start, MemlaneEvent *stop, double *ns, GError **error);

/* The latch: a spinning kernel that holds @stream until latch_open, so that what is queued behind it starts without launch
 * cost. One latch at a time. It gives way by itself after MEMLANE_LATCH_TIMEOUT_NS; then latch_open answers *late = TRUE
 * and the sample is void. Nothing that waits for the stream may be called while it is closed. latch_open is safe, and does
 * nothing, without a closed latch: clean-up code calls it always. All kernels, the latch too, are loaded when the device is opened. */
#define MEMLANE_LATCH_TIMEOUT_NS (200.0 * 1000 * 1000)
gboolean memlane_device_latch_close (MemlaneDevice *self, MemlaneStream *stream, GError **error);
gboolean memlane_device_latch_open (MemlaneDevice *self, gboolean *late, GError **error);

/* --- for tests: trouble on request ------------------------------------------------------------------------- */

/* Fallible calls made since the device was opened; queries of info, clock and host memory do not count. */
guint64 memlane_device_get_call_count (MemlaneDevice *self);
/* Lets the @nth fallible call from now on fail (1: the next), once; 0 takes it back. The error names the call. */
void memlane_device_fail_call (MemlaneDevice *self, guint64 nth);
/* Allocations, registrations, streams and events that were handed out and not yet released. */
guint memlane_device_get_outstanding (MemlaneDevice *self);

G_END_DECLS
