/* wheel.c: the wheel scrolls, and changes no value on its way
 *
 * SPDX-License-Identifier: MIT
 */
#include "wheel.h"

static void
pass (GtkWidget *spin)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (spin);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

void
memlane_wheel_pass (GtkWidget *root)
{
  if (GTK_IS_SPIN_BUTTON (root))
    pass (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    memlane_wheel_pass (child);
}
