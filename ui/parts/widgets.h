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
/* A cell of a table, one line of @width characters, which is cut off below @least of them. @numeric: it ends at the right and is read from
 * the left. (transfer floating) */
GtkWidget *memlane_inscription_new (guint width, guint least, gboolean numeric);
/* Adds @classes, with blanks between them. Returns @widget. */
GtkWidget *memlane_widget_style (GtkWidget *widget, const char *classes);
/* Adds @css_class if it is @wanted, else removes it. */
void memlane_widget_set_class (GtkWidget *widget, const char *css_class, gboolean wanted);
/* Margins in px: before and after, above and below. Returns @widget. */
GtkWidget *memlane_widget_space (GtkWidget *widget, int beside, int above);
