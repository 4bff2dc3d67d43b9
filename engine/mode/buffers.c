/* set.c: one buffer set: the vectors, streams and events that a sample works on
 *
 * SPDX-License-Identifier: MIT
 */
#include "buffers.h"

/* 32 floats: chunk borders stay on 128-byte lines, so that no two chunks share one. */
#define CHUNK_ALIGNMENT 32

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

static gboolean
is_mapped (MemlaneHostMemory memory)
{
  return memory == MEMLANE_HOST_MAPPED || memory == MEMLANE_HOST_MAPPED_WRITE_COMBINED || memory == MEMLANE_HOST_REGISTERED_MAPPED;
}

MemlaneSet *
memlane_set_new (MemlaneDevice *device, const MemlaneMode *mode, const MemlaneShape *shape, gsize elements, guint reuse, GError **error)
{
  MemlaneSet *set = g_new0 (MemlaneSet, 1);
  gsize pieces = MAX (elements / CHUNK_ALIGNMENT, 1);

  set->device = device;
  set->mode = mode;
  set->shape = *shape;
  set->shape.lanes = MIN (shape->lanes, MEMLANE_MOST_STREAMS);
  set->elements = elements;
  set->bytes = elements * sizeof (float);
  set->reuse = MAX (reuse, 1);
  set->n_chunks = MIN (MIN (MAX (shape->chunks, 1), MEMLANE_MOST_CHUNKS), pieces);
  /* No more streams than there are chunks for them. */
  if (shape->chunks > 1)
    set->shape.lanes = MIN (set->shape.lanes, set->n_chunks);

  for (guint i = 0; i < shape->inputs; i++)
    {
      set->input[i].on_host = shape->inputs_on_host;
      set->input[i].on_device = shape->inputs_on_device;
    }
  set->output.on_host = shape->has_output && shape->output_on_host;
  set->output.on_device = shape->has_output && shape->output_on_device;
  set->output.on_peer = shape->has_output && shape->output_on_peer;

  if (!memlane_device_event_create (device, &set->start, error) || !memlane_device_event_create (device, &set->stop, error))
    goto failed;
  for (guint i = 0; i < set->shape.lanes; i++)
    if (!memlane_device_stream_create (device, FALSE, 0, &set->lanes[i], error)
        || !memlane_device_event_create (device, &set->lane_done[i], error))
      goto failed;
  return set;

failed:
  memlane_set_free (set);
  return NULL;
}

MemlaneStream *
memlane_set_stream (const MemlaneSet *set)
{
  return set->lanes[0];
}

gboolean
memlane_check_host_room (MemlaneDevice *device, guint64 pinned, guint64 pageable, GError **error)
{
  guint64 available, lockable;

  memlane_device_get_host_memory (device, &available, &lockable);
  if (available > 0 && pinned > available / 2)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                   "not tried: pinning %" G_GUINT64_FORMAT " MiB would take more than half of the %" G_GUINT64_FORMAT
                   " MiB of free host memory; choose a smaller size", pinned >> 20, available >> 20);
      return FALSE;
    }
  if (available > 0 && pageable > available)
    {
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                   "not tried: %" G_GUINT64_FORMAT " MiB is more than the %" G_GUINT64_FORMAT
                   " MiB of free host memory; choose a smaller size",
                   pageable >> 20, available >> 20);
      return FALSE;
    }
  return TRUE;
}

gboolean
memlane_set_check_room (MemlaneSet *set, GError **error)
{
  guint inputs = set->shape.inputs_on_host ? set->shape.inputs : 0;
  guint outputs = set->output.on_host ? 1 : 0;
  guint64 pinned = 0, managed = 0, plain = 0, free_bytes;

  for (guint i = 0; i < inputs + outputs; i++)
    {
      MemlaneHostMemory memory = i < inputs ? set->shape.input_memory : set->shape.output_memory;

      if (memlane_host_memory_is_pinned (memory))
        pinned += set->bytes;
      else if (memory == MEMLANE_HOST_MANAGED)
        managed += set->bytes;
      else if (memory == MEMLANE_HOST_PAGEABLE)
        plain += set->bytes;
    }

  if (!memlane_check_host_room (set->device, pinned, plain, error))
    return FALSE;
  if (managed == 0)
    return TRUE;
  if (!memlane_device_get_free_memory (set->device, &free_bytes, error))
    return FALSE;
  if (managed > free_bytes)
    {
      /* More managed memory than the card holds can hang a GPU, not only this program. */
      g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_OUT_OF_MEMORY,
                   "not tried: %" G_GUINT64_FORMAT " KiB of managed memory is more than the %" G_GUINT64_FORMAT
                   " KiB that the device has free; choose a smaller size", managed >> 10, free_bytes >> 10);
      return FALSE;
    }
  return TRUE;
}

static gboolean
allocate_host (MemlaneSet *set, MemlaneVector *vector, guint index, MemlaneHostMemory memory, GError **error)
{
  MemlaneDevice *device = set->device;
  gsize bytes = set->bytes;

  switch (memory)
    {
    case MEMLANE_HOST_PAGEABLE:
      return memlane_device_host_malloc (device, bytes, &vector->host, error);
    case MEMLANE_HOST_PINNED:
      return memlane_device_malloc_host (device, bytes, &vector->host, error);
    case MEMLANE_HOST_ALLOCATED:
      return memlane_device_host_alloc (device, bytes, MEMLANE_HOST_ALLOC_DEFAULT, &vector->host, error);
    case MEMLANE_HOST_PORTABLE:
      return memlane_device_host_alloc (device, bytes, MEMLANE_HOST_ALLOC_PORTABLE, &vector->host, error);
    case MEMLANE_HOST_WRITE_COMBINED:
      return memlane_device_host_alloc (device, bytes, MEMLANE_HOST_ALLOC_WRITE_COMBINED, &vector->host, error);
    case MEMLANE_HOST_MAPPED:
      return memlane_device_host_alloc (device, bytes, MEMLANE_HOST_ALLOC_MAPPED, &vector->host, error);
    case MEMLANE_HOST_MAPPED_WRITE_COMBINED:
      return memlane_device_host_alloc (device, bytes, MEMLANE_HOST_ALLOC_MAPPED | MEMLANE_HOST_ALLOC_WRITE_COMBINED, &vector->host, error);
    case MEMLANE_HOST_REGISTERED:
    case MEMLANE_HOST_REGISTERED_MAPPED:
      if (!memlane_device_host_malloc (device, bytes, &vector->host, error))
        return FALSE;
      vector->registered = memlane_device_host_register (device, vector->host, bytes,
                                                         memory == MEMLANE_HOST_REGISTERED ? MEMLANE_HOST_REGISTER_DEFAULT
                                                                                           : MEMLANE_HOST_REGISTER_MAPPED, error);
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
release_host (MemlaneSet *set, MemlaneVector *vector, MemlaneHostMemory memory, GError **error)
{
  void *host = g_steal_pointer (&vector->host);
  gboolean released = TRUE;

  if (host == NULL || memory == MEMLANE_HOST_MANAGED_STATIC)
    return TRUE;
  if (vector->registered)
    {
      vector->registered = FALSE;
      released = memlane_device_host_unregister (set->device, host, error);
    }
  if (memory == MEMLANE_HOST_PAGEABLE || memory == MEMLANE_HOST_REGISTERED || memory == MEMLANE_HOST_REGISTERED_MAPPED)
    return memlane_device_host_free (set->device, host, released ? error : NULL) && released;
  if (memory == MEMLANE_HOST_MANAGED)
    return memlane_device_free (set->device, host, error);
  return memlane_device_free_host (set->device, host, error);
}

/* The pointer that a kernel gets for @vector. */
static gboolean
reach (MemlaneSet *set, MemlaneVector *vector, MemlaneHostMemory memory, GError **error)
{
  if (vector->buffer != NULL)
    vector->kernel = vector->buffer;
  else if (vector->host == NULL)
    return TRUE;
  else if (set->mode->reach == MEMLANE_REACH_DEVICE_POINTER && is_mapped (memory))
    return memlane_device_host_get_device_pointer (set->device, vector->host, &vector->kernel, error);
  else if (set->mode->reach != MEMLANE_REACH_DEVICE_COPY)
    vector->kernel = vector->host;
  return TRUE;
}

static gboolean
allocate_vector (MemlaneSet *set, MemlaneVector *vector, guint index, MemlaneHostMemory memory, GError **error)
{
  if (vector->on_host && !allocate_host (set, vector, index, memory, error))
    return FALSE;
  if (vector->on_device && !set->shape.allocates_inside && !memlane_device_malloc (set->device, set->bytes, &vector->buffer, error))
    return FALSE;
  if (vector->on_peer && !memlane_device_peer_malloc (set->device, set->bytes, &vector->buffer, error))
    return FALSE;
  return reach (set, vector, memory, error);
}

static gboolean
release_vector (MemlaneSet *set, MemlaneVector *vector, MemlaneHostMemory memory, GError **error)
{
  void *buffer = g_steal_pointer (&vector->buffer);
  gboolean released = TRUE;

  vector->kernel = NULL;
  if (buffer != NULL && vector->on_peer)
    released = memlane_device_peer_free (set->device, buffer, error);
  else if (buffer != NULL)
    released = memlane_device_free (set->device, buffer, error);
  return release_host (set, vector, memory, released ? error : NULL) && released;
}

gboolean
memlane_set_allocate (MemlaneSet *set, GError **error)
{
  for (guint i = 0; i < set->shape.inputs; i++)
    if (!allocate_vector (set, &set->input[i], i, set->shape.input_memory, error))
      return FALSE;
  return allocate_vector (set, &set->output, 2, set->shape.output_memory, error);
}

gboolean
memlane_set_release (MemlaneSet *set, GError **error)
{
  gboolean released = TRUE;

  /* All of them, whatever fails; the first error is the one to tell. */
  for (guint i = 0; i < set->shape.inputs; i++)
    released = release_vector (set, &set->input[i], set->shape.input_memory, released ? error : NULL) && released;
  return release_vector (set, &set->output, set->shape.output_memory, released ? error : NULL) && released;
}

void
memlane_set_free (MemlaneSet *set)
{
  gboolean late;

  if (set == NULL)
    return;
  /* Nothing may be freed under work that still runs, and nothing runs on behind a closed latch. */
  memlane_device_latch_open (set->device, &late, NULL);
  memlane_device_synchronize (set->device, NULL);
  memlane_set_release (set, NULL);
  for (guint i = 0; i < set->shape.lanes; i++)
    {
      if (set->lane_done[i] != NULL)
        memlane_device_event_destroy (set->device, set->lane_done[i], NULL);
      if (set->lanes[i] != NULL)
        memlane_device_stream_destroy (set->device, set->lanes[i], NULL);
    }
  if (set->start != NULL)
    memlane_device_event_destroy (set->device, set->start, NULL);
  if (set->stop != NULL)
    memlane_device_event_destroy (set->device, set->stop, NULL);
  g_free (set);
}

gboolean
memlane_set_malloc_async (MemlaneSet *set, GError **error)
{
  MemlaneVector *vectors[] = { &set->input[0], &set->input[1], &set->output };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    if (vectors[i]->on_device)
      {
        if (!memlane_device_malloc_async (set->device, set->bytes, memlane_set_stream (set), &vectors[i]->buffer, error))
          return FALSE;
        vectors[i]->kernel = vectors[i]->buffer;
      }
  return TRUE;
}

gboolean
memlane_set_free_async (MemlaneSet *set, GError **error)
{
  MemlaneVector *vectors[] = { &set->input[0], &set->input[1], &set->output };
  gboolean released = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    if (vectors[i]->buffer != NULL)
      {
        vectors[i]->kernel = NULL;
        released = memlane_device_free_async (set->device, g_steal_pointer (&vectors[i]->buffer), memlane_set_stream (set),
                                              released ? error : NULL) && released;
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
check_type (MemlaneSet *set, const char *what, const void *pointer, MemlaneMemoryType expected, GString *kinds, GError **error)
{
  MemlanePointerAttributes attributes;

  if (pointer == NULL)
    return TRUE;
  if (!memlane_device_pointer_get_attributes (set->device, pointer, &attributes, error))
    return FALSE;
  g_string_append_printf (kinds, "%s%s %s", kinds->len > 0 ? ", " : "", what, memlane_memory_type_name (attributes.type));
  if (attributes.type == expected)
    return TRUE;
  g_set_error (error, MEMLANE_DEVICE_ERROR, MEMLANE_DEVICE_ERROR_FAILED,
               "cudaPointerGetAttributes: the %s of mode %s is %s memory, not %s: its label would lie", what, set->mode->id,
               memlane_memory_type_name (attributes.type), memlane_memory_type_name (expected));
  return FALSE;
}

gboolean
memlane_set_check_attributes (MemlaneSet *set, char **kinds, GError **error)
{
  g_autoptr (GString) said = g_string_new (NULL);

  *kinds = NULL;
  if (!check_type (set, "input", set->input[0].host, expected_type (set->shape.input_memory), said, error)
      || !check_type (set, "second input", set->input[1].host, expected_type (set->shape.input_memory), said, error)
      || !check_type (set, "input copy", set->input[0].buffer, MEMLANE_MEMORY_DEVICE, said, error)
      || !check_type (set, "second input copy", set->input[1].buffer, MEMLANE_MEMORY_DEVICE, said, error)
      || !check_type (set, "result", set->output.host, expected_type (set->shape.output_memory), said, error)
      || !check_type (set, "result copy", set->output.buffer, MEMLANE_MEMORY_DEVICE, said, error))
    return FALSE;
  *kinds = g_string_free (g_steal_pointer (&said), FALSE);
  return TRUE;
}

void
memlane_set_get_chunk (const MemlaneSet *set, guint index, gsize *first, gsize *count)
{
  gsize pieces = (set->elements + CHUNK_ALIGNMENT - 1) / CHUNK_ALIGNMENT;
  gsize begin = MIN (pieces * index / set->n_chunks * CHUNK_ALIGNMENT, set->elements);
  gsize end = MIN (pieces * (index + 1) / set->n_chunks * CHUNK_ALIGNMENT, set->elements);

  *first = begin;
  *count = end - begin;
}

gboolean
memlane_set_launch (MemlaneSet *set, gsize first, gsize count, MemlaneStream *stream, GError **error)
{
  float *out = (float *) set->output.kernel + first;
  const float *a = (const float *) set->input[0].kernel + first;
  const float *b = set->kernel == MEMLANE_KERNEL_ADD ? (const float *) set->input[1].kernel + first : NULL;

  for (guint i = 0; i < set->reuse; i++)
    if (!memlane_device_launch (set->device, set->kernel, out, a, b, count, stream, error))
      return FALSE;
  return TRUE;
}
