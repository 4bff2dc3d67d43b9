/* toasts.c: what the window tells the person, and the deletions that can be undone
 *
 * SPDX-License-Identifier: MIT
 *
 * AdwToastOverlay cannot be used for toasts that come and go quickly. Up to libadwaita 1.2 one that goes within half a second of its coming
 * leaves a dangling pointer (mended by 1674ebc9 there), and one that is displaced and asked for again within its fade aborts (6db9f4d6).
 */
#include "toasts.h"

#include <glib/gi18n-lib.h>

#include "base/owns.h"
#include "model/sentence.h"
#include "parts/file-dialog.h"
#include "parts/template.h"
#include "model/fields.h"

#define UNDO_SECONDS 10
#define HINT_SECONDS 3
#define SECONDS 4

/* More urgent ones come first, and take the place of what is shown. */
typedef enum { NEWS, UNDO, TROUBLE, HINT } Urgency;

typedef struct
{
  Urgency urgency;
  char *sentence;
  char *label;     /* (nullable): of the button that activates @action */
  const char *action;
  GVariant *target;
} Message;

struct _MemlaneToasts
{
  AdwBin parent_instance;

  MemlaneRunStore *store; /* (owned) */
  GtkRevealer *revealer;  /* of the toast, the same for every message */
  GtkWidget *toast, *label, *button;
  GtkEventControllerMotion *pointer;

  guint timer;
  gboolean held;          /* on the wall */
  char *last;
  GQueue waiting;         /* (element-type Message): the most urgent first */
  Message *shown;         /* (nullable) */
  GPtrArray *removed;     /* (element-type utf8): the names of the runs that can be brought back, the last one last */
};

G_DEFINE_FINAL_TYPE (MemlaneToasts, memlane_toasts, ADW_TYPE_BIN)

/* --- what they say -------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (Message, static void message_free (gpointer data), OWNS (sentence, g_free) OWNS (label, g_free)
                     OWNS (target, g_variant_unref))

static gboolean timer_cb (gpointer data);

/* A toast stays for four seconds, an error as long as reading takes, and each while the pointer is on it. */
static void
start_timer (MemlaneToasts *self)
{
  guint seconds;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->shown == NULL || gtk_event_controller_motion_contains_pointer (self->pointer))
    return;
  if (self->shown->urgency == HINT)
    seconds = HINT_SECONDS;
  else if (self->shown->urgency == TROUBLE)
    seconds = SECONDS + (guint) g_utf8_strlen (self->shown->sentence, -1) / 15;
  else
    seconds = self->shown->urgency == UNDO ? UNDO_SECONDS : SECONDS;
  self->timer = g_timeout_add (1000 * seconds, timer_cb, self);
}

/* A toast lies over the page's bottom for a while, away from the controls; the hint stands below the page, or it would hide what is on the
 * wall. */
static void
place (MemlaneToasts *self)
{
  GtkWidget *overlay = gtk_widget_get_parent (GTK_WIDGET (self));
  int width = 0, height = 0;

  if (self->shown != NULL && self->shown->urgency == HINT)
    {
      gtk_widget_measure (self->toast, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      gtk_widget_measure (self->toast, GTK_ORIENTATION_VERTICAL, MIN (width, gtk_widget_get_width (overlay)), NULL, &height, NULL, NULL);
    }
  gtk_widget_set_margin_bottom (gtk_overlay_get_child (GTK_OVERLAY (overlay)), height);
}

static void
show (MemlaneToasts *self)
{
  const Message *message = self->shown;

  if (message != NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->label), message->sentence);
      gtk_widget_set_tooltip_text (self->label, message->sentence);
      gtk_button_set_label (GTK_BUTTON (self->button), message->label != NULL ? message->label : "");
      gtk_widget_set_visible (self->button, message->label != NULL);
    }
  place (self);
  start_timer (self);
  /* A revealer that fades keeps its size, so it would take the clicks of what it lies over. */
  gtk_widget_set_can_target (GTK_WIDGET (self), message != NULL);
  gtk_revealer_set_reveal_child (self->revealer, message != NULL);
}

static void
show_next (MemlaneToasts *self)
{
  if (self->shown != NULL)
    return;
  if (!self->held)
    self->shown = g_queue_pop_head (&self->waiting);
  show (self);
}

static void
forget_removed (MemlaneToasts *self)
{
  memlane_run_store_forget_removed (self->store);
  g_ptr_array_set_size (self->removed, 0);
  memlane_say_changed (self);
}

/* It was shown long enough, or is closed. */
static void
end (MemlaneToasts *self)
{
  Message *message = g_steal_pointer (&self->shown);

  if (message == NULL) /* closed while it fades */
    return;
  if (message->urgency == UNDO)
    forget_removed (self);
  message_free (message);
  show_next (self);
}

static gboolean
timer_cb (gpointer data)
{
  MemlaneToasts *self = data;

  self->timer = 0;
  end (self);
  return G_SOURCE_REMOVE;
}

/* Takes @message. It takes the place of older ones. One with Undo comes back, and so does an error that only news displaced. */
static void
put (MemlaneToasts *self, Message *message)
{
  GList *link;

  if (self->shown != NULL && !self->held && message->urgency >= self->shown->urgency)
    {
      if (self->shown->urgency == UNDO)
        g_queue_push_head (&self->waiting, g_steal_pointer (&self->shown)); /* nothing more urgent waits */
      else
        g_clear_pointer (&self->shown, message_free);
    }
  for (link = self->waiting.head; link != NULL;)
    {
      GList *next = link->next;

      if (((Message *) link->data)->urgency <= message->urgency && ((Message *) link->data)->urgency != UNDO)
        {
          message_free (link->data);
          g_queue_delete_link (&self->waiting, link);
        }
      link = next;
    }
  for (link = self->waiting.head; link != NULL && ((Message *) link->data)->urgency >= message->urgency;)
    link = link->next;
  g_queue_insert_before (&self->waiting, link, message);
}

/* @label (nullable): of a button that activates @action. Takes a floating @target (nullable). */
static Message *
message_new (MemlaneToasts *self, Urgency urgency, const char *sentence, const char *label, const char *action, GVariant *target)
{
  Message *message = g_new (Message, 1);

  *message = (Message) { urgency, g_strdup (sentence), g_strdup (label), g_intern_string (action),
                         target != NULL ? g_variant_ref_sink (target) : NULL };
  g_free (self->last);
  self->last = g_strdup (sentence);
  return message;
}

/* Takes @message. */
static void
tell (MemlaneToasts *self, Message *message)
{
  put (self, message);
  show_next (self);
}

void
memlane_toasts_tell (MemlaneToasts *self, const char *message, gboolean trouble)
{
  g_autofree char *sentence = memlane_sentence_new (message);

  tell (self, message_new (self, trouble ? TROUBLE : NEWS, sentence, NULL, NULL, NULL));
}

void
memlane_toasts_tell_saved (MemlaneToasts *self, const char *sentence, GFile *file)
{
  memlane_toasts_tell_action (self, sentence, _("Open Folder"), "toasts.show-folder", g_variant_new_take_string (g_file_get_uri (file)));
}

void
memlane_toasts_tell_action (MemlaneToasts *self, const char *sentence, const char *label, const char *action, GVariant *target)
{
  tell (self, message_new (self, NEWS, sentence, label, action, target));
}

void
memlane_toasts_hold (MemlaneToasts *self, const char *hint)
{
  if (self->held == (hint != NULL))
    return;
  self->held = hint != NULL;
  if (self->shown != NULL && self->shown->urgency == HINT)
    g_clear_pointer (&self->shown, message_free);
  else if (self->shown != NULL)
    g_queue_push_head (&self->waiting, g_steal_pointer (&self->shown));
  if (self->held)
    self->shown = message_new (self, HINT, hint, NULL, NULL, NULL);
  else
    self->shown = g_queue_pop_head (&self->waiting);
  show (self);
}

const char *
memlane_toasts_get_last (MemlaneToasts *self)
{
  return self->last != NULL ? self->last : "";
}

/* --- undo ----------------------------------------------------------------------------------------------------------------------- */

/* There is one such message at most: shown, or waiting. */
static void
drop_undo (MemlaneToasts *self)
{
  GList *link = self->waiting.head;

  if (self->shown != NULL && self->shown->urgency == UNDO)
    g_clear_pointer (&self->shown, message_free);
  while (link != NULL && ((Message *) link->data)->urgency != UNDO)
    link = link->next;
  if (link == NULL)
    return;
  message_free (link->data);
  g_queue_delete_link (&self->waiting, link);
}

/* Offers to bring back the last run that can be. */
static void
offer_undo (MemlaneToasts *self)
{
  g_autofree char *sentence = NULL;

  drop_undo (self);
  if (self->removed->len > 0)
    {
      sentence = g_strdup_printf (_("Deleted %s"), (const char *) g_ptr_array_index (self->removed, self->removed->len - 1));
      tell (self, message_new (self, UNDO, sentence, _("_Undo"), "win.undo-remove", NULL));
    }
  show_next (self);
  memlane_say_changed (self);
}

void
memlane_toasts_tell_removed (MemlaneToasts *self, const char *name)
{
  g_ptr_array_add (self->removed, g_strdup (name));
  offer_undo (self);
}

gboolean
memlane_toasts_can_undo (MemlaneToasts *self)
{
  return self->removed->len > 0;
}

void
memlane_toasts_undo (MemlaneToasts *self)
{
  if (self->removed->len == 0)
    return;
  memlane_run_store_undo_remove (self->store);
  g_ptr_array_set_size (self->removed, self->removed->len - 1);
  offer_undo (self);
}

/* --- the toast ------------------------------------------------------------------------------------------------------------------ */

static void
folder_shown_cb (const char *trouble, gpointer data)
{
  g_autoptr (MemlaneToasts) self = data;

  if (trouble != NULL)
    memlane_toasts_tell (self, trouble, TRUE);
}

static void
show_folder_action (GtkWidget *widget, const char *action, GVariant *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (uri, NULL));

  memlane_file_dialog_show_folder (GTK_WINDOW (gtk_widget_get_root (widget)), file, folder_shown_cb, g_object_ref (widget));
}

/* A run that is brought back takes its message along. */
static void
button_cb (MemlaneToasts *self)
{
  gboolean undo = self->shown != NULL && self->shown->urgency == UNDO;

  if (self->shown == NULL)
    return;
  gtk_widget_activate_action_variant (self->toast, self->shown->action, self->shown->target);
  if (!undo)
    end (self);
}

/* --- life ----------------------------------------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneToasts, memlane_toasts, dispose, g_clear_pointer (&self->shown, message_free);
                        g_clear_handle_id (&self->timer, g_source_remove);)

MEMLANE_DEFINE_RELEASE (MemlaneToasts, memlane_toasts, finalize, OWNS (store, g_object_unref) OWNS (last, g_free)
                        g_queue_clear_full (&self->waiting, message_free); OWNS (removed, g_ptr_array_unref))

static void
memlane_toasts_class_init (MemlaneToastsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/toasts.ui");
  MEMLANE_BIND_CHILDREN (MemlaneToasts, revealer, toast, label, button, pointer);
  MEMLANE_BIND_CALLBACKS (start_timer, button_cb, end);
  gtk_widget_class_install_action (widget_class, "toasts.show-folder", "s", show_folder_action);
  memlane_signal_add (class, "changed", 0);
}

static void
memlane_toasts_init (MemlaneToasts *self)
{
  self->removed = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
memlane_toasts_follow (MemlaneToasts *self, MemlaneRunStore *store)
{
  self->store = g_object_ref (store);
}
