/* welcome.c: the line of the first start: what is seen, and what a run of one's own is
 *
 * SPDX-License-Identifier: MIT
 */
#include "welcome.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "parts/settings.h"
#include "parts/template.h"

struct _MemlaneWelcome
{
  AdwBin parent_instance;

  GtkRevealer *revealer;
  GtkLabel *text;
  GtkWidget *close_button;
};

G_DEFINE_FINAL_TYPE (MemlaneWelcome, memlane_welcome, ADW_TYPE_BIN)

/* Whether the recorded run is all that is drawn, so that a sentence on "these curves" is true. */
static gboolean
shows_recorded_alone (MemlaneRunStore *runs)
{
  g_autoptr (GPtrArray) shown = memlane_run_store_get_shown (runs);

  return shown->len == 1 && ((MemlaneRunItem *) shown->pdata[0])->kind == MEMLANE_RUN_RECORDED;
}

void
memlane_welcome_show (MemlaneWelcome *self, MemlaneDeviceChoice *devices, MemlaneRunStore *runs)
{
  MemlaneDeviceItem *device = memlane_device_choice_get_item (devices);
  g_autofree char *text = NULL;

  if (!shows_recorded_alone (runs))
    gtk_revealer_set_reveal_child (self->revealer, FALSE);
  if (device == NULL || gtk_revealer_get_reveal_child (self->revealer) || !memlane_settings_get_boolean ("welcome", TRUE)
      || !shows_recorded_alone (runs))
    return;
  if (device->simulated && !memlane_device_choice_lacks_gpu (devices))
    return; /* it is not known yet, or the person's own choice */
  if (device->simulated)
    text = g_strdup (_("These curves were measured on a real H200. Your own runs are simulated, because no NVIDIA GPU was found."));
  else
    text = g_strdup_printf (_("Run measures on %s while the curves grow. Stop keeps what was measured."),
                            device->name);
  gtk_label_set_text (self->text, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->text), text); /* what a narrow window cuts off */
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
}

static void
close_cb (MemlaneWelcome *self)
{
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
  memlane_settings_set_boolean ("welcome", FALSE);
}

static void
memlane_welcome_class_init (MemlaneWelcomeClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/welcome.ui");
  MEMLANE_BIND_CHILDREN (MemlaneWelcome, revealer, text, close_button);
  MEMLANE_BIND_CALLBACKS (close_cb);
}

static void
memlane_welcome_init (MemlaneWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_name (GTK_WIDGET (self), "welcome");
  memlane_accessible_name_icon (self->close_button, _("Do not show this again"));
}
