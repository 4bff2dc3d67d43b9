/* experiment-choice.h: one of several answers is predicted; afterwards the right one is marked
 *
 * SPDX-License-Identifier: MIT
 */
#pragma once

#include <adwaita.h>

#include "model/experiment-item.h"

#define MEMLANE_TYPE_EXPERIMENT_CHOICE (memlane_experiment_choice_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentChoice, memlane_experiment_choice, MEMLANE, EXPERIMENT_CHOICE, AdwBin)

/* @item: one whose prediction is MEMLANE_PREDICT_CHOICE */
GtkWidget *memlane_experiment_choice_new (MemlaneExperimentItem *item);
