/* actions.c: the actions of a window or a page as a table
 *
 * SPDX-License-Identifier: MIT
 */
#include "actions.h"

void
memlane_actions_add (gpointer map, const MemlaneAction *actions)
{
  for (; actions->name != NULL; actions++)
    {
      const GActionEntry entry = { actions->name,  NULL, actions->parameter,
                                   actions->state, NULL, { 0 } };
      const char *signal = actions->state != NULL ? "change-state" : "activate";

      g_action_map_add_action_entries (map, &entry, 1, NULL);
      g_signal_connect_data (g_action_map_lookup_action (map, actions->name), signal,
                             actions->callback, actions->object, NULL, G_CONNECT_SWAPPED);
    }
}

void
memlane_action_enable (gpointer map, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), enabled);
}

void
memlane_action_set_state (gpointer map, const char *name, GVariant *state)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), state);
}

gboolean
memlane_action_get_flag (gpointer map, const char *name)
{
  g_autoptr (GVariant) state = g_action_get_state (g_action_map_lookup_action (map, name));

  return g_variant_get_boolean (state);
}
