/* view-switch.c: Bandwidth, Time and Table: three views of what was measured, in the bar of each of them
 *
 * SPDX-License-Identifier: MIT
 */
#include "view-switch.h"

#include <glib/gi18n-lib.h>

struct _MemlaneViewSwitch
{
  GtkBox parent_instance;
};

G_DEFINE_FINAL_TYPE (MemlaneViewSwitch, memlane_view_switch, GTK_TYPE_BOX)

static void
memlane_view_switch_class_init (MemlaneViewSwitchClass *klass)
{
}

static void
memlane_view_switch_init (MemlaneViewSwitch *self)
{
  static const struct
  {
    const char *name, *title;
  } views[] = { { "bandwidth", N_("_Bandwidth") }, { "time", N_("_Time") }, { "table", N_("T_able") } };

  gtk_widget_add_css_class (GTK_WIDGET (self), "linked");
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_mnemonic (_(views[i].title));

      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.page");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", views[i].name);
      gtk_box_append (GTK_BOX (self), button);
    }
}
