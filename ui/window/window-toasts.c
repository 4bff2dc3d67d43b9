/* window-toasts.c: what the window tells the person: toasts, undo, the banner of the first start
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "parts/file-dialog.h"
#include "model/sentence.h"
#include "parts/settings.h"
#include "window-private.h"

/* A toast that shows all of a sentence: a title would be cut at one line, and a reason stands at the end. */
static AdwToast *
toast_new (MemlaneWindow *self, const char *sentence)
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
  g_signal_connect_object (label, "map", G_CALLBACK (memlane_window_place_toasts_soon), self, G_CONNECT_SWAPPED);
  adw_toast_set_custom_title (toast, label);
  /* As long as one reads: about 15 characters a second. */
  adw_toast_set_timeout (toast, 4 + g_utf8_strlen (sentence, -1) / 15);
  return toast;
}

static void
add_toast (MemlaneWindow *self, AdwToast *toast, const char *sentence)
{
  g_free (self->last_toast);
  self->last_toast = g_strdup (sentence);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

const char *
memlane_window_get_last_toast (MemlaneWindow *self)
{
  return self->last_toast != NULL ? self->last_toast : "";
}

void
memlane_window_tell (MemlaneWindow *self, const char *message, gboolean trouble)
{
  g_autofree char *sentence = memlane_sentence_new (message);
  AdwToast *toast = toast_new (self, sentence);

  if (trouble)
    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  add_toast (self, toast, sentence);
}

static void
folder_shown_cb (const char *trouble, gpointer data)
{
  g_autoptr (MemlaneWindow) self = data;

  if (trouble != NULL)
    memlane_window_tell (self, trouble, TRUE);
}

static void
show_folder_cb (AdwToast *toast, gpointer data)
{
  MemlaneWindow *self = data;

  memlane_file_dialog_show_folder (GTK_WINDOW (self), g_object_get_data (G_OBJECT (toast), "memlane-file"), folder_shown_cb,
                                   g_object_ref (self));
}

void
memlane_window_tell_saved (MemlaneWindow *self, const char *sentence, GFile *file)
{
  AdwToast *toast = toast_new (self, sentence);

  adw_toast_set_button_label (toast, _("Open Folder"));
  g_object_set_data_full (G_OBJECT (toast), "memlane-file", g_object_ref (file), g_object_unref);
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (show_folder_cb), self, 0);
  add_toast (self, toast, sentence);
}

/* --- undo --------------------------------------------------------------------------------------------------- */

static void
undo_gone_cb (AdwToast *toast, gpointer data)
{
  MemlaneWindow *self = data;

  if (toast != self->undo_toast)
    return;
  self->undo_toast = NULL;
  memlane_run_store_forget_removed (memlane_session_get_store (self->session));
  memlane_window_update_actions (self);
}

void
memlane_window_tell_removed (MemlaneWindow *self, const char *name)
{
  g_autofree char *sentence = g_strdup_printf (_("Deleted %s"), name);
  AdwToast *toast = toast_new (self, sentence), *before = self->undo_toast;

  adw_toast_set_button_label (toast, _("_Undo"));
  adw_toast_set_action_name (toast, "win.undo-remove");
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_set_timeout (toast, 10);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (undo_gone_cb), self, 0);
  self->undo_toast = toast; /* first: what was deleted before stays until this one goes, too */
  if (before != NULL)
    adw_toast_dismiss (before);
  memlane_window_update_actions (self);
  add_toast (self, toast, sentence);
}

void
memlane_window_undo_remove (MemlaneWindow *self)
{
  AdwToast *toast = self->undo_toast;
  g_autoptr (GError) error = NULL;

  if (toast == NULL)
    return;
  self->undo_toast = NULL;
  adw_toast_dismiss (toast);
  if (!memlane_run_store_undo_remove (memlane_session_get_store (self->session), &error))
    memlane_window_tell (self, error->message, TRUE);
  memlane_window_update_actions (self);
}

/* --- first start -------------------------------------------------------------------------------------------- */

void
memlane_window_welcome (MemlaneWindow *self)
{
  MemlaneDeviceItem *device = memlane_session_get_device_item (self->session);
  g_autofree char *text = NULL;

  if (device == NULL || self->welcoming || !memlane_settings_get_boolean ("welcome", TRUE))
    return;
  if (memlane_session_lacks_gpu (self->session))
    {
      gtk_label_set_text (self->banner_title, _("No CUDA device can be used here"));
      text = g_strdup (_("Memlane therefore runs on the simulated H200, calibrated on a recorded real one, and marks all that comes "
                         "from it as SIMULATED. The curves shown now were recorded on a real H200; Run sweeps the chosen modes and sizes "
                         "on the simulated one and adds its curves."));
    }
  else
    {
      gtk_label_set_text (self->banner_title, _("Ready to measure"));
      text = g_strdup_printf (_("Run sweeps the chosen modes and sizes on %s, the device in the header bar, while the curves grow. Stop "
                                "ends the sweep within one sample and keeps what was measured."),
                              memlane_device_item_get_name (device));
    }
  gtk_label_set_text (self->banner_text, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner_text), text); /* what a low window cuts off */
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->banner_title), text);
  gtk_info_bar_set_message_type (self->banner, GTK_MESSAGE_INFO);
  gtk_info_bar_set_revealed (self->banner, TRUE);
  self->welcoming = TRUE;
}

void
memlane_window_end_welcome (MemlaneWindow *self)
{
  gtk_info_bar_set_revealed (self->banner, FALSE);
  if (self->welcoming)
    memlane_settings_set_boolean ("welcome", FALSE);
  self->welcoming = FALSE;
}
