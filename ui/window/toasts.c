/* toasts.c: what the window tells the person, and the one deletion that can be undone
 *
 * SPDX-License-Identifier: MIT
 */
#include "toasts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/sentence.h"
#include "parts/file-dialog.h"

struct _MemlaneToasts
{
  GObject parent_instance;

  AdwToastOverlay *overlay; /* weak (nullable) */
  MemlaneRunStore *store;   /* weak (nullable) */
  MemlaneToastsRoom get_room;
  gpointer data;            /* of get_room */
  guint place_idle;
  char *last;
  AdwToast *undo;           /* (nullable): the one whose run can still be brought back */
};

G_DEFINE_FINAL_TYPE (MemlaneToasts, memlane_toasts, G_TYPE_OBJECT)

static guint signal_changed;

/* --- where they stand --------------------------------------------------------------------------------------------------------- */

/* The margin is in force from the toast's next layout on; toasts that wait get it when they are shown. */
static gboolean
place_cb (gpointer data)
{
  MemlaneToasts *self = data;
  int room;
  GtkWidget *child;

  self->place_idle = 0;
  if (self->overlay == NULL)
    return G_SOURCE_REMOVE;
  room = self->get_room (self->data);
  for (child = gtk_widget_get_first_child (GTK_WIDGET (self->overlay)); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (strcmp (gtk_widget_get_css_name (child), "toast") == 0)
      gtk_widget_set_margin_bottom (child, room);
  return G_SOURCE_REMOVE;
}

void
memlane_toasts_place_soon (MemlaneToasts *self)
{
  if (self->place_idle == 0)
    self->place_idle = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, place_cb, self, NULL);
}

/* --- what they say -------------------------------------------------------------------------------------------------------------- */

/* A toast that shows all of a sentence: a title would be cut at one line, and a reason stands at the end. */
static AdwToast *
toast_new (MemlaneToasts *self, const char *sentence)
{
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *label = gtk_label_new (sentence);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_lines (GTK_LABEL (label), 6);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_widget_set_tooltip_text (label, sentence);
  gtk_widget_add_css_class (label, "heading");
  g_signal_connect_object (label, "map", G_CALLBACK (memlane_toasts_place_soon), self, G_CONNECT_SWAPPED);
  adw_toast_set_custom_title (toast, label);
  /* As long as one reads: about 15 characters a second. */
  adw_toast_set_timeout (toast, 4 + g_utf8_strlen (sentence, -1) / 15);
  return toast;
}

static void
show (MemlaneToasts *self, AdwToast *toast, const char *sentence)
{
  g_free (self->last);
  self->last = g_strdup (sentence);
  if (self->overlay != NULL)
    adw_toast_overlay_add_toast (self->overlay, toast);
  else
    g_object_unref (toast);
}

void
memlane_toasts_tell (MemlaneToasts *self, const char *message, gboolean trouble)
{
  g_autofree char *sentence = memlane_sentence_new (message);
  AdwToast *toast = toast_new (self, sentence);

  if (trouble)
    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  show (self, toast, sentence);
}

const char *
memlane_toasts_get_last (MemlaneToasts *self)
{
  return self->last != NULL ? self->last : "";
}

static void
folder_shown_cb (const char *trouble, gpointer data)
{
  g_autoptr (MemlaneToasts) self = data;

  if (trouble != NULL)
    memlane_toasts_tell (self, trouble, TRUE);
}

static void
show_folder_cb (AdwToast *toast, gpointer data)
{
  MemlaneToasts *self = data;
  GtkRoot *window = self->overlay != NULL ? gtk_widget_get_root (GTK_WIDGET (self->overlay)) : NULL;

  if (window != NULL)
    memlane_file_dialog_show_folder (GTK_WINDOW (window), g_object_get_data (G_OBJECT (toast), "memlane-file"), folder_shown_cb,
                                     g_object_ref (self));
}

void
memlane_toasts_tell_saved (MemlaneToasts *self, const char *sentence, GFile *file)
{
  AdwToast *toast = toast_new (self, sentence);

  adw_toast_set_button_label (toast, _("Open Folder"));
  g_object_set_data_full (G_OBJECT (toast), "memlane-file", g_object_ref (file), g_object_unref);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (show_folder_cb), self, 0);
  show (self, toast, sentence);
}

/* --- undo ----------------------------------------------------------------------------------------------------------------------- */

static void
set_undo (MemlaneToasts *self, AdwToast *toast)
{
  self->undo = toast;
  g_signal_emit (self, signal_changed, 0);
}

static void
undo_gone_cb (AdwToast *toast, gpointer data)
{
  MemlaneToasts *self = data;

  if (toast != self->undo)
    return;
  if (self->store != NULL)
    memlane_run_store_forget_removed (self->store);
  set_undo (self, NULL);
}

void
memlane_toasts_tell_removed (MemlaneToasts *self, const char *name)
{
  g_autofree char *sentence = g_strdup_printf (_("Deleted %s"), name);
  AdwToast *toast = toast_new (self, sentence), *before = self->undo;

  adw_toast_set_button_label (toast, _("_Undo"));
  adw_toast_set_action_name (toast, "win.undo-remove");
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_timeout (toast, 10);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (undo_gone_cb), self, 0);
  set_undo (self, toast); /* first: what was deleted before stays until this one goes, too */
  if (before != NULL)
    adw_toast_dismiss (before);
  show (self, toast, sentence);
}

gboolean
memlane_toasts_can_undo (MemlaneToasts *self)
{
  return self->undo != NULL;
}

void
memlane_toasts_undo (MemlaneToasts *self)
{
  AdwToast *toast = self->undo;
  g_autoptr (GError) error = NULL;

  if (toast == NULL || self->store == NULL)
    return;
  self->undo = NULL;
  adw_toast_dismiss (toast);
  if (!memlane_run_store_undo_remove (self->store, &error))
    memlane_toasts_tell (self, error->message, TRUE);
  set_undo (self, NULL);
}

/* --- life ----------------------------------------------------------------------------------------------------------------------- */

static void
memlane_toasts_dispose (GObject *object)
{
  MemlaneToasts *self = MEMLANE_TOASTS (object);

  g_clear_handle_id (&self->place_idle, g_source_remove);
  self->undo = NULL;
  g_clear_weak_pointer (&self->overlay);
  g_clear_weak_pointer (&self->store);
  G_OBJECT_CLASS (memlane_toasts_parent_class)->dispose (object);
}

static void
memlane_toasts_finalize (GObject *object)
{
  g_free (MEMLANE_TOASTS (object)->last);
  G_OBJECT_CLASS (memlane_toasts_parent_class)->finalize (object);
}

static void
memlane_toasts_class_init (MemlaneToastsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = memlane_toasts_dispose;
  G_OBJECT_CLASS (class)->finalize = memlane_toasts_finalize;
  signal_changed = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
memlane_toasts_init (MemlaneToasts *self)
{
}

MemlaneToasts *
memlane_toasts_new (AdwToastOverlay *overlay, MemlaneRunStore *store, MemlaneToastsRoom get_room, gpointer data)
{
  MemlaneToasts *self = g_object_new (MEMLANE_TYPE_TOASTS, NULL);

  g_set_weak_pointer (&self->overlay, overlay);
  g_set_weak_pointer (&self->store, store);
  self->get_room = get_room;
  self->data = data;
  return self;
}
