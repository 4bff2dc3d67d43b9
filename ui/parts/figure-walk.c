/* figure-walk.c: the cells of a figure by keys
 *
 * SPDX-License-Identifier: MIT
 */
#include "figure-walk.h"

void
memlane_figure_walk_install (GtkWidgetClass *widget_class, const MemlaneFigureWalk *walks, guint n, GtkWidgetActionActivateFunc walk)
{
  for (guint i = 0; i < n; i++)
    {
      gtk_widget_class_install_action (widget_class, walks[i].action, NULL, walk);
      for (guint j = 0; j < G_N_ELEMENTS (walks[i].keys); j++)
        gtk_widget_class_add_binding_action (widget_class, walks[i].keys[j], 0, walks[i].action, NULL);
    }
}

const MemlaneFigureWalk *
memlane_figure_walk_find (const MemlaneFigureWalk *walks, guint n, const char *action)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (action, walks[i].action))
      return &walks[i];
  g_return_val_if_reached (walks);
}

guint
memlane_figure_walk_step (guint index, int by, guint n)
{
  return (guint) CLAMP ((int) index + by, 0, (int) n - 1);
}
