/* travel.h: how the bytes of a mode travel
 *
 * SPDX-License-Identifier: MIT
 *
 * A travel issues calls on the device, in the order of the recipe, on the thread that measures; it measures nothing itself. Each function
 * returns FALSE with @error set when a call fails; MemlaneBuffers owns every buffer, so nothing needs undoing. Private to engine/mode,
 * engine/workload and engine/code.
 */
#pragma once

#include "buffers.h"

G_BEGIN_DECLS

typedef enum
{
  MEMLANE_LANES_NONE, /* the legacy default stream */
  MEMLANE_LANES_ONE,  /* one stream of its own */
  MEMLANE_LANES_MANY, /* as many as the plan asks for */
} MemlaneLanes;

struct _MemlaneTransfer
{
  /* The step queues its work and returns: it may stand behind a latch. FALSE: it blocks, or may. */
  gboolean upload_queues, kernel_queues, download_queues;
  /* It queues, but the call itself may wait for the stream: device time is taken between events without a latch. */
  gboolean upload_has_events, download_has_events;
  gboolean allocates_inside; /* device buffers are taken and given back within the sample */
  gboolean starts_on_host;   /* a cold sample starts with all pages on the host: the inputs are written anew before each */
  gboolean resident;         /* the inputs are on the device beforehand, the result stays there */
  MemlaneLanes lanes;

  gboolean (*settle) (MemlaneBuffers *buffers, GError **error);   /* (optional) once after the inputs were written first; not timed */
  gboolean (*prepare) (MemlaneBuffers *buffers, GError **error);  /* (optional) before each sample; not timed; all done on return */
  void (*before_sample) (MemlaneBuffers *buffers);                /* (optional) after prepare, and after inputs and results were written */
  gboolean (*upload) (MemlaneBuffers *buffers, GError **error);   /* (optional): nothing goes up by a call */
  gboolean (*kernel) (MemlaneBuffers *buffers, GError **error);   /* mandatory unless there is a schedule */
  gboolean (*download) (MemlaneBuffers *buffers, GError **error); /* (optional): nothing comes down by a call */
  gboolean (*schedule) (MemlaneBuffers *buffers, GError **error); /* (optional) upload, kernel and download interleaved, instead of the three */
};

/* The whole vectors' kernel in the set's stream. */
gboolean memlane_transfer_launch (MemlaneBuffers *buffers, GError **error);

/* Copies, one vector after the other, by cudaMemcpyAsync in the set's stream (or by cudaMemcpy when @blocking). */
gboolean memlane_transfer_copy_up (MemlaneBuffers *buffers, gboolean blocking, GError **error);
gboolean memlane_transfer_copy_down (MemlaneBuffers *buffers, gboolean blocking, GError **error);

extern const MemlaneTransfer memlane_transfer_blocking;       /* cudaMemcpy */
extern const MemlaneTransfer memlane_transfer_async;          /* cudaMemcpyAsync in one stream */
extern const MemlaneTransfer memlane_transfer_async_pageable; /* the same calls, which block for pageable memory */
extern const MemlaneTransfer memlane_transfer_stream_ordered; /* cudaMallocAsync, cudaMemcpyAsync, cudaFreeAsync */
extern const MemlaneTransfer memlane_transfer_access;         /* the kernel's own loads and stores */
extern const MemlaneTransfer memlane_transfer_faults;         /* page faults and migration */
extern const MemlaneTransfer memlane_transfer_prefetch;       /* cudaMemPrefetchAsync */
extern const MemlaneTransfer memlane_transfer_advised;        /* cudaMemAdvise */
extern const MemlaneTransfer memlane_transfer_depth_first;
extern const MemlaneTransfer memlane_transfer_breadth_first;
extern const MemlaneTransfer memlane_transfer_resident;       /* nothing travels */

G_END_DECLS
