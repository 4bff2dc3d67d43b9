/* merger.h: many changes, one signal, at most ten a second
 *
 * SPDX-License-Identifier: MIT
 *
 * The first change after a quiet time is told as soon as the main loop is idle. The next ones are told 100 ms after the last telling. The
 * owner holds one, sets tell and data, leaves the rest zero, and clears it in time. All on the main thread.
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct
{
  GSourceFunc tell; /* what it returns does not matter */
  gpointer data;

  guint source; /* the telling that is under way; 0: none is */
  gint64 told;  /* monotonic us */
} MemlaneMerger;

/* Lets tell run soon; nothing where it will already. */
void memlane_merger_poke (MemlaneMerger *self);
/* What was not told is dropped. */
void memlane_merger_clear (MemlaneMerger *self);

G_END_DECLS
