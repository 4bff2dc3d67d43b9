/* experiment-curve.h: a curve over size is predicted: drawn by pointer or keys; afterwards the measured one stands beside it
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/experiment-item.h"

/* A MemlaneStillFigure of @item, whose prediction is MEMLANE_PREDICT_CURVE; it follows the item. */
GtkWidget *memlane_experiment_curve_new (MemlaneExperimentItem *item);
