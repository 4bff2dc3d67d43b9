/* merger.h: many changes, one signal, at most ten a second
 *
 * SPDX-License-Identifier: MIT
 *
 * The first change after a quiet time is told as soon as the main loop is idle, the next ones 100 ms after the last telling. Main thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GSourceFunc tell; /* what it returns does not matter */
  gpointer data;
  guint source;
  gint64 told;      /* monotonic us */
} MemlaneMerger;

void memlane_merger_poke (MemlaneMerger *self);
void memlane_merger_clear (MemlaneMerger *self); /* what was not told is dropped */

G_END_DECLS
