/* figure-view.c: what the views of a chart and of a timeline share: style, focus ring, wheel, context menu
 *
 * SPDX-License-Identifier: MIT
 */
#include "figure-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define FOCUS_WIDTH 2
#define SURFACE_NOTCH 40 /* px of a touchpad that are one notch */

const MemlaneStyle *
memlane_figure_choose_style (GtkWidget *widget, gboolean projector)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));
  gboolean dark = adw_style_manager_get_dark (manager);

  if (projector)
    return memlane_style_get (dark ? MEMLANE_STYLE_PROJECTOR_DARK : MEMLANE_STYLE_PROJECTOR);
  if (adw_style_manager_get_high_contrast (manager))
    return memlane_style_get (dark ? MEMLANE_STYLE_HIGH_CONTRAST_DARK : MEMLANE_STYLE_HIGH_CONTRAST);
  return memlane_style_get (dark ? MEMLANE_STYLE_DARK : MEMLANE_STYLE_SCREEN);
}

void
memlane_figure_follow_style (GtkWidget *widget, GCallback restyle)
{
  AdwStyleManager *manager = adw_style_manager_get_for_display (gtk_widget_get_display (widget));

  g_signal_connect_object (manager, "notify::dark", restyle, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (manager, "notify::high-contrast", restyle, widget, G_CONNECT_SWAPPED);
}

void
memlane_figure_set_up (GtkWidget *widget)
{
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
}

void
memlane_figure_measure (GtkOrientation orientation, int *minimum, int *natural)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 360;
}

void
memlane_figure_snapshot_focus (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GdkRGBA color = { 0.2f, 0.5f, 0.9f, 1 };
  float width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color", &color);
  gtk_snapshot_append_border (snapshot, &GSK_ROUNDED_RECT_INIT (0, 0, width, height),
                              (float[]) { FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH, FOCUS_WIDTH },
                              (GdkRGBA[]) { color, color, color, color });
}

double
memlane_figure_count_notches (GtkEventController *scroll, double delta)
{
  return gtk_event_controller_scroll_get_unit (GTK_EVENT_CONTROLLER_SCROLL (scroll)) == GDK_SCROLL_UNIT_SURFACE ? delta / SURFACE_NOTCH
                                                                                                                : delta;
}

/* --- menu --------------------------------------------------------------------------------------------------- */

void
memlane_figure_menu_add (GMenu *section, const char *label, const char *action)
{
  g_autoptr(GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-missing");
  g_menu_append_item (section, item);
}

void
memlane_figure_menu_add_files (GMenu *menu)
{
  g_autoptr(GMenu) section = g_menu_new ();

  memlane_figure_menu_add (section, _("_Copy Figure"), "win.copy-figure");
  memlane_figure_menu_add (section, _("E_xport Figure…"), "win.export-figure");
  memlane_figure_menu_add (section, _("_Print…"), "win.print");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

void
memlane_figure_menu_pop_up (GtkWidget *widget, GtkWidget **menu, GMenuModel *(*make_model) (void), double x, double y)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (*menu == NULL)
    {
      g_autoptr(GMenuModel) model = make_model ();

      *menu = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (*menu), FALSE);
      gtk_widget_set_halign (*menu, GTK_ALIGN_START);
      gtk_widget_set_parent (*menu, widget);
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (*menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (*menu));
}

static void
ask (GtkGesture *gesture, double x, double y, MemlaneFigurePopUp pop_up)
{
  if (pop_up (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture)), x, y))
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
secondary_cb (GtkGesture *gesture, int n_press, double x, double y, gpointer pop_up)
{
  ask (gesture, x, y, (MemlaneFigurePopUp) pop_up);
}

static void
long_press_cb (GtkGesture *gesture, double x, double y, gpointer pop_up)
{
  ask (gesture, x, y, (MemlaneFigurePopUp) pop_up);
}

void
memlane_figure_menu_add_gestures (GtkWidget *widget, MemlaneFigurePopUp pop_up)
{
  GtkGesture *click = gtk_gesture_click_new (), *hold = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE);
  g_signal_connect (click, "pressed", G_CALLBACK (secondary_cb), (gpointer) pop_up);
  g_signal_connect (hold, "pressed", G_CALLBACK (long_press_cb), (gpointer) pop_up);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (hold));
}

void
memlane_figure_menu_bind_keys (GtkWidgetClass *widget_class, GtkShortcutFunc function)
{
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, function, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, function, NULL);
}
