/* buffers.c: the vectors, streams and events that a sample works on
 *
 * SPDX-License-Identifier: MIT
 */
#include "buffers.h"

#include "base/fail.h"
#include "base/owns.h"
#include "transfer.h"

/* --- vectors whose pieces lie scattered ------------------------------------------------------- */

/* As common as any: the same places in every run, so that runs can be compared. */
#define SEED 20180501

MemlaneScatter *
memlane_scatter_new (MemlanePiecesWay way, guint threads, gboolean shaped, gsize elements,
                     guint pieces)
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

MEMLANE_DEFINE_FREE (MemlaneScatter, void memlane_scatter_free (MemlaneScatter *data),
                     OWNS (places, g_free))

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
list_copies (const MemlaneScatter *self, float *pool, float *vector, gboolean up,
             MemlaneCopyKind kind)
{
  MemlaneCopies *copies = pool != NULL ? memlane_copies_new (self->n, kind) : NULL;

  for (guint i = 0; copies != NULL && i < self->n; i++)
    {
      gsize in_vector, in_pool,
          bytes = memlane_scatter_get_piece (self, i, &in_vector, &in_pool) * sizeof (float);

      memlane_copies_set (copies, i, up ? vector + in_vector : pool + in_pool,
                          up ? pool + in_pool : vector + in_vector, bytes);
    }
  return copies;
}

/* Allocates what the way needs besides pools and vector, which exist already. @pool_up and
 * @pool_down are those of the host; NULL: nothing goes that way. @up_reached, @down_reached: the
 * same as the kernel reaches them. */
static gboolean
scatter_allocate (MemlaneScatter *self, MemlaneDevice *device, void *pool_up, void *up_reached,
                  void *pool_down, void *down_reached, void *vector, GError **error)
{
  const gboolean packs = self->way == MEMLANE_PIECES_PACKED,
                 graphs = self->way == MEMLANE_PIECES_GRAPH;
  const gsize bytes = self->n * sizeof *self->places;
  float *in_order;

  self->pool_up = up_reached;
  self->pool_down = down_reached;
  self->vector = vector;
  self->held.device = device;
  if (packs
      && !memlane_held_take (
          &self->held, error,
          { MEMLANE_TAKE_PINNED, &self->staging, self->elements * sizeof (float) }))
    return FALSE;
  in_order = packs ? self->staging : vector;
  self->to_device = list_copies (self, pool_up, in_order, TRUE,
                                 packs ? MEMLANE_COPY_ON_HOST : MEMLANE_COPY_TO_DEVICE);
  self->to_host = list_copies (self, pool_down, in_order, FALSE,
                               packs ? MEMLANE_COPY_ON_HOST : MEMLANE_COPY_TO_HOST);
  if (self->way == MEMLANE_PIECES_KERNEL)
    return memlane_held_take (&self->held, error,
                              { MEMLANE_TAKE_DEVICE, &self->device_places, bytes })
           && memlane_device_memcpy (device, self->device_places, self->places, bytes,
                                     MEMLANE_COPY_TO_DEVICE, error);
  return !graphs
         || ((pool_up == NULL
              || memlane_held_take (
                  &self->held, error,
                  { MEMLANE_TAKE_GRAPH, &self->graph_up, .copies = self->to_device }))
             && (pool_down == NULL
                 || memlane_held_take (
                     &self->held, error,
                     { MEMLANE_TAKE_GRAPH, &self->graph_down, .copies = self->to_host })));
}

static gboolean
scatter_release (MemlaneScatter *self, GError **error)
{
  const gboolean released = memlane_held_give_all (&self->held, error);

  g_clear_pointer (&self->to_device, memlane_copies_free);
  g_clear_pointer (&self->to_host, memlane_copies_free);
  return released;
}

static gboolean
move_one_by_one (const MemlaneScatter *self, MemlaneDevice *device, gboolean up,
                 MemlaneStream *stream, GError **error)
{
  const MemlaneCopies *copies = up ? self->to_device : self->to_host;

  for (gsize i = 0; i < copies->n; i++)
    if (self->way == MEMLANE_PIECES_PREFETCH
            ? !memlane_device_mem_prefetch_async (
                  device, up ? copies->from[i] : copies->to[i], copies->bytes[i],
                  up ? MEMLANE_LOCATION_DEVICE : MEMLANE_LOCATION_HOST, stream, error)
            : !memlane_device_memcpy_async (device, copies->to[i], copies->from[i],
                                            copies->bytes[i], copies->kind, stream, error))
      return FALSE;
  return TRUE;
}

gboolean
memlane_scatter_move (MemlaneScatter *self, MemlaneDevice *device, gboolean up,
                      MemlaneStream *stream, GError **error)
{
  const MemlaneCopies *copies = up ? self->to_device : self->to_host;
  const gsize bytes = self->elements * sizeof (float);
  const MemlaneGather gather = {
    .vector = self->vector,
    .pool = up ? self->pool_up : self->pool_down,
    .places = self->device_places,
    .piece = self->piece,
    .elements = self->elements,
    .scatters = !up,
    .shaped = self->shaped,
  };

  switch (self->way)
    {
    case MEMLANE_PIECES_LOOP:
    case MEMLANE_PIECES_PREFETCH:
      return move_one_by_one (self, device, up, stream, error);
    case MEMLANE_PIECES_BATCH:
      return memlane_device_memcpy_batch_async (device, copies, stream, error);
    case MEMLANE_PIECES_GRAPH:
      return memlane_device_graph_launch (device, up ? self->graph_up : self->graph_down, stream,
                                          error);
    case MEMLANE_PIECES_KERNEL:
      return memlane_device_launch_gather (device, &gather, stream, error);
    case MEMLANE_PIECES_PACKED:
      if (up)
        return memlane_device_host_copies (device, copies, self->threads, error)
               && memlane_device_memcpy_async (device, self->vector, self->staging, bytes,
                                               MEMLANE_COPY_TO_DEVICE, stream, error);
      return memlane_device_memcpy_async (device, self->staging, self->vector, bytes,
                                          MEMLANE_COPY_TO_HOST, stream, error)
             && memlane_device_stream_synchronize (device, stream, error)
             && memlane_device_host_copies (device, copies, self->threads, error);
    case MEMLANE_PIECES_NOT:
    default:
      g_return_val_if_reached (FALSE);
    }
}

/* --- the vectors ------------------------------------------------------------------------------ */

/* 32 floats: chunk borders stay on 128-byte lines, so that no two chunks share one. */
#define CHUNK_ALIGNMENT 32

/* Small copies may take another way than large ones (through the pushbuffer, or another engine): up
 * to here the lead-in is as large as the copy. */
#define LEAD_BYTES ((gsize) 64 << 10)

gboolean
memlane_host_memory_is_managed (MemlaneHostMemory memory)
{
  return memory == MEMLANE_HOST_MANAGED || memory == MEMLANE_HOST_MANAGED_STATIC;
}

gboolean
memlane_host_memory_is_pinned (MemlaneHostMemory memory)
{
  return memory != MEMLANE_HOST_PAGEABLE && !memlane_host_memory_is_managed (memory);
}

gboolean
memlane_host_memory_is_registered (MemlaneHostMemory memory)
{
  return memory == MEMLANE_HOST_REGISTERED || memory == MEMLANE_HOST_REGISTERED_READ_ONLY
         || memory == MEMLANE_HOST_REGISTERED_MAPPED;
}

static gboolean
is_mapped (MemlaneHostMemory memory)
{
  return memory == MEMLANE_HOST_MAPPED || memory == MEMLANE_HOST_MAPPED_WRITE_COMBINED
         || memory == MEMLANE_HOST_REGISTERED_MAPPED;
}

MemlaneBuffers *
memlane_buffers_new (MemlaneDevice *device, const MemlaneMode *mode, const MemlaneShape *shape,
                     gsize elements, guint reuse, GError **error)
{
  MemlaneBuffers *buffers = g_new0 (MemlaneBuffers, 1);
  gsize pieces = MAX (elements / CHUNK_ALIGNMENT, 1);
  gboolean created;

  buffers->device = buffers->held.device = device;
  buffers->mode = mode;
  buffers->shape = *shape;
  buffers->shape.lanes = MIN (shape->lanes, MEMLANE_MOST_STREAMS);
  buffers->elements = elements;
  buffers->bytes = elements * sizeof (float);
  buffers->host_bytes = buffers->bytes;
  if (shape->is_scattered)
    {
      buffers->scatter = memlane_scatter_new (mode->transfer->pieces, mode->transfer->threads,
                                              mode->shaped_kernel, elements,
                                              MAX (shape->chunks, 1));
      buffers->host_bytes = memlane_scatter_pool_bytes (buffers->scatter);
    }
  buffers->reuse = MAX (reuse, 1);
  buffers->n_chunks = MIN (MIN (MAX (shape->chunks, 1), MEMLANE_MOST_CHUNKS), pieces);
  /* No more streams than there are chunks for them. */
  if (shape->chunks > 1 && !shape->is_scattered)
    buffers->shape.lanes = MIN (buffers->shape.lanes, buffers->n_chunks);

  for (guint i = 0; i < shape->inputs; i++)
    buffers->input[i].on = shape->inputs_on;
  buffers->output.on = shape->output_on;

  created = memlane_held_take (&buffers->held, error, { MEMLANE_TAKE_EVENT, &buffers->start },
                               { MEMLANE_TAKE_EVENT, &buffers->stop });
  for (guint i = 0; i < buffers->shape.lanes && created; i++)
    created = memlane_held_take (&buffers->held, error,
                                 { MEMLANE_TAKE_BLOCKING_STREAM, &buffers->lanes[i] },
                                 { MEMLANE_TAKE_EVENT, &buffers->lane_done[i] });
  if (created)
    return buffers;
  memlane_buffers_free (buffers);
  return NULL;
}

MemlaneStream *
memlane_buffers_stream (const MemlaneBuffers *buffers)
{
  return buffers->lanes[0];
}

gboolean
memlane_buffers_copy (MemlaneBuffers *buffers, void *to, const void *from, MemlaneCopyKind kind,
                      GError **error)
{
  MemlaneStream *stream = memlane_buffers_stream (buffers);

  return stream != NULL
             ? memlane_device_memcpy_async (buffers->device, to, from, buffers->bytes, kind, stream,
                                            error)
             : memlane_device_memcpy (buffers->device, to, from, buffers->bytes, kind, error);
}

gboolean
memlane_check_host_room (MemlaneDevice *device, guint64 pinned, guint64 pageable, GError **error)
{
  guint64 available, lockable;

  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && pinned > available / 2)
    return memlane_device_refuse (error, OUT_OF_MEMORY,
                                  "not tried: pinning %" G_GUINT64_FORMAT
                                  " MiB would take more than half of the %" G_GUINT64_FORMAT
                                  " MiB of free host memory; choose a smaller size",
                                  pinned >> 20, available >> 20);
  if (available > 0 && pageable > available)
    return memlane_device_refuse (error, OUT_OF_MEMORY,
                                  "not tried: %" G_GUINT64_FORMAT
                                  " MiB is more than the %" G_GUINT64_FORMAT
                                  " MiB of free host memory; choose a smaller size",
                                  pageable >> 20, available >> 20);
  return TRUE;
}

void
memlane_shape_find_need (const MemlaneShape *shape, const MemlaneMode *mode, gsize elements,
                         MemlaneNeed *need)
{
  const gsize bytes = elements * sizeof (float), pieces = MAX (shape->chunks, 1),
              piece = (elements + pieces - 1) / pieces;
  const gsize host = shape->is_scattered
                         ? 2 * ((elements + piece - 1) / piece) * piece * sizeof (float)
                         : bytes;
  const guint inputs = shape->inputs_on & MEMLANE_ON_HOST ? shape->inputs : 0;
  const guint outputs = (shape->output_on & MEMLANE_ON_HOST) != 0;
  const guint copies = (shape->inputs_on & MEMLANE_ON_DEVICE ? shape->inputs : 0)
                       + ((shape->output_on & MEMLANE_ON_DEVICE) != 0);

  *need = (MemlaneNeed) { .device = copies * bytes };
  if (shape->is_scattered && mode->transfer->pieces == MEMLANE_PIECES_PACKED)
    need->locked = need->host = bytes; /* what they are packed into */
  for (guint i = 0; i < inputs + outputs; i++)
    {
      const MemlaneHostMemory memory = i < inputs ? shape->input_memory : shape->output_memory;

      if (memory == MEMLANE_HOST_MANAGED_STATIC)
        continue; /* it came with the program */
      need->host += host;
      need->locked += memlane_host_memory_is_pinned (memory) ? host : 0;
      need->managed += memory == MEMLANE_HOST_MANAGED ? host : 0;
    }
  need->device += need->managed;
}

gboolean
memlane_buffers_check_room (MemlaneBuffers *buffers, GError **error)
{
  const guint64 large = memlane_device_get_info (buffers->device)->memory_bytes / 4;
  guint64 free_bytes;
  MemlaneNeed need;

  memlane_shape_find_need (&buffers->shape, buffers->mode, buffers->elements, &need);
  if (!memlane_check_host_room (buffers->device, need.locked,
                                need.host - need.locked - need.managed, error))
    return FALSE;
  if (need.managed == 0 && need.device <= large) /* asking takes longer than a small cell */
    return TRUE;
  if (!memlane_device_get_free_memory (buffers->device, &free_bytes, error))
    return FALSE;
  /* More managed memory than the card holds can hang a GPU, not only this program. */
  if (need.device > free_bytes)
    return memlane_device_refuse (
        error, OUT_OF_MEMORY,
        "not tried: %" G_GUINT64_FORMAT " KiB of %s memory is more than the %" G_GUINT64_FORMAT
        " KiB that the device has free; choose a smaller size",
        need.device >> 10, need.managed > 0 ? "managed" : "device", free_bytes >> 10);
  return TRUE;
}

static gboolean
allocate_host (MemlaneBuffers *buffers, MemlaneVector *vector, guint index,
               MemlaneHostMemory memory, gsize bytes, GError **error)
{
  static const guint flags[] = {
    [MEMLANE_HOST_PORTABLE] = MEMLANE_HOST_ALLOC_PORTABLE,
    [MEMLANE_HOST_WRITE_COMBINED] = MEMLANE_HOST_ALLOC_WRITE_COMBINED,
    [MEMLANE_HOST_MAPPED] = MEMLANE_HOST_ALLOC_MAPPED,
    [MEMLANE_HOST_MAPPED_WRITE_COMBINED] = MEMLANE_HOST_ALLOC_MAPPED
                                           | MEMLANE_HOST_ALLOC_WRITE_COMBINED,
    [MEMLANE_HOST_REGISTERED_READ_ONLY] = MEMLANE_HOST_REGISTER_READ_ONLY,
    [MEMLANE_HOST_REGISTERED_MAPPED] = MEMLANE_HOST_REGISTER_MAPPED,
  };
  MemlaneDevice *device = buffers->device;

  switch (memory)
    {
    case MEMLANE_HOST_PAGEABLE:
      return memlane_device_host_malloc (device, bytes, &vector->host, error);
    case MEMLANE_HOST_PINNED:
      return memlane_device_malloc_host (device, bytes, &vector->host, error);
    case MEMLANE_HOST_ALLOCATED:
    case MEMLANE_HOST_PORTABLE:
    case MEMLANE_HOST_WRITE_COMBINED:
    case MEMLANE_HOST_MAPPED:
    case MEMLANE_HOST_MAPPED_WRITE_COMBINED:
      return memlane_device_host_alloc (device, bytes, flags[memory], &vector->host, error);
    case MEMLANE_HOST_REGISTERED:
    case MEMLANE_HOST_REGISTERED_READ_ONLY:
    case MEMLANE_HOST_REGISTERED_MAPPED:
      if (!memlane_device_host_malloc (device, bytes, &vector->host, error))
        return FALSE;
      vector->registered = memlane_device_host_register (device, vector->host, bytes, flags[memory],
                                                         error);
      return vector->registered;
    case MEMLANE_HOST_MANAGED:
      return memlane_device_malloc_managed (device, bytes, &vector->host, error);
    case MEMLANE_HOST_MANAGED_STATIC:
      return memlane_device_managed_static (device, index, bytes, &vector->host, error);
    default:
      g_return_val_if_reached (FALSE);
    }
}

static gboolean
release_host (MemlaneBuffers *buffers, MemlaneVector *vector, MemlaneHostMemory memory,
              GError **error)
{
  void *host = g_steal_pointer (&vector->host);
  gboolean released = TRUE;

  if (host == NULL || memory == MEMLANE_HOST_MANAGED_STATIC)
    return TRUE;
  if (vector->registered)
    {
      vector->registered = FALSE;
      released = memlane_device_host_unregister (buffers->device, host, error);
    }
  if (memory == MEMLANE_HOST_PAGEABLE || memlane_host_memory_is_registered (memory))
    return memlane_device_host_free (buffers->device, host, released ? error : NULL) && released;
  if (memory == MEMLANE_HOST_MANAGED)
    return memlane_device_free (buffers->device, host, error);
  return memlane_device_free_host (buffers->device, host, error);
}

/* The pointer that a kernel gets for @vector. */
static gboolean
reach (MemlaneBuffers *buffers, MemlaneVector *vector, MemlaneHostMemory memory, GError **error)
{
  if (buffers->scatter != NULL && vector->host != NULL
      && buffers->mode->reach == MEMLANE_REACH_SAME_POINTER)
    vector->pool = vector->host;
  else if (buffers->scatter != NULL && vector->host != NULL
           && buffers->mode->reach == MEMLANE_REACH_DEVICE_POINTER
           && !memlane_device_host_get_device_pointer (buffers->device, vector->host, &vector->pool,
                                                       error))
    return FALSE;
  if (vector->buffer != NULL)
    vector->kernel = vector->buffer;
  else if (vector->host == NULL)
    return TRUE;
  else if (buffers->mode->reach == MEMLANE_REACH_DEVICE_POINTER && is_mapped (memory))
    return memlane_device_host_get_device_pointer (buffers->device, vector->host, &vector->kernel,
                                                   error);
  else if (buffers->mode->reach != MEMLANE_REACH_DEVICE_COPY)
    vector->kernel = vector->host;
  return TRUE;
}

static gboolean
allocate_buffer (MemlaneBuffers *buffers, MemlaneVector *vector, gsize bytes, GError **error)
{
  return buffers->mode->virtual_memory
             ? memlane_device_malloc_virtual (buffers->device, bytes, &vector->buffer, error)
             : memlane_device_malloc (buffers->device, bytes, &vector->buffer, error);
}

static gboolean
allocate_vector (MemlaneBuffers *buffers, MemlaneVector *vector, guint index,
                 MemlaneHostMemory memory, GError **error)
{
  if ((vector->on & MEMLANE_ON_HOST) && !allocate_host (buffers, vector, index, memory,
                                                        buffers->host_bytes, error))
    return FALSE;
  if ((vector->on & MEMLANE_ON_DEVICE) && !buffers->shape.allocates_inside
      && !allocate_buffer (buffers, vector, buffers->bytes, error))
    return FALSE;
  if ((vector->on & MEMLANE_ON_PEER)
      && !memlane_device_peer_malloc (buffers->device, buffers->bytes, &vector->buffer, error))
    return FALSE;
  return reach (buffers, vector, memory, error);
}

static gboolean
release_vector (MemlaneBuffers *buffers, MemlaneVector *vector, MemlaneHostMemory memory,
                GError **error)
{
  void *buffer = g_steal_pointer (&vector->buffer);
  gboolean released = TRUE;

  vector->kernel = NULL;
  if (buffer != NULL && (vector->on & MEMLANE_ON_PEER))
    released = memlane_device_peer_free (buffers->device, buffer, error);
  else if (buffer != NULL)
    released = buffers->mode->virtual_memory
                   ? memlane_device_free_virtual (buffers->device, buffer, error)
                   : memlane_device_free (buffers->device, buffer, error);
  return release_host (buffers, vector, memory, released ? error : NULL) && released;
}

gboolean
memlane_buffers_allocate (MemlaneBuffers *buffers, GError **error)
{
  if (buffers->shape.keeps_pool && !memlane_device_pool_keep (buffers->device, TRUE, error))
    return FALSE;
  buffers->pool_is_kept = buffers->shape.keeps_pool;
  for (guint i = 0; i < buffers->shape.inputs; i++)
    if (!allocate_vector (buffers, &buffers->input[i], i, buffers->shape.input_memory, error))
      return FALSE;
  if (!allocate_vector (buffers, &buffers->output, 2, buffers->shape.output_memory, error))
    return FALSE;
  return buffers->scatter == NULL
         || scatter_allocate (buffers->scatter, buffers->device, buffers->input[0].host,
                              buffers->input[0].pool, buffers->output.host, buffers->output.pool,
                              buffers->input[0].buffer != NULL ? buffers->input[0].buffer
                                                               : buffers->output.buffer,
                              error);
}

gboolean
memlane_buffers_release (MemlaneBuffers *buffers, GError **error)
{
  gboolean released = TRUE;

  /* All of them, whatever fails; the first error is the one to tell. */
  if (buffers->scatter != NULL)
    released = scatter_release (buffers->scatter, error);
  for (guint i = 0; i < buffers->shape.inputs; i++)
    released = release_vector (buffers, &buffers->input[i], buffers->shape.input_memory,
                               released ? error : NULL)
               && released;
  released = release_vector (buffers, &buffers->output, buffers->shape.output_memory,
                             released ? error : NULL)
             && released;
  if (buffers->pool_is_kept)
    released = memlane_device_pool_keep (buffers->device, FALSE, released ? error : NULL)
               && released;
  buffers->pool_is_kept = FALSE;
  return released;
}

static MemlaneHostMemory
get_lead_memory (const MemlaneBuffers *buffers)
{
  const MemlaneShape *shape = &buffers->shape;

  return shape->inputs > 0 && (shape->inputs_on & MEMLANE_ON_HOST) ? shape->input_memory
                                                                   : shape->output_memory;
}

gboolean
memlane_buffers_allocate_lead (MemlaneBuffers *buffers, gboolean on_device, GError **error)
{
  MemlaneVector *lead = &buffers->lead;

  buffers->lead_bytes = MIN (buffers->bytes, LEAD_BYTES);
  return allocate_host (buffers, lead, 0, get_lead_memory (buffers), buffers->lead_bytes, error)
         && memlane_device_host_fill (buffers->device, lead->host, 0, buffers->lead_bytes, error)
         && (!on_device || allocate_buffer (buffers, lead, buffers->lead_bytes, error));
}

gboolean
memlane_buffers_release_lead (MemlaneBuffers *buffers, GError **error)
{
  return release_vector (buffers, &buffers->lead, get_lead_memory (buffers), error);
}

void
memlane_buffers_free (MemlaneBuffers *buffers)
{
  if (buffers == NULL)
    return;
  /* Nothing may be freed under work that still runs, and nothing runs on behind a closed latch. */
  memlane_device_latch_open (buffers->device, NULL, NULL);
  memlane_device_synchronize (buffers->device, NULL);
  memlane_buffers_release_lead (buffers, NULL);
  memlane_buffers_release (buffers, NULL);
  (void) memlane_held_give_all (&buffers->held, NULL);
  memlane_scatter_free (buffers->scatter);
  g_free (buffers);
}

gboolean
memlane_buffers_malloc_async (MemlaneBuffers *buffers, GError **error)
{
  MemlaneVector *vectors[] = { &buffers->input[0], &buffers->input[1], &buffers->output };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    if (vectors[i]->on & MEMLANE_ON_DEVICE)
      {
        if (!memlane_device_malloc_async (buffers->device, buffers->bytes,
                                          memlane_buffers_stream (buffers), &vectors[i]->buffer,
                                          error))
          return FALSE;
        vectors[i]->kernel = vectors[i]->buffer;
      }
  return TRUE;
}

gboolean
memlane_buffers_free_async (MemlaneBuffers *buffers, GError **error)
{
  MemlaneVector *vectors[] = { &buffers->input[0], &buffers->input[1], &buffers->output };
  gboolean released = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    if (vectors[i]->buffer != NULL)
      {
        vectors[i]->kernel = NULL;
        released = memlane_device_free_async (
                       buffers->device, g_steal_pointer (&vectors[i]->buffer),
                       memlane_buffers_stream (buffers), released ? error : NULL)
                   && released;
      }
  return released;
}

/* The kind of memory that cudaPointerGetAttributes must report for a host vector. */
static MemlaneMemoryType
expected_type (MemlaneHostMemory memory)
{
  if (memory == MEMLANE_HOST_PAGEABLE)
    return MEMLANE_MEMORY_UNREGISTERED;
  return memlane_host_memory_is_managed (memory) ? MEMLANE_MEMORY_MANAGED : MEMLANE_MEMORY_HOST;
}

static gboolean
check_type (MemlaneBuffers *buffers, const char *what, const void *pointer,
            MemlaneMemoryType expected, GString *kinds, GError **error)
{
  MemlaneMemoryType type;

  if (pointer == NULL)
    return TRUE;
  if (!memlane_device_pointer_get_type (buffers->device, pointer, &type, error))
    return FALSE;
  g_string_append_printf (kinds, "%s%s %s", kinds->len > 0 ? ", " : "", what,
                          memlane_memory_type_name (type));
  return type == expected
         || memlane_device_refuse (error, FAILED,
                                   "cudaPointerGetAttributes: the %s of mode %s is %s memory, not "
                                   "%s: its label would lie",
                                   what, buffers->mode->id, memlane_memory_type_name (type),
                                   memlane_memory_type_name (expected));
}

gboolean
memlane_buffers_check_attributes (MemlaneBuffers *buffers, char **kinds, GError **error)
{
  g_autoptr (GString) said = g_string_new (NULL);

  *kinds = NULL;
  if (!check_type (buffers, "input", buffers->input[0].host,
                   expected_type (buffers->shape.input_memory), said, error)
      || !check_type (buffers, "second input", buffers->input[1].host,
                      expected_type (buffers->shape.input_memory), said, error)
      || !check_type (buffers, "input copy", buffers->input[0].buffer, MEMLANE_MEMORY_DEVICE, said,
                      error)
      || !check_type (buffers, "second input copy", buffers->input[1].buffer, MEMLANE_MEMORY_DEVICE,
                      said, error)
      || !check_type (buffers, "result", buffers->output.host,
                      expected_type (buffers->shape.output_memory), said, error)
      || !check_type (buffers, "result copy", buffers->output.buffer, MEMLANE_MEMORY_DEVICE, said,
                      error))
    return FALSE;
  *kinds = g_string_free (g_steal_pointer (&said), FALSE);
  return TRUE;
}

void
memlane_buffers_get_chunk (const MemlaneBuffers *buffers, guint index, gsize *first, gsize *count)
{
  gsize pieces = (buffers->elements + CHUNK_ALIGNMENT - 1) / CHUNK_ALIGNMENT;
  gsize begin = MIN (pieces * index / buffers->n_chunks * CHUNK_ALIGNMENT, buffers->elements);
  gsize end = MIN (pieces * (index + 1) / buffers->n_chunks * CHUNK_ALIGNMENT, buffers->elements);

  *first = begin;
  *count = end - begin;
}

gboolean
memlane_buffers_launch (MemlaneBuffers *buffers, gsize first, gsize count, MemlaneStream *stream,
                        GError **error)
{
  float *out = (float *) buffers->output.kernel + first;
  const float *a = (const float *) buffers->input[0].kernel + first;
  const float *b = (buffers->kernel & MEMLANE_KERNEL_COPY) != 0
                       ? NULL
                       : (const float *) buffers->input[1].kernel + first;

  for (guint i = 0; i < buffers->reuse; i++)
    if (!memlane_device_launch (buffers->device, buffers->kernel, out, a, b, count, stream, error))
      return FALSE;
  return TRUE;
}
