/* experiment-bars.h: the picture that answers an experiment, as high as its bars need
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include "memlane.h"
#include "parts/figure-widget.h"

#define MEMLANE_TYPE_EXPERIMENT_BARS (memlane_experiment_bars_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentBars, memlane_experiment_bars, MEMLANE, EXPERIMENT_BARS, MemlaneFigureWidget)

/* NULL: the result has no value to show. */
GtkWidget *memlane_experiment_bars_new (MemlaneExperimentResult *result);
/* The timelines of what it has recorded. (nullable): it has recorded nothing. */
GtkWidget *memlane_experiment_timeline_new (MemlaneExperimentResult *result);
