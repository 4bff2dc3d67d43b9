/* merger.c: many changes, one signal, at most ten a second
 *
 * SPDX-License-Identifier: MIT
 */
#include "merger.h"

#define QUIET_US 100000

static gboolean
tell_cb (gpointer user_data)
{
  MemlaneMerger *self = user_data;

  self->source = 0;
  self->told = g_get_monotonic_time ();
  self->tell (self->data); /* last: it may drop the owner of @self */
  return G_SOURCE_REMOVE;
}

void
memlane_merger_poke (MemlaneMerger *self)
{
  gint64 rest = self->told + QUIET_US - g_get_monotonic_time ();

  if (self->source == 0)
    self->source = self->told == 0 || rest <= 0 ? g_idle_add (tell_cb, self) : g_timeout_add ((guint) ((rest + 999) / 1000), tell_cb, self);
}

void
memlane_merger_clear (MemlaneMerger *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
}
