/* figure-walk.h: the cells of a figure by keys: actions that go a cell further, or to the end
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#define MEMLANE_WALK_FAR 1000 /* cells: to the end */

typedef struct
{
  const char *action;
  guint keys[2];
  int by_column, by_row; /* cells */
} MemlaneFigureWalk;

/* Installs the actions and binds their keys; @walk carries them out. @walks stays. */
void memlane_figure_walk_install (GtkWidgetClass *widget_class, const MemlaneFigureWalk *walks, guint n, GtkWidgetActionActivateFunc walk);
/* Those of @action. */
const MemlaneFigureWalk *memlane_figure_walk_find (const MemlaneFigureWalk *walks, guint n, const char *action);
/* @by cells from @index, of @n, as far as there are any. */
guint memlane_figure_walk_step (guint index, int by, guint n);
