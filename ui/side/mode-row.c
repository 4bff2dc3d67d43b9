/* mode-row.c: one memory mode: ticked or not, how it is drawn, what it is
 *
 * SPDX-License-Identifier: MIT
 */
#include "mode-row.h"

#include <glib/gi18n-lib.h>

#include "parts/accessible.h"
#include "mode-info.h"
#include "parts/mode-swatch.h"
#include "model/sentence.h"
#include "model/fields.h"
#include "parts/template.h"

struct _MemlaneModeRow
{
  GtkBox parent_instance;
  MemlaneModeSet *modes;        /* weak: it outlives no widget, but may end first in tests */
  MemlanePlanModel *plan;       /* weak */
  MemlaneDeviceChoice *devices; /* weak, (nullable) */
  const MemlaneMode *mode;
  GtkWidget *check, *swatch, *title, *reason, *info_button;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (MemlaneModeRow, memlane_mode_row, GTK_TYPE_BOX)

/* A mode that cannot be measured here shows no tick even where it is among the chosen ones: it will be measured again on another device. */
static void
update (MemlaneModeRow *self)
{
  const char *objection = NULL;
  gboolean ticked;
  g_autofree char *sentence = NULL;

  if (self->modes == NULL || self->plan == NULL)
    return;
  if (self->devices != NULL)
    objection = memlane_device_choice_get_mode_objection (self->devices, memlane_plan_model_get_workload (self->plan), self->mode->id);
  ticked = objection == NULL && memlane_mode_set_has (self->modes, self->mode->id);
  if (objection != NULL)
    objection = sentence = memlane_sentence_new (g_dgettext (GETTEXT_PACKAGE, objection));
  self->updating = TRUE;
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->check), ticked);
  self->updating = FALSE;
  gtk_widget_set_sensitive (self->check, objection == NULL);
  gtk_widget_set_visible (self->reason, objection != NULL);
  gtk_label_set_label (GTK_LABEL (self->reason), objection != NULL ? objection : "");
  gtk_widget_set_tooltip_text (self->check, objection);
  memlane_accessible_set_description (self->check, objection);
}

static void
toggled_cb (MemlaneModeRow *self)
{
  gboolean ticked = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->check));

  if (!self->updating && self->modes != NULL)
    memlane_mode_set_put (self->modes, self->mode->id, ticked);
}

/* Twenty popovers would be made at every start for the one that is read. */
static void
create_info_cb (GtkMenuButton *button, gpointer user_data)
{
  MemlaneModeRow *self = user_data;

  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, memlane_mode_info_new (self->plan, self->mode));
}

GtkWidget *
memlane_mode_row_get_check (MemlaneModeRow *self)
{
  return self->check;
}

GtkWidget *
memlane_mode_row_get_info_button (MemlaneModeRow *self)
{
  return self->info_button;
}

GtkWidget *
memlane_mode_row_new (MemlaneModeSet *modes, MemlanePlanModel *plan, MemlaneDeviceChoice *devices, const MemlaneMode *mode)
{
  MemlaneModeRow *self = g_object_new (MEMLANE_TYPE_MODE_ROW, NULL);
  const char *title = g_dgettext (GETTEXT_PACKAGE, mode->title);
  g_autofree char *about = g_strdup_printf (_("About %s"), title);

  g_set_weak_pointer (&self->modes, modes);
  g_set_weak_pointer (&self->plan, plan);
  g_set_weak_pointer (&self->devices, devices);
  self->mode = mode;
  gtk_widget_set_name (GTK_WIDGET (self), mode->id);
  gtk_label_set_label (GTK_LABEL (self->title), title);
  memlane_mode_swatch_set_mode (MEMLANE_MODE_SWATCH (self->swatch), mode->id);
  memlane_accessible_set_name (self->check, title);
  memlane_accessible_name_icon (self->info_button, about);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->info_button), create_info_cb, self, NULL);
  g_signal_connect_object (modes, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  if (devices != NULL)
    {
      g_signal_connect_object (plan, "notify::workload", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (devices, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    }
  update (self);
  return GTK_WIDGET (self);
}

MEMLANE_DEFINE_RELEASE (MemlaneModeRow, memlane_mode_row, dispose, WATCHES (modes) WATCHES (plan) WATCHES (devices))

static void
memlane_mode_row_class_init (MemlaneModeRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (MEMLANE_TYPE_MODE_SWATCH);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/memlane/Memlane/mode-row.ui");
  MEMLANE_BIND_CHILDREN (MemlaneModeRow, check, swatch, title, reason, info_button);
  MEMLANE_BIND_CALLBACKS (toggled_cb);
}

static void
memlane_mode_row_init (MemlaneModeRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
