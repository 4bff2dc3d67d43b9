/* scatter.c: a vector whose pieces lie scattered in a pool on the host
 *
 * SPDX-License-Identifier: MIT
 */
#include "scatter.h"

#include "base/owns.h"

/* As common as any: the same places in every run, so that runs can be compared. */
#define SEED 20180501

MemlaneScatter *
memlane_scatter_new (MemlanePiecesWay way, guint threads, gboolean shaped, gsize elements, guint pieces)
{
  MemlaneScatter *self = g_new0 (MemlaneScatter, 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  g_autofree guint32 *all = NULL;

  self->way = way;
  self->threads = threads;
  self->shaped = shaped;
  self->elements = elements;
  self->piece = (elements + pieces - 1) / pieces;
  self->n = (guint) ((elements + self->piece - 1) / self->piece);
  self->places = g_new (guint32, self->n);
  all = g_new (guint32, 2 * (gsize) self->n);
  for (guint i = 0; i < 2 * self->n; i++)
    all[i] = i;
  for (guint i = 0; i < self->n; i++)
    {
      guint other = (guint) g_rand_int_range (random, (gint32) i, (gint32) (2 * self->n));

      self->places[i] = all[other];
      all[other] = all[i];
    }
  return self;
}

MEMLANE_DEFINE_FREE (MemlaneScatter, void memlane_scatter_free (MemlaneScatter *data), OWNS (places, g_free))

gsize
memlane_scatter_pool_bytes (const MemlaneScatter *self)
{
  return 2 * self->n * self->piece * sizeof (float);
}

gsize
memlane_scatter_get_piece (const MemlaneScatter *self, guint i, gsize *in_vector, gsize *in_pool)
{
  *in_vector = i * self->piece;
  *in_pool = self->places[i] * self->piece;
  return MIN (self->piece, self->elements - *in_vector);
}

/* The copies between @pool, NULL: there are none, and @vector. */
static MemlaneCopies *
list_copies (const MemlaneScatter *self, float *pool, float *vector, gboolean up, MemlaneCopyKind kind)
{
  MemlaneCopies *copies = pool != NULL ? memlane_copies_new (self->n, kind) : NULL;

  for (guint i = 0; copies != NULL && i < self->n; i++)
    {
      gsize in_vector, in_pool, bytes = memlane_scatter_get_piece (self, i, &in_vector, &in_pool) * sizeof (float);

      memlane_copies_set (copies, i, up ? vector + in_vector : pool + in_pool, up ? pool + in_pool : vector + in_vector, bytes);
    }
  return copies;
}

gboolean
memlane_scatter_allocate (MemlaneScatter *self, MemlaneDevice *device, void *pool_up, void *up_reached, void *pool_down,
                          void *down_reached, void *vector, GError **error)
{
  const gboolean packs = self->way == MEMLANE_PIECES_PACKED, graphs = self->way == MEMLANE_PIECES_GRAPH;
  const gsize bytes = self->elements * sizeof (float);
  float *in_order;

  self->pool_up = up_reached;
  self->pool_down = down_reached;
  self->vector = vector;
  if (packs && !memlane_device_malloc_host (device, bytes, &self->staging, error))
    return FALSE;
  in_order = packs ? self->staging : vector;
  self->to_device = list_copies (self, pool_up, in_order, TRUE, packs ? MEMLANE_COPY_ON_HOST : MEMLANE_COPY_TO_DEVICE);
  self->to_host = list_copies (self, pool_down, in_order, FALSE, packs ? MEMLANE_COPY_ON_HOST : MEMLANE_COPY_TO_HOST);
  if (self->way == MEMLANE_PIECES_KERNEL)
    return memlane_device_malloc (device, self->n * sizeof *self->places, (void **) &self->device_places, error)
           && memlane_device_memcpy (device, self->device_places, self->places, self->n * sizeof *self->places, MEMLANE_COPY_TO_DEVICE,
                                     error);
  return !graphs
         || ((pool_up == NULL || memlane_device_graph_create (device, self->to_device, &self->graph_up, error))
             && (pool_down == NULL || memlane_device_graph_create (device, self->to_host, &self->graph_down, error)));
}

gboolean
memlane_scatter_release (MemlaneScatter *self, MemlaneDevice *device, GError **error)
{
  MemlaneGraph *graphs[] = { g_steal_pointer (&self->graph_up), g_steal_pointer (&self->graph_down) };
  void *places = g_steal_pointer (&self->device_places), *staging = g_steal_pointer (&self->staging);
  gboolean released = TRUE;

  /* All of them, whatever fails; the first error is the one to tell. */
  for (guint i = 0; i < G_N_ELEMENTS (graphs); i++)
    if (graphs[i] != NULL)
      released = memlane_device_graph_destroy (device, graphs[i], released ? error : NULL) && released;
  if (places != NULL)
    released = memlane_device_free (device, places, released ? error : NULL) && released;
  if (staging != NULL)
    released = memlane_device_free_host (device, staging, released ? error : NULL) && released;
  g_clear_pointer (&self->to_device, memlane_copies_free);
  g_clear_pointer (&self->to_host, memlane_copies_free);
  return released;
}

static gboolean
move_one_by_one (const MemlaneScatter *self, MemlaneDevice *device, gboolean up, MemlaneStream *stream, GError **error)
{
  const MemlaneCopies *copies = up ? self->to_device : self->to_host;

  for (gsize i = 0; i < copies->n; i++)
    if (self->way == MEMLANE_PIECES_PREFETCH
          ? !memlane_device_mem_prefetch_async (device, up ? copies->from[i] : copies->to[i], copies->bytes[i],
                                                up ? MEMLANE_LOCATION_DEVICE : MEMLANE_LOCATION_HOST, stream, error)
          : !memlane_device_memcpy_async (device, copies->to[i], copies->from[i], copies->bytes[i], copies->kind, stream, error))
      return FALSE;
  return TRUE;
}

gboolean
memlane_scatter_move (MemlaneScatter *self, MemlaneDevice *device, gboolean up, MemlaneStream *stream, GError **error)
{
  const MemlaneCopies *copies = up ? self->to_device : self->to_host;
  const gsize bytes = self->elements * sizeof (float);
  const MemlaneGather gather = {
    .vector = self->vector, .pool = up ? self->pool_up : self->pool_down, .places = self->device_places, .piece = self->piece,
    .elements = self->elements, .scatters = !up, .shaped = self->shaped,
  };

  switch (self->way)
    {
    case MEMLANE_PIECES_LOOP:
    case MEMLANE_PIECES_PREFETCH:
      return move_one_by_one (self, device, up, stream, error);
    case MEMLANE_PIECES_BATCH:
      return memlane_device_memcpy_batch_async (device, copies, stream, error);
    case MEMLANE_PIECES_GRAPH:
      return memlane_device_graph_launch (device, up ? self->graph_up : self->graph_down, stream, error);
    case MEMLANE_PIECES_KERNEL:
      return memlane_device_launch_gather (device, &gather, stream, error);
    case MEMLANE_PIECES_PACKED:
      if (up)
        return memlane_device_host_copies (device, copies, self->threads, error)
               && memlane_device_memcpy_async (device, self->vector, self->staging, bytes, MEMLANE_COPY_TO_DEVICE, stream, error);
      return memlane_device_memcpy_async (device, self->staging, self->vector, bytes, MEMLANE_COPY_TO_HOST, stream, error)
             && memlane_device_stream_synchronize (device, stream, error)
             && memlane_device_host_copies (device, copies, self->threads, error);
    case MEMLANE_PIECES_NOT:
    default:
      g_return_val_if_reached (FALSE);
    }
}
