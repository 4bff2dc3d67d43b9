/* pivot-view.h: the table of modes by sizes in the window: cells that the pointer reads and arrow
 * keys walk
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "chart/pivot/pivot.h"
#include "figure-widget.h"

#define MEMLANE_TYPE_PIVOT_VIEW (memlane_pivot_view_get_type ())
G_DECLARE_FINAL_TYPE (MemlanePivotView, memlane_pivot_view, MEMLANE, PIVOT_VIEW,
                      MemlaneFigureWidget)

/* Others read the pivot. */
struct _MemlanePivotView
{
  MemlaneFigureWidget parent_instance;

  MemlanePivot *pivot; /* (owned) (nullable) */
  char *mode;          /* chosen; NULL: none */
  double log2;
};

/* @pivot NULL: there is nothing. Takes a reference. The chosen cell stays by its mode and size. */
void memlane_pivot_view_set_pivot (MemlanePivotView *self, MemlanePivot *pivot);
gboolean memlane_pivot_view_has_cells (MemlanePivotView *self);
