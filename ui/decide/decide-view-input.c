/* decide-view-input.c: cells of the map of decisions, and how the pointer and keys choose one
 *
 * SPDX-License-Identifier: MIT
 */
#include "decide-view-private.h"

#include <math.h>

#include "parts/figure-view.h"

/* --- cells ---------------------------------------------------------------------------------------------------------------------- */

static gboolean
is_same (MemlaneDecideCell a, MemlaneDecideCell b)
{
  return a.size == b.size && a.reuse == b.reuse;
}

/* The row nearest in a logarithm: 3 goes to 4. */
static guint
find_reuse (guint reuse)
{
  const guint64 square = (guint64) reuse * reuse;
  guint index = 0;

  while (index + 1 < MEMLANE_DECIDE_REUSES && square > (guint64) memlane_decide_reuse (index) * memlane_decide_reuse (index + 1))
    index++;
  return index;
}

MemlaneDecideCell
memlane_decide_view_find_cell (MemlaneDecideView *self, guint log2, guint reuse)
{
  const MemlaneDecision *decision = self->result != NULL ? self->result->decision : NULL;

  for (guint i = 0; decision != NULL && i < decision->n_sizes; i++)
    if (decision->sizes[i] == log2)
      return (MemlaneDecideCell) { i, find_reuse (reuse) };
  return MEMLANE_DECIDE_NO_CELL;
}

/* Where keys walk from: the size next to the chosen one, when that is not on the map. */
static MemlaneDecideCell
find_start (MemlaneDecideView *self)
{
  const MemlaneDecision *decision = self->result->decision;
  guint best = 0;

  for (guint i = 1; i < decision->n_sizes; i++)
    if (ABS ((int) decision->sizes[i] - (int) self->log2) < ABS ((int) decision->sizes[best] - (int) self->log2))
      best = i;
  return (MemlaneDecideCell) { best, find_reuse (self->reuse) };
}

/* --- pointer, keys -------------------------------------------------------------------------------------------------------------- */

static MemlaneDecideCell
hit (MemlaneDecideView *self, double x, double y)
{
  const MemlaneDecideMap *map = memlane_decide_view_ensure_map (self);
  MemlaneDecideCell cell;

  return map != NULL && memlane_decide_map_hit (map, x, y, &cell.size, &cell.reuse) ? cell : MEMLANE_DECIDE_NO_CELL;
}

static void
hover (MemlaneDecideView *self, MemlaneDecideCell cell)
{
  if (is_same (cell, self->hovered))
    return;
  self->hovered = cell;
  self->spoken = FALSE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), memlane_decide_is_cell (cell) ? "pointer" : NULL);
  memlane_decide_view_redraw_overlay (self);
  memlane_decide_view_update_reading (self);
}

static void
motion_cb (MemlaneDecideView *self, double x, double y)
{
  /* GTK says it again when the layout changed under a resting pointer: what keys have chosen is read on. */
  if (x == self->pointer_x && y == self->pointer_y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  hover (self, hit (self, x, y));
}

static void
leave_cb (MemlaneDecideView *self)
{
  self->pointer_x = self->pointer_y = NAN;
  hover (self, MEMLANE_DECIDE_NO_CELL);
}

static void
pressed_cb (MemlaneDecideView *self, int n_press, double x, double y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
released_cb (MemlaneDecideView *self, int n_press, double x, double y)
{
  MemlaneDecideCell cell = hit (self, x, y);

  self->spoken = FALSE;
  if (memlane_decide_is_cell (cell))
    memlane_decide_view_choose_cell (self, cell);
}

static guint
step (guint index, int by, guint n)
{
  return (guint) CLAMP ((int) index + by, 0, (int) n - 1);
}

static void
walk (MemlaneDecideView *self, int by_size, int by_reuse)
{
  guint n_sizes = self->result != NULL ? self->result->decision->n_sizes : 0;
  MemlaneDecideCell cell;

  if (n_sizes == 0)
    return;
  cell = memlane_decide_view_find_cell (self, self->log2, self->reuse);
  if (memlane_decide_is_cell (cell))
    {
      cell.size = step (cell.size, by_size, n_sizes);
      cell.reuse = step (cell.reuse, by_reuse, MEMLANE_DECIDE_REUSES);
    }
  else
    cell = find_start (self);
  self->hovered = MEMLANE_DECIDE_NO_CELL; /* a pointer that rests somewhere is not meant */
  self->spoken = TRUE;
  memlane_decide_view_choose_cell (self, cell);
}

#define FAR 1000 /* cells: to the end */

static const struct
{
  const char *action;
  guint keys[2];
  int by_size, by_reuse;
} walks[] = {
  { "map.previous-size", { GDK_KEY_KP_Left, GDK_KEY_Left }, -1, 0 },
  { "map.next-size", { GDK_KEY_KP_Right, GDK_KEY_Right }, 1, 0 },
  { "map.first-size", { GDK_KEY_KP_Home, GDK_KEY_Home }, -FAR, 0 },
  { "map.last-size", { GDK_KEY_KP_End, GDK_KEY_End }, FAR, 0 },
  { "map.more-reuse", { GDK_KEY_KP_Up, GDK_KEY_Up }, 0, 1 },
  { "map.less-reuse", { GDK_KEY_KP_Down, GDK_KEY_Down }, 0, -1 },
  { "map.most-reuse", { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up }, 0, FAR },
  { "map.least-reuse", { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down }, 0, -FAR },
};

static void
walk_action (GtkWidget *widget, const char *action, GVariant *parameter)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    if (g_str_equal (action, walks[i].action))
      walk (MEMLANE_DECIDE_VIEW (widget), walks[i].by_size, walks[i].by_reuse);
}

/* --- menu ----------------------------------------------------------------------------------------------------------------------- */

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new ();

  memlane_figure_menu_add_files (menu);
  return G_MENU_MODEL (menu);
}

static gboolean
pop_up (GtkWidget *widget, double x, double y)
{
  MemlaneDecideView *self = MEMLANE_DECIDE_VIEW (widget);

  if (self->projector)
    return FALSE; /* a slip of the hand is not for the wall */
  memlane_figure_menu_pop_up (widget, &self->menu, make_menu, x, y);
  return TRUE;
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  return pop_up (widget, gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget) / 2.0);
}

/* --- all of it ------------------------------------------------------------------------------------------------------------------ */

void
memlane_decide_view_install_input (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    {
      gtk_widget_class_install_action (widget_class, walks[i].action, NULL, walk_action);
      for (guint j = 0; j < G_N_ELEMENTS (walks[i].keys); j++)
        gtk_widget_class_add_binding_action (widget_class, walks[i].keys[j], 0, walks[i].action, NULL);
    }
  memlane_figure_menu_bind_keys (widget_class, menu_key_cb);
}

void
memlane_decide_view_add_input (MemlaneDecideView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  memlane_figure_menu_add_gestures (GTK_WIDGET (self), pop_up);
}
