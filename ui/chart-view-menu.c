/* chart-view-menu.c: the context menu of a chart view
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib/gi18n-lib.h>

#include "chart-view-private.h"

/* What the place where the view stands does not offer (a window without "win.print") is left out. */
static void
add (GMenu *section, const char *label, const char *action)
{
  g_autoptr(GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-missing");
  g_menu_append_item (section, item);
}

static GMenuModel *
make_model (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr(GMenu) view = g_menu_new ();
  g_autoptr(GMenu) figure = g_menu_new ();

  add (view, _("Show _Everything"), "chart.fit");
  add (view, _("Zoom _In"), "chart.zoom-in");
  add (view, _("Zoom _Out"), "chart.zoom-out");
  add (view, _("Stop _Isolating"), "chart.stop-isolating");
  add (figure, _("_Copy Figure"), "win.copy-figure");
  add (figure, _("E_xport Figure…"), "win.export-figure");
  add (figure, _("_Print…"), "win.print");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (figure));
  return G_MENU_MODEL (menu);
}

static void
pop_up (MemlaneChartView *self, int x, int y)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->menu == NULL)
    {
      g_autoptr(GMenuModel) model = make_model ();

      self->menu = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { x, y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
secondary_cb (MemlaneChartView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  if (self->projector)
    return; /* a slip of the hand is not for the wall */
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  pop_up (self, (int) x, (int) y);
}

static void
long_press_cb (MemlaneChartView *self, double x, double y, GtkGesture *gesture)
{
  secondary_cb (self, 1, x, y, gesture);
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  const MemlaneRectangle *area;

  if (plot == NULL || self->projector)
    return FALSE;
  area = memlane_plot_get_area (plot);
  pop_up (self, (int) (area->x + area->width / 2), (int) (area->y + area->height / 2));
  return TRUE;
}

void
memlane_chart_view_add_menu (MemlaneChartView *self)
{
  GtkGesture *click = gtk_gesture_click_new (), *hold = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (hold), TRUE);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (secondary_cb), self);
  g_signal_connect_swapped (hold, "pressed", G_CALLBACK (long_press_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (hold));
}

void
memlane_chart_view_bind_menu_keys (GtkWidgetClass *widget_class)
{
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
}
