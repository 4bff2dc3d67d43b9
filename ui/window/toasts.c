/* toasts.c: what the window tells the person, and the deletions that can be undone
 *
 * SPDX-License-Identifier: MIT
 *
 * AdwToastOverlay cannot be used for toasts that come and go quickly. Up to libadwaita 1.2 one that
 * goes within half a second of its coming leaves a dangling pointer (mended by 1674ebc9 there), and
 * one that is displaced and asked for again within its fade aborts (6db9f4d6).
 */
#include "toasts.h"

#include <glib/gi18n-lib.h>

#include "base/owns.h"
#include "model/sentence.h"
#include "parts/file-dialog.h"
#include "parts/template.h"
#include "model/fields.h"
#include "parts/widgets.h"

#define SECONDS 4
#define HINT_SECONDS 3
#define CHARACTERS_A_SECOND 15 /* that a person reads; an error and its reason are long */

typedef struct
{
  gboolean trouble;
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
  Message *shown;         /* (nullable) */
  Message *waiting;       /* (nullable): the newest that came on the wall */
  /* (element-type utf8): the sentences on the runs that can be brought back, the last one last */
  GPtrArray *removed;
};

G_DEFINE_FINAL_TYPE (MemlaneToasts, memlane_toasts, ADW_TYPE_BIN)

/* --- what they say ---------------------------------------------------------------------------- */

MEMLANE_DEFINE_FREE (Message, static void message_free (gpointer data),
                     OWNS (sentence, g_free) OWNS (label, g_free)
                         OWNS (target, g_variant_unref))

static gboolean timer_cb (gpointer data);

/* A toast stays for four seconds, an error as long as reading takes, and each while the pointer is
 * on it. */
static void
start_timer (MemlaneToasts *self)
{
  guint seconds = self->held ? HINT_SECONDS : SECONDS;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->shown == NULL || gtk_event_controller_motion_contains_pointer (self->pointer))
    return;
  if (self->shown->trouble)
    seconds += (guint) g_utf8_strlen (self->shown->sentence, -1) / CHARACTERS_A_SECOND;
  self->timer = g_timeout_add (1000 * seconds, timer_cb, self);
}

/* A toast stands below the page, which makes room for it: it covers no axis, no legend and no
 * button. */
static void
place (MemlaneToasts *self)
{
  GtkWidget *overlay = gtk_widget_get_parent (GTK_WIDGET (self));
  int width = 0, height = 0;

  if (self->shown != NULL)
    {
      gtk_widget_measure (self->toast, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      gtk_widget_measure (self->toast, GTK_ORIENTATION_VERTICAL,
                          MIN (width, gtk_widget_get_width (overlay)), NULL, &height, NULL, NULL);
    }
  gtk_widget_set_margin_bottom (gtk_overlay_get_child (GTK_OVERLAY (overlay)), height);
}

/* Takes @message (nullable), which takes the place of the one that is shown. */
static void
show (MemlaneToasts *self, Message *message)
{
  g_clear_pointer (&self->shown, message_free);
  self->shown = message;
  if (message != NULL)
    {
      gtk_label_set_text (GTK_LABEL (self->label), message->sentence);
      gtk_widget_set_tooltip_text (self->label, message->sentence);
      gtk_button_set_label (GTK_BUTTON (self->button),
                            message->label != NULL ? message->label : "");
      gtk_widget_set_visible (self->button, message->label != NULL);
    }
  place (self);
  start_timer (self);
  /* A revealer that fades keeps its size, so it would take the clicks of what it lies over. */
  gtk_widget_set_can_target (GTK_WIDGET (self), message != NULL);
  gtk_revealer_set_reveal_child (self->revealer, message != NULL);
}

/* It was shown long enough, or is closed. */
static void
end (MemlaneToasts *self)
{
  show (self, NULL);
}

static gboolean
timer_cb (gpointer data)
{
  MemlaneToasts *self = data;

  self->timer = 0;
  end (self);
  return G_SOURCE_REMOVE;
}

/* @label (nullable): of a button that activates @action. Takes a floating @target (nullable). */
static Message *
message_new (MemlaneToasts *self, gboolean trouble, const char *sentence, const char *label,
             const char *action, GVariant *target)
{
  Message *message = g_new (Message, 1);

  *message = (Message) { trouble, g_strdup (sentence), g_strdup (label), g_intern_string (action),
                         target != NULL ? g_variant_ref_sink (target) : NULL };
  return message;
}

/* Takes @message. */
static void
tell (MemlaneToasts *self, Message *message)
{
  if (!self->held)
    {
      show (self, message);
      return;
    }
  g_clear_pointer (&self->waiting, message_free);
  self->waiting = message;
}

void
memlane_toasts_tell (MemlaneToasts *self, const char *message, gboolean trouble)
{
  g_autofree char *sentence = memlane_sentence_new (message);

  tell (self, message_new (self, trouble, sentence, NULL, NULL, NULL));
}

void
memlane_toasts_tell_details (MemlaneToasts *self, const char *sentence, const char *details)
{
  GVariant *target = g_variant_new_take_string (g_utf8_make_valid (details, -1));

  tell (self, message_new (self, TRUE, sentence, _("Details"), "toasts.show-details", target));
}

void
memlane_toasts_tell_saved (MemlaneToasts *self, const char *sentence, GFile *file)
{
  memlane_toasts_tell_action (self, sentence, _("Open Folder"), "toasts.show-folder",
                              g_variant_new_take_string (g_file_get_uri (file)));
}

void
memlane_toasts_tell_action (MemlaneToasts *self, const char *sentence, const char *label,
                            const char *action, GVariant *target)
{
  tell (self, message_new (self, FALSE, sentence, label, action, target));
}

void
memlane_toasts_hold (MemlaneToasts *self, const char *hint)
{
  if (self->held == (hint != NULL))
    return;
  self->held = hint != NULL;
  if (self->held)
    show (self, message_new (self, FALSE, hint, NULL, NULL, NULL));
  else
    show (self, g_steal_pointer (&self->waiting));
}

/* --- undo ------------------------------------------------------------------------------------- */

/* Offers to bring back the last run that can be. */
static void
offer_undo (MemlaneToasts *self)
{
  memlane_say_changed (self);
  if (self->removed->len == 0)
    end (self);
  else
    memlane_toasts_tell_action (self, g_ptr_array_index (self->removed, self->removed->len - 1),
                                _("_Undo"), "win.undo-remove", NULL);
}

void
memlane_toasts_tell_removed (MemlaneToasts *self, const char *sentence)
{
  g_ptr_array_add (self->removed, g_strdup (sentence));
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

/* --- the toast -------------------------------------------------------------------------------- */

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

  memlane_file_dialog_show_folder (GTK_WINDOW (gtk_widget_get_root (widget)), file, folder_shown_cb,
                                   g_object_ref (widget));
}

static void
show_details_action (GtkWidget *widget, const char *action, GVariant *details)
{
  memlane_toasts_tell (MEMLANE_TOASTS (widget), g_variant_get_string (details, NULL), TRUE);
}

static void
button_cb (MemlaneToasts *self)
{
  Message *message = g_steal_pointer (&self->shown); /* what it does may tell something itself */

  if (message == NULL) /* it fades */
    return;
  end (self);
  gtk_widget_activate_action_variant (self->toast, message->action, message->target);
  message_free (message);
}

/* --- life ------------------------------------------------------------------------------------- */

MEMLANE_DEFINE_RELEASE (MemlaneToasts, memlane_toasts, dispose,
                        g_clear_pointer (&self->shown, message_free);
                        g_clear_handle_id (&self->timer, g_source_remove);)

MEMLANE_DEFINE_RELEASE (MemlaneToasts, memlane_toasts, finalize, OWNS (store, g_object_unref)
                        OWNS (waiting, message_free) OWNS (removed, g_ptr_array_unref))

static void
memlane_toasts_class_init (MemlaneToastsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = dispose;
  G_OBJECT_CLASS (class)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/memlane/Memlane/toasts.ui");
  MEMLANE_BIND_CHILDREN (MemlaneToasts, revealer, toast, label, button, pointer);
  MEMLANE_BIND_CALLBACKS (start_timer, button_cb, end);
  memlane_widget_class_add_actions (widget_class, (const MemlaneWidgetAction[]) {
    { "toasts.show-folder", "s", show_folder_action },
    { "toasts.show-details", "s", show_details_action },
    { NULL },
  });
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
