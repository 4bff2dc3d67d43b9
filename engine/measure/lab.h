/* lab.h: the stream laboratory: copies and kernels on streams, arranged as asked for, recorded as a
 * trace
 *
 * SPDX-License-Identifier: MIT
 *
 * One pipeline: a chunk of two inputs up, the addition, the result down. It is issued in either
 * order on 1 to MEMLANE_MOST_STREAMS streams, from page-locked or pageable memory. What the CUDA
 * C++ Programming Guide says about streams can be switched on and off: implicit synchronisation,
 * non-blocking streams, priorities, host functions. What happens is for the trace to tell: on a
 * GPU, or on simulated devices with one or two copy engines.
 */
#pragma once

#include <glib.h>

#include "mode/mode.h"
#include "trace/trace.h"

typedef enum
{
  MEMLANE_LAB_DEPTH_FIRST,   /* up, kernel, down of a chunk, then the next chunk */
  MEMLANE_LAB_BREADTH_FIRST, /* all ups, all kernels, all downs */
  MEMLANE_LAB_N_ORDERS
} MemlaneLabOrder;

/* The command inserted between the two halves of the commands, depth first between two chunks,
 * breadth first between two chunks' kernels: the five implicit synchronisers of the Programming
 * Guide ("Implicit Synchronization"). */
typedef enum
{
  MEMLANE_LAB_NOTHING,
  MEMLANE_LAB_PINNED_ALLOCATION,  /* cudaMallocHost */
  MEMLANE_LAB_DEVICE_ALLOCATION,  /* cudaMalloc */
  MEMLANE_LAB_DEVICE_MEMSET,      /* cudaMemset */
  MEMLANE_LAB_DEVICE_COPY,        /* cudaMemcpy between two addresses of the same device's memory */
  MEMLANE_LAB_DEFAULT_STREAM,     /* a kernel on the legacy default stream */
  MEMLANE_LAB_N_BETWEENS
} MemlaneLabBetween;

#define MEMLANE_LAB_SMALLEST_LOG2 10
#define MEMLANE_LAB_MOST_REUSE 1000 /* each launch is an event of the trace */

/* Zeroes stand for: depth first, 2 streams, 4 chunks, 2^20 floats, reuse 1, pinned, blocking
 * streams, nothing else. */
typedef struct
{
  MemlaneLabOrder order;
  MemlaneLabBetween between;
  /* of one whole vector; MEMLANE_LAB_SMALLEST_LOG2 to MEMLANE_LARGEST_LOG2 */
  guint log2_elements;
  /* to MEMLANE_MOST_STREAMS, MEMLANE_MOST_CHUNKS; no more streams are made than there are chunks */
  guint streams, chunks;
  /* kernel launches for each chunk, to MEMLANE_LAB_MOST_REUSE: makes the kernel longer */
  guint reuse;
  gboolean pageable;        /* malloc instead of cudaMallocHost */
  gboolean non_blocking;    /* cudaStreamNonBlocking */
  gboolean priorities;      /* the last stream has the highest priority, the others the lowest */
  gboolean host_functions;  /* cudaLaunchHostFunc behind the last chunk of each stream */
} MemlaneLabPlan;

/* All static; title and summary are marked N_(). */
typedef struct
{
  const char *name;    /* of the command line: "depth-first", "pinned-allocation", "nothing" */
  const char *title;   /* a few words */
  const char *summary; /* what it is and what to look for, a sentence or two for a tooltip */
} MemlaneLabWords;

const MemlaneLabWords *memlane_lab_order_words (MemlaneLabOrder order);
const MemlaneLabWords *memlane_lab_between_words (MemlaneLabBetween between);
/* FALSE: no such name. */
gboolean memlane_lab_order_find (const char *name, MemlaneLabOrder *order);
gboolean memlane_lab_between_find (const char *name, MemlaneLabBetween *between);

/* @plan with its defaults filled in; FALSE with @error (MEMLANE_DEVICE_ERROR_INVALID) for what is
 * out of range: "chunks 300: expected 1 to 256". */
gboolean memlane_lab_plan_check (const MemlaneLabPlan *plan, MemlaneLabPlan *checked,
                                 GError **error);

/* Runs the pipeline a few times untraced, then traced, and compares the results with the reference.
 * The info's workload is "lab", its mode "lab-depth-first" or "lab-breadth-first", its method says
 * the plan in words. Blocks; on the thread that owns @device. Nothing is left on the device.
 * Returns: (transfer full), or NULL with @error as of memlane_trace_record(). */
MemlaneTrace *memlane_lab_run (MemlaneDevice *device, const MemlaneLabPlan *plan,
                               GCancellable *cancellable, GError **error);
