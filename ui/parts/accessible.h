/* accessible.h: what assistive technology says of a widget that shows no text of its own
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

/* The name that is read out. That of a GtkMenuButton or GtkColumnView goes to what is inside and has the focus, too. */
void memlane_accessible_set_name (GtkWidget *widget, const char *name);
/* Sets the text that is read out after the name; NULL removes it. */
void memlane_accessible_set_description (GtkWidget *widget, const char *description);
/* Name and tooltip of a button that shows only an icon. */
void memlane_accessible_name_icon (GtkWidget *widget, const char *name);
