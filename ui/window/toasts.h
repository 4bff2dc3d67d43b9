/* toasts.h: what the window tells the person, and the deletions that can be undone
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "changed": can_undo() may answer otherwise.
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
MemlaneToasts *memlane_toasts_new (GtkOverlay *overlay, MemlaneRunStore *store, MemlaneToastsRoom get_room, gpointer data);
/* @message is made a sentence. @trouble: at once; what it takes the place of comes back after it. */
void memlane_toasts_tell (MemlaneToasts *self, const char *message, gboolean trouble);
/* With a button that shows the folder of @file. */
void memlane_toasts_tell_saved (MemlaneToasts *self, const char *sentence, GFile *file);
/* With a button that activates "win.undo-remove". Once this toast has gone, what was deleted is gone for good. */
void memlane_toasts_tell_removed (MemlaneToasts *self, const char *name);
gboolean memlane_toasts_can_undo (MemlaneToasts *self);
/* Brings back the run that was deleted last; the one before it is offered then. Where that fails it is told, and offered again. */
void memlane_toasts_undo (MemlaneToasts *self);
/* Before the next frame toasts move to where @get_room says. */
void memlane_toasts_place_soon (MemlaneToasts *self);
/* The sentence that was told last; "" before the first. (transfer none) */
const char *memlane_toasts_get_last (MemlaneToasts *self);

G_END_DECLS
