/* still-figure.h: a drawing on a page or on the wall: still, or with a curve to draw
 *
 * SPDX-License-Identifier: MIT
 *
 * A still one answers neither pointer nor keys. A curve is drawn by dragging. Left and Right choose
 * a size, Home and End the first and the last one. Up and Down move its value, and but for the wall
 * Page Up and Page Down by a factor of two.
 * Reading: the size that the keys move: "2¹⁴ floats: 120 µs".
 */
#pragma once

#include "chart/scale.h"
#include "parts/figure-widget.h"

#define MEMLANE_TYPE_STILL_FIGURE (memlane_still_figure_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneStillFigure, memlane_still_figure, MEMLANE, STILL_FIGURE,
                      MemlaneFigureWidget)

/* The curve is to be @value at a size. The owner writes it, within its limits. */
typedef void (*MemlaneSketchMoved) (gpointer owner, guint log2_elements, double value);

/* @drawing: (transfer full) (nullable). Returns NULL without one. */
GtkWidget *memlane_still_figure_new (MemlaneDrawing *drawing);
/* @drawing: (transfer full) (nullable): instead of the one before; a plot, whose view has @values
 * among its sketches. @values: those of MEMLANE_SKETCH_SIZES, which outlive the figure. @moved
 * NULL: the curve can be read, and no longer drawn. */
void memlane_still_figure_let_draw (MemlaneStillFigure *self, MemlaneDrawing *drawing,
                                    const double *values, MemlaneUnit unit,
                                    MemlaneSketchMoved moved, gpointer owner);
/* Returns the place of a value. */
void memlane_still_figure_find (MemlaneStillFigure *self, guint log2_elements, double value,
                                double *x, double *y);
