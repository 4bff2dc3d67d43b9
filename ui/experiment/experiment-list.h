/* experiment-list.h: the list of experiments, each with its verdict once it was run
 *
 * SPDX-License-Identifier: MIT
 *
 * Signal: "chosen" (MemlaneExperimentItem *item): by the person or by choose().
 */
#pragma once

#include <adwaita.h>

#include "model/experiment-store.h"

#define MEMLANE_TYPE_EXPERIMENT_LIST (memlane_experiment_list_get_type ())
G_DECLARE_FINAL_TYPE (MemlaneExperimentList, memlane_experiment_list, MEMLANE, EXPERIMENT_LIST, AdwBin)

/* Once. */
void memlane_experiment_list_follow (MemlaneExperimentList *self, MemlaneExperimentStore *store);
void memlane_experiment_list_choose (MemlaneExperimentList *self, MemlaneExperimentItem *item);
