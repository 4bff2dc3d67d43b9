/* buffers.h: the vectors, streams and events that a sample works on
 *
 * SPDX-License-Identifier: MIT
 *
 * A mode decides where the host side lives, a workload how many vectors there are and which sides
 * they have (MemlaneShape). All calls are made on the thread that owns the device. After any
 * failure memlane_buffers_free() gives back all that is still out and reports nothing.
 *
 * A vector may lie scattered in a pool on the host. The pool has twice as many places as there are
 * pieces, and piece i lies in the place that a seeded shuffle gave it. On the device the pieces lie
 * in order, but for managed memory: there the pool itself moves.
 */
#pragma once

#include "device/held.h"
#include "mode.h"
#include "need.h"

/* The ways of a transfer to move the pieces. */
typedef enum
{
  MEMLANE_PIECES_NOT,      /* it has none: the workload makes no sense in such modes */
  MEMLANE_PIECES_LOOP,     /* cudaMemcpyAsync, one by one */
  MEMLANE_PIECES_BATCH,    /* cudaMemcpyBatchAsync */
  /* the host packs them into a page-locked buffer, or unpacks them; one copy */
  MEMLANE_PIECES_PACKED,
  MEMLANE_PIECES_GRAPH,    /* a graph of copies */
  MEMLANE_PIECES_KERNEL,   /* a kernel gathers or scatters them over the link */
  MEMLANE_PIECES_PREFETCH, /* cudaMemPrefetchAsync, one by one */
} MemlanePiecesWay;

typedef struct
{
  MemlanePiecesWay way;
  guint threads;       /* of the packing */
  gboolean shaped;     /* the kernel is */
  gsize elements;      /* of the vector */
  gsize piece;         /* elements of a piece; the last may have fewer */
  guint n;             /* pieces */
  guint32 *places;     /* of each, in the pool, counted in pieces */

  /* from memlane_buffers_allocate() to memlane_buffers_release() */
  MemlaneCopies *to_device, *to_host;        /* one by one; of PACKED: between pool and staging */
  float *pool_up, *pool_down, *vector;       /* as the device reaches them */
  void *staging;                             /* of PACKED: page-locked, for the whole vector */
  guint32 *device_places;                    /* of KERNEL: a copy of places */
  MemlaneGraph *graph_up, *graph_down;
  MemlaneHeld held;                          /* staging, places and graphs */
} MemlaneScatter;

/* At most @pieces pieces of equal size. @elements >= 1. */
MemlaneScatter *memlane_scatter_new (MemlanePiecesWay way, guint threads, gboolean shaped,
                                     gsize elements, guint pieces);
void memlane_scatter_free (MemlaneScatter *self); /* after the release */

/* Bytes of a pool. */
gsize memlane_scatter_pool_bytes (const MemlaneScatter *self);
/* Piece @i: its first element in the vector and in the pool. Returns its elements. */
gsize memlane_scatter_get_piece (const MemlaneScatter *self, guint i, gsize *in_vector,
                                 gsize *in_pool);

/* Makes the calls of one sample. */
gboolean memlane_scatter_move (MemlaneScatter *self, MemlaneDevice *device, gboolean up,
                               MemlaneStream *stream, GError **error);

/* The sides that a vector has. */
typedef enum
{
  MEMLANE_ON_HOST = 1 << 0,
  MEMLANE_ON_DEVICE = 1 << 1,
  MEMLANE_ON_PEER = 1 << 2,
} MemlaneSides;

/* One vector on its sides. */
typedef struct
{
  MemlaneSides on;
  void *host;         /* as the host reaches it */
  void *buffer;       /* device memory of its own */
  void *kernel;       /* as a kernel reaches it */
  void *pool;         /* of a scattered one: its host side, as a kernel reaches it */
  gboolean registered;
} MemlaneVector;

/* Which vectors a workload needs in a mode. A vector on the device only is plain device memory
 * whatever the mode. */
typedef struct
{
  guint inputs;                                /* 0..2 */
  MemlaneSides inputs_on, output_on;           /* output_on 0: there is none */
  MemlaneHostMemory input_memory, output_memory;
  gboolean allocates_inside;                   /* device buffers come and go within the sample */
  /* and the pool keeps their memory from allocate to release */
  gboolean keeps_pool;
  guint lanes;                                 /* streams to create; 0: the legacy default stream */
  gboolean lanes_are_ways;                     /* there are two: up and down, each timed */
  guint chunks;                                /* at most; >= 1 */
  /* the host's sides are pools of so many pieces: MemlaneScatter */
  gboolean is_scattered;
} MemlaneShape;

struct _MemlaneBuffers
{
  MemlaneDevice *device;
  const MemlaneMode *mode;
  MemlaneShape shape;
  gsize elements, bytes; /* of one vector */
  gsize host_bytes;      /* of its host side: of a scattered one more, a pool's */
  MemlaneScatter *scatter; /* (nullable) owned */
  guint reuse;           /* kernel launches, or copies, per transfer */
  MemlaneKernel kernel;
  guint n_chunks;        /* as used: never more than there are aligned pieces */
  gboolean pool_is_kept;

  MemlaneVector input[2], output;
  MemlaneVector lead;    /* lead_bytes of the same kinds of memory: see MemlaneStep */
  gsize lead_bytes;
  MemlaneHeld held;      /* what follows */
  MemlaneStream *lanes[MEMLANE_MOST_STREAMS];
  MemlaneEvent *lane_done[MEMLANE_MOST_STREAMS];
  MemlaneEvent *start, *stop;
};

/* Makes calls on the vectors. */
typedef gboolean (*MemlaneIssue) (MemlaneBuffers *buffers, GError **error);
/* Defines one that is a single expression. */
#define MEMLANE_DEFINE_ISSUE(name, issue) \
  static gboolean \
  name (MemlaneBuffers *buffers, GError **error) \
  { \
    return issue; \
  }

/* Creates streams and events; allocates no vectors. */
MemlaneBuffers *memlane_buffers_new (MemlaneDevice *device, const MemlaneMode *mode,
                                     const MemlaneShape *shape, gsize elements, guint reuse,
                                     GError **error);
void memlane_buffers_free (MemlaneBuffers *buffers);

/* Computes what the vectors of @shape take. */
void memlane_shape_find_need (const MemlaneShape *shape, const MemlaneMode *mode, gsize elements,
                              MemlaneNeed *need);
/* Refuses what does not fit or would hurt the machine, before any call: pinning more than half of
 * the free host memory, more memory than the device has free, more host memory than there is. The
 * error is OUT_OF_MEMORY and says how much is there. */
gboolean memlane_buffers_check_room (MemlaneBuffers *buffers, GError **error);
/* The same for so many bytes of host memory. */
gboolean memlane_check_host_room (MemlaneDevice *device, guint64 pinned, guint64 pageable,
                                  GError **error);
gboolean memlane_buffers_allocate (MemlaneBuffers *buffers, GError **error);
gboolean memlane_buffers_release (MemlaneBuffers *buffers, GError **error);
/* Whether each buffer is what its mode says, by cudaPointerGetAttributes.
 * *@kinds (transfer full): "input host, input copy device, result host". */
gboolean memlane_buffers_check_attributes (MemlaneBuffers *buffers, char **kinds, GError **error);

/* The lead vector, its host side written; @on_device: with a device side of its own. Freed by
 * memlane_buffers_free() at the latest. */
gboolean memlane_buffers_allocate_lead (MemlaneBuffers *buffers, gboolean on_device,
                                        GError **error);
gboolean memlane_buffers_release_lead (MemlaneBuffers *buffers, GError **error);

/* Device buffers alone; for modes that take and return them within the sample. */
gboolean memlane_buffers_malloc_async (MemlaneBuffers *buffers, GError **error);
gboolean memlane_buffers_free_async (MemlaneBuffers *buffers, GError **error);

/* The stream that single-stream work goes to: the first lane, or the legacy default stream. */
MemlaneStream *memlane_buffers_stream (const MemlaneBuffers *buffers);
/* A whole vector: by cudaMemcpyAsync in that stream, or by cudaMemcpy where it is the default
 * one. */
gboolean memlane_buffers_copy (MemlaneBuffers *buffers, void *to, const void *from,
                               MemlaneCopyKind kind, GError **error);
/* Chunk @index of n_chunks: 128-byte aligned, together all elements. */
void memlane_buffers_get_chunk (const MemlaneBuffers *buffers, guint index, gsize *first,
                                gsize *count);
/* Launches the kernel reuse times over elements [first, first + count). */
gboolean memlane_buffers_launch (MemlaneBuffers *buffers, gsize first, gsize count,
                                 MemlaneStream *stream, GError **error);

gboolean memlane_host_memory_is_pinned (MemlaneHostMemory memory);
gboolean memlane_host_memory_is_registered (MemlaneHostMemory memory);
gboolean memlane_host_memory_is_managed (MemlaneHostMemory memory);
