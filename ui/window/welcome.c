/* welcome.c: the banner of the first start: what the device is and what Run does
 *
 * SPDX-License-Identifier: MIT
 */
#include "welcome.h"

#include <glib/gi18n-lib.h>

#include "parts/settings.h"

#define LOW 480 /* px of the window */
#define LOWEST 320

struct _MemlaneWelcome
{
  AdwBin parent_instance;

  GtkInfoBar *banner;
  GtkLabel *banner_title, *banner_text;
  gboolean shown;
};

G_DEFINE_FINAL_TYPE (MemlaneWelcome, memlane_welcome, ADW_TYPE_BIN)

void
memlane_welcome_show (MemlaneWelcome *self, MemlaneSession *session)
{
  MemlaneDeviceItem *device = memlane_session_get_device_item (session);
  g_autofree char *text = NULL;

  if (device == NULL || self->shown || !memlane_settings_get_boolean ("welcome", TRUE))
    return;
  if (memlane_session_lacks_gpu (session))
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
  self->shown = TRUE;
}

static void
banner_response_cb (MemlaneWelcome *self)
{
  gtk_info_bar_set_revealed (self->banner, FALSE);
  if (self->shown)
    memlane_settings_set_boolean ("welcome", FALSE);
  self->shown = FALSE;
}

void
memlane_welcome_adapt (MemlaneWelcome *self, int height)
{
  gboolean low = height < LOW;

  gtk_widget_set_visible (GTK_WIDGET (self->banner_text), height >= LOWEST); /* the title has it as its tooltip */
  if (low == (gtk_label_get_ellipsize (self->banner_text) == PANGO_ELLIPSIZE_END))
    return;
  gtk_label_set_lines (self->banner_text, low ? 2 : -1);
  gtk_label_set_ellipsize (self->banner_text, low ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_lines (self->banner_title, low ? 1 : -1);
  gtk_label_set_ellipsize (self->banner_title, low ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
}

static void
memlane_welcome_class_init (MemlaneWelcomeClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, MemlaneWelcome, banner);
  gtk_widget_class_bind_template_child (widget_class, MemlaneWelcome, banner_title);
  gtk_widget_class_bind_template_child (widget_class, MemlaneWelcome, banner_text);
  gtk_widget_class_bind_template_callback (widget_class, banner_response_cb);
}

static void
memlane_welcome_init (MemlaneWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
