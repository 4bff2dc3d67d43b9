/* actions.h: the actions of a window or a page as a table
 *
 * SPDX-License-Identifier: MIT
 *
 * Main thread only. A map is a GActionMap that contains GSimpleActions, as a window or a
 * GSimpleActionGroup.
 */
#pragma once

#include <gio/gio.h>

/* An action, and what it calls with @object first: a (gpointer object, GVariant *value,
 * GSimpleAction *). The value is the parameter; of an action with a state the state that is asked
 * for. */
typedef struct
{
  const char *name; /* NULL: the end of a list */
  gpointer object;  /* not owned: it lives as long as the map */
  GCallback callback;
  const char *parameter; /* its type; NULL: none */
  const char *state;     /* the first one, a GVariant as text; NULL: none */
} MemlaneAction;

/* Adds the actions of a list. */
void memlane_actions_add (gpointer map, const MemlaneAction *actions);
void memlane_action_enable (gpointer map, const char *name, gboolean enabled);
/* Takes a floating @state. */
void memlane_action_set_state (gpointer map, const char *name, GVariant *state);
/* Returns a boolean state. */
gboolean memlane_action_get_flag (gpointer map, const char *name);
