/* scatter.h: a vector whose pieces lie scattered in a pool on the host
 *
 * SPDX-License-Identifier: MIT
 *
 * The pool has twice as many places as there are pieces, and piece i lies in the place that a seeded shuffle gave it. On the device the
 * pieces lie in order, but for managed memory: there the pool itself moves. MemlaneBuffers has one of these when its shape says so.
 */
#pragma once

#include "device/device-calls.h"
#include "mode.h"

G_BEGIN_DECLS

/* The ways of a transfer to move the pieces. */
typedef enum
{
  MEMLANE_PIECES_NOT,      /* it has none: the workload makes no sense in such modes */
  MEMLANE_PIECES_LOOP,     /* cudaMemcpyAsync, one by one */
  MEMLANE_PIECES_BATCH,    /* cudaMemcpyBatchAsync */
  MEMLANE_PIECES_PACKED,   /* the host packs them into a page-locked buffer, or unpacks them; one copy */
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

  /* from memlane_scatter_allocate() to memlane_scatter_release() */
  MemlaneCopies *to_device, *to_host;        /* one by one; of PACKED: between pool and staging */
  float *pool_up, *pool_down, *vector;       /* as the device reaches them */
  void *staging;                             /* of PACKED: page-locked, for the whole vector */
  guint32 *device_places;                    /* of KERNEL: a copy of places */
  MemlaneGraph *graph_up, *graph_down;
} MemlaneScatter;

/* At most @pieces pieces of equal size. @elements >= 1. */
MemlaneScatter *memlane_scatter_new (MemlanePiecesWay way, guint threads, gboolean shaped, gsize elements, guint pieces);
void memlane_scatter_free (MemlaneScatter *self); /* after the release */

/* Bytes of a pool. */
gsize memlane_scatter_pool_bytes (const MemlaneScatter *self);
/* Piece @i: its first element in the vector and in the pool. Returns its elements. */
gsize memlane_scatter_get_piece (const MemlaneScatter *self, guint i, gsize *in_vector, gsize *in_pool);

/* What the way needs beside pools and vector, which exist already; @pool_up and @pool_down are those of the host, NULL: nothing goes that
 * way. @up_reached, @down_reached: the same as the kernel reaches them. */
gboolean memlane_scatter_allocate (MemlaneScatter *self, MemlaneDevice *device, void *pool_up, void *up_reached, void *pool_down,
                                   void *down_reached, void *vector, GError **error);
gboolean memlane_scatter_release (MemlaneScatter *self, MemlaneDevice *device, GError **error);

/* Makes the calls of one sample. */
gboolean memlane_scatter_move (MemlaneScatter *self, MemlaneDevice *device, gboolean up, MemlaneStream *stream, GError **error);

G_END_DECLS
