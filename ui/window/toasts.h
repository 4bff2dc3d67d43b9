/* toasts.h: what the window tells the person, and the one deletion that can be undone
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "changed": can_undo() answers otherwise.
 */
#pragma once

#include <adwaita.h>

#include "model/run-store.h"

G_BEGIN_DECLS

#define MEMLANE_TYPE_TOASTS (memlane_toasts_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneToasts, memlane_toasts, MEMLANE, TOASTS, GObject)

/* px at the overlay's bottom that toasts leave free. */
typedef int (*MemlaneToastsRoom) (gpointer data);

/* Shows in @overlay, a child of the window; what is deleted comes back to @store. @get_room is asked when toasts are placed. Keeps weak
 * references; to be let go of before @data goes. */
MemlaneToasts *memlane_toasts_new (AdwToastOverlay *overlay, MemlaneRunStore *store, MemlaneToastsRoom get_room, gpointer data);
/* @message is made a sentence. @trouble: before those that wait. */
void memlane_toasts_tell (MemlaneToasts *self, const char *message, gboolean trouble);
/* With a button that shows the folder of @file. */
void memlane_toasts_tell_saved (MemlaneToasts *self, const char *sentence, GFile *file);
/* With a button that activates "win.undo-remove". Once the toast has gone, the run called @name is gone for good. */
void memlane_toasts_tell_removed (MemlaneToasts *self, const char *name);
gboolean memlane_toasts_can_undo (MemlaneToasts *self);
void memlane_toasts_undo (MemlaneToasts *self);
/* Before the next frame toasts move to where @get_room says. */
void memlane_toasts_place_soon (MemlaneToasts *self);
/* The sentence that was told last; "" before the first. (transfer none) */
const char *memlane_toasts_get_last (MemlaneToasts *self);

G_END_DECLS
