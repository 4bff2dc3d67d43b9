/* figure-view.h: what the views of a chart and of a timeline share: style, focus ring, wheel, context menu
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "chart/style.h"

G_BEGIN_DECLS

#define MEMLANE_FIGURE_NOTCH 1.25    /* so much nearer by one notch of a wheel */
#define MEMLANE_FIGURE_KEY_STEP 1.5  /* and by one key */
#define MEMLANE_FIGURE_DRAG_STARTS 6 /* px: below it is a click with an unsteady hand */
/* A figure is laid out for at least this much, and what does not fit is cut off: no axis can be read below. */
#define MEMLANE_FIGURE_LEAST_WIDTH 160
#define MEMLANE_FIGURE_LEAST_HEIGHT 120

/* Dark and high contrast by AdwStyleManager. */
const MemlaneStyle *memlane_figure_choose_style (GtkWidget *widget, gboolean projector);
/* Calls @restyle (@widget) when what the former goes by has changed, as long as @widget lives. */
void memlane_figure_follow_style (GtkWidget *widget, GCallback restyle);

/* Focusable, as large as it may be, what does not fit is cut off. */
void memlane_figure_set_up (GtkWidget *widget);
/* Less than a figure needs, so that a window of 320x240 keeps its bars. */
void memlane_figure_measure (GtkOrientation orientation, int *minimum, int *natural);
/* GTK's own ring would need a style for a widget that no theme knows. */
void memlane_figure_snapshot_focus (GtkWidget *widget, GtkSnapshot *snapshot);

/* Notches of a wheel in @delta of a scroll event, whatever its unit. */
double memlane_figure_count_notches (GtkEventController *scroll, double delta);

/* What the place where the view stands does not offer (a window without "win.print") is left out. */
void memlane_figure_menu_add (GMenu *section, const char *label, const char *action);
/* The window's actions on the figure: copy, export, print. */
void memlane_figure_menu_add_files (GMenu *menu);
/* @menu: the widget's own, (nullable), made of @make_model when it is NULL. At (@x, @y) px of @widget. */
void memlane_figure_menu_pop_up (GtkWidget *widget, GtkWidget **menu, GMenuModel *(*make_model) (void), double x, double y);
/* Calls @pop_up (@widget, @x, @y) for a click of the second button and a long touch. FALSE: the event is left to others. */
typedef gboolean (*MemlaneFigurePopUp) (GtkWidget *widget, double x, double y);
void memlane_figure_menu_add_gestures (GtkWidget *widget, MemlaneFigurePopUp pop_up);
/* Menu and Shift+F10. */
void memlane_figure_menu_bind_keys (GtkWidgetClass *widget_class, GtkShortcutFunc function);

G_END_DECLS
