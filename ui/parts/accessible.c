/* accessible.c: what assistive technology says of a widget that shows no text of its own
 *
 * SPDX-License-Identifier: MIT
 */
#include "accessible.h"

static gboolean
has_focus_inside (GtkWidget *widget, GtkWidget *child)
{
  return GTK_IS_MENU_BUTTON (widget) || (GTK_IS_COLUMN_VIEW (widget) && GTK_IS_LIST_VIEW (child));
}

void
memlane_accessible_set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    if (has_focus_inside (widget, child))
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
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
