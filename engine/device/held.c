/* held.c: memory, streams, events and graphs that are taken on a device, and given back together
 *
 * SPDX-License-Identifier: MIT
 */
#include "held.h"

#include <string.h>

#include "base/fail.h"

typedef struct
{
  MemlaneTakeKind kind;
  gpointer pointer;
} Thing;

static gboolean
take (MemlaneDevice *device, const MemlaneTake *what, GError **error)
{
  switch (what->kind)
    {
    case MEMLANE_TAKE_PAGEABLE:
      return memlane_device_host_malloc (device, what->bytes, what->place, error);
    case MEMLANE_TAKE_PINNED:
      return memlane_device_malloc_host (device, what->bytes, what->place, error);
    case MEMLANE_TAKE_MAPPED:
      return memlane_device_host_alloc (device, what->bytes, MEMLANE_HOST_ALLOC_MAPPED, what->place,
                                        error);
    case MEMLANE_TAKE_WRITE_COMBINED:
      return memlane_device_host_alloc (
          device, what->bytes, MEMLANE_HOST_ALLOC_MAPPED | MEMLANE_HOST_ALLOC_WRITE_COMBINED,
          what->place, error);
    case MEMLANE_TAKE_MANAGED:
      return memlane_device_malloc_managed (device, what->bytes, what->place, error);
    case MEMLANE_TAKE_PEER:
      return memlane_device_peer_malloc (device, what->bytes, what->place, error);
    case MEMLANE_TAKE_STREAM:
    case MEMLANE_TAKE_BLOCKING_STREAM:
      return memlane_device_stream_create (device, what->kind == MEMLANE_TAKE_STREAM,
                                           what->priority, what->place, error);
    case MEMLANE_TAKE_EVENT:
      return memlane_device_event_create (device, what->place, error);
    case MEMLANE_TAKE_GRAPH:
      return memlane_device_graph_create (device, what->copies, what->place, error);
    case MEMLANE_TAKE_DEVICE:
    default:
      return memlane_device_malloc (device, what->bytes, what->place, error);
    }
}

static gboolean
give_back (MemlaneDevice *device, const Thing *thing, GError **error)
{
  if (thing->kind == MEMLANE_TAKE_PAGEABLE)
    return memlane_device_host_free (device, thing->pointer, error);
  if (thing->kind == MEMLANE_TAKE_DEVICE || thing->kind == MEMLANE_TAKE_MANAGED)
    return memlane_device_free (device, thing->pointer, error);
  if (thing->kind == MEMLANE_TAKE_PEER)
    return memlane_device_peer_free (device, thing->pointer, error);
  if (thing->kind == MEMLANE_TAKE_STREAM || thing->kind == MEMLANE_TAKE_BLOCKING_STREAM)
    return memlane_device_stream_destroy (device, thing->pointer, error);
  if (thing->kind == MEMLANE_TAKE_EVENT)
    return memlane_device_event_destroy (device, thing->pointer, error);
  if (thing->kind == MEMLANE_TAKE_GRAPH)
    return memlane_device_graph_destroy (device, thing->pointer, error);
  return memlane_device_free_host (device, thing->pointer, error);
}

static gboolean
fill (MemlaneDevice *device, const MemlaneTake *what, gpointer thing, GError **error)
{
  gsize n = what->bytes / sizeof (float);
  g_autofree float *numbers = NULL;
  guint32 state = (guint32) what->content;

  if (what->content < 0 && what->kind == MEMLANE_TAKE_DEVICE)
    return memlane_device_memset_async (device, thing, -1 - what->content, what->bytes, NULL,
                                        error);
  if (what->content < 0)
    return memlane_device_host_fill (device, thing, -1 - what->content, what->bytes, error);
  numbers = g_try_new (float, n);
  if (numbers == NULL)
    return memlane_device_refuse (error, OUT_OF_MEMORY,
                                  "malloc (%" G_GSIZE_FORMAT " bytes): no memory", what->bytes);
  for (gsize i = 0; i < n; i++)
    {
      state = state * 1664525 + 1013904223; /* Numerical Recipes' */
      numbers[i] = (float) (state >> 8) / 16777216.0f;
    }
  return memlane_device_host_write (device, thing, numbers, n * sizeof *numbers, error);
}

gboolean
memlane_held_take_all (MemlaneHeld *self, const MemlaneTake *takes, GError **error)
{
  if (self->things == NULL)
    self->things = g_array_new (FALSE, FALSE, sizeof (Thing));
  for (const MemlaneTake *what = takes; what->place != NULL; what++)
    {
      Thing thing = { what->kind, NULL };

      if (!take (self->device, what, error))
        return FALSE;
      memcpy (&thing.pointer, what->place, sizeof thing.pointer);
      g_array_append_val (self->things, thing);
      if (what->content != 0 && !fill (self->device, what, thing.pointer, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
memlane_held_give (MemlaneHeld *self, void *pointer, GError **error)
{
  for (guint i = self->things != NULL ? self->things->len : 0; i-- > 0;)
    {
      const Thing thing = g_array_index (self->things, Thing, i);

      if (thing.pointer != pointer)
        continue;
      g_array_remove_index (self->things, i);
      return give_back (self->device, &thing, error);
    }
  return TRUE;
}

gboolean
memlane_held_give_all (MemlaneHeld *self, GError **error)
{
  gboolean given = TRUE;

  for (guint i = self->things != NULL ? self->things->len : 0; i-- > 0;)
    given = give_back (self->device, &g_array_index (self->things, Thing, i), given ? error : NULL)
            && given;
  g_clear_pointer (&self->things, g_array_unref);
  return given;
}
