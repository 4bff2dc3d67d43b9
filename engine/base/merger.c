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

  g_mutex_lock (&self->lock);
  g_clear_pointer (&self->source, g_source_unref);
  self->told = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
  self->tell (self->data); /* last: it may drop the owner of @self */
  return G_SOURCE_REMOVE;
}

void
memlane_merger_attach (MemlaneMerger *self, GObject *owner)
{
  g_clear_pointer (&self->context, g_main_context_unref);
  self->context = g_main_context_ref_thread_default ();
  self->owner = owner;
}

static void
unref_owner (gpointer merger)
{
  g_object_unref (((MemlaneMerger *) merger)->owner);
}

void
memlane_merger_poke (MemlaneMerger *self)
{
  gint64 rest;

  g_mutex_lock (&self->lock);
  rest = self->told + QUIET_US - g_get_monotonic_time ();
  if (self->source == NULL)
    {
      self->source = self->told == 0 || rest <= 0 ? g_idle_source_new () : g_timeout_source_new ((guint) ((rest + 999) / 1000));
      if (self->owner != NULL)
        {
          g_object_ref (self->owner);
          g_source_set_priority (self->source, G_PRIORITY_DEFAULT); /* no later than the end of the work that is told of */
        }
      g_source_set_callback (self->source, tell_cb, self, self->owner != NULL ? unref_owner : NULL);
      g_source_attach (self->source, self->context);
    }
  g_mutex_unlock (&self->lock);
}

void
memlane_merger_clear (MemlaneMerger *self)
{
  GSource *source;

  g_mutex_lock (&self->lock);
  source = g_steal_pointer (&self->source);
  g_mutex_unlock (&self->lock);
  if (source != NULL)
    {
      g_source_destroy (source);
      g_source_unref (source);
    }
  g_clear_pointer (&self->context, g_main_context_unref);
}
