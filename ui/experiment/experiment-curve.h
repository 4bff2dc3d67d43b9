/* experiment-curve.h: a curve over size is predicted: dragged, or moved by keys; afterwards the measured one stands beside it
 *
 * SPDX-License-Identifier: MIT
 *
 * Reading: what is said of the size that the keys move: "2¹⁴ floats: 120 µs".
 * Left and Right choose a size, Home and End the first and the last. Up and Down move its time, Page Up and Page Down by a factor of two.
 */
#pragma once

#include "model/experiment-item.h"
#include "parts/figure-widget.h"

#define MEMLANE_TYPE_EXPERIMENT_CURVE (memlane_experiment_curve_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentCurve, memlane_experiment_curve, MEMLANE, EXPERIMENT_CURVE, MemlaneFigureWidget)

/* @item: one whose prediction is MEMLANE_PREDICT_CURVE */
GtkWidget *memlane_experiment_curve_new (MemlaneExperimentItem *item);
/* As a drag does, from where it began to (@x, @y). */
void memlane_experiment_curve_begin_drag (MemlaneExperimentCurve *self, double x, double y);
void memlane_experiment_curve_drag_to (MemlaneExperimentCurve *self, double x, double y);
/* Returns the place of a size's guess. */
void memlane_experiment_curve_find (MemlaneExperimentCurve *self, guint log2_elements, double ns, double *x, double *y);
