/* figure-fixture.h: keys, pointer and wheel of the figure in a Fixture, which is defined before: its member view is the widget
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "ui-test.h"

G_GNUC_UNUSED static void
act (Fixture *fixture, const char *action)
{
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), action, NULL);
}

G_GNUC_UNUSED static gboolean
press (Fixture *fixture, guint key, GdkModifierType modifiers)
{
  return ui_test_press (GTK_WIDGET (fixture->view), key, modifiers);
}

/* @button: of gestures, else 0. */
G_GNUC_UNUSED static GtkEventController *
find_controller (Fixture *fixture, GType type, guint button)
{
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (fixture->view));

  MEMLANE_FOR_EACH_ITEM (GtkEventController, controller, controllers)
    {
      if (button != 0 && GTK_IS_GESTURE_SINGLE (controller)
          && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) != button)
        continue;
      if (G_OBJECT_TYPE (controller) == type)
        return controller; /* the widget keeps it */
    }
  g_assert_not_reached ();
}

G_GNUC_UNUSED static void
move (Fixture *fixture, double x, double y)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION, 0), "motion", x, y);
}

G_GNUC_UNUSED static void
leave (Fixture *fixture)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_MOTION, 0), "leave");
}

G_GNUC_UNUSED static void
click (Fixture *fixture, int n_press, double x, double y)
{
  GtkEventController *controller = find_controller (fixture, GTK_TYPE_GESTURE_CLICK, GDK_BUTTON_PRIMARY);

  g_signal_emit_by_name (controller, "pressed", n_press, x, y);
  g_signal_emit_by_name (controller, "released", n_press, x, y);
}

G_GNUC_UNUSED static void
drag (Fixture *fixture, guint button, double x, double y, double dx, double dy)
{
  GtkEventController *controller = find_controller (fixture, GTK_TYPE_GESTURE_DRAG, button);

  g_signal_emit_by_name (controller, "drag-begin", x, y);
  g_signal_emit_by_name (controller, "drag-update", dx / 2, dy / 2);
  g_signal_emit_by_name (controller, "drag-update", dx, dy);
}

G_GNUC_UNUSED static void
drop (Fixture *fixture, guint button)
{
  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_GESTURE_DRAG, button), "drag-end", 0.0, 0.0);
}

/* Ticks of a wheel; GTK gives no test a modifier, so Ctrl and Shift are tried on the real display. */
G_GNUC_UNUSED static gboolean
wheel (Fixture *fixture, double dx, double dy)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (find_controller (fixture, GTK_TYPE_EVENT_CONTROLLER_SCROLL, 0), "scroll", dx, dy, &handled);
  return handled;
}

G_GNUC_UNUSED static void
count_cb (guint *count)
{
  (*count)++;
}
