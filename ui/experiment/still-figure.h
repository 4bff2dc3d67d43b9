/* still-figure.h: a drawing on a page or on the wall that answers neither pointer nor keys
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "parts/figure-widget.h"

#define MEMLANE_TYPE_STILL_FIGURE (memlane_still_figure_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneStillFigure, memlane_still_figure, MEMLANE, STILL_FIGURE, MemlaneFigureWidget)

/* @drawing: (transfer full) (nullable). Returns NULL without one. */
GtkWidget *memlane_still_figure_new (MemlaneDrawing *drawing);
