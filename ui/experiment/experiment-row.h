/* experiment-row.h: a row in the list of experiments, with the verdict once it was run
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <gtk/gtk.h>

#include "model/experiment-item.h"

/* A GtkListBoxCreateWidgetFunc; @item is a MemlaneExperimentItem. */
GtkWidget *memlane_experiment_row_new (gpointer item, gpointer data);
