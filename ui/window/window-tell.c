/* window-tell.c: what every part of the window asks of it: to tell the person, to set an action, to look again
 *
 * SPDX-License-Identifier: MIT
 */
#include "window-private.h"

void
memlane_window_tell (MemlaneWindow *self, const char *message, gboolean trouble)
{
  if (!self->closing)
    memlane_toasts_tell (self->toasts, message, trouble);
}

void
memlane_window_tell_exported (MemlaneWindow *self, const char *sentence, gboolean trouble, GFile *file)
{
  if (sentence != NULL && file != NULL && !self->closing)
    memlane_toasts_tell_saved (self->toasts, sentence, file);
  else if (sentence != NULL)
    memlane_window_tell (self, sentence, trouble);
}

void
memlane_window_set_state (MemlaneWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

void
memlane_window_enable (MemlaneWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
memlane_window_update (MemlaneWindow *self)
{
  g_signal_emit_by_name (self, "update");
}
