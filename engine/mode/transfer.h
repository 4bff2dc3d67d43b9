/* transfer.h: the calls that move a mode's bytes
 *
 * SPDX-License-Identifier: MIT
 *
 * A transfer issues calls on the device, in the order of the recipe, on the thread that measures;
 * it measures nothing itself. Each function returns FALSE with @error set when a call fails;
 * MemlaneBuffers owns every buffer, so nothing needs undoing. For mode/, and for program/, which
 * writes the same calls as text.
 */
#pragma once

#include "buffers.h"

typedef enum
{
  MEMLANE_LANES_NONE, /* the legacy default stream */
  MEMLANE_LANES_ONE,  /* one stream of its own */
  MEMLANE_LANES_MANY, /* as many as the plan asks for */
} MemlaneLanes;

typedef enum
{
  MEMLANE_TRANSFER_BLOCKING,       /* cudaMemcpy */
  MEMLANE_TRANSFER_ASYNC,          /* cudaMemcpyAsync in one stream */
  MEMLANE_TRANSFER_ASYNC_PAGEABLE, /* the same calls, which block for pageable memory */
  MEMLANE_TRANSFER_STREAM_ORDERED, /* cudaMallocAsync, cudaMemcpyAsync, cudaFreeAsync */
  MEMLANE_TRANSFER_STREAM_ORDERED_KEPT, /* the same, and the pool keeps its memory */
  MEMLANE_TRANSFER_ACCESS,         /* the kernel's own loads and stores */
  MEMLANE_TRANSFER_RESIDENT,       /* nothing travels */
  MEMLANE_TRANSFER_FAULTS,         /* page faults and migration */
  MEMLANE_TRANSFER_PREFETCH,       /* cudaMemPrefetchAsync */
  MEMLANE_TRANSFER_ADVISED,        /* cudaMemAdvise */
  MEMLANE_TRANSFER_DEPTH_FIRST,    /* chunk by chunk on several streams: up, kernel, down */
  MEMLANE_TRANSFER_BREADTH_FIRST,  /* all chunks up, all kernels, all chunks down */
  MEMLANE_TRANSFER_BATCH,          /* pieces alone: cudaMemcpyBatchAsync */
  /* pieces alone: the host packs them, and they are copied at once */
  MEMLANE_TRANSFER_PACKED,
  MEMLANE_TRANSFER_PACKED_THREADS, /* the same by several threads */
  MEMLANE_TRANSFER_GRAPH,          /* pieces alone: a graph of copies */
  MEMLANE_N_TRANSFERS
} MemlaneTransferKind;

struct _MemlaneTransfer
{
  MemlaneTransferKind kind;       /* its place in memlane_transfers */
  /* The step queues its work and returns: it may stand behind a latch. FALSE: it blocks, or may. */
  gboolean upload_queues, kernel_queues, download_queues;
  /* It queues, but the call itself may wait for the stream: device time is taken between events
   * without a latch. */
  gboolean upload_has_events, download_has_events;
  gboolean allocates_inside; /* device buffers are taken and given back within the sample */
  gboolean keeps_pool;       /* to and from a pool that keeps them */
  gboolean resident;         /* the inputs are on the device beforehand, the result stays there */
  MemlaneLanes lanes;
  MemlanePiecesWay pieces;   /* how it moves scattered pieces */
  guint threads;             /* that pack them */

  MemlaneIssue settle;   /* (optional) once after the inputs were written first; not timed */
  MemlaneIssue prepare;  /* (optional) before each sample; not timed; all done on return */
  /* (optional) after prepare, and after inputs and results were written */
  void (*before_sample) (MemlaneBuffers *buffers);
  MemlaneIssue upload;   /* (optional): nothing goes up by a call */
  MemlaneIssue kernel;   /* mandatory unless there is a schedule */
  MemlaneIssue download; /* (optional): nothing comes down by a call */
  MemlaneIssue schedule; /* (optional) the three interleaved, instead of them */
};

extern const MemlaneTransfer memlane_transfers[MEMLANE_N_TRANSFERS];
