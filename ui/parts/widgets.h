/* widgets.h: widgets made in one expression
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* A box with these children; the last one is followed by NULL. (transfer floating) */
GtkWidget *memlane_box_new (GtkOrientation orientation, int spacing, ...) G_GNUC_NULL_TERMINATED;
/* A text that begins at the left and is wrapped. @classes: of its style, with blanks between them, or NULL. (transfer floating) */
GtkWidget *memlane_text_new (const char *text, const char *classes);
/* Adds @classes, with blanks between them. Returns @widget. */
GtkWidget *memlane_widget_style (GtkWidget *widget, const char *classes);
/* Adds @css_class if it is @wanted, else removes it. */
void memlane_widget_set_class (GtkWidget *widget, const char *css_class, gboolean wanted);
/* Margins in px: before and after, above and below. Returns @widget. */
GtkWidget *memlane_widget_space (GtkWidget *widget, int beside, int above);
