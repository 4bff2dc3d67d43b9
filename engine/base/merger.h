/* merger.h: many changes, one signal, at most ten a second
 *
 * SPDX-License-Identifier: MIT
 *
 * The first change after a quiet time is told as soon as the main loop is idle, the next ones 100 ms after the last telling. The owner
 * holds one, sets tell and data and leaves the rest zero.
 *
 * Without memlane_merger_attach() everything happens on the main thread. With it any thread may poke, and what is told is told in the
 * context of the thread that attached; whatever poker and teller share needs a lock of the owner's.
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct
{
  GSourceFunc tell; /* what it returns does not matter */
  gpointer data;

  GMutex lock;
  GMainContext *context; /* NULL: the default one */
  GObject *owner;        /* kept alive while a telling is under way; NULL: it clears the merger in time */
  GSource *source;       /* the telling that is under way */
  gint64 told;           /* monotonic us */
} MemlaneMerger;

/* From now on the caller's thread-default context is told, and any thread may poke. @owner is the object that holds the merger. */
void memlane_merger_attach (MemlaneMerger *self, GObject *owner);
/* Lets tell run soon; nothing where it will already. */
void memlane_merger_poke (MemlaneMerger *self);
/* What was not told is dropped. By the thread that is told, or the last one to know @self. */
void memlane_merger_clear (MemlaneMerger *self);

G_END_DECLS
