/* toasts.h: what the window tells the person, and the deletions that can be undone
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "changed": can_undo() may answer otherwise.
 */
#pragma once

#include <adwaita.h>

#include "model/run-store.h"

#define MEMLANE_TYPE_TOASTS (memlane_toasts_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneToasts, memlane_toasts, MEMLANE, TOASTS, AdwBin)

/* It stands below the child of a GtkOverlay. Undo returns deleted runs to @store. Once, before
 * anything is told. */
void memlane_toasts_follow (MemlaneToasts *self, MemlaneRunStore *store);
/* Every message takes the place of the one before it. @message is made a sentence. @trouble: it is
 * an error, which stays longer. */
void memlane_toasts_tell (MemlaneToasts *self, const char *message, gboolean trouble);
/* An error in a person's words, with a button that shows @details, such as path, line and
 * column. */
void memlane_toasts_tell_details (MemlaneToasts *self, const char *sentence, const char *details);
/* Adds a button that shows the folder of @file. */
void memlane_toasts_tell_saved (MemlaneToasts *self, const char *sentence, GFile *file);
/* Adds a button @label that activates @action of the window. Takes a floating @target. */
void memlane_toasts_tell_action (MemlaneToasts *self, const char *sentence, const char *label,
                                 const char *action, GVariant *target);
/* Adds a button that activates "win.undo-remove". That action stays: what was deleted leaves the
 * disk when the window closes. */
void memlane_toasts_tell_removed (MemlaneToasts *self, const char *sentence);
gboolean memlane_toasts_can_undo (MemlaneToasts *self);
/* Brings back the run that was deleted last; the one before it is offered then. */
void memlane_toasts_undo (MemlaneToasts *self);
/* On the wall: @hint is shown for three seconds, and the newest message waits. NULL: what waited is
 * shown. */
void memlane_toasts_hold (MemlaneToasts *self, const char *hint);
