/* widgets.h: widgets made in one expression, and what GTK lacks for those that there are
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* A box with these children; the last one is followed by NULL. (transfer floating) */
GtkWidget *memlane_box_new (GtkOrientation orientation, int spacing, ...) G_GNUC_NULL_TERMINATED;
/* A text that begins at the left and is wrapped. @classes: of its style, with blanks between them,
 * or NULL. (transfer floating) */
GtkWidget *memlane_text_new (const char *text, const char *classes);
/* A cell of a table, one line of @width characters, which is cut off below @least of them.
 * @numeric: it ends at the right and is read from the left. (transfer floating) */
GtkWidget *memlane_inscription_new (guint width, guint least, gboolean numeric);
/* Adds @classes, with blanks between them. Returns @widget. */
GtkWidget *memlane_widget_style (GtkWidget *widget, const char *classes);
/* Adds @css_class if it is @wanted, else removes it. */
void memlane_widget_set_class (GtkWidget *widget, const char *css_class, gboolean wanted);
/* Margins in px: before and after, above and below. Returns @widget. */
GtkWidget *memlane_widget_space (GtkWidget *widget, int beside, int above);

/* An action of a class of widgets. */
typedef struct
{
  const char *name;      /* NULL: the end of a list */
  const char *parameter; /* its type; NULL: none */
  GtkWidgetActionActivateFunc activate;
} MemlaneWidgetAction;

/* For class_init: installs the actions of a list. */
void memlane_widget_class_add_actions (GtkWidgetClass *klass, const MemlaneWidgetAction *actions);

/* Sets the name that is read out. That of a GtkMenuButton or GtkColumnView goes to what is inside
 * and has the focus, too. */
void memlane_accessible_set_name (GtkWidget *widget, const char *name);
/* Sets the text that is read out after the name; NULL removes it. */
void memlane_accessible_set_description (GtkWidget *widget, const char *description);
/* Sets the name and the tooltip of a button that shows only an icon. */
void memlane_accessible_name_icon (GtkWidget *widget, const char *name);

/* Shows "…" in the button of @drop_down, whose list is of GtkStringObject, where there is no room.
 * Its list stays as it is. */
void memlane_drop_down_ellipsize (GtkDropDown *drop_down);
/* Takes the wheel from the spin buttons at and below @root: who scrolls a panel shall not change a
 * value that the pointer passes. */
void memlane_wheel_pass (GtkWidget *root);
