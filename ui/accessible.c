/* accessible.c: what assistive technology says of a widget that shows no text of its own
 *
 * SPDX-License-Identifier: MIT
 */
#include "accessible.h"

void
memlane_accessible_set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (GTK_IS_MENU_BUTTON (widget))
    {
      GtkWidget *inside = gtk_widget_get_first_child (widget);

      if (inside != NULL)
        gtk_accessible_update_property (GTK_ACCESSIBLE (inside), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    }
}

void
memlane_accessible_set_description (GtkWidget *widget, const char *description)
{
  if (description != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

void
memlane_accessible_name_icon (GtkWidget *widget, const char *name)
{
  gtk_widget_set_tooltip_text (widget, name);
  memlane_accessible_set_name (widget, name);
}
