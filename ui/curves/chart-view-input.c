/* chart-view-input.c: pointer, keys and actions of a chart view
 *
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "chart-view-private.h"
#include "parts/figure-view.h"

/* --- actions ------------------------------------------------------------------------------------------------ */

void
memlane_chart_view_isolate (MemlaneChartView *self, const char *what)
{
  const MemlaneView wanted = { .isolated = what };

  if (!memlane_chart_view_has_isolated (self, &wanted))
    what = NULL;
  if (g_strcmp0 (what, self->view.isolated) == 0)
    return;
  g_free ((char *) self->view.isolated);
  self->view.isolated = g_strdup (what);
  memlane_chart_view_invalidate (self);
}

static void
reveal (MemlaneChartView *self, int direction)
{
  int n = memlane_chart_view_count_measured (self);
  int revealed = self->view.revealed < 0 ? n : MIN (self->view.revealed, n);

  revealed = CLAMP (revealed + direction, 0, n);
  self->view.revealed = revealed == n ? -1 : revealed; /* all: those that come later too */
  memlane_chart_view_invalidate (self);
}

static void
action_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (g_str_equal (name, "chart.fit"))
    memlane_chart_view_fit (self);
  else if (g_str_equal (name, "chart.zoom-in"))
    memlane_chart_view_zoom (self, 1 / MEMLANE_FIGURE_KEY_STEP);
  else if (g_str_equal (name, "chart.zoom-out"))
    memlane_chart_view_zoom (self, MEMLANE_FIGURE_KEY_STEP);
  else if (g_str_equal (name, "chart.previous-size"))
    memlane_chart_view_walk_size (self, -1, FALSE);
  else if (g_str_equal (name, "chart.next-size"))
    memlane_chart_view_walk_size (self, 1, FALSE);
  else if (g_str_equal (name, "chart.first-size"))
    memlane_chart_view_walk_size (self, -1, TRUE);
  else if (g_str_equal (name, "chart.last-size"))
    memlane_chart_view_walk_size (self, 1, TRUE);
  else if (g_str_equal (name, "chart.previous-curve"))
    memlane_chart_view_walk_curve (self, 1);
  else if (g_str_equal (name, "chart.next-curve"))
    memlane_chart_view_walk_curve (self, -1);
  else if (g_str_equal (name, "chart.activate-point"))
    memlane_chart_view_activate_point (self);
  else if (g_str_equal (name, "chart.reveal"))
    reveal (self, 1);
  else if (g_str_equal (name, "chart.conceal"))
    reveal (self, -1);
  else if (g_str_equal (name, "chart.stop-isolating"))
    memlane_chart_view_isolate (self, NULL);
  else if (g_str_equal (name, "chart.isolate"))
    {
      const char *id = g_variant_get_string (parameter, NULL);

      memlane_chart_view_isolate (self, id[0] == '\0' ? NULL : id);
    }
}

void
memlane_chart_view_update_actions (MemlaneChartView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int n = memlane_chart_view_count_measured (self), revealed = self->view.revealed < 0 ? n : self->view.revealed;

  gtk_widget_action_set_enabled (widget, "chart.fit", memlane_chart_view_is_zoomed (self));
  gtk_widget_action_set_enabled (widget, "chart.stop-isolating", self->view.isolated != NULL);
  gtk_widget_action_set_enabled (widget, "chart.activate-point", memlane_chart_view_get_point (self) != NULL);
  gtk_widget_action_set_enabled (widget, "chart.reveal", self->projector && revealed < n);
  gtk_widget_action_set_enabled (widget, "chart.conceal", self->projector && revealed > 0);
}

/* Takes back one thing after the other; with nothing left the key is the window's. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);

  if (self->pressed && self->banding)
    {
      self->banding = self->pressed = FALSE;
      memlane_chart_view_redraw_overlay (self);
    }
  else if (memlane_chart_view_is_zoomed (self))
    memlane_chart_view_fit (self);
  else if (self->view.isolated != NULL)
    memlane_chart_view_isolate (self, NULL);
  else if (self->pin.set)
    memlane_chart_view_clear_crosshair (self, TRUE);
  else
    return FALSE;
  return TRUE;
}

/* Left and Right walk, but for a teacher, to whom they reveal. */
static gboolean
side_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  MemlaneChartView *self = MEMLANE_CHART_VIEW (widget);
  int direction = g_variant_get_int32 (arguments);

  if (self->projector)
    gtk_widget_activate_action (widget, direction > 0 ? "chart.reveal" : "chart.conceal", NULL);
  else
    memlane_chart_view_walk_size (self, direction, FALSE);
  return TRUE;
}

void
memlane_chart_view_install_actions (GtkWidgetClass *widget_class)
{
  static const char *const names[] = {
    "chart.fit", "chart.zoom-in", "chart.zoom-out", "chart.previous-size", "chart.next-size", "chart.first-size", "chart.last-size",
    "chart.previous-curve", "chart.next-curve", "chart.activate-point", "chart.reveal", "chart.conceal",
    "chart.stop-isolating",
  };
  static const struct
  {
    guint key;
    GdkModifierType modifiers;
    const char *action;
  } keys[] = { /* of several for one action a menu shows the last */
    { GDK_KEY_Up, 0, "chart.previous-curve" },         { GDK_KEY_KP_Up, 0, "chart.previous-curve" },
    { GDK_KEY_Down, 0, "chart.next-curve" },           { GDK_KEY_KP_Down, 0, "chart.next-curve" },
    { GDK_KEY_Home, 0, "chart.first-size" },           { GDK_KEY_KP_Home, 0, "chart.first-size" },
    { GDK_KEY_End, 0, "chart.last-size" },             { GDK_KEY_KP_End, 0, "chart.last-size" },
    { GDK_KEY_Left, GDK_SHIFT_MASK, "chart.previous-size" },
    { GDK_KEY_Right, GDK_SHIFT_MASK, "chart.next-size" },
    { GDK_KEY_Return, 0, "chart.activate-point" },     { GDK_KEY_KP_Enter, 0, "chart.activate-point" },
    { GDK_KEY_KP_0, 0, "chart.fit" },                  { GDK_KEY_0, 0, "chart.fit" },
    { GDK_KEY_KP_Add, 0, "chart.zoom-in" },            { GDK_KEY_equal, 0, "chart.zoom-in" }, /* plus without Shift */
    { GDK_KEY_plus, 0, "chart.zoom-in" },
    { GDK_KEY_KP_Subtract, 0, "chart.zoom-out" },      { GDK_KEY_minus, 0, "chart.zoom-out" },
  };
  static const struct
  {
    guint key;
    int direction;
  } sides[] = { { GDK_KEY_Left, -1 }, { GDK_KEY_KP_Left, -1 }, { GDK_KEY_Right, 1 }, { GDK_KEY_KP_Right, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget_class, names[i], NULL, action_cb);
  gtk_widget_class_install_action (widget_class, "chart.isolate", "s", action_cb);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_widget_class_add_binding_action (widget_class, keys[i].key, keys[i].modifiers, keys[i].action, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    gtk_widget_class_add_binding (widget_class, sides[i].key, 0, side_cb, "i", sides[i].direction);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

/* --- pointer ------------------------------------------------------------------------------------------------- */

static void
point_at (MemlaneChartView *self, double x, double y, gboolean pin)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  MemlaneHit hit = { MEMLANE_HIT_NOTHING, G_MAXUINT, G_MAXUINT, G_MAXUINT };

  if (plot != NULL)
    hit = memlane_plot_hit (plot, x, y);
  self->spoken = FALSE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), hit.kind == MEMLANE_HIT_LEGEND ? "pointer" : NULL);
  if ((hit.kind == MEMLANE_HIT_AREA || hit.kind == MEMLANE_HIT_POINT) && hit.log2_elements != G_MAXUINT)
    memlane_chart_view_set_crosshair (self, hit.log2_elements, hit.kind == MEMLANE_HIT_POINT ? hit.series : G_MAXUINT, pin);
  else
    memlane_chart_view_restore_pin (self);
}

static void
motion_cb (MemlaneChartView *self, double x, double y)
{
  /* GTK says it again when the layout changed under a resting pointer: a crosshair that keys have moved stays. */
  if (x == self->pointer_x && y == self->pointer_y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  if (!self->banding)
    point_at (self, x, y, FALSE);
}

static void
leave_cb (MemlaneChartView *self)
{
  self->pointer_x = self->pointer_y = NAN;
  if (!self->banding)
    memlane_chart_view_restore_pin (self);
}

static void
pressed_cb (MemlaneChartView *self, int n_press, double x, double y)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  MemlaneHit hit;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (plot == NULL)
    return;
  hit = memlane_plot_hit (plot, x, y);
  if (n_press == 2 && hit.kind == MEMLANE_HIT_POINT)
    {
      memlane_chart_view_set_crosshair (self, hit.log2_elements, hit.series, TRUE);
      memlane_chart_view_activate_point (self);
    }
}

static void
released_cb (MemlaneChartView *self, int n_press, double x, double y)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  MemlaneHit hit;

  if (plot == NULL || self->banding || n_press != 1)
    return;
  hit = memlane_plot_hit (plot, x, y);
  if (hit.kind == MEMLANE_HIT_LEGEND)
    {
      const MemlaneSeries *series = self->chart->series->pdata[hit.series];
      g_autofree char *id = hit.family ? memlane_view_family (series->id) : memlane_view_mode (series->id);

      memlane_chart_view_isolate (self, g_strcmp0 (self->view.isolated, id) == 0 ? NULL : id);
    }
  else
    point_at (self, x, y, TRUE);
}

static gboolean
is_inside (const MemlaneRectangle *area, double x, double y)
{
  return x >= area->x && x <= area->x + area->width && y >= area->y && y <= area->y + area->height;
}

static void
drag_begin_cb (MemlaneChartView *self, double x, double y, GtkGesture *gesture)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);

  self->banding = FALSE;
  self->pressed = plot != NULL && self->chart->trouble == NULL && is_inside (memlane_plot_get_area (plot), x, y);
  self->band[0] = self->band[2] = x;
  self->band[1] = self->band[3] = y;
}

static void
drag_update_cb (MemlaneChartView *self, double dx, double dy, GtkGesture *gesture)
{
  MemlanePlot *plot = memlane_chart_view_ensure_plot (self);
  const MemlaneRectangle *area;

  if (!self->pressed || plot == NULL || (!self->banding && hypot (dx, dy) < MEMLANE_FIGURE_DRAG_STARTS))
    return;
  if (!self->banding)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED); /* no click any more */
  area = memlane_plot_get_area (plot);
  self->banding = TRUE;
  self->band[2] = CLAMP (self->band[0] + dx, area->x, area->x + area->width);
  self->band[3] = CLAMP (self->band[1] + dy, area->y, area->y + area->height);
  memlane_chart_view_redraw_overlay (self);
}

static void
drag_end_cb (MemlaneChartView *self)
{
  gboolean banding = self->pressed && self->banding;

  self->pressed = self->banding = FALSE;
  if (banding)
    memlane_chart_view_zoom_to_band (self);
}

static void
drag_cancel_cb (MemlaneChartView *self)
{
  if (self->banding)
    memlane_chart_view_redraw_overlay (self);
  self->pressed = self->banding = FALSE;
}

static gboolean
scroll_cb (MemlaneChartView *self, double dx, double dy, GtkEventController *controller)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);

  dx = memlane_figure_count_notches (controller, dx);
  dy = memlane_figure_count_notches (controller, dy);
  if (state & GDK_CONTROL_MASK)
    {
      double x = self->pointer_x, y = self->pointer_y;

      if (isnan (x))
        memlane_chart_view_zoom (self, pow (MEMLANE_FIGURE_NOTCH, dy));
      else
        memlane_chart_view_zoom_at (self, x, y, pow (MEMLANE_FIGURE_NOTCH, dy));
      return TRUE;
    }
  if (state & GDK_SHIFT_MASK && dx == 0)
    dx = dy;
  if (dx == 0 || !memlane_chart_view_is_zoomed (self))
    return FALSE;
  memlane_chart_view_pan (self, 0.1 * dx);
  return TRUE;
}

static void
pinch_begin_cb (MemlaneChartView *self)
{
  self->pinch = 1;
}

static void
pinch_cb (MemlaneChartView *self, double scale, GtkGesture *gesture)
{
  double x, y;

  if (!(scale > 0) || !(self->pinch > 0) || !gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  memlane_chart_view_zoom_at (self, x, y, self->pinch / scale);
  self->pinch = scale;
}

void
memlane_chart_view_add_controllers (MemlaneChartView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new (), *pinch = gtk_gesture_zoom_new ();

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (drag_cancel_cb), self);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
}
