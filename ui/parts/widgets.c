/* widgets.c: widgets made in one expression, and what GTK lacks for those that there are
 *
 * SPDX-License-Identifier: MIT
 */
#include "widgets.h"

#include "model/fields.h"

GtkWidget *
memlane_box_new (GtkOrientation orientation, int spacing, ...)
{
  GtkWidget *box = gtk_box_new (orientation, spacing), *child;
  va_list children;

  va_start (children, spacing);
  while ((child = va_arg (children, GtkWidget *)) != NULL)
    gtk_box_append (GTK_BOX (box), child);
  va_end (children);
  return box;
}

GtkWidget *
memlane_text_new (const char *text, const char *classes)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "wrap", TRUE,
                                   "wrap-mode", PANGO_WRAP_WORD_CHAR, NULL);

  return memlane_widget_style (label, classes);
}

GtkWidget *
memlane_inscription_new (guint width, guint least, gboolean numeric)
{
  GtkWidget *text = g_object_new (
      GTK_TYPE_INSCRIPTION, "min-chars", least, "nat-chars", width, "nat-lines", 1, "text-overflow",
      GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END, "xalign", numeric ? 1.0 : 0.0, "hexpand", TRUE, NULL);

  if (numeric)
    gtk_widget_set_direction (text, GTK_TEXT_DIR_LTR); /* numbers and units read so everywhere */
  return memlane_widget_style (text, numeric ? "numeric" : NULL);
}

GtkWidget *
memlane_widget_style (GtkWidget *widget, const char *classes)
{
  g_auto (GStrv) each = g_strsplit (classes != NULL ? classes : "", " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    gtk_widget_add_css_class (widget, each[i]);
  return widget;
}

void
memlane_widget_set_class (GtkWidget *widget, const char *css_class, gboolean wanted)
{
  (wanted ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (widget, css_class);
}

GtkWidget *
memlane_widget_space (GtkWidget *widget, int beside, int above)
{
  g_object_set (widget, "margin-start", beside, "margin-end", beside, "margin-top", above,
                "margin-bottom", above, NULL);
  return widget;
}

void
memlane_widget_class_add_actions (GtkWidgetClass *klass, const MemlaneWidgetAction *actions)
{
  for (; actions->name != NULL; actions++)
    gtk_widget_class_install_action (klass, actions->name, actions->parameter, actions->activate);
}

/* --- names and descriptions for assistive technology ------------------------------------------ */

static gboolean
has_focus_inside (GtkWidget *widget, GtkWidget *child)
{
  return GTK_IS_MENU_BUTTON (widget) || (GTK_IS_COLUMN_VIEW (widget) && GTK_IS_LIST_VIEW (child));
}

void
memlane_accessible_set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_focus_inside (widget, child))
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
}

void
memlane_accessible_set_description (GtkWidget *widget, const char *description)
{
  if (description != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    description, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

void
memlane_accessible_name_icon (GtkWidget *widget, const char *name)
{
  gtk_widget_set_tooltip_text (widget, name);
  memlane_accessible_set_name (widget, name);
}

/* --- drop-downs ------------------------------------------------------------------------------- */

static void
set_up_entry_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 4);
  gtk_list_item_set_child (item, label);
}

static void
bind_entry_cb (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *text = gtk_list_item_get_item (item);

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (text));
}

void
memlane_drop_down_ellipsize (GtkDropDown *drop_down)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_entry_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_entry_cb), NULL);
  gtk_drop_down_set_list_factory (drop_down, gtk_drop_down_get_factory (drop_down));
  gtk_drop_down_set_factory (drop_down, factory);
}

/* --- the wheel -------------------------------------------------------------------------------- */

static void
pass (GtkWidget *spin)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (spin);

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
      gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
}

void
memlane_wheel_pass (GtkWidget *root)
{
  if (GTK_IS_SPIN_BUTTON (root))
    pass (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    memlane_wheel_pass (child);
}
