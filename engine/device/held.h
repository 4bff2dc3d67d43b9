/* held.h: memory, streams, events and graphs that are taken on a device, and given back together
 *
 * SPDX-License-Identifier: MIT
 *
 * By the thread that owns the device. Things go back in the reverse order of taking.
 */
#pragma once

#include "device-calls.h"

typedef enum
{
  MEMLANE_TAKE_PAGEABLE,
  MEMLANE_TAKE_PINNED,
  MEMLANE_TAKE_MAPPED,
  MEMLANE_TAKE_WRITE_COMBINED,  /* and mapped */
  MEMLANE_TAKE_DEVICE,
  MEMLANE_TAKE_MANAGED,
  MEMLANE_TAKE_PEER,            /* of the second device */
  MEMLANE_TAKE_STREAM,          /* one that does not wait for the default stream */
  MEMLANE_TAKE_BLOCKING_STREAM, /* one that does */
  MEMLANE_TAKE_EVENT,
  MEMLANE_TAKE_GRAPH,
} MemlaneTakeKind;

/* as the content: @byte in each place, on the device in stream 0 */
#define MEMLANE_BYTES(byte) (-1 - (byte))

typedef struct
{
  MemlaneTakeKind kind;
  void *place;  /* of the pointer to it */
  gsize bytes;  /* of memory */
  /* of memory: MEMLANE_BYTES(); above 0 the seed of numbers, for the host's; 0: as it comes */
  int content;
  int priority; /* of a stream */
  const MemlaneCopies *copies; /* of a graph */
} MemlaneTake;

/* All zero but the device: nothing is held. */
typedef struct
{
  MemlaneDevice *device;
  GArray *things;
} MemlaneHeld;

/* Takes one thing after the other, each "{ kind, &pointer, bytes, content }". FALSE with @error:
 * what was taken until then is held. */
#define memlane_held_take(self, error, ...) \
  memlane_held_take_all ((self), (const MemlaneTake[]) { __VA_ARGS__, { .place = NULL } }, (error))
gboolean memlane_held_take_all (MemlaneHeld *self, const MemlaneTake *takes, GError **error);
/* Gives one thing back; nothing for one that is not held. */
gboolean memlane_held_give (MemlaneHeld *self, void *thing, GError **error);
/* Gives all back, whatever fails: the first error is the one to tell. */
gboolean memlane_held_give_all (MemlaneHeld *self, GError **error);
