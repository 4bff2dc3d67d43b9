/* profile.h: everything that makes one simulated device differ from another, and its file
 *
 * SPDX-License-Identifier: MIT
 *
 * The file is a key file (data/devices/NAME.device, read and written here; the shipped ones explain every key in comments):
 *
 *   [device]         name, limits and capabilities, as CUDA names them; based_on: see below
 *   [limits]         bandwidths that no cost goes beyond, beside link_bandwidth and memory_bandwidth; 0: not known
 *   [link]           both_directions_factor: what is left of a direction's bandwidth when the other one is busy too
 *   [implicit-sync]  which calls serialise the work of two blocking streams: what the programming guide lists, or less
 *   [host]           constants in nanoseconds: memlane_profile_host_list()
 *   [curve NAME]     latency=...;  per_byte=...;  up_to=...;   costs over bytes, by regimes: memlane_profile_curve_list(); or
 *                    bytes=...;  ns=...;   by knots (cost-curve.h)
 *   [noise]          how times vary (noise.h), and the seed; none unless asked for
 *   [recorded-noise] the same as it was recorded: what --noise recorded puts in place of [noise]
 *   [recorded]       sizes, reuse, streams, workloads and modes that the costs were fitted to: beyond them a figure is extrapolated
 *   [trouble]        faults, for tests
 *
 * [device] based_on=NAME: the file says only what is different; the rest is NAME.device's, which lies beside the file or else in a folder
 * of device profiles (base/data-file.h). A base may be based on another in turn, never on one that is based on it. in_order_engines
 * follows from asyncEngineCount in each file that states the one without the other. What memlane_profile_to_text() writes needs no base.
 *
 * Every group and key may be missing: a constant has a default, a curve falls back to its kin and in the end to latency + bytes /
 * bandwidth.
 * Numbers are written so that reading them back gives the same double, whatever the locale.
 */
#pragma once

#include "cost-curve.h"
#include "device/device.h"
#include "noise.h"

G_BEGIN_DECLS

/* X (IDENTIFIER, "name", default ns, "what it is") */
#define MEMLANE_HOST_CONSTANTS(X) \
  X (MEMCPY_ASYNC, "memcpy_async", 1800, "cudaMemcpyAsync: host time of the call") \
  X (MEMCPY, "memcpy", 2600, "cudaMemcpy on the device: host time before the copy is on its way") \
  X (MEMSET_ASYNC, "memset_async", 2000, "cudaMemsetAsync: host time of the call") \
  X (LAUNCH, "launch", 2200, "kernel launch: host time of the call") \
  X (LAUNCH_MANAGED, "launch_managed", 0, "kernel launch on managed memory that the host has touched: host time on top") \
  X (LAUNCH_HOST_FUNCTION, "launch_host_function", 1500, "cudaLaunchHostFunc: host time of the call") \
  X (HOST_FUNCTION, "host_function", 5000, "how long a host function holds its stream") \
  X (EVENT_CREATE, "event_create", 600, "cudaEventCreate") \
  X (EVENT_DESTROY, "event_destroy", 400, "cudaEventDestroy") \
  X (EVENT_RECORD, "event_record", 700, "cudaEventRecord: host time of the call") \
  X (EVENT_DEVICE, "event_device", 0, "how long an event's time stamp holds its stream") \
  X (EVENT_WAIT, "event_wait", 0, "from an event to the start of what waited for it in another stream") \
  X (EVENT_QUERY, "event_query", 500, "cudaEventElapsedTime and the like") \
  X (STREAM_CREATE, "stream_create", 8000, "cudaStreamCreateWithPriority") \
  X (STREAM_DESTROY, "stream_destroy", 5000, "cudaStreamDestroy") \
  X (STREAM_QUERY, "stream_query", 800, "cudaStreamQuery") \
  X (STREAM_WAIT_EVENT, "stream_wait_event", 800, "cudaStreamWaitEvent: host time of the call") \
  X (SYNCHRONIZE, "synchronize", 800, "a synchronising call that finds nothing to wait for") \
  X (WAKE_UP, "wake_up", 2500, "from the end of the device's work to the return of the call that waits for it") \
  X (KERNEL_LATENCY, "kernel_latency", 2500, "from the return of a launch to the kernel's start on an idle device") \
  X (KERNEL_FIRST, "kernel_first", 0, "kernel or memset: device time on top when none has run right before it in its stream") \
  X (KERNEL_INTERVAL, "kernel_interval", 0, "device time from one kernel's start to the next one's, whatever their streams") \
  X (FAULT_FIRST, "fault_first", 0, "a kernel or memset that has to wait for pages: device time on top of what each vector's pages cost") \
  X (COPY_LATENCY, "copy_latency", 2500, "from the return of an asynchronous copy to its start on an idle device") \
  X (MEMCPY_BUSY, "memcpy_busy", 0, "cudaMemcpy: host time on top when there is work that it waits for") \
  X (MANAGED_FIRST, "managed_first", 17000, "cudaMallocManaged: host time on top when no other managed memory is out") \
  X (MANAGED_FIRST_TOUCH, "managed_first_touch", 80000, "the host's first access to managed memory since none was out") \
  X (MANAGED_LAST, "managed_last", 50000, "cudaFree: host time on top when that was the last managed memory") \
  X (ADVISE, "advise", 3000, "cudaMemAdvise") \
  X (GET_DEVICE_POINTER, "get_device_pointer", 200, "cudaHostGetDevicePointer") \
  X (POINTER_ATTRIBUTES, "pointer_attributes", 300, "cudaPointerGetAttributes") \
  X (MEM_GET_INFO, "mem_get_info", 8000, "cudaMemGetInfo") \
  X (LATCH_CLOSE, "latch_close", 4000, "closing the latch: host time until its kernel spins") \
  X (LATCH_OPEN, "latch_open", 200, "opening the latch: host time of the store") \
  X (LATCH_RELEASE, "latch_release", 1200, "from that store to the end of the spinning kernel") \
  X (CHUNK_PER_STREAM, "chunk_per_stream", 0, "beginning or emptying a chunk: host time on top for each stream that there is") \
  X (CLOCK, "clock", 20, "reading the host's clock")

typedef enum
{
#define X(id, name, ns, doc) MEMLANE_HOST_##id,
  MEMLANE_HOST_CONSTANTS (X)
#undef X
  MEMLANE_N_HOST_CONSTANTS
} MemlaneHostConstant;

/* X (IDENTIFIER, "name", FALLBACK or itself, default latency in ns, default ns per byte, "what it is").
 * Host: the call blocks the host so long. Device: so long it occupies its engine. Bytes are those of one buffer or one operation.
 * Small allocations share chunks (memory.c): for what can, malloc.* is paid for a chunk begun, free.* for one emptied. */
#define MEMLANE_CURVES(X) \
  X (MALLOC_DEVICE, "malloc.device", MALLOC_DEVICE, 60000, 2e-4, "cudaMalloc (host)") \
  X (FREE_DEVICE, "free.device", FREE_DEVICE, 60000, 1e-4, "cudaFree of device memory (host)") \
  X (SHARE_TAKE, "share.take", SHARE_TAKE, 1200, 0, "an allocation that finds room in a chunk (host)") \
  X (SHARE_RETURN, "share.return", SHARE_RETURN, 1000, 0, "a release that leaves others in its chunk (host)") \
  X (MALLOC_ASYNC, "malloc.async", MALLOC_ASYNC, 1500, 0, "cudaMallocAsync (host)") \
  X (FREE_ASYNC, "free.async", FREE_ASYNC, 1200, 0, "cudaFreeAsync (host)") \
  X (MALLOC_ASYNC_DEVICE, "malloc.async.device", MALLOC_ASYNC_DEVICE, 100, 0, \
     "cudaMallocAsync: so long kernels and events behind it wait (device)") \
  X (TRIM_ASYNC, "trim.async", TRIM_ASYNC, 500, 0, \
     "the first wait after cudaFreeAsync: the pool gives back (host; bytes freed since the last one)") \
  X (MALLOC_PAGEABLE, "malloc.pageable", MALLOC_PAGEABLE, 3000, 0, "malloc, page-aligned (host); pages come with the first touch") \
  X (FREE_PAGEABLE, "free.pageable", FREE_PAGEABLE, 1500, 1e-2, "free (host)") \
  X (MALLOC_PINNED, "malloc.pinned", MALLOC_PINNED, 200000, 0.2, "cudaMallocHost (host): every page is populated and locked") \
  X (MALLOC_ALLOCATED, "malloc.allocated", MALLOC_PINNED, 0, 0, "cudaHostAlloc, default flags (host)") \
  X (MALLOC_PORTABLE, "malloc.portable", MALLOC_ALLOCATED, 0, 0, "cudaHostAlloc, portable (host)") \
  X (MALLOC_WRITE_COMBINED, "malloc.write-combined", MALLOC_ALLOCATED, 0, 0, "cudaHostAlloc, write-combined (host)") \
  X (MALLOC_MAPPED, "malloc.mapped", MALLOC_ALLOCATED, 0, 0, "cudaHostAlloc, mapped (host)") \
  X (MALLOC_MAPPED_WRITE_COMBINED, "malloc.mapped-write-combined", MALLOC_WRITE_COMBINED, 0, 0, \
     "cudaHostAlloc, mapped and write-combined (host)") \
  X (FREE_PINNED, "free.pinned", FREE_PINNED, 150000, 0.1, "cudaFreeHost of cudaMallocHost's (host)") \
  X (FREE_ALLOCATED, "free.allocated", FREE_PINNED, 0, 0, "cudaFreeHost, default flags (host)") \
  X (FREE_PORTABLE, "free.portable", FREE_ALLOCATED, 0, 0, "cudaFreeHost, portable (host)") \
  X (FREE_WRITE_COMBINED, "free.write-combined", FREE_ALLOCATED, 0, 0, "cudaFreeHost, write-combined (host)") \
  X (FREE_MAPPED, "free.mapped", FREE_ALLOCATED, 0, 0, "cudaFreeHost, mapped (host)") \
  X (FREE_MAPPED_WRITE_COMBINED, "free.mapped-write-combined", FREE_WRITE_COMBINED, 0, 0, \
     "cudaFreeHost, mapped and write-combined (host)") \
  X (REGISTER_DEFAULT, "register.default", REGISTER_DEFAULT, 100000, 0.15, "cudaHostRegister (host)") \
  X (REGISTER_MAPPED, "register.mapped", REGISTER_DEFAULT, 0, 0, "cudaHostRegister, mapped (host)") \
  X (UNREGISTER_DEFAULT, "unregister.default", UNREGISTER_DEFAULT, 80000, 0.05, "cudaHostUnregister (host)") \
  X (UNREGISTER_MAPPED, "unregister.mapped", UNREGISTER_DEFAULT, 0, 0, "cudaHostUnregister of mapped memory (host)") \
  X (MALLOC_MANAGED, "malloc.managed", MALLOC_MANAGED, 15000, 5e-3, "cudaMallocManaged (host); no page is populated") \
  X (FREE_MANAGED, "free.managed", FREE_MANAGED, 40000, 2e-2, "cudaFree of managed memory whose pages are on the host or nowhere (host)") \
  X (FREE_MANAGED_ON_DEVICE, "free.managed-on-device", FREE_MANAGED, 0, 0, "cudaFree of managed memory with pages on the device (host)") \
  X (FREE_MANAGED_ADVISED, "free.managed-advised", FREE_MANAGED, 0, 0, "cudaFree of managed memory that was given advice (host)") \
  X (MEMCPY_TO_DEVICE, "memcpy.to-device", MEMCPY_TO_DEVICE, 2600, 0, \
     "cudaMemcpy, page-locked to device: host time beside the engine's (host)") \
  X (MEMCPY_TO_HOST, "memcpy.to-host", MEMCPY_TO_HOST, 2600, 0, "cudaMemcpy, device to page-locked: host time beside the engine's (host)") \
  X (ENGINE_SWITCH, "engine-switch", ENGINE_SWITCH, 100, 0, \
     "wait of an operation whose predecessor in the stream ran on another engine (device)") \
  X (LAUNCH_ADVISED, "launch.advised", LAUNCH_ADVISED, 1, 0, \
     "kernel launch on managed memory that was given advice: host time on top (host; bytes of one vector)") \
  X (FETCH_WRITTEN, "fetch-written", FETCH_WRITTEN, 0, 0, \
     "the device's first read over the link of a vector that the host has just written: time on top (device)") \
  X (COLD_CALL, "cold-call", COLD_CALL, 1, 0, \
     "a kernel launch after the host has written so many bytes: the launch's own data left the caches (host)") \
  X (COLD_COPY, "cold-copy", COLD_COPY, 0, 0, "the same for the first asynchronous copy or launch: the driver's own data (host)") \
  X (COPY_PINNED_TO_DEVICE, "copy.pinned.to-device", COPY_PINNED_TO_HOST, 0, 0, "page-locked to device (device)") \
  X (COPY_PINNED_TO_HOST, "copy.pinned.to-host", COPY_PINNED_TO_HOST, 2500, 0.0181, "device to page-locked (device)") \
  X (COPY_WRITE_COMBINED_TO_DEVICE, "copy.write-combined.to-device", COPY_PINNED_TO_DEVICE, 0, 0, "write-combined to device (device)") \
  X (COPY_WRITE_COMBINED_TO_HOST, "copy.write-combined.to-host", COPY_PINNED_TO_HOST, 0, 0, "device to write-combined (device)") \
  X (COPY_REGISTERED_TO_DEVICE, "copy.registered.to-device", COPY_PINNED_TO_DEVICE, 0, 0, "registered to device (device)") \
  X (COPY_REGISTERED_TO_HOST, "copy.registered.to-host", COPY_PINNED_TO_HOST, 0, 0, "device to registered (device)") \
  X (COPY_PAGEABLE_TO_DEVICE, "copy.pageable.to-device", COPY_PAGEABLE_TO_DEVICE, 4500, 0.06, \
     "cudaMemcpy, pageable to device (host, until all is staged)") \
  X (COPY_PAGEABLE_TO_HOST, "copy.pageable.to-host", COPY_PAGEABLE_TO_HOST, 9000, 0.06, "cudaMemcpy, device to pageable (host)") \
  X (COPY_PAGEABLE_ASYNC_TO_DEVICE, "copy.pageable-async.to-device", COPY_PAGEABLE_TO_DEVICE, 0, 0, \
     "cudaMemcpyAsync, pageable to device (host)") \
  X (COPY_PAGEABLE_ASYNC_TO_HOST, "copy.pageable-async.to-host", COPY_PAGEABLE_TO_HOST, 0, 0, \
     "cudaMemcpyAsync, device to pageable (host)") \
  X (COPY_MANAGED_TO_DEVICE, "copy.managed.to-device", COPY_PINNED_TO_DEVICE, 0, 0, "host to device where one end is managed (device)") \
  X (COPY_MANAGED_TO_HOST, "copy.managed.to-host", COPY_PINNED_TO_HOST, 0, 0, "device to host where one end is managed (device)") \
  X (COPY_MANAGED_ON_HOST, "copy.managed.on-host", COPY_ON_HOST, 0, 0, "host to host where one end is managed (host)") \
  X (COPY_ON_DEVICE, "copy.on-device", COPY_ON_DEVICE, 2200, 5e-4, "device to the same device (device)") \
  X (COPY_ON_HOST, "copy.on-host", COPY_ON_HOST, 500, 0.1, "host to host (host)") \
  X (COPY_PEER, "copy.peer", COPY_PINNED_TO_DEVICE, 0, 0, "device to the second device (device)") \
  X (FILL_DEVICE, "fill.device", FILL_DEVICE, 1800, 4e-4, "cudaMemset of device memory (device)") \
  X (FILL_MAPPED, "fill.mapped", FILL_MAPPED, 3000, 0.02, "cudaMemset of page-locked memory (device)") \
  X (KERNEL_ADD_DEVICE, "kernel.add.device", KERNEL_ADD_DEVICE, 2200, 7.5e-4, "addition, all on the device (device; bytes of one vector)") \
  X (KERNEL_ADD_COLD, "kernel.add.cold", KERNEL_ADD_DEVICE, 0, 0, \
     "as kernel.add.device, with inputs that are not in the second-level cache (device)") \
  X (KERNEL_COPY_DEVICE, "kernel.copy.device", KERNEL_COPY_DEVICE, 2200, 5e-4, "copy kernel on the device (device; bytes of one vector)") \
  X (KERNEL_COPY_COLD, "kernel.copy.cold", KERNEL_COPY_DEVICE, 0, 0, \
     "as kernel.copy.device, with an input that is not in the second-level cache (device)") \
  X (KERNEL_ADD_MAPPED, "kernel.add.mapped", KERNEL_ADD_MAPPED, 4000, 0.0404, "addition, inputs and result in host memory (device)") \
  X (KERNEL_ADD_MAPPED_LOAD, "kernel.add.mapped-load", KERNEL_ADD_MAPPED, 0, 0, \
     "addition, an input in host memory, result on the device (device)") \
  X (KERNEL_ADD_MAPPED_STORE, "kernel.add.mapped-store", KERNEL_COPY_MAPPED_STORE, 0, 0, \
     "addition, inputs on the device, result in host memory (device)") \
  X (KERNEL_ADD_MAPPED_WRITE_COMBINED, "kernel.add.mapped-write-combined", KERNEL_ADD_MAPPED, 0, 0, \
     "addition, inputs write-combined, result in host memory (device)") \
  X (KERNEL_COPY_MAPPED_LOAD, "kernel.copy.mapped-load", KERNEL_COPY_MAPPED_LOAD, 3800, 0.0196, "copy kernel, host to device (device)") \
  X (KERNEL_COPY_MAPPED_STORE, "kernel.copy.mapped-store", KERNEL_COPY_MAPPED_STORE, 3000, 0.0192, "copy kernel, device to host (device)") \
  X (KERNEL_COPY_MAPPED_BOTH, "kernel.copy.mapped-both", KERNEL_COPY_MAPPED_BOTH, 4000, 0.0215, "copy kernel, host to host (device)") \
  X (KERNEL_COPY_MAPPED_WRITE_COMBINED, "kernel.copy.mapped-write-combined", KERNEL_COPY_MAPPED_BOTH, 0, 0, \
     "copy kernel, write-combined to host (device)") \
  X (MIGRATE_TO_DEVICE, "migrate.to-device", MIGRATE_TO_DEVICE, 150000, 0.06, \
     "extra kernel time: pages fault in (device; bytes of one vector that are not there)") \
  X (MIGRATE_TO_HOST, "migrate.to-host", MIGRATE_TO_HOST, 40000, 0.1, "the host touches pages that are on the device (host)") \
  X (MIGRATE_STATIC_TO_DEVICE, "migrate.static.to-device", MIGRATE_TO_DEVICE, 0, 0, \
     "as migrate.to-device, of __managed__ arrays (device)") \
  X (MIGRATE_STATIC_TO_HOST, "migrate.static.to-host", MIGRATE_TO_HOST, 0, 0, "as migrate.to-host, of __managed__ arrays (host)") \
  X (DUPLICATE_TO_DEVICE, "duplicate.to-device", MIGRATE_TO_DEVICE, 0, 0, "as migrate.to-device, of read-mostly pages (device)") \
  X (DUPLICATE_TO_HOST, "duplicate.to-host", MIGRATE_TO_HOST, 0, 0, "as migrate.to-host, of read-mostly pages (host)") \
  X (PREFETCH_TO_DEVICE, "prefetch.to-device", PREFETCH_TO_DEVICE, 15000, 0.035, "prefetch of pages that are not on the device (device)") \
  X (PREFETCH_TO_HOST, "prefetch.to-host", PREFETCH_TO_HOST, 20000, 0.06, "prefetch of pages that are not on the host (device)") \
  X (PREFETCH_ISSUE_TO_DEVICE, "prefetch.issue.to-device", PREFETCH_ISSUE_TO_DEVICE, 15000, 0.003, \
     "cudaMemPrefetchAsync to the device: the call (host)") \
  X (PREFETCH_ISSUE_TO_HOST, "prefetch.issue.to-host", PREFETCH_ISSUE_TO_DEVICE, 0, 0, \
     "cudaMemPrefetchAsync to the host: the call (host)") \
  X (PREFETCH_NOW_TO_DEVICE, "prefetch.now.to-device", PREFETCH_TO_DEVICE, 0, 0, \
     "cudaMemPrefetchAsync to the device, the first command since a wait: the call moves the pages itself (host)") \
  X (PREFETCH_NOW_TO_HOST, "prefetch.now.to-host", PREFETCH_TO_HOST, 0, 0, "the same to the host (host)") \
  X (HOST_WRITE_PAGEABLE_FIRST, "host.write.pageable-first", HOST_WRITE_PAGEABLE_FIRST, 300, 0.25, \
     "host write, first touch of malloc's pages") \
  X (HOST_WRITE_PAGEABLE, "host.write.pageable", HOST_WRITE_PAGEABLE, 100, 0.08, "host write, pageable") \
  X (HOST_WRITE_PINNED, "host.write.pinned", HOST_WRITE_PAGEABLE, 0, 0, "host write, page-locked or registered") \
  X (HOST_WRITE_WRITE_COMBINED, "host.write.write-combined", HOST_WRITE_PINNED, 0, 0, "host write, write-combined") \
  X (HOST_WRITE_MANAGED_FIRST, "host.write.managed-first", HOST_WRITE_PAGEABLE_FIRST, 0, 0, "host write, first touch of managed pages") \
  X (HOST_WRITE_MANAGED, "host.write.managed", HOST_WRITE_PAGEABLE, 0, 0, "host write, managed pages on the host") \
  X (HOST_READ_PAGEABLE, "host.read.pageable", HOST_READ_PAGEABLE, 100, 0.08, "host read, pageable") \
  X (HOST_READ_PINNED, "host.read.pinned", HOST_READ_PAGEABLE, 0, 0, "host read, page-locked or registered") \
  X (HOST_READ_WRITE_COMBINED, "host.read.write-combined", HOST_READ_PINNED, 0, 0, "host read, write-combined") \
  X (HOST_READ_MANAGED, "host.read.managed", HOST_READ_PAGEABLE, 0, 0, "host read, managed pages on the host") \
  X (HOST_READ_STATIC, "host.read.static", HOST_READ_MANAGED, 0, 0, "host read, __managed__ arrays on the host") \
  X (HOST_TOUCH, "host.touch", HOST_TOUCH, 5, 0.0012, "host_touch of pages that are on the host: one word each") \
  X (HOST_FILL, "host.fill", HOST_WRITE_PAGEABLE, 0, 0, "host fill of pages that are there")

typedef enum
{
#define X(id, name, fallback, latency, per_byte, doc) MEMLANE_CURVE_##id,
  MEMLANE_CURVES (X)
#undef X
  MEMLANE_N_CURVES
} MemlaneCurve;

/* A name and its line of documentation; static. */
typedef struct
{
  const char *name, *doc;
  const char *fallback;    /* curve: what stands in for it when the profile lacks it; NULL: the default below */
  double latency_ns;       /* curve: default latency; host constant: its default */
  double ns_per_byte;
} MemlaneProfileTerm;

/* What a profile was fitted to; 0 and NULL: not told, and nothing is beyond it. */
typedef struct
{
  guint64 least_bytes, most_bytes; /* of one vector */
  int least_reuse, most_reuse;
  int least_streams, most_streams; /* of modes that have streams of their own */
  char *workloads, *modes;         /* ids, by comma */
} MemlaneProfileRange;

typedef struct
{
  char *path;              /* of the file it was read from, or NULL */
  gboolean is_based;       /* on another: it says only what is different */
  MemlaneDeviceInfo info;  /* name, calibrated_from, capabilities and numbers; other strings NULL */
  guint64 lockable_bytes;  /* host memory that may be page-locked; 0: no limit */
  guint64 host_memory_bytes; /* host memory the device pretends to have; 0: as much as this machine really has */
  gboolean in_order_engines; /* a copy engine takes copies in the order of issue, ready or not (one hardware queue) */
  double both_directions_factor;
  double l2_bandwidth, host_bandwidth, host_cache_bandwidth; /* bytes/s; 0: not known */
  guint64 host_cache_bytes, core_cache_bytes, streaming_bytes;
  gboolean sync_pinned_alloc, sync_device_alloc, sync_memset, sync_copy_on_device;
  MemlaneNoise noise, recorded_noise;
  gboolean corrupt_kernel, late_latch;
  guint64 trouble_memory_bytes, lose_device_after_calls, throttle;

  MemlaneProfileRange recorded;

  double host[MEMLANE_N_HOST_CONSTANTS];
  MemlaneCostCurve curves[MEMLANE_N_CURVES]; /* as set; empty ones fall back */
} MemlaneProfile;

#define MEMLANE_PROFILE_MAX_BYTES (1024 * 1024)

/* A capable device with every default. */
MemlaneProfile *memlane_profile_new (void);
MemlaneProfile *memlane_profile_copy (const MemlaneProfile *self);
void memlane_profile_free (MemlaneProfile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MemlaneProfile, memlane_profile_free)

/* NULL with @error (MEMLANE_DEVICE_ERROR_UNAVAILABLE) naming file, group, key and what was expected. */
MemlaneProfile *memlane_profile_load (const char *path, GError **error);
/* @name stands for the file in messages. */
MemlaneProfile *memlane_profile_parse (const char *data, gsize length, const char *name, GError **error);
/* The file's text, with the documentation as comments; parse() gives the same profile back. (transfer full) */
char *memlane_profile_to_text (const MemlaneProfile *self);
/* Written beside and renamed. */
gboolean memlane_profile_save (const MemlaneProfile *self, const char *path, GError **error);

/* Static arrays in the file's order, index = enum value. */
const MemlaneProfileTerm *memlane_profile_curve_list (guint *n);
const MemlaneProfileTerm *memlane_profile_host_list (guint *n);

/* The profile's own knots or regimes; NULL: no such name, or the profile lacks it (see memlane_profile_cost()). */
const MemlaneCostCurve *memlane_profile_get_curve (const MemlaneProfile *self, const char *name);
/* Refuses an unknown name and bad knots, with the reason. @n = 0 removes the curve. */
gboolean memlane_profile_set_curve (MemlaneProfile *self, const char *name, const double *bytes, const double *ns, guint n, GError **error);
gboolean memlane_profile_get_host (const MemlaneProfile *self, const char *name, double *ns);
gboolean memlane_profile_set_host (MemlaneProfile *self, const char *name, double ns, GError **error);

gboolean memlane_profile_set_pieces (MemlaneProfile *self, const char *name, const MemlaneCostPiece *pieces, guint n, GError **error);
/* The time below which the profile's bandwidths do not let @curve go for @bytes, whatever it says itself. */
double memlane_profile_get_bound (const MemlaneProfile *self, MemlaneCurve curve, double bytes);
/* What a byte of @curve usually takes where no cache holds it, ns: nine tenths of what the device's memory or the host's has in theory, or
 * what page-locked copies show of the link; 0: not known. *@from: the bytes that the host's caches hold. A guess for sizes that were never
 * measured. */
double memlane_profile_get_usual (const MemlaneProfile *self, MemlaneCurve curve, double *from);
/* Whether @curve is what a call takes on top because the host's caches are full of other data; of how many bytes. */
gboolean memlane_profile_is_cold (MemlaneCurve curve);
/* Bytes of @curve with which the cache ends that one core of the host has to itself; 0: that is no matter to it, or not known. */
double memlane_profile_get_border (const MemlaneProfile *self, MemlaneCurve curve);
/* Whether @curve populates and locks each page: twice as many take twice as long, and a chunk is locked whole. */
gboolean memlane_profile_goes_by_page (MemlaneCurve curve);
/* Whether @curve is a call that no bytes go with: however many there are, it ends up costing the same. */
gboolean memlane_profile_moves_nothing (MemlaneCurve curve);
/* What @curve costs for @bytes, fallbacks and defaults included; never below its bound. */
double memlane_profile_cost (const MemlaneProfile *self, MemlaneCurve curve, double bytes);

/* Bytes per second one way of so many lanes of a PCI Express generation, in theory; 0: there is no such link. */
double memlane_profile_link_bandwidth (guint generation, guint width);
/* @self has the costs of @known and other bandwidths: what is paid by the byte is divided by what the link, the device's memory or its
 * second-level cache is faster. Regimes of the cache end where @self's does. Latencies, and the host's costs, stay. Curves by knots do,
 * too. */
void memlane_profile_scale (MemlaneProfile *self, const MemlaneProfile *known);

/* Why what @self says of @use is no interpolation, "extrapolated: ..."; NULL: it is. (transfer full) */
char *memlane_profile_describe_extrapolation (const MemlaneProfile *self, const MemlaneDeviceUse *use);

/* How many chunks @n allocations of @bytes each begin when nothing else is out; @one_is_kept: page-locked memory, where the runtime keeps
 * one chunk, so that the first of them begin none. An allocation of a chunk's size or more counts as one. */
#define MEMLANE_SIMULATED_CHUNK_BYTES ((gsize) 2 << 20)
guint memlane_simulated_chunks_for (gsize bytes, guint n, gboolean one_is_kept);

/* Opens a simulated device from memory; @profile is copied, @id is what info shows. Never NULL; memlane_device_close() it. */
MemlaneDevice *memlane_simulated_device_new (const MemlaneProfile *profile, const char *id);
/* The same, for its times alone: memory is addresses with no bytes behind them, which nobody may read or write but by the device's calls,
 * and no call moves a byte. Every size costs this machine the same. For what is measured with a hollow reference (mode/reference.h). */
MemlaneDevice *memlane_simulated_device_new_weightless (const MemlaneProfile *profile, const char *id);

G_END_DECLS
