/* cost.h: the price list of a simulated device, one row a path
 *
 * SPDX-License-Identifier: MIT
 *
 * A cost is a latency and a bandwidth:
 *
 *   ns = latency + passes x bytes / (rate x bandwidth of what carries the bytes)
 *
 * The bandwidths come from the data sheet (profile.h), so the same list serves another GPU. A rate
 * is the share of that bandwidth which a transfer reaches: at most 1, so no cost beats the data
 * sheet. Page tables have no data sheet; their rate is in GB/s.
 * The numbers are an H200's. Latencies of calls and kernels are its floors (data/recordings,
 * "floors" in each environment), rates are its largest recorded sizes, rounded. What a device
 * differs by stands in [cost] of its profile. What a recording differs by is in residuals.h.
 */
#pragma once

#include <glib.h>

typedef enum
{
  MEMLANE_CARRIER_NONE,   /* a call: no bytes */
  MEMLANE_CARRIER_LINK,   /* PCI Express or C2C, one direction */
  MEMLANE_CARRIER_MEMORY, /* the device's memory */
  MEMLANE_CARRIER_CACHE,  /* its second-level cache */
  /* one host thread: its own caches for the first bytes, then the host's memory */
  MEMLANE_CARRIER_HOST,
  MEMLANE_CARRIER_PAGES,  /* locking, mapping and unmapping pages: the rate is in GB/s */
  /* arithmetic, not bytes: the rate is in multiply-adds a nanosecond of each multiprocessor */
  MEMLANE_CARRIER_CORES,
} MemlaneCarrier;

/* X (IDENTIFIER, "name", who pays: HOST or DEVICE, carrier, passes, latency in ns, rate, "what it
 * is") */
#define MEMLANE_COSTS(X) \
  /* calls: host time */ \
  X (CALL, "call", HOST, NONE, 0, 700, 0, \
     "a small call: record, query, wait for an event, attributes of a pointer") \
  X (CREATE, "create", HOST, NONE, 0, 8000, 0, \
     "creating or destroying a stream; asking for the free memory") \
  X (MEMCPY, "memcpy", HOST, NONE, 0, 3000, 0, \
     "cudaMemcpy beside the engine's time, and cudaMemcpyAsync") \
  X (LAUNCH, "launch", HOST, NONE, 0, 4600, 0, \
     "a kernel launch, cudaMemsetAsync and cudaLaunchHostFunc") \
  X (COLD_LAUNCH, "cold-launch", HOST, NONE, 0, 5600, 0, \
     "the first launch after the host's data has filled its own caches: on top") \
  X (PREFETCH, "prefetch", HOST, NONE, 0, 3400, 0, \
     "cudaMemPrefetchAsync behind other work, and cudaMemAdvise") \
  X (CLOCK, "clock", HOST, NONE, 0, 20, 0, "reading the host's clock") \
  X (WAKE_UP, "wake-up", HOST, NONE, 0, 2500, 0, \
     "from the end of the device's work to the return of the call that waits for it") \
  /* device time beside the bytes */ \
  /* each starts 5 us after its call has begun: what the call itself does not take is left */ \
  X (COPY_START, "copy-start", DEVICE, NONE, 0, 2500, 0, \
     "from the return of an asynchronous copy to its start on an idle device") \
  X (FETCH, "fetch", DEVICE, NONE, 0, 7700, 0, \
     "the first read over the link of a vector that the host has just written: on top") \
  X (KERNEL_START, "kernel-start", DEVICE, NONE, 0, 1600, 0, "the same of a kernel") \
  X (EVENT_START, "event-start", DEVICE, NONE, 0, 4000, 0, "the same of an event") \
  X (EVENT, "event", DEVICE, NONE, 0, 1280, 0, \
     "an event holds its stream (floors: a pair of events; a kernel alone less in a row)") \
  X (KERNEL_INTERVAL, "kernel-interval", DEVICE, NONE, 0, 1100, 0, \
     "from one kernel's start to the next one's, whatever their streams") \
  X (ENGINE_SWITCH, "engine-switch", DEVICE, NONE, 0, 2900, 0, \
     "after a predecessor in the stream on another engine") \
  X (EVENT_WAIT, "event-wait", DEVICE, NONE, 0, 5400, 0, \
     "from an event to the start of what waited for it in another stream") \
  X (HOST_FUNCTION, "host-function", DEVICE, NONE, 0, 5000, 0, \
     "how long a host function holds its stream") \
  /* a context (recorded: data/recordings/experiments/pageable-copy) */ \
  X (CONTEXT, "context", HOST, NONE, 0, 105e6, 0, "cudaSetDevice, which makes the context") \
  X (RESET, "reset", HOST, NONE, 0, 61e6, 0, "cudaDeviceReset") \
  /* allocation: host time, for a chunk of 2 MiB that is begun or emptied, or for what shares \
   * none */ \
  X (MALLOC, "malloc", HOST, NONE, 0, 90000, 0, "cudaMalloc") \
  X (FREE, "free", HOST, NONE, 0, 86000, 0, "cudaFree") \
  X (SHARE, "share", HOST, NONE, 0, 5000, 0, \
     "an allocation that finds room in a chunk, or its release") \
  X (MALLOC_ASYNC, "malloc-async", HOST, NONE, 0, 40000, 0, "cudaMallocAsync") \
  X (MALLOC_KEPT, "malloc-kept", HOST, NONE, 0, 3300, 0, \
     "cudaMallocAsync that finds room in its pool (a traced sample's second)") \
  X (MAP_ASYNC, "map-async", DEVICE, NONE, 0, 5000, 0, \
     "kernels and events wait so long for what cudaMallocAsync maps") \
  /* between two recordings: virtual-memory, 75 and 48 us, and data/doc/figures.md, 44 and \
   * 31 us */ \
  X (MALLOC_VIRTUAL, "malloc-virtual", HOST, NONE, 0, 58000, 0, \
     "cuMemAddressReserve to cuMemSetAccess") \
  X (FREE_VIRTUAL, "free-virtual", HOST, NONE, 0, 39000, 0, "cuMemUnmap to cuMemAddressFree") \
  X (FREE_ASYNC, "free-async", HOST, NONE, 0, 5600, 0, "cudaFreeAsync") \
  X (TRIM, "trim", HOST, NONE, 0, 70000, 0, \
     "the first wait after cudaFreeAsync: the pool gives back") \
  X (MALLOC_PAGEABLE, "malloc-pageable", HOST, NONE, 0, 5300, 0, \
     "malloc; its pages come with the first touch") \
  X (FREE_PAGEABLE, "free-pageable", HOST, PAGES, 1, 0, 21, "free") \
  X (MALLOC_PINNED, "malloc-pinned", HOST, PAGES, 1, 130000, 2.4, \
     "cudaMallocHost and cudaHostAlloc: each page is populated and locked") \
  X (FREE_PINNED, "free-pinned", HOST, PAGES, 1, 240000, 9.6, "cudaFreeHost") \
  X (REGISTER, "register", HOST, PAGES, 1, 58000, 3.0, \
     "cudaHostRegister, read-only too (recorded: page-locking)") \
  /* with cudaHostRegister of these pages 2.4 and 6.3 GB/s on an H200's host; that each is half of \
   * it is assumed */ \
  X (POPULATE, "populate", HOST, PAGES, 1, 0, 4.8, \
     "one thread touches each page of malloc's memory") \
  X (POPULATE_HUGE, "populate-huge", HOST, PAGES, 1, 0, 12.6, "the same in huge pages") \
  X (UNREGISTER, "unregister", HOST, PAGES, 1, 45000, 75, "cudaHostUnregister") \
  X (MALLOC_MANAGED, "malloc-managed", HOST, NONE, 0, 26000, 0, \
     "cudaMallocManaged; no page is populated") \
  X (FREE_MANAGED, "free-managed", HOST, PAGES, 1, 47000, 87, "cudaFree of managed memory") \
  /* copies: the engine's time; of pageable memory the host's, which stages */ \
  X (COPY, "copy", DEVICE, LINK, 1, 2750, 0.88, "page-locked to device or back") \
  X (COPY_PAGEABLE_UP, "copy-pageable-up", HOST, HOST, 2, 3300, 0.68, \
     "pageable to device, until all is staged") \
  X (COPY_PAGEABLE_DOWN, "copy-pageable-down", HOST, HOST, 1, 8000, 0.65, "device to pageable") \
  X (COPY_ON_HOST, "copy-on-host", HOST, HOST, 2, 0, 0.9, "host to host, beside the call") \
  X (COPY_ON_DEVICE, "copy-on-device", DEVICE, MEMORY, 2, 1500, 0.92, \
     "device to device: read and written") \
  X (FILL, "fill", DEVICE, MEMORY, 1, 600, 0.92, "cudaMemset of device memory") \
  /* many pieces (data/recordings/pieces: 16 and 4096 of them, of an even power of two) */ \
  X (MEMCPY_AGAIN, "memcpy-again", HOST, NONE, 0, 2250, 0, \
     "memcpy, behind three other copies in the stream") \
  X (COPY_SMALL, "copy-small", DEVICE, LINK, 1, 2270, 0.15, "such a copy of a few bytes") \
  /* the rate and the next row lie between this recording, 0.1 and 1050, and a plain program on \
   * another H200, 0.14 and 410 */ \
  X (BATCH_SMALL, "batch-small", HOST, LINK, 1, 1020, 0.115, \
     "cudaMemcpyBatchAsync: a copy of less than 32 KiB") \
  X (BATCH, "batch", HOST, NONE, 0, 550, 0, \
     "a larger one; its bytes take what they take in one copy of all") \
  X (GRAPH_MAKE, "graph-make", HOST, NONE, 0, 3500, 0, "a copy that is captured and instantiated") \
  X (GRAPH_LAUNCH, "graph-launch", HOST, NONE, 0, 2000, 0, "a copy of a graph that is launched") \
  X (PACK, "pack", HOST, HOST, 2, 3, 0.66, \
     "the host packs or unpacks; the latency is of each piece, too") \
  X (PACK_THREADS, "pack-threads", HOST, NONE, 0, 72000, 0, \
     "the same by several threads: until all have begun and ended") \
  X (HOST_PIECE, "host-piece", HOST, NONE, 0, 41, 0, \
     "an access of the host to a part of a vector: on top") \
  X (PREFETCH_AGAIN, "prefetch-again", DEVICE, LINK, 1, 47000, 0.47, \
     "a prefetch to the device behind three others") \
  X (PREFETCH_CALL, "prefetch-call", HOST, NONE, 0, 6600, 0, "its call") \
  /* kernels: bytes of all their vectors; over the link of one */ \
  X (KERNEL, "kernel", DEVICE, MEMORY, 1, 1900, 0.92, "a kernel on device memory") \
  X (KERNEL_CACHED, "kernel-cached", DEVICE, CACHE, 1, 1900, 0.75, \
     "the same with its inputs in the second-level cache") \
  X (ARITHMETIC, "arithmetic", DEVICE, CORES, 1, 0, 221, \
     "multiply-adds, while its bytes come (recorded: 2^33 of them in 294 us)") \
  X (ATOMIC, "atomic", DEVICE, NONE, 0, 1040, 0, \
     "an addition over the link (recorded: 20000 last as long as 29663 calls)") \
  X (KERNEL_LINK, "mapped", DEVICE, LINK, 1, 2900, 0.79, \
     "a kernel's loads from host memory, each vector; stores go beside them") \
  /* pages of managed memory */ \
  X (FAULT_FIRST, "fault-first", DEVICE, NONE, 0, 45000, 0, \
     "a kernel that has to wait for pages: on top") \
  X (MIGRATE_UP, "migrate-up", DEVICE, PAGES, 1, 30000, 10.9, "pages fault in, each vector") \
  X (MIGRATE_DOWN, "migrate-down", HOST, PAGES, 1, 31000, 6.2, \
     "the host touches pages that are on the device") \
  X (PREFETCH_UP, "prefetch-up", DEVICE, LINK, 1, 60000, 0.85, "a prefetch to the device") \
  X (PREFETCH_DOWN, "prefetch-down", DEVICE, PAGES, 1, 39000, 11, "a prefetch to the host") \
  /* the host's own accesses */ \
  X (TOUCH_FIRST, "touch-first", HOST, PAGES, 1, 0, 1.7, "first touch: the host zeroes a page") \
  X (TOUCH_MANAGED, "touch-managed", HOST, NONE, 0, 115000, 0, \
     "first touch of an allocation of cudaMallocManaged: on top") \
  X (HOST_WRITE, "host-write", HOST, HOST, 3, 0, 0.9, \
     "write: read the source, fetch the line, write it back") \
  X (HOST_WRITE_COMBINED, "host-write-combined", HOST, HOST, 1, 0, 0.17, \
     "write to write-combined memory") \
  X (HOST_READ, "host-read", HOST, HOST, 2, 0, 0.72, "read") \
  X (HOST_TOUCH, "host-touch", HOST, PAGES, 1, 1800, 370, "touch: one word a page")

typedef enum
{
#define X(id, name, who, carrier, passes, latency, rate, doc) MEMLANE_COST_##id,
  MEMLANE_COSTS (X)
#undef X
  MEMLANE_N_COSTS
} MemlaneCostId;

typedef struct
{
  double latency_ns, rate;
} MemlaneCost;

/* A row of the list without its numbers; static. */
typedef struct
{
  const char *name, *doc;
  gboolean host_pays;     /* else the device's engine does */
  MemlaneCarrier carrier;
  guint passes;
  MemlaneCost standard;
} MemlaneCostRow;

extern const MemlaneCostRow memlane_cost_rows[MEMLANE_N_COSTS];
